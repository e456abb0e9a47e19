"""Redundant readings: a game under two readings is compared like any two games, and in the examples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress

from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.noticing.parts import Part
from rulespec.noticing.settings import Setting, elsewhere, readings
from rulespec.play.errors import IllegalAction
from rulespec.play.examples import begin
from rulespec.play.face import Game as Played
from rulespec.play.position import Position
from rulespec.solver.claims.compare import compare
from rulespec.solver.claims.loading import Loader
from rulespec.solver.evidence.problem import Progress, silent
from rulespec.solver.pairs import Correspondence, Incomparable
from rulespec.solver.pairs.lockstep import Lockstep

from .deciding import ELSEWHERE, Finding

READING = "reading"


def redundant_readings(
    game: Game,
    loader: Loader,
    *,
    players: Sequence[int] = (),
    timeout: float = 10.0,
    memory: int = 4_000,
    progress: Progress = silent,
) -> Iterator[Finding]:
    """The readings that provably change nothing, with `timeout` seconds for each.

    They are compared under the game's own setting, with other numbers of `players`, and under other readings.
    """
    numbers = [number for number in players if number != game.players]
    both = [Setting(number, {ruling: of}) for number in numbers for ruling, of in readings(game)]
    for ruling, reading in readings(game):
        name, change = f"{ruling} is {reading}", Setting(readings={ruling: reading})
        progress(name)
        rule = next((rule for rule in game.rules if rule.id == ruling), None)
        part = Part(READING, name, ruling, rule.span if rule else None)
        same = _same(game, change.of(game, loader), ruling, timeout, memory)
        for setting in (*elsewhere(game, players), *both) if same is not None else ():
            if ruling not in setting.readings:
                progress(f"{name}, where {setting}")
                here = setting.of(game, loader)
                other = change.of(here, loader) if here is not None else None
                if other is None or here is None or other.digest == here.digest:
                    continue
                if _same(here, other, ruling, ELSEWHERE, memory) is None:
                    break
        else:
            if same is not None:
                yield Finding(part, *same)


def _same(
    game: Game, other: Game | None, ruling: str, seconds: float, memory: int
) -> tuple[bool, str] | None:
    """None if two games differ; else True if they provably do not, and the reason in words."""
    if other is None:
        return None
    if game.digest == other.digest:
        return True, "With it all rules mean the same."
    lockstep = _lockstep(game, other)
    if lockstep is None or any(lockstep.differs(pair) for pair in _of_examples(game, other, ruling)):
        return None
    verdict, _ = compare(game, other, "the one without it", timeout=seconds, memory=memory)
    return None if verdict.outcome == REFUTED else (verdict.outcome == PROVED, verdict.statement)


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
    """The positions in the examples of a ruling, under both readings."""
    for example in (example for rule in first.rules if rule.id == ruling for example in rule.examples):
        plays = example.data.get("play") or []
        with suppress(ValueError, IllegalAction):
            one, other = (begin(Played(game), {"given": {}, **example.data}) for game in (first, second))
            yield one.position, other.position
            for text in plays if isinstance(plays, list | tuple) else [plays]:
                one, other = one.play(str(text)), other.play(str(text))
                yield one.position, other.position
