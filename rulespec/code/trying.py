"""Trying plays by generated code: chance from a generator, actions as rows, positions told apart fast."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Hashable, Sequence
from operator import itemgetter
from typing import Any

from ..core.types import Value
from ..kernels import kit
from .runner import Node, Runner, spread

Row = tuple[int, ...]
"""An action: its number, then the codes of its choices, a list with its size before its elements."""


class Trying:
    """What a search asks of a game's code. The nodes are those of the runner."""

    def __init__(self, runner: Runner) -> None:
        self.runner, self.program = runner, runner.program
        rows = runner.written.rows
        self._fixed = [
            None if any(choice.chain for choice in action.choices) else 1 + len(action.choices)
            for action in rows.actions
        ]
        self._width = rows.width
        self._index = {action.id: i for i, action in enumerate(rows.actions)}
        visible = runner.written.visible
        self._visible = (_taking(visible.cells), _taking(visible.words)) if visible else None

    def chance(self, seed: str) -> list[int]:
        """A source of chance; the seed fixes what comes of it."""
        number = int.from_bytes(hashlib.blake2b(seed.encode(), digest_size=8).digest(), "little")
        return [spread(number), 1, 0, 0, 0, 0, 0]

    # ---- actions

    def rows(self, node: Node) -> list[Row]:
        """The legal actions of a node."""
        held = list(node.moves)
        return [self._cut(held, at) for at in range(0, max(node.legal, 0) * self._width, self._width)]

    def row(self, node: Node, number: int) -> Row:
        """One of a node's legal actions."""
        at = number * self._width
        return self._cut(node.moves[at : at + self._width], 0)

    def _cut(self, held: Sequence[int], at: int) -> Row:
        """The row that lies at a place, without what stands behind it from earlier ones."""
        index = held[at]
        length = self._fixed[index]
        if length is not None:
            return tuple(held[at : at + length])
        found = [index]
        for choice, place in self.runner.written.rows.places(index):
            size = held[at + place] if choice.chain else 0
            found += list(held[at + place : at + place + 1 + size])
        return tuple(found)

    def move(self, row: Row) -> tuple[str, tuple[Value, ...]]:
        """The action that a row stands for, by its id, with its choices."""
        action = self.runner.written.rows.actions[row[0]]
        args: list[Value] = []
        at = 1
        for choice in action.choices:
            t = choice.chain.type if choice.chain else choice.var.type
            args.append(self.program.value(t, row, at))
            at += 1 + row[at] if choice.chain else 1
        return action.id, tuple(args)

    def row_of(self, action: str, args: Sequence[Value]) -> Row:
        """The row of an action."""
        index = self._index[action]
        found = [index]
        codes = self.program.codes
        for choice, value in zip(self.runner.written.rows.actions[index].choices, args, strict=True):
            if choice.chain:
                found += [len(value), *(codes.code(choice.chain.step.type, part) for part in value)]
            else:
                found.append(codes.code(choice.var.type, value))
        return tuple(found)

    def _laid(self, row: Row) -> Sequence[int]:
        """A row as it lies in a buffer."""
        if self._fixed[row[0]] is not None:
            return row
        found = [0] * self._width
        found[0], at = row[0], 1
        for choice, place in self.runner.written.rows.places(row[0]):
            size = 1 + row[at] if choice.chain else 1
            found[place : place + size] = row[at : at + size]
            at += size
        return found

    # ---- plies

    def play(self, node: Node, row: Row, chance: Any) -> Node:
        """The position after an action."""
        return self.runner.step(node, self._laid(row), chance)

    def rest(self, node: Node, chance: Any, most: int) -> tuple[Node, int]:
        """The position after so many random plies, or at the end of the game, and how many there were."""
        return self.runner.rest(node, chance, most)

    def drawn(self, chance: Any) -> int:
        """How often chance was asked of a source."""
        return int(chance[kit.DRAWS])

    # ---- what tells positions apart

    def key(self, node: Node) -> Hashable:
        """Equal where two nodes are the same state."""
        return self.runner.key(node)

    def seen(self, node: Node, seat: Value) -> Hashable:
        """Equal where two nodes look the same to a seat; of a game that hides something."""
        assert self._visible is not None, "nothing is hidden in this game"
        cells, words = self._visible
        viewer = self.program.codes.code(self.program.game.player, seat)
        state = self.runner.seen(node, viewer)
        return cells(state[0]), words(state[1])


def _taking(places: Sequence[int]) -> Callable[[Any], Hashable]:
    """A function that takes the numbers at some places."""
    return itemgetter(*places) if places else lambda held: ()
