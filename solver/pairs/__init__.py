"""Product constructions: two games, a game and its image under a symmetry, or two plays that look the same.

In: core games and the `correspondence` between them. Out: whether they agree, from any state (`miter`, in
formulas; `self_composition` for two plays of one game) or from the start (`lockstep`, by the interpreter;
`bounded_equivalence`), and a place where they do not. It decides no claims and stores nothing.
"""

from .correspondence import Correspondence, Incomparable, by_notation

__all__ = ["Correspondence", "Incomparable", "by_notation"]
