"""Claims about deals: shares, exceptions, and answers that are held against the deals again."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.core.verdicts import Store, Verdict
from rulespec.language import load
from solver.claims import prove, recheck
from solver.claims.deciders import by_deals
from solver.surveys import survey
from solver.surveys.storing import NothingToStore, store

COINS = """\
rulespec: 1
id: coins
title: Coins
rules:
- id: row
  prose: Four coins in a row; take the first or the last, three times.
  formal: |
    type Coin = 1..4
    state row: list of Coin up to 4 = []
    state taken: set of Coin = {}
  setup: shuffle Coin into row
- id: take
  prose: Take one.
  action: last in Bool
  written: take {if last then "last" else "first"}
  do: |
    if last: move top of row into taken
    else: move bottom of row into taken
- id: three
  prose: Three are enough.
  end: size(taken) = 3
claims:
- id: no-one
  prose: The one can be left.
  reachable: size(taken) = 3 and not 1 in taken
- id: anything
  prose: Three can be taken.
  reachable: size(taken) = 3
- id: first-two
  prose: The least of the first that is taken.
  least: sum(c for c in taken)
  when: size(taken) = 1 and not 1 in taken and not 2 in taken
- id: share
  prose: How often the one can be left.
  share-of-deals: no-one
  deals: 12
- id: always
  prose: Three can always be taken.
  every-deal: anything
- id: never-two
  prose: The first can be three or four.
  every-deal: first-two
- id: not-always-two
  prose: Not always is the first one or two at either end.
  every-deal: first-two
  is: no
"""


@pytest.fixture
def coins(tmp_path: Path) -> Path:
    path = tmp_path / "coins.yaml"
    path.write_text(COINS, encoding="utf-8")
    return path


def decided(path: Path, claim: str, timeout: float = 20) -> tuple[Any, Store, Verdict]:
    game, kept = load(path), Store()

    def itself(**settings: Any) -> Game:
        return game

    (found,) = prove(itself, [claim], timeout=timeout, store=kept)
    return itself, kept, found


def ends(game: Game, seed: int) -> tuple[str, str]:
    from solver.claims import deal

    row = deal(game, seed)[0].strip("[]").split()
    return row[0].strip(","), row[-1]


def test_a_share_counts_the_deals_it_names(coins: Path) -> None:
    loader, kept, found = decided(coins, "share")
    game = loader()
    expected = ["y" for seed in range(12)]  # any one of four can be left: take the others from both ends
    assert found.outcome == "estimated"
    assert found.evidence[0].data["answers"] == "".join(expected)
    assert dict(found.numbers) == {"deals": 12, "held": 12, "failed": 0}
    (check,) = recheck(kept, loader, ["share"])
    assert check.passed, check.text
    assert game.claims["share"].options["asks"] == "no-one"


def test_one_deal_refutes_what_is_said_of_all(coins: Path) -> None:
    loader, kept, found = decided(coins, "never-two")
    seed = found.numbers["seed"]
    assert found.outcome == "refuted"
    assert set(ends(loader(), seed)) == {"1", "2"}
    assert all(set(ends(loader(), s)) != {"1", "2"} for s in range(seed))
    (check,) = recheck(kept, loader, ["never-two"])
    assert check.passed, check.text


def test_one_deal_proves_that_something_does_not_hold_in_all(coins: Path) -> None:
    loader, kept, found = decided(coins, "not-always-two")
    assert (found.outcome, found.numbers) == ("proved", decided(coins, "never-two")[2].numbers)
    (check,) = recheck(kept, loader, ["not-always-two"])
    assert check.passed, check.text
    (check,) = recheck(Store([replace(found, outcome="refuted")], kept.records), loader, ["not-always-two"])
    assert check.passed is False, check.text


def test_what_held_so_far_is_not_proved(coins: Path) -> None:
    loader, kept, found = decided(coins, "always", timeout=1.5)
    assert found.outcome == "bounded"
    assert found.statement.startswith(f"It holds in {found.numbers['deals']} of the first")
    (check,) = recheck(kept, loader, ["always"])
    assert check.passed, check.text


@pytest.mark.parametrize(
    ("claim", "change"),
    [
        ("share", {"answers": "y" * 11 + "n"}),
        ("share", {"answers": "y" * 13}),
        ("share", {"answers": "yes"}),
        ("share", {"answers": 3}),
        ("share", {"first": 1}),
        ("share", {"claim": "anything"}),
        ("never-two", {"first": 10_000}),
        ("never-two", {"answers": "y"}),
    ],
)
def test_damaged_answers_are_refused(coins: Path, claim: str, change: dict[str, Any]) -> None:
    loader, kept, found = decided(coins, claim)
    (evidence,) = found.evidence
    kept.put(replace(found, evidence=(replace(evidence, data={**evidence.data, **change}),)))
    (check,) = recheck(kept, loader, [claim])
    assert check.passed is False


def test_forged_answers_that_fit_together_are_found_out(coins: Path) -> None:
    loader, kept, found = decided(coins, "share")
    forged = by_deals.told(loader().claims["share"], "n" * 12)
    proof = forged.proofs[0]
    kept.put(
        replace(
            found,
            statement=forged.statement,
            numbers=dict(forged.numbers),
            evidence=(replace(found.evidence[0], text=proof.text, data=proof.data),),
        )
    )
    (check,) = recheck(kept, loader, ["share"])
    assert check.passed is False
    assert "was decided otherwise" in check.text


def test_a_survey_becomes_the_verdict(coins: Path, tmp_path: Path) -> None:
    game, path = load(coins), tmp_path / "verdicts.json.gz"
    found = survey(str(coins), 5, "no-one", jobs=1, timeout=20, database=tmp_path / "coins.sqlite")
    (verdict,) = store(found, game, path)
    assert verdict.notes == ("Only 5 of the 12 deals were asked.",)
    (check,) = recheck(path, lambda **settings: game, ["share"])
    assert check.passed, check.text
    other = survey(str(coins), 2, "anything", jobs=1, timeout=20, database=tmp_path / "other.sqlite")
    with pytest.raises(NothingToStore):
        store(other, game, path)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("share-of-deals: nothing\n  deals: 3", "names a claim before this one"),
        ("share-of-deals: no-one", "of how many `deals`"),
        ("every-deal: no-one\n  deals: 3", "`deals` belongs to claims of the kinds `share-of-deals`"),
    ],
)
def test_claims_about_deals_say_what_they_ask(coins: Path, text: str, said: str) -> None:
    coins.write_text(COINS.replace("share-of-deals: no-one\n  deals: 12", text), encoding="utf-8")
    with pytest.raises(RulesetError, match=said):
        load(coins)
