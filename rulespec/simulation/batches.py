"""A function beside a game's code that plays whole games at random, and notes what became of each.

It is plain Python or machine code, as the game's own is, and plays the same games in both.
"""

from __future__ import annotations

import hashlib
import textwrap
from collections.abc import Sequence
from typing import Any, NamedTuple

from ..budgets import watchdog
from ..code import FAULT, Runner
from ..code.kit import STATE
from ..code.plies import FULL
from ..code.runner import wider
from ..play.face import Game

STOPPED, FAULTED = 0, -1
"""How a game ended that reached the limit of plies, or stored a value that its place does not hold; other
numbers are those of the ends counted from 1, and the one after the last says that nobody could act."""
HEAD = 3
PLY = 0.01
"""Seconds that a ply may take where whole games are played."""


class Layout(NamedTuple):
    """The numbers of a game in its row: plies, how it ended, a bit for each winner (bit p for player p), how
    often each action was taken, and in a game with scores the score of each player if the game is over."""

    actions: int
    players: Sequence[int]
    scored: bool

    @property
    def width(self) -> int:
        """How many numbers a row has."""
        return HEAD + self.actions + (len(self.players) if self.scored else 0)


def layout(game: Game) -> Layout:
    """The rows of a game."""
    return Layout(len(game.core.actions), tuple(game.core.player.values), game.core.outcome.score is not None)


def text(runner: Runner, row: Layout) -> str:
    """The function `batch`, which plays `games` games from a number on and returns 0, or `FULL` where the
    buffer m has no room for all legal actions. What a game draws depends on `base` and its number alone.
    """
    program, written = runner.program, runner.written
    over = program.offsets[program.game.state["over"]][0]
    players = f"range({row.players[0]}, {row.players[-1] + 1})"
    scores = f"""
                    for player in {players}:
                        rows[at + {HEAD + row.actions - row.players[0]} + player] = score(s, b, player)"""
    return textwrap.dedent(f"""
        @fast
        def batch(first, words, s, b, c, m, base, number, games, most, rows):
            for game in range(games):
                for i in range({program.state_cells}):
                    s[i] = first[i]
                for i in range({len(program.words)}):
                    b[i] = words[i]
                c[{STATE}] = mixed(base ^ mixed(as_word(number + game))) | ONE
                at = game * {row.width}
                for i in range(at, at + {row.width}):
                    rows[i] = 0
                m[0] = {len(written.rows.actions)}
                n = play(s, b, c, m, 0)
                plies = 0
                while n > 0 and plies < most:
                    k = choose(c, n) * {written.width}
                    rows[at + {HEAD} + m[k]] += 1
                    n = play(s, b, c, m, k)
                    plies += 1
                rows[at] = plies
                if n == {FULL}:
                    return n
                if n == {FAULT}:
                    rows[at + 1] = {FAULTED}
                elif s[{over}]:
                    rows[at + 1] = s[ENDED]
                    won = winners(s, b)
                    for player in {players}:
                        if won & BIT[player] != ZERO:
                            rows[at + 2] += 1 << player{scores if row.scored else ""}
            return 0
        """)


class Batches:
    """Plays batches of the random games of a seed."""

    def __init__(self, game: Game, runner: Runner, seed: str) -> None:
        """With the code of a runner of the game."""
        self.row = layout(game)
        names = runner.tools.beside(runner.written, text(runner, self.row))
        self._function, self._tools = names["batch"], runner.tools
        self._written = runner.written
        self._first = runner.encode(game.machine.initial().values)
        digest = hashlib.sha256(f"simulate {seed}".encode()).digest()
        self.base = int.from_bytes(digest[:8], "little")
        """What every game of the seed draws from, besides its number."""
        self._word = names["word"](self.base)
        self._moves = self._tools.room("numbers", runner.written.rows.first_size)

    def play(self, number: int, games: int, most: int) -> Any:
        """The rows of so many games from a number on, each given up after so many plies.

        TooLarge where a position has too many legal actions for any buffer.
        """
        cells, words = self._first
        rows = self._tools.room("numbers", games * self.row.width)
        while True:
            c = self._tools.words([1, 1, 0, 0, 0, 0, 0])
            watchdog.step(PLY * games * most)
            scratch = (cells.copy(), words.copy(), c, self._moves)
            if int(self._function(cells, words, *scratch, self._word, number, games, most, rows)) != FULL:
                return rows
            self._moves = wider(self._tools, self._moves, self._written)
