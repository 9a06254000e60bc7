"""Claims are judged by the records that they select."""

import json
import math
import re
import statistics

import pytest
import synthetic_records as synthetic
from planted_records import read_planted

from plots.claims import judgement
from plots.claims.verdicts import DIRECTION, FAILS, HOLDS, IN_PART, NOT_TESTABLE, REVERSED, UNDECIDED
from plots.records.collection import Records
from plots.records.folders import PUBLISHED


def radix(n: int, **changes: object) -> dict:
    return synthetic.case("satish_cpu_radix", n, parameters=synthetic.PAPER_FORM, **changes)


def claim_result(records: Records, claim: str) -> judgement.ClaimResult:
    (found,) = [r for r in judgement.judge(records) if r.id == claim]
    return found


@pytest.mark.parametrize("slope, verdict", [(0.0, HOLDS), (0.05, FAILS)])
def test_a_constant_rate_holds_and_a_falling_one_fails(tmp_path, slope, verdict):
    cells = [
        synthetic.measurement(radix(1 << k), 5e-9 * (1 << k) * (1 + slope * (k - 17)), 0.001) for k in range(17, 25)
    ]
    result = claim_result(read_planted(tmp_path, *cells), "SAT-C11")
    assert result.verdict == verdict and not result.partial


def test_sizes_that_do_not_span_the_claim_decide_nothing(tmp_path):
    cells = [synthetic.measurement(radix(1 << k), 5e-9 * (1 << k)) for k in range(18, 22)]
    result = claim_result(read_planted(tmp_path, *cells), "SAT-C11")
    assert result.verdict == NOT_TESTABLE and "only 2¹⁸ to 2²¹" in result.parts[0].reason


@pytest.mark.parametrize("factor, verdict", [(1.30, HOLDS), (1.8, FAILS), (0.9, FAILS)])
def test_payload_costs_what_the_records_say(tmp_path, factor, verdict):
    plain = synthetic.measurement(radix(1 << 22), 0.02, 0.001)
    pairs = synthetic.measurement(radix(1 << 22, value_type="u32"), 0.02 * factor, 0.001)
    result = claim_result(read_planted(tmp_path, plain, pairs), "SAT-C29")
    # A payload cannot make a sort faster, so that a wrong size has no direction. The GPU's part cannot be tested.
    assert result.verdict == verdict and result.partial


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
        ([0.0260], NOT_TESTABLE),
    ],
)
def test_few_samples_decide_by_students_t(tmp_path, samples, verdict):
    """SAT-C29. The range of a few samples is no 95 % interval; the interval that takes its place is wider."""
    plain = synthetic.measurement(radix(1 << 22), 0.02, 0.0001)
    pairs = synthetic.measurement(radix(1 << 22, value_type="u32"), 0.026)
    times = {"samples_s": samples, "median_s": sum(samples) / len(samples), "ci95_s": [min(samples), max(samples)]}
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
    assert result.verdict == NOT_TESTABLE
    tuned, stand_in = result.beside
    assert (tuned.verdict, stand_in.verdict) == (NOT_TESTABLE, HOLDS)
    assert stand_in.adapted.startswith("libstdc++") and result.adapted == ()


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
    alone, whole, uncounted = claim_result(read_planted(tmp_path, *sorts), "HA-C1").parts
    assert uncounted.beside and uncounted.verdict == NOT_TESTABLE
    assert alone.verdict == NOT_TESTABLE and "no record of component presort" in alone.reason
    assert whole.verdict == DIRECTION and whole.figure.startswith("1.86")


def test_each_side_may_have_a_quantity_of_its_own(tmp_path):
    """HA-C8: the range's phase of a sort against a copy, on inputs that differ in distribution."""
    form = synthetic.GPU_FORMS["ha_implicit_radix"]
    cells = [ha_component("memcpy", 1e-4)]
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
    assert result.verdict == HOLDS
    (few,) = result.beside  # fixed costs weigh on few pairs
    assert few.verdict == HOLDS and float(few.figure.split()[0]) == pytest.approx(6e-5 / 1e-4, rel=0.02)


