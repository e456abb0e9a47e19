"""Depth-first search led by preferences that are learned on the way.

`probe` searches depth first from the start, always trying the action that it likes best: the learned `policy`
for similar actions plus luck (a Gumbel variate, so that the first choice is a draw from the policy's
softmax). It backtracks at dead ends, and gives up after a number of plies. States from which everything was
tried are kept by hash in `dead` and never entered again, so a probe that has backtracked from the start has
seen every play. A state that leads back to one on the path leaves nothing out: the start leads to it through
states that were not dead then, so a probe that has backtracked from the start has been there. `learn` makes
the actions of the best play so far likelier, as in nested rollout policy adaptation (Rosin, IJCAI 2011), with
probes in place of playouts.

The functions share tuples of arrays:

    now      the state and what the game's code needs: s, b, c, m
    root     the start: its numbers, its words, its legal actions
    stack    for each depth the numbers and words of a state; its legal actions as rows, how much each is
             liked, its kind; how many are left to try, where they begin, which was tried last;
             the hash of the state; the source of chance before that was tried; whether something was left
             out below
    mind     `dead`, `policy`, and `luck`, the variates
    tally    total plies played; hashes kept; 1 when every play was seen; plies of the play that reached the
             goal, whose rows are those tried last; 1 when m was too short; depth of the stack
"""

from __future__ import annotations

from .game import CELLS, WIDTH, WORDS, alive, exponential, far, play
from .kit import DRAWS, FAULT, NONE, ONE, STATE, ZERO, as_number, as_word, choose, fast, mix, part, word
from .shapes import Numbers, Play, Reals, Root, Word, Words
from .starts import copy_action, kind_of, put_state, restart, same_action

Stack = tuple[
    Numbers, Words, Numbers, Reals, Numbers, Numbers, Numbers, Numbers, Words, Words, Numbers
]  # fmt: skip
"""See above."""
Mind = tuple[Words, Reals, Reals]
"""Hashes of exhausted states, the policy, the random variates."""
Search = tuple[Numbers, Root, Play, Stack, Mind, Numbers, Numbers]
"""The limits, the start, the arrays above, a noted play, the tally."""

LUCK = 4096
"""Number of variates to draw from."""
PLACE = 1 << 44
"""Neighbouring places of a state are hashed as if this far apart."""
ALL = word(0xFFFFFFFFFFFFFFFF)
TRIES = 16
"""Number of places in which a hash may be kept."""


@part
def state_hash(s: Numbers, b: Words) -> Word:
    """A nonzero hash of a state."""
    h = ONE
    for i in range(CELLS):
        h = (h + mix(as_word(s[i] - NONE + i * PLACE))) & ALL
    for i in range(WORDS):
        h = (h + mix(mix(b[i]) ^ as_word(i + 1))) & ALL
    return h | ONE


@part
def place_of(table: Words, h: Word) -> int:
    """The place of a hash in a table, a free place for it, or an occupied one if there is no room."""
    mask = len(table) - 1
    at = as_number(h >> ONE) & mask
    for _ in range(TRIES):
        if table[at] == h or table[at] == ZERO:
            return at
        at = (at + 1) & mask
    return at


@part
def enter(depth: int, h: Word, n: int, now: Play, stack: Stack, policy: Reals, luck: Reals) -> None:
    """Push the state with hash h and its n legal actions on the stack."""
    s, b, c, m = now
    cells, words, rows, liking, kinds, left, firsts, _, hashes, _, unsure = stack
    hashes[depth] = h
    unsure[depth] = 0
    for i in range(CELLS):
        cells[depth * CELLS + i] = s[i]
    for i in range(WORDS):
        words[depth * WORDS + i] = b[i]
    first = firsts[depth]
    for i in range(n * WIDTH):
        rows[first * WIDTH + i] = m[i]
    for i in range(n):
        kind = kind_of(m, i, len(policy))
        kinds[first + i] = kind
        liking[first + i] = policy[kind] + luck[choose(c, LUCK)]
    left[depth] = n
    firsts[depth + 1] = first + n


