"""Budgets that count work, and an engine without processes of its own: nothing hangs on the clock."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from importlib.metadata import version
from math import inf

from pysat.solvers import Solver

from rulespec.budgets import Budget, OutOfBudget
from rulespec.solver.engines import selection
from rulespec.solver.formulas import case_splitting

ENGINE = "in-process"
"""The name under which the engine is installed."""
CONFLICTS = 20_000
"""The most conflicts of a question to the engine."""
NOMINAL = 10.0
"""The nominal seconds of a budget that counts work."""


class Work(Budget):
    """A budget of so many looks at it, whatever the clock says."""

    def __init__(self, looks: float, whole: Work | None = None) -> None:
        super().__init__(NOMINAL, whole=whole)
        self.looks, self.looked = looks, 0

    @property
    def seconds_left(self) -> float:
        """Seconds in name, in proportion to the looks that are left."""
        own = NOMINAL * max(0.0, 1 - self.looked / self.looks)
        return own if self.whole is None else min(own, self.whole.seconds_left)

    def part(self, share: float, most: float = inf) -> Budget:
        """A share of the looks that are left; `most` is in seconds in name."""
        left = max(0.0, self.looks - self.looked)
        return Work(max(1.0, min(left * share, most / NOMINAL * self.looks)), self)

    @property
    def exceeded_limit(self) -> str:
        """The limit that has run out, in words."""
        at: Budget | None = self
        while isinstance(at, Work):
            at.looked, at = at.looked + 1, at.whole
        return self.time_limit if self.seconds_left <= 0 else ""


class Session:
    """Clauses in MiniSat, in this process."""

    def __init__(self, memory: int | None = None, refutes: bool = False) -> None:
        self._solver = Solver(name="minisat22")
        self._true: set[int] = set()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""
        self._solver.append_formula(clauses)

    def solve(
        self, demanded: Sequence[int], seconds: float | None, one_of: Sequence[int] = ()
    ) -> bool | None:
        """True if the clauses can hold with these literals and one of `one_of`; None after too long."""
        found: bool | None = False
        for literals in [(x,) for x in one_of] or [()]:
            self._solver.conf_budget(CONFLICTS)
            answer = self._solver.solve_limited(assumptions=[*demanded, *literals])
            if answer:
                self._true = {x for x in self._solver.get_model() if x > 0}
                return True
            found = None if answer is None else found
        return found

    def model(self) -> set[int]:
        """The variables that are true in the last model."""
        return self._true


def name() -> str:
    """The engine's name and version."""
    return f"MiniSat 2.2 (python-sat {version('python-sat')})"


@contextmanager
def splitting(seldom: bool) -> Iterator[None]:
    """Split choices in formulas `seldom`, as is done only in games with many choices."""
    usual = case_splitting.SPLIT_ANYWAY, case_splitting.MANY_CASES
    if seldom:
        case_splitting.SPLIT_ANYWAY, case_splitting.MANY_CASES = 0, 3
    try:
        yield
    finally:
        case_splitting.SPLIT_ANYWAY, case_splitting.MANY_CASES = usual


@contextmanager
def installed() -> Iterator[None]:
    """The engine among those that can be named; outside of this nobody else finds it there."""
    selection.ENGINES[ENGINE] = ("pysat", __name__, "Session")
    try:
        yield
    finally:
        del selection.ENGINES[ENGINE]


__all__ = ["ENGINE", "OutOfBudget", "Session", "Work", "installed", "name"]
