"""Explicit-state exploration by generated code or by the interpreter, and the solvers that work on its graph.

In: a core game, its start, and expressions to evaluate in its states. Out: numbered states, counts by depth
with a digest of the set, the values of the expressions, a shortest play to any state, and the graph of all
plays. A closed frontier is a proof: no further state exists. It imports no formulas and no engine.

The loops are kernels (`rulespec.kernels`); this room allocates their arrays and calls them. From the inside
out: `exploration_code` (the code of a game prepared for exploration, cached by game) -> `states` (the
interface, and the order in which states are expanded), `chance_outcomes` (all outcomes of chance),
`interpreter_states`, `symmetry_reduction`, `code_states` -> `spot_check` (the interpreter replays a share of
what code explored) -> `state_space` (states kept between questions, explored within limits), `graph`
(retrograde analysis, dead ends), `markov_decision_process`, `mtdf`, `strategy_states`, `strategies` (values
of best play); beside them `stage_values` and `stages` (choices at
once), `sequence_form` with `linear_programming` (imperfect information) and `monte_carlo` (random plays).
"""

from .chance_outcomes import outcomes
from .code_states import CodeStates
from .interpreter_states import InterpreterStates
from .states import BuiltinQuestion, Limit, Question, ScoreOf, States, without_draw_count
from .symmetry_reduction import NotInvariant, NotSymmetric

__all__ = [
    "BuiltinQuestion",
    "CodeStates",
    "InterpreterStates",
    "Limit",
    "NotInvariant",
    "NotSymmetric",
    "Question",
    "ScoreOf",
    "States",
    "outcomes",
    "without_draw_count",
]
