"""Laws of conditions about the position after an action, in the interpreter, in code and in formulas."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest
from building import call, const, equal, get, local, number
from code_plays import agree
from deciding import agrees
from generating import MACHINE, Made
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soundness.direction import Direction
from soundness.meanings import differences
from soundness.rulesets import generated
from world import PIP, states
from world import STATE as STATES

from rulespec.code import Instance, write
from rulespec.core import nodes as n
from rulespec.core.diagnostics import RulesetError
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.traversal import assignments, inline_call, nodes_with_definitions, substitute
from rulespec.core.types import BOOL, Scalar, Value
from rulespec.language import load
from rulespec.machine import form as f
from rulespec.machine.traversal import node_index
from rulespec.play.chance import Chance
from rulespec.play.effects import FaultFound, Run, Situation
from rulespec.play.face import Game as Face
from rulespec.play.machine import Machine
from rulespec.play.position import Position

AFTERWARDS = Path(__file__).parent / "language" / "good" / "afterwards.yaml"
quick = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=12)
few_plies = settings(quick, max_examples=6)


def asked(game: Game) -> list[n.After]:
    """The conditions of a game that speak of the position after an action, each once."""
    roots = [r.condition for action in game.actions.values() for r in action.requirements]
    roots += [function.body for function in game.functions.values()]
    found = (node for root in roots for node in nodes_with_definitions(root) if isinstance(node, n.After))
    return [*dict.fromkeys(found)]


def positions(machine: Machine, rng: random.Random, most: int = 8) -> Iterator[Position]:
    """The positions of a random play."""
    chance = Chance("0")
    at = machine.start(chance).position
    for _ in range(most):
        yield at
        moves = [*machine.moves(at)]
        if not moves:
            return
        at = machine.play(at, rng.choice(moves), chance).position


def random_game(seed: int, folder: Path) -> Game | None:
    """A random game with a condition of the kind; None where the text is refused."""
    text, _ = generated(random.Random(seed), "ahead", direction=Direction(uses=("After",)))
    path = folder / "ahead.yaml"
    path.write_text(text, "utf-8")
    try:
        return load(path)
    except RulesetError:
        return None


@given(seed=st.integers(0, 10**6))
@quick
def test_it_holds_if_it_holds_where_the_whole_effect_leads(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """The effect of the action as it is, reactions left out; the part in the condition is enough of it."""
    rng = random.Random(seed)
    for game in (load(AFTERWARDS), random_game(seed, tmp_path_factory.mktemp("ahead"))):
        for e in asked(game) if game else ():
            assert game is not None
            machine = Machine(game)
            for position in positions(machine, rng):
                _compare(machine, e, position, rng)


def _compare(machine: Machine, e: n.After, position: Position, rng: random.Random) -> None:
    action = machine.game.actions[e.action]
    if not all(isinstance(param.type, Scalar) for param in e.params):
        return
    args = [rng.choice(param.type.values) for param in e.params]  # type: ignore[attr-defined]
    free = {var: rng.choice(var.type.values) for var in machine.free(e.body)}  # type: ignore[attr-defined]
    given = n.copy_with(e, args=tuple(const(p.type, a) for p, a in zip(e.params, args, strict=True)))
    here, there = machine.situation(position), machine.situation(position)
    before = dict(here.values)
    env: dict[n.Var, Value] = dict(zip((choice.var for choice in action.choices), args, strict=True))
    try:
        Run(there, Chance("0"), 0, lambda effect: None).perform(action.effect, env)
    except FaultFound:
        return
    assert evaluate(given, free, here) == evaluate(e.body, free, there)
    assert here.values == before


def test_only_what_the_condition_depends_on_is_stored() -> None:
    stored = {
        e.action: {a.target.name for a in assignments(e.effect)}
        for e in asked(load(AFTERWARDS))
        if not any(isinstance(node, n.Can) for node in nodes_with_definitions(e.body))
    }
    assert stored == {"go": {"place"}, "switch": {"lit"}}


def test_what_is_stored_on_the_way_is_stored(tmp_path: Path) -> None:
    path = tmp_path / "ways.yaml"
    text = SUMS.replace("    if row[k] > 4: row[k] := 0", "    way := row[1]; via := way; row[k] := via")
    more = "    state way: 0..9 = 0\n    state via: 0..9 = 0\n    define odd"
    path.write_text(text.replace("    define odd", more), "utf-8")
    (stored,) = {frozenset(a.target.name for a in assignments(e.effect)) for e in asked(load(path))}
    assert stored == {"row", "way", "via"}


@given(seed=st.integers(0, 10**6))
@few_plies
def test_code_and_formulas_mean_what_the_interpreter_says(
    seed: int, tmp_path_factory: pytest.TempPathFactory
) -> None:
    game = random_game(seed, tmp_path_factory.mktemp("ahead"))
    assert not [*differences(game)] if game else True


@pytest.mark.parametrize("start", [Instance, None], ids=["machine", "code"])
def test_nothing_that_was_worked_out_here_serves_there(tmp_path: Path, start: type[Instance] | None) -> None:
    """A definition whose results are kept for a state is asked before, within and after."""
    path = tmp_path / "sums.yaml"
    path.write_text(SUMS, "utf-8")
    game = load(path)
    agree(game, 4, 6, **({"started": start} if start else {}))
    found = Face(game).start(seed=0)
    assert [str(action) for action in found.actions()] == ["put 1", "put 3", "put 5"]


SUMS = """\
rulespec: 1
id: sums
title: Sums
players: 2
rules:
- id: board
  prose: Numbers lie in a row.
  formal: |
    type Place = 1..6
    state row: map Place -> 0..9 = {k -> k for k in Place}
    define odd(j: Place) =
      count(k in Place, i in Place where k <= i and (row[k] + row[i] + j) mod 2 = 1) mod 2 = 1
    define turned(k: Place) = (odd(k) after put(k)) != odd(k)
