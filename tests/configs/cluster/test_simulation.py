"""The sweep on 200 nodes of configs/cluster/README.md, with the program's own shards and its rule for resuming."""

import importlib.util
import json
import os
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SPEC = importlib.util.spec_from_file_location("simulate", ROOT / "configs/cluster/simulate.py")
simulate = importlib.util.module_from_spec(SPEC)
sys.modules["simulate"] = simulate
SPEC.loader.exec_module(simulate)

SHARDS = 200


@pytest.fixture(scope="module")
def no_profile(tmp_path_factory):
    """A checkout without data of this machine, so that every machine estimates the same times."""
    root = tmp_path_factory.mktemp("checkout")
    for folder in ("configs", "generators", "models"):
        (root / folder).symlink_to(ROOT / folder)
    before = os.environ.get("SORTLAB_ROOT")
    os.environ["SORTLAB_ROOT"] = str(root)
    yield root
    os.environ.pop("SORTLAB_ROOT")
    if before is not None:
        os.environ["SORTLAB_ROOT"] = before


@pytest.fixture(scope="module")
def plan(no_profile):
    """A config of 600 inputs, with eight minutes of a node per shard."""
    path = no_profile / "c.json"
    sweep = {"algorithms": ["std_sort", "std_stable_sort"], "n": ["2^26"], "distributions": ["uniform"]}
    sweep = {**sweep, "seeds": list(range(600))}
    path.write_text(json.dumps({"name": "c", "protocol": {"budget_s": 300}, "sweeps": [sweep]}))
    return str(path), simulate.plan_shards(str(path), SHARDS)


def test_the_shards_are_disjoint_and_together_the_whole(plan):
    config, shards = plan
    keys = [cell.key for shard in shards for cell in shard.cells]
    assert len(keys) == len(set(keys)) == 1200
    assert set(keys) == {cell["key"] for cell in simulate.dry_run(config, "1/1")}
    assert max(s.expected_s for s in shards) < 1.01 * min(s.expected_s for s in shards)


@pytest.mark.parametrize("failures, preemptions, nodes", [(0, 0, 200), (1000, 0, 200), (0, 4, 200), (2000, 4, 70)])
def test_whatever_is_killed_every_cell_is_measured_once(plan, failures, preemptions, nodes):
    config, shards = plan
    simulation = simulate.Simulation(config, shards, nodes, seed=1, ask=5)
    outcome = simulation.run(failures, preemptions)
    for shard in shards:
        lines = outcome.records[shard.index].splitlines(keepends=True)
        assert all(line.endswith(b"\n") for line in lines)
        assert sorted(json.loads(line)["key"] for line in lines) == sorted(cell.key for cell in shard.cells)
    interrupted = outcome.failures + outcome.preemptions + outcome.out_of_time
    assert outcome.asked == min(5, interrupted)
    assert (outcome.failures > 10) == (failures > 0) and (outcome.preemptions > 50) == (preemptions > 0)
    longest = max(sum(simulation.seconds[cell.key] for cell in block) for s in shards for block in s.blocks)
    assert outcome.lost_s <= interrupted * longest, "a kill costs the cells in progress"
    assert (outcome.lost_s > 0) == (interrupted > 0)


def test_a_rule_of_resuming_that_is_not_the_programs_is_noticed(plan, monkeypatch):
    config, shards = plan
    monkeypatch.setattr(simulate, "record", lambda cell: b'{"key": "%s"}\n' % cell.key.encode())
    with pytest.raises(SystemExit):
        simulate.Simulation(config, shards, 200, ask=1).run(1000, 0)


@pytest.mark.skipif(not os.environ.get("SORTLAB_FULL"), reason="half a minute; with SORTLAB_FULL=1")
def test_the_page_shows_what_the_simulation_says(no_profile):
    page = (ROOT / "configs/cluster/README.md").read_text()
    config = str(ROOT / "configs/seeds.json")
    told = simulate.report(config, simulate.plan_shards(config, SHARDS), SHARDS, 3)
    assert told in page
