"""Every action at the table is made on the board, or by a button that names it."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from shipped_games import load as read

import rulespec
from browser.conftest import RULESETS, SLOW
from browser.test_player_board import load
from rulespec.browser.bundle import NotForPages
from rulespec.browser.site import bundle_script
from rulespec.language import shipped_rulesets
from rulespec.play import views

MOST_ACTIONS = 40
"""In a position with more actions a share of them is tried, with the first of each kind."""
MOST_COMPRESSED = 80_000
"""No bundle of a game is larger, in bytes as a server sends it."""
MOST_POINTED = 6
"""No action takes more clicks."""
PLACELESS = {
    "backgammon": {"pass"},
    "go": {"pass"},
    "kuhn-poker": {"check", "bet", "call", "fold"},
    "liars-dice": {"call"},
    "othello": {"pass"},
    "paper-lanterns": {"show-number", "show-colour"},
    "pig": {"roll", "hold"},
    "sacred-alignment": {"draw"},
    "stout": {"done", "roll-movement", "roll-action", "lucky", "arrange"},
}
"""The actions without a place on the board, by the beginnings of the ids of games."""
REACH = """
  const choicesOf = (game, state) => {
    const legal = game.legal(state), scene = game.scene(state, null, {});
    return new rulespec.Choices(game, state, null, legal, scene, rulespec.drawn(scene).areas);
  };
  // The clicks that make an action, its name last where that has to be chosen; null where there are none.
  const reach = (one, i, chosen, most) => {
    one.take(chosen);
    const whole = one.complete(), names = chosen.map((spot) => spot.name || spot.label || spot.key);
    if (!one.meant.includes(i) || (whole && whole !== one.actions[i])) return null;
    if (whole) return names;
    if (one.offered.includes(i)) return [...names, "its name"];
    if (chosen.length >= most) return null;
    const next = one.spots.filter((spot) => one.isOpen(spot))
      .map((spot) => [one.meantBy(spot, one.meant), spot])
      .filter(([found]) => found.includes(i)).sort(([a], [b]) => a.length - b.length);
    for (const [, spot] of next) {
      const found = reach(one, i, [...chosen, spot], most);
      if (found) return found;
    }
    return null;
  };
