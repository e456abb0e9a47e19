"""CaDiCaL, through python-sat: set to look for models, and as it comes, whichever answers first.

Before either is asked, MiniSat has a moment to find a model, which costs less than asking them does.
That there is none is for CaDiCaL alone to say.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from pysat.solvers import Solver

SETTINGS: Sequence[dict[str, int]] = ({"phase": 0, "stabilizeonly": 1}, {})
"""Options of the two, in the order in which they are asked. Of the literals that say which value a
thing has all but one are false, so the one that looks for models tries false first, and it holds on
to the best assignment it had; docs/decisions has what was measured."""

QUICK_CLAUSES = 400_000
"""Up to how many clauses a model is looked for quickly."""

QUICK_CONFLICTS = 200
"""How many conflicts a quick look has."""

ALONE = 1.0
"""Seconds that the first has for itself before the second is asked as well."""


class CadicalSession:
    """Clauses in CaDiCaL 1.9.5, for questions that are not quick in a second one, set otherwise.

    The search itself cannot be interrupted, so each question is put to forked copies, which share
    the clauses and can be killed. How long a question with a model takes is much a matter of luck, so
    two that search differently are better than one even where they share a core.
    """

    def __init__(self) -> None:
        self._clauses: list[Sequence[int]] = []
        self._solvers: list[Solver] = []
        self._given: list[int] = []
        self._true: set[int] = set()
        self._quick: Solver | None = None
        self._known = 0

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""
        self._clauses += clauses

    def solve(self, assumptions: Sequence[int], seconds: float | None) -> bool | None:
        """Whether the clauses can hold with these literals true; None if time (or the copies) ran out."""
        if self._found_quickly(assumptions):
            return True
        deadline = None if seconds is None else time.monotonic() + seconds
        race = _Race(assumptions)
        try:
            for which, last in ((0, False), (1, True)):
                race.enter(self._solver(which))
                left = None if deadline is None else deadline - time.monotonic()
                answer = race.wait(left if last else ALONE if left is None else min(ALONE, left))
                if answer is not None:
                    found, true = answer
                    self._true = set(true)
                    return found
            return None
        finally:
            race.stop()

    def _found_quickly(self, assumptions: Sequence[int]) -> bool:
        """Whether a model turned up at once."""
        if len(self._clauses) > QUICK_CLAUSES:
            return False
        if self._quick is None:
            self._quick = Solver(name="minisat22")
        self._quick.append_formula(self._clauses[self._known :])
        self._known = len(self._clauses)
        self._quick.conf_budget(QUICK_CONFLICTS)
        if self._quick.solve_limited(assumptions=assumptions) is not True:
            return False
        self._true = {x for x in self._quick.get_model() if x > 0}
        return True

    def _solver(self, which: int) -> Solver:
        """One of the two, with all clauses in it."""
        if which == len(self._solvers):
            self._solvers.append(Solver(name="cadical195"))
            self._solvers[which].configure(SETTINGS[which])
            self._given.append(0)
        self._solvers[which].append_formula(self._clauses[self._given[which] :])
        self._given[which] = len(self._clauses)
        return self._solvers[which]

    def model(self) -> set[int]:
        """The variables that are true in the last model."""
        return self._true


class _Race:
    """Forked copies of solvers at work on the same question."""

    def __init__(self, assumptions: Sequence[int]) -> None:
        self._assumptions = list(assumptions)
        self._copies: dict[Connection, BaseProcess] = {}

    def enter(self, solver: Solver) -> None:
        """Put the question to a copy of a solver."""
        context = multiprocessing.get_context("fork")
        receiver, sender = context.Pipe(duplex=False)
        copy = context.Process(target=_answer, args=(solver, sender, self._assumptions), daemon=True)
        copy.start()
        sender.close()
        self._copies[receiver] = copy

    def wait(self, seconds: float | None) -> tuple[bool, list[int]] | None:
        """The first answer with the variables that are true in its model; None if there is none in time."""
        deadline = None if seconds is None else time.monotonic() + seconds
        while self._copies:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            ready = wait(list(self._copies), left)
            if not ready:
                return None
            for receiver in ready:
                assert isinstance(receiver, Connection)
                try:
                    found, true = receiver.recv()
                    return bool(found), true
                except EOFError:
                    self._drop(receiver)
        return None

    def stop(self) -> None:
        """End all copies."""
        for receiver in list(self._copies):
            self._drop(receiver)

    def _drop(self, receiver: Connection) -> None:
        copy = self._copies.pop(receiver)
        copy.kill()
        copy.join()
        receiver.close()


def _answer(solver: Solver, sender: Connection, assumptions: list[int]) -> None:
    found = solver.solve(assumptions=assumptions)
    sender.send((found, [x for x in solver.get_model() if x > 0] if found else []))


def name() -> str:
    """The engine's name and version."""
    return f"CaDiCaL 1.9.5 (python-sat {version('python-sat')})"
