"""Looking at every state: breadth-first exploration by generated code, or by the interpreter.

In: a core game, how it starts, and what is asked of its states. Out: the states by number, counts by
depth with a digest of the set, what was asked of each, the shortest play to any, and the graph of all
plays for those who solve the whole game. A closed frontier is a proof: there is no state beyond it.
Knows no formulas and no engine.
"""

from .by_code import ByCode
from .by_rules import ByRules, timeless
from .cheapest import Cheapest, CheapestByCode, CheapestByRules
from .folding import Uneven, Unlike
from .following import outcomes
from .states import Limit, States
from .turning import NotTurned

__all__ = [
    "ByCode",
    "ByRules",
    "Cheapest",
    "CheapestByCode",
    "CheapestByRules",
    "Limit",
    "NotTurned",
    "States",
    "Uneven",
    "Unlike",
    "outcomes",
    "timeless",
]
