"""CaDiCaL, through python-sat: two of its versions, whichever answers first."""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess

from pysat.solvers import Solver

VERSIONS = ("cadical195", "cadical153")
"""The versions, in the order in which they are asked: neither is the quicker one on all questions."""

ALONE = 1.0
"""Seconds that the first version has for itself before the second is asked as well."""


class CadicalSession:
    """Clauses in CaDiCaL 1.9.5, and for questions that are not quick in CaDiCaL 1.5.3 too.

    The search itself cannot be interrupted, so each question is put to forked copies, which share
    the clauses and can be killed. How long a question with a model takes is much a matter of luck, so
    two that search differently are better than one even where they share a core.
    """

    def __init__(self) -> None:
        self._clauses: list[Sequence[int]] = []
        self._solvers: dict[str, Solver] = {}
        self._given: dict[str, int] = {}
        self._true: set[int] = set()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""
        self._clauses += clauses

    def solve(self, assumptions: Sequence[int], seconds: float | None) -> bool | None:
        """Whether the clauses can hold with these literals true; None if time (or the copies) ran out."""
        deadline = None if seconds is None else time.monotonic() + seconds
        race = _Race(assumptions)
        try:
            for version_, last in zip(VERSIONS, (False, True), strict=True):
                race.enter(self._solver(version_))
                left = None if deadline is None else deadline - time.monotonic()
                answer = race.wait(left if last else ALONE if left is None else min(ALONE, left))
                if answer is not None:
                    found, true = answer
                    self._true = set(true)
                    return found
            return None
        finally:
            race.stop()

    def _solver(self, name: str) -> Solver:
        """A version with all clauses in it."""
        if name not in self._solvers:
            self._solvers[name] = Solver(name=name)
            self._given[name] = 0
        self._solvers[name].append_formula(self._clauses[self._given[name] :])
        self._given[name] = len(self._clauses)
        return self._solvers[name]

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
    """The engine's name and versions."""
    return f"CaDiCaL 1.9.5 and 1.5.3 (python-sat {version('python-sat')})"
