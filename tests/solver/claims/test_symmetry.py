"""Symmetries as claims: shown by formulas or state by state, refuted with a play, used by other claims."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core.verdicts import PROVED, REFUTED, Store, Verdict
from rulespec.language import load
from rulespec.solver.claims import prove, recheck
from rulespec.solver.evidence import exploration, positions
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.explore import state_space, symmetry_reduction
from rulespec.solver.explore.state_space import FEW, Limits

FAULTY = """\
rulespec: 1
id: faulty
title: A faulty start
rules:
- id: parts
  prose: A number and a set.
  formal: |
    type Spot = 2..3
    state left: 0..1 = 1
    state taken: set of Spot = {2}
- id: take
  prose: Take something.
  action: a in Spot
  do: add a to taken
- id: turns
  prose: More is spent in every turn than there is.
  turn:
    begin: left := left - 2
claims:
- id: as-it-is
  prose: Nothing changes if each is called what it is.
  symmetry: s in Spot -> s
- id: turned-over
  prose: Two and three are alike.
  symmetry: s in Spot -> 5 - s
"""
SHUFFLED = """
rulespec: 1
id: rows
title: Two rows
players: 2
rules:
- id: rows
  prose: Cards lie in two rows, each in any order.
  formal: |
    type Row = one of upper, lower
    type Card = 1..2
    state cards: map Row -> set of Card = {r -> {1, 2} for r in Row}
    state above: Card? = none
    state pile: list of Card up to 2 = []
  setup: |
    shuffle Card into pile
    above := top(pile)
    pile := []
- id: take
  prose: Take a card from a row.
  action: r in Row, c in cards[r]
  written: take {r} {c}
  do: remove c from cards[r]
- id: empty
  prose: Play ends when no card is left.
  end: every r in Row satisfies cards[r] is empty
  winners: mover
claims:
- id: rows-exchanged
  prose: The rows can be exchanged.
  symmetry: r in Row -> if r is upper then lower else upper
- id: cards-exchanged
  prose: So can the cards.
  symmetry: c in Card -> 3 - c
- id: positions
  prose: So many positions.
  kind: count
  is: {count}
- id: within-two
  prose: So many positions within two plies.
  kind: count
  within: 2
- id: upper-last
  prose: The upper row is never the emptier one.
  invariant: size(cards[upper]) >= size(cards[lower])
- id: winner
  prose: The second player takes the last card.
  kind: value
  is: won by 2
"""


def decided(path: Path, *claims: str) -> tuple[dict[str, Verdict], Store, Callable[..., Any]]:
    loader = partial(load, path)
    store = Store()
    return {v.claim: v for v in prove(loader, claims, timeout=200, store=store)}, store, loader


def extended(tmp_path: Path, claim: str) -> Path:
    path = tmp_path / "ruleset.yaml"
    head = "rulespec: 1\nid: mine\ntitle: Mine\nextends: tic-tac-toe\nset:\n  height: 2\n  in-line: 2\nadd:\n"
    path.write_text(f"{head}- claim:\n{claim}", "utf-8")
    return path


def test_a_symmetry_of_a_large_game_is_shown_by_formulas() -> None:
    loader, store = partial(load, "connect-four"), Store()
    (verdict,) = prove(loader, ["mirrored"], timeout=300, store=store)
    assert verdict.outcome == PROVED
    assert "induction" in {e.kind for e in verdict.evidence}
    assert all(check.passed for check in recheck(store, loader))


def test_a_wrong_symmetry_is_refuted_by_a_play_to_a_position_unlike_its_image(tmp_path: Path) -> None:
    image = "if s.col = 3 then s else Square(3 - s.col, s.row)"
    claim = f"    id: wrong\n    prose: No.\n    symmetry: s in Square -> {image}\n"
    found, store, loader = decided(extended(tmp_path, claim), "wrong")
    assert found["wrong"].outcome == REFUTED
    assert "nothing that is legal in the image" in found["wrong"].statement
    (check,) = recheck(store, loader)
    assert check.passed, check.text
    store.records = {digest: {"chance": [], "plays": ["put 1.1"]} for digest in store.records}
    assert not recheck(store, loader)[0].passed


def test_players_who_do_not_begin_alike_cannot_be_exchanged(tmp_path: Path) -> None:
    claim = "    id: wrong\n    prose: No.\n    symmetry: p in Player -> after(p)\n"
    found, store, loader = decided(extended(tmp_path, claim), "wrong")
    assert found["wrong"].outcome == REFUTED
    assert found["wrong"].numbers["plies"] == 0
    assert all(check.passed for check in recheck(store, loader))


FILLED = """
rulespec: 1
id: filled
title: Filled jugs
players: 2
rules:
- id: jugs
  prose: There are two jugs.
  formal: |
    type Jug = one of left, right
    state full: map Jug -> 0..4 = 0
    state latest: Jug? = none
- id: pour
  prose: Pour into a jug.
  action: j in Jug
  written: pour {j}
  require:
    room:
      prose: It is not full.
      that: full[j] < 4
  do: |
    add 1 to full[j]
    latest := j
- id: over
  prose: Play ends when both are full.
  end: every j in Jug satisfies full[j] = 4
  OUTCOME
claims:
- id: exchanged
  prose: The jugs can be exchanged.
  symmetry: j in Jug -> if j is left then right else left
