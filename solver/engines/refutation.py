"""Refutations with proofs, by CaDiCaL in a fresh solver that logs each step."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence

from pysat.solvers import Cadical195, pysolvers

from rulespec.budgets import Budget, ForkedCall
from solver.certificates.lrat import parse

from .cadical import REFUTATION
from .proof_trimming import trim

MOST_BYTES = 60_000_000
"""The limit of bytes for the engine's proof; few of those that it finds in seconds are larger."""

WORTH_MORE = 50
"""From how many steps on a proof is sought a second time, from only those clauses that the first one used:
it is mostly shorter, by a third in the middle."""

Clauses = Sequence[Sequence[int]]


def refutation(clauses: Clauses, one_of: Sequence[int], seconds: float) -> list[str] | None:
    """An LRAT proof that the clauses, the last of which is `one_of` if there is that, have no model.

    The literals of `one_of` are refuted one by one. The proof has only the steps that it needs. None if the
    engine found none within the time, or one of more than `MOST_BYTES`. ValueError, a defect, if there is a
    model or the proof is not what it should be.
    """
    budget = Budget(seconds)
    proof = _proof(clauses, one_of, seconds)
    if proof is None or len(proof) < WORTH_MORE:
        return proof
    used = {hint for line in proof for hint in parse(line)[3] if hint <= len(clauses)}
    core = sorted(used | ({len(clauses)} if one_of else set()))
    other = _proof([clauses[number - 1] for number in core], one_of, budget.left)
    if other is None:
        return proof
    other = list(_renumbered(other, core, len(clauses)))
    return min(proof, other, key=lambda lines: sum(map(len, lines)))


def _renumbered(proof: list[str], core: list[int], size: int) -> Iterator[str]:
    """A proof from some clauses of a formula as one from the formula, given the numbers of the clauses."""
    further = size - len(core)
    for line in proof:
        number, _, literals, hints = parse(line)
        named = (core[hint - 1] if hint <= len(core) else hint + further for hint in hints)
        yield " ".join(map(str, (number + further, *literals, 0, *named, 0)))


def _proof(clauses: Clauses, one_of: Sequence[int], seconds: float) -> list[str] | None:
    """A proof as the engine finds it, trimmed."""
    given = clauses[:-1] if one_of else clauses
    with ForkedCall(lambda: _refute(given, one_of), alone=True) as copy:
        try:
            answer = copy.result(seconds)
        except MemoryError:
            return None
    if answer is True:
        raise ValueError("what was to be refuted has a model")
    return trim(answer, clauses, one_of) if isinstance(answer, bytes) else None


def _refute(clauses: Clauses, one_of: Sequence[int]) -> bytes | bool | None:
    """The proof; True if there is a model, None if the proof is too long.

    Learned clauses do not depend on assumptions, so the steps are valid for any result on `one_of`.
    """
    solver = Cadical195()
    settings = REFUTATION if one_of else {}
    solver.configure({**settings, "lrat": 1})  # python-sat opens proofs before it can be told their format
    solver.prfile = tempfile.TemporaryFile()  # noqa: SIM115 - the solver closes it
    solver.prfp = pysolvers.cadical195_tracepr(solver.cadical, solver.prfile)
    for clause in clauses:
        solver.add_clause(clause)
    if any(solver.solve(assumptions=[x]) for x in one_of) if one_of else solver.solve():
        return True
    pysolvers.flushpr(solver.prfp)
    solver.prfile.seek(0)
    proof: bytes = solver.prfile.read(MOST_BYTES + 1)
    return proof if len(proof) <= MOST_BYTES else None
