"""What effects put into lists and take out of them: read off the text, held against what is played."""

from __future__ import annotations

from collections import Counter
from itertools import chain
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.budgets import Budget
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.verdicts import Store
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.analyses.flows import Flow, Unread, list_in
from rulespec.solver.analyses.obligations import of_faults
from rulespec.solver.claims import prove, recheck
from rulespec.solver.evidence.problem import Case
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.methods.table import METHODS
from rulespec.solver.methods.verdicts import verdict_of

SHELVES = """
rulespec: 1
id: shelves
title: Shelves
players: 1
rules:
- id: shelves
  prose: Books stand on four shelves, three in a row, and one lies aside.
  formal: |
    type Book = 1..4
    type Shelf = 1..4
    state shelf: map Shelf -> list of Book up to 12 = []
    state aside: list of Book up to 12 = []
    define right(s: Shelf): Shelf? = if s < 4 then s + 1 else none
    to tidy(s: Shelf):
      let lifted be shelf[s]
      shelf[s] := []
      for x at i in lifted:
        add x to shelf[right(s) otherwise x]
- id: setup
  prose: Each shelf has a book of each kind but one.
  setup: |
    for s in Shelf, b in Book where b != s: add b to shelf[s]
- id: act
  prose: Something is done with two shelves.
  action: s in Shelf, t in Shelf
  written: act {s} {t}
  do: |
"""
EVEN = (
    "move top of shelf[s] onto shelf[t]",
    "move top 2 of shelf[s] under shelf[t]",
    "move bottom of shelf[s] onto aside",
    "move bottom 2 of shelf[s] onto shelf[right(t)]",
    "move all of aside into shelf[t]",
    "tidy(s)",
    "for x in aside: nothing",
    "if size(aside) > 1: move top of aside onto shelf[s]",
)
UNEVEN = (
    "swap shelf[s][1] with shelf[t][1]",
    "swap shelf[s][size(shelf[s])] with shelf[t][size(shelf[t])]",
    "remove 2 from shelf[s]",
    "add top(shelf[s]) to shelf[t]",
    "shelf[s] := []",
    "shelf[s] := shelf[t]",
    "shelf[s] := shelf[s] + aside",
    "put 3 under shelf[t]",
    "move top of shelf[s] onto shelf[right(top(shelf[t]))]",
    "for x in aside: add x to shelf[s]",
    "shelf[s][2] := bottom(shelf[t])",
    "let x be top(shelf[s]); remove x from shelf[s]; add x to shelf[t]",
)
"""Statements that need not leave all books where they are on the whole, as far as their text tells."""


def shelves(statements: list[str], claims: str = "") -> Game:
    """The game in which these statements are done."""
    body = "".join(f"    {line}\n" for line in statements) + claims
    with TemporaryDirectory() as folder:
        path = Path(folder) / "shelves.yaml"
        path.write_text(SHELVES.lstrip() + body)
        return load(path)


def flow(game: Game) -> tuple[Flow, dict[object, int]]:
    found = Flow(Dependencies(game), frozenset(v for v in game.state.values() if list_in(v.type)))
    return found, dict(found.run(game.actions["act"].effect))


@pytest.mark.parametrize("statement", EVEN)
def test_what_only_moves_books_is_seen_to(statement: str) -> None:
    found, bag = flow(shelves([statement]))
    assert (bag, found.swells) == ({}, False)


