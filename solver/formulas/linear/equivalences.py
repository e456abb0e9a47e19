"""Equivalent conditions: each function preserves the meaning of an expression in every state."""

from __future__ import annotations

from typing import Any

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.traversal import BOUND
from rulespec.core.types import Type, Value, scalar_of

from ..dependencies import Dependencies

Key = tuple[Any, ...]

NO, YES = ("value", "Bool", False), ("value", "Bool", True)


def instances(e: n.Expr) -> list[n.Expr]:
    """Conditions that together are equivalent to `e`: one for each value of its quantified name."""
    if not isinstance(e, n.All) or not isinstance(e.source, n.Domain):
        return [e]
    of = e.source.of
    return [n.Let(e.type, e.var, n.Const(of, value), e.body) for value in of.values]


def alternatives(e: n.Expr) -> list[n.Expr]:
    """Conditions whose disjunction is equivalent to `e`."""
    if isinstance(e, n.Let):
        return [n.Let(e.type, e.var, e.value, one) for one in alternatives(e.body)]
    return [one for item in e.items for one in alternatives(item)] if isinstance(e, n.Or) else [e]


class Keys:
    """Keys of expressions: those with equal keys have equal values if their free locals have.

    Bound names count by their place alone, and constant expressions by their values.
    """

    def __init__(self, game: Game) -> None:
        self._facts = Dependencies(game)

    def of(self, e: n.Expr, bound: tuple[n.Var, ...] = ()) -> Key:
        """The key of an expression below the binders of some local names."""
        if not self._facts.reads(e) and not self._facts.free(e):
            return _constant(e.type, evaluate(e, {}, Context()))
        if isinstance(e, n.Local):
            return ("bound", bound[::-1].index(e.var)) if e.var in bound else ("free", e.var)
        if isinstance(e, n.And | n.Or):
            return self._junction(e, bound)
        return self._other(e, bound)

    def _junction(self, e: n.And | n.Or, bound: tuple[n.Var, ...]) -> Key:
        """The key of a conjunction or disjunction, without neutral operands."""
        absorbing, neutral = (NO, YES) if isinstance(e, n.And) else (YES, NO)
        items = [key for item in e.items if (key := self.of(item, bound)) != neutral]
        if absorbing in items:
            return absorbing
        return items[0] if len(items) == 1 else (type(e), *items) if items else neutral

    def _other(self, e: n.Expr, bound: tuple[n.Var, ...]) -> Key:
        """The key of an expression of no special kind: its type of node and the keys of its parts."""
        binders, bodies = BOUND.get(type(e), ((), ()))
        below = (*bound, *(getattr(e, name) for name in binders))
        key: list[Any] = [type(e)]
        for slot in e.SLOTS:
            held, around = getattr(e, slot), below if slot in bodies else bound
            key.append(held.type if slot in binders else self._part(held, around))
        return tuple(key)

    def _part(self, held: object, bound: tuple[n.Var, ...]) -> object:
        """The key of the content of a slot; names that an effect binds are used as they are."""
        if n.is_expression(held):
            return self.of(held, bound)
        if isinstance(held, n.Statement):
            return (type(held), *(self._part(getattr(held, slot), bound) for slot in held.SLOTS))
        return tuple(self._part(x, bound) for x in held) if isinstance(held, tuple) else held


def _constant(t: Type, value: Value) -> Key:
    """The key of a value: a number alone, other values with their type, because `yes` is not 1."""
    if isinstance(value, bool):
        return YES if value else NO
    of = scalar_of(t)
    return ("value", "number" if isinstance(value, int) and of and of.family == "number" else t, value)
