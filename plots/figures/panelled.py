"""Pictures made of panels. A panel without any value is left out, unless all of them are."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Generic, Protocol, Sequence, TypeVar


class PanelOfValues(Protocol):
    @property
    def filled(self) -> bool:
        """True if the panel has a value."""


P = TypeVar("P", bound=PanelOfValues)


@dataclass(frozen=True)
class Panelled(Generic[P]):
    panels: Sequence[P]

    @property
    def drawn(self) -> list[P]:
        """The panels with a value, or all of them if none has any."""
        return [panel for panel in self.panels if panel.filled] or list(self.panels)
