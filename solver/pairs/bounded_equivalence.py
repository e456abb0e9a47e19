"""Bounded equivalence: two games unrolled together from the start until they differ or plays end."""

from __future__ import annotations

from rulespec.play.position import Move
from solver.formulas.aig import Watch
from solver.formulas.query import ClauseSession, Query, is_true, value_in
from solver.formulas.transition_relation import outcomes

from .agreement import Seconds, satisfiable
from .correspondence import Correspondence
from .miter import Difference, Miter, PairedPly

BEFORE = ("legal", "observed")
"""The kinds of differences that show before a ply is made."""


class BoundedEquivalence:
    """Plies of both games from the start by the same actions; in so many `plies` nothing differs."""

    def __init__(
        self,
        correspondence: Correspondence,
        engine: ClauseSession,
        seconds: Seconds,
        watch: Watch | None = None,
    ) -> None:
        self._miter = Miter(correspondence, watch)
        self._query = Query(self._miter.gates, engine)
        self._seconds = seconds
        self._steps: list[PairedPly] = []
        self.plies = -1
        self.closed = False
        """True if no play goes on."""

    def deeper(self) -> tuple[tuple[str, ...], tuple[Move, ...]] | None:
        """A play of the first game, at most one ply longer than any before, at whose end both differ.

        None if there is none. It is what formulas say, so whoever asks plays it. Raises Unanswered, TooWide.
        """
        step = self._miter.ply() if self._steps else self._miter.start()
        self._steps.append(step)
        if self._possible(step.differences):
            true = self._query.model
            before = any(d.kind in BEFORE and is_true(d.literal, true) for d in step.differences)
            return self._play(self._steps[:-1] if before else self._steps)
        if self._possible(self._miter.stuck()):
            return self._play(self._steps)
        self.plies += 1
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