@pytest.mark.parametrize("range_s, verdict", [(2e-4, HOLDS), (4e-4, IN_PART)])
def test_a_range_is_found_of_many_keys_as_fast_as_many_pairs_are_copied(tmp_path, range_s, verdict):
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
    assert result.verdict == verdict
    assert float(result.parts[0].figure.split()[0]) == pytest.approx(2 * range_s / 6e-4, rel=0.02)


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
    parts = claim_result(read_planted(tmp_path, sort, count), "SAT-C7").parts
    assert [p.verdict for p in parts if "counters" in p.name] == [verdict]
    parts = claim_result(read_planted(tmp_path, sort), "SAT-C7").parts
    assert ["run sortlab count" in p.reason for p in parts if "counters" in p.name] == [True]


ENTROPIES = ("uniform", "thearling:ands=2", "constant")


def hybrid(n: int = 500_000_000, **changes: object) -> dict:
    parameters = {**synthetic.HYBRID_PAPER, **changes.pop("parameters", {})}
    return synthetic.case("stehle_hybrid_radix", n, parameters=parameters, residency="device", **changes)


def of_device(case: dict, seconds: float, **changes: object) -> dict:
    return synthetic.measurement(case, seconds, 0.0005, device=synthetic.DEVICE, phases=[], **changes)


@pytest.mark.parametrize("slowest, verdict", [(1.75, HOLDS), (1.5, DIRECTION), (0.9, FAILS)])
def test_a_selection_may_name_several_distributions(tmp_path, slowest, verdict):
    """STE-C2: whatever the entropy."""
    cells = []
    for distribution, factor in (("uniform", 2.4), ("thearling:ands=3", 1.8), ("constant", slowest), ("sorted", 1.0)):
        changes = dict(value_type="u32", distribution=distribution)
        cub = synthetic.case("cub_radix_lsd", 250_000_000, parameters=synthetic.CUB_5BIT, residency="device", **changes)
        cells += [of_device(cub, factor * 2e-2), of_device(hybrid(250_000_000, **changes), 2e-2)]
    result = claim_result(read_planted(tmp_path, *cells), "STE-C2")
    assert result.verdict == verdict and "3 cases" in result.parts[0].reason


@pytest.mark.parametrize("together, verdicts", [(1.32, [HOLDS, FAILS]), (1.6, [FAILS, HOLDS])])
def test_costs_multiply_or_do_not(tmp_path, together, verdicts):
    """STE-C29: two optimisations off cost 1.1 and 1.2 times, and both off what is given."""
    pairs = (({"look_ahead": 0}, {"thread_reduction": "no"}), ({"classes": "one"}, {"merge_keys": 0}))
    cells = [of_device(hybrid(), 1e-2)]
    for a, b in pairs:
        for off, factor in ((a, 1.1), (b, 1.2), ({**a, **b}, together)):
            cells.append(of_device(hybrid(parameters=off), factor * 1e-2))
    cells = [{**cell, "case": {**cell["case"], "distribution": d}} for cell in cells for d in ENTROPIES]
    for cell in cells:
        cell["cell"] = synthetic.cell_id(cell["case"])
        cell["key"] = cell["cell"][::-1]
    parts = claim_result(read_planted(tmp_path, *cells), "STE-C29").parts
    assert [p.verdict for p in parts if p.verdict != NOT_TESTABLE] == verdicts
    without = claim_result(read_planted(tmp_path, *cells[:-3]), "STE-C29").parts
    assert [p.verdict for p in without if p.verdict != NOT_TESTABLE] == verdicts[:1]


