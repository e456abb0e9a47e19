"""The closed list of operators.

Expressions have a type and no effect; they contain no chance and never fault. Effects change the state in
order. The treatment of nothing is part of each operator:

    strict     one operand none gives the nothing of the result's type (none, no, {} or [])
    question   one operand none gives no

Arithmetic, Field, Read, Item, Narrow and Call are strict; Less, AtMost, Member and After are questions; Equal
compares none like any value; IsNone and Otherwise see it. Conditions are never none. Where an operator
evaluates a body once for each element, elements come in ascending order of their type for sets, in list order
for lists.

`Expr` and `Effect` are closed unions: code that dispatches on nodes ends in `assert_never`, so that the type
checker lists every place that lacks a new one. Every executable meaning is a table with one handler for each
class of `EXPRESSIONS`. Nodes compare by identity, so facts about them (places, free variables, costs) live in
side tables.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, TypeAlias, TypeGuard, TypeVar, dataclass_transform, get_args
from typing import Any as AnyType

from .types import Scalar, Type, Value


@dataclass_transform(frozen_default=True, eq_default=False)
class NodeType(type):
    """Creates classes of immutable records: slots and an initialiser for the annotated attributes, bases
    first.

    It works like `dataclass(frozen=True, eq=False, slots=True)` in a tenth of the time; only the type checker
    refuses assignments.
    """

    SLOTS: tuple[str, ...] = ()

    def __new__(cls, name: str, bases: tuple[type, ...], namespace: dict[str, AnyType]) -> NodeType:
        own = tuple(namespace.get("__annotations__", ()))
        defaults = {slot: namespace.pop(slot) for slot in own if slot in namespace}
        slots = (*(slot for base in bases if isinstance(base, NodeType) for slot in base.SLOTS), *own)
        listed = ", ".join(f"{slot}=defaults[{slot!r}]" if slot in defaults else slot for slot in slots)
        stores = "; ".join(f"self.{slot} = {slot}" for slot in slots) or "pass"
        made: dict[str, AnyType] = {}
        exec(f"def __init__(self, {listed}): {stores}", {"defaults": defaults}, made)  # noqa: S102
        namespace |= {"__slots__": own, "__match_args__": slots, "SLOTS": slots, **made}
        return super().__new__(cls, name, bases, namespace)


class Record(metaclass=NodeType):
    """Base of nodes and variables, which compare by identity."""

    if TYPE_CHECKING:
        SLOTS: ClassVar[tuple[str, ...]]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{slot}={getattr(self, slot)!r}' for slot in self.SLOTS)})"


Node = TypeVar("Node", bound=Record)


def copy_with(node: Node, **changes: AnyType) -> Node:
    """A copy of a node with some attributes changed."""
    return type(node)(*(changes[slot] if slot in changes else getattr(node, slot) for slot in node.SLOTS))


class Var(Record):
    """A local name: a parameter, a binder, a let. Identity matters, not the name."""

    name: str
    type: Type


class StateVar(Record):
    """A variable of the state. `initial` has no free locals; hidden ones are seen only through sights."""

    name: str
    type: Type
    initial: Expr
    hidden: bool = False
    always: Expr | None = None
    """The value computed from the other variables after every ply, for a derived variable."""


class Function:
    """A definition. `falling` is the position of the parameter that bounds its recursion.

    `static` means that it reads no state, so that it is a table of its arguments. `result` is the type that a
    strict call gives when no argument is missing. The body is set once, after its calls to itself exist.
    """

    __slots__ = ("body", "clause", "falling", "name", "params", "result", "static", "table")
    body: Expr

    def __init__(
        self,
        name: str,
        params: tuple[Var, ...],
        result: Type,
        falling: int | None = None,
        static: bool = False,
        clause: str = "",
    ) -> None:
        self.name, self.params, self.result = name, params, result
        self.falling, self.static, self.clause = falling, static, clause
        self.table: dict[tuple[Value, ...], Value] = {}


class Expression(Record):
    """Base of all expressions."""

    type: Type

    if TYPE_CHECKING:

        def evaluate(self, env: dict[Var, Value], ctx: AnyType) -> Value:
            """The value of the expression; `core.evaluate` gives each class its meaning."""


class Binary(Expression):
    """Base of operators on two values."""

    a: Expr
    b: Expr


class Over(Expression):
    """Base of operators that evaluate a body for each element of a set or list `source`."""

    var: Var
    source: Expr
    body: Expr


class Statement(Record):
    """Base of all effects."""


# ---- values


class Const(Expression):
    """A constant. `name` is the parameter or reading that it comes from, if any."""

    value: Value
    name: str = ""


class Domain(Expression):
    """The set of all values of a scalar type."""

    of: Scalar


class Local(Expression):
    """The value of a local name."""

    var: Var


class Get(Expression):
    """The value of a state variable."""

    var: StateVar


# ---- logic


class Not(Expression):
    """Negation."""

    item: Expr


class And(Expression):
    """Conjunction, evaluated from the left until one is false."""

    items: tuple[Expr, ...]


class Or(Expression):
    """Disjunction, evaluated from the left until one is true."""

    items: tuple[Expr, ...]


class If(Expression):
    """One of two values by a condition."""

    cond: Expr
    then: Expr
    otherwise: Expr


class Let(Expression):
    """A local name for a value (which may be none) in a body."""

    var: Var
    value: Expr
    body: Expr


# ---- order


class Equal(Binary):
    """Equality of two values of one family; none equals none only."""


class Less(Binary):
    """Strictly before in the order of the family. A question."""


class AtMost(Binary):
    """Before or equal in the order of the family. A question."""


# ---- numbers


class Add(Binary):
    """Sum of two numbers. Strict."""


class Sub(Binary):
    """Difference of two numbers. Strict."""


class Mul(Binary):
    """Product of two numbers. Strict."""


class Div(Binary):
    """Quotient rounded down; by zero it is none. Strict."""


class Mod(Binary):
    """Remainder with the sign of the divisor; by zero it is none. Strict."""


# ---- records and optional values


class Make(Expression):
    """A record of its fields; none if a field is none or the combination is not in the type `of`."""

    of: Scalar
    fields: tuple[Expr, ...]


class Field(Expression):
    """A field of a record, by position from 0. Strict."""

    item: Expr
    position: int


class IsNone(Expression):
    """True if a value is none."""

    item: Expr


class Otherwise(Binary):
    """The first value, or the second if the first is none."""


class Narrow(Expression):
    """A scalar if the type `into` holds it, else none. Strict."""

    item: Expr
    into: Scalar


# ---- maps and sets


class Tabulate(Expression):
    """The map that gives the body's value at each key, bound to `var`."""

    var: Var
    keys: Scalar
    body: Expr


