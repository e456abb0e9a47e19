"""What is true of a claim, by looking at every position with the interpreter.

Each kind of claim has a function here that follows the words of the reference, and nothing of the solver.
"""

from __future__ import annotations

import heapq
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rulespec.core import nodes as n
from rulespec.core.game import Claim

from .space import Space

MOST_EQUATIONS = 40
"""Positions up to which a system of equations is solved exactly."""


class Unknown(Exception):
    """The truth is not worked out here: the question has no answer, or another way would be needed."""


@dataclass(frozen=True)
class Truth:
    """What is true of a claim.

    `holds` says whether it does, None where the claim only asks; `value` is the number it asks for.
    `at` gives for a depth whether it holds in all positions no deeper, for claims about every position.
    """

    holds: bool | None
    value: Fraction | int | None = None
    until: Callable[[int], bool] | None = None


def truth(space: Space, claim: Claim) -> Truth:
    """What is true of a claim about a game. Raises Unknown."""
    return _KINDS[claim.kind](space, claim)


def _always(space: Space, good: Callable[[int], bool]) -> Truth:
    bad = min((space.depth[i] for i in range(len(space)) if not good(i)), default=None)
    return Truth(bad is None, until=lambda depth: bad is None or bad > depth)


def _invariant(space: Space, claim: Claim) -> Truth:
    return _always(space, lambda i: bool(space.ask(claim.always, i)))


def _asked(space: Space, claim: Claim, i: int) -> bool:
    return claim.condition is None or bool(space.ask(claim.condition, i))


def _reachable(space: Space, claim: Claim) -> Truth:
    first = min((space.depth[i] for i in range(len(space)) if _asked(space, claim, i)), default=None)
    return Truth(first is not None, until=lambda depth: first is None or first > depth)


def _unreachable(space: Space, claim: Claim) -> Truth:
    return _always(space, lambda i: not _asked(space, claim, i))


def _never_stuck(space: Space, _: Claim) -> Truth:
    return _always(space, lambda i: space.positions[i].ended != "stuck")


def _never_faults(space: Space, _: Claim) -> Truth:
    return _always(space, lambda i: space.positions[i].fault is None)


def _when(space: Space, claim: Claim, i: int) -> bool:
    when = claim.options.get("when")
    return not isinstance(when, n.Expr) or bool(space.ask(when, i))


def _best(space: Space, claim: Claim) -> Truth:
    if "summed-over" in claim.options:
        return Truth(None, _least_sum(space, claim))
    assert claim.condition is not None
    values = [space.ask(claim.condition, i) for i in range(len(space)) if _when(space, claim, i)]
    found = [v for v in values if v is not None]
    return Truth(None, (max if claim.options["sense"] == "most" else min)(found) if found else None)


def _least_sum(space: Space, claim: Claim) -> int | None:
    assert claim.condition is not None
    waiting = [(0, i) for _, i in space.starts]
    done = set[int]()
    while waiting:
        spent, i = heapq.heappop(waiting)
        if i in done:
            continue
        done.add(i)
        if _when(space, claim, i):
            return spent
        for to in space.after(i):
            heapq.heappush(waiting, (spent + space.ask(claim.condition, i), to))
    return None


def order(space: Space) -> list[int] | None:
    """The positions so that what follows one stands before it; None where a position can come back."""
    waiting = [len(set(space.after(i))) for i in range(len(space))]
    before: list[set[int]] = [set() for _ in range(len(space))]
    for i in range(len(space)):
        for to in set(space.after(i)):
            before[to].add(i)
    ready = deque(i for i, count in enumerate(waiting) if count == 0)
    found = []
    while ready:
        i = ready.popleft()
        found.append(i)
        for j in before[i]:
            waiting[j] -= 1
            if waiting[j] == 0:
                ready.append(j)
    return found if len(found) == len(space) else None


def _ordered(space: Space) -> list[int]:
    found = order(space)
    if found is None:
        raise Unknown
    return found


def longest(space: Space) -> int | None:
    """The plies of the longest play; None where play can go on for ever."""
    found = order(space)
    if found is None:
        return None
    length = [0] * len(space)
    for i in found:
        length[i] = max((1 + length[to] for to in space.after(i)), default=0)
    return max(length[i] for _, i in space.starts)


def _terminates(space: Space, _: Claim) -> Truth:
    found = longest(space)
    return Truth(found is not None, found)


def _endless(space: Space, _: Claim) -> Truth:
    return Truth(order(space) is None)


def _never_falls(space: Space, claim: Claim) -> Truth:
    assert claim.condition is not None

    def numbers(i: int) -> list[int]:
        found = space.ask(claim.condition, i)  # type: ignore[arg-type]
        return list(found) if isinstance(found, tuple) else [found]

    def good(i: int) -> bool:
        here = numbers(i)
        return all(a >= b for to in space.after(i) for a, b in zip(numbers(to), here, strict=True))

    bad = min((space.depth[i] + 1 for i in range(len(space)) if not good(i)), default=None)
    return Truth(bad is None, until=lambda depth: bad is None or bad > depth)


