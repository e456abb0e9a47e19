"""Values that nobody asks for: fewer states, and every play is one of the game."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import strategies_of_effects
from building import assign, block, const, get
from generating import MACHINE, STATES, after_by_the_interpreter
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import expressions
from world import BRIGHT, CARD, PIP, STATE, SUIT, WORLD, Env, environments, seeds, states

from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.types import BOOL, Map, Optional, Value
from rulespec.language import load
from solver.explore import CodeStates
from solver.reductions.value_quotient import alike, unasked

FERRY = """
rulespec: 1
id: ferry
title: A ferry
players: 1
rules:
- id: crossing
  prose: Something is on board, or nothing; what was on board once is remembered.
  formal: |
    type Load = 1..4
    state aboard: Load? = none
    state seen: map Load -> Load? = none
    state trips: 0..3 = 0
- id: take
  prose: Take something on board.
  action: x in Load
  written: take {x}
  require:
    room:
      prose: The ferry is empty.
      that: aboard is none and trips < 3
  do: aboard := x
- id: cross
  prose: Take it over.
  action: ()
  written: cross
  require:
    full:
      prose: Something is aboard.
      that: aboard is some
  do: |
    seen[1] := aboard
    aboard := none
    add 1 to trips
- id: done
  prose: Three trips, and the last of them is remembered.
  end: trips = 3 and seen[1] is some
"""


def how_many(game: Game) -> int:
    space = CodeStates(game)
    while space.deeper(lambda: "", 100_000):
        pass
    return space.states


def ferry(tmp_path: Path, but: str = "", then: str = "") -> Game:
    path = tmp_path / "ruleset.yaml"
    path.write_text(FERRY.strip().replace(but, then) if but else FERRY.strip(), "utf-8")
    return load(path)


def found(game: Game) -> set[str]:
    effects = [game.setup, *(action.effect for action in game.actions.values())]
    asked = [game.ends[0].condition]
    asked += [r.condition for action in game.actions.values() for r in action.requirements]
    return {var.name for var in unasked(game, [*effects, *asked])}


def test_one_value_stands_for_all_where_only_whether_there_is_one_is_asked(tmp_path: Path) -> None:
    """The value aboard is handed on, so it is asked for; the remembered one is not."""
    game = ferry(tmp_path)
    assert found(game) == {"seen"}
    assert how_many(game) == 5 + 2 * 4 * 5 + 4
    assert how_many(alike(game, frozenset({game.state["seen"]}))) == 3 * 5 + 1


def test_a_value_that_is_asked_for_is_told_apart(tmp_path: Path) -> None:
    assert found(ferry(tmp_path, "seen[1] is some", "seen[1] = 2")) == set()
    assert found(ferry(tmp_path, "seen[1] := aboard", "seen[1] := 3")) == {"aboard", "seen"}


def test_where_a_domino_was_is_not_asked(tmp_path: Path) -> None:
    """It is where only what is moved counts as a cheat."""
    for readings, alone in (({}, {"lifted"}), ({"cheat-count": "moved"}, set())):
        game = load("sacred-alignment-small", readings=readings)
        goal = game.ends[0].condition
        effects = [game.setup, *(action.effect for action in game.actions.values())]
        asked = [r.condition for action in game.actions.values() for r in action.requirements]
        assert {var.name for var in unasked(game, [goal, *effects, *asked])} == alone


def test_a_map_that_is_read_or_stored_whole_is_told_apart() -> None:
    whole = const(PLACES.type, tuple(None for _ in CARD.values))
    assert PLACES in unasked(WORLD, [WRITTEN])
    assert PLACES not in unasked(WORLD, [WRITTEN, n.Equal(BOOL, get(PLACES), whole)])
    assert PLACES not in unasked(WORLD, [assign(PLACES, whole)])


def test_a_value_that_may_not_fit_is_told_apart() -> None:
    bright = STATE[Optional(BRIGHT)]
    assert bright in unasked(WORLD, [assign(bright, const(BRIGHT, 0))])
    assert bright not in unasked(WORLD, [assign(bright, get(STATE[SUIT]))])


# ---- against the interpreter, with random expressions and effects

often = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=150)

SOME = [v for v in STATE.values() if isinstance(v.type, Optional)]
PLACES = STATE[Map(CARD, Optional(PIP))]


@st.composite
def whether_none(draw: st.DrawFn) -> n.Expr:
    """A condition on whether there is something in a place of the state."""
    if draw(st.booleans()):
        return n.IsNone(BOOL, get(draw(st.sampled_from(SOME))))
    key = draw(expressions(n.Get).filter(lambda e: e.type == CARD) | st.just(const(CARD, CARD.values[1])))
    return n.IsNone(BOOL, n.Read(Optional(PIP), get(PLACES), key))


@st.composite
def conditions(draw: st.DrawFn) -> n.Expr:
    """Conditions on whether there is something, and perhaps on anything else."""
    items = draw(
        st.lists(whether_none() | expressions(n.Not) | expressions(n.IsNone), min_size=2, max_size=4)
    )
    kind = draw(st.sampled_from([n.And, n.Or]))
    return kind(BOOL, tuple(draw(st.sampled_from([e, n.Not(BOOL, e)])) for e in items))


State = dict[n.StateVar, Value]


def alike_but_for(state: State, names: frozenset[n.StateVar], seed: int) -> State:
    """The state with other values where there are any in some variables."""
    rng = random.Random(seed)

    def other(value: Value, of: Optional) -> Value:
        return None if value is None or of.of is None else rng.choice(of.of.values)

    found = dict(state)
    for var in sorted(names, key=lambda v: v.name):
        held: Any = state[var]
        if isinstance(var.type, Map):
            found[var] = tuple(other(x, cast(Optional, var.type.of)) for x in held)
        else:
            found[var] = other(held, cast(Optional, var.type))
    return found


WRITTEN = block(
    *(assign(v, const(v.type, None)) for v in SOME),
    n.Assign(PLACES, (const(CARD, CARD.values[0]),), const(Optional(PIP), None)),
)
"""An effect that changes all of them."""


@often
@given(conditions(), seeds(), environments(), st.lists(states(), min_size=1, max_size=3))
def test_no_condition_tells_values_apart_that_nobody_asks_for(
    e: n.Expr, seed: int, env: Env, found: list[State]
) -> None:
    names = unasked(WORLD, [e, WRITTEN])
    for state in found:
        changed = alike_but_for(state, names, seed)
        before, after = (evaluate(e, env, MACHINE.situation_of(dict(s))) for s in (state, changed))
        assert before == after


def _effects(kind: type[n.Effect]) -> Callable[[], None]:
    @often
    @given(strategies_of_effects.effects(kind), environments(), states(), seeds(), st.integers(0, 99))
    def same(effect: n.Effect, env: Env, state: State, seed: int, chance: int) -> None:
        names = unasked(WORLD, [effect])
        changed = alike(replace(WORLD, setup=effect), names).setup
        before = after_by_the_interpreter(effect, env, state, chance)
        after = after_by_the_interpreter(changed, env, alike_but_for(state, names, seed), chance)
        assert (before is None) == (after is None)
        if before is not None and after is not None:
            for var, x, y in zip(STATES, before, after, strict=True):
                assert _whether_none(var, x) == _whether_none(var, y) if var in names else x == y

    return same


def _whether_none(var: n.StateVar, value: Any) -> object:
    return [x is None for x in value] if isinstance(var.type, Map) else value is None


def test_effects_leave_states_that_differ_in_such_values_alone() -> None:
    for kind in n.EFFECTS:
        _effects(kind)()
