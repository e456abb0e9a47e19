"""Many games side by side, each with a state and a source of chance of its own, for programs that learn.

`begin_all` begins every game, `advance` takes an action in each, `sample` chooses one of the legal actions of
each, and `observe_all` writes what players see. Where the buffer m has no room for the legal actions of a
game, the number of that game is returned, and nothing of it has changed.
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
"""The end of a game that stored a value which its place does not hold."""
FEW = 64
"""So many legal actions of a game are listed; where there are more, only the mask has them."""
Games = tuple[Numbers, Words, Words, Numbers, Numbers, Small, Words]
"""Of each game the numbers and the words of its state, the state of its source of chance, how many games have
begun in its place, the plies of the present one, and its legal actions where they are few; then the word that
all chance follows from."""
Shown = tuple[Words, Small, Small, Small, Small, Small, Numbers]
"""Of each game a byte for each action, 1 if it is legal; the number of legal actions; the position of the
player to move, or -1; whether the last step ended a game, and how; then for each player whether that player
has won it, and the score."""


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
    """Put a game where plies are made."""
    copy_cells(now[0], 0, games[0], i * CELLS)
    for k in range(WORDS):
        now[1][k] = games[1][i * WORDS + k]
    now[2][STATE] = games[2][i]
    now[2][RANDOM] = ONE
    now[2][DRAWS] = ZERO


@part
def keep_game(games: Games, i: int, now: Play) -> None:
    """Keep a game as it is now."""
    s, b, c, _ = now
    cells, words, sources, _, _, _, _ = games
    copy_cells(cells, i * CELLS, s, 0)
    for k in range(WORDS):
        words[i * WORDS + k] = b[k]
    sources[i] = c[STATE]


@part
def begin(root: State, base: Words, i: int, begun: int, now: Play) -> int:
    """Set up a game with a source of chance that follows from its place and number; its legal actions."""
    s, b, c, m = now
    put_state(root[0], root[1], 0, s, b)
    c[STATE] = mix(base[0] ^ mix(as_word(i) ^ mix(as_word(begun)))) | ONE
    c[RANDOM] = ONE
    c[DRAWS] = ZERO
    m[0] = SETTING_UP
    return play(s, b, c, m, 0)


@part
def clear_bytes(mask: Words, first: int, size: int) -> None:
    """Clear so many bytes from one on."""
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
    """Show the legal actions of a game, of which so many are listed in m, and who moves."""
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
    """Show how a game stands after a step: not over (a status above 0), ended (0) or faulted."""
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
    """Begin all games from one on; the number of the first for which there is no room, else how many."""
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
    """Take an action in each game from one on; games that are over stay as they are.

    Where a game ends, the next one begins in its place if games are renewed. The number of the first game for
    which there is no room, else how many there are.
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
    """The number of the first game that goes on and whose action is not legal, else how many there are."""
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
    """Choose one of the legal actions of each game at random; -1 where there is none."""
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
    """Write what a player sees in each game; below 0 the player who moves next, or moved last."""
    s, b, _, _ = now
    for i in range(size):
        put_game(games, i, now)
        put_observation(s, b, s[MOVER_AT] if viewer < 0 else viewer, seen, i * OBSERVED)
    return size
