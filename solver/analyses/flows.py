"""The flow of values between lists, sets or single places, and of amounts between numbers, from effects.

A piece that moves from one list to another leaves all lists taken together unchanged, and sowing seeds leaves
their total unchanged. An engine would have to count to see that; the text shows it: what stores add and
remove are *bags* of parts with signs, and the bags of an effect cancel. A part is a single value, a whole
list, one end of a list, or a number, written as a term that records after which store into a variable it was
read. Keys are never assumed to differ: what is removed was at exactly that place at exactly that moment, and
where it matters that another store left that place alone, an engine has to show it.
"""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import assert_never

from rulespec.core import nodes as n
from rulespec.core.traversal import assignments
from rulespec.core.types import BOOL, Int, List, Map, Optional, Scalar, Set, Type, fits, integers
from rulespec.solver.formulas.dependencies import Dependencies

from .terms import FIRST, Term, Terms, below_keys, place_of

Bag = dict[Term, int]
"""Parts of lists with their multiplicities: `("all", list)`, `("top", list, count)`, `("low", list,
count)`, `("one", value)`; a value that is none is no part. Of numbers: `("number", term)` and `UNIT`."""
UNIT: Term = ("unit",)
"""The number 1."""
NOTHING: Term = ("const", None)
NO_MEMBERS: Term = ("const", frozenset())


class Unread(Exception):
    """Raised for an effect that the analysis does not cover; the text says which."""


@dataclass(frozen=True)
class Wrap:
    """A binder around a part of an effect: a name for a value (`let`), a condition (`if`), or a loop."""

    kind: str
    value: n.Expr
    var: n.Var | None = None


@dataclass(frozen=True)
class Change:
    """One store into a list: its keys, and the parts that it adds and removes."""

    target: n.StateVar
    keys: tuple[Term, ...]
    gains: tuple[Term, ...]
    losses: tuple[Term, ...]
    wraps: tuple[Wrap, ...]


def list_in(t: Type) -> List | None:
    """The type of the lists that a variable holds, as itself or in a map; None if it holds none."""
    t = _innermost(t)
    return t if isinstance(t, List) else None


def set_in(t: Type) -> Set | None:
    """The type of the sets that a variable holds, as itself or in a map; None if it holds none."""
    t = _innermost(t)
    return t if isinstance(t, Set) else None


def _innermost(t: Type) -> Type:
    while isinstance(t, Map):
        t = t.of
    return t


def exists(wraps: Iterable[Wrap], e: n.Expr) -> n.Expr:
    """The condition that a part of an effect is reached in a state where `e` holds."""
    for wrap in reversed(list(wraps)):
        if wrap.var is None:
            e = n.And(BOOL, (wrap.value, e))
        else:
            e = (n.Let if wrap.kind == "let" else n.Any)(BOOL, wrap.var, wrap.value, e)
    return e


def _read(held: n.Expr, key: n.Expr) -> n.Expr:
    assert isinstance(held.type, Map)
    return n.Read(held.type.of, held, key)


def sum_of_bags(*bags: Mapping[Term, int]) -> Bag:
    """The sum of bags, in which opposite parts cancel."""
    total: Bag = {}
    for bag in bags:
        for term, count in bag.items():
            total[term] = total.get(term, 0) + count
    return {term: count for term, count in total.items() if count}


def scaled_bag(bag: Mapping[Term, int], factor: int) -> Bag:
    """A bag that holds everything so many times."""
    return {term: count * factor for term, count in bag.items() if count * factor}


def filled_bag(bag: Mapping[Term, int], other: Mapping[Term, int], nothing: Iterable[Term]) -> Bag:
    """A bag with as many of the values that are none as another bag has; there they are no parts."""
    empty = {("one", value) for value in nothing}
    parts = {part: count for part, count in bag.items() if part not in empty}
    return parts | {part: count for part, count in other.items() if part in empty}


