"""Claims are judged by the records that they select."""

import inspect
import json
import math
import re
import statistics

import pytest
import synthetic_records as synthetic
from planted_records import claim_result, of_later_run, read_planted

from plots.claims.books import books
from plots.claims.findings import _TIMES, _shown
from plots.claims.measures import ratio
from plots.claims.verdicts import (
    DIRECTION,
    FAILS,
    HOLDS,
    IN_PART,
    NOT_JUDGED,
    NOT_MEASURED,
    NOT_TESTABLE,
    REVERSED,
    RULE_MEANINGS,
    UNDECIDED,
)
from plots.records.collection import Records
from plots.records.folders import PUBLISHED


def radix(n: int, **changes: object) -> dict:
    return synthetic.case("satish_cpu_radix", n, parameters=synthetic.PAPER_FORM, **changes)


@pytest.mark.parametrize("slope, verdict", [(0.0, HOLDS), (0.2, FAILS)])
def test_a_constant_rate_holds_and_a_falling_one_fails(tmp_path, slope, verdict):
    cells = [
        synthetic.measurement(radix(1 << k), 5e-9 * (1 << k) * (1 + slope * (k - 17)), 0.001) for k in range(17, 25)
    ]
    result = claim_result(read_planted(tmp_path, *cells), "SAT-C11")
    # The paper's 128K are the Core i7's.
    assert result.verdict == verdict and result.partial and result.parts[1].verdict == NOT_TESTABLE


def test_sizes_that_do_not_span_the_claim_decide_nothing(tmp_path):
    cells = [synthetic.measurement(radix(1 << k), 5e-9 * (1 << k)) for k in range(18, 23)]
    result = claim_result(read_planted(tmp_path, *cells), "SAT-C11")
    assert result.verdict == NOT_MEASURED and "only 2²⁰ to 2²²" in result.parts[0].reason


@pytest.mark.parametrize("factor, verdict", [(1.30, HOLDS), (1.8, FAILS), (0.9, FAILS)])
def test_payload_costs_what_the_records_say(tmp_path, factor, verdict):
    plain = synthetic.measurement(radix(1 << 22), 0.02, 0.001)
    pairs = synthetic.measurement(radix(1 << 22, value_type="u32"), 0.02 * factor, 0.001)
    result = claim_result(read_planted(tmp_path, plain, pairs), "SAT-C29")
    # A payload cannot make a sort faster, so that a wrong size has no direction. The GPU's part is not measured.
    assert result.verdict == verdict and result.unmeasured and not result.partial
    assert result.found.endswith(" Not measured: GPU.")


def test_disturbed_cells_decide_no_absolute_figure(tmp_path):
    cell = synthetic.measurement(radix(1 << 22), 0.02, disturbed=True)
    assert claim_result(read_planted(tmp_path, cell), "SAT-C16").verdict == NOT_TESTABLE


def test_a_comparison_counts_disturbed_cells_and_says_so(tmp_path):
    plain = synthetic.measurement(radix(1 << 22), 0.02)
    pairs = synthetic.measurement(radix(1 << 22, value_type="u32"), 0.026, disturbed=True)
    result = claim_result(read_planted(tmp_path, plain, pairs), "SAT-C29")
    assert result.verdict == HOLDS and ", disturbed" in result.parts[0].reason


@pytest.mark.parametrize(
    "samples, verdict",
    [
        ([0.0260, 0.0261], HOLDS),  # so close that two are enough
        ([0.0230, 0.0290], UNDECIDED),  # Student's t of two leaves even the order open
        ([0.0250, 0.0255, 0.0260, 0.0265], HOLDS),
        ([0.0260], NOT_MEASURED),
    ],
)
def test_few_samples_decide_by_students_t(tmp_path, samples, verdict):
    """SAT-C29. The range of a few samples is no 95 % interval; the interval that takes its place is wider."""
    plain = synthetic.measurement(radix(1 << 22), 0.02, 0.0001)
    pairs = synthetic.measurement(radix(1 << 22, value_type="u32"), 0.026)
    times = {"samples_s": samples, "ci95_s": [min(samples), max(samples)]}
    pairs = synthetic.retimed(pairs, **times)
    part = claim_result(read_planted(tmp_path, plain, pairs), "SAT-C29").parts[0]
    assert part.verdict == verdict
    assert ("2 samples" if len(samples) == 1 else f"{len(samples)} samples") in part.reason
    (kept,) = [m for m in read_planted(tmp_path, plain, pairs).measurements if m.case.value_type == "u32"]
    wider = kept.seconds_to_compare
    if len(samples) > 1:
        logs = [math.log(s) for s in samples]
        error = statistics.stdev(logs) / math.sqrt(len(samples))
        students, assumed = {2: 12.706, 4: 3.182}[len(samples)] * error, 1.96 * 0.03
        half = math.log(wider.high / kept.seconds.value)
        assert half == pytest.approx(math.hypot(students, assumed), rel=2e-3)


