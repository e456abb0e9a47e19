"""Arguments about a goal from what one ply from any position can do.

*Traps.* Suppose that none of certain facts holds at the start, and that no ply makes one of them true while
none is. Then none ever is, and a goal that needs one is out of reach, however long the play. (Petri nets call
such sets of places siphons.) The greatest such set is found by starting with all facts that are false at the
start, and removing those that a ply can make true first.

*Lengths.* Take the facts of a gauge. If no ply takes one of them back under the granted conditions, and every
ply adds at least one, then a play has at most as many plies as there are facts; if a goal needs all of them
and a ply adds at most a few, it takes at least the corresponding number of plies.
"""

from __future__ import annotations

from dataclasses import dataclass

from rulespec.core import nodes as n
from rulespec.core.types import Map
from rulespec.solver.formulas.linear.ranking_functions import levels
from rulespec.solver.formulas.unrolling.one_ply import Gauge, Passing, gauges
from rulespec.solver.formulas.unrolling.question import Question

from .problem import Case

TRAP = "trap"
"""The name of this argument in evidence."""


def trap(case: Case, goal: n.Expr, passing: Passing) -> bool:
    """True if a goal, false at the start, is out of reach: no ply makes the first of its facts true."""
    beside = [var for var in passing.far if _alike(var, passing.near)]
    case.progress("whether something that it needs has no beginning")
    if _among(goal, passing, passing.near):
        return True
    return bool(beside) and _among(goal, passing, [*passing.near, *beside])


def _alike(var: n.StateVar, others: list[n.StateVar]) -> bool:
    """True if a variable describes the same places as one of the others."""
    t = var.type
    return isinstance(t, Map) and any(isinstance(o.type, Map) and o.type.keys == t.keys for o in others)


def _among(goal: n.Expr, passing: Passing, group: list[n.StateVar]) -> bool:
    """True if a trap made of facts about these variables shows that the goal is unreachable."""
    start = passing.start
    filling = [fact for gauge in gauges(group)[::2] for fact in gauge]
    facts = [fact for fact in filling if start.fails_at_first(fact)]
    if not facts:
        return False
    left = _never_first(passing.changing(group), facts)
    position = passing.position(group)
    none_of_them = [-position.holds(fact, 0) for fact in left]
    return bool(left) and not position.possible([position.holds(goal, 0), *none_of_them])


def _never_first(one: Question, facts: list[n.Expr]) -> list[n.Expr]:
    """The facts that no ply can make true while all of them are false."""
    left = list(facts)
    while left:
        after = {fact: one.holds(fact, 1) for fact in left}
        none_of_them = [-one.holds(fact, 0) for fact in left]
        if not one.possible([*none_of_them, one.gates.any(after.values())]):
            break
        left = [fact for fact in left if not one.was(after[fact])]
    return left


# ---- lengths

MOST_AT_ONCE = 6
"""Maximum number of facts of a gauge that a ply may change; a gauge that changes more is useless."""


@dataclass(frozen=True)
class Rate:
    """The least and the greatest number of a gauge's facts that a ply adds."""

    gauge: Gauge
    least: int
    most: int


@dataclass(frozen=True)
class Length:
    """Bounds on the number of plies of a play that reaches a goal."""

    least: int = 0
    most: int | None = None


def length(goal: n.Expr, passing: Passing) -> Length:
    """Bounds on the number of plies of any play from the start to a goal that does not hold there.

    Variables that the goal reads are tried first, the others only if those give no bound.
    """
    found = _bounds(goal, passing.start, passing.about_near, gauges(passing.near))
    listed = gauges(passing.far)
    if found.most is not None or not listed:
        return found
    other = _bounds(goal, passing.start, passing.about_all, listed)
    return Length(max(found.least, other.least), other.most)


def _bounds(goal: n.Expr, start: Question, one: Question, listed: list[Gauge]) -> Length:
    rates = [rate for gauge in listed if (rate := _rate(one, gauge)) is not None]
    most = min((len(rate.gauge) // rate.least for rate in rates if rate.least > 0), default=None)
    return Length(_least(goal, rates, start, one), most)


def _rate(one: Question, gauge: Gauge) -> Rate | None:
    """The rate of a gauge; None if a ply can move it back, or by too much."""
    before = [one.holds(fact, 0) for fact in gauge]
    after = [one.holds(fact, 1) for fact in gauge]
    gates = one.gates
    back = gates.any([gates.all([a, -b]) for a, b in zip(before, after, strict=True)])
    if one.possible([back]):
        return None
    added = ((gates.all([-a, b]), 1) for a, b in zip(before, after, strict=True))
    counts = levels(one, added, MOST_AT_ONCE + 1)
    most = next((m for m in range(MOST_AT_ONCE + 1) if not one.possible([counts[m + 1]])), None)
    if most is None:
        return None
    least = next(m for m in range(most, -1, -1) if m == 0 or not one.possible([-counts[m]]))
    return Rate(gauge, least, most)


def _least(goal: n.Expr, rates: list[Rate], start: Question, one: Question) -> int:
    """The best lower bound from gauges whose facts are false at the start and needed by the goal."""
    best = 0
    for rate in rates:
        facts = rate.gauge
        needed = -(-len(facts) // rate.most) if rate.most else 0
        if needed <= best or not all(map(start.encodes, facts)):
            continue
        if start.possible([start.gates.any([start.holds(fact, 0) for fact in facts])]):
            continue
        missing = one.gates.any([-one.holds(fact, 1) for fact in facts])
        if not one.possible([one.holds(goal, 1), missing]):
            best = needed
    return best
