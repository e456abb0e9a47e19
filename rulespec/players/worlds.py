"""Positions consistent with a seat's view, constructed from its observations and nothing else.

A world is a play by the rules with exactly the seat's observations. Its chance is drawn anew; if the seat
would then see something else, the outcomes are repaired, and the play is run again: drawn values are
exchanged for those observed or, where there is nothing to exchange, as with dice, one outcome is drawn once
more. Worlds that cannot be repaired within a bounded effort are dropped.
"""

from __future__ import annotations

import random
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from ..budgets import UNBOUNDED, Budget
from ..core.notation import split, write
from ..core.types import Scalar, Value
from ..play.chance import Chance, ChanceError
from ..play.observation import ObservedMove, SeatView
from ..play.position import Move, Position
from .comparing import Change, kind
from .rules import Step
from .table import View

WORLDS = 8
"""Number of worlds kept at once."""

EFFORT, MOST_EFFORT = 240, 2_400
"""The number of repairs in vain, and of all repairs, after which a world is given up for this turn."""

AFRESH = 60
"""The number of repairs in vain after which a world begins with new chance."""

RECENT = 3
"""The exponent of a random number from 0 to 1: the higher, the more recent is the ply with the outcome drawn
again."""

MOST_TRIED = 400
"""Maximum number of legal moves among which one is sought that looks to the seat like the observed one."""


@dataclass(frozen=True)
class World:
    """A play that agrees with the observations so far.

    `positions` are those after the setup and each ply, `outcomes` all chance on the way, in notation,
    `counts` how many of these there are at each position, and `moves` those between the positions.
    """

    positions: tuple[Position, ...] = ()
    outcomes: tuple[str, ...] = ()
    counts: tuple[int, ...] = ()
    moves: tuple[Move, ...] = ()

    @property
    def position(self) -> Position:
        """The present position."""
        return self.positions[-1]

    def before(self, outcome: int) -> World:
        """The play as far as it does not depend on an outcome, given by number, or later ones."""
        plies = bisect_right(self.counts, outcome)
        count = self.counts[plies - 1] if plies else 0
        moves = self.moves[: max(0, plies - 1)]
        return World(self.positions[:plies], self.outcomes[:count], self.counts[:plies], moves)


@dataclass(frozen=True)
class Miss:
    """The failure to extend a world: the sights that differ, or the observed move without a legal
    equivalent."""

    world: World
    outcomes: tuple[str, ...]
    """The outcomes of the world and of the ply that failed."""
    changes: tuple[Change, ...] = ()
    move: ObservedMove | None = None

    @property
    def rank(self) -> tuple[int, int, int]:
        """A sort key: worlds that get farther and differ less come last; what everybody sees counts first."""
        differing = sum(abs(change.excess) or 1 for change in self.changes if change.is_open)
        rest = sum(abs(change.excess) or 1 for change in self.changes) - differing
        return len(self.world.positions), -differing, -rest


class Worlds:
    """The worlds of one seat, kept between turns of the same play."""

    def __init__(self, seed: str) -> None:
        self._seed = seed
        self._seen: tuple[SeatView, ...] = ()
        self._observed: tuple[ObservedMove, ...] = ()
        self._kept: list[World] = []

    def of(self, view: View, budget: Budget = UNBOUNDED) -> list[World]:
        """Worlds consistent with all observations; empty if none was found.

        If nothing is hidden from anybody, the position itself is the only world. Once the time of the budget
        is spent, one world is enough.
        """
        if view.position is not None:
            return [World((view.position,))]
        if not view.dealt:
            return []
        if not self._kept or not self._goes_on(view):
            self._kept = [World()] * WORLDS
        self._seen, self._observed = view.seen, view.observed
        maker = _Maker(view)
        found: list[World] = []
        for number, world in enumerate(self._kept):
            if found and budget.seconds_left <= 0:
                break
            agreeing = maker.extend(world, f"{self._seed}/{number}/{len(view.seen)}")
            self._kept[number] = agreeing or World()
            found += [agreeing] if agreeing else []
        return found

    def _goes_on(self, view: View) -> bool:
        """True if a view continues the play followed so far."""
        moves = view.observed[: len(self._observed)]
        return view.seen[: len(self._seen)] == self._seen and moves == self._observed