@part
def favourite(first: int, n: int, rows: Numbers, liking: Reals, kinds: Numbers) -> int:
    """Move the best-liked of n actions behind the others, and return its place."""
    best, last = first, first + n - 1
    for i in range(first + 1, first + n):
        if liking[i] > liking[best]:
            best = i
    liking[best], liking[last] = liking[last], liking[best]
    kinds[best], kinds[last] = kinds[last], kinds[best]
    for i in range(best * WIDTH, best * WIDTH + WIDTH):
        k = i + (last - best) * WIDTH
        rows[i], rows[k] = rows[k], rows[i]
    return last


@part
def take_up(depth: int, at: int, now: Play, stack: Stack) -> None:
    """Restore the state at a depth of the stack, with one of its legal actions in m."""
    put_state(stack[0], stack[1], depth, now[0], now[1])
    copy_action(now[3], 0, stack[2], at)


@part
def on_the_way(depth: int, h: Word, hashes: Words) -> bool:
    """True if a state is on the stack up to a depth."""
    while depth >= 0 and hashes[depth] != h:
        depth -= 1
    return depth >= 0


@part
def note(plies: int, firsts: Numbers, chosen: Numbers, kinds: Numbers, play_: Numbers) -> None:
    """Record a play for `learn`: the number of plies, and for each its kinds and the chosen one."""
    most = (len(chosen) - 1) * 3 + 1
    play_[0] = plies
    for i in range(plies):
        play_[1 + 3 * i] = most + firsts[i]
        play_[2 + 3 * i] = firsts[i + 1] - firsts[i]
        play_[3 + 3 * i] = most + chosen[i]
    for i in range(firsts[plies]):
        play_[most + i] = kinds[i]


@part
def probe(depth: int, budget: int, n: int, search: Search) -> int:
    """Probe from the root; record the play to the best state seen, and return that state's distance.

    Pass -1 as depth for a probe from the start, which has n legal actions in m; a probe that gave up
    continues from the depth that it left in the tally.
    """
    limits, _, now, stack, mind, play_, tally = search
    s, b, c, m = now
    _, _, rows, liking, kinds, left, firsts, chosen, hashes, sources, unsure = stack
    dead, policy, luck = mind
    plies, most = 0, len(chosen) - 1
    best = far(s, b, limits)
    play_[0] = 0
    if depth < 0:
        depth = 0
        firsts[0] = 0
        enter(0, state_hash(s, b), n, now, stack, policy, luck)
    while depth >= 0:
        if left[depth] == 0:
            if unsure[depth] == 0:
                free = place_of(dead, hashes[depth])
                if dead[free] == ZERO:
                    dead[free] = hashes[depth]
                    tally[1] += 1
            elif depth > 0:
                unsure[depth - 1] = 1
            depth -= 1
            continue
        if plies == budget:
            break
        at = favourite(firsts[depth], left[depth], rows, liking, kinds)
        left[depth] -= 1
        chosen[depth] = at
        sources[depth] = c[STATE]
        draws = c[DRAWS]
        take_up(depth, at, now, stack)
        n = play(s, b, c, m, 0)
        plies += 1
        if c[DRAWS] != draws:
            unsure[depth] = 1
        if n < 0:
            if n < FAULT:
                unsure[depth] = 1
                tally[4] = 1
            continue
        if not alive(s, b, limits):
            continue
        distance = far(s, b, limits)
        if distance < best or (distance == best and depth >= play_[0]):
            best = distance
            note(depth + 1, firsts, chosen, kinds, play_)
            if distance == 0:
                tally[3] = depth + 1
                break
        if n == 0:
            continue
        h = state_hash(s, b)
        if dead[place_of(dead, h)] == h:
            continue
        if on_the_way(depth, h, hashes):
            continue
        if depth + 1 == most or firsts[depth + 1] + n > len(kinds):
            unsure[depth] = 1
            continue
        depth += 1
        enter(depth, h, n, now, stack, policy, luck)
    tally[0] += plies
    tally[5] = depth
    if depth < 0 and unsure[0] == 0:
        tally[2] = 1
    return best


