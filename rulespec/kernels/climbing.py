"""Plays improved by small changes.

A *plan* is a sequence of actions. It is *followed* from the start: every state plays the first of its actions
that is legal and not yet played, or any legal action if there is none. The resulting play is a plan again.
`climb` changes a plan (any action at some ply; one action tried earlier, later or last; all actions of one
name forgotten), follows it, and continues with the result if that is not much worse than the best so far.
This is record-to-record travel (Dueck 1993), whose only parameter is the slack.

The functions share tuples of arrays:

    now      the state and what the game's code needs: s, b, c, m
    root     the start: its numbers, its words, its legal actions
    plan     rows of actions, the kind of each, the source of chance before each
    marks    by kind: the number of the state in which an action of it was last legal, and its row
    held     the order in which a plan's actions are tried; which of them were played
    tally    total plies played; states seen; steps taken; actions of the plan; distance of the best of this
             round; distance of the best of all, and its number of actions; 1 when m was too short; plies
             of the last play, and after how many of them it was best
"""

from __future__ import annotations

from .game import WIDTH, measure, play
from .kit import ONE, STATE, choose, fast, mix, part
from .shapes import Numbers, Play, Root, Words
from .starts import copy_action, kind_of, restart, same_action

Plan = tuple[Numbers, Numbers, Words]
"""The rows of actions, the kind of each, the source of chance before each."""
Marks = tuple[Numbers, Numbers]
"""By kind: the number of the state in which an action of it was last legal, and its row."""
Held = tuple[Numbers, Numbers]
"""The order in which a plan's actions are tried; which of them were played."""
Climb = tuple[Root, Play, Plan, Plan, Marks, Held, Numbers]
"""The start, the state, a plan and the part of it that was played, the other arrays as above."""

FARTHEST = 1 << 60
"""Upper limit of the distance from the goal."""
PLIES, SEEN, STEPS, SIZE, RECORD, BEST, BEST_SIZE, SHORT, LAST, AT = range(10)


@part
def next_planned(size: int, plan: Plan, marks: Marks, held: Held, m: Numbers, state: int) -> int:
    """The place in the order of the first action that is legal and not yet played; -1 if there is none."""
    rows, kinds, _ = plan
    seen, place = marks
    order, used = held
    for i in range(size):
        j = order[i]
        if used[j] == 0 and seen[kinds[j]] == state and same_action(rows, j, m, place[kinds[j]]):
            return i
    return -1


@part
def follow(size: int, other: int, climb_: Climb) -> int:
    """Follow a plan, but play any legal action at ply `other`; return the distance of the best state."""
    root, now, plan, made, marks, held, tally = climb_
    (s, b, c, m), (rows, kinds, sources), (seen, place), (order, used) = now, made, marks, held
    restart(now, root)
    n, plies = len(root[2]) // WIDTH, 0
    best, tally[AT] = measure(s, b), 0
    while n > 0 and plies < len(sources):
        tally[SEEN] += 1
        for k in range(n):
            kind = kind_of(m, k, len(seen))
            seen[kind] = tally[SEEN]
            place[kind] = k
        at = -1 if plies == other else next_planned(size, plan, marks, held, m, tally[SEEN])
        if at < 0:
            k = choose(c, n)
            sources[plies] = mix(c[STATE]) | ONE
        else:
            j = order[at]
            used[j] = 1
            k = place[plan[1][j]]
            sources[plies] = plan[2][j]
        copy_action(rows, plies, m, k)
        kinds[plies] = kind_of(m, k, len(seen))
        luck = c[STATE]
        c[STATE] = sources[plies]
        n = play(s, b, c, m, k * WIDTH)
        c[STATE] = luck
        if n < 0:
            if n < -1:
                tally[SHORT] = 1
            break
        plies += 1
        good = measure(s, b)
        if good <= best:
            best, tally[AT] = good, plies
    tally[PLIES] += plies
    tally[LAST] = plies
    return best


@part
def as_it_is(size: int, held: Held) -> None:
    """Restore the original order of a plan's actions."""
    for i in range(size):
        held[0][i] = i
        held[1][i] = 0


@part
def alter(size: int, c: Words, rows: Numbers, held: Held) -> int:
    """Change the order in which actions are tried, or forget all actions of one name, at random.

    The third possible change is to play an arbitrary legal action: then its ply is returned, otherwise -1.
    """
    order, used = held
    way = choose(c, 4)
    if size == 0 or way == 0:
        return choose(c, size + 1)
    if way == 1:
        i = choose(c, size)
        for j in range(size):
            if rows[j * WIDTH] == rows[i * WIDTH]:
                used[j] = 1
        return -1
    i, j = choose(c, size), choose(c, size)
    if way == 2:
        j = size - 1
    x = order[i]
    while i < j:
        order[i] = order[i + 1]
        i += 1
    while i > j:
        order[i] = order[i - 1]
        i -= 1
    order[j] = x
    return -1


@part
def copy_plan(to: Plan, plan: Plan, size: int) -> None:
    """Copy the first `size` actions of a plan."""
    for i in range(size):
        copy_action(to[0], i, plan[0], i)
        to[1][i] = plan[1][i]
        to[2][i] = plan[2][i]


@fast
def climb(steps: int, changed: bool, slack: int, best: Plan, climb_: Climb) -> bool:
    """Take `steps` steps, each accepted unless it is worse than the best of this round by more than `slack`.

    Returns True if the last one was accepted. With `changed` the start has changed, not the plan.
    """
    _, now, plan, made, _, held, tally = climb_
    taken = False
    for _ in range(steps):
        size, other = tally[SIZE], -1
        as_it_is(size, held)
        if not changed:
            other = alter(size, now[2], plan[0], held)
        good = follow(size, other, climb_)
        if tally[SHORT] != 0:
            return False
        tally[STEPS] += 1
        taken = good <= tally[RECORD] + slack
        if taken:
            copy_plan(plan, made, tally[LAST])
            tally[SIZE] = tally[LAST]
            tally[RECORD] = min(tally[RECORD], good)
        if good < tally[BEST]:
            copy_plan(best, made, tally[AT])
            tally[BEST], tally[BEST_SIZE] = good, tally[AT]
    return taken
