"""Operations of the same phase by a paper, a model and a tool, from planted records."""

import json
from pathlib import Path

import pytest
import synthetic_records as synthetic

from plots.artifacts.own import ops
from plots.records.case import KEY_BYTES
from plots.records.count import Count
from plots.analysis.least_squares import costs
from plots.analysis.counted_operations import WHOLE, counted, within
from plots.records.collection import Records, read
from plots.records.quantities import short

ROOT = Path(__file__).resolve().parents[3]
GPU = "intel-xeon-emeraldrapids-16c-f8c882fd"
COSTS = {"elements": 12.0, "buffers.full": 30.0}  # planted instructions of an operation


def cell(number, full, factor=1.0, **parameters):
    """A count of a made-up sort whose scatter does what its model says, times `factor`."""
    work = {"elements": 4.0, "buffers.full": full, "bytes.memory": 32.0}
    scatter = factor * sum(COSTS[kind] * amount for kind, amount in work.items() if kind in COSTS)
    case = {"algorithm": "my_sort", "parameters": parameters, "key_type": "u32", "value_type": "none"}
    case |= {"layout": "separate", "n": 1 << 16, "distribution": "uniform", "residency": "host", "threads": 1}
    case |= {"distribution_parameters": {}, "seed": 1, "entropy_bits": None}
    phases = [
        {"name": "scatter", "pass": p, "per_element": {"instructions": scatter / 2, "loads": 3.0}} for p in (0, 1)
    ]
    phases.append({"name": "outside phases", "pass": 0, "per_element": {"instructions": 0.01, "loads": 0.0}})
    model = [
        {"name": "scatter", "pass": p, "per_element": {kind: amount / 2 for kind, amount in work.items()}}
        for p in (0, 1)
    ]
    record = {"cell": f"{number:016x}", "key": "k", "run": "r", "machine": "m", "case": case, "status": "ok"}
    record |= {"tool": {"name": "callgrind", "simd": "AVX2"}, "phases": phases, "model": {"name": "x", "phases": model}}
    return Count.of(record)


def of(cells):
    return {(one.count.cell, one.phase): one for one in counted(Records(counts=cells))}


def test_costs_are_found_again():
    rows = [[1.0, 0.0, 2.0], [1.0, 1.0, 0.5], [2.0, 0.1, 0.0], [0.3, 3.0, 1.0]]
    planted = [5.0, 0.7, 11.0]
    totals = [sum(a * b for a, b in zip(row, planted)) for row in rows]
    assert costs(rows, totals) == pytest.approx(planted)


def test_costs_are_never_below_none():
    rows, totals = [[1.0, 1.0], [1.0, 2.0], [1.0, 3.0]], [3.0, 2.0, 1.0]  # would be 4 and −1
    found = costs(rows, totals)
    assert min(found) >= 0 and max(found) > 0


def test_too_few_cells_have_no_costs():
    assert costs([[1.0, 2.0]], [3.0]) is None and costs([], []) is None
    assert costs([[1.0], [2.0]], [0.0, 1.0]) is None


def test_unknowns_that_nothing_tells_apart_still_tell_the_total():
    rows = [[1.0, 2.0], [2.0, 4.0], [3.0, 6.0]]
    found = costs(rows, [5.0, 10.0, 15.0])
    assert sum(a * b for a, b in zip([4.0, 8.0], found)) == pytest.approx(20.0)


def test_a_model_that_counts_rightly_tells_every_cell():
    found = of([cell(i, full) for i, full in enumerate((0.1, 0.25, 0.5, 1.0))])
    scatter = found["0" * 16, "scatter"]
    assert scatter.passes == 2 and scatter.instructions == pytest.approx((48 + 3) / 2)
    assert scatter.error == pytest.approx(0, abs=1e-9)
    assert scatter.costs == pytest.approx(COSTS)
    whole = found["0" * 16, WHOLE]
    assert whole.instructions == pytest.approx(51.01) and abs(whole.error) < 1e-3
    assert within(found.values(), 0.05) == (8, 8)


def test_a_cell_that_does_more_than_its_model_says_stands_out():
    """It is predicted from coefficients fitted to the other cells, so that it cannot hide in its own costs."""
    cells = [cell(i, full) for i, full in enumerate((0.1, 0.25, 0.5, 1.0, 0.7))] + [cell(9, 0.3, factor=1.3)]
    assert of(cells)[f"{9:016x}", "scatter"].error == pytest.approx(1 / 1.3 - 1, abs=1e-6)


def test_other_instructions_are_another_sort():
    cells = [cell(i, full, width="avx2") for i, full in enumerate((0.1, 0.25, 0.5, 1.0))]
    cells += [cell(i + 8, full, factor=3, width="sse4") for i, full in enumerate((0.1, 0.25, 0.5, 1.0))]
    assert all(abs(one.error) < 1e-6 for (_, phase), one in of(cells).items() if phase == "scatter")


def test_few_cells_have_no_prediction():
    assert all(one.error is None for one in of([cell(i, full) for i, full in enumerate((0.1, 0.25))]).values())


