"""Clicks that an action takes at the table, over plays that are played by pointing into the page."""

from __future__ import annotations

from functools import reduce
from typing import Any

import pytest
from playwright.sync_api import Page

import rulespec
from browser.test_player_board import load
from rulespec.core.book import Playthrough
from rulespec.play.records.files import record
from rulespec.play.state import State

MOST_CLICKS = {
    "leistiko": 2.0, "sacred-alignment": 2.0, "stout": 1.6, "smith": 1.8, "breakthrough": 2.0, "kalah": 1.0,
}  # fmt: skip
"""The most clicks in the mean."""
CLICKS = """async ([key, seed, plies, record]) => {
  const block = document.createElement("div"), lost = [], asked = [], kinds = {};
  document.body.append(block);
  const { about } = rulespec.bundles[key], { parameters, readings, players } = about;
  const setting = { key, file: "", players, label: "", parameters, readings };
  const table = await rulespec.open(block, { title: about.title, settings: [setting] });
  const random = rulespec.randomNumbers(seed), { board, play } = table;
  table.random = rulespec.randomNumbers(seed);
  table.seats.kinds.fill("person");
  table.isAutomatic = false;
  if (record) await table.load(record, 0);
  else await table.begin(0);
  const given = table.play.steps.map((step) => step.note);
  // Where a player points for an action: towards the thing that is laid down there, else into the middle.
  const pointFor = (one, spot, i) => {
    const way = one.ways(spot).find(({ meant }) => meant.includes(i)), [x, y, width, height] = spot.box;
    return [x + width / 2, y + height / 2].map((at, k) => at + 18 * (way ? way.middle[k] : 0));
  };
  const after = (one, steps) => {
    one.take([]);
    for (const [spot, at] of steps) one.point(spot, at, false);
  };
  // Spots with points, last the number of an action to be named; first -1 to change what is answered already.
  const plan = (one, i, steps, most) => {
    after(one, steps);
    const whole = table.meant(one), isMeant = one.meant.includes(i);
    if (whole === one.actions[i]) return steps;
    if (steps.length >= most || !isMeant) return null;
    if (whole) return [-1, ...steps];
    if (one.offered.includes(i)) return [...steps, i];
    for (const spot of one.spots) {
      after(one, steps);
      const step = [spot, pointFor(one, spot, i)];
      const found = one.isOpen(spot) && plan(one, i, [...steps, step], most);
      if (found) return found;
    }
    return null;
  };
  const send = (type, [x, y]) => {
    const { left, top, width, height } = board.overlay.getBoundingClientRect(), { box } = board;
    const at = { clientX: left + (x - box.x) / box.width * width };
    at.clientY = top + (y - box.y) / box.height * height;
    const how = { button: 0, isPrimary: true, pointerType: "mouse", bubbles: true, cancelable: true };
    board.overlay.dispatchEvent(new PointerEvent(type, { ...at, ...how }));
  };
  const press = (one, step, note) => {
    const buttons = [...table.which.querySelectorAll("button")], more = table.further(one);
    if (one.chosen.length && step >= 0) asked.push([note, ...buttons.map((each) => each.textContent)]);
    if (more) buttons[Number(more.long !== one.actions[step])].click();
    else buttons.at(step < 0 ? step : one.offered.indexOf(step)).click();
  };
  let clicks = 0, ply = 0;
  for (; ply < plies && table.play.game.mover(table.play.state) >= 0; ply++) {
    if (table.isAway) {
      table.holder = table.play.game.mover(table.play.state);
      table.show();
    }
    const one = table.choices, { at } = table.play, { actions } = one;
    const i = record ? table.texts.indexOf(given[at]) : random() % actions.length, note = table.texts[i];
    const name = about.actions[actions[i].action].name;
    let found = null;
    // In a play that is given chance is, too.
    if (record) table.act = (action) => table.go(at + Number(action === actions[i]));
    for (let most = 1; most <= 5 && !found; most++) found = plan(one, i, [], most);
    one.take([]);
    for (const step of found || []) {
      clicks++;
      if (typeof step === "number") press(one, step, note);
      else for (const type of ["pointermove", "pointerdown", "pointerup"]) send(type, step[1]);
    }
    (kinds[name] = kinds[name] || []).push(found ? found.length : -1);
    const made = table.play.at > at && table.play.steps[at].note;
    if (made !== note) {
      lost.push([ply, note, made, (found || []).map((step) => step[0] ? step[0].name || step[0].key : step)]);
      break;
    }
  }
  table.element.remove();
  return { mean: clicks / ply, ply, lost, asked, kinds };
}"""
"""Plays a play, random or given, by as few clicks as can be: their mean, what failed and what was asked."""


def assert_few_clicks(found: dict[str, Any], most: float) -> None:
    assert found["lost"] == []
    assert found["ply"] > 20
    assert found["mean"] <= most
    for note, *labels in found["asked"]:
        assert note not in labels, "a question in notation"


@pytest.mark.parametrize(("name", "most"), MOST_CLICKS.items())
def test_an_action_takes_few_clicks(player_page: Page, name: str, most: float) -> None:
    assert_few_clicks(player_page.evaluate(CLICKS, [load(player_page, name), 3, 80, None]), most)


def longest_play(name: str) -> State:
    """The longest play that the rulebook of a game shows."""
    game = rulespec.load(name)
    assert game.core.book is not None
    contents = [block.content for _, block in game.core.book.blocks()]
    plays = [content.example.data for content in contents if isinstance(content, Playthrough)]
    data = max(plays, key=lambda data: len(data["play"]))
    return reduce(State.play, data["play"], game.start(seed=data["seed"]))


def test_what_is_the_same_each_time_is_asked_for_once(player_page: Page) -> None:
    """A play of 28 dominoes; after nearly each of them one draws."""
    text = record(longest_play(load(player_page, "sacred-alignment"))).to_json()
    found = player_page.evaluate(CLICKS, ["sacred-alignment", 3, 80, text])
    assert_few_clicks(found, 2.5)
    assert len(found["asked"]) == 1
