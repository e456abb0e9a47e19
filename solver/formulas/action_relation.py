"""The relation of an action by itself, before reactions, ends and the next turn, case by case."""

from __future__ import annotations

from collections.abc import Iterator

from rulespec.core.game import Action

from .aig import FALSE
from .context import Env
from .effects import State
from .transition_relation import TransitionBuilder, lifted


def action_successors(
    builder: TransitionBuilder, action: Action, state: State
) -> Iterator[tuple[int, State]]:
    """For each way to take an action the condition under which it is legal, and the state it leads to."""
    cut = builder.split(action)
    free, at = builder.free_choices(action, cut), builder.moment(state)
    for settled in builder.combinations(cut):
        env: Env = {**free, **{var: lifted(var, value) for var, value in settled.items()}}
        legal = builder.legal(action, env, at)
        if legal != FALSE:
            yield legal, builder.run(action.effect, env, state, legal)
