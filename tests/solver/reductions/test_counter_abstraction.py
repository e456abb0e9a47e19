"""The theorem of counter abstraction, held against the interpreter in all positions of small card games."""

from __future__ import annotations

from pathlib import Path

import pytest
from soundness.space import Space

from rulespec.budgets import Budget
from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.types import Value
from rulespec.core.verdicts import BOUNDED, PROVED, UNDECIDED, Store
from rulespec.language import load
from rulespec.play.machine import Machine
from rulespec.play.position import Position
from rulespec.solver.claims import recheck
from rulespec.solver.evidence.problem import Case
from rulespec.solver.methods.method import Run
from rulespec.solver.methods.table import METHODS
from rulespec.solver.methods.verdicts import verdict_of
from rulespec.solver.reductions.counter_abstraction import keep_sizes

MOST = 20_000

HEAD = """
rulespec: 1
id: cards
title: Cards
summary: Cards of which only the number may matter.
players: 2
rules:
- id: cards
  prose: Five cards are shuffled, and two dealt to each.
  formal: |
    type Card = 1..5
    state hand: map Player -> set of Card = {}
    state pile: list of Card up to 5 = []
    state shown: 0..5 = 0
    state points: map Player -> 0..9 = 0
    state big: 0..4 = 0
  setup: |
    shuffle Card into pile
    for p in Player: move top 2 of pile into hand[p]
"""
CLIMB = """
- id: climb
  prose: Play a higher card than the last; who cannot ends the game.
  action: c in hand[mover], double in Bool
  do: |
    remove c from hand[mover]
    remove c from hand[mover]
    shown := c
    if c > 3: add 1 to big
    add (if double then 2 else 1) to points[mover]
  require:
    higher:
      prose: Higher.
      that: c > shown
- id: odd
  prose: Odd cards are played once.
  about: c in Card, double in Bool
  when: c mod 2 = 1
  binds: [climb]
  that: not double
- id: empty
  prose: The game is over once a hand is empty.
  end: some p in Player satisfies every c in Card satisfies c not in hand[p]
"""
SHED = """
- id: shed
  prose: Name a player and one of their cards; nobody has it then.
  action: a in Player, c in hand[a]
  do: |
    let b be 3 - a
    remove c from hand[b]
    remove c from hand[a]
    if size(hand[1]) > 1 or size(hand[2]) > 1: add 1 to big
- id: alone
  prose: While one hand is empty, points are given.
  reaction: (some p in Player satisfies hand[p] is empty) and big < 4
  do: add 1 to points[mover]
- id: both
  prose: The game is over once both hands are empty.
  end: every p in Player satisfies hand[p] is empty
"""
TAKE = """
- id: take
  prose: Take a card of a certain square into the hand, though it may be there.
  action: c in Card where c * c = 2 + big
  do: |
    add c to hand[mover]
    remove 5 from hand[3 - mover]
- id: wait
  prose: Who cannot take a card counts.
  action: ()
  written: wait
  require:
    unable:
      prose: You cannot take a card.
      that: not can take and big < 4
  do: add 1 to big
"""
LAST = """
- id: lay
  prose: Lay a higher card than the last.
  action: c in hand[mover]
  do: |
    remove c from hand[mover]
    shown := c
  require:
    higher:
      prose: Higher.
      that: c > shown or size(hand[mover]) < 2
- id: rest
  prose: Who cannot lay a card rests, once.
  action: ()
  written: rest
  require:
    unable:
      prose: You cannot lay a card.
      that: not can lay and big = 0
  do: add 1 to big
- id: cards-left
  prose: There are no cards left for long.
  about: c in Card
  binds: [lay]
  that: some p in Player satisfies c in hand[p]
"""
PEEK = """
- id: lay
  prose: Lay a card.
  action: c in hand[mover]
  do: remove c from hand[mover]
- id: peek
  prose: Twice somebody may see that the other hand has the five. Who can do neither ends the game.
  action: ()
  written: peek
  require:
    five:
      prose: It is there.
      that: big < 2 and some c in hand[3 - mover] satisfies c > 4
  do: add 1 to big
"""
ASKED = """
claims:
- id: over
  prose: It is over.
  invariant: over
- id: none
  prose: A hand is empty.
  invariant: some p in Player satisfies hand[p] is empty
- id: few
  prose: Few cards are left.
  invariant: size(hand[1]) + size(hand[2]) < 3 and size(hand[1]) >= size(hand[2])
- id: left
  prose: Two cards or more are in hands.
  invariant: count(c in Card where some p in Player satisfies c in hand[p]) >= 2
- id: high
  prose: A high card is in the first hand.
  invariant: some c in hand[1] satisfies c > 3
- id: not-high
  prose: No high card is in the first hand, or the pile shows one.
  invariant: shown > 3 or every c in hand[1] satisfies c <= 3
- id: points
  prose: Points are counted.
  invariant: sum(points[p] for p in Player) <= 3 + big
- id: joined
  prose: Hands together.
  invariant: size(hand[1] + hand[2]) > 2 or size(hand[1] - hand[2]) = 1
- id: chosen
  prose: By cases.
  invariant: if shown > 2 then hand[1] is empty else some c in Card satisfies c in hand[2] and c > 2
"""


