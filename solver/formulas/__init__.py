"""Symbolic semantics: rules to clauses, and models of the clauses back to plays.

In: a `Game`. Out: literals over shared gates, and an `Unrolling` of the rules over some plies (bounded
model checking) that an engine solves. From the inside out: `aig` (and-inverter graph, Tseitin clauses) ->
`values` (guarded unions) -> `operators` and `symbolic_evaluation` (expressions) -> `effects`, `legality` ->
`transition_relation` (one ply) -> `transition_template` -> `bmc`; a `query` puts gates to an engine. Beside
them `cone_of_influence` (relevant variables and actions), `dependencies` (side tables of nodes), and
expressions in other forms (`linear_forms`, `linear_cases`, `equivalences`). It imports no claims and
trusts no model: callers replay its plays.
"""

from .aig import TooWide
from .bmc import Unrolling

__all__ = ["TooWide", "Unrolling"]
