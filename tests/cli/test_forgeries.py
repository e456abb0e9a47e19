"""Forged stores and stamps: no unchecked content passes a recheck or reaches a page."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest
from answering import numbers_of

from rulespec.book.output.swapping import MARK
from rulespec.cli import main
from rulespec.core.storage import authentication
from rulespec.core.storage.source_digest import source_digest
from rulespec.core.verdicts import Evidence, InvalidAnswer, Store, Verdict
from rulespec.core.verdicts.stamps import CHECKS, Stamps

PROVE = import_module("rulespec.solver.claims.prove")
Run = Callable[..., tuple[int, str, str]]
UNCHECKED = ("--within", "0.000001")
"""Arguments that leave no time for any check."""
FORGED = "Three professors have seen to that."

RULESET = """\
rulespec: 1
id: heap
title: A heap
summary: Take one or two.
players: 1
rules:
- id: heap
  prose: There is a heap.
  formal: |
    state heap: 0..5 = 5
- id: take
  prose: Take some.
  action: n in 1..2
  require:
    enough:
      prose: So many are there.
      that: n <= heap
  do: remove n from heap
- id: gone
  prose: It is gone.
  end: heap = 0
- id: winner
  prose: Whoever took it all has won.
  winners: those p in Player where heap = 0
claims:
- id: full
  prose: No more than five lie there.
  invariant: heap <= 5
- id: never-six
  prose: Six are out of reach.
  unreachable: heap = 6
  helped-by: [full]
- id: most
  prose: The most.
  most: heap
- id: how-many
  prose: So many positions.
  kind: count
- id: mean
  prose: The mean on the way.
  expected: heap
  policy: random
  summed-over: plies
- id: soon
  prose: One is left at some time.
  reachable: heap = 1
- id: ends
  prose: It ends.
  terminates: heap
- id: share
  prose: One is left at the end.
  estimate: heap = 0
  games: 100
  seed: 1
- id: wins
  prose: It can be won.
  kind: winnable
"""


class Folder:
    """A folder with a ruleset, its verdicts, and a site with its rulebook."""

    def __init__(self, path: Path, run: Run, state: Path) -> None:
        self.path, self.ran, self.state = path, run, state
        self.ruleset = path / "heap.yaml"
        self.ruleset.write_text(RULESET, "utf-8")
        (path / "docs").mkdir()
        (path / "docs" / "index.md").write_text("# Games\n", "utf-8")
        plugin = f"{{rulespec: {{rulesets: [{self.ruleset}]}}}}"
        config = f"site_name: x\ntheme: rulespec\nplugins: [{plugin}]\n"
        (path / "mkdocs.yml").write_text(config, "utf-8")

    @property
    def store(self) -> Store:
        return Store.read(self.path / "verdicts.json.gz")

    def verdict(self, claim: str) -> Verdict:
        return next(v for v in self.store if v.claim == claim)

    def forge(self, *verdicts: Verdict) -> None:
        """Write forged verdicts into the store and seal it."""
        store = self.store
        for verdict in verdicts:
            store.put(verdict)
        store.write(self.path / "verdicts.json.gz")

    def book(self, *more: str) -> tuple[int, str, str]:
        """Build the site, by default with time enough for all checks."""
        return self.ran("book", "--config", str(self.path / "mkdocs.yml"), "--within", "600", *more)

    def recheck(self) -> dict[str, str]:
        """The result for each claim; none if the store is not read."""
        _, out, _ = self.ran("recheck", str(self.ruleset), "--json")
        return {row["claim"]: row["result"] for row in json.loads(out)["checks"]} if out else {}

    @property
    def page(self) -> str:
        return (self.path / "site" / "rulebooks" / "heap-exact" / "index.html").read_text("utf-8")


@pytest.fixture(scope="module")
def verdicts(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with correct verdicts."""
    path = tmp_path_factory.mktemp("proved") / "heap.yaml"
    path.write_text(RULESET, "utf-8")
    assert main(["prove", str(path)]) == 0
    return path.with_name("verdicts.json.gz")


@pytest.fixture
def folder(tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, verdicts: Path) -> Folder:
    """A folder with correct verdicts and no stamps."""
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "state"))
    (tmp_path / "games").mkdir()
    (tmp_path / "state").mkdir(mode=0o700)
    shutil.copy(verdicts, tmp_path / "games")
    return Folder(tmp_path / "games", run, tmp_path / "state")


def noted(verdict: Verdict) -> Verdict:
    return replace(verdict, notes=("over-at-once",))


