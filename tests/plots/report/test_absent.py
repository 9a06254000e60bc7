"""The report of a newcomer: what was measured, one table of the rest, and kept figures in the place of a GPU's."""

import json
import re
from pathlib import Path

import pytest
import synthetic_records as synthetic
from page_links import broken_links

from plots.commands.render import render
from plots.records import plan
from plots.records.jsonl import BadInput
from plots.report.absent import Absent, command_text, duration, needs_text, time_text

ROOT = Path(__file__).resolve().parents[3]
KEPT = next((ROOT / "results/reference").glob("*/gpu2026/profile.json")).parent
CUDA = {"code": "no_cuda", "text": "needs a Sortlab that is built with CUDA"}


@pytest.fixture(scope="module")
def newcomer(tmp_path_factory) -> Path:
    """The page of two sorts of the host, by a plan in which no GPU can be measured and SAT-WIDTH takes 480 s."""
    folder = tmp_path_factory.mktemp("newcomer")
    cells = [synthetic.run_record(), *synthetic.ALGORITHMS.values()]
    for algorithm in ("satish_cpu_radix", "vqsort"):
        cells += [synthetic.measurement(synthetic.case(algorithm, 1 << k), 1e-8 * (1 << k)) for k in (20, 22, 24)]
    records = synthetic.write(folder / "records.jsonl", cells)
    configs = []
    for known in plan.read_plan(None):
        host = known.config == "configs/satish2010/SAT-WIDTH.json"
        facts = {"to_run": 120, "seconds": 480.0, "reasons": []} if host else {}
        facts = facts or {"to_run": 0, "seconds": 0.0, "reasons": [CUDA]}
        configs.append({"config": known.config, "artifacts": list(known.artifacts), **facts})
    (folder / "plan.json").write_text(json.dumps({"configs": configs}))
    options = ["--plan", str(folder / "plan.json"), "--kept", str(KEPT)]
    return render(["--records", str(records), *options, "--out", str(folder / "out")])


def rows(page: Path) -> dict[str, str]:
    """The text of each row of the table of what is not measured, by its first cell's id."""
    table = re.search(r'<section id="absent">.*?</section>', page.read_text(), re.S)[0]
    return {m[1]: m[0] for m in re.finditer(r'<tr><th scope="row">([^<]+)<.*?</tr>', table, re.S)}


def test_no_frame_is_empty(newcomer):
    text = newcomer.read_text()
    assert "not measured here</text>" not in text
    assert 'id="SAT-F1"' in text and 'id="STE-F6a"' not in text and 'id="LEI-F3"' not in text
    assert not (newcomer.parent / "artifacts/STE-F6a.svg").exists()


def test_one_table_lists_the_rest_with_needs_command_and_time(newcomer):
    found = rows(newcomer)
    assert len(found) > 30 and not {"SAT-F1", "STE-T2", "HA-F4"} & found.keys()
    assert "an NVIDIA GPU and a CUDA toolkit" in found["STE-F6a"]
    assert "./run_all.sh --figure STE-F6a" in found["STE-F6a"]
    assert "./run_all.sh --figure SAT-WIDTH" in found["SAT-WIDTH"] and ">8 min<" in found["SAT-WIDTH"]
    assert "./run_all.sh --config configs/gpu2026.json" in found["GPU2026"]
    assert "sortlab count configs/ops.json" in found["OPS"]


def test_kept_figures_are_offered_with_their_machine(newcomer):
    found = rows(newcomer)
    assert 'href="kept.html#GPU2026-T">GPU2026 on NVIDIA H200<' in found["GPU2026"]
    assert "href" not in found["SAT-WIDTH"]  # this machine can measure it
    kept = (newcomer.parent / "kept.html").read_text()
    assert 'id="GPU2026-T"' in kept and "Not this machine: “here” below is NVIDIA H200, " in kept
    assert (newcomer.parent / "artifacts/kept/GPU2026-T.csv").stat().st_size > 1000


def test_every_link_leads_somewhere(newcomer):
    assert broken_links(newcomer.parent) == []


def test_a_link_that_leads_nowhere_is_found(tmp_path):
    (tmp_path / "a.html").write_text('<p id="here"><a href="#there">x</a><a href="b.svg">y</a><a href="#here">z</a>')
    assert broken_links(tmp_path) == ["a.html -> #there", "a.html -> b.svg"]


def test_without_a_plan_the_configs_are_named():
    known = plan.feeding(plan.read_plan(None), "STE-F9a")
    assert {p.config for p in known} >= {"configs/stehle2017/STE-F9a.json", "configs/stehle2017/STE-F9a_32GB.json"}
    one = Absent("STE-F9a", "", "", known)
    assert needs_text(one).startswith("records of configs/stehle2017/") and time_text(one) == ""
    assert command_text(one) == "./run_all.sh --figure STE-F9a" and one.impossible


def test_durations_are_whole_units():
    assert [duration(s) for s in (40.2, 660, 15850)] == ["40 s", "11 min", "4.4 h"]


def test_a_bad_plan_and_a_folder_without_records_are_told_in_one_line(tmp_path):
    records = synthetic.write(tmp_path / "r.jsonl", synthetic.everything((16,)))
    (tmp_path / "plan.json").write_text('{"configs": [{"config": 1}]}')
    common = ["--records", str(records), "--out", str(tmp_path / "out")]
    with pytest.raises(BadInput, match=r"--plan .*configs\[0\]: config"):
        render([*common, "--plan", str(tmp_path / "plan.json")])
    with pytest.raises(BadInput, match="must be a folder with records"):
        render([*common, "--kept", str(tmp_path / "empty")])
    assert not (tmp_path / "out").exists()


def test_needs_follow_codes_not_words():
    def needs(*reasons: plan.Skipped) -> str:
        return needs_text(Absent("X", "x", "", [plan.Planned("configs/x.json", ["X"], 0, 0.0, reasons)]))

    gpu, few = plan.Skipped("no_gpu", "some words"), plan.Skipped("too_few_processors", "needs 16 processors")
    declined = plan.Skipped("declined", "the sort takes pairs only")
    assert needs(gpu) == "an NVIDIA GPU and a CUDA toolkit"
    assert needs(gpu, declined, few) == "an NVIDIA GPU and a CUDA toolkit; needs 16 processors"
    assert needs(declined, few) == "the sort takes pairs only; needs 16 processors"
