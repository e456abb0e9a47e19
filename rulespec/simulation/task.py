"""The games of a run as a task: a part is a stretch of them, its result a batch."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any, ClassVar

from ..budgets import UNBOUNDED
from ..core.meter import PerQuestion
from ..executors import RejectedResult, Rules, Task
from ..play.face import Game
from ..play.position import STUCK
from .database import Stretch
from .playing import FAULT, LIMIT, Batch, Games, games_of

PLAYED_AGAIN = 0.001
"""The share of the games of a batch that are replayed here, at most one of them."""

COUNTS = 2
"""The number of leading columns that count games; the others are results."""
MOST = 2**63
"""Numbers of a database are below this."""


@dataclass
class GamesTask(Task[Stretch, Batch]):
    """Games of one seed. A batch from another machine must have the right form, and the first batch and
    some others are compared with a replayed game."""

    kind: ClassVar[str] = "games"
    part_type: ClassVar[Any] = Stretch
    result_type: ClassVar[Any] = Batch
    by_steps: ClassVar[bool] = True
    rules: Rules
    policies: Sequence[str]
    seed: str
    limit: int
    steps: int | None
    """The limit of steps for each question to the interpreter; see `PerQuestion`."""
    seconds: float = field(default=inf, init=False)
    memory: int = UNBOUNDED.memory
    game: Game | None = field(default=None, repr=False, compare=False)
    """The game, if it is already loaded."""
    again: int = field(default=0, init=False)
    """The number of batches with replayed games."""

    @cached_property
    def source(self) -> Games:
        """The source of the games. Raises OtherRules if the ruleset has other rules here."""
        game = self.game
        if game is None:
            game = Game(self.rules.game(), self.rules.ruleset)
            if self.steps is not None:
                game.machine.meter = PerQuestion(self.steps)
            self.game = game
        return games_of(game, self.policies, self.seed, self.limit)

    def prepare(self) -> None:
        """Write the code of the game."""
        _ = self.source

    def perform(self, part: Stretch) -> Batch:
        """Play a stretch of games."""
        return self.source.batch(*part)

    # ---- judging

    def judge(self, part: Stretch, result: Batch) -> Batch:
        """The batch, after comparing some batches with replayed games. Raises RejectedResult if one differs.

        A random game must be among the outcomes, and a random outcome must be that of the game that it names.
        """
        if not self._can_be(part, result):
            raise RejectedResult("it is no batch of these games")
        draw = random.SystemRandom()
        if not self.again or draw.random() < PLAYED_AGAIN * part.games:
            rows = [*result.outcomes.rows()]
            outcomes = {row[COUNTS:] for row in rows}
            number, row = draw.randrange(part.first, part.first + part.games), draw.choice(rows)
            for played, expected in ((number, outcomes), (row[1], {row[COUNTS:]})):
                if self._outcome(played) not in expected:
                    raise RejectedResult(f"game {played} goes otherwise here")
            self.again += 1
        return result

    def _outcome(self, number: int) -> tuple[Any, ...]:
        """The result of a game, played here."""
        (row,) = self.source.batch(number, 1).outcomes.rows()
        return row[COUNTS:]

    def _can_be(self, part: Stretch, batch: Batch) -> bool:
        """True if a batch has the form of the batches of a stretch."""
        self.prepare()
        assert self.game is not None
        core, some = self.game.core, batch.outcomes
        scored = len(self.game.players) if core.outcome.score is not None else 0
        ends = {*(end.id for end in core.ends), STUCK, LIMIT, FAULT}
        scores = [[score for score in column if score is not None] for column in some.scores]
        columns = [
            some.games,
            some.example,
            some.plies,
            *some.actions,
            some.ended,
            some.winners,
            *some.scores,
        ]
        if (len(some.scores), len(some.actions)) != (scored, len(core.actions)):
            return False
        return (
            (batch.first, batch.games) == part
            and 0 <= batch.seconds < inf
            and {*map(len, columns)} == {len(some.games)}
            and all(-MOST <= min(c, default=0) <= max(c, default=0) < MOST for c in [*some.actions, *scores])
            and min(some.games, default=0) > 0
            and sum(some.games) == part.games
            and len({*some.example}) == len(some.example)
            and part.first <= min(some.example) <= max(some.example) < part.first + part.games
            and 0 <= min(some.plies) <= max(some.plies) <= self.limit
            and {*some.ended} <= ends
            and {name for names in {*some.winners} for name in names.split()}
            <= {*map(str, self.game.players)}
        )
