"""Every position of a small game by the interpreter alone: the truth that methods are held against."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.notation import write
from rulespec.core.types import List, Scalar, Value
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine, Ply
from rulespec.play.position import Move, Position


class TooLarge(Exception):
    """A game with more positions or outcomes than are looked at."""


class _Wanted(Exception):
    """A draw without an outcome yet; carries what may come up, with its probability."""

    def __init__(self, branches: list[tuple[str, Fraction]]) -> None:
        super().__init__()
        self.branches = branches


class _Followed(Chance):
    """Chance that gives what is prescribed, and asks for the next outcome."""

    def pick(self, number: int, t: Scalar, values: Sequence[Value], weights: Sequence[int] | None) -> Value:
        if number < len(self.given):
            return super().pick(number, t, values, weights)
        each = weights or [1] * len(values)
        total = sum(each)
        raise _Wanted([(write(t, v), Fraction(w, total)) for v, w in zip(values, each, strict=True) if w])

    def order(self, number: int, t: List, values: Sequence[Value]) -> Value:
        if number < len(self.given):
            return super().order(number, t, values)
        orders = list(itertools.permutations(values))
        raise _Wanted([(write(t, order), Fraction(1, len(orders))) for order in orders])


def branches(run: Callable[[Chance], Ply], given: tuple[str, ...] = ()) -> Iterator[tuple[Ply, Fraction]]:
    """All that a ply may come to, with its probability."""
    try:
        yield run(_Followed(None, given)), Fraction(1)
    except _Wanted as wanted:
        for outcome, share in wanted.branches:
            for ply, rest in branches(run, (*given, outcome)):
                yield ply, share * rest


Key = tuple[tuple[Value, ...], str | None, bool]


class Space:
    """The reachable positions of a game, numbered in the order of their depth.

    `plies[i]` lists the legal moves at position i, each with what may come of it: probabilities and
    numbers of positions. A position after a fault has the values from before the ply that faulted, and
    nothing follows it.
    """

    def __init__(self, game: Game, most: int, most_edges: int, deal: tuple[str, ...] = ()) -> None:
        """Raises TooLarge where there are more than `most` positions or `most_edges` outcomes of plies.

        With a `deal` play begins with these outcomes of chance.
        """
        self.game, self.machine = game, Machine(game)
        self.positions: list[Position] = []
        self.depth: list[int] = []
        self.plies: list[list[tuple[Move, list[tuple[Fraction, int]]]]] = []
        self._numbers: dict[Key, int] = {}
        begun = branches(self.machine.start, deal)
        self.starts = [(share, self._number(ply.position, 0)) for ply, share in begun]
        edges = 0
        for number in itertools.count():
            if number == len(self.positions):
                break
            position, found = self.positions[number], []
            for move in self.machine.moves(position):
                followed = branches(lambda chance, p=position, m=move: self.machine.play(p, m, chance))  # type: ignore[misc]
                outs = [
                    (share, self._number(ply.position, self.depth[number] + 1)) for ply, share in followed
                ]
                edges += len(outs)
                found.append((move, outs))
                if len(self.positions) > most or edges > most_edges:
                    raise TooLarge
            self.plies.append(found)

    def _number(self, position: Position, depth: int) -> int:
        plain = Position(position.values, 0, position.ended, position.fault)
        key = (plain.values, plain.ended, plain.fault is not None)
        number = self._numbers.setdefault(key, len(self.positions))
        if number == len(self.positions):
            self.positions.append(plain)
            self.depth.append(depth)
        return number

    def number_of(self, position: Position) -> int:
        """The number of a reachable position."""
        return self._numbers[position.values, position.ended, position.fault is not None]

    def __len__(self) -> int:
        return len(self.positions)

    def after(self, number: int) -> list[int]:
        """The positions one ply further."""
        return [to for _, outs in self.plies[number] for _, to in outs]

    def ask(self, e: n.Expr, number: int) -> Any:
        """The value of an expression in a position."""
        return evaluate(e, {}, self.machine.situation(self.positions[number]))

    def is_over(self, number: int) -> bool:
        """True if nothing follows a position."""
        return self.positions[number].is_over

    def mover(self, number: int) -> Value:
        """The player to move."""
        at = self.machine.variables.index(self.game.mover)
        return self.positions[number].values[at]

    def won(self, number: int) -> tuple[Value, ...]:
        """The winners at a position."""
        return self.machine.winners(self.positions[number])