def test_a_stand_in_opponent_is_shown_and_decides_nothing(tmp_path):
    cells = [
        synthetic.measurement(radix(1 << 26), 0.3),
        synthetic.measurement(synthetic.case("std_stable_sort", 1 << 26), 5.0),
    ]
    result = claim_result(read_planted(tmp_path, *cells), "SAT-C15")
    assert result.verdict == NOT_MEASURED
    on_four, tuned, stand_in = result.beside
    assert on_four.verdict == NOT_MEASURED
    assert (tuned.verdict, stand_in.verdict) == (NOT_MEASURED, NOT_JUDGED) and stand_in.figure
    assert stand_in.adapted.startswith("libstdc++") and result.adapted == ()


def split_sort(algorithm: str, n: int, seconds: float, gpu: str = "NVIDIA H200") -> dict:
    forms = {"satish_gpu_merge": {"merge": "bitonic", "tile": 256}, "satish_split_radix": SPLIT_PAPER}
    case = synthetic.case(algorithm, n, parameters=forms[algorithm], residency="device", affinity=[])
    return synthetic.measurement(case, seconds, 0.001, phases=[], device={**synthetic.DEVICE, "name": gpu})


SPLIT_PAPER = {"digit_bits": 4, "items": 13, "split": "vertical", "warps": 4}


def test_a_part_is_of_one_gpu(tmp_path):
    """SAT-C25: of two sorts, each on another GPU, there is no ratio; both on the other GPU decide it there."""
    slow = split_sort("satish_split_radix", 1 << 16, 2e-3)
    fast = split_sort("satish_gpu_merge", 1 << 16, 1e-3, gpu="NVIDIA H100")
    part = claim_result(read_planted(tmp_path, slow, slow, fast), "SAT-C25").parts[0]
    assert part.verdict == NOT_MEASURED
    there = split_sort("satish_split_radix", 1 << 16, 1.1e-3, gpu="NVIDIA H100")
    more = [split_sort("satish_split_radix", 1 << n, 2e-3) for n in (20, 22, 24)]
    part = claim_result(read_planted(tmp_path, slow, fast, there, *more), "SAT-C25").parts[0]
    result = claim_result(read_planted(tmp_path, slow, fast, there, *more), "SAT-C25")
    assert part.verdict == HOLDS and "NVIDIA H100" in part.reason and "on the H100" in result.found
    assert float(part.figure.split()[0]) == pytest.approx(1.1, rel=0.01)


def test_two_sorts_are_compared_on_one_number_of_threads(tmp_path):
    """SAT-C15: one was measured on 16 threads too."""
    merge = {"parameters": {"width": "sse4"}}
    cells = [synthetic.measurement(radix(1 << 27, threads=threads), 1.0 / threads) for threads in (2, 16)]
    cells.append(synthetic.measurement(synthetic.case("satish_cpu_merge", 1 << 27, threads=2, **merge), 0.95))
    part = claim_result(read_planted(tmp_path, *map(synthetic.in_three_processes, cells)), "SAT-C15").parts[0]
    assert part.verdict == HOLDS and ", 2T" in part.reason
    found = claim_result(read_planted(tmp_path, *map(synthetic.in_three_processes, cells)), "SAT-C15").found
    assert found.startswith("Here on 2 threads, against the SSE merge sort: ")
    cells[-1] = synthetic.measurement(synthetic.case("satish_cpu_merge", 1 << 27, threads=4, **merge), 0.95)
    part = claim_result(read_planted(tmp_path, *cells), "SAT-C15").parts[0]
    assert part.verdict == NOT_MEASURED and "one number of threads" in part.reason


