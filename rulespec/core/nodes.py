"""The closed list of operators.

Expressions have a type and no effect; they contain no chance and never fault. Effects change the
state in order. How nothing is treated is part of each operator:

    strict     one operand none gives the nothing of the result's type (none, no, {} or [])
    question   one operand none gives no

Arithmetic, Field, Read, Item, Narrow and Call are strict; Less, AtMost and Member are questions;
Equal compares none like any value; IsNone and Otherwise see it. Conditions are never none.
Where an operator evaluates a body once for each element, elements come in ascending order of
their type for sets, in list order for lists.

Every executable meaning is a table with one handler for each class in EXPRESSIONS and EFFECTS.
Nodes compare by identity, so facts about them (places, free variables, costs) live in side tables.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from .types import Type, Value

if TYPE_CHECKING:
    from .types import Scalar


@dataclass(frozen=True, eq=False, slots=True)
class Var:
    """A local name: a parameter, a binder, a let. Identity matters, not the name."""

    name: str
    type: Type


@dataclass(frozen=True, eq=False, slots=True)
class StateVar:
    """A variable of the state. `initial` has no free locals; hidden ones are seen only through sights."""

    name: str
    type: Type
    initial: Expr
    hidden: bool = False


@dataclass(eq=False, slots=True)
class Function:
    """A definition. `falling` is the position of the parameter that bounds its recursion.

    `static` says that it reads no state, so that it is a table of its arguments. `result` is the
    type a strict call gives when no argument is missing. The body is set once, after its calls
    to itself exist.
    """

    name: str
    params: tuple[Var, ...]
    result: Type
    falling: int | None = None
    static: bool = False
    clause: str = ""
    body: Expr = field(init=False)
    table: dict[tuple[Value, ...], Value] = field(default_factory=dict)


@dataclass(frozen=True, eq=False, slots=True)
class Expr:
    """Base of all expressions."""

    type: Type


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
    """Whether a value is none."""

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
    """Whether a scalar is in a set or a list. A question."""

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


# ---- over a finite domain: `source` is a set or a list


@dataclass(frozen=True, eq=False, slots=True)
class All(Expr):
    """Whether the body holds for every element."""

    var: Var
    source: Expr
    body: Expr


@dataclass(frozen=True, eq=False, slots=True)
class Any(Expr):
    """Whether the body holds for some element."""

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
    """Whether the mover has a legal action of this name, with the given first arguments if any."""

    action: str
    args: tuple[Expr, ...]


# ---- effects


@dataclass(frozen=True, eq=False, slots=True)
class Effect:
    """Base of all effects."""


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


EXPRESSIONS: tuple[type[Expr], ...] = (
    Const, Domain, Local, Get,
    Not, And, Or, If, Let,
    Equal, Less, AtMost,
    Add, Sub, Mul, Div, Mod,
    Make, Field, IsNone, Otherwise, Narrow,
    Tabulate, Read, SetOf, Member, Union, Intersection, Difference,
    ListOf, Item, Slice, Top, Rest, Concat, Size,
    All, Any, Sum, Best, First, Select, Image, Collect, Fold,
    Follow, Reach, Call, Can,
)  # fmt: skip

EFFECTS: tuple[type[Effect], ...] = (Assign, Block, When, ForEach, Bind, Draw, Shuffle)

NOTHING_DONE = Block(())
