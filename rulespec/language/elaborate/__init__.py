"""Trees of formal text to core: names, types, sugar.

In: trees with the document they come from. Out: core expressions, effects, types and state variables, or
faults in place: one message for each text, never a second one for a consequence of the first. It runs nothing
but expressions that read no state.

In order: `folding` (constants and simplification), `spans`, `memoisation` (pieces with the same meaning under
other readings) -> `world` (local names, and declarations, each elaborated on first use) -> `expressions` (the
table filled by `names`, `comparison`, `arithmetic`, `access`, `calls` with `built_in`, `domains`,
`comprehensions` and `iteration`) -> `written_types`, `declarations` -> `statements` (the table of effects,
with `lvalues` and `updates`). `constraint_search` and `totality` evaluate static parts.
"""

from . import (
    access,
    after,
    arithmetic,
    calls,
    comparison,
    comprehensions,
    declarations,
    domains,
    expressions,
    iteration,
    names,
    statements,
    world,
    written_types,
)

__all__ = [
    "access",
    "after",
    "arithmetic",
    "calls",
    "comparison",
    "comprehensions",
    "declarations",
    "domains",
    "expressions",
    "iteration",
    "names",
    "statements",
    "world",
    "written_types",
]