def test_a_claim_says_what_was_found_in_one_sentence(tmp_path):
    """SAT-C4, of which one size is far from the others; and claims that nothing decides."""
    form = synthetic.GPU_FORMS["satish_split_radix_2009"]
    cells = []
    for n, factor in ((20, 1.2), (22, 1.84), (24, 1.9)):
        cells.append(split_sort("satish_split_radix", 1 << n, 1e-3))
        case = synthetic.case("satish_split_radix_2009", 1 << n, parameters=form, residency="device", affinity=[])
        cells.append(synthetic.measurement(case, factor * 1e-3, 0.001, phases=[], device=synthetic.DEVICE))
    result = claim_result(read_planted(tmp_path, *cells), "SAT-C4")
    assert re.fullmatch(r"Here on the H200: 1\.8\d times as fast, 1\.\d\d at 2²⁰\.", result.found)
    assert result.verdict == HOLDS  # in most sizes
    assert claim_result(Records(), "SAT-C4").found.startswith("No record of")
    of_paper = (
        "By the paper’s numbers Amdahl’s law with the paper’s share of 65 % (SAT-C9): 1.481. Beside it with the 56 %"
    )
    found = claim_result(Records(), "SAT-C10").found
    assert found.startswith(of_paper) and found.endswith("below the 1.425 that 1.5 is read as: 1.391.")


def test_an_absolute_figure_of_another_machine_decides_nothing(tmp_path):
    """SAT-C14, C16: today's processor is neither the paper's nor judged by its rate."""
    cell = synthetic.measurement(radix(1 << 22), 1e-3)
    for id_, verdict in (("SAT-C14", NOT_MEASURED), ("SAT-C16", NOT_TESTABLE)):
        result = claim_result(read_planted(tmp_path, cell), id_)
        assert result.verdict == verdict and "Core i7 itself" in result.found
        assert result.parts[0].figure and result.parts[0].verdict == NOT_TESTABLE


def test_a_claim_that_no_run_could_decide_says_why_and_not_that_records_are_missing():
    """SAT-C19: one statement is a figure of the paper's GPU, and the other cannot be measured."""
    result = claim_result(Records(), "SAT-C19")
    assert result.verdict == NOT_TESTABLE and result.found.startswith("Nothing here measures the rate")
    (figure,) = [part for part in result.parts if part.name.startswith("cycles of one SM")]
    assert figure.reason.startswith("the paper’s figure is of the GTX 280 itself, and none here stands beside it: no ")


def test_a_value_that_only_its_interval_leaves_undecided_is_told_with_it(tmp_path):
    """SAT-C11: rates that differ by a fifth, of cells whose intervals reach as far."""
    cells = [synthetic.measurement(radix(1 << k), 5e-9 * (1 << k) * (1 + 0.03 * (k - 17)), 0.2) for k in range(17, 25)]
    result = claim_result(read_planted(tmp_path, *cells), "SAT-C11")
    assert result.verdict == UNDECIDED
    assert re.search(r"between the least and the greatest, its interval \d.* % to \d.* %", result.found)


def test_a_number_of_times_has_its_noun():
    """“1.8 times as fast” or “as long”, in each claim's sentence and in what is found of each measure."""
    no_noun = re.compile(r"\d\w* times(?! (?:as|the|faster|at 2))")
    for book in books():
        for one in book.claims:
            said = no_noun.findall(one.sentence)
            assert not said or one.id == "STE-C9", one.id  # "reads its input 39 times"
    for measure in _TIMES:
        assert _shown({"measure": measure, "per": ["memory.bandwidth"]})[1].split()[:1] == ["times"]
        assert len(_shown({"measure": measure})[1].split()) > 1
    assert _shown({"measure": "ratio"})[1] == "times as long"
    assert inspect.signature(ratio).parameters["reads"].default == "times as long"


def test_arithmetic_that_fails_is_told_with_its_verdict(tmp_path):
    """SAT-C22: the paper's parts add up to less than it prints."""
    found = claim_result(read_planted(tmp_path, split_sort("satish_split_radix", 1 << 20, 1e-3)), "SAT-C22").found
    assert "By the paper’s numbers, sum of the parts, for 14.8 printed: 14.32, fails." in found


def merge(n: int, seconds: float, **changes: object) -> dict:
    case = synthetic.case("satish_cpu_merge", n, parameters={"width": "sse4"}, threads=16)
    return synthetic.measurement(case, seconds, 0.001, **changes)


