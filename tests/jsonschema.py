"""Holding data against a JSON Schema, as far as our schemas use the language; anything else is an error."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

KINDS: Mapping[str, type | tuple[type, ...]] = {
    "object": dict, "array": list, "string": str, "integer": int, "number": (int, float), "boolean": bool,
    "null": type(None),
}  # fmt: skip
WORDS = frozenset("$schema title description $defs then else".split())


def misfits(data: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: str = "") -> Iterator[str]:
    """Every place where data is not as the schema says."""
    if "$ref" in schema:
        yield from misfits(data, root["$defs"][schema["$ref"].removeprefix("#/$defs/")], root, at)
        return
    unknown = schema.keys() - WORDS - CHECKS.keys()
    assert not unknown, f"this checker knows no {unknown}"
    for word, check in CHECKS.items():
        if word in schema:
            yield from check(data, schema, root, at)


def _type(data: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: str) -> Iterator[str]:
    names = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    is_bool = isinstance(data, bool)
    if not any(isinstance(data, KINDS[n]) and (not is_bool or n == "boolean") for n in names):
        yield f"{at}: {data!r} is not {' or '.join(names)}"


def _enum(data: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: str) -> Iterator[str]:
    if data not in schema["enum"]:
        yield f"{at}: {data!r} is none of {schema['enum']}"


def _required(data: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: str) -> Iterator[str]:
    if isinstance(data, dict):
        yield from (f"{at}.{name} is missing" for name in schema["required"] if name not in data)


def _properties(data: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: str) -> Iterator[str]:
    for name, inner in schema["properties"].items():
        if isinstance(data, dict) and name in data:
            yield from misfits(data[name], inner, root, f"{at}.{name}")


def _additional(data: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: str) -> Iterator[str]:
    more = schema["additionalProperties"]
    for name in data.keys() - schema.get("properties", {}).keys() if isinstance(data, dict) else ():
        if more is False:
            yield f"{at}.{name} is not foreseen"
        else:
            yield from misfits(data[name], more, root, f"{at}.{name}")


def _items(data: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: str) -> Iterator[str]:
    for i, item in enumerate(data if isinstance(data, list) else ()):
        yield from misfits(item, schema["items"], root, f"{at}[{i}]")


def _any_of(data: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: str) -> Iterator[str]:
    found = [[*misfits(data, one, root, at)] for one in schema["anyOf"]]
    if all(found):
        yield from found[0]


def _if(data: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: str) -> Iterator[str]:
    holds = not [*misfits(data, schema["if"], root, at)]
    yield from misfits(data, schema["then" if holds else "else"], root, at)


def _names(data: Any, schema: Mapping[str, Any], root: Mapping[str, Any], at: str) -> Iterator[str]:
    pattern = re.compile(schema["propertyNames"]["pattern"])
    yield from (f"{at}: `{key}` is no name" for key in data if not pattern.search(key))


CHECKS = {
    "if": _if, "propertyNames": _names,
    "anyOf": _any_of, "type": _type, "enum": _enum, "required": _required, "properties": _properties,
    "additionalProperties": _additional, "items": _items,
}  # fmt: skip
