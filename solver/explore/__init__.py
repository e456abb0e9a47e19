"""Explicit-state exploration by generated code or by the interpreter, and the solvers that work on its graph.

In: a core game, its start, and expressions to evaluate in its states. Out: numbered states, counts by depth
with a digest of the set, the values of the expressions, a shortest play to any state, and the graph of all
plays. A closed frontier is a proof: no further state exists. It imports no formulas and no engine.

From the inside out: `packing` and `packing_kernel` (states as rows of words), `row_images` and `orbit_kernel`
(symmetries of rows) -> `chance_kernel` and `exploration_kernel` (generated text that explores),
`exploration_code` (cached by game) -> `chance_outcomes` (all outcomes of chance), `interpreter_states`;
`code_outcomes` and `symmetry_reduction`, `code_states` (the states of a game, with the
interface in `states`) -> `dijkstra`, `state_space` (states kept between questions, explored within limits),
`graph` (retrograde analysis), `markov_decision_process`, `dead_ends` (properties of all states),
`alphabeta_kernel` with `mtdf` and `strategies` (values of best play); beside them `sequence_form` with
`linear_programming` (imperfect information) and `playouts` with `monte_carlo`.
"""

from .chance_outcomes import outcomes
from .code_states import CodeStates
from .dijkstra import Dijkstra, DijkstraByCode, DijkstraByInterpreter
from .interpreter_states import InterpreterStates, without_draw_count
from .row_images import NoRowImage
from .states import BuiltinQuestion, Limit, Question, ScoreOf, States
from .symmetry_reduction import NotInvariant, NotSymmetric

__all__ = [
    "BuiltinQuestion",
    "CodeStates",
    "Dijkstra",
    "DijkstraByCode",
    "DijkstraByInterpreter",
    "InterpreterStates",
    "Limit",
    "NoRowImage",
    "NotInvariant",
    "NotSymmetric",
    "Question",
    "ScoreOf",
    "States",
    "outcomes",
    "without_draw_count",
]
