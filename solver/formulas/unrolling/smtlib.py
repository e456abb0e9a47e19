"""A question about an unrolling as SMT-LIB 2: gates as definitions, comments in the words of the game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain

from ..aig import TRUE
from .query import Query


def smtlib_script(query: Query, demanded: Sequence[int], one_of: Sequence[int], title: str) -> str:
    """The SMT-LIB text of a question: can all `demanded` literals be true, with one of `one_of` if given?

    The answer is no if the text has no model. Gates are defined one by one; comments give their meanings, and
    those of free variables, in the words of the game, if they have one.
    """
    asserted = [*query.gates.clauses, *((x,) for x in demanded), *([one_of] if one_of else [])]
    return "".join(f"{line}\n" for line in _lines(query, asserted, title))


def comment_text(text: str) -> str:
    """A text on one line in ASCII, so that no text of a ruleset can end a comment."""
    return text.encode("unicode_escape").decode("ascii")


def _lines(query: Query, asserted: Sequence[Sequence[int]], title: str) -> Iterator[str]:
    """Yield the lines of a question in SMT-LIB, with comments on the meanings of its gates."""
    yield from (f"; {comment_text(line)}" for line in title.split("\n"))
    yield "(set-logic QF_UF)"
    meanings, inputs = query.meanings(), query.gates.inputs
    names = {TRUE: "true"}
    for gate in query.gates.below(chain.from_iterable(asserted)):
        key = inputs[gate]
        comment = f" ; {comment_text(meanings[gate])}" if gate in meanings else ""
        if key is None:
            names[gate] = f"x{gate}"
            yield f"(declare-const x{gate} Bool){comment}"
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
