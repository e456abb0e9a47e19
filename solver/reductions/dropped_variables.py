"""Easier games: some variables keep their first value, and what is asked of them counts as answered yes.

For every play of the game the easier game has one of the same plies, whose states are the same but for these
variables and `over`. For its requirements are weaker; nothing else that bears on plies reads them; and where
play stops for want of an action, it may go on there. So what the easier game does not reach, the game does
not reach either; and it has fewer states, fewer still as values that nobody asks for are not told apart.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from weakref import WeakKeyDictionary

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.types import BOOL, Truth
from rulespec.core.walk import Node, rebuilt, written_out
from solver.formulas.dependencies import Dependencies, effects_of_plies

from .value_quotient import alike, unasked, with_effects

Dropped = frozenset[n.StateVar]


def eased(game: Game, goal: n.Expr, names: Iterable[str]) -> tuple[Game, n.Expr] | None:
    """An easier game and its goal; None where the variables of these names matter."""
    listed = list(names)
    if not listed or any(name not in game.state for name in listed):
        return None
    dropped = frozenset(game.state[name] for name in listed)
    easier = without(game, dropped)
    if easier is None:
        return None
    weaker = weakened(Dependencies(game), goal, dropped | {game.state["over"]})
    alone = unasked(easier, [weaker, *_asking(easier), *_legal(easier), *_doing(easier)])
    made = _made.setdefault(easier, {})
    if alone not in made:
        made[alone] = alike(easier, alone)
    return made[alone], weaker


def without(game: Game, dropped: Dropped) -> Game | None:
    """The game in which variables keep their first value and are not required; None if they matter."""
    facts = Dependencies(game)
    if game.turn.stuck == "pass":
        return None  # nobody passes who may act: a play of the easier game would have another mover
    made = _without.setdefault(game, {})
    if dropped not in made:
        left = with_effects(game, lambda effect: _left(effect, dropped))
        asked: list[Node] = [*_asking(game), *_doing(left)]
        matters = any(not dropped.isdisjoint(facts.reads(node)) for node in asked)
        made[dropped] = None if matters else _loosened(facts, left, dropped)
    return made[dropped]


_without: WeakKeyDictionary[Game, dict[Dropped, Game | None]] = WeakKeyDictionary()
_made: WeakKeyDictionary[Game, dict[Dropped, Game]] = WeakKeyDictionary()
"""Easier games by what is dropped, and those by what nobody asks for, so that who keeps things by game finds
them again."""


def weakened(facts: Dependencies, e: n.Expr, dropped: Dropped, holds: bool = True) -> n.Expr:
    """A condition that reads no dropped variable and follows from `e`; without `holds`, that implies it.

    What reads one counts as fulfilled in whichever way makes that so.
    """
    if dropped.isdisjoint(facts.reads(e)):
        return e
    match e:
        case n.And() | n.Or():
            return replace(e, items=tuple(weakened(facts, item, dropped, holds) for item in e.items))
        case n.Not():
            return replace(e, item=weakened(facts, e.item, dropped, not holds))
        case n.All() | n.Any() if dropped.isdisjoint(facts.reads(e.source)):
            return replace(e, body=weakened(facts, e.body, dropped, holds))
        case n.Let() if dropped.isdisjoint(facts.reads(e.value)):
            return replace(e, body=weakened(facts, e.body, dropped, holds))
        case n.Call() if e.function.falling is None and isinstance(e.type, Truth):
            return weakened(facts, written_out(e), dropped, holds)
    return n.Const(BOOL, holds)


def _loosened(facts: Dependencies, game: Game, dropped: Dropped) -> Game:
    """The game with weakened requirements."""

    def loosened(action: Action) -> Action:
        listed = (replace(r, condition=weakened(facts, r.condition, dropped)) for r in action.requirements)
        return replace(action, requirements=tuple(listed))

    return replace(game, actions={name: loosened(action) for name, action in game.actions.items()})


def _left(effect: n.Effect, dropped: Dropped) -> n.Effect:
    """An effect without its assignments to dropped variables."""

    def change(node: Node) -> Node:
        return n.NOTHING_DONE if isinstance(node, n.Assign) and node.target in dropped else node

    found = rebuilt(effect, change)
    assert isinstance(found, n.Effect)
    return found


# ---- all that bears on plies


def _asking(game: Game) -> Iterator[n.Expr]:
    """The conditions and values that are not requirements of actions."""
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
    yield from effects_of_plies(game, game.actions.values())
    yield game.setup
