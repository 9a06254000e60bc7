"""Writes the site: the explorer's page, a page per algorithm and per machine, data, original records.

    index.html, algorithms.html, machines.html    pages; algorithm/NAME.html, machine/NAME.html one each
    chart.js, explorer/*.js                       the chart library, unchanged, and the scripts of page/
    data/index.js, data/MACHINE.js                the data of charts and table (data.py), compressed
    records/MACHINE/NUMBER.js                     the original records, LINES_A_FILE in one script, compressed

Strings of records reach pages through jinja2's autoescape or as JSON (data.script). The content security policy of a
page names the hash of its own script. Only that script may load others ('strict-dynamic'), which also works from a
folder, where a page has no origin. The policy allows no request of any other kind.
"""

from __future__ import annotations

import base64
import hashlib
from dataclasses import asdict
from pathlib import Path
from typing import Any, Sequence

import jinja2
from markupsafe import Markup

from ..figures import style
from ..records.jsonl import BadInput, Node
from ..records.prediction import KINDS
from ..records.quantities import count_text
from ..records.whole_file import write_whole
from . import facts
from .data import WHOLE, Machine, file_names, machines
from .originals import Originals
from .packed import LINES_A_FILE, packed, script

_PAGE = Path(__file__).resolve().parent / "page"
_TEMPLATES = _PAGE.parents[1] / "report/templates"
# The scripts in loading order; each may use those before it.
SCRIPTS = (
    *("data.js", "format.js", "choice.js", "series.js", "looks.js", "figure.js", "picture.js", "lines.js", "facets.js"),
    *("table.js", "download.js", "record.js", "page.js"),
)
_CHART = "chart.js"


def write(records: Originals, profiles: Sequence[Node], library: bytes, out: Path, this: str = "") -> Path:
    """Writes the site and returns index.html; `this` is the id of the machine it opens with. Raises BadInput."""
    site = _Site(records, profiles, this)
    files: dict[str, str | bytes] = {_CHART: library}
    files |= {f"explorer/{name}": (_PAGE / name).read_bytes() for name in SCRIPTS}
    files |= site.data() | site.pages()
    try:
        for name, content in files.items():
            path = out / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_whole(path, content, durable=False)
    except OSError as error:
        raise BadInput(f"--out {out}: {error.strerror}") from None
    return out / "index.html"


class _Site:
    """The records and templates that all pages share."""

    def __init__(self, records: Originals, profiles: Sequence[Node], this: str) -> None:
        self._records, self._profiles = records, profiles
        self._all = machines(records, this)
        self._machines = [machine for machine in self._all if machine.group != "published"]
        self._here = [facts.here(records, machine.id, machine.name) for machine in self._machines]
        every: Sequence[Any] = (*records.measurements, *records.components, *records.counts, *records.predictions)
        sorts = {record.case.algorithm for record in every}
        self._sort_files = file_names(sorts)
        self._algorithm_records: dict[str, dict[str, Any]] = records.algorithm_records
        self._environment = jinja2.Environment(
            loader=jinja2.FileSystemLoader([_PAGE, _TEMPLATES]), autoescape=True, trim_blocks=True, lstrip_blocks=True
        )
        css = (_TEMPLATES / "report.css").read_text(encoding="utf-8")
        colours = {"light": style.css(0), "dark": style.css(1), "figures": ""}
        self._css = jinja2.Template(css).render(**colours) + (_PAGE / "explorer.css").read_text(encoding="utf-8")

    def data(self) -> dict[str, str]:
        """The scripts of data, and the original records."""
        files = {"data/index.js": script("setIndex", self._index())}
        for machine in self._all:
            files[f"data/{machine.file}.js"] = machine.data
            lines = self._records.lines[machine.id]
            for part, first in enumerate(range(0, len(lines), LINES_A_FILE)):
                text = "".join(f"{line}\n" for line in lines[first : first + LINES_A_FILE])
                files[f"records/{machine.file}/{part}.js"] = packed("records", machine.file, part, text)
        return files

    def _index(self) -> dict[str, Any]:
        shown = [{name: value for name, value in asdict(m).items() if name != "data"} for m in self._all]
        sorts = [
            {"name": name, "title": known.title if (known := self._records.algorithms.get(name)) else "", "file": file}
            for name, file in self._sort_files.items()
        ]
        return {"machines": shown, "sorts": sorts, "kinds": KINDS, "linesAFile": LINES_A_FILE, "whole": WHOLE}

    def pages(self) -> dict[str, str]:
        everything = self._records.measurements
        counts = f"{len(self._machines)} machine{'s' * (len(self._machines) != 1)} · {len(self._sort_files)} sorts"
        counts += f" · {count_text(sum(m.ok for m in everything))} verified measurements"
        counts += f" · {count_text(len(self._records.predictions))} predictions"
        scripts = [f"explorer/{SCRIPTS[0]}", "data/index.js", _CHART, *(f"explorer/{name}" for name in SCRIPTS[1:])]
        boot = (_PAGE / "boot.js").read_text(encoding="utf-8").replace("SCRIPTS", str(scripts).replace("'", '"'))
        pages = {"index.html": self._page("index.html.j2", "", boot, counts=counts, kinds=KINDS)}
        sorts = [(name, file, self._records.algorithms.get(name)) for name, file in sorted(self._sort_files.items())]
        pages["algorithms.html"] = self._page("algorithms.html.j2", "", sorts=sorts, counts=counts)
        pages["machines.html"] = self._page("machines.html.j2", "", machines=self._machines, counts=counts)
        for name, file, _ in sorts:
            pages[f"algorithm/{file}.html"] = self._algorithm(name)
        for machine, here in zip(self._machines, self._here):
            pages[f"machine/{machine.file}.html"] = self._machine(machine, here)
        return pages

    def _page(self, template: str, root: str, boot: str = "", **values: Any) -> str:
        """A page; `root` is the relative path from it to the site's folder."""
        code = (_TEMPLATES / "report.js").read_text(encoding="utf-8") + boot
        digest = base64.b64encode(hashlib.sha256(code.encode()).digest()).decode()
        allowed = Markup(f"'sha256-{digest}'" + " 'strict-dynamic'" * bool(boot))
        made = {"css": Markup(self._css), "script": Markup(code), "allowed": allowed, "root": root}
        return str(self._environment.get_template(template).render(**made, **values))

    def _algorithm(self, name: str) -> str:
        known, record = self._records.algorithms.get(name), self._algorithm_records.get(name, {})
        found = [
            facts.parameters(self._here, name, record),
            facts.inputs(self._here, name),
            facts.model_error(self._here, name),
        ]
        if known:
            found.insert(0, facts.algorithm_facts(known, record))
        measured = [m for m in self._machines if name in self._sorts_measured_on(m)]
        values: dict[str, Any] = {"name": name, "known": known, "tables": found, "machines": measured}
        return self._page("algorithm.html.j2", "../", **values)

    def _sorts_measured_on(self, machine: Machine) -> set[str]:
        records = next(here.records for here in self._here if here.id == machine.id)
        return {m.case.algorithm for m in records.measurements}

    def _machine(self, machine: Machine, here: facts.OneMachine) -> str:
        profiles = facts.machine_profiles(self._profiles, machine.id)
        values: dict[str, Any] = {
            "machine": machine,
            "tables": facts.machine_tables(here),
            "error": facts.model_error([here]),
        }
        return self._page("machine.html.j2", "../", profiles=profiles, **values)
