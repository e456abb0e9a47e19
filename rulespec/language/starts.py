"""First values of variables as data, under `start` of a rule: in the form of positions, with pictures."""

from __future__ import annotations

import re
from functools import partial
from typing import cast

from ..core import nodes as n
from ..core.context import Context
from ..core.pictures import Rows, is_picture, read_rows, rows_of
from ..core.plain_data import from_data
from ..core.types import Map, Type, Value
from .documents.variants import Document
from .documents.yaml import Mapping, Node, Scalar, plain
from .elaborate.domains import bindings
from .elaborate.world import Faulty
from .rules import Rules
from .syntax.parser import Syntax


def enter_starts(rules: Rules, document: Document) -> None:
    """Give declared variables the initial values that rules state as data."""
    world = rules.world
    for rule in rules.rules:
        start = rule.entries.get("start")
        for name, value in start.entries.items() if isinstance(start, Mapping) else ():
            key = cast(Mapping, start).keys[name]
            declared = world.declared.get(name)
            if declared is None or declared.kind != "state":
                states = (d.name for d in world.declared.values() if d.kind == "state")
                help = world.report.nearest(name, states)
                if name == "mover":
                    help = "write `give the turn to …` under `setup`"
                words = f"`{name}` is not a variable of the state"
                world.report.error("name.state", words, key.span, help=help)
            elif name in world.starts:
                world.report.error("start.twice", f"`{name}` has a first value already", key.span)
            else:
                world.starts[name] = partial(_first_value, rules, document, name, value)


def _first_value(rules: Rules, document: Document, name: str, node: Node, t: Type) -> Value:
    """The initial value of a type, stated as data under `start`. Raises Faulty."""
    data = plain(node)
    try:
        if isinstance(t, Map) and is_picture(t, data):
            return read_rows(t, name, _rows(rules, document, name, t), str(data))
        return from_data(t, data)
    except ValueError as error:
        rules.world.report.error("start.value", f"`{name}`: {error}", node.span)
        raise Faulty from None


def _rows(rules: Rules, document: Document, name: str, t: Map) -> Rows | None:
    """The keys of a map row by row, from the first layer of the diagram that draws it; None without one."""
    for entry in document.section("diagram"):
        texts = {key: value for key, value in entry.entries.items() if isinstance(value, Scalar)}
        if not {"for", "across", "up"} <= texts.keys() or "on" in texts:
            continue
        frame = rules.frame(texts["for"], "diagram")
        inner, found = bindings(frame, cast(Syntax, rules.tree(texts["for"], "binders_text").children[0]))
        var, source, _ = found[0]
        read = re.compile(rf"\b{re.escape(name)}\s*\[\s*{re.escape(var.name)}\s*\]")
        draws = any(read.search(text.formal) for key, text in texts.items() if key != "for")
        if len(found) == 1 and draws and isinstance(source, n.Domain) and source.of == t.keys:
            across, up = (
                rules.expression(texts[key], "diagram", inner.names, None) for key in ("across", "up")
            )
            return rows_of(t.keys, var, across, up, Context(meter=rules.world.meter))
    return None
