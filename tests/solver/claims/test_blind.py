"""Values that all deals have in common, and values that depend on the cards."""

from __future__ import annotations

from pathlib import Path

import pytest
from confirming import Space
from stories import made

from rulespec.budgets import Budget
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.solver.analyses.deal_numbers import NotBlind, Starts
from rulespec.solver.analyses.shuffles import Deals
from rulespec.solver.evidence.k_induction import may_begin_badly
from rulespec.solver.evidence.problem import Case

DEALT = """
players: {players}
rules:
- id: cards
  prose: Cards in rows.
  formal: |
    type Card = 1..3
    type Low = 1..1
    state row: map 1..2 -> list of Card up to 3 = []
    state n: 0..2 = 0
    state lowest: Low? = none
    state up: Card? = none
    state first: Player = 1
    state begun: Bool = 1 = 2
    define low(c: Low): 1..1 = 1
    define tail(k: 0..2 falling): 0..9 =
      if k = 0 then 0 else min(9, number(row[1][1] otherwise 1) + (tail(k - 1) otherwise 0))
  setup: |
    {setup}
- id: take
  prose: Take the card on top, if it is low.
  action: c in Card
  require:
    top:
      prose: It lies on top.
      that: row[1][3] = c and (begun or c < 3)
  do: begun := 1 = 1
- id: rest
  prose: Rest.
  action: ()
  require:
    once:
      prose: Not at first.
      that: begun or mover = 2 or row[1][3] < 3 or row[1] is empty
  do: begun := 1 = 1
- id: sort
  prose: Never done, but asked about.
  action: ()
  require:
    never:
      prose: Never.
      that: 1 = 2
  do: |
    if row[1][3] = 1: n := 2
- id: turns
  prose: Turns.
  turn:
    stuck: {stuck}
    begin: |
      {begin}
- id: over
  prose: It may be over at once.
  end: {end}
"""
ONCE = {
    "players": "1",
    "setup": "shuffle Card into row[1]",
    "stuck": "end",
    "begin": "nothing",
    "end": "1 = 2",
}


def dealt(folder: Path, claims: str = "", **changed: str) -> Game:
    return made(folder, DEALT.format(**{**ONCE, **changed}) + claims)


def asking(folder: Path, text: str, **changed: str) -> tuple[Space, n.Expr]:
    """All positions of a game, and a number that is asked of them."""
    game = dealt(folder, f"claims:\n- id: asked\n  prose: Asked.\n  most: {text}\n", **changed)
    asked = game.claims["asked"].condition
    assert asked is not None
    return Space(game), asked


@pytest.mark.parametrize(
    ("changed", "tells"),
    [
        ({}, True),
        ({"begin": "n := 1"}, True),
        ({"setup": "for i in 1..2: shuffle Card into row[i]"}, False),
        ({"players": "2", "stuck": "pass", "begin": "if n < 2: add 1 to n"}, False),
        ({"players": "2", "stuck": "pass"}, True),
        ({"begin": "n := 1", "end": "row[1][3] = 1"}, False),
        ({"end": "row[1][3] = 1"}, True),
        ({"setup": "shuffle Card into row[1]; lowest := row[1][1]"}, False),
        ({"setup": "shuffle Card into row[1]; move row[1][2] from row[1] to row[2]"}, True),
        ({"setup": "shuffle Card into row[1]; n := size({row[1][1], 1})"}, False),
        ({"setup": "shuffle Card into row[1]; roll up from (those c in Card where c != 2)"}, True),
        ({"setup": "shuffle Card into row[1]; roll lowest from Card"}, False),
        (
            {
                "players": "2",
                "setup": "shuffle Card into row[1]; roll first from Player; give the turn to first",
            },
            True,
        ),
        ({"setup": "shuffle Card into row[1]; roll up from Card; n := if up = 1 then 3 else 2"}, False),
        ({"setup": "shuffle Card into row[1]; roll up from Card; n := if up = 2 then 3 else 2"}, False),
        (
            {
                "setup": "shuffle Card into row[1]; roll up from Card; n := if up = 1 then 1 else 0",
                "begin": "if n = 1: n := 2",
            },
            False,
        ),
        ({"setup": "roll up from Card; shuffle (those c in Card where c != up) into row[1]"}, False),
        ({"setup": "roll up from Card; shuffle (those c in Card where c < up) into row[1]"}, False),
        ({"setup": "shuffle (those c in Card where c > 1) into row[1]"}, True),
        ({"setup": "shuffle Card into row[1]; roll up from Card", "begin": "if up = 2: n := 1"}, False),
        ({"setup": "shuffle Card into row[1]; roll up from Card", "end": "up = 2", "begin": "n := 1"}, False),
    ],
)
def test_values_are_common_to_all_deals_only_if_nothing_reads_the_cards(
    tmp_path: Path, changed: dict[str, str], tells: bool
) -> None:
    """Two shuffles in a loop counted as one; passing, ends and faults at the start were ignored."""
    for text in ("size(row[1]) + size(row[2])", "size(row[1])", "n", "number(mover)"):
        space, asked = asking(tmp_path, text, **changed)
        said = Deals(space.game).value(asked)
        assert said is None or {space.value(asked, start) for start in space.starts} == {said}
        if text != "number(mover)":
            assert (said is not None) is tells


