"""Z3, given clauses as DIMACS text in bulk."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import z3


class Z3Session:
    """Clauses in Z3's own SAT solver. Each question starts afresh, because preprocessing makes it quick."""

    def __init__(self, memory: int | None = None, refutes: bool = False) -> None:
        """`memory` is ignored, as Z3 ends the whole process at a memory limit; so is `refutes`, as it has one
        search."""
        self._clauses: list[Sequence[int]] = []
        self._true: set[int] = set()

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        self._clauses += clauses

    def solve(
        self, demanded: Sequence[int], seconds: float | None, one_of: Sequence[int] = ()
    ) -> bool | None:
        """Tell whether the clauses have a model; None if time is up."""
        context = z3.Context()
        solver = z3.Then("simplify", "sat", ctx=context).solver()
        if seconds is not None:
            solver.set("timeout", max(1, int(seconds * 1000)))
        listed = [*self._clauses, *([x] for x in demanded), *([one_of] if one_of else [])]
        variables = max((abs(x) for clause in listed for x in clause), default=1)
        text = [f"p cnf {variables} {len(listed)}"]
        text += [" ".join(map(str, clause)) + " 0" for clause in listed]
        solver.from_string("\n".join(text) + "\n")
        result = solver.check()
        if result == z3.sat:
            model = solver.model()
            self._true = {int(d.name()[2:]) for d in model.decls() if z3.is_true(model[d])}
            return True
        return False if result == z3.unsat else None

    def model(self) -> set[int]:
        return self._true


def name() -> str:
    """The engine's name and version."""
    return f"Z3 {z3.get_version_string()}"
