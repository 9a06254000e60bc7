"""WHAT-IF: the effect of more or less of each resource on sorts, for each machine given to `sortlab what-if`."""

from __future__ import annotations

from typing import Sequence

from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture
from ...analysis.other_gpus import binding
from ...records.quantities import count_text, digits, seconds_text
from ...records.collection import Records
from ...figures.tornado import Swing, Tornado, TornadoPanel
from ...analysis.what_if import Question, questions

_LEAST = 0.003  # least change of the rate; smaller effects are in the CSV only


def make(records: Records) -> list[Artifact]:
    """A chart for each machine and factor: WHAT-IF, WHAT-IF-2 …"""
    by: dict[tuple[str, float], list[Question]] = {}
    for one in questions(records):
        good = max(max(of) for of in one.varied.values())
        by.setdefault((one.prediction.profile_name, good), []).append(one)
    return [
        _chart(f"WHAT-IF-{place}" if place > 1 else "WHAT-IF", machine, good, of)
        for place, ((machine, good), of) in enumerate(by.items(), 1)
    ]


def _chart(id_: str, machine: str, by: float, of: list[Question]) -> Artifact:
    tornado = Tornado([_panel(one, by) for one in of], by)
    shown = Tornado([TornadoPanel(p.title, p.note, _worth_showing(p.swings)) for p in tornado.panels], by)
    kinds = sorted({one.before.kind for one in of})
    caption = Caption(
        f"Speedup if one resource alone becomes {by:g} times as good (right of 1) or as bad (left). A better latency "
        f"is a shorter one.",
        f"Predicted by models of kind {' and '.join(kinds)} with one resource scaled "
        "(models/machines/README.md). Effects below 0.3 % are in the CSV only.",
    )
    made = from_picture(shown, id_, f"What more of each resource would do: {machine}", "", caption)
    made.header, made.rows = tornado.rows()
    return made


def _worth_showing(swings: Sequence[Swing]) -> list[Swing]:
    return [s for s in swings if max(abs(s.better - 1), abs(s.worse - 1)) >= _LEAST]


def _panel(one: Question, by: float) -> TornadoPanel:
    p = one.prediction
    swings = []
    for resource, of in one.varied.items():
        better, worse = of.get(by), of.get(1 / by)
        if better and worse:
            swings.append(Swing(resource, p.seconds / better.seconds, p.seconds / worse.seconds, binding([better])))
    swings.sort(key=lambda s: -s.span)
    c = p.case
    spread = "" if c.distribution == "uniform" else f", {c.distribution}"
    note = f"{c.type_name}, n = {count_text(c.n)}{spread}: {seconds_text(p.seconds)}, bound by {binding([p])}"
    if one.before is not p:
        note += f"; {digits(one.before.seconds / p.seconds)} × as fast as {one.before.profile_name}"
    return TornadoPanel(f"{c.algorithm}", note, swings)


TITLE = "What more or less of each resource would do"
COMMAND = "sortlab what-if --algorithm satish_cpu_radix --n 2^26"
ARTIFACTS = {"WHAT-IF*": make}
