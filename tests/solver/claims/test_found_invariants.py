"""Invariants that nobody wrote: proposed by random plays, kept if inductive, judged like any induction."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulespec import load
from rulespec.budgets import Budget
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED, REFUTED, UNDECIDED, Evidence
from rulespec.core.verdicts.evidence_wording import invariant_text
from rulespec.solver.evidence.engine_rules import by_evidence
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.evidence.ranking import terminates
from rulespec.solver.formulas.invariant_templates import condition_of
from rulespec.solver.methods import invariant_search
from rulespec.solver.methods.invariant_search import candidates, sampled_plays
from rulespec.solver.methods.table import METHODS

FLOOD = """\
rulespec: 1
id: flood
title: Flood
summary: Islands are flooded by cards.
players: 2
rules:
- id: cards
  prose: Each of the islands has a card.
  formal: |
    type Island = 1..4
    hidden state deck: list of Island up to 4 = []
    state gone: set of Island = {}
    state held: map Player -> Island? = none
    state days: 0..80 = 0
    state lit: Bool = false
  setup: shuffle Island into deck
- id: draw
  prose: Draw a card and lay it away.
  action: ()
  written: draw
  do: |
    add 1 to days up to 80
    if deck is empty:
      shuffle Island into deck
      gone := {}
    if top(deck) is some: add top(deck) to gone
    move top of deck into held[mover]
    held[after(mover)] := none
- id: long
  prose: After many days it is over.
  end: days = 80
claims:
- id: all
  prose: Deck and cards laid away are all.
  invariant: size(deck) + size(gone) = 4
- id: apart
  prose: No card is in both.
  invariant: no x in gone satisfies x in deck
- id: early
  prose: No play is that long.
  invariant: days < 70
- id: ends
  prose: It ends.
  terminates: 80 - days
"""


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing depend on the clock of a busy machine."""
    monkeypatch.setattr(invariant_search, "SAMPLING", 20.0)
    monkeypatch.setattr(invariant_search, "PATIENCE", 24.0)


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> Game:
    return game_of(tmp_path_factory.mktemp("flood"), FLOOD)


def game_of(folder: Path, text: str) -> Game:
    path = folder / "flood.yaml"
    path.write_text(text, "utf-8")
    return load(path).core


def case_of(game: Game, claim: str) -> Case:
    return Case(game, game.claims[claim], Budget(60, 2000))


def judgement(case: Case, rows: list[list[str]], depth: int = 1) -> Answer | None:
    return by_evidence(case, Evidence("induction", {"depth": depth, "invariants": rows}))


@pytest.mark.parametrize("claim", ["all", "apart", "ends"])
def test_what_no_induction_shows_alone_rests_on_what_was_found(game: Game, claim: str) -> None:
    case = case_of(game, claim)
    alone = terminates(case) if claim == "ends" else METHODS["induction"](case)
    assert alone is None or alone.outcome == UNDECIDED
    shown = METHODS["found invariants"](case)
    assert shown is not None
    assert shown.outcome == PROVED
    (proof,) = shown.proofs
    again = judgement(case, proof.data["invariants"], proof.data.get("depth", 1))
    assert again is not None
    assert replace(again, engine="") == replace(shown, engine="")


def test_what_holds_in_all_random_plays_alone_is_not_believed(game: Game) -> None:
    shown = METHODS["found invariants"](case_of(game, "early"))
    assert shown is None or shown.outcome in (UNDECIDED, REFUTED)


@pytest.mark.parametrize(
    "row",
    [
        ["sums", "", "<=", "69", "1", "days"],  # not inductive
        ["sums", "", "<=", "-1", "-1", "days"],  # not so at the start
        ["sums", "", "=", "3", "1", "size(deck)"],  # so neither
        ["sums", "Island", "<=", "0", "1", "(if x in gone then 1 else 0)"],
        ["sums", "", "=", "0", "1", "days"],  # only at the start
        ["sums", "", "=", "0", "-1", "days"],
        ["sums", "", "=", "1", "1", "(if mover = 1 then 1 else 0)"],
        ["ends", "short"],  # no such end
        ["sums", "Isle", "<=", "1", "1", "(if x in gone then 1 else 0)"],
        ["sums", "", "<=", "1", "1", "size(nothing)"],
        ["sums", "", "<", "1", "1", "days"],
        ["sums", "", "<=", "one", "1", "days"],
        ["sums", "", "<=", "1", "1"],
        ["phase", "(if lit then 1 else 0)", "0", "days", "0"],  # not inductive
        ["phase", "(if lit then 1 else 0)", "0", "size(deck)", "3"],  # not so at the start
        ["phase", "days", "0", "size(deck)", "4"],  # no flag
        ["phase", "(if lit then 1 else 0)", "2", "size(deck)", "4"],
        ["phase", "(if lit then 1 else 0)", "0", "size(deck)"],
        ["phase", "(if lit then 1 else 0)", "0", "size(deck)", "four"],
        [],
    ],
)
def test_evidence_with_what_is_not_so_shows_nothing(game: Game, row: list[str]) -> None:
    good = [
        "sums",
        "Island",
        "=",
        "1",
        "1",
        "count(y in deck where y = x)",
        "1",
        "(if x in gone then 1 else 0)",
    ]
    assert judgement(case_of(game, "all"), [good]) is not None
    assert judgement(case_of(game, "all"), [good, row]) is None
    assert judgement(case_of(game, "early"), [row]) is None