@pytest.mark.parametrize("second, verdict", [(1, HOLDS), (7, FAILS)])
def test_kernels_of_a_pass_are_as_many_whatever_the_buckets(tmp_path, second, verdict):
    """STE-C30, by counted cells of two distributions."""
    counts = []
    for distribution, launches in (("uniform", 1), ("constant", second)):
        count = synthetic.count(hybrid(1 << 26, distribution=distribution), {"histogram": "dram", "scatter": "dram"})
        for phase in count["phases"]:
            phase["kernels"] = synthetic.kernels(phase["name"], launches)
        counts.append(count)
    result = claim_result(read_planted(tmp_path, *counts), "STE-C30")
    assert result.verdict == verdict and "2 cells" in result.parts[0].reason
    alone = claim_result(read_planted(tmp_path, counts[0]), "STE-C30")
    assert alone.verdict == NOT_TESTABLE and "run sortlab count" in alone.parts[0].reason


@pytest.mark.parametrize("extra, verdict", [(0.04, HOLDS), (0.06, FAILS)])
def test_bookkeeping_is_what_scratch_holds_beside_a_second_array(tmp_path, extra, verdict):
    n = 500_000_000
    cell = of_device(hybrid(n), 1e-2, scratch_bytes=int(4 * n * (1 + 2 * extra)))
    parts = {p.name: p.verdict for p in claim_result(read_planted(tmp_path, cell), "STE-C14").parts}
    assert parts["32-bit keys, as allocated here"] == verdict


@pytest.mark.parametrize("reduced, verdict", [(1.02, HOLDS), (1.8, IN_PART)])
def test_a_histogram_on_one_digit_value_is_told_from_those_on_more(tmp_path, reduced, verdict):
    """STE-C10 and C12, by components on inputs of few distinct digits."""
    cells = []
    for q, times in ((1, {"yes": reduced, "no": 1.94}), (3, {"yes": 1, "no": 1}), (256, {"yes": 1, "no": 1})):
        for setting, factor in times.items():
            case = hybrid(distribution=f"few_distinct:distinct={q}", parameters={"thread_reduction": setting})
            rate = dict(clock_hz=2e9, cpe_core=2e9 * 132 * factor * 5e-4 / case["n"])
            cells.append(synthetic.component(case, "histogram", factor * 5e-4, 0.0005, **rate))
    records = read_planted(tmp_path, *cells)
    assert claim_result(records, "STE-C12").verdict == verdict
    rate, rates, dip, *_ = claim_result(records, "STE-C10").parts
    assert (
        dip.verdict == HOLDS and rate.verdict == rates.verdict == NOT_TESTABLE
    )  # these claims are of the Titan X itself
    assert float(rates.figure.split()[0]) == pytest.approx(500_000_000 / 5e-4 / 132 / 1e9, rel=0.01)


@pytest.mark.parametrize("factor, verdict", [(3.0, HOLDS), (2.0, DIRECTION), (0.5, REVERSED)])
def test_sorts_end_to_end_count_where_a_claim_asks_for_them(tmp_path, factor, verdict):
    """STE-C7; the same sort of data on a device is another experiment."""
    pairs = dict(key_type="u64", value_type="u64", distribution="zipf:theta=0.75")
    paradis = synthetic.case("paradis", 10**9, threads=16, parameters=synthetic.PARADIS_PAPER, **pairs)
    sort = {"parameters": {**synthetic.HETEROGENEOUS_PAPER, "chunks": 4}, **pairs}
    on_device = synthetic.case("stehle_heterogeneous", 10**9, residency="device", **sort)
    sort = synthetic.case("stehle_heterogeneous", 10**9, residency="end_to_end", host_memory="pinned", **sort)
    records = read_planted(
        tmp_path, of_device(sort, 3.0), synthetic.in_three_processes(synthetic.measurement(paradis, factor * 3))
    )
    over, tuned, seconds = claim_result(records, "STE-C7").parts
    assert tuned.beside and tuned.verdict == NOT_TESTABLE
    assert over.verdict == verdict and seconds.verdict == NOT_TESTABLE and "itself" in seconds.reason
    assert seconds.figure.startswith("3.0")
    records = read_planted(tmp_path, of_device(on_device, 3.0))
    assert "end to end" in claim_result(records, "STE-C7").parts[-1].reason


