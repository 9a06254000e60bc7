"""Roles of sorts in the papers' tables and claims: the plug-ins that stand for each, and with which parameters."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any, Optional

from .collection import Records
from .jsonl import Node, document

ROLES = Path(__file__).with_name("roles.json")


def standing_for(
    records: Records, role: str, roles: Optional[dict[str, dict[str, Any]]] = None
) -> dict[str, dict[str, Any]]:
    """Returns the sorts that stand for a role, by name, each with its parameters in that role.

    A sort's record names its roles, or the role selects sorts by facts. A role's `form` are parameters that the sort
    must have whatever its record says. A role of `any_of` others has the sorts of all of
    them. `roles` defaults to roles.json.
    """
    facts = (common_roles() if roles is None else roles)[role]
    form = facts.get("form", {})
    if "any_of" in facts:
        known = common_roles() if roles is None else roles
        return {name: given for one in facts["any_of"] for name, given in standing_for(records, one, known).items()}
    if "facts" not in facts:
        return {name: {**parameters, **form} for name, parameters in records.standing_for(role).items()}
    found = {a.name for a in records.algorithms.values() if a.has(facts["facts"])}
    return {algorithm: dict(form) for algorithm in found - records.standing_for(facts.get("but_not", "")).keys()}


@functools.lru_cache(maxsize=1)
def common_roles() -> dict[str, dict[str, Any]]:
    """Returns the roles of roles.json."""
    return checked_roles(document(ROLES, "", "an object of roles is wanted"))


def checked_roles(node: Node) -> dict[str, dict[str, Any]]:
    """Returns the roles of a JSON object. Raises BadInput for one without a title."""
    for role in node.value:
        node.object(role).prose("title")
    return node.value
