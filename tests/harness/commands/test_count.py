"""`sortlab count` of a host sort under the real valgrind, and its message if no tool counts."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import jsonschema
import pytest

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
SCHEMA = json.loads((ROOT / "configs" / "schemas" / "record.schema.json").read_text())
N = 1 << 12
# Merges vectors of the widest instruction set: AVX2 under valgrind.
CASE = ["--algorithm", "satish_cpu_merge", "--n", str(N), "--json"]
RADIX = ["--algorithm", "satish_cpu_radix", "--n", str(N), "--param", "digit_bits=8", "--json"]


def count(*arguments, **environment):
    return subprocess.run(
        [SORTLAB, "count", *arguments],
        capture_output=True,
        text=True,
        timeout=300,
        env={**os.environ, **environment},
    )


@pytest.fixture(scope="module")
def counted():
    """A config with the same sort twice, and a radix sort."""
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed: nothing is counted")
    done = [count(*case, "--tool", "callgrind") for case in (RADIX, RADIX, CASE)]
    for one in done:
        assert one.returncode == 0, one.stderr
    return [json.loads(one.stdout) for one in done]


def test_counts_are_records_of_their_own_kind(counted):
    for record in counted:
        jsonschema.validate(record, SCHEMA)
        assert record["kind"] == "count" and record["tool"]["name"] == "callgrind"
        assert "samples_s" not in record and record["verification"]["order"]
        for counter, total in record["totals"].items():
            phases = sum(phase["per_element"][counter] for phase in record["phases"])
            assert phases == pytest.approx(total, rel=1e-4), counter


def test_two_runs_count_the_same(counted):
    first, second, _ = counted
    for one, other in zip(first["phases"], second["phases"], strict=True):
        assert (one["name"], one["pass"]) == (other["name"], other["pass"])
        # Work outside all phases may depend on addresses.
        if one["name"] != "outside phases":
            assert one["per_element"] == pytest.approx(other["per_element"], rel=1e-3)
    assert first["totals"] == pytest.approx(second["totals"], rel=1e-3)


def test_valgrinds_own_settings_change_no_count(counted, tmp_path):
    (tmp_path / ".valgrindrc").write_text("--callgrind:zero-before=*\n")
    done = count(*RADIX, "--tool", "callgrind", HOME=str(tmp_path), VALGRIND_OPTS="--fn-skip=sort")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["totals"] == pytest.approx(counted[0]["totals"], rel=1e-3)


def test_a_radix_sort_reads_and_writes_each_key_in_each_pass(counted):
    scatters = [phase["per_element"] for phase in counted[0]["phases"] if phase["name"] == "scatter"]
    assert len(scatters) == 4
    for scatter in scatters:
        assert scatter["loads"] >= 1.5  # a key, and what it takes to know where the next of its digit goes
        assert scatter["stores"] >= 1.5
        assert 4 < scatter["instructions"] < 60
    work = [phase["per_element"] for phase in counted[0]["model"]["phases"] if phase["name"] == "scatter"]
    assert [passes["elements"] for passes in work] == [1.0] * 4


def test_instructions_are_those_that_valgrind_knows(counted):
    record = counted[2]
    assert record["tool"]["simd"] != "AVX-512" and record["case"]["parameters"]["width"] != "avx512"


def test_an_instruction_set_that_valgrind_does_not_know_is_declined():
    if shutil.which("valgrind") is None:
        pytest.skip("valgrind is not installed")
    done = count(*CASE, "--tool", "callgrind", "--param", "width=avx512")
    assert done.returncode == 2 and done.stderr.count("\n") == 1
    assert "lacks avx512" in done.stderr


@pytest.mark.parametrize(
    "arguments, reason",
    [
        (["--tool", "callgrind"], "cannot count: no valgrind on PATH"),
        (["--tool", "callgrind", "--valgrind", "/no/valgrind"], "cannot count: '/no/valgrind' is no program"),
    ],
)
def test_without_valgrind_one_line_says_so(arguments, reason, tmp_path):
    out = tmp_path / "counts.jsonl"
    done = count(*RADIX, *arguments, "--out", str(out), PATH=str(tmp_path))
    assert done.returncode == 1 and done.stdout == "" and not out.exists()
    assert done.stderr.count("\n") == 1 and reason in done.stderr


def test_the_processors_counters_count_or_say_why_not():
    done = count(*RADIX, "--tool", "perf_event")
    if done.returncode == 0:
        record = json.loads(done.stdout)
        jsonschema.validate(record, SCHEMA)
        assert record["tool"]["name"] == "perf_event" and record["totals"]["instructions"] > 10
    else:
        assert done.returncode == 1 and done.stderr.count("\n") == 1
        assert "cannot count: perf_event" in done.stderr


FAKE_LIKWID = SORTLAB.parent / "tests" / "libfake_likwid.so"
LIKWID = [*RADIX, "--tool", "likwid"]


@pytest.mark.skipif(not FAKE_LIKWID.exists(), reason="the stand-in for likwid is not built")
def test_likwid_counts_bytes_and_misses_by_phase():
    # Each reading of the stand-in gives 1000.5 for a group's first event, 2001 for its second, and half a gigabyte.
    done = count(*LIKWID, SORTLAB_LIKWID=str(FAKE_LIKWID), FAKE_LIKWID="work")
    assert done.returncode == 0, done.stderr
    record = json.loads(done.stdout)
    jsonschema.validate(record, SCHEMA)
    assert record["tool"]["groups"] == ["CLOCK", "L2", "L3", "MEM", "MEM1", "MEM2", "TLB_DATA", "TLB", "BRANCH"]
    one = {p["name"]: p["per_element"] for p in record["phases"]}["histogram"]
    reading = one["instructions"]
    assert one["cycles"] == one["branch_misses"] == one["dtlb_misses"] == pytest.approx(2 * reading, rel=1e-4)
    assert one["bytes_l2"] == one["bytes_l3"] == pytest.approx(0.5e9 * reading / 1000.5, rel=1e-4)
    assert one["bytes_memory"] == pytest.approx(2 * one["bytes_l2"], rel=1e-4)  # both halves of AMD's channels


@pytest.mark.skipif(not FAKE_LIKWID.exists(), reason="the stand-in for likwid is not built")
def test_likwid_counts_what_groups_there_are_or_says_why_not():
    done = count(*LIKWID, SORTLAB_LIKWID=str(FAKE_LIKWID), FAKE_LIKWID="clock alone")
    record = json.loads(done.stdout)
    assert record["tool"]["groups"] == ["CLOCK"] and set(record["totals"]) == {"instructions", "cycles"}
    done = count(*LIKWID, SORTLAB_LIKWID=str(FAKE_LIKWID), FAKE_LIKWID="refuse")
    assert done.returncode == 1 and done.stderr.count("\n") == 1
    assert "cannot count: likwid: cannot read the counters" in done.stderr
    done = count(*LIKWID, SORTLAB_LIKWID="libnone.so.5")
    assert done.returncode == 1 and "cannot count: likwid: not installed" in done.stderr