def test_other_forms_of_the_two_sorts_decide_nothing_of_the_papers_claims(tmp_path):
    """STE-C7 by the tuned hybrid sort inside, and by PARADIS with small buckets in cache, is shown beside."""
    pairs = dict(key_type="u64", value_type="u64", distribution="zipf:theta=0.75")
    paradis = synthetic.case("paradis", 10**9, threads=16, parameters={"digit_bits": 8, "small_sort": 2048}, **pairs)
    inside = {"sort": "stehle_hybrid_radix", "merge": "libstdcxx", "chunks": 4}
    sort = dict(parameters=inside, residency="end_to_end", host_memory="pinned", **pairs)
    cells = [
        of_device(synthetic.case("stehle_heterogeneous", 10**9, **sort), 3.0),
        synthetic.in_three_processes(synthetic.measurement(paradis, 9.0)),
    ]
    result = claim_result(read_planted(tmp_path, *cells), "STE-C7")
    assert result.verdict == NOT_TESTABLE
    (beside,) = result.beside
    assert beside.verdict == HOLDS and "our tuned hybrid sort" in beside.adapted


@pytest.mark.parametrize("chunked, best, verdicts", [(0.116, 4, [HOLDS, HOLDS]), (0.2, 16, [FAILS, REVERSED])])
def test_a_chunked_sort_is_held_against_a_copy_alone(tmp_path, chunked, best, verdicts):
    """STE-C24: the component against the phase of a sort in one chunk; and which number of chunks is best."""
    pairs = dict(key_type="u64", value_type="u64", residency="end_to_end", host_memory="pinned")
    cells = []
    for chunks in (1, 4, 16):
        parameters = {**synthetic.HETEROGENEOUS_PAPER, "chunks": chunks}
        case = synthetic.case("stehle_heterogeneous", 375_000_000, parameters=parameters, **pairs)
        copy = {"name": "copy_in", "pass": 0, "median_s": 0.1, "begin_s": 0.0, "end_s": 0.1}
        seconds = 0.4 if chunks == best else 0.5
        cells.append(synthetic.measurement(case, seconds, 0.0, device=synthetic.DEVICE, phases=[copy]))
        cells.append(synthetic.component(case, "chunked_sort", chunked * 16 / chunks, 0.0))
    parts = claim_result(read_planted(tmp_path, *cells), "STE-C24").parts
    over_copy, _, chunks = (part for part in parts if not part.beside)
    assert [over_copy.verdict, chunks.verdict] == verdicts


def of_later_run(*cells: dict) -> list[dict]:
    later = {**synthetic.run_record(), "run": "20300102T000000Z-abcdef", "started": "2030-01-02T00:00:00Z"}
    return [later, *({**cell, "run": later["run"]} for cell in cells)]


def test_a_ratio_is_of_the_newest_run_that_has_both_sides(tmp_path):
    """STE-C6; HRS alone was measured again, on a slower day."""
    pairs = dict(key_type="u64", value_type="u64")
    mine = hybrid(125_000_000, **pairs)
    cub = synthetic.case("cub_radix_lsd", 125_000_000, parameters=synthetic.CUB_5BIT, residency="device", **pairs)
    first = [of_device(mine, 1e-2), of_device(cub, 5e-2)]
    (part, _) = claim_result(read_planted(tmp_path, *first, *of_later_run(of_device(mine, 3e-2))), "STE-C6").parts
    assert part.verdict == HOLDS and "two runs" not in part.reason and "u64+u64 separate uniform" in part.reason
    (part, _) = claim_result(read_planted(tmp_path, first[1], *of_later_run(of_device(mine, 3e-2))), "STE-C6").parts
    assert part.verdict == DIRECTION and part.reason.endswith("NVIDIA H200, of two runs")
    both = of_later_run(of_device(mine, 3e-2), of_device(cub, 3e-2))
    assert claim_result(read_planted(tmp_path, *first, *both), "STE-C6").parts[0].verdict == FAILS


