"""Nothing that comes from a ruleset of others, an address or a record breaks the page of a player."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import rulespec
from browser.conftest import new_context
from rulespec.browser.bundle import NotForPages, bundle, script
from rulespec.browser.scripts import script as scripts
from rulespec.browser.site import bundle_script

EVIL = "</script><script>window.broken = 1</script><!-- '\\\"\\\\"
RULESET = """\
rulespec: 1
id: evil
title: {title}
players: 2
rules:
- id: constructor
  prose: {title}
  formal: |
    type Word = one of constructor, prototype, toString
    state said: map Word -> Bool = false
- id: valueOf
  prose: {title}
  action: w in Word
  written: say {{w}}
  require:
    hasOwnProperty:
      prose: {title}
      that: not said[w]
  do: said[w] := true
- id: over
  prose: {title}
  end: every w in Word satisfies said[w]
"""
MANY = """\
rulespec: 1
id: many
title: Many
players: 1
rules:
- id: all
  prose: There are many.
  formal: |
    state last: 1..3000 = 1
- id: pair
  prose: Take two.
  action: a in 1..3000, b in 1..3000
  written: pair {a} {b}
  do: last := a
"""
SLOW = """\
rulespec: 1
id: slow
title: Slow
players: 2
rules:
- id: board
  prose: There is a board.
  formal: |
    type Cell = {c: 1..3, r: 1..3} as "{c}{r}"
    state marks: map Cell -> Player? = none
    type Number = 1..800
    define bare(x: 0..8000): Bool = marks[Cell(x mod 3 + 1, x mod 2 + 1)] = none
    define slow: Bool = FORMAL
- id: mark
  prose: Mark a cell.
  action: c in Cell
  require:
    slow:
      prose: It is slow.
      that: (every d in Cell satisfies marks[d] = none) or slow
  do: marks[c] := mover
diagram:
- mark: square
  for: c in Cell
  across: c.c
  up: c.r
