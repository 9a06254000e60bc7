"""Records with their provenance as a Process Run Crate: which run of which build made which file.

RO-Crate 1.1 with the profile Process Run Crate 0.5. The entities are made here; the library rocrate writes them.
"""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Sequence

from ..records.collection import Records
from ..records.run import Run
from . import machine_facts
from .kept_files import KeptFile, contents_text

PROFILE = "https://w3id.org/ro/wfrun/process/0.5"
LIBRARY = "rocrate"
MEDIA_TYPES = {".jsonl": "application/jsonl", ".json": "application/json", ".md": "text/markdown", ".tex": "text/x-tex"}
_COMMIT = re.compile(r"[0-9a-f]{40}")

Properties = dict[str, Any]


@dataclass
class Entities:
    """The crate's entities by id: files, contextual ones, and the properties of its root."""

    root: Properties = field(default_factory=dict)
    files: dict[str, Properties] = field(default_factory=dict)
    others: dict[str, Properties] = field(default_factory=dict)

    def refer(self, id_: str, properties: Properties) -> Properties:
        """Adds a contextual entity, if it is new, and returns the reference to it."""
        self.others.setdefault(id_, properties)
        return reference(id_)


@dataclass(frozen=True)
class About:
    """Facts of a crate that its records do not hold."""

    title: str
    authors: Sequence[str]
    license: str
    date: str  # publication, as in ISO 8601
    url: str = ""  # address of Sortlab's sources


def reference(id_: str) -> Properties:
    return {"@id": id_}


def is_available() -> bool:
    """True if the library that writes crates is installed."""
    return importlib.util.find_spec(LIBRARY) is not None


def entities(records: Records, kept: Sequence[KeptFile], texts: Sequence[str], about: About) -> Entities:
    """The crate of these files, and of `texts`, files that were written from them."""
    made = Entities()
    people = [made.refer(*_author(name)) for name in about.authors]
    made.refer(PROFILE, {"@type": "CreativeWork", "name": "Process Run Crate", "version": "0.5"})
    machine = made.refer(*_machine(records))
    for file in kept:
        made.files[file.place] = {**_file(file), "about": machine}
    for name in texts:
        made.files[name] = _text(name)
    actions = [_action(made, records, run, kept, people, about) for run in records.runs]
    actions += _predictions(made, kept, people, about)
    facts = {**machine_facts.hardware(records), **machine_facts.effort(records)}
    made.root = {
        "name": about.title,
        "description": "Records of verified measurements of sorts: "
        + "; ".join(f"{name.lower()}: {text}" for name, text in facts.items()),
        "datePublished": about.date,
        "license": made.refer(*_license(about.license)),
        "author": people,
        "conformsTo": reference(PROFILE),
        "mentions": [action for action in actions if action],
    }
    return made


def _author(name: str) -> tuple[str, Properties]:
    family, comma, given = (part.strip() for part in name.partition(","))
    id_ = "#" + re.sub(r"\W+", "-", name).strip("-")
    if not comma:
        return id_, {"@type": "Organization", "name": family}
    return id_, {"@type": "Person", "name": f"{given} {family}", "familyName": family, "givenName": given}


def _license(name: str) -> tuple[str, Properties]:
    return f"https://spdx.org/licenses/{name}", {"@type": "CreativeWork", "name": name, "description": f"SPDX: {name}"}


def _machine(records: Records) -> tuple[str, Properties]:
    facts = machine_facts.hardware(records)
    described = "; ".join(f"{name}: {text}" for name, text in facts.items())
    name = facts.get("Processor", "") or str(records.machine)
    return f"#{records.machine}", {"@type": "IndividualProduct", "name": name, "description": described}


def _file(file: KeptFile) -> Properties:
    what = f"profile of {file.profile}" if file.profile else contents_text(file.kinds)
    return {
        "name": file.place.rpartition("/")[2],
        "description": f"Machine profile: rates of {file.profile}" if file.profile else f"Records: {what}",
        "encodingFormat": MEDIA_TYPES[Path(file.place).suffix],
        "contentSize": str(len(file.content)),
        "sha256": file.sha256,
    }


