"""Actions in one picture: which of them overlap, and how they are kept apart.

Each loop is over the marks of a scene and the places that they reach, so that many actions cost no more than
their marks.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from .grouping import Cell
from .scene import Mark, Scene
from .table import SIZES, TABLE

NARROWEST: int = SIZES["NARROWEST"]


def between(mark: Mark) -> Iterable[Cell]:
    """The places between the two ends of a mark, one unit apart."""
    to_x, to_y = mark.to or (mark.x, mark.y)
    for i in range(int(abs(to_x - mark.x)) + 1):
        for j in range(int(abs(to_y - mark.y)) + 1):
            yield min(mark.x, to_x) + i, min(mark.y, to_y) + j


def _by_option(scene: Scene) -> dict[int, list[Mark]]:
    """The outlines and ghosts of each option, in the order of the options."""
    found: dict[int, list[Mark]] = {}
    for mark in sorted(filter(TABLE.functions["is_hollow"], scene.board), key=lambda m: m.option):
        found.setdefault(mark.option, []).append(mark)
    return found


def _places(marks: Iterable[Mark]) -> dict[Cell, None]:
    return dict.fromkeys(place for mark in marks for place in between(mark))


def _look(marks: Iterable[Mark]) -> frozenset[Mark]:
    """A key, equal for options that look alike."""
    return frozenset(replace(mark, option=0) for mark in marks)


def narrowing(scene: Scene) -> dict[int, int]:
    """For each option whose outlines or ghosts must be drawn without faces, how far they are narrowed.

    Those options share places with others. Of several that look alike the first one keeps its faces.
    """
    options = _by_option(scene)
    highest: dict[Cell, int] = {}
    looks: dict[Cell, set[frozenset[Mark]]] = {}
    found: dict[int, int] = {}
    for option, marks in options.items():
        places, look = _places(marks), _look(marks)
        found[option] = max(highest.get(place, -1) for place in places) + 1
        for place in places:
            highest[place] = found[option]
            looks.setdefault(place, set()).add(look)
    crowded = {place for place, several in looks.items() if len(several) > 1}
    return {
        option: min(rank, NARROWEST)
        for option, rank in found.items()
        if rank or any(place in crowded for place in _places(options[option]))
    }


def groups(scene: Scene, most: int) -> list[set[int]]:
    """Groups of options in which no outline or ghost overlaps one that looks different.

    Each option joins the first group with room. Empty if that takes more than `most` groups.
    """
    options = _by_option(scene)
    found: list[set[int]] = [{option for option in scene.options if option not in options}]
    taken: list[dict[Cell, frozenset[Mark]]] = [{}]
    for option, marks in options.items():
        places, look = _places(marks), _look(marks)
        free = (i for i, there in enumerate(taken) if all(there.get(p, look) == look for p in places))
        at = next(free, len(taken))
        if at == most:
            return []
        if at == len(taken):
            taken.append({})
            found.append(set())
        found[at].add(option)
        taken[at].update(dict.fromkeys(places, look))
    return found
