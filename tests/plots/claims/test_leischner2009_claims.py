"""Claims of Leischner et al. by what decides them: failures that are results, time limits, distributions, two GPUs."""


import re

import pytest
import synthetic_records as synthetic
from planted_records import claim_result, of_later_run, read_planted

from plots.claims import books, judgement
from plots.claims.selection import Runs
from plots.records.collection import Records
from plots.claims.verdicts import DIRECTION, FAILS, HOLDS, MEANINGS, NOT_MEASURED, NOT_TESTABLE, REVERSED

SIX = ("uniform", "gaussian", "bucket", "staggered", "deterministic_duplicates", "sorted")
DD = "deterministic_duplicates"
FORMS = {
    "leischner_sample_sort": synthetic.SAMPLE_PAPER,
    "satish_gpu_merge": synthetic.MERGE_PAPER,
    "satish_split_radix_2009": synthetic.GPU_FORMS["satish_split_radix_2009"],
}


def case(algorithm: str, n: int = 1 << 22, **changes) -> dict:
    given = {"parameters": FORMS.get(algorithm, {}), "residency": "device", "affinity": []}
    return synthetic.case(algorithm, n, **{**given, **changes})


def sorted_in(case_: dict, seconds: float, **changes) -> dict:
    return synthetic.measurement(case_, seconds, 0.0005, **{"device": synthetic.DEVICE, "phases": [], **changes})


def claim(records: Records, id_: str) -> judgement.ClaimResult:
    (found,) = [result for result in judgement.judge(records, ["leischner2009"]) if result.id == id_]
    return found


def part(records: Records, id_: str, name: str) -> judgement.PartResult:
    (found,) = [p for p in claim(records, id_).parts if p.name == name]
    return found


def stopped(case_: dict, seconds: float, step: str = "a timed sort") -> dict:
    """A record from before reason codes."""
    return synthetic.skipped(case_, f"took longer than {seconds:.3g} s in {step}", status="timeout")


def coded(case_: dict, seconds: float, code: str = "sort_too_long") -> dict:
    """A record whose words nobody parses."""
    return {**synthetic.skipped(case_, "in other words", status="timeout"), "reason_code": code, "limit_s": seconds}


def test_a_sentence_tells_how_many_cases_hold_where_not_all_do(tmp_path):
    """LEI-C4: reversed at four of six sizes; the claim fails, since its mean is on the paper's side."""
    cells = []
    for k, factor in zip(range(18, 30, 2), (0.6, 0.6, 0.5, 0.6, 3.0, 1.8)):
        for algorithm, times in (("leischner_sample_sort", 1.0), ("satish_gpu_merge", factor)):
            pairs = case(algorithm, 1 << k, value_type="u32", distribution="sorted")
            cells.append(synthetic.in_three_processes(sorted_in(pairs, times * 1e-10 * (1 << k))))
    result = claim(read_planted(tmp_path, *cells), "LEI-C4")
    assert "times as fast, 2 of 6 cases hold; of all sizes" in result.found
    assert [part.verdict for part in result.parts] == [REVERSED, FAILS] and result.verdict == FAILS
    assert "more than half" in MEANINGS[REVERSED] and "half of the cases or fewer" in " ".join(MEANINGS[FAILS].split())


@pytest.mark.parametrize("factor, verdict", [(1.7, HOLDS), (1.3, DIRECTION), (0.9, REVERSED)])
def test_an_average_needs_all_sizes(tmp_path, factor, verdict):
    """LEI-C1."""
    cells = []
    for k in (18, 22, 26):
        for algorithm, times in (("leischner_sample_sort", 1.0), ("satish_gpu_merge", factor)):
            cells.append(sorted_in(case(algorithm, 1 << k, value_type="u32"), times * 1e-10 * (1 << k)))
    known = map(synthetic.in_three_processes, cells)
    assert claim(read_planted(tmp_path, *known), "LEI-C1").verdict == verdict
    few = part(read_planted(tmp_path, *cells[:4]), "LEI-C1", "of all sizes")
    assert few.verdict == NOT_MEASURED and "only 2¹⁸ to 2²²" in few.reason


def test_a_limit_of_our_own_says_nothing_of_their_code(tmp_path):
    """LEI-C7: that the hybrid sort crashes on duplicates is no result of a plug-in that declines them."""
    hybrid = case("sintorn_hybrid_sort", key_type="f32", distribution=DD)
    lost = {**synthetic.skipped(hybrid, "a division is full", status="failed"), "expected": True}
    found = part(read_planted(tmp_path, lost), "LEI-C7", "hybrid sort on duplicates")
    assert found.verdict == NOT_TESTABLE and "a limit that our plug-in sets" in found.reason


