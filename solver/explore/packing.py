"""States packed into rows of 64-bit words, so that many of them fit into memory.

Each number of a state takes as many bits as its type needs, each word of a set as many as the set can
have elements. A row ends with which end was reached and whether a value was stored that did not fit.
No field lies across two words. The layout follows from the game alone, so rows of the same game can be
compared whoever made them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from rulespec.code import Runner
from rulespec.code.codes import NONE, WORD
from rulespec.code.program import Program, in_words
from rulespec.core.nodes import StateVar
from rulespec.core.types import List, Map, Optional, Scalar, Set, Type, scalar_of
from rulespec.play.position import STUCK, Fault, Position


class Field(NamedTuple):
    """The place of one number (array `s`) or word (array `b`) of a state in its row.

    What is stored is the number less `low`, or `span` for none; a field without bits holds `low`.
    """

    at: int
    low: int
    span: int
    bits: int
    word: int
    shift: int


class RowLayout:
    """The layout of a game's rows, and the way between them and positions of the interpreter.

    Rows of states from which play `goes_on` do not say that it does, and have the words that the code keeps
    for each value of some maps in place of these, unless that takes much more room.
    """

    def __init__(self, runner: Runner, goes_on: bool = False) -> None:
        self.runner = runner
        program = runner.program
        self.cells: list[Field] = []
        self.words: list[Field] = []
        self._room: list[int] = []
        self.types: list[Type] = []
        """Of each variable the type of what lies in the row."""
        self.planes: dict[StateVar, int] = {}
        """Where among `words` those begin that lie in the row for a map, one set of keys for each value."""
        planes = {var: _planes(program, var) for var in program.planes if goes_on}
        for var in program.game.state.values():
            t, at = var.type, program.offsets[var][1]
            if var in planes and None not in planes.values():
                t, at = planes[var], runner.written.constants[program.planes[var]]
                self.planes[var] = len(self.words)
            self.types.append(t)
            for low, high, none in _ranges(program, t):
                if in_words(t):
                    self.words.append(self._field(at, 0, high, high.bit_length()))
                else:
                    codes = 1 if goes_on and var.name == "over" else high - low + 1 + none
                    self.cells.append(self._field(at, low, high - low + 1, (codes - 1).bit_length()))
                at += 1
        ends = [end.id for end in program.game.ends]
        self._ends = [None, *ends, STUCK]
        for name, most in (("ENDED", len(ends) + 1), ("FAULT", 1)):
            at = runner.written.constants[name]
            self.cells.append(self._field(at, 0, most + 1, 0 if goes_on else most.bit_length()))
        self.ended, self.fault = self.cells[-2:]
        self.width = max(1, len(self._room))
        """The number of words that a row takes."""

    def _field(self, at: int, low: int, span: int, bits: int) -> Field:
        for word, taken in enumerate(self._room):
            if taken + bits <= WORD:
                self._room[word] += bits
                return Field(at, low, span, bits, word, taken)
        self._room.append(bits)
        return Field(at, low, span, bits, len(self._room) - 1, 0)

    def row_of(self, position: Position) -> tuple[int, ...]:
        """The row of a position of the interpreter; of what faulted nothing is kept but that it did."""
        cells, words = map(list, self.runner.encode(position.values))
        cells[self.ended.at] = self._ends.index(position.ended)
        cells[self.fault.at] = int(position.fault is not None)
        row = [0] * self.width
        for field in self.cells:
            x = int(cells[field.at])
            row[field.word] |= (field.span if x == NONE else x - field.low) << field.shift
        for field in self.words:
            row[field.word] |= int(words[field.at]) << field.shift
        return tuple(row)

    def position(self, row: Sequence[int]) -> Position:
        """A row as a position of the interpreter."""
        cells, words = list(self.runner.program.cells), list(self.runner.program.words)
        for field in self.cells:
            cells[field.at] = self.number(field, row)
        for field in self.words:
            words[field.at] = int(row[field.word]) >> field.shift & (1 << field.bits) - 1
        fault = Fault("", "", "") if cells[self.fault.at] else None
        ended = None if fault else self._ends[cells[self.ended.at]]
        return Position(self.runner.decode(cells, words), 0, ended, fault)

    @staticmethod
    def number(field: Field, row: Sequence[int]) -> int:
        """The number that a field of a row holds."""
        x = int(row[field.word]) >> field.shift & (1 << field.bits) - 1
        return NONE if x == field.span and field.bits else x + field.low


def _planes(program: Program, var: StateVar) -> Map | None:
    """The words that the code keeps for each value of a map, as a type; None where they take too much room."""
    assert isinstance(var.type, Map) and isinstance(of := scalar_of(var.type.of), Scalar)
    many = program.plane_size(var) // program.codes.words(var.type.keys)
    fits = many == len(of.values) <= many.bit_length() + 1
    return Map(of, Set(var.type.keys)) if fits else None


def _ranges(program: Program, t: Type) -> Iterator[tuple[int, int, bool]]:
    """For each number of a value its least and greatest code, and whether it may be none; a set has words."""
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
    of = scalar_of(t)
    if of is None or not len(of.values):
        return 0, 0, isinstance(t, Optional)
    assert isinstance(of, Scalar)
    codes = program.codes.codes(of)
    return codes[0], codes[-1], isinstance(t, Optional)
