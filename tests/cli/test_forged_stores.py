"""A table of forgeries: no command believes one of them, says it, or puts it on a page."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from test_forgeries import CLAIMS, FORGED, RULESET, Folder, Run

from rulespec.budgets import Budget
from rulespec.cli.loading import Loader
from rulespec.core.verdicts import Evidence, InvalidAnswer, Store, StoreError, Verdict
from rulespec.solver.claims import prove
from rulespec.solver.claims.recheck import check_one, judge_of

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
        if "the play" not in str(error):  # which is not beside it here
            return None
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
    assert len(tried) > 2
    assert [name for name, one in tried.items() if check_one(judge, loader, one).passed] == []


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
        (right,) = store.of_claim("heap", claim)
        known = [one for of in FORGERIES.values() if (one := made(of, right)) is not None]
        loud = [one for one in known if one.statement != right.statement] or known
        forged.append(loud[(turn + at) % len(loud)])
    false = {v.claim: v.statement for v in forged}
    false = {
        claim: text for claim, text in false.items() if text != store.of_claim("heap", claim)[0].statement
    }
    assert len(false) > 3
    mixed, name = Store(store, store.records), str(folder.ruleset)
    for one in forged:
        mixed.put(one)

    def ran(*command: str) -> tuple[int, str]:
        mixed.write(folder.path / "verdicts.json.gz")
        return run(*command)[:2]

    assert ran("recheck", name)[0] == 1
    said = {v["claim"]: v["statement"] for v in json.loads(ran("prove", name, "--json")[1])["verdicts"]}
    assert {claim for claim, text in false.items() if said[claim] == text} == set()
    assert ran("solve", name, "--goal", "soon")[0] == 0
    mixed.write(folder.path / "verdicts.json.gz")
    folder.book()
    for path in (folder.path / "site").rglob("*.html"):
        page = path.read_text("utf-8")
        parts = {claim: page.partition(f"claim-{claim}")[2].partition("claim-")[0] for claim in false}
        assert {claim for claim, text in false.items() if text in parts[claim]} == set(), path
