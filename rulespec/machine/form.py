"""The form: a few typed nodes with one meaning each, between sources and machine code.

Two sources produce it: the rules of a game, and kernels (loops around a game, in a subset of Python). A
number is a signed whole number of 64 bits, a word an unsigned one; both wrap around. A truth value is 0 or 1.
An array is the address of its first element; its length is stored before that. The nodes document the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple, TypeVar, dataclass_transform


class Type(Enum):
    """The type of a value."""

    NUMBER = "number"
    WORD = "word"
    REAL = "real"
    TRUTH = "truth"
    NUMBERS = "array of numbers"
    WORDS = "array of words"
    SMALL = "array of numbers of 32 bits"
    REALS = "array of reals"
    VAST_NUMBERS = "array of numbers (vast)"
    VAST_WORDS = "array of words (vast)"
    VAST_SMALL = "array of numbers of 32 bits (vast)"

    __hash__ = object.__hash__  # that of an enumeration takes ten times as long

    @property
    def element(self) -> Type:
        """The type of an element of an array. Raises KeyError for other types."""
        return ELEMENTS[self]

    @property
    def is_array(self) -> bool:
        """True for arrays."""
        return self in ELEMENTS


NUMBER, WORD, REAL, TRUTH = Type.NUMBER, Type.WORD, Type.REAL, Type.TRUTH
NUMBERS, WORDS, SMALL, REALS = Type.NUMBERS, Type.WORDS, Type.SMALL, Type.REALS
VAST_NUMBERS, VAST_WORDS, VAST_SMALL = Type.VAST_NUMBERS, Type.VAST_WORDS, Type.VAST_SMALL
VAST = {VAST_NUMBERS: NUMBERS, VAST_WORDS: WORDS, VAST_SMALL: SMALL}
"""The kinds of arrays that may take more than 4 GB, with their ordinary kinds. Those of each kind lie in a
memory of their own, and have addresses of 64 bits."""
ELEMENTS = {NUMBERS: NUMBER, WORDS: WORD, SMALL: NUMBER, REALS: REAL}
ELEMENTS |= {vast: ELEMENTS[kind] for vast, kind in VAST.items()}
BYTES = {NUMBERS: 8, WORDS: 8, SMALL: 4, REALS: 8}
BYTES |= {vast: BYTES[kind] for vast, kind in VAST.items()}
"""The size of an element."""
HEADER = 8
"""Bytes before the first element of an array, which hold its length."""
LINE = 64
"""Bytes of a line of the cache."""
NONE = -(1 << 60)
"""The number that represents no value."""
Span = tuple[int, int]
"""The first of some elements of an array, and their number."""


N = TypeVar("N")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def node(kind: type[N]) -> type[N]:
    """Declare a kind of node. Nodes are immutable by convention, which type checkers enforce.

    A frozen class would take four times as long to instantiate.
    """
    return dataclass(slots=True, unsafe_hash=True)(kind)


# ---- expressions


@node
class Const:
    """A constant number, word, real or truth value; `name` is shown to readers instead of the value."""

    type: Type
    value: int | float
    name: str = field(default="", compare=False)


@node
class Local:
    """The value of a parameter or of a variable of the function."""

    type: Type
    name: str


@node
class Static:
    """The array of a table or a room of the module."""

    type: Type
    name: str


@node
class Load:
    """An element of an array; its index must be in range.

    `within`: the span that contains the element, as the writer guarantees.
    """

    type: Type
    array: Expr
    index: Expr
    within: Span | None = None


@node
class Length:
    """The number of elements of an array."""

    array: Expr
    type: Type = NUMBER


@node
class Unary:
    """`neg`, `not` (all bits), `low` and `high` (the positions of the lowest and the highest set bit of a
    nonzero word), `count` (number of set bits)."""

    type: Type
    op: str
    value: Expr


@node
class Binary:
    """`+ - * & | ^ << >>`, `//` and `%` rounding down, `min`, `max`; `>>` of a number repeats the sign.
    `/` is for reals. Both sides have the type of the result, except the distance of a shift: a number or
    word below 64."""

    type: Type
    op: str
    left: Expr
    right: Expr


@node
class Compare:
    """`== != < <= > >=` of two values of one type; words are compared as unsigned."""

    op: str
    left: Expr
    right: Expr
    type: Type = TRUTH


@node
class Both:
    """True if both are; the right one is not evaluated if the left is false."""

    left: Expr
    right: Expr
    type: Type = TRUTH


@node
class Either:
    """True if one is; the right one is not evaluated if the left is true."""

    left: Expr
    right: Expr
    type: Type = TRUTH


@node
class Negate:
    """True if a truth value is false."""

    value: Expr
    type: Type = TRUTH


@node
class Choose:
    """One of two values by a condition; only that one is evaluated."""

    type: Type
    condition: Expr
    then: Expr
    other: Expr


@node
class Convert:
    """A value converted to another type: truth, number and word keep their bits, a number becomes a real."""

    type: Type
    value: Expr


@node
class Call:
    """The result of a function of the module, with one result."""

    type: Type
    function: str
    arguments: tuple[Expr, ...]


@node
class Block:
    """The value that a body returns: `Return` in it leaves only the body."""

    type: Type
    body: Body


Expr = (
    Const | Local | Static | Load | Length | Unary | Binary | Compare | Both | Either | Negate | Choose
    | Convert | Call | Block
)  # fmt: skip


# ---- statements


@node
class Set:
    """Assign a value to a variable."""

    name: str
    value: Expr


@node
class SetMany:
    """Assign values to variables at once: all are evaluated before any is assigned."""

    names: tuple[str, ...]
    values: tuple[Expr, ...]


@node
class SetResults:
    """Assign the several results of a function to variables; None for an ignored one."""

    names: tuple[str | None, ...]
    function: str
    arguments: tuple[Expr, ...]


@node
class Store:
    """Store a value in an element of an array; its index must be in range. `within`: see `Load`."""

    array: Expr
    index: Expr
    value: Expr
    within: Span | None = None


@node
class Do:
    """Call a function and ignore its results."""

    function: str
    arguments: tuple[Expr, ...]


@node
class Run:
    """Run a body that returns no value: `Return` in it leaves only the body."""

    body: Body


@node
class If:
    """Run one of two bodies."""

    condition: Expr
    then: Body
    other: Body


@node
class While:
    """Repeat a body as long as a condition is true before it."""

    condition: Expr
    body: Body


@node
class For:
    """Repeat a body with a variable from `first` to before `last`, in constant steps. Both bounds are
    evaluated once, and assignments to the variable in the body do not change the steps."""

    name: str
    first: Expr
    last: Expr
    step: int
    body: Body


@node
class Break:
    """Leave the innermost loop."""


@node
class Continue:
    """Continue with the next step of the innermost loop."""


@node
class Return:
    """Return from the function with its results."""

    values: tuple[Expr, ...]


Statement = Set | SetMany | SetResults | Store | Do | Run | If | While | For | Break | Continue | Return
Body = tuple[Statement, ...]


# ---- modules


@dataclass(frozen=True, slots=True, eq=False, weakref_slot=True)
class Function:
    """A function: parameters, the types of its results, its variables, its body.

    `apart`: never inlined. `once`: its results are memoised for a state, with the range of each number that
    it takes; see `state_memoisation`. `origin`: the part of the rules that it comes from, for readers.
    `least`: the minimum sizes of array parameters. `ranges`: for each other parameter the least value, and
    the number of bits above that.
    """

    name: str
    parameters: tuple[tuple[str, Type], ...]
    results: tuple[Type, ...]
    variables: tuple[tuple[str, Type], ...]
    body: Body
    apart: bool = False
    once: tuple[int, ...] | None = None
    origin: str = ""
    least: tuple[tuple[str, int], ...] = ()
    ranges: tuple[tuple[int, int], ...] = ()


@node
class Table:
    """An immutable array with known elements."""

    name: str
    type: Type
    values: Sequence[int | float]


@node
class Room:
    """An array of zeros except its first element, at first; functions of the module may change it."""

    name: str
    type: Type
    size: int
    first: int = 0


@dataclass(frozen=True)
class Module:
    """Functions, tables and rooms; `entries` may be called from outside."""

    functions: dict[str, Function] = field(default_factory=dict)
    tables: dict[str, Table] = field(default_factory=dict)
    rooms: dict[str, Room] = field(default_factory=dict)
    entries: tuple[str, ...] = ()


class Signature(NamedTuple):
    """The types of an entry's parameters and results, and the minimum sizes of its array parameters."""

    parameters: tuple[Type, ...]
    results: tuple[Type, ...]
    least: tuple[int, ...]
