"""Values as people write them, and back.

A number is its digits (or its letter), an enumeration its member's name (or letter), a record its
declared notation or `(a, b)`, none is `none`, a set `{a, b}`, a list `[a, b]` or its elements with a
sign of its own between them, a map `{k: v}`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from .types import (
    Bag,
    Enum,
    Int,
    List,
    Map,
    Optional,
    Record,
    Scalar,
    Set,
    Truth,
    Type,
    Value,
    holds,
    scalar_of,
)

PRINTED = {"T": "10"}
"""Ranks of cards whose printed form differs from their notation."""

_NUMBER = re.compile(r"-?[1-9][0-9]{0,17}|0")


def write(t: Type, value: Value) -> str:
    """The notation of a value of a type. Raises TypeError."""
    if value is None:
        return "none"
    if isinstance(t, Optional):
        assert t.of is not None
        return write(t.of, value)
    if isinstance(t, Truth):
        return "yes" if value else "no"
    if isinstance(t, Int):
        return t.letters[value - t.letter_base] if t.letters else str(value)
    if isinstance(t, Enum):
        return t.letters[value] if t.letters else t.members[value]
    if isinstance(t, Record):
        return _write_record(t, value)
    if isinstance(t, Set):
        return "{" + ", ".join(write(t.of, v) for v in sorted(value) if t.of) + "}"
    if isinstance(t, List):
        words = [write(t.of, v) for v in value if t.of]
        return t.joint.join(words) if t.joint else "[" + ", ".join(words) + "]"
    if isinstance(t, Bag):
        kinds = [(write(t.keys, k), count) for k, count in zip(t.keys.values, value, strict=True) if count]
        return "{" + ", ".join(f"{count} {kind}" for kind, count in kinds) + "}"
    if isinstance(t, Map):
        pairs = zip(t.keys.values, value, strict=True)
        shown = [f"{write(t.keys, k)}: {write(t.of, v)}" for k, v in pairs if v != t.of.nothing]
        return "{" + ", ".join(shown) + "}"
    raise TypeError(f"no notation for {t}")


def write_for_readers(t: Type, value: Value) -> str:
    """A value for readers: its notation, except that a rank is printed as on cards (10, not T)."""
    text = write(t, value)
    is_rank = isinstance(scalar_of(t), Int) and text in PRINTED and PRINTED[text] == str(value)
    return PRINTED[text] if is_rank else text


def _write_record(t: Record, value: Value) -> str:
    """The notation of a record: its sign, its own form, or its fields in brackets."""
    if t.signs:
        return t.signs[value]
    if t.written is None:
        return "(" + ", ".join(write(kind, v) for (_, kind), v in zip(t.fields, value, strict=True)) + ")"
    texts = (x if isinstance(x, str) else write(t.fields[x][1], value[x]) for x in t.written)
    return "".join(texts)


def read(t: Scalar | List, text: str) -> Value | None:
    """The value of a notation; None if it is no notation of this type."""
    if isinstance(t, List):
        return _read_list(t, text.strip())
    if isinstance(t, Int) and not t.letters:
        return _read_number(t, text.strip())
    return _readings(t).get(text.strip())


def _read_number(t: Int, text: str) -> int | None:
    """The number in a text, None if it is not in the range; without a table, because ranges may hold
    millions."""
    value = int(text) if _NUMBER.fullmatch(text) else None
    return value if value is not None and value in t else None


def _read_list(t: List, text: str) -> Value | None:
    items = elements(t, text)
    values = tuple(read(t.of, item) for item in items) if t.of is not None and items is not None else None
    if values is None or not holds(t, values):
        return None
    return tuple(sorted(values)) if t.ascending else values


def elements(t: List, text: str) -> list[str] | None:
    """The texts of the elements in a notation of a list; None for another text."""
    if t.joint:
        return [item.strip() for item in text.split(t.joint)]
    return split_elements(t.of, text[1:-1]) if text[:1] == "[" and text[-1:] == "]" else None


def split_elements(of: Type | None, text: str) -> list[str]:
    """The texts of elements between commas: as they are written, or else as people may type them."""
    written = text.split(", ")
    is_so = isinstance(of, Scalar) and all(read(of, item) is not None for item in written)
    return written if is_so else split(text)


def split(text: str) -> list[str]:
    """The parts of a text between commas, keeping brackets and braces together."""
    parts, depth, start = [], 0, 0
    for i, letter in enumerate(text):
        if letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
        elif letter == "," and depth == 0:
            parts.append(text[start:i])
            start = i + 1
    parts.append(text[start:])
    return [part.strip() for part in parts] if text.strip() else []


@lru_cache(maxsize=256)
def _table(key: int, t: Scalar) -> dict[str, Value]:
    """The value of each notation of a type, names of members and plain numbers included."""
    words: dict[str, Value] = {}
    for value in t.values:
        words.setdefault(write(t, value), value)
    for value in t.values:  # after all notations: that of one value may be the name of another
        if isinstance(t, Enum):
            words.setdefault(t.members[value], value)
        if isinstance(t, Int):
            words.setdefault(str(value), value)
        if isinstance(t, Truth):
            words.setdefault("true" if value else "false", value)
    return words


def _readings(t: Scalar) -> dict[str, Value]:
    return _table(id(t), t)


def pattern(t: Type) -> str:
    """A regular expression for the notations of a scalar type (looser than the type itself).

    Raises TypeError.
    """
    if isinstance(t, Optional):
        return f"(?:none|{pattern(t.of)})" if t.of else "none"
    if isinstance(t, Record) and not t.signs:
        if t.written is None:
            return r"\(" + ", ".join(pattern(kind) for _, kind in t.fields) + r"\)"
        return "".join(re.escape(p) if isinstance(p, str) else pattern(t.fields[p][1]) for p in t.written)
    if isinstance(t, Int) and not t.letters:
        return "-?[0-9]+"
    if isinstance(t, Scalar):
        return "(?:" + "|".join(sorted((re.escape(w) for w in _readings(t)), key=len, reverse=True)) + ")"
    raise TypeError(f"no pattern for {t}")


def in_words(of: Type) -> str:
    """The values of a type in words: `yes or no`, the members of an enumeration, else the type itself."""
    if isinstance(of, Enum):
        return ", ".join(write(of, value) for value in of.values)
    return "yes or no" if isinstance(of, Truth) else str(of)
