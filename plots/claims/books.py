"""Finds the claims of papers: in the modules and packages of this folder that have a PAPER, and in claims*.py of
folders of algorithms and of plug-ins."""

from __future__ import annotations

import importlib
import pkgutil
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Iterable, Sequence

from ..records.jsonl import Node
from ..records.plugin_modules import load
from ..records.roles import checked_roles, common_roles
from .claim import Claim, Paper
from .selection import Roles


@dataclass(frozen=True)
class Book:
    """The claims of one paper."""

    name: str  # as --paper takes it: satish2010
    paper: str  # prefix of the claims' ids: SAT
    title: str
    own: bool
    place: float
    claims: Sequence[Claim]
    roles: Roles
    where: str


def books(folders: Iterable[Path] = ()) -> list[Book]:
    """All books, in the report's order. Raises BadInput for a file that is not a book."""
    found = [_book(module, module.__name__.rpartition(".")[2]) for module in _papers()]
    for folder in folders:
        for file in sorted(folder.glob("claims*.py")):
            module = load(file, "PAPER", Paper, "a Paper (plots/claims/README.md)")
            found.append(_book(module, folder.name, str(file)))
    return sorted(found, key=lambda book: (book.place, book.name))


def _papers() -> list[ModuleType]:
    """The modules and packages of this folder that hold a paper's claims."""
    folder = Path(__file__).parent
    modules = [importlib.import_module(f".{found.name}", __package__) for found in pkgutil.iter_modules([str(folder)])]
    return [module for module in modules if hasattr(module, "PAPER")]


def _book(module: ModuleType, name: str, where: str = "") -> Book:
    paper, where = module.PAPER, where or name
    parts = pkgutil.iter_modules(getattr(module, "__path__", ()))
    modules = [module, *(importlib.import_module(f"{module.__name__}.{found.name}") for found in parts)]
    claims = [made for one in modules for made in vars(one).values() if isinstance(made, Claim)]
    roles = checked_roles(Node(getattr(module, "ROLES", {}), f"{where}: ROLES"))
    return Book(
        name=paper.name or name,
        paper=paper.prefix,
        title=paper.title,
        own=paper.own,
        place=paper.place,
        claims=sorted(claims, key=lambda one: int((re.search(r"\d+$", one.id) or ["0"])[0])),
        roles={**common_roles(), **roles},
        where=where,
    )