@pytest.mark.parametrize(
    "text",
    [
        "count(c in Card where can take(c))",
        "if can rest then 1 else 0",
        "if n = 2 after sort then 1 else 0",
        "sum(low(row[1][i]) for i in 1..1)",
        "tail(2) otherwise 0",
        "if row[1][1] = 1 then 1 else 0",
        "if row[1][1] = up then 1 else 0",
        "if up = 1 then 1 else 0",
    ],
)
def test_values_that_depend_on_the_cards_have_no_common_value(tmp_path: Path, text: str) -> None:
    """`can`, `after`, partial definitions and recursive definitions were ignored."""
    space, asked = asking(tmp_path, text, setup="shuffle Card into row[1]; roll up from Card")
    assert len({space.value(asked, start) for start in space.starts}) > 1
    assert Deals(space.game).value(asked) is None


@pytest.mark.parametrize(
    ("kind", "changed", "may"),
    [
        ("never-faults", {}, False),
        ("never-faults", {"setup": "shuffle Card into row[1]; n := size(row[1])"}, True),
        ("never-faults", {"setup": "shuffle Card into row[1]; roll up from Card"}, False),
        ("never-faults", {"setup": "shuffle Card into row[1]; roll lowest from Card"}, True),
        ("never-stuck", {}, True),
    ],
)
def test_one_deal_shows_that_none_begins_with_a_fault(
    tmp_path: Path, kind: str, changed: dict[str, str], may: bool
) -> None:
    """Every order of the cards was left to an engine; who is stuck at first depends on the cards."""
    game = dealt(tmp_path, f"claims:\n- id: asked\n  prose: Asked.\n  kind: {kind}\n", **changed)
    assert may_begin_badly(Case(game, game.claims["asked"], Budget(10)), ()) is may


def test_starts_are_numbered_only_for_a_single_shuffle(tmp_path: Path) -> None:
    """Two shuffles in a loop were numbered like one, and no start could be constructed."""
    for setup in (
        "for i in 1..2: shuffle Card into row[i]",
        "shuffle Card into row[1]; roll up from Card",
        "shuffle (those c in Card where c > 1) into row[1]",
    ):
        with pytest.raises(NotBlind):
            Starts(dealt(tmp_path, setup=setup))


def test_the_cards_decide_the_first_mover_of_a_numbered_start(tmp_path: Path) -> None:
    """Every start had the first mover of start number one."""
    game = dealt(tmp_path, players="2", stuck="pass")
    starts, mover = Starts(game), list(game.state).index("mover")
    first = [starts.position(i).values[mover] for i in range(starts.count)]
    assert (first.count(1), first.count(2)) == (4, 2)
    assert {starts.position(i).values for i in range(starts.count)} == {p.values for p in Space(game).starts}
