"""What random expressions are made with: types that are wanted, names in reach, a table of operators."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeVar, cast

from building import const, domain, get, hull, local, number
from hypothesis import strategies as st
from world import FREE, PIP, SCALARS, STATE, random_value, seeds

from rulespec.core import nodes as n
from rulespec.core.types import Int, List, Map, Optional, Scalar, Set, Truth, Type, fits, join, scalar_of

T = TypeVar("T")

LARGEST = 40
"""No number in these expressions is larger."""


def is_truth(t: Type) -> bool:
    return isinstance(t, Truth)


def is_scalar(t: Type) -> bool:
    return isinstance(t, Scalar) and not isinstance(t, Truth)


def is_single(t: Type) -> bool:
    return isinstance(t, Scalar)


def is_number(t: Type) -> bool:
    return isinstance(t, Int)


def is_set(t: Type) -> bool:
    return isinstance(t, Set)


def is_list(t: Type) -> bool:
    return isinstance(t, List)


def is_map(t: Type) -> bool:
    return isinstance(t, Map)


def is_any(t: Type) -> bool:
    return True


class Maker:
    """Makes expressions with the local names of `scope` in reach."""

    def __init__(self, draw: st.DrawFn, scope: tuple[n.Var, ...] = FREE) -> None:
        self.draw, self.scope = draw, scope

    def pick(self, items: Sequence[T]) -> T:
        return self.draw(st.sampled_from(items))

    def inside(self, *names: n.Var) -> Maker:
        """A maker within binders."""
        return Maker(self.draw, (*self.scope, *names))

    def make(self, want: Type, depth: int) -> n.Expr:
        """An expression for a type; `depth` operators deep at most, helpers not counted."""
        want = scalar_of(want) or want
        if depth <= 0:
            return self.leaf(want)
        kinds = [kind for kind, (gives, _) in OPERATORS.items() if gives(want)]
        return self.rooted(self.pick(kinds), want, depth)

    def rooted(self, kind: type[n.Expr], want: Type, depth: int) -> n.Expr:
        """An expression for a type with this operator at its root."""
        return OPERATORS[kind][1](self, kind, want, depth - 1)

    def leaf(self, want: Type) -> n.Expr:
        """A constant, a local name or a state variable."""
        names = [local(v) for v in self.scope if alike(v.type, want)]
        stored = [get(v) for v in STATE.values() if alike(v.type, want)]
        return self.pick([*names, *stored, self.known(want)])

    def known(self, want: Type) -> n.Expr:
        """A constant."""
        return const(want, random_value(want, random.Random(self.draw(seeds()))))

    def number(self, depth: int) -> n.Expr:
        """A number that is not too large to go on with."""
        made = self.make(PIP, depth)
        low, high = hull(made.type)
        return made if low >= -LARGEST and high <= LARGEST else self.leaf(PIP)

    def source(self, of: Scalar, depth: int) -> n.Expr:
        """A set or list of such elements."""
        return self.make(self.pick([Set(of), List(of, 3)]), depth)

    def over(self, depth: int, of: Scalar | None = None) -> tuple[n.Var, n.Expr, Maker]:
        """A binder, what it runs over, and a maker within it."""
        source = self.source(of or self.pick(SCALARS), depth)
        element = cast("Set | List", source.type).of
        assert element is not None
        var = n.Var("x", element)
        return var, source, self.inside(var)


Make = Callable[[Maker, Any, Any, int], n.Expr]
OPERATORS: dict[type[n.Expr], tuple[Callable[[Type], bool], Make]] = {}
"""For each operator: for which types it makes an expression, and how."""


def makes(*kinds: type[n.Expr], gives: Callable[[Type], bool]) -> Callable[[Make], Make]:
    def enter(make: Make) -> Make:
        OPERATORS.update(dict.fromkeys(kinds, (gives, make)))
        return make

    return enter


def alike(t: Type, want: Type) -> bool:
    """Whether an expression of a type is one for the wanted type."""
    if isinstance(want, Map) or isinstance(t, Map):
        return isinstance(want, Map) and isinstance(t, Map) and t.keys == want.keys and alike(t.of, want.of)
    if isinstance(want, Set | List) or isinstance(t, Set | List):
        return type(t) is type(want) and alike(cast(Any, t).of, cast(Any, want).of)
    mine, other = scalar_of(t), scalar_of(want)
    return mine is not None and other is not None and mine.family == other.family


def joined(a: n.Expr, b: n.Expr) -> Type:
    both = join(a.type, b.type)
    assert both is not None, f"{a.type} and {b.type}"
    return both


def lifted(t: Type, *operands: n.Expr) -> Type:
    """A type, or with nothing in it, where an operand may be none."""
    return t.with_none if any(isinstance(o.type, Optional) for o in operands) else t


def narrowed(made: n.Expr, t: Scalar) -> n.Expr:
    """The expression as a value of a type or none."""
    return made if fits(made.type, t) else n.Narrow(Optional(t), made, t)


def held(made: n.Expr, t: Type) -> n.Expr:
    """The expression with only values of a type: what does not belong to it left out or replaced."""
    if isinstance(t, Set):
        assert t.of is not None
        return n.Intersection(t, made, domain(t.of))
    if isinstance(t, List):
        assert t.of is not None
        var = n.Var("kept", cast(Scalar, cast(List, made.type).of))
        short = n.Slice(List(var.type, t.cap), made, number(1), number(t.cap))
        return n.Collect(t, var, short, narrowed(local(var), t.of))
    assert isinstance(t, Scalar)
    return made if fits(made.type, t) else n.Otherwise(t, narrowed(made, t), const(t, t.values[0]))
