"""The arguments of `can`: no more values than its action has choices, each of the family of its choice."""

from __future__ import annotations

from ..core.diagnostics import Report
from ..core.game import Action, Game
from .elaborate.spans import Spans
from .elaborate.world import mismatch, same_family


def check(game: Game, spans: Spans, report: Report) -> None:
    """Report each `can` whose arguments are no first choices of its action."""
    for node in [node for node in spans.legality_tests if node.action in game.actions]:
        action = game.actions[node.action]
        if len(node.args) > len(action.choices):
            message = f"`{action.id}` has {_choices(action)}, not {len(node.args)}"
            report.error("can.arguments", message, spans.get(node))
            continue
        for given, choice in zip(node.args, action.choices, strict=False):
            if not same_family(given.type, choice.var.type):
                message = f"`{choice.var.name}` does not take this: {mismatch(given.type, choice.var.type)}"
                place = spans.get(given, spans.get(node))
                report.error("can.arguments", message, place, clause=action.id)


def _choices(action: Action) -> str:
    count = len(action.choices)
    return "no choice" if not count else "1 choice" if count == 1 else f"{count} choices"
