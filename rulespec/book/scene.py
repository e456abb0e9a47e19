"""From a position to the marks of its picture, before anybody decides how a mark looks.

Places are in units of one square: `x` grows to the right, `y` downwards, both of a mark's centre.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from ..core.context import Context, Env
from ..core.evaluate import elements, evaluate
from ..core.game import Game, Layer
from ..core.meter import Meter
from ..core.nodes import Expr, Var
from ..core.notation import write
from ..core.types import NONE, Enum, Int, List, Record, Scalar, Truth, Type, Value, scalar_of
from ..language.work import MOST_WORK
from ..play.position import Move
from ..play.views import Place, place_of
from .marks import looks
from .style import NAMED, TONES

ROW_HEIGHT = 0.75 * 2 / 3**0.5
"""Distance between two rows of hexagons that are one unit wide."""


DRAWN = 1_000
"""The steps of drawing one mark or piece, so that a picture has some 40,000 of them at most."""

PIECES = ("stack", "disc", "card", "tile")
"""Marks that an arrow does not run into."""


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a stack or a hand: its notation, a tone, and its fields where it is a record of such."""

    label: str
    tone: int = 0
    parts: tuple[tuple[str, int | None], ...] = ()


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark with every attribute worked out.

    `number` is the label's value where that is a number, `name` the notation of what the layer's binder
    stands for: which square this is, say; empty where there are several binders. Of an arrow, `via` are the
    places through which it leads, `taken` says that something lies where it leads to, and `refused` that it
    is of an action that is not legal.
    """

    kind: str
    layer: int
    x: float = 0.0
    y: float = 0.0
    level: int = 0
    shade: int = 0
    tone: int = 0
    label: str = ""
    corner: str = ""
    number: int | None = None
    size: float = 1.0
    joins: str | None = None
    to: tuple[float, float] | None = None
    via: tuple[tuple[float, float], ...] = ()
    taken: bool = False
    refused: bool = False
    items: tuple[Piece, ...] = ()
    looks: frozenset[str] = frozenset()
    text: str = ""
    name: str = ""


@dataclass(frozen=True)
class Scene:
    """All marks of a picture, from the lowest to the highest, and what it is a picture of."""

    title: str
    marks: tuple[Mark, ...]

    @property
    def board(self) -> tuple[Mark, ...]:
        """The marks that have a place."""
        return tuple(m for m in self.marks if m.kind != "hand")

    @property
    def hands(self) -> tuple[Mark, ...]:
        """The rows of pieces beside the board."""
        return tuple(m for m in self.marks if m.kind == "hand")


def scene(
    game: Game,
    values: Mapping[str, Value],
    moves: Iterable[Move] = (),
    sizes: Mapping[Place, int] | None = None,
    refused: Iterable[Move] = (),
) -> Scene:
    """The marks of a position, given its state variables by name, and of actions in it, legal or `refused`.

    Marks without a place are left out, and so are those of refused actions which a legal one has as well.
    Where less is known to lie than `sizes` says, the rest are backs. Raises Exhausted past `MOST_WORK` steps.
    """
    meter = Meter(MOST_WORK)
    meter.question = f"a picture of `{game.id}`"
    context = Context({variable: values[name] for name, variable in game.state.items()}, meter=meter)
    hexagonal = any(layer.mark == "hexagon" for layer in game.diagram)
    shown: dict[str, list[tuple[Env, bool]]] = {"": [({}, False)]}
    for move, barred in [*((move, False) for move in moves), *((move, True) for move in refused)]:
        choices = game.actions[move.action].choices
        env = dict(zip((choice.var for choice in choices), move.args, strict=True))
        shown.setdefault(move.action, []).append((env, barred))
    marks = [
        replace(mark, refused=barred)
        for number, layer in enumerate(game.diagram)
        for env, barred in shown.get(layer.action, ())
        for mark in _marks(layer, number, env, context, hexagonal, sizes or {})
    ]
    legal = {m for m in marks if not m.refused}
    marks = [m for m in marks if not m.refused or replace(m, refused=False) not in legal]
    pieces = {(m.x, m.y) for m in marks if m.kind in PIECES and "outline" not in m.looks}
    marks = [replace(m, taken=True) if m.kind == "arrow" and m.to in pieces else m for m in marks]
    marks.sort(key=lambda m: (m.level, m.layer, m.y))
    return Scene(game.title, tuple(marks))


def _marks(
    layer: Layer, number: int, outer: Env, context: Context, hexagonal: bool, sizes: Mapping[Place, int]
) -> Iterator[Mark]:
    words = looks(layer)
    across = 0.5 if hexagonal or "halves" in words else 1.0
    up = ROW_HEIGHT if hexagonal else across
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
        items = _pieces(found, own_tones=layer.mark == "stack" or "discs" in words)
        if "items" in layer.attributes and (place := place_of(layer.attributes["items"], env, context)):
            items += (Piece(""),) * (sizes.get(place, 0) - len(items))
        yield Mark(
            layer.mark, number, x, y, looks=words, text=_caption(layer, env, context),
            to=_place(found, "to-across", "to-up", across, up), via=_course(found, across, up), items=items,
            name=_name(layer, env), **_said(found),
        )  # fmt: skip


def _name(layer: Layer, env: Env) -> str:
    """What a mark stands for; a combination of several things has no name."""
    return write(layer.binders[0][0].type, env[layer.binders[0][0]]) if len(layer.binders) == 1 else ""


def _caption(layer: Layer, env: Env, context: Context) -> str:
    parts = (p if isinstance(p, str) else _shown(p.type, evaluate(p, env, context)) for p in layer.text)
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
    """The places through which an arrow leads."""
    columns, rows = found.get("via-across", (None, ()))[1], found.get("via-up", (None, ()))[1]
    return tuple((column * across, -row * up) for column, row in zip(columns, rows, strict=False))


def _said(found: Found) -> dict[str, Any]:
    """What the attributes say beside the place: level, tone, label and its number, size, joins."""
    kind, shown = found.get("count") or found.get("label") or (NONE, None)
    size = found.get("size", (None, None))[1]
    joins, joined = found.get("joins", (None, None))
    return {
        "level": found.get("level", (None, 0))[1] or 0,
        "shade": found.get("shade", (None, 0))[1] or 0,
        "tone": tone(*found["tone"]) if "tone" in found else 0,
        "label": _shown(kind, shown),
        "corner": _shown(*found.get("corner", (NONE, None))),
        "number": _number(kind, shown),
        "size": 1.0 if size is None else size / 100,
        "joins": None if joins is None or joined is None else write(joins, joined),
    }


def _shown(kind: Type, value: Value) -> str:
    """A value in the notation of its type; nothing for none."""
    return "" if value is None else write(kind, value)


def _number(kind: Type, value: Value) -> int | None:
    plain = scalar_of(kind)
    return value if isinstance(plain, Int) and not plain.letters and value is not None else None


def tone(kind: Type, value: Value) -> int:
    """The tone a value asks for: 0 for none; for a number itself, for yes 1, else its position from 1.

    Members of an enumeration that are all called by words for colours have these colours.
    """
    plain = scalar_of(kind)
    if value is None or plain is None:
        return 0
    if isinstance(plain, Enum) and all(member in NAMED for member in plain.members):
        return NAMED[plain.members[value]]
    number = int(value) if isinstance(plain, Int | Truth) else plain.index[value] + 1
    return (number - 1) % TONES + 1 if number > 0 else 0


def _pieces(found: Found, own_tones: bool) -> tuple[Piece, ...]:
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
    return tuple(Piece(write(of, v), t, _parts(of, v)) for v, t in zip(row, tones, strict=False))


def _parts(of: Scalar, value: Value) -> tuple[tuple[str, int | None], ...]:
    if not isinstance(of, Record):
        return ()
    return tuple((write(kind, v), _number(kind, v)) for (_, kind), v in zip(of.fields, value, strict=True))
