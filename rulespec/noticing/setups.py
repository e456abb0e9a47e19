"""The order of the setup: lists that are read before they are shuffled."""

from __future__ import annotations

from collections.abc import Iterator

from ..core import nodes as n
from ..core.game import Game
from ..core.traversal import nodes_with_definitions, nodes_within
from ..core.types import List


def reads_before_shuffle(game: Game) -> Iterator[tuple[n.StateVar, n.Effect]]:
    """The variables that an effect of the setup reads while they are empty, before a later one shuffles
    something into them; with that effect."""
    read: dict[n.StateVar, n.Effect] = {}
    filled: set[n.StateVar] = {var for var in game.state.values() if not _is_empty(var)}
    for effect in _in_order(game.setup):
        shuffled = {*_shuffled_variables(effect)}
        for var in shuffled - filled:
            if var in read:
                yield var, read[var]
        inside = [*nodes_with_definitions(effect)]
        for node in inside:
            if isinstance(node, n.Get):
                read.setdefault(node.var, effect)
        filled |= shuffled | {node.target for node in inside if isinstance(node, n.Assign) and _fills(node)}


def _is_empty(var: n.StateVar) -> bool:
    return (
        isinstance(var.initial, n.Const | n.ListOf)
        and isinstance(var.type, List)
        and (not var.initial.value if isinstance(var.initial, n.Const) else not var.initial.items)
    )


def _fills(assign: n.Assign) -> bool:
    """True if the stored value does not only come from the variable itself."""
    return not any(
        isinstance(node, n.Get) and node.var is assign.target for node in nodes_within(assign.value)
    )


def _shuffled_variables(effect: n.Effect) -> Iterator[n.StateVar]:
    """The variables in which an effect stores a shuffled list."""
    for node in nodes_within(effect):
        if isinstance(node, n.Shuffle):
            for inner in nodes_within(node.body):
                if isinstance(inner, n.Assign) and any(
                    isinstance(e, n.Local) and e.var is node.var for e in nodes_within(inner.value)
                ):
                    yield inner.target


def _in_order(effect: n.Effect) -> Iterator[n.Effect]:
    """The effects of a setup one after another, with blocks flattened."""
    if isinstance(effect, n.Block):
        for item in effect.items:
            yield from _in_order(item)
    else:
        yield effect
