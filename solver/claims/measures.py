"""Measures that fall: a measure as a sum of facts with weights, of which a ply changes few.

To compare two great sums is hard for an engine, and mostly beside the point: a ply changes few of
the summands. So a measure is taken apart into yes-or-no facts, and of each ply only that is asked
which facts come and go.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.types import BOOL, Int, Optional, Set, integers, scalar_of
from solver.formulas import TooWide

from .asking import Question, at_least
from .structure import variables

MOST_FACTS = 5_000
"""Of how many facts a measure may be made."""

CHANGES = (6, 24, 96)
"""By how much the facts that raise the measure may raise it in one ply; the first that suffices is taken."""


@dataclass(frozen=True)
class Weighted:
    """A fact that adds `weight` to a measure where it holds."""

    weight: int
    fact: n.Expr


@dataclass(frozen=True)
class Total:
    """A measure: `base` and the weights of the facts that hold."""

    base: int
    facts: tuple[Weighted, ...]

    @property
    def least(self) -> int:
        """No value of the measure is lower."""
        return self.base + sum(min(f.weight, 0) for f in self.facts)


def taken_apart(measure: n.Expr) -> Total:
    """A measure as a total. TooWide if there are too many facts."""
    facts: list[Weighted] = []
    base = _gather(measure, 1, (), facts)
    return Total(base, tuple(facts))


Bound = tuple[tuple[n.Var, n.Expr], ...]
"""Locals with their values, the outermost first."""


def _gather(e: n.Expr, factor: int, bound: Bound, facts: list[Weighted]) -> int:
    """Add the facts of `factor` times an expression; what it adds to the base."""
    if not variables(e) and not bound:
        value = evaluate(e, {}, Context())
        assert isinstance(value, int)
        return factor * value
    match e:
        case n.Add():
            return _gather(e.a, factor, bound, facts) + _gather(e.b, factor, bound, facts)
        case n.Sub():
            return _gather(e.a, factor, bound, facts) + _gather(e.b, -factor, bound, facts)
        case n.Mul(a=n.Const(value=int(times)), b=item) | n.Mul(a=item, b=n.Const(value=int(times))):
            return _gather(item, factor * times, bound, facts)
        case n.If(then=n.Const(value=int(yes)), otherwise=n.Const(value=int(no))):
            _add(facts, factor * (yes - no), e.cond, bound)
            return factor * no
        case n.Call() if all(isinstance(x, n.Local | n.Const) for x in e.args):
            named = tuple(zip(e.function.params, e.args, strict=True))
            return _gather(e.function.body, factor, (*bound, *named), facts)
        case n.Let(value=n.Const()):
            return _gather(e.body, factor, (*bound, (e.var, e.value)), facts)
        case n.Sum(source=n.Domain(of=of)):
            values = [n.Const(of, value) for value in of.values]
            return sum(_gather(e.body, factor, (*bound, (e.var, value)), facts) for value in values)
        case n.Size(item=item) if isinstance(item.type, Set) and item.type.of is not None:
            for value in item.type.of.values:
                _add(facts, factor, n.Member(BOOL, n.Const(item.type.of, value), item), bound)
            return 0
    return _levels(e, factor, bound, facts)


def _levels(e: n.Expr, factor: int, bound: Bound, facts: list[Weighted]) -> int:
    """A number that is taken as it is: it is as many above its least value as levels are reached.

    A summand that is none adds nothing.
    """
    t = scalar_of(e.type)
    assert isinstance(t, Int)
    some = isinstance(e.type, Optional)
    if some and t.lo:
        _add(facts, factor * t.lo, n.Not(BOOL, n.IsNone(BOOL, e)), bound)
    for level in range(t.lo + 1, t.hi + 1):
        _add(facts, factor, at_least(e, level), bound)
    return 0 if some else factor * t.lo


def _add(facts: list[Weighted], weight: int, fact: n.Expr, bound: Bound) -> None:
    for var, value in reversed(bound):
        fact = n.Let(BOOL, var, value, fact)
    facts.append(Weighted(weight, fact))
    if len(facts) > MOST_FACTS:
        raise TooWide(f"a measure of more than {MOST_FACTS} facts")


def falls(one: Question, total: Total, by: int = 1) -> bool:
    """Whether the ply of a question, which has one, lowers a measure by so much, unless it faults."""
    going, coming = _changes(one, total)
    fine = [-one.rules.fault_seen(1)]
    for most in CHANGES:
        up = _counted(one, coming, most + 1)
        if one.possible([*fine, up[most + 1]]):
            continue
        down = _counted(one, going, most + by)
        not_lower = [one.rules.all([up[k], -down[k + by]]) for k in range(most + 1)]
        return not one.possible(fine, one_of=not_lower)
    return False


Changes = list[tuple[int, int]]
"""Literals that something changes, with by how much."""


def _changes(one: Question, total: Total) -> tuple[Changes, Changes]:
    """What lowers a measure and what raises it."""
    lower: Changes = []
    raising: Changes = []
    for f in total.facts:
        before, after = one.holds(f.fact, 0), one.holds(f.fact, 1)
        lost, won = one.rules.all([before, -after]), one.rules.all([-before, after])
        lower.append((lost if f.weight > 0 else won, abs(f.weight)))
        raising.append((won if f.weight > 0 else lost, abs(f.weight)))
    return lower, raising


def _counted(one: Question, changes: Sequence[tuple[int, int]], most: int) -> list[int]:
    """Literals that say that the changes come to at least 0, 1, 2, ... `most`."""
    rules = one.rules
    counts = [rules.all([])] + [rules.any([])] * most
    for literal, weight in changes:
        for i in range(most, 0, -1):
            counts[i] = rules.any([counts[i], rules.all([literal, counts[max(i - weight, 0)]])])
    return counts


# ---- inequalities


@dataclass(frozen=True)
class Inequality:
    """That one number is at most another, or is excused: `measure` is the one less the other."""

    condition: n.Expr
    measure: n.Expr
    excuse: n.Expr


def inequality(condition: n.Expr) -> Inequality | None:
    """A condition of the form a <= b, or that or something else; none if it is of another form."""
    items = condition.items if isinstance(condition, n.Or) else (condition,)
    found = [item for item in items if isinstance(item, n.AtMost) and _counts(item.a) and _counts(item.b)]
    if len(found) != 1:
        return None
    excuses = tuple(item for item in items if item is not found[0])
    excuse = n.Or(BOOL, excuses) if excuses else n.Const(BOOL, False)
    a, b = found[0].a, found[0].b
    assert isinstance(a.type, Int)
    assert isinstance(b.type, Int)
    difference = integers(a.type.lo - b.type.hi, a.type.hi - b.type.lo)
    return Inequality(condition, n.Sub(difference, a, b), excuse)


def _counts(e: n.Expr) -> bool:
    return isinstance(e.type, Int)
