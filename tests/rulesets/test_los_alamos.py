"""Los Alamos chess counted as other programs count it: from the start, and where pawns are promoted."""

from __future__ import annotations

from shipped_games import load

from rulespec.play.perft import perft


def test_counts_from_the_start_are_those_of_other_programs() -> None:
    counts = perft(load("los-alamos"), 6)
    assert (counts[4], counts[5], counts[6]) == (14_332, 191_846, 2_549_164)


def test_counts_with_promotion_are_those_of_another_program() -> None:
    """The position `6/2P3/6/1K1k2/6/6 w` of the tests of Cute Chess."""
    position = load("los-alamos").position({"board": {"c5": "P", "b3": "K", "d3": "k"}})
    assert perft(load("los-alamos"), 6, start=position.position)[6] == 187_431


def test_a_refusal_says_what_would_happen() -> None:
    game = load("los-alamos")
    state = game.position({"board": {"d1": "K", "d3": "N", "d6": "r", "f6": "k"}})
    (refusal,) = state.why_not("d3e5")
    assert refusal.name == "safe"
    assert "after d3e5, " in str(refusal)