def _never_hopeless(space: Space, claim: Claim) -> Truth:
    far: dict[int, int] = {i: 0 for i in range(len(space)) if _asked(space, claim, i)}
    for i in _backwards(space, list(far)):
        near = [far[to] for to in space.after(i) if to in far]
        far[i] = 1 + min(near)
    if len(far) < len(space):
        return Truth(False)
    within = claim.options.get("within")
    return Truth(within is None or max(far.values()) <= within, max(far.values()))


def _backwards(space: Space, goals: list[int]) -> Iterator[int]:
    """The positions from which the goals can be reached, the nearest first, without the goals."""
    before: list[set[int]] = [set() for _ in range(len(space))]
    for i in range(len(space)):
        for to in space.after(i):
            before[to].add(i)
    seen, waiting = set(goals), deque(goals)
    while waiting:
        for j in sorted(before[waiting.popleft()]):
            if j not in seen:
                seen.add(j)
                waiting.append(j)
                yield j


def _count(space: Space, claim: Claim) -> Truth:
    at, within = claim.options.get("at"), claim.options.get("within")
    if any(space.positions[i].fault for _, i in space.starts):
        raise Unknown
    if claim.options.get("of") == "plays":
        return _compared(claim, _plays(space, at))
    chosen = [
        i
        for i in range(len(space))
        if not space.positions[i].fault
        and _asked(space, claim, i)
        and (at is None or space.depth[i] == at)
        and (within is None or space.depth[i] <= within)
    ]
    different = claim.options.get("different")
    if isinstance(different, n.Expr):
        return _compared(claim, len({space.ask(different, i) for i in chosen} - {None}))
    return _compared(claim, len(chosen))


def _plays(space: Space, at: int | None) -> int:
    if any(len(outs) > 1 for plies in space.plies for _, outs in plies) or len(space.starts) > 1:
        raise Unknown
    if at is None:
        whole = [0] * len(space)
        for i in _ordered(space):
            whole[i] = sum(whole[to] for to in space.after(i)) if space.after(i) else 1
        return whole[space.starts[0][1]]
    now = Counter({space.starts[0][1]: 1})
    for _ in range(at):
        then: Counter[int] = Counter()
        for i, ways in now.items():
            for to in space.after(i):
                then[to] += ways
        now = then
    return now.total()


def _compared(claim: Claim, found: Fraction | int) -> Truth:
    wanted = claim.options.get("is")
    return Truth(None if wanted is None else Fraction(str(wanted)) == found, found)


# ---- best play and expectations


def _worth_at_end(space: Space, claim: Claim, i: int) -> int:
    if claim.condition is not None:
        return space.ask(claim.condition, i) or 0
    won = space.won(i)
    return 1 if won == (1,) else -1 if won == (2,) else 0


def _open(space: Space, claim: Claim) -> None:
    hidden = any(var.hidden for var in space.game.state.values())
    faulty = any(p.fault for p in space.positions)
    if space.game.players > 2 or faulty or (hidden and claim.options.get("seeing") != "everything"):
        raise Unknown


def _value(space: Space, claim: Claim) -> Truth:
    _open(space, claim)
    if any(len(outs) > 1 for plies in space.plies for _, outs in plies):
        raise Unknown
    worth = _solved(space, claim)
    found = {worth[i] for _, i in space.starts}
    if len(found) > 1:
        raise Unknown
    value = found.pop()
    wanted = claim.options.get("is")
    if wanted is None:
        return Truth(None, value)
    words = {0: "drawn", 1: "won by 1", -1: "won by 2"}
    return Truth(str(wanted) == (words[value] if claim.condition is None else str(value)), value)


def _solved(space: Space, claim: Claim) -> list[int]:
    """What best play comes to from each position."""
    found = order(space)
    if found is not None:
        worth = [0] * len(space)
        for i in found:
            after = [worth[to] for to in space.after(i)]
            best = max if space.mover(i) == 1 else min
            worth[i] = best(after) if after else _worth_at_end(space, claim, i)
        return worth
    if claim.condition is not None:
        raise Unknown
    worth = [0] * len(space)
    for side in (1, -1):
        for i in _attracted(space, claim, side):
            worth[i] = side
    return worth


def _attracted(space: Space, claim: Claim, side: int) -> set[int]:
    """The positions from which a player can force a win, for which it must be reached at last."""
    found = {i for i in range(len(space)) if space.is_over(i) and _worth_at_end(space, claim, i) == side}
    changed = True
    while changed:
        changed = False
        for i in range(len(space)):
            after = space.after(i)
            if i in found or not after:
                continue
            mine = (space.mover(i) == 1) == (side == 1)
            if (any if mine else all)(to in found for to in after):
                found.add(i)
                changed = True
    return found


