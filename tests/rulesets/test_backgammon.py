"""Backgammon: plays by a generator of whole turns written anew, and the last men by a published table."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from functools import cache
from itertools import combinations_with_replacement, product

import pytest
from shipped_games import load

from rulespec.play.face import State

Points = tuple[int, ...]
"""The men of a player by point: 0 is off the board, 25 the bar."""
Step = tuple[int, int]
ONE_THROW = {
    (6, 0): 27, (6, 1): 15, (5, 2): 19, (4, 4): 11, (3, 3): 17, (5, 5): 6, (6, 6): 4,
}  # fmt: skip
"""The throws of 36 that bear off the last two men (Jacoby and Crawford, The Backgammon Book, 1970)."""


def steps(own: Points, other: Points, die: int) -> Iterator[tuple[Step, Points, Points]]:
    """The ways to use a die, each with the men afterwards."""
    home = not any(own[7:])
    for point in (25,) if own[25] else range(24, 0, -1):
        to = point - die
        if not own[point] or (to > 0 and other[25 - to] > 1):
            continue
        if to <= 0 and not (home and (to == 0 or not any(own[point + 1 :]))):
            continue
        mine, theirs = [*own], [*other]
        mine[point] -= 1
        mine[max(to, 0)] += 1
        if to > 0 and theirs[25 - to]:
            theirs[25 - to] -= 1
            theirs[25] += 1
        yield (point, die), tuple(mine), tuple(theirs)


def turns(own: Points, other: Points, dice: tuple[int, ...]) -> set[tuple[tuple[Step, ...], Points, Points]]:
    """All legal turns: as many dice as can be, and the higher of two if only one can be."""
    found = set()

    def go_on(own: Points, other: Points, left: tuple[int, ...], done: tuple[Step, ...]) -> None:
        found.add((done, own, other))
        for die in {*left}:
            rest = [*left]
            rest.remove(die)
            for step, mine, theirs in steps(own, other, die):
                go_on(mine, theirs, tuple(rest), (*done, step))

    go_on(own, other, dice, ())
    most = max(len(done) for done, *_ in found)
    longest = {turn for turn in found if len(turn[0]) == most}
    if most == 1 and len(dice) == 2:
        high = max(done[0][1] for done, *_ in longest)
        longest = {turn for turn in longest if turn[0][0][1] == high}
    return longest


def points_of(state: State, player: int) -> Points:
    on: Points = state.values["on"][player - 1]
    return on


def dice_of(state: State) -> tuple[int, ...]:
    return tuple(d for d, count in enumerate(state.values["dice"], 1) for _ in range(count))


def firsts(state: State) -> set[Step]:
    """The legal steps of a state."""
    texts = (str(action).split(" by ") for action in state.actions() if str(action) != "pass")
    return {(25 if point == "bar" else int(point), int(die)) for point, die in texts}


def ends(state: State, mover: int) -> set[Points]:
    """The men of both after the turn, by every way to play it on."""
    if state.is_over or state.to_move != mover or not any(state.values["dice"]):
        return {points_of(state, 1) + points_of(state, 2)}
    return set().union(*(ends(state.play(action), mover) for action in state.actions()))


THROWS = [*combinations_with_replacement(range(1, 7), 2)]


def thrown(one: int, two: int) -> tuple[int, ...]:
    return (one,) * 4 if one == two else (one, two)


@pytest.mark.parametrize("one, two", [throw for throw in THROWS if throw[0] != throw[1]])
def test_opening_turns_are_those_by_hand(one: int, two: int) -> None:
    start = load("backgammon").start(seed=1).to_data()
    state = load("backgammon").position({"on": start["on"], "dice": [one, two], "mover": 1}, seed=1)
    own, other = points_of(state, 1), points_of(state, 2)
    wanted = turns(own, other, (one, two))
    assert firsts(state) == {done[0] for done, *_ in wanted}
    assert ends(state, 1) == {mine + theirs for _, mine, theirs in wanted}


def test_steps_of_random_games_are_those_by_hand() -> None:
    """Every position at the start of a turn, with men on the bar, closed points and men borne off."""
    rng, tried = random.Random(7), 0
    state, fresh = load("backgammon").start(seed=7), True
    while not state.is_over:
        mover = state.to_move
        if fresh:
            own, other = points_of(state, mover), points_of(state, 3 - mover)
            wanted = turns(own, other, dice_of(state))
            assert firsts(state) == {done[0] for done, *_ in wanted if done}
            tried += 1
        before = sum(state.values["dice"])
        state = state.play(rng.choice(state.actions()))
        fresh = state.to_move != mover or sum(state.values["dice"]) >= before
    assert tried > 40


@cache
def bears_off(men: tuple[int, ...], dice: tuple[int, ...]) -> bool:
    """True if the ruleset has a way to bear off all men with these dice."""
    own = {str(m): men.count(m) for m in men} | {"off": 15 - len(men)}
    given = {"on": {"1": own, "2": {"6": 15}}, "dice": [*dice], "mover": 1}
    state = load("backgammon").position(given, seed=1)

    def done(state: State) -> bool:
        if state.is_over or state.to_move != 1:
            return state.is_over
        return any(done(state.play(action)) for action in state.actions())

    return done(state)


@pytest.mark.parametrize("men", ONE_THROW)
def test_last_men_leave_by_as_many_throws_as_published(men: tuple[int, ...]) -> None:
    left = tuple(point for point in men if point)
    throws = sum(bears_off(left, thrown(a, b)) for a, b in product(range(1, 7), repeat=2))
    assert throws == ONE_THROW[men]


@cache
def gain(own: Points, other: Points) -> Fraction:
    """What the player to roll is ahead on average if both bear off as well as they can."""
    total = Fraction(0)
    for throw in product(range(1, 7), repeat=2):
        results = {mine for _, mine, _ in turns(own, (0,) * 26, thrown(*throw))}
        total += max(Fraction(1) if not any(mine[1:]) else -gain(other, mine) for mine in results)
    return total / 36


def test_the_last_men_are_worth_what_the_claim_says() -> None:
    state = load("backgammon-last-men").start(seed=1)
    claim = state.game.core.claims["odds"]
    assert gain(points_of(state, 1), points_of(state, 2)) == Fraction(claim.options["is"])
