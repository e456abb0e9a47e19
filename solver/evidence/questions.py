"""Putting questions to formulas: what the deciders need of an unrolling, and nothing else.

A `Question` is an unrolling of the rules over some plies, with what is taken for granted in it.
Answers are yes, no, or none when the budget ran out. Verdicts rest on each no, and a yes becomes a play that
the interpreter judges; whatever else a decider makes of a yes may only let it show less. So a certificate
of each no is enough to check a verdict without an engine.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace

from rulespec.budgets import OutOfBudget
from rulespec.core import nodes as n
from rulespec.play.plays import BadPlay, Play, write_down
from solver.formulas import TooWide, Unrolling

from .problem import Answer, Case, undecided


class Unwatched(Exception):
    """What formulas found is no play, for it faults where they do not watch. `Case.watch_all` makes them."""


class Question:
    """An unrolling, with some literals taken for granted in every question about it.

    What is possible in a `loose` one may still be impossible, if `rules.loosened` says so.
    """

    def __init__(
        self,
        case: Case,
        start: str,
        restrict: Mapping[n.StateVar, int] | None = None,
        about: Sequence[n.Expr] = (),
        only: Sequence[str] | None = None,
        like: Question | None = None,
        loose: bool = False,
    ) -> None:
        self._case = case
        self._engine = case.solver
        chance = case.chance if start == "initial" else None
        self.rules: Unrolling = Unrolling(
            case.game,
            start=start,
            chance=chance,
            restrict=dict(restrict or {}),
            ask=list(about),
            only=only,
            like=like.rules if like is not None else None,
            watch_all=case.watch_all,
            engine=self._engine,
            watch=self._check,
            loose=loose,
        )
        self.granted: list[int] = []

    @property
    def engine(self) -> str:
        """The engine's name and version."""
        return self._engine.name

    def extend(self, to: int) -> None:
        """Unroll until so many plies."""
        while self.rules.plies < to:
            self._check()
            self.rules.extend()

    def grant(self, e: n.Expr, k: int) -> None:
        """Take a condition for granted after `k` plies."""
        self.granted.append(self.rules.holds(e, k))

    def possible(self, literals: Iterable[int] = (), one_of: Iterable[int] | None = None) -> bool:
        """Whether all these can be true together, and one of `one_of`, each of which is asked by itself.

        OutOfBudget if that was not found out.
        """
        answer = self.possible_within(self._case.budget.left, literals, one_of)
        if answer is None:
            raise OutOfBudget(self._case.ran_out)
        return answer

    def possible_within(
        self, seconds: float, literals: Iterable[int] = (), one_of: Iterable[int] | None = None
    ) -> bool | None:
        """The same within some seconds; None if they did not suffice."""
        self._check()
        return self.rules.solve([*self.granted, *literals], min(seconds, self._case.budget.left), one_of)

    def holds(self, e: n.Expr, k: int) -> int:
        """The literal that says that a condition holds after `k` plies."""
        return self.rules.holds(e, k)

    def fails_at_first(self, e: n.Expr) -> bool:
        """True if a condition is surely false in the first state; False also if it is not encoded there."""
        return self.rules.tells(e) and not self.possible([self.holds(e, 0)])

    def was(self, literal: int) -> bool:
        """Whether a literal was true in what the last yes found."""
        return self.rules.was(literal)

    def play(self) -> Play:
        """The play that the last yes found, written down by the interpreter.

        Unwatched if it faults where nobody looked; BadPlay, a defect of the solver, if the interpreter
        refuses it otherwise.
        """
        chance, moves = self.rules.play()
        try:
            play, end = write_down(self._case.game, chance, moves)
        except BadPlay:
            if self.rules.unwatched:
                raise Unwatched from None
            raise
        if self.rules.unwatched and end.fault and not self.was(self.rules.fault_seen(self.rules.plies)):
            raise Unwatched
        return play

    def _check(self) -> None:
        self._case.budget.check()


def asked(rule: Callable[[Case], Answer | None], case: Case) -> Answer | None:
    """The answer of a rule that asks formulas, faults being watched for where it turns out that they matter.

    Undecided where the budget does not suffice, or formulas do not cover the rules.
    """
    try:
        try:
            return rule(case)
        except Unwatched:
            return rule(replace(case, watch_all=True))
    except OutOfBudget as out:
        return undecided(f"Nothing was decided within {out}.")
    except TooWide as wide:
        return undecided("Nothing was decided by formulas.", f"Formulas do not cover this: {wide}.")