@fast
def learn(policy: Reals, play_: Numbers, rate: float) -> None:
    """Make the actions of a play likelier relative to the alternatives."""
    for ply in range(play_[0]):
        first, n = play_[1 + 3 * ply], play_[2 + 3 * ply]
        total = 0.0
        for i in range(first, first + n):
            total += exponential(policy[play_[i]])
        for i in range(first, first + n):
            kind = play_[i]
            policy[kind] -= rate * exponential(policy[kind]) / total
        policy[play_[play_[3 + 3 * ply]]] += rate


@part
def copy_play(to: Numbers, play_: Numbers) -> None:
    """Copy a recorded play over another."""
    used = 1
    if play_[0] > 0:
        last = 3 * play_[0]
        used = play_[last - 2] + play_[last - 1]
    for i in range(used):
        to[i] = play_[i]


@fast
def probes(count: int, budget: int, rate: float, best: int, best_play: Numbers, search: Search) -> int:
    """Run `count` probes, learning from the best play after each; return the least distance from the goal.

    `best` is the distance of the previous best play. Ends early if the goal is reached or every play was
    seen.
    """
    _, root, now, _, mind, play_, tally = search
    for _ in range(count):
        restart(now, root)
        found = probe(-1, budget, len(root[2]) // WIDTH, search)
        if found <= best:
            best = found
            copy_play(best_play, play_)
        if tally[2] != 0 or tally[3] != 0:
            break
        learn(mind[1], best_play, rate)
    return best


@fast
def wander(budget: int, most: int, search: Search) -> int:
    """Play at random for about `budget` plies; return the greatest number of plies of a play, at most `most`.

    Of the stack only the actions, those chosen and the source of chance are in use: one of each for a ply. If
    a play reaches the goal its number of plies stands in the tally.
    """
    limits, root, now, stack, _, _, tally = search
    s, b, c, m = now
    _, _, rows, _, _, _, _, chosen, _, sources, _ = stack
    plies, longest = 0, 0
    while plies < budget and tally[3] == 0:
        restart(now, root)
        n, depth = len(root[2]) // WIDTH, 0
        while n > 0 and depth < most:
            k = choose(c, n)
            copy_action(rows, depth, m, k)
            chosen[depth] = depth
            sources[depth] = c[STATE]
            n = play(s, b, c, m, k * WIDTH)
            plies += 1
            depth += 1
            if n < FAULT:
                tally[4] = 1
            if n < 0 or not alive(s, b, limits):
                break
            if far(s, b, limits) == 0:
                tally[3] = depth
                break
        longest = max(longest, depth)
        if tally[4] != 0 or depth == 0:
            break
    tally[0] += plies
    return longest


@fast
def sweep(depth: int, budget: int, search: Search) -> int:
    """Run one probe that the next call continues, and that sees every play in the end; see `probe`."""
    root = search[1]
    restart(search[2], root)
    return probe(depth, budget, len(root[2]) // WIDTH, search)


@fast
def fits(
    count: int, plies: int, rows: Numbers, starts: Root, open_: Numbers, limits: Numbers, now: Play
) -> int:
    """Set each of `count` open starts (0) to 1 if a play is possible there and leads to the goal.

    starts: for each its numbers and words, and the row that lists its legal actions. rows: the actions of the
    play. Returns the number of starts set to 1; -2 if m was too short.
    """
    s, b, c, m = now
    cells, words, resume = starts
    found = 0
    for i in range(count):
        if open_[i] != 0:
            continue
        put_state(cells, words, i, s, b)
        m[0] = resume[0]
        n = play(s, b, c, m, 0)
        done = 0
        while n > 0 and done < plies:
            at = 0
            while at < n and not same_action(m, at, rows, done):
                at += 1
            if at == n:
                break
            n = play(s, b, c, m, at * WIDTH)
            done += 1
        if n < FAULT:
            return n
        if n >= 0 and done == plies and far(s, b, limits) == 0:
            open_[i] = 1
            found += 1
    return found
