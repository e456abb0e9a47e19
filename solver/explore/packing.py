"""States packed into rows of words, so that many of them fit into memory; see `RowFields`."""

from __future__ import annotations

from collections.abc import Sequence

from rulespec.code import Runner
from rulespec.code.codes import NONE
from rulespec.code.row_fields import RowFields
from rulespec.play.position import STUCK, Fault, Position


class RowLayout(RowFields):
    """The layout of a game's rows, and the way between them and positions of the interpreter."""

    whole: RowLayout

    def __init__(self, runner: Runner, goes_on: bool = False, whole: bool = False) -> None:
        super().__init__(runner, goes_on, whole)
        self._ends = [None, *(end.id for end in runner.program.game.ends), STUCK]

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
            row[field.word] |= (int(words[field.at]) - field.low) << field.shift
        return tuple(row)

    def position(self, row: Sequence[int]) -> Position:
        """A row as a position of the interpreter."""
        cells, words = list(self.runner.program.cells), list(self.runner.program.words)
        for field in self.cells:
            cells[field.at] = self.number(field, row)
        for field in self.words:
            words[field.at] = field.low + (int(row[field.word]) >> field.shift & (1 << field.bits) - 1)
        fault = Fault("", "", "") if cells[self.fault.at] else None
        ended = None if fault else self._ends[cells[self.ended.at]]
        return Position(self.runner.decode(cells, words), 0, ended, fault)
