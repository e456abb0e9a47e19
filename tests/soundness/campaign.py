"""Random games by the thousand: every method asked of every claim, all held against the truth."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from campaigns import Campaign, Failure, Went

from rulespec.core.storage import code_cache
from rulespec.solver.evidence import inequalities

from .direction import Direction
from .shrink import shrunk
from .trial import Disagreement, figures, tried

FOLDER = Path("build/soundness")
"""Where disagreements are kept, shrunk."""

MOST_KEPT = 1
"""So many disagreements about a game are kept, which takes a minute; more have one cause as a rule."""
PROVED = 0.05
"""The share of games that `prove` and `recheck` go through, too."""


@dataclass
class Soundness(Campaign):
    """A campaign of random games. Decisions are counted by method and kind."""

    BATCH: ClassVar[int] = 20
    SECONDS: ClassVar[float] = 60.0

    def name_of(self, number: int) -> str:
        return f"game/{self.base}-{number}"

    def try_one(self, name: str) -> Went:
        seed = name.partition("/")[2]
        trial = tried(seed, PROVED)
        failures: dict[str, Failure] = {}
        for one in trial.wrong:
            kept = keep(seed, trial.text, one) if len(failures) < MOST_KEPT else "not kept"
            failures[f"{seed} {one.claim} ({one.kind}) by {one.method}"] = Failure(
                "wrong", f"{one.text}\n{kept}"
            )
        return Went(figures(trial.decided), failures, trial.beside)

    def warm(self) -> None:
        prepare()


def prepare() -> None:
    """Let sums of few facts be taken apart, which elsewhere does not pay, and no code be kept.

    A random game hardly comes again.
    """
    inequalities.FEWEST_FACTS = 1
    code_cache.cache_folder = lambda: None  # type: ignore[attr-defined]
    os.environ.setdefault("RULESPEC_CACHE", str(FOLDER.resolve() / "cache"))


def keep(seed: str, text: str, one: Disagreement) -> Path:
    """Write a disagreement, shrunk, as a ruleset that can become a test; where it is."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    path = FOLDER / f"{seed}-{one.claim}-{one.method.replace(' ', '-').replace(',', '')}.yaml"
    path.write_text(shrunk(text, one), "utf-8")
    return path


@dataclass(frozen=True)
class Contradiction:
    """A disagreement, with the seed of the game."""

    seed: str
    claim: str
    method: str
    text: str


def run(
    seeds: Iterable[str],
    budget: int,
    decided: Counter[tuple[str, str]] | None = None,
    direction: Direction | None = None,
) -> list[Contradiction]:
    """The disagreements of the games of some seeds, in order, until so many decisions were made.

    `decided` takes in the decisions, by method and kind. With a direction all games follow it.
    """
    found: list[Contradiction] = []
    made = Counter[tuple[str, str]]() if decided is None else decided
    for seed in seeds:
        trial = tried(seed, direction=direction)
        found += [Contradiction(seed, one.claim, one.method, one.text) for one in trial.wrong]
        made += trial.decided
        if made.total() >= budget:
            break
    return found
