"""Looking at every state: breadth-first exploration by generated code, or by the interpreter.

In: a core game, how it starts, and what is asked of its states. Out: the states by number, counts by
depth with a digest of the set, what was asked of each, the shortest play to any, and the graph of all
plays for those who solve the whole game. A closed frontier is a proof: there is no state beyond it.
Knows no formulas and no engine.

From the inside out: `packing` and `rows` (states as rows of words), `turning` and `orbits` (symmetries of
rows) -> `drawing` and `driver` (the text that explores), `prepared` (cached for a game) -> `following` (all
outcomes of chance), `by_rules`; `branching`, `picked` and `folding`, `by_code` (the states of a game, with
the interface in `states`) -> `cheapest`, `graph`, `chances`, `hoping` (properties of all states), `alphabeta`
with `memory` and `strategies` (values of best play); beside them `hidden` with `simplex` (games of imperfect
information) and `setting_out` with `samples` (random plays).
"""

from .by_code import ByCode
from .by_rules import ByRules, timeless
from .cheapest import Cheapest, CheapestByCode, CheapestByRules
from .folding import Uneven, Unlike
from .following import outcomes
from .states import Limit, Question, ScoreOf, Standing, States
from .turning import NotTurned

__all__ = [
    "ByCode",
    "ByRules",
    "Cheapest",
    "CheapestByCode",
    "CheapestByRules",
    "Limit",
    "NotTurned",
    "Question",
    "ScoreOf",
    "Standing",
    "States",
    "Uneven",
    "Unlike",
    "outcomes",
    "timeless",
]
