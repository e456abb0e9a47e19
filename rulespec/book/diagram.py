"""Drawings of positions, from the layers that a ruleset declares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TypeAlias

from ..core.game import Game
from ..core.types import Value
from ..play.position import Move
from ..play.views import Place
from . import terminal
from .marks import problems
from .scene import PIECES, scene
from .style import stylesheet
from .svg import svg

__all__ = ["Richness", "draw", "problems", "text", "thumbnail"]

Richness: TypeAlias = tuple[int, int]
"""How many pieces a drawing has, times how many different ones, and how many marks."""


def draw(
    game: Game,
    values: Mapping[str, Value],
    before: Mapping[str, Value] | None = None,
    alone: bool = True,
    moves: Iterable[Move] = (),
    sizes: Mapping[Place, int] | None = None,
    refused: Iterable[Move] = (),
) -> str:
    """The position with these state variables by name, as SVG without script.

    Given a position `before`, what is new since then stands out; `moves` are actions in this position that
    are to be seen, as far as the ruleset draws any, and those `refused` are crossed out. `sizes` says how
    many pieces lie where the values have fewer because they are hidden: their backs are shown. A drawing
    that is not `alone` leaves its style sheet to the page (`style.stylesheet()`). A game without a diagram
    gives an empty drawing; layers that `problems` complains of are the caller's error.
    """
    now = scene(game, values, moves, sizes, refused)
    known = now if before is None else scene(game, before, sizes=sizes)
    changed = frozenset(now.marks) - frozenset(known.marks)
    summary = " / ".join(terminal.text(now).splitlines())
    return svg(now, stylesheet() if alone else "", summary, changed)


def thumbnail(game: Game, values: Mapping[str, Value]) -> tuple[str, Richness]:
    """The board without what lies beside it, inside a page, and how much there is to see on it.

    A game that has nothing but hands shows these.
    """
    whole = scene(game, values)
    shown = replace(whole, marks=whole.board or whole.marks)
    pieces = [(mark.tone, mark.label) for mark in shown.marks if mark.kind in PIECES]
    pieces += [(piece.tone, piece.label) for mark in shown.marks for piece in mark.items]
    return svg(shown, "", ""), (len(set(pieces)) * len(pieces), len(shown.marks))


def text(
    game: Game,
    values: Mapping[str, Value],
    colour: bool = False,
    names: bool = False,
    sizes: Mapping[Place, int] | None = None,
) -> str:
    """The same layers in characters, one line for each row of the board.

    With `colour` there are ANSI codes, with `names` free squares say which they are. `sizes` is as for
    `draw`.
    """
    return terminal.text(scene(game, values, sizes=sizes), colour, names)
