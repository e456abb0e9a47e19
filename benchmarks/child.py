"""The processes that `proofs` and `limits` start: `claim` decides one, `alone` gives clauses to one engine,
`value` searches for what best play comes to, `nothing` only imports what the others do.

Each prints one line of JSON: seconds of work, megabytes, and what came out.
"""

from __future__ import annotations

import json
import multiprocessing
import random
import resource
import sys
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any
from unittest import mock

from rulespec.budgets import UNBOUNDED, Budget
from rulespec.core.types import List, Map, Optional, Scalar, Truth, Type
from rulespec.language import load
from rulespec.solver.evidence.game_value import best_play
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore.mtdf import MtdSearch
from rulespec.solver.explore.states import Limit
from rulespec.solver.formulas import Unrolling
from rulespec.solver.formulas.aig import tseitin_clauses
from rulespec.solver.methods.table import FORMULAS as decide

from .proofs import ENCODINGS, EXCLUSIVE, ONE_WAY, read, write

Clauses = list[tuple[int, ...]]


# ---- a claim


def claim(name: str, which: str, engine: str, seconds: str, folder: str) -> dict[str, Any]:
    """Decide a claim by formulas with an engine, and keep the clauses of its last question in a folder."""
    asked: list[tuple[Unrolling, list[int]]] = []
    asking_took = 0.0

    solve = Unrolling.solve

    def watched(
        self: Unrolling, demanded: Iterable[int], seconds: float | None, one_of: Iterable[int] | None = None
    ) -> bool | None:
        nonlocal asking_took
        listed, before = list(demanded), _all_work()
        answer = solve(self, listed, seconds, one_of)
        asking_took += _all_work() - before
        asked[:] = [(self, listed)]
        return answer

    with mock.patch.object(Unrolling, "solve", watched):
        game = load(name)
        answer = decide(Case(game, game.claims[which], Budget(3.0 * int(seconds)), engine=engine))
    assert answer is not None
    found: dict[str, Any] = {
        "outcome": answer.outcome,
        "work": _all_work(),
        "asking": asking_took,
        "memory": _memory(resource.RUSAGE_SELF) + _memory(resource.RUSAGE_CHILDREN),
    }
    unrolling, assumptions = asked[0]
    sizes = {}
    for encoding in ENCODINGS:
        clauses = encoded(unrolling, assumptions, encoding)
        sizes[encoding] = (unrolling.gates.size, len(clauses))
        write(clauses, Path(folder) / f"{encoding}.pickle")
    (Path(folder) / "sizes.json").write_text(json.dumps(sizes), "utf-8")
    how = {"cadical": "cadical: models", "z3": "z3"}[engine]
    found["alone"] = _alone(how, Path(folder) / f"{ENCODINGS[0]}.pickle", 0, int(seconds))["work"]
    return found


def encoded(unrolling: Unrolling, assumptions: Sequence[int], encoding: str) -> Clauses:
    """Everything that an unrolling demands, and these literals, in an encoding."""
    gates = unrolling.gates
    demanded: Clauses = [(1,), *gates.clauses, *((x,) for x in assumptions)]
    clauses = [*demanded, *tseitin_clauses(gates)]
    if encoding == ONE_WAY:
        used = _used(gates.inputs, demanded)
        # Of a gate's clauses the last begins with the gate, the others with its negation.
        clauses = demanded + [c for c in tseitin_clauses(gates) if -c[0] in used]
    if encoding == EXCLUSIVE:
        for state in unrolling.states[1:]:
            for var, symbol in state.items():
                if not isinstance(var, str):
                    clauses += _exclusive(var.type, symbol)
    return clauses


def _used(inputs: Sequence[tuple[int, ...] | None], demanded: Clauses) -> set[int]:
    """The literals whose truth has consequences, from what is demanded inwards."""
    used: set[int] = set()
    waiting = [x for clause in demanded for x in clause]
    while waiting:
        literal = waiting.pop()
        key = inputs[abs(literal)]
        if literal not in used:
            used.add(literal)
            waiting += [x if literal > 0 else -x for x in key or ()]
    return used


def _exclusive(t: Type, symbol: Any) -> Clauses:
    """That a value is not two values at once."""
    if isinstance(t, Map):
        return [clause for held in symbol.values() for clause in _exclusive(t.of, held)]
    if isinstance(t, List):
        literals = list(symbol.size.values())
    elif isinstance(t, Scalar | Optional) and not isinstance(t, Truth):
        literals = list(symbol.values())
    else:
        return []
    return [(-a, -b) for i, a in enumerate(literals) for b in literals[:i]]