def game_of(tmp_path: Path, rules: str, claims: str = ASKED) -> Game:
    path = tmp_path / "cards.yaml"
    path.write_text(HEAD + rules + claims, "utf-8")
    return load(path)


def image(game: Game, position: Position, names: list[str]) -> tuple[Value, ...]:
    """The values of some variables, sets as their sizes, and those that have sizes of their own."""

    def small(value: Value) -> Value:
        if isinstance(value, frozenset):
            return len(value)
        return tuple(map(small, value)) if isinstance(value, tuple) else value

    values = dict(zip(game.state, position.values, strict=True))
    return tuple(small(values.get(f"size of {name}", values[name])) for name in names)


@pytest.mark.parametrize("rules", [CLIMB, SHED, TAKE, LAST, PEEK])
def test_positions_have_images_in_the_abstraction(tmp_path: Path, rules: str) -> None:
    """And what is asked lies between its bounds there."""
    game = game_of(tmp_path, rules)
    asked = [claim.condition for claim in game.claims.values() if claim.condition is not None]
    found = keep_sizes(game, asked)
    assert found is not None
    abstract, bounds = found
    names = [name for name in game.state if name not in ("over", "pile")]
    machine, images = Machine(abstract), dict[tuple[Value, ...], list[Position]]()
    for position in Space(abstract, MOST, MOST).positions:
        images.setdefault(image(abstract, position, names), []).append(position)
    informed = set[int]()
    for position in Space(game, MOST, MOST).positions:
        truth = [evaluate(e, {}, Machine(game).situation(position)) for e in asked]
        between = [
            [(evaluate(b.low, {}, at), evaluate(b.high, {}, at)) for b in bounds]
            for other in images[image(game, position, names)]
            if other.is_over <= position.is_over
            for at in (machine.situation(other),)
        ]
        assert any(
            all(low <= x <= high for (low, high), x in zip(there, truth, strict=True)) for there in between
        )
        informed |= {i for there in between for i, (low, high) in enumerate(there) if low == high}
    assert len(informed) >= 4, "bounds say something"


BEST = """
claims:
- id: most-left
  prose: The most cards that can be left in hands.
  most: size(hand[1]) + size(hand[2])
  when: over
- id: never-five
  prose: No hand holds five.
  invariant: every p in Player satisfies size(hand[p]) < 3
- id: some-high
  prose: Somebody holds a card above four.
  reachable: some c in hand[1] satisfies c > 4
"""


PASS = """
- id: stay
  prose: Nobody is out of the game.
  turn:
    stuck: pass
"""


BEGUN = """
- id: begun
  prose: Turns are counted.
  turn:
    begin: |
      if big < 4: add 1 to big
"""


def test_sizes_decide_claims_and_the_judge_agrees(tmp_path: Path) -> None:
    game, store, answers = game_of(tmp_path, CLIMB, BEST), Store(), []
    for claim in game.claims.values():
        case = Case(game, claim, Budget(60))
        answers.append(METHODS["sizes"](case))
        if answers[-1] is not None and answers[-1].proofs:
            store.put(verdict_of(case, answers[-1], store))
    most, three, high = answers
    assert most is not None and (most.outcome, dict(most.numbers)) == (BOUNDED, {"at_most": 3})
    assert three is not None and three.outcome == PROVED
    assert high is None, "that a card can be there does not follow"
    checks = recheck(store, lambda *settings: load(tmp_path / "cards.yaml", *settings))
    assert [(check.passed, check.is_shown) for check in checks] == [(True, True)] * 2


def test_no_answer_without_all_positions(tmp_path: Path) -> None:
    game = game_of(tmp_path, CLIMB, BEST)
    for claim in game.claims.values():
        answer = METHODS["sizes"].attempt(Run(Case(game, claim, Budget(60))), 0.0)
        assert answer is None or answer.outcome == UNDECIDED, claim.id


@pytest.mark.parametrize(
    "rules",
    [
        CLIMB + PASS,
        CLIMB.replace("every c in Card satisfies c not in hand[p]", "size(hand[p] + hand[3 - p]) < 3"),
        CLIMB + BEGUN,
    ],
)
def test_games_without_an_abstraction(tmp_path: Path, rules: str) -> None:
    """Who passes, or when play ends, depends on the cards, or a turn has begun at the start."""
    game = game_of(tmp_path, rules)
    assert keep_sizes(game, [n.Get(v.type, v) for v in game.state.values() if v.name == "big"]) is None
