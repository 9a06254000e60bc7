"""Texts of parameters and versions in tables: a sort's most frequent ones once, and in a row only the differences."""

from __future__ import annotations

from collections import Counter
from typing import Any, Iterable

from ..records.case import Case, settings_text


class Settings:
    """`usual` holds each sort's most frequent setting in the `cases`; ties go to the first.

    Without cases nothing is usual, and each row names all of its parameters.
    """

    def __init__(self, cases: Iterable[Case] = ()) -> None:
        counted: dict[str, Counter[str]] = {}
        versions: dict[str, Counter[str]] = {}
        parameters: dict[tuple[str, str], dict[str, Any]] = {}
        for case in cases:
            counted.setdefault(case.algorithm, Counter())[case.parameters_text] += 1
            parameters[case.algorithm, case.parameters_text] = case.parameters
            versions.setdefault(case.algorithm, Counter())[case.version] += 1
        self.usual = {name: parameters[name, settings.most_common(1)[0][0]] for name, settings in counted.items()}
        self.versions = {name: found.most_common(1)[0][0] for name, found in versions.items()}

    def version(self, case: Case) -> str:
        """The version if it is not the usual one; empty otherwise, or if the record names none."""
        return "" if case.version == self.versions.get(case.algorithm) else case.version

    def notes(self, case: Case) -> list[str]:
        """The parameters that differ from the usual ones, as the line below a sort's name; empty if none differs.

        "–" stands for a parameter that the record lacks because it is older than the parameter.
        """
        usual = self.usual.get(case.algorithm, {})
        differing = {name: value for name, value in case.parameters.items() if usual.get(name) != value}
        differing.update({name: "–" for name in usual.keys() - case.parameters.keys()})
        return [settings_text(differing)] if differing else []
