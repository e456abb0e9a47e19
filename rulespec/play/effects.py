"""The meaning of effects: how an action, a reaction, a beginning turn or the setup changes the state.

Effects change a `Run`, the working state of one ply; a value that does not fit its place raises `FaultFound`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import assert_never

from ..core import nodes as n
from ..core.context import Asker, Context, Env
from ..core.diagnostics import Span
from ..core.evaluate import elements, evaluate
from ..core.meter import Meter
from ..core.notation import write
from ..core.plain_data import show
from ..core.types import List, Map, Scalar, Type, Value, holds
from .chance import Chance
from .position import Fault

SHUFFLED = 10
"""The steps of shuffling one element and writing it in notation."""


class Situation(Context):
    """A state that may still change, with values memoised until it does."""

    __slots__ = ("_other", "answers", "values")

    def __init__(
        self,
        values: dict[n.StateVar, Value],
        can: Asker,
        meter: Meter | None = None,
        other: Callable[[dict[n.StateVar, Value]], Situation] | None = None,
    ) -> None:
        """The situation of a state; `other` creates that of another state of the same game."""
        super().__init__(values, can, meter)
        self.values = values
        self.answers: dict[tuple[str, tuple[Value, ...]], bool] = {}
        self._other = other

    def set(self, var: n.StateVar, value: Value) -> None:
        """Change a variable; everything memoised for the old state is dropped."""
        self.values[var] = value
        self.memo.clear()
        self.answers.clear()

    def after(self, effect: n.Effect, env: Env) -> Context:
        """The situation after an effect; see `nodes.After`."""
        if self._other is None:
            return super().after(effect, env)
        self.spend(len(self.values))
        self.spend_on(1, effect)
        there = self._other(dict(self.values))
        _Trial(there).perform(effect, env)
        return there


class FaultFound(Exception):
    """Ends the ply in which it is raised."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(str(fault))
        self.fault = fault


class Run:
    """The working state of one ply: values, and the chance outcomes drawn so far.

    `draws` counts those of the whole play, `outcomes` are those of this ply in notation.
    """

    def __init__(
        self, situation: Situation, chance: Chance, draws: int, spans: Callable[[n.Effect], Span | None]
    ) -> None:
        self.situation = situation
        self.chance = chance
        self.draws = draws
        self.outcomes: list[str] = []
        self._span = spans

    def perform(self, effect: n.Effect, env: Env) -> None:
        """Perform an effect; `env` holds its free locals and is not changed."""
        match effect:
            case n.Assign():
                _assign(effect, env, self)
            case n.Block():
                _block(effect, env, self)
            case n.When():
                _when(effect, env, self)
            case n.ForEach():
                _for_each(effect, env, self)
            case n.Bind():
                _bind(effect, env, self)
            case n.Draw():
                _draw(effect, env, self)
            case n.Shuffle():
                _shuffle(effect, env, self)
            case _:
                assert_never(effect)

    def store(
        self, target: n.StateVar, value: Value, path: Sequence[Value] = (), source: n.Effect | None = None
    ) -> None:
        """Store a value in a variable, or at a path inside it; see `nodes.Assign`. Raises FaultFound."""
        whole = self.situation.values[target]
        if self.situation.meter is not None:
            self.situation.meter.spend(size(whole) + size(value))
        try:
            changed = _replace_at(target.type, whole, path, value)
        except _Misfit as misfit:
            place = target.name + _place(target.type, path)
            span = self._span(source) if source is not None else None
            raise FaultFound(Fault(place, show(misfit.type, value), str(misfit.type), span)) from None
        if changed is not whole:
            self.situation.set(target, changed)

    def note_chance(self, t: Type, value: Value) -> None:
        """Record an outcome of chance."""
        self.draws += 1
        self.outcomes.append(write(t, value))


class _Trial(Run):
    """Performs an effect under an `After`: a value that does not fit its place is not stored."""

    def __init__(self, situation: Situation) -> None:
        super().__init__(situation, Chance(), 0, lambda effect: None)

    def store(
        self, target: n.StateVar, value: Value, path: Sequence[Value] = (), source: n.Effect | None = None
    ) -> None:
        """Store a value if it fits its place."""
        with suppress(FaultFound):
            super().store(target, value, path, source)


