"""CALLED: host sorts as they are timed, and as a program calls them: scratch made inside, the result moved back."""

from __future__ import annotations

from ...analysis import provenance
from ...records.caption import Caption
from ...figures.artifact import Artifact, from_picture
from ...figures.stacks import Stack, StackPanel, Stacks
from ...figures.style import series
from ...records.collection import Records
from ...records.measurement import Measurement, fastest_by
from ...records.quantities import count_text, threads_text

_PANELS = 3  # kinds of input and numbers of threads shown
_SORTS = 12  # bars of a panel
_TIMED = "as timed"
_ADDED = "added by a program's call"
_Kind = tuple[str, int, int]  # type, elements, threads


def make(records: Records) -> list[Artifact]:
    by_kind: dict[_Kind, list[Measurement]] = {}
    for m in records.ok(distribution="uniform"):
        if m.called_s is not None and m.case.n and not m.disturbed:
            by_kind.setdefault((m.case.type_name, m.case.n, m.case.threads), []).append(m)
    fastest = {kind: list(fastest_by(found, _sort).values()) for kind, found in by_kind.items()}
    # The kinds that most sorts were measured on, and of these the largest.
    most = sorted(fastest, key=lambda kind: (-len(fastest[kind]), -kind[1], kind))[:_PANELS]
    shown = {kind: sorted(fastest[kind], key=_called)[:_SORTS] for kind in sorted(most)}
    measured = [m for of in shown.values() for m in of]
    if not measured:
        return []
    panels = [StackPanel(_title(kind), [_stack(m) for m in of]) for kind, of in shown.items()]
    picture = Stacks(panels, {_TIMED: series(0), _ADDED: series(1)}, "ns per element")
    caption = Caption(
        "Sorts on the host on uniform keys, in the order of the time that a program's call takes. Lower part: the sort "
        "as timed everywhere else, with scratch memory made and touched before; upper part: what it takes to make "
        "that memory inside the call and to move the result to the input's array. "
    )
    title = "Sorts as a program calls them"
    return [from_picture(picture, "CALLED", title, "", caption + provenance.caption(records, measured, []))]


def _sort(m: Measurement) -> str:
    return m.case.algorithm


def _called(m: Measurement) -> float:
    return m.called_s or 0


def _title(kind: _Kind) -> str:
    return f"{kind[0]}, {count_text(kind[1])}, {threads_text(kind[2])}"


def _stack(m: Measurement) -> Stack:
    assert m.seconds is not None and m.called_s is not None
    scale = 1e9 / m.case.n
    added = m.called_s - m.seconds.value
    return Stack(
        _sort(m), {_TIMED: scale * m.seconds.value, **({_ADDED: scale * added} if added > 0 else {})}, sources=[m]
    )


ARTIFACTS = {"CALLED": make}
