"""Values that effects move into sets and out of them: read off the text, held against what is played."""

from __future__ import annotations

import random
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.budgets import Budget
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.verdicts import Evidence, Store
from rulespec.core.verdicts.lemmas import assume
from rulespec.core.verdicts.wording import notes
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.analyses.obligations import of_invariant
from rulespec.solver.claims import prove, recheck
from rulespec.solver.evidence.conservation import by_flow
from rulespec.solver.evidence.problem import Case
from rulespec.solver.methods.table import METHODS
from rulespec.solver.methods.verdicts import verdict_of

TABLE = """
rulespec: 1
id: sets
title: Sets
players: 1
rules:
- id: table
  prose: Cards lie in two hands, in a pot and on a pile, which has one of them twice.
  formal: |
    type Card = 1..6
    type Seat = 1..2
    state hand: map Seat -> set of Card = {s -> if s = 1 then {1, 2} else {3} for s in Seat}
    state pot: set of Card = {4}
    state pile: list of Card up to 12 = [6, 5, 5]
    state bin: set of Card = {}
    state seat: Seat? = none
    state aside: Card? = none
- id: act
  prose: Something is done with a card and two seats.
  action: c in Card, a in Seat, b in Seat
  written: act {c} {a} {b}
  do: |
"""
STATEMENTS = (
    "remove c from hand[a]\nadd c to hand[b]",
    "if c in hand[a]:\n  remove c from hand[a]\n  add c to hand[b]",
    "if c in hand[a]:\n  remove c from hand[a]\n  add c to pile",
    "if c in hand[a]:\n  add c to pot\n  remove c from hand[a]",
    "move top of pile into hand[a]",
    "if pile is not empty: move top of pile into pot",
    "move top 2 of pile into hand[a]",
    "hand[b] := hand[b] + hand[a]\nhand[a] := {}",
    "pot := pot + hand[a]\nhand[a] := hand[a] - pot",
    "if hand[a] is not empty:\n  draw x from hand[a]\n  add x to pot",
    "if hand[a] is not empty:\n  roll x from hand[a]\n  remove x from hand[a]\n  add x to hand[b]",
    "let x be hand[a]\nhand[a] := hand[b]\nhand[b] := x",
    "hand[a] := {c}",
    "if c not in pot: add c to pot",
    "add c to pile",
    "remove c from pot\nadd c to pot",
    "for x in hand[a]:\n  remove x from hand[a]\n  add x to pot",
    "for x in hand[a]: move x from hand[a] to hand[b]",
    "for x in hand[a]: add x to pot",
    "for x in pot: remove x from hand[a]",
    "for x in pot:\n  remove x from hand[a]\n  add x to hand[b]\npot := {}",
    "let x be pot\npot := {}\nfor y in x: add y to hand[a]",
    "for x in hand[a]:\n  seat := b\n  remove x from hand[a]\n  if seat is some: add x to hand[seat]",
    "for x in hand[a]:\n  remove x from hand[a]\n  bin := pot + {x}\npot := {}",
    "for x in hand[a]:\n  let s be 1 + size(hand[a]) mod 2\n  add x to hand[s]\n  add x to bin",
    "for x in hand[a]:\n  let s be 1 + size(bin) mod 2\n  add x to bin\n  remove x from hand[s]",
    "for x in hand[a] - pot: add x to pot\nhand[a] := {}",
    "seat := if c > 3 then none else a\nfor x in pot: add x to hand[seat]\npot := {}",
    "for x in hand[a]:\n  add x to pot\n  remove x from hand[1 + size(pot) mod 2]",
    "for x in pot: add x to hand[1 + x mod 2]\npot := {}",
    "shuffle pile into pile",
    "if pot is empty:\n  shuffle hand[a] into pile\n  hand[a] := {}",
    "shuffle pile into pile\nmove top of pile into pot",
    "let last be top(pile)\nremove top of pile\nshuffle pile into pile\nif last is some: add last to pile",
    "seat := a\nhand[seat] := hand[seat] - {c}",
    "if c in pot:\n  remove c from pot\nelse: add c to pot",
    "remove c from hand[a]\nremove c from hand[b]\nadd c to pile\nadd c to pile",
    "pot := pot - {c} + {c}",
    "if aside is none and c in hand[a]:\n  aside := c\n  remove c from hand[a]",
    "if aside is some and aside not in pot:\n  add aside to pot\n  aside := none",
    "if aside is none: move top of pile into aside",
    "if aside is some: add aside to pile\naside := none",
    "if aside is none or c in pot: seat := a\nelse: add aside to pile\naside := none",
    "if aside is some: add aside to pile\naside := c\nremove c from hand[a]",
    "aside := c\nif c in pot: remove c from pot",
)
WHERE = (
    "sum((if C in hand[s] then 1 else 0) for s in Seat) + (if C in pot then 1 else 0)"
    " + count(x in pile where x = C)"
)
CONDITIONS = (
    f"{WHERE.replace('C', '1')} = 1",
    f"every y in 1..4 satisfies {WHERE.replace('C', 'y')} = 1",
    f"every y in Card satisfies {WHERE.replace('C', 'y')} <= 2",
    "sum(size(hand[s]) for s in Seat) + size(pot) + size(pile) = 7",
    "sum(size(hand[s]) for s in Seat) + size(pot) <= 4",
    "size(pot) >= 1",
    "size(pot) + 2 * size(hand[1]) <= 5",
    "count(x in hand[1] where x > 3) + count(x in hand[2] where x > 3) <= 1",
    "sum(x for x in hand[1]) <= 5",
    "(if 2 in hand[1] then 2 else 3) = 2",
    "every x in pot satisfies x >= 3",
    "count(x in pile where x < 4) + size(pot) <= 2",
    "size(those x in pile where x >= 1) + size(pot) <= 3",
    "every y in 1..4 satisfies WHERE + (if aside = y then 1 else 0) = 1".replace(
        "WHERE", WHERE.replace("C", "y")
    ),
    "sum(size(hand[s]) for s in Seat) + size(pot) + size(pile) + (if aside is some then 1 else 0) = 7",
    "size(pot) + (if aside is some then 1 else 0) <= 1",
    "sum(size(hand[s]) for s in Seat) + size(pot) + size(pile) + size(bin) = 7",
)


