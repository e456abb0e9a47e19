"""Conditions in other words mean the same, and what a ply does not touch keeps its value: as evaluated."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator

import handmade
import strategies
import strategies_of_effects
from building import const, domain, every, get, local, number
from generating import MACHINE, STATES, after_by_the_interpreter
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from soundness.space import Space
from strategies import expressions
from world import FREE, PIP, STATE, WORLD, Env, environments, seeds, states

from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.traversal import BOUND, Node, nodes_within, rebuild, substitute
from rulespec.core.types import BOOL, Value, integers
from rulespec.solver.formulas.dependencies import Dependencies, changed_by_ply, effects_of_plies
from rulespec.solver.formulas.linear.equivalences import Keys, alternatives, instances

often = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=200)

conditions = expressions(n.Or) | expressions(n.And) | expressions(n.Not)

State = dict[n.StateVar, Value]


def value(e: n.Expr, env: Env, state: State) -> Value:
    return evaluate(e, env, MACHINE.situation_of(dict(state)))


@often
@given(expressions(n.All, depth=3), environments(), st.lists(states(), min_size=1, max_size=4))
def test_the_instances_of_a_condition_hold_together_where_it_holds(
    e: n.All, env: Env, found: list[State]
) -> None:
    over_a_type = n.All(BOOL, e.var, domain(e.var.type), e.body)
    x = n.Var("x", PIP)
    but_one = n.All(BOOL, x, domain(PIP), n.Not(BOOL, n.Equal(BOOL, local(x), get(STATE[PIP]))))
    assert not any(value(but_one, env, state) for state in found)
    for whole in (e, over_a_type, but_one):
        for state in found:
            assert all(value(one, env, state) for one in instances(whole)) == value(whole, env, state)


@often
@given(
    st.lists(
        st.lists(expressions(n.Or) | expressions(n.Not), min_size=1, max_size=3), min_size=1, max_size=3
    ),
    expressions(n.Get),
    environments(),
    st.lists(states(), min_size=1, max_size=4),
)
def test_one_of_the_alternatives_of_a_condition_holds_where_it_holds(
    items: list[list[n.Expr]], named: n.Expr, env: Env, found: list[State]
) -> None:
    b = get(STATE[BOOL])
    never = n.Or(BOOL, (n.And(BOOL, (b, n.Not(BOOL, b))),))
    assert not any(value(one, env, state) for one in alternatives(never) for state in found)
    inner = n.Or(BOOL, tuple(n.Or(BOOL, tuple(some)) for some in items))
    for whole in (inner, n.Let(BOOL, n.Var("named", named.type), named, inner)):
        for state in found:
            assert any(value(one, env, state) for one in alternatives(whole)) == value(whole, env, state)


# ---- keys


def renamed(e: n.Expr) -> n.Expr:
    """The expression with other names for all that it binds."""

    def change(node: Node) -> Node:
        binders, bodies = BOUND.get(type(node), ((), ()))  # type: ignore[arg-type]
        if not binders:
            return node
        fresh = {getattr(node, name): n.Var("fresh", getattr(node, name).type) for name in binders}
        places = {var: local(new) for var, new in fresh.items()}
        held = {name: substitute(getattr(node, name), places) for name in bodies}
        return n.copy_with(node, **{name: fresh[getattr(node, name)] for name in binders}, **held)

    found = rebuild(e, change)
    assert isinstance(found, n.Expression)
    return found


def slips(e: n.Expr, rng: random.Random) -> n.Expr:
    """The expression with one node exchanged for one that is nearly the same."""
    near: list[tuple[n.Expr, n.Expr]] = []
    names = [*FREE, *(getattr(x, b) for x in nodes_within(e) for b in BOUND.get(type(x), ((), ()))[0])]  # type: ignore[arg-type]
    for node in nodes_within(e):
        if isinstance(node, n.Expression):  # an After holds the effect of its action, too
            near += [(node, other) for other in _nearly(node, names)]
    if not near:
        return e
    old, new = rng.choice(near)
    found = rebuild(e, lambda node: new if node is old else node)
    assert isinstance(found, n.Expression)
    return found


def _nearly(node: n.Expr, names: list[n.Var]) -> Iterator[n.Expr]:
    exchanged: dict[type[n.Expr], type[n.Expr]] = {
        n.And: n.Or, n.Or: n.And, n.Less: n.AtMost, n.AtMost: n.Less, n.All: n.Any, n.Any: n.All,
        n.Add: n.Sub, n.Union: n.Intersection, n.Intersection: n.Difference,
    }  # fmt: skip
    slots = {slot: getattr(node, slot) for slot in node.SLOTS}
    if type(node) in exchanged:
        yield exchanged[type(node)](**slots)
    if "a" in slots and "b" in slots and slots["a"].type == slots["b"].type:
        yield n.copy_with(node, a=slots["b"], b=slots["a"])
    for name, held in slots.items():
        if isinstance(held, bool):
            yield n.copy_with(node, **{name: not held})
    if isinstance(node, n.Local):
        yield from (local(v) for v in names if v.type == node.var.type and v is not node.var)
    if isinstance(node, n.Get):
        yield from (get(v) for v in STATE.values() if v.type == node.type and v is not node.var)
    if isinstance(node, n.Const) and node.type in (BOOL, PIP):
        yield from (const(node.type, x) for x in node.type.values if x != node.value)  # type: ignore[attr-defined]


@often
@given(expressions(depth=3), seeds(), environments(), st.lists(states(), min_size=3, max_size=6))
def test_equal_keys_mean_equal_values(e: n.Expr, seed: int, env: Env, found: list[State]) -> None:
    keys, rng = Keys(WORLD), random.Random(seed)
    assert keys.of(renamed(e)) == keys.of(e)
    for _ in range(4):
        try:
            other = slips(e, rng)
            differs = any(value(other, env, state) != value(e, env, state) for state in found)
        except KeyError:
            continue  # a name outside its binder
        if differs:
            assert keys.of(other) != keys.of(e)


def test_what_depends_on_nothing_counts_by_its_value_and_kind() -> None:
    keys, x = Keys(WORLD), n.Var("x", PIP)
    assert keys.of(number(1)) == keys.of(const(integers(0, 9), 1))
    assert keys.of(number(1)) != keys.of(const(BOOL, True))
    always, asked = every(x, domain(PIP), n.Less(BOOL, local(x), number(9))), n.Get(BOOL, STATE[BOOL])
    assert keys.of(n.And(BOOL, (always, asked))) == keys.of(asked)
    assert keys.of(n.Or(BOOL, (always, asked))) == keys.of(always)
    assert keys.of(n.And(BOOL, (asked, asked))) != keys.of(n.Or(BOOL, (asked, asked)))


def test_names_and_slots_are_told_apart() -> None:
    keys, x, y = Keys(WORLD), n.Var("x", PIP), n.Var("y", PIP)

    def nested(a: n.Var, b: n.Var) -> n.Expr:
        less = n.And(BOOL, (n.Less(BOOL, local(a), local(b)), get(STATE[BOOL])))
        return n.All(BOOL, x, domain(PIP), n.Any(BOOL, y, domain(PIP), less))

    assert keys.of(nested(x, y)) == keys.of(renamed(nested(x, y)))
    assert len({keys.of(nested(a, b)) for a in (x, y) for b in (x, y)}) == 4
    assert keys.of(get(STATE[PIP])) != keys.of(get(n.StateVar("other", PIP, number(0))))


# ---- frame conditions


def _frames(kind: type[n.Effect]) -> Callable[[], None]:
    @settings(often, max_examples=40)
    @given(strategies_of_effects.effects(kind), expressions(), environments(), states(), st.integers(0, 99))
    def kept(effect: n.Effect, e: n.Expr, env: Env, state: State, seed: int) -> None:
        targets = {node.target for node in nodes_within(effect) if isinstance(node, n.Assign)}
        assume(targets.isdisjoint(Dependencies(WORLD).reads(e)))
        after = after_by_the_interpreter(effect, env, state, seed)
        if after is not None:
            assert value(e, env, dict(zip(STATES, after, strict=True))) == value(e, env, state)

    return kept


def test_an_expression_keeps_its_value_where_nothing_that_it_reads_is_assigned() -> None:
    for kind in strategies.n.EFFECTS:
        _frames(kind)()


def test_a_ply_changes_only_what_its_action_and_what_follows_it_assign() -> None:
    plies = 0
    for game in handmade.all_games().values():
        space = Space(game, 3_000, 30_000)
        names = list(space.machine.variables)
        for before, moves in zip(space.positions, space.plies, strict=True):
            for move, outs in moves:
                changed = changed_by_ply(game, game.actions[move.action])
                assert {a.target for effect in effects_of_plies(game, [game.actions[move.action]])
                        for a in nodes_within(effect) if isinstance(a, n.Assign)} <= changed  # fmt: skip
                for _, to in outs:
                    held = zip(names, before.values, space.positions[to].values, strict=True)
                    assert {var for var, a, b in held if a != b} <= changed
                    plies += 1
    assert plies > 1_000
