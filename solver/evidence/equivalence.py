"""Deciding that two games are the same: by formulas for any state, else in lock-step from the start."""

from __future__ import annotations

from collections.abc import Callable

from rulespec.budgets import OutOfBudget
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Claim, Game, Other
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED
from rulespec.core.wording import plies
from rulespec.play.plays import Play, states, write_down
from solver.explore import Limit
from solver.explore.state_space import Limits
from solver.formulas import TooWide
from solver.formulas.query import ClauseSession
from solver.pairs import Correspondence, Incomparable
from solver.pairs.agreement import Unanswered, apart_anywhere, apart_at_start
from solver.pairs.bounded_equivalence import BoundedEquivalence
from solver.pairs.lockstep import Lockstep, Mismatch

from .problem import Answer, Case, Proof, helper_proofs, undecided

EXPLORING = 0.6
"""The share of a look that goes to every play; what is left of it goes to random ones."""
UNROLLING = 0.5
"""The share of what is left of a budget for plays from the start in formulas."""
MOST_PAIRS = 1_000_000
"""So many pairs of positions are kept in mind."""
CHANCE = "both ask chance for something else, as far as formulas see"
LONGEST_WALK = 300
"""How many plies a random play has at most."""


def likeness_of(game: Game, claim: Claim) -> Correspondence:
    """What of a game is what of that which a claim compares it with; Incomparable if there is no telling."""
    other = claim.options["other"]
    assert isinstance(other, Other)
    try:
        return Correspondence(game, other.game)
    except RulesetError as error:
        raise Incomparable(f"{other.name} cannot be had here: {error.diagnostics[0].message}") from None


def look(case: Case, limits: Limits) -> Answer:
    """What all plays, and if those are too many random ones, say of whether another game is the same."""
    try:
        comparison = _Comparison(case)
    except Incomparable as why:
        return undecided(f"They cannot be compared: {why}.")
    return comparison.looked(limits)


def by_formulas(case: Case) -> Answer | None:
    """What formulas say of whether another game is the same. Raises OutOfBudget, TooWide."""
    return _asked(case, lambda comparison: comparison.from_any_state() or comparison.unrolled())


def from_any_state(case: Case) -> Answer | None:
    """The answer that from any state both do the same; None if they need not. Raises OutOfBudget, TooWide."""
    return _asked(case, _Comparison.from_any_state)


def by_unrolling(case: Case) -> Answer | None:
    """The answer from plays of both games from their starts. Raises OutOfBudget, TooWide."""
    return _asked(case, _Comparison.unrolled)


def _asked(case: Case, ask: Callable[[_Comparison], Answer | None]) -> Answer | None:
    try:
        comparison = _Comparison(case)
    except Incomparable as why:
        return undecided(f"They cannot be compared: {why}.")
    try:
        return ask(comparison)
    except Unanswered:
        raise OutOfBudget(case.ran_out) from None


def first_difference(game: Game, claim: Claim, play: Play) -> Mismatch | None:
    """Where two games differ first along a play, if they do. BadPlay if the first one refuses it."""
    end = [*states(game, play)][-1]
    return Lockstep(likeness_of(game, claim)).along(end.chance, [action.move for action in end.plays])


def left_out(game: Game, claim: Claim) -> tuple[dict[str, object], tuple[str, ...]]:
    """The entry of evidence for variables that only one game has, and the notes on what was not compared."""
    likeness = likeness_of(game, claim)
    alone = [name for name in likeness.mine.state if name not in {a.name for a, _ in likeness.variables}]
    alone += [name for name in likeness.other.state if name not in {b.name for _, b in likeness.variables}]
    notes = () if likeness.sights is not None else ("sights-not-compared",)
    return ({"alone": alone} if alone else {}), notes


