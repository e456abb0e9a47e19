"""perft: the number of sequences of actions, depth by depth.

The one test that catches any slip in a rule. Sequences are counted exactly, but a position that several of
them reach is visited once for each depth. Generated code counts if the game has any; the interpreter counts
otherwise, and is the reference for the counts of code.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import cached_property
from typing import Any, Protocol

from ..budgets import UNBOUNDED, Budget
from ..code import Node, Runner, TooLarge, write
from ..code.execution.sequence_counting import SequenceCounter, Tell
from .chance import Chance
from .face import Game
from .machine import Machine
from .position import Position

Progress = Callable[[int, int, int], None]
"""Called now and then with the depth, the finished positions of this depth and their total."""

PROGRESS_EVERY = 256


class Counter(Protocol):
    """A source of positions of a game, each with a key that identifies it."""

    def rest(self, layer: Sequence[tuple[Any, int]], depth: int, tell: Tell) -> list[int] | None:
        """Numbers of sequences of 2, 3, … `depth` actions from positions, each weighted by its count.

        None if the counter works position by position. `tell` is called with the number of finished
        positions.
        """
        ...

    def first(self, start: Position | None) -> tuple[Hashable, Any]:
        """The position to begin with: the given one, or that after the setup."""
        ...

    def legal(self, position: Any) -> int:
        """Number of legal actions in a position."""
        ...

    def after(self, position: Any) -> Iterator[tuple[Hashable, Any]]:
        """The positions after each legal action."""
        ...


class ByRules:
    """Counts with the interpreter."""

    def __init__(self, game: Game, seed: str) -> None:
        self._machine, self._chance = Machine(game.core, game.machine.meter), Chance(seed)

    def rest(self, layer: Sequence[tuple[Any, int]], depth: int, tell: Tell) -> None:
        """None: it counts position by position."""

    def first(self, start: Position | None) -> tuple[Hashable, Position]:
        """The position to begin with."""
        found = start or self._machine.start(self._chance).position
        return found, found

    def legal(self, position: Position) -> int:
        """Number of legal actions."""
        return sum(1 for _ in self._machine.moves(position))

    def after(self, position: Position) -> Iterator[tuple[Hashable, Position]]:
        """The positions after each legal action."""
        for move in self._machine.moves(position):
            found = self._machine.play(position, move, self._chance).position
            yield found, found


class ByCode:
    """Counts with generated code. Raises TooLarge without code, or for a position with too many actions."""

    def __init__(self, game: Game, seed: str) -> None:
        self._runner = Runner(write(game.core))
        self._seed = seed

    @cached_property
    def _walk(self) -> SequenceCounter:
        """The counter in code, created once."""
        return SequenceCounter(self._runner, self._seed)

    def rest(self, layer: Sequence[tuple[Node, int]], depth: int, tell: Tell) -> list[int] | None:
        """Count all sequences that follow a layer at once; None if that takes too much memory."""
        nodes = [(node, ways) for node, ways in layer if node.legal > 0]
        try:
            return self._walk.count(nodes, depth, tell) if nodes else [0] * (depth - 1)
        except TooLarge:
            return None

    def _answer(self, draw: int) -> Callable[[int], int]:
        return random.Random(f"{self._seed}/{draw}").randrange

    def _known(self, node: Node) -> tuple[Hashable, Node]:
        return (self._runner.key(node), node.draws), node

    def first(self, start: Position | None) -> tuple[Hashable, Node]:
        """The position from which to count."""
        if start is None:
            return self._known(self._runner.start(self._answer))
        found = self._runner.node(start.values, start.draws)
        return self._known(found._replace(legal=0) if start.is_over else found)

    def legal(self, node: Node) -> int:
        """Number of legal actions; 0 after a fault."""
        return max(node.legal, 0)

    def after(self, node: Node) -> Iterator[tuple[Hashable, Node]]:
        """The positions after each legal action."""
        for i in range(self.legal(node)):
            yield self._known(self._runner.play(node, i, self._answer))


def perft(
    game: Game,
    depth: int,
    seed: int | str = 0,
    progress: Progress | None = None,
    *,
    start: Position | None = None,
    by: Callable[[Game, str], Counter] | None = None,
    budget: Budget = UNBOUNDED,
) -> dict[int, int]:
    """The number of sequences of exactly 1, 2, … `depth` actions, from the start or a position.

    Chance is fixed by `seed`: draw n of a play is the same in every branch. A sequence that ends the game is
    counted at its own length only. `by` selects the counter. Raises OutOfBudget.
    """
    if by is not None:
        return _count(by(game, str(seed)), depth, progress, start, budget)
    try:
        return _count(ByCode(game, str(seed)), depth, progress, start, budget)
    except TooLarge:
        return _count(ByRules(game, str(seed)), depth, progress, start, budget)


def _count(
    counter: Counter, depth: int, progress: Progress | None, start: Position | None, budget: Budget
) -> dict[int, int]:
    """The number of sequences of actions by depth, with equal positions merged."""
    key, first = counter.first(start)
    layer: dict[Hashable, tuple[Any, int]] = {key: (first, 1)}
    counts: dict[int, int] = {}
    for ply in range(1, depth + 1):
        if ply < depth:
            tell = _telling(progress, ply, len(layer), budget)
            told = counter.rest([*layer.values()], depth - ply + 1, tell)
            if told is not None:
                counts[ply] = sum(ways * counter.legal(position) for position, ways in layer.values())
                return counts | dict(enumerate(told, ply + 1))
        reached: dict[Hashable, tuple[Any, int]] = {}
        counts[ply] = 0
        for done, (position, ways) in enumerate(layer.values(), 1):
            counts[ply] += ways * counter.legal(position)
            budget.check()
            if ply < depth:
                for key, after in counter.after(position):
                    budget.check()
                    reached[key] = (after, reached[key][1] + ways if key in reached else ways)
            if progress is not None and (done % PROGRESS_EVERY == 0 or done == len(layer)):
                progress(ply, done, len(layer))
        layer = reached
    return counts


def _telling(progress: Progress | None, ply: int, of: int, budget: Budget) -> Tell:
    """A callback that reports how many positions of a ply are done. Raises OutOfBudget."""

    def tell(done: int) -> None:
        budget.check()
        if progress is not None:
            progress(ply, done, of)

    return tell
