"""Rulesets of kinds that do not ship, written from the documentation alone, to measure what a stranger meets.

`whist` has tricks and trumps, `go` a board of more than 64 points, `market` a deck that is shuffled again.
"""

from __future__ import annotations

from pathlib import Path

KINDS = ("whist", "go", "market")


def ruleset(name: str) -> str | Path:
    """The file of one of these rulesets; another name, of a shipped one, as it is."""
    return Path(__file__).parent / f"{name}.yaml" if name in KINDS else name
