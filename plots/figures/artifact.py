"""A table or figure made from records: its caption, and its files as SVG, CSV, LaTeX and, if asked for, PNG and PDF."""

from __future__ import annotations

import io
import multiprocessing
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, Optional, Protocol, Sequence

from . import latex, svg
from .grid import Grid
from .layout import NARROW, WIDE, Drawing
from .style import applied
from .svg import Mark
from ..records.caption import Caption
from ..records.csv_text import csv_text
from ..records.whole_file import write_whole

_DPI = 180.0
_PIXELS = 60000  # Agg draws fewer than 2^16 on a side
_WORKERS = 8  # at most: a report has about as many large pictures


class Picture(Protocol):
    """A chart, bars, stacked bars, a heat map, a tornado chart or a grid."""

    @property
    def voices(self) -> set[str]:
        """Kinds of values that it shows: measured, published, predicted."""

    def drawing(self, width: float) -> Drawing:
        """The picture for a place `width` inches wide."""


class Texts(NamedTuple):
    """A picture as a report needs it."""

    wide: str  # SVG
    narrow: str  # SVG for a phone, if the page has this picture whole
    pieces: list[str]  # SVG of each panel, if the page arranges them
    latex: str


@dataclass
class Artifact:
    """`rows` are the CSV twin: every number the picture shows."""

    id: str  # SAT-T1
    title: str
    paper: str  # satish2010, or empty if it is this project's own
    caption: Caption
    header: Sequence[str]
    rows: Sequence[Sequence[Any]]
    picture: Picture
    table: str = ""  # LaTeX, in place of the picture
    _texts: Optional[Texts] = field(default=None, repr=False)

    @property
    def grid(self) -> Optional[Grid]:
        """The table that the page shows in place of the picture."""
        return self.picture if isinstance(self.picture, Grid) else None

    @property
    def texts(self) -> Texts:
        """The picture, drawn once."""
        if self._texts is None:
            self._texts = self._drawn()
        return self._texts

    @property
    def latex(self) -> str:
        return self.texts.latex

    def svg(self, width: float) -> str:
        known = {WIDE: self.texts.wide, NARROW: self.texts.narrow}.get(width)
        if known:
            return known
        drawing = self.picture.drawing(width)
        return svg.whole(drawing, svg.marks(drawing))

    def _drawn(self) -> Texts:
        """LaTeX is a table, or the panels as wide as a phone's, whose letters suit a column of text."""
        shown = wide = self.picture.drawing(WIDE)
        in_phone = in_page = svg.marks(wide)
        narrow, pieces = "", []
        if getattr(self.picture, "apart", False):
            pieces = svg.pieces(wide, in_page)
        elif self.grid is None:
            shown = self.picture.drawing(NARROW)
            in_phone = svg.marks(shown)
            narrow = svg.whole(shown, in_phone)
        return Texts(svg.whole(wide, in_page), narrow, pieces, self.table or self._latex(shown, in_phone))

    def _latex(self, drawing: Drawing, marks: Sequence[Sequence[Mark]]) -> str:
        caption = " ".join(text for text in (f"{self.title}.", self._marks_text, self.caption.text) if text)
        if hasattr(self.picture, "latex"):
            return str(self.picture.latex(caption, f"tab:{self.id}"))
        return latex.figure(drawing, marks, caption, f"fig:{self.id}")

    @property
    def is_measured(self) -> bool:
        """True if it shows anything measured on the machine of its records."""
        return "measured" in self.picture.voices

    @property
    def legend(self) -> str:
        """The part of the caption that the page shows: what is drawn, how to read it, and the machine."""
        return " ".join(text for text in (self.caption.legend.strip(), self._marks_text, self.caption.machines) if text)

    @property
    def _marks_text(self) -> str:
        return self.grid.marks_text if self.grid else ""

    @property
    def notes(self) -> str:
        """The method and what is missing, which the page opens on demand."""
        empty = getattr(self.picture, "empty", [])
        missing = [f"Not measured here: {', '.join(empty)}."] if empty else []
        return " ".join([*([self.caption.notes] if self.caption.notes else []), *missing])

    def csv(self) -> str:
        return csv_text(self.header, self.rows)

    def write(self, folder: Path, also: Sequence[str] = ()) -> None:
        """Writes ID.svg, ID.csv and ID.tex, and as `also` what else Matplotlib writes: png, pdf."""
        folder.mkdir(parents=True, exist_ok=True)
        texts = {"svg": svg.file(self.svg(WIDE), f"{self.id}: {self.title}"), "csv": self.csv(), "tex": self.latex}
        for ending, text in texts.items():
            write_whole(folder / f"{self.id}.{ending}", text, durable=False)
        for ending in also:
            write_whole(folder / f"{self.id}.{ending}", _saved(self.picture.drawing(WIDE), ending), durable=False)