def size(value: Value) -> int:
    """The number of elements to copy when a value, or one inside it, is stored."""
    if not isinstance(value, tuple | frozenset):
        return 1
    inner = next(iter(value), None)
    return sum(map(size, value)) if isinstance(inner, tuple | frozenset) else 1 + len(value)


class _Misfit(Exception):
    def __init__(self, t: Type) -> None:
        self.type = t


def _replace_at(t: Type, whole: Value, path: Sequence[Value], value: Value) -> Value:
    """Replace the value at a path within another; unchanged if the path leads nowhere."""
    if not path:
        if not holds(t, value):
            raise _Misfit(t)
        return value
    position, inner = _position(t, whole, path[0])
    if position is None:
        return whole
    changed = _replace_at(inner, whole[position], path[1:], value)
    return whole if changed is whole[position] else (*whole[:position], changed, *whole[position + 1 :])


def _position(t: Type, whole: Value, key: Value) -> tuple[int | None, Type]:
    """The index of a key in a map's or list's tuple, and the type there; None if there is none."""
    if isinstance(t, Map):
        return (None if key is None else t.keys.index.get(key)), t.of
    assert isinstance(t, List) and t.of is not None, f"no path into a {t}"
    return (key - 1 if key is not None and 1 <= key <= len(whole) else None), t.of


def _place(t: Type, path: Sequence[Value]) -> str:
    """A path in notation, a bracket for each key."""
    text = ""
    for key in path:
        text += f"[{show(t.keys, key) if isinstance(t, Map) else key}]"
        t = t.of if isinstance(t, Map) else t
    return text


def _assign(e: n.Assign, env: Env, run: Run) -> None:
    """Perform an assignment, and record whether it changed something."""
    ctx = run.situation
    path, before = tuple(evaluate(key, env, ctx) for key in e.path), ctx.values[e.target]
    run.store(e.target, evaluate(e.value, env, ctx), path, e)
    if ctx.seen is not None and (e, "store") not in ctx.seen:
        ctx.seen.add((e, "store" if ctx.values[e.target] != before else "idle store"))


def _block(e: n.Block, env: Env, run: Run) -> None:
    for item in e.items:
        run.perform(item, env)


def _when(e: n.When, env: Env, run: Run) -> None:
    held = bool(evaluate(e.cond, env, run.situation))
    if run.situation.seen is not None:
        run.situation.seen.add((e, held))
    run.perform(e.then if held else e.otherwise, env)


def _for_each(e: n.ForEach, env: Env, run: Run) -> None:
    for value in tuple(elements(e.source, env, run.situation, e.body)):
        if run.situation.seen is not None:
            run.situation.seen.add((e, True))
        run.perform(e.body, {**env, e.var: value})


def _bind(e: n.Bind, env: Env, run: Run) -> None:
    run.perform(e.body, {**env, e.var: evaluate(e.value, env, run.situation)})


def _draw(e: n.Draw, env: Env, run: Run) -> None:
    """Draw a value and perform the body with it; nothing without a value of positive weight."""
    values = list(elements(e.source, env, run.situation, e.weight))
    weights = None if e.weight is None else [_weight(e.weight, {**env, e.var: v}, run) for v in values]
    if not values or (weights is not None and not sum(weights)):
        return
    assert isinstance(e.var.type, Scalar)
    value = run.chance.pick(run.draws, e.var.type, values, weights)
    run.note_chance(e.var.type, value)
    if run.situation.seen is not None:
        run.situation.seen.add((e, True))
    run.perform(e.body, {**env, e.var: value})


def _weight(weight: n.Expr, env: Env, run: Run) -> int:
    """The weight of a value in a draw. Raises FaultFound if it is negative."""
    found: int | None = evaluate(weight, env, run.situation)
    if found is not None and found < 0:
        raise FaultFound(Fault("weight", str(found), "numbers from 0"))
    return found or 0


def _shuffle(e: n.Shuffle, env: Env, run: Run) -> None:
    """Shuffle the values and perform the body with the resulting list."""
    assert isinstance(e.var.type, List)
    values = list(elements(e.source, env, run.situation))
    run.situation.spend(SHUFFLED * len(values))
    value = run.chance.order(run.draws, e.var.type, values)
    run.note_chance(e.var.type, value)
    run.perform(e.body, {**env, e.var: value})
