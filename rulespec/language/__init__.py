"""From text to core: YAML with exact places, the grammar, names, types, variants, lowering.

In: a ruleset's files. Out: a `core.game.Game`, or every fault of the text at once.
It never runs a game, draws no chance, and knows no solver.

The steps, in order: `yaml` (text to a tree with places) -> `document` (which keys may stand where) ->
`variants` (what a variant inherits, sets, chooses, replaces) -> `parser` (formal text to trees) ->
`elaborate` (names, types, sugar: trees to core) -> `assemble` (the game) -> `bounds` (none too large).
`loader` goes through them, with what `settings` says is settled; `outline` reads no rules. The parts of a
game come from `rules`, `actions`, `course`, `claims` with `symmetries` and `others`, `drawings`, `publish`.
Formal text is written by `printer`, `listing` and `texts` (`layout` tells the parser of its lines), and
`breaking`, `comparing` and `unused` ask something of rulesets as texts.
"""

from .loader import Ruleset, home, load, locate, read, shipped
from .outline import Outline, outline

__all__ = ["Outline", "Ruleset", "home", "load", "locate", "outline", "read", "shipped"]
