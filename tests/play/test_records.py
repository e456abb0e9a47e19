"""Records: a play written down is the same play again, and a forged one is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import handmade
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from playouts import playout

from rulespec.core.diagnostics import RulesetError
from rulespec.play.face import Game, State
from rulespec.play.records.files import MOST_BYTES, Record, read_record, record, replay

GAMES = {name: Game(core) for name, core in handmade.all_games().items()}


def history(state: State) -> list[State]:
    """The states a play went through, played again action by action."""
    states = [state.game.start(chance=state.chance)]
    for action in state.plays:
        states.append(states[-1].play(action))
    return states


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(GAMES)), st.integers(0, 99), st.integers(0, 20))
def test_replaying_a_record_goes_through_the_same_states(name: str, seed: int, plies: int) -> None:
    game = GAMES[name]
    state = playout(game.start(seed=seed), seed, most=plies)
    written = record(state)
    assert read_record(written.to_json()) == written
    states = list(replay(written, game))
    assert states == history(state)
    assert (states[-1], states[-1].chance) == (state, state.chance)


def test_a_record_may_begin_in_a_position() -> None:
    given = {"pips": "  . .\n0 0 0 1\n", "hand": ["1-1"]}
    state = GAMES["ziggurat"].position(given).play("place 1-1 2.2/2.3")
    written = state.record()
    assert (written.given, state.ended_by) == (given, "complete")
    assert list(replay(read_record(written.to_json()), GAMES["ziggurat"]))[-1] == state


def text(**changes: Any) -> str:
    """The record of a short play of nim, with some keys changed or (None) left out."""
    played = GAMES["nim"].start().play("take 1 from a").play("take 2 from b")
    data = {**played.record().to_data(), **changes}
    return json.dumps({k: v for k, v in data.items() if v is not None}, indent=1)


@pytest.mark.parametrize(
    ("bad", "code", "place", "message"),
    [
        ("[1]", "json.syntax", "1:1", "`{` is expected here, not `[`"),
        ('{"record": 1,\n "plays": [}', "json.syntax", "2:12", "expecting value"),
        ('{"record": 1', "json.syntax", "1:13", "`,` is expected here, but the text ends"),
        ('{"record": 1}\n{}', "json.syntax", "2:1", "more text after the end"),
        ('{"record": 1,\n "record": 1}', "json.duplicate", "2:2", "the key `record` appears twice"),
        ('{"given": {"a": 1, "a": 2}}', "json.value", "1:11", "a key appears twice in an object"),
        ('{"given": NaN}', "json.value", "1:11", "NaN is no number"),
        ('{"given": ' + "[" * 100_000, "json", "1:", "nested too deeply"),
        ('{"given": ' + "9" * 10_000 + "}", "json.value", "1:11", "Exceeds the limit"),
        (text(playz=[]), "record.key", "", "a record has no key `playz`"),
        (text(plays=None), "record.key", "1:1", "the key `plays` is missing"),
        (text(plays=[1]), "record.value", "6:11", "`plays` takes a list of texts"),
        (text(record=2), "record.value", "2:12", "`record` takes 1, the version of the format"),
        (text(players=True), "record.value", "5:13", "`players` takes a number of players"),
        (text(readings={"x": 1}), "record.value", "", "`readings` takes rulings with their readings"),
        (text(outcome={"loser": 1}), "record.value", "", "`outcome` takes ended, scores, winners"),
        (" " * (MOST_BYTES + 1), "record.size", "1:1", f"at most {MOST_BYTES} bytes"),
    ],
)
def test_a_text_that_is_no_record_is_refused_with_its_place(
    bad: str, code: str, place: str, message: str
) -> None:
    with pytest.raises(RulesetError) as caught:
        read_record(bad, "play.json")
    (found,) = caught.value.diagnostics
    assert found.code.startswith(code)
    assert message in found.message
    assert str(found.span).startswith(f"play.json:{place}")


def test_all_faults_of_a_record_come_in_one_run() -> None:
    with pytest.raises(RulesetError) as caught:
        read_record(text(plays=None, playd=[], players=0, digest=3))
    assert [d.code for d in caught.value.diagnostics].count("record.key") == 2
    assert len(caught.value.diagnostics) == 4
    assert "did you mean plays?" in str(caught.value)


@pytest.mark.parametrize(
    ("changes", "code", "message", "clause"),
    [
        ({"plays": ["take 1 from a", "take 1 from a"]}, "illegal",
         "ply 2, `take 1 from a`: illegal by `take.enough`: n <= left[h] is false: 1 <= 0", "take"),
        ({"plays": ["take 1 from a", "take 2 from b", "take 1 from b"]}, "illegal",
         "ply 3, `take 1 from b`: the game is over: All heaps are empty.", "take"),
        ({"plays": ["fly"]}, "illegal", "ply 1, `fly`: no such action", ""),
        ({"outcome": {"winners": [1]}}, "outcome",
         "the record says winners: [1], but it is [2]", ""),
        ({"digest": "0123456789abcdef"}, "digest",
         "played by other rules of `nim` (digest 0123456789ab, now", ""),
        ({"chance": ["3"]}, "chance", "1 chance outcomes were never drawn", ""),
        ({"given": {"left": {"c": 1}}}, "given", "`left`: `c` is not a Heap", ""),
    ],
)  # fmt: skip
def test_a_forged_record_is_refused_where_it_lies(
    changes: dict[str, Any], code: str, message: str, clause: str
) -> None:
    with pytest.raises(RulesetError) as caught:
        list(replay(read_record(text(**changes), "play.json"), GAMES["nim"]))
    (found,) = caught.value.diagnostics
    assert (found.code, found.clause) == (f"record.{code}", clause)
    assert message in found.message
    assert found.span is not None
    assert found.span.source.name == "play.json"


def test_the_place_of_an_illegal_ply_is_its_line() -> None:
    bad = text(plays=["take 1 from a", "take 1 from a"])
    with pytest.raises(RulesetError) as caught:
        list(replay(read_record(bad), GAMES["nim"]))
    span = caught.value.diagnostics[0].span
    assert span is not None
    assert bad.splitlines()[span.line - 1].strip() == '"take 1 from a"'
    assert span.line == 8


def test_states_come_before_the_ply_that_is_refused() -> None:
    states = replay(read_record(text(plays=["take 1 from a", "take 9 from b"])), GAMES["nim"])
    assert next(states) == GAMES["nim"].start()
    assert next(states).to_data()["left"] == {"a": 0, "b": 2}
    with pytest.raises(RulesetError):
        next(states)


def test_missing_chance_is_refused() -> None:
    state = GAMES["race"].start(seed=1)
    written = replace(record(state), chance=())
    with pytest.raises(RulesetError, match="the start: draw 1 has no outcome"):
        list(replay(written, GAMES["race"]))


def test_what_a_record_says_by_default() -> None:
    written = Record("nim", "x", 2, ())
    assert written.to_data() == {"record": 1, "ruleset": "nim", "digest": "x", "players": 2, "plays": []}


@pytest.mark.parametrize(
    "account",
    [
        {"scores": 5}, {"scores": []}, {"scores": "1"}, {"seen": 5}, {"seen": {"everybody": 5}},
        {"seen": {"1": []}}, {"seen": {"everybody": None}}, {"legal": {"number": "x"}}, {"legal": 5},
    ],
)  # fmt: skip
def test_odd_values_in_an_account_are_refused_in_place(account: dict[str, Any]) -> None:
    """Their comparison with the replayed play raised IndexError."""
    game = GAMES["nim"]
    data = json.loads(record(game.start(seed=1).play("take 1 from a"), full=True).to_json())
    for place in (data["start"], data["plays"][0]):
        kept = dict(place)
        place.update(account)
        with pytest.raises(RulesetError) as caught:
            list(replay(read_record(json.dumps(data)), game))
        assert caught.value.diagnostics[0].code == "record.value"
        place.clear()
        place.update(kept)
