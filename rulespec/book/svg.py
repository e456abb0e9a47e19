"""A scene as SVG: sizes in pixels, a unit of the board being UNIT of them, colours by classes.

Marks with a `level` stand above the ground: each level lifts its marks and gives them a front side,
and what a higher mark covers is repeated small in its corner, so that a pile reads from above.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from html import escape
from itertools import groupby, pairwise

from . import grounds, pieces, signs
from .canvas import UNIT, Box, Canvas, centre, fitted, num, toned, words
from .hands import draw_hands
from .lines import arrow, course, line, number_place, wall
from .options import is_hollow, ranks
from .regions import Cell, regions
from .scene import Mark, Scene
from .symbols import definitions, used
from .tiles import box_of, cell, slim, tile

MARGIN = 6
CAPTION = 2.8 * UNIT
"""The room that the text of a label is fitted to."""

GROUND = "gg"
"""The class of the group that is the same in all positions."""


def drawn(scene: Scene) -> Canvas:
    """The scene on a canvas."""
    canvas = Canvas()
    fixed = 0
    board = scene.board
    while fixed < len(board) and board[fixed].fixed and not board[fixed].new:
        fixed += 1
    edge = grounds.rim(board)
    squares = [m for m in board if m.kind == "square" and grounds.is_plain(m)]
    still = all(m.fixed and not m.new for m in squares)
    ground, covered = Canvas(), _covered(scene)
    if still and edge:
        ground.parts.append(edge)
    _draw_marks(ground, board[:fixed], covered, {})
    if any(ground.parts):
        canvas.parts.append(f'<g class="{GROUND}">{"".join(ground.parts)}</g>')
    if not ground.empty:
        canvas.reach(ground.box)
    if edge and not still:
        canvas.parts.append(edge)
    _draw_marks(canvas, board[fixed:], covered, ranks(scene))
    signs.draw_callouts(canvas, scene)
    _numbers(canvas, scene)
    signs.key(canvas, scene)
    draw_hands(canvas, scene.hands)
    return canvas


def document(canvas: Canvas, title: str, style: str, summary: str, box: Box | None = None) -> str:
    """A canvas as a whole drawing, showing at least this box of it.

    `style` is a style sheet that the drawing carries with it, perhaps none; `summary` describes it in words.
    """
    view = _view(box or canvas.box)
    width, height = view.split()[2:]
    if style:
        named = ""
        inside = f"<title>{escape(title)}</title><desc>{escape(summary)}</desc><style>{style}</style>"
    else:  # in a page: a title would pop up under the pointer, and a search of the page would find the words
        said = f"{title}: {summary}" if summary else title
        named, inside = f' aria-label="{escape(said)}"', ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="rs-diagram" role="img"{named} '
        f'viewBox="{view}" width="{width}" height="{height}">'
        f"{inside}{definitions(used(canvas.parts))}{''.join(canvas.parts)}</svg>"
    )


def _view(box: Box) -> str:
    """The `viewBox` that shows a box with a margin."""
    left, top, right, bottom = box
    x, y = left - MARGIN, top - MARGIN
    return " ".join(map(num, (x, y, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN)))


def with_own_view(drawing: str, canvas: Canvas) -> str:
    """A whole drawing of a canvas that notes the view without the room that others need, for `own_views`."""
    own = "" if canvas.empty else _view(canvas.box)
    tag, end, rest = drawing.partition(">")
    return drawing if not own or f'viewBox="{own}"' in tag else f'{tag} data-own="{own}"{end}{rest}'


_ROOM = re.compile(r' viewBox="[^"]*" width="[^"]*" height="[^"]*" data-own="(\S+ \S+ (\S+) ([^"]+))"')


def own_views(html: str) -> str:
    """The HTML with drawings that show no more than what is drawn, without the room that others need."""
    return _ROOM.sub(r' viewBox="\1" width="\2" height="\3"', html)


def _draw_marks(
    canvas: Canvas, marks: Iterable[Mark], covered: Mapping[Mark, tuple[str, ...]], narrow: Mapping[int, int]
) -> None:
    for group in _groups(marks):
        part = Canvas()
        first = group[0]
        rank = narrow.get(first.option) if is_hollow(first) else None
        if rank is not None:
            slim(part, *(grounds.reach(first) if first.kind == "square" else box_of(group)), rank)
        elif first.kind == "tile":
            tile(part, group, covered)
        elif first.kind == "line":
            line(part, group)
        elif grounds.is_plain(first):
            grounds.joined(part, group)
        else:
            DRAWERS[first.kind](part, first, covered.get(first, ()))
        if first.refused and is_hollow(first):
            left, top, width, _ = grounds.reach(first) if first.kind == "square" else box_of(group)
            signs.refusal(part, left + width - UNIT * 0.2, top + UNIT * 0.2)
        body = "".join(part.parts)
        kinds = ["h"] * ("ghost" in first.looks and rank is None) + ["n"] * any(m.new for m in group)
        canvas.parts.append(f'<g class="{" ".join(kinds)}">{body}</g>' if kinds and body else body)
        canvas.signs += part.signs
        if not part.empty:
            canvas.reach(part.box)


def _groups(marks: Iterable[Mark]) -> Iterable[list[Mark]]:
    """Marks that are drawn as one: those of a tile, in the place of its first, and plain ones in a row."""
    gathered: list[list[Mark]] = []
    open_tiles: dict[tuple[int, int, int], list[Mark]] = {}
    for mark in marks:
        if mark.kind == "tile" and mark.joins is not None:
            key = (mark.layer, mark.level, mark.option)
            if key not in open_tiles:
                open_tiles[key] = []
                gathered.append(open_tiles[key])
            open_tiles[key].append(mark)
        else:
            gathered.append([mark])
    split = [
        [tiles[place] for place in region]
        for group in gathered
        for tiles in [{cell(m): m for m in group}]
        for region in regions({place: m.joins or "" for place, m in tiles.items()})
    ]
    for kind, row in groupby(split, key=_look):
        listed = [*row]
        yield from [[m for group in listed for m in group]] if kind else listed


def _look(group: list[Mark]) -> tuple[object, ...]:
    """Equal for marks that may be drawn in one path; empty for all others."""
    mark = group[0]
    if len(group) == 1 and grounds.is_plain(mark):
        return mark.kind, grounds.kind_of(mark), mark.new
    return ("line", mark.tone, mark.new) if mark.kind == "line" else ()


def _covered(scene: Scene) -> dict[Mark, tuple[str, ...]]:
    """For each labelled mark that lies highest at its place: the labels it covers, lowest first."""
    piles: dict[tuple[int, Cell], list[Mark]] = {}
    for mark in scene.board:
        if mark.label and not mark.option:
            piles.setdefault((mark.layer, cell(mark)), []).append(mark)
    return {
        pile[-1]: tuple(m.label for m in pile[:-1])
        for pile in piles.values()
        if any(a.level < b.level for a, b in pairwise(pile))
    }


def _numbers(canvas: Canvas, scene: Scene) -> None:
    """The numbers of the actions shown, if there are several."""
    if not scene.numbered:
        return
    first: dict[int, list[Mark]] = {}
    for mark in scene.board:
        if mark.option:
            first.setdefault(mark.option, []).append(mark)
    spots = signs.Spots()
    for x, y in canvas.signs:
        spots.take(x, y)
    for option in sorted(first):
        x, y = spots.take(*_spot(first[option]))
        signs.badge(canvas, x, y, str(option), "bn br" if first[option][0].refused else "bn")


def _spot(marks: list[Mark]) -> tuple[float, float]:
    """The place of the number of an action: at its arrow, or in the upper left corner of its first mark."""
    mark = marks[0]
    if mark.kind == "arrow":
        points = course(mark)
        if len(points) == 1:
            return points[0][0] + UNIT * 0.34 + 17, points[0][1] - UNIT * 0.34
        return number_place(points)
    left, top, _, _ = (
        grounds.reach(mark) if mark.kind != "tile" else box_of([m for m in marks if m.kind == "tile"])
    )
    return left + UNIT * 0.2, top + UNIT * 0.2


def _label(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    if "plain" in mark.looks:
        return
    x, y = centre(mark)
    text = mark.written
    size = fitted(text, UNIT * 0.4 * mark.size, CAPTION)
    wide, high = 0.58 * size * len(text), size * 1.1
    canvas.add(words(x, y, text, size, toned(mark), CAPTION), x - wide / 2, y - high / 2, wide, high)


def _nothing(canvas: Canvas, mark: Mark, under: tuple[str, ...]) -> None:
    """Callouts are drawn above all else."""


Drawer = Callable[[Canvas, Mark, tuple[str, ...]], None]

DRAWERS: dict[str, Drawer] = {
    "square": grounds.square,
    "hexagon": grounds.hexagon,
    "pit": pieces.pit,
    "card": pieces.card,
    "disc": pieces.disc,
    "pyramid": pieces.pyramid,
    "die": pieces.die,
    "wall": wall,
    "stack": pieces.stack,
    "pips": pieces.pips,
    "label": _label,
    "arrow": arrow,
    "highlight": grounds.highlight,
    "callout": _nothing,
}
"""The drawer of each mark with a place, besides tiles and lines; rows of pieces come after the board."""
