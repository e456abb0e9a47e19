"""The value of best play: the bounds that strategies, or a search, prove, and their meaning for a claim."""

from __future__ import annotations

from dataclasses import replace

from rulespec.core.types import Optional, scalar_of
from rulespec.core.verdicts import BOUNDED, REFUTED, Evidence
from rulespec.core.verdicts.answer_form import WORTHS
from rulespec.core.winners import TOGETHER
from rulespec.kernels.transpositions import UNKNOWN
from rulespec.solver.certify import BadEvidence, CertificateStore
from rulespec.solver.explore.best_play import BestPlay, ValueBounds
from rulespec.solver.explore.spot_check import SpotCheck, Unlike
from rulespec.solver.explore.stages import MIXED
from rulespec.solver.explore.states import NoValue, Unsound
from rulespec.solver.pairs.winners import wins_are_shared

from .checks import Judgement
from .game_graph import named_worth
from .positions import as_claimed, in_stages, no_value, space_of
from .problem import Answer, Case, Proof, no_answer

KIND = "search"
"""The kind of evidence by search or by strategies checked against every reply."""

WORTH_OF = {name: worth for worth, name in WORTHS.items()}
"""The value of a play by the name of its result."""


def best_play(case: Case) -> BestPlay:
    """The question for the value that a claim is about. Raises NoValue if there is none."""
    if why := no_value(case) or (MIXED if in_stages(case) else ""):
        raise NoValue(why)
    if case.claim.condition is None and wins_are_shared(case.game, lambda: case.budget.exceeded_limit):
        raise NoValue(TOGETHER)
    case.progress("a search with memory")
    name = case.claim.id if case.claim.condition is not None else None
    return BestPlay(space_of(case), name, _range(case), _claimed_value(case) or 0, case.budget)


def _range(case: Case) -> tuple[int, int]:
    """Two numbers between which any value lies.

    A play without an end is a draw, but reaches no number: a bound at the greatest number would not prove
    that play can be forced to end, so the range extends one beyond both ends. Raises NoValue.
    """
    if case.claim.condition is None:
        return -1, 1
    of = scalar_of(case.claim.condition.type)
    if of is None or max(map(abs, (of.values[0], of.values[-1]))) >= UNKNOWN - 1:
        raise NoValue("the numbers are too large")
    none = [0] if isinstance(case.claim.condition.type, Optional) else []
    return min([of.values[0], *none]) - 1, max([of.values[-1], *none]) + 1


def _claimed_value(case: Case) -> int | None:
    """The claimed value; None if the claim names no value, or an impossible one."""
    claimed = str(case.claim.options.get("is"))
    if case.claim.condition is None:
        return WORTH_OF.get(claimed)
    return int(claimed) if claimed.removeprefix("-").isdecimal() else None


def answer(case: Case, found: ValueBounds) -> Answer:
    """The answer to the claim that bounds give."""
    (low, high), open_bounds = found.span, _range(case)
    numbers = bounds = {"at_least": low, "at_most": high}
    if all(a == b for a, b in found.bounds):
        outcome = as_claimed(case, named_worth(case, sorted({a for a, _ in found.bounds})))
        numbers = {"value": low} if low == high else bounds
    elif (low, high) == open_bounds:
        return no_answer(f"Nothing was decided. {found.how} ({found.stopped}).", engine=found.engine)
    else:
        claimed = _claimed_value(case)
        outside = claimed is not None and not low <= claimed <= high
        outcome = REFUTED if outside else BOUNDED
        numbers = {key: x for key, x in bounds.items() if x not in open_bounds}
    chance = {"chance": list(case.chance)} if case.chance is not None else {}
    stopped = found.stopped if outcome == BOUNDED else ""
    return Answer(outcome, (Proof(KIND, {**bounds, **chance}),), found.engine, numbers, stopped=stopped)


def answer_by_bounds(case: Case, evidence: Evidence, shelf: CertificateStore | None) -> Judgement:
    """The answer that bounds give once strategies from their certificate, or a search, prove each of them.

    Raises BadEvidence for bounds that are impossible or wrong.
    """
    low, high = evidence.data["at_least"], evidence.data["at_most"]
    try:
        question = best_play(case)
        if not question.within[0] <= low <= high <= question.within[1]:
            raise BadEvidence("its bounds are no values that the game can have")
        found, how = _find_bounds(question, evidence, shelf)
    except Unlike as difference:
        raise BadEvidence(f"generated code and the interpreter differ in {difference}") from None
    except Unsound as why:
        raise BadEvidence(f"a strategy of its certificate does not show it: {why}") from None
    except NoValue as why:
        return Judgement(None, str(why))
    least, most = found.span
    exact = all(a == b for a, b in found.bounds)
    if low <= least and most <= high:
        same = exact and (least, most) == (low, high)
        return Judgement(answer(case, found if same else replace(found, bounds=[(low, high)])), how)
    if exact or least > high or most < low:
        raise BadEvidence(f"checked again it lies between {least} and {most}")
    if "certificate" in evidence.data:
        raise BadEvidence("its certificate shows less than it says")
    return Judgement(None, how)


def _find_bounds(
    question: BestPlay, evidence: Evidence, shelf: CertificateStore | None
) -> tuple[ValueBounds, str]:
    """The bounds that a certificate proves, or else a search, and the method in words.

    Raises Unlike if code and interpreter differ.
    """
    if "certificate" not in evidence.data:
        spot_check = SpotCheck()
        found = question.bounds(spot_check)
        return found, ", ".join(filter(None, [f"searched again by {found.engine}", spot_check.words]))
    if shelf is None:
        raise BadEvidence("its certificate is missing")
    listed = shelf.strategies(evidence.data["certificate"]).listed
    strategies = [(s.side, s.bound, s.choices) for s in listed]
    found = question.held_against(strategies, SpotCheck(leaves_small=True))
    return found, found.how
