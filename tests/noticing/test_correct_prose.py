"""Prose that agrees with its formal text raises no doubt, however it is worded."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.language import load
from rulespec.noticing.doubts import _CANNOT
from rulespec.noticing.texts import doubts_of_text

QUIET = """
- id: draw
  prose: Draw a tile from the bag.
  formal: |
    state quiet: 0..20 = 0
    state drawn: 0..6 = 0
  action: ()
  do: |
    roll drawn from 1..6
    quiet := if drawn = 6 then 0 else quiet + 1
- id: over
  prose: It is over after twenty draws in a row without a six.
  end: quiet = 20
"""
RANKS = """
- id: pack
  prose: Players use 24 cards, from the nine up to the ace in each suit.
  formal: |
    type Suit = one of clubs, diamonds, hearts, spades
    type Card = {rank: 2..14, suit: Suit}
    define queen: Card = Card(12, spades)
- id: lay
  prose: Lay a card on a free place.
  formal: |
    state laid: map 1..3 -> Card? = none
    state points: map Player -> 0..9 = 0
  action: c in Card, p in 1..3 where c.rank > 8 and laid[p] is none
  do: |
    laid[p] := c
    if laid[p] = queen: add 3 to points[mover]
- id: trick
  prose: It is over when all three have been laid. The queen counts 3.
  end: no p in 1..3 satisfies laid[p] is none
"""
FLAG = """
- id: lead
  prose: In turn, lead a suit. It may be led again and again.
  formal: |
    state broken: Bool = false
    state led: 0..40 = 0
  action: n in 1..4
  require:
    trumps:
      prose: You lead no trump before a trump was thrown.
      that: broken or n != 4
  do: |
    broken := true
    add 1 to led
- id: over
  prose: It is over when forty are led.
  end: led = 40
"""
ALONE = """
- id: throw
  prose: Throw a trump, but only from a hand of trumps alone.
  formal: |
    state hand: map Player -> set of 1..9 = {}
  action: c in hand[mover]
  require:
    trumps:
      prose: You throw from a hand of high numbers alone.
      that: every d in hand[mover] satisfies d > 4
  do: remove c from hand[mover]
- id: over
  prose: It is over when the first player has nothing left.
  end: hand[1] is empty
"""
STAIRS = """
- id: climb
  prose: Climb one or two stairs.
  formal: |
    state height: 0..50 = 0
    state climbs: 0..25 = 0
  action: n in 1..2
  do: |
    add n to height
    add 1 to climbs
- id: over
  prose: It is over after 25 climbs.
  end: climbs = 25
"""


RESULT = """
- id: draw
  prose: A suit is drawn, any but spades.
  formal: |
    type Suit = one of clubs, hearts, spades
    state trumps: Suit? = none
    state coins: map Player -> map Suit -> 0..9 = 0
    state tricks: map Player -> 0..9 = 0
  setup: roll trumps from Suit - {spades}
- id: take
  prose: Take a trick and a coin.
  action: s in Suit
  do: |
    add 1 to tricks[mover]
    add 1 to coins[mover][s]
- id: over
  prose: It is over after nine tricks.
  end: some p in Player satisfies tricks[p] = 9
"""
TIES = """
- id: won
  prose: Each trick is a point. If these are equal, more hearts, and then more clubs.
  score: tricks[player]
  ties:
  - most: coins[player][hearts]
  - most: coins[player][clubs]
"""
MOST = """
- id: won
  prose: Whoever has the lowest number of clubs wins, of these the one with more tricks.
  winners: |
    let best be those p in Player with least coins[p][clubs];
    those p in best with most tricks[p]
"""


@pytest.mark.parametrize(
    ("rules", "kinds"),
    [
        pytest.param(QUIET, "store", id="one case of a value sets it back"),
        pytest.param(RANKS, "prose", id="the numbers of a card are no amounts"),
        pytest.param(FLAG, "store", id="no span of time"),
        pytest.param(ALONE, "prose", id="a hand is the whole set"),
        pytest.param(STAIRS, "prose", id="a verb after which a variable is called"),
        pytest.param(RESULT + TIES, "prose", id="ties in the order of the prose"),
        pytest.param(RESULT + MOST, "prose", id="least of one thing, then most of another"),
    ],
)
def test_correct_prose_raises_no_doubt(rules: str, kinds: str, tmp_path: Path) -> None:
    assert messages(rules, kinds, tmp_path) == []


@pytest.mark.parametrize(
    ("rules", "old", "new", "said"),
    [
        (TIES, "then more clubs", "then more tricks", None),
        (TIES, "hearts, and then more clubs", "clubs, and then more hearts", "the other way round"),
        (MOST, "most tricks[p]", "least tricks[p]", "the prose says `more tricks`"),
        (MOST, "more tricks", "fewer tricks", "the prose says `fewer tricks`"),
        (TIES, "Suit - {spades}", "Suit", "the prose says `any but spades`"),
    ],
)
def test_prose_that_says_the_opposite(
    rules: str, old: str, new: str, said: str | None, tmp_path: Path
) -> None:
    found = messages((RESULT + rules).replace(old, new), "prose", tmp_path)
    assert [said in message for message in found] == [True] if said else found == []


def messages(rules: str, kind: str, folder: Path) -> list[str]:
    """The messages of the doubts of one kind, without those that need plays."""
    path = folder / "own.yaml"
    path.write_text(f"rulespec: 1\nid: own\ntitle: Own\nplayers: 2\nrules:{rules}")
    game = load(str(path))
    assert game.rules[0].span is not None
    found = doubts_of_text(game, game.rules[0].span.source)
    return [doubt.message for doubt in found if doubt.code == f"notice.{kind}"]


@pytest.mark.parametrize(
    "prose", ["If you have no legal action, it is over.", "Who cannot move loses.", "There is no move left."]
)
def test_prose_about_players_who_cannot_act(prose: str) -> None:
    assert _CANNOT.search(prose)