# ---- an engine alone


def alone(engine: str, clauses: str, order: str, seconds: str) -> dict[str, Any]:
    """Give clauses to an engine, in a random order unless the order is 0."""
    return _alone(engine, Path(clauses), int(order), int(seconds))


def _alone(engine: str, path: Path, order: int, seconds: int) -> dict[str, Any]:
    clauses = read(path)
    if order:
        random.Random(order).shuffle(clauses)
    before = _work(resource.RUSAGE_CHILDREN)
    context = multiprocessing.get_context("fork")
    receiver, sender = context.Pipe(duplex=False)
    child = context.Process(target=_solved, args=(engine, clauses, seconds, sender))
    child.start()
    sender.close()
    try:
        answer = receiver.recv()
    except EOFError:
        answer = None
    child.join()
    return {
        "answer": answer,
        "work": _work(resource.RUSAGE_CHILDREN) - before if answer is not None else None,
    }


def _solved(engine: str, clauses: Clauses, seconds: int, sender: Any) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    sender.send(SOLVERS.get(engine, _pysat(engine))(clauses))


def _pysat(name: str, settings: dict[str, int] | None = None) -> Callable[[Clauses], bool | None]:
    def solve(clauses: Clauses) -> bool | None:
        from pysat.solvers import Solver

        solver = Solver(name=name)
        if settings:
            solver.configure(settings)
        solver.append_formula(clauses)
        found: bool | None = solver.solve()
        return found

    return solve


def _models(clauses: Clauses) -> bool | None:
    from rulespec.solver.engines.cadical import MODELS

    return _pysat("cadical195", MODELS)(clauses)


def _refutation(clauses: Clauses) -> bool | None:
    from rulespec.solver.engines.cadical import REFUTATION

    return _pysat("cadical195", REFUTATION)(clauses)


def _z3(clauses: Clauses) -> bool | None:
    from rulespec.solver.engines import choose

    session = choose("z3").session()
    session.add(clauses)
    return session.solve([], None)


def _z3_terms(clauses: Clauses) -> bool | None:
    import z3

    atoms = [z3.Bool(str(i)) for i in range(max(abs(x) for clause in clauses for x in clause) + 1)]
    negated = [z3.Not(atom) for atom in atoms]
    solver = z3.Then("simplify", "sat").solver()
    for clause in clauses:
        solver.add(z3.Or([atoms[x] if x > 0 else negated[-x] for x in clause]))
    return {z3.sat: True, z3.unsat: False}.get(solver.check())


SOLVERS: dict[str, Callable[[Clauses], bool | None]] = {
    "cadical: models": _models,
    "cadical: refutation": _refutation,
    "z3": _z3,
    "z3: terms": _z3_terms,
}
"""Engines that are more than a name of python-sat's."""


# ---- best play


def value(name: str, which: str, parameters: str) -> dict[str, Any]:
    """Search for the value that a claim states, under parameters in JSON; the work is that of the search."""
    rules, searching = load(name, parameters=json.loads(parameters)), 0.0
    settle = MtdSearch.settle

    def watched(self: MtdSearch, row: Sequence[int], guess: int, limit: Limit) -> tuple[int, int]:
        nonlocal searching
        before = _work(resource.RUSAGE_SELF)
        found = settle(self, row, guess, limit)
        searching += _work(resource.RUSAGE_SELF) - before
        return found

    with mock.patch.object(MtdSearch, "settle", watched):
        found = best_play(Case(rules, rules.claims[which], UNBOUNDED)).bounds()
    return {"work": searching, "value": found.span}


# ---- work and memory


def _work(who: int) -> float:
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def _all_work() -> float:
    """Seconds of work of this process and of its children that have ended."""
    return _work(resource.RUSAGE_SELF) + _work(resource.RUSAGE_CHILDREN)


def _memory(who: int) -> float:
    """The greatest memory of a process so far, in megabytes (Linux counts in kilobytes)."""
    return resource.getrusage(who).ru_maxrss / (1024 * 1024 if sys.platform == "darwin" else 1024)


if __name__ == "__main__":
    KINDS: dict[str, Callable[..., dict[str, Any]]] = {
        "claim": claim,
        "alone": alone,
        "value": value,
        "nothing": dict,
    }
    print(json.dumps(KINDS[sys.argv[1]](*sys.argv[2:])))
