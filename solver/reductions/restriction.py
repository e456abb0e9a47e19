"""A game restricted to the actions that a play to a goal may take, given bounds that hold all along."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.memo import by_game
from rulespec.core.traversal import nodes_with_definitions
from rulespec.solver.formulas.cone_of_influence import breaks_bounds, possible_actions
from rulespec.solver.formulas.dependencies import Dependencies, changed_by
from rulespec.solver.formulas.values import lift


def restrict(game: Game, goal: n.Expr, most: Mapping[n.StateVar, int]) -> Game:
    """The game without the actions that a play to the goal within greatest values cannot contain.

    Those always raise a variable above its greatest value, or only they make each other possible. Every play
    of the game to the goal that stays within these values is one of the restricted game, except for stuck
    positions and `over`; so the game is unchanged if anything depends on these. A restricted game has no
    claims. The same actions give the same game, for caches keyed by game.
    """
    passes = game.turn.stuck == "pass" and game.players > 1
    if passes or game.state["over"] in Dependencies(game).reads(goal):
        return game
    kept = _possible_actions(game, frozenset(most.items()))
    if len(kept) == len(game.actions):
        return game
    fewer = _with_only(game, kept)
    nodes = (node for root in (goal, *fewer.roots) for node in nodes_with_definitions(root))
    asked = (node for node in nodes if isinstance(node, n.Can))
    return fewer if all(node.action in kept for node in asked) else game


@by_game
def _with_only(game: Game, kept: frozenset[str]) -> Game:
    actions = {name: action for name, action in game.actions.items() if name in kept}
    return replace(game, actions=actions, claims={})


@by_game
def _possible_actions(game: Game, bounds: frozenset[tuple[n.StateVar, int]]) -> frozenset[str]:
    """The actions that may be taken when some variables have greatest values."""
    most = dict(bounds)
    able = [a for a in game.actions.values() if not breaks_bounds(a, most)]
    touched = changed_by([game.setup, game.turn.begin])
    still = [v for v in game.state.values() if v not in touched]
    first = {v: lift(v.type, evaluate(v.initial, {}, Context())) for v in still}
    return frozenset(a.id for a in possible_actions(game, Dependencies(game), able, first)[0])
