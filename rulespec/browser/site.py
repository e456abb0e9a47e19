"""The files that a site has for its player."""

from __future__ import annotations

from functools import lru_cache

from ..play.face import Game
from .bundle import bundle, script
from .parts import drawing

KEPT = 16
"""The scripts of the last few games are kept: both pages of a game have its player."""


@lru_cache(maxsize=KEPT)
def bundle_script(key: str, game: Game) -> str:
    """The bundle of a game as a script that puts it at `rulespec.bundles[key]`. Raises NotForPages."""
    return script(key, bundle(game, drawing(game.core)))