def table(statements: list[str], condition: str) -> Game:
    """The game in which these statements are done, with a condition as a claim."""
    claims = f"claims:\n- id: kept\n  prose: So.\n  invariant: {condition}\n"
    with TemporaryDirectory() as folder:
        path = Path(folder) / "sets.yaml"
        path.write_text(TABLE.lstrip() + "".join(indent(f"{x}\n", "    ") for x in statements) + claims)
        return load(path)


def check(statements: list[str], condition: str, choose: random.Random | st.DataObject) -> int:
    """Hold the obligations against plays; return the number of plies that they let pass."""
    game = table(statements, condition)
    stated = game.claims["kept"].always
    read = of_invariant(game, stated)
    if read is None:
        return 0
    machine, passed = Machine(game), 0
    position = machine.start(Chance("0")).position
    for at in range(12):
        moves = list(machine.moves(position))
        if not moves:  # a fault ended the play
            break
        move = (
            choose.choice(moves) if isinstance(choose, random.Random) else choose.draw(st.sampled_from(moves))
        )
        environment = dict(zip((c.var for c in game.actions["act"].choices), move.args, strict=True))
        before = machine.situation(position)
        broken = any(evaluate(e, environment, before) for one in read.each for e in one.never)
        position = machine.play(position, move, Chance(str(at))).position
        if evaluate(stated, {}, before) and not broken:
            passed += 1
            assert evaluate(stated, {}, machine.situation(position)), (statements, condition, at)
    return passed


