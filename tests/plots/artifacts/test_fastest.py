"""The fastest sort over n, by machine: which sorts and sizes count, gains, figures, command and frames."""

import subprocess
import sys
from pathlib import Path

import pytest
import synthetic_records as synthetic

import plots
from plots.analysis.fastest import comparable, fastest_lines, gains
from plots.artifacts.own import fastest
from plots.commands.fastest import main
from plots.records.collection import read
from plots.records.machines import machine_id

ROOT = Path(__file__).resolve().parents[3]
GPU = machine_id(synthetic.MACHINE, synthetic.DEVICE["name"])
OTHER = "other-8c-11111111"


def cells():
    """On the host `quick` beats `slow` at 2^16 to 2^22, and `rare` both, at 2^20 alone; on the GPU `gpu` beats `late`;
    on another machine the host's sorts take twice as long."""
    yield synthetic.run_record()
    for log_n in (16, 18, 20, 22):
        for name, ns in (("quick", 1.0), ("slow", 3.0), *((("rare", 0.5),) if log_n == 20 else ())):
            case = synthetic.case(name, 1 << log_n)
            yield synthetic.measurement(case, 1e-9 * ns * (1 << log_n))
            yield synthetic.prediction(case, 1.1e-9 * ns * (1 << log_n))
        for name, ns in (("gpu", 0.1), ("late", 0.2)):
            case = synthetic.case(name, 1 << log_n, residency="device")
            yield synthetic.measurement(case, 1e-9 * ns * (1 << log_n), device=synthetic.DEVICE)
    run = synthetic.run_record()
    run["machine"] = {**run["machine"], "id": OTHER, "name": "Intel(R) Xeon(R) Processor (Other)"}
    run["run"] = "20200102T000000Z-fedcba"
    yield run
    for log_n in (16, 18, 22):
        for name, ns in (("quick", 2.0), ("slow", 6.0)):
            made = synthetic.measurement(synthetic.case(name, 1 << log_n), 1e-9 * ns * (1 << log_n))
            yield {**made, "machine": OTHER, "run": run["run"]}


@pytest.fixture(scope="module")
def file(tmp_path_factory) -> Path:
    return synthetic.write(tmp_path_factory.mktemp("fastest") / "records.jsonl", cells())


@pytest.fixture(scope="module")
def lines(file):
    return {line.machine: line for line in fastest_lines(read([file]))}


def test_sorts_are_compared_at_sizes_that_all_of_them_have(lines):
    host = lines[synthetic.MACHINE]
    assert host.candidates == ("quick", "slow") and host.others == ("rare",)
    # At 2^20 a sort that has no other size is the fastest, so that the line does not show that size.
    assert [p.measurement.case.n for p in host.points] == [1 << 16, 1 << 18, 1 << 22]
    assert {p.measurement.case.algorithm for p in host.points} == {"quick"}
    assert {p.measurement.case.algorithm for p in lines[GPU].points} == {"gpu"}
    assert (
        host.name == "Synthetic processor, 1T" and lines[GPU].name == "H200" and lines[OTHER].name == "Xeon (Other), 1T"
    )
    assert host.points[0].predicted_rate == pytest.approx(1e9 / 1.1) and lines[GPU].points[0].predicted_rate is None


def test_one_sort_alone_is_not_called_the_fastest(file):
    alone = [m for m in read([file]).measurements if m.case.algorithm == "quick"]
    assert comparable(alone) == (set(), set())


def test_a_machine_is_not_slow_for_a_sort_that_was_not_measured_on_it(tmp_path):
    """A GPU whose sizes lack the sort that is the fastest on a faster one is shown where it has that sort, or not."""

    def on(device, log_n, **ns):
        for name, each in ns.items():
            case = synthetic.case(name, 1 << log_n, residency="device")
            yield synthetic.measurement(case, 1e-9 * each * (1 << log_n), device={**synthetic.DEVICE, "name": device})

    made = [synthetic.run_record()]
    for log_n in (20, 22, 24):
        made += [*on("NVIDIA H200", log_n, best=0.01, cub=0.03), *on("NVIDIA H100", log_n, cub=0.04, merge=0.05)]
        made += on("NVIDIA A100", log_n, cub=0.06, merge=0.07)
    made += on("NVIDIA H100", 28, best=0.02, cub=0.04)
    lines = {line.name: line for line in fastest_lines(read([synthetic.write(tmp_path / "r", made)]))}
    assert set(lines) == {"H200", "H100"}
    assert [p.measurement.case.n for p in lines["H200"].points] == [1 << 20, 1 << 22, 1 << 24]
    assert [(p.measurement.case.n, p.measurement.case.algorithm) for p in lines["H100"].points] == [(1 << 28, "best")]


