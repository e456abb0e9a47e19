"""Games are played in their pages to the end, by mouse, keyboard and list, as the interpreter plays them."""

from __future__ import annotations

import random
from base64 import urlsafe_b64encode
from pathlib import Path
from typing import Any
from zlib import compress

import pytest
from playwright.sync_api import Page, expect
from shipped_games import load

from browser.conftest import GAMES, ROOT, Opener, Seen
from browser.test_pages_in_browser import faults
from rulespec.book.site import build
from rulespec.cli.board import ending_text
from rulespec.play.examples import begin
from rulespec.play.records.files import read_record, replay

PLAYED = ("sacred-alignment-small", "leistiko", "stout-lucky", "smith")
"""The four games; small Ziggurat and lucky Stout, for random plays of the others take thousands of plies."""
CLASSICS = ("connect-four", "kuhn-poker")
BY_HAND = 5
"""So many actions of a play are taken with mouse and keyboard; the rest are clicked in the list."""
LONGEST, SHORT = 20_000, [300, 3_000]
TABLE = "document.querySelector('.rs-play-here').rulespecTable"
NEXT_SPOT = f"""number => {{
  const {{ choices }} = {TABLE};
  const meant = (spot) => spot.actions.has(number) || spot.drawn.has(number);
  const spot = !choices.way && choices.spots.find((one) => choices.isOpen(one) && meant(one));
  const way = spot && choices.ways(spot).find((one) => one.meant.includes(number));
  return spot ? [spot.key, ...(way ? way.middle : [0, 0])] : null;
}}"""
"""The next thing to point at for a legal action by its number, and where what is laid down has its middle."""
TURNED = f"""number => {{
  const {{ choices }} = {TABLE};
  return Boolean(choices && choices.held && !choices.way.meant.includes(number));
}}"""
"""True if what is held lies in another way than for an action."""
STANDING = f"""() => {{
  const {{ play, texts }} = {TABLE};
  return {{ at: play.at, over: play.game.mover(play.state) < 0, texts }};
}}"""
REST = f"""(seed) => {{
  const random = rulespec.randomNumbers(seed), table = {TABLE}, {{ game }} = table.play;
  const pick = (state, dice) => {{ const legal = game.legal(state); return legal[dice() % legal.length]; }};
  const short = () => {{
    for (const most of {SHORT}) {{
      for (let number = 0; number < 300; number++) {{
        const dice = rulespec.randomNumbers(number), way = [];
        let state = table.play.state;
        while (game.mover(state) >= 0 && way.length < most) {{
          way.push(pick(state, dice));
          state = game.play(state, way.at(-1), dice);
        }}
        if (game.mover(state) < 0) return way;
      }}
    }}
    throw new Error("no short play");
  }};
  const way = short();
  for (let ply = 0; ply < {LONGEST} && game.mover(table.play.state) >= 0; ply++) {{
    const curtain = document.querySelector(".rs-curtain:not([hidden]) button");
    if (curtain) curtain.click();
    const {{ state }} = table.play, legal = game.legal(state);
    let action = way[ply];
    if (!action || !legal.some((one) => game.compare(one, action) === 0)) {{
      action = pick(state, random);
    }}
    table.list.filter.value = game.note(state, action);
    table.list.filter.dispatchEvent(new Event("input"));
    const listed = [...document.querySelectorAll(".rs-action-list button")];
    listed.find((one) => game.compare(one.action, action) === 0).click();
  }}
}}"""
"""Clicks in the list to the end of the play: on those of a short random play."""


def open_table(opened: Opener, path: str) -> Seen:
    """A page with its table open, a person at each seat."""
    seen = opened(path)
    seen.page.get_by_role("button", name="Play here").click()
    seen.page.locator(".rs-player").wait_for()
    seen.page.wait_for_function(f"() => {TABLE} && {TABLE}.play")
    seat_persons(seen.page)
    return seen


def seat_persons(page: Page) -> None:
    page.evaluate(f"{TABLE}.isAutomatic = false; {TABLE}.seats.kinds.fill('person'); {TABLE}.seated()")


def play_by_hand(page: Page, number: int, way: str) -> None:
    """Take a legal action by its number with mouse or keyboard on the board, else in the list or typed."""
    text = page.evaluate(f"number => {TABLE}.texts[number]", number)
    at = page.evaluate(f"{TABLE}.play.at")
    while (found := page.evaluate(NEXT_SPOT, number)) is not None:
        key, *middle = found
        target = page.locator(f'.rs-spot[data-key="{key}"]')
        if way == "mouse":
            box = target.bounding_box()
            assert box is not None
            x, y = (
                box[side] * (0.5 + 0.4 * part) for side, part in zip(("width", "height"), middle, strict=True)
            )
            target.click(position={"x": x, "y": y})
        else:
            target.focus()
            page.keyboard.press("Enter")
            while page.evaluate(TURNED, number):
                page.keyboard.press("r")
            if page.locator(".rs-which .rs-strong").is_visible():
                page.locator(".rs-which .rs-strong").focus()
                page.keyboard.press("Enter")
        if page.evaluate(f"{TABLE}.play.at") != at:
            return
    listed = page.locator(".rs-action-list button").get_by_text(text, exact=True)
    if listed.count():  # a list of many actions shows the first of them
        listed.first.click()
    else:
        page.get_by_placeholder("Find or type an action").fill(text)
        page.keyboard.press("Enter")


