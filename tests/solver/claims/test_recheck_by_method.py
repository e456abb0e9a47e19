"""Verdicts pass by whichever method they were reached, also where `recheck` by itself would take another."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from answering import forged
from soundness.resources import ENGINE, Work, installed

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED, Evidence, Store, Verdict
from rulespec.core.verdicts.lemmas import assume
from rulespec.language import load
from rulespec.solver.claims.recheck import check_one, judge_of
from rulespec.solver.evidence import k_induction
from rulespec.solver.evidence.checks import Check
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.methods.table import METHODS
from rulespec.solver.methods.verdicts import blank, verdict_of

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
    case = Case(game, game.claims["least"], Budget(30), lemmas=assume({"some-left": held}))
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
        assert judge.check(game, claim, verdict).passed is None


DEALT = """\
rulespec: 1
id: dealt
title: A number is dealt
players: 2
rules:
- id: number
  prose: A number is dealt, and counted down.
  formal: |
    type Card = 1..4
    state pile: list of Card up to 4 = []
    state left: 0..4 = 0
    state last: Player? = none
- id: deal
  prose: The cards are shuffled, and the first one counts.
  setup: |
    shuffle Card into pile
    left := pile[1]
- id: take
  prose: Take one.
  action: ()
  written: take
  require:
    some:
      prose: There is one.
      that: left > 0
  do: |
    remove 1 from left
    last := mover
- id: over
  prose: All is taken.
  end: left = 0
- id: winner
  prose: Whoever took the last one has won.
  winners: those p in Player where last = p
claims:
- id: three
  prose: Three may lie there.
  from: deal
  reachable: left = 3
- id: few
  prose: There are never more than two.
  from: deal
  unreachable: left > 2
- id: worth
  prose: What is left when the second player has won.
  value: if last = 2 then 3 else 1
"""


@pytest.fixture
def dealt(tmp_path: Path) -> tuple[Path, Game]:
    path = tmp_path / "dealt.yaml"
    path.write_text(DEALT, "utf-8")
    return path, load(path)


def of_deal(dealt: tuple[Path, Game], deal: str, forged: Verdict, store: Store) -> bool | None:
    """What the judge of a deal says of a verdict."""
    path, _ = dealt
    judge = judge_of(Store([*store, forged], store.records), Budget(60, 4_000), chance=(deal,))
    return check_one(judge, partial(load, path), forged).passed


def test_a_play_of_another_deal_shows_nothing(dealt: tuple[Path, Game]) -> None:
    """A play that leads there from one deal was accepted as evidence for any other."""
    _, game = dealt
    store, claim = Store(), game.claims["three"]
    four, two = "[4, 1, 2, 3]", "[2, 1, 3, 4]"
    case = Case(game, claim, Budget(30), (four,))
    answer = METHODS["exploration"](case)
    assert answer is not None and answer.outcome == PROVED
    verdict = verdict_of(case, answer, store)
    assert of_deal(dealt, four, verdict, store) is True
    assert of_deal(dealt, two, verdict, store) is False


def test_of_a_deal_that_cannot_be_nothing_is_shown(dealt: tuple[Path, Game]) -> None:
    """Nothing can be reached from such a deal, so everything would hold of it."""
    _, game = dealt
    store, two = Store(), "[2, 1, 3, 4]"
    case = Case(game, game.claims["few"], Budget(30), (two,))
    answer = METHODS["exploration"](case)
    assert answer is not None and answer.outcome == PROVED
    verdict = verdict_of(case, answer, store)
    assert of_deal(dealt, two, verdict, store) is True
    for deal in ("[5, 1, 2, 3]", "[4, 4, 4, 4]", "[4]", ""):
        chance = {"chance": [deal]}
        data = {**verdict.evidence[0].data, **chance}
        forged = replace(verdict, evidence=(Evidence("exploration", data),))
        assert of_deal(dealt, deal, forged, store) is False


BOUNDS = [(1, 3), (1, 9), (-9, 9), (-9, 3), (3, 1), (4, 4), (2, 2), (2, 3), (5, 9)]
"""Bounds that do not make a bounded verdict on a game that is worth 1 or 3, by the deal."""


@pytest.mark.sampled(3)
@pytest.mark.parametrize(("low", "high"), BOUNDS)
def test_bounds_beyond_the_values_that_there_are_do_not_pass(
    dealt: tuple[Path, Game], low: int, high: int
) -> None:
    """Any interval around the value passed, also beyond the values that there are."""
    path, game = dealt
    store, claim = Store(), game.claims["worth"]
    case = Case(game, claim, Budget(30))
    answer = METHODS["memory"](case)
    assert answer is not None
    true = verdict_of(case, answer, store)
    assert (true.outcome, dict(true.numbers)) == (PROVED, {"at_least": 1, "at_most": 3})
    assert check_one(judge_of(store, Budget(60, 4_000)), partial(load, path), true).passed is True
    data = {"at_least": low, "at_most": high}
    numbers = {"value": low} if low == high else data
    other = forged(true, outcome=BOUNDED, numbers=numbers, evidence=(Evidence("search", data),))
    if other is not None:
        check = check_one(judge_of(Store([other]), Budget(60, 4_000)), partial(load, path), other)
        assert check.passed is False, check.text
