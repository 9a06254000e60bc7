"""Makes a folder for results/reference/ from records that pass a reviewer's checks, with a README of their origin."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Optional, Sequence

from ..records.bounds import clean
from ..records.command_words import content, shortened
from ..records.jsonl import BadInput
from ..commands.options import Parser, answered, complain
from ..records.folders import WRITTEN
from ..records.whole_file import whole_folder
from .review import Set, counted, noise, refusals

_PROG = "sortlab submit"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.-]*\.jsonl")


def _readme(given: Set) -> str:
    run = given.records.runs[0]
    compiler = _plain(str(run.build.get("compiler")))
    kind = "a virtual machine" if run.machine.get("virtual") else "a machine"
    found = noise(*(given.sides[file] for file in given.aa))
    assert found is not None
    days = sorted(r.started[:10] for r in given.records.runs)
    when = dict.fromkeys((days[0], days[-1]))
    commands = {file: _commands(given, file) for file in given.files}
    table = ["| file | from |", "|---|---|", f"| `profile.json` | {_plain(_source(given))} |"]
    for file in given.files:
        side = given.sides[file]
        measured = [*side.measurements, *side.components]
        what = [counted(measured)] * bool(measured)
        what += [f"{len(side.counts)} counts"] * bool(side.counts)
        what += [f"{len(side.predictions)} predictions"] * bool(side.predictions)
        what += [f"what {len(side.algorithms)} sorts are"] * (not what)
        table.append(f"| `{file.name}` | {': '.join(filter(None, (commands[file], '; '.join(what))))} |")
    table.append(
        f"| `aa/` | {_commands(given, given.aa[0])}, twice: of {found.cells} cells the typical one differs by "
        f"{found.typical:.1%}, and the second run takes {found.drift:+.1%} |"
    )
    return (
        f"# Records of {_plain(run.machine_name)}, {kind} with {run.machine.get('cores')} cores\n\n"
        f"By one clean build ({run.commit}; {compiler}), {' to '.join(when)}; checked and "
        "put together by `sortlab submit`.\n\n" + "\n".join(table) + "\n"
    )


def _source(given: Set) -> str:
    return str(json.loads(given.profile.read_text(encoding="utf-8")).get("source", ""))


def _commands(given: Set, file: Path) -> str:
    """The commands that made a file, each once, as code."""
    made = []
    for run in given.sides[file].runs:
        words = [shortened(str(word)) for word in run.asked.get("command", [])]
        words[:1] = [Path(words[0]).name] if words else []
        made.append("`" + _plain(" ".join(words)).replace("`", "'") + "`")
    shown = list(dict.fromkeys(made))
    more = f" and {len(shown) - 4} more" if len(shown) > 4 else ""
    return ", ".join(shown[:4]) + more


def _plain(text: str) -> str:
    """A record's text, escaped so that Markdown does not take it for markup."""
    return re.sub(r"[|<>*\[\]]", lambda found: f"&#{ord(found[0])};", clean(text))


def _written(given: Set, out: Path) -> Path:
    """Writes the folder, whole or not at all, and returns its path."""
    target = out / given.machine
    try:
        with whole_folder(target) as made:
            (made / "aa").mkdir()
            (made / "README.md").write_text(_readme(given), encoding="utf-8")
            (made / "profile.json").write_bytes(given.profile.read_bytes())
            for file in given.files:
                (made / file.name).write_bytes(content(file, given.shorten))
            for name, file in zip(("first", "second"), given.aa):
                (made / "aa" / f"{name}.jsonl").write_bytes(content(file, given.shorten))
    except OSError as error:
        raise BadInput(f"--out {out}: {error.strerror}") from None
    return target


def _submit(arguments: Optional[Sequence[str]]) -> int:
    parser = Parser(
        prog=_PROG,
        description="Checks records as a reviewer would, and writes a folder for a pull request to results/reference/: "
        "RECORDS are measurements, their predictions and what the sorts are. What is refused says why, and nothing is "
        "written.",
        epilog="Example: sortlab submit quick.jsonl predictions.jsonl --profile profile.json --aa a.jsonl b.jsonl",
    )
    parser.add_argument("records", nargs="+", type=Path, metavar="RECORDS", help="files of records, by one clean build")
    parser.add_argument(
        "--profile", required=True, type=Path, metavar="FILE", help="the machine's, of sortlab calibrate"
    )
    parser.add_argument(
        "--aa",
        required=True,
        nargs=2,
        type=Path,
        metavar=("FIRST", "SECOND"),
        help="two runs of one config by that build, configs/repeatability.json for instance: what chance does here",
    )
    parser.add_argument(
        "--shorten-paths", action="store_true", help="leave out of the recorded commands the folders of this machine"
    )
    parser.add_argument(
        "--out",
        type=Path,
        default=WRITTEN / "results" / "reference",
        metavar="FOLDER",
        help="where the machine's folder goes; default: results/reference",
    )
    options = parser.parse_args(arguments)
    given = Set(options.records, (options.aa[0], options.aa[1]), options.profile, options.shorten_paths)
    names = [file.name for file in given.files]
    for name in names:
        if not _NAME.fullmatch(name) or names.count(name) > 1:
            raise BadInput(f"{name}: files keep their names: each once, NAME.jsonl of letters, digits, _ . and -")
    for file in (*given.files, *given.aa, given.profile):
        if file.exists() and not file.is_file():
            raise BadInput(f"{file}: is no file; what is submitted is read more than once")
    given.read()
    reasons = refusals(given)
    for reason in reasons:
        complain(_PROG, f"refused: {reason}")
    if reasons:
        complain(_PROG, "nothing written")
        return 1
    if (options.out / given.machine).exists():
        raise BadInput(f"--out {options.out / given.machine}: is there already; nothing is overwritten")
    target = _written(given, options.out)
    sides = [given.sides[file] for file in given.files]
    what = counted(m for side in sides for m in (*side.measurements, *side.components))
    print(f"{clean(str(target))}: {what}; ready for a pull request")
    return 0


def main(arguments: Optional[Sequence[str]] = None) -> int:
    """Exit status: 0; 1 if the records are refused, with a line for each reason; 2 for bad input."""
    return answered(_PROG, lambda: _submit(arguments))
