"""The relation of an action by itself, before reactions, ends and the next turn, case by case."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.core.game import Action

from .aig import FALSE
from .context import Env
from .effects import State
from .transition_relation import TransitionBuilder, lifted


def action_successors(
    stepper: TransitionBuilder, action: Action, state: State
) -> Iterator[tuple[int, State]]:
    """For each way to take an action the condition under which it is legal, and the state it leads to."""
    cut = stepper.split(action)
    free, at = stepper.free_choices(action, cut), stepper.moment(state)
    for settled in stepper.combinations(cut):
        env: Env = {**free, **{var: lifted(var, value) for var, value in settled.items()}}
        legal = stepper.legal(action, env, at)
        if legal != FALSE:
            yield legal, stepper.run(action.effect, env, state, legal)
