"""The value of best play: the bounds that strategies, or a search, show, and their meaning for a claim."""

from __future__ import annotations

from dataclasses import replace

from rulespec.code import TooLarge
from rulespec.core import nodes as n
from rulespec.core.answer_form import WORTHS
from rulespec.core.types import BOOL, Optional, integers, scalar_of
from rulespec.core.verdicts import BOUNDED, REFUTED, Evidence, Verdict
from rulespec.core.winning import TOGETHER, Winners, is_winnerless, possible_winners
from rulespec.kernels.transpositions import UNKNOWN
from solver.certify import CertificateStore, Refused
from solver.explore.best_play import BestPlay, ValueBounds
from solver.explore.monte_carlo import NoSample, sample
from solver.explore.spot_check import SpotCheck, Unlike
from solver.explore.states import NoValue, Unsound
from solver.pairs.winners import would_win

from .checks import Check, compared, unchecked
from .game_graph import named_worth
from .positions import as_claimed, no_value, space_of
from .problem import Answer, Case, Proof, undecided

KIND = "search"
"""The kind of evidence by search or by strategies that are held against every reply."""

PLAYS = 1_000
"""The random plays that are looked at for wins that players share."""
WORTH_OF = {name: worth for worth, name in WORTHS.items()}
"""The value of a play by the name of its result."""


def best_play(case: Case) -> BestPlay:
    """The question for the value that a claim is about. Raises NoValue where that is none."""
    if why := no_value(case):
        raise NoValue(why)
    if case.claim.condition is None and _wins_are_shared(case):
        raise NoValue(TOGETHER)
    case.progress("a search with memory")
    name = case.claim.id if case.claim.condition is not None else None
    return BestPlay(space_of(case), name, _range(case), _claimed(case) or 0, case.budget)


def _wins_are_shared(case: Case) -> bool:
    """True if several players win together in one random play, and nobody wins in another.

    A search sees too few positions to tell. It ends at a shared win, but best play may avoid those.
    """
    game = case.game
    if game.players == 1 or Winners.OPEN not in possible_winners(game) or not is_winnerless(game):
        return False
    one, other = (would_win(game, player) for player in game.player.values)
    number = integers(0, PLAYS + 1)
    alone = n.If(number, n.Or(BOOL, (one, other)), n.Const(number, 0), n.Const(number, 1))
    asked = n.If(number, n.And(BOOL, (one, other)), n.Const(number, PLAYS + 1), alone)
    try:
        total = sample(game, asked, PLAYS, 1, lambda: case.budget.exhausted).total
    except (NoSample, TooLarge):
        return False
    return total > PLAYS and total % (PLAYS + 1) > 0


def _range(case: Case) -> tuple[int, int]:
    """Numbers between which any value lies.

    A play without an end is drawn, but comes to no number: that a number is the greatest there is does not
    show that somebody can have play end, so the numbers beyond the least and the greatest are asked for, too.
    """
    if case.claim.condition is None:
        return -1, 1
    of = scalar_of(case.claim.condition.type)
    if of is None or max(map(abs, (of.values[0], of.values[-1]))) >= UNKNOWN - 1:
        raise NoValue("the numbers are too large")
    none = [0] if isinstance(case.claim.condition.type, Optional) else []
    return min([of.values[0], *none]) - 1, max([of.values[-1], *none]) + 1


def _claimed(case: Case) -> int | None:
    """The claimed value; None if the claim names none, or names none that there may be."""
    claimed = str(case.claim.options.get("is"))
    if case.claim.condition is None:
        return WORTH_OF.get(claimed)
    return int(claimed) if claimed.removeprefix("-").isdecimal() else None


def answer(case: Case, shown: ValueBounds) -> Answer:
    """The meaning of bounds for the claim."""
    (low, high), open_bounds = shown.span, _range(case)
    numbers = bounds = {"at_least": low, "at_most": high}
    if all(a == b for a, b in shown.bounds):
        outcome = as_claimed(case, named_worth(case, sorted({a for a, _ in shown.bounds})))
        numbers = {"value": low} if low == high else bounds
    elif (low, high) == open_bounds:
        return undecided(f"Nothing was decided. {shown.how} ({shown.stopped}).", engine=shown.engine)
    else:
        claimed = _claimed(case)
        outside = claimed is not None and not low <= claimed <= high
        outcome = REFUTED if outside else BOUNDED
        numbers = {key: x for key, x in bounds.items() if x not in open_bounds}
    chance = {"chance": list(case.chance)} if case.chance is not None else {}
    stopped = shown.stopped if outcome == BOUNDED else ""
    return Answer(outcome, (Proof(KIND, {**bounds, **chance}),), shown.engine, numbers, stopped=stopped)


def checked(case: Case, verdict: Verdict, evidence: Evidence, shelf: CertificateStore | None) -> Check:
    """The check of the result of best play, by the strategies of its certificate or by a search."""
    low, high = (evidence.data.get(key) for key in ("at_least", "at_most"))
    if not isinstance(low, int) or not isinstance(high, int):
        return Check(verdict, False, "its bounds are damaged")
    spot_check = SpotCheck()
    try:
        if "certificate" in evidence.data:
            if shelf is None:
                raise Refused("its certificate is missing")
            listed = shelf.strategies(evidence.data["certificate"]).listed
            found = best_play(case).held_against([(s.side, s.bound, s.choices) for s in listed], spot_check)
            how = found.how
            if found.span[0] < low or found.span[1] > high:
                raise Refused("its certificate shows less than it says")
        else:
            found = best_play(case).bounds(spot_check)
            how = f"searched again by {found.engine}"
        how = ", ".join(filter(None, [how, spot_check.words]))
    except Refused as why:
        return Check(verdict, False, str(why))
    except Unlike as difference:
        return Check(verdict, False, f"generated code and the interpreter differ in {difference}")
    except Unsound as why:
        return Check(verdict, False, f"a strategy of its certificate does not show it: {why}")
    except NoValue as why:
        return unchecked(verdict, str(why))
    if verdict.outcome == BOUNDED:
        (least, most), found = found.span, replace(found, bounds=[(low, high)])
        if least > high or most < low:
            return Check(verdict, False, f"checked again it lies between {least} and {most}")
        if least < low or most > high:
            return unchecked(verdict, how)
    return compared(verdict, answer(case, found), how, exact=True)
