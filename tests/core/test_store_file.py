"""A store in a file: two that write it at once lose nothing, and the stronger verdict stays."""

from __future__ import annotations

import multiprocessing
from dataclasses import replace
from pathlib import Path

import pytest

from rulespec.core.store_file import StoreFile
from rulespec.core.verdicts import BOUNDED, PROVED, UNDECIDED, Evidence, Store, Verdict

BARE = Verdict("small", "one", "invariant", PROVED, "It holds.", (), "interpreter", 0.1, "rules", "claim", 1)


def writer(path: Path, who: str, ready: object) -> None:
    file = StoreFile(path)
    ready.wait()  # type: ignore[attr-defined]
    for number in range(10):
        file.put(replace(BARE, claim=f"{who}-{number}"))


def test_two_that_write_at_once_lose_nothing(tmp_path: Path) -> None:
    """Each process wrote the store as it had read it at first: the last one won, and verdicts were lost."""
    path = tmp_path / "verdicts.json.gz"
    forked = multiprocessing.get_context("fork")
    ready = forked.Barrier(3)
    processes = [forked.Process(target=writer, args=(path, who, ready)) for who in "abc"]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert {v.claim for v in Store.read(path)} == {f"{who}-{number}" for who in "abc" for number in range(10)}


def test_records_are_kept_with_the_verdicts_that_name_them(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.json.gz"
    first, second = StoreFile(path), StoreFile(path)
    second.put(replace(BARE, claim="other"))
    digest = first.store.keep({"chance": [], "plays": ["hop"]})
    first.put(replace(BARE, evidence=(Evidence("play", "", {"record": digest}),)))
    assert Store.read(path).records[digest] == {"chance": [], "plays": ["hop"]}
    assert {v.claim for v in Store.read(path)} == {"one", "other"}


@pytest.mark.parametrize("outcome", [BOUNDED, UNDECIDED])
def test_what_another_process_has_shown_meanwhile_is_not_made_weaker(tmp_path: Path, outcome: str) -> None:
    path = tmp_path / "verdicts.json.gz"
    mine, theirs = StoreFile(path), StoreFile(path)
    theirs.put(BARE)
    assert mine.put(replace(BARE, outcome=outcome)) == BARE
    assert [*Store.read(path)] == [BARE]
    changed = replace(BARE, outcome=outcome, game="other rules")
    assert mine.put(changed) == changed, "a verdict about other rules says nothing of these"
