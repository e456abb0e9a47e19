"""A game restricted to the actions that a play to a goal may take, given bounds all along on the way."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from weakref import WeakKeyDictionary

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.walk import inside
from solver.formulas.cone_of_influence import breaks_bounds, standing
from solver.formulas.dependencies import Dependencies, changed_by, conditions_of
from solver.formulas.values import lift


def restricted(game: Game, goal: n.Expr, most: Mapping[n.StateVar, int]) -> Game:
    """The game without the actions that surely lift a variable past the greatest value it can have on the
    way to a goal, and without those that only they make possible.

    Every play of the game to the goal that stays within these values is one of the restricted game, up to who
    is stuck and whether it is over. So the game is left as it is where anything asks for that. A restricted
    game claims nothing.
    """
    facts = Dependencies(game)
    if asks_who_is_stuck(game, goal):
        return game
    kept = _standing(game, facts, most)
    left_out = game.actions.keys() - kept
    if not left_out or any(node.action in left_out for node in _asked(game, kept, goal)):
        return game
    actions = {name: a for name, a in game.actions.items() if name in kept}
    return once(game, kept, lambda: replace(game, actions=actions, claims={}))


def asks_who_is_stuck(game: Game, goal: n.Expr) -> bool:
    """True if it matters on the way to a goal, or to the goal, who can act or whether the game is over."""
    passes = game.turn.stuck == "pass" and game.players > 1
    return passes or game.state["over"] in Dependencies(game).reads(goal)


def once(game: Game, key: object, make: Callable[[], Game]) -> Game:
    """A memoised derived game: the same object for the same key, for caches keyed by game."""
    result = _made.setdefault(game, {})
    if key not in result:
        result[key] = make()
    return result[key]


def _standing(game: Game, facts: Dependencies, most: Mapping[n.StateVar, int]) -> frozenset[str]:
    """The actions that may be taken where some variables have greatest values; worked out once."""
    result, bounds = _kept.setdefault(game, {}), frozenset(most.items())
    if bounds not in result:
        able = [a for a in game.actions.values() if not breaks_bounds(a, most)]
        touched = changed_by([game.setup, game.turn.begin])
        first = {
            v: lift(v.type, evaluate(v.initial, {}, Context()))
            for v in game.state.values()
            if v not in touched
        }
        result[bounds] = frozenset(a.id for a in standing(game, facts, able, first)[0])
    return result[bounds]


_kept: WeakKeyDictionary[Game, dict[frozenset[tuple[n.StateVar, int]], frozenset[str]]] = WeakKeyDictionary()
"""The actions that are left, by game and bounds."""
_made: WeakKeyDictionary[Game, dict[object, Game]] = WeakKeyDictionary()
"""Derived games, by game and key."""


def _asked(game: Game, kept: frozenset[str], goal: n.Expr) -> Iterator[n.Can]:
    """The occurrences of `can` outside claims."""
    turn, outcome = game.turn, game.outcome
    roots: list[n.Expr | n.Effect | None] = [
        goal,
        turn.begin,
        turn.over,
        turn.next,
        outcome.score,
        outcome.winners,
    ]
    roots += [e for _, e in outcome.ties]
    roots += [end.condition for end in game.ends]
    for reaction in game.reactions:
        roots += [reaction.condition, reaction.effect]
    for name in kept:
        roots += [*conditions_of(game.actions[name]), game.actions[name].effect]
    seen: set[n.Function] = set()
    waiting = [root for root in roots if root is not None]
    while waiting:
        for node in inside(waiting.pop()):
            if isinstance(node, n.Can):
                yield node
            elif isinstance(node, n.Call) and node.function not in seen:
                seen.add(node.function)
                waiting.append(node.function.body)
