"""Whole games by mouse, by touch on a phone and by keyboard alone, as the interpreter plays them."""

from __future__ import annotations

import os
from typing import Any

import pytest
from playwright.sync_api import Locator, Page

from browser.conftest import Opener
from browser.test_player_clicks import PLAN
from browser.test_player_table import PLAYED, TABLE, TURNED, record_of, seat_persons
from rulespec.play.records.files import read_record, replay

GIVEN = "sacred-alignment"
"""The game of which the longest play of its page is played; random ones take thousands of plies."""
GAMES = (*PLAYED, GIVEN, "connect-four", "breakthrough", "kuhn-poker", "nim", "tic-tac-toe")
MOUSE, TOUCH, KEYBOARD = WAYS = ("mouse", "touch", "keyboard")
CASES = [(name, way) for name in GAMES for way in WAYS]
OFTEN = [("connect-four", KEYBOARD), ("tic-tac-toe", TOUCH)]
"""The cases of each run; `make agreement` plays all."""
STANDING = f"""() => {{
  const {{ play, texts }} = {TABLE}, {{ game, state }} = play;
  return {{ at: play.at, over: game.mover(state) < 0, texts, data: game.data(state) }};
}}"""
SHORT_PLAY = f"""() => {{
  const table = {TABLE}, {{ game }} = table.play;
  for (const most of [300, 3000]) {{
    for (let number = 0; number < 300; number++) {{
      const choose = rulespec.randomNumbers(number), chance = rulespec.randomNumbers(number + 1), notes = [];
      let {{ state }} = table.play;
      while (game.mover(state) >= 0 && notes.length < most) {{
        const legal = game.legal(state), action = legal[choose() % legal.length];
        notes.push(game.note(state, action));
        state = game.play(state, action, chance);
      }}
      if (game.mover(state) >= 0) continue;
      table.random = rulespec.randomNumbers(number + 1);
      return notes;
    }}
  }}
  throw new Error("no short play");
}}"""
"""A random play to its end, in which the table then has the same chance."""
PLANNED = f"""(number) => {{
  const table = {TABLE}, one = table.choices;
  {PLAN}
  for (let most = 1; most <= 6; most++) {{
    const found = plan(one, number, [], most);
    one.take([]);
    if (found) return found.map((step) => (typeof step === "number" ? step : [step[0].key, step[1]]));
  }}
  return null;
}}"""
ON_SCREEN = f"""async ([key, [x, y]]) => {{
  const {{ board }} = {TABLE};
  board.targets.get(key).scrollIntoView({{ block: "center", inline: "center", behavior: "instant" }});
  await new Promise(requestAnimationFrame);
  const {{ left, top, width, height }} = board.overlay.getBoundingClientRect(), {{ box }} = board;
  return [left + (x - box.x) / box.width * width, top + (y - box.y) / box.height * height];
}}"""
"""Scrolls a spot into view: where a point of the board is on the screen."""
LAST = f"() => {{ const {{ at, steps }} = {TABLE}.play; return [at, at && steps[at - 1].note]; }}"
BUTTON = f"""([step, number]) => {{
  const table = {TABLE}, one = table.choices, count = table.which.querySelectorAll("button").length;
  return step < 0 ? count + step : one.offered.indexOf(step);
}}"""
"""The button to press, of those that name what is left to choose."""
REACHED_BY_ARROWS = f"""() => {{
  const {{ overlay }} = {TABLE}.board, seen = new Set([...overlay.children].slice(0, 1));
  for (const target of seen) {{
    for (const key of ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"]) {{
      target.focus();
      target.dispatchEvent(new KeyboardEvent("keydown", {{ key, bubbles: true }}));
      seen.add(document.activeElement);
    }}
  }}
  return [seen.size, overlay.children.length];
}}"""
"""How many spots the arrow keys reach from the first, and how many there are."""


def press(page: Page, target: Locator, way: str) -> None:
    """Press a button in one of the ways."""
    if way == TOUCH:
        target.tap()
    elif way == MOUSE:
        target.click()
    else:
        target.press("Enter")


def point(page: Page, step: list[Any], way: str) -> None:
    """Point at a spot in one of the ways."""
    if way == KEYBOARD:
        page.locator(f'.rs-spot[data-key="{step[0]}"]').press("Enter")
        return
    x, y = page.evaluate(ON_SCREEN, step)
    if way == TOUCH:
        page.touchscreen.tap(x, y)
    else:
        page.mouse.click(x, y)


def take(page: Page, number: int, way: str) -> None:
    """Take a legal action by its number, with few clicks; what these show no direction for is turned."""
    steps = page.evaluate(PLANNED, number)
    assert steps is not None, "no clicks make it"
    for step in steps:
        if isinstance(step, int):
            press(page, page.locator(".rs-which button").nth(page.evaluate(BUTTON, [step, number])), way)
            continue
        point(page, step, way)
        while page.evaluate(TURNED, number):
            if way == KEYBOARD:
                page.keyboard.press("r")
            else:
                point(page, step, way)
        if page.evaluate(f"Boolean({TABLE}.choices && {TABLE}.choices.held)"):
            press(page, page.locator(".rs-which .rs-strong"), way)


def begin(page: Page, name: str) -> list[str]:
    """Open the table and give the play that is to be made there, in notation."""
    if name == GIVEN:
        traces = page.locator(".rs-trace[data-play]").all()
        max(traces, key=lambda trace: trace.locator("li").count()).locator(".rs-again").click()
    else:
        page.get_by_role("button", name="Play here").click()
    page.wait_for_function(f"() => {TABLE} && {TABLE}.play")
    seat_persons(page)
    if name != GIVEN:
        return list(page.evaluate(SHORT_PLAY))
    way = page.evaluate(f"{TABLE}.play.steps.map((step) => step.note)")
    page.evaluate(f"{TABLE}.go(0)")
    return list(way)


@pytest.mark.parametrize(("name", "way"), CASES if os.environ.get("RULESPEC_SLOW") else OFTEN)
def test_a_whole_game_is_played_in_one_way(opened: Opener, name: str, way: str) -> None:
    seen = opened(f"rulebooks/{name}.html", touch=way == TOUCH, phone=way == TOUCH)
    page, standings = seen.page, list[dict[str, Any]]()
    for ply, note in enumerate(begin(page, name)):
        curtain = page.locator(".rs-curtain button")
        if curtain.is_visible():
            press(page, curtain, way)
        standings.append(page.evaluate(STANDING))
        number = standings[-1]["texts"].index(note)
        if way == KEYBOARD:
            reached, there = page.evaluate(REACHED_BY_ARROWS) if ply < 5 else (0, 0)
            assert reached == there
        take(page, number, way)
        assert page.evaluate(LAST) == [ply + 1, note]
    standings.append(page.evaluate(STANDING))
    assert standings[-1]["over"]
    states = [*replay(read_record(record_of(page)))]
    assert len(states) == len(standings)
    for state, standing in zip(states, standings, strict=True):
        assert state.to_data() == standing["data"]
        if not standing["over"]:
            assert sorted(map(str, state.actions())) == sorted(standing["texts"])
    assert seen.wrong == []
