"""A game without the variables outside the cone of influence of a question."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.memo import by_game
from rulespec.core.traversal import Node, rebuild
from rulespec.solver.formulas.cone_of_influence import cone_of_influence, effects_of
from rulespec.solver.formulas.dependencies import Dependencies, changed_by


def influential(game: Game, asked: Iterable[n.Expr]) -> Game:
    """The game in which every variable without influence on plies, faults or asked expressions keeps its
    first value.

    Nothing is stored in these. Such a game keeps only claims that state symmetries, which are proved again
    when they are used; if every variable has influence, it is the game itself. The same expressions give the
    same game, for caches keyed by game.
    """
    actions = [*game.actions.values()]
    kept = cone_of_influence(game, Dependencies(game), actions, actions, asked, watch_all=True)
    return _without(game, changed_by(effects_of(game, actions)) - kept)


@by_game
def _without(game: Game, dropped: frozenset[n.StateVar]) -> Game:
    """The game without stores in some variables, and with claims of symmetry only."""
    if not dropped:
        return game

    def change(node: Node) -> Node:
        return n.NOTHING_DONE if isinstance(node, n.Assign) and node.target in dropped else node

    def left(effect: n.Effect) -> n.Effect:
        return rebuild(effect, change)

    def acting(action: Action) -> Action:
        return replace(action, effect=left(action.effect))

    return replace(
        game,
        setup=left(game.setup),
        turn=replace(game.turn, begin=left(game.turn.begin)),
        actions={name: acting(action) for name, action in game.actions.items()},
        reactions=tuple(replace(r, effect=left(r.effect)) for r in game.reactions),
        claims={name: claim for name, claim in game.claims.items() if claim.kind == "symmetry"},
    )
