"""Stages of a game, in which both sides choose at once: the games that they solve, and the solution."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rulespec.core import nodes as n
from rulespec.core.game import Game, Sight, Stage
from rulespec.core.traversal import nodes_with_definitions
from rulespec.play.plays import write_down

from .graph import Graph
from .markov_decision_process import expectation_at_start
from .sequence_form import NoGameValue
from .stage_values import Mix, Solution, StageValues
from .states import BuiltinQuestion, States, worth_of

MIXED = "best play has a mean and no one result: ask what is `expected`"
"""The reason why the value of best play is no result where choices are made at once."""
MOST_WORDS = 12
"""The most stages whose mixes are written in words."""
OPEN = "{} is going on"
"""The name of the question whether a stage is going on."""

Mixes = Mapping[int, Solution]
"""For each stage, by the number of the state in which it begins, a mix of each side."""


def stage_questions(game: Game) -> dict[str, n.Expr]:
    """The questions whether a stage is going on, which states must answer to be solved by stages."""
    return {OPEN.format(stage.action): stage.is_open for stage in game.stages}


@lru_cache(maxsize=8)
def is_open_between_stages(game: Game) -> bool:
    """True if players see everything except the choices of a stage that is not complete.

    That is so if only choices of stages are hidden, all see them after the stage, and until then nothing
    reads them but the effect of the choosing action.
    """
    chosen = {var for stage in game.stages for var in stage.chosen}
    if not chosen or {var for var in game.state.values() if var.hidden} - chosen:
        return False
    if not all(stage.shown for stage in game.stages):
        return False
    own = {game.actions[stage.action].effect for stage in game.stages if stage.action in game.actions}
    judged = {e for e in (game.outcome.score, game.outcome.winners) if e is not None}
    judged |= {e for _, e in game.outcome.ties}
    others = [root for root in game.roots if root not in own and root not in judged]
    if any(_reads(root, chosen) for root in others):
        return False
    return all(_is_fair(sight, game.stages) for sight in game.sights)


def _reads(node: n.Expr | n.Effect, chosen: set[n.StateVar]) -> bool:
    return any(isinstance(e, n.Get) and e.var in chosen for e in nodes_with_definitions(node))


def _is_fair(sight: Sight, stages: tuple[Stage, ...]) -> bool:
    """True if a sight shows only the viewer's own choices during a stage, others after it."""
    parts = [sight.value, *(source for _, source in sight.binders)]
    for stage in stages:
        if not any(_reads(part, {*stage.chosen}) for part in parts):
            continue
        value = sight.value
        if (
            not isinstance(value, n.Read)
            or not isinstance(value.map, n.Get)
            or _reads(value.key, {*stage.chosen})
        ):
            return False
        if not sight.binders:
            if not isinstance(value.key, n.Local) or value.key.var != sight.viewer:
                return False
        elif not all(_is_given_after(source, stage) for _, source in sight.binders):
            return False
    return True


def _is_given_after(source: n.Expr, stage: Stage) -> bool:
    """True if a source is empty while some players have chosen in a stage and others not."""
    condition = source.body if isinstance(source, n.Select) else source
    if not isinstance(condition, n.Equal) or not isinstance(condition.a, n.Size):
        return False
    of, size = condition.a.item, condition.b
    return isinstance(of, n.Get) and of.var is stage.done and isinstance(size, n.Const) and size.value == 0


@dataclass(frozen=True)
class StageSolution:
    """The mean of best play before the setup; the mixes that show it, as evidence has them."""

    mean: Fraction
    stages: list[list[str]]
    choices: list[str]
    """Some of the mixes, in words."""

    @property
    def data(self) -> dict[str, Any]:
        """The data of evidence."""
        return {"is": str(self.mean), "stages": self.stages, "choices": self.choices}


def read_mixes(listed: Any) -> Mixes:
    """The mixes in the `stages` of a stored solution; empty if these are damaged."""
    try:
        return {int(i): Solution(Fraction(value), (_mix(a), _mix(b))) for i, value, a, b in listed}
    except (TypeError, ValueError, ZeroDivisionError):
        return {}


def _mix(text: str) -> Mix:
    return tuple(map(Fraction, text.split()))


def solve_stages(
    states: States,
    name: str | None,
    most: bool,
    summed: bool,
    given: Mixes | None = None,
    pause: Callable[[], None] = lambda: None,
) -> StageSolution:
    """The solution of a game that is open between stages, by a matrix game for each; see `expected_value`.

    `states` has all states, each stored, with answers to `stage_questions`. Given mixes are tested against
    every reply, and no others are sought. Raises NoGameValue, NonTerminating.
    """
    game, graph = states.game, Graph(states)
    graph.check_payoffs(name)
    worth = [worth_of(game, name, x) for x in states.scan(name or BuiltinQuestion.WINNERS)]
    side = [int(x) for x in states.scan(BuiltinQuestion.SIDE)]
    opened = [any(at) for at in zip(*map(states.scan, stage_questions(game)), strict=True)]
    values = StageValues(
        graph,
        final=lambda i: 0 if summed else worth[i],
        gain=lambda i: worth[i] if summed else 0,
        wants=lambda i: (side[i] == 1) == most,
        opened=opened,
        given=given,
        pause=pause,
    )
    if given is not None and values.solutions.keys() != given.keys():
        raise NoGameValue("it has strategies of stages that there are not")
    used = sorted(values.solutions.items())
    listed = [[str(i), str(s.value), *(" ".join(map(str, mix)) for mix in s.mixes)] for i, s in used]
    told = [*_words(states, values, used[:MOST_WORDS])]
    told += [f"and {len(used) - MOST_WORDS} more stages"] if len(used) > MOST_WORDS else []
    return StageSolution(expectation_at_start(graph, values.worth), listed, told)


def _words(states: States, values: StageValues, used: list[tuple[int, Solution]]) -> Iterator[str]:
    """For each stage the play that leads to it, and the mix of each side."""
    for i, solution in used:
        play, state = write_down(states.game, *states.play_to(i))
        told: list[str] = []
        for mix in solution.mixes if values.wants(i) else reversed(solution.mixes):
            if told:
                state = state.play(state.moves[0])
            if state.is_over or len(state.moves) != len(mix):
                break
            actions = map(state.notation, map(state.find, state.moves))
            named = (f"{action} {p}" for action, p in zip(actions, mix, strict=True) if p)
            told.append(f"player {state.values['mover']} {', '.join(named)}")
        yield f"{'after ' + ', '.join(play.plays) if play.plays else 'at the start'}: {'; '.join(told)}"
