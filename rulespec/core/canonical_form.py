"""The canonical form of nodes and types, from which digests are made.

Nodes are written out as text with variables numbered by first appearance, definitions by name with
their bodies, types by their values' notation-free form. Names of variables and prose do not count.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from typing import Any

from . import nodes as n
from .types import Enum, Int, List, Map, Optional, Record, Scalar, Set, Type

_MEANT = {kind: tuple(slot for slot in kind.SLOTS if slot != "name") for kind in (*n.EXPRESSIONS, *n.EFFECTS)}
"""The slots of each kind of node that affect its meaning."""


class CanonicalWriter:
    """Writes nodes in a canonical form; definitions are written once, where first called."""

    def __init__(self) -> None:
        self.vars: dict[n.Var, int] = {}
        self.functions: dict[n.Function, int] = {}
        self.types: dict[int, str] = {}
        self.kept: list[Type] = []
        self.texts: list[str] = []

    def put(self, *texts: object) -> None:
        self.texts += map(str, texts)

    def digest(self) -> str:
        """The digest of everything written so far, in hexadecimal."""
        return hashlib.sha256(" ".join([*self.texts, ""]).encode()).hexdigest()

    def write(self, thing: Any) -> None:
        """Write a node, sequence or value; variables and functions are numbered by first occurrence."""
        kind = type(thing)
        meant = _MEANT.get(kind)
        if meant is not None:
            self.texts.append(kind.__name__)
            for name in meant:
                self.write(getattr(thing, name))
        elif isinstance(thing, tuple | list):
            self.texts.append("(")
            for item in thing:
                self.write(item)
            self.texts.append(")")
        elif isinstance(thing, Type):
            self.texts.append(self.type(thing))
        elif isinstance(thing, n.Var):
            self.variable(thing)
        elif isinstance(thing, n.StateVar):
            self.put("s", thing.name)
        elif isinstance(thing, n.Function):
            self.function(thing)
        elif isinstance(thing, frozenset):
            self.put("{", sorted(thing), "}")
        elif isinstance(thing, Mapping):  # a slow test
            self.write(tuple(sorted(thing.items())))
        else:
            self.texts.append(repr(thing))

    def variable(self, var: n.Var) -> None:
        known = var in self.vars
        self.put("v", self.vars.setdefault(var, len(self.vars)))
        if not known:
            self.texts.append(self.type(var.type))

    def function(self, function: n.Function) -> None:
        """Write a function: its number, and on first occurrence its definition."""
        known = function in self.functions
        self.put("f", self.functions.setdefault(function, len(self.functions)))
        if not known:
            self.write(function.params)
            self.write(function.result)
            self.write(function.body)

    def type(self, t: Type) -> str:
        key = id(t)
        if key not in self.types:
            self.types[key] = self._type(t)
            self.kept.append(t)
        return self.types[key]

    def _type(self, t: Type) -> str:
        if isinstance(t, Optional):
            return f"?{self.type(t.of)}" if t.of else "?"
        if isinstance(t, Set):
            return f"set {self.type(t.of)}" if t.of else "set"
        if isinstance(t, List):
            return f"list {t.cap} {self.type(t.of)}" if t.of else "list"
        if isinstance(t, Map):
            return f"map {self.type(t.keys)} {self.type(t.of)}"
        if isinstance(t, Int):
            return f"int {t.values if isinstance(t.values, range) else tuple(t.values)}"
        if isinstance(t, Enum):
            return f"enum {tuple(t.members[v] for v in t.values)}"
        if isinstance(t, Record):
            digest = hashlib.sha256(repr(tuple(t.values)).encode()).hexdigest()[:16]
            return f"record {tuple(name for name, _ in t.fields)} {digest}"
        assert isinstance(t, Scalar)
        return f"bool {tuple(t.values)}"


class ExactWriter(CanonicalWriter):
    """Writes names, clauses, and the families and notations of types, too."""

    def variable(self, var: n.Var) -> None:
        if var not in self.vars:
            self.put(repr(var.name))
        super().variable(var)

    def function(self, function: n.Function) -> None:
        if function not in self.functions:
            named = function.name, function.clause
            self.put(repr(named), function.falling, function.static)
        super().function(function)

    def _type(self, t: Type) -> str:
        fields = [self.type(of) for _, of in t.fields] if isinstance(t, Record) else []
        family = t.family if isinstance(t, Scalar) else ""
        return f"{family!r} {str(t)!r} {fields} {_notation(t)!r} {super()._type(t)}"


def _notation(t: Type) -> tuple[object, ...]:
    """Everything on which the notation of a type's values depends, besides their types and names."""
    if isinstance(t, Record):
        return t.written, *t.signs.values()
    if isinstance(t, Int):
        return t.letters, t.letter_base
    if isinstance(t, Enum):
        return (t.letters,)
    return (t.joint,) if isinstance(t, List) else ()
