"""The reference of diagrams: it names every mark with what it takes, and shows the layers that it draws."""

from __future__ import annotations

import re
from pathlib import Path

import yaml

from rulespec.book.drawing.marks import MARKS, UNITS

DOCS = Path(__file__).parents[2] / "docs"
PAGE = (DOCS / "reference" / "diagrams.md").read_text("utf-8")
ROW = re.compile(r"^\| \[`([a-z]+)`\]\(#\1\) \| (.*) \| (.*) \| (.*) \|$", re.MULTILINE)


def named(cell: str) -> set[str]:
    return set(re.findall(r"`([a-z-]+)`", cell))


def test_the_table_says_what_each_mark_takes() -> None:
    rows = {mark: [*map(named, cells)] for mark, *cells in ROW.findall(PAGE)}
    assert rows == {
        mark: [set(kind.needs), set(kind.takes), set(kind.looks - UNITS)] for mark, kind in MARKS.items()
    }


def test_the_layers_beside_a_drawing_are_those_it_is_drawn_from() -> None:
    layers = yaml.safe_load((DOCS / "games" / "marks.yaml").read_text("utf-8"))["diagram"]
    drawn: dict[str, list[dict[str, str]]] = {}
    for layer in layers:
        shown = layer.pop("where").removeprefix("shown is ").removesuffix("-mark")
        drawn.setdefault(shown, []).append(layer)
    sections = {part.split("\n")[0]: part for part in PAGE.split("\n### ")[1:]}
    assert sections.keys() == MARKS.keys()
    for mark, layers_of_mark in drawn.items():
        section = sections[mark]
        assert f"given: {{shown: {mark}-mark}}" in section
        assert yaml.safe_load(section.split("```yaml\n")[1].split("```")[0]) == layers_of_mark, mark
    assert MARKS.keys() - drawn.keys() == {"hexagon"}, "which takes a board of its own"
