"""Simulations: the same games from the same seed, nothing lost by a kill, numbers as they must be."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import rulespec
from rulespec.budgets import OutOfBudget, children
from rulespec.code import TooLarge
from rulespec.executors import Processes
from rulespec.play.records.files import replay
from rulespec.simulation import playing, run
from rulespec.simulation.policies import BadPolicy
from rulespec.simulation.result import Simulation
from rulespec.simulation.result_file import DatabaseError
from rulespec.simulation.run import simulate

GAME = "tic-tac-toe"
LOOP = """\
rulespec: 1
id: loop
title: Round and round
players: 2
rules:
- id: ring
  prose: A piece goes round, and may stop at the place it started from.
  formal: "state place: 0..3 = 1"
- id: step
  prose: The piece goes on.
  action: n in 1..3
  do: place := (place + n) mod 4
- id: home
  prose: At home it is over.
  end: place = 0
- id: winner
  prose: Nobody wins.
  winners: none
"""


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))


def test_random_tic_tac_toe_is_as_known() -> None:
    # Where every action is as likely as any other these are the exact shares.
    found = simulate(GAME, 20_000, seed=2, database=False)
    for share, exact in [(found.wins[1], 737 / 1260), (found.wins[2], 121 / 420), (found.draws, 8 / 63)]:
        assert share.low <= exact <= share.high
    assert found.ends["in-a-line"].count + found.ends["full"].count == found.games
    assert found.draws.count == found.games - found.wins[1].count - found.wins[2].count
    assert found.actions["put"].per_game.mean == found.plies.mean
    assert (found.plies.least, found.plies.most) == (5, 9)
    assert found.notes == ()


@pytest.mark.parametrize("policy", ["random", "search:2"])
def test_why_long_play_was_slow_is_told(policy: str, monkeypatch: pytest.MonkeyPatch) -> None:
    notes: list[str] = []

    def play() -> list[str]:
        simulate(GAME, 5, policy=policy, seed=1, database=False, jobs=1, note=notes.append)
        return notes

    with monkeypatch.context() as patch:
        patch.setattr("rulespec.code.execution.instance.can_run", lambda: False)
        assert play() == []
        monkeypatch.setattr(run, "NOTED", 0.0)
        assert play() == ["the machine (the package wasmtime) is not installed"]
    assert len(play()) == 1


@pytest.mark.parametrize(
    ("name", "policy", "games"),
    [(GAME, [], 3000), ("kuhn-poker", ["1=greedy"], 24), ("nim", ["search:8", "2=random"], 4)],
    ids=["code", "greedy", "search"],
)
def test_the_same_seed_gives_the_same_games_whatever_the_jobs(
    name: str, policy: list[str], games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(run, "TRIAL", 1e-9)  # the first game alone is played here, on a fast machine too
    monkeypatch.setattr(run, "ALONE", 0.0)
    monkeypatch.setattr(Processes, "part_seconds", 0.02)
    alone = simulate(name, games, policy=policy, seed=7, jobs=1, database=False)
    monkeypatch.setattr(Processes, "part_seconds", 0.05)
    assert simulate(name, games, policy=policy, seed=7, jobs=3, database=False) == alone
    assert simulate(name, games, policy=policy, seed=8, jobs=1, database=False) != alone


def test_code_and_interpreter_play_games_of_the_same_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    by_code = simulate("kuhn-poker", 4000, seed=1, database=False)

    def none(*asked: object) -> None:
        raise TooLarge("none")

    monkeypatch.setattr(playing, "ByCode", none)
    by_rules = simulate("kuhn-poker", 500, seed=1, database=False)
    for action in by_code.actions:
        one, other = by_code.actions[action].taken_in, by_rules.actions[action].taken_in
        assert max(one.low, other.low) <= min(one.high, other.high)
    for player in by_code.players:
        one, other = (found.scores[player].mean for found in (by_code, by_rules))
        assert max(one.low or 0, other.low or 0) <= min(one.high or 0, other.high or 0)


def test_a_run_goes_on_and_grows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = simulate(GAME, 900, seed=1, database=False)
    file = tmp_path / "games.sqlite"
    simulate(GAME, 500, seed=1, database=file)
    played: list[int] = []
    monkeypatch.setattr(children, "can_fork", lambda: False)  # plays are recorded in this process
    batch = playing.ByCode.batch
    monkeypatch.setattr(
        playing.ByCode, "batch", lambda self, first, games: played.append(games) or batch(self, first, games)
    )
    assert simulate(GAME, 900, seed=1, database=file) == whole
    assert sum(played) == 400
    played.clear()
    assert simulate(GAME, 900, seed=1, database=file) == whole
    assert not played
    fewer = simulate(GAME, 333, seed=1, database=file)
    monkeypatch.undo()
    assert fewer == simulate(GAME, 333, seed=1, database=False), "a part of what is there, cut anywhere"


CHILD = """
import sys
from rulespec.simulation import playing, run
run.Processes.part_seconds = run.ALONE = 0.01
playing.ByCode.prepare = lambda self, seconds: False
run.simulate(sys.argv[1], int(sys.argv[2]), seed=5, jobs=2, database=sys.argv[3])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no processes to be left behind")
def test_a_kill_loses_nothing_and_leaves_nobody_behind(tmp_path: Path) -> None:
    file, games = tmp_path / "games.sqlite", 200_000
    child = subprocess.Popen([sys.executable, "-c", CHILD, "hex", str(games), str(file)])
    there = 0
    for _ in range(600):
        time.sleep(0.05)
        there = _held(file)
        if there > 30:
            break
    workers = _children(child.pid)
    child.send_signal(signal.SIGKILL)
    child.wait()
    after = _held(file)
    assert 30 < there <= after < games
    whole = simulate("hex", after + 20, seed=5, jobs=1, database=False)
    assert simulate("hex", after + 20, seed=5, jobs=1, database=file) == whole
    for _ in range(100):
        if not any(_runs(pid) for pid in workers):
            break
        time.sleep(0.05)
    assert workers and not any(_runs(pid) for pid in workers)


