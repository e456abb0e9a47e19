"""The positions that a claim is about: the questions asked of them, and the answers that exploration
gives."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Any
from weakref import WeakKeyDictionary

from rulespec.budgets import OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.game import Claim, Game
from rulespec.core.sides import SEEN_ALONE, UNLIKE, no_contest, sides
from rulespec.core.symmetry import Symmetry
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED
from rulespec.core.verdicts.properties import FaultRole, Form
from rulespec.core.verdicts.wording import plies
from rulespec.core.winners import TOGETHER, is_opposed
from rulespec.play.plays import write_down
from rulespec.solver.engines import choose, installed_engines
from rulespec.solver.explore import BuiltinQuestion, States
from rulespec.solver.explore.stages import is_open_between_stages, stage_questions
from rulespec.solver.explore.state_space import Exploration, Limits, StateSpace
from rulespec.solver.explore.states import NO_RESULT
from rulespec.solver.pairs.agreement import EngineGaveUp
from rulespec.solver.pairs.images import commute, generators, group_of, symmetry_claims
from rulespec.solver.reductions.remembering import NEVER_FALLS

from .problem import Answer, Case, Proof, no_answer

WHEN, PREMISE, DIFFERENT = "{} when", "{} premise", "{} different"
"""The names of a claim's parts as questions about states."""
SHOWING = 20.0
"""Maximum seconds (and maximum a fifth of a budget) for formulas to prove that rules commute with
symmetries."""
NO_POSITION = "the setup can end with a value that does not fit its place, and so in no position of the game"
"""The reason why positions are not counted."""


@lru_cache(maxsize=1_000)
def asked_expressions(claim: Claim) -> Mapping[str, n.Expr]:
    """The conditions and numbers of a claim to evaluate in states, by name; always the same objects."""
    parts = {
        claim.id: claim.condition if claim.kind != NEVER_FALLS else None,
        WHEN.format(claim.id): claim.when,
        DIFFERENT.format(claim.id): claim.options.get("different"),
        PREMISE.format(claim.id): claim.premise,
    }
    return {name: e for name, e in parts.items() if n.is_expression(e)}


def space_of(case: Case) -> StateSpace:
    """The state space of a case's game, with questions for all its claims, or at least this one."""
    staged = in_stages(case)

    def asked() -> Iterator[Mapping[str, n.Expr]]:
        if not staged and case.game.claims.get(case.claim.id) is case.claim:
            yield {name: e for c in case.game.claims.values() for name, e in asked_expressions(c).items()}
        yield {**asked_expressions(case.claim), **(stage_questions(case.game) if staged else {})}

    cost = case.claim.id if case.is_summed else ""
    group: Callable[[], Sequence[Symmetry]] = tuple if staged else lambda: group_of(case.game)
    return StateSpace(case.game, [*asked()], case.chance, cost, group, lambda: commuting(case))


def commuting(case: Case) -> bool:
    """True if formulas prove that the rules of a case's game commute with its stated symmetries."""
    shown, enough = _commuting.get(case.game, (False, 0.0))
    seconds = min(SHOWING, case.budget.seconds_left / 5)
    if shown or seconds < enough or not installed_engines():
        return shown
    case.progress("whether the rules are the same for images")
    try:
        shown = commute(case.game, generators(symmetry_claims(case.game)), seconds, choose())
        _commuting[case.game] = shown, inf
    except (OutOfBudget, EngineGaveUp):
        _commuting[case.game] = False, 2 * seconds
    return shown


_commuting: WeakKeyDictionary[Game, tuple[bool, float]] = WeakKeyDictionary()
"""The answers of `commuting`, each with the seconds that it takes to ask again."""


def fully_observed(case: Case) -> bool:
    """True if a claim assumes that players see everything, or nothing is hidden from them."""
    hidden = any(var.hidden for var in case.game.state.values())
    return not hidden or case.claim.options.get("seeing") == "everything"


def no_value(case: Case) -> str:
    """The reason why best play has no value, according to the text of the rules; else empty."""
    if "others" in case.claim.options:
        return "" if fully_observed(case) else SEEN_ALONE
    if not is_opposed(case.game):
        return TOGETHER
    if in_stages(case):
        return no_contest(case.game) or (UNLIKE if case.game.players > len(sides(case.game)) else "")
    if not fully_observed(case):
        return "something is hidden from the players: ask what is `expected`, or say `seeing: everything`"
    return no_contest(case.game)


def _is_best_play(case: Case) -> bool:
    return case.claim.options.get("policy", "best") == "best" and "others" not in case.claim.options


