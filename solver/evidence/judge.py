"""Judges the evidence of a verdict, kind by kind."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core.game import Claim, Game
from rulespec.core.lemmas import helpers_of
from rulespec.core.verdicts import (
    BOUNDED,
    PROVED,
    REFUTED,
    UNDECIDED,
    Evidence,
    Store,
    Verdict,
)
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
from solver.explore.state_space import MOST_POSITIONS, Limits

from . import (
    comparisons,
    equilibrium,
    exploration,
    game_graph,
    game_value,
    linear_combination,
    seats,
)
from .certified import by_certificate, by_worth
from .checks import Check, alike, compared, unchecked, weaker
from .engine_rules import asked_again, by_engine, by_evidence, deals_of
from .optimum import Scale, Unfounded, best, beyond
from .positions import needs_strategies
from .problem import Answer, Case, Progress, Proof, helper_proofs, is_settled, silent
from .properties import Form, Over, property_of
from .replay import OF_A_PLAY, SHORTEST, by_play_alone, objection

MOST_JUDGED, MOST_OUTCOMES_JUDGED = 10_000, 100_000
"""So many states, and outcomes of their actions, are gone through by the interpreter, more by the code that
found them."""


Redo = Callable[[Case, Verdict, Mapping[str, Any]], Check]
"""Decides the deals of a verdict again, whose evidence is given, each as a claim of its own."""


@dataclass
class Judge:
    """Judges the evidence of the verdicts of one ruleset, within limits."""

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
        odd = next((e.kind for e in verdict.evidence if not _may_show(self.case(game, claim), e)), "")
        if odd:
            return Check(verdict, False, f"evidence of the kind `{odd}` shows nothing of such a claim")
        deals = deals_of(verdict)
        if len(deals) > 1:
            return Check(verdict, False, "its evidence is about more than one deal")
        asked = property_of(claim)
        if asked.over is Over.SEATS:
            return self._seats(game, claim, verdict)
        if asked.over is Over.DEALS:
            told = next((e.data for e in verdict.evidence if e.kind == "deals"), {})
            return self.redo(self.case(game, claim), verdict, told)
        if self.chance is None and deals:
            return Check(verdict, False, "its evidence is about one deal, not about all")
        if deals and not _can_be_dealt(game, deals[0]):
            return Check(verdict, False, "its deal cannot be")
        return self._evidence(game, claim, verdict)

    @property
    def seconds(self) -> float:
        """The seconds left for the current verdict."""
        return self.budget.left

    def _seats(self, game: Game, claim: Claim, verdict: Verdict) -> Check:
        """What is said of each player, by itself."""
        checks: dict[Any, Check] = {}
        for seat, part in seats.parted(game, verdict):
            if part is None:
                return Check(verdict, False, f"it has no evidence on player {seat}")
            of_seat = seats.claim_of(game, claim, seat)
            check = self._evidence(game, of_seat, part)
            checks[seat] = replace(check, text=f"player {seat}: {check.text}")
        listed = checks.values()
        if seats.worst(c.verdict.outcome for c in listed) != verdict.outcome:
            return Check(verdict, False, "what it says of each player is not what it says of all")
        passed = False if any(c.passed is False for c in listed) else all(c.passed for c in listed) or None
        found = {seat: c.found for seat, c in checks.items() if c.found is not None}
        whole = seats.joined(found) if len(found) == len(checks) else None
        return Check(verdict, passed, "; ".join(check.text for check in listed), found=whole)

    def _evidence(self, game: Game, claim: Claim, verdict: Verdict) -> Check:
        kinds = {evidence.kind for evidence in verdict.evidence}
        for evidence in verdict.evidence:
            problem = self._play(game, claim, verdict, evidence) if evidence.kind == "play" else ""
            if problem:
                return Check(verdict, False, problem)
        asked = property_of(claim)
        if asked.over is Over.LOOKALIKES and "play" in kinds:
            return self._lookalike(game, claim, verdict)
        if "play" in kinds and asked.by_play:
            return self._played(game, claim, verdict)
        explored = next((e for e in verdict.evidence if e.kind == "exploration"), None)
        if asked.form is Form.OPTIMUM and "summed-over" in claim.options:
            if explored is None:
                return Check(verdict, False, "nothing that it rests on speaks of a sum over plies")
            return self._explored(game, claim, verdict, explored)
        if linear_combination.KIND in kinds and asked.form is Form.REACHABLE:
            return self._added_up(game, claim, verdict)
        if asked.form is Form.OPTIMUM:
            return self._best(game, claim, verdict)
        if "sample" in kinds:
            return self._sampled(game, claim, verdict)
        strategies = next((e for e in verdict.evidence if e.kind == "strategies"), None)
        if strategies is not None:
            return self._strategies(game, claim, verdict, strategies)
        found = next((e for e in verdict.evidence if e.kind == game_value.KIND), None)
        if found is not None:
            return by_worth(self.case(game, claim, _chance(found)), verdict, found, self.shelf)
        if explored is not None:
            return self._explored(game, claim, verdict, explored)
        if not kinds:
            return Check(verdict, False, "it has no evidence")
        return self._solved_again(game, claim, verdict)

    def _play(self, game: Game, claim: Claim, verdict: Verdict, evidence: Evidence) -> str:
        play = self.play_of(evidence)
        if play is None:
            return "its play is missing or damaged"
        deal = self.chance or ()
        if play.chance[: len(deal)] != deal:
            return "its play is of another deal"
        problem = objection(game, claim, play, evidence.data, verdict.numbers)
        return f"its play does not show it: {problem}" if problem else ""

    def play_of(self, evidence: Evidence) -> Play | None:
        """The play that evidence names; None if it is missing or damaged."""
        try:
            return Play.from_data(self.store.records[evidence.data["record"]])
        except (BadPlay, KeyError):
            return None

    def _played(self, game: Game, claim: Claim, verdict: Verdict) -> Check:
        """The check of a claim that one play settles, after the play was replayed."""
        evidence, *more = verdict.evidence
        play = self.play_of(evidence)
        if more or play is None:
            return Check(verdict, False, "it rests on one play, and yet it has other evidence")
        data = {key: value for key, value in evidence.data.items() if key != "record"}
        if not data.keys() <= {*OF_A_PLAY, "alone", "differs"} or data.get(SHORTEST, True) is not True:
            return Check(verdict, False, "its play is said to be more than a play")
        shown = Answer(property_of(claim).by_play or UNDECIDED, (Proof("play", data, play),))
        check = compared(verdict, by_play_alone(game, claim, shown), "replayed by the interpreter")
        if check.passed is True and SHORTEST in data:
            return self._none_shorter(game, claim, check, len(play.plays))
        return check

    def _none_shorter(self, game: Game, claim: Claim, check: Check, length: int) -> Check:
        """Complete the check of a play that is said to be shortest, by exploring positions ply by ply."""
        answer = self._looked(game, claim)
        if answer is None or property_of(claim).by_play != answer.outcome:
            return unchecked(check.verdict, "its play was replayed; that none is shorter was not found out")
        if answer.numbers["plies"] != length:
            return replace(check, passed=False, text=f"a play of {plies(answer.numbers['plies'])} is shorter")
        return replace(check, text=f"{check.text}; none is shorter")

    def _lookalike(self, game: Game, claim: Claim, verdict: Verdict) -> Check:
        """The check of two replayed plays that a player cannot distinguish and must."""
        evidence = [e for e in verdict.evidence if e.kind == "play"]
        both = [play for e in evidence if (play := self.play_of(e)) is not None]
        if len(evidence) != len(verdict.evidence) or any(
            e.data.get("viewer") != evidence[0].data.get("viewer") for e in evidence
        ):
            return Check(verdict, False, "two plays and nothing else show that something cannot be told")
        problem = comparisons.unknown_objection(game, both, evidence[0].data)
        if problem:
            return Check(verdict, False, problem)
        answer = comparisons.unknown_by(self.case(game, claim), both, evidence[0].data["viewer"])
        return compared(verdict, answer, "both plays replayed by the interpreter; they look the same")

    def case(self, game: Game, claim: Claim, chance: tuple[str, ...] | None = None) -> Case:
        chance = chance if self.chance is None else self.chance
        budget = self.budget.part(1.0)
        return Case(
            game,
            claim,
            budget,
            chance,
            engine=self.engine,
            progress=self.progress,
        )

    def _sampled(self, game: Game, claim: Claim, verdict: Verdict) -> Check:
        answer = self._looked(game, claim)
        if answer is None or answer.outcome == UNDECIDED:
            return Check(verdict, None, "the sample could not be taken again with what there is of time")
        return compared(verdict, answer, "sampled again")

    def _looked(self, game: Game, claim: Claim) -> Answer | None:
        """The answer by exploration; code is compiled only if a brief search does not settle it."""
        case = self.case(game, claim)
        brief = Limits(min(state_space.EASY_SECONDS, self.seconds), state_space.EASY_POSITIONS)
        answer = exploration.explore(case, brief)
        if is_settled(answer):
            return answer
        return exploration.explore(case, Limits(self.seconds, MOST_POSITIONS, compiled=True))

    def _strategies(self, game: Game, claim: Claim, verdict: Verdict, evidence: Evidence) -> Check:
        try:
            answer = equilibrium.held(self.case(game, claim), self.seconds, evidence.data)
        except OutOfBudget:
            return Check(verdict, None, "its strategies could not be checked with what there is of time")
        except NoGameValue as why:
            return Check(verdict, False, str(why))
        return compared(verdict, answer, "neither player can do better against its strategies")

    def _explored(self, game: Game, claim: Claim, verdict: Verdict, evidence: Evidence) -> Check:
        counts, outcomes = _counts(evidence), evidence.data.get("outcomes", 0)
        if counts is None or not isinstance(outcomes, int):
            return Check(verdict, False, "its counts of positions are damaged")
        case = self.case(game, claim, _chance(evidence))
        case.argument = str(evidence.data.get("by", ""))
        depth = len(counts) - 1 if verdict.outcome == BOUNDED else None
        few = sum(counts) <= MOST_JUDGED and outcomes <= MOST_OUTCOMES_JUDGED
        judge = few and case.argument != game_graph.AHEAD  # which code alone can do
        # Evidence counts the beliefs of players, while the limit is on the positions in them.
        most = sum(counts) + 1 if case.prop.over is not Over.LOOKALIKES else comparisons.MOST_BELIEVED
        limits = Limits(self.seconds, most, depth, compiled=not judge, judge=judge)
        answer = exploration.explore(case, limits)
        if answer is not None and weaker(answer, verdict) and case.budget.left > 0:
            return Check(verdict, False, "there are more positions than were counted")
        whom = "the interpreter" if judge else "generated code"
        check = compared(verdict, answer, f"explored again by {whom}", exact=True)
        if check.passed is False and verdict.outcome == BOUNDED and case.budget.exhausted:
            return unchecked(verdict, f"not as far as it was explored: {case.budget.exhausted}")
        return check

    def _best(self, game: Game, claim: Claim, verdict: Verdict) -> Check:
        """The check of a best value, whose play was replayed: nothing within its bound can be reached."""
        plays = [e for e in verdict.evidence if e.kind == "play"]
        bounds = [e for e in verdict.evidence if "bound" in e.data]
        explored = next((e for e in verdict.evidence if e.kind == "exploration"), None)
        if explored is not None and not bounds:
            return self._explored(game, claim, verdict, explored)
        helpers = sum(e.kind == "helper" for e in verdict.evidence)
        if (
            not plays + bounds
            or len(plays) > 1
            or len(bounds) > 1
            or helpers + len(plays + bounds) != len(verdict.evidence)
        ):
            return Check(verdict, False, "a play and one bound show it, and nothing else")
        asked = asked_again(self.case(game, claim), verdict, self.store)
        scale, how, proofs = Scale.of(asked), "replayed by the interpreter", list[Proof]()
        if scale is None:
            return Check(verdict, False, "its number may be none")
        if bounds:
            try:
                shown, how = self._beyond(verdict, asked, bounds[0])
            except (Refused, Unfounded) as why:
                return Check(verdict, False, str(why))
            out_of_reach = f"that {bounds[0].data['bound']} is out of reach: {how}"
            if not shown:
                replayed = "its play was replayed; " if plays else ""
                return unchecked(verdict, f"{replayed}{out_of_reach}")
            how, proofs = out_of_reach, [Proof(bounds[0].kind, bounds[0].data)]
        proofs += helper_proofs(asked, helpers_of(verdict))
        play = self.play_of(plays[0]) if plays else None
        found = best(asked, scale, play, proofs, verdict.engine)
        if weaker(found, verdict):
            return Check(verdict, False, "its evidence shows less than it says")
        return compared(verdict, found, how, exact=True)

    def _beyond(self, verdict: Verdict, asked: Case, evidence: Evidence) -> tuple[bool, str]:
        """Whether nothing within the bound of evidence can be reached, and how that was shown; False where it
        was not found out. Raises Refused, Unfounded."""
        case = beyond(asked, evidence.data)
        if evidence.kind == linear_combination.KIND:
            problem = linear_combination.objection(asked, evidence.data)
            if problem:
                raise Refused(problem)
            return True, "the claims that it rests on were added up again"
        if evidence.kind == "exploration":
            many = sum(_counts(evidence) or ()) > state_space.EASY_POSITIONS
            answer = exploration.explore(case, Limits(self.seconds, MOST_POSITIONS, compiled=many))
            how = f"shown again, with {answer.engine}" if answer is not None else ""
        else:
            answer, how = self.by_formulas(verdict, case, evidence)
        if answer is None or answer.outcome not in (PROVED, REFUTED):
            return False, how
        if answer.outcome == REFUTED:
            raise Refused(f"{evidence.data['bound']} can be reached")
        if evidence.kind == "exploration" and not alike(answer, evidence):
            raise Refused("the positions are not those that were counted")
        return True, how

    def _added_up(self, game: Game, claim: Claim, verdict: Verdict) -> Check:
        """Add up the invariants again; each of them is a verdict of its own."""
        case = asked_again(self.case(game, claim), verdict, self.store)
        evidence = next(e for e in verdict.evidence if e.kind == linear_combination.KIND)
        problem = linear_combination.objection(case, evidence.data)
        if problem or "bound" in evidence.data:
            return Check(verdict, False, problem or "its claims contradict no goal")
        shown = Proof(linear_combination.KIND, evidence.data)
        answer = linear_combination.contradicting(case, [*helper_proofs(case, case.named), shown])
        return compared(verdict, answer, "the claims that it rests on were added up again")

    def _solved_again(self, game: Game, claim: Claim, verdict: Verdict) -> Check:
        case = asked_again(self.case(game, claim), verdict, self.store)
        evidence = by_engine(claim, verdict)
        if evidence is None:
            return Check(verdict, False, "its evidence shows nothing of such a claim")
        try:
            return compared(verdict, *self.by_formulas(verdict, case, evidence))
        except Refused as why:
            return Check(verdict, False, str(why))

    def by_formulas(self, verdict: Verdict, case: Case, evidence: Evidence) -> tuple[Answer | None, str]:
        """The answer of formulas for a case, by what the evidence says, and a text about its method.

        By the certificate if the evidence has one and no engine is asked for by name. Refused if it is not
        sound, or the second solver disagrees.
        """
        witness = None
        if self.second is not None or self.export is not None:
            witness = Witness(verdict, self.export, self.second, case.budget)
            case = replace(case, progress=witness.progress)
        if self.engine is None and "certificate" in evidence.data:
            answer, how = by_certificate(case, self.shelf, evidence, witness)
        else:
            oracle = witness.over(choose(self.engine, self.budget.memory)) if witness is not None else None
            answer = by_evidence(replace(case, oracle=oracle), evidence)
            helped = {*helpers_of(verdict)} <= case.settled.keys()
            if answer is None and helped and not case.budget.exhausted:
                raise Refused("what its evidence says was asked again, and is not so")
            how = f"solved again with {answer.engine}" if answer else ""
        if witness is not None and witness.words:
            how += f"; {witness.words}"
        return (answer, how) if witness is None or witness.agreed else (None, how)


def _may_show(case: Case, evidence: Evidence) -> bool:
    """True if evidence of such a kind can show such a claim.

    Strategies for players with different knowledge show nothing of an expectation that needs none.
    """
    if evidence.kind == "strategies" and not needs_strategies(case):
        return False
    return evidence.kind in case.prop.evidence


def _chance(evidence: Evidence) -> tuple[str, ...] | None:
    """The deal that evidence is about; None for every deal."""
    chance = evidence.data.get("chance")
    return None if chance is None else tuple(chance)


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
