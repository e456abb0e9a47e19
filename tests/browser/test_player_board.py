"""The board at the table: drawings that change part by part, and places that stand for actions."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import rulespec
from browser.conftest import new_context
from rulespec import book
from rulespec.browser.scripts import script
from rulespec.browser.site import bundle_script

DRAWN = """([key, plies]) => {
  const game = rulespec.load(rulespec.bundles[key]), random = rulespec.randomNumbers(1), wrong = [];
  const board = new rulespec.Board(() => {});
  document.body.append(board.element);
  let state = game.start(random), before = null, kept = 0;
  for (let ply = 0; ply < plies && game.mover(state) >= 0; ply++) {
    const scene = game.scene(state, null, { before });
    const elements = new Set(board.picture.querySelectorAll("svg > *"));
    board.draw(rulespec.drawn(scene), true);
    const fresh = document.createElement("div"), shown = board.picture.firstElementChild;
    const { head, parts } = rulespec.drawn(scene);
    fresh.innerHTML = head(board.reach) + parts.join("") + "</svg>";
    if (shown.outerHTML !== fresh.innerHTML) wrong.push([ply, shown.outerHTML, fresh.innerHTML]);
    kept += [...shown.children].filter((element) => elements.has(element)).length;
    const legal = game.legal(state);
    [before, state] = [state, game.play(state, legal[random() % legal.length], random)];
  }
  board.element.remove();
  return [wrong, kept];
}"""
"""Draws each position of a play on one board: all that is not as in a new drawing, and how much was kept."""
CHOICES = """
  const choices = () => {
    const legal = game.legal(state), scene = game.scene(state, null, {});
    return new rulespec.Choices(game, state, null, legal, scene, rulespec.drawn(scene).areas);
  };