@pytest.mark.parametrize("settings", [[{"look_ahead": 0}], []])
def test_a_product_is_of_one_run(tmp_path, settings):
    """STE-C29: all optimisations on were measured in one run, one or more off in another."""
    off = [{"look_ahead": 0}, {"thread_reduction": "no"}, {"look_ahead": 0, "thread_reduction": "no"}]
    cells = [of_device(hybrid(parameters=one), 1e-2) for one in off if one not in settings]
    rest = [of_device(hybrid(parameters=one), 1e-2) for one in [{}, *settings]]
    part = claim_result(read_planted(tmp_path, *cells, *of_later_run(*rest)), "STE-C29").parts[0]
    assert part.verdict == NOT_TESTABLE and "of one run" in part.reason


@pytest.mark.parametrize("slowest, verdict", [(1.2, NOT_TESTABLE), (0.8, REVERSED)])
def test_what_is_said_of_every_n_holds_only_over_all_of_them(tmp_path, slowest, verdict):
    """STE-C23: one n cannot show that HRS beats CUB from 250 000 keys on, but it can show that it does not."""

    def judged(*sizes: int) -> judgement.PartResult:
        cells = []
        for n in sizes:
            cub = synthetic.case("cub_radix_lsd", n, key_type="u64", parameters=synthetic.CUB_5BIT, residency="device")
            cells += [of_device(hybrid(n, key_type="u64"), 1e-2), of_device(cub, slowest * 1e-2)]
        return claim_result(read_planted(tmp_path, *cells), "STE-C23").parts[0]

    assert judged(250_000_000).verdict == verdict
    assert verdict == REVERSED or "only 250\u2009000\u2009000" in judged(250_000_000).reason
    assert judged(250_000, 4_000_000, 500_000_000).verdict == (HOLDS if slowest > 1 else REVERSED)


def test_what_is_said_of_every_entropy_needs_more_than_one(tmp_path):
    """STE-C2."""
    uniform = dict(value_type="u32")
    cub = synthetic.case("cub_radix_lsd", 250_000_000, parameters=synthetic.CUB_5BIT, residency="device", **uniform)
    cells = [of_device(hybrid(250_000_000, **uniform), 1e-2), of_device(cub, 3e-2)]
    result = claim_result(read_planted(tmp_path, *cells), "STE-C2")
    assert result.verdict == NOT_TESTABLE and "thearling:* is missing" in result.parts[0].reason


@pytest.mark.parametrize("scattered, verdict", [(8.5, HOLDS), (12.0, FAILS)])
def test_bytes_of_phases_are_held_against_each_other(tmp_path, scattered, verdict):
    """STE-C32: a scatter moves 8 bytes of a key, a histogram 4."""
    counts = []
    for distribution in ENTROPIES:
        count = synthetic.count(hybrid(1 << 26, distribution=distribution), {"histogram": "dram", "scatter": "dram"})
        for phase in count["phases"]:
            read = 4.0
            written = scattered - read if phase["name"] == "scatter" else 0.0
            phase["per_element"] = {"dram_read_bytes": read, "dram_write_bytes": written}
        counts.append(count)
    part = claim_result(read_planted(tmp_path, *counts), "STE-C32").parts[0]
    assert part.verdict == verdict and "3 cases" in part.reason
    assert "run sortlab count" in claim_result(read_planted(tmp_path), "STE-C32").parts[0].reason


def test_a_claim_of_several_halves_does_not_hold_by_one(tmp_path):
    """HA-C4."""
    form = {**synthetic.GPU_FORMS["ha_implicit_radix"], "scatter": "soa"}
    shuffles = [ha_component("shuffle_aos", 1e-3), ha_component("shuffle_soa", 1.3e-3, parameters=form)]
    assert claim_result(read_planted(tmp_path, *shuffles), "HA-C4").verdict == UNDECIDED
    sorts = [ha_component("presort", 1e-3), ha_component("presort", 1e-3, parameters=form)]
    assert claim_result(read_planted(tmp_path, *shuffles, *sorts), "HA-C4").verdict == HOLDS
    sorts = [ha_component("presort", 1.3e-3), ha_component("presort", 1e-3, parameters=form)]
    assert claim_result(read_planted(tmp_path, *sorts), "HA-C4").verdict == FAILS


