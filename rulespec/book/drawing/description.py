"""A scene in words, for readers who use a screen reader."""

from __future__ import annotations

from collections.abc import Iterator

from .scene import Mark, Piece, Scene
from .signs import callouts, letter

UNREAD = ("arrow", "line", "highlight", "callout", "pit")
"""Marks that mean nothing by themselves."""
BACK = "a back"


def describe_scene(scene: Scene) -> str:
    """Describe the changeable marks on the board with the names of their places, then the rows beside it."""
    places: dict[str, list[str]] = {}
    for mark in scene.board:
        if mark.fixed or mark.option or mark.kind in UNREAD or mark.looks & {"outline", "fine"}:
            continue
        said = _mark_in_words(mark)
        if said and said != mark.name:
            places.setdefault(said, []).append(mark.name)
    parts = [_with_places(said, names) for said, names in places.items()]
    parts += [f"{hand.text}: {_row(hand)}".removeprefix(": ") for hand in scene.hands]
    parts += [f"{letter(i)}: {mark.text}" for i, mark in enumerate(callouts(scene))]
    return "; ".join(parts)


def _with_places(said: str, names: list[str]) -> str:
    """A description of marks with their places; marks on places without names are counted."""
    named = [name for name in names if name]
    if named:
        return f"{said} at {', '.join(named)}"
    return said if len(names) == 1 else f"{len(names)} times {said}"


def _mark_in_words(mark: Mark) -> str:
    """A mark in words, for readers who do not see the picture."""
    if mark.kind == "stack":
        return " ".join(piece.label or BACK for piece in mark.items)
    if mark.kind == "card":
        return mark.label or BACK
    if mark.kind == "label":
        return "" if "plain" in mark.looks else mark.full_label
    if mark.kind in ("disc", "pyramid") and not mark.label:
        return "a piece"
    return mark.label


def _row(hand: Mark) -> str:
    """The pieces of a row, with its backs counted."""
    return ", ".join(_count_equal_items(hand.items)) or "none"


def _count_equal_items(items: tuple[Piece, ...]) -> Iterator[str]:
    yield from (piece.label for piece in items if piece.label)
    backs = sum(not piece.label for piece in items)
    if backs:
        yield BACK if backs == 1 else f"{backs} backs"
