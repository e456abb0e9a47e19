"""The judge derives from a claim and evidence the one answer that they prove.

A stored verdict is compared with that answer (`checks.compare_answer`); nothing that a verdict says goes into
it. Every entry of the evidence is used, or derived anew and compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core.diagnostics import RulesetError
from rulespec.core.digest import of_claim
from rulespec.core.game import Claim, Game
from rulespec.core.types import Value
from rulespec.core.verdicts import (
    BOUNDED,
    PROVED,
    REFUTED,
    UNDECIDED,
    Evidence,
    Store,
    Verdict,
    parameters_of,
    readings_of,
    setting_text,
)
from rulespec.core.verdicts.evidence_data import wrong_entry
from rulespec.core.verdicts.properties import Form, Over, property_of
from rulespec.core.verdicts.wording import plies
from rulespec.play.chance import Chance, ChanceError
from rulespec.play.machine import Machine
from rulespec.play.plays import BadPlay, Play
from rulespec.solver.certify import BadEvidence, CertificateStore
from rulespec.solver.certify.exports import Witness
from rulespec.solver.certify.second_solver import SecondSolver
from rulespec.solver.engines import choose
from rulespec.solver.explore import state_space
from rulespec.solver.explore.sequence_form import NoGameValue
from rulespec.solver.explore.spot_check import SpotCheck, Unlike
from rulespec.solver.explore.stages import read_mixes
from rulespec.solver.explore.state_space import MOST_POSITIONS, Limits
from rulespec.solver.pairs.belief_states import told_apart
from rulespec.solver.pairs.winners import claim_of

from . import comparisons, covering, equilibrium, exploration, game_value, linear_combination, seats, sizes
from .certificate_checks import by_certificate
from .checks import Check, Judgement, compare_answer, line, shows
from .engine_rules import asked_again, by_engine, by_evidence, deals_of, helpers_in
from .optimum import Scale, best, beyond
from .positions import needs_strategies
from .problem import Answer, Case, Progress, Proof, helper_proofs, is_settled, no_answer, silent
from .replay import SHORTEST, by_play_alone, objection

ADDED_UP = "the claims that it rests on were added up again"

Redo = Callable[[Case, Mapping[str, Any]], Judgement]
"""Decides the deals of evidence again, each as a separate claim."""


@dataclass
class Judge:
    """Judges evidence on the claims of one ruleset, within limits."""

    store: Store
    """The plays that evidence refers to, and the verdicts on helping claims."""
    budget: Budget
    """The limits for the current claim."""
    redo: Redo
    noting: Callable[[Case, Answer], Answer] = lambda case, answer: answer
    """Adds notes to an answer about what it leaves open."""
    engine: str | None = None
    progress: Progress = silent
    chance: tuple[str, ...] | None = None
    """The deal of the evidence; None for every deal."""
    shelf: CertificateStore | None = None
    """The shelf with certificates."""
    second: SecondSolver | None = None
    """The solver that confirms each refutation."""
    export: Path | None = None
    """The folder for exported refutations."""
    opened: Callable[[Sequence[str]], Game] | None = None
    """Loads the game that leaves rulings open. Raises RulesetError."""
    judgements: dict[tuple[str, ...], Judgement] = field(default_factory=dict)
    """Those of evidence about games with open rulings, which verdicts under many readings share."""

    def check(self, game: Game, claim: Claim, verdict: Verdict) -> Check:
        """The check of a verdict on a claim of a game."""
        try:
            shown = self.answer(game, claim, verdict.evidence)
            return compare_answer(verdict, shown, lambda answer: self.noting(self.case(game, claim), answer))
        except BadEvidence as why:
            return Check(verdict, False, str(why))

    def answer(self, game: Game, claim: Claim, evidence: Sequence[Evidence]) -> Judgement:
        """The answer that evidence proves about a claim of a game. Raises BadEvidence for wrong evidence."""
        left_open = covering.rulings_left_open(evidence)
        if left_open:
            rest = [one for one in evidence if one.kind != covering.KIND]
            return self._under_each_reading(claim, left_open, rest)
        shown = _Hearing(self, game, claim, evidence).whole()
        answer = shown.answer and by_play_alone(game, claim, shown.answer)
        return replace(shown, answer=answer)

    def _under_each_reading(
        self, claim: Claim, left_open: Sequence[str], evidence: Sequence[Evidence]
    ) -> Judgement:
        """The answer under each reading of rulings, by evidence about the game that leaves them open."""
        if self.opened is None or self.chance is not None or not covering.may_cover(claim):
            raise BadEvidence("such a claim is not asked of all readings at once")
        try:
            game = self.opened(left_open)
        except RulesetError as error:
            raise BadEvidence(f"not all can be left open: {error.diagnostics[0].message}") from None
        asked = game.claims[claim.id]
        key = game.digest, of_claim(asked), *(f"{e.kind} {line(e.data)}" for e in evidence)
        shown = self.judgements.get(key) or self.answer(game, asked, evidence)
        if shown.answer is None:
            return shown
        self.judgements[key] = shown
        answer = covering.under_each(claim, left_open, shown.answer)
        if answer is None:
            raise BadEvidence("what it shows of all readings at once says nothing of a single one")
        return replace(shown, answer=answer, how=f"for all readings of {', '.join(left_open)}: {shown.how}")

    def case(self, game: Game, claim: Claim) -> Case:
        """The case of a claim with the judge's own limits."""
        budget = self.budget.part(1.0)
        return Case(game, claim, budget, self.chance, engine=self.engine, progress=self.progress)


