"""Targets for fingers: at 390 pixels everything that can be chosen takes the touch on 40 pixels each way."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser
from shipped_games import load as read

from browser.conftest import NO_CHANCE, RULESETS, new_context
from browser.test_player_board import ON_A_PHONE
from rulespec.book.drawing.style import stylesheet
from rulespec.browser.bundle import NotForPages
from rulespec.browser.notebook import STYLE
from rulespec.browser.scripts import script
from rulespec.browser.site import bundle_script

FINGER = 40
PAGE = f"""<style>{stylesheet()}{STYLE.read_text(encoding="utf-8")}</style>
<body style="margin:0"><div class="rs-play-here"></div>"""
AREAS = """([plies, second]) => {
  const { play, board } = table, { game } = play, { overlay } = board;
  for (let i = 0; i < plies && game.mover(play.state) >= 0; i++) {
    const legal = game.legal(play.state);
    play.play(legal[table.random() % legal.length], table.random);
  }
  table.isAutomatic = false;
  table.holder = game.mover(play.state);
  table.show();
  const rect = overlay.getBoundingClientRect(), scale = rect.width / board.box.width, { choices } = table;
  const open = () => choices.spots.filter((spot) => spot.reach.length && choices.isOpen(spot));
  if (second && open().length) table.point(open()[0], false, null, false);
  const at = (clientX, clientY) => {
    const touch = { clientX, clientY, pointerType: "touch", isPrimary: true };
    overlay.dispatchEvent(new PointerEvent("pointerdown", touch));
    return board.from;
  };
  // How far the touch is taken from a point on, one way and the other, in steps of a quarter of a pixel.
  const run = (spot, [x, y], axis) => [-1, 1].map((way) => {
    let far = 0;
    const next = () => way * (far + 0.25);
    while (far < 99 && at(axis ? x : x + next(), axis ? y + next() : y) === spot) far += 0.25;
    return way * far;
  });
  return open().map((spot) => {
    const among = [0.5, 0.12, 0.88];
    const points = spot.reach.flatMap(({ box: [x, y, width, height] }) =>
      among.flatMap((v) => among.map((u) =>
        [rect.left + (x + u * width - board.box.x) * scale,
         rect.top + (y + v * height - board.box.y) * scale])));
    const point = points.find((one) => at(...one) === spot);
    if (!point) return [spot.name, 0, 0];
    for (const axis of [0, 1]) point[axis] += run(spot, point, axis).reduce((sum, far) => sum + far) / 2;
    return [spot.name, ...[0, 1].map((axis) => run(spot, point, axis).reduce((from, to) => to - from))];
  });
}"""
"""The width and the height of the area in which each target takes the touch, after more plies or a choice."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", RULESETS)
def test_targets_are_as_large_as_a_finger(browser: Browser, name: str) -> None:
    try:
        bundle = bundle_script(name, read(name))
    except NotForPages:
        pytest.skip("a page does not play it")
    context = new_context(browser, dark=False, phone=True, touch=True)
    page = context.new_page()
    page.set_content(PAGE)
    for text in (NO_CHANCE, script(), bundle):
        page.add_script_tag(content=text)
    page.evaluate(ON_A_PHONE, name)
    found: list[Any] = []
    for plies, second in ((0, False), (0, True), (4, False), (9, True), (12, False)):
        found += [(plies, second, *area) for area in page.evaluate(AREAS, [plies, second])]
    assert [area for area in found if min(area[3:]) < FINGER - 0.5] == []
    assert page.evaluate("document.documentElement.scrollWidth") == 390
    context.close()
