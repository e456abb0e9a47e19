"""Judges the evidence of a verdict: goes through it again, and compares what it shows with what is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core.game import Claim, Game
from rulespec.core.lemmas import helpers_of
from rulespec.core.properties import Form, Over, property_of
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED, UNDECIDED, Evidence, Store, Verdict
from rulespec.core.wording import plies
from rulespec.play.chance import Chance, ChanceError
from rulespec.play.machine import Machine
from rulespec.play.plays import BadPlay, Play
from solver.certify import CertificateStore, Refused
from solver.certify.exports import Witness
from solver.certify.second_solver import SecondSolver
from solver.engines import choose
from solver.explore import state_space
from solver.explore.sequence_form import NoGameValue
from solver.explore.spot_check import SpotCheck, Unlike
from solver.explore.state_space import MOST_POSITIONS, Limits
from solver.pairs.belief_states import told_apart
from solver.pairs.winners import claim_of

from . import comparisons, equilibrium, exploration, game_value, linear_combination, seats
from .certified import by_certificate
from .checks import Check, alike, compared, unchecked, weaker
from .engine_rules import asked_again, by_engine, by_evidence, deals_of
from .optimum import Scale, best, beyond
from .positions import needs_strategies
from .problem import Answer, Case, Progress, Proof, helper_proofs, is_settled, silent
from .replay import OF_A_PLAY, SHORTEST, by_play_alone, objection

ADDED_UP = "the claims that it rests on were added up again"

Redo = Callable[[Case, Verdict, Mapping[str, Any]], Check]
"""Decides the deals of a verdict again, whose evidence is given, each as a claim of its own."""


@dataclass
class Judge:
    """Judges the verdicts of one ruleset, within limits."""

    store: Store
    budget: Budget
    """The limits for the current verdict."""
    redo: Redo
    engine: str | None = None
    progress: Progress = silent
    chance: tuple[str, ...] | None = None
    """The deal that the verdicts are about; none for every deal."""
    shelf: CertificateStore | None = None
    """Where their certificates are."""
    second: SecondSolver | None = None
    """The solver that confirms each refutation."""
    export: Path | None = None
    """The folder to which refutations are written."""

    def shown(self, game: Game, claim: Claim, verdict: Verdict) -> Check:
        """Check the evidence of a verdict on a claim of a game."""
        return _Hearing(self, game, claim, verdict).whole()

    def case(self, game: Game, claim: Claim) -> Case:
        """The case of a claim with the judge's own limits."""
        budget = self.budget.part(1.0)
        return Case(game, claim, budget, self.chance, engine=self.engine, progress=self.progress)


