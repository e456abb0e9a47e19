"""Puzzles by criterion: what is kept meets the criteria, and its evidence passes."""

from __future__ import annotations

from pathlib import Path

import pytest
from texts import HEAPS

from rulespec.budgets import Budget
from rulespec.cli.playing import read_record_file
from rulespec.core.diagnostics import RulesetError
from rulespec.core.verdicts import verdict_from
from rulespec.language import load
from rulespec.play.face import load as game_of
from rulespec.play.records.files import replay
from rulespec.play.records.puzzles import read_puzzles
from rulespec.solver.claims import NoPuzzle
from rulespec.solver.claims.recheck import check_deal
from rulespec.solver.surveys import Want, generate

ONE = """\
- id: one-play
  prose: The number of plays.
  kind: count
  of: plays
  from: deal
"""


@pytest.fixture
def heaps(tmp_path: Path) -> str:
    file = tmp_path / "heaps.yaml"
    file.write_text(HEAPS + ONE)
    return str(file)


def test_puzzles_meet_their_criteria_and_their_evidence_passes(heaps: str, tmp_path: Path) -> None:
    wants = [Want.parse("value>=2"), Want.parse("length<=3"), Want.parse("one-play<8")]
    found = generate(heaps, 2, wants, "fewest", jobs=1)
    game = load(heaps)
    assert [int(one.seed) for one in found.deals] == sorted(int(one.seed) for one in found.deals)
    assert len(found.deals) == 2
    for one in found.deals:
        start = game_of(heaps).start(chance=one.chance)
        left = start.values["left"]
        assert one.measures["value"] == -(-left // 2) >= 2
        assert one.measures["one-play"] < 8
        assert one.measures["work"] > 0
        verdict = verdict_from(dict(one.verdict))
        assert check_deal(game, verdict, one.records, one.chance, Budget(20.0)).passed
    again = generate(heaps, 2, wants, "fewest", jobs=2)
    assert again == found, "whatever ran at once"
    file = tmp_path / "puzzles.json"
    file.write_text(found.to_json())
    assert read_puzzles(file.read_text(), "puzzles.json") == found
    record = read_record_file(f"{file}#2")
    assert [*replay(record)][-1].chance == found.deals[1].chance


@pytest.mark.parametrize("file", ["answers.sqlite", None])
def test_answers_are_read_where_they_are_kept(
    heaps: str, file: str | None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Those in a file of the user's, or in memory without a cache, were looked for in the cache."""
    if file is None:
        monkeypatch.setenv("RULESPEC_CACHE", "no/absolute/path")
    found = generate(heaps, 2, [], "three", jobs=1, database=file and tmp_path / file)
    assert [one.outcome for one in found.deals] == ["proved", "proved"]


def test_deals_out_of_reach_are_puzzles_only_if_wanted(heaps: str) -> None:
    assert generate(heaps, 1, [Want.parse("solvable=0")], "three", jobs=1).deals[0].outcome == "refuted"
    assert all(one.outcome == "proved" for one in generate(heaps, 4, [], "three", jobs=1).deals)
    assert generate(heaps, 1, [Want.parse("value=77")], "fewest", jobs=1, most=6).deals == ()


def test_no_puzzle_begins_like_another(heaps: str) -> None:
    found = generate(heaps, 30, [], "three", jobs=1, most=60).deals
    starts = [game_of(heaps).start(chance=one.chance).values["left"] for one in found]
    assert 1 < len(starts) == len({*starts}) < 30


def test_what_is_no_criterion_no_goal_and_no_collection_is_refused(heaps: str) -> None:
    with pytest.raises(ValueError, match="is not a criterion"):
        Want.parse("value")
    with pytest.raises(NoPuzzle, match="no goal that a play could reach"):
        generate(heaps, 1, [], "one-play")
    for text in ("[", "{}", '{"puzzles": 2}'):
        with pytest.raises(RulesetError, match="no collection of puzzles"):
            read_puzzles(text, "p.json")
