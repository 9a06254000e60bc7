"""Least squares with coefficients of at least 0, for a handful of unknowns."""

from __future__ import annotations

from itertools import combinations
from typing import Optional, Sequence

_MOST = 8  # unknowns: every set of them is tried
_SINGULAR = 1e-9  # of a pivot, as a share of its column


def costs(rows: Sequence[Sequence[float]], totals: Sequence[float]) -> Optional[list[float]]:
    """The costs of at least 0 for which the rows come nearest to the totals, each in proportion to its total; None for
    fewer rows than unknowns that any row has, or too many unknowns. Of unknowns that the rows cannot tell apart some
    are left at 0."""
    width = len(rows[0]) if rows else 0
    used = [k for k in range(width) if any(row[k] for row in rows)]
    if not used or len(used) > _MOST or len(rows) < len(used) or not all(total > 0 for total in totals):
        return None
    scaled = [[row[k] / total for k in range(width)] for row, total in zip(rows, totals)]
    best: Optional[tuple[float, list[float]]] = None
    for size in range(len(used), 0, -1):
        for chosen in combinations(used, size):
            found = _solved(scaled, chosen)
            if found is None or min(found) < 0:
                continue
            miss = sum((sum(row[k] * x for k, x in zip(chosen, found)) - 1) ** 2 for row in scaled)
            if best is None or miss < best[0] * (1 - 1e-9):
                full = [0.0] * width
                for k, x in zip(chosen, found):
                    full[k] = x
                best = miss, full
        if best is not None and size == len(used):
            break  # without any bound in the way there is no nearer one
    return best[1] if best else None


def _solved(rows: Sequence[Sequence[float]], chosen: Sequence[int]) -> Optional[list[float]]:
    """The solution of the normal equations for totals of 1, or None where they are singular."""
    size = len(chosen)
    scale = [max(abs(row[k]) for row in rows) for k in chosen]
    columns = [[row[k] / s for row in rows] for k, s in zip(chosen, scale)]
    matrix = [[sum(a * b for a, b in zip(c, d)) for d in columns] + [sum(c)] for c in columns]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(matrix[r][i]))
        if abs(matrix[pivot][i]) < _SINGULAR * len(rows):
            return None
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        for r in range(size):
            if r != i:
                factor = matrix[r][i] / matrix[i][i]
                matrix[r] = [a - factor * b for a, b in zip(matrix[r], matrix[i])]
    return [matrix[i][size] / matrix[i][i] / s for i, s in enumerate(scale)]