def test_each_statement_and_condition_is_read_somewhere() -> None:
    rng, passed = random.Random("sets"), dict[str, int]()
    for statement in STATEMENTS:
        for condition in CONDITIONS:
            count = check([statement], condition, rng)
            for text in (statement, condition):
                passed[text] = passed.get(text, 0) + count
    unread = {text for text, count in passed.items() if not count}
    assert unread == {
        "for x in hand[a]:\n  add x to pot\n  remove x from hand[1 + size(pot) mod 2]",
        "size(those x in pile where x >= 1) + size(pot) <= 3",
    }


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=3), st.sampled_from(CONDITIONS), st.data())
def test_what_is_said_to_stay_true_does(statements: list[str], condition: str, data: st.DataObject) -> None:
    check(statements, condition, data)


SHED = """
rulespec: 1
id: cards
title: Cards
players: 2
rules:
- id: cards
  prose: Twelve cards are shuffled; each player gets three.
  formal: |
    type Card = 1..12
    state stock: list of Card up to 12 = []
    state hand: map Player -> set of Card = {}
    state pile: list of Card up to 12 = []
  setup: |
    shuffle Card into stock
    for p in Player:
      for i in 1..3: move top of stock into hand[p]
- id: play
  prose: Play a card.
  action: c in hand[mover]
  written: play {c}
  do: |
    remove c from hand[mover]
    add c to pile
- id: draw
  prose: Draw a card.
  action: ()
  written: draw
  require:
    left:
      prose: There is a card.
      that: stock is not empty
  do: move top of stock into hand[mover]
claims:
- id: twelve
  prose: No card is lost.
  invariant: size(stock) + size(pile) + sum(size(hand[p]) for p in Player) = 12
- id: one-place
  prose: No card is in two hands.
  invariant: hand[1] & hand[2] is empty
- id: some-left
  prose: One card is never played, which is wrong.
  invariant: size(pile) <= 11
"""
BURNT = """
rulespec: 1
id: burnt
title: Burnt
players: 2
rules:
- id: cards
  prose: Two players lay cards in the fire, from hands that are dealt.
  formal: |
    type Card = 1..6
    state stock: list of Card up to 6 = []
    state hand: map Player -> set of Card = {}
    state fire: set of Card = {}
    state ashes: set of Card = {}
  setup: |
    shuffle Card into stock
    for p in Player: move top 2 of stock into hand[p]
- id: lay
  prose: Lay one or two cards in the fire, and draw a card.
  action: cards in sets of 1..2 from hand[mover]
  do: |
    for c in cards: move c from hand[mover] to fire
    move top of stock into hand[mover]
- id: burn
  prose: Two cards burn down.
  reaction: size(fire) >= 2
  do: |
    for c in fire: add c to ashes
    fire := {}
- id: again
  prose: When the stock is used up, the ashes are shuffled into it.
  reaction: stock is empty
  do: |
    shuffle ashes into stock
    ashes := {}
claims:
- id: six
  prose: No card is lost.
  invariant: size(stock) + size(fire) + size(ashes) + sum(size(hand[p]) for p in Player) = 6
"""
TWICE = """
rulespec: 1
id: twice
title: Twice
rules:
- id: cards
  prose: There is a five in each of two piles.
  formal: |
    type Card = 1..6
    state left: list of Card up to 1 = [5]
    state right: list of Card up to 1 = [5]
    state fire: set of Card = {}
    state ashes: set of Card = {}
- id: go
  prose: One goes into the fire, and one into the ashes.
  action: ()
  do: |
    move top of left into fire
    move top of right into ashes
- id: burn
  prose: The fire burns down, and one of two equal cards is lost.
  reaction: fire is not empty
  do: |
    for c in fire: add c to ashes
    fire := {}
claims:
- id: calm
  prose: Nothing is in the fire, and nothing in the ashes before the piles are used up.
  invariant: fire is empty and (ashes is empty or left is empty and right is empty)
- id: two
  prose: None is lost.
  invariant: size(left) + size(right) + size(fire) + size(ashes) = 2
"""
ALL = ("1", "size(stock)", "1", "size(pile)", "1", "sum(size(hand[k]) for k in Player)")
ONE = (
    *("1", "sum((if x in hand[k] then 1 else 0) for k in Player)"),
    *("1", "count(y in stock where y = x)", "1", "count(y in pile where y = x)"),
)
ONCE = ("conserved", "Card", "=", "1", *ONE)


