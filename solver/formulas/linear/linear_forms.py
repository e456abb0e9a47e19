"""Linear forms: a number as a sum of yes-or-no facts, each with a weight.

Comparing two large sums is hard for an engine and mostly unnecessary: only the facts in which they differ
matter. So a number is written as a base and the facts that add to it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.traversal import FreeVariables, conjuncts, inline_call, reads_state, substitute
from rulespec.core.types import BOOL, Int, Optional, Scalar, Set, Value, integers, scalar_of

from ..aig import TooWide

MOST_FACTS = 5_000
"""Maximum number of facts of a number."""

Item = tuple[Scalar, Value]
"""An element of a type over which a sum ranges."""


@dataclass(frozen=True)
class WeightedFact:
    """A fact that adds `weight` to a number if it holds; `about` are the elements it was made for."""

    weight: int
    fact: n.Expr
    about: tuple[Item, ...] = ()


@dataclass(frozen=True)
class Total:
    """A number: `base` plus the weights of the facts that hold."""

    base: int
    facts: tuple[WeightedFact, ...]

    @property
    def least(self) -> int:
        """A lower bound of the number."""
        return self.base + sum(min(f.weight, 0) for f in self.facts)

    @property
    def negative(self) -> Total:
        """The number negated."""
        return Total(-self.base, tuple(WeightedFact(-f.weight, f.fact, f.about) for f in self.facts))


Known = Callable[[n.Expr], Value]
"""Returns the value of an expression if it is known beforehand, else None."""


def linear_form(number: n.Expr, known: Known = lambda e: None) -> Total:
    """A number as a total, with parts replaced by their `known` values. Raises TooWide if there are too
    many facts."""
    taken = _Taken(known)
    taken.gather(number, 1, _HERE)
    return Total(taken.base, tuple(taken.facts))


def nonnegative_total(e: n.Expr, known: Known = lambda e: None) -> Total | None:
    """A total that is nonnegative iff a comparison of two numbers holds; None for other conditions."""
    e = unfold(e)
    if not isinstance(e, n.AtMost | n.Less):
        return None
    a, b = e.a.type, e.b.type
    if not (isinstance(a, Int) and isinstance(b, Int)):
        return None
    taken = _Taken(known)
    taken.gather(e.b, 1, _HERE)
    taken.gather(e.a, -1, _HERE)
    return Total(taken.base - isinstance(e, n.Less), tuple(taken.facts))


def at_least(e: n.Expr, value: int) -> n.Expr:
    """The condition that an expression is at least some value."""
    return n.AtMost(BOOL, n.Const(integers(value, value), value), e)


def unfold(e: n.Expr) -> n.Expr:
    """An expression whose outermost names and definitions are replaced by their values."""
    while True:
        if isinstance(e, n.Let):
            e = substitute(e.body, {e.var: e.value})
        elif isinstance(e, n.Call) and e.function.falling is None and _fit(e):
            e = inline_call(e)
        else:
            return e


def is_closed(e: n.Expr) -> bool:
    """True if an expression reads neither the state nor a free local variable."""
    return not reads_state(e) and not FreeVariables()(e)


def closed_value(e: n.Expr) -> Value:
    """The value of a closed expression; None for any other."""
    return evaluate(e, {}, Context()) if is_closed(e) else None


def _fit(call: n.Call) -> bool:
    """True if the arguments of a call fit its definition."""
    given = zip(call.args, call.function.params, strict=True)
    return all(isinstance(a, n.Const) and isinstance(p.type, Scalar) and a.value in p.type for a, p in given)


@dataclass(frozen=True)
class _Place:
    """The context of a part within a sum: its conditions and elements."""

    under: tuple[n.Expr, ...] = ()
    about: tuple[Item, ...] = ()

    def where_some(self, *operands: n.Expr) -> _Place:
        """The context with the further condition that no operand is none."""
        optional = [e for e in operands if isinstance(e.type, Optional)]
        return _Place((*self.under, *(n.Not(BOOL, n.IsNone(BOOL, e)) for e in optional)), self.about)


class _Taken:
    """The total under construction."""

    def __init__(self, known: Known) -> None:
        self.known = known
        self.base = 0
        self.facts: list[WeightedFact] = []

    def gather(self, e: n.Expr, factor: int, at: _Place) -> None:
        """Add `factor` times an expression; none adds nothing, as in a sum."""
        e = unfold(e)
        value = self.known(e) if not is_closed(e) and not FreeVariables()(e) else closed_value(e)
        if isinstance(value, int):
            return self.constant(factor * value, at)
        match e:
            case n.Add() | n.Sub():
                both = at.where_some(e.a, e.b)
                self.gather(e.a, factor, both)
                self.gather(e.b, factor if isinstance(e, n.Add) else -factor, both)
            case n.Mul() if isinstance(times := closed_value(unfold(e.a)), int):
                self.gather(e.b, factor * times, at)
            case n.Mul() if isinstance(times := closed_value(unfold(e.b)), int):
                self.gather(e.a, factor * times, at)
            case n.If():
                self.branches(e, factor, at)
            case n.Sum(source=source) if (members := _members(source)) is not None:
                for item, conditions in members:
                    inner = _Place((*at.under, *conditions), (*at.about, item))
                    self.gather(substitute(e.body, {e.var: n.Const(*item)}), factor, inner)
            case n.Size(item=item) if (members := _members(item)) is not None:
                for element, conditions in members:
                    self.constant(factor, _Place((*at.under, *conditions), (*at.about, element)))
            case _:
                self.levels(e, factor, at)

    def branches(self, e: n.If, factor: int, at: _Place) -> None:
        """Add `factor` times one of two numbers, chosen by a condition."""
        yes, no = closed_value(unfold(e.then)), closed_value(unfold(e.otherwise))
        if isinstance(yes, int) and isinstance(no, int):
            self.constant(factor * no, at)
            self.constant(factor * (yes - no), _Place((*at.under, *conjuncts(e.cond)), at.about))
            return
        against = n.Not(BOOL, e.cond)
        self.gather(e.then, factor, _Place((*at.under, *conjuncts(e.cond)), at.about))
        self.gather(e.otherwise, factor, _Place((*at.under, against), at.about))

    def levels(self, e: n.Expr, factor: int, at: _Place) -> None:
        """Add a number by levels: its least value, plus 1 for each level above that it reaches. None adds
        0."""
        t = scalar_of(e.type)
        if t is None:
            return  # it is always none
        assert isinstance(t, Int)
        self.constant(factor * t.lo, at.where_some(e))
        for level in range(t.lo + 1, t.hi + 1):
            self.constant(factor, _Place((*at.under, at_least(e, level)), at.about))

    def constant(self, weight: int, at: _Place) -> None:
        """Add a weight under some conditions. TooWide with too many facts."""
        conditions = []
        for e in at.under:
            value = closed_value(e)
            if value is False or weight == 0:
                return
            if value is not True:
                conditions.append(e)
        if not conditions:
            self.base += weight
            return
        fact = conditions[0] if len(conditions) == 1 else n.And(BOOL, tuple(conditions))
        self.facts.append(WeightedFact(weight, fact, at.about))
        if len(self.facts) > MOST_FACTS:
            raise TooWide(f"a measure of more than {MOST_FACTS} facts")


_HERE = _Place()

Members = list[tuple[Item, tuple[n.Expr, ...]]]
"""Elements that a set may have, each with the conditions of its membership."""


def _members(source: n.Expr) -> Members | None:
    """The possible elements of a set, each with the conditions for it; None if they cannot be listed."""
    source = unfold(source)
    match source:
        case n.Domain(of=of):
            return [((of, value), ()) for value in of.values]
        case n.Select():
            inner = _members(source.source)
            if inner is None:
                return None
            body, var = source.body, source.var
            return [(item, (*held, substitute(body, {var: n.Const(*item)}))) for item, held in inner]
    t = source.type
    if not isinstance(t, Set) or t.of is None:
        return None
    of = t.of
    return [((of, v), (n.Member(BOOL, n.Const(of, v), source),)) for v in of.values]
