"""Faults in the refusals of claims that have no answer: best play of players who may win together, and claims
that rest on one another."""

from __future__ import annotations

from .fault import Fault

CLAIMS = "rulespec/language/claims.py"
OF_WINS = ("tests/solver/claims/test_won_together.py",)
OF_SIDES = ("tests/solver/test_sides.py",)

AT_ONCE = ("tests/solver/test_at_once.py",)
PAYOFFS = ("tests/solver/test_payoffs.py",)

FAULTS = (
    Fault(
        "solver/explore/graph.py",
        "            raise NoValue(NOT_CONSTANT)\n",
        "            pass\n",
        "Best play of a payoff is asked where a gain of one side is a loss of the other.",
        PAYOFFS,
    ),
    Fault(
        "solver/explore/stages.py",
        "    return all(_is_fair(sight, game.stages) for sight in game.sights)\n",
        "    return True\n",
        "Nobody sees what others choose at once before all have chosen.",
        AT_ONCE,
    ),
    Fault(
        "solver/explore/stages.py",
        "    if not all(stage.shown for stage in game.stages):\n",
        "    if False:\n",
        "Everybody sees what was chosen at once when all have chosen.",
        AT_ONCE,
    ),
    Fault(
        "solver/explore/stage_values.py",
        "            if _can_stay(chosen):\n",
        "            if False:\n",
        "Neither side can keep stages coming back for ever.",
        AT_ONCE,
    ),
    Fault(
        "solver/explore/stage_values.py",
        "            if not (self._assures(worths, solution, 0) and self._assures(worths, solution, 1)):\n",
        "            if False:\n",
        "The mixes of a stage are held against every reply.",
        AT_ONCE,
    ),
    Fault(
        "solver/explore/stage_values.py",
        "        if any(sum(mix) != 1 or min(mix) < 0 for mix in found.mixes):\n",
        "        if False:\n",
        "A mix is a distribution.",
        AT_ONCE,
    ),
    Fault(
        CLAIMS,
        '    why = no_contest(game) or ("" if is_opposed(game) else TOGETHER)\n',
        "    why = no_contest(game)\n",
        "Best play is asked of players who want opposite things.",
        OF_WINS,
    ),
    Fault(
        CLAIMS,
        '    why = no_contest(game) or ("" if is_opposed(game) else TOGETHER)\n',
        '    why = "" if is_opposed(game) else TOGETHER\n',
        "Best play is asked of two sides.",
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
        "        if name is None and self.has_unequal_wins():\n",
        "        if False:\n",
        "A shared win is no draw where nobody may win.",
        OF_WINS,
    ),
    Fault(
        "solver/evidence/game_graph.py",
        '    if best and "others" not in options and Graph(seen.states).has_unequal_wins():\n',
        "    if False:\n",
        "What is expected of best play has no shared wins where nobody may win.",
        OF_WINS,
    ),
    Fault(
        "solver/explore/sequence_form.py",
        "    if game.players > 1 and 0 in numbers and max(numbers) > 1:\n",
        "    if False:\n",
        "Strategies of hidden games have no shared wins where nobody may win.",
        OF_WINS,
    ),
    Fault(
        "solver/evidence/game_value.py",
        "    if case.claim.condition is None and wins_are_shared(case.game, lambda: case.budget.exceeded_limit):\n",
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
    Fault(
        "rulespec/code/execution/kernel_names.py",
        '        "MAXIMISERS": bits(maximising_side(program.game)),\n',
        '        "MAXIMISERS": 1 << players[0],\n',
        "All players of the first side want the most.",
        OF_SIDES,
    ),
    Fault(
        "solver/explore/exploration_code.py",
        "    for player in maximising_side(game):\n",
        "    for player in maximising_side(game)[:1]:\n",
        "Partners of the player who wants the most want it, too.",
        OF_SIDES,
    ),
    Fault(
        "solver/explore/states.py",
        "{bits(minimising_side(game)): -1, 0: 0,",
        "{1 << 2: -1, 0: 0,",
        "The second side wins with all its players.",
        OF_SIDES,
    ),
    Fault(
        "rulespec/core/sides.py",
        "    if reads_state(side):\n        return ()\n",
        "",
        "Sides that depend on the position have no best play.",
        OF_SIDES,
    ),
    Fault(
        "solver/methods/best_play.py",
        '(UNLIKE if case.game.players > len(sides(case.game)) else "")',
        '""',
        "Partners who see different things do not choose as one.",
        OF_SIDES,
    ),
)
