"""Long random plays: where they come to."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count

from rulespec import load
from rulespec.core import nodes as n
from rulespec.core.types import BOOL, integers
from solver.search.random_walk import random_walk


def after(looks: int) -> Callable[[], str]:
    """Says to stop at the look of this number."""
    seen = count()
    return lambda: "enough" if next(seen) >= looks else ""


def test_a_stroll_ends_where_it_was_to_come() -> None:
    game = load("pig").core
    total = game.state["turn-total"]
    wanted = n.AtMost(BOOL, n.Const(integers(20, 20), 20), n.Get(total.type, total))
    ends = [random_walk(game, wanted, after(looks)) for looks in (16, 24)]
    first, later = (end for end in ends if end is not None)
    machine = first.game.machine
    assert all(machine.holds(wanted, machine.situation(end.position)) for end in (first, later))
    assert len(later.plays) <= len(first.plays), "the longer one looks, the shorter the play"


def test_what_cannot_be_is_not_found() -> None:
    game = load("tic-tac-toe").core
    assert random_walk(game, n.Const(BOOL, False), after(3)) is None
