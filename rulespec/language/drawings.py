"""The layers of a diagram, which draw a position and the actions shown in it."""

from __future__ import annotations

from collections.abc import Mapping as Given
from functools import partial
from typing import cast

from ..core import nodes as n
from ..core.game import Action, Layer
from ..core.types import Bag
from .actions import elaborate_hole, fill_template
from .documents.shapes import text_of, words
from .documents.variants import Document
from .documents.yaml import Mapping, Scalar
from .elaborate.bags import things_in
from .elaborate.domains import bindings
from .elaborate.folding import TRUE, conjunction
from .elaborate.world import Faulty
from .libraries import drawn_layers
from .rules import Names, Rules
from .syntax.parser import Syntax

Actions = Given[str, Action]
"""The actions of the game by id, faulty ones left out."""


def layers(rules: Rules, document: Document, acts: Actions) -> tuple[Layer, ...]:
    """The layers of the diagram, from back to front; a layer for several actions becomes one for each."""
    found: list[Layer] = []
    for number, (entry, held) in enumerate(drawn_layers(rules.world, document)):
        for action in _drawn_on(rules, entry, acts):
            try:
                make = partial(_layer, rules, entry, action, held)
                with rules.world.meter.part("this layer of the diagram", entry.span):
                    found.append(rules.world.piece(("layer", number, action), make))
            except Faulty:
                continue
    return tuple(found)


def _drawn_on(rules: Rules, entry: Mapping, acts: Actions) -> list[Action | None]:
    """The actions on which a layer is drawn; None stands for the position."""
    if "on" not in entry.entries:
        return [None]
    found: list[Action | None] = []
    for word in words(entry.entries["on"]):
        if word.value in acts:
            found.append(acts[word.value])
        elif word.value not in rules.world.actions:
            help = rules.world.report.nearest(word.value, acts)
            message = f"there is no action `{word.value}`"
            rules.world.report.error("name.action", message, word.span, help=help)
    return found


def _layer(rules: Rules, entry: Mapping, action: Action | None, held: Names) -> Layer:
    """A layer of the diagram, with its binders, conditions and attributes."""
    names = dict(held)
    names |= {c.var.name: n.Local(c.var.type, c.var) for c in action.choices} if action else {}
    binders: list[tuple[n.Var, n.Expr]] = []
    wheres: list[n.Expr] = []
    over = entry.entries.get("for")
    if isinstance(over, Scalar):
        frame = rules.frame(over, "diagram").binding(**names)
        inner, found = bindings(frame, cast(Syntax, rules.tree(over, "binders_text").children[0]))
        names = inner.names
        binders = [(var, source) for var, source, _ in found]
        wheres = [where for _, _, where in found]
    where_text = entry.entries.get("where")
    if isinstance(where_text, Scalar):
        wheres.append(rules.condition(where_text, "diagram", names))
    where = conjunction(*wheres)
    attributes: dict[str, n.Expr] = {}
    for key, value in entry.entries.items():
        if key not in ("mark", "on", "in", "for", "where", "look", "text") and isinstance(value, Scalar):
            made = elaborate_hole(*rules.read(value, "diagram", names))
            pieces = key == "items" and isinstance(made.type, Bag)
            attributes[key] = things_in(made) if pieces else made
    options = (
        {"look": " ".join(w.value for w in words(entry.entries.get("look")))}
        if "look" in entry.entries
        else {}
    )
    text = entry.entries.get("text")
    return Layer(
        text_of(entry.entries.get("mark")),
        tuple(binders),
        None if where is TRUE else where,
        attributes,
        options,
        action.id if action else "",
        fill_template(rules, text, "diagram", names) if isinstance(text, Scalar) else (),
        tuple(w.value for w in words(entry.entries["in"])) if "in" in entry.entries else (),
    )
