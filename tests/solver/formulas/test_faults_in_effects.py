"""Effects fault by formulas where the interpreter faults: past the ends of lists, before chance."""

from __future__ import annotations

import random

import pytest
from building import assign, block, domain, local, number
from deciding import branches_of_the_formulas, branches_of_the_interpreter
from world import PIP, STATE, random_state

from rulespec.core import nodes as n
from rulespec.core.types import BOOL, List

ROW = STATE[List(PIP, 3)]
TOO_MUCH = number(5)
COIN = n.Var("coin", BOOL)

EFFECTS = {
    "a store past the end of a list, of a value that does not fit": assign(ROW, TOO_MUCH, number(3)),
    "a store at the end of a list, of a value that does not fit": assign(ROW, TOO_MUCH, number(2)),
    "chance after a fault": block(
        assign(STATE[PIP], TOO_MUCH),
        n.Draw(COIN, domain(BOOL), None, assign(STATE[BOOL], local(COIN))),
    ),
    "a list that is too long": assign(ROW, n.ListOf(List(PIP, 4), (number(1),) * 4)),
    "a list that just fits": assign(ROW, n.ListOf(List(PIP, 3), (number(1),) * 3)),
}


@pytest.mark.parametrize("effect", EFFECTS.values(), ids=EFFECTS)
def test_an_effect_faults_where_the_interpreter_faults(effect: n.Effect) -> None:
    state = random_state(random.Random(0))
    for row in ((), (1,), (1, 2), (1, 2, 3)):
        held = {**state, ROW: row}
        assert branches_of_the_formulas(effect, {}, held) == branches_of_the_interpreter(effect, {}, held)