@dataclass
class _Hearing:
    """The evidence on one claim before the judge. Raises BadEvidence for wrong or impossible evidence."""

    judge: Judge
    game: Game
    claim: Claim
    listed: Sequence[Evidence]

    def whole(self) -> Judgement:
        """The answer, joined from those for each player or deal if the claim is about these."""
        over = property_of(self.claim).over
        self._fits()
        if over is Over.SEATS:
            return self._seats()
        if over is Over.DEALS:
            if len(self.listed) != 1:
                raise BadEvidence("the answers for deals are one piece of evidence")
            return self.judge.redo(self._case, self.listed[0].data)
        return self.one()

    def one(self) -> Judgement:
        """The answer to a claim about a game: plays are replayed first, then other evidence is judged."""
        asked = property_of(self.claim)
        case = asked_again(self._case, self.listed, self.judge.store)
        left = [f"`{name}`" for name in helpers_in(self.listed) if name not in case.lemmas]
        if left:
            return Judgement(None, f"it rests on {' and '.join(left)}, which is not known to hold")
        plays = self._plays
        if plays and asked.over is Over.LOOKALIKES:
            return self._lookalike(plays)
        if plays and asked.by_play:
            return self._judge_plays(plays[0])
        if asked.form is Form.OPTIMUM:
            return self._best(plays)
        for kind, make in MAKERS.items():
            for evidence in self._of(kind):
                return make(self, evidence)
        by = by_engine(self.claim, self.listed)
        if by is None:
            why = "its evidence shows nothing of such a claim" if self.listed else "it has no evidence"
            raise BadEvidence(why)
        return self._by_formulas(case, by)

    # ---- the evidence as a whole

    @property
    def _case(self) -> Case:
        return self.judge.case(self.game, self.claim)

    def _of(self, kind: str) -> list[Evidence]:
        return [evidence for evidence in self.listed if evidence.kind == kind]

    def _fits(self) -> None:
        """Test that the kinds of evidence fit the claim and are about the right deal. Raises BadEvidence."""
        may = property_of(self.claim).evidence
        if not needs_strategies(self._case):  # which show nothing of an expectation that needs none
            may -= {"strategies"}
        for odd in {evidence.kind for evidence in self.listed} - may:
            raise BadEvidence(f"evidence of the kind `{odd}` shows nothing of such a claim")
        for evidence in self.listed:
            if (wrong := wrong_entry(evidence.kind, evidence.data)) is not None:
                raise BadEvidence(f"its entry `{wrong}` is missing, unknown or of the wrong kind")
        deal = self.judge.chance
        if deal is None and deals_of(self.listed):
            raise BadEvidence("its evidence is about one deal, not about all")
        if any(other != deal for other in deals_of(self.listed)):
            raise BadEvidence("its evidence is about another deal")
        if deal is not None and not _can_be_dealt(self.game, deal):
            raise BadEvidence("its deal cannot be")

    def _seats(self) -> Judgement:
        """The answer for each player by the evidence on that player; open if there is none."""
        answers, how, is_shown = dict[Value, Answer](), list[str](), True
        for seat, evidence in seats.split_by_seat(self.game, self.listed).items():
            claim = claim_of(self.game, self.claim, seat)
            shown = replace(self, claim=claim, listed=evidence).one() if evidence else Judgement(None, "open")
            answers[seat] = shown.answer or no_answer("")
            is_shown &= not evidence or answers[seat].outcome != UNDECIDED
            how.append(f"player {seat}: {shown.how}")
        return Judgement(seats.join_seats(answers) if is_shown else None, "; ".join(how))

    # ---- plays

    @cached_property
    def _plays(self) -> list[Play]:
        """The plays of the evidence, each replayed and checked."""
        return [self._replay(evidence) for evidence in self._of("play")]

    def _with_its_play(self, answer: Answer) -> Answer:
        """The answer of a search, with the play in the evidence, which may have other plies.

        Raises BadEvidence if the play does not prove what the search found.
        """
        own = [proof for proof in answer.proofs if proof.kind == "play"]
        if len(self._plays) != 1 or len(own) != 1:
            return answer
        play = self._plays[0]
        problem = objection(self.game, self.claim, play, own[0].data, answer.numbers)
        if problem:
            raise BadEvidence(f"its play does not show what a search finds: {problem}")
        proofs = (replace(p, play=play) if p is own[0] else p for p in answer.proofs)
        return replace(answer, proofs=tuple(proofs))

    def _replay(self, evidence: Evidence) -> Play:
        """The play that evidence names, replayed and checked. Raises BadEvidence."""
        try:
            play = Play.from_data(self.judge.store.records[evidence.data["record"]])
        except (BadPlay, KeyError):
            raise BadEvidence("its play is missing or damaged") from None
        deal = self.judge.chance or ()
        if play.chance[: len(deal)] != deal:
            raise BadEvidence("its play is of another deal")
        problem = objection(self.game, self.claim, play, evidence.data)
        if problem:
            raise BadEvidence(f"its play does not show it: {problem}")
        return play

    def _judge_plays(self, play: Play) -> Judgement:
        """The answer to a claim that one play settles. Raises BadEvidence."""
        evidence, *more = self.listed
        if more:
            raise BadEvidence("it rests on one play, and yet it has other evidence")
        if evidence.data.get(SHORTEST, True) is not True:
            raise BadEvidence("its play is said to be more than a play")
        outcome = property_of(self.claim).by_play
        assert outcome is not None
        given = Answer(outcome, (Proof("play", evidence.data, play),))
        answer, how = by_play_alone(self.game, self.claim, given), "replayed by the interpreter"
        if SHORTEST not in evidence.data:
            return Judgement(answer, how)
        found, explored = self._explored_from_nothing()
        if found is None or found.outcome != outcome:
            return Judgement(None, "its play was replayed; that none is shorter was not found out")
        if found.numbers["plies"] != len(play.plays):
            raise BadEvidence(f"a play of {plies(found.numbers['plies'])} is shorter")
        return Judgement(answer, f"{how}; none is shorter: {explored}")

    def _lookalike(self, plays: list[Play]) -> Judgement:
        """The answer that two plays give which a player must tell apart and cannot. Raises BadEvidence."""
        viewers = [e.data.get("viewer") for e in self.listed]
        if len(plays) != len(self.listed) or any(viewer != viewers[0] for viewer in viewers):
            raise BadEvidence("two plays and nothing else show that something cannot be told")
        problem = told_apart(self.game, plays, viewers[0])
        if problem:
            raise BadEvidence(problem)
        answer = comparisons.unknown_by(self._case, plays, viewers[0])
        return Judgement(answer, "both plays replayed by the interpreter; they look the same")

    # ---- positions

    def _explored_from_nothing(self) -> tuple[Answer | None, str]:
        """The answer by exploration, and the method; a long one only if a brief one does not suffice."""
        case, seconds = self._case, self.judge.budget.seconds_left
        brief = Limits(min(state_space.EASY_SECONDS, seconds), state_space.EASY_POSITIONS)
        answer, how = self._by_positions(case, brief)
        if is_settled(answer):
            return answer, how
        return self._by_positions(case, Limits(self.judge.budget.seconds_left, MOST_POSITIONS))

    def _by_positions(
        self, case: Case, limits: Limits, explore: Explore = exploration.explore
    ) -> tuple[Answer | None, str]:
        """The answer to a case by exploration, and how it was found, in words.

        The interpreter visits all positions if that takes about a second, otherwise a share of those that
        generated code explores. Raises BadEvidence if the two differ.
        """
        spot_check = SpotCheck(leaves_small=True)
        with _believing_the_interpreter():
            answer = explore(case, replace(limits, spot_check=spot_check))
        if spot_check.is_small:
            whole = replace(limits, judge=True, seconds=self.judge.budget.seconds_left)
            return explore(case, whole), "by the interpreter"
        how = f"by generated code, {spot_check.words}" if spot_check.words else "by the interpreter"
        return answer, how

    def _judge_exploration(self, evidence: Evidence) -> Judgement:
        """The answer of an exploration as far as the evidence claims: all positions, or a depth."""
        counts, mixes = evidence.data["counts"], [read_mixes(e.data["stages"]) for e in self._of("stages")]
        case = replace(self._case, mixes=next(iter(mixes), None))
        depth = None if evidence.data["closed"] else len(counts) - 1
        # Evidence counts the beliefs of players, while the limit is on the positions in them.
        most = sum(counts) + 1 if case.prop.over is not Over.LOOKALIKES else comparisons.MOST_BELIEVED
        limits = Limits(self.judge.budget.seconds_left, most, depth)
        answer, how = self._by_positions(case, limits, _explorer(evidence))
        if answer is not None and _reaches(answer, evidence):
            return Judgement(self._with_its_play(answer), f"explored again {how}")
        if case.mixes is not None and answer is not None and case.budget.seconds_left > 0:
            raise BadEvidence(" ".join(answer.remarks))
        if (
            case.budget.seconds_left > 0 and case.prop.over is not Over.BOTH_GAMES
        ):  # which has a share of the time
            raise BadEvidence("there are more positions than were counted")
        return Judgement(None, f"not as far as it was explored: {case.budget.exceeded_limit}")

    def _judge_sample(self, evidence: Evidence) -> Judgement:
        return Judgement(self._explored_from_nothing()[0], "sampled again")

    # ---- best play

    def _by_strategies(self, evidence: Evidence) -> Judgement:
        """The judgement of stored strategies for two players. Raises BadEvidence."""
        try:
            left = self.judge.budget.seconds_left
            answer = equilibrium.answer_by_stored_strategies(self._case, left, evidence.data)
        except OutOfBudget as out:
            return Judgement(None, str(out))
        except NoGameValue as why:
            raise BadEvidence(str(why)) from None
        return Judgement(answer, "neither player can do better against its strategies")

    def _by_worth(self, evidence: Evidence) -> Judgement:
        return game_value.answer_by_bounds(self._case, evidence, self.judge.shelf)

    # ---- the best of a number

    def _best(self, plays: list[Play]) -> Judgement:
        """The answer about a best value: its play reaches it, and nothing better in its bound can be."""
        bounds = [e for e in self.listed if "bound" in e.data]
        explored = self._of("exploration")
        if explored and not bounds:
            return self._judge_exploration(explored[0])
        if not plays and not bounds:
            raise BadEvidence("a play or a bound shows it, and nothing else")
        asked = asked_again(self._case, self.listed, self.judge.store)
        scale, how, proofs = Scale.of(asked), "replayed by the interpreter", list[Proof]()
        if scale is None or asked.is_summed:
            raise BadEvidence("nothing that it rests on speaks of such a number")
        if bounds:
            is_shown, how = self._beyond(asked, bounds[0])
            how = f"that {bounds[0].data['bound']} is out of reach: {how}"
            if not is_shown:
                return Judgement(None, f"{'its play was replayed; ' if plays else ''}{how}")
            proofs.append(Proof(bounds[0].kind, bounds[0].data))
        proofs += helper_proofs(asked, helpers_in(self.listed))
        return Judgement(best(asked, scale, plays[0] if plays else None, proofs, ""), how)

    def _beyond(self, asked: Case, evidence: Evidence) -> tuple[bool, str]:
        """True if nothing within the bound of evidence can be reached, and the method; False if open."""
        case = beyond(asked, evidence.data)
        if evidence.kind == linear_combination.KIND:
            problem = linear_combination.objection(asked, evidence.data)
            if problem:
                raise BadEvidence(problem)
            return True, ADDED_UP
        bare = replace(evidence, data={key: x for key, x in evidence.data.items() if key != "bound"})
        if evidence.kind == "exploration":
            limits = Limits(self.judge.budget.seconds_left, MOST_POSITIONS)
            answer, how = self._by_positions(case, limits, _explorer(evidence))
            how = f"explored again {how}"
        else:
            answer, how = (shown := self._by_formulas(case, evidence)).answer, shown.how
        if answer is None or answer.outcome not in (PROVED, REFUTED):
            return False, how
        if answer.outcome == REFUTED:
            raise BadEvidence(f"{evidence.data['bound']} can be reached")
        if not shows(answer, bare):
            raise BadEvidence("what shows that is not what was found again")
        return True, how

    # ---- other claims, and formulas

    def _added_up(self, evidence: Evidence) -> Judgement:
        """The answer that a sum of invariants gives, computed again; each invariant has its own verdict."""
        case = asked_again(self._case, self.listed, self.judge.store)
        problem = linear_combination.objection(case, evidence.data)
        if problem or "bound" in evidence.data:
            raise BadEvidence(problem or "its claims contradict no goal")
        proof = Proof(linear_combination.KIND, evidence.data)
        proofs = [*helper_proofs(case, case.helper_names), proof]
        return Judgement(linear_combination.contradicting(case, proofs), ADDED_UP)

    def _by_formulas(self, case: Case, evidence: Evidence) -> Judgement:
        """The answer of formulas for a case, according to the evidence.

        If the evidence has a certificate and no engine is named, the answer comes from the certificate;
        raises BadEvidence if that is unsound.
        """
        judge, witness = self.judge, None
        if judge.second is not None or judge.export is not None:
            setting = setting_text(self.game.players, parameters_of(self.game), readings_of(self.game))
            subject = self.game.id, self.claim.id, setting
            witness = Witness(subject, judge.export, judge.second, case.budget)
            case = replace(case, progress=witness.progress)
        if judge.engine is None and "certificate" in evidence.data:
            answer, how = by_certificate(case, judge.shelf, evidence, witness)
        else:
            engine = choose(judge.engine, judge.budget.memory, refutes=True)
            answer = by_evidence(replace(case, oracle=witness.over(engine) if witness else engine), evidence)
            if answer is None and not case.budget.exceeded_limit:
                raise BadEvidence("what its evidence says was asked again, and is not so")
            how = f"solved again with {answer.engine}" if answer else ""
        if witness is not None and witness.words:
            how += f"; {witness.words}"
        agreed = witness is None or witness.is_confirmed
        if answer is None or not agreed or not _reaches(answer, evidence):
            return Judgement(None, how)
        # More claims may be granted than are needed; those granted are what the answer rests on.
        granted = helper_proofs(case, helpers_in(self.listed))
        own = (proof for proof in answer.proofs if proof.kind != "helper")
        return Judgement(replace(answer, proofs=(*own, *granted)), how)


