"""Claims on parts of a sort (components, splits, phases) are judged by the records that they select."""


import pytest
import synthetic_records as synthetic
from planted_records import claim_result, read_planted

from plots.records.collection import Records
from plots.claims.verdicts import DIRECTION, FAILS, HOLDS, IN_PART, NOT_JUDGED, NOT_MEASURED, NOT_TESTABLE, REVERSED


def ha_component(name: str, seconds: float, algorithm: str = "ha_implicit_radix", **changes: object) -> dict:
    case = synthetic.gpu_case(algorithm, 1 << 24, **changes)
    return synthetic.component(case, name, seconds, spread=0.0005)


@pytest.mark.parametrize("factor, verdict", [(1.6, HOLDS), (2.5, DIRECTION), (0.9, REVERSED)])
def test_components_decide_what_is_said_of_parts(tmp_path, factor, verdict):
    theirs = ha_component("counted_presort", factor * 1e-3, "satish_split_radix_2009")
    cells = [ha_component("presort", 1e-3), theirs]
    result = claim_result(read_planted(tmp_path, *cells), "HA-C1")
    assert result.verdict == verdict and "presort of u32+u32 separate uniform" in result.parts[0].reason


def test_a_whole_sort_is_no_component(tmp_path):
    """The phases of whole sorts decide a part of their own: pre-sorts with their counting, 11 + 2 against 7."""
    sorts = [synthetic.gpu_sort(synthetic.gpu_case(algorithm, 1 << 24)) for algorithm in synthetic.GPU_FORMS]
    result = claim_result(read_planted(tmp_path, *sorts), "HA-C1")
    alone, whole, uncounted, iteration = result.parts
    assert iteration.arithmetic and "of CUDPP over its iteration, (12.25 + 0.15 + 5.15) / 17.55 ms: 1." in result.found
    assert uncounted.beside and uncounted.verdict == NOT_MEASURED
    assert alone.verdict == NOT_MEASURED and "no record of component presort" in alone.reason
    assert whole.verdict == DIRECTION and whole.figure.startswith("1.86")


@pytest.mark.parametrize("of_512, verdict", [(0.9e-3, REVERSED), (1.2e-3, HOLDS)])
def test_the_best_tile_beats_both_others(tmp_path, of_512, verdict):
    """HA-C9: a claim that held against 2048 alone was called “holds in part”."""
    form = {"presort": "stored", "scatter": "aos", "warp_scan": "shared"}
    cells = []
    for tile, bits, seconds in (("512", "32", of_512), ("1024", "32", 1e-3), ("2048", "64", 1.5e-3)):
        for k in (21, 22, 23, 24):
            parameters = {**synthetic.GPU_FORMS["ha_implicit_radix"], **form, "tile": tile, "counter_bits": bits}
            case = synthetic.gpu_case("ha_implicit_radix", 1 << k, parameters=parameters)
            time = seconds * 2.0 ** (k - 20)
            cells.append(synthetic.measurement(case, time, 0.0005, phases=[], device=synthetic.DEVICE))
    result = claim_result(read_planted(tmp_path, *cells), "HA-C9")
    assert result.verdict == verdict and result.parts[0].name == "blocks of 1024 against the faster of 512 and 2048"


def test_each_quoted_rate_has_a_row():
    """HA-C11: the 60 million pairs a second of bitonic sort had none."""
    quoted = claim_result(Records(), "HA-C11").parts
    assert [p.verdict for p in quoted if "million pairs per second" in p.name] == [NOT_TESTABLE, NOT_TESTABLE]


@pytest.mark.parametrize("copying_s, verdict", [(6e-5, HOLDS), (3e-5, IN_PART)])
def test_the_range_of_keys_is_compared_with_copying_as_many_bytes(tmp_path, copying_s, verdict):
    """HA-C8: the range of keys against copies of as many bytes and of as many pairs."""
    form = synthetic.GPU_FORMS["ha_implicit_radix"]
    cells = [ha_component("memcpy", 1e-4)]
    cells.append(synthetic.component(synthetic.gpu_case("ha_implicit_radix", 1 << 23), "memcpy", copying_s))
    for limited, seconds in (("no", 9e-3), ("yes", 7e-3)):
        case = synthetic.gpu_case(
            "ha_implicit_radix",
            1 << 24,
            parameters={**form, "limit_range": limited},
            distribution="uniform:range_bits=24",
        )
        span = {"name": "range", "pass": 0, "median_s": 6e-5, "begin_s": 0.0, "end_s": 6e-5}
        cells.append(synthetic.measurement(case, seconds, 0.001, phases=[span], device=synthetic.DEVICE))
    result = claim_result(read_planted(tmp_path, *cells), "HA-C8")
    assert result.verdict == verdict
    keys, pairs = result.parts[0], result.beside[0]
    assert float(keys.figure.split()[0]) == pytest.approx(6e-5 / copying_s, rel=0.02)
    assert "n = 2²⁴" in keys.reason  # the keys', not the pairs' that were copied
    assert pairs.verdict == HOLDS and float(pairs.figure.split()[0]) == pytest.approx(6e-5 / 1e-4, rel=0.02)


