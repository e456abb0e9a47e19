"""States packed into rows of 64-bit words, so that many of them fit into memory.

Each number of a state takes as many bits as its type needs, each word of a set as many as the set can have
elements. A row ends with the end that was reached and a mark for a value stored that did not fit. No field
crosses two words. The layout depends on the game alone, so rows of the same game can be compared, whatever
made them. A variable that has its first value in all positions takes no room.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ...core import nodes as n
from ...core.context import Context
from ...core.evaluate import evaluate
from ...core.game import Game
from ...core.nodes import StateVar
from ...core.traversal import assignments
from ...core.types import List, Map, Optional, Scalar, Set, Type, Value, scalar_of
from ..bindings import scalar_type
from ..codes import NONE, WORD
from ..execution.runner import Runner
from ..program import Program, in_words


class RowField(NamedTuple):
    """The place of one number (array `s`) or word (array `b`) of a state in its row.

    The field holds the value less `low`, or `span` for none; a field without bits represents `low`.
    """

    at: int
    low: int
    span: int
    bits: int
    word: int
    shift: int


class RowFields:
    """The layout of a game's rows.

    Rows of states from which play `goes_on` have no field for the end, and hold for some maps the words that
    the code keeps for each value in place of the maps, unless that takes much more room. A `whole` row has
    room for all variables.
    """

    def __init__(self, runner: Runner, goes_on: bool = False, whole: bool = False) -> None:
        self.runner = runner
        program = runner.program
        self.idle = frozenset[StateVar]() if whole else constant_variables(program.game)
        """The variables that take no room."""
        self.whole: RowFields = type(self)(runner, goes_on, True) if self.idle else self
        """The layout of whole rows."""
        self.cells: list[RowField] = []
        self.words: list[RowField] = []
        self._room: list[int] = []
        self.held: dict[StateVar, tuple[Type, list[RowField]]] = {}
        """For each variable, the type of its part of the row, and its fields."""
        self.planes: dict[StateVar, int] = {}
        """The index in `words` of the first word that the row holds for a map, one set of keys for each
        value."""
        maps = [var for var in program.planes if goes_on and var not in self.idle]
        planes = {var: words for var in maps if (words := _planes(program, var))}
        if len(planes) < len(maps):
            planes = {}
        for var in program.game.state.values():
            t, at = var.type, program.offsets[var][1]
            if var in planes:
                t, at = planes[var], program.planes[var].at
                self.planes[var] = len(self.words)
            if var in self.idle:
                fields = [
                    RowField(i, x, 0, 0, 0, 0) for i, x in enumerate(program.flat(t, initial_value(var)), at)
                ]
            elif in_words(t):
                fields = [
                    self._field(i, 0, high, high.bit_length())
                    for i, (_, high, _) in enumerate(_ranges(program, t), at)
                ]
            else:
                known = goes_on and var.name == "over"
                fields = [
                    self._field(i, low, high - low + 1, 0 if known else (high - low + none).bit_length())
                    for i, (low, high, none) in enumerate(_ranges(program, t), at)
                ]
            self.held[var] = t, fields
            kept = self.words if in_words(t) else self.cells
            kept += fields
        for name, most in (("ENDED", len(program.game.ends) + 1), ("FAULT", 1)):
            at = runner.written.constants[name]
            self.cells.append(self._field(at, 0, most + 1, 0 if goes_on else most.bit_length()))
        self.ended, self.fault = self.cells[-2:]
        over = program.offsets[program.game.state["over"]].at
        self.over = next(x for x in self.cells if x.at == over)
        self.width = max(1, len(self._room))
        """The number of words that a row takes."""
        self.free = WORD - sum(self._room[-1:])
        """The number of bits of the last word that no field takes."""

    def _field(self, at: int, low: int, span: int, bits: int) -> RowField:
        for word, taken in enumerate(self._room):
            if taken + bits <= WORD:
                self._room[word] += bits
                return RowField(at, low, span, bits, word, taken)
        self._room.append(bits)
        return RowField(at, low, span, bits, len(self._room) - 1, 0)

    def stuck_mark(self) -> tuple[list[int], list[int]]:
        """The words that mark a row in which nobody can act, and the bits of each that may change."""
        marks, bits = [0] * self.width, [0] * self.width
        for x, code in ((self.over, 1), (self.ended, len(self.runner.program.game.ends) + 1)):
            if x.bits:
                marks[x.word] |= code << x.shift
                bits[x.word] |= (1 << x.bits) - 1 << x.shift
        return marks, bits

    @staticmethod
    def number(field: RowField, row: Sequence[int]) -> int:
        """The number that a field of a row holds."""
        x = int(row[field.word]) >> field.shift & (1 << field.bits) - 1
        return NONE if x == field.span and field.bits else x + field.low


def _planes(program: Program, var: StateVar) -> Map | None:
    """The bit sets kept for the values of a map, as a type; None if they take too much room."""
    assert isinstance(var.type, Map)
    of = scalar_type(var.type.of)
    many = program.plane_size(var) // program.codes.words(var.type.keys)
    fits = many == len(of.values) <= many.bit_length() + 1
    return Map(of, Set(var.type.keys)) if fits else None


def _ranges(program: Program, t: Type) -> Iterator[tuple[int, int, bool]]:
    """For each number in a value its least and greatest code, and True if it may be none."""
    if isinstance(t, Map):
        for _ in t.keys.values:
            yield from _ranges(program, t.of)
    elif isinstance(t, Set):
        count = program.codes.words(t.of)
        last = program.codes.codes(t.of)[-1] - program.codes.base(t.of) if t.of else 0
        for i in range(count):
            yield 0, (1 << min(WORD, last + 1 - WORD * i)) - 1, False
    elif isinstance(t, List):
        yield 0, t.cap, False
        low, high, _ = _scalar(program, t.of) if t.of else (0, 0, False)
        for _ in range(t.cap):  # places past the end hold 0
            yield min(low, 0), max(high, 0), False
    else:
        yield _scalar(program, t)


def _scalar(program: Program, t: Type) -> tuple[int, int, bool]:
    """The least and greatest code of a type, both 0 unless it is a scalar, and True if it includes none."""
    of = scalar_of(t)
    if of is None or not len(of.values):
        return 0, 0, isinstance(t, Optional)
    assert isinstance(of, Scalar)
    codes = program.codes.codes(of)
    return codes[0], codes[-1], isinstance(t, Optional)


def initial_value(var: StateVar) -> Value:
    """The value that a variable has before the setup."""
    return evaluate(var.initial, {}, Context())


def changed_variables(game: Game) -> frozenset[StateVar]:
    """The variables that a ply may change."""
    effects = [game.turn.begin, *(action.effect for action in game.actions.values())]
    effects += [reaction.effect for reaction in game.reactions]
    assigned = {a.target for effect in effects for a in assignments(effect)}
    return frozenset({*assigned, game.mover, game.state["over"]})


def constant_variables(game: Game) -> frozenset[StateVar]:
    """The variables that keep their first value in every position of every play.

    No ply changes them, and if the setup does, it restores that value in the end.
    """
    return frozenset(
        var
        for var in game.state.values()
        if var not in changed_variables(game) and _unchanged_by_setup(game, var)
    )


def _unchanged_by_setup(game: Game, var: StateVar) -> bool:
    """True if the setup leaves a variable as it was."""
    for effect in reversed(game.setup.items if isinstance(game.setup, n.Block) else (game.setup,)):
        match effect:
            case n.Assign(target, (), n.Const() as value) if target is var:
                return bool(value.value == initial_value(var))
        if any(a.target is var for a in assignments(effect)):
            return False
    return True
