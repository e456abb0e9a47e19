"""Faults in the refusals of claims that have no answer: best play of players who may win together, and claims
that rest on one another."""

from __future__ import annotations

from .fault import Fault

CLAIMS = "rulespec/language/claims.py"
OF_WINS = ("tests/solver/claims/test_won_together.py",)

FAULTS = (
    Fault(
        CLAIMS,
        '    why = MANY if game.players > 2 else "" if is_opposed(game) else TOGETHER\n',
        '    why = MANY if game.players > 2 else ""\n',
        "Best play is asked of players who want opposite things.",
        OF_WINS,
    ),
    Fault(
        CLAIMS,
        '    why = MANY if game.players > 2 else "" if is_opposed(game) else TOGETHER\n',
        '    why = "" if is_opposed(game) else TOGETHER\n',
        "Best play is asked of two players.",
        OF_WINS,
    ),
    Fault(
        CLAIMS,
        "        if helpers and not _check_chain(report, helpers):\n",
        "        if helpers:\n",
        "Claims that rest on one another in a circle are a fault.",
        ("tests/language/test_bad.py",),
    ),
    Fault(
        "solver/explore/graph.py",
        "        if name is None and self.has_shared_wins() and (self.is_winnerless() or self.is_endless()):\n",
        "        if False:\n",
        "A shared win is no draw where nobody may win.",
        OF_WINS,
    ),
    Fault(
        "solver/evidence/game_graph.py",
        "    if best and (graph := Graph(seen.states)).has_shared_wins() and graph.is_winnerless():\n",
        "    if False:\n",
        "What is expected of best play has no shared wins where nobody may win.",
        OF_WINS,
    ),
    Fault(
        "solver/evidence/equilibrium.py",
        "    if case.game.players > 1 and 0 in numbers and max(numbers) > 1:\n",
        "    if False:\n",
        "Strategies of hidden games have no shared wins where nobody may win.",
        OF_WINS,
    ),
    Fault(
        "solver/evidence/game_value.py",
        "    if case.claim.condition is None and _wins_are_shared(case):\n",
        "    if False:\n",
        "A search is not asked where random plays show shared wins.",
        OF_WINS,
    ),
    Fault(
        "solver/explore/strategies.py",
        "self._name is None and self._apart and is_shared(",
        "False and self._apart and is_shared(",
        "A strategy that ends in a shared win shows nothing.",
        OF_WINS,
    ),
)