def split_sort(algorithm: str, n: int, seconds: float, gpu: str = "NVIDIA H200") -> dict:
    forms = {"satish_gpu_merge": {"merge": "bitonic", "tile": 256}, "satish_split_radix": SPLIT_PAPER}
    case = synthetic.case(algorithm, n, parameters=forms[algorithm], residency="device", affinity=[])
    return synthetic.measurement(case, seconds, 0.001, phases=[], device={**synthetic.DEVICE, "name": gpu})


SPLIT_PAPER = {"digit_bits": 4, "items": 13, "split": "vertical", "warps": 4}


def test_a_part_is_of_one_gpu(tmp_path):
    """SAT-C25: of two sorts, each on another GPU, there is no ratio; both on the other GPU decide it there."""
    slow = split_sort("satish_split_radix", 1 << 16, 2e-3)
    fast = split_sort("satish_gpu_merge", 1 << 16, 1e-3, gpu="NVIDIA H100")
    (part,) = claim_result(read_planted(tmp_path, slow, slow, fast), "SAT-C25").parts
    assert part.verdict == NOT_TESTABLE
    there = split_sort("satish_split_radix", 1 << 16, 1.5e-3, gpu="NVIDIA H100")
    more = [split_sort("satish_split_radix", 1 << n, 2e-3) for n in (20, 22, 24)]
    (part,) = claim_result(read_planted(tmp_path, slow, fast, there, *more), "SAT-C25").parts
    result = claim_result(read_planted(tmp_path, slow, fast, there, *more), "SAT-C25")
    assert part.verdict == HOLDS and "NVIDIA H100" in part.reason and result.found.startswith("Here on the H100: 1.5")
    assert float(part.figure.split()[0]) == pytest.approx(1.5, rel=0.01)


def test_two_sorts_are_compared_on_one_number_of_threads(tmp_path):
    """SAT-C15: one was measured on 16 threads too."""
    merge = {"parameters": {"width": "sse4"}}
    cells = [synthetic.measurement(radix(1 << 27, threads=threads), 1.0 / threads) for threads in (2, 16)]
    cells.append(synthetic.measurement(synthetic.case("satish_cpu_merge", 1 << 27, threads=2, **merge), 0.95))
    part = claim_result(read_planted(tmp_path, *map(synthetic.in_three_processes, cells)), "SAT-C15").parts[0]
    assert part.verdict == HOLDS and ", 2T" in part.reason
    found = claim_result(read_planted(tmp_path, *map(synthetic.in_three_processes, cells)), "SAT-C15").found
    assert found.startswith("Here on 2 threads: ")
    cells[-1] = synthetic.measurement(synthetic.case("satish_cpu_merge", 1 << 27, threads=4, **merge), 0.95)
    part = claim_result(read_planted(tmp_path, *cells), "SAT-C15").parts[0]
    assert part.verdict == NOT_TESTABLE and "one number of threads" in part.reason


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
    assert (
        claim_result(Records(), "SAT-C10").found
        == "By the paper’s numbers Amdahl's law with the 65 % of SAT-C9: 1.481."
    )


def test_an_absolute_figure_of_another_machine_decides_nothing(tmp_path):
    """SAT-C14, C16: today's processor is neither the paper's nor judged by its rate."""
    cell = synthetic.measurement(radix(1 << 22), 1e-3)
    for id_ in ("SAT-C14", "SAT-C16"):
        result = claim_result(read_planted(tmp_path, cell), id_)
        assert result.verdict == NOT_TESTABLE and "Core i7 itself" in result.found
        assert result.parts[0].figure


