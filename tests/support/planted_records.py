"""Reads planted records back as the renderer does, and the numbers of an artifact."""

import csv
import io
from pathlib import Path
from typing import Any, Dict, List

import synthetic_records as synthetic

from plots.claims import judgement
from plots.figures.artifact import Artifact
from plots.records.collection import Records, read

ROOT = Path(__file__).resolve().parents[2]
PUBLISHED = sorted((ROOT / "results" / "published").glob("*.jsonl"))


def read_planted(folder: Path, *records: Dict[str, Any], published: bool = False) -> Records:
    """The records of the synthetic machine, after a record of its run; with the papers' numbers if `published`."""
    file = synthetic.write(folder / "r.jsonl", [synthetic.run_record(), *records])
    return read([file, *(PUBLISHED if published else [])]).on(synthetic.MACHINE)


def claim_result(records: Records, claim: str) -> judgement.ClaimResult:
    (found,) = [r for r in judgement.judge(records) if r.id == claim]
    return found


def of_later_run(*cells: Dict[str, Any]) -> List[Dict[str, Any]]:
    later = {**synthetic.run_record(), "run": "20200102T000000Z-abcdef", "started": "2020-01-02T00:00:00Z"}
    return [later, *({**cell, "run": later["run"]} for cell in cells)]


def rows(artifact: Artifact) -> List[Dict[str, str]]:
    """The rows of the artifact's CSV, by column."""
    return list(csv.DictReader(io.StringIO(artifact.csv())))
