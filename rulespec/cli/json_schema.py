"""JSON Schemas of the documents that commands print, generated from their declarations.

`make schemas` writes the files in the folder `schemas`; a test fails if they differ from `documents`.
"""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import is_dataclass
from functools import cache
from pathlib import Path
from typing import (
    Annotated,
    Any,
    Literal,
    NotRequired,
    Union,
    get_args,
    get_origin,
    get_type_hints,
    is_typeddict,
)

from ..core.data_forms import field_types, published_keys
from .documents import DOCUMENTS, Extends

Schema = dict[str, Any]
FOLDER = Path(__file__).parent / "schemas"
NAMES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null", Path: "string"}
TITLES = {"error": "What any command prints with --json when its input is wrong (exit status 2)"}
DIALECT = "https://json-schema.org/draft/2020-12/schema"


class _Writer:
    """Makes the schemas of one document; classes become definitions that others refer to."""

    def __init__(self) -> None:
        self.definitions: dict[str, Schema] = {}

    def schema(self, kind: Any) -> Schema:
        """The schema of a type."""
        origin, inner = get_origin(kind), get_args(kind)
        if kind is Any:
            return {}
        if kind in NAMES:
            return {"type": NAMES[kind]}
        if origin is Annotated:
            return self._annotated(inner[0], inner[1:])
        if origin is NotRequired:
            return self.schema(inner[0])
        if origin is Literal:
            return {"enum": [*inner]}
        if origin in (Union, types.UnionType):
            return self._union(inner)
        if kind in (dict, list, tuple):
            return {"type": "object" if kind is dict else "array"}
        if isinstance(origin, type) and issubclass(origin, Mapping):
            values = self.schema(inner[1])
            return {"type": "object", **({"additionalProperties": values} if values else {})}
        if isinstance(origin, type) and issubclass(origin, Sequence):
            items = self.schema(inner[0])
            return {"type": "array", **({"items": items} if items else {})}
        return self._reference(kind)

    def _annotated(self, kind: Any, metadata: Sequence[Any]) -> Schema:
        """The schema of a type with metadata."""
        for one in metadata:
            if isinstance(one, Extends):
                keys = {**field_types(one.stored), **field_types(one.more)}
                docs = {**descriptions(one.stored), **descriptions(one.more)}
                return self._define(one.stored.__name__, keys, docs, [*keys])
            names = getattr(one, "__self__", None)
            if isinstance(names, Mapping):  # `one_of` a table
                return {"enum": [*names]}
        return self.schema(kind)

    def _union(self, kinds: Sequence[Any]) -> Schema:
        schemas = [self.schema(kind) for kind in kinds]
        if all(schema.keys() == {"type"} for schema in schemas):
            names = [schema["type"] for schema in schemas]
            names = [name for name in names if name != "integer" or "number" not in names]
            return {"type": names if len(names) > 1 else names[0]}
        return {"anyOf": schemas}

    def _reference(self, kind: Any) -> Schema:
        """A reference to the schema of a record type, which is defined on first use."""
        if is_typeddict(kind):
            keys = field_types(kind)
            return self._define(kind.__name__, keys, descriptions(kind), kind.__required_keys__)
        assert isinstance(kind, type) and is_dataclass(kind), f"{kind} has no form as JSON"
        shown = {key: _attribute(kind, path) for key, path in published_keys(kind).items()}
        keys = {key: of for key, (of, _) in shown.items()}
        return self._define(str(kind.__name__), keys, {key: text for key, (_, text) in shown.items()}, keys)

    def _define(
        self, name: str, keys: Mapping[str, Any], docs: Mapping[str, str], required: Sequence[str] | Any
    ) -> Schema:
        """Define the schema of an object unless it is there, and return a reference to it."""
        if name not in self.definitions:
            self.definitions[name] = {}
            texts = {key: {"description": docs[key]} if docs.get(key) else {} for key in keys}
            self.definitions[name] = {
                "type": "object",
                "properties": {key: {**self.schema(kind), **texts[key]} for key, kind in keys.items()},
                "required": [key for key in keys if key in required],
                "additionalProperties": False,
            }
        return {"$ref": f"#/$defs/{name}"}


def _attribute(kind: Any, path: str) -> tuple[Any, str]:
    """The type and the description of an attribute of a class, given by a dotted path."""
    name, _, rest = path.partition(".")
    found = getattr(kind, name, None)
    if isinstance(found, property):
        of = get_type_hints(found.fget)["return"]
        text = inspect.getdoc(found) or ""
    else:
        of, text = get_type_hints(kind, include_extras=True)[name], descriptions(kind).get(name, "")
    return _attribute(of, rest) if rest else (of, " ".join(text.split()))


@cache
def descriptions(kind: type) -> dict[str, str]:
    """The docstrings of the attributes of a class and of those it inherits from, by name."""
    found: dict[str, str] = {}
    for one in (*reversed(getattr(kind, "__orig_bases__", kind.__bases__)), kind):
        if one.__module__.startswith("rulespec"):
            found |= descriptions(one) if one is not kind else dict(_attribute_texts(one))
    return found


def _attribute_texts(kind: type) -> Iterator[tuple[str, str]]:
    """Yield the attributes of a class, each with the string below it."""
    (node,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    assert isinstance(node, ast.ClassDef)
    for one, after in zip(node.body, node.body[1:], strict=False):
        text = after.value if isinstance(after, ast.Expr) else None
        if (
            isinstance(one, ast.AnnAssign)
            and isinstance(one.target, ast.Name)
            and isinstance(text, ast.Constant)
        ):
            yield one.target.id, " ".join(str(text.value).split())


def document_schema(name: str) -> Schema:
    """The schema of the document of a command, or of `error`."""
    writer = _Writer()
    top = writer.schema(DOCUMENTS[name])["$ref"].rpartition("/")[2]
    whole = writer.definitions.pop(top)
    head = {"$schema": DIALECT, "title": TITLES.get(name, f"rulespec {name} --json")}
    return {**head, **whole, **({"$defs": writer.definitions} if writer.definitions else {})}


def schema_texts() -> dict[str, str]:
    """The text of each schema file by its name."""
    schemas = {name: document_schema(name) for name in DOCUMENTS}
    return {f"{name}.json": json.dumps(schema, indent=2) + "\n" for name, schema in schemas.items()}


def write_schemas() -> None:
    """Write the schema files anew (`make schemas`)."""
    for name, text in schema_texts().items():
        (FOLDER / name).write_text(text, "utf-8")
