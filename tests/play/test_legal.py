"""Which actions are legal, against brute force over all combinations of choices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations, product
from pathlib import Path

import handmade
import pytest
from building import domain, local, no
from hypothesis import given, settings
from hypothesis import strategies as st
from playouts import playout

import rulespec
from rulespec.core import nodes as n
from rulespec.core.evaluate import elements, evaluate
from rulespec.core.game import Action as CoreAction
from rulespec.core.game import Chain, Choice
from rulespec.core.types import BOOL, List, Scalar, Value, integers
from rulespec.play.chance import Chance
from rulespec.play.effects import Situation
from rulespec.play.face import Game, State
from rulespec.play.legal import candidates
from rulespec.play.position import Move
from rulespec.play.refusal import refusing_rule

GAMES = {name: Game(core) for name, core in handmade.all_games().items()}


@st.composite
def states(draw: st.DrawFn) -> State:
    """A state reached by random play in one of the handmade games."""
    game = GAMES[draw(st.sampled_from(sorted(GAMES)))]
    start = game.start(seed=draw(st.integers(0, 99)))
    return playout(start, draw(st.integers(0, 99)), most=draw(st.integers(0, 8)))


def values_of(choice: Choice) -> list[Value]:
    """Every value of a choice's type; of a list type without repetitions."""
    t = choice.var.type
    if isinstance(t, List):
        assert t.of is not None
        return [p for k in range(t.cap + 1) for p in permutations(t.of.values, k)]
    assert isinstance(t, Scalar)
    return list(t.values)


def all_moves(state: State) -> Iterator[Move]:
    for action in state.game.core.actions.values():
        yield from (Move(action.id, args) for args in product(*map(values_of, action.choices)))


def chosen(choice: Choice, env: dict[n.Var, Value], ctx: Situation) -> bool:
    value, source = env[choice.var], list(elements(choice.source, env, ctx))
    if choice.chain is None:
        fits = value in source
    else:
        chain = choice.chain
        fits = bool(value) and all(
            step in source and evaluate(chain.where, {**env, choice.var: value[:i], chain.step: step}, ctx)
            for i, step in enumerate(value)
        )
    return fits and (choice.where is None or evaluate(choice.where, env, ctx))


def obeys(action: CoreAction, args: tuple[Value, ...], ctx: Situation) -> bool:
    """Legality by the letter: every choice in its source, every requirement true."""
    env = dict(zip((c.var for c in action.choices), args, strict=True))
    return all(chosen(c, env, ctx) for c in action.choices) and all(
        evaluate(r.condition, env, ctx) for r in action.requirements
    )


@settings(max_examples=60, deadline=None)
@given(states())
def test_the_legal_actions_are_those_whose_conditions_all_hold(state: State) -> None:
    ctx = state.game.machine.situation(state.position)
    expected = [
        move
        for move in all_moves(state)
        if not state.is_over and obeys(state.game.core.actions[move.action], move.args, ctx)
    ]
    assert sorted(state.moves) == sorted(expected)
    assert len(set(state.moves)) == len(state.moves)


@settings(max_examples=40, deadline=None)
@given(states())
def test_a_refusal_has_reasons_and_a_legal_action_has_none(state: State) -> None:
    legal = set(state.moves)
    for move in all_moves(state):
        refusals = state.why_not(move)
        assert (refusals == ()) == (move in legal)
        assert all(str(refusal) for refusal in refusals)
        if move in legal:
            state.play(move)


@settings(max_examples=40, deadline=None)
@given(states())
def test_can_is_answered_for_each_beginning_of_the_choices(state: State) -> None:
    ctx = state.game.machine.situation(state.position)
    if state.is_over:
        return
    for move in all_moves(state):
        for k in range(len(move.args) + 1):
            first = move.args[:k]
            expected = any(m.action == move.action and m.args[:k] == first for m in state.moves)
            assert ctx.can(move.action, first) is expected


def test_actions_come_in_the_order_of_the_ruleset_and_then_of_their_values() -> None:
    state = GAMES["nim"].start()
    assert [str(a) for a in state.actions()] == ["take 1 from a", "take 1 from b", "take 2 from b"]
    walks = [str(a) for a in GAMES["trail"].start().actions() if a.id == "walk"]
    assert walks == ["walk [b, c]", "walk [b, c, d]", "walk [b, c, d, e]"]


def test_a_list_as_source_gives_each_element_once_and_ascending() -> None:
    t = integers(0, 9)
    source = n.Const(List(t, 4), (7, 2, 7, 1))
    ctx = Situation({}, lambda action, args: False)
    assert candidates(Choice(n.Var("x", t), source), {}, ctx) == (1, 2, 7)


def test_chains_come_depth_first_each_before_those_that_extend_it() -> None:
    t = integers(1, 3)
    so_far, step = n.Var("so_far", List(t, 2)), n.Var("step", t)
    fresh = no(n.Member(BOOL, local(step), local(so_far)))
    choice = Choice(so_far, domain(t), None, Chain(step, fresh, List(t, 2)))
    found = candidates(choice, {}, Situation({}, lambda action, args: False))
    assert found == ((1,), (1, 2), (1, 3), (2,), (2, 1), (2, 3), (3,), (3, 1), (3, 2))


@pytest.mark.parametrize("name", sorted(GAMES))
def test_the_same_seed_gives_the_same_play(name: str) -> None:
    game = GAMES[name]
    first, second = (playout(game.start(seed=5), 5) for _ in range(2))
    assert (first, first.chance) == (second, second.chance)
    assert game.machine.start(Chance("5")) == game.machine.start(Chance("5"))


RUNNER = """\
rulespec: 1
id: runner
title: Runner
players: 1
uses:
- boards/grid: {files: 3, ranks: 3}
rules:
- id: field
  prose: A runner stands on a square.
  formal: "state here: Square = Square(1, 1)"
- id: run
  prose: The runner goes to a neighbouring square.
  action: s in neighbours(here)
  written: run {s}
  do: here := s
"""


def test_a_choice_is_refused_by_a_rule_of_the_game_and_not_of_a_library(tmp_path: Path) -> None:
    """A move too far was refused by the whole description of the board."""
    (tmp_path / "runner.yaml").write_text(RUNNER)
    game = rulespec.load(str(tmp_path / "runner.yaml"))
    [refusal] = game.start().why_not("run c3")
    assert refusing_rule(game.core, refusal) == ("run", "The runner goes to a neighbouring square.")
