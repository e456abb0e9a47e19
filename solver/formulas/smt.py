"""A question about an unrolling as SMT-LIB 2: gates as definitions, in the words of the game."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from .gates import TRUE
from .query import Query


def smt(query: Query, demanded: Sequence[int], one_of: Sequence[int], title: str) -> str:
    """Whether all gates and these literals can be true together, and one of `one_of` if there are any.

    A text without a model where the answer is no. Free variables are named by what they say of the game,
    as far as that is known; gates are defined one by one, with a comment where they say something too.
    """
    asserted = [*query.gates.clauses, *((x,) for x in demanded), *([one_of] if one_of else [])]
    return "".join(f"{line}\n" for line in _lines(query, asserted, title))


def _lines(query: Query, asserted: Sequence[Sequence[int]], title: str) -> Iterator[str]:
    yield from (f"; {line}" for line in title.splitlines())
    yield "(set-logic QF_UF)"
    yield "(set-info :status unsat)"
    said, inputs = query.meanings(), query.gates.inputs
    names = {TRUE: "true"}
    for gate in _used(inputs, asserted):
        key = inputs[gate]
        comment = f" ; {said[gate]}" if gate in said else ""
        if key is None:
            told = said.get(gate, "").replace("|", "/").replace("\\", "/")
            names[gate] = f"|{gate}: {told}|" if told else f"x{gate}"
            yield f"(declare-const {names[gate]} Bool)"
        else:
            names[gate] = f"g{gate}"
            parts = " ".join(_literal(names, x) for x in key)
            yield f"(define-fun g{gate} () Bool (and {parts})){comment}"
    for clause in asserted:
        parts = " ".join(_literal(names, x) for x in clause)
        yield f"(assert (or {parts}))" if len(clause) > 1 else f"(assert {parts or 'false'})"
    yield "(check-sat)"


def _literal(names: dict[int, str], literal: int) -> str:
    return names[literal] if literal > 0 else f"(not {names[-literal]})"


def _used(inputs: Sequence[tuple[int, ...] | None], asserted: Iterable[Iterable[int]]) -> list[int]:
    """The variables on which anything asserted depends, each after those that it is made of."""
    seen = {TRUE}
    waiting = [abs(x) for clause in asserted for x in clause]
    while waiting:
        gate = waiting.pop()
        if gate not in seen:
            seen.add(gate)
            waiting += [abs(x) for x in inputs[gate] or ()]
    return sorted(seen - {TRUE})
