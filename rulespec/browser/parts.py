"""The parts of a bundle beside the rules, in the order in which they are written."""

from __future__ import annotations

from ..code.extensions import Extension
from ..core.game import Game
from .know import Knowledge
from .picture import Pictures


def drawing(game: Game) -> tuple[Extension, ...]:
    """The parts that draw a game in a page."""
    knowledge = Knowledge(game)
    return knowledge, Pictures(game, knowledge)
