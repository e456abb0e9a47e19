"""The interpreter goes through a share of explored states, and finds faults in the code of a game."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from itertools import count
from math import comb, inf, sqrt
from pathlib import Path
from random import Random
from secrets import SystemRandom
from typing import Any

import pytest

from rulespec.budgets import Budget
from rulespec.code import write
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.language import load
from rulespec.solver.explore import CodeStates, InterpreterStates, exploration_code, spot_check
from rulespec.solver.explore.best_play import BestPlay
from rulespec.solver.explore.spot_check import BATCH, Comparison, SpotCheck, Unlike
from rulespec.solver.explore.state_space import StateSpace
from rulespec.solver.explore.states import Row
from rulespec.solver.pairs.images import group_of

LARGE = 1 << 30


def explored(game: Game, most: int = LARGE, **how: Any) -> CodeStates:
    """The states of a game, as many layers as begin below a number of states."""
    states = CodeStates(game, **how)
    while states.states < most and states.deeper(lambda: "", LARGE):
        pass
    return states


def whole(states: CodeStates, *questions: str, most: int = LARGE) -> SpotCheck:
    """A check of all states, or of so many."""
    check = SpotCheck(most, inf, Random(1))
    check.compare_explored(states, questions)
    return check


# ---- sound code passes


GAMES = ["tic-tac-toe", "kuhn-poker", "pig", "smith-tiny", "nine-mens-morris"]


@pytest.mark.parametrize("name", GAMES)
def test_code_and_interpreter_are_alike(name: str) -> None:
    game = load(name)
    claims = {claim: c.condition for claim, c in game.claims.items()}
    asked = {claim: e for claim, e in [*claims.items()][:3] if e is not None}
    states = explored(game, 30, asked=asked, ways=name in ("tic-tac-toe", "kuhn-poker", "pig"))
    assert whole(states, *asked, most=30).gone_through == min(30, states.seen_count)


@pytest.mark.parametrize("ways", [False, True])
@pytest.mark.parametrize(("name", "size"), [("tic-tac-toe", {"width": 3, "height": 2}), ("hex", {"side": 2})])
def test_states_that_stand_for_others_are_compared_as_any_of_them(
    name: str, size: dict[str, int], ways: bool
) -> None:
    game = load(name, None, size)
    states = explored(game, ways=ways, symmetries=group_of(game))
    assert states.closed
    assert whole(states, most=100).gone_through == min(100, states.states) < sum(states.all_counts)


# ---- wrong code does not

RULES = """
rulespec: 1
id: walk
title: Walk
players: 2
rules:
- id: places
  prose: Two counters and a die.
  formal: |
    state x: 0..20 = 0
    state y: 0..20 = 0
    state die: 1..4 = 1
  setup: roll die from 1..2
- id: right
  prose: The first counter rises.
  action: ()
  require:
    room:
      prose: There is room.
      that: x < 8
  do: add 1 to x
- id: up
  prose: The second counter rises, and the die is cast.
  action: k in 1..2
  require:
    room:
      prose: There is room.
      that: y < 8
  do: |
    add k to y
    roll die from 1..2
- id: over
  prose: It is over when both counters are high.
  end: x >= 8 and y >= 8
- id: winner
  prose: The winner follows from the die.
  score: if player = 1 then die else 2
  winners: if die = 1 then 1 else 2
claims:
- id: apart
  prose: The counters are not both high.
  invariant: x + y < 14
"""
CAST = "add k to y\n    roll die from 1..2"
FAULTS = {
    "a limit": ("x < 8", "x < 6"),
    "an action too many": ("x < 8", "x < 10"),
    "a value": ("add 1 to x", "add 2 to x"),
    "a choice": ("k in 1..2", "k in 1..1"),
    "the outcomes of chance": (CAST, "add k to y\n    roll die from 1..3"),
    "a probability": (CAST, "add k to y\n    roll die from 1..4\n    die := if die = 1 then 1 else 2"),
    "a beginning too many": ("  setup: roll die from 1..2", "  setup: roll die from 1..3"),
    "a beginning too few": ("  setup: roll die from 1..2", "  setup: roll die from 1..1"),
    "an end": ("x >= 8 and y", "x >= 7 and y"),
    "a score": ("then die else 2", "then die else 1"),
    "the winners": ("winners: if die = 1", "winners: if die = 2"),
    "a claim": ("x + y < 14", "x + y < 15"),
}


def loaded(folder: Path, before: str = "title: Walk", after: str = "title: Walk") -> Game:
    """The game, or one whose rules differ."""
    assert before in RULES
    file = folder / "walk.yaml"
    file.write_text(RULES.replace(before, after))
    return load(file)


def conditions(game: Game) -> dict[str, n.Expr]:
    """The conditions of the claims of a game."""
    return {name: c.condition for name, c in game.claims.items() if c.condition is not None}


def with_code_of(other: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the code generator write the code of another game from now on, whatever game it is given."""
    theirs = conditions(other)

    def written(game: Game, named: dict[str, n.Expr]) -> Any:
        return write(other, {name: theirs[name] for name in named})

    monkeypatch.setattr(exploration_code, "write", written)
    exploration_code._cached_code.cache_clear()


