"""Many games side by side, each with its own state and source of chance, for programs that learn.

`begin_all` begins every game, `advance` plays an action in each, `sample` chooses a legal action of each, and
`observe_all` writes observations. If the buffer m is too small for the legal actions of a game, the number of
that game is returned, and the game is unchanged.
"""

from __future__ import annotations

from .game import (
    ACTIONS,
    CELLS,
    ENDED_AT,
    FIRST_NUMBER,
    FIRST_PLAYER,
    LAST_PLAYER,
    MOVER_AT,
    OBSERVED,
    SCORED,
    SETTING_UP,
    WIDTH,
    WORDS,
    play,
    score,
    winners,
)
from .kit import (
    BIT,
    DRAWS,
    FAULT,
    FULL,
    FULL_WORD,
    ONE,
    RANDOM,
    STATE,
    ZERO,
    as_word,
    choose,
    count,
    fast,
    mix,
    nth,
    part,
)
from .numbering import number_of, put_action, put_observation
from .shapes import Numbers, Play, Small, State, Words
from .starts import put_state

FAULTED = -1
"""The end of a game that stored a value which does not fit its place."""
FEW = 64
"""Up to this many legal actions of a game are listed; if there are more, only the mask has them."""
Games = tuple[Numbers, Words, Words, Numbers, Numbers, Small, Words]
"""For each game: numbers and words of its state, the state of its source of chance, number of games begun
in its place, plies of the present one, and its legal actions if they are few; then the word on which all
chance depends."""
Shown = tuple[Words, Small, Small, Small, Small, Small, Numbers]
"""For each game: a byte for each action, 1 if it is legal; number of legal actions; position of the player
to move, or -1; whether the last step ended a game, and how; then for each player 1 for a win, and the
score."""


