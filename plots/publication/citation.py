"""CITATION.cff of a set of records: Citation File Format 1.2.0, a superset of which JSON values are."""

from __future__ import annotations

import json
import re
from typing import Any, Sequence

from ..records.collection import Records
from ..records.folders import PUBLISHED
from ..records.jsonl import BadInput

_LICENSE = re.compile(r"[A-Za-z0-9.+-]{1,64}")


def author(name: str) -> dict[str, str]:
    """A person, given as "Family, Given", or a group under its whole name."""
    family, comma, given = (part.strip() for part in name.partition(","))
    if not family or (comma and not given):
        raise BadInput(f"--author {name}: must be “Family, Given”, or a group's name")
    return {"family-names": family, "given-names": given} if comma else {"name": family}


def checked_license(name: str) -> str:
    """An SPDX identifier. Raises BadInput for what cannot be one."""
    if not _LICENSE.fullmatch(name):
        raise BadInput(f"--license {name}: must be an SPDX identifier, such as CC-BY-4.0 or Apache-2.0")
    return name


def citation(records: Records, title: str, authors: Sequence[str], license_: str, papers: Sequence[str]) -> str:
    """The file. `papers` are those whose claims are judged, as `published/` names them."""
    runs = records.runs
    newest = runs[-1].started[:10] if runs else ""
    lines = ["cff-version: 1.2.0", _member("title", title), "type: dataset"]
    lines.append(
        _member("message", "If you use these records, please cite them, and the paper whose algorithm you use.")
    )
    lines += [_member("license", license_)] + [_member("date-released", newest)] * bool(newest)
    lines.append("authors:")
    lines += [f"  - {_json(author(name))}" for name in authors]
    known = json.loads((PUBLISHED / "papers.json").read_text(encoding="utf-8"))
    of_papers = [known[paper] for paper in papers if paper in known]
    lines.append("references:")
    lines += [f"  - {_json(reference)}" for reference in [*_software(records), *of_papers]]
    return "\n".join(lines) + "\n"


def _software(records: Records) -> list[dict[str, Any]]:
    """Sortlab, once for each build that measured."""
    builds = dict.fromkeys((str(run.build.get("version")), str(run.build.get("commit") or "")) for run in records.runs)
    return [
        {
            "type": "software",
            "title": "Sortlab: runs, predicts and compares sorting algorithms",
            "authors": [{"name": "The Sortlab authors"}],
            "version": version,
            **({"commit": commit} if commit else {}),
        }
        for version, commit in builds
    ]


def _member(name: str, value: str) -> str:
    return f"{name}: {_json(value)}"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