def in_turn(faults: Iterable[str], ways: Sequence[Any]) -> list[tuple[str, Any]]:
    """Faults in either of two ways; every second case has each fault once, and the ways in turn."""
    return [(fault, ways[(i + k) % 2]) for i, fault in enumerate(faults) for k in (0, 1)]


@pytest.fixture
def game(tmp_path: Path) -> Game:
    return loaded(tmp_path)


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("fault", "ways"), in_turn(FAULTS, [False, True]))
def test_a_fault_of_the_code_is_found_among_all_states(
    fault: str, ways: bool, game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_code_of(loaded(tmp_path, *FAULTS[fault]), monkeypatch)
    states = explored(game, asked=conditions(game), ways=ways)
    assert states.closed
    with pytest.raises(Unlike):
        whole(states, "apart")


def test_the_code_of_the_game_itself_passes(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    with_code_of(game, monkeypatch)
    for ways in (False, True):
        states = explored(game, asked=conditions(game), ways=ways)
        assert whole(states, "apart").gone_through == states.states


def test_states_in_the_order_of_a_sum_are_compared(game: Game) -> None:
    states = explored(game, asked={"x": n.Get(game.state["x"].type, game.state["x"])}, cost="x")
    assert states.closed
    assert whole(states, "x").gone_through == states.states


def test_a_state_that_was_lost_is_missed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the kernel that explores: what follows is right, but one state was never stored."""
    states = explored(game)
    lost, number_of = states.row(states.states // 2), states.number_of
    monkeypatch.setattr(states, "number_of", lambda row: None if row == lost else number_of(row))
    with pytest.raises(Unlike, match="not explored"):
        whole(states)


def test_a_state_that_is_taken_for_another_is_missed(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fault of the kernel that compares rows: the number that it gives is that of another state."""
    states = explored(game)
    place_of = states.names["place_of"]
    monkeypatch.setitem(states.names, "place_of", lambda known, row: min(place_of(known, row), 20))
    with pytest.raises(Unlike, match="not explored"):
        whole(states)


def test_an_action_that_was_kept_wrongly_is_found(game: Game) -> None:
    states = explored(game, ways=True)
    outcome = int(states.ways[int(states.firsts[states.states // 2])])
    states.outs[outcome] = (int(states.outs[outcome]) + 1) % states.states
    with pytest.raises(Unlike, match="what is kept"):
        whole(states)


def test_of_a_bounded_exploration_the_last_states_are_not_followed(game: Game) -> None:
    states = explored(game, 60)
    assert not states.closed
    assert 0 < states.followed_whole < states.seen_count
    assert whole(states).gone_through == states.seen_count


@pytest.mark.sampled(2)
@pytest.mark.parametrize("drawn", [5, 30])
def test_a_fault_is_found_as_often_as_the_mathematics_says(
    drawn: int, game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of N states of which a are wrong, n that are drawn miss all with probability C(N - a, n) / C(N, n)."""
    with_code_of(loaded(tmp_path, *FAULTS["a limit"]), monkeypatch)
    states = explored(game)
    at = states.machine.variables.index(game.state["x"])
    wrong = sum(states.position(i).values[at] == 6 for i in range(states.states))
    probability = 1 - comb(states.states - wrong, drawn) / comb(states.states, drawn)
    assert 0.1 < probability < 0.999
    rounds, found = 60, 0
    for seed in range(rounds):
        try:
            SpotCheck(drawn, inf, Random(seed)).compare_explored(explored(game))
        except Unlike:
            found += 1
    assert abs(found - rounds * probability) <= 4 * sqrt(rounds * probability * (1 - probability))


# ---- searches


SEARCHED = "add k to y\n    die := k"


def searching(game: Game, named: bool) -> BestPlay:
    """The question for the value of best play, by who wins or by what the claim says of the end."""
    asked = {"apart": conditions(game)["apart"]}
    within = (-1, 2) if named else (-1, 1)
    return BestPlay(StateSpace(game, [asked]), "apart" if named else None, within, 0, Budget(300))


@pytest.mark.parametrize("named", [False, True])
def test_states_that_a_search_followed_are_compared(named: bool, tmp_path: Path) -> None:
    game = loaded(tmp_path, CAST, SEARCHED)
    check = SpotCheck(50, inf, Random(1))
    searching(game, named).bounds(check)
    assert (check.gone_through, check.total > 50) == (50, True)


FAULTS_OF_SEARCHES = {name: FAULTS[name] for name in FAULTS if CAST not in FAULTS[name][0]}


@pytest.mark.sampled(2)
@pytest.mark.parametrize(("fault", "by"), in_turn(FAULTS_OF_SEARCHES, ["a search", "a strategy"]))
def test_a_fault_of_the_code_is_found_in_a_search(
    fault: str, by: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys.modules[__name__], "RULES", RULES.replace(CAST, SEARCHED))
    game = loaded(tmp_path)
    with_code_of(loaded(tmp_path, *FAULTS_OF_SEARCHES[fault]), monkeypatch)
    question = searching(game, fault == "a claim")
    with pytest.raises(Unlike):
        if by == "a search":
            question.bounds(SpotCheck(LARGE, inf, Random(1)))
        else:
            low, high = question.bounds().span
            listed = question.strategies(low, high, LARGE)
            question.held_against(listed, SpotCheck(LARGE, inf, Random(1)))


@pytest.mark.parametrize("leaves_small", [False, True])
def test_the_interpreter_follows_a_small_strategy_whole(leaves_small: bool, tmp_path: Path) -> None:
    question = searching(loaded(tmp_path, CAST, SEARCHED), False)
    low, high = question.bounds().span
    listed = question.strategies(low, high, LARGE)
    found = question.held_against(listed, SpotCheck(10, inf, Random(1), leaves_small=leaves_small))
    assert ("by the interpreter" in found.how and "by generated code" not in found.how) == leaves_small
    assert ("10 of" in found.how) != leaves_small


# ---- how many states


class Watch:
    """A stopwatch that goes on by some seconds whenever it is looked at."""

    def __init__(self, step: float) -> None:
        self._times = count(step, step)

    @property
    def seconds(self) -> float:
        """The next time."""
        return next(self._times)


@pytest.mark.parametrize(
    ("step", "most", "leaves_small", "gone_through", "is_small"),
    [
        (0.0, 100, False, 100, False),
        (0.0, LARGE, False, None, False),
        (0.0, LARGE, True, BATCH, True),
        (0.4, LARGE, False, 3, False),
        (5.0, LARGE, True, 1, False),
    ],
)
def test_the_check_ends_with_the_states_or_the_time(
    step: float, most: int, leaves_small: bool, gone_through: int | None, is_small: bool,
    game: Game, monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(spot_check, "Stopwatch", lambda work: Watch(step))
    states = explored(game)
    assert states.states > 4 * BATCH
    check = SpotCheck(most, leaves_small=leaves_small)
    check.compare_explored(states)
    assert check.gone_through == (gone_through or states.states)
    assert (check.total, check.is_small) == (states.states, is_small)
    assert check.words.startswith(f"{check.gone_through:,} of {states.states:,} positions")


def test_states_are_drawn_by_the_system_and_never_twice(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn, image = list[int](), CodeStates.image

    def drawing(states: CodeStates, number: int, random: Random) -> Any:
        drawn.append(number)
        return image(states, number, random)

    monkeypatch.setattr(CodeStates, "image", drawing)
    for _ in range(2):
        assert isinstance(SpotCheck().random, SystemRandom)
        SpotCheck(50, inf).compare_explored(explored(game))
    assert len(set(drawn[:50])) == len(set(drawn[50:])) == 50
    assert drawn[:50] != drawn[50:]


# ---- further claims on the same states


def test_a_further_claim_is_compared_in_the_states_that_were_drawn_for_the_first(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    states, rows = explored(game, asked=conditions(game)), list[Sequence[Row]]()
    ways, answers = Comparison.ways, Comparison.answers
    monkeypatch.setattr(Comparison, "ways", lambda self, drawn: rows.append(drawn) or ways(self, drawn))
    monkeypatch.setattr(Comparison, "answers", lambda self, drawn: rows.append(drawn) or answers(self, drawn))
    first, second, third = SpotCheck(BATCH), SpotCheck(BATCH), SpotCheck(BATCH)
    first.compare_explored(states)
    second.compare_explored(states, ["apart"])
    third.compare_explored(states, ["apart"])
    assert len(rows) == 2  # nothing is left to compare for the third
    assert [*rows[0]] == [*rows[1]]
    assert first.gone_through == BATCH
    assert first.words == second.words == third.words


def test_a_fault_in_a_further_claim_is_found(
    game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with_code_of(loaded(tmp_path, *FAULTS["a claim"]), monkeypatch)
    states = explored(game, asked=conditions(game))
    assert whole(states).gone_through == states.states
    for _ in range(2):
        with pytest.raises(Unlike, match="apart"):
            whole(states, "apart")


@pytest.mark.parametrize("ways", [False, True])
def test_states_that_were_found_since_are_checked(
    ways: bool, game: Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that were drawn from a part of an exploration show nothing of the rest."""
    with_code_of(loaded(tmp_path, *FAULTS["a limit"]), monkeypatch)
    states = explored(game, 30, ways=ways)
    assert whole(states).gone_through == states.seen_count
    while states.deeper(lambda: "", LARGE):
        pass
    with pytest.raises(Unlike):
        whole(states)


@pytest.mark.parametrize("cost", ["", "x"])
def test_a_check_after_each_layer_goes_through_all_states(cost: str, game: Game) -> None:
    states = CodeStates(game, {"x": n.Get(game.state["x"].type, game.state["x"])}, cost=cost)
    while states.deeper(lambda: "", LARGE):
        assert whole(states).gone_through == states.seen_count
    assert states.closed


def test_the_last_states_are_followed_once_they_are_known_to_be_the_last(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of states stays the same when an exploration is found to be whole."""
    states, layers = CodeStates(game), len(explored(game).counts)
    for _ in range(layers):
        assert states.deeper(lambda: "", LARGE)
    assert whole(states).gone_through == states.states
    assert not states.deeper(lambda: "", LARGE)
    assert states.closed
    lost, number_of = states.row(states.states - 1), states.number_of
    monkeypatch.setattr(states, "number_of", lambda row: None if row == lost else number_of(row))
    with pytest.raises(Unlike, match="not explored"):
        whole(states)


def test_a_check_counts_for_no_other_exploration_of_the_game(game: Game) -> None:
    first, second = explored(game, ways=True), explored(game, ways=True)
    whole(first)
    outcome = int(second.ways[int(second.firsts[second.states // 2])])
    second.outs[outcome] = (int(second.outs[outcome]) + 1) % second.states
    with pytest.raises(Unlike, match="what is kept"):
        whole(second)


def test_a_claim_that_was_compared_in_a_part_is_compared_again(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    states, compared = explored(game, asked=conditions(game)), list[int]()
    answers = Comparison.answers
    monkeypatch.setattr(
        Comparison, "answers", lambda self, rows: compared.append(len(rows)) or answers(self, rows)
    )

    def gone_through(step: float, *questions: str) -> int:
        monkeypatch.setattr(spot_check, "Stopwatch", lambda work: Watch(step))
        check = SpotCheck(LARGE, 1.0)
        check.compare_explored(states, questions)
        return check.gone_through

    assert gone_through(0.0) == states.states
    assert gone_through(5.0, "apart") == 1
    assert gone_through(0.0, "apart") == states.states
    assert len(compared) == 2
    assert gone_through(5.0, "apart") == states.states
    assert len(compared) == 2


def test_the_interpreter_goes_through_a_small_exploration_for_each_claim(
    game: Game, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spot_check, "Stopwatch", lambda work: Watch(0.0))
    states = explored(game, asked=conditions(game))
    for questions in ((), ("apart",), ("apart",)):
        check = SpotCheck(leaves_small=True)
        check.compare_explored(states, questions)
        assert check.is_small
    check = SpotCheck()
    check.compare_explored(states)
    assert (check.is_small, check.gone_through) == (False, states.states)


def test_states_of_the_interpreter_are_not_checked(game: Game) -> None:
    states = InterpreterStates(game)
    states.deeper(lambda: "", LARGE)
    check = SpotCheck()
    check.compare_explored(states)
    assert (check.total, check.words) == (0, "")
