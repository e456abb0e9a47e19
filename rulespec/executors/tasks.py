"""The interfaces of tasks and executors, and rules by name that two machines can compare."""

from __future__ import annotations

import hashlib
import json
import os
import platform
import sys
from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, ClassVar, Generic, Protocol, TypeVar

from ..budgets import UNBOUNDED, Budget, ChildDied, OutOfBudget
from ..core.game import Game
from ..core.verdicts import parameters_of, readings_of
from ..language import load

P = TypeVar("P")
R = TypeVar("R")

JUDGING = 4.0
"""Judging a result may take this many times the seconds of its part: this machine may be slower or busy."""
MOST_LOSSES = 3
"""A part fails after this many losses: its process ended, or its result was rejected."""
TOP = Path(__file__).resolve().parents[2]
"""The folder with the package of the program."""


class OtherRules(ValueError):
    """Raised if a ruleset has other rules on one machine than on another."""


class OtherProgram(ValueError):
    """Raised if another version of the program runs on another machine."""


class NoCluster(RuntimeError):
    """Raised if there is no scheduler at an address, or it has no workers."""


class PartFailed(RuntimeError):
    """Raised if a part raised an error on another machine, or was lost repeatedly; the text says which."""


class RejectedResult(Exception):
    """Raised if a result does not prove what it says; the text says why."""


@dataclass(frozen=True)
class Rules:
    """A game as plain data: a shipped name or a path, the settings, and the digest of the rules."""

    ruleset: str
    digest: str
    players: int
    parameters: Mapping[str, Any] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, game: Game, ruleset: str) -> Rules:
        """The rules of a game that was loaded by a name or path; a path is made absolute."""
        name = str(Path(ruleset).resolve()) if Path(ruleset).exists() else ruleset
        rules = cls(name, game.digest, game.players, parameters_of(game), readings_of(game))
        _remember(rules._key, game)
        return rules

    def game(self) -> Game:
        """The game, cached if used recently. Raises OtherRules if its name or path has other rules here."""
        if self._key in _games:
            return _games[self._key]
        game = load(self.ruleset, self.players, self.parameters, self.readings)
        if game.digest != self.digest:
            where = f"on {platform.node()} than where the work began"
            raise OtherRules(f"`{self.ruleset}` has other rules {where}")
        return _remember(self._key, game)

    @property
    def _key(self) -> str:
        return json.dumps(vars(self), sort_keys=True, default=dict)


_games: dict[str, Game] = {}
"""The games that this process, or its parent, has used last."""
MOST_GAMES = 8


def _remember(key: str, game: Game) -> Game:
    """Keep a game for later tasks; the oldest one gives way if there are too many."""
    if len(_games) >= MOST_GAMES and key not in _games:
        del _games[next(iter(_games))]
    _games[key] = game
    return game


@cache
def program() -> str:
    """A digest of the program: its modules and grammars, and the version of Python that runs it."""
    digest = hashlib.sha256(".".join(map(str, sys.version_info[:2])).encode())
    walked = os.walk(TOP / "rulespec", followlinks=True)  # rulespec/solver is a link in a clone
    files = [Path(folder, name) for folder, _, names in walked for name in names]
    for file in sorted(f for f in files if f.suffix in (".py", ".lark")):
        digest.update(f"\0{file.relative_to(TOP).as_posix()}\0".encode())
        digest.update(file.read_bytes())
    return digest.hexdigest()


class Task(ABC, Generic[P, R]):
    """Work whose parts may be done in any order, by any process that has the rules and this program.

    A task is a dataclass. Like its parts and results, it is transmitted in the form of `plain`.
    """

    kind: ClassVar[str]
    """The name of the kind of task, by which a helper finds its class."""
    part_type: ClassVar[Any]
    result_type: ClassVar[Any]
    judged_apart: ClassVar[bool] = False
    """True if judging a result may take long, so that it is done in separate processes."""
    by_steps: ClassVar[bool] = False
    """True if the work is in steps that the watchdog bounds (see `budgets.watchdog`)."""
    seconds: float
    """The limit for each part."""
    memory: int
    """The limit of memory in megabytes: of this process and its children together; on a cluster, of each
    helper."""

    whole: Budget = UNBOUNDED
    """The limits of all parts together."""

    def budget(self) -> Budget:
        """The limits of a part that starts now."""
        if self.whole is UNBOUNDED:
            return Budget(self.seconds, self.memory)
        return self.whole.part(1.0, self.seconds)

    def judging(self) -> Budget:
        """The limits of judging a result that has just arrived, separate from those of other parts."""
        return self.whole.part(1.0, JUDGING * self.seconds)

    def prepare(self) -> None:
        """Load everything that all parts need, before processes are forked."""

    @abstractmethod
    def perform(self, part: P) -> R:
        """Perform a part."""

    @abstractmethod
    def judge(self, part: P, result: R) -> R:
        """A result from another machine, verified as far as possible here. Raises RejectedResult."""


class Executor(Protocol):
    """Performs the parts of tasks, for example in a process pool."""

    part_seconds: float
    """The approximate duration of a part, if work can be split freely: longer parts cost less
    transmission, shorter ones lose less when something is killed."""

    def at_once(self) -> int:
        """The approximate number of parts performed in parallel."""
        ...

    def results(
        self, task: Task[P, R], parts: Iterable[P]
    ) -> Iterator[tuple[P, R | OutOfBudget | ChildDied]]:
        """Each part with its result, as results come.

        OutOfBudget replaces a result that exceeded its budget, ChildDied that of a part lost `MOST_LOSSES`
        times. Parts are taken as there is room for them. Closing the iterator stops the work. Raises the
        exceptions of `perform`.
        """
        ...
