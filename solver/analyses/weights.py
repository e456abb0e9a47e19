"""Numbers and conditions over the state as weighted sums of contents of lists, sets or places, or of numbers.

The number of pieces of a colour, the number at home, the absence of misplaced pieces: each is a sum to which
every value in every list or set adds its own weight. So a ply matters only by the values it moves out of them
and into them. The coins of all players and the bank are a sum of numbers, in which only amounts matter.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import admits, evaluate
from rulespec.core.traversal import nodes_within, rebuild
from rulespec.core.types import BOOL, Int, List, Map, Optional, Scalar, Set, Value, integers
from rulespec.solver.formulas.dependencies import Dependencies

from .flows import list_in, set_in

SAME, NOT_ABOVE, NOT_BELOW = "same", "not above", "not below"
"""The demand of a claim on a sum: plies leave it unchanged, do not raise it, or do not lower it."""

Place = tuple[n.StateVar, tuple[Value, ...]]
"""A list, a set, a single value or a number: its variable, and the keys that lead to it."""


class NotWeighed(Exception):
    """Raised for an expression that is no weighted sum of the contents of lists, or of numbers."""


@dataclass
class Weights:
    """A sum: a number, for each list or place the weight of each value there, and for each number its
    weight."""

    base: int = 0
    of: dict[Place, dict[Value, int]] = field(default_factory=dict)
    numbers: dict[Place, int] = field(default_factory=dict)

    def add(self, place: Place, value: Value, weight: int) -> None:
        """Add to the weight of a value in a list."""
        held = self.of.setdefault(place, {})
        held[value] = held.get(value, 0) + weight

    def is_uniform(self) -> bool:
        """True if each value has the same weight in all lists of these variables."""
        for var in {var for var, _ in self.of}:
            held = [self.of.get((var, keys), {}) for keys in _all_keys(var)]
            if any(_nonzero(x) != _nonzero(held[0]) for x in held):
                return False
        found = [_nonzero(weights) for weights in self.of.values()]
        return all(x == found[0] for x in found)

    def of_whole_variables(self) -> dict[n.StateVar, int]:
        """The weights of numbers by variable, the same for all in one. Raises NotWeighed."""
        found = {}
        for var in {var for var, _ in self.numbers}:
            held = {self.numbers.get((var, keys), 0) for keys in _all_keys(var)}
            if len(held) > 1:
                raise NotWeighed
            found[var] = held.pop()
        return found

    def has_cells(self) -> bool:
        """True if some places hold single values, not lists or sets."""
        return any(list_in(var.type) is None and set_in(var.type) is None for var, _ in self.of)

    def values_of_sign(self, sign: int) -> dict[Place, frozenset[Value]]:
        """The values of each list whose weight is positive or, for -1, negative."""
        found = {place: frozenset(v for v, w in of.items() if w * sign > 0) for place, of in self.of.items()}
        return {place: values for place, values in found.items() if values}


def _nonzero(weights: Mapping[Value, int]) -> dict[Value, int]:
    return {value: weight for value, weight in weights.items() if weight}


def _all_keys(var: n.StateVar) -> Iterator[tuple[Value, ...]]:
    """Yield every path of keys that leads to an entry of a variable."""

    def below(t: Any) -> Iterator[tuple[Value, ...]]:
        if not isinstance(t, Map):
            yield ()
            return
        for key in t.keys.values:
            for rest in below(t.of):
                yield (key, *rest)

    return below(var.type)


def total(variables: frozenset[n.StateVar]) -> n.Expr:
    """The number of values in all lists of some variables, as an expression."""
    most = 1_000_000_000
    counted: n.Expr = n.Const(integers(0, 0), 0)
    for var in variables:
        for keys in _all_keys(var):
            here: n.Expr = n.Get(var.type, var)
            t = var.type
            for key in keys:
                assert isinstance(t, Map)
                here, t = n.Read(t.of, here, n.Const(t.keys, key)), t.of
            held = list_in(t)
            assert held is not None
            counted = n.Add(integers(0, most), counted, n.Size(integers(0, held.cap), here))
    return counted


def weights_of(e: n.Expr, facts: Dependencies) -> Weights:
    """A number as a weighted sum. Raises NotWeighed."""
    found = Weights()
    _Weighing(facts, found).number(e, 1, {})
    return found


def demands_of(e: n.Expr, facts: Dependencies) -> list[tuple[Weights, str]]:
    """A condition as sums with the demands on plies that keep it true. Raises NotWeighed."""
    return list(_demands(e, facts, {}))


Known = dict[n.Var, Value]


def _demands(e: n.Expr, facts: Dependencies, known: Known) -> Iterator[tuple[Weights, str]]:
    """Yield each weighted sum that a condition compares, with the comparison. Raises NotWeighed."""
    match e:
        case n.And():
            for item in e.items:
                yield from _demands(item, facts, known)
        case n.All() if not facts.reads(e.source):
            for value in _elements(e.source, facts, known):
                yield from _demands(e.body, facts, {**known, e.var: value})
        case n.Or(items=(n.Not(item=given), *rest)) if not facts.reads(given) and rest:
            if evaluate(given, known, Context()):
                yield from _demands(rest[0] if len(rest) == 1 else n.Or(BOOL, tuple(rest)), facts, known)
        case n.Equal() | n.AtMost() | n.Less():
            found = Weights()
            weighing = _Weighing(facts, found)
            weighing.number(e.a, 1, known)
            weighing.number(e.b, -1, known)
            yield found, SAME if isinstance(e, n.Equal) else NOT_ABOVE
        case n.All():
            yield _none_of(e, n.Not(BOOL, e.body), facts, known)
        case n.Not(item=n.Any() as some):
            yield _none_of(some, some.body, facts, known)
        case _:
            raise NotWeighed


def _none_of(e: n.All | n.Any, body: n.Expr, facts: Dependencies, known: Known) -> tuple[Weights, str]:
    """The weights for the requirement that no element of a list satisfies a condition."""
    found = Weights()
    one, zero = (n.Const(integers(x, x), x) for x in (1, 0))
    counted = n.Sum(integers(0, 1), e.var, e.source, n.If(integers(0, 1), body, one, zero))
    _Weighing(facts, found).number(counted, 1, known)
    return found, NOT_ABOVE


def _elements(source: n.Expr, facts: Dependencies, known: Known) -> list[Value]:
    """The values of a set or list that does not depend on the state. Raises NotWeighed."""
    if facts.reads(source):
        raise NotWeighed
    found = evaluate(source, known, Context())
    return sorted(found) if isinstance(found, frozenset) else list(found)


@dataclass
class _Weighing:
    facts: Dependencies
    found: Weights

    def number(self, e: n.Expr, factor: int, known: Known) -> None:
        """Add `factor` times a number to the sum. Raises NotWeighed."""
        if not self.facts.reads(e):
            self.found.base += factor * self._constant(e, known)
            return
        match e:
            case n.Add():
                self.number(e.a, factor, known)
                self.number(e.b, factor, known)
            case n.Sub():
                self.number(e.a, factor, known)
                self.number(e.b, -factor, known)
            case n.Mul() if not self.facts.reads(e.a):
                self.number(e.b, factor * self._constant(e.a, known), known)
            case n.Mul() if not self.facts.reads(e.b):
                self.number(e.a, factor * self._constant(e.b, known), known)
            case n.Let() if not self.facts.reads(e.value):
                self.number(e.body, factor, {**known, e.var: evaluate(e.value, known, Context())})
            case n.Call() if not any(map(self.facts.reads, e.args)):
                given = [evaluate(a, known, Context()) for a in e.args]
                held = dict(zip(e.function.params, given, strict=True))
                if not all(admits(param.type, value) for param, value in held.items()):
                    raise NotWeighed  # the call is none, and so may be the number around it
                self.number(e.function.body, factor, held)
            case n.If(cond=n.Member(item=item, of=held)) if self.facts.reads(held):
                self._membership(e, item, held, factor, known)
            case n.Size(item=n.Select() as chosen):
                self._members(chosen, None, n.Const(integers(1, 1), 1), factor, known)
            case n.Size(item=item) if isinstance(item.type, List | Set):
                place, of = self._place(item, known), item.type.of
                for value in of.values if of is not None else ():
                    self.found.add(place, value, factor)
            case n.Get(type=Int()) | n.Read(type=Int()):
                place = self._place(e, known)
                self.found.numbers[place] = self.found.numbers.get(place, 0) + factor
            case n.Sum() if not self.facts.reads(e.source):
                for value in _elements(e.source, self.facts, known):
                    self.number(e.body, factor, {**known, e.var: value})
            case n.Sum() if isinstance(e.source, n.Get | n.Read):
                self._members(e.source, e.var, e.body, factor, known)
            case n.Sum():
                self._positions(e, factor, known)
            case _:
                self._of_one_place(e, factor, known)

    def _of_one_place(self, e: n.Expr, factor: int, known: Known) -> None:
        """Add a number that depends on the state only through the value at one place. Raises NotWeighed."""
        reads = [x for x in nodes_within(e) if isinstance(x, n.Read | n.Get) and not isinstance(x.type, Map)]
        calls = any(isinstance(x, n.Call) and self.facts.reads(x.function) for x in nodes_within(e))
        if not reads or calls or any(isinstance(x, n.After | n.Can) for x in nodes_within(e)):
            raise NotWeighed
        place, t = self._place(reads[0], known), reads[0].type
        if any(self._place(x, known) != place for x in reads):
            raise NotWeighed
        of = t.of if isinstance(t, Optional) else t
        if not isinstance(of, Scalar):
            raise NotWeighed
        for value in (*of.values, *([None] if isinstance(t, Optional) else [])):

            def there(node: n.Expr | n.Effect, value: Value = value) -> n.Expr | n.Effect:
                single = isinstance(node, n.Read | n.Get) and not isinstance(node.type, Map)
                return n.Const(node.type, value) if single and isinstance(node, n.Expression) else node

            weight = factor * self._constant(rebuild(e, there), known)
            if value is None:
                self.found.base += weight
                self.found.of[place] = {v: before - weight for v, before in self.found.of[place].items()}
            else:
                self.found.add(place, value, weight)

    def _membership(self, e: n.If, item: n.Expr, held: n.Expr, factor: int, known: Known) -> None:
        """Add one number if a set contains a value, and another one if it does not. Raises NotWeighed."""
        if any(map(self.facts.reads, (item, e.then, e.otherwise))):
            raise NotWeighed
        more, base = (self._constant(x, known) for x in (e.then, e.otherwise))
        self.found.base += factor * base
        self.found.add(self._place(held, known), evaluate(item, known, Context()), factor * (more - base))

    def _members(self, source: n.Expr, var: n.Var | None, body: n.Expr, factor: int, known: Known) -> None:
        """Add a sum over a set or list, or those in a set that meet conditions, of a number for each.

        Raises NotWeighed.
        """
        names, conditions = [*filter(None, [var])], list[n.Expr]()
        while isinstance(source, n.Select) and isinstance(source.type, Set):
            names.append(source.var)
            conditions.append(source.body)
            source = source.source
        of = source.type.of if isinstance(source.type, Set if conditions else Set | List) else None
        if of is None or any(map(self.facts.reads, (body, *conditions))):
            raise NotWeighed
        place = self._place(source, known)
        for value in of.values:
            here = {**known, **dict.fromkeys(names, value)}
            if all(evaluate(condition, here, Context()) for condition in conditions):
                self.found.add(place, value, factor * self._constant(body, here))

    def _constant(self, e: n.Expr, known: Known) -> int:
        """The value of an expression that does not depend on the state. Raises NotWeighed."""
        value = evaluate(e, known, Context())
        if not isinstance(value, int):
            raise NotWeighed
        return value

    def _place(self, e: n.Expr, known: Known) -> Place:
        """The variable and keys of an entry whose keys are known. Raises NotWeighed."""
        if isinstance(e, n.Get):
            return e.var, ()
        if isinstance(e, n.Read) and not self.facts.reads(e.key) and {*self.facts.free(e.key)} <= {*known}:
            var, keys = self._place(e.map, known)
            return var, (*keys, evaluate(e.key, known, Context()))
        raise NotWeighed

    def _positions(self, e: n.Sum, factor: int, known: Known) -> None:
        """Add a sum over the positions of a list whose terms depend on the values there.

        Raises NotWeighed.
        """
        whole = self._list_gone_through(e.source)
        place = self._place(whole, known)
        of = list_in(whole.type)
        for value in of.of.values if of is not None and of.of is not None else ():

            def there(node: n.Expr | n.Effect, value: Value = value) -> n.Expr | n.Effect:
                if isinstance(node, n.After):
                    raise NotWeighed
                if not isinstance(node, n.Item) or not isinstance(node.position, n.Local):
                    return node
                here = node.position.var is e.var and self._place(node.list, known) == place
                return n.Const(node.type, value) if here else node

            body = rebuild(e.body, there)
            free = (node.var for node in nodes_within(body) if isinstance(node, n.Local))
            if self.facts.reads(body) or any(var is e.var for var in free):
                raise NotWeighed
            self.found.add(place, value, factor * self._constant(body, known))

    def _list_gone_through(self, source: n.Expr) -> n.Expr:
        """The list whose positions are exactly the numbers in a set. Raises NotWeighed."""
        if isinstance(source, n.Select) and isinstance(source.source, n.Domain):
            bounds = source.body.items if isinstance(source.body, n.And) else (source.body,)
            upper = [b for b in bounds if isinstance(b, n.AtMost) and isinstance(b.b, n.Size)]
            lower = [b for b in bounds if isinstance(b, n.AtMost) and isinstance(b.a, n.Const)]
            bounded = [*(b.a for b in upper), *(b.b for b in lower)]
            within = all(isinstance(x, n.Local) and x.var is source.var for x in bounded)
            above = all(b.a.value is not None and b.a.value <= 1 for b in lower if isinstance(b.a, n.Const))
            if len(upper) == 1 and len(upper) + len(lower) == len(bounds) and within and above:
                size = upper[0].b
                assert isinstance(size, n.Size)
                held = list_in(size.item.type)
                if held is not None and {*range(1, held.cap + 1)} <= {*source.source.of.values}:
                    return size.item
        raise NotWeighed
