"""Clicks that an action takes at the table, over plays that are played by pointing into the page."""

from __future__ import annotations

from functools import reduce
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page

import rulespec
from browser.test_player_board import load
from rulespec.browser.site import bundle_script
from rulespec.core.book import Playthrough
from rulespec.play.records.files import record
from rulespec.play.state import State

MOST_CLICKS = {
    "leistiko": 2.0, "sacred-alignment": 2.0, "stout": 1.6, "smith": 1.8, "breakthrough": 2.0, "kalah": 1.0,
    "yacht": 4.0,
}  # fmt: skip
"""The most clicks in the mean."""
PLAN = """
  // Where a player points for an action: towards the thing that is laid down there, else near the middle.
  const pointFor = (one, spot, i) => {
    const way = one.ways(spot).find(({ meant }) => meant.includes(i)), [x, y, width, height] = spot.box;
    return [x + width / 2, y + height / 2].map((at, k) => at + (way ? 18 * way.middle[k] : [5, 2][k]));
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
"""
"""Plans the fewest clicks for an action by its number: spots with points, and names of actions."""
CLICKS = (
    """async ([key, seed, plies, record]) => {
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
"""
    + PLAN
    + """  const send = (type, [x, y]) => {
    const { left, top, width, height } = board.overlay.getBoundingClientRect(), { box } = board;
    const at = { clientX: left + (x - box.x) / box.width * width };
    at.clientY = top + (y - box.y) / box.height * height;
    const how = { button: 0, isPrimary: true, pointerType: "mouse", bubbles: true, cancelable: true };
    board.overlay.dispatchEvent(new PointerEvent(type, { ...at, ...how }));
  };
  const press = (one, step, note) => {
    const buttons = [...table.which.querySelectorAll("button")];
    if (one.chosen.length && step >= 0) asked.push([note, ...buttons.map((each) => each.textContent)]);
    buttons.at(step < 0 ? step : one.offered.indexOf(step)).click();
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
    for (let most = 1; most <= 6 && !found; most++) found = plan(one, i, [], most);
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
)
"""Plays a play, random or given, by as few clicks as can be: their mean, what failed and what was asked."""


def assert_few_clicks(found: dict[str, Any], most: float) -> None:
    assert found["lost"] == []
    assert found["ply"] > 20
    assert found["mean"] <= most
    for note, *labels in found["asked"]:
        assert note not in labels, "a question in notation"


@pytest.mark.sampled(3)
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


def test_what_is_usual_is_not_asked_for(player_page: Page) -> None:
    """A play of 28 dominoes; after most of them one draws. What is usual needs no click."""
    text = record(longest_play(load(player_page, "sacred-alignment"))).to_json()
    found = player_page.evaluate(CLICKS, ["sacred-alignment", 3, 80, text])
    assert_few_clicks(found, 2.0)
    assert found["asked"] == []


COLLECTED = """async ([key, seed, pointer, steps]) => {
  const block = document.createElement("div"), { about } = rulespec.bundles[key], said = [];
  document.body.append(block);
  const setting = { key, file: "", players: about.players, label: "", parameters: {}, readings: {} };
  const table = await rulespec.open(block, { title: about.title, settings: [setting] });
  const { board, which } = table;
  table.random = rulespec.randomNumbers(seed);
  table.seats.kinds.fill("person");
  await table.begin(0);
  const point = (spot) => {
    const { left, top, width, height } = board.overlay.getBoundingClientRect(), [x, y, w, h] = spot.box;
    const clientX = left + (x + w / 2 - board.box.x) / board.box.width * width;
    const clientY = top + (y + h / 2 - board.box.y) / board.box.height * height;
    const how = { clientX, clientY, isPrimary: true, pointerType: pointer, bubbles: true, cancelable: true };
    for (const type of ["pointerdown", "pointerup"]) board.overlay.dispatchEvent(new PointerEvent(type, how));
  };
  for (const name of steps) {
    const spot = table.choices.spots.find((one) => one.name === name);
    const named = [...which.querySelectorAll("button")].find((one) => one.textContent === name);
    if (named) named.click();
    else if (!spot.reach.length) table.point(spot, true, null, false);
    else if (pointer === "keyboard") board.targets.get(spot.key).click();
    else point(spot);
    const pressed = (one) => (one.getAttribute("aria-pressed") === "true" ? "!" : "");
    const buttons = [...which.querySelectorAll("button")].map((one) => one.textContent + pressed(one));
    said.push([...[...which.querySelectorAll("p")].map((one) => one.textContent), ...buttons]);
  }
  table.element.remove();
  return [said, table.play.steps.map(({ note }) => note), table.reason.textContent];
}"""
"""Points at things and buttons by their names: what the table offers after each, and the play."""


@pytest.mark.parametrize("pointer", ["mouse", "touch", "keyboard"])
def test_a_set_is_chosen_by_pointing_at_its_members(player_page: Page, pointer: str) -> None:
    """Who wanted to roll two dice again had to type their numbers."""
    steps = ["1", "3", "1", "4", "rolls dice 3+4 again"]
    said, play, _ = player_page.evaluate(COLLECTED, [load(player_page, "yacht"), 3, pointer, steps])
    chosen = {"1": "die", "1+3": "dice", "3": "die", "3+4": "dice"}
    assert said[:4] == [
        [f"{len(dice[::2])} chosen, of 1 to 5.", f"rolls {word} {dice} again"]
        for dice, word in chosen.items()
    ]
    assert play == ["roll 3+4"]


UNSHOWN = """
rulespec: 1
id: unshown
title: Unshown cards
players: 1
rules:
- id: cards
  prose: There are four cards.
  formal: |
    state left: set of 1..4 = {1, 2, 3, 4}
- id: give
  prose: Give two cards away that do not follow each other.
  action: cards in sets of 2 from left as "+"
  require:
    apart:
      prose: They do not follow each other.
      that: no c in cards satisfies c + 1 in cards
  do: |
    for c in cards: remove c from left
- id: end
  prose: It ends when two are left.
  end: size(left) = 2
"""


def test_members_that_nothing_shows_have_buttons(player_page: Page, tmp_path: Path) -> None:
    """No more can be chosen than the set may have, and none that no legal set has."""
    (tmp_path / "unshown.yaml").write_text(UNSHOWN, encoding="utf-8")
    game = rulespec.load(tmp_path / "unshown.yaml")
    player_page.add_script_tag(content=bundle_script("unshown", game))
    said, play, _ = player_page.evaluate(COLLECTED, ["unshown", 1, "mouse", ["1", "4", "4", "3", "give"]])
    assert said[:4] == [
        ["1 chosen, of 2.", "1!", "3", "4"],
        ["2 chosen, of 2.", "1!", "4!", "give"],
        ["1 chosen, of 2.", "1!", "3", "4"],
        ["2 chosen, of 2.", "1!", "3!", "give"],
    ]
    assert play == ["give 1+3"]
    for steps, reason in (
        (["1", "2"], "they do not follow each other"),
        (["1", "4", "3"], "That one cannot be chosen too"),
    ):
        assert reason in player_page.evaluate(COLLECTED, ["unshown", 1, "mouse", steps])[2]


BESIDE = """
rulespec: 1
id: beside
title: Cards to give or to leave
players: 1
rules:
- id: cards
  prose: There are twelve cards.
  formal: |
    state left: set of 1..12 = {1, 2, 9, 10, 11}
- id: wait
  prose: Leave them.
  action: ()
- id: give
  prose: Give two cards away.
  action: cards in sets of 2 from left as "+"
  do: |
    for c in cards: remove c from left
- id: end
  prose: It ends when few are left.
  end: size(left) < 4
"""


def test_members_that_nothing_shows_have_buttons_beside_other_actions(
    player_page: Page, tmp_path: Path
) -> None:
    (tmp_path / "beside.yaml").write_text(BESIDE, encoding="utf-8")
    game = rulespec.load(tmp_path / "beside.yaml")
    player_page.add_script_tag(content=bundle_script("beside", game))
    said, play, _ = player_page.evaluate(COLLECTED, ["beside", 1, "mouse", ["wait", "9", "2", "give"]])
    assert said[0] == ["1", "2", "9", "10", "11", "wait"]
    assert said[2] == ["2 chosen, of 2.", "2!", "9!", "give"]
    assert play == ["wait", "give 2+9"]


ORDERED = """
rulespec: 1
id: ordered
title: Two places in an order
players: 1
rules:
- id: places
  prose: There are three places.
  formal: |
    type Place = 1..3
    state last: Place = 1
- id: go
  prose: Go from one to another.
  action: a in Place, b in Place
  written: "{a}>{b}"
  require:
    apart:
      prose: They differ.
      that: a != b
  do: last := b
- id: end
  prose: It ends at the third one.
  end: last = 3
diagram:
- mark: square
  for: p in Place
  across: p
  up: 0
"""


def test_places_are_chosen_in_the_order_in_which_one_points(player_page: Page, tmp_path: Path) -> None:
    """Where both orders are legal the table asked which one was meant."""
    (tmp_path / "ordered.yaml").write_text(ORDERED, encoding="utf-8")
    player_page.add_script_tag(content=bundle_script("ordered", rulespec.load(tmp_path / "ordered.yaml")))
    _, play, _ = player_page.evaluate(COLLECTED, ["ordered", 1, "mouse", ["1", "2", "2", "1", "1", "3"]])
    assert play == ["1>2", "2>1", "1>3"]
