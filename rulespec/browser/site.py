"""The files that a site needs for its player."""

from __future__ import annotations

from functools import lru_cache

from ..play.face import Game
from .bundle import bundle, script
from .parts import drawing

KEPT = 16
"""Number of games whose scripts are cached: both pages of a game have its player."""


@lru_cache(maxsize=KEPT)
def bundle_script(key: str, game: Game) -> str:
    """A script that stores the bundle of a game at `rulespec.bundles[key]`. Raises NotForPages."""
    return script(key, bundle(game, drawing(game.core)))