@part
def copy_cells(to: Numbers, at: int, cells: Numbers, first: int) -> None:
    """Copy the numbers of a state, four at a time."""
    for k in range(0, CELLS - 3, 4):
        to[at + k] = cells[first + k]
        to[at + k + 1] = cells[first + k + 1]
        to[at + k + 2] = cells[first + k + 2]
        to[at + k + 3] = cells[first + k + 3]
    for k in range(CELLS // 4 * 4, CELLS):
        to[at + k] = cells[first + k]


@part
def put_game(games: Games, i: int, now: Play) -> None:
    """Load a game into the arrays in which plies are played."""
    copy_cells(now[0], 0, games[0], i * CELLS)
    for k in range(WORDS):
        now[1][k] = games[1][i * WORDS + k]
    now[2][STATE] = games[2][i]
    now[2][RANDOM] = ONE
    now[2][DRAWS] = ZERO


@part
def keep_game(games: Games, i: int, now: Play) -> None:
    """Store the current state of a game."""
    s, b, c, _ = now
    cells, words, sources, _, _, _, _ = games
    copy_cells(cells, i * CELLS, s, 0)
    for k in range(WORDS):
        words[i * WORDS + k] = b[k]
    sources[i] = c[STATE]


@part
def begin(root: State, base: Words, i: int, begun: int, now: Play) -> int:
    """Set up a game, with chance derived from its place and number; return the number of legal actions."""
    s, b, c, m = now
    put_state(root[0], root[1], 0, s, b)
    c[STATE] = mix(base[0] ^ mix(as_word(i) ^ mix(as_word(begun)))) | ONE
    c[RANDOM] = ONE
    c[DRAWS] = ZERO
    m[0] = SETTING_UP
    return play(s, b, c, m, 0)


@part
def clear_bytes(mask: Words, first: int, size: int) -> None:
    """Clear `size` bytes."""
    end = first + size
    word, last = first >> 3, end >> 3
    before = (ONE << (8 * (first & 7))) - ONE
    after = FULL_WORD ^ ((ONE << (8 * (end & 7))) - ONE)
    if word == last:
        mask[word] &= before | after
    else:
        mask[word] &= before
        for i in range(word + 1, last):
            mask[i] = ZERO
        if end & 7 != 0:
            mask[last] &= after


@part
def show_legal(i: int, n: int, now: Play, listed: Small, shown: Shown) -> None:
    """Write the mask, number and list of a game's legal actions, n of which are in m, and its mover."""
    mask, counts, movers, _, _, _, _ = shown
    size = FIRST_NUMBER[ACTIONS]
    if counts[i] > FEW:
        clear_bytes(mask, i * size, size)
    else:
        for k in range(i * FEW, i * FEW + counts[i]):
            at = i * size + listed[k]
            mask[at >> 3] &= FULL_WORD ^ (ONE << (8 * (at & 7)))
    for k in range(n):
        number = number_of(now[3], k * WIDTH)
        if k < FEW:
            listed[i * FEW + k] = number
        at = i * size + number
        mask[at >> 3] |= ONE << (8 * (at & 7))
    counts[i] = max(n, 0)
    movers[i] = now[0][MOVER_AT] - FIRST_PLAYER if n > 0 else -1


@part
def show_end(i: int, status: int, now: Play, shown: Shown) -> None:
    """Write the status of a game after a step: not over (a status above 0), ended (0) or faulted."""
    s, b, _, _ = now
    _, _, _, over, ended, won, scores = shown
    over[i] = 0 if status > 0 else 1
    ended[i] = 0
    if status <= 0:
        ended[i] = FAULTED if status == FAULT else s[ENDED_AT]
    players = LAST_PLAYER - FIRST_PLAYER + 1
    found = ZERO
    if status == 0:
        found = winners(s, b)
    for player in range(FIRST_PLAYER, LAST_PLAYER + 1):
        at = i * players + player - FIRST_PLAYER
        won[at] = 1 if found & BIT[player] != ZERO else 0
        points = 0
        if SCORED and status <= 0:
            points = score(s, b, player)
        scores[at] = points


@fast
def begin_all(first: int, size: int, root: State, now: Play, games: Games, shown: Shown) -> int:
    """Begin all games from number `first`; return the number of the first game without room, else `size`."""
    for i in range(first, size):
        begun = games[3][i] + 1
        n = begin(root, games[6], i, begun, now)
        if n == FULL:
            return i
        games[3][i] = begun
        games[4][i] = 0
        show_end(i, n, now, shown)
        show_legal(i, n, now, games[5], shown)
        keep_game(games, i, now)
    return size


@fast
def advance(
    first: int,
    size: int,
    renews: int,
    root: State,
    now: Play,
    games: Games,
    shown: Shown,
    actions: Small,
) -> int:
    """Play an action in each game from number `first`; finished games stay as they are.

    If a game ends, the next one begins in its place if `renews`. Returns the number of the first game without
    room, else `size`.
    """
    s, b, c, m = now
    for i in range(first, size):
        if shown[1][i] == 0:
            continue
        put_game(games, i, now)
        put_action(m, actions[i])
        n = play(s, b, c, m, 0)
        if n == FULL:
            return i
        if n == FAULT:
            put_game(games, i, now)
        show_end(i, n, now, shown)
        plies, begun = games[4][i] + 1, games[3][i]
        if n <= 0 and renews != 0:
            plies, begun = 0, begun + 1
            n = begin(root, games[6], i, begun, now)
            if n == FULL:
                return i
        games[4][i] = plies
        games[3][i] = begun
        show_legal(i, n, now, games[5], shown)
        keep_game(games, i, now)
    return size


@fast
def illegal(size: int, shown: Shown, actions: Small) -> int:
    """The number of the first unfinished game whose action is not legal, else the number of games."""
    mask, counts, _, _, _, _, _ = shown
    each = FIRST_NUMBER[ACTIONS]
    for i in range(size):
        if counts[i] != 0:
            number = actions[i]
            if number < 0 or number >= each:
                return i
            at = i * each + number
            if mask[at >> 3] >> (8 * (at & 7)) & ONE == ZERO:
                return i
    return size


@fast
def sample(size: int, source: Words, listed: Small, shown: Shown, actions: Small) -> int:
    """Choose a random legal action for each game; -1 for a game without one."""
    mask, counts, _, _, _, _, _ = shown
    for i in range(size):
        if counts[i] == 0:
            actions[i] = -1
            continue
        k = choose(source, counts[i])
        if counts[i] <= FEW:
            actions[i] = listed[i * FEW + k]
            continue
        first = i * FIRST_NUMBER[ACTIONS]
        at = first >> 3
        left = mask[at] & (FULL_WORD ^ ((ONE << (8 * (first & 7))) - ONE))
        held = count(left)
        while k >= held:
            k -= held
            at += 1
            left = mask[at]
            held = count(left)
        actions[i] = 8 * at + (nth(left, k) >> 3) - first
    return size


@fast
def observe_all(size: int, viewer: int, now: Play, games: Games, seen: Small) -> int:
    """Write a player's observation of each game; for a negative viewer that of the mover, or the last one."""
    s, b, _, _ = now
    for i in range(size):
        put_game(games, i, now)
        put_observation(s, b, s[MOVER_AT] if viewer < 0 else viewer, seen, i * OBSERVED)
    return size
