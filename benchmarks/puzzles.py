"""How much work it takes to settle deals of a puzzle, the evidence included."""

from __future__ import annotations

import resource
from collections import Counter

from rulespec.core.game import Game
from rulespec.language import load
from solver.claims import solve

from .report import Table, spread

PUZZLES = (
    ("sacred-alignment", "zero-cheat"),
    ("sacred-alignment-small", "zero-cheat"),
    ("peg-solitaire", "solvable"),
)
"""Rulesets with a claim that is asked of deals."""


def measure(deals: int, seconds: float, puzzles: tuple[tuple[str, str], ...] = PUZZLES) -> Table:
    """So many deals of each puzzle, each for at most so many seconds."""
    words = (
        f"Deals of the seeds from 0 on, at most {seconds:.0f} s each; a puzzle that is not dealt, once. "
        "Seconds of work from the loaded ruleset to the verdict with its evidence, median and spread; the "
        "first time apart, in which code is compiled if it was not kept."
    )
    table = Table("Puzzles", words, ["puzzle", "deals", "proved", "refuted", "open", "s a deal", "first"])
    for name, claim in puzzles:
        game = load(name)
        first, _ = _settled(game, claim, 0, seconds)
        found = [_settled(game, claim, seed, seconds) for seed in range(deals if game.has_chance else 1)]
        counts = Counter(outcome for _, outcome in found)
        proved, refuted = counts.pop("proved", 0), counts.pop("refuted", 0)
        work = spread(took for took, _ in found)
        table.rows.append(
            [
                f"{name}: {claim}",
                *map(str, (len(found), proved, refuted, counts.total())),
                work,
                f"{first:.2f}",
            ]
        )
    return table


def _settled(game: Game, claim: str, seed: int, seconds: float) -> tuple[float, str]:
    """The seconds of work that a deal took, and the outcome."""
    before = _work()
    verdict, _ = solve(game, claim, seed=seed, timeout=seconds)
    return _work() - before, verdict.outcome


def _work() -> float:
    """Seconds of processor time of this process and of those that it started and that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)