- id: put
  prose: Put a number.
  action: k in Place
  written: put {k}
  require:
    turned:
      prose: It matters.
      that: odd(k) = odd(1) and turned(k) and (some i in Place satisfies turned(i)) and odd(1) = odd(k)
  do: |
    for i in Place where i <= k: row[i] := (row[i] + 1) mod 10
    if row[k] > 4: row[k] := 0
"""


def test_elements_that_loops_store_twice_are_put_back(tmp_path: Path) -> None:
    """The keys of the map take two words, and the middle one gets two values."""
    path = tmp_path / "lamps.yaml"
    path.write_text(LAMPS, "utf-8")
    agree(load(path), 3, 6, started=Instance)


LAMPS = """\
rulespec: 1
id: lamps
title: Lamps
players: 2
rules:
- id: board
  prose: Lamps stand in a row.
  formal: |
    type Place = 1..70
    state lamp: map Place -> 0..2 = 0
    define lit: set of Place = {k for k in Place where lamp[k] = 1}
- id: turn
  prose: Turn a lamp.
  action: k in Place where k > 62
  written: turn {k}
  require:
    more:
      prose: The number of lamps that are lit then is right.
      after: size(lit) mod 4 < 2
  do: |
    for i in Place where i <= k: lamp[i] := (lamp[i] + k) mod 3
    for i in Place where i >= k: lamp[i] := (lamp[i] + 1) mod 3
"""


# ---- local names keep the values that they have here


STATE = n.StateVar("number", PIP, number(0))
X = n.Var("x", PIP)
STORE = n.Assign(STATE, (), number(3))
SAME = n.After(BOOL, "store", (), (), STORE, equal(get(STATE), local(X)))
"""True where `x` is 3: the body reads the number that was stored."""


def value(e: n.Expr) -> Value:
    def other(values: dict[n.StateVar, Value]) -> Situation:
        return Situation(values, lambda action, args: False, other=other)

    return evaluate(e, {}, other({STATE: 1}))


def test_what_reads_the_state_is_not_put_behind_the_action() -> None:
    asks = n.Function("asks", (X,), BOOL)
    asks.body = SAME
    asked_here = call(asks, get(STATE))
    assert isinstance(asked_here, n.Call)
    for e in (asked_here, inline_call(asked_here), substitute(SAME, {X: get(STATE)})):
        assert value(e) is False
    assert value(substitute(SAME, {X: number(3)})) is True


# ---- each meaning, with few variables


PIPS = STATES[PIP]
"""A variable of the small world, of 0 to 3."""


def after(effect: n.Effect, body: n.Expr) -> n.Expr:
    """A condition after an effect without choices."""
    return n.After(BOOL, "pass", (), (), effect, body)


def storing(value: n.Expr) -> n.Effect:
    return n.Assign(PIPS, (), value)


TWICE = n.Block((storing(number(1)), storing(number(2))))
CASES = {
    "what was stored last is undone first": (
        n.And(BOOL, (after(TWICE, equal(get(PIPS), number(2))), equal(get(PIPS), number(3)))), True,
    ),
    "no table knows of another state": (after(storing(number(1)), equal(get(PIPS), number(1))), True),
    "what does not fit is not stored": (
        after(n.Block((storing(number(7)),)), equal(get(PIPS), number(3))), True,
    ),
    "under a condition": (
        n.Or(BOOL, (
            after(n.When(equal(get(PIPS), number(0)), storing(number(1)), n.NOTHING_DONE),
                  equal(get(PIPS), number(1))),
            equal(get(PIPS), number(0)),
        )), False,
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
@given(state=states(), seed=st.integers(0, 99))
@few_plies
def test_all_meanings_say_the_same(case: str, state: dict[n.StateVar, Value], seed: int) -> None:
    e, holds = CASES[case]
    state = {**state, PIPS: 3}
    assert evaluate(e, {}, MACHINE.situation_of(dict(state))) is holds
    assert Made(e, {}, False).value(e, {}, state) is holds
    agrees(e, {}, [state], seed)


def test_no_results_are_kept_of_what_changes_the_state(tmp_path: Path) -> None:
    """A definition that takes long, and asks what holds after an action."""
    path = tmp_path / "sums.yaml"
    many = "define many(j: Place) = count(i in Place, k in Place where turned(i) and turned(k)) > j"
    text = SUMS.replace("- id: put", f"    {many}\n- id: put")
    text = text.replace("      that: odd(k)", "      that: many(k) and many(1) and odd(k)")
    path.write_text(text, "utf-8")
    functions = write(load(path)).functions
    for name in (name for name, function in functions.items() if function.once is not None):
        assert not [called for called in _reached(functions, name) if called.startswith("after")]
    assert any(called.startswith("after") for called in functions)


def _reached(functions: Mapping[str, f.Function], name: str) -> set[str]:
    found, waiting = {name}, [name]
    while waiting:
        more = {call.function for call in node_index(functions[waiting.pop()]).calls} - found
        found |= more
        waiting += [one for one in more if one in functions]
    return found
