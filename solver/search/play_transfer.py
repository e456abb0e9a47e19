"""Play transfer: a play that leads to the goal from one deal is tried from others."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rulespec.play.position import Position

from .policy_search import PolicySearch

OPEN, REACHED = 0, 1
"""The status of a deal: open, or a play leads to the goal."""


class PlayTransfer:
    """Deals, at least one, encoded for the code of a search. Callers may set the status of one, too."""

    def __init__(self, search: PolicySearch, positions: Iterable[Position]) -> None:
        self._search = search
        tools, runner = search.code.tools, search.code.runner
        kept = runner.program.state_cells
        cells: list[int] = []
        words: list[int] = []
        for position in positions:
            state = runner.encode(position.values)
            cells += map(int, state[0][:kept])
            words += map(int, state[1])
            self._state = state
        self.stands: Any = tools.numbers([OPEN] * (len(cells) // kept))
        """Their status, in their order."""
        resume = tools.numbers(runner.resume[:1])
        self._starts = tools.numbers(cells), tools.words(words), resume
        self._room(runner.written.rows.first_size // runner.written.width)

    def _room(self, actions: int) -> None:
        tools, width = self._search.code.tools, self._search.code.runner.written.width
        self._actions = actions
        chance = tools.words([1] * 7)
        self._now = (*self._state, chance, tools.room("numbers", actions * width))

    def fit(self, rows: Sequence[int]) -> int:
        """Try a play, given as rows of its actions, from every deal that is open; to how many it was new."""
        code = self._search.code
        plies, held = len(rows) // code.runner.written.width, code.tools.numbers(rows)
        before = int(sum(self.stands))
        while True:
            result = code.names["fits"](
                len(self.stands), plies, held, self._starts, self.stands, self._search.limits, self._now
            )
            if result >= 0:
                return int(sum(self.stands)) - before
            self._room(2 * self._actions)