@dataclass
class Flow:
    """Follows the effects of one kind of ply, from any state. Raises Unread.

    `holders` are the variables whose lists count, with `weights` their numbers, as often as these say, and
    with `cells` their single values. `changes` are the stores into them, `needs` the conditions
    on the state before the ply that must be impossible for the bags to be right. `swells` is True if all
    lists together may at some moment hold more than before. `daring` are the stores, into any variable, of
    values that may not fit according to the types: each with its value and its context.
    """

    facts: Dependencies
    holders: frozenset[n.StateVar]
    weights: Mapping[n.StateVar, int] = field(default_factory=dict)
    cells: bool = False
    changes: list[Change] = field(default_factory=list)
    needs: list[n.Expr] = field(default_factory=list)
    swells: bool = False
    daring: list[tuple[n.Assign, Term, tuple[Wrap, ...]]] = field(default_factory=list)
    strays: list[tuple[Term, int]] = field(default_factory=list)
    """Single values, with their signs, of which it is not known how often they come in or go out."""
    _running: Bag = field(default_factory=dict)
    _bags: dict[Term, Bag] = field(default_factory=dict)
    _numbers: dict[Term, Bag] = field(default_factory=dict)
    """The sums behind the numbers with local names, by their terms."""
    _stored: dict[Term, tuple[Term, Term, Bag]] = field(default_factory=dict)
    """Stores of numbers, by the variable after them: the variable before, the place, and the number."""
    _sets: dict[Term, tuple[Term, tuple[Term, ...], n.Expr]] = field(default_factory=dict)
    """Stores of sets, by the variable after them: the variable before, the place, and the set."""
    _orders: dict[n.Var, Term] = field(default_factory=dict)
    """The lists of which all positions were shuffled, by the names of their orders."""
    _contexts: dict[Term, list[tuple[Wrap, ...]]] = field(default_factory=dict)
    """The contexts in which a number was added or removed."""

    def __post_init__(self) -> None:
        self.terms = Terms(self.facts)

    def run(self, e: n.Effect, wraps: tuple[Wrap, ...] = ()) -> Bag:
        """The bag that an effect adds to all lists taken together, or to all numbers."""
        return self._settled(self._follow(e, wraps))

    def _follow(self, e: n.Effect, wraps: tuple[Wrap, ...]) -> Bag:
        """The net elements that an effect puts into lists, under the enclosing conditions and loops."""
        match e:
            case n.Assign():
                return self._store(e, wraps)
            case n.Block():
                return sum_of_bags(*[self._follow(item, wraps) for item in e.items])
            case n.Bind():
                return self._follow(e.body, (*wraps, *self._bind(e.var, e.value)))
            case n.When():
                return self._when(e, wraps)
            case n.ForEach():
                return self._each(e, wraps)
            case n.Draw() | n.Shuffle():
                self.terms.names[e.var] = ("chance", next(self.terms.fresh))
                if isinstance(e, n.Draw) and isinstance(e.source.type, Set) and self.terms.early(e.source):
                    wraps = (*wraps, Wrap("each", e.source, e.var))
                else:
                    self.terms.late.add(e.var)
                if isinstance(e, n.Shuffle):
                    self._note_order(e)
                drawn = self.run(e.body, wraps)
                if isinstance(e, n.Shuffle) and not self.cells:
                    return drawn
                if drawn and not self.cells:
                    raise Unread("what chance gives comes into a list")
                self._note_strays(drawn)
                return {}
            case _:
                assert_never(e)

    def _note_order(self, e: n.Shuffle) -> None:
        """Record what a shuffled list contains: all of a set, or all positions of another list."""
        self._bags[self.terms.names[e.var]] = {("all", self.terms.of(e.source)): 1}
        match e.source:
            case n.Select(
                source=n.Domain(of=Int() as of), body=n.AtMost(a=n.Local(var=place), b=n.Size(item=shuffled))
            ) if place is e.source.var and isinstance(shuffled.type, List):
                if set(range(1, shuffled.type.cap + 1)) <= set(of.values):
                    self._orders[e.var] = self.terms.of(shuffled)

    def _bind(self, var: n.Var, value: n.Expr) -> tuple[Wrap, ...]:
        """Name a bound value; returns the wrap that binds it before the ply, if it is known then."""
        self.terms.names[var] = self.terms.of(value)
        if isinstance(value.type, List):
            self.bag(value)
        elif isinstance(value.type, Int):
            self._numbers[self.terms.names[var]] = self._number(value)
        if self.terms.early(value):
            return (Wrap("let", value, var),)
        self.terms.late.add(var)
        return ()

    def _when(self, e: n.When, wraps: tuple[Wrap, ...]) -> Bag:
        """The flow of a conditional effect. Raises Unread if its branches fill lists differently."""
        terms = self.terms
        before, some, running = dict(terms.versions), set(terms.some), self._running
        known, inside = self._known_before(e.cond), self._inside(e.cond)
        no_then, no_otherwise = (self._surely_none(e.cond, holds) for holds in (True, False))
        terms.some |= self._surely(e.cond, True)
        then = self.run(e.then, wraps if known is None else (*wraps, Wrap("if", known)))
        after, self._running = terms.versions, running
        terms.versions, terms.some = dict(before), some | self._surely(e.cond, False)
        unless = (*wraps, Wrap("if", n.Not(BOOL, e.cond))) if known is e.cond else wraps
        otherwise = self.run(e.otherwise, unless)
        terms.some = some
        terms.note_store([v for v in {**after, **terms.versions} if after.get(v) != terms.versions.get(v)])
        then, otherwise = filled_bag(then, otherwise, no_then), filled_bag(otherwise, then, no_otherwise)
        different = sum_of_bags(then, scaled_bag(otherwise, -1))
        if self.cells:
            for branch in (then, otherwise):
                self._note_strays({part: branch[part] for part in different if part in branch})
            then = {part: count for part, count in then.items() if part not in different}
        elif different not in ({}, inside):
            raise Unread("one of two branches puts more into lists than the other")
        self._running = sum_of_bags(running, then)
        return then

    def _known_before(self, cond: n.Expr) -> n.Expr | None:
        """A condition on the state before the ply that this one implies; None if there is none."""
        if self.terms.early(cond):
            return cond
        if isinstance(cond, n.And):
            known = [x for x in map(self._known_before, cond.items) if x is not None]
            return n.And(BOOL, tuple(known)) if known else None
        if isinstance(cond, n.Call) and all(map(self.terms.early, cond.args)):
            given = list(zip(cond.function.params, cond.args, strict=True))
            body = self._known_before(cond.function.body)
            if body is not None and all(fits(value.type, param.type) for param, value in given):
                return functools.reduce(lambda e, one: n.Let(BOOL, one[0], one[1], e), reversed(given), body)
        return None

    def _surely(self, cond: n.Expr, yes: bool) -> set[Term]:
        """The terms that are not none if a condition holds or, without `yes`, fails."""
        if isinstance(cond, n.And) and yes:
            return set().union(*(self._surely(item, True) for item in cond.items))
        if isinstance(cond, n.Not):
            return self._surely(cond.item, not yes)
        return {self.terms.of(cond.item)} if isinstance(cond, n.IsNone) and not yes else set()

    def _surely_none(self, cond: n.Expr, yes: bool) -> set[Term]:
        """The terms that are none if a condition holds or, without `yes`, fails."""
        if isinstance(cond, n.Not):
            return self._surely_none(cond.item, not yes)
        if isinstance(cond, n.And | n.Or) and yes is isinstance(cond, n.And):
            return set().union(*(self._surely_none(item, yes) for item in cond.items))
        return {self.terms.of(cond.item)} if isinstance(cond, n.IsNone) and yes else set()

    def _inside(self, cond: n.Expr) -> Bag:
        """The value at a position if a condition implies that the position exists; else an empty bag."""
        if isinstance(cond, n.AtMost) and isinstance(cond.b, n.Size):
            at = self.terms.item(self.terms.of(cond.b.item), self.terms.of(cond.a))
            return {("one", at): 1}
        return {}

    def _each(self, e: n.ForEach, wraps: tuple[Wrap, ...]) -> Bag:
        at_once = _at_once(e, self.facts)
        if at_once is not None:
            return self.run(at_once, wraps)
        """The flow of a loop: that of one round, once for each element."""
        terms, each = self.terms, ("each", next(self.terms.fresh))
        through = terms.of(e.source) if isinstance(e.source.type, List) else None
        terms.names[e.var] = each if through is None else terms.item(through, each)
        if terms.early(e.source):
            wraps = (*wraps, Wrap("each", e.source, e.var))
        else:
            terms.late.add(e.var)
        again, running, size = {a.target for a in assignments(e.body)}, self._running, self._size(e.source)
        terms.note_store(again)
        once = self.run(e.body, wraps)
        terms.note_store(again)
        if once.keys() == {UNIT}:
            self._note_contexts(size, [wraps])
            return scaled_bag(size, once[UNIT])
        if self.cells:
            self._note_strays(once)
            return {}
        whole = self._whole(once, each, through, e.source)
        self._running = sum_of_bags(running, whole)
        return whole

    def _whole(self, once: Bag, each: Term, through: Term | None, source: n.Expr) -> Bag:
        """The bag of a loop whose body adds `once` for each element. Raises Unread if that is unknown."""
        if not once:
            return {}
        term = next(iter(once))
        if once == {term: 1} and term[0] == "one" and term[1][0] == "item" and term[1][2] == each:
            of = term[1][1]
            if of == through or (isinstance(source, n.Domain) and self._covers(source.of, of)):
                return dict(self._bags.get(of, {("all", of): 1}))
        raise Unread("a loop puts more into lists than what it goes through")

    def _covers(self, positions: Scalar, of: Term) -> bool:
        """True if a range, which may have gaps, contains all positions of a list."""
        caps = [e.type.cap for e in self.terms.origin.get(of, ()) if isinstance(e.type, List)]
        return isinstance(positions, Int) and bool(caps) and {*range(1, min(caps) + 1)} <= {*positions.values}

    # ---- stores

    def _store(self, e: n.Assign, wraps: tuple[Wrap, ...]) -> Bag:
        """The flow of an assignment: the new elements, minus the old ones. Raises Unread."""
        terms, target = self.terms, e.target
        if self.facts.may_fault(e):
            self.daring.append((e, terms.of(e.value), wraps))
        if target not in self.holders:
            terms.note_store([target])
            return {}
        here: Term = ("get", target, terms.versions.get(target, 0))
        t, depth = target.type, 0
        while isinstance(t, Map) and depth < len(e.path):
            key = e.path[depth]
            self._must_be_key(key, t, wraps)
            here, t, depth = ("read", here, terms.of(key)), t.of, depth + 1
        if self.cells and not isinstance(t, Map | List | Set):
            self._name_first_value(e)
            value = terms.of(e.value)
            given = {} if value == NOTHING else {("one", value): 1}
            return self._store_known(e, here, given, ("one", here), wraps)
        if self.weights and isinstance(t, Int) and depth == len(e.path):
            return self._store_known(e, here, self._number(e.value), ("number", here), wraps)
        if not isinstance(t, List | Set):
            raise Unread(f"`{target.name}` is stored as a whole")
        keys = tuple(terms.of(key) for key in e.path[:depth])
        if isinstance(t, Set):
            change = self._store_set(e, here, wraps)
        elif depth == len(e.path):
            change = sum_of_bags(self.bag(e.value), scaled_bag(self._bags.get(here, {("all", here): 1}), -1))
            self._running = sum_of_bags(self._running, change)
            self.swells |= any(x > 0 and not self._was_taken(t) for t, x in self._running.items())
            terms.note_store([target])
        else:
            change = self._store_one(e, here, keys, wraps)
        gains = tuple(t for t, count in change.items() if count > 0)
        losses = tuple(t for t, count in change.items() if count < 0)
        self.changes.append(Change(target, keys, gains, losses, wraps))
        self._note_contexts(change, [wraps])
        return change

    def _store_one(self, e: n.Assign, here: Term, keys: tuple[Term, ...], wraps: tuple[Wrap, ...]) -> Bag:
        """The bag of a store at one position of a list, which must exist, or the store does nothing."""
        terms, target = self.terms, e.target
        position, value = terms.of(e.path[-1]), terms.of(e.value)
        there = terms.item(here, position)
        self.needs.append(exists(wraps, n.IsNone(BOOL, self.value_before(there, wraps))))
        before: Term = ("get", target, terms.versions.get(target, 0))
        terms.note_store([target])
        terms.stores[target, terms.versions[target]] = (before, (*keys, position), value)
        return sum_of_bags({("one", value): 1}, {("one", there): -1})

    def _store_set(self, e: n.Assign, here: Term, wraps: tuple[Wrap, ...]) -> Bag:
        """The flow of an assignment to a set; records its new members."""
        terms, target = self.terms, e.target
        given, stored = self._members(e.value, wraps)
        before, keys = place_of(here)
        terms.note_store([target])
        self._sets["get", target, terms.versions[target]] = (before, keys, stored)
        return sum_of_bags(given, {("all", here): -1})

    def _members(self, e: n.Expr, wraps: tuple[Wrap, ...]) -> tuple[Bag, n.Expr]:
        """The contents of a set as a bag, and the set as an expression over the state before the ply.

        What is added must not be in the set before, and what is removed must be in it.
        """
        of = e.b.type.of if isinstance(e, n.Union | n.Difference) and isinstance(e.b.type, Set) else None
        if not isinstance(e, n.Union | n.Difference) or of is None:
            term = self.terms.of(e)
            return {} if term == NO_MEMBERS else {("all", term): 1}, self.held_before(term, wraps)
        (bag, held), adds, x = self._members(e.a, wraps), isinstance(e, n.Union), n.Var("x", of)
        moved, there = self.held_before(self.terms.of(e.b), wraps), n.Member(BOOL, n.Local(of, x), held)
        self.needs.append(exists(wraps, n.Any(BOOL, x, moved, there if adds else n.Not(BOOL, there))))
        more = self._elements(e.b, moved, wraps)
        made = (n.Union if adds else n.Difference)(e.type, held, moved)
        return sum_of_bags(bag, more if adds else scaled_bag(more, -1)), made

    def _elements(self, e: n.Expr, before: n.Expr, wraps: tuple[Wrap, ...]) -> Bag:
        """The elements of a set that is written as one value or as a list without repetitions, or itself."""
        match e:
            case n.SetOf(items=(item,)):
                return {("one", self.terms.of(item)): 1}
            case n.Image(source=n.Expression(type=List(cap=cap)) as source, body=n.Local(var=var)) if (
                var is e.var
            ):
                listed = self.value_before(self.terms.of(source), wraps)
                sizes = [n.Size(integers(0, cap), whole) for whole in (before, listed)]
                self.needs.append(exists(wraps, n.Less(BOOL, *sizes)))
                return self.bag(source)
        return {("all", self.terms.of(e)): 1}

    def held_before(self, term: Term, wraps: tuple[Wrap, ...]) -> n.Expr:
        """A set or list as an expression over the state before the ply, through the stores of the ply.

        Raises Unread.
        """
        (kind, *rest), keys = place_of(term)
        if kind == "get" and rest[1] == 0:  # without the names of keys, which are not in scope later
            whole: n.Expr = n.Get(rest[0].type, rest[0])
            return functools.reduce(_read, [self.value_before(key, wraps) for key in keys], whole)
        with suppress(Unread):
            return self.value_before(term, wraps)
        at = [self.value_before(key, wraps) for key in keys]
        if (kind, *rest) not in self._sets:
            raise Unread("it matters what the ply itself stored before")
        before, stored_at, stored = self._sets[kind, *rest]
        if not self._is_in_scope(stored, wraps):
            raise Unread("it matters what the ply itself stored before")
        if stored_at == keys:
            return stored
        below = self.held_before(below_keys(before, keys), wraps)
        same = [n.Equal(BOOL, a, self.value_before(b, wraps)) for a, b in zip(at, stored_at, strict=True)]
        return n.If(below.type, n.And(BOOL, tuple(same)), stored, below)

    def _name_first_value(self, e: n.Assign) -> None:
        """Record an expression for the value that a place has before the ply."""
        there: Term = ("get", e.target, 0)
        before: n.Expr = n.Get(e.target.type, e.target)
        for key in e.path:
            assert isinstance(before.type, Map)
            there, before = ("read", there, self.terms.of(key)), n.Read(before.type.of, before, key)
        if all(map(self.terms.early, e.path)):
            self.terms.origin.setdefault(there, []).append(before)

    def _store_known(self, e: n.Assign, here: Term, given: Bag, there: Term, wraps: tuple[Wrap, ...]) -> Bag:
        """The bag of a store in place of another number or single value; later reads are traced to it."""
        terms, target = self.terms, e.target
        before, keys = place_of(here)
        terms.note_store([target])
        self._stored["get", target, terms.versions[target]] = (before, keys, given)
        change = sum_of_bags(given, {there: -1})
        self._note_contexts(change, [wraps])
        return scaled_bag(change, self.weights.get(target, 1))

    def _note_strays(self, bag: Bag) -> None:
        self.strays += [(part, 1 if count > 0 else -1) for part, count in bag.items()]

    def _settled(self, bag: Bag) -> Bag:
        """A bag whose numbers and single values are traced back through the stores before their reads."""
        settled: Bag = {}
        for part, count in bag.items():
            traced = {part: 1}
            if part[0] == "number" or self.cells:
                contexts = self._contexts[part]
                traced = self._traced(part, contexts)
                self._note_contexts(traced, contexts)
            settled = sum_of_bags(settled, scaled_bag(traced, count))
        return settled

    def _note_contexts(self, bag: Bag, contexts: Iterable[tuple[Wrap, ...]]) -> None:
        """Record the enclosing conditions and loops of each part."""
        for part in bag:
            noted = self._contexts.setdefault(part, [])
            noted += [wraps for wraps in contexts if wraps not in noted]

    def _traced(self, part: Term, contexts: Sequence[tuple[Wrap, ...]]) -> Bag:
        """A part before the stores of the ply; adds the needs under which the stores do not overlap."""
        if part == UNIT or part[1][0] not in ("get", "read"):
            return {part: 1}
        var, keys = place_of(part[1])
        if var not in self._stored:
            return {part: 1}
        before, stored_at, given = self._stored[var]
        if stored_at == keys:
            return sum_of_bags(*(scaled_bag(self._traced(x, contexts), c) for x, c in given.items()))
        pairs = list(zip(keys, stored_at, strict=True))
        if not any(a[0] == b[0] == "const" and a != b for a, b in pairs):
            for wraps in contexts:
                same = [n.Equal(BOOL, *(self.value_before(x, wraps) for x in pair)) for pair in pairs]
                self.needs.append(exists(wraps, n.And(BOOL, tuple(same))))
        return self._traced((part[0], below_keys(before, keys)), contexts)

    def _must_be_key(self, key: n.Expr, t: Map, wraps: tuple[Wrap, ...]) -> None:
        """Require a key that is not none, since otherwise the store does nothing. Raises Unread."""
        of = key.type.of if isinstance(key.type, Optional) else key.type
        if not isinstance(of, Scalar) or not set(of.values) <= set(t.keys.values):
            raise Unread("something may be stored where there is no place")
        term = self.terms.of(key)
        if isinstance(key.type, Optional) and term not in self.terms.some:
            self.needs.append(exists(wraps, n.IsNone(BOOL, self.value_before(term, wraps))))

    def _was_taken(self, part: Term) -> bool:
        """True if a part added by a loop comes from a list that was removed as a whole before."""
        if part[0] != "one" or part[1][0] != "item" or part[1][2][0] != "each":
            return False
        whole = self._bags.get(part[1][1], {("all", part[1][1]): 1})
        return self._running[part] == 1 and all(self._running.get(t, 0) <= -x for t, x in whole.items())

    def contexts(self, part: Term) -> Sequence[tuple[Wrap, ...]]:
        """The contexts in which a number or a single value was added or removed."""
        return self._contexts[part]

    def value_before(self, term: Term, wraps: Iterable[Wrap]) -> n.Expr:
        """An expression over the state before the ply with the value of a term, in this context.

        Raises Unread.
        """
        for found in self.terms.origin.get(term, ()):
            if self._is_in_scope(found, wraps):
                return found
        raise Unread("it matters what the ply itself stored before")

    def _is_in_scope(self, e: n.Expr, wraps: Iterable[Wrap]) -> bool:
        return (self.terms.names.keys() - {wrap.var for wrap in wraps}).isdisjoint(self.facts.free(e))

    # ---- bags

    def _number(self, e: n.Expr) -> Bag:
        """A number as a sum of numbers."""
        match e:
            case n.Const(value=int(value)):
                return scaled_bag({UNIT: 1}, value)
            case n.Add():
                return sum_of_bags(self._number(e.a), self._number(e.b))
            case n.Sub():
                return sum_of_bags(self._number(e.a), scaled_bag(self._number(e.b), -1))
            case n.Mul(a=n.Const(value=int(times)), b=other) | n.Mul(a=other, b=n.Const(value=int(times))):
                return scaled_bag(self._number(other), times)
        term = self.terms.of(e)
        return self._numbers.get(term, {("number", term): 1})

    def _size(self, source: n.Expr) -> Bag:
        """The number of elements of a set or list at this point of the effect."""
        match source:
            case n.Domain():
                return {UNIT: len(source.of.values)}
            case n.Select(
                source=n.Domain(of=Int() as of),
                body=n.And(items=(n.AtMost(a=n.Const(value=first), b=n.Local(var=low)), n.AtMost() as below)),
            ) if low is source.var and isinstance(below.a, n.Local) and below.a.var is source.var:
                last, among = below.b.type, isinstance(of.values, range) and of.lo <= first
                if among and isinstance(last, Int) and first - 1 <= last.lo and last.hi <= of.hi:
                    return sum_of_bags(self._number(below.b), {UNIT: 1 - first})
        return {("number", self.terms.of(n.Size(integers(0, 0), source))): 1}

    def bag(self, e: n.Expr) -> Bag:
        """The contents of a list, as a bag."""
        term = self.terms.of(e)
        if term not in self._bags:
            self._bags[term] = self._parts(e, term)
        return self._bags[term]

    def _parts(self, e: n.Expr, term: Term) -> Bag:
        """A list or set as a sum of smaller ones, or itself as one part."""
        of = self.terms.of
        match e:
            case n.Const(value=tuple(items)):
                return sum_of_bags(*({("one", ("const", x)): 1} for x in items))
            case n.ListOf():
                return sum_of_bags(*({("one", of(x)): 1} for x in e.items))
            case n.Concat():
                return sum_of_bags(self.bag(e.a), self.bag(e.b))
            case n.Top():
                return {self._end("top", e, e.list, e.count): 1}
            case n.Rest():
                return sum_of_bags(self.bag(e.list), {self._end("top", e, e.list, e.count): -1})
            case n.Collect(
                source=n.Local(var=order), body=n.Item(list=shuffled, position=n.Local(var=at))
            ) if at is e.var and order in self._orders and of(shuffled) == self._orders[order]:
                return self.bag(shuffled)
            case n.Slice() if of(e.first) == FIRST:
                return self._low(e, of(e.list), of(e.last))
            case n.Slice(last=n.Size(item=whole)) if of(whole) == of(e.list):
                below = self._below(e.first)
                if below is not None:
                    return sum_of_bags(self.bag(e.list), scaled_bag(self._low(e, of(e.list), below), -1))
        return {("all", term): 1}

    def _end(self, kind: str, e: n.Expr, whole: n.Expr, count: n.Expr) -> Term:
        """The term for the top elements of a list, with the expression that gives them before the ply."""
        if (kind, self.terms.of(count)) == ("top", FIRST):
            assert isinstance(whole.type, List) and whole.type.of is not None
            size = n.Size(integers(0, whole.type.cap), whole)
            return "one", self.terms.of(n.Item(Optional(whole.type.of), whole, size))
        found = (kind, self.terms.of(whole), self.terms.of(count))
        if self.terms.early(e):
            self.terms.origin.setdefault(found, []).append(n.Top(whole.type, whole, count))
        return found

    def _low(self, e: n.Slice, of: Term, last: Term) -> Bag:
        """The elements of a list up to a position, as a bag."""
        if last[0] == "const" and last[1] < 1:
            return {}
        if last[0] == "Sub" and last[-1] == FIRST:
            return sum_of_bags(self._low(e, of, last[-2]), {("one", self.terms.item(of, last[-2])): -1})
        found = ("low", of, last)
        if self.terms.early(e) and self.terms.of(e.first) == FIRST:
            self.terms.origin.setdefault(found, []).append(e)
        return {found: 1}

    def _below(self, first: n.Expr) -> Term | None:
        """The position below a given one, if its form shows that there is one; else None."""
        if isinstance(first, n.Const):
            return ("const", first.value - 1)
        if isinstance(first, n.Add) and self.terms.of(first.b) == FIRST:
            term = self.terms.of(first.a)
            return term if not isinstance(first.a.type, Optional) or term in self.terms.some else None
        return None


