"""Deciding that two games are the same: by formulas for any state, else in lock-step from the start."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from rulespec.budgets import OutOfBudget
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Claim, Game, Other
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED, UNDECIDED
from solver.explore import Limit
from solver.formulas import TooWide
from solver.formulas.query import ClauseSession
from solver.pairs import Correspondence, Incomparable
from solver.pairs.agreement import Unanswered, apart_anywhere, apart_at_start
from solver.pairs.bounded_equivalence import BoundedEquivalence
from solver.pairs.lockstep import Lockstep, Mismatch

from ..case import BEYOND, Answer, Case, Proof, helper_proofs, plies
from ..looking import Limits
from ..plays import Play, states, write_down

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
        return Answer(UNDECIDED, f"They cannot be compared: {why}.")
    return comparison.looked(limits)


def by_formulas(case: Case) -> Answer:
    """What formulas say of whether another game is the same. Raises OutOfBudget, TooWide."""
    return _asked(case, lambda comparison: comparison.from_any_state() or comparison.unrolled())


def by_unrolling(case: Case) -> Answer:
    """The answer from plays of both games from their starts. Raises OutOfBudget, TooWide."""
    return _asked(case, _Comparison.unrolled)


def _asked(case: Case, ask: Callable[[_Comparison], Answer]) -> Answer:
    try:
        comparison = _Comparison(case)
    except Incomparable as why:
        return Answer(UNDECIDED, f"They cannot be compared: {why}.")
    try:
        return ask(comparison)
    except Unanswered:
        raise OutOfBudget(case.ran_out) from None


def first_difference(game: Game, claim: Claim, play: Play) -> Mismatch | None:
    """Where two games differ first along a play, if they do. BadPlay if the first one refuses it."""
    end = [*states(game, play)][-1]
    return Lockstep(likeness_of(game, claim)).along(end.chance, [action.move for action in end.plays])


def words_of(game: Game, claim: Claim, play: Play) -> tuple[str, str, tuple[str, ...]]:
    """The statement, the text of the evidence and the notes for a play that distinguishes two games."""
    comparison = likeness_of(game, claim)
    apart = first_difference(game, claim, play)
    what = apart.text if apart is not None else "nothing"
    when = f"After {plies(len(play.plays))}" if play.plays else "At the start"
    statement = f"Not the same as {claim.options['other'].name}. {when}: {what}."
    return statement, f"Ends where they differ: {what}.", tuple(_unheeded(comparison))


class _Comparison:
    def __init__(self, case: Case) -> None:
        self.case, self.likeness = case, likeness_of(case.game, case.claim)
        self.lockstep = Lockstep(self.likeness)
        self.other: str = case.claim.options["other"].name
        self.notes = tuple(_unheeded(self.likeness))

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
        given = "".join(f", given `{proof.data['claim']}`" for proof in helped)
        statement = (
            f"The same as {self.other}: both begin alike, and in any state{given} the same actions are legal "
            "and lead to the same state, chance, end, winners and scores included."
        )
        proof = Proof("induction", "No state has a counterexample, nor has the start.", {"depth": 1})
        return Answer(PROVED, statement, (proof, *helped), engine.name, {"depth": 1}, self.notes)

    def unrolled(self) -> Answer:
        """That they do the same in plays of so many plies, or a play in which they do not."""
        engine = self.case.solver
        part, stopped = self.case.budget.part(UNROLLING), ""

        def watch() -> None:
            if part.exhausted:
                raise OutOfBudget(part.exhausted)

        together = BoundedEquivalence(self.likeness, engine, lambda: part.left, watch)
        try:
            while not (together.closed or stopped):
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
            return Answer(UNDECIDED, f"Nothing was decided by formulas: {stopped}.", engine=engine.name)
        proof = Proof("refutation", f"No play of at most {plies(depth)} tells them apart.", {"plies": depth})
        numbers = {"plies": depth}
        if together.closed:
            statement = f"The same as {self.other} in every play, none of which has more than {plies(depth)}."
            return Answer(PROVED, statement, (proof,), engine.name, numbers, self.notes)
        statement = f"The same as {self.other} in the first {plies(depth)} of every play. {BEYOND}"
        return Answer(BOUNDED, statement, (proof,), engine.name, numbers, self.notes, stopped=stopped)

    def _seconds(self) -> float:
        return self.case.budget.left

    def _watch(self) -> None:
        if self.case.budget.exhausted:
            raise OutOfBudget(self.case.budget.exhausted)

    # ---- answers

    def _refuted(self, apart: Mismatch) -> Answer:
        play, _ = write_down(self.case.game, apart.chance, apart.moves)
        statement, text, notes = words_of(self.case.game, self.case.claim, play)
        proof = Proof("play", text, {}, play)
        return Answer(REFUTED, statement, (proof,), "interpreter", {"plies": len(play.plays)}, notes)

    def _explored(self) -> Answer:
        seen = sum(self.lockstep.counts)
        depth = len(self.lockstep.counts) - 1
        if depth < 0:
            return Answer(UNDECIDED, f"Nothing was decided: {self.lockstep.stopped}.")
        counts = list(self.lockstep.counts)
        listed = ", ".join(map(str, counts))
        closed = self.lockstep.closed
        text = f"{seen} positions by depth: {listed}" + ("; no more" if closed else "")
        data = {"counts": counts, "digest": self.lockstep.digest(), "closed": closed}
        proof = Proof("exploration", text, data)
        if closed:
            statement = f"The same as {self.other} in all {seen} positions that can be reached."
            return Answer(PROVED, statement, (proof,), "interpreter", {"states": seen}, self.notes)
        statement = f"The same as {self.other} in the first {plies(depth)} of every play. {BEYOND}"
        numbers = {"plies": depth, "states": seen}
        stopped = self.lockstep.stopped
        return Answer(BOUNDED, statement, (proof,), "interpreter", numbers, self.notes, stopped=stopped)


def _unheeded(likeness: Correspondence) -> Iterator[str]:
    """What may differ all the same, for it was not compared."""
    mine, other = likeness.mine, likeness.other
    if likeness.sights is None:
        yield "What players see of it was not compared, for it is not told in the same pieces."
    alone = [name for name in mine.state if name not in {a.name for a, _ in likeness.variables}]
    alone += [name for name in other.state if name not in {b.name for _, b in likeness.variables}]
    if alone:
        yield f"Only one of them has {' and '.join(f'`{name}`' for name in alone)}, which was not compared."
