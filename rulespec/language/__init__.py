"""From text to core: YAML with exact places, the grammar, names, types, variants, lowering.

In: a ruleset's files. Out: a `core.game.Game`, or every fault of the text at once. It never runs a game,
draws no chance, and knows no solver.

The steps, in order: `documents` (files to one merged tree) -> `syntax` (formal text to trees) -> `elaborate`
(names, types, sugar: trees to core) -> `assemble` (the game) -> `bounds` (limits of size), `legality_tests`.
`loader` runs them; `settings` holds the choices made before the rules are read. The parts of a game come from
`rules`, `actions` with `secrets`, `course`, `claims` with `symmetries` and `compared_games`, `drawings`,
`presentations`, `books` with `book_terms`, `published_rules` with `formal_texts`. `mutations`,
`differences` and `unused_declarations` treat rulesets as texts. `work_limit` bounds the work for one ruleset.

The names exported here are imported on first use: `documents.outlines` and `documents.ruleset_files` need
little of the rest.
"""

from __future__ import annotations

TYPE_CHECKING = False  # as type checkers take it, without the time that importing `typing` takes
if TYPE_CHECKING:
    from typing import Any

    from .documents.outlines import Outline, outline
    from .documents.ruleset_files import home, locate, shipped_rulesets
    from .loader import Ruleset, load, read, read_texts

__all__ = [
    "Outline",
    "Ruleset",
    "home",
    "load",
    "locate",
    "outline",
    "read",
    "read_texts",
    "shipped_rulesets",
]

_HOMES = {
    "Outline": "documents.outlines",
    "Ruleset": "loader",
    "home": "documents.ruleset_files",
    "load": "loader",
    "locate": "documents.ruleset_files",
    "outline": "documents.outlines",
    "read": "loader",
    "read_texts": "loader",
    "shipped_rulesets": "documents.ruleset_files",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