def record_of(page: Page) -> str:
    """The record of the play at the table, as the page saves it."""
    with page.expect_download() as download:
        page.get_by_role("button", name="Save the record as a file").click()
    return Path(download.value.path()).read_text(encoding="utf-8")


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", [*PLAYED, *CLASSICS])
def test_a_game_is_played_to_its_end(opened: Opener, name: str) -> None:
    seen = open_table(opened, f"rulebooks/{name}.html")
    page, rng = seen.page, random.Random(name)
    legal: list[list[str]] = []
    for ply in range(BY_HAND):
        curtain = page.locator(".rs-curtain button")
        if curtain.is_visible():
            curtain.click()
        standing: dict[str, Any] = page.evaluate(STANDING)
        if standing["over"]:
            break
        legal.append(standing["texts"])
        play_by_hand(page, rng.randrange(len(legal[-1])), ("mouse", "keyboard")[ply % 2])
        assert page.evaluate(f"{TABLE}.play.at") == ply + 1
    page.evaluate(REST, len(name))
    assert page.evaluate(STANDING)["over"]
    record = read_record(record_of(page))
    assert record.ruleset == name
    states = [*replay(record)]
    assert states[-1].is_over
    for state, texts in zip(states, legal, strict=False):
        assert sorted(map(str, state.actions())) == sorted(texts)
    assert record.outcome is not None
    assert record.outcome["ended"] == states[-1].ended_by
    assert seen.wrong == []


def test_the_large_ziggurat_is_laid_to_its_end(opened: Opener) -> None:
    """All 28 dominoes, as in the play of the page that needs no cheat, typed one by one."""
    seen = opened("rulebooks/sacred-alignment.html")
    page = seen.page
    traces = page.locator(".rs-trace[data-play]").all()
    max(traces, key=lambda trace: trace.locator("li").count()).locator(".rs-again").click()
    page.wait_for_function(f"() => {TABLE} && {TABLE}.play")
    way = page.evaluate(f"{TABLE}.play.steps.map((step) => step.note)")
    page.evaluate(f"{TABLE}.go(0)")
    for text in way:
        page.get_by_placeholder("Find or type an action").fill(text)
        page.keyboard.press("Enter")
    record = read_record(record_of(page))
    states = [*replay(record)]
    assert [str(play) for play in record.plays] == way
    assert len(way) >= 28
    assert states[-1].is_over
    assert record.outcome is not None
    assert record.outcome["ended"] == states[-1].ended_by != "stuck"
    assert seen.wrong == []


def test_undo_steps_and_the_address_of_a_play(opened: Opener, address: str) -> None:
    seen = open_table(opened, "rulebooks/tic-tac-toe.html")
    page = seen.page
    for number in (4, 0, 3):
        play_by_hand(page, number, "mouse")
    position = f"String({TABLE}.play.state.bytes)"
    after = page.evaluate(position)
    page.get_by_role("button", name="Undo").click()
    assert page.evaluate(f"{TABLE}.play.steps.length") == 2
    before = page.evaluate(position)
    page.get_by_role("button", name="One action back").click()
    assert page.evaluate(f"{TABLE}.play.at") == 1
    page.get_by_role("button", name="Last position").click()
    assert page.evaluate(position) == before != after
    page.get_by_role("button", name="Copy the address of this play").click()
    page.wait_for_url("**#play=*")
    shared = page.url
    again = opened(shared).page
    again.wait_for_function(f"() => {TABLE} && {TABLE}.play")
    assert again.evaluate(position) == before
    seat_persons(again)
    play_by_hand(again, 0, "keyboard")
    record = read_record(record_of(again))
    assert record.given is None
    assert len([*replay(record)]) == 4
    assert seen.wrong == []


PLAYED_OUT = f"""(plays) => {{
  const table = {TABLE};
  table.go(0);
  for (const text of plays) table.act(table.play.game.read(table.play.state, text));
  const marks = table.scene(null).marks.filter((mark) => mark.new);
  const pieces = marks.filter(({{ kind }}) => kind !== "square");
  return [pieces.map(({{ name }}) => name).sort(), table.status.textContent];
}}"""
"""Plays to the end: the names of what is marked as new, and the words about the end."""


