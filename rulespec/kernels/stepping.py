"""Single plies by the numbers of actions, for callers outside."""

from __future__ import annotations

from .game import ENDED_AT, MOVER_AT, NUMBERED, WIDTH, play, score, winners
from .kit import ASKED, BIT, DRAWS, GIVEN, RANDOM, USED, ZERO, as_word, fast, part
from .numbering import number_of, put_action, put_observation
from .shapes import Play, Small, State


@part
def sort(listed: Small, n: int) -> None:
    """Sort the first n elements (Shell sort, fast if they are almost sorted)."""
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
    """Play the action with a number, or the row at the beginning of m if it is negative, after `draws` draws.

    Chance replays the given picks. Returns the number of legal actions, or a negative status; the end if play
    ended; and the player to move. The numbers of the actions are written to `legal`, ascending; if actions
    have no numbers, only their rows are, in m.
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
    """1 if a player has won a finished play, else 0."""
    return 1 if winners(now[0], now[1]) & BIT[player] != ZERO else 0


@fast
def points(player: int, now: State) -> int:
    """The score of a player in a game that has scores."""
    return score(now[0], now[1], player)


@fast
def observe(viewer: int, now: State, seen: Small) -> None:
    """Write a player's observation of a state."""
    put_observation(now[0], now[1], viewer, seen, 0)
