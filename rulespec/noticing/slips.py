"""Slips that the formal text alone shows: what an author named, asked or left out by mistake."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator

from ..core import nodes as n
from ..core.diagnostics import Span
from ..core.game import Game
from ..core.notation import write
from ..core.taint import StateReads
from ..core.traversal import assignments, nodes_with_definitions, nodes_within
from ..core.types import Int, List, Map, Value, fits, scalar_of
from .setups import shuffled_variables

Found = Iterator[tuple[str, Span | None, str, str]]
"""The kind of a doubt, its place, its message and its help."""
FEWEST_ACTIONS = 4
"""Minimum number of actions of which one lacks what all others do."""
ALL = re.compile(r"\b(?:all|every|each|both)\b", re.IGNORECASE)
LOSE = re.compile(r"\blos(?:es?|ers?|t|ing)\b", re.IGNORECASE)
SOME = re.compile(r"\b(?:an?|one|any|some|somebody|anybody|who|whoever|first)\b", re.IGNORECASE)
"""Words of prose about ends."""


def slips(game: Game) -> Found:
    """Doubts about single expressions and effects, and about what actions do with their choices."""
    for find in (_players, _chains, _bounds, _choices, _hands, _counts, _winners):
        yield from find(game)


def place(game: Game, node: n.Expr | n.Effect) -> Span | None:
    """The place of a node, or of the first node in it that has one."""
    return next((game.spans[inner] for inner in nodes_within(node) if inner in game.spans), None)


def _stored_in_play(game: Game) -> set[n.StateVar]:
    effects = (root for root in game.roots if isinstance(root, n.Statement) and root is not game.setup)
    return {assign.target for effect in effects for assign in assignments(effect)}


def _players(game: Game) -> Found:
    """Entries of one player that are named where those of the others never are."""
    named = defaultdict[n.StateVar, dict[Value, n.Expr | n.Effect]](dict)
    stored = _stored_in_play(game)
    for root in game.roots if game.players > 1 else ():
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


def _chains(game: Game) -> Found:
    """Conditions that a chain of branches asks twice, and equal results for different values."""
    seen = set[object]()
    for first in (node for root in game.roots for node in nodes_with_definitions(root)):
        asked, given = set[str](), set[tuple[str, str]]()
        at: object = first
        while isinstance(at, n.If | n.When) and at not in seen:
            seen.add(at)
            text = game.texts.get(at.cond, "")
            if text and text in asked:
                message = f"`{text}` is asked before, so it never holds here"
                yield "settled", game.spans.get(at.cond), message, ""
            asked.add(text)
            if isinstance(at, n.If) and isinstance(at.cond, n.Equal) and not isinstance(at.then, n.Const):
                result = game.texts.get(at.cond.a, ""), game.texts.get(at.then, "")
                if all(result) and result in given:
                    message = f"`{result[1]}` is the value for two values of `{result[0]}`"
                    yield "settled", game.spans.get(at.then), message, "is something else meant?"
                given.add(result)
            at = at.otherwise
            if isinstance(at, n.Block) and len(at.items) == 1:
                at = at.items[0]


def _bounds(game: Game) -> Found:
    """Positions past the end of a list, and arguments that a definition does not take."""
    for node in dict.fromkeys(node for root in game.roots for node in nodes_with_definitions(root)):
        if isinstance(node, n.Item) and isinstance(node.position, n.Local):
            of, key = node.list.type, node.position.type
            if isinstance(of, List) and isinstance(key, Int) and key.hi > of.cap:
                name = node.position.var.name
                message = f"`{name}` may be {key.hi}, and the list has at most {of.cap} elements"
                yield "settled", place(game, node), message, ""
        elif isinstance(node, n.Call):
            for arg, param in zip(node.args, node.function.params, strict=True):
                has, takes = scalar_of(arg.type), scalar_of(param.type)
                if not isinstance(has, Int) or not isinstance(takes, Int) or fits(has, takes):
                    continue
                if isinstance(arg, n.Read | n.Get):
                    text = game.texts.get(arg, param.name)
                    message = f"`{text}` is {has}, and `{node.function.name}` takes {takes}"
                    yield "settled", place(game, node), message, "for other numbers it gives none"


def _choices(game: Game) -> Found:
    """Choices that an action asks for and whose values its effect does not use."""
    for action in game.actions.values():
        used = {node.var for node in nodes_within(action.effect) if isinstance(node, n.Local)}
        for choice in action.choices if game.stage_of(action.id) is None else ():
            if choice.var not in used:
                message = f"`{action.id}` does the same for every `{choice.var.name}`"
                help = "perhaps something is taken away or stored there"
                yield "unused", place(game, action.effect), message, help


def _hands(game: Game) -> Found:
    """Hands that nobody sees, decks that all see, and collections that players choose from and keep."""
    reads, drawn = StateReads(), _stored_in_play(game)
    for var in {*shuffled_variables(game.setup)} & drawn:
        if not var.hidden:
            shuffles = next(assign for assign in assignments(game.setup) if assign.target is var)
            message = f"everybody sees the order of `{var.name}`, which is shuffled here"
            yield "sees", game.spans.get(shuffles), message, f"write `hidden state {var.name}`"
    shown = {
        var
        for sight in game.sights
        for text in (sight.value, *(source for _, source in sight.binders))
        for var in reads(text)[0]
    }
    kept = {assign.target for assign in assignments(game.setup)} - drawn
    for assign in assignments(game.setup):
        var, span = assign.target, game.spans.get(assign)
        own = isinstance(var.type, Map) and var.type.keys == game.player
        if var.hidden and own and var not in shown and game.players > 1:
            message = f"no player sees `{var.name}`, not even what is the player's own"
            yield "sees", span, message, f"add `sees: {var.name}[viewer]`"
        if var in kept and scalar_of(var.type) is None:
            for action in game.actions.values():
                source = next((c.source for c in action.choices if var in reads(c.source)[0]), None)
                if source is not None:
                    message = f"`{action.id}` chooses from `{var.name}`, of which nothing is ever taken"
                    yield "store", place(game, source), message, f"perhaps `remove … from {var.name}`"


def _counts(game: Game) -> Found:
    """Actions that do not count what all others count."""
    by = dict[str, set[str]]()
    for action in game.actions.values():
        by[action.id] = set()
        for assign in assignments(action.effect):
            read = (node.var for node in nodes_within(assign.value) if isinstance(node, n.Get))
            span = game.spans.get(assign) if assign.target in read else None
            if span is not None:
                by[action.id].add(span.source.line(span.line)[span.column - 1 : span.end_column - 1])
    for text, number in Counter(text for texts in by.values() for text in texts).items():
        if number == len(by) - 1 >= FEWEST_ACTIONS - 1:
            action = next(game.actions[name] for name, texts in by.items() if text not in texts)
            message = f"every action but `{action.id}` does this: `{text}`"
            yield "store", place(game, action.effect), message, ""


def _winners(game: Game) -> Found:
    """Winners who are nobody, or the opposite of those for whom an end waits; ends against their prose."""
    winners = game.outcome.winners
    named = winners.value if isinstance(winners, n.Const) else getattr(winners, "items", True)
    if winners is not None and not named and game.outcome.score is None:
        yield "winner", place(game, winners), "nobody ever wins", "leave `winners` out where this is meant"
    for end in game.ends:
        prose = next(rule.prose for rule in game.rules if rule.id == end.id)
        condition = end.condition.function.body if isinstance(end.condition, n.Call) else end.condition
        if not isinstance(condition, n.Any):
            continue
        if isinstance(winners, n.Select) and isinstance(winners.body, n.Not):
            text = game.texts.get(winners.body.item)
            if text is not None and text == game.texts.get(condition.body) and not LOSE.search(prose):
                message = f"those win for whom `{text}` does not hold, although the game ends when it does"
                yield "winner", place(game, winners), message, "where this is meant, the prose says who loses"
        one = any(isinstance(node, n.All | n.Not) for node in nodes_within(condition))
        said = None if one or SOME.search(prose) else ALL.search(prose)
        if said is not None:
            message = f"the prose says `{said[0]}`, and here `some` is enough"
            yield "end", place(game, condition), message, "perhaps `every` is meant"
