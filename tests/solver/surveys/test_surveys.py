"""Surveys: answers that are right, kept as they fall, gone on with, and gone through again."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from texts import HEAPS

from rulespec.cli.surveying import summary_text
from rulespec.core.game import Game
from rulespec.executors import Task
from rulespec.language import load
from rulespec.simulation.result_file import DatabaseError
from rulespec.solver.claims import NoPuzzle, spreading
from rulespec.solver.claims.answers import Deal
from rulespec.solver.claims.worker import Reply, Request, reply_to
from rulespec.solver.claims.worker import deal as dealt
from rulespec.solver.surveys import recheck, survey

LAMPS = """\
rulespec: 1
id: lamps
title: Lamps
summary: Press lamps until all are dark.
players: 1
rules:
- id: lamps
  prose: There are 36 lamps in a square.
  formal: |
    type Lamp = {x: 1..6, y: 1..6} as "{x}.{y}"
    state lit: map Lamp -> Bool = true
- id: chance
  prose: At first each is lit or not, by chance.
  setup: |
    for a in Lamp: roll lit[a] from Bool
- id: press
  prose: A lamp changes, and so do its neighbours.
  action: a in Lamp
  written: press {a}
  do: |
    for b in Lamp where abs(a.x - b.x) + abs(a.y - b.y) <= 1: lit[b] := not lit[b]
- id: out
  prose: The game ends when all are dark.
  end: no a in Lamp satisfies lit[a]
claims:
- id: fewest
  prose: The fewest presses.
  least: 1
  when: no a in Lamp satisfies lit[a]
  summed-over: plies
  from: deal
"""
"""A puzzle whose fewest moves are out of reach for a search of some seconds."""


@pytest.fixture
def heaps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A ruleset with a die and two claims asked of a deal."""
    monkeypatch.setenv("RULESPEC_CACHE", str(tmp_path / "cache"))
    file = tmp_path / "heaps.yaml"
    file.write_text(HEAPS)
    return str(file)


def rolled(heaps: str, number: int) -> list[int]:
    """What the die shows for the seeds from 0 on."""
    game = load(heaps)
    return [int(dealt(game, seed)[0]) for seed in range(number)]


def test_every_deal_is_answered_as_it_must_be(heaps: str) -> None:
    found = survey(heaps, 30, "three", jobs=2)
    assert [row.deal for row in found.rows] == [str(seed) for seed in range(30)]
    held = [row.outcome == "proved" for row in found.rows]
    assert held == [3 <= die <= 6 for die in rolled(heaps, 30)]
    assert found.holds.count == sum(held) and found.holds.low < sum(held) / 30 < found.holds.high
    assert found.undecided_deals == () and found.notes == ()


