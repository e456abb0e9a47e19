"""The obligation that two games agree, sent to an engine: at the start, from any state, and along plays."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from rulespec.core import nodes as n
from rulespec.play.position import Move
from rulespec.solver.formulas.aig import Watch
from rulespec.solver.formulas.unrolling.query import Oracle, Query, is_true, value_in
from rulespec.solver.formulas.unrolling.transition_relation import outcomes

from .correspondence import Correspondence
from .miter import Difference, Miter, PairedPly

BEFORE = ("legal", "observed")
"""The kinds of differences that show before a ply is made."""

Seconds = Callable[[], float]
"""Gives the seconds that an engine may take for its next answer."""


class EngineGaveUp(Exception):
    """Raised if the engine gave up, or its time ran out."""


def satisfiable(query: Query, seconds: Seconds, one_of: Sequence[int] | None) -> bool:
    """True if a query has a model, with one of some literals if given. Raises EngineGaveUp."""
    answer = query.solve((), seconds(), one_of)
    if answer is None:
        raise EngineGaveUp
    return answer


def apart_at_start(
    correspondence: Correspondence, engine: Oracle, seconds: Seconds, watch: Watch | None = None
) -> list[Difference]:
    """The differences that starts of play can have, from an engine's example; none if they agree.

    EngineGaveUp if time ran out; `watch` may raise. TooWide if the rules need too many cases.
    """
    miter = Miter(correspondence, watch)
    return possible_differences(Query(miter.gates, engine), miter.begin_play().differences, seconds)


def apart_anywhere(
    correspondence: Correspondence,
    engine: Oracle,
    seconds: Seconds,
    granted: Sequence[n.Expr] = (),
    watch: Watch | None = None,
) -> list[Difference]:
    """The differences after one ply from an arbitrary common state, or in the result if nobody can act.

    The granted conditions hold in the state and after it, which may be unreachable, so a difference need not
    happen in play; but if there is none, and the starts agree, both games are the same. Raises like
    `apart_at_start`.
    """
    for ply in (False, True):
        miter = Miter(correspondence, watch)
        miter.begin_anywhere(granted)
        differences = miter.ply().differences if ply else miter.stuck_differences()
        miter.grant(granted)
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


class BoundedEquivalence:
    """Plies of both games from the start by the same actions."""

    def __init__(
        self,
        correspondence: Correspondence,
        engine: Oracle,
        seconds: Seconds,
        watch: Watch | None = None,
    ) -> None:
        self._miter = Miter(correspondence, watch)
        self._query = Query(self._miter.gates, engine)
        self._seconds = seconds
        self._steps: list[PairedPly] = []
        self.closed = False
        """True if no play can go on."""

    def deeper(self) -> tuple[tuple[str, ...], tuple[Move, ...]] | None:
        """A play of the first game, at most one ply longer than any before, at whose end both differ.

        None if there is none. It comes from formulas, so callers must replay it. Raises EngineGaveUp,
        TooWide.
        """
        step = self._miter.ply() if self._steps else self._miter.begin_play()
        self._steps.append(step)
        if self._possible(step.differences):
            true = self._query.model
            before = any(d.kind in BEFORE and is_true(d.literal, true) for d in step.differences)
            return self._play(self._steps[:-1] if before else self._steps)
        if self._possible(self._miter.stuck_differences()):
            return self._play(self._steps)
        self.closed = not self._possible(None)
        return None

    def _possible(self, differences: list[Difference] | None) -> bool:
        literals = None if differences is None else [d.literal for d in differences]
        return satisfiable(self._query, self._seconds, literals)

    def _play(self, steps: list[PairedPly]) -> tuple[tuple[str, ...], tuple[Move, ...]]:
        true = self._query.model
        chance: list[str] = []
        moves: list[Move] = []
        for step in steps:
            for way in step.ways:
                if is_true(way.literal, true):
                    args = (value_in(c.var.type, way.env[c.var], true) for c in way.action.choices)
                    moves.append(Move(way.action.id, tuple(args)))
            chance += outcomes(step.drawn, true)
        return tuple(chance), tuple(moves)