def test_the_line_that_wins_is_marked(opened: Opener) -> None:
    """Only the last move was marked. A board that is full rests on no line, and there the last move is."""
    page = open_table(opened, "rulebooks/tic-tac-toe.html").page
    line = ["put 1.1", "put 2.1", "put 2.2", "put 3.1", "put 3.3"]
    marked, told = page.evaluate(PLAYED_OUT, line)
    assert marked == ["1.1", "2.2", "3.3"]
    assert "Marked on the board: 1.1, 2.2 and 3.3." in told
    full = ["1.1", "2.1", "3.1", "2.2", "1.2", "1.3", "2.3", "3.2", "3.3"]
    marked, told = page.evaluate(PLAYED_OUT, [f"put {square}" for square in full])
    assert marked == ["3.3"]
    assert "Nobody wins." in told
    assert "Marked" not in told


def test_a_tie_break_is_named(opened: Opener) -> None:
    """The page said that a tie-break decides, and not which. The terminal says the same."""
    game = load("leistiko")
    example = next(one for rule in game.core.rules for one in rule.examples if one.id == "fewer-left")
    page = open_table(opened, "rulebooks/leistiko.html").page
    written = {"given": begin(game, example.data).to_data(), "plays": example.data["play"]}
    key = page.evaluate(f"{TABLE}.manifest.settings[{TABLE}.setting].key")
    page.evaluate(f"(written) => {TABLE}.resume(written)", {**written, "key": key})
    told = "The scores are equal, so the tie-break decides. "
    told += "Fewer dominoes left win: Player 1 has 0, Player 2 has 1."
    expect(page.locator(".rs-status")).to_contain_text(told)
    state = begin(game, example.data).play(*example.data["play"])
    assert told in ending_text(state).replace("\n", " ")


def test_an_address_is_opened_in_a_page_that_is_there(opened: Opener) -> None:
    """An address pasted over that of its page was not read. That of one's own table takes no play back."""
    page = open_table(opened, "rulebooks/nim.html").page
    play_by_hand(page, 0, "keyboard")
    page.get_by_role("button", name="Copy the address of this play").click()
    page.wait_for_url("**#play=*")
    shared, position = page.url, page.evaluate(f"String({TABLE}.play.state.bytes)")
    other = opened("rulebooks/nim.html").page
    other.goto(shared)
    other.wait_for_function(f"() => {TABLE} && {TABLE}.play")
    expect(other.locator(".rs-status")).to_contain_text("Your turn, Player 2")
    assert other.evaluate(f"String({TABLE}.play.state.bytes)") == position
    play_by_hand(page, 0, "keyboard")
    page.evaluate("location.hash = 'content'")
    page.go_back()
    page.wait_for_timeout(200)
    assert page.url == shared
    assert page.evaluate(f"{TABLE}.play.at") == 2


RECORD = '{"record": 1, "ruleset": "nim", "digest": "", "players": 2, "plays": ["take 1 from 9"]}'


def address_of(text: str) -> str:
    """The address in which the text of a record is shared."""
    return "#play=0~" + urlsafe_b64encode(compress(text.encode(), wbits=-15)).decode().rstrip("=")


@pytest.mark.sampled(3)
@pytest.mark.parametrize(
    "wrong",
    ["#play=00000000.AAAA", "#play=", "#play=x.%3Cb%3E", "KEY.AAAA", "KEY.____", "#play=0~AAAA", "#play=1~!"]
    + [address_of(text) for text in ("no record", RECORD, RECORD[:-1])]
    + [address_of(" " * 5_000_001)],
)
def test_an_address_of_no_play_is_refused(opened: Opener, site: Path, wrong: str) -> None:
    text = (site / "rulebooks" / "nim.html").read_text(encoding="utf-8")
    key = text.partition("&quot;settings&quot;:[{&quot;key&quot;:&quot;")[2].partition("&quot;")[0]
    seen = opened(f"rulebooks/nim.html{wrong.replace('KEY', f'#play={key}')}")
    seen.page.wait_for_function(f"() => {TABLE} && {TABLE}.play")
    expect(seen.page.locator(".rs-reason")).not_to_be_empty()
    assert seen.page.evaluate(f"{TABLE}.play.at") == 0
    assert seen.wrong == []


def test_a_play_survives_a_reload_until_its_table_is_closed(opened: Opener) -> None:
    seen = open_table(opened, "rulebooks/smith.html")
    page = seen.page
    seat_persons(page)
    for _ in range(4):
        page.evaluate(f"{TABLE}.act({TABLE}.play.game.legal({TABLE}.play.state)[0])")
    page.evaluate(f"{TABLE}.go(2)")
    record = record_of(page)
    page.reload()
    page.wait_for_function(f"() => {TABLE} && {TABLE}.play && {TABLE}.play.at === 2")
    assert record_of(page) == record
    assert page.evaluate(f"{TABLE}.seats.persons.length") == page.evaluate(f"{TABLE}.seats.names.length")
    page.evaluate(f"{TABLE}.close()")
    page.reload()
    assert page.locator(".rs-player").count() == 0
    assert seen.wrong == []


