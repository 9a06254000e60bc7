"""A claim: one function of one machine's runs, whose docstring is the paper's sentence."""

from __future__ import annotations

import inspect
from dataclasses import dataclass
from typing import Callable, Iterable, Iterator, Union

from .selection import Runs
from .verdicts import Answer

PLATFORMS = ("cpu", "gpu", "many-core", "cpu+gpu", "arithmetic")


@dataclass(frozen=True)
class Part:
    """One of several conditions of a claim."""

    name: str
    answer: Answer
    config: str = ""  # measures it, if another than the claim's
    figure_of: str = ""  # the machine to which the paper's absolute figure belongs: shown, not testable on another
    beside: bool = False  # shown beside the claim, decides nothing
    adapted: str = ""  # stand-in for the paper's own, beside those that its roles name
    machine: str = ""  # one that can measure it, if what its sorts need says too little
    told: bool = False  # in the claim's sentence though it decides nothing, even with the claim's own verdict
    group: str = ""  # names the parts that a sentence of what was found tells together


Parts = Iterator[Part]
Find = Callable[[Runs], Union[Answer, Iterable[Part]]]


@dataclass(frozen=True)
class Claim:
    """A sentence of a paper, and the function that finds from records whether it holds."""

    id: str
    section: str
    platform: str  # the paper's; "arithmetic" if the claim needs no machine
    sentence: str  # the paper's statement in one plain sentence
    quote: str  # the same in the paper's words
    config: str  # measures what decides it
    inconsistency: str  # id of the paper's disagreement with itself, or empty
    find: Find

    def parts(self, runs: Runs) -> tuple[Part, ...]:
        found = self.find(runs)
        return (Part("", found),) if isinstance(found, Answer) else tuple(found)


@dataclass(frozen=True)
class Paper:
    """A paper whose claims a module or package holds, as its constant PAPER."""

    prefix: str  # begins the claims' ids: "SAT"
    title: str
    own: bool = False  # statements of this project, which no paper makes: counted apart
    place: float = float("inf")  # in the report; papers without one come last, by name
    name: str = ""  # as --paper takes it, by default the name of the module or of the plug-in's folder


def claim(
    id_: str,
    section: str,
    platform: str,
    config: str = "",
    inconsistency: str = "",
    quote: str = "",
) -> Callable[[Find], Claim]:
    """Makes a claim of a function that returns an answer or yields parts. `quote` is verbatim, with … for what is left
    out. Raises ValueError for one without a sentence or of an unknown platform."""
    if platform not in PLATFORMS:
        raise ValueError(f"{id_}: platform must be one of {', '.join(PLATFORMS)}")

    def made(find: Find) -> Claim:
        sentence = " ".join((inspect.getdoc(find) or "").split())
        if not sentence:
            raise ValueError(f"{id_}: its function needs the sentence as docstring")
        return Claim(id_, section, platform, sentence, quote, config, inconsistency, find)

    return made


def part(
    name: str,
    answer: Answer,
    config: str = "",
    figure_of: str = "",
    adapted: str = "",
    machine: str = "",
    group: str = "",
    told: bool = False,
) -> Part:
    return Part(name, answer, config, figure_of, adapted=adapted, machine=machine, group=group, told=told)


def beside(
    name: str, answer: Answer, config: str = "", adapted: str = "", machine: str = "", told: bool = False
) -> Part:
    """A part that uses an opponent at hand in place of the paper's own, or asks for more than the paper says: it is
    shown beside the claim and decides nothing."""
    return Part(name, answer, config, beside=True, adapted=adapted, machine=machine, told=told)
