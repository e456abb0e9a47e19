"""Redundant readings: a game under two readings is explored in lockstep (`rulespec.solver.pairs.lockstep`).

As long as nothing has differed, a position of one game is one of the other, to which the same plays lead. So
if every position has been compared, the two are the same game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.noticing.parts import Part
from rulespec.noticing.settings import Setting, elsewhere, readings, together
from rulespec.play.errors import IllegalAction
from rulespec.play.examples import begin
from rulespec.play.face import Game as Played
from rulespec.play.position import Position
from rulespec.solver.claims.loading import Loader
from rulespec.solver.evidence.problem import Progress, silent
from rulespec.solver.pairs import Correspondence, Incomparable
from rulespec.solver.pairs.lockstep import Lockstep

from .deciding import ELSEWHERE, Finding

READING = "reading"
RANDOM = 0.4
"""The share of the time for a reading that is spent on random plays."""
MOST_POSITIONS = 50_000
"""Maximum number of positions for a comparison of all reachable ones."""
MOST_PLIES = 300
"""Maximum number of plies of a random play."""


def redundant_readings(
    game: Game,
    loader: Loader,
    *,
    players: Sequence[int] = (),
    timeout: float = 10.0,
    memory: int = 4_000,
    progress: Progress = silent,
) -> Iterator[Finding]:
    """The readings that provably change nothing within `timeout` seconds for each.

    They are compared here, with other numbers of `players` and under other readings.
    """
    for ruling, reading in readings(game):
        name, change = f"{ruling} is {reading}", Setting(readings={ruling: reading})
        progress(name)
        rule = next((rule for rule in game.rules if rule.id == ruling), None)
        part = Part(READING, name, ruling, rule.span if rule else None)
        same = _same(game, change.of(game, loader), ruling, Budget(timeout, memory))
        for setting in (*elsewhere(game, players), *together(game, players)) if same is not None else ():
            if ruling not in setting.readings:
                progress(f"{name}, where {setting}")
                here = setting.of(game, loader)
                other = change.of(here, loader) if here is not None else None
                if other is None or here is None or other.digest == here.digest:
                    continue
                if _same(here, other, ruling, Budget(ELSEWHERE, memory)) is None:
                    break
        else:
            if same is not None:
                yield Finding(part, *same)


def _same(game: Game, other: Game | None, ruling: str, budget: Budget) -> tuple[bool, str] | None:
    """None if two games differ; else True if they were proved to be the same, with the reason in words."""
    if other is None:
        return None
    if game.digest == other.digest:
        return True, "With it all rules mean the same."
    lockstep = _lockstep(game, other)
    if lockstep is None:
        return None
    random, number = budget.part(RANDOM), 0
    while not random.exceeded_limit:
        if lockstep.wander(f"deep {number}", MOST_PLIES, lambda: random.exceeded_limit):
            return None
        number += 1
    if any(lockstep.differs(pair) for pair in _of_examples(game, other, ruling)):
        return None
    if lockstep.explore(lambda: budget.exceeded_limit, MOST_POSITIONS):
        return None
    if lockstep.closed:
        seen = sum(lockstep.counts)
        return True, f"In all {seen} positions that can be reached everything is as without it."
    return False, f"It made no difference in {lockstep.compared} positions of plays and of examples."


def _lockstep(first: Game, second: Game) -> Lockstep | None:
    """A game under two readings, in lockstep; None if their positions and views have different types."""
    if [*first.state] != [*second.state] or [*first.actions] != [*second.actions]:
        return None
    try:
        correspondence = Correspondence(first, second)
    except Incomparable:
        return None
    return None if correspondence.sights is None else Lockstep(correspondence)


def _of_examples(first: Game, second: Game, ruling: str) -> Iterator[tuple[Position, Position]]:
    """The positions of the examples under a ruling, under both readings."""
    for example in (example for rule in first.rules if rule.id == ruling for example in rule.examples):
        plays = example.data.get("play") or []
        with suppress(ValueError, IllegalAction):
            one, other = (begin(Played(game), {"given": {}, **example.data}) for game in (first, second))
            yield one.position, other.position
            for text in plays if isinstance(plays, list | tuple) else [plays]:
                one, other = one.play(str(text)), other.play(str(text))
                yield one.position, other.position
