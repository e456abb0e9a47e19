"""Product constructions: two games, a game and its image under a symmetry, or two plays that look the same.

In: core games and the `correspondence` between them. Out: whether they agree, and a difference if they do
not. By formulas, from any state: a `miter` of two games, whose obligations `agreement` sends to an engine,
and `indistinguishable_states` of one game. By the interpreter, from the start: `lockstep`, and
`belief_states` for plays that look alike. It decides no claims and stores nothing.
"""

from .correspondence import Correspondence, Incomparable, by_notation

__all__ = ["Correspondence", "Incomparable", "by_notation"]
