"""Folders of files that the package reads: beside it, as pip installs them, or in the checkout or share folder around
it."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[1]
ROOT = PACKAGE.parent
CHECKOUT = all((ROOT / folder).is_dir() for folder in ("configs", "generators"))


def _folder(installed: str, of_root: str) -> Path:
    beside = PACKAGE / installed
    return beside if beside.is_dir() else ROOT / of_root


PUBLISHED = _folder(
    "data/published", "results/published"
)  # the papers' numbers, and where papers disagree with themselves
SCHEMAS = _folder("data/schemas", "configs/schemas")
TEMPLATES = PACKAGE / "report/templates"
ALGORITHMS = ROOT / "algorithms"  # with artifacts and claims of their own; a checkout alone has it
# Default folder of output without --out: the checkout, or the current folder.
WRITTEN = ROOT if CHECKOUT else Path()


def visible_files(folder: Path, pattern: str) -> list[Path]:
    """Files of a folder that match, by path, without hidden ones and those in hidden folders: macOS writes `._x.jsonl`
    beside x.jsonl on other file systems. The program has the same rule (core/visible_files.hpp)."""
    found = (file for file in folder.glob(pattern) if file.is_symlink() or not file.is_dir())
    return sorted(f for f in found if not any(part.startswith(".") for part in f.relative_to(folder).parts))