def test_a_record_goes_into_a_file_and_comes_back(opened: Opener, tmp_path: Path) -> None:
    seen = open_table(opened, "rulebooks/smith.html")
    page = seen.page
    page.evaluate(REST, 3)
    text = record_of(page)
    (tmp_path / "smith.json").write_text(text, encoding="utf-8")
    page.get_by_role("button", name="First position").click()
    page.locator("input[type=file]").set_input_files(tmp_path / "smith.json")
    page.wait_for_function(f"() => {TABLE}.play.at > 0")
    assert record_of(page) == text
    assert seen.wrong == []


REFUSED = [
    ("no record", "not in JSON"),
    ('{"record": 2}', "no record of a play"),
    ('{"record": 1, "plays": [], "extra": 1}', "no key extra"),
    (RECORD.replace('"digest": ""', '"digest": "0"'), "other rules"),
    (RECORD.replace('"players": 2', '"players": 7'), "does not carry the settings"),
    (RECORD.replace('"ruleset": "nim"', '"ruleset": "chess"'), "other rules"),
    (RECORD, "ply 1"),
]
"""Files that are no record for the table, each with part of the reason: another one than the last."""


def test_a_file_that_is_no_record_is_refused(opened: Opener, tmp_path: Path) -> None:
    seen = open_table(opened, "rulebooks/nim.html")
    for text, said in REFUSED:
        (tmp_path / "wrong.json").write_text(text, encoding="utf-8")
        seen.page.locator("input[type=file]").set_input_files(tmp_path / "wrong.json")
        expect(seen.page.locator(".rs-reason")).to_contain_text(said)
        assert seen.page.evaluate(f"{TABLE}.play.steps.length") == 0


def test_a_curtain_hides_the_hands_of_others(opened: Opener) -> None:
    page = open_table(opened, "rulebooks/smith.html").page
    curtain = page.locator(".rs-curtain")
    expect(curtain).to_be_visible()
    expect(page.locator(".rs-scene svg")).to_have_count(0)
    expect(page.locator(".rs-action-list button")).to_have_count(0)
    curtain.get_by_role("button").click()
    drawn = page.locator(".rs-scene").inner_html()
    all_open = f"rulespec.drawn({TABLE}.play.game.scene({TABLE}.play.state, null)).parts.join()"
    assert drawn.count("rs-back") > page.evaluate(all_open).count("rs-back")
    page.locator(".rs-action-list button").first.click()
    expect(curtain).to_be_visible()
    expect(page.locator(".rs-scene svg")).to_have_count(0)


def test_a_touch_does_not_take_the_curtain_away(opened: Opener) -> None:
    """The click that follows a touch met the curtain's button, which lay under the finger by then."""
    page = opened("rulebooks/leistiko.html", phone=True, touch=True).page
    page.get_by_role("button", name="Play here").tap()
    page.wait_for_function(f"() => {TABLE} && {TABLE}.play")
    seat_persons(page)
    page.add_style_tag(content=".rs-curtain button { width: 100%; height: 24rem; }")
    page.locator(".rs-curtain button").tap()
    page.locator(".rs-held").nth(1).tap()
    while page.evaluate(f"{TABLE}.play.at") == 0:
        done = page.locator(".rs-which .rs-strong")
        (done if done.is_visible() else page.locator(".rs-spot:not(.rs-held):not(.rs-taken)").first).tap()
    page.wait_for_timeout(200)
    expect(page.locator(".rs-curtain")).to_be_visible()


def test_a_refusal_names_the_rule_and_leads_to_it(opened: Opener) -> None:
    page = open_table(opened, "rulebooks/tic-tac-toe.html").page
    play_by_hand(page, 4, "mouse")
    box = page.locator(".rs-spots").bounding_box()
    assert box is not None
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    link = page.locator(".rs-reason a")
    expect(link.first).to_be_visible()
    expect(page.locator(".rs-reason > p")).to_have_text("“Nought takes 2.2” is not allowed:")
    anchor = str(link.first.get_attribute("href"))
    assert page.evaluate("id => document.getElementById(id) !== null", anchor.removeprefix("#"))
    assert page.evaluate(f"{TABLE}.play.at") == 1
    filter_box = page.get_by_label("Find or type an action")
    filter_box.fill("fly away")
    filter_box.press("Enter")
    expect(page.locator(".rs-reason")).to_contain_text("No such action; actions are written put {s}.")


def test_a_refusal_says_what_is_needed_and_moves_nothing(opened: Opener) -> None:
    """It stated the requirement as a fact, and moved the board down by 58 pixels."""
    page = open_table(opened, "rulebooks/breakthrough.html").page
    page.evaluate("document.querySelector('.rs-player').scrollIntoView()")
    before = page.locator(".rs-scene").bounding_box()
    filter_box = page.get_by_label("Find or type an action")
    filter_box.fill("b6-a5")
    filter_box.press("Enter")
    expect(page.locator(".rs-reason")).to_contain_text("Required: the piece is yours.")
    expect(page.locator(".rs-reason")).to_be_in_viewport()
    assert page.locator(".rs-scene").bounding_box() == before


