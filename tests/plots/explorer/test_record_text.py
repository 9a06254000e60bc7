"""The text of a record in the explorer's panel, by the script of the page under Node."""

import json
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
SCRIPT = ROOT / "plots/explorer/page/format.js"
VALUES = [
    {"seed": 2**53 + 1, "n": 2**63 - 1, "s": 1e-30},
    {"a": {}, "b": [], "c": [[]], "d": {"e": [1, {"f": None}]}, "g": True},
    {"text": 'a "quoted", {brace} [list]: \\ \u00fc \n', "": ""},
    [],
]


@pytest.mark.parametrize("value", VALUES)
@pytest.mark.parametrize("separators", [(",", ":"), (", ", " : ")])
def test_every_letter_of_a_value_stays(value, separators):
    node = shutil.which("node")
    if node is None:
        pytest.skip("needs nodejs")
    line = json.dumps(value, separators=separators, ensure_ascii=False) + "\n"
    program = f"globalThis.sortlab = {{}};\n{SCRIPT.read_text()}\nprocess.stdout.write(sortlab.format.indented(LINE));"
    program = program.replace("LINE", json.dumps(line))
    done = subprocess.run([node, "-e", program], capture_output=True, text=True, timeout=60, check=True)
    assert json.loads(done.stdout) == value  # 2⁵³ + 1 among them
    assert done.stdout == json.dumps(value, indent=1, ensure_ascii=False)
