"""Positions as short text for addresses, in the format of `js/packing.js`, which documents it."""

from __future__ import annotations

from base64 import urlsafe_b64encode
from collections.abc import Iterator, Sequence

from ..core.types import List, Map, Optional, Scalar, Set, Type, Value
from ..play.face import State

FORMAT = 1
Digit = tuple[int, int]
"""A number, and its exclusive bound."""


def pack(state: State) -> str:
    """A state as text that the page of its game can read; of a fault the cause is left out."""
    core, position = state.game.core, state.position
    ends = [end.id for end in core.ends]
    ended = 0 if position.ended is None else [*ends, position.ended].index(position.ended) + 1
    digits = [(len(ends) + 2 if position.fault else ended, len(ends) + 3)]
    for var, value in zip(core.state.values(), position.values, strict=True):
        digits += _digits(var.type, value)
    bits = "".join(f"{number:0{width}b}" for number, bound in digits if (width := (bound - 1).bit_length()))
    bits = bits.rstrip("0")
    held = int(bits.ljust(-(-len(bits) // 8) * 8, "0") or "0", 2).to_bytes(-(-len(bits) // 8), "big")
    return urlsafe_b64encode(bytes((FORMAT,)) + bytes.fromhex(core.digest[:4]) + held).decode().rstrip("=")


def _digits(t: Type, value: Value) -> Iterator[Digit]:
    """A value as digits of a number."""
    if isinstance(t, Map):
        for part in value:
            yield from _digits(t.of, part)
    elif isinstance(t, Optional):
        assert t.of is not None
        yield 0 if value is None else 1 + _place(t.of, value), 1 + len(t.of.values)
    elif isinstance(t, Scalar):
        yield _place(t, value), len(t.values)
    elif isinstance(t, Set):
        for item in t.of.values if t.of is not None else ():
            yield int(item in value), 2
    elif isinstance(t, List) and t.of is not None:
        yield len(value), t.cap + 1
        for item in value:
            yield _place(t.of, item), len(t.of.values)


def _place(t: Scalar, value: Value) -> int:
    values: Sequence[Value] = t.values
    return values.index(value) if isinstance(values, range) else t.index[value]