"""


@pytest.mark.parametrize(
    "outcome", ["winners: if latest = left then 1 else 2", "score: if latest = left then player else 0"]
)
def test_ends_are_compared_with_those_of_images_wherever_they_come(
    tmp_path: Path, outcome: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All plies are alike, and only the last positions differ: in one part of the states or another."""
    path = tmp_path / "filled.yaml"
    path.write_text(FILLED.replace("OUTCOME", outcome).strip() + "\n", "utf-8")
    game = load(path)
    for batch in (1 << 16, 5, 1):
        monkeypatch.setattr(symmetry_reduction, "BATCH", batch)
        found = exploration.explore(Case(game, game.claims["exchanged"], Budget(20)), Limits(20, 100_000))
        assert found is not None
        assert (found.outcome, found.numbers["plies"]) == (REFUTED, 8)


@pytest.mark.parametrize("rest", ["Square(s.row, s.col)\n    where: width = height", "s"])
def test_where_nothing_is_moved_nothing_is_shown(tmp_path: Path, rest: str) -> None:
    claim = f"    id: none\n    prose: Rows and columns.\n    symmetry: s in Square -> {rest}\n"
    found, store, loader = decided(extended(tmp_path, claim), "none")
    assert found["none"].outcome == PROVED
    assert found["none"].notes
    assert all(check.passed for check in recheck(store, loader))


@pytest.fixture
def afresh() -> None:
    """No states are kept from before."""
    state_space.forget()


@pytest.mark.usefixtures("afresh")
@pytest.mark.parametrize("shown", [False, True])
def test_claims_are_decided_on_fewer_positions_as_without(
    tmp_path: Path, shown: bool, monkeypatch: pytest.MonkeyPatch, stored: list[tuple[int, int]]
) -> None:
    monkeypatch.setattr(positions, "commuting", lambda case: shown)
    path = tmp_path / "ruleset.yaml"
    path.write_text(SHUFFLED.replace("{count}", "32").strip() + "\n", "utf-8")
    game = load(path)

    def answer(claim: str, *, folded: bool) -> Answer:
        limits = Limits(20, 100_000, 2 if claim == "within-two" else None, folded=folded)
        found = exploration.explore(Case(game, game.claims[claim], Budget(20)), limits)
        assert found is not None
        return found

    for claim in ("positions", "within-two", "winner"):
        folded, whole = answer(claim, folded=True), answer(claim, folded=False)
        assert (folded.outcome, folded.numbers) == (whole.outcome, whole.numbers)
        assert [few < seen for few, seen in stored] == [True, False]
        stored.clear()
        for key in ("counts", "digest", "closed"):
            assert folded.proofs[-1].data[key] == whole.proofs[-1].data[key]


@pytest.mark.usefixtures("afresh")
@pytest.mark.parametrize("most", [FEW, FEW + 1])
def test_few_positions_are_compared_with_their_images_and_formulas_not_asked(
    tmp_path: Path, most: int, monkeypatch: pytest.MonkeyPatch, stored: list[tuple[int, int]]
) -> None:
    """A check of 62 positions took twenty seconds, in which formulas looked at the rules."""
    asked: list[Case] = []
    monkeypatch.setattr(positions, "commuting", lambda case: bool(asked.append(case)))
    path = tmp_path / "ruleset.yaml"
    path.write_text(SHUFFLED.replace("{count}", "32").strip() + "\n", "utf-8")
    game = load(path)
    found = exploration.explore(Case(game, game.claims["positions"], Budget(20)), Limits(20, most))
    assert found is not None
    assert found.outcome == PROVED
    assert len(asked) == (most > FEW)
    assert [few < seen for few, seen in stored] == [True]


def test_a_proof_of_symmetry_cut_short_is_tried_again_with_more_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given: list[float] = []

    def commute(game: object, symmetries: object, seconds: float, engine: object) -> bool:
        given.append(seconds)
        if seconds < 10:
            raise OutOfBudget("the time")
        return True

    monkeypatch.setattr(positions, "commute", commute)
    path = tmp_path / "ruleset.yaml"
    path.write_text(SHUFFLED.replace("{count}", "32").strip() + "\n", "utf-8")
    game = load(path)
    found = [positions.commuting(Case(game, game.claims["winner"], Budget(t))) for t in (5, 5, 60, 60)]
    assert found == [False, False, True, True]
    assert len(given) == 2, "as short a time is not spent twice, and what was shown is not shown again"


@pytest.mark.usefixtures("afresh")
def test_what_is_asked_of_one_row_is_decided_without_symmetries(tmp_path: Path) -> None:
    path = tmp_path / "ruleset.yaml"
    path.write_text(SHUFFLED.replace("{count}", "32").strip() + "\n", "utf-8")
    game = load(path)
    found = exploration.explore(Case(game, game.claims["upper-last"], Budget(20)), Limits(20, 100_000))
    assert found is not None
    assert found.outcome == REFUTED
    assert found.numbers["plies"] == 1


def test_a_fault_at_the_start_is_no_image_of_itself_unless_its_values_are(tmp_path: Path) -> None:
    """`prove` ended in a traceback where the first turn faults (regression)."""
    path = tmp_path / "ruleset.yaml"
    path.write_text(FAULTY, "utf-8")
    verdicts = {v.claim: v for v in prove(partial(load, path), ["as-it-is", "turned-over"], store=Store())}
    assert {name: v.outcome for name, v in verdicts.items()} == {"as-it-is": PROVED, "turned-over": REFUTED}
