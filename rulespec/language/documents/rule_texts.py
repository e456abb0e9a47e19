"""The formal texts of a rule."""

from __future__ import annotations

from collections.abc import Iterator

from .ruleset_shape import RULE
from .shapes import Kind, Leaf, Many, NamedEntries, Shape
from .yaml import Mapping, Node, Scalar, Sequence


def formal_texts_of(rule: Mapping) -> Iterator[tuple[str, Scalar, str]]:
    """Each formal text of a rule with its place and start rule; the notation of actions has no start rule."""
    for key, value in rule.entries.items():
        if key == "written" and isinstance(value, Scalar):
            yield key, value, ""
        elif key != "examples" and key in RULE.keys:
            yield from _texts_inside(value, RULE.keys[key], key)


def _texts_inside(node: Node, kind: Kind, where: str) -> Iterator[tuple[str, Scalar, str]]:
    """Yield the formal texts below a node, each with its place and its start symbol."""
    if isinstance(kind, Leaf) and isinstance(node, Scalar):
        if kind.start:
            yield where.removesuffix(" that"), node, kind.start
    elif isinstance(kind, Many) and isinstance(node, Sequence):
        for item in node.items:
            yield from _texts_inside(item, kind.of, where)
    elif isinstance(kind, Shape | NamedEntries) and isinstance(node, Mapping):
        for key, value in node.entries.items():
            of = kind.keys.get(key) if isinstance(kind, Shape) else kind.of
            if of is not None:
                yield from _texts_inside(value, of, f"{where} {key}")
