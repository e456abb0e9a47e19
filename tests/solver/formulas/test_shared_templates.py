"""Questions share the template of a ply if it is the same, and only then."""

from __future__ import annotations

from typing import Any

import pytest

from rulespec.language import load
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.formulas.unrolling.transition_template import shared_template
from rulespec.solver.formulas.values import lift

GAME = load("tic-tac-toe")
ACTIONS = list(GAME.actions.values())
MARK = GAME.state["mark"]
EMPTY, FULL = (lift(MARK.type, (value,) * 9) for value in (None, 1))
WANTED = frozenset(GAME.state.values()) - {MARK}


def arguments() -> dict[str, Any]:
    """The arguments of a template, made anew."""
    return {
        "facts": Dependencies(GAME),
        "actions": [*ACTIONS],
        "wanted": frozenset(WANTED),
        "fixed": {MARK: {**EMPTY}},
        "most": {},
        "legal": [*ACTIONS],
        "loose": False,
    }


def test_equal_arguments_have_one_template() -> None:
    assert shared_template(**arguments()) is shared_template(**arguments())


@pytest.mark.parametrize(
    "changed",
    [
        {"actions": []},
        {"wanted": WANTED | {MARK}},
        {"fixed": {MARK: FULL}},
        {"fixed": {}, "wanted": WANTED | {MARK}},
        {"most": {GAME.mover: 1}},
        {"legal": []},
        {"loose": True},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_other_arguments_have_another_template(changed: dict[str, Any]) -> None:
    made = shared_template(**arguments())
    assert shared_template(**{**arguments(), **changed}) is not made
