"""Symbolic semantics: rules to clauses, and models of the clauses back to plays.

In: a `Game`. Out: literals over shared gates, and an `Unrolling` of the rules over some plies (bounded model
checking) that an engine solves. It imports no claims and trusts no model: callers replay its plays.

In order: `aig` (and-inverter graph, Tseitin clauses) -> `values` (guarded unions) -> `dependencies` (side
tables of nodes), `context` -> `operators` and `symbolic_evaluation` (expressions) -> `effects`, `legality`,
`layout`, `case_splitting` -> `cone_of_influence` (relevant variables and actions), `monotone` (counters that
nothing lowers) -> `unrolling` (plies, and questions about them) -> `linear` (expressions in other forms).
"""

from .aig import TooWide
from .unrolling.bmc import Unrolling

__all__ = ["TooWide", "Unrolling"]