class Read(Expression):
    """A map's value at a key. At none, or at a value that is no key, it is nothing."""

    map: Expr
    key: Expr


class SetOf(Expression):
    """The set of the given scalars, without none."""

    items: tuple[Expr, ...]


class Member(Expression):
    """True if a set or list contains a scalar."""

    item: Expr
    of: Expr


class Union(Binary):
    """The union of two sets."""


class Intersection(Binary):
    """The intersection of two sets."""


class Difference(Binary):
    """The elements of the first of two sets that the second does not have."""


# ---- lists


class ListOf(Expression):
    """The list of the given scalars, without none."""

    items: tuple[Expr, ...]


class Item(Expression):
    """The element at a position counted from 1 at the bottom; none outside the list. Strict."""

    list: Expr
    position: Expr


class Slice(Expression):
    """The elements from position `first` to position `last`, both included, if they exist.

    Empty if a bound is none.
    """

    list: Expr
    first: Expr
    last: Expr


class Top(Expression):
    """The topmost `count` elements: all if there are fewer, none if `count` is none or below 1."""

    list: Expr
    count: Expr


class Rest(Expression):
    """The elements below the topmost `count`: what `Top` leaves."""

    list: Expr
    count: Expr


class Concat(Binary):
    """The first list with the second on top of it. Capacities add up."""


class Size(Expression):
    """The number of elements of a set or a list."""

    item: Expr


# ---- over a finite domain: `source` is a set or a list


class All(Over):
    """True if the body holds for every element."""


class Any(Over):
    """True if the body holds for some element."""


class Sum(Over):
    """The sum of the body over the elements; none counts as zero."""


class Best(Over):
    """The maximum (or minimum) of the body over the elements, ignoring none; none if there is none."""

    most: bool


class First(Over):
    """The first element for which the body holds; none if there is none."""


