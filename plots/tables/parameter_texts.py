"""Parameters as tables name them: of each sort its most frequent setting once, and of a row only what differs."""

from __future__ import annotations

from collections import Counter
from typing import Any, Iterable

from ..records.case import Case, settings_text


class Settings:
    """`usual` is each sort's most frequent setting in the `cases`, of several as frequent the first. Without cases
    nothing is usual, and each row names all of its parameters."""

    def __init__(self, cases: Iterable[Case] = ()) -> None:
        counted: dict[str, Counter[str]] = {}
        parameters: dict[tuple[str, str], dict[str, Any]] = {}
        for case in cases:
            counted.setdefault(case.algorithm, Counter())[case.parameters_text] += 1
            parameters[case.algorithm, case.parameters_text] = case.parameters
        self.usual = {name: parameters[name, of.most_common(1)[0][0]] for name, of in counted.items()}

    def notes(self, case: Case) -> list[str]:
        """What stands below a sort's name: those of its parameters that are not usual, and "–" for a usual one that
        the record lacks, which is older than the parameter; nothing if all are usual."""
        usual = self.usual.get(case.algorithm, {})
        differing = {name: value for name, value in case.parameters.items() if usual.get(name) != value}
        differing.update({name: "–" for name in usual.keys() - case.parameters.keys()})
        return [settings_text(differing)] if differing else []
