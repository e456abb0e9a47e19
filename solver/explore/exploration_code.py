"""The code of a game beside which states are explored, and the questions that can be asked of them.

It is kept for the next start; see `rulespec.kernels.exploration` for what runs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from rulespec.code import Runner, Written, write
from rulespec.code.declared import declared
from rulespec.code.row_code import fields, planes
from rulespec.code.row_fields import RowFields
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.kernels.chance import DEEP, MOST_ODDS, MOST_OUTCOMES, MOST_PICKS, WIDE
from rulespec.kernels.exploration import UNLIKELY

from .packing import RowLayout
from .states import BuiltinQuestion, Question, ScoreOf

STOPPED = {
    WIDE: f"a draw has more than {MOST_OUTCOMES} outcomes",
    DEEP: f"a draw takes more than {MOST_PICKS} picks",
    UNLIKELY: f"chance gives something with a probability of less than one in {MOST_ODDS}",
}
"""The statuses that end an exploration, in words."""


def declarations(written: Written, layout: RowFields) -> str:
    """The text beside the code of a game that the kernel `exploration` needs."""
    parts = [declared(written), fields(layout), planes(written)]
    lines = ["@part", "def answer(question, s, b):", '    """The answer to a question about a state."""']
    for number, text in enumerate(_questions(written).values()):
        lines += [f"    if question == {number}:", f"        return {text}"]
    return "\n\n\n".join([*parts, "\n".join([*lines, "    return 0"])]) + "\n"


def _questions(written: Written) -> dict[Question, str]:
    """The questions that can be asked of a state, each with the text of the answer."""
    game = written.program.game
    texts: dict[Question, str] = {
        BuiltinQuestion.WINNERS: "as_number(winners(s, b)) if s[OVER_AT] != 0 else 0",
        BuiltinQuestion.MOVER: "s[MOVER_AT]",
        BuiltinQuestion.ENDED: "s[ENDED_AT]",
        BuiltinQuestion.FAULTED: "s[FAULT_AT]",
    }
    if game.outcome.score is not None:
        texts |= {ScoreOf(p): f"score(s, b, {p})" for p in game.player.values}
    return texts | {name: f"{function}(s, b)" for name, (function, _) in written.asked.items()}


KEPT = 6
"""For so many games, and what is asked of their states, the code is kept."""


class ExplorationCode:
    """The code of a game, how its states are packed, and the text that explores.

    `asked` are conditions and numbers over the state. TooLarge where the game has no code.
    """

    def __init__(self, game: Game, asked: Mapping[str, n.Expr]) -> None:
        self.written = write(game, asked)
        self.runner = Runner(self.written)
        self.layout = RowLayout(self.runner)
        self.text = declarations(self.written, self.layout)
        self.number_of = {question: i for i, question in enumerate(_questions(self.written))}
        """The numbers by which the kernel knows the questions."""


def exploration_code(game: Game, asked: Mapping[str, n.Expr]) -> ExplorationCode:
    """The code for a game and what is asked of its states; the same one where it is still kept."""
    return _exploration_code(game, tuple(asked.items()))


@lru_cache(maxsize=KEPT)
def _exploration_code(game: Game, asked: tuple[tuple[str, n.Expr], ...]) -> ExplorationCode:
    return ExplorationCode(game, dict(asked))
