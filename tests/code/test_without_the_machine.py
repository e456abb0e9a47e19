"""Where the machine is not installed the interpreter does everything, and says so where that is slow."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from playouts import random_playout

from rulespec.code import Runner, TooLarge, write
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED
from rulespec.language import load as core
from rulespec.play.face import load
from rulespec.play.perft import perft
from rulespec.players.search import SearchPlayer
from rulespec.players.table import Table
from rulespec.simulation.run import simulate
from rulespec.solver.claims import prove
from rulespec.solver.explore import state_space


@pytest.fixture(autouse=True)
def _no_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("rulespec.code.execution.instance.can_run", lambda: False)
    state_space.forget()


def test_no_code_runs() -> None:
    with pytest.raises(TooLarge, match="wasmtime"):
        Runner(write(core("nim")))


def test_games_are_played_counted_and_simulated() -> None:
    game = load("tic-tac-toe")
    assert random_playout(game, 1).is_over
    assert perft(game, 3) == {1: 9, 2: 72, 3: 504}
    found = simulate("tic-tac-toe", 30, seed=1, database=False, jobs=1)
    assert found.games == 30


def test_a_player_thinks() -> None:
    table = Table([load("kuhn-poker").start(seed=1)])
    view = table.view()
    assert SearchPlayer(1, plays=10).choose(view) in view.moves
    assert "wasmtime" in table.hall.why


def test_claims_are_decided_and_checked() -> None:
    def small(**_: object) -> Game:
        return core("hex", parameters={"side": 2})

    names = ["one-winner"]
    for verdict in prove(small, names):
        assert verdict.outcome == PROVED, verdict.claim
        assert all("code" not in str(e.data.get("by", "")) for e in verdict.evidence)


def test_no_part_of_the_machine_is_imported_then(tmp_path: Path) -> None:
    """Whatever imports `wasmtime` at the start of a module would keep everything from running without it."""
    text = (
        "import sys; sys.modules['wasmtime'] = None\n"
        "import importlib.util; importlib.util.find_spec = lambda name, *_: None\n"
        "from rulespec.play.face import load; from rulespec.play.perft import perft\n"
        "from rulespec.simulation.run import simulate; from rulespec.solver import claims\n"
        "assert perft(load('nim'), 2) == {1: 12, 2: 113}\n"
        "from rulespec.browser.bundle import bundle\n"
        "assert bundle(load('nim'))['wasm']\n"
    )
    subprocess.run([sys.executable, "-c", text], check=True, cwd=tmp_path)