@pytest.mark.parametrize(
    "factors, leaning",
    [
        ([0.8] * 5 + [0.5] * 4, "leaning the other way: together 0."),  # each 0.8 alone reaches 1
        ([1.25] * 5 + [2.0] * 4, "leaning to the paper’s side: together 1."),
        ([0.8] * 5, ""),  # so does their mean, as if their errors had one cause
        ([0.3] * 4 + [1.2] * 5, ""),  # the mean is of few sizes
    ],
)
def test_sizes_that_are_undecided_one_by_one_lean_to_a_side_together(tmp_path, factors, leaning):
    """SAT-C14: the order at most sizes, of cells of one process on 16 threads."""
    cells = []
    for k, factor in enumerate(factors, 20):
        cells += [synthetic.measurement(radix(1 << k, threads=16), 1e-3, 0.001), merge(1 << k, factor * 1e-3)]
    result = claim_result(read_planted(tmp_path, *cells), "SAT-C14")
    part = result.parts[1]
    assert result.verdict == part.verdict == UNDECIDED
    assert f"{len(factors)} cases, " in part.reason and "together " in part.reason
    assert (leaning in result.found if leaning else "lean" not in result.found) and "5 undecided" in result.found
    # The sentence counts all cases, so that none is taken for one that holds.
    held = sum(factor > 1.5 for factor in factors)
    assert f"{held or 'none'} of {len(factors)} cases hold" in result.found


def test_a_claim_is_reversed_by_more_than_half_of_its_cases_alone(tmp_path):
    """SAT-C14, as the legend says."""
    cells = []
    for k, factor in enumerate([0.8] * 4 + [0.5] * 5, 20):
        cells += [synthetic.measurement(radix(1 << k, threads=16), 1e-3, 0.001), merge(1 << k, factor * 1e-3)]
    assert claim_result(read_planted(tmp_path, *cells), "SAT-C14").verdict == REVERSED


def test_disturbed_cells_and_few_samples_are_counted_in_the_reason(tmp_path):
    """SAT-C14, of whose sizes neither the first nor the last is disturbed; SAT-C11, a spread."""
    cells = []
    for k in range(18, 25):
        more = dict(disturbed=k in (20, 21))
        cells += [synthetic.measurement(radix(1 << k, threads=16), 1e-9 * (1 << k), 0.001, **more)]
        cells += [merge(1 << k, 2e-9 * (1 << k))]
    times = {"samples_s": [0.0167, 0.0168], "ci95_s": [0.0167, 0.0168]}
    cells[-2] = synthetic.retimed(cells[-2], **times)
    records = read_planted(tmp_path, *cells)
    part = claim_result(records, "SAT-C14").parts[1]
    assert "2 disturbed, 1 of few samples, " in part.reason
    assert "5 cells, 2 disturbed, 1 of few samples, " in claim_result(records, "SAT-C11").parts[0].reason


@pytest.mark.parametrize("busy, told", [(3, " (all 3 cells disturbed)."), (2, ".")])
def test_the_sentence_says_that_every_cell_was_disturbed(tmp_path, busy, told):
    """SAT-C14."""
    cells = []
    for k in (20, 21, 22):
        more = dict(disturbed=k - 20 < busy)
        cells += [synthetic.measurement(radix(1 << k, threads=16), 2e-3, 0.001, **more), merge(1 << k, 1e-3)]
    found = claim_result(read_planted(tmp_path, *cells), "SAT-C14").found
    assert found.startswith(f"Here on 16 threads, against the SSE merge sort: 0.500 times as fast{told}")
    # A spread is one value of all its cells.
    cells = [synthetic.measurement(radix(1 << k), 1e-9 * (1 << k), 0.001, disturbed=True) for k in range(18, 25)]
    spread = claim_result(read_planted(tmp_path, *cells), "SAT-C11").found
    assert "(all 5 cells disturbed)" in spread


@pytest.mark.parametrize(
    "slow, slower, verdict", [((20, 21, 22), 3.0, HOLDS), ((24,), 1.19, UNDECIDED), ((24,), 1.5, FAILS)]
)
def test_the_size_from_which_a_rate_is_constant_is_the_machines(tmp_path, slow, slower, verdict):
    """SAT-C30: a million keys fill a GTX 280. Where a GPU of today is filled, as from 16M keys on, decides."""
    cells = [
        split_sort("satish_split_radix", 1 << k, 1e-9 * (1 << k) * (slower if k in slow else 1)) for k in range(20, 29)
    ]
    result = claim_result(read_planted(tmp_path, *cells), "SAT-C30")
    filled, over_a_million, on_cpu = result.parts
    assert result.verdict == filled.verdict == verdict and "n = 2²⁴ to 2²⁸" in filled.reason
    assert over_a_million.verdict == NOT_TESTABLE and "GTX 280 itself" in over_a_million.reason
    assert "Not judged on the H200, GPU radix, over one million keys" in result.found
    assert on_cpu.beside and "SAT-C11 judges" in on_cpu.name


