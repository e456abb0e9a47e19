"""A player that searches: plays tried from here, more of those that go well (Monte Carlo tree search)."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass

from ..budgets import UNBOUNDED, Budget, Stopwatch
from ..play.position import Move
from .model import AnyMove, AnyPosition, Model
from .simple import loses, ranked
from .table import View
from .tree import Tree
from .worlds import Worlds

MOST_PLIES = 400
LONGEST = 4_000
"""A playout is judged as it stands after so many plies, in a limited time after the second number of them."""

LEAST_PLIES = 12
FIRST_PLIES = 40
PLAYS_WANTED = 200
"""In a limited time playouts are cut short, from the first on, so that about so many of them can be made."""

DIFFERENCE = 0.002
"""Moves whose worths, from 0 to 1, are nearer than this are told to be alike."""

LOOKED_AT = 40
"""So many moves are looked at before the search, for a win at once and for the order in which to try them."""


@dataclass(frozen=True)
class Advice:
    """A move, and what the search knows about it for the player who makes it."""

    move: Move
    plays: int
    """How many plays were tried after it; none if it needed none or nothing could be tried."""
    wins: float = 0.0
    """The mean share of a win after it."""
    points: float = 0.0
    """The mean score after it; of several players, what it is ahead of the best other."""
    tried: int = 0
    """How many plays were tried in all."""
    ended: int = 0
    """How many of those came to an end; the others were cut short and judged as they stood."""
    even: bool = False
    """True if no move did better than another in what was tried."""
    blind: bool = False
    """True if it was drawn by chance, because no hidden state was found that agrees with what was seen."""


class SearchPlayer:
    """Searches for a time (seconds) or a number of plays, whichever is spent first.

    Each play is seeded, so with a number of plays alone the choice is the same every time.

    It knows what its seat knows: in a game with anything hidden it searches in `worlds` that agree with
    what it saw.
    """

    def __init__(self, seed: int | str, seconds: float | None = None, plays: int | None = None) -> None:
        if seconds is None and plays is None:
            raise ValueError("a search needs an end: seconds, or a number of plays")
        self._seed = str(seed)
        self._seconds = math.inf if seconds is None else seconds
        self._plays = math.inf if plays is None else plays
        self._worlds = Worlds(f"search {seed}")

    def choose(self, view: View) -> Move:
        """The move that was tried most."""
        return self.advise(view).move

    def advise(self, view: View) -> Advice:
        """The move that was tried most, with what is known about it."""
        if len(view.moves) == 1:
            return Advice(view.moves[0], 0)
        model = view.model()
        budget = Budget(self._seconds, UNBOUNDED.memory)
        worlds = [model.at(world.position) for world in self._worlds.of(view, budget.part(0.5))]
        if not worlds:
            drawn = random.Random(f"{self._seed}/{len(view.seen)}").choice(view.moves)
            return Advice(drawn, 0, blind=True)
        at = list(view.rules.players).index(view.seat)
        moves = self._looked_at(view, model, worlds, budget.part(1.0, self._seconds / 5))
        if len(moves) == 1:
            return Advice(model.said(moves[0]), 0)
        plies = MOST_PLIES if self._seconds == math.inf else FIRST_PLIES
        tree = Tree(model, view.seat, worlds, moves, self._seed, plies)
        self._grow(tree, budget)
        move, edge = max(tree.root.edges.items(), key=lambda item: item[1].visits)
        n = edge.visits
        values = [tree.value(other, at) for other in tree.root.edges.values() if other.visits]
        even = max(values) - min(values) < DIFFERENCE
        return Advice(
            model.said(move), n, edge.wins[at] / n, edge.points[at] / n, tree.grown, tree.ended, even
        )

    def _looked_at(
        self, view: View, model: Model, worlds: Sequence[AnyPosition], budget: Budget
    ) -> list[AnyMove]:
        """The moves to search, best at once first: only one that wins at once if there is any; of few moves
        only those to which no answer wins at once, if there are any."""
        rng = random.Random(f"{self._seed}/{len(view.seen)}")
        moves = [model.own(move) for move in rng.sample(view.moves, len(view.moves))]
        looks = ranked(model, view.seat, worlds, moves[:LOOKED_AT], self._seed, budget)
        if looks[0].wins:
            return [looks[0].move]
        if len(moves) <= LOOKED_AT:
            kept = [
                look for look in looks if budget.left <= 0 or not loses(model, view.seat, look, self._seed)
            ]
            looks = kept or looks
        return [look.move for look in looks] + moves[LOOKED_AT:]

    def _grow(self, tree: Tree, budget: Budget) -> None:
        watch, seconds, early = Stopwatch(), budget.left, budget.part(0.5)

        def stop() -> bool:
            return budget.left <= 0

        while tree.grown < self._plays and not (tree.grown and stop()):
            tree.grow(stop)
            if tree.played and seconds < math.inf and early.left > 0:
                wanted = seconds / PLAYS_WANTED * tree.played / watch.seconds
                tree.plies = max(LEAST_PLIES, min(LONGEST, int(wanted)))
