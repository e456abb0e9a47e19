"""A player that searches: plays from the position, with more of those that go well (Monte Carlo tree
search)."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass

from ..budgets import UNBOUNDED, Budget
from ..play.position import Move
from .levels import LEVELS
from .simple import GreedyPlayer
from .table import View
from .worlds import Worlds

DIFFERENCE = 0.002
"""Moves whose values, from 0 to 1, differ by less than this count as equal."""


@dataclass(frozen=True)
class Advice:
    """A move, and the results of the search for the player who makes it."""

    move: Move
    plays: int
    """The number of plays tried after it; 0 if none was needed or possible."""
    wins: float = 0.0
    """The mean share of a win after it."""
    points: float = 0.0
    """The mean score after it; of several players, the lead over the best other."""
    tried: int = 0
    """The number of plays tried in total."""
    ended: int = 0
    """The number of those that ended; the others were cut short and evaluated as they stood."""
    even: bool = False
    """True if no move did better than another in these plays."""
    greedy: bool = False
    """True if it is the greedy choice, because the game has no code to search with."""
    blind: bool = False
    """True if it was chosen at random, because no hidden state consistent with the observations was found."""


class SearchPlayer:
    """Searches for a time (seconds) or a number of plays, whichever ends first.

    Each play is seeded, so with a number of plays alone the choice is the same every time.

    It uses the knowledge of its seat: in a game with anything hidden it searches in `worlds` consistent with
    its observations. If the game has no code, or the machine is not installed, it chooses like
    `GreedyPlayer`. It draws a share `slips` of its moves at random, without a search.
    """

    def __init__(
        self, seed: int | str, seconds: float | None = None, plays: int | None = None, slips: float = 0.0
    ) -> None:
        if seconds is None and plays is None:
            raise ValueError("a search needs an end: seconds, or a number of plays")
        self._seed = str(seed)
        self._seconds = math.inf if seconds is None else seconds
        self._plays = math.inf if plays is None else plays
        self._slips, self._rng = slips, random.Random(f"slips {seed}")
        self._worlds = Worlds(f"search {seed}")

    @classmethod
    def of_level(cls, name: str, seed: int | str) -> SearchPlayer:
        """The player of a level, `beginner`, `good` or `thorough`."""
        return cls(seed, plays=LEVELS[name].plays, slips=LEVELS[name].slips)

    def choose(self, view: View) -> Move:
        """The move that was tried most, or one drawn at random."""
        if self._rng.random() < self._slips:
            return self._rng.choice(view.moves)
        return self.advise(view).move

    def advise(self, view: View) -> Advice:
        """The move that was tried most often, with the results of the search.

        If others choose at the same time, it is drawn at random, each move in proportion to its tries.
        """
        if len(view.moves) == 1:
            return Advice(view.moves[0], 0)
        tree = view.tree()
        if tree is None:
            return Advice(GreedyPlayer(self._seed).choose(view), 0, greedy=True)
        seed, budget = f"{self._seed}/{len(view.seen)}", Budget(self._seconds, UNBOUNDED.memory)
        worlds = [world.position.values for world in self._worlds.of(view, budget.part(0.5))]
        rng = random.Random(seed)
        if not worlds:
            return Advice(rng.choice(view.moves), 0, blind=True)
        early = budget.part(1.0, self._seconds / 5)
        moves = rng.sample(view.moves, len(view.moves))
        kept = tree.begin(view.seat, worlds, moves, self._seed, self._plays, lambda: early.seconds_left <= 0)
        if len(kept) == 1:
            return Advice(Move(*kept[0]), 0)
        tree.grow(self._plays, budget.seconds_left, lambda: budget.seconds_left <= 0)
        results = tree.results()
        best = max(results, key=lambda result: result.visits)
        if view.is_at_once:  # whoever always chose the same would be foreseen
            (best,) = rng.choices(results, [result.visits for result in results])
        values = [tree.value(result) for result in results]
        even = max(values) - min(values) < DIFFERENCE
        return Advice(Move(*best.move), best.visits, best.wins, best.points, tree.plays, tree.ended, even)
