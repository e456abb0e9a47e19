"""The setup: lists that are read before they are shuffled, and deals of more than there is."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress

from ..core import nodes as n
from ..core.context import Env
from ..core.evaluate import evaluate
from ..core.game import Game
from ..core.meter import Meter, StepLimitExceeded
from ..core.traversal import nodes_with_definitions, nodes_within
from ..core.types import List
from ..play.chance import Chance
from ..play.effects import FaultFound, Run
from ..play.machine import Machine
from .parts import Found


class _Deal(Run):
    """Performs a setup, and records the moves of list elements that find fewer than they ask for."""

    def __init__(self, game: Game, meter: Meter) -> None:
        machine = Machine(game, meter)
        super().__init__(machine.situation(machine.initial()), Chance("notice"), 0, game.spans.get)
        self.short: dict[n.Effect, tuple[int, int]] = {}

    def perform(self, effect: n.Effect, env: Env) -> None:
        """Perform an effect, and record it if it moves too few elements."""
        if isinstance(effect, n.Bind) and isinstance(effect.value, n.Top):
            wanted = evaluate(effect.value.count, env, self.situation)
            found = evaluate(effect.value.list, env, self.situation)
            if wanted is not None and wanted > len(found):
                self.short.setdefault(effect, (wanted, len(found)))
        super().perform(effect, env)


def short_deals(game: Game, meter: Meter) -> dict[n.Effect, tuple[int, int]]:
    """The moves in the setup that want more elements than there are, with both numbers."""
    deal = _Deal(game, meter)
    with suppress(FaultFound, StepLimitExceeded):
        deal.perform(game.setup, {})
    return deal.short


def reads_before_shuffle(game: Game) -> Found:
    """Doubts about effects of the setup that read a list before a later one shuffles elements into it."""
    read: dict[n.StateVar, n.Effect] = {}
    filled: set[n.StateVar] = {var for var in game.state.values() if not _is_empty(var)}
    for effect in _in_order(game.setup):
        shuffled = {*shuffled_variables(effect)}
        for var in shuffled - filled:
            if var in read:
                places = (game.spans.get(node) for node in nodes_within(read[var]))
                message = f"`{var.name}` is still empty here: the setup shuffles it only after this"
                help = "shuffle first: setups are done in the order of the rules"
                yield "unshuffled", next(filter(None, places), None), message, help
        inside = [*nodes_with_definitions(effect)]
        for node in inside:
            if isinstance(node, n.Get):
                read.setdefault(node.var, effect)
        filled |= shuffled | {node.target for node in inside if isinstance(node, n.Assign) and _fills(node)}


def _is_empty(var: n.StateVar) -> bool:
    """True if the initial value of a variable is an empty list."""
    return (
        isinstance(var.initial, n.Const | n.ListOf)
        and isinstance(var.type, List)
        and (not var.initial.value if isinstance(var.initial, n.Const) else not var.initial.items)
    )


def _fills(assign: n.Assign) -> bool:
    """True if the stored value does not only come from the variable itself."""

    def is_own(e: n.Expr) -> bool:
        return any(isinstance(node, n.Get) and node.var is assign.target for node in nodes_within(e))

    joined = assign.value
    return not (is_own(joined.a) and is_own(joined.b) if isinstance(joined, n.Concat) else is_own(joined))


def shuffled_variables(effect: n.Effect) -> Iterator[n.StateVar]:
    """The variables in which an effect stores a shuffled list."""
    for node in nodes_within(effect):
        if isinstance(node, n.Shuffle):
            for inner in nodes_within(node.body):
                if isinstance(inner, n.Assign) and any(
                    isinstance(e, n.Local) and e.var is node.var for e in nodes_within(inner.value)
                ):
                    yield inner.target


def _in_order(effect: n.Effect) -> Iterator[n.Effect]:
    """The effects of a setup in order, with blocks flattened."""
    if isinstance(effect, n.Block):
        for item in effect.items:
            yield from _in_order(item)
    else:
        yield effect