@pytest.mark.parametrize(
    "statements",
    [
        ["let old be aside", "aside := []", "for i in 1..2: add old[i] to shelf[s]"],
        [
            *("let x be shelf[s][1]", "let y be shelf[t][1]", "let z be aside[1]"),
            *("shelf[s][1] := z", "shelf[t][1] := x", "aside[1] := y"),
        ],
        ["if s = t: move top of shelf[s] onto aside", "else: shelf[s] := []"],
    ],
    ids=["two of all are put back", "three change places, of which two may be one", "else all are lost"],
)
def test_what_may_lose_a_book_is_not_said_to_keep_all(statements: list[str]) -> None:
    try:
        _, bag = flow(shelves(statements))
    except Unread:
        return
    assert bag


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from((*EVEN, *UNEVEN)), min_size=1, max_size=3), st.data())
def test_what_is_said_to_leave_all_books_there_does(statements: list[str], data: st.DataObject) -> None:
    game = shelves(statements)
    try:
        found, bag = flow(game)
    except Unread:
        return
    machine = Machine(game)
    position = machine.start(Chance("0")).position
    for _ in range(6):
        move = data.draw(st.sampled_from(list(machine.moves(position))))
        environment = dict(zip((c.var for c in game.actions["act"].choices), move.args, strict=True))
        needed = any(evaluate(e, environment, machine.situation(position)) for e in found.needs)
        after = machine.play(position, move, Chance("0")).position
        if after.fault is not None:
            return
        if not bag and not needed:
            assert books(game, after) == books(game, position)
        position = after


@settings(max_examples=40, deadline=None)
@given(st.lists(st.sampled_from((*EVEN, *UNEVEN)), min_size=1, max_size=3), st.data())
def test_what_is_said_to_fit_its_place_does(statements: list[str], data: st.DataObject) -> None:
    game = shelves(statements)
    found = of_faults(game)
    if found is None:
        return
    machine = Machine(game)
    position = machine.start(Chance("0")).position
    for _ in range(20):
        move = data.draw(st.sampled_from(list(machine.moves(position))))
        environment = dict(zip((c.var for c in game.actions["act"].choices), move.args, strict=True))
        at = machine.situation(position)
        roomy = found.start is None or evaluate(found.start, {}, at)
        never = [e for one in found.each if one.unit.action is not None for e in one.never]
        after = machine.play(position, move, Chance("0")).position
        if roomy and not any(evaluate(e, environment, at) for e in never):
            assert after.fault is None
        if after.fault is not None:
            return
        position = after


CLAIMED = """
claims:
- id: none-lost
  prose: There are three books of each kind.
  invariant: |
    every b in Book satisfies
      sum(count(i in 1..size(shelf[s]) where shelf[s][i] = b) for s in Shelf)
        + count(i in 1..size(aside) where aside[i] = b) = 3
- id: room
  prose: There is always room.
  kind: never-faults
- id: last-shelf
  prose: No 1 ever stands on the last shelf but by being there.
  invariant: size(shelf[4]) <= 3
"""


def test_claims_are_decided_by_what_flows() -> None:
    def loader(**given: object) -> Game:
        return shelves(
            ["move top of shelf[s] onto shelf[right(s)]", "move bottom of shelf[s] onto aside"], CLAIMED
        )

    store, game = Store(), loader()
    for name in ("none-lost", "room"):
        case = Case(game, game.claims[name], Budget(3_600))
        shown = METHODS["flows"](case)
        assert shown is not None
        assert (shown.outcome, shown.proofs[0].data["by"]) == ("proved", "flows")
        store.put(verdict_of(case, shown, store))
    assert METHODS["flows"](Case(game, game.claims["last-shelf"], Budget(3_600))) is None
    for check in recheck(store, loader):
        assert check.passed
        assert "is believed" in check.text
        assert any("is believed" in words for words in check.verdict.warnings)


def test_claims_about_what_flows_are_decided() -> None:
    found = {
        v.claim: v
        for v in prove(
            lambda **given: shelves(["move top of shelf[s] onto shelf[right(s)]"], CLAIMED), timeout=200
        )
    }
    assert {name: v.outcome for name, v in found.items()} == {
        "none-lost": "proved",
        "room": "proved",
        "last-shelf": "refuted",
    }


def books(game: Game, position: object) -> Counter[int]:
    state = dict(zip(game.state.values(), position.values, strict=True))  # type: ignore[attr-defined]
    shelf, aside = (state[game.state[name]] for name in ("shelf", "aside"))
    return Counter(chain(*shelf, aside))
