"""A store in a file: concurrent writers lose nothing, and the stronger verdict stays."""

from __future__ import annotations

import multiprocessing
from dataclasses import replace
from pathlib import Path

import pytest
from answering import numbers_of

from rulespec.core.verdicts import BOUNDED, PROVED, UNDECIDED, Evidence, Store, Verdict
from rulespec.core.verdicts.store_file import StoreFile

BARE = Verdict("small", "one", "invariant", PROVED, (), "interpreter", 0.1, "rules", "claim", 1)


def writer(path: Path, who: str, ready: object) -> None:
    file = StoreFile(path)
    ready.wait()  # type: ignore[attr-defined]
    for number in range(10):
        file.put(replace(BARE, claim=f"{who}-{number}"))


def test_concurrent_writers_lose_nothing(tmp_path: Path) -> None:
    """Each process wrote the store that it had read at its start, so the last one erased other verdicts."""
    path = tmp_path / "verdicts.json.gz"
    forked = multiprocessing.get_context("fork")
    ready = forked.Barrier(3)
    processes = [forked.Process(target=writer, args=(path, who, ready)) for who in "abc"]
    for process in processes:
        process.start()
    for process in processes:
        process.join()
    assert {v.claim for v in Store.read(path)} == {f"{who}-{number}" for who in "abc" for number in range(10)}


def test_records_are_stored_with_their_verdicts(tmp_path: Path) -> None:
    path = tmp_path / "verdicts.json.gz"
    first, second = StoreFile(path), StoreFile(path)
    second.put(replace(BARE, claim="other"))
    digest = first.store.keep({"chance": [], "plays": ["hop"]})
    first.put(replace(BARE, evidence=(Evidence("play", {"record": digest}),)))
    assert Store.read(path).records[digest] == {"chance": [], "plays": ["hop"]}
    assert {v.claim for v in Store.read(path)} == {"one", "other"}


@pytest.mark.parametrize("outcome", [BOUNDED, UNDECIDED])
def test_a_stronger_verdict_of_another_process_stays(tmp_path: Path, outcome: str) -> None:
    path = tmp_path / "verdicts.json.gz"
    mine, theirs = StoreFile(path), StoreFile(path)
    theirs.put(BARE)
    assert mine.put(replace(BARE, outcome=outcome, numbers=numbers_of("invariant", outcome))) == BARE
    assert [*Store.read(path)] == [BARE]
    changed = replace(BARE, outcome=outcome, numbers=numbers_of("invariant", outcome), game="other rules")
    assert mine.put(changed) == changed, "a verdict about other rules says nothing of these"