def test_things_are_dragged(opened: Opener) -> None:
    page = open_table(opened, "rulebooks/breakthrough.html").page
    first = page.locator(".rs-spot").first.bounding_box()
    page.locator(".rs-spot").first.click()
    second = page.locator(".rs-spot:not(.rs-taken)").first.bounding_box()
    page.locator(".rs-taken").click()
    assert first is not None
    assert second is not None
    page.mouse.move(first["x"] + 9, first["y"] + 9)
    page.mouse.down()
    page.mouse.move(second["x"] + 9, second["y"] + 9, steps=4)
    page.mouse.up()
    assert page.evaluate(f"{TABLE}.play.at") == 1


def test_a_swipe_over_a_board_scrolls_the_page(opened: Opener) -> None:
    """It chose the place where it began, which a browser takes for the beginning of a drag."""
    page = opened("rulebooks/tic-tac-toe.html", phone=True, touch=True).page
    page.get_by_role("button", name="Play here").tap()
    box = page.locator(".rs-spot").nth(4).bounding_box()
    assert box is not None
    session = page.context.new_cdp_session(page)
    for step in range(8):
        place = {"x": box["x"] + 20, "y": box["y"] + 20 + 3 * step}
        kind = "touchMove" if step else "touchStart"
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [place]})
    session.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert page.evaluate(f"{TABLE}.choices.chosen.length") == page.evaluate(f"{TABLE}.play.at") == 0
    page.locator(".rs-spot").nth(4).tap()
    page.wait_for_function(f"() => {TABLE}.play.at > 0")


def test_a_table_opens_at_the_top_and_says_what_to_do(opened: Opener) -> None:
    """A header's height was left free twice, and a stranger read `You are to move, 600 actions`."""
    page = open_table(opened, "rulebooks/sacred-alignment.html").page
    box = page.locator(".rs-player").bounding_box()
    assert box is not None
    assert box["y"] < 90
    expect(page.locator(".rs-status")).to_have_text("What can be chosen is outlined. Your turn. ")


def test_what_is_done_besides_is_a_button_from_the_beginning(opened: Opener) -> None:
    page = open_table(opened, "rulebooks/sacred-alignment.html").page
    draws = page.locator(".rs-which button")
    for pressed in ("true", "false", "true"):
        expect(draws).to_have_text("and draws")
        expect(draws).to_have_attribute("aria-pressed", "true")
        if pressed == "false":
            draws.click()
        for _ in range(2):
            page.locator(".rs-spot:not(.rs-taken)").last.click()
    notes = page.evaluate(f"{TABLE}.play.steps.map((step) => step.note)")
    assert [note.endswith(" and draw") for note in notes] == [True, False, True]


def test_a_tile_is_turned_before_it_is_laid_down(opened: Opener) -> None:
    page = open_table(opened, "rulebooks/sacred-alignment.html").page
    way = f"{TABLE}.choices.aim({TABLE}.board.over, {TABLE}.board.at)"
    pose = f"{way}.pose"
    page.locator(".rs-held").first.click()
    place = page.locator(".rs-spot:not(.rs-held)").nth(14)
    place.hover()
    expect(page.locator(".rs-scene g.h").first).to_be_visible()
    seen = [page.evaluate(pose)]
    for turn in (
        lambda: page.mouse.wheel(0, 100),
        lambda: page.keyboard.press("r"),
        lambda: page.keyboard.press("r"),
    ):
        turn()
        page.wait_for_function(f"pose => {pose} !== pose", arg=seen[-1])
        seen.append(page.evaluate(pose))
    assert len({*seen}) == 4
    meant = page.evaluate(f"{way}.meant.map((i) => {TABLE}.texts[i])")
    place.click()
    assert page.evaluate(f"{TABLE}.play.steps[0].note") in meant


def test_machines_play_a_game_to_its_end(opened: Opener) -> None:
    for name, kinds in (("tic-tac-toe", ["good", "beginner"]), ("kuhn-poker", ["beginner", "random"])):
        seen = open_table(opened, f"rulebooks/{name}.html")
        seen.page.evaluate(f"kinds => {{ {TABLE}.seats.kinds = kinds; {TABLE}.seated(); }}", kinds)
        seen.page.wait_for_function(f"() => {TABLE}.play.game.outcome({TABLE}.play.state)")
        assert [*replay(read_record(record_of(seen.page)))][-1].is_over
        assert seen.wrong == []


def test_a_machine_that_cannot_think_says_so(opened: Opener) -> None:
    """Where a site forbids workers of their own text, the table was thinking for ever."""
    page = open_table(opened, "rulebooks/nim.html").page
    policy = """<meta http-equiv="Content-Security-Policy" content="worker-src 'none'">"""
    page.evaluate("policy => document.head.insertAdjacentHTML('beforeend', policy)", policy)
    page.evaluate(f"{TABLE}.seats.kinds.fill('beginner'); {TABLE}.seated()")
    expect(page.locator(".rs-reason")).to_contain_text("does not let the machine play")
    expect(page.locator(".rs-status")).to_contain_text("has not moved")


