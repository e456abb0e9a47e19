"""Linear programs solved exactly, in fractions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

Sparse = dict[int, Fraction]


class UnboundedObjective(ValueError):
    """Raised if the objective has no maximum."""


def maximise(
    goal: Mapping[int, Fraction],
    rows: Sequence[Mapping[int, Fraction]],
    limits: Sequence[Fraction],
    columns: int,
    pause: Callable[[], None] = lambda: None,
) -> tuple[list[Fraction], list[Fraction]]:
    """Maximise a sum of nonnegative unknowns, with each row at most its limit (at least 0).

    Returns the unknowns (`columns` of them), and for each row the gain from raising its limit by one (the
    dual solution). Simplex method with the smallest index first (Bland 1977), so it terminates.

    Raises UnboundedObjective.
    """
    table: list[Sparse] = [
        {j: Fraction(x) for j, x in row.items() if x} | {columns + i: Fraction(1)}
        for i, row in enumerate(rows)
    ]
    table.append({j: Fraction(-x) for j, x in goal.items() if x})
    values = [*map(Fraction, limits), Fraction()]
    basis = [columns + i for i in range(len(rows))]
    while (entering := min((j for j, x in table[-1].items() if x < 0), default=None)) is not None:
        pause()
        column = ((i, row.get(entering, 0)) for i, row in enumerate(table[:-1]))
        ratios = [(values[i] / x, basis[i], i) for i, x in column if x > 0]
        if not ratios:
            raise UnboundedObjective("no row holds the unknown back")
        *_, leaving = min(ratios)
        _pivot(table, values, leaving, entering)
        basis[leaving] = entering
    result = dict(zip(basis, values, strict=False))
    unknowns = [result.get(j, Fraction()) for j in range(columns)]
    return unknowns, [table[-1].get(columns + i, Fraction()) for i in range(len(rows))]


def _pivot(table: list[Sparse], values: list[Fraction], at: int, entering: int) -> None:
    """Solve a row for an unknown, and substitute the solution in all other rows."""
    pivot = table[at][entering]
    row = table[at] = {j: x / pivot for j, x in table[at].items()}
    values[at] /= pivot
    for i, other in enumerate(table):
        factor = other.get(entering)
        if i == at or not factor:
            continue
        values[i] -= factor * values[at]
        for j, x in row.items():
            left = other.get(j, 0) - factor * x
            if left:
                other[j] = Fraction(left)
            else:
                other.pop(j, None)
