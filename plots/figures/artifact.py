"""A table or figure made from records: its caption, and its files as SVG, CSV, LaTeX and, where asked for, PNG."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Callable, Optional, Protocol, Sequence

from . import svg
from .canvas import Figure
from .chart import Chart
from ..records.csv_text import csv_text

WIDE, NARROW = 10.5, 3.9  # inches: a page's width, a phone's


@dataclass
class Artifact:
    """`rows` are the CSV twin: every number the picture shows."""

    id: str  # SAT-T1
    title: str
    paper: str  # satish2010, or empty if it is this project's own
    caption: str
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    latex: str
    figure: Callable[[float], Figure]
    grid: Optional[Any] = None  # a table for the page, in place of the picture
    pieces: Callable[[float], list[Figure]] = lambda width: []  # the figure in pieces, if the page may arrange them
    _drawn: dict[float, Figure] = field(default_factory=dict, repr=False)
    _svgs: dict[float, str] = field(default_factory=dict, repr=False)

    def drawn(self, width: float) -> Figure:
        """The figure at this width in inches, drawn once."""
        if width not in self._drawn:
            self._drawn[width] = self.figure(width)
        return self._drawn[width]

    def svg(self, width: float) -> str:
        if width not in self._svgs:
            self._svgs[width] = svg.svg(self.drawn(width))
        return self._svgs[width]

    @property
    def explanation(self) -> str:
        """The sentences of the caption that say what is drawn and how to read it."""
        return self.caption.partition("\n")[0].strip()

    @property
    def provenance(self) -> str:
        """The last line of the caption: machines, samples, commits and profiles."""
        return self.caption.partition("\n")[2]

    def csv(self) -> str:
        return csv_text(self.header, self.rows)

    def write(self, folder: Path, as_png: bool = False) -> None:
        """Writes ID.svg, ID.csv and ID.tex, and ID.png where wanted."""
        folder.mkdir(parents=True, exist_ok=True)
        picture = self.drawn(WIDE)
        (folder / f"{self.id}.svg").write_text(svg.file(self.svg(WIDE), picture), encoding="utf-8")
        if as_png:
            from .png import png  # Matplotlib takes a second to load

            (folder / f"{self.id}.png").write_bytes(png(picture))
        (folder / f"{self.id}.csv").write_text(self.csv(), encoding="utf-8")
        (folder / f"{self.id}.tex").write_text(self.latex, encoding="utf-8")


class Picture(Protocol):
    """A chart, bars, stacked bars or a heat map: draws itself, gives its numbers and writes itself as LaTeX."""

    def rows(self) -> tuple[list[str], list[list[Any]]]:
        """Header, and one row per number."""

    def latex(self, caption: str, label: str) -> str:
        ...

    def figure(self, width: float) -> Figure:
        ...


def of_picture(picture: Picture, id_: str, title: str, paper: str, caption: str, kind: str = "fig") -> Artifact:
    """The artifact that is one picture; `kind` stands before its id in LaTeX's label."""
    header, rows = picture.rows()
    latex = picture.latex(f"{title}. {caption}", f"{kind}:{id_}")
    made = Artifact(id_, title, paper, caption, header, rows, latex, picture.figure)
    if isinstance(picture, Chart):
        made.pieces = picture.pieces
    return made
