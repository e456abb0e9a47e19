"""Refutations with proofs, by CaDiCaL in a fresh solver that logs each step.

Only the necessary steps of its binary LRAT proof are kept.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence

from pysat.solvers import Cadical195, pysolvers

from rulespec.budgets import Budget, ForkedCall
from rulespec.solver.certificates.lrat import parse

from .cadical import REFUTATION

MOST_BYTES = 300_000_000
"""Maximum size of the engine's proof in bytes; few of those found within a minute are larger."""

WORTH_MORE = 50
"""With at least this many steps, a second proof is sought, from only the clauses that the first one used:
it is usually shorter, by a third in the median."""

TOGETHER = 0.4
"""The share of the time in which all literals are refuted together."""

Clauses = Sequence[Sequence[int]]
Step = tuple[list[int], list[int]]
"""The literals of an added clause, and its hints."""


def refutation(clauses: Clauses, one_of: Sequence[int], seconds: float) -> list[str] | None:
    """An LRAT proof that the clauses, with `one_of` as the last if given, have no model.

    The literals of `one_of` are refuted together or, if that takes long, one by one. The proof has only the
    steps that it needs. None if the engine found none within the time, or one of more than `MOST_BYTES`.
    Raises ValueError, a defect, if there is a model or the proof is not what it should be.
    """
    budget = Budget(seconds)
    proof = _proof(clauses, (), TOGETHER * seconds) if len(one_of) > 1 else None
    proof = proof or _proof(clauses, one_of, budget.seconds_left)
    if proof is None or len(proof) < WORTH_MORE:
        return proof
    used = {hint for line in proof for hint in parse(line)[3] if hint <= len(clauses)}
    core = sorted(used)
    other = _proof([clauses[number - 1] for number in core], (), budget.seconds_left)
    if other is None:
        return proof
    other = list(_renumber(other, core, len(clauses)))
    return min(proof, other, key=lambda lines: sum(map(len, lines)))


def _renumber(proof: list[str], core: list[int], size: int) -> Iterator[str]:
    """A proof from some clauses of a formula, renumbered as one from the whole formula."""
    further = size - len(core)
    for line in proof:
        number, _, literals, hints = parse(line)
        named = (core[hint - 1] if hint <= len(core) else hint + further for hint in hints)
        yield " ".join(map(str, (number + further, *literals, 0, *named, 0)))


def _proof(clauses: Clauses, one_of: Sequence[int], seconds: float) -> list[str] | None:
    """The engine's proof, trimmed. Raises ValueError."""
    with ForkedCall(lambda: _refute(clauses, one_of), alone=True) as copy:
        try:
            answer = copy.result(seconds)
        except MemoryError:
            return None
    if answer is True:
        raise ValueError("what was to be refuted has a model")
    return _trim(answer, len(clauses)) if isinstance(answer, bytes) else None


def _refute(clauses: Clauses, one_of: Sequence[int]) -> bytes | bool | None:
    """The proof; True if there is a model, None if the proof is too long.

    Learned clauses do not depend on assumptions: each literal of `one_of` that is refuted becomes a false
    unit, until its clause has none left.
    """
    solver = Cadical195()
    settings = REFUTATION if one_of else {}
    solver.configure({**settings, "lrat": 1})  # python-sat opens proofs before it can be told their format
    solver.prfile = tempfile.TemporaryFile()  # noqa: SIM115 - the solver closes it
    solver.prfp = pysolvers.cadical195_tracepr(solver.cadical, solver.prfile)
    for clause in clauses:
        solver.add_clause(clause)
    if any(solver.solve(assumptions=[x]) for x in one_of) or solver.solve():
        return True
    pysolvers.flushpr(solver.prfp)
    solver.prfile.seek(0)
    proof: bytes = solver.prfile.read(MOST_BYTES + 1)
    return proof if len(proof) <= MOST_BYTES else None


# ---- trimming


def _trim(proof: bytes, clauses: int) -> list[str]:
    """The necessary steps of a binary LRAT proof, as lines, numbered after `clauses` clauses.

    Raises ValueError if it proves nothing.
    """
    written = _added_clauses(proof)
    end = next((name for name in sorted(written) if not written[name][0]), None)
    if end is None:
        raise ValueError("a proof without a contradiction")
    steps = _needed_steps(written, end)
    names = [*_given_names(written, clauses), *sorted(steps)]
    numbers = {name: number for number, name in enumerate(names, 1)}
    return [
        " ".join(map(str, (numbers[name], *steps[name][0], 0, *(numbers[x] for x in steps[name][1]), 0)))
        for name in sorted(steps)
    ]


def _needed_steps(written: dict[int, tuple[bytes, bytes]], end: int) -> dict[int, Step]:
    """The steps that the end needs, by the engine's clause names."""
    steps: dict[int, Step] = {}
    waiting = [end]
    while waiting:
        name = waiting.pop()
        if name in written and name not in steps:
            literals, hints = written[name]
            signed = [-(x // 2) if x % 2 else x // 2 for x in _numbers(literals)]
            steps[name] = (signed, [x // 2 for x in _numbers(hints)])
            waiting += steps[name][1]
    return steps


def _added_clauses(proof: bytes) -> dict[int, tuple[bytes, bytes]]:
    """Literals and hints of each clause that a proof adds, by the engine's name for it.

    A step is a letter, numbers and a zero byte; an addition has further numbers and a zero byte. No number is
    zero, and only zero has a zero byte.
    """
    steps: dict[int, tuple[bytes, bytes]] = {}
    parts = iter(proof.split(b"\0"))
    for part in parts:
        if part[:1] == b"a":
            at = next(i for i in range(1, len(part)) if part[i] < 128) + 1
            steps[next(_numbers(part[1:at])) // 2] = (part[at:], next(parts))
    return steps


def _given_names(written: dict[int, tuple[bytes, bytes]], many: int) -> list[int]:
    """The engine's names of the given clauses, in their order.

    It names clauses in the order in which it gets or makes them, so theirs are the first names that no step
    has.
    """
    result: list[int] = []
    name = 0
    while len(result) < many:
        name += 1
        if name not in written:
            result.append(name)
    return result


def _numbers(data: bytes) -> Iterator[int]:
    """Numbers, seven bits in each byte, the lowest first."""
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        if byte < 128:
            yield value
            value = shift = 0
        else:
            shift += 7
