"""The page of puzzles: links that open deals, answers that a replay shows, and faults where it does not."""

from __future__ import annotations

import json
import re
import zlib
from base64 import urlsafe_b64decode
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from texts import HEAPS

from rulespec.book.content.page import Links, Page
from rulespec.book.content.puzzles import file_of, puzzles
from rulespec.core.digest import of_claim
from rulespec.play.face import Game, load
from rulespec.play.records.files import read_record, replay
from rulespec.solver.surveys import generate


@pytest.fixture(scope="module")
def heaps(tmp_path_factory: pytest.TempPathFactory) -> Game:
    """A game with six puzzles; from four counters on, the fewest is no end of its range."""
    file = tmp_path_factory.mktemp("games") / "heaps.yaml"
    file.write_text(HEAPS)
    game = load(str(file))
    file_of(game).write_text(generate(str(file), 4, [], "three", jobs=1).to_json())
    return game


@pytest.fixture
def made(heaps: Game) -> Callable[..., Page]:
    """Makes the page, after changes of the text of the file, which are undone."""

    def make(*changes: tuple[str, str]) -> Page:
        file = file_of(heaps)
        before = changed = file.read_text()
        for old, new in changes:
            assert old in changed
            changed = changed.replace(old, new)
        file.write_text(changed)
        try:
            return puzzles(heaps, Links())
        finally:
            file.write_text(before)

    return make


def test_each_deal_opens_by_its_link_and_its_answer_is_replayed(
    heaps: Game, made: Callable[..., Page]
) -> None:
    page = made()
    assert not page.faults
    assert sorted(re.findall(r'id="deal-(\d)"', page.markdown)) == [*"1234"]
    assert [*re.findall(r"^## (\w+)", page.markdown, re.MULTILINE)] == ["Easy", "Medium", "Hard"]
    assert page.markdown.count("it can be done, as <a") == 4
    assert page.markdown.count(' data-answer="it can be done">') == 4
    deals = json.loads(file_of(heaps).read_text())["deals"]
    links = re.findall(
        r'id="deal-(\d)".*?><a href="#play=0~([\w-]+)".*?href="#play=3~([\w-]+)"', page.markdown
    )
    assert len(links) == 4
    for number, start, whole in links:
        chance = tuple(deals[int(number) - 1]["chance"])
        for text, plies in ((start, 0), (whole, 3)):
            data = urlsafe_b64decode(text + "=" * (-len(text) % 4))
            record = read_record(zlib.decompress(data, -zlib.MAX_WBITS).decode())
            [*_, end] = replay(record, heaps)
            assert (end.chance, len(end.plays)) == (chance, plies)


def test_what_no_replay_shows_is_open(heaps: Game, made: Callable[..., Page]) -> None:
    fewest = generate(heaps.name, 1, [], "fewest", jobs=1).to_json()
    page = made((file_of(heaps).read_text(), fewest))
    assert not page.faults
    assert re.search(r"\d can be reached, as .*; whether that is the best is open", page.markdown)


def test_puzzles_of_other_rules_and_wrong_plays_are_faults(heaps: Game, made: Callable[..., Page]) -> None:
    page = made((heaps.core.digest, "0" * 64))
    assert ["made for other rules" in d.message for d in page.faults] == [True]
    page = made(('"take 1"', '"take 2"'))
    assert page.faults
    assert all("the puzzles of `heaps`: Deal" in d.message for d in page.faults)
    assert made(('"deals": [', '"deal": [')).faults
    assert made(('"length": 3', '"length": -3')).faults, "a number of actions is not below 0"


def test_puzzles_ask_for_a_goal(tmp_path: Path) -> None:
    """Of a false invariant, which holds where a play ends, the page said that it can be done."""
    file = tmp_path / "heaps.yaml"
    file.write_text(f"{HEAPS}- id: few\n  prose: There are never more than two.\n  invariant: left <= 2\n")
    game = load(str(file))
    made = generate(str(file), 1, [], "three", jobs=1)
    forged = replace(made, claim="few", claim_digest=of_claim(game.core.claims["few"]))
    file_of(game).write_text(forged.to_json())
    page = puzzles(game, Links())
    assert ["`few` is no goal that a play could reach" in d.message for d in page.faults] == [True]
    assert "can be done" not in page.markdown


def test_a_play_of_another_deal_shows_nothing(heaps: Game, made: Callable[..., Page]) -> None:
    """The answer of a deal was shown by a play of another one, and its link opened the deal itself."""
    text = file_of(heaps).read_text()
    deals = json.loads(text)["deals"]
    one = deals[0]
    other = next(deal for deal in deals if deal["chance"] != one["chance"])
    forged = {**one, "chance": other["chance"]}
    page = made((json.dumps(one, ensure_ascii=False), json.dumps(forged, ensure_ascii=False)))
    assert ["its play is one of another deal" in d.message for d in page.faults] == [True]


def test_a_sum_over_plies_is_that_of_its_play(tmp_path: Path) -> None:
    """The number at the end of the play was shown in place of the sum, and as the best of its range."""
    file = tmp_path / "heaps.yaml"
    file.write_text(HEAPS.replace("  least: taken\n", "  least: 4 - taken\n  summed-over: plies\n"))
    game = load(str(file))
    made = generate(str(file), 3, [], "fewest", jobs=1)
    file_of(game).write_text(made.to_json())
    page = puzzles(game, Links())
    shown = re.findall(r"</a>: (-?\d+) can be reached", page.markdown)
    assert (page.faults, sorted(shown)) == ([], sorted(str(one.measures["value"]) for one in made.deals))


def test_a_sum_of_what_never_falls_may_be_lower_on_another_way(tmp_path: Path) -> None:
    """The page called the least sum out of reach as soon as one number was above it."""
    file = tmp_path / "heaps.yaml"
    for further, is_rising in (("", True), ("  summed-over: plies\n", False)):
        file.write_text(HEAPS.replace("  least: taken\n", f"  least: taken\n{further}"))
        game = load(str(file))
        file_of(game).write_text(generate(str(file), 1, [], "fewest", jobs=1).to_json())
        assert (" data-rises" in puzzles(game, Links()).markdown) is is_rising
