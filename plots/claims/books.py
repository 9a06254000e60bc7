"""Finds the books of claims: those of ledger/, and claims*.json in folders of algorithms and of plug-ins."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable

from ..records.jsonl import Node, document
from ..records.folders import LEDGER
from ..records.roles import checked_roles, common_roles


@dataclass(frozen=True)
class Book:
    """The claims of one paper, and the sorts that they speak of (ledger/README.md)."""

    name: str  # what --paper takes: satish2010
    paper: str  # what the ids of its claims begin with: SAT
    title: str
    place: float  # among the books; those without one come last, by name
    claims: list[dict[str, Any]]
    sorts: dict[str, dict[str, Any]]  # by role
    where: str


def books(folders: Iterable[Path] = ()) -> list[Book]:
    """All books, in the report's order. Raises BadInput for a file that is not a book."""
    common = common_roles()
    found = [_book(file, file.stem, common) for file in sorted(LEDGER.glob("*.json"))]
    for folder in folders:
        found += [_book(file, folder.name, common) for file in sorted(folder.glob("claims*.json"))]
    return sorted(found, key=lambda book: (book.place, book.name))


def _book(file: Path, name: str, common: dict[str, dict[str, Any]]) -> Book:
    node = _object(file)
    for claim in node.objects("claims"):
        for field in ("id", "section", "platform", "proposition"):
            claim.prose(field)
        for part in claim.objects("parts"):
            part.object("query")
    place = node.number("place", optional=True)
    return Book(
        name=node.text("name", optional=True) or name,
        paper=node.text("paper"),
        title=node.prose("title"),
        place=math.inf if place is None else place,
        claims=node.value["claims"],
        sorts={**common, **checked_roles(node.object("sorts", optional=True))},
        where=node.where,
    )


def _object(file: Path) -> Node:
    return document(file, "", "an object of claims or sorts is wanted")