def _held(file: Path) -> int:
    try:
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as db:
            return int(db.execute("SELECT coalesce(sum(games), 0) FROM batches").fetchone()[0])
    except sqlite3.Error:
        return 0


def _children(pid: int) -> list[int]:
    found = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], check=False, capture_output=True, text=True
    )
    return [int(word) for word in found.stdout.split()]


def _runs(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


def test_the_database_can_be_asked(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    found = simulate("kuhn-poker", 400, seed=1, database=file)
    with sqlite3.connect(file) as db:
        ends = dict(db.execute("SELECT ended, sum(games) FROM results GROUP BY 1"))
        won = db.execute("SELECT sum(games) FROM results WHERE winners = '1'").fetchone()[0]
        total = db.execute('SELECT sum(games * "score 1") FROM results').fetchone()[0]
    assert ends == {end: share.count for end, share in found.ends.items() if share.count}
    assert won == found.wins[1].count
    assert total / 400 == pytest.approx(found.scores[1].mean.value)


@pytest.mark.parametrize(
    ("name", "policy", "games"),
    [(GAME, "random", 60), ("pig", "random", 30), ("smith", "random", 8), ("kuhn-poker", "1=greedy", 10)],
)
def test_any_game_can_be_played_again(tmp_path: Path, name: str, policy: str, games: int) -> None:
    file, game = tmp_path / "games.sqlite", rulespec.load(name)
    found = simulate(game, games, policy=policy, seed=6, database=file)
    with sqlite3.connect(file) as db:
        db.row_factory = sqlite3.Row
        rows = db.execute("SELECT * FROM results").fetchall()
    for row in rows:
        end = run.play_again(game, found, row["example"])
        assert (len(end.plays), end.ended_by) == (row["plies"], row["ended"])
        assert " ".join(map(str, end.winners)) == row["winners"]
        assert all(row[f"score {player}"] == score for player, score in end.scores.items())
        taken = [action.id for action in end.plays]
        assert all(row[f"played {action}"] == taken.count(action) for action in game.core.actions)
    assert [*replay(end.record())][-1] == end, "and its record replays"


def test_by_default_games_are_kept_in_the_cache_folder(tmp_path: Path) -> None:
    simulate(GAME, 10, seed=1)
    simulate(GAME, 20, seed=1)
    simulate(GAME, 10, seed=2)
    assert len([*(tmp_path / "cache" / "simulations").glob("tic-tac-toe-*.sqlite")]) == 2


def test_a_database_of_something_else_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.sqlite"
    simulate(GAME, 10, seed=1, database=file)
    with pytest.raises(DatabaseError, match='its seed is "1", not "2"'):
        simulate(GAME, 10, seed=2, database=file)
    with pytest.raises(DatabaseError, match="its digest is"):
        simulate(GAME, 10, parameters={"in-line": 2}, seed=1, database=file)
    other = tmp_path / "other.sqlite"
    other.write_text("something else, and long enough to be looked at" * 20)
    with pytest.raises(DatabaseError, match="no database of games"):
        simulate(GAME, 10, seed=1, database=other)
    foreign = tmp_path / "foreign.sqlite"
    with sqlite3.connect(foreign) as db:
        db.execute("CREATE TABLE mine (x)")
    with pytest.raises(DatabaseError, match="no database of games"):
        simulate(GAME, 10, seed=1, database=foreign)


@pytest.mark.parametrize("policy", [[], ["greedy"]], ids=["code", "greedy"])
def test_games_that_are_given_up_are_counted_as_such(tmp_path: Path, policy: list[str]) -> None:
    file = tmp_path / "loop.yaml"
    file.write_text(LOOP)
    found = simulate(str(file), 200, policy=policy or "random", seed=1, limit=3, database=False)
    stopped = found.stopped
    if not policy:
        # Each step ends the game with probability 1/3.
        assert found.ends["limit"].low <= (2 / 3) ** 3 <= found.ends["limit"].high
    assert found.ends["home"].count == 200 - stopped == found.draws.count
    assert found.plies.most <= 3
    assert bool(found.notes) == bool(stopped)
    if stopped:
        assert f"{stopped:,} of 200 games were given up after 3 actions" in found.notes[0]


def test_policies_by_seat() -> None:
    found = simulate("nim", 5, policy=["1=greedy", "random"], seed=1, database=False)
    assert found.policies == ("greedy", "random")
    better = simulate(GAME, 25, policy="2=greedy", seed=1, database=False)
    assert better.wins[2].low > 121 / 420, "what it wins at random"


@pytest.mark.parametrize(
    ("policy", "words"),
    [("gready", "did you mean greedy"), ("3=random", "no player `3`"), ("search:0", "from 1 to"),
     (["random", "greedy"], "second policy"), (["1=random", "1=greedy"], "second policy"),
     ("greedy:3", "no policy")],
)  # fmt: skip
def test_policies_that_there_are_not(policy: Any, words: str) -> None:
    with pytest.raises(BadPolicy, match=words):
        simulate(GAME, 1, policy=policy)


def test_wrong_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="above 0"):
        simulate(GAME, 0)
    with pytest.raises(ValueError, match="has its settings"):
        simulate(rulespec.load(GAME), 1, parameters={"in-line": 2})


def test_the_picture_is_well_formed_and_says_everything() -> None:
    found = simulate("smith", 50, players=3, seed=1, database=False)
    assert isinstance(found, Simulation)
    root = ElementTree.fromstring(found.plot())
    words = " ".join(text for text in root.itertext())
    assert root.tag.endswith("svg")
    for said in ["50 games", "player 3", "nobody", "empty-pyramid", "take", *map(str, (found.plies.least,))]:
        assert said in words
    assert "script" not in found.plot() and "http" not in found.plot().replace(
        "http://www.w3.org/2000/svg", ""
    )


def test_the_picture_of_a_hostile_title_is_well_formed(tmp_path: Path) -> None:
    file = tmp_path / "loop.yaml"
    file.write_text(LOOP.replace("Round and round", "<script>&"))
    ElementTree.fromstring(simulate(str(file), 5, seed=1, database=False).plot())


ENDLESS = """\
rulespec: 1
id: endless
title: Without an end
rules:
- id: go
  prose: It takes long to begin, and longer than anybody waits.
  formal: |
    state n: 0..9 = 0
  setup: |
    for x in 1..10000, y in 1..10000, z in 1..900: n := (x * y + z) mod 9
  action: ()
  do: nothing
"""


def test_an_overrun_reports_the_games_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(children, "GRACE", 0.1)
    path = tmp_path / "endless.yaml"
    path.write_text(ENDLESS, encoding="utf-8")
    with pytest.raises(OutOfBudget, match=r"the limit of 0\.5 s"):
        simulate(str(path), 10, database=False, timeout=0.5)
    found = simulate(GAME, 10**9, seed=1, jobs=1, database=False, timeout=3.0)
    assert 0 < found.games < 10**9
    assert found.notes[-1] == (
        f"Only {found.games:,} of 1,000,000,000 games were played within the limit of 3 s; "
        "games that take long may be among the others."
    )
