"""Exploration by generated code, in the machine and in Python, and by the interpreter: the same states."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction

import handmade
import pytest
from python_instance import PythonInstance, starting

from rulespec.budgets import UNBOUNDED, OutOfBudget
from rulespec.code import Instance
from rulespec.language import load
from rulespec.play.plays import perform, write_down
from rulespec.play.position import Move, Position
from rulespec.solver.explore import (
    BuiltinQuestion,
    CodeStates,
    InterpreterStates,
    Limit,
    States,
    without_draw_count,
)
from rulespec.solver.explore.graph import Graph
from rulespec.solver.explore.state_space import Exploration, Limits, StateSpace, forget

SMALL: dict[str, dict[str, int]] = {
    "tic-tac-toe": {"width": 3, "height": 2},
    "hex": {"side": 2},
    "kuhn-poker": {},
    "nim": {},
    "pig": {"target": 4, "sides": 3},
    "peg-solitaire": {"side": 5, "corner": 2},
    "eight-puzzle": {"width": 2, "height": 2},
}


def explored(states: States, most: int = 100_000) -> States:
    while states.deeper(lambda: "", most):
        pass
    return states


def plies(states: States) -> dict[Position, Counter[frozenset[tuple[Position, Fraction]]]]:
    """For each state its actions, each with the probabilities of where it leads."""
    graph = Graph(states)
    found = {}
    for i in range(states.states):
        ways: Counter[frozenset[tuple[Position, Fraction]]] = Counter()
        for way in graph.ways(i):
            after: dict[Position, Fraction] = {}
            for to, odds in way:
                at = states.position(to)
                after[at] = after.get(at, Fraction()) + Fraction(1, odds)
            assert sum(after.values()) == 1
            ways[frozenset(after.items())] += 1
        found[states.position(i)] = ways
    return found


@pytest.mark.parametrize("name", SMALL)
def test_code_finds_what_the_interpreter_finds(name: str) -> None:
    game = load(name, None, SMALL[name])
    code = CodeStates(game, ways=True)
    rules = InterpreterStates(game, ways=True, layout=code.layout)
    for states in (code, rules):
        assert explored(states).closed
    assert code.counts == rules.counts
    assert code.digest() == rules.digest()
    assert plies(code) == plies(rules)
    for asked in BuiltinQuestion:
        by_rules = dict(zip(rules.positions, rules.scan(asked), strict=True))
        assert {code.position(i): x for i, x in enumerate(code.scan(asked))} == by_rules


@pytest.mark.parametrize("name", handmade.all_games())
def test_games_made_by_hand(name: str) -> None:
    game = handmade.all_games()[name]
    code = CodeStates(game)
    rules = InterpreterStates(game, layout=code.layout)
    assert explored(code).counts == explored(rules).counts
    assert code.digest() == rules.digest()


@pytest.mark.parametrize("name", SMALL)
def test_the_machine_numbers_states_as_the_kernels_in_python_do(name: str) -> None:
    game = load(name, None, SMALL[name])
    found = []
    for started in (Instance, PythonInstance):
        with starting(started):
            found.append(explored(CodeStates(game, ways=True)))
    machine, python = found
    assert machine.counts == python.counts
    assert machine.digest() == python.digest()
    assert [*map(machine.position, range(machine.states))] == [*map(python.position, range(python.states))]
    assert plies(machine) == plies(python)


def test_a_deal_that_is_given_is_explored_alike() -> None:
    game = load("kuhn-poker")
    dealt = explored(CodeStates(game, None, ("[1, 2, 3]",)))
    assert dealt.counts == [1, 2, 4, 2]
    with starting(PythonInstance):
        assert explored(CodeStates(game, None, ("[1, 2, 3]",))).digest() == dealt.digest()


def test_a_play_to_each_state_is_one_that_the_interpreter_plays() -> None:
    game = load("pig", None, SMALL["pig"])
    states = explored(CodeStates(game))
    for number in range(states.states):
        play, end = write_down(game, *states.play_to(number))
        assert without_draw_count(end.position) == states.position(number)
        assert perform(game, play).position == end.position
    depths = [depth for depth, count in enumerate(states.counts) for _ in range(count)]
    assert [len(states.play_to(i)[1]) for i in range(states.states)] == depths


def test_a_play_to_a_shuffled_start() -> None:
    game = load("eight-puzzle", None, SMALL["eight-puzzle"])
    states = explored(CodeStates(game))
    chance, moves = states.play_to(states.states - 1)
    _, end = write_down(game, chance, moves)
    assert without_draw_count(end.position) == states.position(states.states - 1)


def test_counts_that_others_published() -> None:
    """The positions of tic-tac-toe by number of marks: 5478 in all, as is well known."""
    assert explored(CodeStates(load("tic-tac-toe"))).counts == [1, 9, 72, 252, 756, 1260, 1520, 1140, 390, 78]


def test_a_given_deal_is_where_plays_begin() -> None:
    game = load("kuhn-poker")
    for make in (CodeStates, InterpreterStates):
        states = explored(make(game, None, ("[1, 2, 3]",)))
        assert states.counts == [1, 2, 4, 2]
        assert states.play_to(8)[0] == ("[1, 2, 3]",)


def test_more_room_is_made_when_it_is_needed() -> None:
    game = load("tic-tac-toe")
    states = explored(CodeStates(game, ways=True))
    graph = Graph(states)
    order, length = graph.terminating()
    assert len(order) == states.states == 5478
    assert max(length) == 9


def test_states_that_an_error_left_half_done_are_not_gone_on_with(monkeypatch: pytest.MonkeyPatch) -> None:
    space, limits = StateSpace(load("tic-tac-toe"), [{}]), Limits(10.0, 1_000)
    states = space.states(limits)
    assert space.states(limits) is states

    def fails(self: CodeStates, last: int, limit: Limit, most: int) -> None:
        raise OutOfBudget("the limit of 1 MB")

    monkeypatch.setattr(CodeStates, "_follow", fails)
    with pytest.raises(OutOfBudget):
        Exploration(states, limits, UNBOUNDED).all()
    assert space.states(limits) is not states


def test_a_graph_of_all_plays_serves_questions_that_need_only_states() -> None:
    space, limits = StateSpace(load("tic-tac-toe"), [{}]), Limits(10.0, 10_000)
    forget()
    graph = space.states(limits, ways=True)
    graph.deeper(lambda: "", 10_000)
    assert space.states(limits) is not graph  # what is not whole yet grows faster without the graph
    forget()
    graph = space.states(limits, ways=True)
    assert Exploration(graph, limits, UNBOUNDED).all()
    assert space.states(limits) is graph
    forget()
    states = space.states(limits)
    assert Exploration(states, limits, UNBOUNDED).all()
    assert states.digest() == graph.digest()
    assert space.states(limits, ways=True) is not states


def test_deals_that_are_too_many_are_not_gone_through() -> None:
    """Leistiko's shuffle of 28 was: nothing looked at the time before all deals were seen."""
    states = CodeStates(load("leistiko"))
    assert not states.deeper(lambda: "", 100)
    assert states.stopped == "a draw has more than 4,194,304 outcomes"


