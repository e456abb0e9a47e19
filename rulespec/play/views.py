"""Views of games, states and actions: a player's knowledge, notebooks, advice.

Pictures are drawn by `rulespec.book.drawing.diagram`, imported when a picture is requested.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from html import escape
from itertools import islice
from typing import Any

from ..core import nodes as n
from ..core.context import Context, Env
from ..core.diagnostics import close_to
from ..core.evaluate import evaluate
from ..core.game import Game, Sight
from ..core.notation import write
from ..core.plain_data import to_data
from ..core.taint import StateReads
from ..core.types import Bag, Map, Type, Value
from .observation import bindings, sights


def seen_by(game: Game, ctx: Context, viewer: Value) -> dict[str, Any]:
    """A player's view as plain data: variables by name, sights by their text.

    A sight with binders is a mapping from their values, in notation, to the value shown.
    """
    seen = {v.name: to_data(v.type, ctx.state[v]) for v in game.state.values() if not v.hidden}
    for sight in game.sights:
        found = dict(_sights(sight, ctx, viewer))
        seen[sight.text] = found if sight.binders else found.get("")
    return seen


def _sights(sight: Sight, ctx: Context, viewer: Value) -> Iterator[tuple[str, Any]]:
    """Yield the keys, in notation, and the value, as data, of each entry that a sight shows."""
    for keys, value in sights(sight, ctx, viewer):
        name = ", ".join(write(var.type, key) for (var, _), key in zip(sight.binders, keys, strict=True))
        yield name, to_data(sight.value.type, value)


def known_to(game: Game, ctx: Context, viewer: Value) -> dict[str, Value]:
    """The state variables by name as a player knows them, for a drawing.

    A hidden variable has the parts that the player's sights show (itself, or a map of them at a key, whole or
    as `hand[p] & seen`); the rest of it is none, or empty.
    """
    states = game.state.items()
    known = {name: _nothing_of(var.type) if var.hidden else ctx.state[var] for name, var in states}
    for sight in game.sights:
        for env in bindings(sight.binders, {sight.viewer: viewer}, ctx):
            for source in hidden_sources(sight.value):
                _reveal(source, sight.value, env, ctx, known)
    return known


def _nothing_of(t: Type) -> Value:
    """The value of a variable that a viewer knows nothing about; that of a bag is empty."""
    if isinstance(t, Map):
        return (0 if isinstance(t, Bag) else _nothing_of(t.of),) * len(t.keys.values)
    return t.nothing


Place = tuple[n.StateVar, Value]
"""A state variable, or one of a map at a key: the key, or none for the variable itself."""


def sizes_known_to(game: Game, ctx: Context, viewer: Value) -> dict[Place, int]:
    """Numbers of pieces that a player sees at hidden places, by sights of the form `size(hand[p])`."""
    known: dict[Place, int] = {}
    for sight in game.sights:
        item = counted_source(sight.value)
        if item is None:
            continue
        for env in bindings(sight.binders, {sight.viewer: viewer}, ctx):
            place = place_of(item, env, ctx)
            if place is not None:
                known[place] = evaluate(sight.value, env, ctx)
    return known


def seen_by_all(game: Game, ctx: Context) -> tuple[dict[str, Value], dict[Place, int]]:
    """An onlooker's knowledge, for a drawing: the values and sizes that all players know."""
    players = game.player.values
    views = [known_to(game, ctx, player) for player in players]
    sizes = [sizes_known_to(game, ctx, player) for player in players]
    known = {name: _common(var.type, [view[name] for view in views]) for name, var in game.state.items()}
    return known, {place: size for place, size in sizes[0].items() if all(place in other for other in sizes)}


def _common(t: Type, values: list[Value]) -> Value:
    """The part of a variable's value that several views have in common."""
    first = values[0]
    if all(value == first for value in values):
        return first
    if isinstance(first, frozenset):
        return frozenset.intersection(*values)
    if isinstance(t, Bag):
        return tuple(one[0] if len({*one}) == 1 else 0 for one in zip(*values, strict=True))
    if isinstance(t, Map):
        return tuple(_common(t.of, [value[i] for value in values]) for i in range(len(first)))
    return t.nothing


def place_of(e: n.Expr, env: Env, ctx: Context) -> Place | None:
    """The place that an expression reads directly; None for any other expression."""
    if isinstance(e, n.Get):
        return e.var, None
    if isinstance(e, n.Read) and isinstance(e.map, n.Get):
        return e.map.var, evaluate(e.key, env, ctx)
    return None


def is_drawn(sight: Sight, game: Game) -> bool:
    """True if a drawing shows a sight's content: the pieces at a place, or how many it draws."""
    item = counted_source(sight.value)
    if item is None:
        shown = [variable_of(source) for source in hidden_sources(sight.value)]
        return bool(shown) and all(var is None or is_variable_drawn(game, var) for var in shown)
    drawn = (layer.attributes["items"] for layer in game.diagram if "items" in layer.attributes)
    return variable_of(item) in {variable_of(source_of(items)) for items in drawn} - {None}


def is_variable_drawn(game: Game, var: n.StateVar) -> bool:
    """True if a layer of the drawing reads a variable, or tests legality, which may read any variable."""
    reads = StateReads()
    read = (reads(e) for layer in game.diagram for e in layer.expressions)
    return any(asks or var in variables for variables, asks in read)


