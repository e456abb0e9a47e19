"""Values of declared types as JSON, and back: what has another form is refused.

Values are dataclasses and named tuples of numbers, texts, sequences, mappings and one another. Fields of
dataclasses that do not count in comparisons stay where they are. Verdicts and plays have forms of their own.
"""

from __future__ import annotations

import types
from collections.abc import Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from functools import cache
from typing import Any, Union, get_args, get_origin, get_type_hints

from ..core.verdicts import StoreError, Verdict, verdict_from
from ..core.verdicts.evidence_data import word
from ..play.plays import BadPlay, Play

PLAIN = frozenset({int, str, float, bool, type(None)})


class BadForm(ValueError):
    """Data that is no value of a type."""


def to_plain(value: Any) -> Any:
    """A value as JSON has it; mappings with keys that are no texts as lists of pairs."""
    if type(value) in PLAIN:
        return value
    if isinstance(value, Verdict):
        return {"verdict": value.to_data(), "remarks": [*value.remarks]}
    if isinstance(value, Play):
        return value.to_data()
    if isinstance(value, Mapping):
        pairs = [[key, to_plain(item)] for key, item in value.items()]
        return dict(pairs) if {*map(type, value)} <= {str} else pairs
    if is_dataclass(value):
        return {name: to_plain(getattr(value, name)) for name in _types(value.__class__)}
    if hasattr(value, "_fields"):
        return {name: to_plain(getattr(value, name)) for name in value._fields}
    if isinstance(value, Sequence):
        return [*value] if {*map(type, value)} <= PLAIN else [*map(to_plain, value)]
    raise TypeError(f"{type(value).__name__} has no form as JSON")


def from_plain(kind: Any, data: Any) -> Any:
    """The value of a type that data holds. BadForm if it holds none."""
    origin, inner = get_origin(kind), get_args(kind)
    if kind in PLAIN:
        right = type(data) is kind
    elif kind is Any:
        right = True
    elif origin in (Union, types.UnionType):
        return _from_union(inner, data)
    elif kind in (Verdict, Play):
        return _special(kind, data)
    elif isinstance(origin, type) and issubclass(origin, Mapping):
        pairs = [(from_plain(inner[0], key), from_plain(inner[1], item)) for key, item in _pairs(data)]
        if len(found := dict(pairs)) != len(pairs):
            raise BadForm("a key that comes twice")
        return found
    elif isinstance(origin, type) and issubclass(origin, Sequence):
        return origin(_items(inner[0], data)) if origin is tuple else _items(inner[0], data)
    else:
        named = _types(kind)
        if not isinstance(data, dict) or data.keys() != named.keys():
            raise BadForm(f"no {kind.__name__}")
        return kind(**{name: from_plain(one, data[name]) for name, one in named.items()})
    if not right:
        raise BadForm(f"{type(data).__name__} in the place of {getattr(kind, '__name__', kind)}")
    return data


def _items(kind: Any, data: Any) -> list[Any]:
    if not isinstance(data, list):
        raise BadForm("no list")
    among = set(get_args(kind)) if get_origin(kind) in (Union, types.UnionType) else {kind}
    if among <= PLAIN:  # long columns of numbers
        if not {*map(type, data)} <= among:
            raise BadForm("a list of other things")
        return data
    return [from_plain(kind, item) for item in data]


def _pairs(data: Any) -> list[Any]:
    if isinstance(data, dict):
        return [*data.items()]
    if not isinstance(data, list) or any(type(pair) is not list or len(pair) != 2 for pair in data):
        raise BadForm("no list of pairs")
    return data


def _from_union(kinds: Sequence[Any], data: Any) -> Any:
    for kind in kinds:
        try:
            return from_plain(kind, data)
        except BadForm:
            continue
    raise BadForm("none of the types that it may have")


def _special(kind: type, data: Any) -> Any:
    """A play, or a verdict with its remarks."""
    try:
        if kind is Play:
            return Play.from_data(data)
        verdict, remarks = verdict_from(data["verdict"]), _items(str, data["remarks"])
    except (StoreError, BadPlay, LookupError, TypeError) as error:
        raise BadForm(str(error)) from None
    if not all(map(word, remarks)):
        raise BadForm("remarks that are no words")
    return replace(verdict, remarks=tuple(remarks))


@cache
def _types(kind: type) -> dict[str, Any]:
    """The types of the fields of a dataclass or a named tuple that travel."""
    hints = get_type_hints(kind)
    if is_dataclass(kind):
        return {field.name: hints[field.name] for field in fields(kind) if field.init and field.compare}
    if hasattr(kind, "_fields"):
        return {name: hints[name] for name in kind._fields}
    raise TypeError(f"{kind.__name__} has no form as JSON")
