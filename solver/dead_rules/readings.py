"""Redundant readings: a game under two readings is explored in lockstep (`solver.pairs.lockstep`).

As long as nothing has differed, a position of one game is one of the other, to which the same plays lead. So
where every position has been compared, the two are the same game.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.play.errors import IllegalAction, PositionError
from rulespec.play.face import Game as Played
from rulespec.play.face import State
from solver.evidence.problem import Loader, Progress, silent
from solver.pairs import Correspondence, Incomparable
from solver.pairs.lockstep import Lockstep

from .deciding import ELSEWHERE, Finding, Setting, elsewhere, readings, together
from .parts import Part

READING = "reading"
RANDOM = 0.4
"""The share of the time for a reading that is spent on random plays."""
MOST_POSITIONS = 50_000
"""The limit of positions for a comparison of all that can be reached."""
MOST_PLIES = 300
"""The limit of plies of a random play."""


class Differs(Exception):
    """The two games are not the same."""


def redundant_readings(
    game: Game,
    loader: Loader,
    *,
    players: Sequence[int] = (),
    timeout: float = 10.0,
    memory: int = 4_000,
    progress: Progress = silent,
) -> Iterator[Finding]:
    """The readings of rulings that change nothing, here, with other numbers of `players` and under other
    readings, as far as can be shown in `timeout` seconds for each.
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
    """None if two games differ; else True if they were shown to be the same, with the reason in words."""
    if other is None:
        return None
    if game.digest == other.digest:
        return True, "With it all rules mean the same."
    try:
        pair = _Comparison(game, other)
        pair.at_random(budget.part(RANDOM))
        pair.at_examples(ruling)
        compared = pair.everywhere(budget)
    except Differs:
        return None
    if compared is not None:
        return True, f"In all {compared} positions that can be reached everything is as without it."
    return False, f"It made no difference in {pair.compared} positions of plays and of examples."


class _Comparison:
    """A game under two readings, in lockstep. Every comparison raises Differs where they are not the same."""

    def __init__(self, first: Game, second: Game) -> None:
        if [*first.state] != [*second.state] or [*first.actions] != [*second.actions]:
            raise Differs
        try:
            correspondence = Correspondence(first, second)
        except Incomparable:
            raise Differs from None
        if correspondence.sights is None:
            raise Differs
        self._games = Played(first), Played(second)
        self._lockstep = Lockstep(correspondence)

    @property
    def compared(self) -> int:
        """The number of comparisons of two positions."""
        return self._lockstep.compared

    def at_random(self, budget: Budget) -> None:
        """Compare the positions of random plays."""
        number = 0
        while not budget.exhausted:
            if self._lockstep.wander(f"deep {number}", MOST_PLIES, lambda: budget.exhausted):
                raise Differs
            number += 1

    def at_examples(self, ruling: str) -> None:
        """Compare the positions of the examples that stand under a ruling."""
        for rule in self._games[0].core.rules:
            for example in rule.examples if rule.id == ruling else ():
                with suppress(PositionError, IllegalAction):
                    states = [game.position(example.data.get("given") or {}, seed=0) for game in self._games]
                    self._compare(states)
                    for text in _listed(example.data.get("play")):
                        states = [state.play(text) for state in states]
                        self._compare(states)

    def _compare(self, states: Sequence[State]) -> None:
        if self._lockstep.differs((states[0].position, states[1].position)):
            raise Differs

    def everywhere(self, budget: Budget) -> int | None:
        """Compare every position that can be reached; how many there are. None where there are too many."""
        if self._lockstep.explore(lambda: budget.exhausted, MOST_POSITIONS):
            raise Differs
        return sum(self._lockstep.counts) if self._lockstep.closed else None


def _listed(data: Any) -> list[str]:
    return [str(item) for item in (data if isinstance(data, list | tuple) else [data] if data else [])]
