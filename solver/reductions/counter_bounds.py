"""Bounds of expressions where only the number of things in each set is known.

A set of things, such as the cards of a hand, is represented by its size; `over` may be no for a play that has
ended because nobody could act. Which things there are is open. So a condition or number lies between two
expressions over what is known. They are one object if it is known exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.traversal import inline_call, nodes_with_definitions
from rulespec.core.types import BOOL, Int, Map, Optional, Scalar, Set, fits, integers
from rulespec.solver.formulas.dependencies import Dependencies

FALSE, TRUE = n.Const(BOOL, False), n.Const(BOOL, True)


@dataclass(frozen=True)
class Between:
    """The bounds of a condition (no is less than yes) or number; `low` is `high` if it is known exactly."""

    low: n.Expr
    high: n.Expr

    @property
    def is_exact(self) -> bool:
        """True if the value is known."""
        return self.low is self.high


def exactly(e: n.Expr) -> Between:
    """The bounds of a known value."""
    return Between(e, e)


UNKNOWN = Between(FALSE, TRUE)


def both(of: Iterable[Between], combine: Callable[[Sequence[n.Expr]], n.Expr]) -> Between:
    """Bounds that combine the low bounds and the high ones in the same monotone way."""
    items = tuple(of)
    low = combine([x.low for x in items])
    return exactly(low) if all(x.is_exact for x in items) else Between(low, combine([x.high for x in items]))


def all_of(items: Sequence[n.Expr]) -> n.Expr:
    """A conjunction, without what is always true."""
    left = [x for x in items if x is not TRUE]
    if len(left) < 2 or FALSE in left:
        return FALSE if FALSE in left else left[0] if left else TRUE
    return n.And(BOOL, tuple(left))


def any_of(items: Sequence[n.Expr]) -> n.Expr:
    """A disjunction, without what is always false."""
    left = [x for x in items if x is not FALSE]
    if len(left) < 2 or TRUE in left:
        return TRUE if TRUE in left else left[0] if left else FALSE
    return n.Or(BOOL, tuple(left))


def negation(x: Between) -> Between:
    """The bounds of the negation of a condition."""

    def no(e: n.Expr) -> n.Expr:
        return FALSE if e is TRUE else TRUE if e is FALSE else n.Not(BOOL, e)

    high = no(x.low)
    return exactly(high) if x.is_exact else Between(no(x.high), high)


def whole(value: int) -> n.Expr:
    """A constant number."""
    return n.Const(integers(value, value), value)


def _int(e: n.Expr) -> Int:
    return cast(Int, e.type)


def plus(a: n.Expr, b: n.Expr) -> n.Expr:
    """The sum of two numbers."""
    return n.Add(integers(_int(a).lo + _int(b).lo, _int(a).hi + _int(b).hi), a, b)


def minus(a: n.Expr, b: n.Expr) -> n.Expr:
    """The difference of two numbers."""
    return n.Sub(integers(_int(a).lo - _int(b).hi, _int(a).hi - _int(b).lo), a, b)


def _either(a: n.Expr, b: n.Expr, most: bool) -> n.Expr:
    """The greater or the smaller of two numbers."""
    if a is b:
        return a
    t = integers(min(_int(a).lo, _int(b).lo), max(_int(a).hi, _int(b).hi))
    return n.If(t, n.AtMost(BOOL, b, a) if most else n.AtMost(BOOL, a, b), a, b)


class CounterBounds:
    """The bounds of expressions of a game, if `counters` hold the sizes of the sets of `things`.

    Each counter is a number, or a map of numbers with the keys of the variable that it stands for.
    """

    def __init__(self, game: Game, things: Scalar, counters: Mapping[n.StateVar, n.StateVar]) -> None:
        self.things, self.counters = things, counters
        self.facts = Dependencies(game)
        self.open: set[n.Var] = set()
        """Local names whose values are open: things, and what depends on them."""
        self._unseen = {*counters, game.state["over"]}
        self._over = game.state["over"]
        self.may_be_stuck: n.Expr = TRUE
        """The condition that it is possible that nobody can act."""

    def is_known(self, e: n.Expr) -> bool:
        """True if an expression depends on nothing that is open."""
        asks = any(isinstance(node, n.Can | n.After) for node in nodes_with_definitions(e))
        return not (asks or self.facts.reads(e) & self._unseen or self.open & {*self.facts.free(e)})

    # ---- conditions

    def condition(self, e: n.Expr) -> Between:
        """The bounds of a condition."""
        if self.is_known(e):
            return exactly(e)
        match e:
            case n.Get() if e.var is self._over:
                return Between(e, any_of([e, self.may_be_stuck]))
            case n.Not():
                return negation(self.condition(e.item))
            case n.And():
                return both(map(self.condition, e.items), all_of)
            case n.Or():
                return both(map(self.condition, e.items), any_of)
            case n.If():
                return self._by_cases(e)
            case n.Any():
                return self._some(e.var, e.source, e.body)
            case n.All():
                failing = e.body.item if isinstance(e.body, n.Not) else n.Not(BOOL, e.body)
                return negation(self._some(e.var, e.source, failing))
            case n.Member() if isinstance(e.of.type, Set):
                return Between(FALSE, self.some_in(e.of).high)
            case n.Equal(a=n.Size(item=item), b=n.Const(value=0)) if isinstance(item.type, Set):
                return negation(self.some_in(item))
            case n.Equal() | n.AtMost() | n.Less():
                return self._comparison(e)
            case n.Let():
                return self._in_body(e, self.condition)
            case n.Call() if e.function.falling is None:
                return self.condition(inline_call(e))
        return UNKNOWN

    def _by_cases(self, e: n.If) -> Between:
        """Bounds of a conditional from those of its parts."""
        then, otherwise = self.condition(e.then), self.condition(e.otherwise)
        asked = self.condition(e.cond)
        if asked.is_exact:
            return both([then, otherwise], lambda x: n.If(BOOL, asked.low, x[0], x[1]))
        return Between(all_of([then.low, otherwise.low]), any_of([then.high, otherwise.high]))

    def _comparison(self, e: n.Equal | n.AtMost | n.Less) -> Between:
        """Bounds of a comparison from those of its operands."""
        if not (isinstance(e.a.type, Int) and isinstance(e.b.type, Int)):
            return UNKNOWN
        a, b = self.number(e.a), self.number(e.b)
        if a.is_exact and b.is_exact:
            return exactly(n.copy_with(e, a=a.low, b=b.low))
        if not isinstance(e, n.Equal):
            return Between(n.copy_with(e, a=a.high, b=b.low), n.copy_with(e, a=a.low, b=b.high))
        low = all_of([n.AtMost(BOOL, a.high, b.low), n.AtMost(BOOL, b.high, a.low)])
        return Between(low, all_of([n.AtMost(BOOL, a.low, b.high), n.AtMost(BOOL, b.low, a.high)]))

    def _some(self, var: n.Var, source: n.Expr, body: n.Expr) -> Between:
        """The bounds of the condition that some element of a source fulfils a condition."""
        if not self._holds_things(source):
            if not self.is_known(source):
                return UNKNOWN
            return both([self.condition(body)], lambda x: n.Any(BOOL, var, source, x[0]))
        self.open.add(var)
        if isinstance(source, n.Domain):
            return self._met(var, body)
        there, held = self.some_in(source), self.condition(body)
        if var in self.facts.free(body):
            return Between(all_of([there.low, held.low]), all_of([there.high, held.high]))
        return both([there, held], all_of)

    def _met(self, var: n.Var, body: n.Expr) -> Between:
        """The bounds of the condition that some thing at all fulfils a condition."""
        if var not in self.facts.free(body):
            return self.condition(body)
        match body:
            case n.Member() if self._is(body.item, var) and var not in self.facts.free(body.of):
                return self.some_in(body.of) if isinstance(body.of.type, Set) else UNKNOWN
            case n.Or():
                return both((self._met(var, x) for x in body.items), any_of)
            case n.Any() if self._is_aside(body.source):
                inner = self._met(var, body.body)
                return both([inner], lambda x: n.Any(BOOL, body.var, body.source, x[0]))
            case n.Call() if body.function.falling is None:
                return self._met(var, inline_call(body))
        return self.condition(body)

    def _is_aside(self, source: n.Expr) -> bool:
        """True if a source has nothing to do with things."""
        return self.is_known(source) and not self._holds_things(source)

    @staticmethod
    def _is(e: n.Expr, var: n.Var) -> bool:
        return isinstance(e, n.Local) and e.var is var

    def _holds_things(self, source: n.Expr) -> bool:
        return isinstance(source.type, Set) and source.type.of == self.things

    # ---- sets

    def some_in(self, e: n.Expr) -> Between:
        """The bounds of the condition that a set is not empty."""
        if self.is_known(e):
            return exactly(n.Not(BOOL, n.Equal(BOOL, e, n.Const(e.type, frozenset()))))
        match e:
            case n.Union():
                return both([self.some_in(e.a), self.some_in(e.b)], any_of)
            case n.Select():
                return self._some(e.var, e.source, e.body)
            case n.Let():
                return self._in_body(e, self.some_in)
            case n.Call() if e.function.falling is None:
                return self.some_in(inline_call(e))
        return both([self.size(e)], lambda x: n.AtMost(BOOL, whole(1), x[0]))

    def size(self, e: n.Expr) -> Between:
        """The bounds of the number of elements of a set."""
        most = whole(len(self.things.values))
        anything = Between(whole(0), most)
        if self.is_known(e):
            return exactly(n.Size(integers(0, _most(e)), e))
        if not self._holds_things(e):
            return Between(whole(0), whole(_most(e)))
        if (counter := self.counter_of(e)) is not None:
            return exactly(counter)
        match e:
            case n.Union():
                a, b = self.size(e.a), self.size(e.b)
                return Between(_either(a.low, b.low, True), plus(a.high, b.high))
            case n.Difference():
                a, b = self.size(e.a), self.size(e.b)
                return Between(minus(a.low, b.high), a.high)
            case n.Intersection():
                return Between(whole(0), _either(self.size(e.a).high, self.size(e.b).high, False))
            case n.SetOf():
                always = any(not isinstance(x.type, Optional) for x in e.items)
                return Between(whole(int(always)), whole(len(e.items)))
            case n.Select() if isinstance(e.source, n.Domain):
                self.open.add(e.var)
                return self._count(e.var, e.body)
            case n.Select():
                return Between(whole(0), self.size(e.source).high)
            case n.Let():
                return self._in_body(e, self.size)
            case n.Call() if e.function.falling is None:
                return self.size(inline_call(e))
        return anything

    def counter_of(self, e: n.Expr) -> n.Expr | None:
        """The counter of a set that a variable holds; None for any other set."""
        if isinstance(e, n.Get) and e.var in self.counters:
            var = self.counters[e.var]
            return n.Get(var.type, var)
        if not (isinstance(e, n.Read) and isinstance(e.map, n.Get) and e.map.var in self.counters):
            return None
        var = self.counters[e.map.var]
        assert isinstance(var.type, Map)
        if not (fits(e.key.type, var.type.keys) and self.is_known(e.key)):
            return None
        return n.Read(var.type.of, n.Get(var.type, var), e.key)

    def _count(self, var: n.Var, body: n.Expr) -> Between:
        """The bounds of the number of things that fulfil a condition."""
        zero, most = whole(0), whole(len(self.things.values))
        match body:
            case n.Member() if self._is(body.item, var) and var not in self.facts.free(body.of):
                return self.size(body.of) if self._holds_things(body.of) else Between(zero, most)
            case n.Or():
                return self._joined([self._count(var, x) for x in body.items])
            case n.Any() if self._is_aside(body.source) and var not in self.facts.free(body.source):
                inner, domain = self._count(var, body.body), body.source
                t = integers(0, _int(inner.high).hi * _most(domain))
                return Between(zero, n.Sum(t, body.var, domain, inner.high))
            case n.Call() if body.function.falling is None:
                return self._count(var, inline_call(body))
        return Between(zero, most)

    @staticmethod
    def _joined(found: Sequence[Between]) -> Between:
        """Bounds of the number of elements that meet at least one of several conditions."""
        low, high = found[0].low, found[0].high
        for x in found[1:]:
            low, high = _either(low, x.low, True), plus(high, x.high)
        return Between(low, high)

    # ---- numbers

    def number(self, e: n.Expr) -> Between:
        """The bounds of a number that is never none."""
        if self.is_known(e):
            return exactly(e)
        t = _int(e)
        match e:
            case n.Size() if isinstance(e.item.type, Set):
                return self.size(e.item)
            case n.Add() if isinstance(e.a.type, Int) and isinstance(e.b.type, Int):
                return both([self.number(e.a), self.number(e.b)], lambda x: plus(x[0], x[1]))
            case n.Sub() if isinstance(e.a.type, Int) and isinstance(e.b.type, Int):
                a, b = self.number(e.a), self.number(e.b)
                return Between(minus(a.low, b.high), minus(a.high, b.low))
            case n.If() if isinstance(e.then.type, Int) and isinstance(e.otherwise.type, Int):
                a, b = self.number(e.then), self.number(e.otherwise)
                held = self.condition(e.cond)
                if held.is_exact:
                    return both([a, b], lambda x: n.If(t, held.low, x[0], x[1]))
                return Between(_either(a.low, b.low, False), _either(a.high, b.high, True))
            case n.Sum(body=n.If(cond=asked, then=n.Const(value=1), otherwise=n.Const(value=0))) if (
                self._holds_things(e.source)
            ):
                return self.size(n.Select(Set(self.things), e.var, e.source, asked))
            case n.Sum() if self._is_aside(e.source) and isinstance(e.body.type, Int):
                return both([self.number(e.body)], lambda x: _sum(e, x[0]))
            case n.Let() if isinstance(e.body.type, Int):
                return self._in_body(e, self.number)
            case n.Call() if e.function.falling is None and isinstance((made := inline_call(e)).type, Int):
                return self.number(made)
        return Between(whole(t.lo), whole(t.hi))

    def _in_body(self, e: n.Let, bounds: Callable[[n.Expr], Between]) -> Between:
        """The bounds of what a local name is for."""
        if not self.is_known(e.value):
            self.open.add(e.var)
            return bounds(e.body)
        return both([bounds(e.body)], lambda x: n.Let(x[0].type, e.var, e.value, x[0]))


def _most(e: n.Expr) -> int:
    """The greatest number of elements of a set or list."""
    t = e.type
    return len(t.of.values) if isinstance(t, Set) and isinstance(t.of, Scalar) else int(getattr(t, "cap", 0))


def _sum(e: n.Sum, body: n.Expr) -> n.Expr:
    """A sum with another body."""
    most = _most(e.source)
    t = integers(min(0, most * _int(body).lo), max(0, most * _int(body).hi))
    return n.Sum(t, e.var, e.source, body)
