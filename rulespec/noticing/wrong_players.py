"""Entries of one player where those of another are probably meant."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from ..core import nodes as n
from ..core.game import Game
from ..core.notation import write
from ..core.traversal import assignments, nodes_with_definitions, nodes_within
from ..core.types import Map, Value, scalar_of
from .slips import Found, place, stored_in_play

OTHER = "after("
"""The formal text of another player begins so."""


def wrong_players(game: Game) -> Found:
    """Doubts about who is named in effects, conditions and definitions."""
    if game.players > 1:
        for find in (_one_named, _turns, _stores_of_others, _definitions, _overwritten, _odd):
            yield from find(game)
    yield from _loops(game)


def _effects(game: Game) -> Iterator[n.Effect]:
    return (root for root in game.roots if isinstance(root, n.Statement) and root is not game.setup)


def _one_named(game: Game) -> Found:
    """Entries of one player that are named where those of the others never are."""
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
        if others:
            one, node = next(iter(nodes.items()))
            message = f"only {entries[one]} is named, and never {' or '.join(others)}"
            yield "unused", place(game, node), message, "is this the player who is meant?"


_GIVES = re.compile(r"give the turn to ([^;\n]+)")


def _turns(game: Game) -> Found:
    """Turns that are given to one fixed player, or to the player who would be next anyway."""
    given = defaultdict[str, list[n.Assign]](list)
    for assign in (assign for effect in _effects(game) for assign in assignments(effect)):
        span = game.spans.get(assign)
        found = _GIVES.match(span.source.line(span.line), span.column - 1) if span is not None else None
        if found is not None:
            given[found[1].strip()].append(assign)
    fixed = [player for player in given if player.isdigit()]
    if len(fixed) == 1 and len(given) == 1:
        message = f"the turn is only given to player {fixed[0]}"
        yield "unused", place(game, given[fixed[0]][0]), message, "is this the player who is meant?"
    for assign in given["after(mover)"] if {*given} == {"after(mover)"} else ():
        message = "this player is next anyway, so nothing changes"
        yield "store", place(game, assign), message, "`give the turn to mover` lets the player act again"


def _stores_of_others(game: Game) -> Found:
    """Points of a player that are added to another one, always or in one place of several."""
    outcome = [root for root in (game.outcome.score, game.outcome.winners) if root is not None]
    counts = {
        node.var for root in outcome for node in nodes_with_definitions(root) if isinstance(node, n.Get)
    }
    stores = defaultdict[n.StateVar, list[tuple[str, n.Assign]]](list)
    for assign in (assign for effect in _effects(game) for assign in assignments(effect)):
        of = assign.target.type
        if assign.path and isinstance(of, Map) and of.keys == game.player and assign.target in counts:
            stores[assign.target].append((game.texts.get(assign.path[0], ""), assign))
    for var, entries in stores.items():
        for key, assign in entries:
            inside = [*nodes_within(assign.value)]
            adds = any(isinstance(node, n.Add | n.Union | n.Concat) for node in inside)
            if not key.startswith(OTHER) or not adds or any(isinstance(node, n.Sub) for node in inside):
                continue
            if all(other.startswith(OTHER) for other, _ in entries):
                message = f"`{var.name}` counts for its player, and is only added to that of another"
                yield "winner", place(game, assign), message, "is this the player who is meant?"
            elif len(entries) > 2 and [other for other, _ in entries].count(key) == 1:
                message = f"elsewhere the player gets `{var.name}`, and here another does"
                yield "winner", place(game, assign), message, "is this the player who is meant?"


def _definitions(game: Game) -> Found:
    """Definitions for a player that ask about the player to move instead."""
    for function in game.functions.values():
        param = next((p for p in function.params if scalar_of(p.type) == game.player), None)
        for node in nodes_within(function.body) if param is not None else ():
            if isinstance(node, n.Get) and node.var is game.mover and param is not None:
                message = f"`{function.name}` is about `{param.name}`, and this asks about the player to move"
                yield "unused", game.spans.get(node), message, f"perhaps `{param.name}` is meant"


def _overwritten(game: Game) -> Found:
    """Loops that pass things round and read what they have overwritten."""
    for loop in dict.fromkeys(node for effect in _effects(game) for node in nodes_within(effect)):
        for assign in assignments(loop.body) if isinstance(loop, n.ForEach) else ():
            keys = [game.texts.get(key, "") for key in assign.path]
            reads = [node for node in nodes_within(assign.value) if isinstance(node, n.Read)]
            own = [
                game.texts.get(r.key)
                for r in reads
                if isinstance(r.map, n.Get) and r.map.var is assign.target
            ]
            if keys and keys[0].startswith(OTHER) and isinstance(loop, n.ForEach) and loop.var.name in own:
                message = f"this overwrites `{assign.target.name}` before the next player's is read"
                yield (
                    "store",
                    place(game, assign),
                    message,
                    "keep all first: `let old be {p -> … for p in Player}`",
                )


def _odd(game: Game) -> Found:
    """One store for the player to move among several for another one, and branches for different players."""
    for node in (node for effect in _effects(game) for node in nodes_within(effect)):
        if isinstance(node, n.Block):
            items = [item.then if isinstance(item, n.When) else item for item in node.items]
            stores = [(_player(game, item), item) for item in items if _player(game, item)]
            odd = [item for player, item in stores if player == "mover"]
            if len(odd) == 1 and len(stores) > 2 and len({player for player, _ in stores}) == 2:
                message = f"this is for the player to move, and what is beside it for `{_other(stores)}`"
                yield "store", place(game, odd[0]), message, "is this the player who is meant?"
        elif isinstance(node, n.When):
            one, other = _player(game, node.then), _player(game, node.otherwise)
            if one and other and (one == f"{OTHER}{other})" or other == f"{OTHER}{one})"):
                message = f"one case stores for `{one}`, and this one for `{other}`"
                yield "store", place(game, node.otherwise), message, "is this the player who is meant?"


def _other(stores: list[tuple[str, n.Effect]]) -> str:
    return next(player for player, _ in stores if player != "mover")


def _player(game: Game, effect: n.Effect) -> str:
    """The formal text of the player in whose entry a single store is done; empty for other effects."""
    of = effect.target.type if isinstance(effect, n.Assign) and effect.path else None
    is_own = isinstance(effect, n.Assign) and isinstance(of, Map) and of.keys == game.player
    return game.texts.get(effect.path[0], "") if is_own and isinstance(effect, n.Assign) else ""


def _loops(game: Game) -> Found:
    """Effects that test one entry of a variable and store a constant in another one beside it."""
    for node in dict.fromkeys(node for effect in _effects(game) for node in nodes_within(effect)):
        if not isinstance(node, n.When):
            continue
        inner = {x.var for x in nodes_within(node.then) if isinstance(x, n.ForEach | n.Bind | n.Draw)}
        tested = [(var, path) for part in nodes_within(node.cond) for var, path in _entry(game, part)]
        for assign in assignments(node.then):
            path = tuple(game.texts.get(key, "") for key in assign.path)
            bound = any(
                isinstance(x, n.Local) and x.var in inner for key in assign.path for x in nodes_within(key)
            )
            same = [keys for var, keys in tested if var is assign.target and len(keys) == len(path)]
            if not isinstance(assign.value, n.Const) or bound or not same or path in same or not all(path):
                continue
            if any(sum(a != b for a, b in zip(keys, path, strict=True)) == 1 for keys in same):
                entries = [
                    f"`{assign.target.name}{''.join(f'[{key}]' for key in keys)}`" for keys in (same[0], path)
                ]
                message = f"{entries[0]} is tested, and {entries[1]} is stored in"
                yield "store", place(game, assign), message, "is this the entry that is meant?"


def _entry(game: Game, node: n.Expr | n.Effect) -> Iterator[tuple[n.StateVar, tuple[str, ...]]]:
    """The variable and the keys of an entry that is read."""
    keys = list[str]()
    while isinstance(node, n.Read):
        keys.insert(0, game.texts.get(node.key, ""))
        node = node.map
    if keys and isinstance(node, n.Get):
        yield node.var, tuple(keys)
