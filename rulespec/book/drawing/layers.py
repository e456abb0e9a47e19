"""From the layers of a ruleset and a position to a scene: expressions are evaluated, nothing is drawn."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from math import sqrt
from typing import Any
from weakref import WeakKeyDictionary

from ...core.context import Context, Env
from ...core.evaluate import elements, evaluate
from ...core.game import Game, Layer
from ...core.meter import Meter
from ...core.nodes import Expr, Var
from ...core.notation import PRINTED, write
from ...core.traversal import reads_state
from ...core.types import NONE, Enum, Int, List, Record, Scalar, Truth, Type, Value, scalar_of
from ...language.work_limit import MOST_WORK
from ...play.machine import LazySituation
from ...play.position import Move
from ...play.views import Place, place_of, source_of
from .marks import looks
from .scene import Mark, Part, Piece, Scene, arrange
from .style import NAMED, TONES

ROW_HEIGHT = 1.5 / sqrt(3)
"""Distance between two rows of hexagons that are one unit wide."""
SCALES = {"halves": 0.5, "quarters": 0.25, "tenths": 0.1}
"""The fraction of a square that a place counts, by the word for it."""

DRAWN = 1_000
"""The steps of drawing one mark or piece, which limits a picture to some 40,000 of them."""

SUITS = {
    "c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades", "♣": "clubs", "♦": "diamonds", "♥": "hearts",
    "♠": "spades", "clubs": "clubs", "diamonds": "diamonds", "hearts": "hearts", "spades": "spades",
}  # fmt: skip
"""Suits by the words and letters that denote them."""


def scene(
    game: Game,
    values: Mapping[str, Value],
    moves: Iterable[Move] = (),
    sizes: Mapping[Place, int] | None = None,
    refused: Iterable[Move] = (),
    pictures: Iterable[str] = (),
    options: Container[int] | None = None,
) -> Scene:
    """The scene of a position, given by its variables, and of actions in it, legal or `refused`.

    The actions are counted from 1 in the given order, the refused ones last; with `options` only those
    numbers are shown. Layers restricted to certain pictures are drawn if `pictures` names one of these. If
    `sizes` exceeds the number of known pieces, the rest are backs. Raises StepLimitExceeded past `MOST_WORK`
    steps.
    """
    meter = Meter(MOST_WORK)
    meter.question = f"a picture of `{game.id}`"
    context = LazySituation(game, {variable: values[name] for name, variable in game.state.items()}, meter)
    shown: dict[str, list[tuple[Env, Mapping[str, Any]]]] = {"": [({}, {})]}
    barred = [*((move, False) for move in moves), *((move, True) for move in refused)]
    for number, (move, is_refused) in enumerate(barred, 1):
        if options is not None and number not in options:
            continue
        choices = game.actions[move.action].choices
        env = dict(zip((choice.var for choice in choices), move.args, strict=True))
        shown.setdefault(move.action, []).append((env, {"option": number, "refused": is_refused}))
    called = frozenset(pictures)
    return arrange(
        game.title,
        (
            replace(mark, **said) if said else mark
            for number, layer in enumerate(game.diagram)
            if not layer.pictures or called.intersection(layer.pictures)
            for env, said in shown.get(layer.action, ())
            for mark in _of_layer(game, layer, number, env, context, sizes or {})
        ),
    )


def units(game: Game, layer: Layer) -> tuple[float, float]:
    """The horizontal and vertical distance between places whose coordinates differ by one."""
    words = looks(layer)
    part = next((scale for word, scale in SCALES.items() if word in words), 1.0)
    hexagonal = any(layer.mark == "hexagon" for layer in game.diagram)
    return (0.5 * part, ROW_HEIGHT * part) if hexagonal else (part, part)


def has_own_tones(layer: Layer) -> bool:
    """True if pieces of a layer without `tones` have the tones of their values."""
    return layer.mark == "stack" or bool(looks(layer) & {"discs", "pyramids"})


_fixed: WeakKeyDictionary[Game, dict[Layer, tuple[tuple[Mark, ...], int]]] = WeakKeyDictionary()
"""The marks of fixed layers of a game, and the steps that these took."""


def _of_layer(
    game: Game, layer: Layer, number: int, outer: Env, context: Context, sizes: Mapping[Place, int]
) -> Iterable[Mark]:
    """The marks of a layer; cached ones spend the same steps again."""
    if not is_fixed(layer):
        return _marks(game, layer, number, outer, context, sizes)
    known = _fixed.setdefault(game, {})
    if layer in known:
        context.spend(known[layer][1])
    else:
        assert context.meter is not None
        before = context.meter.left
        marks = tuple(_marks(game, layer, number, outer, context, sizes))
        known[layer] = marks, before - context.meter.left
    return known[layer][0]


def _marks(
    game: Game, layer: Layer, number: int, outer: Env, context: Context, sizes: Mapping[Place, int]
) -> Iterator[Mark]:
    """Yield the marks of a layer in a position."""
    words = looks(layer)
    across, up = units(game, layer)
    fixed, own_tones = is_fixed(layer), has_own_tones(layer)
    for env in _bindings(layer.binders, outer, context):
        if layer.where is not None:
            context.spend_on(1, layer.where)
            if not evaluate(layer.where, env, context):
                continue
        context.spend_on(1, *layer.attributes.values())
        context.spend(DRAWN)
        found = {name: (e.type, evaluate(e, env, context)) for name, e in layer.attributes.items()}
        at = _place(found, "across", "up", across, up)
        if at is None and layer.mark != "hand":
            continue
        x, y = at or (0.0, 0.0)
        context.spend(DRAWN * len(found.get("items", (None, ()))[1] or ()))
        items = _pieces(found, own_tones)
        if "items" in layer.attributes:
            place = place_of(source_of(layer.attributes["items"]), env, context)
            items += (Piece(""),) * (sizes.get(place, 0) - len(items) if place else 0)
        yield Mark(
            layer.mark, number, x, y, looks=words.difference(SCALES), text=_caption(layer, env, context),
            to=_place(found, "to-across", "to-up", across, up), via=_course(found, across, up), items=items,
            name=_name(layer, env), fixed=fixed, **_attributes_of(found),
        )  # fmt: skip


@lru_cache(1024)
def is_fixed(layer: Layer) -> bool:
    """True if a layer draws the same in all positions."""
    read = [source for _, source in layer.binders] + [*layer.attributes.values()]
    read += [part for part in layer.text if not isinstance(part, str)]
    read += [] if layer.where is None else [layer.where]
    return not layer.action and not any(map(reads_state, read))


def _name(layer: Layer, env: Env) -> str:
    """The notation of the value of the only binder; empty for combinations of several values."""
    return write(layer.binders[0][0].type, env[layer.binders[0][0]]) if len(layer.binders) == 1 else ""


def _caption(layer: Layer, env: Env, context: Context) -> str:
    parts = (p if isinstance(p, str) else _notation(p.type, evaluate(p, env, context)) for p in layer.text)
    return " ".join("".join(parts).split())


def _bindings(binders: tuple[tuple[Var, Expr], ...], env: Env, context: Context) -> Iterator[Env]:
    if not binders:
        yield env
        return
    (var, source), rest = binders[0], binders[1:]
    for value in elements(source, env, context):
        yield from _bindings(rest, {**env, var: value}, context)


Found = Mapping[str, tuple[Type, Value]]


def _place(found: Found, x: str, y: str, across: float, up: float) -> tuple[float, float] | None:
    column, row = found.get(x, (None, None))[1], found.get(y, (None, None))[1]
    return None if column is None or row is None else (column * across, -row * up)


def _course(found: Found, across: float, up: float) -> tuple[tuple[float, float], ...]:
    """The places on the path of an arrow."""
    columns, rows = found.get("via-across", (None, ()))[1], found.get("via-up", (None, ()))[1]
    return tuple((column * across, -row * up) for column, row in zip(columns, rows, strict=False))


def _attributes_of(found: Found) -> dict[str, Any]:
    """The attributes besides the place: level, tone, label and its number, suit and rank, size, joins."""
    kind, shown = found.get("count") or found.get("label") or (NONE, None)
    size = found.get("size", (None, None))[1]
    joins, joined = found.get("joins", (None, None))
    suit, rank = card_of(kind, shown)
    return {
        "level": found.get("level", (None, 0))[1] or 0,
        "shade": found.get("shade", (None, 0))[1] or 0,
        "tone": tone(*found["tone"]) if "tone" in found else 0,
        "label": _notation(kind, shown),
        "corner": _notation(*found.get("corner", (NONE, None))),
        "number": number_of(kind, shown),
        "suit": suit,
        "rank": rank,
        "sides": sides_of(kind),
        "size": 1.0 if size is None else size / 100,
        "joins": None if joins is None or joined is None else write(joins, joined),
    }


def _notation(kind: Type, value: Value) -> str:
    """A value in the notation of its type; empty for none."""
    return "" if value is None else write(kind, value)


def number_of(kind: Type, value: Value) -> int | None:
    """The value if it is a number without letters; None for others."""
    plain = scalar_of(kind)
    return value if isinstance(plain, Int) and not plain.letters and value is not None else None


def sides_of(kind: Type) -> int:
    """The number of numbers in a type; 0 if it has none."""
    plain = scalar_of(kind)
    return len(plain.values) if isinstance(plain, Int) and not plain.letters else 0


def card_of(kind: Type, value: Value) -> tuple[str, str]:
    """The suit and the rank of a playing card: a record of two fields, one of which is a suit."""
    plain = scalar_of(kind)
    if value is None or not isinstance(plain, Record) or len(plain.fields) != 2:
        return "", ""
    said = [write(of, part) for (_, of), part in zip(plain.fields, value, strict=True)]
    for i, (_, of) in enumerate(plain.fields):
        if all(word.lower() in SUITS for word in _words(of)):
            return SUITS[said[i].lower()], PRINTED.get(said[1 - i], said[1 - i])
    return "", ""


def _words(kind: Scalar) -> tuple[str, ...]:
    """The words or letters that denote the values of a type; `-` if these are numerals."""
    plain = scalar_of(kind)
    if isinstance(plain, Enum):
        return plain.members
    return tuple(plain.letters) if isinstance(plain, Int) and plain.letters else ("-",)


def tone(kind: Type, value: Value) -> int:
    """The tone of a value: 0 for none; a number itself, yes 1, else its position from 1.

    Members of an enumeration whose names are all words for colours have these colours.
    """
    plain = scalar_of(kind)
    if value is None or plain is None:
        return 0
    if isinstance(plain, Enum) and all(member in NAMED for member in plain.members):
        return NAMED[plain.members[value]]
    number = int(value) if isinstance(plain, Int | Truth) else plain.index[value] + 1
    return (number - 1) % TONES + 1 if number > 0 else 0


def _pieces(found: Found, own_tones: bool) -> tuple[Piece, ...]:
    """The pieces in a mark, with their tones."""
    if "items" not in found:
        return ()
    kind, items = found["items"]
    of: Scalar | None = getattr(kind, "of", None)
    if of is None:
        return ()
    row = items if isinstance(kind, List) else sorted(items)
    tone_kind, asked = found.get("tones", (None, ()))
    of_tone = getattr(tone_kind, "of", None)
    asked = asked if of_tone is not None else [*row] if own_tones else ()
    tones = [tone(of_tone or of, t) for t in asked]
    tones += [0] * (len(row) - len(tones))
    return tuple(
        Piece(write(of, v), t, number_of(of, v), sides_of(of), parts_of(of, v), *card_of(of, v))
        for v, t in zip(row, tones, strict=False)
    )


def parts_of(of: Scalar, value: Value) -> tuple[Part, ...]:
    """The fields of a record as parts; none for other values."""
    if not isinstance(of, Record):
        return ()
    pairs = zip(of.fields, value, strict=True)
    return tuple(Part(write(kind, v), number_of(kind, v)) for (_, kind), v in pairs)