CHOICE = """([name, count]) => {
  const table = document.querySelector(".rs-play-here").rulespecTable, { game } = table.play;
  const seen = (play, state) => JSON.stringify(rulespec.viewOf(play, game.mover(state)));
  const found = [], start = (seed) => rulespec.Play.start(game, rulespec.randomNumbers(seed));
  for (let seed = 0; seed < count; seed++) found.push(start(seed));
  return found.map((play) => [seen(play, play.state), game.pack(play.state)]);
}"""


def test_a_seat_of_the_machine_gets_what_it_sees(opened: Opener) -> None:
    """Deals that look the same to a seat give the worker the same view."""
    page = open_table(opened, "rulebooks/kuhn-poker.html").page
    views = page.evaluate(CHOICE, ["kuhn-poker", 40])
    assert len({packed for _, packed in views}) > len({view for view, _ in views}) == 3


def test_playing_goes_on_from_a_figure_and_from_a_play(opened: Opener) -> None:
    seen = opened("rulebooks/sacred-alignment.html")
    page = seen.page
    figure = page.locator("figure[data-play] .rs-again").first
    figure.click()
    page.wait_for_function(f"() => {TABLE} && {TABLE}.play")
    trace = page.locator(".rs-trace[data-play]").first
    trace.get_by_role("button", name="On", exact=True).click()
    trace.locator(".rs-again").click()
    page.wait_for_function(f"() => {TABLE}.play.at === 1")
    shown = trace.locator("li.rs-now > p > code").inner_text()
    assert page.evaluate(f"{TABLE}.play.steps[0].note") == shown
    page.get_by_role("button", name="Close").click()
    expect(trace.locator(".rs-again")).to_be_focused()
    expect(trace.locator(".rs-again")).to_be_in_viewport()
    assert seen.wrong == []


LEAST = """Math.min(...[...document.querySelectorAll(".rs-spot:not(.rs-held), .rs-bar button, .rs-action")]
  .map((one) => one.getBoundingClientRect()).filter(({ width }) => width)
  .map(({ width, height }) => Math.round(Math.min(width, height))))"""