"""
POINTED = (
    """([key, before]) => {
  const game = rulespec.load(rulespec.bundles[key]);
  let state = game.start(rulespec.randomNumbers(1));
  for (const text of before) state = game.play(state, game.read(state, text), rulespec.randomNumbers(1));
"""
    + CHOICES
    + """
  return choices().spots.map(({ name }, i) => {
    const one = choices(), found = one.point(one.spots[i]), action = one.complete();
    const reasons = (found.reasons || []).map((reason) => reason.id);
    return [name, action ? game.note(state, action) : found.kind, reasons];
  });
}"""
)
"""The action that pointing at each spot alone means, or why there is none."""
FRAMES = (
    """([key, plies]) => {
  const game = rulespec.load(rulespec.bundles[key]), random = rulespec.randomNumbers(3), wrong = [];
  let state = game.start(random), lifted = 0;
"""
    + CHOICES
    + """
  for (let ply = 0; ply < plies && game.mover(state) >= 0; ply++) {
    const scene = game.scene(state, null, {}), one = choices();
    const tiles = rulespec.drawn(scene).areas.filter((area) => area.kind === "tile");
    for (const { mark, box } of tiles) {
      const { x, y } = scene.marks[mark];
      const at = (area) => String([scene.marks[area.mark].x, scene.marks[area.mark].y]);
      const here = tiles.filter((area) => at(area) === String([x, y]));
      if (here.at(-1).mark !== mark) continue;
      const spot = one.spots.find((found) => found.key === "@" + Math.round(8 * x) + "," + Math.round(8 * y));
      if (String(spot.box) !== String(box)) wrong.push([ply, spot.box, box]);
      if (one.isOpen(spot) && box[1] !== (y - 0.5) * 44) lifted++;
    }
    const legal = game.legal(state);
    state = game.play(state, legal[random() % legal.length], random);
  }
  return [wrong, lifted];
}"""
)
"""Frames of places that are not around the tile that lies there, and how many were around raised tiles."""


@pytest.fixture
def page(player_page: Page) -> Iterator[Page]:
    """The page of the player, in which games are loaded by `load`."""
    yield player_page


def load(page: Page, name: str) -> str:
    game = rulespec.load(name)
    page.add_script_tag(content=bundle_script(name, game))
    return name


@pytest.mark.parametrize("name", ["leistiko", "smith", "stout", "connect-four", "hex", "kalah"])
def test_a_drawing_that_changes_part_by_part_is_the_drawing(page: Page, name: str) -> None:
    wrong, kept = page.evaluate(DRAWN, [load(page, name), 30])
    assert wrong == []
    assert kept > 100


def pointed(page: Page, name: str, before: list[str]) -> dict[str, Any]:
    found = page.evaluate(POINTED, [load(page, name), before])
    return {place: (meant, reasons) for place, meant, reasons in found if place}


def test_a_place_stands_for_the_line_that_an_action_is_about(page: Page) -> None:
    """Each place of a column is that column, discs included; in a full one the rule says why not."""
    found = pointed(page, "connect-four", ["drop 2"] * 6 + ["drop 4"])
    assert len(found) == 42
    for place, (meant, reasons) in found.items():
        column = place.split(".")[0]
        assert (meant, reasons) == (("refused", ["room"]) if column == "2" else (f"drop {column}", []))


def test_a_place_stands_for_no_line_where_actions_name_places(page: Page) -> None:
    found = pointed(page, "tic-tac-toe", ["put 2.2"])
    assert {place for place, (meant, _) in found.items() if meant == "refused"} == {"2.2"}
    assert all(meant == f"put {place}" for place, (meant, _) in found.items() if place != "2.2")


def test_a_place_is_refused_for_what_is_wrong_with_it(page: Page) -> None:
    """One place was taken for both choices: a piece was refused for not moving to where it stands."""
    found = pointed(page, "breakthrough", [])
    assert found["h1"] == ("refused", ["not-on-your-own"])
    assert found["c5"] == ("refused", ["own"])
    assert found["c7"] == ("refused", ["own"])


def test_frames_of_places_lie_around_what_lies_on_them(page: Page) -> None:
    wrong, lifted = page.evaluate(FRAMES, [load(page, "leistiko"), 14])
    assert wrong == []
    assert lifted > 0


ALIKE = """() => {
  const game = rulespec.load(rulespec.bundles.ghosts), random = rulespec.randomNumbers(3);
  const places = (marks) => JSON.stringify(marks.map(({ kind, layer, x, y, to }) => [kind, layer, x, y, to]));
  let state = game.start(random), count = 0;
  for (let ply = 0; ply < 20; ply++) {
    const legal = game.legal(state), seat = game.mover(state);
    const whole = game.ghosts(state, seat, legal).map(places);
    const bare = game.ghosts(state, seat, legal, true).map(places);
    whole.forEach((text, i) => { if (text !== bare[i]) throw new Error(text + " and " + bare[i]); });
    count += whole.length;
    state = game.play(state, legal[random() % legal.length], random);
  }
  return count;
}"""


@pytest.mark.parametrize("name", ["leistiko", "breakthrough"])
def test_bare_marks_of_actions_lie_where_whole_ones_do(player_page: Page, name: str) -> None:
    game = rulespec.load(name)
    player_page.add_script_tag(content=bundle_script("ghosts", game))
    assert player_page.evaluate(ALIKE) > 300


MOVED = """async (key) => {
  const block = document.createElement("div"), { about } = rulespec.bundles[key];
  document.body.append(block);
  const setting = { key, file: "", players: about.players, label: "", parameters: {}, readings: {} };
  const table = await rulespec.open(block, { title: about.title, settings: [setting] }), found = [];
  table.seats.kinds.fill("person");
  for (let ply = 0; ply < 4; ply++) {
    const mover = table.play.game.mover(table.play.state);
    table.holder = mover;
    table.show();
    table.act(table.choices.actions[(7 * ply + 3) % table.choices.actions.length]);
    table.holder = table.play.game.mover(table.play.state);
    table.show();
    found.push(document.getAnimations().map((one) => one.effect.getKeyframes()[0].transform || "").join());
    document.getAnimations().forEach((one) => one.cancel());
  }
  const said = [...table.status.children].map((part) => part.textContent.trim());
  table.element.remove();
  return [found, said];
}"""


@pytest.mark.parametrize("name", ["breakthrough", "leistiko", "stout"])
def test_pieces_come_from_where_they_were(page: Page, name: str) -> None:
    load(page, name)
    page.emulate_media(reduced_motion="no-preference")
    found, said = page.evaluate(MOVED, name)
    page.emulate_media(reduced_motion="reduce")
    assert any("translate(" in moved for moved in found)
    assert len(said) == 2
    still, _ = page.evaluate(MOVED, name)
    assert still == [""] * 4


def test_a_point_of_a_board_is_as_large_a_target_as_a_square(page: Page) -> None:
    """Where lines cross there is a dot, and only the dot could be hit."""
    sizes = page.evaluate(
        "(key) => { const game = rulespec.load(rulespec.bundles[key]), random = rulespec.randomNumbers(1);"
        "const state = game.start(random);" + CHOICES + "return choices().spots.map(({ box }) => box[2]); }",
        load(page, "nine-mens-morris"),
    )
    assert len(sizes) >= 24
    assert min(sizes) >= 30


def test_the_reserve_of_another_player_is_not_pointed_at(page: Page) -> None:
    """Both reserves of Swarm were outlined, since both have a mother."""
    mine, yours = page.evaluate(
        "(key) => { const game = rulespec.load(rulespec.bundles[key]), random = rulespec.randomNumbers(1);"
        "let state = game.start(random);"
        + CHOICES
        + "return [0, 1].map(() => { const found = choices().spots.filter(({ key }) => key[0] !== '@');"
        "state = game.play(state, game.legal(state)[0], random); return found.map(({ key }) => key); }); }",
        load(page, "swarm"),
    )
    assert len(mine) == len(yours) == 5
    assert {*mine}.isdisjoint(yours)


OPENED = """async (key) => {
  const block = document.createElement("div"), { about } = rulespec.bundles[key];
  document.body.append(block);
  const setting = { key, file: "", players: about.players, label: "", parameters: {}, readings: {} };
  const { element } = await rulespec.open(block, { title: about.title, settings: [setting] });
  const isWide = element.classList.contains("rs-wide");
  element.remove();
  return isWide;
}"""


def test_a_wide_board_has_the_width_of_the_table(page: Page) -> None:
    """Beside the list of actions the cells of Hex were half as large."""
    assert [page.evaluate(OPENED, load(page, name)) for name in ("hex", "breakthrough")] == [True, False]


KEPT_IN_SIGHT = """([key, plies]) => {
  const game = rulespec.load(rulespec.bundles[key]), random = rulespec.randomNumbers(1), areas = [];
  const board = new rulespec.Board(() => {});
  document.body.append(board.element);
  let state = game.start(random);
  for (let ply = 0; ply < plies && game.mover(state) >= 0; ply++) {
    const drawing = rulespec.drawn(game.scene(state, null, {})), [left, top, right, bottom] = drawing.box;
    board.draw(drawing, true, ply ? [] : undefined);
    areas.push([(right - left) * (bottom - top), board.box.width * board.box.height]);
    const legal = game.legal(state);
    state = game.play(state, legal[random() % legal.length], random);
  }
  board.element.remove();
  return areas;
}"""
"""After each ply, the area of the drawing and that of the part of the table that is shown."""


def test_a_board_that_has_shrunk_is_shown_alone(page: Page) -> None:
    """Half of the table of Leistiko was empty once its base was laid."""
    areas = page.evaluate(KEPT_IN_SIGHT, [load(page, "leistiko"), 24])
    assert max(drawn for drawn, _ in areas) > 1.5 * areas[-1][0]
    assert max(shown / drawn for drawn, shown in areas) < 1.7
    assert any(shown > 1.2 * drawn for drawn, shown in areas), "what shrinks a little stays where it is"


STYLE = (Path(book.__file__).parent / "assets" / "player.css").read_text(encoding="utf-8")
STAGE = """<style>{style}</style><body style="margin:0"><div class="rs-play-here"><section class="rs-player">
<div class="rs-stage"><div class="rs-board" style="--rs-width:{width}px"></div></div></section></div>"""


@pytest.mark.parametrize(("width", "shown"), [(300, 390), (400, 390), (452, 411), (786, 715), (1000, 910)])
def test_a_board_has_squares_for_fingers_on_a_phone(browser: Browser, width: int, shown: int) -> None:
    context = new_context(browser, dark=False, phone=True)
    page = context.new_page()
    page.set_content(STAGE.format(style=STYLE, width=width))
    found = page.evaluate("document.querySelector('.rs-board').getBoundingClientRect().width")
    assert round(found) == shown
    context.close()


ON_A_PHONE = """async (key) => {
  const block = document.querySelector(".rs-play-here"), { about } = rulespec.bundles[key];
  const setting = { key, file: "", players: about.players, label: "", parameters: {}, readings: {} };
  window.table = await rulespec.open(block, { title: about.title, settings: [setting] });
  table.seats.kinds.fill("person");
  table.show();
}"""
ACTED = "(text) => table.act(table.play.game.read(table.play.state, text))"
IN_SIGHT = """async (selector) => {
  for (let i = 0; i < 2; i++) await new Promise(requestAnimationFrame);
  const { left, right } = table.board.frame.getBoundingClientRect();
  const box = document.querySelector(selector).getBoundingClientRect();
  return box.left >= left && box.right <= right;
}"""
"""True if an element is not beside the part of the board that the screen shows."""


def test_two_fingers_choose_nothing(browser: Browser) -> None:
    """A pinch that began on a piece chose it."""
    context = new_context(browser, dark=False, phone=True, touch=True)
    page = context.new_page()
    page.set_content(f'<style>{STYLE}</style><body style="margin:0"><div class="rs-play-here"></div>')
    page.add_script_tag(content=script())
    page.evaluate(ON_A_PHONE, load(page, "breakthrough"))
    box = page.locator(".rs-spot").first.bounding_box()
    assert box is not None
    session, (x, y) = context.new_cdp_session(page), (box["x"] + 20, box["y"] + 20)
    first, second, moved = (x, y), (x + 90, y + 90), (x - 20, y)
    steps = [("touchStart", [first]), ("touchStart", [first, second]), ("touchMove", [moved, second])]
    for kind, points in [*steps, ("touchEnd", [])]:
        touches = [{"x": x, "y": y, "id": i} for i, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": touches})
    assert page.evaluate("[table.choices.chosen.length, table.play.at]") == [0, 0]
    page.locator(".rs-spot").first.tap()
    assert page.evaluate("table.choices.chosen.length") == 1
    context.close()


def test_a_board_wider_than_the_phone_moves_to_what_is_new_and_is_shown_whole(browser: Browser) -> None:
    """The cells of Hex had 22 pixels, and a finger hit the wrong one."""
    context = new_context(browser, dark=False, phone=True, touch=True)
    page = context.new_page()
    page.set_content(f'<style>{STYLE}</style><body style="margin:0"><div class="rs-play-here"></div>')
    page.add_script_tag(content=script())
    page.evaluate(ON_A_PHONE, load(page, "hex"))
    spots = page.locator(".rs-spot")
    sizes = spots.evaluate_all("(all) => all.map((one) => one.getBoundingClientRect().width)")
    assert min(map(round, sizes)) >= 40
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    for corner in ("a1", "k11"):
        name = f".rs-spot[aria-label='{corner}']"
        assert not page.evaluate(IN_SIGHT, name)
        page.evaluate(ACTED, f"lay {corner}")
        assert page.evaluate(IN_SIGHT, ".rs-scene .n")
    whole = page.get_by_role("button", name="Whole board")
    whole.tap()
    assert page.evaluate("table.board.frame.scrollWidth") == 390
    spots.first.tap()
    assert page.evaluate(IN_SIGHT, ".rs-spot")
    assert page.evaluate("table.play.at") == 2
    assert whole.get_attribute("aria-pressed") == "false"
    spots.first.tap()
    assert page.evaluate("table.play.at") == 3
    context.close()


def test_a_board_slightly_wider_than_the_phone_is_played_while_it_is_shown_whole(browser: Browser) -> None:
    """Ten cells of 40 pixels are wider than a phone: a corner of Stout was cut off, without a button."""
    context = new_context(browser, dark=False, phone=True, touch=True)
    page = context.new_page()
    page.set_content(f'<style>{STYLE}</style><body style="margin:0"><div class="rs-play-here"></div>')
    page.add_script_tag(content=script())
    page.evaluate(ON_A_PHONE, load(page, "stout-queen"))
    whole = page.get_by_role("button", name="Whole board")
    assert page.evaluate("table.board.frame.scrollWidth") > 390
    whole.tap()
    assert page.evaluate("table.board.frame.scrollWidth") == 390
    page.evaluate(ACTED, "arrange Y 1")
    at = page.evaluate("table.play.at")
    for _ in range(3):
        page.locator(".rs-spot").first.tap()
    assert page.evaluate("table.play.at + table.choices.chosen.length") > at
    assert whole.get_attribute("aria-pressed") == "true"
    context.close()