def test_a_found_line_names_every_place_where_they_differ(tmp_path):
    """SAT-C13: the merge sort was measured on the other GPU of the host alone."""
    cells = [split_sort("satish_split_radix", 1 << k, 1e-3) for k in (16, 20)]
    cells += [split_sort("satish_split_radix", 1 << k, 1e-3) for k in (21, 22)]
    cells += [split_sort("satish_gpu_merge", 1 << k, 1e-3, gpu="NVIDIA H100") for k in (16, 20)]
    found = claim_result(read_planted(tmp_path, *cells), "SAT-C13").found
    radix_, merge_ = found.split("; ")
    assert found.startswith("Here radix, 64K against 1M, on the H200: 16.0 times")
    assert ", on the H100: " in merge_ and merge_.endswith(". Not testable: the cause.") and "H200" not in merge_


def test_without_a_run_of_both_the_fastest_is_of_all_runs(tmp_path):
    """SAT-C20: a newer run of a slow sort alone is no reason to forget the fast one."""
    gpu = split_sort("satish_split_radix", 1 << 24, 1e-3)
    fast = synthetic.measurement(radix(1 << 24, threads=16), 4e-3, 0.001)
    slow = synthetic.measurement(synthetic.case("vqsort", 1 << 24), 90e-3, 0.001)
    of_gpu = {**synthetic.run_record(), "run": "20190102T000000Z-abcdef", "started": "2019-01-02T00:00:00Z"}
    cells = [of_gpu, {**gpu, "run": of_gpu["run"]}, fast, *of_later_run(slow)]
    result = claim_result(read_planted(tmp_path, *cells), "SAT-C20")
    assert float(result.parts[0].figure.split()[0]) == pytest.approx(4, rel=0.01)
    # The reader sees which sort is the fastest, in the sentence and in the row.
    assert (
        "CPU sorts: 4.00 times as fast at 2²⁴ alone, the fastest is satish_cpu_radix, beside a figure of the Core i7"
        in result.found
    )
    beside = result.beside[0]
    assert beside.reason.endswith("; the fastest is satish_cpu_radix")


@pytest.mark.parametrize("times, verdict", [(1.2, HOLDS), (1.5, DIRECTION), (0.8, REVERSED)])
def test_slightly_faster_is_one_reading(tmp_path, times, verdict):
    """SAT-C25: by up to a quarter."""
    cells = [split_sort("satish_split_radix", 1 << k, times * 1e-3) for k in (16, 17, 18)]
    cells += [split_sort("satish_gpu_merge", 1 << k, 1e-3) for k in (16, 17, 18)]
    few, many, *_ = claim_result(read_planted(tmp_path, *cells), "SAT-C25").parts
    assert few.verdict == verdict and many.verdict == NOT_MEASURED


@pytest.mark.parametrize("on_many, verdict", [(1.5, HOLDS), (0.8, IN_PART)])
def test_where_one_sort_overtakes_another_is_the_machines(tmp_path, on_many, verdict):
    """SAT-C25, as STE-C23: 256K keys on a GTX 280. Which sort is faster on few keys and on many decides."""
    times = {16: 1 / 1.2, 18: 2.0, 20: 0.5, 24: on_many, 26: on_many}
    cells = [split_sort("satish_split_radix", 1 << k, 1e-3) for k in times]
    cells += [split_sort("satish_gpu_merge", 1 << k, times[k] * 1e-3) for k in times]
    result = claim_result(read_planted(tmp_path, *cells), "SAT-C25")
    few, many, *between_them = result.parts
    assert result.verdict == verdict and (few.verdict, many.verdict == HOLDS) == (HOLDS, verdict == HOLDS)
    assert [p.verdict for p in between_them] == [NOT_TESTABLE] * 2 and all(p.figure for p in between_them)
    assert "Not judged on the H200: merge over radix sort, up to 256K keys: " in result.found


def test_a_claim_tells_how_far_its_sorts_are_from_the_papers(tmp_path):
    """SAT-C23: seconds on as many threads as the paper's cores, which decide nothing."""
    cells = [synthetic.measurement(radix(1 << 26, threads=4), 0.6), synthetic.measurement(radix(1 << 26), 0.7)]
    case = synthetic.case("satish_cpu_merge", 1 << 26, parameters={"width": "sse4"}, threads=4)
    found = claim_result(read_planted(tmp_path, *cells, synthetic.measurement(case, 0.45)), "SAT-C23").found
    told = "the radix sort of 64M keys with as many threads as the paper’s cores, 271 ms on the Core i7: 60"
    assert "Not judged on 4 threads: " + told in found and "beside a figure of the Core i7 itself." in found


