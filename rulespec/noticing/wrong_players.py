"""Entries of one player where those of another are probably meant."""

from __future__ import annotations

import re
from collections import defaultdict

from ..core import nodes as n
from ..core.game import Game
from ..core.notation import write
from ..core.traversal import Node, assignments, nodes_with_definitions, nodes_within
from ..core.types import Map, Value, scalar_of
from .english import prose_of, stem, words_of
from .parts import EFFECT, REQUIREMENT, Found, passages
from .slips import effects_in_play, is_other, place, stored_in_play

_YOU = re.compile(r"\b(?:you|yours?)\b", re.IGNORECASE)
_OTHER = re.compile(
    r"\b(?:others?|another|opponents?|enem(?:y|ies)|rivals?|foes?|next|neighbours?|both|against|the[my]|their"
    r"|h(?:is|er|im)|players|partners?|who|whoever|tak(?:e|es|en)|captur\w+)\b",
    re.IGNORECASE,
)
"""Words of prose that may be about another player."""


def wrong_players(game: Game) -> Found:
    """Doubts about who is named in effects, conditions and definitions."""
    if game.players > 1:
        for find in (_nobody, _one_named, _turns, _others, _definitions):
            yield from find(game)


def _nobody(game: Game) -> Found:
    """Doubts about the entry of a player who does not play: it reads as none, and nothing is stored there."""
    for node in dict.fromkeys(node for root in game.roots for node in nodes_with_definitions(root)):
        match node:
            case n.Read(map=n.Expression(type=Map(keys=keys)), key=n.Const(value=int(one))):
                pass
            case n.Assign(target=n.StateVar(type=Map(keys=keys)), path=(n.Const(value=int(one)), *_)):
                pass
            case _:
                continue
        if keys == game.player and one not in game.player.values:
            message = f"there is no player {one}: the game has {game.players}"
            yield "settled", place(game, node), message, "is this the intended player?"


def _one_named(game: Game) -> Found:
    """Doubts about the entry of one player that is named where the others' entries never are."""
    named = defaultdict[n.StateVar, dict[Value, n.Expr | n.Effect]](dict)
    stored = stored_in_play(game)
    for root in game.roots:
        for node in nodes_with_definitions(root):
            match node:
                case n.Read(map=n.Get(var=var), key=key) if root is not game.setup:
                    pass
                case n.Assign(target=var, path=(key, *_)) if root is not game.setup or var not in stored:
                    pass
                case _:
                    continue
            if isinstance(var.type, Map) and var.type.keys == game.player and isinstance(key, n.Const):
                named[var].setdefault(key.value, node)
    for var, nodes in named.items():
        entries = {p: f"`{var.name}[{write(game.player, p)}]`" for p in game.player.values}
        others = [text for p, text in entries.items() if p not in nodes]
        known = [(one, node) for one, node in nodes.items() if one in entries]
        if others and known:
            one, node = known[0]
            message = f"only {entries[one]} is named, and never {' or '.join(others)}"
            yield "unused", place(game, node), message, "is this the intended player?"


def _turns(game: Game) -> Found:
    """Doubts about turns given to one fixed player, or to the player who would be next anyway."""
    stores = (assign for effect in effects_in_play(game) for assign in assignments(effect))
    given = [assign for assign in stores if assign.target.name == "turn-to" and assign in game.spans]
    texts = {game.texts.get(assign.value, "") for assign in given}
    if len(texts) == 1 and isinstance(given[0].value, n.Const):
        message = f"the turn is only given to player {texts.pop()}"
        yield "unused", place(game, given[0]), message, "is this the intended player?"
    for assign in given if texts == {"after(mover)"} else ():
        message = "this player is next anyway, so nothing changes"
        yield "store", place(game, assign), message, "`give the turn to mover` lets the player act again"


def _others(game: Game) -> Found:
    """Doubts about entries of another player alone, where the prose mentions no other player."""
    prose = {rule.id: prose_of(rule) for rule in game.rules}
    for passage in (one for one in passages(game) if one.kind in (EFFECT, REQUIREMENT)):
        is_effect, entries = passage.kind == EFFECT, defaultdict[n.StateVar, dict[bool, Node]](dict)
        words = prose.get(passage.rule, "") if is_effect else passage.prose
        said = words_of(words)
        for node in nodes_within(passage.formal):
            match node:
                case n.Assign(target=var, path=(key, *_)):
                    pass
                case n.Read(map=n.Get(var=var), key=key) if not is_effect:
                    pass
                case _:
                    continue
            if isinstance(var.type, Map) and var.type.keys == game.player:
                named = key.var if isinstance(key, n.Get) and key.var is not game.mover else None
                of_another = not is_effect and named is not None and stem(named.name) not in said
                entries[var].setdefault(is_other(key) or of_another, node)
        if _OTHER.search(words) is None and (is_effect or _YOU.search(words)):
            for var in (var for var, found in entries.items() if found.keys() == {True}):
                message = f"the prose mentions no other player, but this is the `{var.name}` of another"
                yield "prose", place(game, entries[var][True]), message, "is this the intended player?"


def _definitions(game: Game) -> Found:
    """Doubts about definitions that take a player but read the player to move instead."""
    for function in game.functions.values():
        param = next((p for p in function.params if scalar_of(p.type) == game.player), None)
        for node in nodes_within(function.body) if param is not None else ():
            if isinstance(node, n.Get) and node.var is game.mover and param is not None:
                message = f"`{function.name}` is about `{param.name}`, but this reads the player to move"
                yield "unused", game.spans.get(node), message, f"perhaps `{param.name}` is meant"