def test_values_of_a_best(heaps: str) -> None:
    found = survey(heaps, 20, "fewest", jobs=1)
    assert [row.value for row in found.rows] == [-(-die // 2) for die in rolled(heaps, 20)]
    assert found.values is not None and found.values.count == 20


def test_a_survey_goes_on_and_grows(heaps: str, tmp_path: Path) -> None:
    asked: list[str] = []

    class Counting:
        """Answers in this process, and notes what it was asked."""

        part_seconds = 1.0

        def at_once(self) -> int:
            return 1

        def results(self, task: Task[Any, Any], parts: Iterable[Any]) -> Iterator[tuple[Any, Any]]:
            for part in parts:
                asked.append(part.name)
                yield part, task.perform(part)

    file = tmp_path / "answers.sqlite"
    survey(heaps, 5, "three", database=file, executor=Counting())
    found = survey(heaps, 8, "three", database=file, executor=Counting(), first=2)
    assert asked == [*map(str, range(10))]
    assert [row.deal for row in found.rows] == [*map(str, range(2, 10))]


def test_an_interrupt_keeps_what_was_answered(heaps: str, tmp_path: Path) -> None:
    def interrupted(done: int, deals: int, words: str) -> None:
        if done == 4:
            raise KeyboardInterrupt

    file = tmp_path / "answers.sqlite"
    with pytest.raises(KeyboardInterrupt):
        survey(heaps, 20, "three", database=file, jobs=2, progress=interrupted)
    with sqlite3.connect(file) as db:
        assert db.execute("SELECT count(*) FROM deals").fetchone()[0] == 4


def test_what_is_undecided_is_counted_apart_and_asked_again_with_a_larger_budget(
    heaps: str, tmp_path: Path
) -> None:
    file = tmp_path / "answers.sqlite"
    found = survey(heaps, 6, "three", database=file, each=1e-9, jobs=1)
    open_deals = len(found.undecided_deals)
    assert open_deals > 0 and len(found.notes) == 1
    assert found.holds.high - found.holds.low >= open_deals / 6
    with sqlite3.connect(file) as db:
        before = db.execute("SELECT deal, verdict FROM deals ORDER BY 1").fetchall()
    survey(heaps, 6, "three", database=file, each=1e-9, jobs=1)
    with sqlite3.connect(file) as db:
        assert db.execute("SELECT deal, verdict FROM deals ORDER BY 1").fetchall() == before
    assert survey(heaps, 6, "three", database=file, timeout=200, jobs=1).undecided_deals == ()


def test_deals_left_out_for_want_of_time_are_counted_and_said(heaps: str, tmp_path: Path) -> None:
    """They were passed over in silence, as if fewer deals had been asked for."""
    file = tmp_path / "left.sqlite"
    assert survey(heaps, 2, "three", database=file, jobs=1).left == 0
    found = survey(heaps, 6, "three", database=file, timeout=1e-9, jobs=1)
    assert (found.deals, found.left) == (2, 4)
    assert found.notes[0].startswith("The time was over after 2 of 6 deals")


def test_deals_that_take_longer_than_there_is_are_left_out(tmp_path: Path) -> None:
    """Each went on for its own time, until the command was ended without a word of what it had found."""
    (tmp_path / "lamps.yaml").write_text(LAMPS)
    found = survey(
        str(tmp_path / "lamps.yaml"), 3, database=tmp_path / "lamps.sqlite", timeout=1.0, each=30.0, jobs=1
    )
    assert (found.deals, found.left, found.outcomes) == (0, 3, {})
    assert "0 of 3 deals" in summary_text(found) and "seconds" not in summary_text(found)


def test_deals_of_records(heaps: str) -> None:
    game = load(heaps)
    deals = [Deal.of_play(game, [die]) for die in ("2", "3", "7", "3")]
    found = survey(heaps, deals, "three", jobs=1)
    assert [row.outcome for row in found.rows] == ["refuted", "proved", "refuted"]


CHILD = """
import sys
from rulespec.solver.surveys import survey
survey(sys.argv[1], 5000, "fewest", jobs=2, database=sys.argv[2])
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there are no processes to be left behind")
def test_a_kill_loses_nothing(heaps: str, tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite"
    child = subprocess.Popen([sys.executable, "-c", CHILD, heaps, str(file)])
    there = 0
    for _ in range(400):
        time.sleep(0.05)
        there = _held(file)
        if there > 10:
            break
    child.send_signal(signal.SIGKILL)
    child.wait()
    after = _held(file)
    assert 10 < there <= after < 5000
    found = survey(heaps, after + 5, "fewest", database=file, jobs=1)
    assert [row.value for row in found.rows] == [-(-die // 2) for die in rolled(heaps, after + 5)]


def _held(file: Path) -> int:
    try:
        with sqlite3.connect(f"file:{file}?mode=ro", uri=True) as db:
            return int(db.execute("SELECT count(*) FROM deals").fetchone()[0])
    except sqlite3.Error:
        return 0


def test_a_process_that_dies_is_replaced_and_a_deal_that_kills_is_undecided(
    heaps: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice = rolled(heaps, 14)
    assert dice.count(1) == 1

    def deadly(game: Game, request: Request) -> Reply:
        if request.chance == ("1",):
            os._exit(9)
        return reply_to(game, request)

    monkeypatch.setattr(spreading, "reply_to", deadly)
    found = survey(heaps, 14, "three", jobs=2)
    assert found.undecided_deals == (str(dice.index(1)),)
    assert len(found.rows) == 14


def test_a_database_of_something_else_is_refused(heaps: str, tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite"
    survey(heaps, 2, "three", database=file, jobs=1)
    with pytest.raises(DatabaseError, match='its claim is "three", not "fewest"'):
        survey(heaps, 2, "fewest", database=file, jobs=1)
    with pytest.raises(DatabaseError, match="no file"):
        recheck(tmp_path / "none.sqlite")
    (tmp_path / "text.sqlite").write_text("not a database, though it is long enough to be looked at" * 9)
    with pytest.raises(DatabaseError, match="no database of answers"):
        recheck(tmp_path / "text.sqlite")
    with pytest.raises(NoPuzzle):
        survey(heaps, 2, "nothing")
    with pytest.raises(NoPuzzle, match="nothing is dealt"):
        survey("peg-solitaire", 2, "solvable")
    with pytest.raises(ValueError, match="at least one"):
        survey(heaps, 0, "three")


def test_answers_pass_when_they_are_gone_through_again(heaps: str, tmp_path: Path) -> None:
    for claim in ("three", "fewest"):
        file = tmp_path / f"{claim}.sqlite"
        survey(heaps, 10, claim, database=file, jobs=1)
        assert [one.passed for one in recheck(file, jobs=2)] == [True] * 10
    some = recheck(file, 4, jobs=1)
    assert len(some) == 4 and all(one.passed for one in some)


def test_a_sample_of_answers_is_another_each_time(heaps: str, tmp_path: Path) -> None:
    """It was the same each time, so a database could be right in just that sample."""
    file = tmp_path / "answers.sqlite"
    survey(heaps, 40, "three", database=file, jobs=1)
    assert len({tuple(one.deal for one in recheck(file, 2, jobs=1)) for _ in range(5)}) > 1


def test_an_answer_that_is_damaged_is_asked_again(heaps: str, tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite"
    before = survey(heaps, 6, "three", database=file, jobs=1).to_data()["outcomes"]
    with sqlite3.connect(file) as db:
        db.execute("UPDATE deals SET outcome = 'proved', seal = seal || 'x' WHERE rowid = 2")
        db.execute("UPDATE deals SET seconds = 'long' WHERE rowid = 3")
        db.execute("UPDATE deals SET value = 7 WHERE rowid = 4")
    assert survey(heaps, 6, "three", database=file, jobs=1).to_data()["outcomes"] == before
    assert all(one.passed for one in recheck(file, jobs=1))


@pytest.mark.parametrize("forged", [False, True])
def test_answers_of_another_installation_are_asked_again(
    forged: bool, heaps: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that somebody else had written was reported as if its answers were found here."""
    file = tmp_path / "answers.sqlite"
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "theirs"))
    before = survey(heaps, 6, "three", database=file, jobs=1).to_data()["outcomes"]
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "ours"))
    if forged:
        with sqlite3.connect(file) as db:
            db.execute("UPDATE deals SET outcome = 'proved', verdict = replace(verdict, 'refuted', 'proved')")
    else:
        assert all(one.passed for one in recheck(file, jobs=1)), "they can be checked"
    asked = list[int]()
    found = survey(heaps, 6, "three", database=file, jobs=1, progress=lambda done, *_: asked.append(done))
    assert asked == [*range(7)]
    assert found.to_data()["outcomes"] == before
    asked.clear()
    survey(heaps, 6, "three", database=file, jobs=1, progress=lambda done, *_: asked.append(done))
    assert asked == [6], "now they are ours"


