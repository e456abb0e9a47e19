"""A game as players try plays on it: by generated code, or by the interpreter where a game has none.

Positions, moves and chance are opaque here; each model has its own.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Callable, Hashable, Sequence
from itertools import islice
from typing import Any, Protocol

from ..code import Node, Runner
from ..code.runner import Row, drawn, random_source
from ..core.game import Game
from ..core.types import Value
from ..core.winners import Sharing, sharing
from ..play.chance import Chance
from ..play.effects import Situation
from ..play.machine import Machine
from ..play.observation import Observer
from ..play.position import Move, Position
from .rules import Rules
from .worth import Nearness

AnyPosition = Any
AnyMove = Any
"""Hashable; equal where nothing differs."""
AnyChance = Any

AT_ONCE = 64
"""So many random plies are made between two questions whether to stop."""


class Model(Protocol):
    """The questions of a search to a game."""

    @property
    def players(self) -> Sequence[Value]:
        """The players, in order."""

    @property
    def hides(self) -> bool:
        """True if anything is hidden from anybody."""

    @property
    def sharing(self) -> Sharing:
        """The meaning of a win that several players share."""

    def at(self, position: Position) -> AnyPosition:
        """A position of the rules."""

    def own(self, move: Move) -> AnyMove:
        """A move of the rules."""

    def said(self, move: AnyMove) -> Move:
        """A move as the rules have it."""

    def chance(self, seed: str) -> AnyChance:
        """A source of chance; the seed fixes what comes of it."""

    def moves(self, position: AnyPosition, most: int) -> list[AnyMove]:
        """The first legal moves, at most so many; none once the game is over."""

    def draw(self, position: AnyPosition, rng: random.Random) -> AnyMove:
        """Some legal move at random, every one possible."""

    def is_legal(self, position: AnyPosition, move: AnyMove) -> bool:
        """True if a move may be made."""

    def play(self, position: AnyPosition, move: AnyMove, chance: AnyChance) -> tuple[AnyPosition, Hashable]:
        """The position after a legal move, and what tells apart how chance went; None without."""

    def rest(
        self, position: AnyPosition, chance: AnyChance, most: int, stop: Callable[[], bool]
    ) -> tuple[AnyPosition, int]:
        """The position after so many random plies, or fewer at the end or where `stop` says so; how many."""

    def key(self, position: AnyPosition) -> Hashable:
        """Equal where two positions are the same."""

    def seen(self, position: AnyPosition, seat: Value) -> Hashable:
        """Equal where two positions look the same to a seat, in a game that hides something."""

    def observed(self, position: AnyPosition, move: AnyMove, seat: Value) -> Hashable:
        """Equal where two moves, made in these positions, look the same to a seat."""

    def is_over(self, position: AnyPosition) -> bool:
        """True if no move can follow."""

    def mover(self, position: AnyPosition) -> Value:
        """The player to act, or the one who acted last once the game is over."""

    def winners(self, position: AnyPosition) -> Sequence[Value]:
        """The winners; nobody while the game goes on."""

    def scores(self, position: AnyPosition) -> dict[Value, int]:
        """The score of each player as things stand; empty for a game without scores."""

    def nearness(self, position: AnyPosition) -> dict[Value, float]:
        """How near each player is to what wins, from 0 to 1, judged by the rules' own words for it."""


