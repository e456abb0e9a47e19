"""The code of a game and a goal, shared by all searches for that goal."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any

from rulespec.code import Instance, Runner, write
from rulespec.code.bindings import NONE
from rulespec.code.body import S
from rulespec.code.execution.kernel_names import call_question, function_returning, kernel_constants
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.types import Optional
from rulespec.machine import form as f
from rulespec.machine.builder import Builder, arithmetic, both, compare, equal, load, minus, plus, times
from rulespec.play.machine import Machine
from rulespec.play.position import Move, Position
from rulespec.play.replayed_chance import replayed_source
from rulespec.solver.analyses.goals import Goal

from .distance import distance

KEPT = 4
"""Maximum number of cached codes, by game, goal and set of actions."""
WITHOUT = 1_000_000
"""The distance of a number that is none; the weight of the condition against the number."""


@dataclass(frozen=True, eq=False)
class SearchCode:
    """The code of a game (restricted to actions that can lead to the goal) with the kernels of a search.

    `bounded` are the variables for which a search gives a greatest value. Raises TooLarge if there is no such
    code.
    """

    game: Game
    goal: Goal
    bounded: tuple[n.StateVar, ...]

    @cached_property
    def runner(self) -> Runner:
        """The runner of the game's code."""
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
        """The functions of `kernels.probing`, compiled for this game."""
        offsets, limits = self.runner.program.offsets, f.Local(f.NUMBERS, "limits")
        held = [compare("<=", load(S, offsets[v].at), load(limits, i)) for i, v in enumerate(self.bounded, 1)]
        body = Builder()
        far: f.Expr = self._distance(body)
        if self.goal.number is not None:
            x = self._number(body, plus(far, WITHOUT))
            over = minus(load(limits, 0), x) if self.goal.most else minus(x, load(limits, 0))
            far = plus(far, arithmetic("max", over, 0))
        alive = function_returning("alive", both(*held), limits)
        return self._beside("probing", function_returning("far", far, limits, body=body), alive)

    @cached_property
    def changes(self) -> Mapping[str, Any]:
        """The functions of `kernels.climbing`, compiled for this game."""
        body = Builder()
        measure: f.Expr = self._distance(body)
        if self.goal.number is not None:
            x = self._number(body, times(plus(measure, 1), WITHOUT))
            whole = times(measure, WITHOUT)
            measure = minus(whole, x) if self.goal.most else plus(whole, x)
        return self._beside("climbing", function_returning("measure", measure, body=body))

    def _distance(self, body: Builder) -> f.Local:
        """The distance from the goal."""
        x = body.local("distance")
        body.set(x, call_question(self.runner.written, "distance"))
        return x

    def _number(self, body: Builder, without: f.Expr) -> f.Local:
        """The number of the goal; the written function returns `without` where it is none."""
        x = body.local("x")
        body.set(x, call_question(self.runner.written, "number"))
        if isinstance(self.goal.number.type, Optional):  # type: ignore[union-attr]
            with body.when(equal(x, NONE)):
                body.give(without)
        return x

    def _beside(self, kernel: str, *functions: f.Function) -> Mapping[str, Any]:
        """The functions of a kernel, compiled together with the code of the game."""
        given = {**kernel_constants(self.runner.written), **{one.name: one for one in functions}}
        made: Mapping[str, Any] = self.runner.instance.beside(given, kernel)
        return made


@lru_cache(maxsize=KEPT)
def search_code(game: Game, goal: Goal, bounded: tuple[n.StateVar, ...]) -> SearchCode:
    """The code for a goal in a game; the same object while it is cached."""
    return SearchCode(game, goal, bounded)


def outcomes(game: Game, start: Position, moves: Sequence[Move], sources: Sequence[int]) -> Iterator[str]:
    """The outcomes of chance in moves from a position, given the state of its source before each."""
    if not game.has_chance_in_play:
        return
    machine, position = Machine(game), start
    for move, source in zip(moves, sources, strict=True):
        ply = machine.play(position, move, replayed_source(source))
        yield from ply.outcomes
        position = ply.position
