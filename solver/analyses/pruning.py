"""Pruning: a game without the actions and states that no play to a goal passes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from weakref import WeakKeyDictionary

from rulespec.core import nodes as n
from rulespec.core.context import Context
from rulespec.core.evaluate import evaluate
from rulespec.core.game import End, Game
from rulespec.core.types import BOOL
from rulespec.core.walk import conjuncts, inside
from solver.formulas.cone_of_influence import breaks_bounds, changed_by, standing
from solver.formulas.dependencies import Dependencies, conditions_of
from solver.formulas.values import lift

from .relaxed_reachability import relaxed_goal

HOPELESS = "(hopeless)"
"""The end of a narrowed game where its goal is out of reach."""


def pruned(game: Game, goal: n.Expr, most: Mapping[n.StateVar, int]) -> Game:
    """The game without the actions that surely lift a variable past the greatest value it can have on the
    way to a goal, and without those that only they make possible; over in states that fail `relaxed_goal`.

    Every play of the game to the goal that stays within these values is one of the narrowed game, up to who
    is stuck and whether it is over. So the game is left as it is where somebody asks for that. A narrowed
    game claims nothing.
    """
    facts = Dependencies(game)
    if game.state["over"] in facts.reads(goal) or (game.turn.stuck == "pass" and game.players > 1):
        return game
    kept = _standing(game, facts, most)
    left_out = game.actions.keys() - kept
    if left_out and any(node.action in left_out for node in _asked(game, kept, goal)):
        return game
    actions = {name: a for name, a in game.actions.items() if name in kept}
    fewer = _once(game, (kept,), lambda: replace(game, actions=actions, claims={})) if left_out else game
    hopes = [(e, relaxed_goal(fewer, e)) for e in conjuncts(goal)]
    known = [(e, h) for e, h in hopes if h is not None]
    if not known:
        return fewer
    end = End(HOPELESS, "The goal is out of reach.", n.Not(BOOL, n.And(BOOL, tuple(h for _, h in known))))
    asked = tuple(e for e, _ in known)
    return _once(game, (kept, *asked), lambda: replace(fewer, ends=(*fewer.ends, end), claims={}))


def hopes(game: Game) -> bool:
    """True if a game is over where a goal is out of reach."""
    return game.ends[-1:] != () and game.ends[-1].id == HOPELESS


def _once(game: Game, key: tuple[object, ...], make: Callable[[], Game]) -> Game:
    """A memoised derived game: the same object for the same key, for caches keyed by game."""
    result = _made.setdefault(game, {})
    if key not in result:
        result[key] = make()
    return result[key]


def _standing(game: Game, facts: Dependencies, most: Mapping[n.StateVar, int]) -> frozenset[str]:
    """The actions that may be taken where some variables have greatest values; worked out once."""
    result, bounds = _known.setdefault(game, {}), frozenset(most.items())
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


_known: WeakKeyDictionary[Game, dict[frozenset[tuple[n.StateVar, int]], frozenset[str]]] = WeakKeyDictionary()
_made: WeakKeyDictionary[Game, dict[tuple[object, ...], Game]] = WeakKeyDictionary()
"""Narrowed games by the actions that are left and the parts of the goal that tell of hope."""


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