def _expected(space: Space, claim: Claim) -> Truth:
    random = claim.options.get("policy") == "random"
    if any(p.fault for p in space.positions):
        raise Unknown
    if not random:
        _open(space, claim)
    summed = "summed-over" in claim.options
    assert claim.condition is not None
    numbers = [space.ask(claim.condition, i) or 0 for i in range(len(space))]
    found = order(space)
    if found is None:
        if not random or len(space) > MOST_EQUATIONS:
            raise Unknown
        worth = _by_equations(space, numbers, summed)
    else:
        worth = [Fraction(0)] * len(space)
        least = claim.options.get("wants") == "least"
        for i in found:
            plies = [
                sum((share * worth[to] for share, to in outs), Fraction(0)) for _, outs in space.plies[i]
            ]
            if not plies:
                worth[i] = Fraction(0 if summed else numbers[i])
                continue
            up = (space.mover(i) == 1) != (least and space.game.players == 1)
            here = sum(plies) / len(plies) if random else max(plies) if up else min(plies)
            worth[i] = here + (numbers[i] if summed else 0)
    return _compared(claim, sum((share * worth[i] for share, i in space.starts), Fraction(0)))


def _by_equations(space: Space, numbers: list[int], summed: bool) -> list[Fraction]:
    """Expectations of random play where positions can come back. Raises Unknown where it may never end."""
    ends = [i for i in range(len(space)) if not space.after(i)]
    if len({*ends, *_backwards(space, ends)}) < len(space):
        raise Unknown
    size = len(space)
    rows = [[Fraction(int(i == j)) for j in range(size)] + [Fraction(0)] for i in range(size)]
    for i in range(size):
        if not space.after(i):
            rows[i][size] = Fraction(0 if summed else numbers[i])
            continue
        for _, outs in space.plies[i]:
            for share, to in outs:
                rows[i][to] -= share / len(space.plies[i])
        rows[i][size] = Fraction(numbers[i] if summed else 0)
    for i in range(size):
        pivot = next(j for j in range(i, size) if rows[j][i])
        rows[i], rows[pivot] = rows[pivot], rows[i]
        rows[i] = [x / rows[i][i] for x in rows[i]]
        for j in range(size):
            if j != i and rows[j][i]:
                rows[j] = [x - rows[j][i] * y for x, y in zip(rows[j], rows[i], strict=True)]
    return [row[size] for row in rows]


def _winnable(space: Space, _: Claim) -> Truth:
    won = {p for i in range(len(space)) if space.is_over(i) for p in space.won(i)}
    return Truth(won >= set(space.game.player.values))


def _estimate(space: Space, claim: Claim) -> Truth:
    raise Unknown


# ---- two games


def _equivalent(space: Space, claim: Claim) -> Truth:
    other = Space(claim.options["other"].game, 4 * len(space) + 100, 100_000)
    if _names(space) != _names(other):
        raise Unknown
    waiting = [(a, b) for a, b in _matched(space, other, space.starts, other.starts)]
    seen = set(waiting)
    while waiting:
        a, b = waiting.pop()
        if not _alike(space, a, other, b):
            return Truth(False)
        mine = dict(space.plies[a])
        its = dict(other.plies[b])
        if mine.keys() != its.keys():
            return Truth(False)
        for move, outs in mine.items():
            pairs = _matched(space, other, outs, its[move])
            if pairs is None:
                return Truth(False)
            waiting += [pair for pair in pairs if pair not in seen]
            seen |= set(pairs)
    return Truth(True)


def _names(space: Space) -> tuple[Any, ...]:
    game = space.game
    return tuple(game.state), tuple(game.actions), tuple(e.id for e in game.ends), len(game.sights)


def _matched(one: Space, other: Space, mine: Any, its: Any) -> list[tuple[int, int]]:
    """The positions after a ply in both games, paired by what lies on the table; -1 stands for a lone one."""

    def spread(space: Space, outs: Any) -> dict[Any, tuple[Fraction, int]]:
        found: dict[Any, tuple[Fraction, int]] = {}
        for share, to in outs:
            position = space.positions[to]
            key = (position.values, position.ended, bool(position.fault))
            found[key] = (found.get(key, (Fraction(0), to))[0] + share, to)
        return found

    a, b = spread(one, mine), spread(other, its)
    if a.keys() != b.keys() or any(a[key][0] != b[key][0] for key in a):
        return [(-1, -1)]
    return [(a[key][1], b[key][1]) for key in a]


def _alike(one: Space, a: int, other: Space, b: int) -> bool:
    if a < 0:
        return False
    return one.won(a) == other.won(b) and one.machine.scores(one.positions[a]) == other.machine.scores(
        other.positions[b]
    )


_KINDS: dict[str, Callable[[Space, Claim], Truth]] = {
    "invariant": _invariant,
    "reachable": _reachable,
    "unreachable": _unreachable,
    "never_stuck": _never_stuck,
    "never_faults": _never_faults,
    "best": _best,
    "terminates": _terminates,
    "endless": _endless,
    "never_falls": _never_falls,
    "never_hopeless": _never_hopeless,
    "count": _count,
    "value": _value,
    "expected": _expected,
    "winnable": _winnable,
    "estimate": _estimate,
    "equivalent": _equivalent,
}
