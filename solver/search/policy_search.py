"""Policy search: plays to a goal from one deal or from many, by nested learning of a move-ordering policy.

Exhaustive depth-first rounds alternate with rounds of nested rollout policy adaptation; see
`kernels.probing`."""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping, Sequence
from copy import copy
from itertools import count
from typing import Any

from rulespec.code.execution.runner import wider_buffer
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Move, Position
from rulespec.solver.analyses.goals import Goal
from rulespec.solver.explore import Limit
from rulespec.solver.reductions.influence import influential
from rulespec.solver.reductions.restriction import restrict

from .search_code import outcomes, search_code
from .single_start import SingleStart

FOUND, CLOSED, OPEN = "found", "closed", "open"
"""The status of a search: a play was found; no play is left, up to hash collisions; neither."""

PATIENCE = 6
"""Rounds for one deal before the next is tried, if any deal will do."""


class PolicySearch:
    """Looks for a play to a goal, from a known deal or from deals of its own choice.

    `bound` is that of the goal's number; `most` are the greatest values that some variables can have on the
    way. The same `seed` gives the same search, however often it is stopped. Raises TooLarge if the game has
    no code; raises ChanceError for an impossible deal.
    """

    def __init__(
        self,
        game: Game,
        goal: Goal,
        bound: int = 0,
        most: Mapping[n.StateVar, int] | None = None,
        *,
        chance: tuple[str, ...] | None = None,
        seed: int = 0,
    ) -> None:
        greatest = dict(most or {})
        self.game, self.given, self.seed = game, chance, seed
        self._goal = goal.within(bound)
        if goal.any_within(bound):
            goal = Goal(goal.condition)
        narrow = influential(restrict(game, self._goal, greatest), [self._goal])
        self.code = search_code(narrow, goal, tuple(greatest))
        self.limits = self.code.instance.numbers([bound, *greatest.values()])
        self._begin()

    def _begin(self) -> None:
        """Reset the search to a new play."""
        self.status = OPEN
        self.plies = 0
        """The total number of plies played."""
        self.rows: list[int] = []
        """The moves of the play found, as rows of the code one after the other."""
        self._play: tuple[tuple[str, ...], tuple[Move, ...]] | None = None
        self._slices = self._spend()

    def elsewhere(self, chance: tuple[str, ...]) -> PolicySearch:
        """A new search for the same goal, from another deal."""
        other = copy(self)
        other.given = chance
        other._begin()
        return other

    def run(self, stop: Limit) -> str:
        """Search until the goal is reached, every play was seen or `stop` returns a reason; returns the
        status."""
        while self.status == OPEN and not stop():
            next(self._slices)
        return self.status

    def close(self) -> None:
        """Free the memory of the search; what it found stays."""
        self._slices.close()

    @property
    def play(self) -> tuple[tuple[str, ...], tuple[Move, ...]]:
        """The play found: all outcomes of chance in notation, and the moves."""
        assert self._play is not None
        return self._play

    def _spend(self) -> Generator[None, None, None]:
        """Search for a moment at each step. Deals that are not given are redrawn now and then."""
        machine = Machine(self.game)
        for deal in count():
            chance = Chance(f"{self.seed}/{deal}") if self.given is None else Chance(None, self.given)
            dealt = machine.start(chance)
            any_deal = self.given is None and bool(dealt.outcomes)
            if dealt.position.fault is not None:  # the play is over before its first ply
                if machine.holds(self._goal, machine.situation(dealt.position)):
                    self._play, self.status = (dealt.outcomes, ()), FOUND
                elif not any_deal:
                    self.status = CLOSED
                yield
                continue
            start = SingleStart(self.code, self.limits, dealt.position, f"{self.seed}/{deal}")
            for plies in start.spend(range(PATIENCE) if any_deal else count()):
                self.plies += plies
                if start.found is not None:
                    moves, sources = start.found
                    drawn = outcomes(self.game, dealt.position, moves, sources)
                    self._play, self.rows = ((*dealt.outcomes, *drawn), tuple(moves)), start.rows
                    self.status = FOUND
                elif start.closed and not any_deal:
                    self.status = CLOSED
                yield


UNREACHED, REACHED = 0, 1
"""The status of a deal for `PlayTransfer`: open, or a play leads to the goal."""


class PlayTransfer:
    """Deals, at least one, from which plays that lead to the goal from another deal are tried.

    They are encoded for the code of a search. Callers may also set the status of a deal.
    """

    def __init__(self, search: PolicySearch, positions: Iterable[Position]) -> None:
        self._search = search
        instance, runner = search.code.instance, search.code.runner
        states, kept = [runner.encode(position.values) for position in positions], runner.program.state_cells
        self.stands: Any = instance.numbers([UNREACHED] * len(states))
        """The status of each deal, in order."""
        cells = instance.numbers([x for cells, _ in states for x in cells[:kept]])
        words = instance.words([x for _, words in states for x in words])
        self._starts = cells, words, instance.numbers(runner.resume[:1])
        moves = instance.room("numbers", runner.written.rows.first_size)
        first = instance.numbers(states[0][0]), instance.words(states[0][1])
        self._now = *first, instance.words([1] * 7), moves

    def fit(self, rows: Sequence[int]) -> int:
        """Try a play, given as rows, from every open deal; returns the number of deals newly solved."""
        code = self._search.code
        plies, held = len(rows) // code.runner.written.width, code.instance.numbers(rows)
        before = int(sum(self.stands))
        while True:
            result = code.names["fits"](
                len(self.stands), plies, held, self._starts, self.stands, self._search.limits, self._now
            )
            if result >= 0:
                return int(sum(self.stands)) - before
            self._now = (*self._now[:-1], wider_buffer(code.instance, self._now[-1], code.runner.written))
