"""Data of a bundle about its game: names, actions, ends, and the settings in the form of records."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..book.drawing.layers import tone
from ..book.drawing.style import NAMED
from ..core.game import Action
from ..core.game import Game as Core
from ..core.notation import write
from ..core.types import Type
from ..core.winners import sharing
from ..play.examples import changed_parameters, changed_readings
from ..play.face import Game
from ..play.views import forms
from ..play.wording import seat_names
from .titling import deal_counters


def about(game: Game, choices: Sequence[Sequence[int]]) -> dict[str, Any]:
    """The names of the parts of a game as plain JSON; `choices` has the type numbers of each action's
    choices.

    `ruleset`, `digest`, `players`, `parameters` and `readings` are as in the record of a play.
    """
    core = game.core
    headings = {rule.id: rule.heading for rule in core.rules}
    return {
        "id": core.id, "title": core.title,
        "ruleset": core.id, "digest": core.digest, "players": core.players,
        "parameters": changed_parameters(game), "readings": changed_readings(game),
        "setting": {"players": core.players, "parameters": game.parameters, "readings": game.readings},
        "tones": seat_tones(core),
        "seats": [write(core.player, seat) for seat in core.player.values], "names": seat_names(core),
        "actions": [
            {
                "form": form, "heading": headings.get(action.id, ""),
                "forced": action.id in core.forced_actions, "button": action.id in core.presentation.buttons,
            }
            | _action(action, types)
            | _stage(core, action)
            for action, types, form in zip(core.actions.values(), choices, forms(core).values(), strict=True)
        ],
        "ends": [{"id": end.id, "text": end.prose} for end in core.ends],
        "secrets": any(var.hidden for var in core.state.values()),
        "chance": core.has_chance,
        "sharing": sharing(core).value,
        "asked": [claim for claim, parts in deal_counters(core).items() for _ in parts],
        "ties": [*zip((most for most, _ in core.outcome.ties), core.outcome.tie_texts, strict=True)],
    }  # fmt: skip


def seat_tones(game: Core) -> list[int]:
    """The tone of each player in drawings: that of a name that is a colour, else that of the player."""
    named = [NAMED.get(name.lower()) for name in seat_names(game)]
    return [each or tone(game.player, v) for each, v in zip(named, game.player.values, strict=True)]


def chosen_types(action: Action) -> list[Type]:
    """The type of each choice of an action."""
    return [choice.chain.type if choice.chain else choice.var.type for choice in action.choices]


def _stage(game: Core, action: Action) -> dict[str, str]:
    """For an action chosen at once: the variable of those who have chosen, and whether all see the choices
    in the end."""
    stage = game.stage_of(action.id)
    return {"atOnce": stage.done.name if stage.shown else ""} if stage is not None else {}


def _action(action: Action, types: Sequence[int]) -> dict[str, Any]:
    choices = [
        {"name": choice.var.name, "chain": choice.chain is not None, "type": number}
        for choice, number in zip(action.choices, types, strict=True)
    ]
    return {"name": action.id, "text": action.prose, "choices": choices}
