"""Claims about deals: shares, exceptions, and answers that are held against the deals again."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from math import comb, factorial
from pathlib import Path
from time import sleep
from typing import Any

import pytest
from texts import COINS

from rulespec.budgets import Budget, children
from rulespec.code import TooLarge
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.core.verdicts import Store, Verdict
from rulespec.core.verdicts.packed_answers import pack, unpack
from rulespec.executors import Processes
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.analyses.deal_numbers import NotBlind, Starts
from rulespec.solver.claims import prove, recheck, turns
from rulespec.solver.evidence import deal_counts
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.methods import all_deals, deals
from rulespec.solver.surveys import survey


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


DECIDED: dict[tuple[str, str], tuple[Any, Store, Verdict]] = {}
"""By the text of rules and the claim."""


def decided_once(path: Path, claim: str) -> tuple[Any, Store, Verdict]:
    """The same, decided once for all tests, in a store of the test's own."""
    key = path.read_text(), claim
    if key not in DECIDED:
        DECIDED[key] = decided(path, claim)
    loader, store, found = DECIDED[key]
    return loader, Store(store, store.records), found


def ends(game: Game, seed: int) -> tuple[str, str]:
    from rulespec.solver.claims import deal

    row = deal(game, seed)[0].strip("[]").split()
    return row[0].strip(","), row[-1]


def test_a_share_counts_the_deals_it_names(coins: Path) -> None:
    loader, kept, found = decided_once(coins, "share")
    game = loader()
    expected = ["y" for seed in range(12)]  # any one of four can be left: take the others from both ends
    assert found.outcome == "estimated"
    assert found.evidence[0].data["answers"] == "".join(expected)
    assert dict(found.numbers) == {"deals": 12, "held": 12, "failed": 0}
    (check,) = recheck(kept, loader, ["share"])
    assert check.passed, check.text
    assert game.claims["share"].options["asks"] == "no-one"


