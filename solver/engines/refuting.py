"""Refutations with proofs: CaDiCaL once more, on the whole question at once, writing down each step.

A proof under assumptions, or of one question after others in the same solver, shows nothing by itself.
So what is assumed stands among the clauses, and the solver is a fresh one.
"""

from __future__ import annotations

import multiprocessing
import tempfile
import time
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection

from pysat.solvers import Cadical195, pysolvers

from solver.certificates.lrat import parse

MOST_BYTES = 400_000_000
"""Of how many bytes the engine's proof may be."""

WORTH_MORE = 50
"""From how many steps on a proof is sought a second time, from only those clauses that the first one used:
it is mostly shorter, by a third in the middle."""


def refutation(clauses: Sequence[Sequence[int]], seconds: float) -> list[str] | None:
    """An LRAT proof that the clauses have no model, of only the steps that it needs.

    None if the engine found none within the time, or one of more than `MOST_BYTES`. ValueError, a defect,
    if they have a model or the proof is not what it should be.
    """
    deadline = time.monotonic() + seconds
    proof = _proof(clauses, seconds)
    if proof is None or len(proof) < WORTH_MORE:
        return proof
    core = sorted({hint for line in proof for hint in parse(line)[3] if hint <= len(clauses)})
    other = _proof([clauses[number - 1] for number in core], deadline - time.monotonic())
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


def _proof(clauses: Sequence[Sequence[int]], seconds: float) -> list[str] | None:
    """A proof as the engine finds it, trimmed."""
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    copy = context.Process(target=_refute, args=(clauses, sender), daemon=True)
    copy.start()
    sender.close()
    try:
        if not receiver.poll(max(0.0, seconds)):
            return None
        answer: bytes | bool | None = receiver.recv()
    except EOFError:  # the copy was ended, for want of memory perhaps
        return None
    finally:
        copy.kill()
        copy.join()
        receiver.close()
    if answer is True:
        raise ValueError("what was to be refuted has a model")
    return list(trimmed(answer, len(clauses))) if isinstance(answer, bytes) else None


def _refute(clauses: Sequence[Sequence[int]], sender: Connection) -> None:
    """Send the proof; yes if there is a model, none if the proof is too long."""
    solver = Cadical195()
    solver.configure({"lrat": 1})  # python-sat opens proofs before it can be told their format
    solver.prfile = tempfile.TemporaryFile()  # noqa: SIM115 - the solver closes it
    solver.prfp = pysolvers.cadical195_tracepr(solver.cadical, solver.prfile)
    for clause in clauses:
        solver.add_clause(clause)
    if solver.solve():
        sender.send(True)
        return
    pysolvers.flushpr(solver.prfp)
    solver.prfile.seek(0)
    proof = solver.prfile.read(MOST_BYTES + 1)
    sender.send(proof if len(proof) <= MOST_BYTES else None)


# ---- from what the engine writes to what is kept


def trimmed(proof: bytes, size: int) -> Iterator[str]:
    """The steps of a binary LRAT proof on which its end rests, as lines, numbered from `size` + 1 on.

    ValueError if it does not end with the empty clause.
    """
    steps = _steps(proof)
    names = sorted(steps)
    end = next((name for name in names if not steps[name][0]), None)
    if end is None:
        raise ValueError("a proof without a contradiction")
    needed, waiting = {end}, [end]
    while waiting:
        for hint in _numbers(steps[waiting.pop()][1]):
            if hint // 2 not in needed:
                needed.add(hint // 2)
                if hint // 2 in steps:
                    waiting.append(hint // 2)
    new = _originals(names, size)
    for name in names:
        if name in needed:
            new[name] = number = size + 1
            size = number
            literals = (x // 2 if x % 2 == 0 else -(x // 2) for x in _numbers(steps[name][0]))
            hints = (new[hint // 2] for hint in _numbers(steps[name][1]))
            yield " ".join(map(str, (number, *literals, 0, *hints, 0)))


def _steps(proof: bytes) -> dict[int, tuple[bytes, bytes]]:
    """Literals and hints of each clause that a proof adds, by the engine's name for it.

    A step is a letter, numbers and a zero byte, and again numbers and a zero byte where it adds. No number
    is zero, and none but zero has a zero byte.
    """
    steps: dict[int, tuple[bytes, bytes]] = {}
    parts = iter(proof.split(b"\0"))
    for part in parts:
        if part[:1] == b"a":
            name, at = _number(part, 1)
            steps[name // 2] = (part[at:], next(parts))
    return steps


def _originals(names: list[int], size: int) -> dict[int, int]:
    """The engine's names of the formula's clauses, with their numbers.

    It names clauses in the order in which it gets or makes them, so theirs are those that no step has.
    """
    taken = set(names)
    found: dict[int, int] = {}
    name = 0
    while len(found) < size:
        name += 1
        if name not in taken:
            found[name] = len(found) + 1
    return found


def _number(data: bytes, at: int) -> tuple[int, int]:
    """The number that begins at a place, seven bits a byte, the lowest first; and where it ends."""
    value = shift = 0
    while True:
        byte = data[at]
        at += 1
        value |= (byte & 127) << shift
        if byte < 128:
            return value, at
        shift += 7


def _numbers(data: bytes) -> Iterator[int]:
    value = shift = 0
    for byte in data:
        value |= (byte & 127) << shift
        if byte < 128:
            yield value
            value = shift = 0
        else:
            shift += 7
