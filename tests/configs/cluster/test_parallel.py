"""The recipe for GNU parallel, as configs/cluster/README.md shows it, without its two machines."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SORTLAB = Path(os.environ.get("SORTLAB", ROOT / "build" / "release" / "sortlab"))
absent = "" if shutil.which("parallel") else "parallel is not installed"


@pytest.mark.skipif(bool(absent) or not os.environ.get("SORTLAB_FULL"), reason=absent or "slow; SORTLAB_FULL=1 runs it")
def test_the_recipe_measures_the_config_and_goes_on(tmp_path):
    page = (ROOT / "configs/cluster/README.md").read_text()
    recipe = re.search(r"^## GNU parallel.*?^```sh\n(.*?)^```", page, re.S | re.M).group(1)
    here = recipe.replace("--sshlogin node1,node2 ", "").replace("build/release/sortlab", str(SORTLAB))
    assert here.count(str(SORTLAB)) == 2 and "ssh" not in here
    (tmp_path / "configs").mkdir()
    sweep = {"algorithms": ["std_sort"], "n": ["2^12"], "distributions": ["uniform"], "seeds": list(range(20))}
    config = tmp_path / "configs/smoke.json"
    config.write_text(json.dumps({"name": "smoke", "protocol": {"samples": 3}, "sweeps": [sweep]}))
    for turn in range(2):
        subprocess.run(["bash", "-e", "-c", here], cwd=tmp_path, check=True, capture_output=True)
        merged = [json.loads(line) for line in (tmp_path / "all.jsonl").read_text().splitlines()]
        assert len([r for r in merged if r["kind"] == "measurement"]) == 20
        assert len((tmp_path / "shards/log").read_text().splitlines()) == 1 + 8, "a second turn runs none again"