@dataclass
class _Hearing:
    """One verdict before the judge. What cannot be so is raised as Refused."""

    judge: Judge
    game: Game
    claim: Claim
    verdict: Verdict

    def whole(self) -> Check:
        """The check of a verdict, for each player or deal if it is about these."""
        over = property_of(self.claim).over
        try:
            self._fits()
            if over is Over.SEATS:
                return self._seats()
            if over is Over.DEALS:
                answers = next((e.data for e in self._of("deals")), {})
                return self.judge.redo(self._case, self.verdict, answers)
        except Refused as why:
            return self._failed(str(why))
        return self.evidence()

    def evidence(self) -> Check:
        """The check of its evidence: plays are replayed, then the rest is gone through."""
        asked, verdict = property_of(self.claim), self.verdict
        try:
            plays = [self._replayed(e) for e in self._of("play")]
            if plays and asked.over is Over.LOOKALIKES:
                return self._lookalike(plays)
            if plays and asked.by_play:
                return self._played(plays[0])
            if asked.form is Form.OPTIMUM:
                return self._best(plays)
            for kind, check in CHECKS.items():
                for evidence in self._of(kind):
                    return check(self, evidence)
            case, by = asked_again(self._case, verdict, self.judge.store), by_engine(self.claim, verdict)
            if by is None:
                why = "its evidence shows nothing of such a claim" if self.kinds else "it has no evidence"
                raise Refused(why)
            return compared(verdict, *self._by_formulas(case, by))
        except Refused as why:
            return self._failed(str(why))

    # ---- the verdict as a whole

    @property
    def kinds(self) -> set[str]:
        """The kinds of its evidence."""
        return {evidence.kind for evidence in self.verdict.evidence}

    @property
    def _case(self) -> Case:
        return self.judge.case(self.game, self.claim)

    def _of(self, kind: str) -> list[Evidence]:
        return [evidence for evidence in self.verdict.evidence if evidence.kind == kind]

    def _failed(self, why: str) -> Check:
        return Check(self.verdict, False, why)

    def _fits(self) -> None:
        """Test that the evidence is of kinds that show such a claim, and about the deal that it is about."""
        may = property_of(self.claim).evidence
        if not needs_strategies(self._case):  # which show nothing of an expectation that needs none
            may -= {"strategies"}
        for odd in self.kinds - may:
            raise Refused(f"evidence of the kind `{odd}` shows nothing of such a claim")
        deals = deals_of(self.verdict)
        if len(deals) > 1:
            raise Refused("its evidence is about more than one deal")
        if deals and self.judge.chance is None:
            raise Refused("its evidence is about one deal, not about all")
        if deals and not _can_be_dealt(self.game, deals[0]):
            raise Refused("its deal cannot be")

    def _seats(self) -> Check:
        """What is said of each player, by itself."""
        checks: dict[Any, Check] = {}
        for seat, part in seats.parted(self.game, self.verdict):
            if part is None:
                raise Refused(f"it has no evidence on player {seat}")
            claim = claim_of(self.game, self.claim, seat)
            check = _Hearing(self.judge, self.game, claim, part).evidence()
            checks[seat] = replace(check, text=f"player {seat}: {check.text}")
        listed = checks.values()
        if seats.worst(c.verdict.outcome for c in listed) != self.verdict.outcome:
            raise Refused("what it says of each player is not what it says of all")
        passed = False if any(c.passed is False for c in listed) else all(c.passed for c in listed) or None
        found = {seat: c.found for seat, c in checks.items() if c.found is not None}
        whole = seats.joined(found) if len(found) == len(checks) else None
        return Check(self.verdict, passed, "; ".join(check.text for check in listed), found=whole)

    # ---- plays

    def _replayed(self, evidence: Evidence) -> Play:
        """The play that evidence names, after it showed what it should."""
        try:
            play = Play.from_data(self.judge.store.records[evidence.data["record"]])
        except (BadPlay, KeyError):
            raise Refused("its play is missing or damaged") from None
        deal = self.judge.chance or ()
        if play.chance[: len(deal)] != deal:
            raise Refused("its play is of another deal")
        problem = objection(self.game, self.claim, play, evidence.data, self.verdict.numbers)
        if problem:
            raise Refused(f"its play does not show it: {problem}")
        return play

    def _played(self, play: Play) -> Check:
        """The check of a claim that one play settles."""
        evidence, *more = self.verdict.evidence
        data = {key: value for key, value in evidence.data.items() if key != "record"}
        if more:
            raise Refused("it rests on one play, and yet it has other evidence")
        if not data.keys() <= {*OF_A_PLAY, "alone", "differs"} or data.get(SHORTEST, True) is not True:
            raise Refused("its play is said to be more than a play")
        shown = Answer(property_of(self.claim).by_play or UNDECIDED, (Proof("play", data, play),))
        answer = by_play_alone(self.game, self.claim, shown)
        check = compared(self.verdict, answer, "replayed by the interpreter")
        if check.passed is not True or SHORTEST not in data:
            return check
        found, how = self._explored_from_nothing()
        if found is None or property_of(self.claim).by_play != found.outcome:
            return unchecked(self.verdict, "its play was replayed; that none is shorter was not found out")
        if found.numbers["plies"] != len(play.plays):
            raise Refused(f"a play of {plies(found.numbers['plies'])} is shorter")
        return replace(check, text=f"{check.text}; none is shorter: {how}")

    def _lookalike(self, plays: list[Play]) -> Check:
        """The check of two plays that a player cannot distinguish and must."""
        data = self.verdict.evidence[0].data
        viewers = [e.data.get("viewer") for e in self.verdict.evidence]
        if self.kinds != {"play"} or any(viewer != viewers[0] for viewer in viewers):
            raise Refused("two plays and nothing else show that something cannot be told")
        problem = told_apart(self.game, plays, data.get("viewer"))
        if problem:
            raise Refused(problem)
        answer = comparisons.unknown_by(self._case, plays, data["viewer"])
        how = "both plays replayed by the interpreter; they look the same"
        return compared(self.verdict, answer, how)

    # ---- positions

    def _explored_from_nothing(self) -> tuple[Answer | None, str]:
        """The answer by exploration, and how; a long one only if a brief one does not settle the claim."""
        case, seconds = self._case, self.judge.budget.left
        brief = Limits(min(state_space.EASY_SECONDS, seconds), state_space.EASY_POSITIONS)
        answer, how = self._by_positions(case, brief)
        if is_settled(answer):
            return answer, how
        long, spot_check = Limits(seconds / 2, MOST_POSITIONS), SpotCheck()
        with _believing_the_interpreter():
            answer = exploration.guided(case, replace(long, spot_check=spot_check), shortest=True)
        if answer is not None:
            return answer, spot_check.words
        return self._by_positions(case, replace(long, seconds=self.judge.budget.left))

    def _by_positions(self, case: Case, limits: Limits) -> tuple[Answer | None, str]:
        """The answer to a case by exploration, and how it was found, in words.

        The interpreter goes through all positions if that takes about a second, else through a share of those
        that generated code explores. Refused where the two differ.
        """
        spot_check = SpotCheck(leaves_small=True)
        with _believing_the_interpreter():
            answer = exploration.explore(case, replace(limits, spot_check=spot_check))
        if spot_check.is_small:
            whole = replace(limits, judge=True, seconds=self.judge.budget.left)
            return exploration.explore(case, whole), "by the interpreter"
        how = f"by generated code, {spot_check.words}" if spot_check.words else "by the interpreter"
        return answer, how

    def _explored(self, evidence: Evidence) -> Check:
        counts = _counts(evidence)
        if counts is None:
            raise Refused("its counts of positions are damaged")
        case, verdict = self._case, self.verdict
        depth = len(counts) - 1 if verdict.outcome == BOUNDED else None
        # Evidence counts the beliefs of players, while the limit is on the positions in them.
        most = sum(counts) + 1 if case.prop.over is not Over.LOOKALIKES else comparisons.MOST_BELIEVED
        answer, how = self._by_positions(case, Limits(self.judge.budget.left, most, depth))
        if answer is not None and weaker(answer, verdict) and case.budget.left > 0:
            raise Refused("there are more positions than were counted")
        check = compared(verdict, answer, f"explored again {how}", exact=True)
        same = check.found is not None and alike(check.found, evidence)
        if not same and verdict.outcome == BOUNDED and case.budget.exhausted:
            return unchecked(verdict, f"not as far as it was explored: {case.budget.exhausted}")
        return check

    def _sampled(self, evidence: Evidence) -> Check:
        return compared(self.verdict, self._explored_from_nothing()[0], "sampled again")

    # ---- best play

    def _by_strategies(self, evidence: Evidence) -> Check:
        try:
            answer = equilibrium.held(self._case, self.judge.budget.left, evidence.data)
        except OutOfBudget as out:
            return unchecked(self.verdict, str(out))
        except NoGameValue as why:
            raise Refused(str(why)) from None
        return compared(self.verdict, answer, "neither player can do better against its strategies")

    def _by_worth(self, evidence: Evidence) -> Check:
        return game_value.checked(self._case, self.verdict, evidence, self.judge.shelf)

    # ---- the best of a number

    def _best(self, plays: list[Play]) -> Check:
        """The check of a best value: nothing within its bound can be reached, and its play reaches it."""
        bounds = [e for e in self.verdict.evidence if "bound" in e.data]
        explored, helpers = self._of("exploration"), self._of("helper")
        if explored and not bounds:
            return self._explored(explored[0])
        listed = len(plays) + len(bounds)
        if not 0 < listed <= 2 or len(plays) > 1 or listed + len(helpers) != len(self.verdict.evidence):
            raise Refused("a play and one bound show it, and nothing else")
        asked = asked_again(self._case, self.verdict, self.judge.store)
        scale, how, proofs = Scale.of(asked), "replayed by the interpreter", list[Proof]()
        if scale is None or asked.summed:
            raise Refused("nothing that it rests on speaks of such a number")
        if bounds:
            is_shown, how = self._beyond(asked, bounds[0])
            how = f"that {bounds[0].data['bound']} is out of reach: {how}"
            if not is_shown:
                return unchecked(self.verdict, f"{'its play was replayed; ' if plays else ''}{how}")
            proofs.append(Proof(bounds[0].kind, bounds[0].data))
        proofs += helper_proofs(asked, helpers_of(self.verdict))
        found = best(asked, scale, plays[0] if plays else None, proofs, self.verdict.engine)
        if weaker(found, self.verdict):
            raise Refused("its evidence shows less than it says")
        return compared(self.verdict, found, how, exact=True)

    def _beyond(self, asked: Case, evidence: Evidence) -> tuple[bool, str]:
        """True if nothing within the bound of evidence can be reached, and how that was shown; False where it
        was not found out."""
        case = beyond(asked, evidence.data)
        if evidence.kind == linear_combination.KIND:
            problem = linear_combination.objection(asked, evidence.data)
            if problem:
                raise Refused(problem)
            return True, ADDED_UP
        if evidence.kind == "exploration":
            answer, how = self._by_positions(case, Limits(self.judge.budget.left, MOST_POSITIONS))
            how = f"explored again {how}"
        else:
            answer, how = self._by_formulas(case, evidence)
        if answer is None or answer.outcome not in (PROVED, REFUTED):
            return False, how
        if answer.outcome == REFUTED:
            raise Refused(f"{evidence.data['bound']} can be reached")
        if evidence.kind == "exploration" and not alike(answer, evidence):
            raise Refused("the positions are not those that were counted")
        return True, how

    # ---- other claims, and formulas

    def _added_up(self, evidence: Evidence) -> Check:
        """Add up the invariants again; each of them is a verdict of its own."""
        case = asked_again(self._case, self.verdict, self.judge.store)
        problem = linear_combination.objection(case, evidence.data)
        if problem or "bound" in evidence.data:
            raise Refused(problem or "its claims contradict no goal")
        shown = Proof(linear_combination.KIND, evidence.data)
        answer = linear_combination.contradicting(case, [*helper_proofs(case, case.named), shown])
        return compared(self.verdict, answer, ADDED_UP)

    def _by_formulas(self, case: Case, evidence: Evidence) -> tuple[Answer | None, str]:
        """The answer of formulas for a case, by what the evidence says, and a text about its method.

        By the certificate if the evidence has one and no engine is asked for by name. Refused if it is not
        sound, or the second solver disagrees.
        """
        judge, witness = self.judge, None
        if judge.second is not None or judge.export is not None:
            witness = Witness(self.verdict, judge.export, judge.second, case.budget)
            case = replace(case, progress=witness.progress)
        if judge.engine is None and "certificate" in evidence.data:
            answer, how = by_certificate(case, judge.shelf, evidence, witness)
        else:
            oracle = witness.over(choose(judge.engine, judge.budget.memory)) if witness is not None else None
            answer = by_evidence(replace(case, oracle=oracle), evidence)
            helped = {*helpers_of(self.verdict)} <= case.lemmas.keys()
            if answer is None and helped and not case.budget.exhausted:
                raise Refused("what its evidence says was asked again, and is not so")
            how = f"solved again with {answer.engine}" if answer else ""
        if witness is not None and witness.words:
            how += f"; {witness.words}"
        return (answer, how) if witness is None or witness.agreed else (None, how)


CHECKS: Mapping[str, Callable[[_Hearing, Evidence], Check]] = {
    linear_combination.KIND: _Hearing._added_up,
    "sample": _Hearing._sampled,
    "strategies": _Hearing._by_strategies,
    game_value.KIND: _Hearing._by_worth,
    "exploration": _Hearing._explored,
}
"""The check of each kind of evidence that settles a claim without a play, a bound, or an engine."""


@contextmanager
def _believing_the_interpreter() -> Iterator[None]:
    """Refused where generated code and the interpreter differ."""
    try:
        yield
    except Unlike as difference:
        raise Refused(f"generated code and the interpreter differ in {difference}") from None


def _counts(evidence: Evidence) -> list[int] | None:
    """The numbers of new positions by depth; None if they are damaged."""
    counts = evidence.data.get("counts")
    return counts if isinstance(counts, list) and all(isinstance(c, int) for c in counts) else None


def _can_be_dealt(game: Game, deal: tuple[str, ...]) -> bool:
    """True if the setup can produce these outcomes of chance."""
    try:
        Machine(game).start(Chance(None, deal))
    except ChanceError:
        return False
    return True
