"""From text to core: YAML with exact places, the grammar, names, types, variants, lowering.

In: a ruleset's files. Out: a `core.game.Game`, or every fault of the text at once.
It never runs a game, draws no chance, and knows no solver.

The steps, in order: `yaml` (text to a tree with places) -> `document` (which keys may stand where) ->
`variants` (what a variant inherits, sets, chooses, replaces) -> `parser` (formal text to trees) ->
`elaborate` (names, types, sugar: trees to core) -> `assemble` (the game) -> `bounds` (none too large).
`loader` goes through them, with files from `locating` and what `settings` says is settled; `heads` reads no
rules. The parts of a game come from `rules`, `actions`, `course`, `claims` with `symmetries` and `others`,
`drawings`, `publish`.
Formal text is written by `printer`, `listing` and `texts` (`layout` tells the parser of its lines), and
`breaking`, `comparing` and `unused` ask something of rulesets as texts.

What is named here is imported when it is first used: `heads` and `locating` need little of the rest.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers take it, without the time that importing `typing` takes
if TYPE_CHECKING:
    from typing import Any

    from .heads import Outline, outline
    from .loader import Ruleset, load, read
    from .locating import home, locate, shipped

__all__ = ["Outline", "Ruleset", "home", "load", "locate", "outline", "read", "shipped"]

_HOMES = {
    "Outline": "heads",
    "Ruleset": "loader",
    "home": "locating",
    "load": "loader",
    "locate": "locating",
    "outline": "heads",
    "read": "loader",
    "shipped": "locating",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
