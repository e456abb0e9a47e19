"""From plays of generated code to moves of the interpreter, with their outcomes of chance."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from typing import SupportsIndex

from rulespec.code.kit import choose
from rulespec.core.game import Game
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Move, Position


class _Source(random.Random):
    """Gives the numbers that the source of chance of a game's code gives."""

    def __init__(self, state: list[int]) -> None:
        super().__init__(0)
        self._state = state

    def randrange(
        self, start: SupportsIndex, stop: SupportsIndex | None = None, step: SupportsIndex = 1
    ) -> int:
        return choose(self._state, int(start))

    def _randbelow(self, n: int) -> int:
        return choose(self._state, n)


class _AsInCode(Chance):
    """Draws that go as in code whose source of chance was in a given state."""

    __slots__ = ("_source",)

    def __init__(self, state: int) -> None:
        super().__init__("as in code")
        object.__setattr__(self, "_source", _Source([state]))

    def _random(self, number: int, what: str) -> random.Random:
        source: random.Random = self._source  # type: ignore[attr-defined]
        return source


def outcomes(game: Game, start: Position, moves: Sequence[Move], sources: Sequence[int]) -> Iterator[str]:
    """The outcomes of chance in moves from a position, given the state of its source before each."""
    if not game.has_chance_in_play:
        return
    machine, position = Machine(game), start
    for move, source in zip(moves, sources, strict=True):
        ply = machine.play(position, move, _AsInCode(source))
        yield from ply.outcomes
        position = ply.position
