"""Looking at every position: breadth-first exploration with the interpreter.

In: a core game and how it starts. Out: counts of positions by depth with a digest of the set, and
the shortest play to the first position that was asked for. A closed frontier is a proof: there is
no position beyond it. Knows no formulas and no engine.
"""

from .search import Exploration, Found, Step, Visit, explore, timeless

__all__ = ["Exploration", "Found", "Step", "Visit", "explore", "timeless"]