def test_the_sentence_names_the_sizes_that_a_sort_stopped_at(tmp_path):
    """LEI-C7: which n, and how bbsort fares on the same input."""
    lost = [
        {
            **synthetic.skipped(case("sintorn_hybrid_sort", 1 << k, key_type="f32", distribution=DD), "full", "failed"),
            "expected": True,
        }
        for k in (18, 22)
    ]
    bbsort = [sorted_in(case("bbsort", 1 << 20, distribution=d), s) for d, s in (("uniform", 1e-3), (DD, 5e-3))]
    even = [sorted_in(case("bbsort", 1 << 20, distribution="bucket"), 1e-3)]
    found = claim(read_planted(tmp_path, *lost, *bbsort, *even), "LEI-C7").found
    assert "hybrid sort on duplicates (it stops here too at n = 2¹⁸ and 2²², but by a limit" in found
    assert "duplicates over uniform, 1M to 4M keys: 5.00 times the time at 2²⁰ alone" in found


@pytest.mark.parametrize(
    "lost, verdict",
    [
        (stopped(case("bbsort", distribution=DD), 6.5), HOLDS),
        (stopped(case("bbsort", distribution=DD), 6.5, "a warm-up sort"), HOLDS),
        (stopped(case("bbsort", distribution=DD), 5e-3), DIRECTION),  # five times uniform keys' at least
        (stopped(case("bbsort", distribution=DD), 6.5, "preparing"), NOT_MEASURED),
        (coded(case("bbsort", distribution=DD), 5e-3), DIRECTION),
        (coded(case("bbsort", distribution=DD), 6.5, "step_too_long"), NOT_MEASURED),
        (synthetic.skipped(case("bbsort", distribution=DD), "too large"), NOT_MEASURED),
        (sorted_in(case("bbsort", distribution=DD), 0.5), HOLDS),
        (sorted_in(case("bbsort", distribution=DD), 2e-3), DIRECTION),
        (sorted_in(case("bbsort", distribution=DD), 5e-4), REVERSED),
    ],
)
def test_a_sort_that_was_stopped_took_at_least_its_limit(tmp_path, lost, verdict):
    """LEI-C7: bbsort on duplicates over uniform keys, beside a claim that another part decides."""
    decided = sorted_in(case("bbsort", distribution="bucket"), 1.5e-3)
    records = read_planted(tmp_path, sorted_in(case("bbsort"), 1e-3), decided, lost)
    found = part(records, "LEI-C7", "bbsort, duplicates over uniform, 1M to 4M keys")
    assert found.verdict == verdict
    if lost["status"] == "timeout" and verdict != NOT_MEASURED:
        assert "stopped after" in found.reason


def test_no_limit_stands_where_nothing_says_so(tmp_path):
    """LEI-C7: on bucket inputs a stopped sort has no time."""
    lost = stopped(case("bbsort", distribution="bucket"), 6.5)
    found = part(read_planted(tmp_path, sorted_in(case("bbsort"), 1e-3), lost), "LEI-C7", "bbsort, bucket over uniform")
    assert found.verdict == NOT_MEASURED


@pytest.mark.parametrize("slowest, verdict", [(1.2, HOLDS), (1.5, FAILS)])
def test_independence_of_the_distribution_needs_all_six(tmp_path, slowest, verdict):
    """LEI-C8."""
    cells = [sorted_in(case("leischner_sample_sort", 1 << 24, distribution=d), 2e-3) for d in SIX[:-1]]
    cells.append(sorted_in(case("leischner_sample_sort", 1 << 24, distribution=SIX[-1]), slowest * 2e-3))
    name = "over distributions but duplicates, at each n"
    others = part(read_planted(tmp_path, *cells), "LEI-C8", name)
    assert others.verdict == verdict
    assert f"least on {SIX[-1]}, greatest on " in others.reason
    without = part(read_planted(tmp_path, *cells[:3], cells[-1]), "LEI-C8", name)
    assert without.verdict == NOT_MEASURED and "staggered* is missing" in without.reason


