"""Multipliers of invariants: the dual solution of a linear program (Farkas' lemma).

The maximum of a number under invariants that are linear in facts between 0 and 1 is a linear program; its
dual gives the multiplier of each invariant for the least bound.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain
from typing import Any

from rulespec.solver.evidence.linear_combination import KIND, added_up, contradicting, sums_of
from rulespec.solver.evidence.optimum import Scale
from rulespec.solver.evidence.problem import Answer, Case, Proof, helper_proofs
from rulespec.solver.explore.linear_programming import maximise
from rulespec.solver.formulas.linear.linear_cases import Case as Sums
from rulespec.solver.formulas.linear.linear_cases import Row

Times = list[list[Fraction]]
"""For each case, the multiplier of each of its rows."""


def least_bound(cases: Sequence[Sums]) -> tuple[Fraction | None, Times]:
    """The least bound that sums give, None without cases, and the multipliers for it."""
    times = [_dual(one.goal, one.rows) for one in cases]
    return added_up(cases, times), times


def first_rank(case: Case, scale: Scale) -> tuple[int, list[Proof]]:
    """The first rank of a best value that invariants do not exclude, and the evidence."""
    cases = sums_of(case)
    if not cases:
        return 0, []
    bound, times = least_bound(cases)
    assert bound is not None
    most = math.floor(bound)
    rank = scale.rank(most if scale.most else -most)
    return (rank, _proof(case, times, scale.value(rank - 1))) if 0 < rank <= scale.size else (0, [])


def contradiction(case: Case) -> Answer | None:
    """The answer to a reachability claim if invariants contradict the goal."""
    cases = sums_of(case)
    if cases is None:
        return None
    bound, times = least_bound(cases)
    return contradicting(case, _proof(case, times, None)) if bound is None or bound < 0 else None


def _proof(case: Case, times: Times, bound: int | None) -> list[Proof]:
    """The evidence that invariants exclude any value beyond a bound, or any value at all."""
    data: dict[str, Any] = {"times": [[str(x) for x in one] for one in times]}
    if bound is not None:
        data["bound"] = bound
    return [*helper_proofs(case, case.helper_names), Proof(KIND, data)]


def _dual(goal: Row, rows: Sequence[Row]) -> list[Fraction]:
    """The multipliers of rows that give the least bound. Facts with equal weights in all rows share one
    unknown."""
    keys = dict.fromkeys(chain(goal.facts, *(row.facts for row in rows)))
    alike = Counter(tuple(r.facts.get(key, 0) for r in (goal, *rows)) for key in keys)
    columns = list(alike)
    worth: dict[int, Fraction] = {j: Fraction(column[0]) for j, column in enumerate(columns)}
    table = [{j: Fraction(-column[i]) for j, column in enumerate(columns)} for i in range(1, len(rows) + 1)]
    limits = [Fraction(row.base) for row in rows]
    total = len(columns)
    great = sum((abs(x) * alike[columns[j]] for j, x in worth.items()), Fraction(1))
    short: dict[int, Fraction] = {}
    for i, row in enumerate(rows):
        if row.base < 0:  # an unknown that is as great as it can be once the row is not negative
            table[i][total] = Fraction(1)
            worth[total], short[total], limits[i] = great, Fraction(-row.base), Fraction(0)
            total += 1
    table += [{j: Fraction(1)} for j in range(total)]
    limits += [Fraction(alike[column]) for column in columns] + [short[j] for j in range(len(columns), total)]
    _, dual = maximise(worth, table, limits, total)
    return dual[: len(rows)]
