"""Drawings of the player's scripts: in a browser they are the text that Python writes, for the same scene."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from playwright.sync_api import Browser, Page
from shipped_games import load
from strategies_of_scenes import marks, scenes

from rulespec.book.drawing.description import describe_scene
from rulespec.book.drawing.diagram import Picture, scene_of, visible_values
from rulespec.book.drawing.marks import MARKS
from rulespec.book.drawing.scene import Mark, Scene, arrange, to_data, with_news
from rulespec.book.drawing.svg import Box, document, draw_scene
from rulespec.book.examples.fences import check_files
from rulespec.browser.scripts import script
from rulespec.play.errors import UnknownAction
from rulespec.play.face import State

ROOT = Path(__file__).resolve().parents[2]
WHOLE = """(scene, box) => {
  const { head, parts, box: own } = rulespec.drawn(scene);
  return head(box || own || [0, 0, 0, 0]) + parts.join("") + "</svg>";
}"""
WRONG = f"""listed => listed.flatMap(([scene, box, wanted]) => {{
  const found = ({WHOLE})(scene, box);
  let at = 0;
  while (at < found.length && found[at] === wanted[at]) at += 1;
  const around = text => text.slice(Math.max(0, at - 90), at + 90);
  return found === wanted ? [] : [[around(found), around(wanted)]];
}})"""
"""Of scenes whose drawing differs, both texts around the first difference."""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page with the scripts of the player."""
    page = browser.new_page()
    wrong: list[str] = []
    page.on("pageerror", lambda error: wrong.append(str(error)))
    page.add_script_tag(content=script())
    yield page
    assert wrong == []
    page.close()


def drawing(scene: Scene, box: Box | None = None) -> str:
    """The drawing by Python, as a player's page asks for it: without the shapes that it uses."""
    whole = document(draw_scene(scene), scene.title, "", describe_scene(scene), box)
    return re.sub(r"<defs>.*</defs>", "", whole)


def differences(page: Page, found: Iterable[Scene], box: Box | None = None) -> list[Any]:
    """Where drawings by the script are not those by Python."""
    cases = [(to_data(scene), box, drawing(scene, box)) for scene in found]
    assert cases
    result: list[Any] = page.evaluate(WRONG, json.loads(json.dumps(cases)))
    return result


def played(name: str, plies: int) -> Iterator[Scene]:
    """Scenes of a random play: legal actions, refused ones, news, the sights of players."""
    game = load(name)
    state, rng = game.start(seed=1), random.Random(name)
    before, earlier = state, state
    for number in range(plies):
        core = game.core
        now = [*state.moves]
        moves = rng.sample(now, min(len(now), number % 4))
        gone = [move for move in earlier.moves if move not in now] if number % 2 else []
        yield scene_of(core, Picture(state.values, before.values, moves, gone[:3]))
        for viewer in (None, *core.player.values)[: 3 if number % 5 == 0 else 0]:
            values, sizes = visible_values(core, state.values, viewer)
            yield scene_of(core, Picture(values, moves=moves, sizes=sizes))
        if state.is_over:
            return
        earlier, before = before, state
        state = state.play(rng.choice(now))


def of_example(states: tuple[State, ...], legal: Iterable[str], refused: Iterable[str]) -> Scene:
    """The scene of an example with the actions that it says to be legal and to be refused."""

    def meant(texts: Iterable[str]) -> Iterator[Any]:
        for text in texts:
            try:
                yield states[0].find(text).move
            except UnknownAction:
                continue

    moves = [action.move for action in states[-1].plays[len(states[0].plays) :][:1]]
    shown = Picture(states[0].values, None, [*moves, *meant(legal)], [*meant(refused)], names=["setup"])
    return scene_of(states[0].game.core, shown)


@pytest.mark.parametrize("name", ["leistiko", "smith", "hex"])
def test_positions_are_drawn_alike(page: Page, name: str) -> None:
    assert differences(page, played(name, 10)) == []


def test_the_pictures_of_the_reference_are_drawn_alike(page: Page) -> None:
    done = check_files([ROOT / "docs" / "reference" / "diagrams.md"])
    found = []
    for run in (executed.run for executed in done.executed):
        assert run is not None
        found.append(of_example(run.states, (*run.legal, *run.only), [text for text, _ in run.refused]))
    assert {mark.kind for scene in found for mark in scene.marks} == MARKS.keys()
    assert differences(page, found) == []


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(scenes())
def test_any_scene_is_drawn_alike(page: Page, scene: Scene) -> None:
    assert differences(page, [scene]) == []


ORDERED = """listed => listed.map(([title, marks, before]) =>
  rulespec.withNews(rulespec.arranged(title, marks), rulespec.arranged("", before)))"""


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(st.lists(marks(), max_size=12), st.lists(marks(), max_size=12))
def test_marks_are_put_in_order_alike(page: Page, some: list[Mark], others: list[Mark]) -> None:
    given_marks, before = [*some, *others], others
    asked = [[to_data(Scene("t", tuple(listed)))["marks"] for listed in (given_marks, before)]]
    (ordered,) = page.evaluate(ORDERED, [["t", *asked[0]]])
    wanted = with_news(arrange("t", given_marks), arrange("", before))
    assert page.evaluate(WHOLE, ordered) == drawing(wanted)
    assert ordered["numbered"] == wanted.numbered
    assert [(m["kind"], m["taken"], m["new"]) for m in ordered["marks"]] == [
        (m.kind, m.taken, m.new) for m in wanted.marks
    ]


def test_a_drawing_may_show_more_of_the_table(page: Page) -> None:
    assert differences(page, played("leistiko", 8), (-90.5, -400, 300, 200)) == []


@pytest.mark.parametrize("name", ["leistiko", "smith", "hex", "kalah"])
def test_the_areas_of_marks_lie_in_the_drawing(page: Page, name: str) -> None:
    for scene in played(name, 3):
        left, top, right, bottom = draw_scene(scene).box or (0, 0, 0, 0)
        data = to_data(scene)
        areas = page.evaluate("scene => rulespec.drawn(scene).areas", data)
        assert page.evaluate("scene => rulespec.drawn(scene).box", data) == [left, top, right, bottom]
        for area in areas:
            x, y, width, height = area["box"]
            assert left - 0.01 <= x <= x + width <= right + 0.01
            assert top - 0.01 <= y <= y + height <= bottom + 0.01
            mark = scene.marks[area["mark"]]
            assert (mark.kind, mark.layer, mark.name) == (area["kind"], area["layer"], area["name"])
        named = {i for i, mark in enumerate(scene.marks) if mark.kind in ("square", "tile", "card", "disc")}
        assert named <= {area["mark"] for area in areas}
        pieces = {(i, n) for i, m in enumerate(scene.marks) for n in range(len(m.items)) if m.kind == "hand"}
        assert pieces == {(area["mark"], area["item"]) for area in areas if area["item"] >= 0}
