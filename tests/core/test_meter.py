"""All work is counted in steps before it is done."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import ExitStack, suppress
from dataclasses import replace
from typing import Any
from unittest import mock

import pytest
from building import const, domain, local
from hypothesis import given, settings
from hypothesis import strategies as st
from operator_cases import DIGIT, DIGITS, X, members, truth
from strategies import expressions
from strategies_of_effects import effects
from world import WORLD, environments, states

from rulespec.core import evaluate as evaluating
from rulespec.core import nodes as n
from rulespec.core.context import Context, Env
from rulespec.core.diagnostics import Source, Span
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Action, Choice
from rulespec.core.meter import Meter, StepLimitExceeded
from rulespec.core.types import BOOL, Set, Value, integers
from rulespec.play import effects as performing
from rulespec.play.chance import Chance
from rulespec.play.effects import FaultFound, Run
from rulespec.play.machine import Machine

PLENTY = 10**12
PERFORMING = ("_assign", "_block", "_when", "_for_each", "_bind", "_draw", "_shuffle")
"""The functions of `performing` for the kinds of effects."""


Handlers = dict[Any, Callable[..., Any]]


def noting(handlers: Handlers, done: list[type]) -> Handlers:
    """Handlers that record their calls in `done`."""

    def noted(kind: type) -> Callable[..., Any]:
        def handler(*args: Any) -> Any:
            done.append(kind)
            return handlers[kind](*args)

        return handler

    handlers = dict(handlers)
    return {kind: noted(kind) for kind in handlers}


def counted(work: Callable[[Machine], None]) -> tuple[int, int]:
    """The number of operators that some work evaluates and performs, and the steps counted for it."""
    meter = Meter(PLENTY)
    for function in WORLD.functions.values():
        function.table.clear()
    done: list[type] = []
    with ExitStack() as patches:
        for kind, handler in noting(evaluating.HANDLERS, done).items():
            patches.enter_context(mock.patch.object(kind, "evaluate", handler))
        for name in PERFORMING:
            noted = noting({n.Effect: getattr(performing, name)}, done)[n.Effect]
            patches.enter_context(mock.patch.object(performing, name, noted))
        work(Machine(WORLD, meter))
    return len(done), meter.most - meter.left


@pytest.mark.parametrize("kind", n.EXPRESSIONS, ids=lambda kind: kind.__name__)
@settings(max_examples=15, deadline=None)
@given(data=st.data(), state=states(), env=environments())
def test_no_operator_is_evaluated_that_was_not_counted(
    kind: type[n.Expr], data: st.DataObject, state: dict[n.StateVar, Value], env: Env
) -> None:
    e = data.draw(expressions(kind, depth=3))

    def work(machine: Machine) -> None:
        situation = machine.situation_of(dict(state))
        situation.spend_on(1, e)
        evaluate(e, env, situation)

    done, steps = counted(work)
    assert done <= steps


@pytest.mark.parametrize("kind", n.EFFECTS, ids=lambda kind: kind.__name__)
@settings(max_examples=15, deadline=None)
@given(data=st.data(), state=states(), env=environments())
def test_no_effect_is_performed_that_was_not_counted(
    kind: type[n.Effect], data: st.DataObject, state: dict[n.StateVar, Value], env: Env
) -> None:
    effect = data.draw(effects(kind, depth=3))

    def work(machine: Machine) -> None:
        run = Run(machine.situation_of(dict(state)), Chance("1"), 0, lambda effect: None)
        run.situation.spend_on(1, effect)
        with suppress(FaultFound):
            run.perform(effect, env)

    done, steps = counted(work)
    assert done <= steps


MANY = integers(0, 99)


def test_every_step_of_a_closure_is_counted() -> None:
    x, via = n.Var("x", MANY), n.Var("via", MANY)
    follows = n.Equal(BOOL, local(x), n.Add(integers(0, 100), local(via), const(MANY, 1)))
    start = n.SetOf(Set(MANY), (const(MANY, 0),))
    reached = n.Reach(Set(MANY), x, n.Domain(Set(MANY), MANY), start, via, follows)
    done, steps = counted(lambda machine: evaluate(reached, {}, machine.situation_of({})))
    assert 20_000 < done <= steps


def test_candidates_are_counted_for_each_earlier_choice() -> None:
    x, y = n.Var("x", MANY), n.Var("y", MANY)
    source = n.SetOf(Set(MANY), (local(x),) * 50)
    action = Action("go", "", (Choice(x, domain(MANY)), Choice(y, source)), ("go",), (), n.NOTHING_DONE)
    core = replace(WORLD, actions={"go": action})

    def work(machine: Machine) -> None:
        listed = Machine(core, machine.meter).listing("go", machine.situation_of({}))
        assert len([*listed.all()]) == 100

    done, steps = counted(work)
    assert 5_000 < done <= steps


Y = n.Var("y", DIGIT)
TWICE = n.All(BOOL, X, n.Domain(DIGITS, DIGIT), n.All(BOOL, Y, members(1, 2), truth(True)))


def test_a_body_is_counted_for_each_element_before_the_first() -> None:
    """The outer loop spends ten times the inner one without its body; that spends two bodies each time."""
    enough = 10 * (2 + 1) + 10 * 2 * (1 + 1)
    assert evaluate(TWICE, {}, Context(meter=Meter(enough))) is True
    with pytest.raises(StepLimitExceeded):
        evaluate(TWICE, {}, Context(meter=Meter(enough - 1)))
    first = Meter(10 * (2 + 1) - 1)
    with pytest.raises(StepLimitExceeded):
        evaluate(n.Any(BOOL, X, TWICE.source, TWICE.body), {}, Context(meter=first))
    assert first.left == -1


def test_without_a_meter_nothing_is_counted() -> None:
    assert evaluate(TWICE, {}, Context()) is True


HERE = Span(Source("a.yaml", "x"), 1, 1, 1, 2)


def test_the_part_with_most_steps_is_named() -> None:
    meter = Meter(100)
    meter.spend(5)
    with meter.part("one", HERE):
        meter.spend(20)
        with meter.part("two", None):
            meter.spend(30)
            assert meter.place is None
        assert meter.place == HERE
        meter.spend(20)
    with pytest.raises(StepLimitExceeded), meter.part("two", None):
        meter.spend(30)
    assert meter.costliest == ("two", None, 60)


def test_steps_of_a_part_are_those_of_all_its_turns() -> None:
    meter = Meter(100)
    for _ in range(3):
        with meter.part("one", HERE):
            meter.spend(10)
    with meter.part("two", None):
        meter.spend(25)
    assert meter.costliest == ("one", HERE, 30)
