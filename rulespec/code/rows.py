"""Actions as rows of numbers: which action, then its choices, a list with its size before its elements."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ..core.game import Choice, Game
from ..core.types import Scalar
from .body import Body
from .vals import Env, Val, plus, sum_of

FIRST_MOVES = 1 << 14
"""For so many legal actions the buffer of a position has room at first, if there may be as many."""


class Rows:
    """How the actions of a game lie in a buffer."""

    def __init__(self, game: Game) -> None:
        self.actions = list(game.actions.values())
        self.width = 1 + max((sum(map(_room, action.choices)) for action in self.actions), default=0)
        """How many numbers a row has."""

    @cached_property
    def bound(self) -> int | None:
        """How many legal actions there are at most in any position; None if that is not known beforehand."""
        total = 0
        for action in self.actions:
            ways = 1
            for choice in action.choices:
                if choice.chain or not isinstance(choice.var.type, Scalar):
                    return None
                ways *= len(choice.var.type.values)
            total += ways
        return total

    @property
    def fits(self) -> bool:
        """Whether the first buffer is surely large enough."""
        return self.bound is not None and self.bound <= FIRST_MOVES

    @property
    def first_size(self) -> int:
        """How many numbers the first buffer has; what is played instead of an action needs one, too."""
        return max(1, min(self.bound or FIRST_MOVES, FIRST_MOVES)) * self.width

    def places(self, index: int) -> Iterator[tuple[Choice, int]]:
        """The choices of an action, each with its place in a row."""
        place = 1
        for choice in self.actions[index].choices:
            yield choice, place
            place += _room(choice)

    def enter(self, body: Body, index: int, env: Env, full: int) -> None:
        """Write what puts a legal action behind the first n of m; without room `full` is returned."""
        at = body.local("at_move")
        body.line(f"{at} = n * {self.width}")
        if not self.fits:
            with body.block(f"if {plus(at, self.width)} > len(m)"):
                body.line(f"return {full}")
        body.line(f"m[{at}] = {index}")
        end = 1
        for choice, place in self.places(index):
            end = place + _room(choice)
            val = env[choice.var]
            assert isinstance(val, Val)
            if choice.chain:
                self._chain(body, plus(at, place), val, choice.chain.type.cap)
            else:
                body.line(f"m[{plus(at, place)}] = {val.text}")
        for place in range(end, self.width):  # the same action is always the same row
            body.line(f"m[{plus(at, place)}] = 0")
        body.line("n += 1")

    def _chain(self, body: Body, at: str, val: Val, cap: int) -> None:
        """Write what puts a list at a place: how long it is, then its values, then zeros."""
        first, size = val.texts
        body.line(f"m[{at}] = {size}")
        i = body.local("i")
        with body.block(f"for {i} in range({cap})"):
            body.line(f"m[{sum_of(at, i, '1')}] = s[{sum_of(first, i)}] if {i} < {size} else 0")


def _room(choice: Choice) -> int:
    return 1 + choice.chain.type.cap if choice.chain else 1