"""The least side of a target in pixels; pieces in a hand are hit beside them, too."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("name", "phone"), [*zip(GAMES, (False, True, True, False), strict=True)])
def test_a_table_keeps_nobody_out(opened: Opener, name: str, phone: bool) -> None:
    """Two games are looked at in a light window of a desktop, two in a dark one of a phone."""
    seen = opened(f"rulebooks/{name}.html", dark=phone, phone=phone)
    seen.page.get_by_role("button", name="Play here").click()
    seen.page.locator(".rs-scene svg").wait_for()
    for summary in seen.page.locator(".rs-player summary").all():
        summary.click()
    assert [*faults(seen.page, within=".rs-player")] == []
    assert seen.wrong == []
    if phone:
        assert seen.page.evaluate(LEAST) >= 40
        assert seen.page.evaluate("document.documentElement.scrollWidth") == 390


HOSTILE = ROOT / "tests" / "book" / "hostile.yaml"
MARKUP = (
    ".rs-player script, .rs-player img, .rs-player style, .rs-player [onclick], .rs-player a[href^='java']"
)


@pytest.mark.parametrize("theme", ["rulespec", "material"])
def test_words_of_a_ruleset_are_no_markup_at_the_table(opened: Opener, tmp_path: Path, theme: str) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Ours\n", encoding="utf-8")
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "hostile.yaml").write_bytes(HOSTILE.read_bytes())
    (tmp_path / "mkdocs.yml").write_text(
        f"site_name: Ours\ntheme: {theme}\nuse_directory_urls: false\n"
        "plugins: [{rulespec: {rulesets: [games]}}]\n",
        encoding="utf-8",
    )
    site = build(tmp_path / "mkdocs.yml", strict=False)
    page = open_table(opened, (site / "rulebooks" / "hostile.html").as_uri()).page
    dialogs: list[str] = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    for summary in page.locator(".rs-player summary").all():
        summary.click()
    text = page.evaluate(f"{TABLE}.texts[0]")
    assert "<img" in text
    page.locator(".rs-action-list button").first.click()
    expect(page.locator(".rs-status")).to_contain_text("<img")
    page.get_by_label("Find or type an action").fill(text)
    page.get_by_label("Find or type an action").press("Enter")
    expect(page.locator(".rs-reason")).to_contain_text("</li></ul>")
    assert page.locator(MARKUP).count() == 0
    assert dialogs == []


def test_a_site_may_leave_the_player_out(opened: Opener, tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "index.md").write_text("# Ours\n", encoding="utf-8")
    (tmp_path / "mkdocs.yml").write_text(
        "site_name: Ours\ntheme: rulespec\nuse_directory_urls: false\n"
        f"plugins: [{{rulespec: {{rulesets: [{ROOT}/rulesets/classics/nim], player: false}}}}]\n",
        encoding="utf-8",
    )
    site = build(tmp_path / "mkdocs.yml", strict=False)
    assert not (site / "assets" / "player.js").exists()
    page = opened((site / "rulebooks" / "nim.html").as_uri()).page
    assert page.locator(".rs-play-here, [data-play]").count() == 0


def test_a_page_opened_as_a_file_plays(opened: Opener, site: Path) -> None:
    seen = open_table(opened, (site / "rulebooks" / "nim.html").as_uri())
    seen.page.evaluate(f"{TABLE}.seats.kinds.fill('beginner'); {TABLE}.seated()")
    seen.page.wait_for_function(f"() => {TABLE}.play.game.outcome({TABLE}.play.state)")
    assert seen.wrong == []


CONTINUED = f"""(number) => {{
  const {{ deal, play }} = {TABLE}, {{ game }} = play, dice = rulespec.randomNumbers(number), found = [];
  for (let k = 0; k < deal.best.steps.length; k += 3) {{
    const tried = rulespec.Play.again(game, {{ chance: play.dealt, plays: [] }}, dice);
    for (const {{ action }} of deal.best.steps.slice(0, k)) tried.play(action, dice);
    for (let more = dice() % 3; more > 0 && game.mover(tried.state) >= 0; more--) {{
      const legal = game.legal(tried.state);
      tried.play(legal[dice() % legal.length], dice);
    }}
    const rest = deal.rest(tried);
    for (const action of rest || []) tried.play(action, dice);
    found.push([rest === null, tried.record()]);
  }}
  return found;
}}"""
"""Random departures from a stored play: true if the page knows no way back, and the record with that way."""


OTHER = f"""(({{ deal, play: {{ game, state }} }}) => {{
  const isBest = (one) => deal.best.steps.some(({{ action }}) => game.compare(one, action) === 0);
  return game.legal(state).find((one) => !isBest(one));
}})({TABLE})"""
"""A legal action that the stored play never takes."""


def test_a_deal_says_what_is_still_possible(opened: Opener) -> None:
    """What the page calls possible is shown by a play that the interpreter replays."""
    seen = opened("rulebooks/sacred-alignment-puzzles.html")
    seen.page.locator("#deal-3 a").first.click()
    seen.page.wait_for_function(f"() => {TABLE} && {TABLE}.deal")
    expect(seen.page.locator(".rs-puzzle")).to_contain_text("Deal 3: the least is 0. Still possible.")
    unknown = 0
    for is_unknown, record in seen.page.evaluate(CONTINUED, 1):
        unknown += is_unknown
        end = [*replay(read_record(record))][-1]
        assert is_unknown or (end.ended_by == "complete" and end.values["cheats"] == 0)
    assert unknown > 0
    seen.page.get_by_role("button", name="What the machine would do").click()
    expect(seen.page.locator(".rs-reason")).to_contain_text("a play to the best known answer")
    seen.page.evaluate(f"{TABLE}.go(0); {TABLE}.act({OTHER})")
    expect(seen.page.locator(".rs-puzzle")).to_contain_text("not known here")
    assert seen.wrong == []


SOLVED = f"""(() => {{
  const table = {TABLE}, {{ best, item }} = table.deal;
  best.steps.forEach(({{ text }}) => table.act(table.play.game.read(table.play.state, text)));
  return [table.puzzle.textContent, item.dataset.best];
}})()"""


def test_the_best_result_of_a_deal_is_kept(opened: Opener) -> None:
    """It is shown beside the play and on the shelf, after a reload too; opening the stored answer is none."""
    page = opened("rulebooks/sacred-alignment-puzzles.html").page
    page.locator("#deal-3 a").nth(1).click()
    page.wait_for_function(f"() => {TABLE} && {TABLE}.deal")
    expect(page.locator(".rs-puzzle")).to_contain_text("You have reached it.")
    assert page.locator("[data-best]").count() == 0
    page.evaluate(f"{TABLE}.go(0)")
    told, best = page.evaluate(SOLVED)
    assert "You have reached it. Your best: 0 cheats." in told
    assert best == "0 cheats"
    page.get_by_role("button", name="Close").click()
    page.goto(page.url.split("#")[0])
    expect(page.locator("#deal-3")).to_have_attribute("data-best", "0 cheats")
    assert page.locator("[data-best]").count() == 1


def test_an_answer_that_is_out_of_reach_is_no_longer_possible(opened: Opener) -> None:
    """A cheat is never taken back, so that no cheats cannot be had after one."""
    page = opened("rulebooks/sacred-alignment-puzzles.html").page
    page.locator("#deal-3 a").first.click()
    page.wait_for_function(f"() => {TABLE} && {TABLE}.deal")
    page.evaluate(
        f"""() => {{
          const table = {TABLE}, {{ game }} = table.play;
          const at = game.about.actions.findIndex(({{ name }}) => name === "lift");
          for (let ply = 0; ply < 60; ply++) {{
            const legal = game.legal(table.play.state), lift = legal.find(({{ action }}) => action === at);
            table.act(lift || legal[0]);
            if (lift) return;
          }}
        }}"""
    )
    expect(page.locator(".rs-puzzle")).to_contain_text("Deal 3: the least is 0. No longer possible.")


def test_a_hint_is_a_guess_from_what_the_seat_knows(opened: Opener) -> None:
    seen = open_table(opened, "rulebooks/kuhn-poker.html")
    seen.page.evaluate(f"{TABLE}.holder = {TABLE}.play.game.mover({TABLE}.play.state); {TABLE}.show()")
    seen.page.get_by_role("button", name="What the machine would do").click()
    expect(seen.page.locator(".rs-reason")).to_contain_text(" of 1500 trial plays begin with it")
    expect(seen.page.locator(".rs-reason")).to_contain_text("% of a win on average")
    assert seen.page.evaluate(f"{TABLE}.play.at") == 0
    assert seen.wrong == []


def test_a_machine_that_thinks_can_be_stopped(opened: Opener) -> None:
    page = open_table(opened, "rulebooks/nim.html").page
    page.evaluate(f"{TABLE}.machine.choose = () => new Promise(() => {{}}); {TABLE}.seats.kinds.fill('good')")
    page.evaluate(f"{TABLE}.seated()")
    page.get_by_role("button", name="Stop").click()
    expect(page.locator(".rs-status")).to_contain_text("has not moved")
    page.evaluate(f"delete {TABLE}.machine.choose")
    page.get_by_role("button", name="Let it move").click()
    page.wait_for_function(f"() => {TABLE}.play.game.outcome({TABLE}.play.state)")


EXERCISE = f"""async () => {{
  const found = [], table = {TABLE};
  for (const button of document.querySelectorAll(".rs-exercise")) {{
    button.click();
    while (table.opener !== button || !table.isExercise) await new Promise((next) => setTimeout(next, 5));
    const {{ play }} = table, {{ game }} = play, said = [];
    for (let at = 0; at < play.steps.length; at++) {{
      const isBook = (one) => game.compare(one, play.steps[at].action) === 0;
      const other = game.legal(play.state).find((one) => !isBook(one));
      if (other) {{
        table.act(other);
        said.push(play.at === at && table.reason.textContent.includes("the book’s move is another"));
      }}
      table.act(play.steps[at].action);
      said.push(play.at === at + 1 && table.play === play);
    }}
    found.push([said.every(Boolean), said.length, table.status.textContent]);
  }}
  return found;
}}"""
"""Every exercise of a page: true if others are answered and the book's actions go on; and the last words."""


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", (*GAMES, "kuhn-poker"))
def test_pictures_of_the_book_are_exercises(opened: Opener, name: str) -> None:
    """The book's moves go on and another legal one does not, by the data of every page."""
    seen = open_table(opened, f"rulebooks/{name}.html")
    for is_right, steps, told in seen.page.evaluate(EXERCISE):
        assert is_right
        assert steps
        assert "That was all of this exercise" in told
    assert seen.wrong == []


