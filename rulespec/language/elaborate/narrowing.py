"""Narrowing: known conditions bound the values of expressions, if the types alone do not fit.

Facts are core expressions known to be true at a place of a text: the condition of a branch, `where`, the left
side of `and`, the requirements of an action in its effect. They are used only if the types alone do not
suffice, so that a text that needs none keeps its meaning node for node. A value that fits by its facts
becomes `Otherwise(value, first value of the type)`; the second part is never reached.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, cast

from ...core import nodes as n
from ...core.meter import Meter
from ...core.traversal import BOUND, inline_call, nodes_within
from ...core.types import BOOL, Int, List, Map, Optional, Scalar, Truth, Value, fits, scalar_of
from .folding import negation

MOST_STEPS = 20_000
"""Maximum number of steps of one question about facts."""
MOST_INLINED = 4
"""Maximum depth to which the bodies of definitions count as facts if a call is true."""

Interval = tuple[int, int]
Facts = tuple[n.Expr, ...]
"""Conditions that hold."""


class TooLong(Exception):
    """Raised when a question about facts takes too many steps; the answer is then that nothing is known."""


def narrow(made: n.Expr, wanted: Scalar, facts: Facts, meter: Meter) -> n.Expr | None:
    """An expression as a narrower type; None unless facts or its own conditions prove that it fits."""
    of = scalar_of(made.type)
    if of is None or of.family != wanted.family:
        return None
    if not _ask(meter, facts, lambda known: _fits(made, wanted, known)):
        return None
    inner = made if of.within(wanted) else n.Narrow(Optional(wanted), made, wanted)
    # The second value is never reached; it settles the type.
    return n.Otherwise(wanted, inner, n.Const(wanted, wanted.values[0]))


def is_at_least(number: n.Expr, least: int, facts: Facts, meter: Meter) -> bool:
    """True if facts prove that a number is at least `least`."""

    def ask(known: Knowledge) -> bool:
        bounds = known.interval(number)
        return bounds is not None and bounds[0] >= least

    return _ask(meter, facts, ask)


def _ask(meter: Meter, facts: Facts, ask: Callable[[Knowledge], bool]) -> bool:
    """The answer of a test of facts; False if it takes too many steps."""
    known = Knowledge()
    try:
        return ask(known.knowing_all(facts))
    except TooLong:
        return False
    finally:
        meter.spend(MOST_STEPS - max(0, known.budget.left))


def independent_of(facts: Facts, changed: Iterable[n.StateVar]) -> Facts:
    """The facts that still hold after some variables have changed."""
    variables = frozenset(changed)
    return tuple(fact for fact in facts if not variables or not _reads_any(fact, variables))


def _reads_any(e: n.Expr, variables: frozenset[n.StateVar]) -> bool:
    """True if an expression may read one of these variables, through calls and `can`, too."""
    waiting, seen = [e], set[n.Function]()
    while waiting:
        for node in nodes_within(waiting.pop()):
            if isinstance(node, n.Can) or (isinstance(node, n.Get) and node.var in variables):
                return True
            if isinstance(node, n.Call) and not node.function.static and node.function not in seen:
                seen.add(node.function)
                waiting.append(node.function.body)
    return False


class Budget:
    """A limit on the steps of a question about facts, because a hostile text could make it take for ever."""

    def __init__(self) -> None:
        self.left = MOST_STEPS

    def spend(self, steps: int) -> None:
        """Count steps in advance. Raises TooLong."""
        self.left -= steps
        if self.left < 0:
            raise TooLong


@dataclass(frozen=True)
class Knowledge:
    """The content of facts: expressions that are not none, and possible numbers or values of others.

    Expressions are compared by structure. `names` are the values of local names.
    """

    some: frozenset[Any] = frozenset()
    ranges: Mapping[Any, Interval] = field(default_factory=dict)
    values: Mapping[Any, frozenset[Value]] = field(default_factory=dict)
    names: Mapping[n.Var, n.Expr] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    false: bool = False
    """True if the facts contradict one another, so that the place is never reached."""

    def key(self, e: n.Expr) -> Any:
        """A value that is the same for expressions of the same structure."""
        return _key(e, self.names, self.budget)

    def knowing_all(self, facts: Facts) -> Knowledge:
        """This knowledge with further conditions, each interpreted with those before it."""
        known = self
        for fact in facts:
            known = known.knowing(fact)
        return known

    def knowing(self, fact: n.Expr, depth: int = 0) -> Knowledge:
        """This knowledge with a condition that holds."""
        self.budget.spend(1)
        if isinstance(fact, n.Const):
            return self if fact.value else replace(self, false=True)
        if isinstance(fact, n.And):
            known = self
            for item in fact.items:
                known = known.knowing(item, depth)
            return known
        if isinstance(fact, n.Or):
            possible = [known for item in fact.items if not (known := self.knowing(item, depth)).false]
            return possible[0] if len(possible) == 1 else replace(self, false=self.false or not possible)
        if isinstance(fact, n.IsNone):
            return replace(self, false=True) if self.is_some(fact.item) else self
        if isinstance(fact, n.Not):
            return self._knowing_not(fact.item, depth)
        if isinstance(fact, n.If) and isinstance(fact.otherwise, n.Const) and not fact.otherwise.value:
            return self.knowing(fact.cond, depth).knowing(fact.then, depth)
        if isinstance(fact, n.Call) and depth < MOST_INLINED and fact.function.falling is None:
            return self._not_none(fact).knowing(self._inline(fact), depth + 1)
        if isinstance(fact, n.Less | n.AtMost):
            return self._ordered(fact.a, fact.b, int(isinstance(fact, n.Less)))
        if isinstance(fact, n.Equal):
            return self._equal(fact.a, fact.b)
        if isinstance(fact, n.Member):
            return self._member(fact)
        if isinstance(fact, n.Let):
            return self._with_local(fact.var, fact.value).knowing(fact.body, depth)
        return self

    def _knowing_not(self, item: n.Expr, depth: int) -> Knowledge:
        """This knowledge with a condition that fails; a comparison with none adds nothing."""
        if isinstance(item, n.IsNone):
            return self._not_none(item.item)
        if isinstance(item, n.Or):
            known = self
            for part in item.items:
                known = known._knowing_not(part, depth)
            return known
        if isinstance(item, n.Not):
            return self.knowing(item.item, depth)
        if isinstance(item, n.Less | n.AtMost) and self.is_some(item.a) and self.is_some(item.b):
            return self._ordered(item.b, item.a, int(isinstance(item, n.AtMost)))
        if isinstance(item, n.Equal):
            for a, b in ((item.a, item.b), (item.b, item.a)):
                if isinstance(b, n.Const) and b.value is None:
                    return self._not_none(a)
                if isinstance(b, n.Const) and self.is_some(a):
                    return self._without(a, b.value)
        if isinstance(item, n.Call) and depth < MOST_INLINED and item.function.falling is None:
            sure = all(map(self.is_some, item.args))
            return self._knowing_not(self._inline(item), depth + 1) if sure else self
        return self

    def _inline(self, call: n.Call) -> n.Expr:
        self.budget.spend(sum(1 for _ in nodes_within(call.function.body)))
        return inline_call(call)

    def _with_local(self, var: n.Var, value: n.Expr) -> Knowledge:
        return replace(self, names={**self.names, var: value})

    def _not_none(self, e: n.Expr) -> Knowledge:
        """This knowledge with an expression that is not none, and its strict operands."""
        return replace(self, some=self.some | {self.key(part) for part in _strict_parts(e)})

    def _ordered(self, a: n.Expr, b: n.Expr, gap: int) -> Knowledge:
        """Knowledge after `a + gap <= b`: neither is none, and their intervals are narrowed."""
        known = self._not_none(a)._not_none(b)
        low, high = known.interval(a), known.interval(b)
        if low is None or high is None:
            return known
        return known._within(a, (low[0], high[1] - gap))._within(b, (low[0] + gap, high[1]))

    def _within(self, e: n.Expr, bounds: Interval) -> Knowledge:
        now = self.interval(e) or bounds
        both = max(now[0], bounds[0]), min(now[1], bounds[1])
        if both[0] > both[1]:
            return replace(self, false=True)
        return replace(self, ranges={**self.ranges, self.key(e): both})

    def _equal(self, a: n.Expr, b: n.Expr) -> Knowledge:
        """Knowledge after `a = b`."""
        if self.is_some(a) or self.is_some(b):
            known = self._not_none(a)._not_none(b)
            left, right = known.interval(a), known.interval(b)
            if left is not None and right is not None:
                return known._within(a, right)._within(b, left)
            for one, other in ((a, b), (b, a)):
                if isinstance(other, n.Const):
                    known = known._with_values(one, frozenset((other.value,)))
            return known
        return self

    def _member(self, fact: n.Member) -> Knowledge:
        """Knowledge after an item was found in a set."""
        known = self._not_none(fact.item)
        if isinstance(fact.of, n.SetOf):
            if not all(isinstance(item, n.Const) for item in fact.of.items):
                return known
            members = frozenset(cast(n.Const, item).value for item in fact.of.items)
        elif isinstance(fact.of, n.Domain):
            members = frozenset(fact.of.of.values)
        elif isinstance(fact.of, n.Const):
            members = frozenset(cast("Iterable[Value]", fact.of.value))
        else:
            return known
        if not members:
            return replace(self, false=True)
        if isinstance(scalar_of(fact.item.type), Int):
            return known._within(fact.item, (min(members), max(members)))
        return known._with_values(fact.item, members)

    def _possible(self, e: n.Expr) -> frozenset[Value]:
        of = scalar_of(e.type)
        known = self.values.get(self.key(e))
        return known if known is not None else frozenset(of.values if of is not None else ())

    def _with_values(self, e: n.Expr, values: frozenset[Value]) -> Knowledge:
        if isinstance(scalar_of(e.type), Int | Truth):
            return self
        left = self._possible(e) & values
        if not left:
            return replace(self, false=True)
        return replace(self, values={**self.values, self.key(e): left})

    def _without(self, e: n.Expr, value: Value) -> Knowledge:
        """This knowledge, with an expression known to be neither none nor this value."""
        bounds = self.interval(e)
        if bounds is None:
            return self._with_values(e, self._possible(e) - {value})
        low, high = bounds
        return self._within(e, (low + (value == low), high - (value == high)))

    # ---- questions

    def is_some(self, e: n.Expr) -> bool:
        """True if an expression is certainly not none."""
        self.budget.spend(1)
        if self.false or not isinstance(e.type, Optional) or self.key(e) in self.some:
            return True
        if isinstance(e, n.Local) and e.var in self.names:
            return self.is_some(self.names[e.var])
        if isinstance(e, n.Read):
            sure = isinstance(e.map.type, Map) and not isinstance(e.map.type.of, Optional)
            return sure and self.is_some(e.map) and self.is_within(e.key, cast(Map, e.map.type).keys)
        if isinstance(e, n.Field):
            return self.is_some(e.item)
        if isinstance(e, n.Add | n.Sub | n.Mul):
            return self.is_some(e.a) and self.is_some(e.b)
        if isinstance(e, n.Otherwise):
            return self.is_some(e.a) or self.is_some(e.b)
        if isinstance(e, n.If):
            then = self.knowing(e.cond).is_some(e.then)
            return then and self.knowing(negation(e.cond)).is_some(e.otherwise)
        if isinstance(e, n.Let):
            return self._with_local(e.var, e.value).is_some(e.body)
        if isinstance(e, n.Narrow):
            return self.is_within(e.item, e.into)
        if isinstance(e, n.Item):
            return self._is_inside(e)
        if isinstance(e, n.Call) and not isinstance(e.function.result, Optional):
            pairs = zip(e.args, e.function.params, strict=True)
            return all(not isinstance(p.type, Scalar) or self.is_within(a, p.type) for a, p in pairs)
        return False

    def _is_inside(self, e: n.Item) -> bool:
        """True if a position certainly lies within a list."""
        size, at = self._size(e.list), self.interval(e.position)
        same = isinstance(e.position, n.Size) and self.key(e.position.item) == self.key(e.list)
        if at is None or not self.is_some(e.position):
            return False
        return (at[0] >= 1 and at[1] <= size[0]) or (same and size[0] >= 1)

    def _size(self, of: n.Expr) -> Interval:
        cap = of.type.cap if isinstance(of.type, List) else 0
        for key, bounds in self.ranges.items():
            if key[0] == "Size" and key[1] == self.key(of):
                return bounds
        return 0, cap

    def is_within(self, e: n.Expr, wanted: Scalar) -> bool:
        """True if an expression is certainly a value of a scalar type."""
        return fits(e.type, wanted) or _fits(e, wanted, self)

    def interval(self, e: n.Expr) -> Interval | None:
        """The bounds of a number where it is not none; None for other expressions."""
        self.budget.spend(1)
        of = scalar_of(e.type)
        if not isinstance(of, Int):
            return None
        whole = self._computed(e) or (of.lo, of.hi)
        known = self.ranges.get(self.key(e), whole)
        return max(of.lo, whole[0], known[0]), min(of.hi, whole[1], known[1])

    def _computed(self, e: n.Expr) -> Interval | None:
        """The interval of an expression from those of its operands; None if unknown."""
        if isinstance(e, n.Const):
            return (e.value, e.value) if e.value is not None else None
        if isinstance(e, n.Local) and e.var in self.names:
            return self.interval(self.names[e.var])
        if isinstance(e, n.Add | n.Sub | n.Mul):
            a, b = self.interval(e.a), self.interval(e.b)
            return _combined(e, a, b) if a is not None and b is not None else None
        if isinstance(e, n.If):
            branches = ((e.cond, e.then), (negation(e.cond), e.otherwise))
            known = [(self.knowing(cond), branch) for cond, branch in branches]
            found = [k.interval(branch) for k, branch in known if not k.false]
            return _hull(found)
        if isinstance(e, n.Otherwise):
            return _hull([self.interval(e.a), *([] if self.is_some(e.a) else [self.interval(e.b)])])
        if isinstance(e, n.Let):
            return self._with_local(e.var, e.value).interval(e.body)
        if isinstance(e, n.Narrow):
            return self.interval(e.item)
        return None


def _fits(e: n.Expr, wanted: Scalar, known: Knowledge) -> bool:
    """True if an expression is certainly a value of a type of its family."""
    if known.false:
        return True
    if isinstance(e, n.If):
        branches = ((e.cond, e.then), (negation(e.cond), e.otherwise))
        return all(known.knowing(cond).is_within(branch, wanted) for cond, branch in branches)
    if isinstance(e, n.Let):
        return known._with_local(e.var, e.value).is_within(e.body, wanted)
    if isinstance(e, n.Otherwise) and not known.is_some(e.a):
        return known._not_none(e.a).is_within(e.a, wanted) and known.is_within(e.b, wanted)
    of = scalar_of(e.type)
    if of is None or of.family != wanted.family or not known.is_some(e):
        return False
    if isinstance(wanted, Int):
        bounds = known.interval(e)
        contiguous = wanted.hi - wanted.lo + 1 == len(wanted.values)
        return bounds is not None and contiguous and wanted.lo <= bounds[0] and bounds[1] <= wanted.hi
    return of.within(wanted) or known._possible(e) <= frozenset(wanted.values)


def _combined(e: n.Add | n.Sub | n.Mul, a: Interval, b: Interval) -> Interval:
    if isinstance(e, n.Add):
        return a[0] + b[0], a[1] + b[1]
    if isinstance(e, n.Sub):
        return a[0] - b[1], a[1] - b[0]
    corners = [x * y for x in a for y in b]
    return min(corners), max(corners)


def _hull(found: list[Interval | None]) -> Interval | None:
    known = [bounds for bounds in found if bounds is not None]
    if len(known) < len(found) or not known:
        return None
    return min(lo for lo, _ in known), max(hi for _, hi in known)


def _strict_parts(e: n.Expr) -> Iterator[n.Expr]:
    """An expression and its strict operands: they are some if the expression is."""
    yield e
    inner: tuple[n.Expr, ...] = ()
    if isinstance(e, n.Field | n.Narrow):
        inner = (e.item,)
    elif isinstance(e, n.Add | n.Sub | n.Mul | n.Div | n.Mod):
        inner = (e.a, e.b)
    elif isinstance(e, n.Read):
        inner = (e.key,)
    elif isinstance(e, n.Item):
        inner = (e.position,)
    elif isinstance(e, n.Call):
        pairs = zip(e.args, e.function.params, strict=True)
        inner = tuple(arg for arg, param in pairs if isinstance(param.type, Scalar))
    for part in inner:
        yield from _strict_parts(part)


def _key(e: n.Expr, names: Mapping[n.Var, n.Expr], budget: Budget) -> Any:
    """A key that is equal for expressions of equal structure, with local names substituted."""
    budget.spend(1)
    if isinstance(e, n.Local):
        return _key(names[e.var], names, budget) if e.var in names else ("Local", e.var)
    if isinstance(e, n.Const):
        return "Const", e.value, isinstance(e.value, bool)
    found: list[Any] = [type(e).__name__]
    binders, _ = BOUND.get(type(e), ((), ()))
    if binders:  # names that are bound here count by their place, so that equal expressions are alike
        depth = len(names)
        marks = {getattr(e, name): depth + i for i, name in enumerate(binders)}
        names = {**names, **{var: n.Const(BOOL, ("bound", mark)) for var, mark in marks.items()}}
    for slot in type(e).SLOTS:
        held: Any = getattr(e, slot)
        if slot == "type" or slot in binders:
            continue
        if isinstance(held, n.Expression):
            found.append(_key(cast(n.Expr, held), names, budget))
        elif isinstance(held, tuple) and held and isinstance(held[0], n.Expression):
            found.append(tuple(_key(item, names, budget) for item in held))
        elif isinstance(held, Scalar):
            found.append(id(held))
        else:
            found.append(held)
    return tuple(found)