class ByRules:
    """A model that the interpreter runs."""

    def __init__(self, rules: Rules) -> None:
        self._rules, self._machine = rules, rules.machine
        self.players, self.hides = rules.players, rules.hides
        self.sharing = sharing(self._machine.game)
        self._nearness = Nearness(self._machine.game)
        self._mover = self._machine.variables.index(self._machine.game.mover)

    def at(self, position: Position) -> Position:
        """See `Model`, here and below."""
        return position

    def own(self, move: Move) -> Move:
        return move

    def said(self, move: Move) -> Move:
        return move

    def chance(self, seed: str) -> Chance:
        return Chance(seed)

    def moves(self, position: Position, most: int) -> list[Move]:
        return list(islice(self._machine.moves(position), most))

    def draw(self, position: Position, rng: random.Random) -> Move:
        return self._machine.draw(position, rng)

    def is_legal(self, position: Position, move: Move) -> bool:
        return self._machine.is_legal(position, move)

    def play(self, position: Position, move: Move, chance: Chance) -> tuple[Position, Hashable]:
        after, outcomes = self._machine.play(position, move, chance)
        return after, outcomes or None

    def rest(
        self, position: Position, chance: Chance, most: int, stop: Callable[[], bool]
    ) -> tuple[Position, int]:
        rng, plies = random.Random(chance.seed), 0
        while plies < most and not position.is_over and not stop():
            position = self._machine.play(position, self._machine.draw(position, rng), chance).position
            plies += 1
        return position, plies

    def key(self, position: Position) -> Hashable:
        return position

    def seen(self, position: Position, seat: Value) -> Hashable:
        return self._rules.seen(position, seat)

    def observed(self, position: Position, move: Move, seat: Value) -> Hashable:
        return self._rules.observed(position, move, seat)

    def is_over(self, position: Position) -> bool:
        return position.is_over

    def mover(self, position: Position) -> Value:
        return position.values[self._mover]

    def winners(self, position: Position) -> Sequence[Value]:
        return self._machine.winners(position)

    def scores(self, position: Position) -> dict[Value, int]:
        return self._machine.scores(position)

    def nearness(self, position: Position) -> dict[Value, float]:
        return self._nearness(self._machine.situation(position))


class ByCode:
    """A model that generated code runs."""

    def __init__(self, game: Game, machine: Machine, runner: Runner) -> None:
        self._game, self._machine, self._runner = game, machine, runner
        self.sharing = sharing(game)
        self._nearness = Nearness(game)
        self._observer = Observer(game)
        self._keeps_secrets = any(action.secrets for action in game.actions.values())
        self.players = game.player.values
        self.hides = runner.written.visible is not None

    def at(self, position: Position) -> Node:
        """See `Model`, here and below."""
        return self._runner.node(position.values, position.draws)

    def own(self, move: Move) -> Row:
        return self._runner.row_of(*move)

    def said(self, move: Row) -> Move:
        return Move(*self._runner.move(move))

    def chance(self, seed: str) -> AnyChance:
        digest = hashlib.blake2b(seed.encode(), digest_size=8).digest()
        return random_source(int.from_bytes(digest, "little"))

    def moves(self, position: Node, most: int) -> list[Row]:
        return [self._runner.row(position, i) for i in range(min(position.legal, most))]

    def draw(self, position: Node, rng: random.Random) -> Row:
        return self._runner.row(position, rng.randrange(position.legal))

    def is_legal(self, position: Node, move: Row) -> bool:
        return move in self._runner.rows(position)

    def play(self, position: Node, move: Row, chance: AnyChance) -> tuple[Node, Hashable]:
        before = drawn(chance)
        after = self._runner.step(position, move, chance)
        return after, self._runner.key(after) if drawn(chance) != before else None

    def rest(
        self, position: Node, chance: AnyChance, most: int, stop: Callable[[], bool]
    ) -> tuple[Node, int]:
        plies = 0
        while plies < most and position.legal > 0 and not stop():
            position, more = self._runner.rest(position, chance, min(AT_ONCE, most - plies))
            plies += more
        return position, plies

    def key(self, position: Node) -> Hashable:
        return self._runner.key(position)

    def seen(self, position: Node, seat: Value) -> Hashable:
        return self._runner.seen(position, seat)

    def observed(self, position: Node, move: Row, seat: Value) -> Hashable:
        if not self._keeps_secrets:
            return move
        return self._observer.move(self._situation(position), self.said(move), seat)

    def is_over(self, position: Node) -> bool:
        return position.legal <= 0

    def mover(self, position: Node) -> Value:
        return self._runner.mover(position)

    def winners(self, position: Node) -> Sequence[Value]:
        return self._runner.winners(position) if position.legal == 0 else ()

    def scores(self, position: Node) -> dict[Value, int]:
        if self._game.outcome.score is None:
            return {}
        return {player: self._runner.score(position, player) for player in self.players}

    def nearness(self, position: Node) -> dict[Value, float]:
        return self._nearness(self._situation(position))

    def _situation(self, position: Node) -> Situation:
        values = self._runner.decode(position.cells, position.words)
        return self._machine.situation_of(dict(zip(self._machine.variables, values, strict=True)))
