"""Shapes given once on a page, and the page otherwise as it was."""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET

from rulespec.book.drawing.diagram import draw
from rulespec.book.output.sheet import with_sheet
from rulespec.play.face import load


def drawings() -> list[str]:
    found = []
    for name, seed in (("smith", 1), ("leistiko", 2), ("pig", 3)):
        state = load(name).start(seed=seed)
        found.append(draw(state.game.core, state.values, alone=False))
    return found


def test_every_shape_is_given_once_and_every_use_finds_one() -> None:
    page = f"<html><body class='x'>{'<p>between</p>'.join([*drawings(), *drawings()])}</body></html>"
    light = with_sheet(page)
    ids = re.findall(r' id="(rs-[^"]+)"', light)
    assert len(ids) == len(set(ids)) >= 10
    assert {*re.findall(r'href="#([^"]+)"', light)} == {*ids}
    assert light.startswith("<html><body class='x'><div class=\"rs-sheet\"")
    assert len(light) < len(page) - 2_000
    assert light.count("<p>between</p>") == 5
    ET.fromstring(light)


def test_a_page_is_changed_once() -> None:
    light = with_sheet("".join(drawings()))
    assert with_sheet(light) == light
    assert with_sheet("<p>no drawing</p>") == "<p>no drawing</p>"


def test_a_drawing_with_its_own_style_stays_whole() -> None:
    state = load("smith").start(seed=1)
    alone = draw(state.game.core, state.values)
    assert with_sheet(alone) == alone
