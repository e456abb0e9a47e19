"""Verdicts pass by whichever method they were reached, also where `recheck` by itself would take another."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest
from soundness.resources import ENGINE, Work, installed

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.lemmas import assumed
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED, Store
from rulespec.language import load
from solver.claims.recheck import check_one, judge_of
from solver.evidence import k_induction
from solver.evidence.checks import Check, complete
from solver.evidence.problem import Answer, Case
from solver.methods.table import METHODS
from solver.methods.verdicts import blank, verdict_of

ROUND = """
rulespec: 1
id: round
title: Round
rules:
- id: clock
  prose: A clock with four hours, and a second one that stays.
  formal: |
    state hour: 1..4 = 1
    state other: 1..4 = 1
- id: tick
  prose: It goes on.
  action: ()
  do: hour := if hour = 4 then 1 else hour + 1
claims:
- id: still
  prose: The second one stays.
  invariant: other = 1
- id: early
  prose: It is always early again.
  never-hopeless: hour = 1
"""

PILE = """
rulespec: 1
id: round
title: Pile
rules:
- id: cards
  prose: A pile, a place for cards, and a hand.
  formal: |
    type Card = 1..3
    state pile: list of Card up to 3 = []
    state heap: list of Card up to 3 = []
    state hand: set of Card = {}
    state clock: 0..2 = 0
- id: begin
  prose: The pile is shuffled.
  setup: shuffle Card into pile
- id: go
  prose: A card goes on, twice.
  action: c in Card
  require:
    early:
      prose: It is early.
      that: clock < 2
  do: |
    DOES
    add 1 to clock
claims:
- id: some-left
  prose: There is always a card.
  invariant: 1 <= 2 * size(pile)
- id: least
  prose: How many positions of the pile there are at least while the hand is no larger.
  least: count(x in 1..size(pile) where size(hand) <= size(pile))
- id: shorter
  prose: The pile is shorter than itself.
  reachable: not (size(pile) >= size(pile))
"""


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "round.yaml"
    path.write_text(ROUND, "utf-8")
    return path


def rechecked(path: Path, claim: str, method: str, seconds: float = 30.0) -> tuple[Answer, Check]:
    game = load(path)
    case = Case(game, game.claims[claim], Budget(seconds))
    answer = METHODS[method](case)
    assert answer is not None
    return answer, _checked(path, game, case, answer)


def _checked(path: Path, game: Game, case: Case, answer: Answer) -> Check:
    store = Store()
    verdict = verdict_of(case, answer, store)
    store.put(verdict)
    return check_one(judge_of(store, Budget(60, 4_000)), partial(load, path), verdict)


@pytest.mark.parametrize(
    ("claim", "method"),
    [("still", "exploration"), ("still", "induction"), ("still", "parts"), ("early", "exploration")],
)
def test_evidence_of_each_method_passes(path: Path, claim: str, method: str) -> None:
    """Induction by parts was refused as found otherwise."""
    answer, check = rechecked(path, claim, method)
    assert answer.outcome == PROVED
    assert check.passed is True, check.text


def test_a_verdict_that_is_right_and_says_less_is_not_refused(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A claim that held as far as the time had sufficed failed where `recheck` had the time to prove it.

    Evidence is asked as far as it says by now, and no further.
    """
    monkeypatch.setattr(k_induction, "PATIENCE", 3)
    answer, check = rechecked(path, "still", "unrolling")
    assert (answer.outcome, answer.numbers["plies"]) == (BOUNDED, 3)
    assert check.passed is True, check.text


def test_a_bound_names_the_claims_that_helped(tmp_path: Path) -> None:
    """A bound for which another claim was granted was shown again without it, and refused."""
    path = tmp_path / "round.yaml"
    path.write_text(PILE.replace("DOES", "remove 3 from hand"), "utf-8")
    game = load(path)
    held = blank(game, game.claims["some-left"], Answer(PROVED), 0.0)
    case = Case(game, game.claims["least"], Budget(30), lemmas=assumed({"some-left": held}))
    answer = METHODS["formulas"](case)
    assert answer is not None
    assert [p.data["claim"] for p in answer.proofs if p.kind == "helper"] == ["some-left"]
    store = Store([held])
    verdict = verdict_of(case, answer, store)
    store.put(verdict)
    check = check_one(judge_of(store, Budget(60, 4_000)), partial(load, path), verdict)
    assert check.passed is not False, check.text


def test_an_argument_that_was_found_after_a_ply_is_found_again(tmp_path: Path) -> None:
    """Something that could have no first was looked for at the start only, and the evidence refused."""
    path = tmp_path / "round.yaml"
    path.write_text(PILE.replace("DOES", "move top of pile onto heap"), "utf-8")
    answer, check = rechecked(path, "shorter", "formulas")
    assert answer.outcome == REFUTED
    assert check.passed is True, check.text


SPOTS = """\
rulespec: 1
id: spots
title: Spots
rules:
- id: spots
  prose: Spots are taken, in any order.
  formal: |
    state taken: set of 1..9 = {}
- id: take
  prose: Take one.
  action: n in 1..9
  require:
    free:
      prose: It is free.
      that: n not in taken
  do: add n to taken
claims:
- id: fewest
  prose: None need be taken.
  least: size(taken)
"""


def test_a_best_value_explored_less_deep_for_want_of_time_is_not_refused(tmp_path: Path) -> None:
    """Numbers were the same at the lesser depth, and the evidence, which was not, was said to be wrong."""
    path = tmp_path / "spots.yaml"
    path.write_text(SPOTS, "utf-8")
    game, store = load(path), Store()
    claim = game.claims["fewest"]
    with installed():
        answer = METHODS["exploration"](Case(game, claim, Work(10), engine=ENGINE))
        assert answer is not None
        assert answer.outcome == BOUNDED
        verdict = verdict_of(Case(game, claim, Budget(20)), answer, store)
        judge = judge_of(store, Work(2), engine=ENGINE)
        assert complete(judge.shown(game, claim, verdict)).passed is None
