"""Swarm counted as programs for the game that it follows count it."""

from __future__ import annotations

from shipped_games import load

from rulespec.play.perft import perft


def test_counts_from_the_start_are_those_of_other_programs() -> None:
    """The base game in the table *Perft* of the wiki of Mzinga by Jon Thysell; no edge is near so early."""
    counts = perft(load("swarm"), 5)
    assert [*counts.values()] == [4, 96, 1_440, 21_600, 516_240]