def test_the_spread_over_distributions_is_judged_at_each_n(tmp_path):
    """LEI-C8: the sentence named the least spread of five sizes alone. A size without one of the inputs has none."""
    cells = [
        sorted_in(case("leischner_sample_sort", 1 << k, distribution=d), t * 1e-10 * (1 << k))
        for k, slowest in ((22, 1.05), (24, 1.02), (26, 1.2))
        for d, t in zip(SIX, [1.0] * 5 + [slowest])
    ]
    few = [sorted_in(case("leischner_sample_sort", 1 << 20, distribution=d), 1e-3) for d in SIX[:3]]
    result = claim_result(read_planted(tmp_path, *cells, *few), "LEI-C8")
    assert "at each n: 2.0 % (at 2²⁴) to 20 % (at 2²⁶) between the least and the greatest" in result.found
    each = result.parts[1]
    assert each.verdict == HOLDS and each.decides and each.reason.startswith("3 cases, 3 hold")


def test_a_spread_is_of_one_run_where_one_has_its_cases(tmp_path):
    """SAT-C11 had the least rate of a run in which the machine was slower, and the greatest of another."""
    first = [sorted_in(case("leischner_sample_sort", 1 << 24, distribution=d), 1e-3) for d in SIX]
    slower = [sorted_in(case("leischner_sample_sort", 1 << 24, distribution=d), 2e-3) for d in SIX[:2]]
    records = read_planted(tmp_path, *first, *of_later_run(*slower))
    name = "over distributions but duplicates, at each n"
    found = part(records, "LEI-C8", name)
    assert found.verdict == HOLDS and "runs" not in found.reason
    without = part(read_planted(tmp_path, *first[2:], *of_later_run(*slower)), "LEI-C8", name)
    assert without.verdict == FAILS and "of 2 runs" in without.reason


@pytest.mark.parametrize("factor, verdict", [(0.1, HOLDS), (1.2, HOLDS), (1.5, FAILS)])
def test_duplicates_may_be_faster_but_not_slower(tmp_path, factor, verdict):
    """LEI-C8: a sort that is nine times as fast on duplicates is robust."""
    cells = [
        sorted_in(case("leischner_sample_sort", 1 << 24, distribution=d), t * 2e-3)
        for d, t in (("uniform", 1), (DD, factor))
    ]
    name = "duplicates against uniform keys, any gain allowed"
    assert part(read_planted(tmp_path, *cells), "LEI-C8", name).verdict == verdict


def test_the_tuned_sample_sort_stands_beside_the_papers_form(tmp_path):
    """LEI-C3 is decided by the paper's form alone."""
    sorts = (
        ("leischner_sample_sort", synthetic.SAMPLE_PAPER, 1.0),
        ("leischner_sample_sort", synthetic.SAMPLE_TUNED, 0.5),
        ("satish_split_radix_2009", FORMS["satish_split_radix_2009"], 1.3),
    )
    cells = [
        sorted_in(case(name, 1 << k, key_type="u64", parameters=parameters), times * 1e-10 * (1 << k))
        for k in (18, 22, 26)
        for name, parameters, times in sorts
    ]
    result = claim(read_planted(tmp_path, *map(synthetic.in_three_processes, cells)), "LEI-C3")
    *deciding, beside = result.parts
    assert [p.verdict for p in deciding] == [DIRECTION, DIRECTION] and result.verdict == DIRECTION
    assert (
        beside.name == "the tuned sample sort"
        and beside.verdict == HOLDS
        and "the tuned sample sort: 2.60 times as fast" in result.found
    )


def test_one_pair_of_sorts_is_judged_on_one_set_of_sizes():
    """LEI-C1 and HA-C11 of sample sort and merge sort; each claim of the paper on the sizes of all others."""
    by_id = {
        claim_.id: list(claim_.parts(Runs(Records(), book.roles))) for book in books.books() for claim_ in book.claims
    }
    first, second = by_id["LEI-C1"][1].answer.on.asked, by_id["HA-C11"][3].answer.on.asked
    assert first == second
    spans = {p.answer.on.asked["spans"] for id_ in ("LEI-C1", "LEI-C2", "LEI-C3", "LEI-C4") for p in by_id[id_]}
    assert spans == {first["spans"]}


@pytest.mark.parametrize("others, verdict", [((2.0, 1.3, 1.1, 1.05), HOLDS), ((2.0, 1.3, 0.9, 1.2), FAILS)])
def test_the_best_other_number_of_counters_decides(tmp_path, others, verdict):
    """LEI-C11."""
    times = {8: 1.0, **dict(zip((1, 2, 4, 16), others))}
    cells = [
        sorted_in(case("leischner_sample_sort", parameters={**synthetic.SAMPLE_PAPER, "counters": c}), t * 1e-3)
        for c, t in times.items()
    ]
    assert part(read_planted(tmp_path, *cells), "LEI-C11", "the best other number, uniform").verdict == verdict


