"""Units that the machine translates: functions, the names that they use, and the shapes of parameters."""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any, NamedTuple

from .. import form as f

Shape = f.Type | tuple["Shape", ...]
"""The type of a value, or of each part of a tuple."""


class BoundName(NamedTuple):
    """A name in a function: one value (a local) or a tuple."""

    shape: Shape
    parts: tuple[f.Local, ...]


class Unit(NamedTuple):
    """A source of functions and of the names that they use."""

    functions: Mapping[str, ast.FunctionDef | f.Function]
    names: Mapping[str, Any]
    """Meanings of further names: a constant, a table, or a `FunctionRef` to another unit."""


class FunctionRef(NamedTuple):
    """A function of a unit."""

    unit: Unit
    name: str


class SubsetError(ValueError):
    """Raised for code outside the subset; the message says where and what."""


ANNOTATED = {
    "int": f.NUMBER, "Word": f.WORD, "bool": f.TRUTH, "float": f.REAL, "Numbers": f.NUMBERS, "Words": f.WORDS,
    "Small": f.SMALL, "Reals": f.REALS, "VastNumbers": f.VAST_NUMBERS, "VastWords": f.VAST_WORDS,
    "VastSmall": f.VAST_SMALL,
}  # fmt: skip
"""The types named in annotations."""


def annotation_text(node: ast.expr | None) -> str:
    """The text of an annotation or a decorator; empty for none."""
    if isinstance(node, ast.Name):
        return node.id
    return ast.unparse(node) if node else ""


def flatten_shape(shape: Shape) -> tuple[f.Type, ...]:
    """The types of all parts of a shape, in order."""
    if isinstance(shape, f.Type):
        return (shape,)
    return tuple(t for part in shape for t in flatten_shape(part))
