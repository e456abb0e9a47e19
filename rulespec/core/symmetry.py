"""Symmetries: permutations of the values of some types, and images of values that contain these.

A symmetry maps each value of a type to another. A map moves with its keys and its values, a set and a list
with their elements; numbers and all other types stay unchanged. The image of a state has the images of all
its parts.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from .types import Int, List, Map, Optional, Scalar, Set, Type, Value

MOST_ELEMENTS = 1_000
"""A group of symmetries with more elements is refused."""


class TooMany(ValueError):
    """Raised if symmetries generate more than `MOST_ELEMENTS`."""


class Leaves(ValueError):
    """Raised if a symmetry takes a value of a narrower type out of that type; the text says which."""


class Image(NamedTuple):
    """The images of the values of a type, in the order of the values."""

    type: Scalar
    values: tuple[Value, ...]

    def carries(self, t: Scalar) -> bool:
        """True if this maps the values of a type: ranges count by the name they were declared with."""
        if isinstance(t, Int) or isinstance(self.type, Int):
            return bool(t.name) and t.name == self.type.name
        return t.within(self.type)


Images = tuple[Image, ...]
"""The images under one symmetry, for each type that it moves."""


class Symmetry:
    """A permutation of the values of some types. Equal if it maps the same types in the same way."""

    def __init__(self, images: Iterable[Image]) -> None:
        self.images = tuple(images)
        self._tables: dict[Scalar, dict[Value, Value] | None] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Symmetry) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    @property
    def _key(self) -> frozenset[tuple[str, str, tuple[Value, ...]]]:
        """The images of the types that it moves."""
        return frozenset((i.type.family, i.type.name, i.values) for i in self.images if _moves(i))

    def table(self, t: Scalar) -> dict[Value, Value] | None:
        """The image of each value of a type; None if all stay. Raises Leaves if an image is outside of the
        type."""
        if t not in self._tables or isinstance(t, Int):
            self._tables[t] = self._table(t)
        return self._tables[t]

    def _table(self, t: Scalar) -> dict[Value, Value] | None:
        """The image of each value of a type; None if none moves. Raises Leaves if one leaves the type."""
        for image in self.images:
            if not image.carries(t):
                continue
            becomes = dict(zip(image.type.values, image.values, strict=True))
            found = {value: becomes[value] for value in t.values}
            if any(value not in t for value in found.values()):
                raise Leaves(f"it takes a value of `{t}` to one that is none of it")
            return found if any(a != b for a, b in found.items()) else None
        return None

    def one(self, t: Scalar, value: Value) -> Value:
        """The image of a value of a scalar type; none stays none."""
        table = self.table(t)
        return value if table is None or value is None else table[value]

    def of(self, t: Type, value: Value) -> Value:
        """The image of a value of a type."""
        if isinstance(t, Optional | Set | List) and t.of is None:
            return value
        if isinstance(t, Scalar):
            return self.one(t, value)
        if isinstance(t, Optional):
            return self.one(t.of, value)  # type: ignore[arg-type]
        if isinstance(t, Set):
            return frozenset(self.one(t.of, v) for v in value)  # type: ignore[arg-type]
        if isinstance(t, List):
            return tuple(self.one(t.of, v) for v in value)  # type: ignore[arg-type]
        assert isinstance(t, Map)
        found: list[Value] = [None] * len(value)
        for key, held in zip(t.keys.values, value, strict=True):
            found[t.keys.index[self.one(t.keys, key)]] = self.of(t.of, held)
        return tuple(found)

    @property
    def still(self) -> Symmetry:
        """The identity on the same types."""
        return Symmetry(Image(i.type, tuple(i.type.values)) for i in self.images)

    def then(self, other: Symmetry) -> Symmetry:
        """The composition, this one first. Both must be for the same types in the same order."""
        pairs = zip(self.images, other.images, strict=True)
        return Symmetry(Image(a.type, tuple(b.values[a.type.index[v]] for v in a.values)) for a, b in pairs)


def _moves(image: Image) -> bool:
    return tuple(image.type.values) != image.values


def _rows(t: Scalar) -> tuple[str, str, tuple[Value, ...]]:
    return t.family, t.name if isinstance(t, Int) else "", tuple(t.values)


def extend_to_common_types(many: Sequence[Images]) -> list[Symmetry]:
    """The symmetries extended to all their types; a symmetry is the identity on the types it lacks."""
    types: dict[tuple[str, str, tuple[Value, ...]], Scalar] = {}
    for images in many:
        for image in images:
            types.setdefault(_rows(image.type), image.type)
    found = []
    for images in many:
        said = {_rows(image.type): image.values for image in images}
        found.append(Symmetry(Image(t, said.get(key, tuple(t.values))) for key, t in types.items()))
    return found


def group(generators: Sequence[Symmetry]) -> list[Symmetry]:
    """The group that symmetries generate, the identity first.

    They must be for the same types (`extend_to_common_types`). Raises TooMany.
    """
    if not generators:
        return [Symmetry(())]
    found = [generators[0].still]
    known = set(found)
    for element in found:
        for generator in generators:
            further = element.then(generator)
            if further not in known:
                if len(found) == MOST_ELEMENTS:
                    raise TooMany(f"together they come to more than {MOST_ELEMENTS:,} symmetries")
                known.add(further)
                found.append(further)
    return found
