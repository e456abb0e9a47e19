"""How much work it takes to settle deals of a puzzle, the evidence included."""

from __future__ import annotations

import resource
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple

from rulespec.core.game import Game
from rulespec.language import load
from rulespec.solver.claims import solve

from .report import Table, spread


class Puzzle(NamedTuple):
    """A ruleset with parameters, a claim that is asked of deals, and whether a shortest play is wanted."""

    name: str
    claim: str
    parameters: Mapping[str, int] = {}
    shortest: bool = False

    @property
    def words(self) -> str:
        """The name of this puzzle in the table."""
        more = [f"{name} {value}" for name, value in self.parameters.items()]
        return ", ".join([f"{self.name}: {self.claim}", *more, *(["shortest"] if self.shortest else [])])


PUZZLES = (
    Puzzle("sacred-alignment", "zero-cheat"),
    Puzzle("sacred-alignment-small", "zero-cheat"),
    Puzzle("peg-solitaire", "solvable"),
    Puzzle("eight-puzzle", "can-be-solved", shortest=True),
)


def measure(deals: int, seconds: float, puzzles: tuple[Puzzle, ...] = PUZZLES) -> Table:
    """So many deals of each puzzle, each for at most so many seconds."""
    words = (
        f"Deals of the seeds 0, 1, 2, …, at most {seconds:.0f} s each; a puzzle without a deal is run "
        "once. Seconds of work from the loaded ruleset to the verdict with its evidence, median and "
        "spread; the first run is separate, because it compiles code that is not cached."
    )
    table = Table("Puzzles", words, ["puzzle", "deals", "proved", "refuted", "open", "s a deal", "first"])
    for puzzle in puzzles:
        game = load(puzzle.name, parameters=puzzle.parameters)
        first, _ = _settled(game, puzzle, 0, seconds)
        found = [_settled(game, puzzle, seed, seconds) for seed in range(deals if game.has_chance else 1)]
        counts = Counter(outcome for _, outcome in found)
        proved, refuted = counts.pop("proved", 0), counts.pop("refuted", 0)
        work = spread(took for took, _ in found)
        table.rows.append(
            [
                puzzle.words,
                *map(str, (len(found), proved, refuted, counts.total())),
                work,
                f"{first:.2f}",
            ]
        )
    return table


def _settled(game: Game, puzzle: Puzzle, seed: int, seconds: float) -> tuple[float, str]:
    """The seconds of work that a deal took, and the outcome; open where a play may not be a shortest."""
    before = _work()
    verdict, _ = solve(game, puzzle.claim, seed=seed, timeout=seconds, shortest=puzzle.shortest)
    shown = not puzzle.shortest or any(e.data.get("shortest") for e in verdict.evidence)
    return _work() - before, verdict.outcome if shown else "open"


def _work() -> float:
    """Seconds of processor time of this process and of those that it started and that have ended."""
    used = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(one.ru_utime + one.ru_stime for one in used)
