"""Values as small integers, and back.

A number is itself, an enumeration's member its position, a truth value 0 or 1, a record its position
among all values that records of its family take in the game (so a subset and its base share codes,
and order is kept). None is `NONE`, whatever the type. A set is words of 64 bits: the element of code
c is bit c less the family's base.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from ..core import nodes as n
from ..core.traversal import nodes_within
from ..core.types import Int, List, Map, Optional, Record, Scalar, Set, Type, Value
from ..kernels.kit import NONE as NONE

WORD = 64
MOST_WORDS = 16
"""A set over a type whose values need more words than this is not generated."""


class TooLarge(ValueError):
    """Raised for a game too large for generated code; the message names the part that is."""


class Codes:
    """The codes of all values that may occur in a game."""

    def __init__(self, types: Iterable[Type]) -> None:
        records: dict[str, set[Value]] = {}
        self._base = 0
        for t in _component_types(types):
            if isinstance(t, Record):
                records.setdefault(t.family, set()).update(t.values)
            elif isinstance(t, Set) and isinstance(t.of, Int):
                self._base = min(self._base, t.of.lo)
        self._listed = {family: sorted(values) for family, values in records.items()}
        self._codes = {
            family: {value: i for i, value in enumerate(values)} for family, values in self._listed.items()
        }
        self._of: dict[int, tuple[Scalar, Sequence[int]]] = {}

    def listed(self, t: Record) -> Sequence[Value]:
        """All values of the family of a record type, in the order of their codes."""
        return self._listed[t.family]

    def code(self, t: Type, value: Value) -> int:
        """The code of a scalar, or of none."""
        if value is None:
            return NONE
        scalar = t.of if isinstance(t, Optional) else t
        if isinstance(scalar, Record):
            return self._codes[scalar.family][value]
        return int(value)

    def value(self, t: Type, code: int) -> Value:
        """The scalar, or none, that a code stands for."""
        if code == NONE:
            return None
        scalar = t.of if isinstance(t, Optional) else t
        if isinstance(scalar, Record):
            return self._listed[scalar.family][code]
        return bool(code) if isinstance(scalar, Scalar) and scalar.family == "truth" else int(code)

    def encode_all(self, t: Type, values: Iterable[Value]) -> list[int]:
        """The codes of values of one type, none included."""
        scalar = t.of if isinstance(t, Optional) else t
        if isinstance(scalar, Record):
            known = self._codes[scalar.family]
            return [NONE if value is None else known[value] for value in values]
        return [NONE if value is None else int(value) for value in values]

    def decode_all(self, t: Type, codes: Iterable[int]) -> tuple[Value, ...]:
        """The values of one type for codes, none included."""
        scalar = t.of if isinstance(t, Optional) else t
        if isinstance(scalar, Record):
            listed = self._listed[scalar.family]
            return tuple([None if code == NONE else listed[code] for code in codes])
        if isinstance(scalar, Scalar) and scalar.family == "truth":
            return tuple([None if code == NONE else bool(code) for code in codes])
        return tuple([None if code == NONE else code for code in codes])

    def codes(self, t: Scalar) -> Sequence[int]:
        """The codes of all values of a type, ascending."""
        if id(t) not in self._of:
            self._of[id(t)] = t, self._codes_of(t)
        return self._of[id(t)][1]

    def _codes_of(self, t: Scalar) -> Sequence[int]:
        if isinstance(t, Record):
            known = self._codes[t.family]
            return [known[value] for value in t.values]
        return t.values if isinstance(t.values, range) else [int(value) for value in t.values]

    def base(self, t: Scalar) -> int:
        """The code of bit 0 in sets over a type."""
        return self._base if isinstance(t, Int) else 0

    def words(self, t: Scalar | None) -> int:
        """The number of words in a set over a type; 0 without a type. Raises TooLarge."""
        if t is None:
            return 0
        found = (self.codes(t)[-1] - self.base(t)) // WORD + 1
        if found > MOST_WORDS:
            raise TooLarge(f"sets of {t} take {found} words of 64 bits, and {MOST_WORDS} are allowed")
        return found

    def mask(self, t: Scalar | None, values: Iterable[Value]) -> tuple[int, ...]:
        """A set of values as words."""
        found = [0] * self.words(t)
        if isinstance(t, Record):
            known = self._codes[t.family]
            bits = [known[value] for value in values]
        else:
            bits = [int(value) - self._base if isinstance(t, Int) else int(value) for value in values]
        for bit in bits:
            found[bit // WORD] |= 1 << bit % WORD
        return tuple(found)

    def members(self, t: Scalar | None, words: Sequence[int]) -> Iterator[Value]:
        """The elements of a set given as words, ascending."""
        for i, word in enumerate(words):
            assert t is not None
            left = int(word)
            while left:
                yield self.value(t, (left & -left).bit_length() - 1 + WORD * i + self.base(t))
                left &= left - 1


def _component_types(types: Iterable[Type]) -> Iterator[Type]:
    seen: set[int] = set()
    waiting = list(types)
    while waiting:
        t = waiting.pop()
        if id(t) in seen:
            continue
        seen.add(id(t))
        yield t
        if isinstance(t, Optional | Set | List) and t.of is not None:
            waiting.append(t.of)
        elif isinstance(t, Map):
            waiting += (t.keys, t.of)
        elif isinstance(t, Record):
            waiting += (kind for _, kind in t.fields)


def called_definitions(roots: Iterable[n.Expr | n.Effect]) -> Iterator[n.Function]:
    """Every definition called by expressions and effects, each once."""
    waiting: list[n.Expr | n.Effect] = list(roots)
    called: set[n.Function] = set()
    while waiting:
        for node in nodes_within(waiting.pop()):
            if isinstance(node, n.Call) and node.function not in called:
                called.add(node.function)
                yield node.function
                waiting.append(node.function.body)


def types_in(roots: Iterable[n.Expr | n.Effect], variables: Iterable[n.Var | n.StateVar]) -> Iterator[Type]:
    """Every type that occurs in expressions and effects and in definitions that they call."""
    yield from (var.type for var in variables)
    called = list(called_definitions(roots))
    for function in called:
        yield function.result
        yield from (p.type for p in function.params)
    for root in (*roots, *(function.body for function in called)):
        for node in nodes_within(root):
            yield from _types_of(node)


def _types_of(node: n.Expr | n.Effect) -> Iterator[Type]:
    if isinstance(node, n.Expression):
        yield node.type
    for name in ("of", "into", "keys"):
        kind = getattr(node, name, None)
        if isinstance(kind, Type):
            yield kind
    for name in ("var", "via", "total"):
        var = getattr(node, name, None)
        if isinstance(var, n.Var):
            yield var.type