class _Comparison:
    def __init__(self, case: Case) -> None:
        self.case, self.likeness = case, likeness_of(case.game, case.claim)
        self.lockstep = Lockstep(self.likeness)
        self.alone, self.notes = left_out(case.game, case.claim)

    # ---- by the interpreter

    def looked(self, limits: Limits) -> Answer:
        """Every play, ply after ply; where that ends early, also some at random."""
        part = self.case.budget.part(EXPLORING, limits.seconds * EXPLORING)
        most = min(limits.most, MOST_PAIRS)
        apart = self.lockstep.explore(lambda: part.exhausted or limits.until(), most, limits.depth)
        if apart is None and not self.lockstep.closed and limits.depth is None:
            apart = self._wandered(limits.seconds - part.spent, limits.until)
        return self._refuted(apart) if apart is not None else self._explored()

    def _wandered(self, seconds: float, until: Limit) -> Mismatch | None:
        part, seed = self.case.budget.part(1.0, seconds), 0
        while not (part.exhausted or until()):
            apart = self.lockstep.wander(str(seed), LONGEST_WALK)
            if apart is not None:
                return apart
            seed += 1
        return None

    # ---- by formulas

    def from_any_state(self) -> Answer | None:
        """That from any state both do the same, if they do."""
        engine = self.case.solver
        self.case.progress("whether both do the same in any state")
        if apart_at_start(self.likeness, engine, self._seconds, self._watch):
            return None
        helped: list[Proof] = []
        if apart_anywhere(self.likeness, engine, self._seconds, (), self._watch):
            helped = [*helper_proofs(self.case)]
            helpers = self.case.helpers
            if not helpers or apart_anywhere(self.likeness, engine, self._seconds, helpers, self._watch):
                return None
        proof = Proof("induction", {"depth": 1, **self.alone})
        return Answer(PROVED, (proof, *helped), engine.name, {"depth": 1}, self.notes)

    def unrolled(self) -> Answer:
        """That they do the same in plays of so many plies, or a play in which they do not."""
        engine = self.case.solver
        part, stopped = self.case.budget.part(UNROLLING), ""

        def watch() -> None:
            if part.exhausted:
                raise OutOfBudget(part.exhausted)

        together = BoundedEquivalence(self.likeness, engine, lambda: part.left, watch)
        try:
            while not (together.closed or stopped or together.plies == self.case.most_plies):
                self.case.progress(f"both games in lock-step, plays of {plies(together.plies + 1)}")
                found = together.deeper()
                if found is not None:
                    apart = self.lockstep.along(*found)
                    return (
                        self._refuted(apart) if apart is not None else self._bounded(together, CHANCE, engine)
                    )
                stopped = part.exhausted
        except (OutOfBudget, Unanswered, TooWide) as out:
            stopped = str(out) or part.exhausted or "the engine gave up"
        return self._bounded(together, stopped, engine)

    def _bounded(self, together: BoundedEquivalence, stopped: str, engine: ClauseSession) -> Answer:
        depth = together.plies - together.closed
        if depth < 0:
            return undecided(f"Nothing was decided by formulas: {stopped}.", engine=engine.name)
        proof, numbers = Proof("refutation", {"plies": depth, **self.alone}), {"plies": depth}
        if together.closed:
            return Answer(PROVED, (proof,), engine.name, numbers, self.notes)
        return Answer(BOUNDED, (proof,), engine.name, numbers, self.notes, stopped=stopped)

    def _seconds(self) -> float:
        return self.case.budget.left

    def _watch(self) -> None:
        if self.case.budget.exhausted:
            raise OutOfBudget(self.case.budget.exhausted)

    # ---- answers

    def _refuted(self, apart: Mismatch) -> Answer:
        play, _ = write_down(self.case.game, apart.chance, apart.moves)
        proof = Proof("play", self.alone, play)
        return Answer(REFUTED, (proof,), "interpreter", {"plies": len(play.plays)}, self.notes)

    def _explored(self) -> Answer:
        seen = sum(self.lockstep.counts)
        depth = len(self.lockstep.counts) - 1
        if depth < 0:
            return undecided(f"Nothing was decided: {self.lockstep.stopped}.")
        counts, closed = list(self.lockstep.counts), self.lockstep.closed
        data = {"counts": counts, "digest": self.lockstep.digest(), "closed": closed, **self.alone}
        proof = Proof("exploration", data)
        if closed:
            return Answer(PROVED, (proof,), "interpreter", {"states": seen}, self.notes)
        numbers, stopped = {"plies": depth, "states": seen}, self.lockstep.stopped
        return Answer(BOUNDED, (proof,), "interpreter", numbers, self.notes, stopped=stopped)
