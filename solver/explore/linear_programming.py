"""Linear programs solved exactly, in fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

Sparse = dict[int, Fraction]


class Unbounded(ValueError):
    """There is no most."""


def maximise(
    goal: Mapping[int, Fraction],
    rows: Sequence[Mapping[int, Fraction]],
    limits: Sequence[Fraction],
    columns: int,
    pause: Callable[[], None] = lambda: None,
) -> tuple[list[Fraction], list[Fraction]]:
    """The most of a sum of unknowns not below 0, each row of which stays within its limit (not below 0).

    Gives the unknowns (so many `columns`), and for each row what one more of its limit is worth (the dual
    solution). The simplex method with the smallest index first (Bland 1977), so it ends.
    """
    table = [_copied(row) | {columns + i: Fraction(1)} for i, row in enumerate(rows)]
    values = [Fraction(limit) for limit in limits]
    basis = [columns + i for i in range(len(rows))]
    cost: Sparse = {j: -x for j, x in goal.items() if x}
    while True:
        pause()
        entering = min((j for j, x in cost.items() if x < 0), default=None)
        if entering is None:
            break
        ratios = [
            (values[i] / x, basis[i], i) for i, row in enumerate(table) if (x := row.get(entering, 0)) > 0
        ]
        if not ratios:
            raise Unbounded("no row holds the unknown back")
        _, _, leaving = min(ratios)
        _pivot(table, values, cost, leaving, entering)
        basis[leaving] = entering
    result = dict(zip(basis, values, strict=True))
    unknowns = [result.get(j, Fraction()) for j in range(columns)]
    return unknowns, [cost.get(columns + i, Fraction()) for i in range(len(rows))]


def _copied(row: Mapping[int, Fraction]) -> Sparse:
    return {j: Fraction(x) for j, x in row.items() if x}


def _pivot(table: list[Sparse], values: list[Fraction], cost: Sparse, at: int, entering: int) -> None:
    pivot = table[at][entering]
    row = table[at] = {j: x / pivot for j, x in table[at].items()}
    values[at] /= pivot
    for i, other in enumerate(table):
        factor = other.get(entering)
        if i != at and factor:
            values[i] -= factor * values[at]
            _subtract(other, factor, row)
    factor = cost.get(entering)
    if factor:
        _subtract(cost, factor, row)


def _subtract(other: Sparse, factor: Fraction, row: Sparse) -> None:
    for j, x in row.items():
        left = other.get(j, 0) - factor * x
        if left:
            other[j] = Fraction(left)
        else:
            other.pop(j, None)
