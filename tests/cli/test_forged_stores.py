"""A table of forgeries: no command believes one of them, says it, or puts it on a page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_forgeries import CLAIMS, FORGED, RULESET, Folder, Run

from rulespec.budgets import Budget
from rulespec.cli.proving import Loader
from rulespec.core.verdicts import Evidence, InvalidAnswer, Store, StoreError, Verdict
from solver.claims import prove
from solver.claims.recheck import check_one, judge_of

Forgery = Callable[[Verdict], Verdict]


def with_data(verdict: Verdict, change: Callable[[str, Any], Any]) -> Verdict:
    """A verdict with its evidence changed: each entry but plays, by its name."""
    data = [{k: x if k == "record" else change(k, x) for k, x in e.data.items()} for e in verdict.evidence]
    changed = (replace(e, data=d) for e, d in zip(verdict.evidence, data, strict=True))
    return replace(verdict, evidence=tuple(changed))


def more(value: Any) -> Any:
    """A number and a list one larger, and a text longer."""
    if isinstance(value, dict):
        return {key: more(x) for key, x in value.items()}
    if isinstance(value, list):
        return [*value, *value[-1:]]
    return value + ("x" if isinstance(value, str) else 1)


def added(**data: object) -> Forgery:
    """Adds an entry to each piece of evidence."""
    return lambda v: replace(v, evidence=tuple(replace(e, data={**e.data, **data}) for e in v.evidence))


def numbered(**numbers: int) -> Forgery:
    """Replaces or adds numbers."""
    return lambda v: replace(v, numbers={**v.numbers, **numbers})


def bounded(low: int, high: int) -> Forgery:
    """Bounds in place of a value."""
    return lambda v: replace(v, outcome="bounded", numbers={"at_least": low, "at_most": high})


FORGERIES: dict[str, Forgery] = {
    "a note": lambda v: replace(v, notes=("over-at-once",)),
    "words": added(differs=FORGED),
    "a number as an entry": added(depth=7),
    "evidence of another kind": lambda v: replace(
        v, evidence=(*v.evidence, Evidence("fraction", {"is": "7"}))
    ),
    "the opposite": lambda v: replace(v, outcome="refuted" if v.outcome != "refuted" else "proved"),
    "the opposite without numbers": lambda v: replace(
        v, outcome="refuted" if v.outcome != "refuted" else "proved", numbers={}
    ),
    "a value": numbered(value=7),
    "fewer plies": lambda v: replace(v, numbers={**v.numbers, "plies": v.numbers["plies"] - 1}),
    "every number larger": lambda v: replace(v, numbers={key: x + 1 for key, x in v.numbers.items()}),
    "loose bounds": bounded(-9, 9),
    "a bound": lambda v: replace(v, outcome="bounded", numbers={"at_least": 0}),
    "a depth": lambda v: replace(v, outcome="bounded", numbers={"plies": 9}),
    "no evidence": lambda v: replace(v, evidence=()),
    "every entry larger": lambda v: with_data(v, lambda key, x: x if isinstance(x, bool) else more(x)),
    "every mark turned": lambda v: with_data(v, lambda key, x: not x if isinstance(x, bool) else more(x)),
    "evidence twice": lambda v: replace(v, evidence=v.evidence * 2),
    "a claim that helped": lambda v: replace(
        v, evidence=(*v.evidence, Evidence("helper", {"claim": "soon"}))
    ),
    "one deal": added(chance=["1"]),
    "a certificate": added(certificate="0" * 64),
}
"""Changes of a verdict. Some give the form of no answer, so that nobody can make them."""


def made(forgery: Forgery, true: Verdict) -> Verdict | None:
    """A forged verdict; None where nobody can make it, or it is no other."""
    try:
        forged = forgery(true)
        Store.parse(Store([forged]).text())
    except (InvalidAnswer, KeyError):
        return None
    except StoreError as error:
        return None if "the play" not in str(error) else forged
    return None if forged == true else forged


@pytest.fixture(scope="module")
def heap(tmp_path_factory: pytest.TempPathFactory) -> tuple[Loader, Store]:
    """The ruleset, and correct verdicts on its claims."""
    path = tmp_path_factory.mktemp("heap") / "heap.yaml"
    path.write_text(RULESET, "utf-8")
    loader, store = Loader(str(path)), Store()
    prove(loader, timeout=600, store=store)
    return loader, store


@pytest.mark.parametrize("claim", CLAIMS)
def test_no_forgery_of_the_table_passes(heap: tuple[Loader, Store], claim: str) -> None:
    loader, store = heap
    (true,) = store.of_claim("heap", claim)
    judge = judge_of(store, Budget(600, 4_000))
    assert check_one(judge, loader, true).passed is True
    tried = {name: forged for name, of in FORGERIES.items() if (forged := made(of, true)) is not None}
    assert len(tried) > 4
    assert {name for name, one in tried.items() if check_one(judge, loader, one).passed is not False} == set()


@pytest.mark.parametrize("turn", range(3))
def test_no_command_believes_a_forged_store(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch, heap: tuple[Loader, Store], turn: int
) -> None:
    """Each command reads a store in its own way: with a forgery of each claim none of them says it."""
    monkeypatch.setenv("RULESPEC_STATE", str(tmp_path / "state"))
    (tmp_path / "games").mkdir()
    folder, store = Folder(tmp_path / "games", run, tmp_path / "state"), heap[1]
    forged = []
    for at, claim in enumerate(CLAIMS):
        (true,) = store.of_claim("heap", claim)
        known = [one for of in FORGERIES.values() if (one := made(of, true)) is not None]
        loud = [one for one in known if one.statement != true.statement] or known
        forged.append(loud[(turn + at) % len(loud)])
    false = {v.statement for v in forged} - {v.statement for v in store}
    assert len(false) > 3
    mixed = Store(store, store.records)
    for one in forged:
        mixed.put(one)
    mixed.write(folder.path / "verdicts.json.gz")
    name = str(folder.ruleset)
    for command in (("recheck", name), ("prove", name), ("solve", name, "--goal", "soon"), ("survey", name)):
        mixed.write(folder.path / "verdicts.json.gz")
        _, out, err = run(*command)
        told = [line for line in " ".join((out + err).split()).split(". ") if "its check FAILED" not in line]
        assert not [text for text in false if any(text.rstrip(".") in line for line in told)], command
    mixed.write(folder.path / "verdicts.json.gz")
    folder.book()
    pages = (folder.path / "site").rglob("*.html") if (folder.path / "site").exists() else ()
    assert not [text for page in pages for text in false if text in page.read_text("utf-8")]