def _text(name: str) -> Properties:
    known = {"appendix.md": "Appendix, Markdown", "appendix.tex": "Appendix, LaTeX", "CITATION.cff": "How to cite"}
    return {"name": name, "description": known[name], "encodingFormat": MEDIA_TYPES.get(Path(name).suffix, "text/yaml")}


def _action(
    made: Entities, records: Records, run: Run, kept: Sequence[KeptFile], people: Sequence[Properties], about: About
) -> Properties:
    """The run that made some of the files; a run without a measurement in them is no action."""
    results = [reference(file.place) for file in kept if run.run in file.runs]
    config = str(run.asked.get("config") or "")
    words = [str(word) for word in run.asked.get("command") or []]
    objects = []
    if config:
        digest = str(run.asked.get("config_digest") or "")
        value = {"@type": "PropertyValue", "name": "config", "value": f"{config}, digest {digest}"}
        objects.append(made.refer(f"#config-{config}-{digest}", value))
    action: Properties = {
        "@type": "CreateAction",
        "name": f"Measurement {run.run}",
        "description": f"{' '.join(words)}, on {run.machine_name}; built by {run.build.get('compiler')} "
        f"{run.build.get('flags') or ''}".strip(),
        "startTime": run.started.replace("Z", "+00:00"),
        "instrument": made.refer(*_software(run, about)),
        "agent": list(people),
        "result": results,
    }
    return made.refer(f"#run-{run.run}", {**action, "object": objects} if objects else action)


def _software(run: Run, about: About) -> tuple[str, Properties]:
    """The build of a run; its id is the persistent identifier of the commit (SWHID)."""
    commit, version = str(run.build.get("commit") or ""), str(run.build.get("version"))
    id_ = f"swh:1:rev:{commit}" if _COMMIT.fullmatch(commit) else f"#sortlab-{version}"
    dirty = ", with changes that no commit has" if run.build.get("dirty") else ""
    return id_, {
        "@type": "SoftwareApplication",
        "name": "Sortlab",
        "softwareVersion": version,
        "description": f"Commit {commit or 'unknown'}{dirty}",
        **({"url": about.url} if about.url else {}),
    }


def _predictions(
    made: Entities, kept: Sequence[KeptFile], people: Sequence[Properties], about: About
) -> list[Properties]:
    """An action for the predictions of each digest of models; they name no run."""
    found = []
    profiles = [reference(file.place) for file in kept if file.profile]
    for digest in dict.fromkeys(digest for file in kept for digest in file.models):
        models = {
            "@type": "SoftwareApplication",
            "name": "Sortlab's models",
            "softwareVersion": digest,
            **({"url": about.url} if about.url else {}),
        }
        action: Properties = {
            "@type": "CreateAction",
            "name": f"Prediction by models {digest}",
            "description": "sortlab predict: predicted times of the measured cells, from machine profiles",
            "instrument": made.refer(f"urn:sortlab:models:{digest}", models),
            "agent": list(people),
            "result": [reference(file.place) for file in kept if digest in file.models],
        }
        found.append(made.refer(f"#predict-{digest}", {**action, "object": profiles} if profiles else action))
    return found


def write(made: Entities, out: Path) -> None:
    """Writes ro-crate-metadata.json for the files that lie in `out` already."""
    from rocrate.model.contextentity import ContextEntity
    from rocrate.rocrate import ROCrate

    crate = ROCrate(gen_preview=False, version="1.1")
    for place, properties in made.files.items():
        crate.add_file(out / place, place, properties=_single(properties))
    for id_, properties in made.others.items():
        crate.add(ContextEntity(crate, id_, properties=_single(properties)))
    for name, value in _single(made.root).items():
        crate.root_dataset[name] = value
    crate.metadata.write(out)


def _single(properties: Properties) -> Properties:
    """A value in place of a list of one, as RO-Crate recommends."""
    lists = {name: value for name, value in properties.items() if isinstance(value, list) and len(value) == 1}
    return {**properties, **{name: value[0] for name, value in lists.items()}}
