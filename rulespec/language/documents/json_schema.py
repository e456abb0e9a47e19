"""The JSON Schema of rulesets for editors, generated from the shapes by which files are checked.

It describes structure: keys, and which of them are needed. `check` tests the meaning of texts.
"""

from __future__ import annotations

import json
from typing import Any, assert_never

from .ruleset_shape import RULESET, VARIANT
from .shapes import IDS, Either, Kind, Leaf, Many, NamedEntries, Shape

DIALECT = "http://json-schema.org/draft-07/schema#"
"""The dialect that editors of YAML read."""
WORDS = {
    "prose": "Text for readers.",
    "cell": "Text for readers.",
    "formal": "Formal text.",
    "id": "A name: letters, digits and hyphens.",
    "word": "A single word.",
    "play": "An action, or a part of one, in notation.",
}
"""The description of each kind of text."""
_PLAIN = ["string", "number", "boolean"]
"""A text as YAML may read it."""


def ruleset_schema() -> dict[str, Any]:
    """The JSON schema of a ruleset's file; with the key `extends` it is a variant."""
    return {
        "$schema": DIALECT,
        "title": "A ruleset of rulespec",
        "if": {"required": ["extends"]},
        "then": _schema(VARIANT),
        "else": _schema(RULESET),
    }


def ruleset_schema_text() -> str:
    """The text of the schema."""
    return json.dumps(ruleset_schema(), indent=2) + "\n"


def _schema(kind: Kind) -> dict[str, Any]:
    """The JSON schema of a kind of value."""
    if isinstance(kind, Leaf):
        return _text(kind)
    if isinstance(kind, Shape):
        rest = False if kind.rest is None else _schema(kind.rest)
        schema: dict[str, Any] = {
            "type": "object",
            "properties": {key: _schema(of) for key, of in kind.keys.items()},
            "additionalProperties": rest,
        }
        return {**schema, "required": [*kind.required]} if kind.required else schema
    if isinstance(kind, Many):
        return {"type": "array", "items": _schema(kind.of)}
    if isinstance(kind, NamedEntries):
        names = {"propertyNames": {"pattern": f"^(?:{IDS.pattern})$"}} if kind.ids else {}
        return {"type": "object", "additionalProperties": _schema(kind.of), **names}
    if isinstance(kind, Either):
        return {"anyOf": [_schema(option) for option in kind.options]}
    assert_never(kind)


def _text(kind: Leaf) -> dict[str, Any]:
    if kind.kind == "data":
        return {}
    return {"type": _PLAIN, "description": WORDS[kind.kind]}
