"""Games in which what only ever restricts is not counted: an easier game, in which more can be reached.

A counter that never falls, and which is asked only so that a lower count allows whatever a higher one does,
may be left at its first value: every action of the game stays legal then, and leads to the same state but for
the counter. So what the easier game does not reach, the game does not reach either; and it has far fewer
states, fewer still as values that nobody asks for (`unasked`) are not told apart.
"""

from __future__ import annotations

from collections.abc import Iterator
from weakref import WeakKeyDictionary

from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.walk import assignments, parts, rebuilt
from solver.formulas.dependencies import Dependencies
from solver.formulas.monotone import monotone

from .value_abstraction import alike, unasked, with_effects


def uncounted(game: Game, goal: n.Expr) -> tuple[Game, tuple[str, ...]] | None:
    """The easier game, and the names of the counters that it leaves alone; None where there are none."""
    if game.turn.stuck == "pass" and game.players > 1:
        return None
    facts = Dependencies(game)
    if game.state["over"] in facts.reads(goal):
        return None
    asked = {node.action for node in _all_nodes(game, goal) if isinstance(node, n.Can)}
    fixed = {var for name in asked for var in facts.of_legality(game.actions[name])}
    begun = {a.target for effect in (game.setup, game.turn.begin) for a in assignments(effect)}
    counters = {v for v in monotone(game) - begun - fixed if _only_restricts(facts, goal, v)}
    counters &= {a.target for action in game.actions.values() for a in assignments(action.effect)}
    if not counters:
        return None
    found = _made.setdefault(game, {})
    left, alone = frozenset(counters), unasked(game, [goal, *_asking(game), *_legal(game), *_doing(game)])
    if (left, alone) not in found:
        still = with_effects(game, lambda effect: _still(effect, left))
        found[left, alone] = alike(still, alone)
    return found[left, alone], tuple(sorted(var.name for var in counters))


_made: WeakKeyDictionary[Game, dict[tuple[frozenset[n.StateVar], frozenset[n.StateVar]], Game]] = (
    WeakKeyDictionary()
)
"""Easier games by the counters left alone and what nobody asks for, so that whoever keeps things by game
finds them again."""


def _still(effect: n.Effect, counters: frozenset[n.StateVar]) -> n.Effect:
    """An effect without its assignments to counters."""

    def change(node: n.Expr | n.Effect) -> n.Expr | n.Effect:
        return n.NOTHING_DONE if isinstance(node, n.Assign) and node.target in counters else node

    found = rebuilt(effect, change)
    assert isinstance(found, n.Effect)
    return found


def _all_nodes(game: Game, goal: n.Expr) -> Iterator[n.Expr | n.Effect]:
    """Every expression and effect that bears on plies, definitions included."""
    waiting: list[n.Expr | n.Effect] = [goal, *_asking(game), *_legal(game), *_doing(game)]
    seen: set[object] = set()
    while waiting:
        node = waiting.pop()
        if node not in seen:
            seen.add(node)
            yield node
            waiting += parts(node)
            if isinstance(node, n.Call):
                waiting.append(node.function.body)


def _asking(game: Game) -> Iterator[n.Expr]:
    """The conditions that are not requirements of actions."""
    yield from (end.condition for end in game.ends)
    yield from (reaction.condition for reaction in game.reactions)
    yield from (game.turn.over, game.turn.next)
    for action in game.actions.values():
        for choice in action.choices:
            yield from choice.conditions


def _legal(game: Game) -> Iterator[n.Expr]:
    """The requirements of all actions."""
    yield from (r.condition for action in game.actions.values() for r in action.requirements)


def _doing(game: Game) -> Iterator[n.Effect]:
    yield from (action.effect for action in game.actions.values())
    yield from (reaction.effect for reaction in game.reactions)
    yield from (game.turn.begin, game.setup)


def _only_restricts(facts: Dependencies, goal: n.Expr, var: n.StateVar) -> bool:
    """Whether nothing asks a counter but requirements and the goal, which allow more where it is lower."""
    game = facts.game
    if any(var in facts.reads(e) for e in _asking(game)):
        return False
    if any(var in facts.reads(_still(effect, frozenset((var,)))) for effect in _doing(game)):
        return False
    return all(falls(facts, e, var) for e in [goal, *_legal(game)])


def falls(facts: Dependencies, e: n.Expr, var: n.StateVar, up: bool = False) -> bool:
    """Whether a condition that holds goes on to hold when a variable is lowered (with `up`, raised)."""
    reads = facts.reads
    if var not in reads(e):
        return True
    match e:
        case n.And() | n.Or():
            return all(falls(facts, item, var, up) for item in e.items)
        case n.Not():
            return falls(facts, e.item, var, not up)
        case n.Less() | n.AtMost():
            return _goes(facts, e.a, var, up) and _goes(facts, e.b, var, not up)
        case n.If():
            return var not in reads(e.cond) and all(falls(facts, x, var, up) for x in (e.then, e.otherwise))
        case n.Let():
            return var not in reads(e.value) and falls(facts, e.body, var, up)
        case n.All() | n.Any():
            return var not in reads(e.source) and falls(facts, e.body, var, up)
        case n.Call() if e.function.falling is None:
            return all(var not in reads(x) for x in e.args) and falls(facts, e.function.body, var, up)
    return False


def _goes(facts: Dependencies, e: n.Expr, var: n.StateVar, down: bool) -> bool:
    """Whether a number never falls when a variable rises (with `down`, never rises)."""
    if var not in facts.reads(e):
        return True
    match e:
        case n.Get():
            return not down
        case n.Add():
            return _goes(facts, e.a, var, down) and _goes(facts, e.b, var, down)
        case n.Sub():
            return _goes(facts, e.a, var, down) and _goes(facts, e.b, var, not down)
    return False
