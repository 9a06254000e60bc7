"""One setting of each sort for a line, and builds that run serially."""

from pathlib import Path
from typing import Any

import synthetic_records as synthetic

from plots.analysis.one_setting import choose, is_serial, names_text, parallel_ones
from plots.artifacts.own import all_sorts
from plots.records.collection import Records, read

PAPER, TUNED = synthetic.PAPER_FORM, {**synthetic.PAPER_FORM, "digit_bits": 11}
SIZES = (16, 18, 20, 22, 24)


def sort(name: str, log_n: int, ns: float, parameters: dict[str, Any], **changes: Any) -> dict[str, Any]:
    case = synthetic.case(name, 1 << log_n, parameters=parameters, **changes)
    return synthetic.measurement(case, 1e-9 * ns * (1 << log_n), spread=0)


def read_back(tmp_path: Path, *measured: dict[str, Any]) -> Records:
    return read([synthetic.write(tmp_path / "r", [synthetic.run_record(), *measured])]).on(synthetic.MACHINE)


def test_a_line_has_one_setting_though_others_have_sizes_that_it_lacks(tmp_path):
    radix = "satish_cpu_radix"
    paper = [sort(radix, log_n, 8.0, PAPER) for log_n in (*SIZES, 26)]
    tuned = [sort(radix, log_n, 2.0, TUNED) for log_n in SIZES]
    swept = [sort(radix, 20, 1.0, {**TUNED, "digit_bits": 9})]  # the fastest, at one size
    records = read_back(tmp_path, *paper, *tuned, *swept)
    chosen = choose(records, records.ok(algorithm=radix))[radix]
    assert {m.case.parameters["digit_bits"] for m in chosen.measured} == {11}
    assert [m.case.n for m in chosen.measured] == [1 << log_n for log_n in SIZES]
    assert chosen.name == "digit_bits=11" and "satish_cpu_radix: digit_bits=11" in names_text([chosen])
    assert "satish_cpu_radix of u32: digit_bits=9, 2.00 times as fast at n = 2²⁰." in names_text([chosen])
    (line,) = [
        line
        for artifact in all_sorts.make(records)
        for panel in artifact.picture.panels
        for line in panel.lines
        if line.label == radix
    ]
    assert max(line.y) < 2.1 and len(line.x) == len(SIZES)


def test_versions_are_settings_and_the_papers_form_is_named(tmp_path):
    vqsort = [sort("vqsort", log_n, 3.0, {}, version="old", seed=2) for log_n in SIZES]
    vqsort += [sort("vqsort", log_n, 2.0, {}, version="new") for log_n in SIZES[:4]]
    paper = [sort("aa_sort", log_n, 1.0, {"width": "sse4"}) for log_n in SIZES]
    wide = [sort("aa_sort", log_n, 2.0, {"width": "avx512"}) for log_n in SIZES]
    described = {**synthetic.ALGORITHMS["std_sort"], "name": "aa_sort", "presets": {"paper": {"width": "sse4"}}}
    records = read_back(tmp_path, *vqsort, *paper, *wide, described)
    chosen = choose(records, records.ok(algorithm=lambda name: name in ("vqsort", "aa_sort")))
    assert chosen["vqsort"].name == "new" and len(chosen["vqsort"].measured) == 4
    assert chosen["aa_sort"].name == "paper’s form"


def test_our_own_sort_chooses_its_variant_by_n(tmp_path):
    own = [sort("msd_radix_cpu", log_n, 1.0, {"pivots_below": log_n}) for log_n in SIZES]
    records = read_back(tmp_path, *own)
    chosen = choose(records, records.ok(algorithm="msd_radix_cpu"))["msd_radix_cpu"]
    assert len(chosen.measured) == len(SIZES) and chosen.name == ""


def test_a_build_that_gains_nothing_from_threads_is_serial(tmp_path):
    cells = [
        sort("x86_simd_sort", log_n, ns, {}, threads=threads, version=version, seed=seed)  # or one supersedes the other
        for version, seed, threads, ns in (
            ("plain", 1, 1, 4.0),
            ("plain", 1, 16, 4.2),
            ("openmp", 2, 1, 4.0),
            ("openmp", 2, 16, 1.0),
        )
        for log_n in (18, 20, 22)
    ]
    # At small n no sort gains, which says nothing.
    cells += [sort("tbb_parallel_sort", 16, 5.0, {}, threads=threads) for threads in (1, 16)]
    records = read_back(tmp_path, *cells)
    serial = {(m.case.algorithm, m.case.version) for m in records.ok() if is_serial(records, m)}
    assert serial == {("x86_simd_sort", "plain")}
    kept = parallel_ones(records, records.ok(algorithm="x86_simd_sort"))
    assert sorted({(m.case.version, m.case.threads) for m in kept}) == [("openmp", 1), ("openmp", 16), ("plain", 1)]
