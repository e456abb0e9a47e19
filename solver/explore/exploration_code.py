"""The code with which a game is explored, wherever plays begin; kept for the next start."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rulespec.code import Runner, write
from rulespec.code.compiling import Compiled
from rulespec.core import nodes as n
from rulespec.core.game import Game

from .exploration_kernel import driver
from .packing import RowLayout

KEPT = 6
"""For so many games, and what is asked of their states, the code is kept."""


class ExplorationCode:
    """The code of a game, how its states are packed, and the text that explores.

    `asked` are conditions and numbers over the state. TooLarge where the game has no code.
    """

    def __init__(self, game: Game, asked: Mapping[str, n.Expr]) -> None:
        self.game, self.asked = game, dict(asked)
        self.written = write(game, asked)
        self.runner = Runner(self.written)
        self.layout = RowLayout(self.runner)
        self.text = driver(self.written, self.layout)
        self._names: dict[Any, dict[str, Any]] = {}

    def names(self, tools: Any) -> dict[str, Any]:
        """The functions that explore, run as `tools` say."""
        if tools not in self._names:
            self._names[tools] = tools.beside(self.written, self.text)
        return self._names[tools]

    @property
    def at_hand(self) -> bool:
        """True if the functions that explore run in machine code with nothing to wait for."""
        return Compiled.is_at_hand(self.written, self.text)


def exploration_code(game: Game, asked: Mapping[str, n.Expr]) -> ExplorationCode:
    """The code for a game and what is asked of its states; the same one where it is still kept."""
    for i, item in enumerate(_kept):
        if item.game is game and item.asked == asked:
            _kept.insert(0, _kept.pop(i))
            return item
    _kept.insert(0, ExplorationCode(game, asked))
    del _kept[KEPT:]
    return _kept[0]


_kept: list[ExplorationCode] = []
