"""The section `table`: names, sentences about actions, texts always in view, actions taken by themselves."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ..core import nodes as n
from ..core.diagnostics import Span
from ..core.evaluate import evaluate
from ..core.game import Counter, Presentation
from ..core.notation import write
from ..core.traversal import nodes_with_definitions, reads_state, variables_read
from ..core.types import Enum, Int, Map, scalar_of
from .actions import fill_action, fill_template
from .documents.shapes import text_of, words
from .documents.variants import Document
from .documents.yaml import Mapping, Node, Scalar, Sequence
from .drawings import Actions
from .elaborate.world import Faulty
from .rules import Rules

Parts = tuple[str | n.Expr, ...]


def presentation(rules: Rules, document: Document, acts: Actions) -> Presentation:
    """The words in which plays are reported; empty without that section."""
    section = document.root.entries.get("table")
    if not isinstance(section, Mapping):
        return Presentation()
    sentences: dict[str, Parts] = {}
    seats = _seats(rules, section)
    named = section.entries.get("sentences")
    for name, text in named.entries.items() if isinstance(named, Mapping) else ():
        if name in acts and isinstance(text, Scalar):
            make = partial(fill_action, rules, text, "", acts[name].choices)
            parts = _template(rules, text, f"the sentence of `{name}`", make)
            sentences[name] = _with_names(rules, seats, parts)
        else:
            _check_action(rules, acts, name, text.span)
    return Presentation(
        seats,
        sentences,
        _counters(rules, seats, section.entries["counters"]) if "counters" in section.entries else None,
        _action_names(rules, acts, section.entries["forced"]) if "forced" in section.entries else None,
        _action_names(rules, acts, section.entries.get("buttons")),
    )


def _check_action(rules: Rules, acts: Actions, name: str, span: Span) -> None:
    """Report a name that no action has."""
    if name not in rules.world.actions:
        help = rules.world.report.nearest(name, acts)
        rules.world.report.error("name.action", f"there is no action `{name}`", span, help=help)


def _template(rules: Rules, text: Scalar, what: str, make: Callable[[], Parts]) -> Parts:
    """The parts that `make` finds in a text for everybody; empty if the text is faulty."""
    try:
        with rules.world.meter.part(what, text.span):
            parts = make()
    except Faulty:
        return ()
    read = (var for e in parts if not isinstance(e, str) for var in variables_read(e))
    hidden = next((var for var in read if var.hidden), None)
    if hidden is not None:
        message = f"this text reads `{hidden.name}`, which is hidden from some players"
        help = "it is for everybody; it may read choices and what lies open"
        rules.world.report.error("table.hidden", message, text.span, help=help)
    return parts


def _with_names(rules: Rules, seats: tuple[str, ...], parts: Parts) -> Parts:
    """The parts of a text in which players who have names are called by them."""
    player = rules.world.player
    if not seats or not isinstance(player, Int):
        return parts
    words = Enum("words", tuple(range(len(seats))), "words", seats)
    names = n.Const(Map(player, words), words.values)

    def named(e: str | n.Expr) -> str | n.Expr:
        if isinstance(e, str) or scalar_of(e.type) is not player:
            return e
        return n.Read(words if e.type is player else words.with_none, names, e)

    return tuple(map(named, parts))


def _counters(rules: Rules, seats: tuple[str, ...], listed: Node) -> tuple[Counter, ...]:
    """The texts always in view; one that reads `player` is shown once for each player."""
    found = []
    for text in listed.items if isinstance(listed, Sequence) else [listed]:
        if isinstance(text, Scalar):
            player = n.Var("player", rules.world.player)
            make = partial(fill_template, rules, text, "", {"player": n.Local(player.type, player)})
            parts = _with_names(rules, seats, _template(rules, text, "a counter", make))
            nodes = (node for e in parts if not isinstance(e, str) for node in nodes_with_definitions(e))
            is_each = any(isinstance(node, n.Local) and node.var is player for node in nodes)
            found.append(Counter(parts, player if is_each else None))
    return tuple(found)


def _action_names(rules: Rules, acts: Actions, listed: Node | None) -> frozenset[str]:
    """The actions named in a list, if there is one."""
    names = words(listed) if listed is not None else ()
    for name in names:
        _check_action(rules, acts, name.value, name.span)
    return frozenset(name.value for name in names)


def _seats(rules: Rules, section: Mapping) -> tuple[str, ...]:
    """The names of the players: a text for each, with more for larger tables, or one template for all."""
    listed = section.entries.get("seats")
    if not isinstance(listed, Sequence):
        return ()
    names = tuple(text_of(item) for item in listed.items)
    [first, *further] = listed.items
    if isinstance(first, Scalar) and "{" in names[0] and not further:
        names = _written_seats(rules, first)
    number = len(rules.world.player.values)
    if len(names) < number or len({*names}) < len(names):
        message = f"{number} players need {number} different names, not `{', '.join(names)}`"
        rules.world.report.error("table.seats", message, listed.span)
    return names[:number]


def _written_seats(rules: Rules, text: Scalar) -> tuple[str, ...]:
    """The names that a template gives the players."""
    world = rules.world
    player = n.Var("player", world.player)
    make = partial(fill_template, rules, text, "", {"player": n.Local(player.type, player)})
    parts = _template(rules, text, "the name of a player", make)
    if any(not isinstance(e, str) and reads_state(e) for e in parts):
        world.report.error("table.seats", "a player has one name, and this text reads the state", text.span)
        return tuple(map(str, world.player.values))
    with world.meter.part("the names of players", text.span):
        each = (
            "".join(
                e if isinstance(e, str) else write(e.type, evaluate(e, {player: v}, world.context))
                for e in parts
            )
            for v in world.player.values
        )
        return tuple(" ".join(name.split()) for name in each)
