"""Observations of a player in formulas: of a symbolic state by its sights, and of a move."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from rulespec.core import nodes as n
from rulespec.core.game import Action, Sight
from rulespec.core.types import BOOL, Scalar, Value
from rulespec.solver.formulas.aig import FALSE, TRUE
from rulespec.solver.formulas.context import Env, Moment
from rulespec.solver.formulas.effects import State
from rulespec.solver.formulas.unrolling.transition_relation import TransitionBuilder
from rulespec.solver.formulas.values import Symbol, element

Shown = dict[tuple[Value, ...], tuple[int, Symbol]]
"""For the values of a sight's binders: the literal for an entry, and its value."""


UNSEEN: tuple[int, Symbol] = (FALSE, None)
"""The entry for binder values for which a sight shows nothing."""


def symbolic_observation(builder: TransitionBuilder, sight: Sight, viewer: Value, state: State) -> Shown:
    """The observation of a state by a sight, without entries that are certainly not shown."""
    env: Env = {sight.viewer: element(builder.game.player, viewer)}
    return dict(_values_shown(builder, sight, state, env, (), TRUE))


def _values_shown(
    builder: TransitionBuilder, sight: Sight, state: State, env: Env, keys: tuple[Value, ...], guard: int
) -> Iterator[tuple[tuple[Value, ...], tuple[int, Symbol]]]:
    """Yield the keys of each entry that a sight shows, with the condition and the value."""
    at = builder.moment(state)
    if len(keys) == len(sight.binders):
        yield keys, (guard, builder.evaluate(sight.value, env, at))
        return
    var, source = sight.binders[len(keys)]
    of = cast(Scalar, var.type)
    for value in of.values:
        member = builder.evaluate(n.Member(BOOL, n.Const(of, value), source), env, at)
        here = builder.gates.both(guard, member)
        if here != FALSE:
            inner = {**env, var: element(of, value)}
            yield from _values_shown(builder, sight, state, inner, (*keys, value), here)


def observing(
    builder: TransitionBuilder, action: Action, viewer: Value, env: Env, at: Moment, own: int
) -> dict[n.Var | None, int]:
    """The literals that a player observes an action (key None), and each of its choices.

    `env` holds the choices, `at` is the state before; `own` is the literal that the player takes the action.
    """
    gates, player = builder.gates, builder.game.player
    shown: dict[n.Var | None, int] = dict.fromkeys((None, *(c.var for c in action.choices)), TRUE)
    for secret in action.secrets:
        shown[secret.choice] = FALSE
        if secret.shown is not None:
            among = n.Member(BOOL, n.Const(player, viewer), secret.shown)
            shown[secret.choice] = builder.evaluate(among, env, at)
    return {part: gates.either(own, gates.both(shown[None], literal)) for part, literal in shown.items()}