@dataclass(frozen=True, slots=True)
class _DrawnAgain(Chance):
    """Takes the first outcomes from `given`, except one, which is drawn once more."""

    at: int = 0

    def pick(self, number: int, t: Scalar, values: Sequence[Value], weights: Sequence[int] | None) -> Value:
        given = () if number == self.at else self.given
        return Chance(self.seed, given).pick(number, t, values, weights)


class _Maker:
    """Makes the worlds of one view."""

    def __init__(self, view: View) -> None:
        self._view = view
        self._visible = [view.comparing.texts(seen) for seen in view.seen]

    def extend(self, world: World, seed: str) -> World | None:
        """A world extended to the present, changed as little as possible; None if all attempts fail."""
        rng = random.Random(seed)
        found = self._run(world, world.outcomes, rng, seed)
        vain = 0
        for attempt in range(1, MOST_EFFORT + 1):
            if isinstance(found, World) or vain == EFFORT:
                break
            again = self._repaired(found, rng, f"{seed}/{attempt}")
            vain = vain + 1 if isinstance(again, Miss) and again.rank <= found.rank else 0
            if isinstance(again, World) or again.rank >= found.rank:
                found = again
            if vain and vain % AFRESH == 0 and isinstance(found, Miss):
                found = self._run(World(), (), rng, f"{seed}/{attempt}")
        return found if isinstance(found, World) else None

    def _run(self, world: World, outcomes: tuple[str, ...], rng: random.Random, seed: str) -> World | Miss:
        """Extend a world, with chance beginning with outcomes, until it differs from the observations."""
        return self._follow(world, Chance(seed, outcomes), rng)

    def _follow(self, world: World, chance: Chance, rng: random.Random) -> World | Miss:
        """Play a world up to the present ply; a Miss at the first ply that differs from what was seen."""
        while len(world.positions) < len(self._view.seen):
            try:
                found = self._ply(world, chance, rng)
            except ChanceError:
                return Miss(world, world.outcomes)
            if isinstance(found, Miss):
                return found
            world = found
        return world

    def _ply(self, world: World, chance: Chance, rng: random.Random) -> World | Miss:
        """One more ply of a world, with a move that looks like the observed one; a Miss if none fits."""
        view, ply = self._view, len(world.positions)
        rules = view.rules
        if ply == 0:
            steps: Iterator[tuple[tuple[Move, ...], Step]] = iter([((), rules.start(chance))])
        else:
            before, observed = world.positions[-1], view.observed[ply - 1]
            moves = self._alike(before, observed)
            if not moves:
                return Miss(world, world.outcomes, move=observed)
            rng.shuffle(moves)
            steps = (((move,), rules.play(before, move, chance)) for move in moves)
        best = Miss(world, world.outcomes)
        for made, step in steps:
            outcomes = world.outcomes + step.outcomes
            shown = rules.sight(step.position, view.seat)
            if shown == view.seen[ply]:
                counts = (*world.counts, len(outcomes))
                return World((*world.positions, step.position), outcomes, counts, world.moves + made)
            changes = tuple(view.comparing.changes(shown, view.seen[ply]))
            if not best.changes or len(changes) < len(best.changes):
                best = Miss(world, outcomes, changes)
        return best

    def _alike(self, before: Position, observed: ObservedMove) -> list[Move]:
        """Legal moves that the seat would have observed in the same way."""
        rules = self._view.rules
        if observed.move is not None:
            tried = [observed.move] if rules.is_legal(before, observed.move) else []
        else:
            tried = rules.moves(before, MOST_TRIED)
        return [move for move in tried if rules.observation(before, move, self._view.seat) == observed]

    def _repaired(self, miss: Miss, rng: random.Random, seed: str) -> World | Miss:
        """Run the play again with wrongly drawn values exchanged for the observed ones."""
        outcomes = miss.outcomes
        for one, other in self._exchanges(miss, rng):
            outcomes = tuple(_exchange(text, one, other) for text in outcomes)
        if outcomes != miss.outcomes:
            return self._run(World(), outcomes, rng, seed)
        return self._redrawn(miss, rng, seed)

    def _redrawn(self, miss: Miss, rng: random.Random, seed: str) -> World | Miss:
        """Run the play again with one outcome of a ply, probably a recent one, drawn once more.

        If there is too much of something and too little of another, the one takes the place of the other.
        """
        outcomes = miss.outcomes
        ends = dict.fromkeys((0, *miss.world.counts, len(outcomes)))
        drawn = [outcomes[first:last] for first, last in pairwise(ends)]
        if not drawn or any(text[:1] == "[" for text in drawn[-1]):
            return self._run(miss.world, miss.world.outcomes, rng, seed)
        ply = len(drawn) - 1 - int(len(drawn) * rng.random() ** RECENT)
        first = sum(map(len, drawn[:ply]))
        surplus, deficit = _miscounted(miss.changes, rng)
        if surplus in drawn[ply]:
            at = rng.choice([at for at, text in enumerate(drawn[ply], first) if text == surplus])
            outcomes = (*outcomes[:at], deficit, *outcomes[at + 1 :])
            return self._run(miss.world.before(at), outcomes, rng, seed)
        at = first + rng.randrange(len(drawn[ply]))
        return self._follow(miss.world.before(at), _DrawnAgain(seed, outcomes, at), rng)

    def _exchanges(self, miss: Miss, rng: random.Random) -> Iterator[tuple[str, str]]:
        """Yield pairs of values to exchange among the chance outcomes, to repair a Miss."""
        if miss.move is not None:
            yield from self._displacements(miss, miss.move, rng)
            return
        done: set[str] = set()
        for change in miss.changes:
            if kind(change.type) and change.before is not None and change.after is not None:
                pair = write(change.type, change.before), write(change.type, change.after)
                if not done & set(pair):
                    done.update(pair)
                    yield pair

    def _displacements(self, miss: Miss, move: ObservedMove, rng: random.Random) -> Iterator[tuple[str, str]]:
        """Exchanges that bring a piece named by an action and unseen by the seat to a hidden place."""
        visible = self._visible[len(miss.world.positions) - 1]
        hidden = self._view.rules.hidden_contents(miss.world.positions[-1])
        places = [[text for text in place if text not in visible] for place in hidden]
        lying = {text for place in places for text in place}
        spoken = [text for text in self._view.comparing.observed_names(move) if text in lying]
        places = [place for place in places if place and not set(place) >= set(spoken)]
        if not places:
            return
        place = rng.choice(places)
        room = [text for text in place if text not in spoken]
        rng.shuffle(room)
        yield from zip((text for text in spoken if text not in place), room, strict=False)


def _miscounted(changes: Sequence[Change], rng: random.Random) -> tuple[str, str]:
    """Something of which there is too much and something of which there is too little, both at random, in
    notation; empty if there is no such pair."""
    less, more = ([c for c in changes if c.keys and c.excess * sign > 0] for sign in (-1, 1))
    if not (less and more):
        return "", ""
    surplus, deficit = (write(*rng.choice(found).keys[-1]) for found in (more, less))
    return surplus, deficit


def _exchange(outcome: str, one: str, other: str) -> str:
    """A chance outcome with two values exchanged."""
    names = {one: other, other: one}
    if outcome[:1] != "[":
        return names.get(outcome, outcome)
    return "[" + ", ".join(names.get(item, item) for item in split(outcome[1:-1])) + "]"