_SOLID, _DASHED = "solid, with intervals: measured", "dashed: predicted"


def looks_text(
    picture: Picture, published: str = "hollow: published", measured: str = _SOLID, predicted: str = _DASHED
) -> str:
    """A caption's sentence on how each kind of value looks; nothing of a kind that the picture does not show."""
    looks = {"published": published, "measured": measured, "predicted": predicted}
    told = [text for voice, text in looks.items() if text and voice in picture.voices]
    sentence = "; ".join(told)
    return (f"{sentence[:1].upper()}{sentence[1:]}. " if told else "") + moved_bars_text(picture)


def moved_bars_text(picture: Picture, what: str = "95 % intervals") -> str:
    """A caption's sentence on intervals that are drawn beside their points; empty if the picture has none."""
    moves = getattr(picture, "moves_bars", False)  # charts alone have it
    text = f"Upright bars: {what}, if longer than two dots; a short stroke leads to the bar’s own point. "
    return text if moves else ""


def from_picture(picture: Any, id_: str, title: str, paper: str, caption: Caption | str, whole: Any = None) -> Artifact:
    """The artifact that is one picture. Its numbers are the picture's own, or those of `whole`, of which it shows a
    part."""
    header, rows = (whole or picture).rows()
    caption = Caption(caption) if isinstance(caption, str) else caption
    return Artifact(id_, title, paper, caption, header, rows, picture)


def draw(artifacts: Sequence[Artifact]) -> dict[str, str]:
    """Draws the pictures of all artifacts, on the processors that this process may use. Returns the reason for each
    that cannot be drawn, by its id."""
    workers = (
        min(len(os.sched_getaffinity(0)), len(artifacts) // 4, _WORKERS) if hasattr(os, "sched_getaffinity") else 1
    )
    failed: dict[str, str] = {}
    if workers < 2:
        drawn = map(_draw, artifacts)
        failed = {artifact.id: found for artifact, found in zip(artifacts, drawn) if isinstance(found, str)}
        return failed
    context = multiprocessing.get_context("fork")  # a picture need not be picklable: workers inherit it
    with context.Pool(workers, _inherit, (artifacts,)) as pool:
        for artifact, texts in zip(artifacts, pool.imap(_draw_inherited, range(len(artifacts)))):
            if isinstance(texts, str):
                failed[artifact.id] = texts
            else:
                artifact._texts = texts
    return failed


_inherited: Sequence[Artifact] = ()


def _inherit(artifacts: Sequence[Artifact]) -> None:
    global _inherited
    _inherited = artifacts


def _draw_inherited(index: int) -> Texts | str:
    return _draw(_inherited[index])


def _draw(artifact: Artifact) -> Texts | str:
    """The picture, or the reason for which it cannot be drawn: odd values of a record must not end the others."""
    try:
        return artifact.texts
    except (ArithmeticError, ValueError, LookupError) as error:
        return f"{type(error).__name__}: {error}"


def _saved(drawing: Drawing, ending: str) -> bytes:
    """A drawing in light colours, without the time at which it was written."""
    stream = io.BytesIO()
    dpi = min(_DPI, _PIXELS / max(drawing.figure.get_size_inches()))
    metadata = {"png": {"Software": None}, "pdf": {"CreationDate": None}}[ending]
    with applied():
        drawing.figure.savefig(stream, format=ending, dpi=dpi, metadata=metadata)
    return stream.getvalue()
