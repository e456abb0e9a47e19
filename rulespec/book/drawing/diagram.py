"""Drawings of positions, from the layers that a ruleset declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from ...core.game import Game
from ...core.types import Value
from ...play.machine import LazySituation
from ...play.position import Move
from ...play.views import Place, known_to, seen_by_all, sizes_known_to
from . import terminal
from .crowding import groups
from .description import describe_scene
from .layers import scene
from .legend import legend, signs
from .marks import problems
from .scene import PIECES, Scene, with_news
from .style import stylesheet
from .svg import document, draw_scene, with_own_view

__all__ = [
    "Picture",
    "Richness",
    "apart",
    "draw",
    "draw_alike",
    "draw_series",
    "legend",
    "problems",
    "signs",
    "text",
    "thumbnail",
    "visible_values",
]  # fmt: skip

Richness: TypeAlias = tuple[bool, int, int]
"""True for a drawing with a board, the number of pieces times that of different ones, and the number of
marks."""


@dataclass(frozen=True)
class Picture:
    """A position to be drawn: its state variables by name, and additions to it.

    Given a position `before`, marks that are new since then stand out. `moves` are legal actions in this
    position, if the ruleset draws any, and `refused` ones are crossed out; several are numbered, in this
    order. `sizes` gives the numbers of pieces at places where the values lack hidden ones: their backs are
    shown. `names` are those of the picture: layers with `in` are drawn only in these.
    """

    values: Mapping[str, Value]
    before: Mapping[str, Value] | None = None
    moves: Sequence[Move] = ()
    refused: Sequence[Move] = ()
    sizes: Mapping[Place, int] | None = None
    names: Sequence[str] = ()
    options: frozenset[int] | None = None
    """The numbers of the shown actions, if not all of them; they are written on it."""


def scene_of(game: Game, picture: Picture) -> Scene:
    """The scene of a picture."""
    now = scene(
        game, picture.values, picture.moves, picture.sizes, picture.refused, picture.names, picture.options
    )
    if picture.options is not None:
        now = replace(now, numbered=True)
    if picture.before is None:
        return now
    return with_news(now, scene(game, picture.before, sizes=picture.sizes, pictures=picture.names))


def draw(
    game: Game,
    values: Mapping[str, Value],
    before: Mapping[str, Value] | None = None,
    alone: bool = True,
    moves: Iterable[Move] = (),
    sizes: Mapping[Place, int] | None = None,
    refused: Iterable[Move] = (),
    names: Sequence[str] = (),
) -> str:
    """The position with these state variables by name, as SVG without script. See `Picture`.

    A drawing that is not `alone` leaves its style sheet to the page (`style.stylesheet()`). A game without a
    diagram gives an empty drawing; layers must pass `problems`.
    """
    picture = Picture(values, before, [*moves], [*refused], sizes, names)
    return draw_series(game, [picture], alone)[0]


MOST_APART = 4
"""Maximum number of pictures into which one is split."""


def apart(game: Game, picture: Picture) -> list[Picture]:
    """The picture, or several with some of its actions each, so that no outlines or ghosts overlap.

    If that takes more than `MOST_APART` pictures, it stays one, in which such outlines are narrower.
    """
    found = groups(scene_of(game, picture), MOST_APART)
    if len(found) < 2:
        return [picture]
    return [replace(picture, options=frozenset(group)) for group in found]


def draw_series(game: Game, pictures: Iterable[Picture], alone: bool = False) -> list[str]:
    """Drawings of the same part of the table, so that nothing jumps from one to the next."""
    return draw_alike([(game, picture) for picture in pictures], alone)


def draw_alike(pictures: Iterable[tuple[Game, Picture]], alone: bool = False) -> list[str]:
    """Drawings as `draw_series` makes them, but each of its own game, such as one game under several
    settings."""
    scenes = [scene_of(game, picture) for game, picture in pictures]
    canvases = [draw_scene(shown) for shown in scenes]
    boxes = [canvas.box for canvas in canvases if canvas.box]
    left, top = min((b[0] for b in boxes), default=0.0), min((b[1] for b in boxes), default=0.0)
    right, bottom = max((b[2] for b in boxes), default=0.0), max((b[3] for b in boxes), default=0.0)
    style = stylesheet() if alone else ""
    box = (left, top, right, bottom)
    return [
        with_own_view(document(canvas, shown.title, style, describe_scene(shown), box), canvas)
        for shown, canvas in zip(scenes, canvases, strict=True)
    ]


def visible_values(
    game: Game, values: Mapping[str, Value], viewer: Value | None = None
) -> tuple[dict[str, Value], dict[Place, int]]:
    """The values and sizes to draw for a player, or for an onlooker, who sees only what all players see."""
    context = LazySituation(game, {variable: values[name] for name, variable in game.state.items()})
    if viewer is None:
        return seen_by_all(game, context)
    return known_to(game, context, viewer), sizes_known_to(game, context, viewer)


def thumbnail(game: Game, values: Mapping[str, Value]) -> tuple[str, Richness]:
    """The board without coordinates and surroundings, for use inside a page, and the richness of the drawing.

    For a game that has only hands, these are drawn.
    """
    whole = scene(game, values)
    board = tuple(m for m in whole.board if not (m.kind == "label" and m.fixed))
    shown = replace(whole, marks=board or whole.marks)
    pieces = [(mark.tone, mark.label) for mark in shown.marks if mark.kind in PIECES]
    pieces += [(piece.tone, piece.label) for mark in shown.marks for piece in mark.items]
    picture = document(draw_scene(shown), shown.title, "", "")
    return picture, (bool(board), len(set(pieces)) * len(pieces), len(shown.marks))


def text(
    game: Game,
    values: Mapping[str, Value],
    colour: bool = False,
    names: bool = False,
    sizes: Mapping[Place, int] | None = None,
) -> str:
    """A picture in characters, one line for each row of the board.

    With `colour` there are ANSI codes, with `names` free squares show theirs. `sizes` is as for `Picture`.
    """
    return terminal.text(scene(game, values, sizes=sizes), colour, names)