def test_a_sentence_tells_which_parts_are_undecided_and_by_which_interval(tmp_path):
    """LEI-C11: one array takes as long as eight."""
    cells = [
        sorted_in(case("leischner_sample_sort", n, parameters={**synthetic.SAMPLE_PAPER, "counters": c}), t * 1e-3)
        for n in (1 << 22, 1 << 24)
        for c, t in ((8, 1.0), (1, 1.0), (2, 1.3), (4, 1.2), (16, 1.2))
    ]
    result = claim_result(read_planted(tmp_path, *cells), "LEI-C11")
    first, second = result.found.split("; ")[:2]
    assert result.parts[0].verdict == HOLDS and first.endswith(", holds")
    assert re.search(r"none of 2 cases holds, 2 undecided, intervals from 0\.9\d+ to 1\.0\d+", second)


def test_one_gpu_parts_no_time_and_two_need_their_bandwidths(tmp_path):
    """LEI-C14, SAT-C24."""
    cells = [
        sorted_in(case(name, 1 << 24, value_type="u32"), 2e-3)
        for name in ("leischner_sample_sort", "satish_split_radix_2009", "satish_gpu_merge")
    ]
    keys = sorted_in(case("leischner_sample_sort", 1 << 24), 2e-3)
    name = "radix sort's share over sample sort's, from one GPU to another"
    alone = part(read_planted(tmp_path, *cells), "LEI-C14", name)
    assert alone.verdict == NOT_MEASURED and "of one GPU alone; run " in alone.reason
    later = {**synthetic.run_record(), "run": "20200102T000000Z-abcdef", "started": "2020-01-02T00:00:00Z"}
    later["machine"] = {**later["machine"], "id": "other-2c-00000000"}
    device = {**synthetic.DEVICE, "name": "Another GPU"}
    other = [{**c, "machine": "other-2c-00000000", "run": later["run"], "device": device} for c in [*cells, keys]]
    without = part(read_planted(tmp_path, *cells, later, other[-1]), "LEI-C14", name)
    assert without.verdict == NOT_MEASURED
    assert "was measured on the H200 and not on the Another GPU; run" in without.reason
    assert without.reason.endswith("LEI-F6.json on the Another GPU")
    cells.append(keys)
    unknown = part(read_planted(tmp_path, *cells, later, *other), "LEI-C14", name)
    assert unknown.verdict == NOT_MEASURED and unknown.reason.endswith("of Another GPU, NVIDIA H200 (--profile)")
    # Twice as fast, radix sort four times.
    other = [synthetic.scaled(c, 1 / (4 if "radix" in c["case"]["algorithm"] else 2), clock=2) for c in other]
    records = read_planted(tmp_path, *cells, later, *other)
    records.read_bytes_per_s |= {"NVIDIA H200": 1e12, "Another GPU": 4e12}
    result = claim(records, "LEI-C14")
    assert result.verdict == HOLDS and result.partial
    assert [p.verdict for p in result.parts[:3]] == [HOLDS] * 3
    assert part(records, "LEI-C14", name).figure.startswith("100 % [")
    (sat,) = [r for r in judgement.judge(records, ["satish2010"]) if r.id == "SAT-C24"]
    assert [p.verdict for p in sat.parts if "bandwidth" in p.name] == [HOLDS]


def test_arithmetic_is_as_printed():
    for id_ in ("LEI-C13", "LEI-C17"):
        assert claim(Records(), id_).verdict == HOLDS
    assert claim(Records(), "LEI-C14").verdict == NOT_MEASURED  # shares as printed say nothing of a machine at hand


def test_a_sentence_says_which_of_two_inputs_is_faster(tmp_path):
    """LEI-C6: the paper calls sorted keys the worst."""
    cells = []
    for k in (18, 22, 26):
        for distribution, times in (("uniform", 1.1), ("sorted", 1.0)):
            cells.append(
                sorted_in(
                    case("leischner_sample_sort", 1 << k, key_type="u64", distribution=distribution),
                    times * 1e-10 * (1 << k),
                )
            )
    result = claim(read_planted(tmp_path, *map(synthetic.in_three_processes, cells)), "LEI-C6")
    assert [p.verdict for p in result.parts] == [HOLDS, REVERSED]
    assert "sorted keys, slower than uniform ones if they are the worst: 1.10 times as fast" in result.found
