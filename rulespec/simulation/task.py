"""The games of a run as a task: a part is a stretch of them, its result a batch."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any, ClassVar, Self

from ..budgets import UNBOUNDED
from ..core.meter import PerQuestion
from ..executors import Rejected, Rules, Task
from ..play.face import Game
from ..play.position import STUCK
from .database import Stretch
from .playing import FAULT, LIMIT, PLAIN, Batch, Games, Outcomes, games_of

PLAYED_AGAIN = 0.001
"""The share of the games of a batch that are played again here, but at most one of them."""

COUNTS = 2
"""So many columns, the first ones, count games; the others say what became of them."""
MOST = 2**63
"""Numbers of a database are below it."""


@dataclass
class GamesTask(Task[Stretch, Batch]):
    """Games of one seed. A batch from another machine is held against the rules of its form, and the first
    batch and some others against a game of it that is played again."""

    kind: ClassVar[str] = "games"
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
    """The game, where it is loaded already."""
    again: int = field(default=0, init=False)
    """The number of batches for which games were played again."""

    @cached_property
    def source(self) -> Games:
        """The games. OtherRules where the ruleset has other rules here."""
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

    def judged(self, part: Stretch, result: Batch) -> Batch:
        """The batch, of which some are held against games that are played again. Rejected if one differs.

        A game drawn by chance must be among the outcomes, and an outcome drawn by chance must be that of the
        game that it names.
        """
        draw = random.SystemRandom()
        if not self.again or draw.random() < PLAYED_AGAIN * part.games:
            rows = [*result.outcomes.rows()]
            outcomes = {row[COUNTS:] for row in rows}
            number, row = draw.randrange(part.first, part.first + part.games), draw.choice(rows)
            for played, expected in ((number, outcomes), (row[1], {row[COUNTS:]})):
                if self._outcome(played) not in expected:
                    raise Rejected(f"game {played} goes otherwise here")
            self.again += 1
        return result

    def _outcome(self, number: int) -> tuple[Any, ...]:
        """What becomes of a game, played here."""
        (row,) = self.source.batch(number, 1).outcomes.rows()
        return row[COUNTS:]

    # ---- plain data

    def to_data(self) -> dict[str, Any]:
        """See `Task`."""
        return {
            "rules": self.rules.to_data(),
            "policies": [*self.policies],
            "seed": self.seed,
            "limit": self.limit,
            "steps": self.steps,
            "memory": self.memory,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """See `Task`."""
        return cls(**{**data, "rules": Rules(**data["rules"])})

    def part_to_data(self, part: Stretch) -> Any:
        """See `Task`."""
        return [*part]

    def part_from(self, data: Any) -> Stretch:
        """See `Task`."""
        return Stretch(*data)

    def result_to_data(self, result: Batch) -> Any:
        """See `Task`: the columns, for they are read and written much faster than rows."""
        some = result.outcomes
        plain = [[*getattr(some, name)] for name in PLAIN]
        return [result.seconds, *plain, [[*c] for c in some.scores], [[*c] for c in some.actions]]

    def result_from(self, part: Stretch, data: Any) -> Batch:
        """See `Task`; sums, numbers of games, ends and winners are such as there can be."""
        try:
            seconds, games, example, plies, ended, winners, scores, actions = data
            outcomes = Outcomes(games, example, plies, ended, winners, scores, actions)
            right = isinstance(seconds, float) and 0 <= seconds < inf and self._can_be(part, outcomes)
        except (TypeError, ValueError):
            right = False
        if not right:
            raise Rejected("it is no batch of these games")
        return Batch(part.first, part.games, seconds, outcomes)

    def _can_be(self, part: Stretch, some: Outcomes) -> bool:
        """True if outcomes have the form of those of this stretch."""
        self.prepare()
        assert self.game is not None
        core = self.game.core
        scored = len(self.game.players) if core.outcome.score is not None else 0
        ends = {*(end.id for end in core.ends), STUCK, LIMIT, FAULT}
        numbers = [some.games, some.example, some.plies, *some.actions]
        columns = [*numbers, some.ended, some.winners, *some.scores]
        if (len(some.scores), len(some.actions)) != (scored, len(core.actions)):
            return False
        return (
            all(isinstance(column, list) and len(column) == len(some.games) for column in columns)
            and all(map(_whole, numbers))
            and all(_whole([score for score in column if score is not None]) for column in some.scores)
            and min(some.games) > 0
            and sum(some.games) == part.games
            and len({*some.example}) == len(some.example)
            and part.first <= min(some.example) <= max(some.example) < part.first + part.games
            and 0 <= min(some.plies) <= max(some.plies) <= self.limit
            and {*some.ended} <= ends
            and {name for names in {*some.winners} for name in names.split()}
            <= {*map(str, self.game.players)}
        )


def _whole(column: Sequence[Any]) -> bool:
    """True if a column holds numbers that a database can hold."""
    if not {*map(type, column)} <= {int}:
        return False
    return -MOST <= min(column, default=0) <= max(column, default=0) < MOST