"""
"""After the first ply each condition takes hours."""
SLOW_WAYS = {
    "counting": "some a in Number satisfies some b in Number satisfies"
    " count(d in Number where bare(d + a + b)) > 799",
    "dividing": "every a in Number satisfies every b in Number satisfies every d in Number satisfies"
    " (a * b * 7) mod (d + (if bare(a) then 1 else 2)) < a + 802",
}


@pytest.fixture(scope="module")
def connect(player_page: Page) -> Page:
    """A page with a game in it, as `game`."""
    name = "smith"
    player_page.add_script_tag(content=bundle_script(name, rulespec.load(name)))
    player_page.evaluate(f"window.game = rulespec.load(rulespec.bundles['{name}'])")
    return player_page


def loaded(tmp_path: Path, text: str, name: str) -> rulespec.Game:
    """The game of a ruleset given as text."""
    (tmp_path / f"{name}.yaml").write_text(text)
    return rulespec.load(str(tmp_path / f"{name}.yaml"))


def test_a_bundle_within_a_page_ends_no_script_and_changes_no_prototype(
    browser: Browser, tmp_path: Path
) -> None:
    game = loaded(tmp_path, RULESET.format(title=json.dumps(EVIL)), "evil")
    key = "__proto__"
    context = new_context(browser, dark=False, phone=False)
    page = context.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.set_content(f"<script>{scripts()}</script><script>{script(key, bundle(game))}</script><p>whole</p>")
    found = page.evaluate(
        """(key) => {
      const game = rulespec.load(rulespec.bundles[key]);
      let state = game.start(null);
      for (const word of ["constructor", "toString"]) {
        state = game.play(state, game.read(state, "say " + word), null);
      }
      return [game.about.title, window.broken, game.data(state).said, game.pack(state),
        game.refusals(state, game.read(state, "say toString")), {}.polluted];
    }""",
        key,
    )
    title, broken, said, packed, refused, polluted = found
    assert (title, broken, polluted) == (EVIL, None, None)
    assert said == {"constructor": True, "toString": True}
    assert packed.isascii() and packed.replace("-", "").replace("_", "").isalnum()
    assert refused == [
        {
            "kind": "requirement",
            "id": "hasOwnProperty",
            "clause": "valueOf",
            "text": f"Required: {EVIL}",
            "fact": "",
        }
    ]
    assert page.locator("p").inner_text() == "whole"
    assert not errors
    context.close()


@pytest.mark.parametrize(
    ("formal", "sentence"),
    [
        ("type Huge = 1..5000\n    state held: set of Huge = {}", "are allowed"),
        ("type Huge = {a: 1..300, b: 1..300}\n    state held: Huge? = none", "values with a notation"),
    ],
)
def test_a_game_too_large_for_a_page_is_refused_in_a_sentence(
    tmp_path: Path, formal: str, sentence: str
) -> None:
    text = RULESET.format(title="Huge").replace("type Word", f"{formal}\n    type Word")
    with pytest.raises(NotForPages, match=sentence) as refused:
        bundle(loaded(tmp_path, text, "huge"))
    assert str(refused.value).startswith("it is too large for a page: ")


def test_a_position_with_too_many_actions_is_an_error_that_says_so(player_page: Page, tmp_path: Path) -> None:
    player_page.add_script_tag(content=script("many", bundle(loaded(tmp_path, MANY, "many"))))
    found = player_page.evaluate("""() => {
      const game = rulespec.load(rulespec.bundles.many);
      try { return game.start(null); } catch (error) { return String(error); }
    }""")
    assert found == "Error: a position has more legal actions than a page can list"


UNPACKED = """(count) => {
  const random = rulespec.randomNumbers(7);
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  let state = game.start(random), told = { refused: 0, read: 0, plies: 0 };
  const texts = ["", "!", "%3Cscript%3E", "A".repeat(200000), "AQ", null, 17];
  for (let i = 0; i < count; i++) {
    const legal = game.legal(state);
    state = legal.length ? game.play(state, legal[random() % legal.length], random) : game.start(random);
    const text = Array.from(game.pack(state));
    for (let k = random() % 4; k >= 0; k--) text[random() % text.length] = letters[random() % 64];
    if (random() % 4 === 0) text.length = random() % text.length;
    texts.push(text.join(""));
  }
  for (const text of texts) {
    let found;
    try { found = game.unpack(text); } catch (error) {
      if (!(error instanceof Error)) throw new Error("an error of another kind");
      told.refused++;
      continue;
    }
    told.read++;
    const again = game.unpack(game.pack(found));
    if (again.bytes.some((byte, i) => byte !== found.bytes[i])) throw new Error("it is packed otherwise");
    game.data(found); game.outcome(found); game.sight(found, 0);
    const legal = game.legal(found).slice(0, 5);
    for (const action of legal) { game.note(found, action); game.play(found, action, random); told.plies++; }
  }
  return told;
}"""


def test_text_from_an_address_is_a_position_of_the_types_or_an_error(connect: Page) -> None:
    told = connect.evaluate(UNPACKED, 1500)
    assert min(told.values()) > 50


@pytest.mark.parametrize(
    "call",
    [
        "game.position({nowhere: 1})",
        "game.position(JSON.parse('{\"__proto__\": 1}'))",
        "game.position({mover: 3})",
        "game.position({mover: {}})",
        "game.position({pyramid: 'x'})",
        "game.start({given: ['[1, 2]'], random: () => 0})",
        "game.start({given: ['<b>'], random: () => 0})",
        "game.start({given: [{}], random: () => 0})",
        "game.start(null)",
        "game.refusals(game.start(rulespec.randomNumbers(1)), {action: 0, values: [1e9, -1]})",
        "game.refusals(game.start(rulespec.randomNumbers(1)), {action: 99, values: []})",
        "rulespec.load({format: 2})",
    ],
)
def test_wrong_data_is_an_error_in_words_and_the_game_goes_on(connect: Page, call: str) -> None:
    found: list[Any] = connect.evaluate(f"""() => {{
      let told = null;
      try {{ {call}; }} catch (error) {{
        told = [error instanceof Error, error instanceof TypeError, error.message];
      }}
      return [told, game.legal(game.start(rulespec.randomNumbers(1))).length];
    }}""")
    told, legal = found
    assert told is not None and told[:2] == [True, False] and told[2]
    assert legal > 0


def test_no_text_takes_long_to_be_read_as_an_action(connect: Page) -> None:
    texts = [
        "(" * 900,
        "pair " * 180,
        "pair(" + "6C, " * 200 + ")",
        " " * 5000,
        "a" * 100_000,
        "pair(,)",
        "[]" * 400,
    ]
    found = connect.evaluate(
        """(texts) => {
      const state = game.start(rulespec.randomNumbers(1));
      return texts.map((text) => game.read(state, text));
    }""",
        texts,
    )
    assert found == [None] * len(texts)


@pytest.mark.parametrize("key", ["plays", "key", "given"])
def test_a_long_text_of_a_record_is_shown_in_part(connect: Page, key: str) -> None:
    """One action of 4.9 MB took 4.6 seconds, for the browser laid it out in the message."""
    found = connect.evaluate(
        """async (key) => {
      const long = "take ".repeat(900000), { about } = game;
      rulespec.bundles.long = game.bundle;
      const block = document.createElement("div");
      const setting = { key: "long", file: "", players: 2, label: "", parameters: {}, readings: {} };
      document.body.append(block);
      const table = await rulespec.open(block, { title: "Long", settings: [setting] });
      const record = { record: 1, ruleset: about.ruleset, digest: about.digest, players: 2, plays: [] };
      if (key === "plays") record.plays = [long];
      else if (key === "given") record.given = { [long]: 1 };
      else record[long] = 1;
      await table.guarded(() => table.load(JSON.stringify(record)));
      const said = block.querySelector(".rs-reason").textContent;
      block.remove();
      return said;
    }""",
        key,
    )
    assert "take take" in found
    assert len(found) < 1100


PLAYED = """async () => {
  const block = document.createElement("div"), setting = { key: "slow", file: "", players: 2, label: "" };
  document.body.append(block);
  const table = await rulespec.open(block, { title: "Slow", settings: [setting] }), { game } = table.play;
  table.seats.kinds.fill("person");
  const told = [], tell = () => told.push([
    block.querySelector(".rs-reason").textContent.split(" take ")[0],
    block.querySelectorAll(".rs-action").length, table.play.at,
  ]);
  table.seated();
  tell();
  block.querySelector(".rs-action").click();
  tell();
  for (const state of [table.play.state, game.start(null)]) {
    const action = game.legal(state)[1];
    try { game.play(state, action, null); } catch (error) { told.push(error instanceof rulespec.TooSlow); }
  }
  table.go(0);
  tell();
  block.remove();
  return told;
}"""


@pytest.mark.parametrize("way", SLOW_WAYS)
def test_rules_that_take_hours_stop_and_the_page_says_so(player_page: Page, tmp_path: Path, way: str) -> None:
    game = loaded(tmp_path, SLOW.replace("FORMAL", SLOW_WAYS[way]), "slow")
    player_page.add_script_tag(content=bundle_script("slow", game))
    first = ["", 9, 0]
    assert player_page.evaluate(PLAYED) == [first, ["The rules of this game", 9, 0], True, True, first]


def test_the_work_of_a_call_counts_each_step_of_a_loop(player_page: Page) -> None:
    game = rulespec.load("connect-four")
    player_page.add_script_tag(content=bundle_script("limited", game))
    found = player_page.evaluate("""() => {
      const game = rulespec.load(rulespec.bundles.limited), { left } = game.machine;
      const work = (act) => { act(); return rulespec.MOST_WORK - Number(left.value); };
      const start = game.start(null), rest = (most) => {
        const legal = BigInt(game.list(start));
        game.machine.put(game.c, 0, [0, 1, 0, 0, 0, 0, start.draws]);
        game.machine.longs[game.c / 8] = 1n;
        return work(() => game.exports.rest(game.s, game.b, game.c, game.m, legal, BigInt(most)));
      };
      const one = rest(1), all = rest(1000);
      const both = work(() => game.machine.within(() => { game.legal(start); game.legal(start); }));
      return [all > 5 * one, both === 2 * work(() => game.legal(start)), one > 0];
    }""")
    assert found == [True, True, True]


RECORD = {"record": 1, "ruleset": "pig", "digest": "", "players": 2, "chance": ["1"], "plays": ["roll"]}
AT_START = {"ended": None, "scores": {"1": 0, "2": 0}, "winners": []}


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({}, "1"),
        ({"outcome": AT_START}, "1"),
        ({"chance": ["1", "3", "4"]}, "2 chance outcomes were never drawn"),
        ({"plays": []}, "1 chance outcomes were never drawn"),
        ({"chance": ["7"]}, "draw 1 cannot give 7"),
        ({"outcome": AT_START | {"scores": {"1": 5, "2": 0}}}, "the record says scores: "),
        ({"outcome": AT_START | {"winners": [2]}}, "the record says winners: [2], but it is []"),
        ({"outcome": {"ended": "stuck"}}, 'the record says ended: "stuck", but it is null'),
        ({"outcome": {"__proto__x": 1}}, "The outcome of a record has ended, scores and winners."),
    ],
)
def test_a_record_that_tells_of_another_play_is_refused(
    player_page: Page, changed: dict[str, Any], said: str
) -> None:
    player_page.add_script_tag(content=bundle_script("pig", rulespec.load("pig")))
    found = player_page.evaluate(
        """(text) => {
      const game = rulespec.load(rulespec.bundles.pig);
      try { return String(rulespec.Play.again(game, rulespec.readRecord(text), () => 0).at); }
      catch (error) { return error.message; }
    }""",
        json.dumps(RECORD | changed),
    )
    assert found.startswith(said)
