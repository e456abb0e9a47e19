"""Variables that no ply lowers, bounds that goals put on them, and the settings that a claim is asked in."""

from __future__ import annotations

import handmade
from building import add, at_most, const, equal, get, number
from families import claim, hops, with_claims
from hypothesis import given
from hypothesis import strategies as st

from rulespec.core import nodes as n
from rulespec.core.types import BOOL, integers
from rulespec.solver.claims.settings import settings
from rulespec.solver.explore import InterpreterStates
from rulespec.solver.explore.graph import Graph
from rulespec.solver.formulas.monotone import bounds_on_the_way, monotone


def test_never_falling_variables_never_fall() -> None:
    for core in handmade.all_games().values():
        rising = monotone(core)
        places = [i for i, var in enumerate(core.state.values()) if var in rising]
        states = InterpreterStates(core, ways=True)
        while states.deeper(lambda: "", 100_000):
            pass
        held = [[position.values[i] for i in places] for position in states.positions]
        graph = Graph(states)
        for at, before in enumerate(held):
            for to in graph.after(at):
                assert all(a <= b for a, b in zip(before, held[to], strict=True))
    assert {v.name for v in monotone(handmade.ziggurat())} == {"skips"}
    assert {v.name for v in monotone(hops())} == {"at", "rests"}


@given(st.integers(0, 5), st.sampled_from(["equal", "at-most", "less"]))
def test_goals_bound_what_never_falls(limit: int, kind: str) -> None:
    core = hops()
    rests = core.state["rests"]
    made = {
        "equal": equal(number(limit), get(rests)),
        "at-most": at_most(get(rests), number(limit)),
        "less": n.Less(BOOL, get(rests), add(number(limit), number(1))),
    }
    assert rests.type == integers(0, 3)
    bound = limit if limit < 3 else 0 if limit > 3 and kind == "equal" else None
    expected = {} if bound is None else {rests: bound}
    assert bounds_on_the_way(core, n.And(BOOL, (made[kind], const(BOOL, True)))) == expected
    from_below = at_most(number(limit), get(rests))
    assert bounds_on_the_way(core, from_below) == ({} if limit <= 3 else {rests: 0})


def test_settings_are_all_combinations_of_the_rulings_named() -> None:
    core = hops()
    assert len(list(settings(core, core.claims["home"], False))) == 4
    assert list(settings(core, core.claims["three"], False)) == [{}]
    everywhere = claim("all", "reachable", core.ends[0].condition, across=["every-ruling"])
    assert len(list(settings(with_claims(core, everywhere), everywhere, False))) == 4