def test_a_table_that_says_the_opposite_is_told():
    """SAT-C21: Table 1 has the GPU merge sort behind at 256K keys."""
    assert "Table 1 at 256K keys, 1.2 against 1.3 ms: 0.9231, fails" in claim_result(Records(), "SAT-C21").found


def test_a_sort_of_today_does_not_decide_what_is_said_of_the_papers(tmp_path):
    """SAT-C20: the best CPU sort is the paper's radix sort; today's best stands beside it."""
    today = synthetic.measurement(synthetic.case("vqsort", 1 << 24, threads=16), 1e-3, 0.001)
    papers = synthetic.measurement(radix(1 << 24, threads=16), 4e-3, 0.001)
    cells = [split_sort("satish_split_radix", 1 << 24, 2e-3), papers, today]
    of_papers, beside = claim_result(read_planted(tmp_path, *cells), "SAT-C20").parts
    assert not of_papers.beside and of_papers.figure.startswith("2.00")
    assert beside.beside and beside.figure.startswith("0.500") and beside.reason.endswith("vqsort")


@pytest.mark.parametrize("times", [1.2, 25.0, 0.5])
def test_how_far_one_machine_is_ahead_of_another_is_theirs(tmp_path, times):
    """SAT-C20 and C21, "in terms of absolute performance of CPU versus GPU": a "relatively low speedup" of about 20 %,
    which the order alone would not contradict."""
    cells = [synthetic.measurement(radix(1 << 24, threads=16), times * 1e-3), merge(1 << 24, times * 1e-3)]
    cells += [split_sort(name, 1 << 24, 1e-3) for name in ("satish_split_radix", "satish_gpu_merge")]
    records = read_planted(tmp_path, *map(synthetic.in_three_processes, cells))
    for id_ in ("SAT-C20", "SAT-C21"):
        result = claim_result(records, id_)
        assert result.verdict == NOT_TESTABLE and "a figure of the Core i7 and the GTX 280 itself" in result.found
        assert float(result.parts[0].figure.split()[0]) == pytest.approx(times, rel=0.02)


def test_the_papers_own_rates_are_as_constant_as_is_asked_of_others():
    """SAT-C11 and C30: Table 1, from 256K keys on the CPU and from 1M on the GPU."""
    lines = [json.loads(line) for line in (PUBLISHED / "satish2010.jsonl").read_text().splitlines()]
    limits = [claim_result(Records(), id_).parts[0].condition for id_ in ("SAT-C11", "SAT-C30")]
    for index, (sort, least) in enumerate((("radix-buffer(own)", 1 << 18), ("radix-split(own)", 1 << 20))):
        table = [p for p in lines if (p.get("id"), p.get("algorithm")) == ("SAT-T1", sort) and p["n"] >= least]
        rates = [p["n"] / p["value"] for p in table]
        assert len(rates) >= 4
        limit = float(re.fullmatch(r"at most (\d+) %", limits[index])[1]) / 100
        assert max(rates) / min(rates) - 1 <= limit < 0.2


def test_what_stands_beside_a_claim_without_a_verdict_has_none(tmp_path):
    """SAT-C20: not in the row, nor in the sentence, nor as a count of those that hold."""
    word = re.compile("hold|fail|revers|undecided|direction")
    cells = [split_sort("satish_split_radix", 1 << k, 1e-3) for k in (20, 22, 24)]
    times = {20: 1.2e-3, 22: 1.2e-3, 24: 5e-3}
    cells += [synthetic.measurement(synthetic.case("vqsort", 1 << k, threads=16), times[k]) for k in (20, 22, 24)]
    result = claim_result(read_planted(tmp_path, *cells), "SAT-C20")
    (beside,) = result.beside
    assert result.verdict == NOT_TESTABLE and beside.figure.startswith("1.2")
    assert beside.verdict == NOT_JUDGED and not word.search(beside.reason)
    assert "Beside it on " in result.found and not word.search(result.found)


