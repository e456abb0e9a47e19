"""The sentences that people read about verdicts, derived from their data and the words of the claim.

No sentence about a verdict is stored: it is derived here whenever it is shown, from the claim in its author's
words, the kind and the options of the claim, the outcome, the numbers and the data of the evidence. So a
sentence says what these say, by whatever method they were found. Every verdict has one, since a verdict has
the form of an answer (`answer_form`), and none says more than the verdict.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from ..intervals import Estimate, mean, share
from ..numbers import number_of
from .answer_form import FRACTION, HELD, OPEN, WORTHS
from .properties import PROPERTIES
from .verdict_data import BOUNDED, CONDITIONAL, ESTIMATED, PROVED, REFUTED, UNCHECKED, UNDECIDED, VerdictData

if TYPE_CHECKING:
    from ..game import Claim

BEYOND = "Beyond that it is open."
"""The end of each statement that holds up to some depth only."""
FAMILIAR = 100
"""A fraction with a smaller denominator is written without a decimal number beside it."""
MOST_DIGITS = 40
"""A fraction of more digits is written as a decimal number; the evidence holds the exact one."""
MOST_OFF = 40
"""An interval is rounded by at most its width divided by this number."""
DECIDED = ("proved", "refuted", "bounded", "estimated")
"""The outcomes that say something."""

NOTES = {
    "over-at-once": "The game is over before anybody acts, so the claim says nothing of any game.",
    "premise-never-met": "The claim says nothing: what it presupposes never comes up in any game.",
    "holds-of-any-rules": "The claim is true in any position, even in those that no game reaches.",
    "moves-nothing": "The claim says nothing: under these settings it exchanges nothing.",
    "sights-not-compared": "What the players see was not compared, because it is divided differently.",
}
"""The warnings that a verdict may carry, by their keys."""

HOLES: Mapping[str, str] = {kind: stated.number for kind, stated in PROPERTIES.items() if stated.number}
"""The number for which an author's wording of the answer has a place, by the kind of claim."""


def plies(number: int) -> str:
    """A number of plies in words."""
    return "1 ply" if number == 1 else f"{number} plies"


def actions(number: int) -> str:
    """A number of actions in words."""
    return "1 action" if number == 1 else f"{number} actions"


def sentence(verdict: VerdictData, claim: Claim) -> str:
    """A claim in its author's words, with the statement of a verdict."""
    return " ".join(part for part in parts(verdict, claim) if part)


def parts(verdict: VerdictData, claim: Claim) -> tuple[str, str]:
    """The words of a claim, and the statement of a verdict.

    The author's wording of the answer replaces the claim's words once its number is known.
    """
    value = _value_of(verdict)
    if not claim.answer or not value:
        return claim.prose, statement(verdict)
    worded = claim.answer.replace("{" + HOLES[verdict.kind] + "}", value)
    return "", f"{worded} {_support(verdict)}".rstrip()


def _value_of(v: VerdictData) -> str:
    """The number in an author's wording of the answer; empty unless the answer is complete."""
    if v.outcome not in (PROVED, ESTIMATED) or v.notes or v.kind not in HOLES:
        return ""
    if v.kind == "estimate":
        return _sample_text(v)
    if v.kind == "expected":
        return fraction_text(fraction_of(next(e.data["is"] for e in v.evidence if "is" in e.data)))
    number = v.numbers.get(HOLES[v.kind])
    return "" if number is None else f"{number:,}"


def _support(v: VerdictData) -> str:
    """The sentence on the method that gave the number in an author's wording."""
    if v.kind == "estimate":
        data = next(e.data for e in v.evidence if e.kind == "sample")
        return f"Found in {number_of(data['games'], 'random game')}."
    return {"count": COUNTED, "expected": EXACT, "reachable": ""}.get(v.kind, _shown_for_all(v))


SHOWN, COUNTED, EXACT = "Shown for every possible game", "All were counted.", "Worked out exactly."


def _shown_for_all(v: VerdictData) -> str:
    """The sentence for a result about all games."""
    deal = "Shown for every game from the given deal" if _is_from_deal(v) else SHOWN
    seen = f" ({number_of(v.numbers['states'], 'position')})" if "states" in v.numbers else ""
    return f"{deal}{seen}."


def _so_far(v: VerdictData) -> str:
    """The sentence for a result up to a depth."""
    return f"Shown for {_first_actions(v.numbers['plies'])}. {BEYOND}"


