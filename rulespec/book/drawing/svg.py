"""A scene as SVG: sizes in pixels, a unit of the board being UNIT of them, colours by classes.

Marks with a `level` stand above the ground: each level lifts its marks and gives them a front side, and marks
covered by a higher one are repeated small in its corner, so that a pile can be read from above.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from html import escape

from . import signs
from .canvas import Canvas
from .crowding import narrowing
from .grouping import edge, groups, is_ground, with_corners
from .primitives import number
from .rows import add_rows
from .scene import Mark, Scene
from .symbols import definitions, used_symbols
from .table import SIZES, TABLE, Shapes, draw

MARGIN: int = SIZES["MARGIN"]
Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

GROUND = "gg"
"""The class of the group that is the same in all positions."""


def draw_scene(scene: Scene) -> Canvas:
    """The canvas on which a scene is drawn."""
    canvas, ground = Canvas(), Canvas()
    board = with_corners(scene.board)
    fixed = next((i for i, mark in enumerate(board) if not _is_still(mark)), len(board))
    rim = edge(board)
    below = ground if all(map(_is_still, filter(is_ground, board))) else canvas
    ground.add(rim if below is ground else "", None)
    _add_marks(ground, board[:fixed], {})
    if any(ground.parts):
        canvas.add(f'<g class="{GROUND}">{"".join(ground.parts)}</g>', None)
    canvas.reach(ground.box)
    canvas.add(rim if below is canvas else "", None)
    _add_marks(canvas, board[fixed:], narrowing(scene))
    signs.add_callouts(canvas, scene)
    if scene.numbered:
        signs.add_numbers(canvas, board)
    signs.add_key(canvas, scene)
    add_rows(canvas, scene.hands)
    return canvas


def _is_still(mark: Mark) -> bool:
    return mark.fixed and not mark.new


def _add_marks(canvas: Canvas, marks: Iterable[Mark], narrow: Mapping[int, int]) -> None:
    """Add marks in order; those of actions in `narrow` as outlines, narrowed by that many steps."""
    for group in groups(marks):
        part, first = Canvas(), group[0]
        is_hollow = TABLE.functions["is_hollow"](first)
        rank = narrow.get(first.option) if is_hollow else None
        if rank is None:
            shapes = [Shapes(mark, group) for mark in group]
            part.add(shapes[0].elements("once"), None)
            for shape in shapes:
                part.add(shape.elements("shapes"), shape.part("box"))
            if sign := shapes[0].part("sign"):
                signs.add_refusal(part, *sign)
        else:
            box = signs.reach(group)
            part.add(draw("narrow", *box, rank), box)
        if first.refused and is_hollow:
            left, top, width, _ = signs.reach(group)
            signs.add_refusal(part, left + width - signs.CORNER, top + signs.CORNER)
        body = "".join(part.parts)
        kinds = ["h"] * ("ghost" in first.looks and rank is None) + ["n"] * any(m.new for m in group)
        canvas.add(f'<g class="{" ".join(kinds)}">{body}</g>' if kinds and body else body, None)
        canvas.signs += part.signs
        canvas.reach(part.box)


def document(canvas: Canvas, title: str, style: str, summary: str, box: Box | None = None) -> str:
    """A canvas as a complete drawing that shows at least this box of it.

    `style` is an optional style sheet inside the drawing; `summary` describes it in words.
    """
    view = _view(box or canvas.box or (0.0, 0.0, 0.0, 0.0))
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
        f"{inside}{definitions(used_symbols(canvas.parts))}{''.join(canvas.parts)}</svg>"
    )


def _view(box: Box) -> str:
    """The `viewBox` that shows a box with a margin."""
    left, top, right, bottom = box
    x, y = left - MARGIN, top - MARGIN
    return " ".join(map(number, (x, y, right - left + 2 * MARGIN, bottom - top + 2 * MARGIN)))


def with_own_view(drawing: str, canvas: Canvas) -> str:
    """A complete drawing of a canvas that records its own view, for `own_views`."""
    own = _view(canvas.box) if canvas.box else ""
    tag, end, rest = drawing.partition(">")
    return drawing if not own or f'viewBox="{own}"' in tag else f'{tag} data-own="{own}"{end}{rest}'


_ROOM = re.compile(r' viewBox="[^"]*" width="[^"]*" height="[^"]*" data-own="(\S+ \S+ (\S+) ([^"]+))"')


def own_views(html: str) -> str:
    """The HTML with each drawing reduced to its own view."""
    return _ROOM.sub(r' viewBox="\1" width="\2" height="\3"', html)