def counted_source(e: n.Expr) -> n.Expr | None:
    """The set, list or bag whose size an expression is; None for any other expression."""
    match e:
        case n.Size(item=item):
            return item
        case n.Sum(source=n.Domain(of=of), body=n.Read(map=bag, key=n.Local(var=key))) if key is e.var:
            return bag if isinstance(bag.type, Bag) and of is bag.type.keys else None
    return None


def source_of(items: n.Expr) -> n.Expr:
    """The bag whose elements are drawn as pieces; any other set or list itself."""
    match items:
        case n.Fold(body=n.Concat(b=n.Collect(body=n.If(cond=n.AtMost(b=n.Read(map=bag)))))):
            return bag if isinstance(bag.type, Bag) else items
    return items


def variable_of(e: n.Expr) -> n.StateVar | None:
    """The variable that an expression reads directly, or at a key."""
    inner = e.map if isinstance(e, n.Read) else e
    return inner.var if isinstance(inner, n.Get) else None


def hidden_sources(e: n.Expr) -> list[n.Expr]:
    """The hidden places whose content a sight shows, wholly or within another set."""
    sides = (e.a, e.b) if isinstance(e, n.Intersection) else (e,)
    return [side for side in sides if (var := variable_of(side)) is not None and var.hidden]


def _reveal(source: n.Expr, shown: n.Expr, env: Env, ctx: Context, known: dict[str, Value]) -> None:
    """Add the values that a sight shows of a place to the known values."""
    place = place_of(source, env, ctx)
    if place is None:
        return
    (var, key), value = place, evaluate(shown, env, ctx)
    now = known[var.name]
    if isinstance(source, n.Get):
        known[var.name] = now | value if isinstance(now, frozenset) else value
    elif isinstance(var.type, Map) and key in var.type.keys:
        at = var.type.keys.index[key]
        there = now[at] | value if isinstance(now[at], frozenset) else value
        known[var.name] = (*now[:at], there, *now[at + 1 :])


_WORD = re.compile(r"[a-z]+")
SHORTEST_VERB = 3
"""A shorter verb is not looked for among the words of rules."""
MOST_FORMS = 20
"""Maximum number of forms of actions in a message."""


def forms(game: Game) -> dict[str, str]:
    """The notation of each action, with its choices in braces."""
    return {action.id: _form(action.written) for action in game.actions.values()}


def _form(written: tuple[str | n.Expr, ...]) -> str:
    """The notation of an action with the names of its choices in braces."""
    parts = (
        part if isinstance(part, str) else f"{{{part.var.name}}}" if isinstance(part, n.Local) else "{…}"
        for part in written
    )
    return " ".join("".join(parts).split())


def advice(text: str, game: Game, legal: Iterable[str]) -> str:
    """The message for a text that denotes no action: similar actions, or forms of its verb or of any."""
    verb = (text.lower().split() or [""])[0]
    forms = _forms_of(verb, game) if len(verb) >= SHORTEST_VERB else []
    near = close_to(text, legal, 3, cutoff=0.5)
    if forms:
        near = [found for found in near if found.lower().split()[0] == verb]
    if near:
        return "no such action; did you mean " + " or ".join(f"`{found}`" for found in near) + "?"
    if forms:
        return f"no such action; `{verb}` is written {' or '.join(f'`{form}`' for form in forms)}"
    some = [f"`{_form(action.written)}`" for action in islice(game.actions.values(), MOST_FORMS)]
    more = f" and {len(game.actions) - MOST_FORMS} more" if len(game.actions) > MOST_FORMS else ""
    return f"no such action; actions are written {', '.join(some)}{more}"


def _forms_of(verb: str, game: Game) -> list[str]:
    """The forms of actions that begin with a verb, or have it in their heading or prose."""
    headings = {rule.id: rule.heading for rule in game.rules}
    found: tuple[list[str], list[str], list[str]] = [], [], []
    for action in game.actions.values():
        form = _form(action.written)
        texts = (form, headings.get(action.id, ""), action.prose)
        first, *told = (_WORD.findall(text.lower()) for text in texts)
        fits = (first[:1] == [verb], *(any(word.startswith(verb) for word in words) for words in told))
        for listed, fit in zip(found, fits, strict=True):
            if fit:
                listed.append(form)
    return [*dict.fromkeys(next((listed for listed in found if listed), []))]


def outcome(item: Any) -> str:
    """A chance outcome in notation, from a notation, a number or a list of notations."""
    if isinstance(item, list | tuple):
        return "[" + ", ".join(str(inner) for inner in item) + "]"
    return str(item)


drawer: Callable[[Game, Mapping[str, Value]], str] | None = None
"""Draws positions. The package sets it, because this folder does not know the book."""


def svg(game: Game, values: Mapping[str, Value]) -> str | None:
    """A drawing of a position; None for a game without a diagram, or without a drawer."""
    return drawer(game, values) if drawer is not None and game.diagram else None


def game_html(game: Game) -> str:
    """A game for a notebook."""
    return f"<p><b>{escape(game.title)}</b></p><p>{escape(game.summary)}</p>"
