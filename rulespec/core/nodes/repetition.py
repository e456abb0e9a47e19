"""Operators that evaluate a body more than once: over a finite domain, walks, definitions."""

from __future__ import annotations

from dataclasses import dataclass

from .base import Expr, Function, Var

# ---- over a finite domain: `source` is a set or a list


@dataclass(frozen=True, eq=False, slots=True)
class All(Expr):
    """True if the body holds for every element."""

    var: Var
    source: Expr
    body: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Any(Expr):
    """True if the body holds for some element."""

    var: Var
    source: Expr
    body: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Sum(Expr):
    """The sum of the body over the elements; none counts as zero."""

    var: Var
    source: Expr
    body: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Best(Expr):
    """The most (or least) the body reaches over the elements, nones left out; none if there is none."""

    var: Var
    source: Expr
    body: Expr
    most: bool


@dataclass(frozen=True, eq=False, slots=True)
class First(Expr):
    """The first element for which the body holds; none if there is none."""

    var: Var
    source: Expr
    body: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Select(Expr):
    """The set of the elements for which the body holds."""

    var: Var
    source: Expr
    body: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Image(Expr):
    """The set of the body's values over the elements, nones left out."""

    var: Var
    source: Expr
    body: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Collect(Expr):
    """The list of the body's values over the elements, in order, nones left out."""

    var: Var
    source: Expr
    body: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Fold(Expr):
    """From `start`, the body's value for one element after another; `total` is the value so far."""

    var: Var
    total: Var
    source: Expr
    start: Expr
    body: Expr


# ---- bounded repetition


@dataclass(frozen=True, eq=False, slots=True)
class Follow(Expr):
    """From `start`, go on to `step` while `cond` holds and `step` is not none, at most `times` times.

    `var` is the value so far, in `step` and in `cond`. A start of none gives none; `times` none is 0.
    """

    var: Var
    start: Expr
    step: Expr
    cond: Expr
    times: Expr
    most: int


@dataclass(frozen=True, eq=False, slots=True)
class Reach(Expr):
    """The least set that holds `start` (as far as it lies in `source`) and every `var` of `source`
    for which the body holds with some `via` already in it.
    """

    var: Var
    source: Expr
    start: Expr
    via: Var
    body: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Call(Expr):
    """The value of a definition. Strict in the scalar arguments, and nothing also where one is
    outside the parameter's type (so a falling number that would pass its bound ends the recursion);
    parameters of optional type take none.
    """

    function: Function
    args: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Can(Expr):
    """True if the mover has a legal action of this name, with the given first arguments if any."""

    action: str
    args: tuple[Expr, ...]
