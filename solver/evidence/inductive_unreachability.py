"""Goals that need something of which nothing can be the first.

Suppose that of certain facts none holds at the start, and that no ply makes one of them true while
none is. Then none ever is, and a goal that needs one is out of reach, however long the play. (Petri
nets know such sets of places as siphons.) The greatest such set is found by supposing all facts that
the start leaves open and taking back what one ply shows to be a beginning.
"""

from __future__ import annotations

from rulespec.core import nodes as n
from rulespec.core.types import Map
from solver.formulas.one_ply import Passing, gauges
from solver.formulas.question import Question

from .problem import Case

TRAP = "trap"
"""The name of this argument in evidence."""


def trap(case: Case, goal: n.Expr, passing: Passing) -> bool:
    """True if a goal that does not hold at the start is out of reach for want of a first."""
    beside = [var for var in passing.far if _alike(var, passing.near)]
    case.progress("whether something that it needs has no beginning")
    if _among(goal, passing, passing.near):
        return True
    return bool(beside) and _among(goal, passing, [*passing.near, *beside])


def _alike(var: n.StateVar, others: list[n.StateVar]) -> bool:
    """Whether a variable says something else of the same places as one of the others."""
    t = var.type
    return isinstance(t, Map) and any(isinstance(o.type, Map) and o.type.keys == t.keys for o in others)


def _among(goal: n.Expr, passing: Passing, group: list[n.StateVar]) -> bool:
    """True if facts about these variables show that the goal is out of reach."""
    start = passing.start
    filling = [fact for gauge in gauges(group)[::2] for fact in gauge.facts]
    facts = [fact for fact in filling if start.fails_at_first(fact)]
    if not facts:
        return False
    left = _never_first(passing.changing(group), facts)
    position = passing.position(group)
    none_of_them = [-position.holds(fact, 0) for fact in left]
    return bool(left) and not position.possible([position.holds(goal, 0), *none_of_them])


def _never_first(one: Question, facts: list[n.Expr]) -> list[n.Expr]:
    """Those of the facts that no ply makes true while none of them is."""
    left = list(facts)
    while left:
        after = {fact: one.holds(fact, 1) for fact in left}
        none_of_them = [-one.holds(fact, 0) for fact in left]
        if not one.possible([*none_of_them, one.rules.any(after.values())]):
            break
        left = [fact for fact in left if not one.was(after[fact])]
    return left
