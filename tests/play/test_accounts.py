"""Records in full: they hold all that was seen and legal, and whatever is otherwise is told."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import handmade
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playouts import playout, random_playout

from rulespec.core.diagnostics import RulesetError
from rulespec.play.face import Game, State, load
from rulespec.play.records import accounts
from rulespec.play.records.files import read_record, replay
from rulespec.play.records.json_lines import WIDTH, lines

GAMES = {name: Game(core) for name, core in handmade.all_games().items()}
CARDS = load("smith-tiny")


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 99), st.integers(0, 12))
def test_a_record_in_full_replays(name: str, seed: int, plies: int) -> None:
    game = GAMES[name]
    state = playout(game.start(seed=seed), seed, most=plies)
    written = state.record(full=True)
    assert read_record(written.to_json()) == written
    assert [*replay(written, game)][-1] == state


@pytest.mark.parametrize("name", ["smith-tiny", "kuhn-poker"])
def test_everything_a_player_sees_can_be_put_together_from_the_accounts(name: str) -> None:
    game = load(name)
    written = read_record(random_playout(game, seed=3).record(full=True).to_json())
    seen: dict[Any, dict[str, Any]] = {player: {} for player in game.players}
    for said, state in zip(written.accounts, replay(written, game), strict=True):
        for player in game.players:
            for part in (accounts.ALL, str(player)):
                seen[player] = patched(seen[player], said["seen"].get(part, {}))
            assert seen[player] == patched({}, state.seen_by(player))
        assert said["legal"] == [str(action) for action in state.actions()]


def patched(before: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    """A mapping after changes, what holds nothing left out."""
    values = {k: patched(before.get(k) or {}, v) if isinstance(v, dict) else v for k, v in change.items()}
    return {k: v for k, v in {**before, **values}.items() if v is not None}


def test_nobody_is_told_what_another_player_sees() -> None:
    written = CARDS.start(seed=1).record(full=True)
    seen = written.accounts[0]["seen"]
    assert "hand[viewer]" not in seen[accounts.ALL]
    assert seen["1"]["hand[viewer]"] != seen["2"]["hand[viewer]"]


def dropped(data: dict[str, Any]) -> None:
    data["plays"][0]["legal"].pop()


def invented(data: dict[str, Any]) -> None:
    data["start"]["legal"].append("take 9 from a")


def mistaken(data: dict[str, Any]) -> None:
    data["plays"][0]["seen"][accounts.ALL]["left"] = {"a": 3}


def unseen(data: dict[str, Any]) -> None:
    del data["plays"][1]["seen"]


def reordered(data: dict[str, Any]) -> None:
    data["start"]["legal"].reverse()


def short() -> State:
    return GAMES["nim"].start().play("take 1 from a").play("take 2 from b")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (dropped, "ply 1, `take 1 from a`: legal now: `take"),
        (invented, "the start: no longer legal: `take 9 from a`"),
        (mistaken, "ply 1, `take 1 from a`: everybody sees left[a]: 3 in the record, 0 now"),
        (unseen, "ply 2, `take 2 from b`: everybody sees: no change in the record"),
    ],
)
def test_a_difference_is_told_with_its_place(change: Callable[[dict[str, Any]], None], message: str) -> None:
    data = short().record(full=True).to_data()
    data = json.loads(json.dumps(data))
    change(data)
    with pytest.raises(RulesetError) as caught:
        list(replay(read_record(json.dumps(data), "play.json"), GAMES["nim"]))
    (found,) = caught.value.diagnostics
    assert found.code == "record.account"
    assert message in found.message
    assert str(found.span).startswith("play.json:")


def test_the_order_of_actions_does_not_count() -> None:
    data = json.loads(json.dumps(short().record(full=True).to_data()))
    reordered(data)
    assert len([*replay(read_record(json.dumps(data)), GAMES["nim"])]) == 3


def test_every_difference_of_a_ply_is_told_but_no_later_one() -> None:
    written = short().record(full=True)
    start, *after = written.accounts
    bad = {**start, "legal": [], "seen": {accounts.ALL: {"mover": 2}}}
    with pytest.raises(RulesetError) as caught:
        list(replay(replace(written, accounts=(bad, bad, *after[1:])), GAMES["nim"]))
    assert len(caught.value.diagnostics) > 2
    assert all(d.message.startswith("the start: ") for d in caught.value.diagnostics)


def test_of_very_many_actions_the_number_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(accounts, "MOST_LISTED", 2)
    written = read_record(short().record(full=True).to_json())
    legal = written.accounts[0]["legal"]
    assert legal["number"] == len(GAMES["nim"].start().moves)
    assert len([*replay(written, GAMES["nim"])]) == 3
    forged = replace(written, accounts=({**written.accounts[0], "legal": {**legal, "sha256": "0"}},
                                        *written.accounts[1:]))  # fmt: skip
    with pytest.raises(RulesetError, match="not all the same"):
        list(replay(forged, GAMES["nim"]))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"plays": ["take 1 from a"]}, "`plays` takes a list of objects with `play`"),
        (
            {"plays": [{"play": "take 1 from a", "heard": 1}]},
            "`plays` takes accounts with observed, seen, scores, legal",
        ),
        ({"start": {"observed": []}}, "`start` takes as `observed` players with an action"),
        ({"start": {"legal": 3}}, "`start` takes as `legal` a list of texts, or a number of them"),
        ({"start": {"legal": {}}}, "`start` takes as `legal` a list of texts, or a number of them"),
    ],
)
def test_what_is_no_account_is_refused(change: dict[str, Any], message: str) -> None:
    data = {**short().record(full=True).to_data(), **change}
    with pytest.raises(RulesetError) as caught:
        read_record(json.dumps(data))
    (found,) = caught.value.diagnostics
    assert message in found.message


@given(st.recursive(st.integers() | st.text(max_size=30) | st.none(),
                    lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=9), inner)))  # fmt: skip
def test_text_line_by_line_is_the_same_data(data: Any) -> None:
    assert json.loads(lines(data)) == data


def test_lines_are_filled() -> None:
    text = lines({"legal": [f"put {i}.{j}" for i in range(9) for j in range(9)], "seen": {"mover": 1}})
    assert max(map(len, text.splitlines())) <= WIDTH
    assert len(text.splitlines()) < 12
