"""Scenes: the marks of a picture with every attribute evaluated, as plain data.

A scene stands between the layers of a ruleset, which are expressions, and a drawing of it. It has a plain
form (`to_data`) that any other drawer can read: docs/reference/diagrams.md gives its shape. Places are in
units of one square: `x` grows to the right, `y` downwards, both of a mark's centre.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, fields, replace
from typing import Any

PIECES = ("stack", "disc", "pyramid", "card", "tile", "die")
"""Marks that stand on a board; an arrow ends before one."""


@dataclass(frozen=True, slots=True)
class Part:
    """A field of a piece that is a record: its notation, and its value if that is a number."""

    label: str
    number: int | None = None


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of a stack or a hand.

    An empty label means a piece with only its back visible. A playing card has a suit and a rank. `number` is
    the value if it is a number, `sides` the number of values of its type.
    """

    label: str
    tone: int = 0
    number: int | None = None
    sides: int = 0
    parts: tuple[Part, ...] = ()
    suit: str = ""
    rank: str = ""


@dataclass(frozen=True, slots=True)
class Mark:
    """One mark with every attribute evaluated.

    `number` is the label's value if that is a number, `sides` the number of values of its type; `suit` and
    `rank` are those of a playing card. `name` is the notation of the value of the layer's only binder, such
    as a square. `option` counts the actions of the picture from 1 and is 0 for marks of the position itself;
    marks of an illegal action are `refused`. An arrow leads through the places `via` and ends before a piece
    if there is one (`taken`). A `fixed` mark is the same in all positions, a `new` one was not in the
    position before.
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
    sides: int = 0
    suit: str = ""
    rank: str = ""
    size: float = 1.0
    joins: str | None = None
    to: tuple[float, float] | None = None
    via: tuple[tuple[float, float], ...] = ()
    items: tuple[Piece, ...] = ()
    looks: frozenset[str] = frozenset()
    text: str = ""
    name: str = ""
    option: int = 0
    refused: bool = False
    taken: bool = False
    fixed: bool = False
    new: bool = False

    @property
    def full_label(self) -> str:
        """The text of a label: its words and its value."""
        return " ".join(filter(None, (self.text, self.label)))


@dataclass(frozen=True)
class Scene:
    """All marks of a picture, from lowest to highest, and the title of the game.

    If it is `numbered`, the actions that it shows carry their numbers.
    """

    title: str
    marks: tuple[Mark, ...]
    numbered: bool = False

    @property
    def board(self) -> tuple[Mark, ...]:
        """The marks that have a place."""
        return tuple(m for m in self.marks if m.kind != "hand")

    @property
    def hands(self) -> tuple[Mark, ...]:
        """The rows of pieces beside the board."""
        return tuple(m for m in self.marks if m.kind == "hand")

    @property
    def options(self) -> frozenset[int]:
        """The numbers of the actions that have a mark."""
        return frozenset(m.option for m in self.marks if m.option)


def arrange(title: str, marks: Iterable[Mark]) -> Scene:
    """The scene of these marks in drawing order, without refused actions that look like legal ones."""
    listed = list(marks)
    legal = {replace(m, option=0) for m in listed if m.option and not m.refused}
    barred = {m: replace(m, option=0, refused=False) in legal for m in listed if m.refused}
    seen = {m.option for m in barred} - {m.option for m, is_seen in barred.items() if not is_seen}
    listed = [m for m in listed if m.option not in seen]
    pieces = {(m.x, m.y) for m in listed if m.kind in PIECES and not m.option}
    listed = [replace(m, taken=True) if m.kind == "arrow" and m.to in pieces else m for m in listed]
    listed.sort(key=lambda m: (m.level, m.layer, m.y))
    found = Scene(title, tuple(listed))
    return replace(found, numbered=len(found.options) > 1)


def with_news(scene: Scene, before: Scene) -> Scene:
    """The scene, in which marks missing from the previous scene are marked as new.

    If all remaining marks of a layer have changed their depth (level, shade, corner), as when the ground
    level changes, only added marks are new.
    """
    known = frozenset(before.marks)
    shapes = frozenset(map(_flat, before.marks))
    still = {m.layer for m in scene.marks if m in known and not m.option}
    sunk = Counter(m.layer for m in scene.marks if m not in known and _flat(m) in shapes)
    seen_anew = {layer for layer, number in sunk.items() if number > 1 and layer not in still}

    def is_new(mark: Mark) -> bool:
        return mark not in known and not (mark.layer in seen_anew and _flat(mark) in shapes)

    return replace(scene, marks=tuple(replace(m, new=True) if is_new(m) else m for m in scene.marks))


def _flat(mark: Mark) -> Mark:
    """A mark without its depth."""
    return replace(mark, level=0, shade=0, corner="")


def to_data(scene: Scene) -> dict[str, Any]:
    """The scene as plain data: `title`, `numbered`, and the non-default attributes of `marks`."""
    return {"title": scene.title, "numbered": scene.numbered, "marks": [*map(_plain, scene.marks)]}


def _plain(thing: Mark | Piece | Part) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for slot in fields(thing):
        value = getattr(thing, slot.name)
        if value != slot.default:
            found[slot.name] = _value(value)
    return found


def _value(value: Any) -> Any:
    if isinstance(value, frozenset):
        return sorted(value)
    if isinstance(value, tuple):
        return [_plain(v) if isinstance(v, Piece | Part) else _value(v) for v in value]
    return value