def _first_actions(number: int) -> str:
    """The beginning of every game up to a depth, in words."""
    first = f"the first {actions(number)} of every game" if number > 1 else "the first action of every game"
    return first if number else "the start of the game only"


def statement(verdict: VerdictData) -> str:
    """The sentence of a verdict, to follow the words of the claim; empty for an outcome that is not shown."""
    if verdict.outcome == UNDECIDED:
        return " ".join(["Not settled.", *verdict.remarks[:1]])
    if verdict.outcome == CONDITIONAL:
        return _conditional(verdict)
    if verdict.outcome == UNCHECKED:
        return next(iter(verdict.remarks), "")
    return STATEMENTS[verdict.kind](verdict) if verdict.outcome in DECIDED else ""


def notes(verdict: VerdictData) -> list[str]:
    """The warnings of a verdict, and the remarks on how it was found."""
    begins = verdict.outcome in (UNDECIDED, UNCHECKED)  # with the statement
    remarks = verdict.remarks[1:] if begins else verdict.remarks
    return [*(NOTES[key] for key in verdict.notes), *_alone(verdict), *_believed(verdict), *remarks]


def _conditional(verdict: VerdictData) -> str:
    """The sentence for a claim whose outcome depends on other claims that were not checked."""
    data = [e.data for e in verdict.evidence if e.kind == "helper"]
    names = " and ".join(f"`{one.get('claim')}`" for one in data)
    outcome = next((one.get("outcome") for one in data), "decided")
    hold, was = ("holds", "was") if len(data) == 1 else ("hold", "were")
    return f"This is {outcome} if {names} {hold}, which {was} not checked here."


def unchecked_reading(verdict: VerdictData) -> str:
    """The unchecked reading of the rules that a verdict rests on, in words; empty if there is none."""
    found = [e.data for e in verdict.evidence if e.kind == "induction"]
    kinds = {row[0] for data in found for row in data.get("invariants", ())}
    flows = "conserved" in kinds or any(data.get("by") == "flows" for data in found)
    return "this rests on an analysis of the rules that is believed and not checked" if flows else ""


def _believed(verdict: VerdictData) -> list[str]:
    words = unchecked_reading(verdict)
    return [f"{words[:1].upper()}{words[1:]}."] if words else []


def _alone(verdict: VerdictData) -> list[str]:
    names: list[str] = next((e.data["alone"] for e in verdict.evidence if "alone" in e.data), [])
    listed = " and ".join(f"`{name}`" for name in names)
    return [f"Only one of them has {listed}, which was not compared."] if names else []


# ---- what always holds, or never


def _always(bad: str = "a game of {} shows it") -> Callable[[VerdictData], str]:
    """A function for the statement that something always holds: proved, up to a depth, or refuted by a play.

    `bad` has a place for the length of the play, and perhaps one for what differs.
    """

    def told(v: VerdictData) -> str:
        if v.outcome == PROVED:
            return _shown_for_all(v)
        if v.outcome == BOUNDED:
            return _so_far(v)
        differs = _differs(v) if "{differs}" in bad else ""
        return f"This is not so: {bad.format(actions(v.numbers['plies']), differs=differs)}."

    return told


def _differs(v: VerdictData) -> str:
    """The difference between two plays, or a position and its image, named in the evidence."""
    return next(str(e.data["differs"]) for e in v.evidence if "differs" in e.data)


def _is_from_deal(v: VerdictData) -> bool:
    return any(e.data.get("chance") for e in v.evidence)


def _from_deal(v: VerdictData) -> str:
    return " from the given deal" if _is_from_deal(v) else ""


def _reachable(v: VerdictData) -> str:
    if v.outcome == BOUNDED:
        return f"No game of at most {actions(v.numbers['plies'])}{_from_deal(v)} shows it. {BEYOND}"
    if v.outcome == REFUTED:
        return f"This is not so in any game{_from_deal(v)}."
    shortest = "; none is shorter" if any(e.data.get("shortest") is True for e in v.evidence) else ""
    return f"A game of {actions(v.numbers['plies'])} shows it{shortest}."