Explore = Callable[[Case, Limits], Answer | None]


def _explorer(evidence: Evidence) -> Explore:
    """The exploration that evidence is about."""
    return sizes.answer_by_sizes if sizes.SIZES in evidence.data else exploration.explore


def _reaches(answer: Answer | None, evidence: Evidence) -> bool:
    """True if an answer proves something and, if bounded, at least the depth of bounded evidence."""
    if answer is None or answer.outcome == UNDECIDED:
        return False
    if answer.outcome == BOUNDED and evidence.data.get("closed") is True:
        return False
    own = next((proof.data for proof in answer.proofs if proof.kind == evidence.kind), {})
    return answer.outcome != BOUNDED or _depth(own) >= _depth(evidence.data)


def _depth(data: Mapping[str, Any]) -> int:
    """The depth in plies of evidence; -1 if it has none."""
    return int(data["plies"]) if "plies" in data else len(data.get("counts", ())) - 1


MAKERS: Mapping[str, Callable[[_Hearing, Evidence], Judgement]] = {
    linear_combination.KIND: _Hearing._added_up,
    "sample": _Hearing._judge_sample,
    "strategies": _Hearing._by_strategies,
    game_value.KIND: _Hearing._by_worth,
    "exploration": _Hearing._judge_exploration,
}
"""The functions that derive answers from kinds of evidence that need no play, bound or engine."""


@contextmanager
def _believing_the_interpreter() -> Iterator[None]:
    """Raise BadEvidence if generated code and the interpreter differ in the block."""
    try:
        yield
    except Unlike as difference:
        raise BadEvidence(f"generated code and the interpreter differ in {difference}") from None


def _can_be_dealt(game: Game, deal: tuple[str, ...]) -> bool:
    """True if the setup can produce these outcomes of chance."""
    try:
        Machine(game).start(Chance(None, deal))
    except ChanceError:
        return False
    return True
