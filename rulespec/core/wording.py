"""The sentences that people read about verdicts, derived from their data alone.

No sentence about a verdict is stored: whoever shows one derives it here, from the kind and the options of the
claim, the outcome, the numbers and the data of the evidence. So a sentence says what these say, by whatever
method they were found. There is one for each verdict, since a verdict has the form of an answer
(`answer_form`), and none that says more than the verdict.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from .answer_form import (
    BOUNDED,
    CONDITIONAL,
    FRACTION,
    HELD,
    OPEN,
    PROVED,
    REFUTED,
    UNCHECKED,
    UNDECIDED,
    WORTHS,
)
from .intervals import Estimate, mean, share

if TYPE_CHECKING:
    from .verdicts import Verdict

BEYOND = "Beyond that nothing is known."
"""The end of each statement that holds up to some depth only."""
FAMILIAR = 100
"""A fraction with a smaller denominator is written without a decimal number beside it."""
MOST_DIGITS = 40
"""A fraction of more digits is written as a decimal number; the evidence holds it in full."""
MOST_OFF = 40
"""An interval is rounded by at most its width divided by this number."""
DECIDED = ("proved", "refuted", "bounded", "estimated")
"""The outcomes that say something."""

NOTES = {
    "over-at-once": "The game is over before anybody acts, so the claim says nothing of any play.",
    "premise-never-met": "What it presupposes holds in no reachable position, so it says nothing.",
    "holds-of-any-rules": "No position at all is such, reachable or not: it holds whatever the rules are.",
    "moves-nothing": "Under these settings it moves nothing, so it says nothing.",
    "sights-not-compared": "What players see of it was not compared, for it is not told in the same pieces.",
}
"""The warnings that a verdict may carry, by their keys."""


def plies(number: int) -> str:
    """A number of plies in words."""
    return "1 ply" if number == 1 else f"{number} plies"


def statement(verdict: Verdict) -> str:
    """The sentence that says what a verdict says; empty for one whose outcome is not shown."""
    if verdict.outcome == UNDECIDED:
        return verdict.remarks[0] if verdict.remarks else "It was not decided."
    if verdict.outcome == CONDITIONAL:
        return _conditional(verdict)
    if verdict.outcome == UNCHECKED:
        return next(iter(verdict.remarks), "")
    return STATEMENTS[verdict.kind](verdict) if verdict.outcome in DECIDED else ""


def notes(verdict: Verdict) -> list[str]:
    """The warnings of a verdict, and the remarks on how it was found."""
    begins = verdict.outcome in (UNDECIDED, UNCHECKED)  # with the statement
    remarks = verdict.remarks[1:] if begins else verdict.remarks
    return [*(NOTES[key] for key in verdict.notes), *_alone(verdict), *_believed(verdict), *remarks]


def _conditional(verdict: Verdict) -> str:
    """The sentence for a claim that has an outcome if others hold, which were not checked."""
    data = [e.data for e in verdict.evidence if e.kind == "helper"]
    names = " and ".join(f"`{one.get('claim')}`" for one in data)
    outcome = next((one.get("outcome") for one in data), "decided")
    hold, was = ("holds", "was") if len(data) == 1 else ("hold", "were")
    return f"It is {outcome} if {names} {hold}, which {was} not checked here."


def believed(verdict: Verdict) -> str:
    """The unchecked reading of the rules that a verdict rests on, in words; empty if there is none."""
    flows = any(e.kind == "induction" and e.data.get("by") == "flows" for e in verdict.evidence)
    return "the analysis of how effects change lists is not checked, and is believed" if flows else ""


def _believed(verdict: Verdict) -> list[str]:
    words = believed(verdict)
    return [f"{words[:1].upper()}{words[1:]}."] if words else []


def _alone(verdict: Verdict) -> list[str]:
    names: list[str] = next((e.data["alone"] for e in verdict.evidence if "alone" in e.data), [])
    listed = " and ".join(f"`{name}`" for name in names)
    return [f"Only one of them has {listed}, which was not compared."] if names else []


# ---- what always holds, or never


def _always(good: str, within: str, bad: str) -> Callable[[Verdict], str]:
    """The statements about something that always holds: proved, as far as a depth, and refuted by a play.

    `within` has a place for the plies, `bad` for those of the play, and perhaps one for what differs.
    """

    def told(v: Verdict) -> str:
        if v.outcome == PROVED:
            seen = f" ({v.numbers['states']} positions)" if "states" in v.numbers else ""
            return f"{good}{_from_deal(v)}{seen}."
        length = plies(v.numbers["plies"])
        if v.outcome == REFUTED:
            differs = _differs(v) if "{differs}" in bad else ""
            return f"{bad.format(length, differs=differs)}."
        return f"{within.format(length)}. {BEYOND}"

    return told


def _differs(v: Verdict) -> str:
    """The difference between two plays, or a position and its image, that evidence names."""
    return next(str(e.data["differs"]) for e in v.evidence if "differs" in e.data)


def _from_deal(v: Verdict) -> str:
    return " from the given deal" if any("chance" in e.data for e in v.evidence) else ""


def _reachable(v: Verdict) -> str:
    if v.outcome == BOUNDED:
        return f"No play of at most {plies(v.numbers['plies'])} leads there. {BEYOND}"
    if (v.outcome == PROVED) is (v.kind == "reachable"):
        shortest = "; none is shorter" if _shortest(v) else ""
        return f"A play of {plies(v.numbers['plies'])} leads there{shortest}."
    return f"No play{_from_deal(v)} leads there."


def _shortest(v: Verdict) -> bool:
    return any(e.data.get("shortest") is True for e in v.evidence)


def _terminates(v: Verdict) -> str:
    if (v.outcome == PROVED) is (v.kind == "terminates"):
        return f"Every play{_from_deal(v)} ends, after {plies(v.numbers['plies'])} at most."
    return "A play can come back to the same position again and again."


def _never_hopeless(v: Verdict) -> str:
    if "plies" in v.numbers:
        return f"After {plies(v.numbers['plies'])} it can be out of reach."
    within = f", which is more than {v.options.get('within')}" if v.outcome == REFUTED else ""
    return f"From every position it is at most {plies(v.numbers['value'])} away{within}."


def _winnable(v: Verdict) -> str:
    shown = {e.data["seat"]: e.data for e in v.evidence}
    return " ".join(_seat(seat, shown.get(seat), v.players == 1) for seat in range(1, v.players + 1))


def _seat(seat: int, data: Mapping[str, Any] | None, alone: bool) -> str:
    """The sentence for a player by the evidence on that player; None if there is none."""
    who = "The player" if alone else f"Player {seat}"
    if data is None:
        return f"It is open whether player {seat} can win."
    if data["outcome"] == REFUTED:
        return f"{who} can never win."
    length = plies(data["numbers"]["plies"])
    if data["outcome"] == PROVED:
        return f"{who} can win: a play of {length} shows it."
    return f"{who} wins in no play of at most {length}. {BEYOND}"


def _knowable(v: Verdict) -> str:
    length = plies(v.numbers.get("plies", 0))
    if v.outcome == REFUTED:
        viewer = next(e.data["viewer"] for e in v.evidence if "viewer" in e.data)
        told = f"player {viewer} cannot tell what must be known: two plays look the same to that player"
        return f"After {length} {told}; {_differs(v)}."
    if v.outcome == BOUNDED:
        return f"In the first {length} of every play each player can tell what must be known. {BEYOND}"
    return (
        "Each player can always tell what must be known: which actions are legal on that player's turn, and "
        "in the end who has won. Whose turn it is and whether the game is over is open to all."
    )


def _equivalent(v: Verdict) -> str:
    other, length = v.options.get("other", "the other game"), plies(v.numbers.get("plies", 0))
    if v.outcome == REFUTED:
        return f"Not the same as {other}. After {length}: {_differs(v)}."
    if v.outcome == BOUNDED:
        return f"The same as {other} in the first {length} of every play. {BEYOND}"
    return f"The same as {other}: in every play both allow the same actions, and come to the same results."


# ---- numbers


def _best(v: Verdict) -> str:
    most, n = v.options.get("sense") == "most", v.numbers
    word, deal = "most" if most else "least", _from_deal(v)
    if v.outcome == REFUTED:
        return f"No position that counts can be reached{deal}."
    if "value" in n:
        return f"The {word}{deal} is {n['value']}."
    reached, limit = ("at_least", "at_most") if most else ("at_most", "at_least")
    said = [f"{n[reached]} can be reached"] if reached in n else []
    if limit in n:
        said.append(f"the {word}{deal} is {limit.replace('_', ' ')} {n[limit]}")
    if not said:
        return f"No play of at most {plies(n['plies'])} reaches a position that counts. {BEYOND}"
    left = "What lies between is open" if len(said) > 1 else "More is not known"
    sentence = "; ".join(said)
    return f"{sentence[0].upper()}{sentence[1:]}. {left}."


def _count(v: Verdict) -> str:
    o, total = v.options, v.numbers["value"]
    if o.get("of") == "plays":
        what = f"sequences of {o['at']} actions" if "at" in o else "plays from the start to an end"
        return f"There are {total} {what}.{_not_so(v)}"
    which = "positions in which it holds" if "condition" in o else "positions"
    which = f"different values in {which}" if "different" in o else which
    where = "all told"
    if "at" in o:
        where = f"{plies(int(o['at']))} from the start at the least"
    elif "within" in o:
        where = f"within {plies(int(o['within']))}"
    return f"There are {total} {which}, {where}.{_not_so(v)}"


def _value(v: Verdict) -> str:
    return f"With best play {_result(v) if 'condition' not in v.options else _payoff(v)}.{_not_so(v)}"


def _result(v: Verdict) -> str:
    """The result of best play where an end is worth who has won."""
    n = v.numbers
    if "value" in n:
        return f"the game is {_worth(n['value'])}"
    low, high = n.get("at_least"), n.get("at_most")
    if low is None or high is None:  # drawn at the least, or at the most
        open_ends = (-1 if low is None else low, 1 if high is None else high)
        left = [worth for worth in WORTHS if open_ends[0] <= worth <= open_ends[1]]
        return f"the game is {' or '.join(map(_worth, left))}; more is not known"
    between = "; in others it may be drawn" if high - low > 1 else ""
    return f"it depends on the deal: the game is {_worth(low)} in some, and {_worth(high)} in some{between}"


def _worth(worth: int) -> str:
    return WORTHS[worth].replace(" by ", " by player ")


def _payoff(v: Verdict) -> str:
    """The number that best play comes to."""
    n = v.numbers
    if "value" in n:
        whose = "the player can" if v.players == 1 else "each player can"
        return f"it comes to {n['value']}, of which {whose} make sure"
    bounds = " and ".join(f"{key.replace('_', ' ')} {n[key]}" for key in ("at_least", "at_most") if key in n)
    if v.outcome == PROVED:
        return f"it depends on the deal, and comes to {bounds}"
    return f"it comes to {bounds}; more is not known"


def _not_so(v: Verdict) -> str:
    return f" So it is not {v.options['is']}." if v.outcome == REFUTED else ""


def _expected(v: Verdict) -> str:
    found = next(e.data["is"] for e in v.evidence if "is" in e.data)
    return f"The expectation is {shortened(fraction_of(found))}.{_not_so(v)}"


def fraction_of(text: object) -> Fraction:
    """The fraction that a text holds; 0 for any other text."""
    return Fraction(str(text)) if FRACTION.fullmatch(str(text)) else Fraction(0)


def shortened(x: Fraction) -> str:
    """A fraction in words that fit a line."""
    if x.denominator < FAMILIAR:
        return str(x)
    try:
        near = f"{float(x):.6g}"
    except OverflowError:
        near = f"a number of {len(str(abs(x.numerator // x.denominator)))} digits"
    return f"{x} (about {near})" if len(str(x)) <= MOST_DIGITS else f"about {near}"


def _estimate(v: Verdict) -> str:
    data = next(e.data for e in v.evidence if e.kind == "sample")
    games, total, squares = (data[key] for key in ("games", "total", "squares"))
    shares = v.options.get("condition") == "truth" and "summed-over" not in v.options
    of = "1 random play" if games == 1 else f"{games} random plays"
    if shares:
        part = share(total, games)
        told = spanned(Estimate(part.value, part.low, part.high))
        return f"Of {of} it holds in {total}, a share of {told}."
    return f"The mean of {of} is {spanned(mean(total, squares, games))}."


def spanned(found: Estimate, unit: str = "") -> str:
    """A value with its interval in words, with as many digits as the width of the interval justifies.

    `unit` stands behind each number.
    """
    value, low, high = found.value, found.low, found.high
    if low is None or high is None:
        return f"{exact(value)}{unit} (one play says nothing of the spread)"
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


def _share_of_deals(v: Verdict) -> str:
    of, held, failed = (v.numbers[key] for key in ("deals", "held", "failed"))
    if v.outcome == "estimated":
        return _share_of_seeds(v, of, held, failed)
    if v.outcome == PROVED:
        told = f"a share of {Fraction(held, of)}, which is {held / of:.6g}"
        return f"Of all {of} deals it holds in {held} and not in {failed}: {told}."
    left = of - held - failed
    bounds = "at least {} and at most {}".format(*outward(Fraction(held, of), Fraction(of - failed, of)))
    open_deals = f"{left} were not decided" if left > 1 else "1 was not decided"
    return f"Of all {of} deals it holds in {held} and not in {failed}, and {open_deals}: a share of {bounds}."


def outward(low: Fraction, high: Fraction) -> tuple[str, str]:
    """A lower and an upper bound from 0 to 1 as decimal numbers, rounded outward so that both remain true.

    They have as many digits as it takes to tell them apart, and at least four.
    """
    digits = 4
    while low < high and (high - low) * 10**digits < 2:
        digits += 1
    scale = 10**digits
    whole = int(low * scale // 1), int(-(-high * scale // 1))
    least, most = (f"{x // scale}.{x % scale:0{digits}d}" for x in whole)
    return least, most


def _share_of_seeds(v: Verdict, of: int, held: int, failed: int) -> str:
    low, high = share(held, of).low, share(of - failed, of).high
    told = f"Of the deals of the seeds 0 to {of - 1} it holds in {held} and not in {failed}"
    if of - held - failed:
        told += f", and {of - held - failed} were not decided"
    wanted = v.options.get("deals", of)
    only = f" Only {of} of the {wanted} deals were asked." if isinstance(wanted, int) and of < wanted else ""
    return f"{told}: a share of {held / of:.4g} (95% between {low:.4g} and {high:.4g}).{only}"


def _every_deal(v: Verdict) -> str:
    if "seed" in v.numbers:
        return f"Not in every deal: in that of seed {v.numbers['seed']} it does not hold."
    counts = Counter(next(e.data["answers"] for e in v.evidence if "answers" in e.data))
    left = f"; {counts[OPEN]} were not decided" if counts[OPEN] else ""
    first = f"the first {v.numbers['deals']} deals"
    return f"It holds in {counts[HELD]} of {first}{left}. Of others nothing is known."


STATEMENTS: Mapping[str, Callable[[Verdict], str]] = {
    "invariant": _always(
        "It holds in every position of every play",
        "It holds in every position of the first {}",
        "It fails after {}",
    ),
    "never_stuck": _always(
        "There is a legal action in every position of every play",
        "There is a legal action in the first {} of every play",
        "After {} nobody has a legal action",
    ),
    "never_faults": _always(
        "Every value fits its place in every play",
        "Every value fits its place in the first {} of every play",
        "After {} a value does not fit its place",
    ),
    "never_falls": _always(
        "No ply of any play lowers it",
        "None of the first {} of any play lowers it",
        "The last ply of a play of {} lowers it",
    ),
    "symmetry": _always(
        "The rules treat mirrored positions alike",
        "In the first {} of every play the rules treat mirrored positions alike",
        "After {} {differs}",
    ),
    "reachable": _reachable,
    "unreachable": _reachable,
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
