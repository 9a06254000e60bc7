"""configs/reference.json: what it measures is read by something, measured once, and takes at most its time."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from plots.campaign.plan import KINDS, merged, read_campaign, readers
from plots.commands.render import Found
from plots.records.jsonl import BadInput

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
REFERENCE = read_campaign(ROOT / "configs/reference.json")
FOUND = Found()
MEASURING = [step for step in REFERENCE.steps if step.does == "measure"]


def sorts(on):
    said = subprocess.run([SORTLAB, "list", "algorithms", "--json"], capture_output=True, text=True, check=True).stdout
    return [a["name"] for a in json.loads(said) if (a["runs_on"] == "host") == (on == "cpu")]


def cells(step, folder):
    file = folder / f"{step.name}.json"
    file.write_text(json.dumps(merged(step.name, "", [one.path for one in step.configs], sorts(step.on))))
    words = [SORTLAB, "run", file, "--dry-run", "--json", "--out", folder / "none.jsonl"]
    said = subprocess.run(words, capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in said.splitlines()]


@pytest.mark.parametrize("step", [s for s in REFERENCE.steps if s.does in ("measure", "count")], ids=lambda s: s.name)
def test_every_config_is_read_by_an_artifact_or_a_claim(step):
    """This holds for configs, not for each of their cells: pages choose among the records as they see them."""
    for one in step.configs:
        assert readers(one, FOUND.builders, FOUND.books), one.path


def test_an_artifact_that_is_not_there_reads_nothing():
    step = next(s for s in REFERENCE.steps if s.name == "cpu")
    one = next(c for c in step.configs if c.read_by)
    with pytest.raises(BadInput, match="CPU2025.*no such artifact or claim; allowed: "):
        readers(type(one)(one.path, ("CPU2025-F1",)), FOUND.builders, FOUND.books)


def test_each_step_measures_something_and_no_cell_twice(tmp_path):
    for kind in KINDS:
        ids = []
        for step in (step for step in MEASURING if kind in step.minutes):
            planned = [cell["cell"] for cell in cells(step, tmp_path)]
            assert planned, step.name
            ids += planned
        assert len(ids) == len(set(ids)), kind


def test_sorts_of_the_host_and_of_a_gpu_are_apart(tmp_path):
    for step in MEASURING:
        on = {cell["case"]["residency"] for cell in cells(step, tmp_path)}
        assert on <= ({"host"} if step.on == "cpu" else {"device", "end_to_end"}), step.name


def test_a_sweeps_own_protocol_is_kept(tmp_path):
    of_config = json.loads((ROOT / "configs/satish2010/SAT-T1.json").read_text())
    (first, *_) = merged("m", "", ["configs/satish2010/SAT-T1.json"], sorts("cpu"))["sweeps"]
    assert first["protocol"] == {**of_config["protocol"], "samples": 6}


def test_the_time_of_each_kind_of_machine():
    """Minutes at most: 90 on two cores; 60 of a larger host's sorts, and 25 of its GPU's."""
    total = {kind: sum(step.minutes[kind] for step in REFERENCE.on(kind)) for kind in KINDS}
    of_gpu = sum(s.minutes["gpu"] for s in REFERENCE.on("gpu") if s.on == "gpu" or s.does in ("calibrate", "validate"))
    assert total["cpu"] <= 90
    assert of_gpu <= 28 and total["gpu"] - of_gpu <= 60


def changed(tmp_path, change):
    campaign = json.loads((ROOT / "configs/reference.json").read_text())
    change(campaign["steps"])
    file = tmp_path / "campaign.json"
    file.write_text(json.dumps(campaign))
    return file


@pytest.mark.parametrize(
    "change, says",
    [
        (lambda steps: steps[0].update(does="sort"), "does must be one of calibrate, validate, measure, count, repeat"),
        (lambda steps: steps[0].update(minutes={"tpu": 1}), "tpu is no member that the schema knows"),
        (lambda steps: steps[0].update(minutes={"cpu": 0}), "cpu must be"),
        (lambda steps: steps[2].pop("configs"), "steps: gpu: configs: allowed: at least one"),
        (lambda steps: steps[0].update(configs=["x"]), "configs: allowed: none, since it does calibrate"),
        (lambda steps: steps[1].update(name="calibrate"), "calibrate is there twice; allowed: once"),
    ],
)
def test_a_wrong_campaign_is_told_in_one_line(tmp_path, change, says):
    with pytest.raises(BadInput) as told:
        read_campaign(changed(tmp_path, change))
    assert says in str(told.value) and "\n" not in str(told.value) and "--campaign" in str(told.value)


def test_files_of_keys_cannot_be_part_of_it():
    with pytest.raises(BadInput, match="configs/real.json: sweeps\\[0\\]: distributions: a file of keys"):
        merged("m", "", ["configs/real.json"], sorts("cpu"))
