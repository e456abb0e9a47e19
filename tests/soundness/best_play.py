"""The truth of claims about best play and expectations."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rulespec.core.game import Claim
from rulespec.core.types import Int, Optional, scalar_of

from .space import Space
from .truth import Truth, Unknown, backwards, compared, order

MOST_EQUATIONS = 40
"""Positions up to which a system of equations is solved exactly."""


def _worth_at_end(space: Space, claim: Claim, i: int, faulted: int) -> int:
    """The result of a play that is over; `faulted` where it has none, for it faulted."""
    if space.positions[i].fault:
        return faulted
    if claim.condition is not None:
        return space.ask(claim.condition, i) or 0
    won = space.won(i)
    return 1 if won == (1,) else -1 if won == (2,) else 0


def _open(space: Space, claim: Claim) -> None:
    hidden = any(var.hidden for var in space.game.state.values())
    if space.game.players > 2 or (hidden and claim.options.get("seeing") != "everything"):
        raise Unknown


def _value(space: Space, claim: Claim) -> Truth:
    """The value with best play; its bounds where it depends on what plays come to that fault."""
    _open(space, claim)
    if any(len(outs) > 1 for plies in space.plies for _, outs in plies):
        raise Unknown
    least, most = (_at_start(space, _solved(space, claim, faulted)) for faulted in _range(claim))
    wanted = claim.options.get("is")
    if least != most:
        return Truth(None, least=least, most=most)
    if wanted is None:
        return Truth(None, least, least=least, most=most)
    words = {0: "drawn", 1: "won by 1", -1: "won by 2"}
    named = words[least] if claim.condition is None else str(least)
    return Truth(str(wanted) == named, least, least=least, most=most)


def _range(claim: Claim) -> tuple[int, int]:
    """The least and the most that a play can come to."""
    if claim.condition is None:
        return -1, 1
    number = scalar_of(claim.condition.type)
    assert isinstance(number, Int)
    none = [0] if isinstance(claim.condition.type, Optional) else []
    return min([number.lo, *none]), max([number.hi, *none])


def _at_start(space: Space, worth: list[int]) -> int:
    found = {worth[i] for _, i in space.starts}
    if len(found) > 1:
        raise Unknown
    return found.pop()


def _solved(space: Space, claim: Claim, faulted: int) -> list[int]:
    """The values of positions with best play, if plays that fault come to `faulted`."""
    found = order(space)
    if found is not None:
        worth = [0] * len(space)
        for i in found:
            after = [worth[to] for to in space.after(i)]
            best = max if space.mover(i) == 1 else min
            worth[i] = best(after) if after else _worth_at_end(space, claim, i, faulted)
        return worth
    if claim.condition is not None:
        raise Unknown
    worth = [0] * len(space)
    for side in (1, -1):
        for i in _attracted(space, claim, side, faulted):
            worth[i] = side
    return worth


def _attracted(space: Space, claim: Claim, side: int, faulted: int) -> set[int]:
    """The positions from which a player can force a win, for which it must be reached at last."""
    over = [i for i in range(len(space)) if space.is_over(i)]
    found = {i for i in over if _worth_at_end(space, claim, i, faulted) == side}
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
        who, others = claim.options.get("who", 1), claim.options.get("others", "opposed")
        for i in found:
            plies = [
                sum((share * worth[to] for share, to in outs), Fraction(0)) for _, outs in space.plies[i]
            ]
            if not plies:
                worth[i] = Fraction(0 if summed else numbers[i])
                continue
            mine = space.mover(i) == who
            drawn = random or (others == "random" and not mine)
            here = sum(plies) / len(plies) if drawn else max(plies) if mine != least else min(plies)
            worth[i] = here + (numbers[i] if summed else 0)
    return compared(claim, sum((share * worth[i] for share, i in space.starts), Fraction(0)))


def _by_equations(space: Space, numbers: list[int], summed: bool) -> list[Fraction]:
    """Expectations of random play where positions can come back. Raises Unknown where it may never end."""
    ends = [i for i in range(len(space)) if not space.after(i)]
    if len({*ends, *backwards(space, ends)}) < len(space):
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


def _estimate(space: Space, claim: Claim) -> Truth:
    """No play comes to more or less than the ends do, where each play adds up nothing."""
    assert claim.condition is not None
    if "summed-over" in claim.options or any(p.fault for p in space.positions):
        raise Unknown
    ends = [space.ask(claim.condition, i) or 0 for i in range(len(space)) if not space.after(i)]
    if not ends:
        raise Unknown
    games = claim.options["games"]
    return Truth(None, least=games * min(ends), most=games * max(ends))


KINDS: dict[str, Callable[[Space, Claim], Truth]] = {
    "value": _value,
    "expected": _expected,
    "estimate": _estimate,
}
