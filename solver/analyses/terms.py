"""Expressions as terms while effects are followed: equal terms have equal values.

A term is a tuple: an operation, then its operands as terms. For a variable it records after which store it
was read, so terms of different moments of a ply can be compared.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from rulespec.core import nodes as n
from rulespec.core.traversal import BOUND, parts
from rulespec.solver.formulas.dependencies import Dependencies

Term = tuple[Any, ...]

FIRST: Term = ("const", 1)


def place_of(here: Term) -> tuple[Term, Term]:
    """The variable in which a value lies, at a point of the effect, and the keys that lead to it."""
    keys: list[Term] = []
    while here[0] == "read":
        keys.insert(0, here[2])
        here = here[1]
    return here, tuple(keys)


def below_keys(here: Term, keys: Iterable[Term]) -> Term:
    """The value to which keys lead from a variable at a point of the effect; see `place_of`."""
    return functools.reduce(lambda of, key: ("read", of, key), keys, here)


@dataclass
class Terms:
    """Expressions as terms, equal only if they have the same value, while effects are followed."""

    facts: Dependencies
    origin: dict[Term, list[n.Expr]] = field(default_factory=dict)
    """Expressions over the state before the ply with the values of terms."""
    versions: dict[n.StateVar, int] = field(default_factory=dict)
    """The version of each variable that was stored into."""
    names: dict[n.Var, Term] = field(default_factory=dict)
    late: set[n.Var] = field(default_factory=set)
    """Names whose values depend on an earlier store, or on chance."""
    some: set[Term] = field(default_factory=set)
    """Terms known not to be none."""
    stores: dict[tuple[n.StateVar, int], tuple[Term, Term, Term]] = field(default_factory=dict)
    """Stores at single positions, by the resulting version: the variable before, the place, the value."""
    fresh: Iterator[int] = field(default_factory=lambda: itertools.count(1))
    deep: int = 0
    """The number of binders around the present term."""

    def early(self, e: n.Expr) -> bool:
        """True if an expression certainly has its value from before the ply."""
        return self.facts.reads(e).isdisjoint(self.versions) and self.late.isdisjoint(self.facts.free(e))

    def note_store(self, variables: Iterable[n.StateVar]) -> None:
        """Note that these variables change here."""
        for var in variables:
            self.versions[var] = next(self.fresh)

    def of(self, e: n.Expr) -> Term:
        """The term of an expression at this point of the effect."""
        found = self._make_term(e)
        if self.early(e):
            self.origin.setdefault(found, []).append(e)
        return found

    def _make_term(self, e: n.Expr) -> Term:
        """The term of an expression, with the present versions of the variables that it reads."""
        if isinstance(e, n.Local):
            return self.names.get(e.var, ("local", e.var))
        if isinstance(e, n.Const):
            return ("const", e.value if not isinstance(e.value, dict) else repr(e.value))
        if isinstance(e, n.Get):
            return ("get", e.var, self.versions.get(e.var, 0))
        if isinstance(e, n.Read):
            return ("read", self.of(e.map), self.of(e.key))
        if isinstance(e, n.Item):
            return self.item(self.of(e.list), self.of(e.position))
        read = self.facts.reads(e) if isinstance(e, n.Call | n.Can | n.After) else frozenset()
        then = frozenset((var, self.versions.get(var, 0)) for var in read)
        binders = BOUND.get(type(e), ((), ()))[0]
        for binder in binders:
            self.deep += 1
            self.names[getattr(e, binder)] = ("bound", self.deep)
        inner = tuple(self.of(p) for p in parts(e) if isinstance(p, n.Expression))
        self.deep -= len(binders)
        slots = (getattr(e, slot) for slot in e.SLOTS if slot not in ("type", "name"))
        rest = tuple(value for value in slots if not isinstance(value, n.Expression | n.Var | tuple))
        return (type(e).__name__, rest, then, *inner)

    def item(self, of: Term, position: Term) -> Term:
        """The value at a position of a list, traced back through stores at single positions if possible."""
        root, keys = place_of(of)
        store = self.stores.get((root[1], root[2])) if root[0] == "get" else None
        if store is None:
            return ("item", of, position)
        before, place, value = store
        if place == (*keys, position):
            return value
        below = self.item(below_keys(before, keys), position)
        return below if below == value else ("item", of, position)  # the same, be it that place or not
