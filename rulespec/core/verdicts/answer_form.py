"""The form of an answer: the numbers and the evidence entries of an answer to each kind of claim.

A verdict of any other form could not be put into words, so creating it raises `InvalidAnswer`. Sentences
(`wording`) are therefore defined for every verdict. The truth of an answer is a question for the judge in
`rulespec.solver.evidence`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

from .properties import PROPERTIES
from .verdict_data import BOUNDED, ESTIMATED, PROVED, REFUTED, UNDECIDED, VerdictData

WORTHS = {0: "drawn", 1: "won by 1", -1: "won by 2"}
"""The results of a play as claims write them, by its worth for the first player."""
FRACTION = re.compile(r"-?[0-9]{1,4000}(/[1-9][0-9]{0,3999})?")
"""A fraction as evidence holds it."""
HELD, FAILED, OPEN = "y", "n", "?"
"""The letters for deals in which a claim holds, fails, or is undecided."""


class InvalidAnswer(ValueError):
    """Raised for an answer that no claim of its kind can have; the text says what is wrong with it."""


SIGNED = ("value", "at_least", "at_most", "total")
"""The numbers that may be negative; all others count something."""


def check_form(verdict: VerdictData) -> None:
    """Raise InvalidAnswer for a verdict that is not of the form of its kind of claim."""
    if problem := _objection(verdict):
        raise InvalidAnswer(f"a verdict on `{verdict.claim}` that no claim can have: {problem}")


def is_form(kind: str, outcome: str, numbers: Mapping[str, int]) -> bool:
    """True if answers to a kind of claim can have an outcome with these numbers."""
    counts = all(type(x) is int and (x >= 0 or key in SIGNED) for key, x in numbers.items())
    return counts and " ".join(sorted(numbers)) in PROPERTIES[kind].answers.get(outcome, ())


def _objection(v: VerdictData) -> str:
    """The first fault in the form of a verdict; empty if there is none."""
    if v.outcome not in (PROVED, REFUTED, BOUNDED, ESTIMATED):
        shown = [e for e in v.evidence if e.kind != "helper" or v.outcome == UNDECIDED]
        return f"{v.outcome}, and yet it has numbers or evidence" if v.numbers or shown else ""
    if not is_form(v.kind, v.outcome, v.numbers):
        return f"{v.outcome} with {dict(v.numbers) or 'no numbers'}"
    low, high = v.numbers.get("at_least"), v.numbers.get("at_most")
    if low is not None and high is not None and low >= high:
        return f"at least {low} and at most {high}"
    return OBJECTIONS[v.kind](v) if v.kind in OBJECTIONS else ""


def _data(v: VerdictData, key: str) -> Any:
    """The first entry of a name in the evidence; None if there is none."""
    return next((e.data[key] for e in v.evidence if key in e.data), None)


def _difference(v: VerdictData) -> str:
    named = isinstance(_data(v, "differs"), str)
    return "" if v.outcome != REFUTED or named else "it does not say what differs"


def _knowable(v: VerdictData) -> str:
    return _difference(v) or ("" if v.outcome != REFUTED or _data(v, "viewer") else "it names no player")


def _never_hopeless(v: VerdictData) -> str:
    """The fault of a verdict on hopeless positions; empty if it is well formed."""
    most, within = v.numbers.get("value"), v.options.get("within")
    if most is None:
        return ""
    if most < 0:
        return f"a distance of {most}"
    holds = within is None or (isinstance(within, int) and most <= within)
    return "" if holds == (v.outcome == PROVED) else f"{v.outcome} with a distance of {most}"


def _winnable(v: VerdictData) -> str:
    """The fault of a verdict that each player can win; empty if it is well formed."""
    outcomes: dict[int, str] = {}
    for e in v.evidence:
        seat, outcome, numbers = (e.data.get(key) for key in ("seat", "outcome", "numbers"))
        if not isinstance(seat, int) or not 1 <= seat <= v.players:
            return "evidence on no player"
        if not isinstance(numbers, dict) or not is_form("reachable", str(outcome), numbers):
            return f"{outcome} with {numbers} for player {seat}"
        if outcomes.setdefault(seat, str(outcome)) != outcome:
            return f"two answers for player {seat}"
    shown = {*outcomes.values()}
    whole = PROVED if shown == {PROVED} and len(outcomes) == v.players else BOUNDED
    whole = REFUTED if REFUTED in shown else whole
    return "" if shown and whole == v.outcome else "its answers for each player come to something else"


def _best(v: VerdictData) -> str:
    return (
        "" if v.options.get("sense") in ("most", "least") else "neither the most nor the least is asked for"
    )


def _count(v: VerdictData) -> str:
    return _comparison_fault(v, str(v.numbers["value"])) if v.numbers["value"] >= 0 else "less than none"


def _comparison_fault(v: VerdictData, found: str) -> str:
    """A fault unless the outcome agrees with the comparison of a value with the claimed one; empty without
    one."""
    claimed = v.options.get("is")
    right = PROVED if claimed is None or str(claimed) == found else REFUTED
    return "" if right == v.outcome else f"{v.outcome}, where it is {found}"


def _value(v: VerdictData) -> str:
    """The fault of a verdict on the value of best play; empty if it is well formed."""
    bounds = [v.numbers[key] for key in ("value", "at_least", "at_most") if key in v.numbers]
    by_winner = "condition" not in v.options
    if by_winner and not all(x in WORTHS for x in bounds):
        return f"a result of {', '.join(map(str, bounds))}"
    if "value" in v.numbers:
        return _comparison_fault(v, WORTHS[bounds[0]] if by_winner else str(bounds[0]))
    if v.outcome == REFUTED and len(bounds) == 1 and not _excludes_claimed(v):
        return f"refuted, where it is {dict(v.numbers)}"
    if by_winner and len(bounds) == 1 and bounds != [0]:
        return "a bound that leaves one result or excludes none"
    if by_winner and v.outcome == BOUNDED and len(bounds) > 1:
        return "bounds that exclude no result"
    return "it is not, and nothing was claimed" if v.outcome == REFUTED and "is" not in v.options else ""


def _excludes_claimed(v: VerdictData) -> bool:
    """True if the bounds that a verdict gives for best play exclude the claimed result."""
    claimed = str(v.options.get("is"))
    listed = (x for x, name in WORTHS.items() if name == claimed)
    number = next(listed, None) if "condition" not in v.options else _whole(claimed)
    low, high = v.numbers.get("at_least"), v.numbers.get("at_most")
    return number is not None and ((low is not None and number < low) or (high is not None and number > high))


def _whole(text: str) -> int | None:
    """The whole number in a text; None for any other text."""
    return int(text) if FRACTION.fullmatch(text) and "/" not in text else None


def _expected(v: VerdictData) -> str:
    """The fault of a verdict on a mean; empty if it is well formed."""
    listed = [str(e.data["is"]) for e in v.evidence if "is" in e.data]
    if len(listed) != 1 or not FRACTION.fullmatch(listed[0]):
        return "its mean is no fraction"
    claimed = v.options.get("is")
    right = PROVED
    if claimed is not None and FRACTION.fullmatch(str(claimed)) is not None:
        right = PROVED if Fraction(str(claimed)) == Fraction(listed[0]) else REFUTED
    return "" if right == v.outcome else f"{v.outcome}, where it is {listed[0]}"


def _estimate(v: VerdictData) -> str:
    """The fault of a verdict from a sample; empty if it is well formed."""
    data = next((e.data for e in v.evidence if e.kind == "sample"), {})
    games, total, squares = (data.get(key) for key in ("games", "total", "squares"))
    if not (isinstance(games, int) and isinstance(total, int) and isinstance(squares, int) and games > 0):
        return "its sample is damaged"
    shares = v.options.get("condition") == "truth" and "summed-over" not in v.options
    odd = total != v.numbers["total"] or (shares and not 0 <= total <= games)
    return "its sample cannot be" if odd or squares * games < total * total else ""


def _share_of_deals(v: VerdictData) -> str:
    of, held, failed = (v.numbers[key] for key in ("deals", "held", "failed"))
    if of < max(1, held + failed):
        return f"{held + failed} of {of} deals"
    return "deals are left" if v.outcome == PROVED and held + failed < of else ""


def _every_deal(v: VerdictData) -> str:
    """The fault of a verdict on every deal; empty if it is well formed."""
    if "seed" in v.numbers:
        return ""
    letters = _data(v, "answers")
    if not isinstance(letters, str) or {*letters} - {HELD, OPEN} or not letters:
        return "its answers are damaged"
    return (
        "" if len(letters) == v.numbers["deals"] else f"{len(letters)} answers for {v.numbers['deals']} deals"
    )


OBJECTIONS: Mapping[str, Callable[[VerdictData], str]] = {
    "symmetry": _difference,
    "equivalent": _difference,
    "knowable": _knowable,
    "never_hopeless": _never_hopeless,
    "winnable": _winnable,
    "best": _best,
    "count": _count,
    "value": _value,
    "expected": _expected,
    "estimate": _estimate,
    "share_of_deals": _share_of_deals,
    "every_deal": _every_deal,
}
"""Further checks of the form of a verdict whose numbers have the right names, by the kind of claim."""
