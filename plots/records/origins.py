"""Origins of sorts by their records: our own, a paper's, or a peer's that this project only calls.

A sort without a record counts as a peer.
"""

from __future__ import annotations

from typing import Callable, Optional

from .algorithm import OURS, PEER
from .collection import Records

PAPERS_RADIX = "cpu_buffer_radix"  # role of the paper's radix sort, shown beside our own


def is_peer(records: Records, algorithm: str) -> bool:
    known = records.algorithms.get(algorithm)
    return known is None or known.origin == PEER


def peers(records: Records, runs_on: str = "host") -> list[str]:
    """Names of the peers on the host or on a device that sort numbers, measured or not."""
    known = records.algorithms.values()
    return sorted(a.name for a in known if a.origin == PEER and a.runs_on == runs_on and a.sorts_numbers)


def flagship(records: Records, runs_on: str = "host") -> Optional[str]:
    """This project's own sort on the host or on a device: the one with most records, then the first by name."""
    own = [a.name for a in records.algorithms.values() if a.origin == OURS and a.runs_on == runs_on]
    cells = records.cells_by_sort
    return min(own, key=lambda name: (-cells[name], name)) if own else None


def papers_radix(records: Records) -> Optional[str]:
    return min(records.standing_for(PAPERS_RADIX), default=None)


def leading(records: Records) -> list[str]:
    """The known sorts with which others on the host are compared: our own, then the paper's radix sort."""
    return [name for name in (flagship(records), papers_radix(records)) if name]


def strong(records: Records) -> list[str]:
    """Sorts that charts draw heavier: our own, on the host and on a device."""
    return [name for name in (flagship(records), flagship(records, "device")) if name]


def order(records: Records) -> Callable[[str], tuple[int, str]]:
    """Sort key of names: the leading sorts and our own on a device first, then the others by name. It fixes their
    colours."""
    first = list(dict.fromkeys([*leading(records), *strong(records)]))
    return lambda name: (first.index(name) if name in first else len(first), name)
