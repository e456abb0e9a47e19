"""diff: what is said differently, and whether it matters, with a play to where it does."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from texts import COUNTDOWN

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def pair(tmp_path: Path) -> Callable[[str, str], tuple[str, str]]:
    """Two files, the second with one text in place of another."""

    def made(old: str, new: str) -> tuple[str, str]:
        (tmp_path / "mine.yaml").write_text(COUNTDOWN, "utf-8")
        (tmp_path / "other.yaml").write_text(COUNTDOWN.replace(old, new), "utf-8")
        return str(tmp_path / "mine.yaml"), str(tmp_path / "other.yaml")

    return made


def test_what_is_said_differently_is_listed(run: Run, pair: Callable[[str, str], tuple[str, str]]) -> None:
    status, out, _ = run("diff", *pair("n <= left", "n <= left and n != 1"))
    assert (status, "rule take changed" in out) == (0, True)
    assert "- n <= left\n" in out and "+ n <= left and n != 1\n" in out
    assert "same" not in out


def test_the_same_text_is_said_to_be_the_same(run: Run, pair: Callable[[str, str], tuple[str, str]]) -> None:
    mine, _ = pair("", "")
    status, out, _ = run("diff", mine, mine, "--prove")
    assert status == 0
    assert "say the same" in out and "proved" in out


def test_other_words_for_the_same_game(run: Run, pair: Callable[[str, str], tuple[str, str]]) -> None:
    status, out, _ = run("diff", *pair("n <= left", "not (left < n)"), "--prove")
    assert status == 0
    assert "rule take changed" in out and "same: proved" in out


def test_a_play_leads_to_where_they_differ(
    run: Run, pair: Callable[[str, str], tuple[str, str]], tmp_path: Path
) -> None:
    mine, other = pair("n <= left", "n <= left and (n = 1 or left > 2)")
    file = tmp_path / "apart.json"
    status, out, _ = run("diff", mine, other, "--prove", "--record", str(file))
    assert status == 1
    assert "`take 2` is legal here, and refused there; illegal by `take.enough`" in " ".join(out.split())
    assert run("replay", str(file))[0] == 0
    status, out, _ = run("diff", mine, other, "--prove", "--json")
    assert (status, json.loads(out)["play"]["plays"]) == (1, json.loads(file.read_text())["plays"])


def test_settings_are_those_of_the_other(run: Run) -> None:
    status, out, _ = run("diff", "tic-tac-toe", "--set", "in-line=2", "--prove")
    assert status == 1
    assert "parameter in-line: 3 -> 2" in out and "play is over there only" in " ".join(out.split())


def test_games_of_both_are_compared(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, pair: Callable[[str, str], tuple[str, str]]
) -> None:
    """Five counters that are taken one by one always take five actions; by ones and twos it goes faster."""
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    asked = *pair("n <= left", "n <= left and n = 1"), "--simulate", "300", "--seed", "1"
    status, out, _ = run("diff", *asked)
    assert status == 0 and "300 games of each, played at random, seed 1" in out
    length = next(line for line in out.splitlines() if line.startswith("actions in a game"))
    assert length.endswith("higher")
    status, out, _ = run("diff", *asked, "--json")
    mine, other = json.loads(out)["simulations"]
    assert mine["plies"]["mean"]["high"] < 5 == other["plies"]["mean"]["low"]
    assert f"{mine['plies']['mean']['value']:.2f}" in length


def test_nothing_to_compare_is_told(run: Run) -> None:
    status, _, err = run("diff", "tic-tac-toe")
    assert status == 2 and "name another ruleset" in err
    status, _, err = run("diff", "tic-tac-toe", "nim", "--record", "x.json")
    assert status == 2 and "only --prove" in err
    status, _, err = run("diff", "tic-tac-toe", "nim", "--prove", "--simulate", "3")
    assert status == 2 and "two questions" in err
    status, _, err = run("diff", "tic-tac-toe", "nim", "--seed", "1")
    assert status == 2 and "for --simulate" in err


def test_what_cannot_be_compared_stays_open(run: Run, pair: Callable[[str, str], tuple[str, str]]) -> None:
    status, out, _ = run("diff", *pair("players: 2", "players: 3"), "--prove")
    assert status == 3
    assert "players: 2 -> 3" in out
    assert "cannot be compared: one is for 2 players here, the other for 3" in " ".join(out.split())


REWORDED = """\
- id: reworded
  prose: The same.
  equivalent:
    replace:
      take.require.enough.that: n <= lft
"""


def test_check_reads_the_game_that_a_claim_compares_with(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "mine.yaml"
    file.write_text(COUNTDOWN + REWORDED, "utf-8")
    status, out, _ = run("check", str(file))
    assert status == 1
    assert "mine.yaml:40:38: error[name.unknown]: nothing is called `lft`" in out
