"""Running generated code: positions in and out, plies with chance answered from outside."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, NamedTuple

from ...budgets import watchdog
from ...core.action_numbers import choice_type
from ...core.context import Context
from ...core.evaluate import evaluate
from ...core.types import Value
from ...kernels import kit
from ..codes import TooLarge
from ..plies import FAULT, FULL
from ..program import decode_state, encode_state
from ..writer import GameCode
from .instance import Instance

Picker = Callable[[int], int]
"""Picks one of a number of outcomes, counted from 0."""
Answer = Callable[[int], Picker]
"""Returns the picks of a draw, given its number (from 0): one for each outcome that makes it up."""
Row = tuple[int, ...]
"""An action in a buffer: its number, then its choices."""

FEW_PICKS = 64
"""Initial room for given picks in a source of chance."""
MOST_NUMBERS = 1 << 24
"""Maximum size of the buffer of legal actions, in numbers."""


class Node(NamedTuple):
    """A position in code: numbers, words, draws so far, the buffer of legal actions and their count.

    The count is 0 if the game is over and `FAULT` after a fault.
    """

    cells: Any
    words: Any
    draws: int
    moves: Any
    legal: int


class Tally(NamedTuple):
    """Results of random plays: number of plays, total plies, and wins of each player."""

    games: int
    plies: int
    wins: dict[Value, int]


def wider_buffer(instance: Instance, buffer: Any, written: GameCode) -> Any:
    """A buffer for twice as many legal actions. Raises TooLarge beyond the limit."""
    size = 2 * len(buffer)
    if size > MOST_NUMBERS:
        raise TooLarge(f"a position has more than {written.rows.capacity(len(buffer)):,} legal actions")
    return instance.room("numbers", size)


def random_source(seed: int) -> list[int]:
    """A source of random outcomes for a seed."""
    return [spread_seed(seed), 1, 0, 0, 0, 0, 0]


def spread_seed(seed: int) -> int:
    """A nonzero state of the random generator; close seeds give very different states."""
    x = (seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & kit.FULL_WORD
    x ^= x >> 29
    return (x * 0xBF58476D1CE4E5B9) & kit.FULL_WORD or 1


class Runner:
    """Plays a game by its generated code. Positions are copied, so a node never changes.

    `instance` runs the code. Raises TooLarge without a machine.
    """

    def __init__(self, written: GameCode, instance: Instance | None = None) -> None:
        self.written, self.program = written, written.program
        self.instance = Instance(written) if instance is None else instance
        self.variables = tuple(self.program.game.state.values())
        blank = Context()
        self.first = first = self.encode([evaluate(var.initial, {}, blank) for var in self.variables])
        """The numbers and words of the state before the setup."""
        self._first = _frozen_arrays(*first)
        numbers, words = self.instance.numbers, self.instance.words
        self._s, self._b, self._c = numbers(first[0]), words(first[1]), words([0] * (kit.FIRST + FEW_PICKS))
        self._moves = numbers([0] * written.rows.first_size)
        count = len(written.rows.actions)
        rows = ([count + more] + [0] * (written.width - 1) for more in range(3))
        self.setup, self._settle, self.resume = rows

    @cached_property
    def names(self) -> Mapping[str, Any]:
        """The functions of the code that may be called from outside."""
        return self.instance.names

    # ---- positions

    def encode(self, values: Sequence[Value]) -> tuple[list[int], list[int]]:
        """The numbers and words of a state."""
        return encode_state(self.program, values)

    def decode(self, cells: Sequence[int], words: Sequence[int]) -> tuple[Value, ...]:
        """The values of a state's variables, in the order of the game."""
        return decode_state(self.program, cells, words)

    def key(self, node: Node) -> Hashable:
        """A key that is equal for two nodes only if their states are equal."""
        cells, words = node.cells[: self.program.state_cells], node.words[: self.program.state_words]
        return cells.tobytes(), words.tobytes()

    def ended(self, node: Node) -> str | None:
        """The id of the end that was reached, or `stuck`; None while play continues."""
        found = int(node.cells[self.written.constants["ENDED"]])
        if node.legal != 0 or not found:
            return None
        ends = self.program.game.ends
        return ends[found - 1].id if found <= len(ends) else "stuck"

    def moves(self, node: Node) -> Iterator[tuple[str, tuple[Value, ...]]]:
        """The legal actions of a node, by name with their choices, in no particular order."""
        return map(self.move, self.rows(node))

    def rows(self, node: Node) -> list[Row]:
        """The legal actions of a node as rows."""
        return [self.row(node, i) for i in range(max(node.legal, 0))]

    def row(self, node: Node, number: int) -> Row:
        """One of a node's legal actions as a row."""
        at = number * self.written.width
        return tuple(node.moves[at : at + self.written.width])

    def move(self, row: Sequence[int]) -> tuple[str, tuple[Value, ...]]:
        """The name and the choices of the action in a row."""
        index = int(row[0])
        places = self.written.rows.places(index)
        args = tuple(self.program.value(choice_type(choice), row, place) for choice, place in places)
        return self.written.rows.actions[index].id, args

    def row_of(self, name: str, args: Sequence[Value]) -> Row:
        """The row of an action, given by name and choices."""
        index, action = next((i, x) for i, x in enumerate(self.written.rows.actions) if x.id == name)
        row = [index]
        for choice, value in zip(action.choices, args, strict=True):
            row += self.program.flat(choice_type(choice), value)
        return *row, *[0] * (self.written.width - len(row))

    def mover(self, node: Node) -> Value:
        """Player who acts next, or acted last once the game is over."""
        var = self.program.game.mover
        return self.program.codes.value(var.type, int(node.cells[self.program.offsets[var][1]]))

    def score(self, node: Node, player: Value) -> int:
        """A player's score, in a game with scores."""
        return int(self.names["score"](*self._state(node), player))

    def ask(self, name: str, node: Node) -> Value:
        """The value of a question that the code was written with, by its name."""
        function, e = self.written.asked[name]
        return self.program.codes.value(e.type, int(self.names[function](*self._state(node))))

    def winners(self, node: Node) -> tuple[Value, ...]:
        """Players who have won, ascending, once the game has ended."""
        found = int(self.names["winners"](*self._state(node)))
        return tuple(p for p in self.program.game.player.values if found >> int(p) & 1)

    def can_act(self, values: Sequence[Value]) -> bool:
        """True if the mover of a state has a legal action."""
        state = self._state(Node(*_frozen_arrays(*self.encode(values)), 0, [], 0))
        # Where there are more than the buffer holds, the number is negative.
        return int(self.names["listing"](*state, self._moves)) != 0

    def seen(self, node: Node, seat: Value) -> Hashable:
        """A key of a seat's view of a node, in a game that hides something; equal for nodes that look
        alike."""
        visible = self.written.visible
        assert visible is not None, "nothing is hidden in this game"
        cells, words = state = self._state(node)
        self.names["see"](*state, self.program.codes.code(self.program.game.player, seat))
        return tuple(cells[at] for at in visible.cells), tuple(words[at] for at in visible.words)

    def _state(self, node: Node) -> tuple[Any, Any]:
        """Copy a node's state into the arrays that functions change."""
        self._s[:], self._b[:] = node.cells, node.words
        return self._s, self._b

    # ---- plies

    def start(self, answer: Answer | None = None, picks: Sequence[int] = ()) -> Node:
        """The position after the setup; `picks` fixes the first outcomes of chance, `answer` the others."""
        return self._run(Node(*self._first, 0, [], 0), answer, self.setup, picks)

    def play(self, node: Node, index: int, answer: Answer | None = None) -> Node:
        """The position after one of a node's legal actions."""
        return self._run(node, answer, self.row(node, index))

    def node(self, values: Sequence[Value], draws: int = 0) -> Node:
        """A position that play has reached, with its legal actions.

        End conditions are not tested: the effects at the beginning of a turn may have changed their values.
        """
        found = Node(*_frozen_arrays(*self.encode(values)), draws, [], 0)
        over = found.cells[self.program.offsets[self.program.game.state["over"]][1]]
        return found if over else self._run(found, None, self.resume)

    def settle(self, values: Sequence[Value], draws: int = 0) -> Node:
        """The position that the rules give for a state set up by hand."""
        return self._run(Node(*_frozen_arrays(*self.encode(values)), draws, [], 0), None, self._settle)

    def playouts(self, games: int, seed: int, most: int = 100_000) -> Tally:
        """Play `games` random games, each for at most `most` plies; the seed fixes them all.

        Raises TooLarge for a position with too many legal actions, ArithmeticError after a fault.
        """
        players = self.program.game.player.values
        first = self.instance.numbers(self._first[0]), self.instance.words(self._first[1])
        while True:
            c = self.instance.words(random_source(seed))
            tally = self.instance.numbers([0] * (players[-1] + 1))
            state = (self._s, self._b, c, self._moves)
            found = int(self.names["playouts"](*first, *state, games, most, tally))
            if found != FULL:
                break
            self._grow()
        if found == FAULT:
            raise ArithmeticError("a value was stored that its place does not hold")
        return Tally(games, int(tally[0]), {p: int(tally[p]) for p in players})

    def step(self, node: Node, row: Sequence[int], chance: list[int]) -> Node:
        """The position after an action in a row, with chance from a given source."""
        found = self._call("play", node, row, chance, 0)
        return self._node(node, chance[kit.DRAWS], found)

    def rest(self, node: Node, chance: list[int], most: int) -> tuple[Node, int]:
        """The position after at most `most` random plies, and the number of plies played."""
        if node.legal <= 0:
            return node, 0
        found, plies = self._call("rest", node, node.moves, chance, node.legal, most)
        return self._node(node, chance[kit.DRAWS], int(found)), int(plies)

    def _call(self, name: str, before: Node, held: Sequence[int], source: list[int], *more: int) -> Any:
        """Call a function on the state of a node, with `held` in the buffer; this advances the source."""
        while True:
            watchdog.step()
            c, m = self._chance(source), self._moves
            m[: len(held)] = held
            result = self.names[name](*self._state(before), c, m, *more)
            if (result[0] if isinstance(result, Sequence) else result) != FULL:
                source[:] = c[: len(source)]
                return result
            self._grow()

    def _chance(self, source: Sequence[int]) -> Any:
        """Copy a source of chance into the array that functions change."""
        if len(source) > len(self._c):
            self._c = self.instance.words([0] * (2 * len(source)))
        self._c[: len(source)] = source
        return self._c

    def _node(self, before: Node, draws: int, found: int) -> Node:
        """The node after a ply, or after a fault the node before it."""
        if found == FAULT:
            return Node(before.cells, before.words, draws, [], FAULT)
        moves = self._moves.frozen(found * self.written.width)
        return Node(self._s.frozen(), self._b.frozen(), draws, moves, found)

    def _run(
        self, before: Node, answer: Answer | None, row: Sequence[int], given: Sequence[int] = ()
    ) -> Node:
        """Play a row; chance outcomes that are not `given` are requested one by one. Raises LookupError."""
        picks = list(given)
        drawing, picker = -1, None
        while True:
            source = [1, 0, len(picks), 0, 0, 0, before.draws, *picks]
            found = self._call("play", before, row, source, 0)
            if not source[kit.ASKED]:
                return self._node(before, source[kit.DRAWS], found)
            if answer is None:
                raise LookupError("chance is asked, and there is no answer")
            if drawing != source[kit.WHERE]:
                drawing = source[kit.WHERE]
                picker = answer(drawing - 1)
            assert picker is not None
            picks.append(picker(source[kit.ASKED]))

    def _grow(self) -> None:
        """Double the buffer of legal actions. Raises TooLarge past the limit."""
        self._moves = wider_buffer(self.instance, self._moves, self.written)


def _frozen_arrays(cells: Sequence[int], words: Sequence[int]) -> tuple[memoryview, memoryview]:
    """Read-only copies of the arrays of a state, for a node."""
    return memoryview(array("q", cells)), memoryview(array("Q", words))
