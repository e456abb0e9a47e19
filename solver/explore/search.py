"""Breadth-first exploration of the positions of a game, every outcome of chance included.

Chance is followed by giving outcomes one at a time: a ply that asks for one more is branched over
all that can come up there. So a shuffle of n things costs n! branches, and budgets matter.
"""

from __future__ import annotations

import hashlib
import itertools
import math
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from rulespec.core.game import Game
from rulespec.core.notation import write
from rulespec.core.types import List, Scalar, Value
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine, Ply
from rulespec.play.position import Move, Position

Visit = Callable[[Position], str | None]
"""Asked of each new position; a text names what was found there."""

Step = Callable[[Position, Move, Ply], None]
"""Told of every ply: the position before it, the move, and what came of it."""

MOST_ORDERS = 5040
"""The greatest number of orders of one shuffle that is followed."""


class TooManyOutcomes(Exception):
    """A draw with more outcomes than can be followed one by one."""


@dataclass(frozen=True)
class Found:
    """A position that was asked for: what was found, and the shortest play that leads there."""

    what: str
    position: Position
    chance: tuple[str, ...]
    moves: tuple[Move, ...]


@dataclass
class Exploration:
    """What was seen: new positions at each depth (in plies), and whether none are left.

    `digest` is of the set of the positions' values, so that two explorations can be compared.
    `stopped` names the budget that ran out, if one did.
    """

    counts: list[int] = field(default_factory=list)
    closed: bool = False
    found: Found | None = None
    stopped: str = ""
    digest: str = ""

    @property
    def states(self) -> int:
        """How many positions were seen."""
        return sum(self.counts)

    @property
    def depth(self) -> int:
        """The greatest depth at which every position was seen."""
        return len(self.counts) - 1


class Branching(Chance):
    """Chance that gives prescribed outcomes and then asks for one more."""

    def pick(self, number: int, t: Scalar, values: Sequence[Value], weights: Sequence[int] | None) -> Value:
        if number < len(self.given):
            return Chance.pick(self, number, t, values, weights)
        likely = values if weights is None else [v for v, w in zip(values, weights, strict=True) if w]
        raise Asked([write(t, value) for value in likely])

    def order(self, number: int, t: List, values: Sequence[Value]) -> Value:
        if number < len(self.given):
            return Chance.order(self, number, t, values)
        if math.factorial(len(values)) > MOST_ORDERS:
            raise TooManyOutcomes(f"a shuffle of {len(values)}")
        raise Asked([write(t, order) for order in itertools.permutations(values)])


class Asked(Exception):
    """A draw was reached; carries its possible outcomes in notation."""

    def __init__(self, outcomes: list[str]) -> None:
        super().__init__("a draw")
        self.outcomes = outcomes


def outcomes(run: Callable[[Chance], Ply], chance: tuple[str, ...]) -> Iterator[Ply]:
    """Every result of a ply after the given outcomes of the play so far.

    Outcomes are numbered over the whole play, so earlier ones are padded by the caller's position.
    """
    try:
        yield run(Branching(None, chance))
    except Asked as asked:
        for outcome in asked.outcomes:
            yield from outcomes(run, (*chance, outcome))


def explore(
    game: Game,
    visit: Visit,
    chance: Sequence[str] | None = None,
    step: Step | None = None,
    *,
    seconds: float = 10.0,
    most: int = 200_000,
    depth: int | None = None,
) -> Exploration:
    """See every position of a game breadth-first, until none is left or a budget runs out.

    `chance` gives the outcomes of a known deal (they must suffice for the setup). `visit` sees each
    new position once; the first thing it names ends the exploration. `step` is told of every ply that
    is followed. Budgets: `seconds`, `most`
    positions, `depth` in plies.
    """
    search = _Search(game, visit, step, time.monotonic() + seconds)
    return search.run(tuple(chance or ()), most, depth)


class _Search:
    def __init__(self, game: Game, visit: Visit, step: Step | None, deadline: float) -> None:
        self.machine = Machine(game)
        self.visit = visit
        self.step = step
        self.deadline = deadline
        self.result = Exploration()
        self.back: dict[Position, tuple[Position | None, Move | None, tuple[str, ...]]] = {}

    def run(self, chance: tuple[str, ...], most: int, depth: int | None) -> Exploration:
        try:
            self._layers(chance, most, depth)
        except TooManyOutcomes as stop:
            self.result.stopped = f"{stop} has too many outcomes to follow"
        self.result.digest = digest_of(self.back)
        return self.result

    def _layers(self, chance: tuple[str, ...], most: int, depth: int | None) -> None:
        layer = [p for ply in outcomes(self.machine.start, chance) if (p := self._see(None, None, ply))]
        while True:
            if self.result.found or not layer:
                self.result.closed = not layer and not self.result.found
                return
            self.result.counts.append(len(layer))
            following: list[Position] = []
            for position in layer:
                for successor in self._successors(position):
                    following.append(successor)
                    if self._out_of_budget(most):
                        return
                if self.result.found:
                    return
            if depth is not None and self.result.depth == depth:
                self.result.closed = not following
                return
            layer = following

    def _out_of_budget(self, most: int) -> bool:
        if len(self.back) > most:
            self.result.stopped = f"{most} positions"
        elif time.monotonic() > self.deadline:
            self.result.stopped = "time"
        return bool(self.result.stopped)

    def _successors(self, position: Position) -> Iterator[Position]:
        for move in self.machine.moves(position):
            if self.result.found:
                return

            def act(chance: Chance, move: Move = move) -> Ply:
                return self.machine.play(position, move, chance)

            for ply in outcomes(act, ()):
                if self.step is not None:
                    self.step(position, move, Ply(timeless(ply.position), ply.outcomes))
                new = self._see(position, move, ply)
                if new is not None:
                    yield new

    def _see(self, before: Position | None, move: Move | None, ply: Ply) -> Position | None:
        position = timeless(ply.position)
        if position in self.back:
            return None
        self.back[position] = (before, move, ply.outcomes)
        self._ask(position)
        return position

    def _ask(self, position: Position) -> None:
        what = self.visit(position)
        if what is not None and self.result.found is None:
            moves: list[Move] = []
            drawn: list[tuple[str, ...]] = []
            at: Position | None = position
            while at is not None:
                at, move, outcomes_of_ply = self.back[at]
                drawn.append(outcomes_of_ply)
                moves += [move] if move else []
            chance = tuple(itertools.chain.from_iterable(reversed(drawn)))
            self.result.found = Found(what, position, chance, tuple(reversed(moves)))


def timeless(position: Position) -> Position:
    """The position as if no chance had been drawn yet: how many draws came before changes nothing."""
    return Position(position.values, 0, position.ended, position.fault)


def digest_of(positions: Iterable[Position]) -> str:
    """A digest of a set of positions, whatever the order in which they were seen."""
    total = 0
    for position in positions:
        key = repr((_ordered(position.values), position.ended, str(position.fault or "")))
        total ^= int.from_bytes(hashlib.sha256(key.encode()).digest(), "big")
    return f"{total:064x}"


def _ordered(value: Value) -> Value:
    """A value with its sets as sorted lists, so that its text is always the same."""
    if isinstance(value, tuple):
        return tuple(map(_ordered, value))
    return ("set", *sorted(value)) if isinstance(value, frozenset) else value
