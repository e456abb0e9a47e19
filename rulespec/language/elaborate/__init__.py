"""Trees of formal text to core: names, types, sugar.

`world` holds what a ruleset declares, each declaration elaborated when it is first asked for; `frame` is
one formal text with its local names. `kinds` makes types and `declarations` the rest of what a ruleset
declares; `expressions` holds the table of expressions, which `names`, `comparison`, `arithmetic`, `reading`,
`calls` (with `built_in`), `domains`, `displays` and `walks` fill; `statements` holds the table of effects,
with `places` and `changes`. `combinations` and `tables` work out what reads no state, `memory` keeps what
means the same under other readings, and `spans` where things were written. A fault is reported where it
stands and given up on there: one message for each text, never a second one for what follows from the first.
"""

from . import (
    arithmetic,
    calls,
    comparison,
    declarations,
    displays,
    domains,
    expressions,
    kinds,
    names,
    reading,
    statements,
    walks,
    world,
)

__all__ = [
    "arithmetic",
    "calls",
    "comparison",
    "declarations",
    "displays",
    "domains",
    "expressions",
    "kinds",
    "names",
    "reading",
    "statements",
    "walks",
    "world",
]
