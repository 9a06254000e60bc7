"""Finds the books of claims: those of ledger/, and claims*.json in folders of algorithms and of plug-ins."""

from __future__ import annotations

import functools
import math
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Iterable, Optional

from .jsonl import Node, document
from .places import LEDGER
from .records import Records

_SORTS = LEDGER / "sorts.json"


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
    common = _common()
    found = [_book(file, file.stem, common) for file in sorted(LEDGER.glob("*.json")) if file != _SORTS]
    for folder in folders:
        found += [_book(file, folder.name, common) for file in sorted(folder.glob("claims*.json"))]
    return sorted(found, key=lambda book: (book.place, book.name))


def standing_for(
    records: Records, role: str, sorts: Optional[dict[str, dict[str, Any]]] = None
) -> dict[str, dict[str, Any]]:
    """The sorts that stand for a role of `sorts`, else of sorts.json, by name, each with the parameters that it then
    has: those that say so themselves, or those that the role's facts fit."""
    of = (_common() if sorts is None else sorts)[role]
    if "facts" not in of:
        return records.standing_for(role)
    found = {a.name for a in records.algorithms.values() if a.has(of["facts"])}
    return {algorithm: {} for algorithm in found - records.standing_for(of.get("but_not", "")).keys()}


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
        sorts={**common, **_sorts(node.object("sorts", optional=True))},
        where=node.where,
    )


@functools.lru_cache(maxsize=1)
def _common() -> dict[str, dict[str, Any]]:
    """The roles of sorts.json."""
    return _sorts(_object(_SORTS))


def _sorts(node: Node) -> dict[str, dict[str, Any]]:
    for role in node.value:
        node.object(role).prose("title")
    return node.value


def _object(file: Path) -> Node:
    return document(file, "", "an object of claims or sorts is wanted")
