"""Non-negative least squares for a handful of unknowns (Lawson and Hanson 1974, chapter 23)."""

from __future__ import annotations

from typing import Optional, Sequence

_SINGULAR = 1e-9  # least pivot of columns whose largest element is 1
_NEARER = 1e-9  # least gain per row for which another column is taken


def costs(rows: Sequence[Sequence[float]], totals: Sequence[float]) -> Optional[list[float]]:
    """Non-negative costs that minimise the squared relative errors of the totals.

    None if there are fewer rows than unknowns. Unknowns that the rows cannot tell apart may be left at 0.
    """
    width = len(rows[0]) if rows else 0
    used = [k for k in range(width) if any(row[k] for row in rows)]
    if not used or len(rows) < len(used) or not all(total > 0 for total in totals):
        return None
    columns = [[row[k] / total for row, total in zip(rows, totals)] for k in used]
    scales = [max(column) for column in columns]
    columns = [[x / scale for x in column] for column, scale in zip(columns, scales)]
    found = [0.0] * width
    for k, x, scale in zip(used, _nearest(columns, len(rows)), scales):
        found[k] = x / scale
    return found


def _nearest(columns: Sequence[Sequence[float]], height: int) -> list[float]:
    """Non-negative factors for which the weighted sum of the columns is nearest to a vector of ones."""
    factors = [0.0] * len(columns)
    free: list[int] = []  # columns with a factor above 0
    barred: set[int] = set()  # columns that depend on the free ones
    for _ in range(10 * len(columns)):
        missing = [1 - sum(f * c[i] for f, c in zip(factors, columns)) for i in range(height)]
        gains = {
            k: sum(m * x for m, x in zip(missing, column))
            for k, column in enumerate(columns)
            if k not in free and k not in barred
        }
        best = max(gains, key=lambda k: gains[k], default=None)
        if best is None or gains[best] <= _NEARER * height:
            break
        free.append(best)
        wanted = _solved([columns[k] for k in free])
        if wanted is None or wanted[-1] <= 0:
            barred.add(free.pop())
            continue
        while min(wanted) <= 0:  # step until the first factor reaches 0, and fix that one at 0
            step, first = min((factors[k] / (factors[k] - w), k) for k, w in zip(free, wanted) if w <= 0)
            for k, w in zip(free, wanted):
                factors[k] += step * (w - factors[k])
            factors[first] = 0.0
            free.remove(first)
            wanted = _solved([columns[k] for k in free]) or [factors[k] for k in free]
        for k, w in zip(free, wanted):
            factors[k] = w
        barred.clear()
    return factors


def _solved(columns: Sequence[Sequence[float]]) -> Optional[list[float]]:
    """Factors of least squared distance from a vector of ones, or None if the columns are dependent."""
    size = len(columns)
    matrix = [[sum(a * b for a, b in zip(c, d)) for d in columns] + [sum(c)] for c in columns]
    for i in range(size):
        pivot = max(range(i, size), key=lambda r: abs(matrix[r][i]))
        if abs(matrix[pivot][i]) < _SINGULAR:
            return None
        matrix[i], matrix[pivot] = matrix[pivot], matrix[i]
        for r in range(size):
            if r != i:
                factor = matrix[r][i] / matrix[i][i]
                matrix[r] = [a - factor * b for a, b in zip(matrix[r], matrix[i])]
    return [matrix[i][size] / matrix[i][i] for i in range(size)]
