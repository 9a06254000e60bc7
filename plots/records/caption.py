"""The caption of an artifact in parts: the page shows the first, and opens the others on demand."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Union


@dataclass(frozen=True)
class Caption:
    """`+` joins two captions part by part; a text joins the notes."""

    legend: str = ""  # two sentences: what is drawn, and how to read it
    notes: str = ""  # the method, and what is missing
    machines: str = ""  # the machine or machines of what is shown
    provenance: str = ""  # samples, commits and profiles

    def __add__(self, more: Union["Caption", str]) -> "Caption":
        if isinstance(more, str):
            more = Caption(notes=more)
        return Caption(
            _joined(self.legend, more.legend),
            _joined(self.notes, more.notes),
            _joined(self.machines, more.machines),
            _joined(self.provenance, more.provenance),
        )

    def __radd__(self, notes: str) -> "Caption":
        return Caption(notes=notes) + self

    @property
    def text(self) -> str:
        """The whole caption: sentences, machines and provenance, a line each."""
        return "\n".join([_joined(self.legend, self.notes), self.machines, self.provenance]).rstrip()


def _joined(*texts: str) -> str:
    return " ".join(text.strip() for text in texts if text.strip())