def _at_once(e: n.ForEach, facts: Dependencies) -> n.Effect | None:
    """The effect of a loop that adds each element of a set to sets or removes it, for all of them at once.

    Whether an element is in a set then depends on nothing but whether it was, so that elements do not
    influence one another. None for any other loop.
    """
    if not isinstance(e.source.type, Set) or isinstance(e.source, n.Domain):
        return None
    var, stored = n.Var("moved", e.source.type), {a.target for a in assignments(e.body)}
    moved, outside, stores = {e.var}, list[tuple[n.Var, n.Expr]](), list[n.Assign]()

    def is_fixed(value: n.Expr) -> bool:
        return moved.isdisjoint(facts.free(value)) and stored.isdisjoint(facts.reads(value))

    def collect(effect: n.Effect) -> bool:
        """True if an effect is covered; appends its stores, and the names that are bound around them."""
        match effect:
            case n.Block(items=items):
                return all(map(collect, items))
            case n.Bind(var=bound, value=n.Local(var=one)) if one in moved:
                moved.add(bound)
            case n.Bind(var=bound, value=value) if is_fixed(value):
                outside.append((bound, value))
            case n.Assign(
                value=n.Union(b=n.SetOf(items=(n.Local(var=one),)))
                | n.Difference(b=n.SetOf(items=(n.Local(var=one),))) as value
            ) if one in moved and all(map(is_fixed, effect.path)) and _is_place(value.a, effect):
                every = type(value)(value.type, value.a, n.Local(e.source.type, var))
                stores.append(n.Assign(effect.target, effect.path, every))
                return True
            case _:
                return False
        return collect(effect.body)

    if not collect(e.body):
        return None
    whole: n.Effect = n.Block(tuple(stores))
    for bound, value in reversed(outside):
        whole = n.Bind(bound, value, whole)
    return n.Bind(var, e.source, whole)


def _is_place(e: n.Expr, store: n.Assign) -> bool:
    """True if an expression reads the place of a store."""
    for key in reversed(store.path):
        if not isinstance(e, n.Read) or not _is_same_key(e.key, key):
            return False
        e = e.map
    return isinstance(e, n.Get) and e.var is store.target


def _is_same_key(a: n.Expr, b: n.Expr) -> bool:
    match a, b:
        case (n.Local(var=one), n.Local(var=other)) | (n.Get(var=one), n.Get(var=other)):
            return one is other
        case n.Const(value=one), n.Const(value=other):
            return bool(one == other)
    return False