@pytest.mark.parametrize("id_", ["SAT-C18", "SAT-C22", "STE-C8", "STE-C10", "HA-C10"])
def test_a_ratio_that_the_paper_does_not_print_decides_nothing(id_):
    """It prints cycles, seconds or rates of its machine, from which one can be computed."""
    result = claim_result(Records(), id_)
    assert result.verdict == NOT_TESTABLE and result.beside
    assert all(p.beside or p.arithmetic or "itself" in p.reason for p in result.parts)


def test_one_factor_without_n_is_of_most_sizes():
    """HA-C3, C5, C6 and C7 alike, as SAT-C4."""
    for id_ in ("HA-C3", "HA-C5", "HA-C6", "HA-C7"):
        parts = [p for p in claim_result(Records(), id_).parts if not p.arithmetic and p.verdict == NOT_MEASURED]
        assert parts and {p.rule for p in parts} == {"in most cases"}


def test_the_size_at_which_a_sort_overtakes_another_is_the_machines():
    """STE-C23: 1.9 million keys on a Titan X."""
    parts = {p.name: p for p in claim_result(Records(), "STE-C23").parts}
    assert parts["any entropy, from 1.9 million keys on"].verdict == NOT_TESTABLE
    assert parts["uniform 64-bit keys"].verdict == NOT_MEASURED


def published_rate(machine: str, n: int, rate: float) -> dict:
    """A record of a published rate of n keys of 32 bits."""
    line = next(line for line in (PUBLISHED / "elsewhere.jsonl").read_text().splitlines() if "ONESWEEP" in line)
    return {**json.loads(line), "platform": machine, "n": n, "n_printed": str(n), "value": rate}


def published_on_two_gpus(printed: float, sizes: tuple[int, int]) -> list[dict]:
    """Predictions of a gain of 1.15 from one GPU to another, and a published rate of each at its n."""
    cells = []
    for platform, seconds, n, rate in (("40 GB", 1.15, sizes[0], 1e9), ("80 GB", 1.0, sizes[1], printed * 1e9)):
        machine = f"NVIDIA A100 {platform}"
        case = synthetic.case("cub_radix", 1 << 28, residency="device", affinity=[])
        factors = dict.fromkeys(["memory.bandwidth", "multiprocessors", "clock"], 1.0)
        profile = {"id": machine, "name": machine, "hash": "0" * 16, "origin": "scaled", "base": "y"}
        changes = dict(profile={**profile, "factors": factors}, model_kind="scaled")
        cells.append(synthetic.prediction(case, seconds, **changes))
        cells.append(published_rate(machine, n, rate))
    return cells


@pytest.mark.parametrize("printed, verdict, model", [(1.01, HOLDS, "the model fails"), (1.2, FAILS, "the model fails")])
def test_what_others_published_decides_before_a_model(tmp_path, printed, verdict, model):
    """ELSEWHERE-C3, where the model predicts a gain of 1.15."""
    cells = published_on_two_gpus(printed, (1 << 28, 1 << 28))
    result = claim_result(read_planted(tmp_path, *cells), "ELSEWHERE-C3")
    assert (result.verdict, result.model) == (verdict, model) and result.found.startswith("Elsewhere, published")
    model_part, published, one_pair = result.parts
    assert model_part.predicted and not model_part.decides and published.decides and one_pair.beside
    alone = claim_result(read_planted(tmp_path, *cells[::2]), "ELSEWHERE-C3")
    # No run here is what others publish.
    assert (alone.verdict, alone.model) == (NOT_TESTABLE, "predicted only")
    assert "nobody has published" in alone.parts[1].reason and "configs/" not in alone.parts[1].reason


def test_a_single_pair_of_sources_of_two_sizes_decides_nothing(tmp_path):
    """ELSEWHERE-C3: it is told beside the claim."""
    result = claim_result(read_planted(tmp_path, *published_on_two_gpus(1.01, (1 << 30, 1 << 28))), "ELSEWHERE-C3")
    assert (result.verdict, result.model) == (NOT_TESTABLE, "predicted only")
    assert "Beside it a single pair of published rates, of different authors and n: 1.01 times as fast." in result.found


def test_the_middle_of_two_cases_is_neither(tmp_path):
    """SAT-C4, of an even number of sizes."""
    form = synthetic.GPU_FORMS["satish_split_radix_2009"]
    cells = []
    for n, factor in ((20, 1.2), (22, 2.0)):
        cells.append(split_sort("satish_split_radix", 1 << n, 1e-3))
        case = synthetic.case("satish_split_radix_2009", 1 << n, parameters=form, residency="device", affinity=[])
        cells.append(synthetic.measurement(case, factor * 1e-3, 0.001, phases=[], device=synthetic.DEVICE))
    result = claim_result(read_planted(tmp_path, *cells), "SAT-C4")
    assert result.found == "Here on the H200: 1.60 times as fast, 1.20 at 2²⁰."
    assert result.parts[0].figure.startswith("1.60 (")