@pytest.mark.parametrize("range_s, verdict", [(1e-4, HOLDS), (4e-4, FAILS)])
def test_the_range_of_many_keys_is_beside_the_claim(tmp_path, range_s, verdict):
    """HA-C8: 2^26 keys, in whatever setting, against a copy of 2^27 pairs in 6e-4 s."""
    form = {**synthetic.GPU_FORMS["ha_implicit_radix"], "limit_range": "yes", "presort": "recomputed"}
    span = {"name": "range", "pass": 0, "median_s": range_s, "begin_s": 0.0, "end_s": range_s}
    cells = [synthetic.component(synthetic.gpu_case("ha_implicit_radix", 1 << 27), "memcpy", 6e-4, spread=0.0005)]
    case = synthetic.gpu_case("ha_implicit_radix", 1 << 26, parameters=form)
    cells.append(synthetic.measurement(case, 9e-3, 0.001, phases=[span], device=synthetic.DEVICE))
    form = synthetic.GPU_FORMS["ha_implicit_radix"]
    for limited, seconds in (("no", 9e-3), ("yes", 7e-3)):
        changes = dict(parameters={**form, "limit_range": limited}, distribution="uniform:range_bits=24")
        case = synthetic.gpu_case("ha_implicit_radix", 1 << 24, **changes)
        cells.append(synthetic.measurement(case, seconds, 0.001, phases=[], device=synthetic.DEVICE))
    result = claim_result(read_planted(tmp_path, *cells), "HA-C8")
    assert result.verdict == HOLDS and result.unmeasured  # sorting fewer bits alone
    _, keys, pairs = result.beside
    assert (keys.verdict, pairs.verdict) == (verdict, verdict)
    assert float(keys.figure.split()[0]) == pytest.approx(4 * range_s / 6e-4, rel=0.02)
    assert float(pairs.figure.split()[0]) == pytest.approx(2 * range_s / 6e-4, rel=0.02)


def split_radix(digit_bits: int, seconds: float, **changes: object) -> dict:
    form = {"split": "vertical", "digit_bits": digit_bits, "items": 13, "warps": 4}
    case = synthetic.case("satish_split_radix", 1 << 24, parameters=form, residency="device", **changes)
    return synthetic.measurement(case, seconds, 0.0001, device=synthetic.DEVICE, cpe_core=1e9 * seconds)


@pytest.mark.parametrize("of_two, verdict", [(5e-3 * 2 * (1 - 0.65 / 2), HOLDS), (5e-3 * 2 * 0.9, FAILS)])
def test_a_split_costs_what_wider_digits_cost_more(tmp_path, of_two, verdict):
    """Eight passes of 4 bits in 5 ms; sixteen passes of 2 bits: what half the splits of a pass leave."""
    cells = [split_radix(4, 5e-3), split_radix(2, of_two)]
    (part, _) = claim_result(read_planted(tmp_path, *cells), "SAT-C9").parts
    assert part.verdict == verdict


@pytest.mark.parametrize("binding, verdict", [("dram", HOLDS), ("issue", FAILS)])
def test_counters_say_what_binds_a_phase(tmp_path, binding, verdict):
    sort = split_radix(4, 5e-3)
    count = synthetic.count(sort["case"], {"histogram": binding})
    found = claim_result(read_planted(tmp_path, sort, count), "SAT-C7")
    parts = found.parts
    assert "less than 0.3 in the paper: 10" in found.found  # instructions of the count above
    assert [p.verdict for p in parts if "counters" in p.name] == [verdict]
    parts = claim_result(read_planted(tmp_path, sort), "SAT-C7").parts
    assert ["run sortlab count" in p.reason for p in parts if "counters" in p.name] == [True]


@pytest.mark.parametrize("factor", [1.0, 1.3])
def test_how_a_sort_is_built_is_not_judged_by_its_times(tmp_path, factor):
    """HA-C4: the conversion is inside two kernels, and the paper gives no time of it."""
    form = {**synthetic.GPU_FORMS["ha_implicit_radix"], "scatter": "soa"}
    cells = [ha_component("shuffle_aos", 1e-3), ha_component("shuffle_soa", 1.3e-3, parameters=form)]
    cells += [ha_component("presort", factor * 1e-3), ha_component("presort", 1e-3, parameters=form)]
    result = claim_result(read_planted(tmp_path, *cells), "HA-C4")
    assert result.verdict == NOT_TESTABLE and [p.verdict for p in result.beside] == [NOT_JUDGED] * 2
    assert all(p.figure for p in result.beside)
    assert "Beside it on the H200: shuffling structures" in result.found


def test_an_untestable_setting_is_named(tmp_path):
    """HA-C4 lacks the pre-sort of arrays alone."""
    result = claim_result(read_planted(tmp_path, ha_component("presort", 1e-3)), "HA-C4")
    assert "scatter=soa" in result.parts[2].reason