def told(verdict: Verdict) -> Verdict:
    """Evidence of which another entry, or the same one, says something else."""
    first, *rest = verdict.evidence
    key = next((key for key in ("digest", "is") if key in first.data), "differs")
    if verdict.kind == "estimate":
        key = "seed"
    said = {"digest": FORGED, "differs": FORGED, "is": "7", "seed": 7}[key]
    return replace(verdict, evidence=(replace(first, data={**first.data, key: said}), *rest))


def added(verdict: Verdict) -> Verdict:
    return replace(verdict, evidence=(*verdict.evidence, Evidence("exploration", dict(COUNTED))))


COUNTED = {"counts": [1], "digest": FORGED, "closed": True}


def turned(verdict: Verdict) -> Verdict:
    outcome = "refuted" if verdict.outcome != "refuted" else "proved"
    return replace(verdict, outcome=outcome, numbers=numbers_of(verdict.kind, outcome))


def counted(verdict: Verdict) -> Verdict:
    """Every number is larger."""
    numbers = {key: x + 1 for key, x in verdict.numbers.items()}
    evidence = [
        replace(e, data={**e.data, "total": e.data["total"] + 1} if "total" in e.data else e.data)
        for e in verdict.evidence
    ]
    return replace(verdict, numbers=numbers, evidence=tuple(evidence))


FORGERIES = (noted, told, added, turned, counted)
CLAIMS = ("full", "most", "how-many", "mean", "soon", "ends", "share", "wins")


@pytest.mark.parametrize("claim", CLAIMS)
def test_forgeries_fail_and_are_not_published(folder: Folder, claim: str) -> None:
    """Statements, notes and texts of evidence were published without a comparison.

    Each forgery is checked by itself; a site is built with each forgery once, of another claim each time.
    """
    true, own = folder.verdict(claim), CLAIMS.index(claim)
    if own < len(FORGERIES):
        assert folder.book()[0] == 0
        site = folder.page
    for number, forgery in enumerate(FORGERIES):
        try:
            forged = forgery(true)
        except InvalidAnswer:
            continue
        if forged == true:
            continue
        folder.forge(forged)
        assert folder.recheck()[claim] == "FAILED", forgery
        if number != own:
            continue
        for more in ((), ("--prove",)):
            status, out, err = folder.book(*more)
            assert status == 1, forgery
            assert "The site is in" not in out
            assert folder.page == site, "the old site stays"
        assert f"recheck failed: heap {claim}" in err or "does not hold" in err


def test_the_evidence_of_another_claim_is_no_evidence(folder: Folder) -> None:
    for one, other in (("full", "soon"), ("most", "soon"), ("ends", "soon"), ("how-many", "soon")):
        before = (folder.path / "verdicts.json.gz").read_bytes()
        folder.forge(replace(folder.verdict(one), evidence=folder.verdict(other).evidence))
        assert folder.recheck()[one] == "FAILED"
        (folder.path / "verdicts.json.gz").write_bytes(before)


def test_the_engine_is_on_no_page(folder: Folder) -> None:
    """The engine and the seconds of a verdict cannot be checked."""
    folder.forge(replace(folder.verdict("most"), engine=FORGED, seconds=0.0))
    assert folder.book()[0] == 0
    assert FORGED not in folder.page


def test_a_page_shows_only_checked_verdicts(folder: Folder) -> None:
    """Stores were published without a check of their contents."""
    status, _, _ = folder.book(*UNCHECKED)
    assert status == 3
    assert "rs-proved" not in folder.page
    assert folder.page.count("not checked here") == len(CLAIMS) + 1
    assert "rulespec recheck heap" in folder.page
    assert set(folder.recheck().values()) == {"passed"}
    assert folder.book(*UNCHECKED)[0] == 0, "what was rechecked has its stamp"
    assert "rs-proved" in folder.page
    assert "not checked here" not in folder.page


def test_json_names_checked_verdicts(folder: Folder) -> None:
    _, out, _ = folder.book(*UNCHECKED, "--json")
    assert {(v["outcome"], v["statement"], v["checked"]) for v in json.loads(out)["verdicts"]} == {
        ("unchecked", "", False)
    }
    _, out, _ = folder.book("--json")
    assert all(v["checked"] and v["statement"] for v in json.loads(out)["verdicts"])


