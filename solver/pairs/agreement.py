"""The obligation that two games agree, sent to an engine: at the start, and from any state."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulespec.core import nodes as n
from rulespec.solver.formulas.aig import Watch
from rulespec.solver.formulas.unrolling.query import Oracle, Query, is_true

from .correspondence import Correspondence
from .miter import Difference, Miter

Seconds = Callable[[], float]
"""Gives the seconds that an engine may take for its next answer."""


class EngineGaveUp(Exception):
    """Raised if the engine gave up, or its time ran out."""


def satisfiable(query: Query, seconds: Seconds, one_of: Sequence[int]) -> bool:
    """True if a query has a model, with one of some literals true. Raises EngineGaveUp."""
    answer = query.solve((), seconds(), one_of)
    if answer is None:
        raise EngineGaveUp
    return answer


def apart_at_start(
    correspondence: Correspondence, engine: Oracle, seconds: Seconds, watch: Watch | None = None
) -> list[Difference]:
    """The differences that starts of play can have, from an engine's example; none if they agree.

    Raises EngineGaveUp if time ran out; `watch` may raise. Raises TooWide if the rules need too many cases.
    """
    miter = Miter(correspondence, watch)
    return possible_differences(Query(miter.gates, engine), miter.begin_play(), seconds)


def apart_anywhere(
    correspondence: Correspondence,
    engine: Oracle,
    seconds: Seconds,
    granted: Sequence[n.Expr] = (),
    watch: Watch | None = None,
) -> list[Difference]:
    """The possible differences after one ply from any common state, or in the result if nobody can act.

    The granted conditions hold before the ply, and after it if it is legal in both games. The state may be
    unreachable, so a difference need not occur in play; but if there is none, and the starts agree, both
    games are the same. Raises like `apart_at_start`.
    """
    for ply in (False, True):
        miter = Miter(correspondence, watch)
        miter.begin_anywhere(granted)
        if ply:
            one = miter.ply()
            differences = one.differences
            if granted:
                miter.grant(granted, miter.gates.any(one.legal))
        else:
            differences = miter.stuck_differences()
        result = possible_differences(Query(miter.gates, engine), differences, seconds)
        if result:
            return result
    return []


def possible_differences(
    query: Query, differences: Sequence[Difference], seconds: Seconds
) -> list[Difference]:
    """The differences that hold in some model of the engine's; none if none can hold."""
    if not satisfiable(query, seconds, [d.literal for d in differences]):
        return []
    return [d for d in differences if is_true(d.literal, query.model)]
