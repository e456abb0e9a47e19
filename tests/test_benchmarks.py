"""The benchmarks run, in their tiny mode; nothing is said about how long anything takes."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from benchmarks import api, commands, editing, exploring, first_game, games, installing, proofs, tokens
from benchmarks.__main__ import main
from benchmarks.child import SOLVERS, encoded
from benchmarks.interpreter import middle, shares
from benchmarks.proofs import ENCODINGS
from benchmarks.report import Table, spread
from rulespec.core import evaluate as meaning
from rulespec.language import load, shipped_rulesets
from rulespec.play.machine import Machine
from rulespec.solver import engines
from rulespec.solver.engines import choose
from rulespec.solver.formulas import Unrolling


def test_a_tiny_run_prints_the_tables_and_writes_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (api, exploring, games):
        monkeypatch.setattr(module, "ROUNDS", 1)
    monkeypatch.setattr(commands, "BARS", {("check", "tic-tac-toe"): 1.0})
    for module in (commands, editing, proofs):  # modules that are compiled already
        monkeypatch.setattr(module, "environment", lambda folder: dict(os.environ))
    monkeypatch.setattr(proofs, "installed_engines", lambda: engines.installed_engines()[:1])
    page = tmp_path / "benchmarks.md"
    what = ("commands", "games", "first-game", "counting", "exploration", "best-play", "puzzles")
    more = ("api", "certificates", "proofs", "parts", "editing")
    assert main([*what, *more, "--tiny", "--write", str(page)]) == 0
    printed, written = capsys.readouterr().out, page.read_text("utf-8")
    assert "rulespec check tic-tac-toe" in printed
    assert "| `rulespec check tic-tac-toe` |" in written
    assert "| tic-tac-toe | 7." in written
    assert "| pig-small | 7 |" in written
    assert "| all | 7 |" in written
    assert "| tic-tac-toe | 5 | 15,120 |" in written
    assert "## Exploration" in written
    assert "## The public interface" in written
    assert "| tic-tac-toe | " in written.partition("## An edited ruleset")[2]
    assert "| kalah-small | 4,164 | 227 |" in written
    assert "| 1 games of tic-tac-toe, random |" in written
    assert "| sacred-alignment-small: zero-cheat | 1 |" in written
    assert "| cadical | proved |" in written
    assert "| tic-tac-toe: one-line | " in written
    assert "| cadical: models | one way |" in written


@pytest.fixture(scope="module")
def asked() -> tuple[Unrolling, int]:
    """Plies of the small ziggurat, and the literal for its end without a cheat after the first."""
    game = load("sacred-alignment-small")
    goal = game.claims["zero-cheat"].condition
    assert goal is not None
    rules = Unrolling(game, start="initial", ask=[goal], engine=choose("cadical"))
    rules.extend()
    return rules, rules.holds(goal, 1)


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("finished", [True, False])
def test_every_encoding_says_the_same(encoding: str, finished: bool, asked: tuple[Unrolling, int]) -> None:
    rules, held = asked
    clauses = encoded(rules, [held if finished else -held], encoding)
    assert SOLVERS["cadical: models"](clauses) is not finished


def test_every_setting_is_the_usual_one_or_differs_in_one_thing() -> None:
    listed = [setting.words for setting in first_game.settings("kalah", load("kalah"))]
    assert listed[0] == "usual"
    assert len(listed) == len(set(listed)) == 5
    assert all(words.count("=") == 1 for words in listed[1:])
    assert "4 players" in [s.words for s in first_game.settings("leistiko", load("leistiko"))]


def test_a_forked_process_that_fails_is_noticed(capfd: pytest.CaptureFixture[str]) -> None:
    assert first_game.forked(lambda: 0.5) == 0.5
    with pytest.raises(ChildProcessError):
        first_game.forked(lambda: 1 / 0)
    capfd.readouterr()


@pytest.mark.sampled(2)
@pytest.mark.parametrize("name", editing.RULESETS)
def test_every_edit_gives_other_rules(name: str, tmp_path: Path) -> None:
    text = shipped_rulesets()[name].read_text("utf-8")
    digests = {load(name).digest}
    for number in (1, 2):
        (tmp_path / "edited.yaml").write_text(editing.edited(text, number), "utf-8")
        game = load(tmp_path / "edited.yaml")
        digests.add(game.digest)
    assert len(digests) == 3


def test_an_install_is_the_sum_of_its_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a.py").write_bytes(b"x" * 1_500_000)
    info = tmp_path / "a-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: a\nVersion: 1.0\n", "utf-8")
    (info / "RECORD").write_text("a.py,,\n", "utf-8")
    monkeypatch.setattr(installing, "installed", lambda project, folder: tmp_path)
    (table,) = installing.measure()
    assert table.rows == [["a", "1.0", "1", "1.5"], ["all", "", "3", "1.5"]]


def test_an_install_that_fails_is_left_out_with_a_word(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*command: str) -> None:
        raise subprocess.CalledProcessError(1, command, stderr="ERROR: no index\n")

    monkeypatch.setattr(installing, "_run", fails)
    assert installing.measure() == []
    assert capsys.readouterr().err == "no size of the install: ERROR: no index\n"


def test_an_unknown_measurement_is_refused() -> None:
    with pytest.raises(SystemExit) as stop:
        main(["nonsense"])
    assert stop.value.code == 2


def test_shares_cover_the_time_and_leave_the_interpreter_as_it_was() -> None:
    machine = Machine(load("sacred-alignment-small"))
    before = meaning.call
    found = shares(machine, middle(machine, 0))
    assert sum(found) == pytest.approx(1.0)
    assert meaning.call is before


def test_a_spread_is_the_median_with_the_least_and_the_greatest() -> None:
    assert spread([3.0, 1.0, 2.0]) == "2.00 (1.00–3.00)"
    assert spread([1.5], digits=1) == "1.5"


def test_a_table_is_drawn_with_even_columns() -> None:
    table = Table("T", "Words.", ["name", "s"], [["a", "10"]])
    assert table.text() == "T\n  name   s\n  a     10"
    assert table.markdown("Measured here.").endswith("| name | s |\n| --- | --: |\n| a | 10 |")


def test_tokens_of_rules_are_counted_without_comments_and_metadata(tmp_path: Path) -> None:
    assert tokens.count_tokens('add 1 to bar-men[p]  // hit "x"\nx := "a b"') == 10
    other = tmp_path / "one.lud"
    other.write_text('(game "One" (players 2)) // two\n(metadata (info 1))')
    (row,) = tokens.measure([("rock-paper-scissors", [other])]).rows
    own = tokens.formal_tokens(shipped_rulesets()["rock-paper-scissors"])
    assert row == ["rock-paper-scissors", str(own), "8", f"{own / 8:.2f}", "–", "–"]