@pytest.fixture(scope="module")
def kept():
    folder = ROOT / "results" / "reference" / GPU
    published = [ROOT / "results" / "published" / f"{paper}.jsonl" for paper in ("satish2010", "stehle2017")]
    names = ("counts", "counts.predictions", "stehle2017_counts", "algorithms", "reference_gpu")
    return read([*(folder / f"{name}.jsonl" for name in names), *published]).on(GPU)


def test_the_papers_operations_stand_beside_those_counted(kept):
    (artifact,) = ops.make(kept)
    rows = [dict(zip(artifact.header, row)) for row in artifact.rows]
    papers = {(row["paper's id"], row["phase"], row["type"]): row for row in rows if row["paper's id"]}
    step1, step3 = (papers[id_, phase, "u32"] for id_, phase in (("SAT-M1", "histogram"), ("SAT-M2", "scatter")))
    assert step1["paper's instructions"] == 0.3 and step3["paper's instructions"] == 2.2
    assert step1["as its formula has them"] == pytest.approx((6 + 16 / 13) / 32)
    assert step3["as its formula has them"] == pytest.approx(72 / 32)
    assert step1["paper's bytes"] == 4.25 and step3["formula's bytes"] == 8
    assert step1["instructions"] > 3 * step1["as its formula has them"]  # the compiler's share
    assert step1["memory bytes"] == pytest.approx(step1["formula's bytes"], rel=0.05)
    assert step3["instructions a cycle"] == pytest.approx(step3["instructions"] / step3["cycles"])
    histogram = papers["STE-M6", "histogram", "u32"]
    assert histogram["formula's bytes"] == pytest.approx(4 + 1024 / 6912)
    assert "STE-M8" in artifact.caption.text or histogram["cycles"] is None
    json.dumps(artifact.rows)


def test_a_devices_model_is_tested_on_other_counts_than_its_own(kept):
    (artifact,) = ops.make(kept)
    rows = [dict(zip(artifact.header, row)) for row in artifact.rows]
    rows = [row for row in rows if row["model's instructions"]]
    predicted = {(row["sort"], row["n"], row["distribution"], row["phase"]): row for row in rows}
    assert predicted and not any(n == 1 << 24 and distribution == "uniform" for _, n, distribution, _ in predicted)
    large = predicted["satish_split_radix", 1 << 28, "uniform", "scatter"]
    assert large["model / counted − 1"] == pytest.approx(0, abs=0.01)
    # CUB passes over tiles of a single digit, which no model of ours has.
    same = predicted["cub_radix", 1 << 24, "constant", "DeviceRadixSortOnesweepKernel"]
    assert same["model / counted − 1"] > 1
    assert any(cell.predicted for _, _, cells in artifact.grid.rows for cell in cells)


def test_the_picture_names_every_phase_that_it_shows(kept):
    (artifact,) = ops.make(kept)
    labels = [label for label, _, _ in artifact.grid.rows]
    split = [label for label in labels if label.endswith(": satish_split_radix, paper’s form, u32, n = 2²⁴")]
    assert any(label.startswith("scatter: ") for label in split)
    assert not any(label.startswith("scan: ") for label in split)  # hardly any instructions
    assert artifact.latex.count(r"\midrule") == len(labels)
    # A count that neither a paper nor a model speaks of is in the CSV alone, and the legend says what the counts show.
    assert all(any(cell.published or cell.predicted for cell in cells) for _, _, cells in artifact.grid.rows)
    assert len(artifact.rows) > len(labels)
    remarks = [cells[1].remark for _, _, cells in artifact.grid.rows if cells[1].remark.startswith("model")]
    close = sum(abs(float(text.split()[1].replace("−", "-"))) <= 5 for text in remarks)
    told = f"Of {len(labels)} phases on a GPU a model predicts {len(remarks)}, {close} of them within 5 %"
    assert told in artifact.legend and "In brackets" in artifact.legend
    assert ops.make(Records()) == []


# Phases by what a pass of them must move: each element, each key, or neither (sums over the histograms, cuts).
MOVING = {"scatter", "sort tiles", "merge", "presort", "shuffle", "local sort"}
MOVING |= {f"DeviceRadixSort{name}Kernel" for name in ("Onesweep", "Downsweep")}
MOVING |= {f"DeviceMergeSort{name}Kernel" for name in ("BlockSort", "Merge")}
READING = {"histogram", "find offsets", "count", "DeviceRadixSortHistogramKernel", "DeviceRadixSortUpsweepKernel"}
OTHER = {"scan", "find cuts", "rank", "prefix", "assign", "DeviceRadixSortExclusiveSumKernel"}
OTHER |= {"RadixSortScanBinsKernel", "DeviceMergeSortPartitionKernel"}
SECTOR = 32