def _terminates(v: VerdictData) -> str:
    """The statement on `terminates`, or on its opposite `endless`."""
    if (v.outcome == PROVED) is (v.kind == "terminates"):
        length = f"{actions(v.numbers['plies'])} at most"
        if v.outcome == PROVED:
            return f"It takes {length}{_from_deal(v)}."
        return f"This is not so: every game{_from_deal(v)} is over after {length}."
    again = "a game can come back to the same position again and again"
    return f"{again[0].upper()}{again[1:]}." if v.outcome == PROVED else f"This is not so: {again}."


def _never_hopeless(v: VerdictData) -> str:
    if "plies" in v.numbers:
        plies = v.numbers["plies"]
        where = f"after {actions(plies)} it can be" if plies else "at the start it is"
        return f"This is not so: {where} out of reach."
    away = f"{actions(v.numbers['value'])} away"
    return f"This is not so: some position is {away}." if v.outcome == REFUTED else f"It is at most {away}."


def _winnable(v: VerdictData) -> str:
    shown = {e.data["seat"]: e.data for e in v.evidence}
    if v.outcome == PROVED:
        *others, last = (shown[seat]["numbers"]["plies"] for seat in range(1, v.players + 1))
        if {*others} <= {last}:
            return f"{'For each player a' if others else 'A'} game of {actions(last)} shows it."
        return f"For each player a game shows it, of {', '.join(map(str, others))} and {actions(last)}."
    seats = " ".join(_seat(seat, shown.get(seat), v.players == 1) for seat in range(1, v.players + 1))
    return f"This is not so. {seats}" if v.outcome == REFUTED else seats


def _seat(seat: int, data: Mapping[str, Any] | None, alone: bool) -> str:
    """The sentence for a player from the evidence on that player; None if there is none."""
    who = "The player" if alone else f"Player {seat}"
    if data is None:
        return f"It is open whether player {seat} can win."
    if data["outcome"] == REFUTED:
        return f"{who} can never win."
    length = actions(data["numbers"]["plies"])
    if data["outcome"] == PROVED:
        return f"{who} can win: a game of {length} shows it."
    return f"{who} wins no game of at most {length}. {BEYOND}"


def _knowable(v: VerdictData) -> str:
    if v.outcome == REFUTED:
        viewer = next(e.data["viewer"] for e in v.evidence if "viewer" in e.data)
        who = f"after {actions(v.numbers['plies'])} player {viewer} cannot tell"
        return f"This is not so: {who}, for two games look the same to that player; {_differs(v)}."
    if v.outcome == BOUNDED:
        return _so_far(v)
    if v.players == 1:
        told = "the player can tell which actions are legal, whether the game is over and whether it is won"
        return f"{SHOWN}: {told}."
    told = "all players can tell which actions are legal on their turn, whose turn it is, whether the game is"
    return f"{SHOWN}: {told} over and, in the end, who has won."


def _equivalent(v: VerdictData) -> str:
    other = v.options.get("other", "the other game")
    if v.outcome == REFUTED:
        return f"Not the same as {other}: after {actions(v.numbers['plies'])} {_differs(v)}."
    if v.outcome == BOUNDED:
        return f"The same as {other} for {_first_actions(v.numbers['plies'])}. {BEYOND}"
    same = "in every game both allow the same actions and come to the same results"
    return f"The same as {other}: {same}."


# ---- numbers


def _best(v: VerdictData) -> str:
    most, n = v.options.get("sense") == "most", v.numbers
    word, deal = "most" if most else "least", _from_deal(v)
    if v.outcome == REFUTED:
        return f"No game{deal} reaches such a position."
    if "value" in n:
        return f"The {word} is {n['value']:,}. {_shown_for_all(v)}"
    reached, limit = ("at_least", "at_most") if most else ("at_most", "at_least")
    said = [f"{n[reached]:,} can be reached{deal}"] if reached in n else []
    if limit in n:
        beyond = f"{'more' if most else 'less'} than {n[limit]:,} cannot be reached"
        said.append(beyond if said else beyond + deal)
    if not said:
        length = actions(n["plies"])
        return f"No game of at most {length}{deal} reaches such a position. {BEYOND}"
    left = "Values in between are open" if len(said) > 1 else "The rest is open"
    if limit not in n:
        left = f"Whether {'more' if most else 'less'} is possible is open"
    told = ", and ".join(said)
    return f"{told[0].upper()}{told[1:]}. {left}."


