"""Phases that do not make up their sort are left out."""

import pytest

from plots.records import measurement


def phases(residency, threads, *seconds, **members):
    each = [{"name": f"p{i}", "pass": 0, "median_s": s} for i, s in enumerate(seconds)]
    case = {"residency": residency, "threads": threads}
    return measurement._phases({"case": case, "median_s": 1.0, "phases": each, **members})


@pytest.mark.parametrize("residency, threads, kept", [("host", 2, 0), ("host", 1, 2), ("end_to_end", 16, 2)])
def test_only_threads_of_a_host_may_be_in_two_phases_at_once(residency, threads, kept):
    """Older records of PARADIS count repair within permutation. A copy overlaps the sort of another chunk by design."""
    assert len(phases(residency, threads, 0.6, 0.5)) == kept
    assert len(phases(residency, threads, 0.6, 0.4)) == 2


@pytest.mark.parametrize("members, told", [({"phase_time": "occupied"}, "occupied"), ({}, "span")])
def test_a_record_tells_how_it_defines_the_time_of_a_phase(members, told):
    phase = {"name": "count", "pass": 0, "median_s": 1.0}
    assert measurement.phase_time({"phases": [phase], **members}) == told
    assert measurement.phase_time({"phases": []}) == ""


def test_a_devices_phases_are_left_out_by_what_the_record_says():
    assert phases("device", 1, 0.6, 0.6, phases_over_whole=1.2) == ()
    assert len(phases("device", 1, 0.5, 0.5, phases_over_whole=1.0)) == 2