def test_no_counted_pass_moves_fewer_bytes_than_it_must():
    """A pass reads and writes every element, or reads every key: what counts less has counted too many passes."""
    records = read(sorted((ROOT / "results" / "reference").glob("**/*counts.jsonl")))
    counted_phases = [(c, p) for c in records.counts if c.device for p in c.phases]
    assert len(counted_phases) > 300
    for c, p in counted_phases:
        assert p.name in MOVING | READING | OTHER, f"{p.name} is new: say what a pass of it must move"
        read_, written = (SECTOR * p.per_element[f"global_{way}_sectors"] for way in ("load", "store"))
        where = (c.case.algorithm, c.case.parameters_text, c.case.type_name, c.case.n, p.name, p.pass_)
        # Keys that are sorted already in buckets, or that a local sort leaves none of, move no further.
        whole = c.case.algorithm != "stehle_hybrid_radix" or p.pass_ == 0 and p.name != "local sort"
        if p.name in MOVING and whole:
            assert min(read_, written) > 0.999 * c.case.element_bytes, where
        elif p.name in READING and whole:
            assert read_ > 0.999 * KEY_BYTES[c.case.key_type], where


def launch(pass_: int, blocks: int, bytes_: float) -> dict:
    kernels = synthetic.kernels("DeviceRadixSortOnesweepKernel")
    kernels = [{**kernel, "grid": f"({blocks}, 1, 1)"} for kernel in kernels]
    counters = {"instructions": bytes_ / 3, "global_load_sectors": bytes_ / 32}
    return {"name": "sweep", "pass": pass_, "kernels": kernels, "per_element": counters, "binding": "issue"}


@pytest.mark.parametrize(
    "blocks, passes",
    [
        ([36792, 1] * 4, 4),  # two grids a pass
        ([36792, 36792, 1] * 4, 4),
        ([2300] * 4, 4),
        ([2300, 1500, 70, 3], 4),  # fewer and fewer buckets: no grid comes again
        ([36792, 1], 2),  # one pass, or two: nothing tells
    ],
)
def test_launches_that_share_a_pass_are_one(blocks, passes):
    """CUB's OneSweep from 2^28 keys on."""
    case = synthetic.case("cub_radix", 1 << 28, residency="device")
    phases = [launch(i, b, 8.0 * b / max(blocks)) for i, b in enumerate(blocks)]
    found = Count.of({**synthetic.count(case, {}), "phases": phases}).phases
    assert len(found) == passes
    assert sum(p.launches for p in found) == len(blocks)
    assert sum(p.per_element["instructions"] for p in found) == pytest.approx(
        sum(p["per_element"]["instructions"] for p in phases)
    )
    assert [pass_ for p in found for pass_ in p.recorded_passes] == list(range(len(blocks)))


def test_measured_cycles_are_distinguished_from_predicted_ones(kept):
    """Satish et al. predict 1.4 and 9 cycles for the steps of a pass, and measure 2 and 8.32 + 4."""
    artifact = ops.make(kept)[0]
    rows = [dict(zip(artifact.header, row)) for row in artifact.rows]
    steps = [next(r for r in rows if (r["paper's id"], r["type"]) == (id_, "u32")) for id_ in ("SAT-M1", "SAT-M2")]
    assert [(r["paper's cycles"], r["paper's cycles, measured"]) for r in steps] == [
        (1.4, 2),
        (9, pytest.approx(12.32)),
    ]
    labels = [label for label, _, _ in artifact.grid.rows]
    assert len({short(label, 72) for label in labels}) == len(labels)
    (cycles,) = [i for i, column in enumerate(artifact.grid.columns) if column.head == "cycles of a processor"]
    published = {label: cells[cycles].published for label, _, cells in artifact.grid.rows if cells[cycles].published}
    assert any(text == "12.3 (its model 9.00)" for text in published.values()), published


def test_the_table_says_how_many_of_a_sorts_passes_were_counted(kept):
    (artifact,) = ops.make(kept)
    assert [artifact.grid.columns[0].group, artifact.grid.columns[0].head] == ["passes", "counted"]
    passes = {label: cells[0].measured for label, _, cells in artifact.grid.rows}
    assert passes["scatter: satish_split_radix, paper’s form, u32, n = 2²⁴"] == "2 of 8"
    assert passes["onesweep: cub_radix, u32, n = 2²⁸"] == "4 of 4"  # each launches two grids
    assert "Cycles are those of one multiprocessor" in artifact.legend


def test_a_pass_of_onesweep_over_2_28_keys_is_two_grids(kept):
    rows = [dict(zip(ops.make(kept)[0].header, row)) for row in ops.make(kept)[0].rows]
    (sweep,) = [r for r in rows if (r["sort"], r["n"], r["phase"]) == ("cub_radix", 1 << 28, SWEEP)]
    assert sweep["passes"] == 4
    assert sweep["instructions"] == pytest.approx(2.66, abs=0.005)
    assert sweep["model's instructions"] == pytest.approx(2.65, abs=0.005)
    assert sweep["memory bytes"] == pytest.approx(8.07, abs=0.005)


SWEEP = "DeviceRadixSortOnesweepKernel"