class Select(Over):
    """The set of the elements for which the body holds."""


class Image(Over):
    """The set of the body's values over the elements, without none."""


class Collect(Over):
    """The list of the body's values over the elements, in order, without none."""


class Fold(Expression):
    """The result of repeating the body from `start`, once for each element; `total` is the value so far."""

    var: Var
    total: Var
    source: Expr
    start: Expr
    body: Expr


# ---- bounded repetition


class Follow(Expression):
    """The result of repeating `step` from `start` while `cond` holds and `step` is not none, at most `times`
    times.

    `var` is the value so far, in `step` and in `cond`. A start of none gives none; `times` none is 0.
    """

    var: Var
    start: Expr
    step: Expr
    cond: Expr
    times: Expr
    most: int


class Reach(Expression):
    """The least set that contains `start` (its part in `source`) and every `var` of `source` for which the
    body holds with some `via` already in it."""

    var: Var
    source: Expr
    start: Expr
    via: Var
    body: Expr


class Call(Expression):
    """The value of a definition. Strict in the scalar arguments, and nothing also if one is outside the
    parameter's type (so a falling number that would pass its bound ends the recursion); parameters of
    optional type take none."""

    function: Function
    args: tuple[Expr, ...]


class Can(Expression):
    """True if the mover has a legal action of this name, with the given first arguments if any."""

    action: str
    args: tuple[Expr, ...]


class After(Expression):
    """True if the body holds in the position after the effect of an action; a question of the arguments.

    The arguments are evaluated in the present position. In the effect, `params` stand for them, and no other
    local name occurs; the body may use the present local names. Reactions, ends and the next turn are left
    out, so the mover stays. The effect has no chance, and stores only what the body depends on. A value that
    does not fit its place is not stored. The present position is unchanged.
    """

    action: str
    params: tuple[Var, ...]
    args: tuple[Expr, ...]
    effect: Effect
    body: Expr


# ---- effects


class Assign(Statement):
    """Store a value in a state variable, or at a key of a map or a position of a list inside it.

    A key that is none (or no key), or a position outside the list, changes nothing. A value that the type
    there does not contain, a list past its capacity included, is a fault.
    """

    target: StateVar
    path: tuple[Expr, ...]
    value: Expr


class Block(Statement):
    """Effects one after another."""

    items: tuple[Effect, ...]


class When(Statement):
    """One of two effects by a condition."""

    cond: Expr
    then: Effect
    otherwise: Effect


class ForEach(Statement):
    """Perform the body once for each element of a set or list, which is evaluated once, before the first."""

    var: Var
    source: Expr
    body: Effect


class Bind(Statement):
    """A local name for a value, evaluated once, in the effects of a body."""

    var: Var
    value: Expr
    body: Effect


class Draw(Statement):
    """Chance: one element of a set, bound to `var` in the body. Nothing is drawn from an empty set.

    Without `weight` all are equally likely; with it, each in proportion to its weight (`var` bound), which is
    not negative; elements of weight 0 do not occur.
    """

    var: Var
    source: Expr
    weight: Expr | None
    body: Effect


class Shuffle(Statement):
    """Chance: the elements of a set as a list in uniformly random order, bound to `var` in the body."""

    var: Var
    source: Expr
    body: Effect


# ---- the closed lists

Expr: TypeAlias = (
    Const | Domain | Local | Get
    | Not | And | Or | If | Let
    | Equal | Less | AtMost
    | Add | Sub | Mul | Div | Mod
    | Make | Field | IsNone | Otherwise | Narrow
    | Tabulate | Read | SetOf | Member | Union | Intersection | Difference
    | ListOf | Item | Slice | Top | Rest | Concat | Size
    | All | Any | Sum | Best | First | Select | Image | Collect | Fold
    | Follow | Reach | Call | Can | After
)  # fmt: skip
Effect: TypeAlias = Assign | Block | When | ForEach | Bind | Draw | Shuffle
EXPRESSIONS: tuple[type[Expr], ...] = get_args(Expr)
EFFECTS: tuple[type[Effect], ...] = get_args(Effect)


def is_expression(value: object) -> TypeGuard[Expr]:
    """True for an expression, for any kind of value."""
    return isinstance(value, Expression)


NOTHING_DONE = Block(())