def test_what_stands_in_for_the_papers_own_is_called_adapted(tmp_path):
    """STE-C6: CUB of today with the digits of 1.5.1."""
    pairs = dict(key_type="u64", value_type="u64")
    cub = synthetic.case("cub_radix_lsd", 125_000_000, parameters=synthetic.CUB_5BIT, residency="device", **pairs)
    cells = [of_device(hybrid(125_000_000, **pairs), 1e-2), of_device(cub, 5e-2)]
    result = claim_result(read_planted(tmp_path, *cells), "STE-C6")
    assert result.verdict == HOLDS and result.adapted == ("CUB of today, with the digits and passes of 1.5.1",)


def merge(n: int, seconds: float, **changes: object) -> dict:
    case = synthetic.case("satish_cpu_merge", n, parameters={"width": "sse4"}, threads=16)
    return synthetic.measurement(case, seconds, 0.001, **changes)


@pytest.mark.parametrize(
    "factors, verdict",
    [
        ([0.8] * 5 + [0.6] * 5, REVERSED),  # each 0.8 alone reaches 1
        ([0.8] * 5, UNDECIDED),  # so does their mean, as if their errors had one cause
        ([0.3] * 4 + [1.2] * 5, UNDECIDED),  # the mean is of few sizes
    ],
)
def test_sizes_that_are_undecided_one_by_one_are_judged_together(tmp_path, factors, verdict):
    """SAT-C14: the order at most sizes, of cells of one process on 16 threads."""
    cells = []
    for k, factor in enumerate(factors, 17):
        cells += [synthetic.measurement(radix(1 << k, threads=16), 1e-3, 0.001), merge(1 << k, factor * 1e-3)]
    part = claim_result(read_planted(tmp_path, *cells), "SAT-C14").parts[1]
    assert part.verdict == verdict and f"{len(factors)} cases, " in part.reason and "together 0." in part.reason


def test_disturbed_cells_and_few_samples_are_counted_in_the_reason(tmp_path):
    """SAT-C14, of whose sizes neither the first nor the last is disturbed; SAT-C11, a spread."""
    cells = []
    for k in range(18, 25):
        more = dict(disturbed=k in (20, 21))
        cells += [synthetic.measurement(radix(1 << k, threads=16), 1e-9 * (1 << k), 0.001, **more)]
        cells += [merge(1 << k, 2e-9 * (1 << k))]
    times = {"samples_s": [0.0167, 0.0168], "median_s": 0.01675, "ci95_s": [0.0167, 0.0168]}
    cells[-2] = synthetic.retimed(cells[-2], **times)
    records = read_planted(tmp_path, *cells)
    part = claim_result(records, "SAT-C14").parts[1]
    assert "2 disturbed, 1 of few samples, " in part.reason
    assert "7 cells, 2 disturbed, 1 of few samples, " in claim_result(records, "SAT-C11").parts[0].reason


def test_a_found_line_names_every_place_where_they_differ(tmp_path):
    """SAT-C13: the merge sort was measured on the other GPU of the host alone."""
    cells = [split_sort("satish_split_radix", 1 << k, 1e-3) for k in (16, 20)]
    cells += [split_sort("satish_split_radix", 1 << k, 1e-3) for k in (21, 22)]
    cells += [split_sort("satish_gpu_merge", 1 << k, 1e-3, gpu="NVIDIA H100") for k in (16, 20)]
    found = claim_result(read_planted(tmp_path, *cells), "SAT-C13").found
    radix_, merge_ = found.split("; ")
    assert radix_.endswith(" on the H200") and merge_.endswith(" on the H100.") and found.startswith("Here radix")


def test_without_a_run_of_both_the_fastest_is_of_all_runs(tmp_path):
    """SAT-C20: a newer run of a slow sort alone is no reason to forget the fast one."""
    gpu = split_sort("satish_split_radix", 1 << 24, 1e-3)
    fast = synthetic.measurement(radix(1 << 24, threads=16), 4e-3, 0.001)
    slow = synthetic.measurement(synthetic.case("vqsort", 1 << 24), 90e-3, 0.001)
    of_gpu = {**synthetic.run_record(), "run": "20290102T000000Z-abcdef", "started": "2029-01-02T00:00:00Z"}
    cells = [of_gpu, {**gpu, "run": of_gpu["run"]}, fast, *of_later_run(slow)]
    result = claim_result(read_planted(tmp_path, *cells), "SAT-C20")
    assert float(result.parts[0].figure.split()[0]) == pytest.approx(4, rel=0.01)
    assert result.found.startswith("Here on 16 threads and the H200: ")


