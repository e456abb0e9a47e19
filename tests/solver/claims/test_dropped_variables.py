"""Easier games: what the game reaches they reach, and variables that matter are not dropped."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from building import YES, assign, at_most, block, both, domain, equal, get, less, local, number
from families import claim, hops, with_claims
from generating import MACHINE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from strategies import expressions
from world import PIP, STATE, WORLD, Env, environments, random_state, seeds, states

from rulespec.budgets import Budget
from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Choice, End, Game, Reaction
from rulespec.core.types import BOOL, Set, Value
from rulespec.core.walk import inside
from rulespec.language import load
from solver.certify import Refused
from solver.evidence.optimum import beyond, eased
from solver.evidence.problem import Case
from solver.explore import CodeStates
from solver.formulas.dependencies import Dependencies
from solver.methods.play_search import Pursuit
from solver.reductions.dropped_variables import weakened, without

often = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=300)
conditions = st.sampled_from([n.And, n.Or, n.Not, n.All, n.Any, n.Call, n.Let, n.If, n.Less]).flatmap(
    lambda kind: expressions(kind, depth=3)
)


@often
@given(conditions, seeds(), environments(), st.lists(states(), min_size=1, max_size=4))
def test_a_weakened_condition_follows_and_does_not_ask_what_is_dropped(
    e: n.Expr, seed: int, env: Env, found: list[dict[n.StateVar, Value]]
) -> None:
    """It holds wherever the condition did, whatever the dropped variables are; the other way round, too."""
    if e.type != BOOL:
        return
    rng, facts = random.Random(seed), Dependencies(WORLD)
    dropped = frozenset(rng.sample(list(WORLD.state.values()), 4)) | {
        node.var for node in inside(e) if isinstance(node, n.Get) and rng.random() < 0.3
    }
    for holds in (True, False):
        other = weakened(facts, e, dropped, holds)
        assert dropped.isdisjoint(facts.reads(other))
        for state in found:
            elsewhere = random_state(rng)
            changed = {var: elsewhere[var] if var in dropped else x for var, x in state.items()}
            was = evaluate(e, env, MACHINE.situation_of(dict(state)))
            now = evaluate(other, env, MACHINE.situation_of(changed))
            assert now or not was if holds else was or not now


@pytest.mark.parametrize("kind", [n.Let, n.All, n.Any, n.If])
def test_what_is_dropped_says_not_what_a_condition_speaks_of(kind: type[n.Expr]) -> None:
    pip, some, x = STATE[PIP], STATE[Set(PIP)], n.Var("x", PIP)
    low = less(local(x), number(2))
    asked = {
        n.Let: n.Let(BOOL, x, get(pip), low),
        n.All: n.All(BOOL, x, get(some), low),
        n.Any: n.Any(BOOL, x, get(some), low),
        n.If: n.If(BOOL, equal(get(pip), number(2)), get(STATE[BOOL]), YES),
    }[kind]
    for holds in (True, False):
        other = weakened(Dependencies(WORLD), asked, frozenset({pip, some}), holds)
        assert isinstance(other, n.Const)
        assert other.value is holds


def reached(game: Game, but: str) -> set[tuple[Value, ...]]:
    """All states that can be reached, a variable and `over` left out."""
    space = CodeStates(game)
    while space.deeper(lambda: "", 100_000):
        pass
    kept = [i for i, name in enumerate(game.state) if name not in (but, "over")]
    positions = (space.position(i).values for i in range(space.states))
    return {tuple(values[i] for i in kept) for values in positions}


def case(game: Game, goal: n.Expr) -> Case:
    return Case(game, claim("there", "unreachable", goal), Budget(5), settled={"helps": None})  # type: ignore[dict-item]


def test_everything_is_reached_that_was() -> None:
    game = hops()
    goal = equal(get(game.state["at"]), number(5))
    found = eased(case(game, goal), ["rests"])
    assert found is not None
    assert found.condition is goal
    assert not found.settled, "what always holds in the game need not in an easier one"
    assert reached(game, "rests") <= reached(found.game, "rests")
    assert eased(case(game, at_most(get(game.state["at"]), number(3))), ["rests"]).game is found.game  # type: ignore[union-attr]


def test_a_goal_that_asks_a_counter_is_weakened() -> None:
    game = hops()
    rests, at = get(game.state["rests"]), equal(get(game.state["at"]), number(5))
    for asked in (less(number(1), rests), equal(rests, number(2)), n.Not(BOOL, less(rests, number(2)))):
        found = eased(case(game, both(at, asked)), ["rests"])
        assert found is not None
        assert Dependencies(game).reads(found.condition) == {game.state["at"]}


def test_whether_play_is_over_is_not_asked_of_an_easier_game() -> None:
    """Where a counter keeps from acting, play is over; the easier game goes on."""
    game = hops()
    found = eased(case(game, get(game.state["over"])), ["rests"])
    assert found is not None
    assert isinstance(found.condition, n.Const)


def matters(game: Game, asked: n.Expr) -> dict[str, Game]:
    """A game that asks something, in each place that bears on plies but requirements."""
    hop, at = game.actions["hop"], game.state["at"]
    choice = Choice(n.Var("sure", BOOL), domain(BOOL), asked)
    mover = n.If(game.mover.type, asked, get(game.mover), get(game.mover))
    told = assign(at, n.If(at.type, asked, get(at), get(at)))

    def acting(**changed: object) -> Game:
        return replace(game, actions={**game.actions, "hop": replace(hop, **changed)})  # type: ignore[arg-type]

    return {
        "an end": replace(game, ends=(*game.ends, End("asked", "It ends.", asked))),
        "a reaction": replace(game, reactions=(Reaction("asked", asked, n.NOTHING_DONE),)),
        "turns": replace(game, turn=replace(game.turn, over=asked)),
        "the next": replace(game, turn=replace(game.turn, next=mover)),
        "how turns begin": replace(game, turn=replace(game.turn, begin=told)),
        "the setup": replace(game, setup=told),
        "a choice": acting(choices=(choice,)),
        "an effect": acting(effect=block(hop.effect, told)),
        "passing": replace(game, turn=replace(game.turn, stuck="pass")),
    }  # fmt: skip


@pytest.mark.parametrize("place", matters(hops(), YES))
def test_what_plies_ask_elsewhere_than_in_requirements_is_kept(place: str) -> None:
    game = hops()
    rests = game.state["rests"]
    assert without(game, frozenset({rests})) is not None
    assert without(matters(game, less(get(rests), number(2)))[place], frozenset({rests})) is None
    assert without(matters(game, n.Can(BOOL, "rest", ()))[place], frozenset({rests})) is None


def test_cheats_only_restrict() -> None:
    game = load("sacred-alignment-small")
    pursuit = Pursuit(Case(game, game.claims["fewest-cheats"], Budget(5)))
    assert pursuit._easier is not None
    assert pursuit._easier[1] == ["cheats"]


def test_a_game_without_a_counter_gives_no_bound_on_it() -> None:
    """A verdict on the most rests could rest on the game in which rests are not counted."""
    game = hops()
    game = with_claims(game, claim("busiest", "best", get(game.state["rests"]), sense="most"))
    for names in (["rests"], ["at"], ["nothing"], []):
        shown = {"bound": 1, "uncounted": names}
        asked = Case(game, game.claims["busiest"], Budget(5))
        if names == ["rests"]:
            better = beyond(asked, shown)
            assert evaluate_anywhere(better.condition) is True
        else:
            with pytest.raises(Refused):
                beyond(asked, shown)


def evaluate_anywhere(e: n.Expr) -> Value:
    return evaluate(e, {}, MACHINE.situation_of({}))