def _count(v: VerdictData) -> str:
    value = v.numbers["value"]
    there = {0: "There are none", 1: "There is 1"}.get(value, f"There are {value:,}")
    return f"{there}{_from_deal(v)}. {COUNTED}{_not_so(v)}"


def _value(v: VerdictData) -> str:
    return f"With best play {_result(v) if 'condition' not in v.options else _payoff(v)}.{_not_so(v)}"


def _result(v: VerdictData) -> str:
    """The result of best play where the winner decides the value."""
    n = v.numbers
    if "value" in n:
        return f"the game is {_worth(v, n['value'])}"
    low, high = n.get("at_least"), n.get("at_most")
    if low is None or high is None:  # drawn at the least, or at the most
        open_ends = (-1 if low is None else low, 1 if high is None else high)
        left = [worth for worth in WORTHS if open_ends[0] <= worth <= open_ends[1]]
        return f"the game is {' or '.join(_worth(v, worth) for worth in left)}; more is not known"
    between = "; in others it may be drawn" if high - low > 1 else ""
    least, most = _worth(v, low), _worth(v, high)
    return f"it depends on the deal: the game is {least} in some, and {most} in some{between}"


def _worth(v: VerdictData, worth: int) -> str:
    """The result of a game in words; for declared sides the players are named."""
    if "sides" not in v.options or not worth:
        return WORTHS[worth].replace(" by ", " by player ")
    side = str(v.options["sides"]).split(" against ")[0 if worth == 1 else -1]
    *others, last = side.split(" and ")
    return f"won by players {', '.join(others)} and {last}" if others else f"won by player {last}"


def _payoff(v: VerdictData) -> str:
    """The number reached by best play."""
    n = v.numbers
    if "value" in n:
        whose = "the player can" if v.players == 1 else "each player can"
        return f"it comes to {n['value']}, of which {whose} make sure"
    bounds = " and ".join(f"{key.replace('_', ' ')} {n[key]}" for key in ("at_least", "at_most") if key in n)
    if v.outcome == PROVED:
        return f"it depends on the deal, and comes to {bounds}"
    return f"it comes to {bounds}; more is not known"


def _not_so(v: VerdictData) -> str:
    return f" So it is not {v.options['is']}." if v.outcome == REFUTED else ""


def _expected(v: VerdictData) -> str:
    found = next(e.data["is"] for e in v.evidence if "is" in e.data)
    mean, who = fraction_text(fraction_of(found)), v.options.get("who")
    said = {
        "opposed": f"The side of player {who} can make sure of a mean of {mean}",
        "random": f"Against random play the side of player {who} can reach a mean of {mean}",
    }.get(str(v.options.get("others")), f"The mean is {mean}")
    return f"{said}. {EXACT}{_not_so(v)}"


def fraction_of(text: object) -> Fraction:
    """The fraction in a text; 0 for any other text."""
    return Fraction(str(text)) if FRACTION.fullmatch(str(text)) else Fraction(0)


def fraction_text(x: Fraction) -> str:
    """A fraction as words that fit on a line."""
    if x.denominator < FAMILIAR:
        return str(x)
    try:
        near = f"{float(x):.6g}"
    except OverflowError:
        near = f"a number of {len(str(abs(x.numerator // x.denominator)))} digits"
    return f"{x} (about {near})" if len(str(x)) <= MOST_DIGITS else f"about {near}"


def _estimate(v: VerdictData) -> str:
    data = next(e.data for e in v.evidence if e.kind == "sample")
    games = number_of(data["games"], "random game")
    if _is_share(v):
        return f"In {data['total']:,} of {games}, a share of {_sample_text(v)}."
    return f"In {games} the mean is {_sample_text(v)}."


def _is_share(v: VerdictData) -> bool:
    """True if a sample estimates a share of all games."""
    return v.options.get("condition") == "truth" and "summed-over" not in v.options


def _sample_text(v: VerdictData) -> str:
    """The share or the mean of a sample, with its interval."""
    data = next(e.data for e in v.evidence if e.kind == "sample")
    games, total, squares = (data[key] for key in ("games", "total", "squares"))
    if not _is_share(v):
        return interval_text(mean(total, squares, games))
    part = share(total, games)
    return interval_text(Estimate(100 * part.value, 100 * part.low, 100 * part.high), "%")


