"""A method: a way to decide claims of some forms, which can be used by itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property

from rulespec.core.verdicts.properties import PROPERTIES, Property
from rulespec.solver.evidence.engine_rules import answer_by_formulas
from rulespec.solver.evidence.problem import Answer, Case

from .farkas_multipliers import first_rank
from .play_search import Pursuit


class Cost(IntEnum):
    """The approximate cost of a method; of those that use formulas the cheaper come first."""

    GLANCE = 0
    """Numbers are added up, plays replayed."""
    QUESTION = 1
    """Formulas about single stores or actions."""
    PARTS = 2
    """Formulas about parts of a ply."""
    PLY = 3
    """Formulas about one ply."""
    PLIES = 4
    """Formulas about a few plies."""
    UNROLLING = 5
    """Formulas about plays from the start, of more and more plies."""
    TIME = 6
    """Positions or plays, for as long as there is time."""


class Run:
    """A case on its way through methods, with their shared state."""

    def __init__(self, case: Case, until: Callable[[], str] = lambda: "") -> None:
        self.case = case
        self.until = until
        """Returns the reason to stop, in words; empty while there is none."""

    @cached_property
    def pursuit(self) -> Pursuit:
        """The searches for plays, which keep their state between calls."""
        pursuit = Pursuit(self.case)
        if pursuit.scale is not None:
            pursuit.leave_out(*first_rank(self.case, pursuit.scale))
        return pursuit


Attempt = Callable[[Run, float], Answer | None]
"""The answer of a method to the case of a run within a number of seconds; None if it proves nothing."""


@dataclass(frozen=True)
class Method:
    """A way to decide claims.

    `applies` selects properties. `evidence` are the kinds of evidence that it produces. With `by_formulas` it
    uses an engine. `pays` says whether it is worth its cost for a case; a method called by itself is tried in
    any case.
    """

    name: str
    applies: Callable[[Property], bool]
    attempt: Attempt
    evidence: frozenset[str]
    cost: Cost = Cost.TIME
    by_formulas: bool = False
    pays: Callable[[Case], bool] = lambda case: True

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of claims that it supports."""
        return frozenset(kind for kind, stated in PROPERTIES.items() if self.applies(stated))

    def __call__(self, case: Case) -> Answer | None:
        """The method's answer to a case; None also for a claim of another kind."""
        return self.attempt(Run(case), case.budget.seconds_left) if self.applies(case.prop) else None


def method_of_rule(
    name: str,
    applies: Callable[[Property], bool],
    rule: Callable[[Case], Answer | None],
    evidence: frozenset[str],
    cost: Cost = Cost.TIME,
    pays: Callable[[Case], bool] = lambda case: True,
) -> Method:
    """A proof rule that uses formulas as a method."""

    def attempt(run: Run, seconds: float) -> Answer | None:
        return answer_by_formulas(rule, run.case)

    return Method(name, applies, attempt, evidence, cost, by_formulas=True, pays=pays)
