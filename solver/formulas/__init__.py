"""The symbolic meaning: rules to clauses, and the models of clauses back to plays.

In: a `Game`. Out: literals over shared gates, and an `Unrolling` of the rules over some plies that
an engine solves. From the inside out: `gates` (and-inverter graph) -> `values` (guarded unions) ->
`operators` and `meaning` (expressions) -> `effects`, `legality` -> `step` (one ply) -> `template`
-> `unroll`; a `query` puts gates to an engine. It knows no claims and believes no model: whoever asks
replays what comes out.
"""

from .gates import TooWide
from .unroll import Unrolling

__all__ = ["TooWide", "Unrolling"]
