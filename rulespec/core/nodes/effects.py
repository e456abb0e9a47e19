"""Effects."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Effect, Expr, StateVar, Var


@dataclass(frozen=True, eq=False, slots=True)
class Assign(Effect):
    """Store a value in a state variable, or at a key of a map or a position of a list inside it.

    A key that is none (or no key), or a position outside the list, changes nothing. A value that
    the type there does not hold, a list past its capacity included, is a fault.
    """

    target: StateVar
    path: tuple[Expr, ...]
    value: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Block(Effect):
    """Effects one after another."""

    items: tuple[Effect, ...]


@dataclass(frozen=True, eq=False, slots=True)
class When(Effect):
    """One of two effects by a condition."""

    cond: Expr
    then: Effect
    otherwise: Effect


@dataclass(frozen=True, eq=False, slots=True)
class ForEach(Effect):
    """The body once for each element of a set or list, which is evaluated once, before the first."""

    var: Var
    source: Expr
    body: Effect


@dataclass(frozen=True, eq=False, slots=True)
class Bind(Effect):
    """A local name for a value, evaluated once, in the effects of a body."""

    var: Var
    value: Expr
    body: Effect


@dataclass(frozen=True, eq=False, slots=True)
class Draw(Effect):
    """Chance: one element of a set, bound to `var` in the body. From an empty set nothing is drawn.

    Without `weight` all are equally likely; with it, each in proportion to that number of it
    (`var` bound), which is not negative; elements of weight 0 do not occur.
    """

    var: Var
    source: Expr
    weight: Expr | None
    body: Effect


@dataclass(frozen=True, eq=False, slots=True)
class Shuffle(Effect):
    """Chance: the elements of a set as a list in uniformly random order, bound to `var` in the body."""

    var: Var
    source: Expr
    body: Effect
