"""`sortlab import --format ro-crate`: a page of a colleague's machine beside one's own."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Optional, Sequence

from ..analysis.provenance import notes_on_records, machine_text
from ..artifacts.own import fastest
from ..claims import judgement
from ..claims.books import books
from ..commands.options import complain
from ..commands.render import writable
from ..figures.artifact import Artifact, draw
from ..records.bounds import clean
from ..records.collection import Records, read
from ..records.csv_text import csv_text
from ..records.folders import ALGORITHMS, PUBLISHED, visible_files
from ..records.jsonl import BadInput
from ..records.quantities import digits
from ..records.whole_file import write_whole
from ..report import page as report
from ..report.ledger import KINDS
from . import machine_facts, side_by_side
from .their_crate import their_crate

_ALSO = ("pdf", "png")
_Cells = tuple[Sequence[str], list[Sequence[Any]]]  # header and rows


def import_crate(prog: str, folder: Path, mine: Sequence[Path], machine: Optional[str], out: Optional[Path]) -> str:
    """Writes the page, its figures and a table of all shared cells. Returns a line about it. Raises BadInput."""
    if out is None:
        raise BadInput("--out: a page is written to a folder; name one")
    if not mine:
        raise BadInput("--records: name the records to show beside the crate")
    writable(out)
    crate = their_crate(folder)
    if crate.unchecked:
        complain(prog, f"{crate.unchecked} files of the crate have no SHA-256 in its metadata, and are not checked")
    sides = [_of_one_machine(prog, mine, machine), _of_one_machine(prog, crate.records, None)]
    ledger = books(sorted(file.parent for file in ALGORITHMS.glob("[!_]*/CMakeLists.txt")))
    pairs = side_by_side.findings(*(judgement.judge(side, None, ledger) for side in sides))
    shared = side_by_side.shared(*sides)
    artifacts = fastest.make(read([*mine, *crate.records]))
    draw(artifacts)
    headline = side_by_side.headline(pairs, shared)
    page = report.page_with_artifacts(
        "side_by_side.html.j2",
        artifacts,
        _ALSO,
        mine_name=_name(sides[0]),
        theirs_name=_name(sides[1]),
        crate_name=crate.name,
        headline=headline[0].upper() + headline[1:],
        facts=side_by_side.facts(*sides),
        findings=pairs,
        kinds=KINDS,
        summaries=side_by_side.summaries(shared),
        digits=digits,
    )
    _write(out, page, artifacts, side_by_side.rows(shared), bool(shared))
    return f"{clean(str(out / 'index.html'))}: {headline}"


def _of_one_machine(prog: str, files: Sequence[Path], machine: Optional[str]) -> Records:
    everything = read([*files, *visible_files(PUBLISHED, "*.jsonl")])
    for line in notes_on_records(everything):
        complain(prog, line)
    records = everything.on(everything.machine_of_choice(machine))
    if not any(m.ok for m in (*records.measurements, *records.components)):
        raise BadInput(f"{clean(str(files[0]))}: holds no verified measurement")
    return records


def _name(records: Records) -> str:
    gpus = machine_facts.gpus(records)
    return machine_text(records) + (f" with {', '.join(gpus)}" if gpus else "")


def _write(out: Path, page: str, artifacts: Sequence[Artifact], cells: _Cells, with_cells: bool) -> None:
    try:
        for artifact in artifacts:
            artifact.write(out / "artifacts", _ALSO)
        (out / "artifacts").mkdir(parents=True, exist_ok=True)
        if with_cells:
            write_whole(out / "artifacts/cells.csv", csv_text(*cells), durable=False)
        write_whole(out / "index.html", page, durable=False)
    except OSError as error:
        raise BadInput(f"--out {clean(str(out))}: {error.strerror}") from None
