"""Operators on single values: known and named ones, logic, order, numbers, records, nothing."""

from __future__ import annotations

from dataclasses import dataclass

from ..types import Scalar, Value
from .base import Expr, StateVar, Var

# ---- values


@dataclass(frozen=True, eq=False, slots=True)
class Const(Expr):
    """A value known beforehand. `name` says how it was asked for where that is a parameter or a reading."""

    value: Value
    name: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Domain(Expr):
    """The set of all values of a scalar type."""

    of: Scalar


@dataclass(frozen=True, eq=False, slots=True)
class Local(Expr):
    """The value of a local name."""

    var: Var


@dataclass(frozen=True, eq=False, slots=True)
class Get(Expr):
    """The value of a state variable."""

    var: StateVar


# ---- logic


@dataclass(frozen=True, eq=False, slots=True)
class Not(Expr):
    """Negation."""

    item: Expr


@dataclass(frozen=True, eq=False, slots=True)
class And(Expr):
    """Conjunction, evaluated from the left until one is false."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Or(Expr):
    """Disjunction, evaluated from the left until one is true."""

    items: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class If(Expr):
    """One of two values by a condition."""

    cond: Expr
    then: Expr
    otherwise: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Let(Expr):
    """A local name for a value (which may be none) in a body."""

    var: Var
    value: Expr
    body: Expr


# ---- order


@dataclass(frozen=True, eq=False, slots=True)
class Equal(Expr):
    """Equality of two values of one family; none equals none only."""

    a: Expr
    b: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Less(Expr):
    """Strictly before in the order of the family. A question."""

    a: Expr
    b: Expr


@dataclass(frozen=True, eq=False, slots=True)
class AtMost(Expr):
    """Before or equal in the order of the family. A question."""

    a: Expr
    b: Expr


# ---- numbers


@dataclass(frozen=True, eq=False, slots=True)
class Add(Expr):
    """Sum of two numbers. Strict."""

    a: Expr
    b: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Sub(Expr):
    """Difference of two numbers. Strict."""

    a: Expr
    b: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Mul(Expr):
    """Product of two numbers. Strict."""

    a: Expr
    b: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Div(Expr):
    """Quotient rounded down; by zero it is none. Strict."""

    a: Expr
    b: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Mod(Expr):
    """Remainder with the sign of the divisor; by zero it is none. Strict."""

    a: Expr
    b: Expr


# ---- records and optional values


@dataclass(frozen=True, eq=False, slots=True)
class Make(Expr):
    """A record of its fields; none if a field is none or the combination is not in the type `of`."""

    of: Scalar
    fields: tuple[Expr, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Field(Expr):
    """A field of a record, by position from 0. Strict."""

    item: Expr
    position: int


@dataclass(frozen=True, eq=False, slots=True)
class IsNone(Expr):
    """True if a value is none."""

    item: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Otherwise(Expr):
    """The first value, or the second if the first is none."""

    a: Expr
    b: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Narrow(Expr):
    """A scalar if the type `into` holds it, else none. Strict."""

    item: Expr
    into: Scalar
