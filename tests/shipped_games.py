"""Games of shipped rulesets, each read once in a process; other settings share the parts they leave alone."""

from __future__ import annotations

import os
from collections.abc import Mapping
from functools import cache
from typing import Any

from rulespec.language import shipped_rulesets
from rulespec.play import face
from rulespec.play.face import Game

SMALLER: Mapping[str, Mapping[str, Any]] = {} if os.environ.get("RULESPEC_SLOW") else {"go": {"side": 5}}
"""Parameters for games whose positions take the interpreter a second each, and a page as much again."""


def base_rulesets() -> list[str]:
    """The names of the shipped rulesets without the variants beside them."""
    return [name for name, path in sorted(shipped_rulesets().items()) if path.name == "ruleset.yaml"]


@cache
def _usual(name: str) -> Game:
    return face.load(name)


def load(
    name: str,
    players: int | None = None,
    parameters: Mapping[str, Any] | None = None,
    readings: Mapping[str, str] | None = None,
) -> Game:
    """The same as `rulespec.load` of a shipped name, but that the game may be one that others have, too."""
    usual = _usual(name)
    return usual.under(players, parameters, readings) if players or parameters or readings else usual