def test_a_verdict_changed_after_its_check_has_no_stamp(folder: Folder) -> None:
    folder.recheck()
    assert folder.book(*UNCHECKED)[0] == 0
    folder.forge(told(folder.verdict("most")))
    assert folder.book(*UNCHECKED)[0] == 3
    assert FORGED not in folder.page


OPEN = ("folder", "above", "file")


def stamped(folder: Folder) -> bool:
    """True if the stamps of the user count for a verdict of the store."""
    return any(Stamps().of(verdict) is not None for verdict in folder.store)


def stamps_of(folder: Folder) -> str:
    """The text of stamps for all verdicts."""
    stamps = Stamps(folder.path / "elsewhere")
    for verdict in folder.store:
        stamps.add(verdict, FORGED)
    assert not stamps.save()
    (file,) = (folder.path / "elsewhere").iterdir()
    return file.read_text("utf-8")


def test_a_stamp_beside_a_ruleset_does_not_count(folder: Folder) -> None:
    text = stamps_of(folder)
    name = f"checked-{source_digest(*CHECKS)}.json"
    for path in (folder.path / name, folder.path / "docs" / name):
        path.write_text(text, "utf-8")
    assert folder.book(*UNCHECKED)[0] == 3
    assert FORGED not in folder.page


@pytest.mark.skipif(not hasattr(os, "geteuid"), reason="a system without owners of files")
@pytest.mark.parametrize(
    "which", ["folder", "above", "file", "linked file", "other program", "another key", "by hand"]
)
def test_stamps_that_others_could_have_written_do_not_count(folder: Folder, which: str) -> None:
    text, name = stamps_of(folder), f"checked-{source_digest(*CHECKS)}.json"
    file = folder.state / name
    file.write_text(text, "utf-8")
    file.chmod(0o600)
    assert stamped(folder), "these are good"
    if which == "folder":
        folder.state.chmod(0o777)
    elif which == "file":
        file.chmod(0o666)
    elif which == "above":
        folder.state.parent.chmod(0o777)
    elif which == "another key":
        (folder.state / "key").write_bytes(bytes(32))
        authentication._key_of.cache_clear()
    elif which == "by hand":
        file.write_text(text.replace(FORGED, "more"), "utf-8")
    elif which == "linked file":
        file.rename(folder.path / "mine")
        file.symlink_to(folder.path / "mine")
    else:
        file.rename(folder.state / f"checked-{'0' * 64}.json")
    assert not stamped(folder)