def test_texts_of_candidates_mean_what_their_rows_mean(game: Game, tmp_path: Path) -> None:
    rows = [*candidates(game, Budget(20, 2000), {*game.state.values()}), ("ends", "long")]
    rows += [("sums", "", "<=", "-1", "2", "size(deck)", "-3", "days")]
    rows += [("while", "Island", "=", "1", "1", "count(y in deck where y = x)")]
    rows += [("while", "", "<=", "1", "1", "(if held[1] is some then 1 else 0)")]
    rows += [("phase", "(if held[1] is some then 1 else 0)", bit, "size(deck)", "4", "0") for bit in "01"]
    claims = [
        f"- id: row-{i}\n  prose: Found.\n  invariant: {invariant_text(row)}\n" for i, row in enumerate(rows)
    ]
    adopted = game_of(tmp_path, FLOOD + "".join(claims))
    assert len(rows) > 8
    seen = [situation for play in sampled_plays(adopted, Budget(20, 2000)) for situation in play]
    for i, row in enumerate(rows):
        stated, written = condition_of(adopted, row), adopted.claims[f"row-{i}"].condition
        assert stated is not None
        assert written is not None
        for situation in seen:
            assert evaluate(stated, {}, situation) == evaluate(written, {}, situation)


TRICKS = """\
rulespec: 1
id: tricks
title: Tricks
summary: Who lays the higher card of two leads next.
players: 2
rules:
- id: cards
  prose: Each player has two cards.
  formal: |
    type Card = 1..4
    hidden state deck: list of Card up to 4 = []
    hidden state hand: map Player -> set of Card = {}
    state led: Card? = none
  setup: |
    shuffle Card into deck
    for i in 1..2:
      for p in Player: move top of deck into hand[p]
- id: play
  prose: Lay a card.
  action: c in hand[mover]
  open: c
  do: |
    remove c from hand[mover]
    if led is none: led := c
    else:
      give the turn to (if led < c then mover else after(mover))
      led := none
- id: end
  prose: It is over when all cards are played.
  end: led is none and hand[1] is empty and hand[2] is empty
claims:
- id: stuck
  prose: Whoever is to move has a card.
  kind: never-stuck
"""


def test_who_is_to_move_has_a_card(tmp_path: Path) -> None:
    """The hand of the mover is as large as the other one, unless a card is led."""
    shown = METHODS["found invariants"](case_of(game_of(tmp_path, TRICKS), "stuck"))
    assert shown is not None
    assert shown.outcome == PROVED
    (proof,) = shown.proofs
    assert any("size(hand[mover])" in row for row in proof.data["invariants"])


MELDS = """\
rulespec: 1
id: melds
title: Melds
summary: Take a stone, perhaps lay three aside, and give one back.
players: 2
rules:
- id: stones
  prose: Each player has three stones of twenty.
  formal: |
    state pile: 0..20 = 14
    state held: map Player -> 0..20 = 3
    state taken: Bool = false
- id: take
  prose: Take a stone.
  action: ()
  require:
    once:
      prose: You have not taken one.
      that: not taken
    left:
      prose: There is one.
      that: pile > 0
  do: |
    remove 1 from pile
    add 1 to held[mover]
    taken := true
  turn:
    over: not taken
- id: meld
  prose: Lay three stones aside.
  action: ()
  require:
    taken:
      prose: You have taken one.
      that: taken
    three:
      prose: You have three.
      that: held[mover] >= 3
  do: remove 3 from held[mover]
- id: give
  prose: Give a stone back, out of the game.
  action: ()
  require:
    taken:
      prose: You have taken one.
      that: taken
    some:
      prose: You have one.
      that: held[mover] > 0
  do: |
    remove 1 from held[mover]
    taken := false
- id: end
  prose: The game ends when somebody has no stone left, or when the pile is gone.
  end: not taken and (pile = 0 or some p in Player satisfies held[p] = 0)
claims:
- id: stuck
  prose: Whoever is to move can do something.
  kind: never-stuck
"""


def test_a_number_has_few_values_while_a_flag_is_set(tmp_path: Path) -> None:
    """Who has taken a stone has four or one: from two or three the meld would leave none to give."""
    shown = METHODS["found invariants"](case_of(game_of(tmp_path, MELDS), "stuck"))
    assert shown is not None
    assert shown.outcome == PROVED
    (proof,) = shown.proofs
    assert ["phase", "(if taken then 1 else 0)", "1", "held[mover]", "1", "4"] in proof.data["invariants"]


ROW = """\
rulespec: 1
id: row
title: A row
summary: Lay stones in a row; each neighbour gives a point.
players: 2
rules:
- id: row
  prose: The row has sixteen places.
  formal: |
    type Place = 1..16
    state laid: set of Place = {}
    state points: map Player -> 0..40 = 0
    define beside(p: Place) = count(q in laid where abs(p - q) = 1)
- id: lay
  prose: Lay a stone; each neighbour gives a point.
  action: p in Place - laid
  written: lay {p}
  do: |
    add beside(p) to points[mover]
    add p to laid
- id: end
  prose: The row is full.
  end: size(laid) = 16
  score: points[player]
claims:
- id: faults
  prose: Nobody has more points than can be counted.
  kind: never-faults
"""


def test_points_are_bounded_by_what_gives_them(tmp_path: Path) -> None:
    case = case_of(game_of(tmp_path, ROW), "faults")
    answer = METHODS["found invariants"](case)
    assert answer is not None
    assert answer.outcome == PROVED
    (proof,) = answer.proofs
    assert ["sums", "", "<=", "0", "1", "sum(points[k] for k in Player)", "-2", "size(laid)"] in proof.data[
        "invariants"
    ]
