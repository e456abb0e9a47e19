"""The obligation that two games agree, put to an engine: at the start, and from any state of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulespec.core import nodes as n
from solver.formulas.aig import Watch
from solver.formulas.query import ClauseSession, Query, is_true

from .correspondence import Correspondence
from .miter import Difference, Miter

Seconds = Callable[[], float]
"""Gives the seconds that an engine may take for its next answer."""


class Unanswered(Exception):
    """The engine gave up, or its time ran out."""


def satisfiable(query: Query, seconds: Seconds, one_of: Sequence[int] | None) -> bool:
    """True if a query has a model, with one of some literals if given. Raises Unanswered."""
    answer = query.solve((), seconds(), one_of)
    if answer is None:
        raise Unanswered
    return answer


def apart_at_start(
    correspondence: Correspondence, engine: ClauseSession, seconds: Seconds, watch: Watch | None = None
) -> list[Difference]:
    """In what the starts of play can differ, as an example shows it; nothing if they agree.

    Unanswered if time ran out; `watch` may raise. TooWide where the rules are more than formulas afford.
    """
    miter = Miter(correspondence, watch)
    return shown(Query(miter.gates, engine), miter.start().differences, seconds)


def apart_anywhere(
    correspondence: Correspondence,
    engine: ClauseSession,
    seconds: Seconds,
    granted: Sequence[n.Expr] = (),
    watch: Watch | None = None,
) -> list[Difference]:
    """In what one ply from a state of both can differ, or the judgement where nobody can act.

    The state is any at all in which some conditions hold, and after it, so what is found need not happen
    in play; but if nothing is found, and the starts agree, both games are the same. Raises as above.
    """
    for ply in (False, True):
        miter = Miter(correspondence, watch)
        miter.anywhere(granted)
        differences = miter.ply().differences if ply else miter.stuck()
        miter.grant(granted)
        result = shown(Query(miter.gates, engine), differences, seconds)
        if result:
            return result
    return []


def shown(query: Query, differences: Sequence[Difference], seconds: Seconds) -> list[Difference]:
    """The differences that hold in some example of the engine's; nothing if none can hold."""
    if not satisfiable(query, seconds, [d.literal for d in differences]):
        return []
    return [d for d in differences if is_true(d.literal, query.model)]