def test_an_exercise_begins_with_its_task_and_a_log_has_what_chance_gave(opened: Opener) -> None:
    page = open_table(opened, "rulebooks/tic-tac-toe.html").page
    key = page.evaluate(f"{TABLE}.manifest.settings[{TABLE}.setting].key")
    written = {"key": key, "plays": ["put 2.2"], "exercise": "Take the best square."}
    page.evaluate(f"(written) => {TABLE}.resume(written, 0, true)", written)
    expect(page.locator(".rs-status")).to_have_text("Move 1 of 1. Take the best square. ")
    page.get_by_role("button", name="What the machine would do").click()
    expect(page.locator(".rs-reason")).to_contain_text("2.2")
    expect(page.locator(".rs-reason")).to_contain_text("So does the book.")
    page.evaluate(
        f"{TABLE}.play.steps[0].outcomes = ['4', '[1, 2]']; {TABLE}.isExercise = false; {TABLE}.go(1)"
    )
    expect(page.locator(".rs-status")).to_contain_text(". Chance gives 4. ")


def test_a_deal_is_laid_out_by_clicking(opened: Opener) -> None:
    """Its record deals the chosen things first, and is one that the interpreter replays."""
    page = open_table(opened, "rulebooks/sacred-alignment-puzzles.html").page
    page.get_by_role("button", name="Lay out a deal of your own").click()
    for thing in ("6-6", "0-1", "2-5"):
        page.locator(".rs-which").get_by_role("button", name=thing, exact=True).click()
    page.get_by_role("button", name="Take back").click()
    page.get_by_role("button", name="The rest by chance").click()
    record = read_record(record_of(page))
    assert record.chance[0].startswith("[6-6, 0-1, ")
    assert len({*record.chance[0][1:-1].split(", ")}) == 28
    assert [*replay(record)]
