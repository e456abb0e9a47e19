"""Values as plain data (numbers, texts, lists, mappings), and back.

Scalars are texts in their type's notation, whole numbers and truth values as themselves, none is
None; sets and lists are lists, maps are mappings whose keys are in notation. A text may stand for
a list or set too: `[2-3, 0-1]`, `{1, 2}`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from .diagnostics import close_to
from .notation import read, split, split_elements, write
from .types import Bag, Int, List, Map, Optional, Scalar, Set, Truth, Type, Value, holds

MOST_SHOWN = 6
"""Maximum number of possible values that a message lists."""


def to_data(t: Type, value: Value) -> Any:
    """A value of a type as plain data. Keys of a map that hold nothing are left out."""
    if value is None:
        return None
    if isinstance(t, Bag):
        return {write(t.keys, k): n for k, n in zip(t.keys.values, value, strict=True) if n}
    if isinstance(t, Map):
        pairs = zip(t.keys.values, value, strict=True)
        blank = nothing_of(t.of)
        return {write(t.keys, k): to_data(t.of, v) for k, v in pairs if blank is ABSENT or v != blank}
    if isinstance(t, Set | List):
        listed = sorted(value) if isinstance(t, Set) else value
        return [to_data(t.of, v) for v in listed if t.of is not None]
    scalar = t.of if isinstance(t, Optional) else t
    if isinstance(scalar, Truth) or (isinstance(scalar, Int) and not scalar.letters):
        return value
    return write(t, value)


def from_data(t: Type, data: Any, default: Value = None) -> Value:
    """The value of a type from plain data; ValueError says what is wrong with it.

    In a map, missing keys hold nothing, or their value in `default` if the type has no nothing.

    Raises TypeError.
    """
    if isinstance(t, Optional):
        if data is None or (isinstance(data, str) and data.strip() == "none"):
            return None
        return from_data(t.of, data) if t.of else None
    if isinstance(t, Scalar):
        return _scalar(t, data)
    if isinstance(t, Set):
        return frozenset(from_data(t.of, item) for item in _items(t, data, "{}") if t.of)
    if isinstance(t, List):
        value = tuple(from_data(t.of, item) for item in _items(t, data, "[]") if t.of)
        if len(value) > t.cap:
            raise ValueError(f"{len(value)} elements do not fit in a {t}")
        return value
    if isinstance(t, Bag):
        return _bag(t, data)
    if isinstance(t, Map):
        return _map(t, data, default)
    raise TypeError(f"no data for {t}")


class _Absent:
    """The marker that a type has no value for nothing."""


ABSENT = _Absent()


def nothing_of(t: Type) -> Value | _Absent:
    """The value of a type that represents nothing, or ABSENT if the type has none."""
    return t.nothing if holds(t, t.nothing) else ABSENT


def show(t: Type, value: Value) -> str:
    """The notation of a value that need not belong to the type."""
    if value is None:
        return "none"
    try:
        return write(t, value) if holds(t, value) else _plain(t, value)
    except (KeyError, IndexError, TypeError):
        return str(value)


def _plain(t: Type, value: Value) -> str:
    inner = t.of if isinstance(t, Set | List | Optional) else None
    if isinstance(value, tuple | frozenset) and inner is not None:
        opening, closing = "[]" if isinstance(value, tuple) else "{}"
        return opening + ", ".join(show(inner, v) for v in value) + closing
    return str(value)


def _scalar(t: Scalar, data: Any) -> Value:
    """A scalar from a number, truth value or notation. Raises ValueError."""
    if not isinstance(data, int) and hasattr(data, "__index__"):  # such as numpy's
        data = data.__index__()
    if isinstance(data, bool):
        if isinstance(t, Truth) and data in t:
            return data
    elif isinstance(data, int):
        if isinstance(t, Int) and data in t:
            return data
        found = read(t, str(data))
        if found is not None:
            return found
    elif isinstance(data, float):
        raise ValueError(f"{data} is a decimal number; put the notation of {_name_values(t)} in quotes")
    elif isinstance(data, str):
        found = read(t, data)
        if found is not None:
            return found
    raise ValueError(f"{_quote(data)} is not {_name_values(t)}{_advice(t, data)}")


def _name_values(t: Scalar) -> str:
    return f"a {t}" if t.name else f"one of {t}"


def _quote(data: Any) -> str:
    return f"`{data}`" if isinstance(data, str | int) else f"{data!r}"


def _advice(t: Scalar, data: Any) -> str:
    """The end of a message: the values of a type, or a similar one."""
    if isinstance(t, Int) and not t.name:
        return ""  # its values have been named
    if len(t.values) <= MOST_SHOWN:
        return f" ({', '.join(write(t, v) for v in t.values)})"
    near = close_to(str(data), (write(t, v) for v in t.values), 1)
    return f"; did you mean {near[0]}?" if near else f" (such as {write(t, t.values[0])})"


def _items(t: Type, data: Any, brackets: str) -> Iterable[Any]:
    """The elements of a set or list, from a text in brackets or a sequence. Raises ValueError."""
    if isinstance(data, str):
        text = data.strip()
        if text[:1] not in ("[", "{") or text[-1:] not in ("]", "}"):
            raise ValueError(f"`{data}` is not a {t}: write its elements in {brackets[0]}…{brackets[1]}")
        return split_elements(t.of if isinstance(t, List | Set) else None, text[1:-1])
    if isinstance(data, list | tuple | set | frozenset):
        return data
    raise ValueError(f"{_quote(data)} is not a {t}: give a list of its elements")


def _map(t: Map, data: Any, default: Value) -> Value:
    """A map from its keys and values; other entries keep the default. Raises ValueError."""
    if isinstance(data, str):
        data = _pairs(t, data)
    if not isinstance(data, Mapping):
        how = "give its keys with their values, or its picture in a `|` block"
        raise ValueError(f"{_quote(data)} is not a {t}: {how}")
    blank = nothing_of(t.of)
    rest = default if blank is ABSENT else (blank,) * len(t.keys.values)
    given: dict[Value, Value] = {}
    for key, inner in data.items():
        place = from_data(t.keys, key)
        if place in given:
            raise ValueError(f"`{write(t.keys, place)}` is given twice")
        try:
            given[place] = from_data(t.of, inner, rest and rest[t.keys.index[place]])
        except ValueError as error:
            raise ValueError(f"at {write(t.keys, place)}: {error}") from None
    if rest is None and len(given) < len(t.keys.values):
        missing = next(k for k in t.keys.values if k not in given)
        raise ValueError(f"no value for `{write(t.keys, missing)}`")
    return tuple(given[k] if k in given else rest[i] for i, k in enumerate(t.keys.values))


def _bag(t: Bag, data: Any) -> Value:
    """The value of a bag, given as numbers by kind or as a list with repetitions. Raises ValueError."""
    empty = (0,) * len(t.keys.values)
    if isinstance(data, Mapping) or (isinstance(data, str) and ":" in data):
        return _map(t, data, empty)
    things = [from_data(t.keys, item) for item in _items(t, data, "[]")]
    counted = tuple(things.count(kind) for kind in t.keys.values)
    if not holds(t, counted):
        raise ValueError(f"this is too many of a kind for a {t}")
    return counted


def _pairs(t: Map, text: str) -> dict[str, str]:
    """The entries of a map written as `{key: value, …}`, both as texts. Raises ValueError."""
    inner = text.strip()
    if inner[:1] != "{" or inner[-1:] != "}":
        raise ValueError(f"`{text}` is not a {t}: write it as {{key: value, …}}")
    pairs = [item.partition(":") for item in split(inner[1:-1])]
    return {key.strip(): value.strip() for key, _, value in pairs}