def test_what_is_said_of_every_case_is_found_as_a_range(tmp_path):
    """STE-C2 over entropies; the number of samples and all else alike."""
    cells = []
    for distribution, factor in (("uniform", 2.4), ("thearling:ands=3", 1.8), ("constant", 1.7)):
        changes = dict(value_type="u32", distribution=distribution)
        cub = synthetic.case("cub_radix_lsd", 250_000_000, parameters=synthetic.CUB_5BIT, residency="device", **changes)
        cells += [of_device(cub, factor * 2e-2), of_device(hybrid(250_000_000, **changes), 2e-2)]
    found = claim_result(read_planted(tmp_path, *cells), "STE-C2").found
    assert found == "Here on the H200: 1.70 (on constant) to 2.40 (on uniform) times as fast."


def test_a_case_that_few_sizes_decide_says_so(tmp_path):
    """LEI-C7: bbsort on duplicates up to 2^22, on bucket inputs up to 2^24."""
    cells = []
    for k in (20, 22, 24):
        for distribution in ("uniform", "bucket", "deterministic_duplicates"):
            if k < 24 or distribution != "deterministic_duplicates":
                case = synthetic.case("bbsort", 1 << k, distribution=distribution, residency="device", affinity=[])
                cells.append(of_device(case, 1e-9 * (1 << k)))
    found = claim_result(read_planted(tmp_path, *cells), "LEI-C7").found
    bucket, duplicates = found.split("; ")
    assert "duplicates" in duplicates and "(n ≤ 2²²)" in duplicates and "≤" not in bucket


def test_an_untestable_setting_is_named(tmp_path):
    """HA-C4 lacks the pre-sort of arrays alone."""
    result = claim_result(read_planted(tmp_path, ha_component("presort", 1e-3)), "HA-C4")
    assert "scatter=soa" in result.parts[1].reason


def published_rate(machine: str, n: int, rate: float) -> dict:
    """A record of a published rate of n keys of 32 bits."""
    line = next(line for line in (PUBLISHED / "elsewhere.jsonl").read_text().splitlines() if "ONESWEEP" in line)
    return {**json.loads(line), "platform": machine, "n": n, "n_printed": str(n), "value": rate}


@pytest.mark.parametrize("printed, verdict, model", [(1.01, HOLDS, "the model fails"), (1.2, FAILS, "the model fails")])
def test_what_others_published_decides_before_a_model(tmp_path, printed, verdict, model):
    """ELSEWHERE-C3, where the model predicts a gain of 1.15."""
    cells = []
    for platform, seconds, n, rate in (("40 GB", 1.15, 1 << 30, 1e9), ("80 GB", 1.0, 1 << 28, printed * 1e9)):
        machine = f"NVIDIA A100 {platform}"
        case = synthetic.case("cub_radix", 1 << 28, residency="device", affinity=[])
        factors = dict.fromkeys(["memory.bandwidth", "multiprocessors", "clock"], 1.0)
        profile = {"id": machine, "name": machine, "hash": "0" * 16, "origin": "scaled", "base": "y"}
        changes = dict(profile={**profile, "factors": factors}, model_kind="scaled")
        cells.append(synthetic.prediction(case, seconds, **changes))
        cells.append(published_rate(machine, n, rate))
    result = claim_result(read_planted(tmp_path, *cells), "ELSEWHERE-C3")
    assert (result.verdict, result.model) == (verdict, model) and result.found.startswith("Elsewhere, published")
    model_part, published = result.parts
    assert model_part.predicted and not model_part.decides and published.decides
    alone = claim_result(read_planted(tmp_path, *cells[::2]), "ELSEWHERE-C3")
    assert (alone.verdict, alone.model) == (FAILS, "predicted only")


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
