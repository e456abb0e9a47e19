"""The code of a game and a goal, shared by all searches for that goal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from rulespec.code import Instance, Runner, write
from rulespec.code.declared import declared
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.types import Optional
from rulespec.play.machine import Machine
from rulespec.play.position import Move, Position
from rulespec.play.replayed_chance import replayed_source
from solver.analyses.goals import Goal

from .distance import distance

KEPT = 4
"""For so many games, goals and sets of actions the code is kept."""
WITHOUT = 1_000_000
"""The distance of a number that is none; the weight of the condition against the number."""


@dataclass(frozen=True, eq=False)
class SearchCode:
    """The code of a game (narrowed, where actions lead away) beside which a hunt for a goal stands.

    `bounded` are the variables of which a hunt gives a greatest value. TooLarge if there is no such code.
    """

    game: Game
    goal: Goal
    bounded: tuple[n.StateVar, ...]

    @cached_property
    def runner(self) -> Runner:
        """The code of the game."""
        asked = {"distance": distance(self.goal.condition)}
        if self.goal.number is not None:
            asked["number"] = self.goal.number
        return Runner(write(self.game, asked))

    @property
    def instance(self) -> Instance:
        """The memory of the arrays of a search."""
        return self.runner.instance

    @cached_property
    def names(self) -> Mapping[str, Any]:
        """The functions of `kernels.probing` for this game."""
        asked = self.runner.written.asked
        offsets = self.runner.program.offsets
        held = [f"s[{offsets[var][1]}] <= limits[{i}]" for i, var in enumerate(self.bounded, 1)]
        far = [f"    distance = {asked['distance'][0]}(s, b)", *self._beyond(), "    return distance"]
        lines = ["@part", "def far(s, b, limits):", *far, "", "", "@part", "def alive(s, b, limits):"]
        return self._beside("probing", [*lines, f"    return {' and '.join(held) or 'True'}"])

    @cached_property
    def changes(self) -> Mapping[str, Any]:
        """The functions of `kernels.climbing` for this game and the best of the goal's number."""
        asked = self.runner.written.asked
        lines = ["@part", "def measure(s, b):", f"    distance = {asked['distance'][0]}(s, b)"]
        if self.goal.number is not None:
            lines += [f"    x = {asked['number'][0]}(s, b)"]
            if isinstance(self.goal.number.type, Optional):
                lines += ["    if x == NONE:", f"        return (distance + 1) * {WITHOUT}"]
            lines += [f"    return distance * {WITHOUT} {'-' if self.goal.most else '+'} x"]
        else:
            lines += ["    return distance"]
        return self._beside("climbing", lines)

    def _beside(self, kernel: str, lines: Sequence[str]) -> Mapping[str, Any]:
        """The functions of a kernel, beside the code of the game and the lines that it needs."""
        written = self.runner.written
        text = "\n".join([declared(written), "", *lines, ""])
        made: Mapping[str, Any] = self.runner.instance.beside(text, kernel)
        return made

    def _beyond(self) -> list[str]:
        """By how much the number misses its bound."""
        number = self.goal.number
        if number is None:
            return []
        over = "limits[0] - x" if self.goal.most else "x - limits[0]"
        lines = [f"    x = {self.runner.written.asked['number'][0]}(s, b)"]
        if isinstance(number.type, Optional):
            lines += ["    if x == NONE:", f"        return distance + {WITHOUT}"]
        return [*lines, f"    x = {over}", "    if x > 0:", "        return distance + x"]


_kept: list[tuple[Game, SearchCode]] = []


def search_code(game: Game, goal: Goal, narrow: Game, bounded: tuple[n.StateVar, ...]) -> SearchCode:
    """The ground for a goal in a game that is played as `narrow`; the same one where it is still kept."""
    for kept, item in _kept:
        if kept is game and item.goal == goal and item.bounded == bounded and item.game is narrow:
            return item
    made = SearchCode(narrow, goal, bounded)
    _kept.insert(0, (game, made))
    del _kept[KEPT:]
    return made


def outcomes(game: Game, start: Position, moves: Sequence[Move], sources: Sequence[int]) -> Iterator[str]:
    """The outcomes of chance in moves from a position, given the state of its source before each."""
    if not game.has_chance_in_play:
        return
    machine, position = Machine(game), start
    for move, source in zip(moves, sources, strict=True):
        ply = machine.play(position, move, replayed_source(source))
        yield from ply.outcomes
        position = ply.position
