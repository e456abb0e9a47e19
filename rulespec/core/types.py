"""Types: every one a finite domain.

Values are plain and hashable, so that a state is a value too:

    Bool            True, False
    range           int
    enumeration     int, the position of the member counted from 0
    record          tuple of field values, in the order of the fields
    none            None, the absent value of an optional type
    map             tuple of values, in the order of the keys' domain
    set             frozenset
    list            tuple

A scalar type belongs to a *family* (numbers, truth values, or one enumeration or record by name);
a subset type has the family of its base and fewer values. Values of one family can be compared.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

Value = Any
"""A value of the core, in the representation described above."""


class Type:
    """Base of all types. `str(t)` is how a message names it."""

    @property
    def nothing(self) -> Value:
        """The result of reading at nothing: none for scalars, no, an empty set or list, a map of nothings."""
        raise NotImplementedError

    @property
    def with_none(self) -> Type:
        """This type with `nothing` among its values."""
        return self


@dataclass(frozen=True, eq=False)
class Scalar(Type):
    """A type whose values can be listed: the keys of maps, the members of sets.

    `values` is in ascending order; `name` is its declared name, if any.
    """

    family: str
    values: Sequence[Value]
    name: str = ""

    @cached_property
    def index(self) -> dict[Value, int]:
        """Position of each value in `values`, counted from 0."""
        return {value: i for i, value in enumerate(self.values)}

    def __contains__(self, value: Value) -> bool:
        return value in self.index

    @property
    def nothing(self) -> Value:
        return None

    @cached_property
    def with_none(self) -> Type:
        return Optional(self)

    def within(self, other: Scalar) -> bool:
        """True if every value of this type belongs to the other."""
        return self is other or (self.family == other.family and all(v in other for v in self.values))

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        return (
            isinstance(other, Scalar)
            and self.family == other.family
            and tuple(self.values) == tuple(other.values)
        )

    def __hash__(self) -> int:
        return hash((self.family, len(self.values)))

    def __str__(self) -> str:
        return self.name or self.family


class Truth(Scalar):
    """The type of conditions. A question about nothing is answered no, so it is never optional."""

    @property
    def nothing(self) -> Value:
        return False

    @property
    def with_none(self) -> Type:
        return self


@dataclass(frozen=True, eq=False)
class Int(Scalar):
    """The whole numbers from `lo` to `hi`, perhaps with a letter for each in notation."""

    letters: Sequence[str] = ""
    letter_base: int = 0
    """The number of the first letter."""

    @property
    def lo(self) -> int:
        """The least value."""
        return int(self.values[0])

    @property
    def hi(self) -> int:
        """The greatest value."""
        return int(self.values[-1])

    def __contains__(self, value: Value) -> bool:
        return isinstance(value, int) and value in self.values

    def within(self, other: Scalar) -> bool:
        if not isinstance(other, Int):
            return False
        if isinstance(other.values, range):
            return other.lo <= self.lo and self.hi <= other.hi
        return len(self.values) <= len(other.values) and all(v in other for v in self.values)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Int) and (
            self.values == other.values
            if isinstance(self.values, range) and isinstance(other.values, range)
            else tuple(self.values) == tuple(other.values)
        )

    __hash__ = Scalar.__hash__

    def __str__(self) -> str:
        return self.name or (f"{self.lo}..{self.hi}" if self.lo < self.hi else str(self.lo))


def integers(lo: int, hi: int, name: str = "", letters: Sequence[str] = "") -> Int:
    """The range type lo..hi, which must not be empty. Raises ValueError."""
    if hi < lo:
        raise ValueError(f"empty range {lo}..{hi}")
    return Int("number", range(lo, hi + 1), name, letters, lo)


@dataclass(frozen=True, eq=False)
class Enum(Scalar):
    """Named members, perhaps with a letter for each; a subset has those of its base."""

    members: tuple[str, ...] = ()
    letters: Sequence[str] = ""

    def member(self, word: str) -> int | None:
        """The value of a member by name, None if this type does not contain it."""
        if word in self.members:
            value = self.members.index(word)
            return value if value in self else None
        return None


@dataclass(frozen=True, eq=False, kw_only=True)
class Rows(Enum):
    """The rows of a constant table, named by their notations: each value stands for its entry in `rows`.

    The notation of a set has `joint` between the elements, in any order, or braces and commas if it is empty.
    """

    of: Type
    rows: Sequence[Value]
    joint: str = ""

    @cached_property
    def by_row(self) -> Mapping[Value, Value]:
        """The value of each entry."""
        return {self.rows[value]: value for value in self.values}


@dataclass(frozen=True, eq=False)
class Record(Scalar):
    """Named fields, restricted to the combinations in `values`.

    A field's type is narrowed to the values that occur. `written` is the notation: text and field positions
    in turn; None if the values have none. `signs` are the notations of single values, those of the base also
    in a subset; empty if `written` determines them.
    """

    fields: tuple[tuple[str, Scalar], ...] = ()
    written: tuple[str | int, ...] | None = None
    signs: Mapping[Value, str] = field(default_factory=dict)

    def field(self, name: str) -> int | None:
        """Position of a field, counted from 0; None if there is no such field."""
        for i, (known, _) in enumerate(self.fields):
            if known == name:
                return i
        return None


@dataclass(frozen=True)
class Optional(Type):
    """A scalar or nothing. `of` is None for the literal `none`, whose type is not known yet."""

    of: Scalar | None

    @property
    def nothing(self) -> Value:
        return None

    def __str__(self) -> str:
        return f"{self.of}?" if self.of else "none"


@dataclass(frozen=True)
class Set(Type):
    """A set of scalars. `of` is None for the literal `{}`."""

    of: Scalar | None

    @property
    def nothing(self) -> Value:
        return frozenset()

    def __str__(self) -> str:
        return f"set of {self.of}" if self.of else "the empty set"


@dataclass(frozen=True)
class List(Type):
    """A list of at most `cap` scalars, from the bottom up. `of` is None for the literal `[]`.

    In notation the elements are in brackets with commas, or with `joint` between them if there is one; no
    element's own notation contains it. An `ascending` list stands for a set: its notation has the elements in
    any order.
    """

    of: Scalar | None
    cap: int
    joint: str = field(default="", compare=False)
    ascending: bool = field(default=False, compare=False)

    @property
    def nothing(self) -> Value:
        return ()

    def __str__(self) -> str:
        return f"list of {self.of} up to {self.cap}" if self.of else "the empty list"


@dataclass(frozen=True)
class Map(Type):
    """A total map from every value of a scalar type."""

    keys: Scalar
    of: Type

    @cached_property
    def _nothing(self) -> Value:
        return (self.of.nothing,) * len(self.keys.values)

    @property
    def nothing(self) -> Value:
        return self._nothing

    @property
    def with_none(self) -> Type:
        return Map(self.keys, self.of.with_none)

    def __str__(self) -> str:
        return f"map {self.keys} -> {self.of}"


@dataclass(frozen=True)
class Bag(Map):
    """A multiset: a map from each kind to `0..n`, which is written and read as a bag."""

    def __str__(self) -> str:
        assert isinstance(self.of, Int)
        return f"bag of {self.keys} up to {self.of.hi}"


BOOL = Truth("truth", (False, True), "Bool")
NONE = Optional(None)


def scalar_of(t: Type) -> Scalar | None:
    """The scalar type under an optional, the type itself if scalar, else None."""
    if isinstance(t, Scalar):
        return t
    return t.of if isinstance(t, Optional) else None


def holds(t: Type, value: Value) -> bool:
    """True if a value belongs to a type: right shape, in range, within its capacity. Raises TypeError."""
    if isinstance(t, Optional):
        return value is None or (t.of is not None and value in t.of)
    if isinstance(t, Scalar):
        return value is not None and value in t
    if isinstance(t, Set):
        return isinstance(value, frozenset) and all(t.of is not None and v in t.of for v in value)
    if isinstance(t, List):
        return (
            isinstance(value, tuple)
            and len(value) <= t.cap
            and all(t.of is not None and v in t.of for v in value)
        )
    if isinstance(t, Map):
        if not isinstance(value, tuple) or len(value) != len(t.keys.values):
            return False
        return all(holds(t.of, v) for v in (value if scalar_of(t.of) is None else {*value}))
    raise TypeError(f"no such type: {t!r}")


def fits(t: Type, into: Type) -> bool:
    """True if every value of `t` is a value of `into`, known from the types alone."""
    if isinstance(into, Optional):
        if isinstance(t, Optional):
            return t.of is None or (into.of is not None and t.of.within(into.of))
        if not isinstance(t, Scalar) or isinstance(t, Truth):
            return False
        return into.of is not None and t.within(into.of)
    if isinstance(t, Scalar) and isinstance(into, Scalar):
        return t.within(into)
    if isinstance(t, Set) and isinstance(into, Set):
        return t.of is None or (into.of is not None and t.of.within(into.of))
    if isinstance(t, List) and isinstance(into, List):
        return t.cap <= into.cap and (t.of is None or (into.of is not None and t.of.within(into.of)))
    if isinstance(t, Map) and isinstance(into, Map):
        return t.keys == into.keys and fits(t.of, into.of)
    return False


def join(a: Type, b: Type) -> Type | None:
    """The least available type that has the values of both; None if they have nothing in common."""
    if fits(a, b):
        return b
    if fits(b, a):
        return a
    if isinstance(a, Optional) or isinstance(b, Optional):
        inner = join_scalars(scalar_of(a), scalar_of(b))
        return Optional(inner) if inner and not isinstance(inner, Truth) else None
    if isinstance(a, Scalar) and isinstance(b, Scalar):
        return join_scalars(a, b)
    if isinstance(a, Set) and isinstance(b, Set):
        inner = join_scalars(a.of, b.of)
        return Set(inner) if inner else None
    if isinstance(a, List) and isinstance(b, List):
        inner = join_scalars(a.of, b.of)
        return List(inner, max(a.cap, b.cap)) if inner else None
    if isinstance(a, Map) and isinstance(b, Map) and a.keys == b.keys:
        of = join(a.of, b.of)
        return Map(a.keys, of) if of else None
    return None


def join_scalars(a: Scalar | None, b: Scalar | None) -> Scalar | None:
    """The union of two types of one family (for ranges, the hull); None if the families differ.

    If one type is None, the result is the other.
    """
    if a is None or b is None:
        return a or b
    if a.family != b.family:
        return None
    if a.within(b):
        return b
    if b.within(a):
        return a
    if isinstance(a, Int) and isinstance(b, Int):
        return integers(min(a.lo, b.lo), max(a.hi, b.hi))
    return with_values(a, sorted({*a.values, *b.values}))


def with_values(base: Scalar, values: Sequence[Value], name: str = "") -> Scalar:
    """A type of the same family with exactly these values (ascending, at least one). Raises ValueError."""
    if not values:
        raise ValueError(f"a subset of {base} without values")
    if isinstance(base, Int):
        if isinstance(values, range) and values.step == 1:
            return Int(base.family, values, name, base.letters, base.letter_base)
        lo, hi = values[0], values[-1]
        whole = range(lo, hi + 1) if hi - lo + 1 == len(values) else tuple(values)
        return Int(base.family, whole, name, base.letters, base.letter_base)
    if isinstance(base, Enum):
        return Enum(base.family, tuple(values), name, base.members, base.letters)
    if isinstance(base, Record):
        fields = tuple(
            (
                field_name,
                with_values(kind, sorted({v[i] for v in values}), kind.name if _all(kind, values, i) else ""),
            )
            for i, (field_name, kind) in enumerate(base.fields)
        )
        return Record(base.family, tuple(values), name, fields, base.written, base.signs)
    return Truth(base.family, tuple(values), name)


def _all(kind: Scalar, values: Sequence[Value], i: int) -> bool:
    return len({v[i] for v in values}) == len(kind.values)
