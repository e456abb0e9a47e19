"""CaDiCaL, through python-sat: a configuration for finding models, and one for refuting; the first answer
counts. A third search refutes several literals together where the others ask one by one.

Before either runs in its own process, MiniSat has a moment to find a model, and then CaDiCaL one to answer,
which costs less than a process. Only CaDiCaL reports that there is no model.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from importlib.metadata import version
from math import inf
from multiprocessing.connection import wait

from pysat.solvers import Solver

from rulespec.budgets import Budget, ForkedCall, hold_to

MODELS = {"phase": 0, "stabilizeonly": 1}
"""Options for finding a model. Of the literals for the values of a thing all but one are false, so it
tries false first, and it keeps the best assignment so far; docs/decisions has measurements."""

REFUTATION = {"phase": 0, "stabilize": 0}
"""Options for refuting."""

QUICK_CLAUSES = 400_000
"""Maximum number of clauses that are solved in this process, within a limit of conflicts."""

QUICK_CONFLICTS, MOST_QUICK_CONFLICTS, QUICK_WORK = 200, 2000, 100_000_000
"""Maximum number of conflicts of a search in this process, for each of several literals: the first, or up to
the second while conflicts times clauses are at most `QUICK_WORK`."""

ALONE = 1.0
"""Seconds that the model finder runs alone before the other is started as well."""

SHORT, SHORT_ALONE = 10.0, 0.6
"""In a question with at most `SHORT` seconds, the first search runs alone for this share of them."""

ALONE_REFUTING = 10.0
"""The same for the refuter, if several literals are asked one by one, because most are refuted."""

ALONE_REPEATING = 60.0
"""The same for the refuter of an engine that `refutes`."""

Answer = tuple[bool, list[int]]
"""True if there is a model, and the variables that are true in it."""


class CadicalSession:
    """Clauses in CaDiCaL 1.9.5; questions that are not quick run in two differently configured copies.

    The search itself cannot be interrupted, so each question that takes more than some conflicts runs in
    forked copies, which share the clauses and can be killed. The time to find a model is largely a matter of
    luck, so two different searches are better than one even on a shared core.
    """

    def __init__(self, memory: int | None = None, refutes: bool = False) -> None:
        self._memory, self._refutes = memory, refutes
        self._clauses: list[Sequence[int]] = []
        self._models, self._refutation = _Search(MODELS), _Search(REFUTATION)
        self._together = _Search({})
        self._true: set[int] = set()
        self._quick: Solver | None = None
        self._known = 0

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""
        self._clauses += clauses

    def solve(
        self, demanded: Sequence[int], seconds: float | None, one_of: Sequence[int] = ()
    ) -> bool | None:
        """True if the clauses, these literals and one of `one_of`, if given, are satisfiable.

        None if time ran out, or all copies died, as happens without memory.
        """
        if not (one_of or self._refutes) and self._found_quickly(demanded):
            return True
        budget = Budget(inf if seconds is None else seconds)
        result = self._solved_quickly(demanded, one_of, budget)
        if result is not None:
            return result
        race = _Race(demanded, self._memory)
        try:
            for search, alone in self._order(bool(one_of), budget.seconds):
                race.enter(search.over(self._clauses), one_of, search is self._together)
                answer = race.wait(budget.part(1.0, inf if alone is None else alone))
                if answer is not None:
                    result, true = answer
                    self._true = set(true)
                    return result
            return None
        finally:
            race.stop()

    def _found_quickly(self, demanded: Sequence[int]) -> bool:
        """True if a quick search found a model."""
        if len(self._clauses) > QUICK_CLAUSES:
            return False
        if self._quick is None:
            self._quick = Solver(name="minisat22")
        self._quick.append_formula(self._clauses[self._known :])
        self._known = len(self._clauses)
        self._quick.conf_budget(QUICK_CONFLICTS)
        if self._quick.solve_limited(assumptions=demanded) is not True:
            return False
        self._true = {x for x in self._quick.get_model() if x > 0}
        return True

    def _solved_quickly(self, demanded: Sequence[int], one_of: Sequence[int], budget: Budget) -> bool | None:
        """The answer of CaDiCaL within few conflicts; None if it needs more."""
        if len(self._clauses) > QUICK_CLAUSES:
            return None
        (search, _), _ = self._order(bool(one_of), budget.seconds)
        solver, conflicts = search.over(self._clauses), QUICK_WORK // (len(self._clauses) + 1)
        for literals in [[x] for x in one_of] or [[]]:
            if budget.exceeded_limit:
                return None
            solver.conf_budget(min(max(conflicts, QUICK_CONFLICTS), MOST_QUICK_CONFLICTS))
            result: bool | None = solver.solve_limited(assumptions=[*demanded, *literals])
            if result:
                self._true = {x for x in solver.get_model() if x > 0}
            if result is not False:
                return result
        return False

    def _order(self, refuting: bool, seconds: float) -> list[tuple[_Search, float | None]]:
        """The order of the searches, and how long the first runs alone."""
        if self._refutes and not refuting:
            return [(self._refutation, ALONE_REPEATING), (self._models, None)]
        if refuting:
            return [(self._refutation, ALONE_REFUTING), (self._together, None)]
        alone = max(ALONE, SHORT_ALONE * seconds) if seconds <= SHORT else ALONE
        return [(self._models, alone), (self._refutation, None)]

    def model(self) -> set[int]:
        """The variables that are true in the last model."""
        return self._true


class _Search:
    """A solver with some options, created on first use."""

    def __init__(self, options: dict[str, int]) -> None:
        self._options = options
        self._solver: Solver | None = None
        self._given = 0

    def over(self, clauses: Sequence[Sequence[int]]) -> Solver:
        """The solver with all these clauses."""
        if self._solver is None:
            self._solver = Solver(name="cadical195")
            self._solver.configure(self._options)
        self._solver.append_formula(clauses[self._given :])
        self._given = len(clauses)
        return self._solver


class _Race:
    """Forked copies of solvers working on the same question."""

    def __init__(self, demanded: Sequence[int], memory: int | None) -> None:
        self._demanded, self._memory = list(demanded), memory
        self._copies: list[ForkedCall[Answer]] = []

    def enter(self, solver: Solver, one_of: Sequence[int], together: bool) -> None:
        """Start a copy of a solver on the question, with the literals of `one_of` one by one or
        `together`."""
        units = [[x] for x in self._demanded]
        demanded, each = ([*units, one_of], ()) if together else (units, one_of)
        call = partial(_answer, solver, demanded, each, self._memory)
        self._copies.append(ForkedCall(call, alone=True))

    def wait(self, budget: Budget) -> Answer | None:
        """The first answer; None if there is none within the budget."""
        while self._copies:
            left = None if budget.seconds_left == inf else budget.seconds_left
            ready = wait([copy.pipe for copy in self._copies], left)
            if not ready:
                return None
            for copy in [copy for copy in self._copies if copy.pipe in ready]:
                try:
                    answer = copy.result(0.0)
                except MemoryError:
                    answer = None
                if answer is not None:
                    return answer
                self._copies.remove(copy)
                copy.end()
        return None

    def stop(self) -> None:
        """End all copies."""
        while self._copies:
            self._copies.pop().end()


def _answer(
    solver: Solver, demanded: Sequence[Sequence[int]], one_of: Sequence[int], memory: int | None
) -> Answer:
    """The answer in a copy that is discarded afterwards, so demanded literals may be added as clauses.

    Several literals are tried one by one, and learned clauses are reused.
    """
    if memory is not None:
        hold_to(memory)
    solver.append_formula(demanded)
    result = any(solver.solve(assumptions=[x]) for x in one_of) if one_of else solver.solve()
    return result, [x for x in solver.get_model() if x > 0] if result else []


def name() -> str:
    """The engine's name and version."""
    return f"CaDiCaL 1.9.5 (python-sat {version('python-sat')})"
