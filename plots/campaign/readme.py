"""The README of a campaign's folder, made from its manifest alone."""

from __future__ import annotations

import re
from collections import Counter
from typing import Any, Mapping

from ..records.bounds import clean


def readme(manifest: Mapping[str, Any]) -> str:
    machine, build = manifest["machine"], manifest["build"]
    name = _plain(" and ".join(filter(None, (machine["name"], ", ".join(machine["gpus"])))))
    lines = [
        f"# Reference of {name}",
        "",
        f"{_plain(manifest['title'])}. Made by `sortlab campaign` from `{manifest['campaign']['file']}`; "
        "`manifest.json` has the commands and the checksums of all files.",
        "",
        *_facts(manifest, build),
        "",
        "| step | minutes | configs | outcome |",
        "|---|---|---|---|",
    ]
    for step in manifest["steps"]:
        configs = ", ".join(f"`{_plain(path)}`" for path in step["configs"]) or "–"
        outcome = _plain("; ".join(filter(None, (step["state"], step["note"]))))
        lines.append(
            f"| {step['name']} | {step['spent_s'] / 60:.1f} of {step['bound_s'] / 60:g} | {configs} | {outcome} |"
        )
    lines += ["", *_order(manifest), "", *_again(manifest), *_changed(manifest)]
    lines += ["| file | SHA-256 |", "|---|---|"]
    lines += [f"| `{_plain(file)}` | `{digest[:16]}…` |" for file, digest in sorted(manifest["files"].items())]
    return "\n".join(lines) + "\n"


def _facts(manifest: Mapping[str, Any], build: Mapping[str, Any]) -> list[str]:
    peers = [f"{name} {sort['version']}" for name, sort in sorted(build["sorts"].items()) if sort["version"]]
    libraries = [f"{name} {version}" for name, version in (build["libraries"] or {}).items()]
    facts = {
        "machine": f"`{manifest['machine']['id']}`, kind {manifest['machine']['kind']}",
        "commit": f"`{manifest['commit']}`, without changes",
        "measured": f"{manifest['began']} to {manifest['ended']}, in {manifest['slices']} slices",
        "compiler": f"{build['compiler']} {build['flags'] or ''}",
        "libraries": ", ".join(libraries),
        "driver": f"CUDA {build['driver']}" if build["driver"] else "",
        "sorts of others": ", ".join(peers),
        "cells": "{timed} with a time, {disturbed} of them disturbed".format(**manifest["cells"]),
        "seeds": ", ".join(map(str, manifest["seeds"])),
    }
    return [f"- {name}: {_plain(text.strip())}" for name, text in facts.items() if text.strip()]


def _order(manifest: Mapping[str, Any]) -> list[str]:
    if not manifest["predictions"]:
        return ["No step predicted anything."]
    made = ", ".join(f"`{one['file']}`" for one in manifest["predictions"])
    return [
        f"Predictions ({made}) were made after the calibration and before their cells were measured: the config that "
        "each run names in its header is called after the SHA-256 of its predictions."
    ]


def _again(manifest: Mapping[str, Any]) -> list[str]:
    again = manifest["again"]
    if not again:
        return ["No cell was measured again.", ""]
    why = Counter(re.sub(r"(: [^:]*)? [\d.]+ %.*", "", one["why"]) for one in again)  # without its figures
    reasons = "; ".join(f"{cells} since {reason}" for reason, cells in sorted(why.items()))
    return [f"{len(again)} cells were measured again: {_plain(reasons)}.", ""]


def _changed(manifest: Mapping[str, Any]) -> list[str]:
    names = ", ".join(f"`{_plain(name)}`" for name in manifest["changed_since"])
    return [f"Changed since, so that these records are of an older build of them: {names}.", ""] if names else []


def _plain(text: str) -> str:
    """Text that Markdown does not take for markup."""
    return re.sub(r"[|<>*\[\]]", lambda found: f"&#{ord(found[0])};", clean(text))
