"""Writes the tables of algorithms/README.md from what the program lists: python3 algorithms/table.py"""

import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
README = ROOT / "algorithms" / "README.md"
BEGIN, END = "<!-- written by table.py -->\n", "<!-- end of what table.py writes -->\n"
HEADER = "| algorithm | what | from | family | whose | keys | values | threads | stable |\n" + "|---" * 9 + "|\n"
FIXED_WIDTH = ["u32", "u64", "i32", "i64", "f32", "f64", "u128"]
NO_DIGEST = "0" * 16  # digest of an algorithm that is listed but not built
WHOSE = ["ours", "paper", "peer"]


def _keys(entry):
    lacking = [key for key in FIXED_WIDTH if key not in entry["keys"]]
    if not lacking:
        return "all"
    return f"all but {lacking[0]}" if len(lacking) == 1 else " ".join(entry["keys"])


def _row(entry):
    whose = entry["paper"] or {"paper": "a paper's"}.get(entry["origin"], entry["origin"])
    cells = [f"[{entry['name']}]({entry['name']})", entry["title"], entry["source"], entry["family"], whose]
    cells += [_keys(entry), " ".join(entry["values"])]
    cells += ["many" if entry["parallel"] else "1", "yes" if entry["stable"] else "no"]
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |\n"


def _section(entry):
    places = {"device": "On a CUDA device", "both": "On a CUDA device and the host"}
    if entry["runs_on"] in places:
        return places[entry["runs_on"]]
    return "Records with strings for keys" if entry["keys"] == ["string"] else "On the host"


def _kept(text):
    """The document's present rows by algorithm, each with its section."""
    found = {}
    section = ""
    for line in text.splitlines(keepends=True):
        section = line[4:].strip() if line.startswith("### ") else section
        if name := re.match(r"\| \[(\w+)\]", line):
            found[name[1]] = (section, line)
    return found


def written(text, listed):
    """Returns the document with new tables from `listed`, the output of `sortlab list algorithms --json`. The row of an
    algorithm that is not built stays as it is, since such a build knows only its name."""
    before, rest = text.split(BEGIN)
    old, after = rest.split(END)
    kept = _kept(old)
    names = ["On the host", "Records with strings for keys", "On a CUDA device", "On a CUDA device and the host"]
    sections = {name: [] for name in names}
    for entry in listed:
        if entry["build"] != NO_DIGEST:
            sections[_section(entry)].append((WHOSE.index(entry["origin"]), entry["name"], _row(entry)))
        elif entry["name"] in kept:
            section, row = kept[entry["name"]]
            sections[section].append((WHOSE.index("peer"), entry["name"], row))
        else:
            raise SystemExit(
                f"table.py: {entry['name']}: {entry['reason']}; only a build that has it can write its row"
            )
    filled = {name: "".join(row for *_, row in sorted(rows)) for name, rows in sections.items() if rows}
    tables = [f"### {name}\n{HEADER}{rows}\n" for name, rows in filled.items()]
    return before + BEGIN + "\n" + "".join(tables) + END + after


def listed_by(program):
    return json.loads(subprocess.run([program, "list", "algorithms", "--json"], capture_output=True, check=True).stdout)


if __name__ == "__main__":
    if len(sys.argv) > 1:
        sys.exit(f"{__doc__}\nIt takes no arguments.")
    README.write_text(written(README.read_text(), listed_by(ROOT / "build" / "release" / "sortlab")))
