"""Conditions after an action: the effect runs from the same symbolic state, and no variable is new."""

from __future__ import annotations

from rulespec.core import nodes as n

from ..aig import FALSE, TRUE
from ..context import Env, Evaluator, Handler, Moment
from ..effects import Trial
from ..values import Symbol
from .repetition import fit_arguments


def _after(m: Evaluator, e: n.After, env: Env, at: Moment) -> Symbol:
    given, fits = fit_arguments(m, e.params, [m(a, env, at) for a in e.args])
    if fits == FALSE:
        return FALSE
    there = Trial(m, None, at.can)(e.effect, given, at.state, TRUE)
    return m.gates.both(fits, m(e.body, env, Moment(there, at.can)))


HANDLERS: dict[type[n.Expr], Handler] = {n.After: _after}
