"""CaDiCaL, through python-sat."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterable, Sequence
from importlib.metadata import version
from multiprocessing.connection import Connection

from pysat.solvers import Solver


class CadicalSession:
    """Clauses in CaDiCaL 1.9.5.

    The search itself cannot be interrupted, so each question is put to a forked copy, which shares
    the clauses and can be killed.
    """

    def __init__(self) -> None:
        self._solver = Solver(name="cadical195")
        self._true: set[int] = set()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""
        self._solver.append_formula(clauses)

    def solve(self, assumptions: Sequence[int], seconds: float | None) -> bool | None:
        """Whether the clauses can hold with these literals true; None if time (or the copy) ran out."""
        context = multiprocessing.get_context("fork")
        receiver, sender = context.Pipe(duplex=False)
        copy = context.Process(target=self._answer, args=(sender, list(assumptions)), daemon=True)
        copy.start()
        sender.close()
        try:
            if not receiver.poll(seconds):
                return None
            answer, true = receiver.recv()
        except EOFError:
            return None
        finally:
            copy.kill()
            copy.join()
            receiver.close()
        self._true = set(true)
        return bool(answer)

    def _answer(self, sender: Connection, assumptions: list[int]) -> None:
        found = self._solver.solve(assumptions=assumptions)
        sender.send((found, [x for x in self._solver.get_model() if x > 0] if found else []))

    def model(self) -> set[int]:
        """The variables that are true in the last model."""
        return self._true


def name() -> str:
    """The engine's name and version."""
    return f"CaDiCaL 1.9.5 (python-sat {version('python-sat')})"
