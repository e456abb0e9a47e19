"""The code of a game prepared for exploration, and the questions that can be asked of its states.

It is cached for the next exploration; see `rulespec.kernels.exploration` for the loops.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache

from rulespec.code import GameCode, Runner, write
from rulespec.code.body import B, S
from rulespec.code.codes import NONE
from rulespec.code.execution.kernel_names import answering, call_question, kernel_constants
from rulespec.code.packed_rows.fields import RowFields
from rulespec.code.packed_rows.functions import row_functions
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.sides import maximising_side
from rulespec.kernels.chance import DEEP, MOST_ODDS, MOST_OUTCOMES, MOST_PICKS, WIDE
from rulespec.kernels.exploration import UNLIKELY
from rulespec.machine import form as f
from rulespec.machine.builder import as_type, choose, differ, equal, load, number
from rulespec.play.position import STUCK, Fault, Position

from .states import BuiltinQuestion, Question, Row, ScoreOf


class RowLayout(RowFields):
    """The layout of a game's rows, and conversions between them and positions of the interpreter."""

    whole: RowLayout

    def __init__(self, runner: Runner, goes_on: bool = False, whole: bool = False) -> None:
        super().__init__(runner, goes_on, whole)
        self._mark, _ = self.stuck_mark()
        self._ends = [None, *(end.id for end in runner.program.game.ends), STUCK]

    def row_of(self, position: Position) -> tuple[int, ...]:
        """A position of the interpreter as a row; of a faulted position only the fault is recorded."""
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

    def clear_mark(self, row: Row) -> Row:
        """A row without the mark that nobody can act, as it is right after a ply."""
        if self.number(self.ended, row) < len(self._ends) - 1:
            return row
        return tuple(x ^ y for x, y in zip(row, self._mark, strict=True))


STOPPED = {
    WIDE: f"a draw has more than {MOST_OUTCOMES:,} outcomes",
    DEEP: f"a draw takes more than {MOST_PICKS} picks",
    UNLIKELY: f"chance gives something with a probability of less than one in {MOST_ODDS}",
}
"""The statuses that end an exploration, in words."""


def declarations(written: GameCode, layout: RowFields) -> dict[str, int | f.Table | f.Function]:
    """The names that the kernel `exploration` needs besides the game's code."""
    answers = {"answer": answering(_questions(written).values())}
    return {**kernel_constants(written), **row_functions(layout), **answers}


def _questions(written: GameCode) -> dict[Question, f.Expr]:
    """The expressions that answer questions about a state."""
    game, offsets = written.program.game, written.program.offsets
    over, mover = (offsets[game.state[name]].at for name in ("over", "mover"))
    won = as_type(f.Call(f.WORD, "winners", (S, B)), f.NUMBER)
    answers: dict[Question, f.Expr] = {
        BuiltinQuestion.WINNERS: choose(differ(load(S, over), 0), won, 0),
        BuiltinQuestion.MOVER: load(S, mover),
        BuiltinQuestion.SIDE: _side_of(game, load(S, mover)),
        BuiltinQuestion.ENDED: load(S, written.constants["ENDED"]),
        BuiltinQuestion.FAULTED: load(S, written.constants["FAULT"]),
    }
    if game.outcome.score is not None:
        answers |= {ScoreOf(p): f.Call(f.NUMBER, "score", (S, B, number(p))) for p in game.player.values}
    return answers | {name: call_question(written, name) for name in written.asked}


def _side_of(game: Game, mover: f.Expr) -> f.Expr:
    """1 if a player is on the maximising side, else -1."""
    side: f.Expr = number(-1)
    for player in maximising_side(game):
        side = choose(equal(mover, player), 1, side)
    return side


class ExplorationCode:
    """The code of a game, the layout of its states, and the kernels that explore them.

    `asked` are conditions and numbers over the state. Raises TooLarge if the game has no code.
    """

    def __init__(self, game: Game, asked: Mapping[str, n.Expr]) -> None:
        self.written = write(game, asked)
        self.runner = Runner(self.written)
        self.layout = RowLayout(self.runner)
        self.beside = declarations(self.written, self.layout)
        self.number_of = {question: i for i, question in enumerate(_questions(self.written))}
        """The numbers of the questions in the kernel."""


KEPT = 6
"""Maximum number of cached codes, by game and questions."""


@lru_cache(maxsize=KEPT)
def _cached_code(game: Game, asked: tuple[tuple[str, n.Expr], ...]) -> ExplorationCode:
    return ExplorationCode(game, dict(asked))


def exploration_code(game: Game, asked: Mapping[str, n.Expr]) -> ExplorationCode:
    """The code for a game and questions about its states; the same object while it is cached."""
    return _cached_code(game, tuple(asked.items()))
