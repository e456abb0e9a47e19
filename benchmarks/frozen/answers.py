"""The part of a verdict that must not be lost, and the comparison of two of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any

from rulespec.core.verdicts import BOUNDED, ESTIMATED, PROVED, REFUTED, STRENGTH, Verdict, setting_text

Interval = tuple[float, float]
ANYTHING: Interval = (-math.inf, math.inf)
ERRORS = 5.0
"""The number of standard errors within which two sample means of one quantity agree."""


class Change(Enum):
    """A later answer to a question in relation to an earlier one."""

    SAME = "same"
    STRONGER = "stronger"
    WEAKER = "weaker"
    CONTRADICTING = "contradicting"
    MISSING = "missing"
    NEW = "new"

    @property
    def loses_nothing(self) -> bool:
        """True where the later answer says at least as much as the earlier one."""
        return self in (Change.SAME, Change.STRONGER)


@dataclass(frozen=True)
class Answer:
    """A verdict without its evidence and statement.

    `exact` holds fractions, `seats` the results that plays show for seats (`seat: outcome`), `shortest` is
    true if the plies are the fewest possible, `sample` holds games, sum and sum of squares, `rules` the first
    characters of the digests of the rules and of the claim.
    """

    ruleset: str
    setting: str
    claim: str
    kind: str
    outcome: str
    numbers: Mapping[str, int] = field(default_factory=dict)
    exact: tuple[str, ...] = ()
    seats: tuple[str, ...] = ()
    shortest: bool = False
    sample: tuple[int, ...] = ()
    rules: str = ""

    @classmethod
    def of(cls, verdict: Verdict) -> Answer:
        """The answer that a verdict gives."""
        return cls.of_data(verdict.to_data())

    @classmethod
    def of_data(cls, data: Mapping[str, Any]) -> Answer:
        """The answer in the plain data of a verdict (see `Verdict.to_data`)."""
        parts = [e["data"] for e in data["evidence"]]
        samples = [tuple(d[name] for name in SAMPLE) for d in parts if all(name in d for name in SAMPLE)]
        return cls(
            data["ruleset"],
            setting_text(data["players"], data["parameters"], data["readings"]),
            data["claim"],
            data["kind"],
            data["outcome"],
            dict(sorted(data["numbers"].items())),
            tuple(str(d["is"]) for d in parts if "is" in d),
            tuple(sorted({f"{d['seat']}: {d.get('outcome')}" for d in parts if "seat" in d})),
            any(d.get("shortest", False) for d in parts),
            samples[0] if samples else (),
            data["game"][:6] + data["claim_digest"][:4],
        )

    @classmethod
    def from_row(cls, row: Mapping[str, Any]) -> Answer:
        """The answer in a line of a table."""
        lists = {name: tuple(row.get(name, ())) for name in ("exact", "seats", "sample")}
        return cls(**{**row, **lists})

    def to_row(self) -> dict[str, Any]:
        """Plain data for a line of a table, without empty parts."""
        return {name: value for name, value in asdict(self).items() if value}

    @property
    def key(self) -> tuple[str, str, str]:
        """The question: ruleset, claim, setting."""
        return (self.ruleset, self.claim, self.setting)

    @property
    def text(self) -> str:
        """The outcome with its values, for a line of a report."""
        shown = [f"{name} {value}" for name, value in self.numbers.items() if name not in WORK]
        return ", ".join([self.outcome, *shown, *self.exact, *self.seats])


SAMPLE = ("games", "total", "squares")
WORK = ("states", "depth", "beliefs")
"""Numbers that measure work and are no part of an answer."""


def compare(before: Answer, now: Answer) -> Change:
    """The relation of an answer to an earlier one of the same question.

    An answer that says less in one respect is weaker, even if it says more in another.
    """
    if _contradict(before, now):
        return Change.CONTRADICTING
    if _says_more(before, now):
        return Change.WEAKER
    return Change.STRONGER if _says_more(now, before) else Change.SAME


def _strength(answer: Answer) -> tuple[int, bool]:
    """The strength of the outcome; an estimate settles less than a proof."""
    return STRENGTH[answer.outcome], answer.outcome != ESTIMATED


def _settled(answer: Answer) -> bool:
    return answer.outcome in (PROVED, REFUTED)


def _says_more(one: Answer, other: Answer) -> bool:
    """True if an answer says something that another one leaves open. They do not contradict each other."""
    if _strength(one) != _strength(other):
        return _strength(one) > _strength(other)
    parts: list[Callable[[Answer], Any]] = [lambda a: a.exact, lambda a: a.shortest]
    if any(part(one) and not part(other) for part in parts) or _by_seat(one).keys() - _by_seat(other).keys():
        return True
    if _outside(_value(other), _value(one)) or _outside(_share(other), _share(one)):
        return True
    if len(one.sample) > len(other.sample) or one.sample[:1] > other.sample[:1]:
        return True
    deals = one.numbers.get("deals", 0), other.numbers.get("deals", 0)
    plies = one.numbers.get("plies", -1), other.numbers.get("plies", -1)
    if deals[0] > deals[1] or (one.outcome == BOUNDED and plies[0] > plies[1]):
        return True
    # The fewest plies after which every play has ended say the most.
    return one.kind == "terminates" and -1 < plies[0] < (plies[1] if plies[1] > -1 else math.inf)


def _contradict(one: Answer, other: Answer) -> bool:
    """True if two answers to one question cannot both be right."""
    if _settled(one) and _settled(other) and one.outcome != other.outcome:
        return True
    if _apart(_value(one), _value(other)) or _apart(_share(one), _share(other)):
        same_deals = one.numbers.get("deals") == other.numbers.get("deals")
        if same_deals or _apart(_value(one), _value(other)):
            return True
    if (one.exact and other.exact and one.exact != other.exact) or _seats_apart(one, other):
        return True
    if one.shortest and other.shortest and one.numbers.get("plies") != other.numbers.get("plies"):
        return True
    if one.sample and other.sample and _means_apart(one.sample, other.sample):
        return True
    return _fails_within(one, other) or _fails_within(other, one)


def _by_seat(answer: Answer) -> dict[str, str]:
    """The settled outcomes for players, by player."""
    outcomes = (text.partition(": ") for text in answer.seats)
    return {seat: outcome for seat, _, outcome in outcomes if outcome in (PROVED, REFUTED)}


def _seats_apart(one: Answer, other: Answer) -> bool:
    """True if two answers settle the claim otherwise for a player."""
    mine, theirs = _by_seat(one), _by_seat(other)
    return any(theirs.get(seat, outcome) != outcome for seat, outcome in mine.items())


def _fails_within(bounded: Answer, refuted: Answer) -> bool:
    """True if a play refutes a claim within the depth up to which it was shown to hold."""
    if (bounded.outcome, refuted.outcome) != (BOUNDED, REFUTED):
        return False
    # A play to a position without an action has as many plies as the position's depth.
    return refuted.numbers.get("plies", math.inf) <= bounded.numbers.get("plies", -1)


def _value(answer: Answer) -> Interval:
    """The bounds of the value that an answer gives; anything if it gives none."""
    numbers = answer.numbers
    if "value" in numbers:
        return (numbers["value"], numbers["value"])
    return (numbers.get("at_least", -math.inf), numbers.get("at_most", math.inf))


def _share(answer: Answer) -> Interval:
    """The bounds of the number of deals in which the claim holds; anything if no deals were asked."""
    numbers = answer.numbers
    if "deals" not in numbers:
        return ANYTHING
    return (numbers.get("held", 0), numbers["deals"] - numbers.get("failed", 0))


def _outside(wide: Interval, narrow: Interval) -> bool:
    """True if an interval is not within another."""
    return wide[0] < narrow[0] or wide[1] > narrow[1]


def _apart(one: Interval, other: Interval) -> bool:
    return one[0] > other[1] or other[0] > one[1]


def _means_apart(one: tuple[int, ...], other: tuple[int, ...]) -> bool:
    """True if two sample means differ by more than `ERRORS` standard errors of their difference."""
    means = [total / games for games, total, _ in (one, other)]
    variances = [
        max(squares / games - mean * mean, 0.0) / games
        for (games, _, squares), mean in zip((one, other), means, strict=True)
    ]
    return abs(means[0] - means[1]) > ERRORS * math.sqrt(sum(variances))