def test_answers_to_another_claim_are_asked_again(heaps: str, tmp_path: Path) -> None:
    one, other = (tmp_path / f"{claim}.sqlite" for claim in ("three", "fewest"))
    survey(heaps, 2, "three", database=one, jobs=1)
    survey(heaps, 2, "fewest", database=other, jobs=1)
    with sqlite3.connect(one) as db:
        db.execute("ATTACH ? AS other", (str(other),))
        db.execute("INSERT OR REPLACE INTO deals SELECT * FROM other.deals")
    asked = list[int]()
    survey(heaps, 2, "three", database=one, jobs=1, progress=lambda done, *_: asked.append(done))
    assert asked == [0, 1, 2]


def test_damaged_and_exchanged_answers_are_refused(heaps: str, tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite"
    survey(heaps, 12, "three", database=file, jobs=1)
    with sqlite3.connect(file) as db:
        rows = db.execute("SELECT deal, outcome, chance, verdict FROM deals ORDER BY rowid").fetchall()
        proved = [row for row in rows if row[1] == "proved"]
        refuted = [row for row in rows if row[1] == "refuted"]
        changes = {
            # said of a deal: what is damaged
            proved[0][0]: ("verdict", proved[0][3][:-9]),
            proved[1][0]: ("verdict", refuted[0][3]),
            refuted[1][0]: ("chance", proved[0][2]),
            refuted[0][0]: ("verdict", proved[2][3]),
        }
        for deal, (column, value) in changes.items():
            db.execute(f"UPDATE deals SET {column} = ? WHERE deal = ?", (value, deal))
        db.execute("UPDATE deals SET outcome = 'proved' WHERE deal = ?", (refuted[2][0],))
    found = {one.deal: one for one in recheck(file, jobs=1)}
    assert {deal for deal, one in found.items() if one.passed is False} == {*changes, refuted[2][0]}
    with sqlite3.connect(file) as db:
        db.execute("UPDATE records SET record = replace(record, 'take', 'tak')")
    bad = [one for one in recheck(file, jobs=1) if "not the one that was kept" in one.text]
    assert bad and all(one.passed is False for one in bad)


def test_an_answer_under_the_seed_of_another_deal_fails(heaps: str, tmp_path: Path) -> None:
    """A file could tell of one deal under many seeds: only its own outcomes were asked what it deals."""
    file, seeds = tmp_path / "answers.sqlite", "CAST(11 - CAST(seed AS INTEGER) AS TEXT)"
    survey(heaps, 12, "three", database=file, jobs=1)
    with sqlite3.connect(file) as db:
        db.execute(f"UPDATE deals SET seed = {seeds}, deal = 'x' || {seeds}")
        db.execute("UPDATE deals SET deal = seed")
    dice = rolled(heaps, 12)
    same = {str(seed) for seed in range(12) if dice[seed] == dice[11 - seed]}
    assert len(same) < 12
    assert {one.deal for one in recheck(file, jobs=1) if one.passed is not False} == same


def test_a_reading_that_is_a_list_is_no_setting(heaps: str, tmp_path: Path) -> None:
    """It was looked up among the readings of a ruling, which ended in a traceback."""
    file = tmp_path / "answers.sqlite"
    survey(heaps, 1, "three", database=file, jobs=1)
    with sqlite3.connect(file) as db:
        db.execute("""UPDATE run SET value = replace(value, '"readings": {}', '"readings": {"x": [1]}')""")
    with pytest.raises(DatabaseError, match="no database of answers"):
        recheck(file)


def test_changed_rules_are_told(heaps: str, tmp_path: Path) -> None:
    file = tmp_path / "answers.sqlite"
    survey(heaps, 2, "three", database=file, jobs=1)
    Path(heaps).write_text(HEAPS.replace("n in 1..2", "n in 1..3"))
    with pytest.raises(DatabaseError, match="have changed since"):
        recheck(file)
    with pytest.raises(DatabaseError, match="its digest is"):
        survey(heaps, 2, "three", database=file, jobs=1)


def test_what_is_printed_is_what_was_found(heaps: str) -> None:
    data = survey(heaps, 10, "fewest", jobs=1).to_data()
    assert json.loads(json.dumps(data)) == data
    assert data["outcomes"] == {"proved": 10} and len(data["answers"]) == 10
