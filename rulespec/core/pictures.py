"""A map given as its picture: rows of cells between spaces, from the top down.

The layer of the diagram that draws the map gives the place of each key, so the same layer reads a picture.
`.` is nothing.
"""

from __future__ import annotations

from collections.abc import Iterable

from . import nodes as n
from .context import Context
from .evaluate import evaluate
from .game import Layer
from .meter import Meter
from .notation import write
from .plain_data import ABSENT, from_data, nothing_of
from .traversal import nodes_within, reads_state
from .types import List, Map, Scalar, Set, Type, Value

Rows = list[list[Value]]
"""The keys of a map row by row from the top, each row from the left."""


def is_picture(t: Type, data: object) -> bool:
    """True if data for a variable of this type has the form of a picture."""
    return isinstance(t, Map) and isinstance(data, str) and not data.lstrip().startswith("{")


def read_picture(diagram: Iterable[Layer], var: n.StateVar, text: str, meter: Meter | None = None) -> Value:
    """The value of a map in a picture; ValueError says what is wrong with the picture."""
    assert isinstance(var.type, Map)
    return read_rows(var.type, var.name, layout(diagram, var, meter), text)


def read_rows(t: Map, name: str, rows: Rows | None, text: str) -> Value:
    """The value of a map whose keys form rows; ValueError says what is wrong with the picture."""
    if rows is None:
        raise ValueError(f"the diagram does not say where each key of `{name}` lies; give it by keys")
    lines = [line.split() for line in text.splitlines() if line.strip()]
    if len(lines) != len(rows):
        raise ValueError(f"the picture of `{name}` has {len(rows)} rows, not {len(lines)}")
    found: dict[Value, Value] = {}
    for number, (words, keys) in enumerate(zip(lines, rows, strict=True), 1):
        if len(words) != len(keys):
            raise ValueError(f"row {number} of the picture has {len(keys)} cells, not {len(words)}")
        for word, key in zip(words, keys, strict=True):
            try:
                found[key] = _cell(t.of, word)
            except ValueError as error:
                raise ValueError(f"row {number}, at {write(t.keys, key)}: {error}") from None
    return tuple(found[key] for key in t.keys.values)


def _cell(t: Type, word: str) -> Value:
    """The value of a cell in a picture; `.` is the blank value."""
    blank = nothing_of(t)
    if word == "." and blank is not ABSENT:
        return blank
    if isinstance(t, Set | List) and not word.startswith(("[", "{")):
        return from_data(t, [word])
    return from_data(t, word)


def layout(diagram: Iterable[Layer], var: n.StateVar, meter: Meter | None = None) -> Rows | None:
    """The keys of a map row by row from the top, each row from the left; None if no layer gives them."""
    for layer in (layer for layer in diagram if not layer.action):
        rows = _rows(layer, var, Context(meter=meter))
        if rows is not None:
            return rows
    return None


def _rows(layer: Layer, var: n.StateVar, ctx: Context) -> Rows | None:
    """The keys of a map in rows, if a layer draws one at each place; else None."""
    assert isinstance(var.type, Map)
    keys = var.type.keys
    if len(layer.binders) != 1 or not {"across", "up"} <= set(layer.attributes):
        return None
    binder, source = layer.binders[0]
    if not isinstance(source, n.Domain) or source.of != keys or not _draws(layer, var, binder):
        return None
    return rows_of(keys, binder, layer.attributes["across"], layer.attributes["up"], ctx)


def rows_of(keys: Scalar, binder: n.Var, across: n.Expr, up: n.Expr, ctx: Context) -> Rows | None:
    """The keys row by row from the top, by place; None if two keys share a place or places may change."""
    if any(map(reads_state, (across, up))):
        return None
    rows: dict[Value, dict[Value, Value]] = {}
    ctx.spend_on(len(keys.values), up, across)
    for key in keys.values:
        height, at = evaluate(up, {binder: key}, ctx), evaluate(across, {binder: key}, ctx)
        if height is None or at is None or at in rows.get(height, ()):
            return None
        rows.setdefault(height, {})[at] = key
    return [[row[at] for at in sorted(row)] for _, row in sorted(rows.items(), reverse=True)]


def _draws(layer: Layer, var: n.StateVar, binder: n.Var) -> bool:
    """True if an attribute of the layer reads the map at the binder."""
    return any(
        isinstance(e, n.Read)
        and isinstance(e.map, n.Get)
        and e.map.var is var
        and isinstance(e.key, n.Local)
        and e.key.var is binder
        for attribute in layer.attributes.values()
        for e in nodes_within(attribute)
    )
