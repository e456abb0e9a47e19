"""The benchmark of a fresh clone counts stamps of this installation, and says which bars are missed."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import published
from benchmarks.published import MARKS, Progress, stores
from rulespec.core.verdicts import UNDECIDED
from rulespec.core.verdicts.lemmas import helpers_of
from rulespec.core.verdicts.stamps import Stamps


@pytest.fixture(scope="module")
def groups() -> dict[str, list[published.Verdict]]:
    return published.groups()


def test_the_groups_are_the_stored_verdicts_that_readers_ask_for(
    groups: dict[str, list[published.Verdict]],
) -> None:
    assert all(not v.readings and not v.parameters for v in groups["default settings"])
    assert {v.key for v in groups["players' pages"]} <= {v.key for v in groups["all"]}
    assert len(groups["default settings"]) > 300
    assert ("smith", "ends") in {(v.ruleset, v.claim) for v in groups["players' pages"]}


def test_only_verdicts_with_a_stamp_count(tmp_path: Path, groups: dict[str, list[published.Verdict]]) -> None:
    tmp_path.chmod(0o700)
    one = {"default settings": groups["default settings"][:5]}
    assert published.shares(tmp_path, one) == {"default settings": (0, 5)}
    stamps = Stamps(tmp_path)
    stamps.add(one["default settings"][0], "replayed")
    assert stamps.save() == ""
    assert published.shares(tmp_path, one) == {"default settings": (1, 5)}


def test_missed_bars_are_named() -> None:
    def shares(page: int, default: int) -> dict[str, tuple[int, int]]:
        return {"players' pages": (page, 10), "default settings": (default, 100), "all": (0, 200)}

    found = Progress({MARKS[0]: shares(9, 0), MARKS[1]: shares(10, 90), MARKS[2]: shares(10, 96)})
    assert published.missed(found) == [
        "after 1 min: 9 of 10 players' pages, below 100%",
        "after 15 min: 96 of 100 default settings, below 97%",
    ]
    text = published.table(found).text()
    assert "9 of 10 (90%)" in text


def test_each_helper_of_a_shipped_verdict_has_a_verdict_in_the_same_setting() -> None:
    """One had none, so that what it helped to prove could never be checked again."""
    for store in stores():
        decided = {verdict.key for verdict in store if verdict.outcome != UNDECIDED}
        for verdict in store:
            ruleset, _, setting = verdict.key
            missing = [name for name in helpers_of(verdict) if (ruleset, name, setting) not in decided]
            assert not missing, (verdict.key, missing)