def interval_text(found: Estimate, unit: str = "") -> str:
    """A value with its interval in words, with as many digits as the width of the interval justifies.

    `unit` follows each number.
    """
    value, low, high = found.value, found.low, found.high
    if low is None or high is None:
        return f"{exact(value)}{unit} (one play says nothing about the spread)"
    if low == high:
        return f"{exact(value)}{unit} (the same in each)"
    off = (high - low) / MOST_OFF
    digits = next(
        d
        for d in range(4, 18)
        if d == 17 or all(abs(float(f"{x:.{d}g}") - x) <= off for x in (value, low, high))
    )
    value_text, low_text, high_text = (f"{x:.{digits}g}{unit}" for x in (value, low, high))
    return f"{value_text} (95% between {low_text} and {high_text})"


def exact(x: float) -> str:
    """A number without an interval as text: a whole number in full, any other with four digits."""
    return str(int(x)) if math.isfinite(x) and x == int(x) else f"{x:.4g}"


# ---- deals


def _share_of_deals(v: VerdictData) -> str:
    of, held, failed = (v.numbers[key] for key in ("deals", "held", "failed"))
    if v.outcome == ESTIMATED:
        return _share_of_seeds(v, of, held, failed)
    told = f"In {held:,} of all {of:,} deals, and not in {failed:,}"
    if v.outcome == PROVED:
        return f"{told}: a share of {Fraction(held, of)}, which is {held / of:.6g}."
    left = of - held - failed
    bounds = "at least {} and at most {}".format(*outward(Fraction(held, of), Fraction(of - failed, of)))
    return f"{told}; {_not_decided(left)}. The share is {bounds}."


def _not_decided(number: int) -> str:
    return f"{number:,} were not decided" if number > 1 else "1 was not decided"


def outward(low: Fraction, high: Fraction) -> tuple[str, str]:
    """A lower and an upper bound from 0 to 1 as decimal numbers, rounded outward so that both remain true.

    They have enough digits to differ, at least four.
    """
    digits = 4
    while low < high and (high - low) * 10**digits < 2:
        digits += 1
    scale = 10**digits
    whole = int(low * scale // 1), int(-(-high * scale // 1))
    least, most = (f"{x // scale}.{x % scale:0{digits}d}" for x in whole)
    return least, most


def _share_of_seeds(v: VerdictData, of: int, held: int, failed: int) -> str:
    low, high = share(held, of).low, share(of - failed, of).high
    left = of - held - failed
    told = f"In {held:,} of the deals of the seeds 0 to {of - 1:,}, and not in {failed:,}"
    told += f"; {_not_decided(left)}" if left else ""
    wanted = v.options.get("deals", of)
    only = f" Only {of:,} of the {wanted:,} were asked." if isinstance(wanted, int) and of < wanted else ""
    return f"{told}. The share is {held / of:.4g} (95% between {low:.4g} and {high:.4g}).{only}"


def _every_deal(v: VerdictData) -> str:
    if "seed" in v.numbers:
        deal = f"the deal of seed {v.numbers['seed']} shows it"
        return f"{deal[0].upper()}{deal[1:]}." if v.outcome == PROVED else f"This is not so: {deal}."
    counts = Counter(next(e.data["answers"] for e in v.evidence if "answers" in e.data))
    left = f"; {_not_decided(counts[OPEN])}" if counts[OPEN] else ""
    asked = v.numbers["deals"]
    told = f"{counts[HELD]:,} of the first {asked:,} deals" if asked > 1 or left else "the first deal"
    return f"Shown for {told}{left}. Nothing is known about others."


STATEMENTS: Mapping[str, Callable[[VerdictData], str]] = {
    "invariant": _always(),
    "never_stuck": _always("after {} nobody has a legal action"),
    "never_faults": _always("after {} a value does not fit its place"),
    "never_falls": _always("the last of {} lowers it"),
    "symmetry": _always("after {} {differs}"),
    "reachable": _reachable,
    "unreachable": _always(),
    "terminates": _terminates,
    "endless": _terminates,
    "never_hopeless": _never_hopeless,
    "winnable": _winnable,
    "knowable": _knowable,
    "equivalent": _equivalent,
    "best": _best,
    "count": _count,
    "value": _value,
    "expected": _expected,
    "estimate": _estimate,
    "share_of_deals": _share_of_deals,
    "every_deal": _every_deal,
}
"""The statement of a verdict that decides something, by the kind of claim."""