"""
REACHED = (
    "([key, plies, most, mostActions]) => {"
    + REACH
    + """
  const game = rulespec.load(rulespec.bundles[key]), random = rulespec.randomNumbers(7), lost = [], made = {};
  const named = new Set();
  let state = game.start(random), offered = 0;
  for (let ply = 0; ply < plies && game.mover(state) >= 0; ply++) {
    const one = choicesOf(game, state), legal = one.actions, each = Math.ceil(legal.length / mostActions);
    for (const i of one.offered) named.add(game.about.actions[legal[i].action].name);
    legal.forEach((action, i) => {
      const isFirst = !i || legal[i - 1].action !== action.action;
      if (i % each !== ply % each && !isFirst) return;
      const clicks = reach(one, i, [], most), name = game.about.actions[action.action].name;
      if (!clicks) lost.push([ply, game.note(state, action)]);
      else made[name] = Math.max(made[name] || 0, clicks.length);
      offered = Math.max(offered, one.offered.length);
    });
    state = game.play(state, legal[random() % legal.length], random);
  }
  return { lost, made, offered, named: [...named] };
}"""
)


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", RULESETS)
def test_every_action_is_made_on_the_board_or_by_its_name(player_page: Page, name: str) -> None:
    """The cheat of a game of dominoes was only in the list: what a tile joins stood for nothing."""
    try:
        script = bundle_script(name, read(name))
    except NotForPages:
        pytest.skip("a page does not play it")
    assert len(gzip.compress(script.encode(), 6)) <= MOST_COMPRESSED
    player_page.add_script_tag(content=script)
    found: dict[str, Any] = player_page.evaluate(
        REACHED, [name, 18 if SLOW else 6, MOST_POINTED, MOST_ACTIONS]
    )
    assert found["lost"] == []
    assert found["made"]
    assert found["offered"] <= 100, "so many have buttons"
    allowed = next((ids for base, ids in PLACELESS.items() if name.startswith(base)), set())
    assert {*found["named"]} <= allowed, (
        "only what has no place on the board is named before anything is chosen"
    )


LIFTED = (
    "([key, plies, kind]) => {"
    + REACH
    + """
  const game = rulespec.load(rulespec.bundles[key]), random = rulespec.randomNumbers(5), found = [];
  let state = game.start(random);
  for (let ply = 0; ply < plies && game.mover(state) >= 0; ply++) {
    const one = choicesOf(game, state), { actions } = one;
    actions.forEach((action, i) => {
      if (game.about.actions[action.action].name !== kind) return;
      const text = game.values.write(game.about.actions[action.action].choices[0].type, action.values[0]);
      const tiles = one.spots.filter((spot) => spot.handles.has("=Domino|" + text) && spot.key[0] === "@");
      for (const spot of tiles) {
        one.take([]);
        const isOpen = one.isOpen(spot), { kind: said } = one.point(spot), whole = one.complete();
        found.push([game.note(state, action), isOpen, said, whole === action || one.offered.includes(i)]);
      }
    });
    state = game.play(state, actions[random() % actions.length], random);
  }
  return found;
}"""
)


def test_a_tile_that_may_be_taken_up_is_taken_up_by_pointing_at_it(player_page: Page) -> None:
    """It was not outlined, and pointing at it said that another action was not allowed."""
    found = player_page.evaluate(LIFTED, [load(player_page, "sacred-alignment"), 60, "lift"])
    assert len(found) > 20
    assert {(is_open, said, is_made) for _, is_open, said, is_made in found} == {(True, "chosen", True)}


NAMED = """(key) => {
  const game = rulespec.load(rulespec.bundles[key]), state = game.start(rulespec.randomNumbers(1));
  const scene = game.scene(state, null, {}), legal = game.legal(state);
  const one = new rulespec.Choices(game, state, null, legal, scene, rulespec.drawn(scene).areas);
  return one.offered.map((i) => game.note(state, legal[i]));
}"""


def test_actions_without_a_place_are_named_at_once(player_page: Page) -> None:
    assert player_page.evaluate(NAMED, load(player_page, "pig")) == ["roll"]
    assert player_page.evaluate(NAMED, load(player_page, "kuhn-poker")) == ["check", "bet"]
    assert player_page.evaluate(NAMED, load(player_page, "breakthrough")) == []


def test_actions_are_given_buttons_by_the_section_table(player_page: Page, tmp_path: Path) -> None:
    text = shipped_rulesets()["tic-tac-toe"].read_text(encoding="utf-8")
    (tmp_path / "own.yaml").write_text(text.replace("\ntable:\n", "\ntable:\n  buttons: [put]\n"))
    player_page.add_script_tag(content=bundle_script("own", rulespec.load(str(tmp_path / "own.yaml"))))
    assert len(player_page.evaluate(NAMED, "own")) == 9
    assert player_page.evaluate(NAMED, load(player_page, "tic-tac-toe")) == []


PAIRS = """([key, seed]) => {
  const game = rulespec.load(rulespec.bundles[key]), state = game.start(rulespec.randomNumbers(seed));
  const seat = game.mover(state), scene = game.scene(state, seat, {}), legal = game.legal(state);
  const { areas } = rulespec.drawn(scene), found = [];
  const make = () => new rulespec.Choices(game, state, seat, legal, scene, areas);
  const held = make().spots.map((spot, i) => (spot.key[0] === "@" ? -1 : i)).filter((i) => i >= 0);
  for (const a of held) for (const b of held) {
    const one = make(), first = one.point(one.spots[a]);
    if (a === b || first.kind !== "chosen" || one.complete()) continue;
    const second = one.point(one.spots[b]), reasons = (second.reasons || []).map(({ text }) => text);
    found.push([[a, b].map((i) => one.spots[i].name), second.note || "", reasons, Boolean(one.complete())]);
  }
  return found;
}"""


def test_two_cards_that_are_no_pair_are_refused_by_the_rule_of_pairs(player_page: Page) -> None:
    """Nothing was said, or of another pair that was not meant."""
    found = player_page.evaluate(PAIRS, [load(player_page, "smith"), 1])
    refused = [(names, note, reasons) for names, note, reasons, is_pair in found if not is_pair]
    assert len(refused) > 10
    for names, note, reasons in refused:
        assert all(name in note for name in names), (names, note)
        assert "add up to thirteen" in reasons[0]


def test_advice_for_a_text_that_means_nothing_is_that_of_the_interpreter(player_page: Page) -> None:
    game = read(shipped_rulesets()["stout"])
    load(player_page, "stout")
    for text in ("tip a9", "swap", "fly away", "do", "", "go 3"):
        said = player_page.evaluate("text => rulespec.load(rulespec.bundles.stout).advice(text)", text)
        assert said == views.advice(text, game.core, []), text
    assert "`tip` is written `" in views.advice("tip a9", game.core, [])


OPEN = """(key) => {
  const game = rulespec.load(rulespec.bundles[key]), state = game.start(rulespec.randomNumbers(1));
  const scene = game.scene(state, null, {}), legal = game.legal(state);
  const one = new rulespec.Choices(game, state, null, legal, scene, rulespec.drawn(scene).areas);
  return one.spots.filter((spot) => one.isOpen(spot)).map((spot) => spot.name).sort();
}"""


def test_what_all_actions_have_in_common_is_no_choice(player_page: Page) -> None:
    """The store of the player to move was outlined, for each house has that owner."""
    assert player_page.evaluate(OPEN, load(player_page, "kalah")) == [f"1{house}" for house in range(1, 7)]


PILES = """(key) => {
  const game = rulespec.load(rulespec.bundles[key]), state = game.start(rulespec.randomNumbers(1));
  const scene = game.scene(state, null, {}), legal = game.legal(state);
  const one = new rulespec.Choices(game, state, null, legal, scene, rulespec.drawn(scene).areas);
  one.point(one.spots.find((spot) => spot.name === "2"));
  return one.offered.map((i) => game.predicate(state, legal[i]));
}"""


def test_a_pile_is_pointed_at_before_a_number_is_chosen(player_page: Page) -> None:
    """Every number of each pile had a button, and the piles could not be pointed at."""
    assert player_page.evaluate(PILES, load(player_page, "nim")) == [
        "takes 1 counter from pile 2", *(f"takes {n} counters from pile 2" for n in (2, 3, 4)),
    ]  # fmt: skip


UNSEEN = """(key) => {
  const game = rulespec.load(rulespec.bundles[key]), state = game.start(rulespec.randomNumbers(1));
  return game.sentence(state, game.legal(state)[0], { text: "?", action: null });
}"""


def test_what_is_chosen_at_once_and_unseen_is_told_as_in_the_terminal(player_page: Page) -> None:
    assert player_page.evaluate(UNSEEN, load(player_page, "rock-paper-scissors")) == "Player 1 has chosen."
