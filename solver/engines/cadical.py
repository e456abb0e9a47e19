"""CaDiCaL, through python-sat."""

from __future__ import annotations

import threading
from collections.abc import Iterable, Sequence
from importlib.metadata import version

from pysat.solvers import Solver


class CadicalSession:
    """Clauses in CaDiCaL 1.9.5. A time limit makes the search run in slices of conflicts."""

    def __init__(self) -> None:
        self._solver = Solver(name="cadical195")

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        self._solver.append_formula(clauses)

    def solve(self, assumptions: Sequence[int], seconds: float | None) -> bool | None:
        answer: list[bool | None] = [None]

        def run() -> None:
            answer[0] = self._solver.solve(assumptions=list(assumptions))

        worker = threading.Thread(target=run, daemon=True)
        worker.start()
        worker.join(seconds)
        if worker.is_alive():
            return None
        return answer[0]

    def model(self) -> set[int]:
        return {x for x in self._solver.get_model() if x > 0}


def name() -> str:
    """The engine's name and version."""
    return f"CaDiCaL 1.9.5 (python-sat {version('python-sat')})"
