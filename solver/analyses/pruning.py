"""Pruning: a game without the actions and states that no play to a goal passes, for hunts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rulespec.core import nodes as n
from rulespec.core.game import End, Game
from rulespec.core.types import BOOL
from rulespec.core.walk import conjuncts
from solver.reductions.restriction import asks_who_is_stuck, once, restricted

from .relaxed_reachability import relaxed_goal

HOPELESS = "(hopeless)"
"""The end of a pruned game where its goal is out of reach."""


def pruned(game: Game, goal: n.Expr, most: Mapping[n.StateVar, int]) -> Game:
    """The game `restricted` to the way to a goal, and over in states that fail `relaxed_goal`.

    A pruned game claims nothing.
    """
    fewer = restricted(game, goal, most)
    if asks_who_is_stuck(game, goal):
        return fewer
    hopes = [(e, relaxed_goal(fewer, e)) for e in conjuncts(goal)]
    known = [(e, h) for e, h in hopes if h is not None]
    if not known:
        return fewer
    end = End(HOPELESS, "The goal is out of reach.", n.Not(BOOL, n.And(BOOL, tuple(h for _, h in known))))
    asked = tuple(e for e, _ in known)
    return once(fewer, (HOPELESS, *asked), lambda: replace(fewer, ends=(*fewer.ends, end), claims={}))


def hopes(game: Game) -> bool:
    """True if a game is over where a goal is out of reach."""
    return game.ends[-1:] != () and game.ends[-1].id == HOPELESS
