"""Operators on maps, sets and lists."""

from __future__ import annotations

from dataclasses import dataclass

from ..types import Scalar
from .base import Expr, Var

# ---- maps and sets


@dataclass(frozen=True, eq=False, slots=True)
class Tabulate(Expr):
    """The map that gives the body's value at each key, bound to `var`."""

    var: Var
    keys: Scalar
    body: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Read(Expr):
    """A map's value at a key. At none, or at a value that is no key, it is nothing."""

    map: Expr
    key: Expr


@dataclass(frozen=True, eq=False, slots=True)
class SetOf(Expr):
    """The set of the given scalars, nones left out."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Member(Expr):
    """True if a scalar is in a set or a list; a condition."""

    item: Expr
    of: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Union(Expr):
    """What is in either of two sets."""

    a: Expr
    b: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Intersection(Expr):
    """What is in both of two sets."""

    a: Expr
    b: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Difference(Expr):
    """What is in the first of two sets and not in the second."""

    a: Expr
    b: Expr


# ---- lists


@dataclass(frozen=True, eq=False, slots=True)
class ListOf(Expr):
    """The list of the given scalars, nones left out."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Item(Expr):
    """The element at a position counted from 1 at the bottom; none outside the list. Strict."""

    list: Expr
    position: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Slice(Expr):
    """The elements from position `first` to position `last`, both included, as far as they exist.

    Empty where a bound is none.
    """

    list: Expr
    first: Expr
    last: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Top(Expr):
    """The topmost `count` elements: all where there are fewer, none where `count` is none or below 1."""

    list: Expr
    count: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Rest(Expr):
    """The elements below the topmost `count`: what `Top` leaves."""

    list: Expr
    count: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Concat(Expr):
    """The first list with the second on top of it. Capacities add up."""

    a: Expr
    b: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Size(Expr):
    """How many elements a set or a list has."""

    item: Expr
