"""JSON data of declared types: strict reading, writing, and the data that commands publish.

The types are annotations: numbers, texts, `Literal`, unions, sequences, mappings, dataclasses, named tuples
and typed dictionaries. A function in the metadata of `Annotated` is a further condition on a value. Data of
another form, with a missing key or an unknown one, are refused, because data may come from anybody.

Fields of a dataclass that do not count in comparisons belong to one run and are neither written nor read.
"""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping, Sequence
from dataclasses import fields, is_dataclass
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, Literal, Union, get_args, get_origin, get_type_hints, is_typeddict

PLAIN = frozenset({int, str, float, bool, type(None)})


class WrongForm(ValueError):
    """Raised for data that are no value of a type; `key` is the innermost key that is missing, unknown or
    mistyped."""

    def __init__(self, message: str, key: str = "") -> None:
        super().__init__(message)
        self.key = key


Codec = tuple[Callable[[Any], Any], Callable[[Any], Any]]
"""Functions that write values of a type as data, and read them."""


class DataForm:
    """Writes values as JSON data and reads them; some types may have forms of their own."""

    def __init__(self, special: Mapping[type, Codec] | None = None) -> None:
        self._special = special or {}

    def encode(self, value: Any) -> Any:
        """A value as JSON data; a mapping whose keys are no texts becomes a list of pairs.

        Raises TypeError.
        """
        kind = type(value)
        if kind in PLAIN:
            return value
        if kind in self._special:
            return self._special[kind][0](value)
        if isinstance(value, Mapping):
            pairs = [[key, self.encode(item)] for key, item in value.items()]
            return dict(pairs) if {*map(type, value)} <= {str} else pairs
        if is_dataclass(value) or hasattr(value, "_fields"):
            return {name: self.encode(getattr(value, name)) for name in field_types(type(value))}
        if isinstance(value, Sequence):
            return [*value] if {*map(type, value)} <= PLAIN else [*map(self.encode, value)]
        raise TypeError(f"{kind.__name__} has no form as JSON")

    def decode(self, kind: Any, data: Any) -> Any:
        """The value of a type from JSON data. Raises WrongForm for data of another form."""
        if kind is Any:
            return data
        if isinstance(kind, type):
            if kind in PLAIN:
                _require(type(data) is kind, data, kind)
                return data
            return self._special[kind][1](data) if kind in self._special else self._decode_fields(kind, data)
        origin, inner = get_origin(kind), get_args(kind)
        if origin is Annotated:
            value = self.decode(inner[0], data)
            _require(all(test(value) for test in inner[1:] if callable(test)), data, kind)
            return value
        if origin is Literal:
            _require(type(data) is str and data in inner, data, kind)
            return data
        if origin in (Union, types.UnionType):
            return self._decode_union(inner, data)
        if isinstance(origin, type) and issubclass(origin, Mapping):
            return self._decode_mapping(inner[0], inner[1], data)
        if isinstance(origin, type) and issubclass(origin, Sequence):
            items = self._decode_items(inner[0], data)
            return tuple(items) if origin is tuple else items
        raise TypeError(f"{kind} has no form as JSON")

    def _decode_fields(self, kind: Any, data: Any) -> Any:
        """The fields of a record from a mapping. Raises WrongForm."""
        types_of = field_types(kind)
        optional: frozenset[str] = getattr(kind, "__optional_keys__", frozenset())
        _require(isinstance(data, Mapping), data, kind)
        for key in types_of:
            if key not in data and key not in optional:
                raise WrongForm(f"no `{key}`", key)
        values = {}
        for key, item in data.items():
            if key not in types_of:
                raise WrongForm(f"an unknown `{key}`", key)
            try:
                values[key] = self.decode(types_of[key], item)
            except WrongForm as wrong:
                raise WrongForm(f"{key}: {wrong}", wrong.key or key) from None
        return values if is_typeddict(kind) else kind(**values)

    def _decode_mapping(self, key_kind: Any, kind: Any, data: Any) -> dict[Any, Any]:
        """A mapping from an object or a list of pairs. Raises WrongForm."""
        if isinstance(data, dict):
            data = [[key, item] for key, item in data.items()]
        elif str in (key_kind, *get_args(key_kind)):
            raise WrongForm("no mapping")
        if not isinstance(data, list) or any(type(pair) is not list or len(pair) != 2 for pair in data):
            raise WrongForm("no list of pairs")
        found = {self.decode(key_kind, key): self.decode(kind, item) for key, item in data}
        if len(found) != len(data):
            raise WrongForm("a key that comes twice")
        return found

    def _decode_items(self, kind: Any, data: Any) -> list[Any]:
        """The elements of a list. Raises WrongForm."""
        if not isinstance(data, list):
            raise WrongForm("no list")
        among = set(get_args(kind)) if get_origin(kind) in (Union, types.UnionType) else {kind}
        if among <= PLAIN:  # long columns of numbers
            if not {*map(type, data)} <= among:
                raise WrongForm("a list of other things")
            return data
        return [self.decode(kind, item) for item in data]

    def _decode_union(self, kinds: Sequence[Any], data: Any) -> Any:
        """The value as the first type of a union that fits. Raises WrongForm."""
        for kind in kinds:
            try:
                return self.decode(kind, data)
            except WrongForm:
                continue
        raise WrongForm("none of the types that it may have")


def _require(right: bool, data: Any, kind: Any) -> None:
    if not right:
        raise WrongForm(f"{type(data).__name__} in the place of {getattr(kind, '__name__', kind)}")


def field_types(kind: Any) -> dict[str, Any]:
    """The types of the entries of a typed dictionary, or of the fields of a dataclass or a named tuple."""
    return _field_types(kind)


@cache
def _field_types(kind: Any) -> dict[str, Any]:
    """The types of the fields of a record type. Raises TypeError for any other type."""
    hints = get_type_hints(kind, include_extras=True)
    if is_typeddict(kind):
        return hints
    if is_dataclass(kind):
        return {field.name: hints[field.name] for field in fields(kind) if field.init and field.compare}
    if hasattr(kind, "_fields"):
        return {name: hints[name] for name in kind._fields}
    raise TypeError(f"{getattr(kind, '__name__', kind)} has no form as JSON")


def attributes(keys: str) -> Mapping[str, str]:
    """The value of `PUBLISHED` for a dataclass from keys, `key=path` for attributes of other names.

    Example:
        >>> attributes("count mean=estimate.value")
        {'count': 'count', 'mean': 'estimate.value'}
    """
    pairs = (word.partition("=") for word in keys.split())
    return {key: path or key for key, _, path in pairs}


def published_keys(kind: Any) -> Mapping[str, str]:
    """The keys that `publish` gives a dataclass, each with the attribute that it shows."""
    keys: Mapping[str, str] | None = getattr(kind, "PUBLISHED", None)
    return keys if keys is not None else {field.name: field.name for field in fields(kind)}


def publish(value: Any) -> Any:
    """A value as the JSON data that commands print.

    A dataclass becomes its fields, or the attributes in its `PUBLISHED`. Keys of mappings become texts, and
    so does any value without a JSON form.
    """
    if type(value) in PLAIN:
        return value
    if is_dataclass(value):
        return {key: publish(attrgetter(path)(value)) for key, path in published_keys(type(value)).items()}
    if isinstance(value, Mapping):
        return {str(key): publish(item) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [publish(item) for item in value]
    return str(value)