def test_gains_are_ratios_at_the_same_size(lines):
    found = {(g.fast.machine, g.slow.machine, g.n): g for g in gains(list(lines.values()))}
    assert len(found) == 3 * 2 * 3
    gain = found[GPU, synthetic.MACHINE, 1 << 22]
    assert gain.measured.value == pytest.approx(10, rel=0.05) and gain.measured.low < 10 < gain.measured.high
    assert found[synthetic.MACHINE, OTHER, 1 << 16].measured.value == pytest.approx(2, rel=0.05)
    assert gain.predicted is None  # the GPU has no prediction


def test_a_machine_with_one_size_has_its_gain_beside_its_name(tmp_path):
    made = [synthetic.run_record()]
    for device, sizes, each in (("NVIDIA H200", (20, 22, 24), 1.0), ("NVIDIA H100", (24,), 2.0)):
        for log_n in sizes:
            for name, ns in (("best", each), ("cub", 2 * each)):
                case = synthetic.case(name, 1 << log_n, residency="device")
                made.append(
                    synthetic.measurement(case, 1e-11 * ns * (1 << log_n), device={**synthetic.DEVICE, "name": device})
                )
    records = read([synthetic.write(tmp_path / "r", made)])
    *_, of_gains = fastest.make(records.on(machine_id(synthetic.MACHINE, "NVIDIA H200")))
    (panel,) = of_gains.picture.panels
    assert [line.label for line in panel.lines] == ["H100, 2.00 at 2²⁴"]
    assert (panel.neutral, panel.below) == (1.0, "")  # nothing lies below


def test_figures_show_every_machine(file):
    records = read([file]).on(synthetic.MACHINE)
    rates, of_gains = fastest.make(records)
    assert (rates.id, of_gains.id) == ("FASTEST", "FASTEST-GAINS") and rates.is_measured
    [panel] = rates.picture.panels
    assert {line.label for line in panel.lines if line.voice == "measured"} == {
        "H200",
        "Synthetic processor, 1T",
        "Xeon (Other), 1T",
    }
    assert (
        "Not measured at every n of a line, but the fastest elsewhere: Synthetic processor, 1T: rare."
        in rates.caption.text
    )
    assert len(of_gains.rows) == 18 and of_gains.header[0] == "machine"
    assert "fastest sort of uniform keys over n, which is mostly gpu on GPUs and quick on processors." in rates.legend
    assert "rare" not in rates.csv().partition("candidates")[2]


def test_the_command_prints_a_table_and_writes_a_page(file, tmp_path, capsys):
    assert main(["--records", str(file)]) == 0
    head, *rows = capsys.readouterr().out.splitlines()
    assert head.split()[:3] == ["machine", "keys", "n"] and len(rows) == 10
    assert main(["--records", str(file), "--out", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    written = {file.name for file in (tmp_path / "out").rglob("*.*")}
    endings = ("svg", "pdf", "png", "csv", "tex")
    assert written == {"index.html", *(f"{name}.{e}" for name in ("FASTEST", "FASTEST-GAINS") for e in endings)}
    assert main(["--records", str(file), "--machine", "gone"]) == 2
    assert capsys.readouterr().err.startswith("sortlab fastest: --machine gone: no record of it")
    alone = synthetic.write(tmp_path / "alone.jsonl", [synthetic.measurement(synthetic.case("quick", 1 << 16), 1e-3)])
    assert main(["--records", str(alone)]) == 2
    assert "no two sorts of uniform keys" in capsys.readouterr().err


def test_the_package_offers_the_command():
    done = subprocess.run([sys.executable, "-m", "plots", "--help"], capture_output=True, text=True, cwd=ROOT)
    assert "fastest" in done.stdout


def test_frames_hold_the_same(file):
    pytest.importorskip("pandas")
    frames = plots.read_records(file)
    assert len(frames.fastest) == 10 and len(frames.gains) == 18
    host = frames.fastest[frames.fastest.machine == synthetic.MACHINE]
    assert list(host.algorithm) == ["quick"] * 3 and host.rate_elements_per_s.iloc[0] == pytest.approx(1e9, rel=0.05)
