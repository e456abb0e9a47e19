"""Questions to an engine about an unrolling of the rules over some plies.

Answers are yes, no, or none when the budget ran out. Verdicts rest on each no, and a yes becomes a play that
the interpreter judges; any other use of a yes may only weaken the result. So a certificate of each no is
enough to check a verdict without an engine.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import inf
from typing import Protocol

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.play.plays import BadPlay, Play, write_down

from .bmc import Unrolling
from .query import Oracle


class UnwatchedFault(Exception):
    """Raised if the play found by formulas faults in an unwatched place; see `Asker.watch_all`."""


class Asker(Protocol):
    """The game and deal (if any) of questions, and an engine with its limits."""

    @property
    def game(self) -> Game: ...

    @property
    def chance(self) -> tuple[str, ...] | None: ...

    @property
    def solver(self) -> Oracle: ...

    @property
    def budget(self) -> Budget: ...

    @property
    def watch_all(self) -> bool:
        """True if formulas watch for faults everywhere, which is expensive for places of many values."""

    @property
    def ran_out(self) -> str:
        """The limit that stopped an engine without an answer, in words."""


class Question(Unrolling):
    """An unrolling, with some literals granted in every question about it.

    Conditions that are `granted` hold in the first state. A possible answer of a `loose` question may still
    be impossible, if it is `loosened`.
    """

    def __init__(
        self,
        case: Asker,
        start: str,
        restrict: Mapping[n.StateVar, int] | None = None,
        about: Sequence[n.Expr] = (),
        only: Sequence[str] | None = None,
        like: Question | None = None,
        loose: bool = False,
        granted: Sequence[n.Expr] = (),
    ) -> None:
        self._case = case
        self.patience = inf
        """Maximum seconds for an answer, besides the budget."""
        super().__init__(
            case.game,
            start=start,
            chance=case.chance if start == "initial" else None,
            restrict=restrict,
            ask=[*about, *granted],
            only=only,
            like=like,
            watch_all=case.watch_all,
            engine=case.solver,
            watch=case.budget.check,
            loose=loose,
        )
        self.granted = [self.holds(condition, 0) for condition in granted]

    @property
    def engine(self) -> str:
        """The engine's name and version."""
        return self._case.solver.name

    @property
    def seconds_left(self) -> float:
        """Seconds that remain of the budget."""
        return self._case.budget.seconds_left

    def grant(self, e: n.Expr, k: int) -> None:
        """Grant a condition after `k` plies."""
        self.granted.append(self.holds(e, k))

    def possible(self, literals: Iterable[int] = (), one_of: Iterable[int] | None = None) -> bool:
        """True if all these literals, and one of `one_of`, can be true together.

        Raises OutOfBudget if the engine gives no answer.
        """
        answer = self.possible_within(self._case.budget.seconds_left, literals, one_of)
        if answer is None:
            raise OutOfBudget(self._case.ran_out)
        return answer

    def possible_within(
        self, seconds: float, literals: Iterable[int] = (), one_of: Iterable[int] | None = None
    ) -> bool | None:
        """Like `possible`, with a limit of seconds; None if they did not suffice."""
        self._case.budget.check()
        limit = min(seconds, self.patience, self._case.budget.seconds_left)
        return self.solve([*self.granted, *literals], limit, one_of)

    def fails_at_first(self, e: n.Expr) -> bool:
        """True if a condition is certainly false in the first state; False also if it is not encoded
        there."""
        return self.encodes(e) and not self.possible([self.holds(e, 0)])

    def play(self) -> Play:
        """The play of the last model, recorded by the interpreter.

        Raises UnwatchedFault if it faults in an unwatched place; raises BadPlay, a defect of the solver, if
        the interpreter refuses it otherwise.
        """
        try:
            play, end = write_down(self.game, *self.moves())
        except BadPlay:
            if self.unwatched:
                raise UnwatchedFault from None
            raise
        if self.unwatched and end.fault and not self.was(self.watched_fault(self.plies)):
            raise UnwatchedFault
        return play
