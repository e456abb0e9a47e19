"""Single plies by the numbers of actions, for programs that play from outside."""

from __future__ import annotations

from .game import ENDED_AT, MOVER_AT, NUMBERED, WIDTH, play, score, winners
from .kit import ASKED, BIT, DRAWS, GIVEN, RANDOM, USED, ZERO, as_word, fast, part
from .numbering import number_of, put_action, put_observation
from .shapes import Play, Small, State


@part
def sort(listed: Small, n: int) -> None:
    """Put the first n elements in ascending order (Shell sort, quick where they nearly are)."""
    gap = 0
    for i in range(1, n):
        if listed[i] < listed[i - 1]:
            gap = n // 2
            break
    while gap > 0:
        for i in range(gap, n):
            x = listed[i]
            j = i
            while j >= gap:
                if listed[j - gap] <= x:
                    break
                listed[j] = listed[j - gap]
                j -= gap
            listed[j] = x
        gap = gap // 2


@fast
def take(number: int, draws: int, given: int, now: Play, legal: Small) -> tuple[int, int, int]:
    """Take the action with a number, or below 0 what lies at the beginning of m, after so many draws.

    Chance replays the picks that are given. The number of legal actions that follow, or a negative status;
    how play ended where it did; and who moves then. The numbers of the actions come to stand in `legal`,
    ascending; where actions have none, only their rows in m.
    """
    s, b, c, m = now
    c[RANDOM] = ZERO
    c[GIVEN] = as_word(given)
    c[USED] = ZERO
    c[ASKED] = ZERO
    c[DRAWS] = as_word(draws)
    if number >= 0:
        put_action(m, number)
    n = play(s, b, c, m, 0)
    if NUMBERED:
        for i in range(n):
            legal[i] = number_of(m, i * WIDTH)
        sort(legal, n)
    return n, s[ENDED_AT], s[MOVER_AT]


@fast
def is_winner(player: int, now: State) -> int:
    """1 if a player has won a play that is over."""
    return 1 if winners(now[0], now[1]) & BIT[player] != ZERO else 0


@fast
def points(player: int, now: State) -> int:
    """The score of a player in a game that has scores."""
    return score(now[0], now[1], player)


@fast
def observe(viewer: int, now: State, seen: Small) -> None:
    """Write what a player sees in a state."""
    put_observation(now[0], now[1], viewer, seen, 0)
