"""The section `table`: names of the players and a sentence for each action, in which a play is reported."""

from __future__ import annotations

from ..core import nodes as n
from ..core.game import Action, Presentation
from ..core.traversal import nodes_with_definitions
from .actions import fill_template
from .documents.shapes import text_of
from .documents.variants import Document
from .documents.yaml import Mapping, Scalar, Sequence
from .drawings import Actions
from .elaborate.world import Faulty
from .rules import Rules


def presentation(rules: Rules, document: Document, acts: Actions) -> Presentation:
    """The words in which a play is reported; empty without the section."""
    section = document.root.entries.get("table")
    if not isinstance(section, Mapping):
        return Presentation()
    sentences: dict[str, tuple[str | n.Expr, ...]] = {}
    named = section.entries.get("sentences")
    for name, text in named.entries.items() if isinstance(named, Mapping) else ():
        if name in acts and isinstance(text, Scalar):
            try:
                sentences[name] = _sentence(rules, acts[name], text)
            except Faulty:
                continue
        elif name not in rules.world.actions:
            help = rules.world.report.nearest(name, acts)
            rules.world.report.error("name.action", f"there is no action `{name}`", text.span, help=help)
    return Presentation(_seats(rules, section), sentences)


def _sentence(rules: Rules, action: Action, text: Scalar) -> tuple[str | n.Expr, ...]:
    names = {c.var.name: n.Local(c.var.type, c.var) for c in action.choices}
    with rules.world.meter.part(f"the sentence of `{action.id}`", text.span):
        parts = fill_template(rules, text, "table", names)
    read = (node for part in parts if not isinstance(part, str) for node in nodes_with_definitions(part))
    hidden = next((node.var for node in read if isinstance(node, n.Get) and node.var.hidden), None)
    if hidden is not None:
        message = f"this sentence reads `{hidden.name}`, which is hidden from some players"
        help = "a sentence is for everybody; it may read choices and what lies open"
        rules.world.report.error("table.hidden", message, text.span, help=help)
    return parts


def _seats(rules: Rules, section: Mapping) -> tuple[str, ...]:
    """The names of the players; more names than players are for larger tables."""
    listed = section.entries.get("seats")
    if not isinstance(listed, Sequence):
        return ()
    names = tuple(text_of(item) for item in listed.items)
    number = len(rules.world.player.values)
    if len(names) < number or len({*names}) < len(names):
        message = f"{number} players need {number} different names, not `{', '.join(names)}`"
        rules.world.report.error("table.seats", message, listed.span)
    return names[:number]