def test_an_estimate_cut_short_by_its_turn_gets_another_turn(
    coins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A turn ended after six deals: the twelve that the claim names are asked in the next one."""
    turns_taken: list[Budget] = []
    whole = deals.decide

    def briefly(case: Case, one: deals.One) -> Answer:
        turns_taken.append(case.budget)
        if len(turns_taken) > 1:
            return whole(case, one)
        while not case.budget.exceeded_limit:
            sleep(0.01)
        return deal_counts.estimate_of_share(case.claim, "y" * 6)

    monkeypatch.setattr(deals, "decide", briefly)
    monkeypatch.setattr(turns, "FIRST", 0.5)
    monkeypatch.setattr(children, "can_fork", lambda: False)  # turns are recorded in this process
    verdicts = prove(partial(load, coins), ["share", "anything"], timeout=200)
    found = next(verdict for verdict in verdicts if verdict.claim == "share")
    assert found.numbers["deals"] == 12
    assert len(turns_taken) == 2


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


def test_what_helps_the_claim_that_is_asked_is_settled_first(coins: Path) -> None:
    """From nothing, deals were asked without the claims that the asked one names as helping it.

    Those are not waited for where an exception is sought.
    """
    few = "  helped-by: few\n- id: few\n  prose: No more than three.\n  invariant: size(taken) <= 3\n"
    share = "- id: share-anything\n  prose: How often.\n  share-of-deals: anything\n  deals: 3\n"
    text = COINS.replace("- id: first-two\n", few + "- id: first-two\n", 1) + share
    coins.write_text(text, "utf-8")
    for asked, waits, timeout in ("always", False, 2), ("share-anything", True, 60):
        _, kept, found = decided(coins, asked, timeout=timeout)
        assert found.claim == asked
        assert ("few" in {verdict.claim for verdict in kept}) is waits


def test_what_held_so_far_is_not_proved(coins: Path) -> None:
    loader, kept, found = decided(coins, "always", timeout=1.5)
    assert found.outcome == "bounded"
    assert found.statement.startswith(f"Shown for {found.numbers['deals']} of the first")
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
    loader, kept, found = decided_once(coins, claim)
    (evidence,) = found.evidence
    kept.put(replace(found, evidence=(replace(evidence, data={**evidence.data, **change}),)))
    (check,) = recheck(kept, loader, [claim])
    assert check.passed is False


def test_forged_answers_that_fit_together_are_found_out(coins: Path) -> None:
    loader, kept, found = decided_once(coins, "share")
    forged = deal_counts.estimate_of_share(loader().claims["share"], "n" * 12)
    proof = forged.proofs[0]
    kept.put(
        replace(
            found,
            numbers=dict(forged.numbers),
            evidence=(replace(found.evidence[0], data=proof.data),),
        )
    )
    (check,) = recheck(kept, loader, ["share"])
    assert check.passed is False
    assert "was decided otherwise" in check.text


def test_a_claim_about_a_share_takes_the_answers_of_a_survey(coins: Path) -> None:
    survey(str(coins), 9, "no-one", jobs=1, timeout=200)
    words: list[str] = []
    loader = partial(load, str(coins))
    (verdict,) = prove(loader, ["share"], executor=Processes(1), ruleset=str(coins), progress=words.append)
    assert words == ["10 deals", "11 deals", "12 deals"], "nine were there"
    assert verdict.numbers["deals"] == 12


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


# ---- all deals


def row(chance: tuple[str, ...]) -> list[str]:
    return chance[0].strip("[]").split(", ")


def low(coins: list[str]) -> bool:
    """Whether the one and the two can be taken first: from one end, or from both."""
    return any({coins[a], coins[b]} == {"1", "2"} for a, b in ((0, 1), (2, 3), (0, 3)))


def test_every_start_has_one_number(coins: Path) -> None:
    for game in (load(coins), load("sacred-alignment-small")):
        starts = Starts(game)
        for number in {0, 1, starts.count - 1, *random.Random(1).sample(range(starts.count), 20)}:
            dealt = Machine(game).start(Chance(None, starts.chance(number))).position
            assert starts.position(number).values == dealt.values
    assert starts.count == comb(10, 3) * factorial(7)
    some = {starts.position(number).values for number in range(3_000)}
    assert len(some) == 3_000
    starts = Starts(load(coins))
    assert len({starts.chance(number) for number in range(starts.count)}) == starts.count == 24


def test_a_game_that_looks_at_what_it_deals_has_no_numbered_starts(coins: Path) -> None:
    coins.write_text(COINS.replace("setup: shuffle Coin into row", "setup: roll coin from Coin").replace(
        "    state taken: set of Coin = {}\n", "    state taken: set of Coin = {}\n    state coin: Coin = 1\n"
    ), encoding="utf-8")  # fmt: skip
    with pytest.raises(NotBlind):
        Starts(load(coins))
    found = decided(coins, "share-low")[2]
    assert found.outcome == "undecided"
    assert "shuffle once" in found.statement


def test_all_deals_are_counted(coins: Path) -> None:
    loader, kept, found = decided_once(coins, "share-low")
    starts = Starts(loader())
    held = [low(row(starts.chance(number))) for number in range(starts.count)]
    assert dict(found.numbers) == {"deals": 24, "held": sum(held), "failed": 24 - sum(held)}
    assert found.outcome == "proved"
    assert "1/2" in found.statement
    assert unpack(found.evidence[0].data["packed"]) == "".join("y" if x else "n" for x in held)
    (check,) = recheck(kept, loader, ["share-low"])
    assert check.passed, check.text


def test_deals_that_take_too_much_memory_are_not_checked(
    coins: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    loader, kept, _ = decided_once(coins, "share-low")

    def full(self: all_deals.DealDecider, first: int, last: int) -> str:
        raise TooLarge("it takes more than 4 GB")

    monkeypatch.setattr(all_deals.DealDecider, "letters", full)
    (check,) = recheck(kept, loader, ["share-low"])
    assert check.passed is None
    assert "its deals were not gone through: it takes more than 4 GB" in check.text


def test_of_a_best_it_counts_whether_there_is_one(coins: Path) -> None:
    loader, kept, found = decided(coins, "share-first-two")
    starts = Starts(loader())
    ends = [{row(starts.chance(number))[i] for i in (0, 3)} for number in range(24)]
    assert found.numbers["held"] == sum(bool(both & {"3", "4"}) for both in ends)
    (check,) = recheck(kept, loader, ["share-first-two"])
    assert check.passed, check.text


def test_what_was_decided_of_all_deals_is_gone_on_with(coins: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    coins.write_text(COINS.replace("id: coins", "id: coins-again"), encoding="utf-8")
    monkeypatch.setattr(all_deals, "BATCH", 7)
    asked: list[int] = []
    letters = all_deals.DealDecider.letters

    def some(self: all_deals.DealDecider, first: int, last: int) -> str | None:
        asked.append(first)
        return letters(self, first, last) if len(asked) != 3 else None

    monkeypatch.setattr(all_deals.DealDecider, "letters", some)
    monkeypatch.setattr(children, "can_fork", lambda: False)  # questions are recorded in this process
    partly = decided(coins, "share-low")[2]
    assert partly.outcome == "bounded"
    assert partly.numbers["held"] + partly.numbers["failed"] == 14
    whole = decided(coins, "share-low")[2]
    assert whole.outcome == "proved"
    assert asked == [0, 7, 14, 14, 21]


@pytest.mark.parametrize("change", ["another", "shorter", "damaged", "exchanged", "two exchanged"])
def test_changed_answers_on_all_deals_are_refused(coins: Path, change: str) -> None:
    loader, _, found = decided_once(coins, "share-low")
    data = dict(found.evidence[0].data)
    letters = unpack(data["packed"])
    assert letters is not None
    turned = letters.translate(str.maketrans("yn", "ny"))  # as many as before, for half of them hold
    one, other = sorted((letters.index("y"), letters.index("n")))
    swapped = f"{letters[:one]}{letters[other]}{letters[one + 1 : other]}{letters[one]}{letters[other + 1 :]}"
    packed = {
        "another": pack(letters[:-1] + turned[-1]),
        "shorter": pack(letters[:-1]),
        "damaged": data["packed"][4:],
        "exchanged": pack(turned),
        "two exchanged": pack(swapped),
    }
    evidence = (replace(found.evidence[0], data={**data, "packed": packed[change]}),)
    (check,) = recheck(Store([replace(found, evidence=evidence)]), loader, ["share-low"])
    assert check.passed is False


START = """\
rulespec: 1
id: row
title: Row
players: 2
rules:
- id: row
  prose: Four coins in a row.
  formal: |
    type Coin = 1..4
    state row: list of Coin up to 4 = []
    state taken: 0..3 = 0
    state who: Player? = none
  setup: shuffle Coin into row
- id: take
  prose: Take one; player 1 may not begin where the one lies on top.
  action: ()
  require:
    top:
      prose: Not player 1, where the one lies on top.
      that: not (mover = 1 and top(row) = 1 and taken = 0)
  do: |
    if taken = 0: who := mover
    add 1 to taken
- id: passing
  prose: Whoever cannot act passes.
  turn:
    stuck: pass
- id: three
  prose: Three are enough.
  end: taken = 3{end}
claims:
- id: second
  prose: Player 2 is the first to take.
  reachable: who = 2
- id: two
  prose: Two can be taken.
  reachable: taken = 2
- id: share
  prose: Counted.
  share-of-deals: {asked}
  deals: all
"""


@pytest.mark.parametrize(
    "end, asked, yes",
    [("", "second", 6), (" or top(row) = 1", "two", 18), ("", "two", 24)],
)
def test_deals_may_decide_the_first_mover_or_an_immediate_end(
    tmp_path: Path, end: str, asked: str, yes: int
) -> None:
    """By hand: the one lies on top in 6 deals of 24; then player 1 passes, or play ends at once."""
    path = tmp_path / "row.yaml"
    path.write_text(START.replace("{end}", end).replace("{asked}", asked), "utf-8")
    _, _, verdict = decided(path, "share")
    assert verdict.outcome == "proved"
    assert f"In {yes} of all 24 deals, " in verdict.statement