def in_stages(case: Case) -> bool:
    """True if a claim is about best play where nothing is hidden except simultaneous choices."""
    best = _is_best_play(case) and not fully_observed(case)
    return best and case.prop.form in (Form.VALUE, Form.EXPECTATION) and is_open_between_stages(case.game)


def needs_strategies(case: Case) -> bool:
    """True if a claim is about an expectation under best play of players with different information."""
    best = _is_best_play(case) and not fully_observed(case)
    return case.prop.form is Form.EXPECTATION and best and not in_stages(case)


def as_claimed(case: Case, value: str | Fraction) -> str:
    """The outcome of a claim that something `is` a value: proved if it is, or if the claim names none."""
    claimed = case.claim.options.get("is")
    return PROVED if claimed is None or type(value)(str(claimed)) == value else REFUTED


class Positions(Exploration):
    """The exploration of a case's positions, or of given ones, and the answers that it gives.

    If the case is about a reduction of a game, `played` turns plays into plays of that game.
    """

    def __init__(
        self,
        case: Case,
        limits: Limits,
        *,
        states: States | None = None,
        ways: bool = False,
        played: Game | None = None,
    ) -> None:
        self.case, self.played = case, played or case.game
        if states is None:
            states = space_of(case).states(limits, ways=ways)
        super().__init__(states, limits, case.budget)

    def ask(self, part: str, first: int = 0, last: int | None = None) -> Sequence[int]:
        """The values of a part of the claim in some states; `part` is the form of its name."""
        return self.states.scan(part.format(self.case.claim.id), first, last)

    @property
    def proof(self) -> Proof:
        """The positions seen, as evidence."""
        states = self.states
        data: dict[str, Any] = {"counts": [*states.all_counts], "digest": states.digest(states.seen_count)}
        data["closed"] = self.exhaustive
        if self.case.chance is not None:
            data["chance"] = list(self.case.chance)
        if states.cost:
            data["costs"] = [*states.costs]
        return Proof("exploration", data)

    def answer(
        self, outcome: str, numbers: Mapping[str, int], *proofs: Proof, notes: tuple[str, ...] = ()
    ) -> Answer:
        """An answer with the exploration engine and, if it is bounded, the limit that was reached.

        Raises Unlike if a spot check fails.
        """
        if self.limits.spot_check is not None:
            self.limits.spot_check.compare_explored(self.states, [*space_of(self.case).asked[-1]])
        stopped = self.stop_reason if outcome == BOUNDED else ""
        return Answer(outcome, proofs, self.states.engine, numbers, notes, stopped=stopped)

    def full_answer(
        self, outcome: str, numbers: Mapping[str, int], *proofs: Proof, notes: tuple[str, ...] = ()
    ) -> Answer:
        """An answer that rests on all positions seen, and on further proofs."""
        return self.answer(outcome, {**numbers, "states": self.seen_count}, *proofs, self.proof, notes=notes)

    def play(self, number: int, **data: int) -> Proof:
        """A play to a state, as evidence."""
        return Proof("play", data, write_down(self.played, *self.states.play_to(number))[0])

    def settled_at(self, number: int, outcome: str, *proofs: Proof, **data: int) -> Answer:
        """The answer that a play to a state gives."""
        length = len(self.states.path_to(number)) - 1
        return self.answer(outcome, {"plies": length}, self.play(number, **data), *proofs)

    def bounded_answer(self) -> Answer:
        """The answer when exploration stopped early: bounded by the last depth that was complete."""
        if self.depth >= 0:
            return self.full_answer(BOUNDED, {"plies": self.depth})
        words = f"Nothing was decided: play begins in too many ways to see them all ({self.stop_reason})."
        return no_answer(words, engine=self.states.engine)

    def incomplete_answer(self) -> Answer:
        """The undecided answer if all positions are needed and not all were seen."""
        seen = f"{self.seen_count:,} positions were seen, up to {plies(max(self.depth, 0))}"
        words = f"Nothing was decided: {seen}, and not all ({self.stop_reason})."
        return no_answer(words, engine=self.states.engine)

    def incomplete(self) -> Answer | None:
        """The undecided answer unless all positions are seen and faulting plays leave nothing open."""
        return self.faulty() if self.all() else self.incomplete_answer()

    def faulty(self) -> Answer | None:
        """An undecided answer if plays with faults leave nothing to decide, else None."""
        role, why = self.case.prop.faults, ""
        if role is FaultRole.NO_RESULT and any(self.states.scan(BuiltinQuestion.FAULTED)):
            why = NO_RESULT
        elif role is FaultRole.SAME_POSITION and any(
            self.states.scan(BuiltinQuestion.FAULTED, 0, self.states.counts[0])
        ):
            why = NO_POSITION
        return no_answer(f"Nothing was decided: {why}.", engine=self.states.engine) if why else None