def test_damaged_stamps_do_not_count(folder: Folder) -> None:
    folder.recheck()
    (file,) = folder.state.glob("checked-*")
    text = file.read_text("utf-8")
    for broken in (
        "",
        text[: len(text) // 2],
        "[" * 100_000,
        "[1]",
        '{"a": "b"}',
        text.replace(": ", ": 1, "),
    ):
        file.write_text(broken, "utf-8")
        assert not stamped(folder)
    assert folder.book(*UNCHECKED)[0] == 3


def helped(folder: Folder) -> Verdict:
    """A verdict that rests on a claim."""
    excluded = Evidence("refutation", {"by": "excluded"}), Evidence("helper", {"claim": "full"})
    return replace(folder.verdict("never-six"), numbers={}, evidence=excluded)


def test_a_verdict_whose_helper_failed_is_not_checked(folder: Folder) -> None:
    """The dependent passed in the same run in which its helper failed."""
    folder.forge(helped(folder))
    assert folder.recheck()["never-six"] == "passed"
    folder.forge(helped(folder), told(folder.verdict("full")))
    _, out, _ = folder.ran("recheck", str(folder.ruleset))
    assert "not checked: it rests on `full`, which failed" in " ".join(out.split())
    assert folder.recheck()["never-six"] == "not checked"


def test_a_verdict_whose_helper_was_skipped_is_not_checked(folder: Folder) -> None:
    folder.forge(helped(folder))
    from rulespec.cli.loading import Loader
    from rulespec.solver.claims import recheck

    loader, only = Loader(str(folder.ruleset)), {folder.verdict("never-six").subject}
    (check,) = recheck(folder.store, loader, ["never-six"], only=only)
    assert (check.passed, "which was not gone through" in check.text) == (None, True)
    earlier = {"full": "passed before"}
    (check,) = recheck(folder.store, loader, ["never-six"], only=only, vouched=lambda v: earlier.get(v.claim))
    assert check.passed is True
    (check,) = recheck(folder.store, loader, ["never-six"])
    assert check.passed is True, "what it rests on is gone through with it"


ODD = {
    "numbers": {"value": 10**200},
    "seconds": float("inf"),
    "notes": ("\x1b[2J",),
    "options": {"sense": "best"},
    "engine": "edoc \u202ereverse",
    "players": True,
    "parameters": {"a": None},
}


@pytest.mark.parametrize("field", ODD)
def test_odd_values_are_a_damaged_store(folder: Folder, field: str) -> None:
    """Values of wrong types raised a traceback where they were first used."""
    store = folder.store
    try:
        store.put(replace(folder.verdict("most"), **{field: ODD[field]}))
        store.write(folder.path / "verdicts.json.gz")
    except (UnicodeEncodeError, InvalidAnswer):
        return  # it cannot be made or written at all
    for command in ("recheck", "prove"):
        status, _, err = folder.ran(command, str(folder.ruleset))
        assert status == 2
        assert "verdicts.json.gz" in err


def test_only_a_marked_or_empty_folder_is_replaced(folder: Folder) -> None:
    site = folder.path / "site"
    site.mkdir()
    (site / "mine.txt").write_text("precious", "utf-8")
    status, _, err = folder.book()
    assert (status, (site / "mine.txt").read_text("utf-8")) == (2, "precious")
    assert "did not write" in err
    (site / "mine.txt").unlink()
    assert folder.book()[0] == 0
    assert (site / MARK).is_file()
    other = folder.path / "other"
    site.rename(other)
    site.symlink_to(other)
    assert folder.book()[0] == 2, "nothing is written through a link"
    assert not [path for path in folder.path.iterdir() if path.name.startswith(".rulespec-site-")]


def test_the_old_site_stays_where_a_build_fails(folder: Folder) -> None:
    assert folder.book()[0] == 0
    before = {path: path.read_bytes() for path in (folder.path / "site").rglob("*") if path.is_file()}
    (folder.path / "docs" / "index.md").write_text("```rulespec\nruleset: none\n```\n", "utf-8")
    assert folder.book()[0] == 1
    after = {path: path.read_bytes() for path in (folder.path / "site").rglob("*") if path.is_file()}
    assert after == before


def proved(folder: Folder, *claims: str) -> tuple[int, str]:
    status, out, _ = folder.ran("prove", str(folder.ruleset), *claims)
    return status, " ".join(out.split())


def test_prove_checks_the_stored_verdicts_that_it_takes(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`prove` exited with 0 on a stored verdict that nobody had checked."""
    monkeypatch.setattr(PROVE, "BRIEFLY", 0.0)
    status, out = proved(folder, "full")
    assert (status, "full: unchecked" in out) == (3, True)
    status, out = proved(folder, "full", "--timeout", "600")
    assert (status, "full: proved" in out) == (0, True), "the checks have the time of the call"
    monkeypatch.setattr(PROVE, "BRIEFLY", 600.0)
    status, out = proved(folder)
    assert (status, out.count("[stored")) == (0, len(CLAIMS) + 1)
    monkeypatch.setattr(PROVE, "BRIEFLY", 0.0)
    status, out = proved(folder)
    assert (status, out.count("[stored")) == (0, len(CLAIMS) + 1), "those that passed have stamps"


def test_a_forged_verdict_fails_when_prove_takes_it(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    for forged in (told(folder.verdict("full")), told(folder.verdict("most"))):
        folder.forge(forged)
        monkeypatch.setattr(PROVE, "BRIEFLY", 600.0)
        status, out = proved(folder, forged.claim)
        assert (status, "FAILED, the stored verdict was wrong, and is removed" in out) == (1, True)
        _, out, _ = folder.ran("prove", str(folder.ruleset), forged.claim, "--json")
        checks = [check["result"] for check in json.loads(out)["checks"]]
        assert checks == ["passed"], "what failed is no longer stored, and was decided anew"
        assert folder.verdict(forged.claim).evidence != forged.evidence


def test_a_refutation_that_nobody_checked_refutes_nothing(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder.forge(turned(folder.verdict("soon")))
    monkeypatch.setattr(PROVE, "BRIEFLY", 0.0)
    assert proved(folder, "soon")[0] == 3


def test_prove_checks_what_a_taken_verdict_rests_on(folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    full = folder.verdict("full")
    folder.forge(helped(folder), told(full))
    monkeypatch.setattr(PROVE, "BRIEFLY", 600.0)
    status, out = proved(folder, "never-six")
    assert (status, "full: FAILED, the stored verdict was wrong" in out) == (1, True)
    folder.forge(full)
    assert proved(folder, "never-six")[0] == 0
