"""Turns of phrase that the formal text leaves out are doubted where it does, and only there."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.language import load
from rulespec.noticing.texts import doubts_of_text

MARSH = """\
rulespec: 1
id: marsh
title: The marsh
players: 2
uses:
- boards/grid: {files: 4, ranks: 4}
parameters:
  rounds:
    type: 3..9
    default: 5
    prose: How many rounds the game lasts at most.
rules:
- id: marsh
  prose: Stones and cards lie on the squares of a marsh. A card has a rank and a colour.
  formal: |
    type Colour = one of amber, blue as "AB"
    type Card = {rank: 1..3, colour: Colour} as "{rank}{colour}"
    type Hut = one of mill, stall
    type Oats = 1..4
    state stone: map Square -> Player? = none
    state shown: Card? = none
    hidden state hand: map Player -> set of Card = {}
    hidden state pile: list of Card up to 6 = []
    state ashes: set of Card = {}
    state fire: set of Card = {}
    state sacks: map Oats -> 0..9 = 0
    state stock: 0..9 = 9
    state hut: map Player -> Hut? = none
    state filled: map Player -> 0..9 = 0
    define free(h: Hut) = no p in Player satisfies hut[p] = h
    define strength(c: Card): 1..3 = c.rank
  setup: |
    shuffle Card into pile
    for p in Player: move top 2 of pile into hand[p]
  sees: |
    hand[viewer]
    size(hand[p]) for p in Player
- id: lay
  prose: Lay a stone beside one of yours, along a rank or a file.
  action: s in Square
  written: lay {s}
  require:
    near:
      prose: It lies beside a stone of yours.
      that: some t in neighbours(s) satisfies stone[t] = mover
    between:
      prose: It does not lie between two stones of the other player.
      that: |
        no w in straight satisfies
          stone[beyond(s, w, 1)] = after(mover) and stone[beyond(s, opposite(w), 1)] = after(mover)
    stalled:
      prose: No hut stands at the mill.
      that: free(mill)
  do: stone[s] := mover
- id: shift
  prose: Take a stone of yours and lay it beside another stone of yours.
  action: s in Square where stone[s] = mover, t in Square where stone[t] is none
  written: shift {s}{t}
  require:
    footing:
      prose: It comes to lie beside another stone of yours.
      that: some u in neighbours(t) where u != s satisfies stone[u] = mover
  do: |
    stone[s] := none
    stone[t] := mover
    hut[mover] := mill
- id: play
  prose: >-
    Play a card of the same colour and of a higher rank than the one that is shown. What was in the fire goes
    to the ashes.
  action: c in hand[mover]
  open: c
  written: play {c}
  require:
    beats:
      prose: It beats the card that is shown, and has the same colour.
      that: shown is none or strength(c) > strength(shown) and c.colour = shown.colour
  do: |
    remove c from hand[mover]
    shown := c
    for d in fire: add d to ashes
    fire := {c}
- id: feed
  prose: Or fill your sacks, one of each kind. If fewer than two are left in the stock, it is filled.
  action: ()
  written: feed
  require:
    enough:
      prose: There are at least four in the stock.
      that: stock >= 4
  do: |
    for k in Oats: add 1 to sacks[k] up to 9
    remove 4 from stock
    if stock < 2: stock := 9
    for d in fire: add d to ashes
    fire := {}
    add 1 to filled[mover]
- id: pass
  prose: If you cannot play a card you pass.
  action: ()
  written: pass
  require:
    nothing:
      prose: You can play no card.
      that: not can play
  do: shown := none
- id: over
  prose: >-
    The game is over when somebody has filled four times, when all squares are taken, or when the stock is
    empty.
  end: |
    (some p in Player satisfies filled[p] = 4)
      or (every s in Square satisfies stone[s] is some) or stock = 0
- id: last
  prose: When somebody has no card left, the round is played to its end, so that all have had as many turns.
  end: mover = 2 and some p in Player satisfies hand[p] is empty
- id: latest
  prose: After the last round the game is over, too.
  turn:
    limit: rounds * players
- id: winner
  prose: The most stones win. Among equals whoever has fewer cards wins.
  score: count(s in Square where stone[s] = player)
  ties:
  - least: size(hand[player])
"""

MISTAKES = [
    ("some t in neighbours(s)", "some t in around(s)", "`around` has the squares at the corners"),
    (
        "= after(mover) and stone[beyond(s, opposite(w), 1)] = after(mover)",
        "= after(mover) or stone[beyond(s, opposite(w), 1)] = after(mover)",
        "one of them is enough",
    ),
    ("free(mill)", "free(stall)", "the prose names `mill`, but this asks for `stall`"),
    ("where u != s satisfies", "satisfies", "this may be one that was chosen"),
    ("strength(c) > strength(shown)", "strength(c) >= strength(shown)", "also holds for as much"),
    (" and c.colour = shown.colour", "", "no formal text reads the `colour`"),
    ("for d in fire: add d to ashes\n    fire := {}", "fire := {}", "but here it is lost"),
    ("for k in Oats", "for k in 1..3", "`1..3` leaves out 4 of `Oats`"),
    ("if stock < 2", "if stock > 2", "but this is `stock > 2`"),
    ("not can play", "can play", "here it must be possible"),
    (" or stock = 0", "", "the prose lists 3 cases, but this has 2"),
    ("mover = 2 and some p", "some p", "does not ask whose turn it is"),
    ("hut[mover] := mill", "hut[mover] := stall", "nothing ever stores `mill` in `hut`"),
    ("limit: rounds * players", "limit: rounds", "a limit counts actions"),
    ("- least: size", "- most: size", "the prose says `fewer cards`, but here the most decides a tie"),
    ("    hand[viewer]\n", "", "no player sees `hand`"),
    ("hand[viewer]", "hand[p] for p in Player", "`sees` shows every player all of `hand`"),
]


def messages(folder: Path, text: str) -> list[str]:
    """The messages of the doubts about a ruleset that need no play."""
    path = folder / "marsh.yaml"
    path.write_text(text, "utf-8")
    game = load(path)
    assert game.rules[0].span is not None
    return [found.message for found in doubts_of_text(game, game.rules[0].span.source)]


def test_prose_that_the_formal_text_bears_out_raises_no_doubt(tmp_path: Path) -> None:
    assert messages(tmp_path, MARSH) == []


@pytest.mark.parametrize(("right", "wrong", "told"), MISTAKES, ids=[told for _, _, told in MISTAKES])
def test_a_phrase_that_is_left_out_is_told(tmp_path: Path, right: str, wrong: str, told: str) -> None:
    assert MARSH.count(right) == 1
    assert any(told in one for one in messages(tmp_path, MARSH.replace(right, wrong)))