@pytest.fixture
def cards(tmp_path: Path) -> Any:
    path = tmp_path / "cards.yaml"
    path.write_text(SHED.lstrip(), "utf-8")
    game = load(path)

    def loader(**_: Any) -> Game:
        return game

    return loader


def test_no_card_is_lost_on_its_way_through_lists_and_sets(cards: Any) -> None:
    store = Store()
    found = {v.claim: v for v in prove(cards, ["twelve", "one-place"], store=store)}
    assert {name: v.outcome for name, v in found.items()} == {"twelve": "proved", "one-place": "proved"}
    kinds = {row[0] for e in found["twelve"].evidence for row in e.data.get("invariants", ())}
    assert "conserved" in kinds
    assert "This rests on an analysis of the rules that is believed and not checked." in notes(
        found["twelve"]
    )
    assert [c.passed for c in recheck(store, cards)] == [True, True]


@pytest.mark.parametrize(
    ("condition", "kept"),
    [
        ("aside is some", True),
        ("aside is some or c in pot", True),
        ("aside is some and c in pot", False),
    ],
)
def test_a_value_that_only_one_branch_adds_is_none_in_the_other(condition: str, kept: bool) -> None:
    statement = f"remove c from hand[a]\nif {condition}: add aside to pile\naside := c"
    game = table([statement], CONDITIONS[13])
    read, machine = of_invariant(game, game.claims["kept"].always), Machine(game)
    assert read is not None
    position = machine.start(Chance("0")).position
    for c, fine in ((1, True), (2, kept)):
        move = next(move for move in machine.moves(position) if move.args == (c, 1, 1))
        environment = dict(zip((x.var for x in game.actions["act"].choices), move.args, strict=True))
        before = machine.situation(position)
        assert fine is not any(evaluate(e, environment, before) for one in read.each for e in one.never)
        position = machine.play(position, move, Chance("0")).position


@pytest.mark.parametrize(
    "rows", [(ONCE, ("conserved", "", "=", "11", *ALL)), (("conserved", "", "=", "0", *ALL[2:4]),)]
)
def test_a_sum_that_is_said_to_be_conserved_is_asked_again(cards: Any, rows: tuple[tuple[str, ...]]) -> None:
    """The first are kept, and one is false at the start; the last holds there and is not kept."""
    store = Store()
    (wrong,) = prove(cards, ["some-left"], store=store)
    assert wrong.outcome == "refuted"
    evidence = Evidence("induction", {"depth": 1, "invariants": [[*row] for row in rows]})
    store.put(replace(wrong, outcome="proved", evidence=(evidence,), numbers={"depth": 1}))
    assert [c.passed for c in recheck(store, cards)] == [False]


def test_no_card_is_lost_in_loops_and_reactions(tmp_path: Path) -> None:
    """Each card is in one place after each part of a ply, so a reaction may rely on it."""
    path = tmp_path / "burnt.yaml"
    path.write_text(BURNT.lstrip(), "utf-8")
    game, store = load(path), Store()
    found = METHODS["conserved sums"](Case(game, game.claims["six"], Budget(60)))
    assert found is not None
    assert found.outcome == "proved"
    store.put(verdict_of(Case(game, game.claims["six"], Budget(60)), found, store))
    assert [c.passed for c in recheck(store, lambda **_: game)] == [True]


def test_what_holds_in_positions_is_not_granted_to_reactions(tmp_path: Path) -> None:
    path = tmp_path / "twice.yaml"
    path.write_text(TWICE.lstrip(), "utf-8")
    game = load(path)
    known = {v.claim: v for v in prove(lambda **_: game, ["calm"], store=Store())}
    assert known["calm"].outcome == "proved"
    case = Case(game, game.claims["two"], Budget(20), named=("calm",), lemmas=assume(known))
    assert case.helper_names == ["calm"]
    assert by_flow(case) is None
