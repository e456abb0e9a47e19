"""The truth of claims about positions and plays, by going through all of them."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable

from rulespec.core import nodes as n
from rulespec.core.game import Claim

from .space import Space
from .truth import Truth, Unknown, asked, backwards, compared, counts, longest, ordered


def _always(space: Space, good: Callable[[int], bool]) -> Truth:
    bad = min((space.depth[i] for i in range(len(space)) if not good(i)), default=None)
    return Truth(bad is None, soonest=bad)


def _invariant(space: Space, claim: Claim) -> Truth:
    return _always(space, lambda i: bool(space.ask(claim.always, i)))


def _reachable(space: Space, claim: Claim) -> Truth:
    first = min((space.depth[i] for i in range(len(space)) if asked(space, claim, i)), default=None)
    return Truth(first is not None, soonest=first)


def _unreachable(space: Space, claim: Claim) -> Truth:
    return _always(space, lambda i: not asked(space, claim, i))


def _never_stuck(space: Space, _: Claim) -> Truth:
    return _always(space, lambda i: space.positions[i].ended != "stuck")


def _never_faults(space: Space, _: Claim) -> Truth:
    return _always(space, lambda i: space.positions[i].fault is None)


def _best(space: Space, claim: Claim) -> Truth:
    if "summed-over" in claim.options:
        return Truth(None, _least_sum(space, claim))
    assert claim.condition is not None
    values = [space.ask(claim.condition, i) for i in range(len(space)) if counts(space, claim, i)]
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
        if counts(space, claim, i):
            return spent
        for to in space.after(i):
            heapq.heappush(waiting, (spent + space.ask(claim.condition, i), to))
    return None


def _terminates(space: Space, _: Claim) -> Truth:
    found = longest(space)
    return Truth(found is not None, found)


def _endless(space: Space, _: Claim) -> Truth:
    found = longest(space)
    return Truth(found is None, found)


def _never_falls(space: Space, claim: Claim) -> Truth:
    assert claim.condition is not None

    def numbers(i: int) -> list[int]:
        found = space.ask(claim.condition, i)  # type: ignore[arg-type]
        return list(found) if isinstance(found, tuple) else [found]

    def good(i: int) -> bool:
        here = numbers(i)
        return all(a >= b for to in space.after(i) for a, b in zip(numbers(to), here, strict=True))

    bad = min((space.depth[i] + 1 for i in range(len(space)) if not good(i)), default=None)
    return Truth(bad is None, soonest=bad)


def _never_hopeless(space: Space, claim: Claim) -> Truth:
    if any(space.positions[i].fault for _, i in space.starts):
        raise Unknown
    there = [i for i in range(len(space)) if not space.positions[i].fault]
    far: dict[int, int] = {i: 0 for i in there if asked(space, claim, i)}
    for i in backwards(space, list(far)):
        near = [far[to] for to in space.after(i) if to in far]
        far[i] = 1 + min(near)
    if len(far) < len(there):
        return Truth(False)
    within = claim.options.get("within")
    return Truth(within is None or max(far.values()) <= within, max(far.values()))


def _count(space: Space, claim: Claim) -> Truth:
    at, within = claim.options.get("at"), claim.options.get("within")
    if any(space.positions[i].fault for _, i in space.starts):
        raise Unknown
    if claim.options.get("of") == "plays":
        return compared(claim, _plays(space, at))
    chosen = [
        i
        for i in range(len(space))
        if not space.positions[i].fault
        and asked(space, claim, i)
        and (at is None or space.depth[i] == at)
        and (within is None or space.depth[i] <= within)
    ]
    different = claim.options.get("different")
    if isinstance(different, n.Expression):
        return compared(claim, len({space.ask(different, i) for i in chosen} - {None}))
    return compared(claim, len(chosen))


def _plays(space: Space, at: int | None) -> int:
    if any(len(outs) > 1 for plies in space.plies for _, outs in plies) or len(space.starts) > 1:
        raise Unknown
    if at is None:
        whole = [0] * len(space)
        for i in ordered(space):
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


def _winnable(space: Space, _: Claim) -> Truth:
    won = {p for i in range(len(space)) if space.is_over(i) for p in space.won(i)}
    return Truth(won >= set(space.game.player.values))


KINDS: dict[str, Callable[[Space, Claim], Truth]] = {
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
    "winnable": _winnable,
}