def test_a_budget_stops_while_deals_are_gone_through() -> None:
    game = load("eight-puzzle", None, SMALL["eight-puzzle"])
    states, spent = CodeStates(game), iter(["", "time"])
    assert not states.deeper(lambda: next(spent, ""), 100)
    assert (states.stopped, states.counts) == ("time", [])
    assert explored(states).digest() == explored(CodeStates(game)).digest()


def test_a_budget_stops_and_what_was_begun_goes_on() -> None:
    game = load("tic-tac-toe")
    states = CodeStates(game)
    spent = iter(["", "", "time"])
    while states.deeper(lambda: next(spent, "time"), 100_000):
        pass
    assert states.stopped == "time"
    assert not states.closed
    assert explored(states).states == 5478
    small = explored(CodeStates(game), most=50)
    assert small.stopped == "50 positions"


@pytest.mark.parametrize(("name", "claim"), [("tic-tac-toe", None), ("kalah-small", "by-how-much")])
def test_what_is_best_for_both(name: str, claim: str | None) -> None:
    game = load(name)
    asked = game.claims[claim].condition if claim else None
    states = explored(CodeStates(game, {claim: asked} if claim and asked else {}, ways=True))
    graph, best = Graph(states), dict[int, int]()
    ends = states.scan(claim or BuiltinQuestion.WINNERS)
    mover = states.scan(BuiltinQuestion.MOVER)
    for i in map(int, graph.terminating()[0]):
        after = [best[to] for to in graph.after(i)]
        end = int(ends[i]) if claim else {2: 1, 4: -1}.get(ends[i], 0)
        best[i] = (max(after) if mover[i] == 1 else min(after)) if after else end
    assert list(graph.values(claim)) == [best[i] for i in range(graph.count)]


def test_moves_are_values() -> None:
    states = explored(CodeStates(load("nim")))
    assert states.play_to(1)[1] == (Move("take", (1, 1)),)