def test_what_is_missing_is_told_with_the_config_and_the_machine_that_give_it(tmp_path):
    """SAT-C29: its CPU part needs no GPU; LEI-C14 needs two GPUs; KNF is nowhere."""
    records = read_planted(tmp_path)
    cpu, gpu = (part.reason for part in claim_result(records, "SAT-C29").parts)
    assert cpu.endswith("; run configs/satish2010/SAT-F2.json on any host")
    assert gpu.endswith("; run configs/satish2010/SAT-F2.json on a host with a GPU")
    two = claim_result(records, "LEI-C14")
    assert two.verdict == NOT_MEASURED and " on each of two GPUs that differ in bandwidth" in two.found
    assert claim_result(records, "SAT-C2").verdict == NOT_TESTABLE
    assert "run " not in claim_result(records, "SAT-C2").found


@pytest.mark.parametrize(
    "id_, index, rule",
    [
        ("SAT-C4", 0, "in most cases"),
        ("SAT-C14", 1, "in a majority of the cases"),
        ("SAT-C23", 0, "by the largest value"),
        ("LEI-C1", 1, "on average"),
        ("STE-C29", 4, "in some case"),
        ("SAT-C15", 0, ""),  # one case
    ],
)
def test_each_statement_names_how_many_cases_must_meet_it(id_, index, rule):
    assert claim_result(Records(), id_).parts[index].rule == rule
    assert not rule or rule in RULE_MEANINGS


def test_a_statement_of_every_case_says_so(tmp_path):
    """SAT-C25: up to 256K keys."""
    cells = [split_sort("satish_split_radix", 1 << k, 2e-3) for k in (16, 17)]
    one = claim_result(read_planted(tmp_path, cells[0], split_sort("satish_gpu_merge", 1 << 16, 1e-3)), "SAT-C25")
    cells += [split_sort("satish_gpu_merge", 1 << k, 1e-3) for k in (16, 17)]
    two = claim_result(read_planted(tmp_path, *cells), "SAT-C25")
    assert (one.parts[2].rule, two.parts[2].rule) == ("", "in every case")


def test_what_stands_beside_a_claim_is_told_where_it_says_otherwise(tmp_path):
    """SAT-C15, by the paper's form and by the setting that is fastest here."""
    merge_ = merge(1 << 27, 0.9)
    paper = synthetic.measurement(radix(1 << 27, threads=16), 1.0, 0.001)
    tuned = synthetic.case("satish_cpu_radix", 1 << 27, parameters={"digit_bits": 11}, threads=16)
    cells = map(synthetic.in_three_processes, [paper, merge_, synthetic.measurement(tuned, 0.4, 0.001)])
    found = claim_result(read_planted(tmp_path, *cells), "SAT-C15").found
    assert re.search(
        r"against the SSE merge sort: 0\.90\d? times as fast\. Beside it on 16 threads, the tuned .*: 2\.2", found
    )


def test_keys_with_values_are_called_pairs(tmp_path):
    """HA-C6 says pairs a second, as the paper counts; SAT-C14 sorts keys."""
    rate = next(
        p
        for p in claim_result(read_planted(tmp_path, *synthetic.ha2010()), "HA-C6").parts
        if p.name == "pairs per second"
    )
    assert rate.condition == "at least 180 million pairs a second" and "key" not in rate.condition
    (keys, *_) = claim_result(read_planted(tmp_path, synthetic.measurement(radix(1 << 20), 1e-3)), "SAT-C14").parts
    assert keys.condition == "at least 60.0 million keys a second and core"


@pytest.mark.parametrize(
    "id_", ["SAT-C1", "SAT-C2", "SAT-C3", "SAT-C20", "SAT-C21", "STE-C3", "STE-C7", "STE-C25", "STE-C27"]
)
def test_a_ratio_of_two_machines_is_not_judged(id_):
    """One rule for all papers."""
    result = claim_result(Records(), id_)
    compared = [p for p in result.parts if not p.beside and not p.arithmetic]
    assert result.verdict == NOT_TESTABLE and compared
    assert all(p.verdict == NOT_TESTABLE and ("itself" in p.reason or "Knights Ferry" in p.reason) for p in compared)
