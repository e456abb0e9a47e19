"""The benchmarks run, in their tiny mode; nothing is said about how long anything takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import commands, games, proofs
from benchmarks.__main__ import main
from benchmarks.child import SOLVERS, encoded
from benchmarks.interpreter import middle, shares
from benchmarks.proofs import ENCODINGS
from benchmarks.report import Table, spread
from rulespec.core import evaluate as meaning
from rulespec.language import load
from rulespec.play.machine import Machine
from solver import engines
from solver.engines import choose
from solver.formulas import Unrolling


def test_a_tiny_run_prints_the_tables_and_writes_the_page(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(games, "ROUNDS", 1)
    monkeypatch.setattr(commands, "BARS", {("check", "tic-tac-toe"): 1.0})
    monkeypatch.setattr(proofs, "installed", lambda: engines.installed()[:2])
    page = tmp_path / "benchmarks.md"
    what = ("commands", "games", "counting", "best-play", "puzzles", "certificates", "proofs", "parts")
    assert main([*what, "--tiny", "--write", str(page)]) == 0
    printed, written = capsys.readouterr().out, page.read_text("utf-8")
    assert "rulespec check tic-tac-toe" in printed
    assert "| `rulespec check tic-tac-toe` |" in written
    assert "| tic-tac-toe | 7." in written
    assert "| tic-tac-toe | 5 | 15,120 |" in written
    assert "| kalah-small | 4,164 | 227 |" in written
    assert "| 1 games of tic-tac-toe, random |" in written
    assert "| sacred-alignment-small: zero-cheat | 1 |" in written
    assert "| cadical | proved |" in written
    assert "| tic-tac-toe: one-line | 1 |" in written
    assert "| cadical: models | one way |" in written


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("finished", [True, False])
def test_every_encoding_says_the_same(encoding: str, finished: bool) -> None:
    game = load("sacred-alignment-small")
    goal = game.claims["zero-cheat"].condition
    assert goal is not None
    rules = Unrolling(game, start="initial", ask=[goal], engine=choose("cadical"))
    rules.extend()
    held = rules.holds(goal, 1)
    clauses = encoded(rules, [held if finished else -held], encoding)
    assert SOLVERS["cadical: models"](clauses) is not finished


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
