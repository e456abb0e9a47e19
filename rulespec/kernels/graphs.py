"""Retrograde analysis and other algorithms on a graph of states; see `Graph` for its arrays."""

from __future__ import annotations

from .kit import fast, part
from .shapes import Back, Edges, Graph, Numbers, VastNumbers, VastSmall


@fast
def transpose(count: int, edges: Graph, back: Back) -> None:
    """Write the predecessors of each state; those of state i begin at into[i] in sources."""
    (firsts, ways, outs), (into, sources) = edges, back
    for o in range(ways[firsts[count]]):
        into[outs[o] + 2] += 1
    for i in range(count):
        into[i + 2] += into[i + 1]
    for i in range(count):
        for o in range(ways[firsts[i]], ways[firsts[i + 1]]):
            to = outs[o]
            sources[into[to + 1]] = i
            into[to + 1] += 1


@fast
def finish(
    count: int, edges: Graph, back: Back, left: VastSmall, order: VastSmall, length: VastNumbers
) -> int:
    """Write the states from which every play ends to `order`, and its `length`; return their number."""
    (firsts, ways, _), (into, sources) = edges, back
    found = 0
    for i in range(count):
        left[i] = ways[firsts[i + 1]] - ways[firsts[i]]
        if left[i] == 0:
            order[found] = i
            found += 1
    done = 0
    while done < found:
        i = order[done]
        done += 1
        for k in range(into[i], into[i + 1]):
            source = sources[k]
            if length[source] <= length[i]:
                length[source] = length[i] + 1
            left[source] -= 1
            if left[source] == 0:
                order[found] = source
                found += 1
    return found


@fast
def distances(count: int, back: Back, goal: VastNumbers, far: VastNumbers, order: VastSmall) -> None:
    """Write the minimum number of plies to a goal for each state."""
    into, sources = back
    found = 0
    for i in range(count):
        far[i] = -1
        if goal[i] != 0:
            far[i] = 0
            order[found] = i
            found += 1
    done = 0
    while done < found:
        i = order[done]
        done += 1
        for k in range(into[i], into[i + 1]):
            source = sources[k]
            if far[source] < 0:
                far[source] = far[i] + 1
                order[found] = source
                found += 1


@fast
def retrograde(
    count: int,
    edges: Graph,
    back: Back,
    payoff: VastNumbers,
    side: VastNumbers,
    left: VastSmall,
    order: VastSmall,
    worth: VastNumbers,
) -> None:
    """Write the values of forced wins and losses to `worth`, backwards from the ends."""
    (firsts, ways, _), (into, sources) = edges, back
    found = 0
    for i in range(count):
        left[i] = ways[firsts[i + 1]] - ways[firsts[i]]
        if left[i] == 0 and payoff[i] != 0:
            worth[i] = payoff[i]
            order[found] = i
            found += 1
    done = 0
    while done < found:
        i = order[done]
        done += 1
        for k in range(into[i], into[i + 1]):
            source = sources[k]
            if worth[source] != 0:
                continue
            left[source] -= 1
            if left[source] == 0 or worth[i] == (1 if side[source] == 1 else -1):
                worth[source] = worth[i]
                order[found] = source
                found += 1


@fast
def minimax(
    order: VastSmall, edges: Graph, payoff: VastNumbers, side: VastNumbers, worth: VastNumbers
) -> None:
    """Write the minimax values to `worth`, backwards from the ends."""
    firsts, ways, outs = edges
    for k in range(len(order)):
        i = order[k]
        first, last = ways[firsts[i]], ways[firsts[i + 1]]
        if first == last:
            worth[i] = payoff[i]
            continue
        worth[i] = worth[outs[first]]
        for o in range(first + 1, last):
            x = worth[outs[o]]
            if (x > worth[i]) == (side[i] == 1) and x != worth[i]:
                worth[i] = x


LIMIT = 1 << 61
"""Greater numbers are left out, so that sums of two do not overflow."""
NUMERATOR, DENOMINATOR = 0, 1
"""The places of a fraction in an array. A denominator of 0 stands for a number that is left out."""


@part
def gcd(a: int, b: int) -> int:
    """The greatest common divisor of two numbers that are not negative (Euclid)."""
    while b != 0:
        rest = a - a // b * b
        a = b
        b = rest
    return a


@part
def set_fraction(total: Numbers, numerator: int, denominator: int) -> None:
    """Store a fraction in lowest terms."""
    common = gcd(max(numerator, -numerator), denominator)
    total[NUMERATOR] = numerator // common if numerator >= 0 else -(-numerator // common)
    total[DENOMINATOR] = denominator // common


@part
def add_fraction(total: Numbers, numerator: int, denominator: int) -> None:
    """Add a fraction to a total, which counts as unknown once its terms become too great."""
    if total[DENOMINATOR] == 0 or denominator == 0:
        total[DENOMINATOR] = 0
        return
    if total[DENOMINATOR] == denominator:
        total[NUMERATOR] += numerator
        if max(total[NUMERATOR], -total[NUMERATOR]) > LIMIT:
            total[DENOMINATOR] = 0
        return
    common = gcd(total[DENOMINATOR], denominator)
    left, right = denominator // common, total[DENOMINATOR] // common
    own = max(total[NUMERATOR], -total[NUMERATOR])
    added = max(numerator, -numerator)
    if total[DENOMINATOR] > LIMIT // left or own > LIMIT // left or added > LIMIT // right:
        total[DENOMINATOR] = 0
        return
    set_fraction(total, total[NUMERATOR] * left + numerator * right, total[DENOMINATOR] * left)


@part
def is_better(total: Numbers, numerator: int, denominator: int, want: int) -> bool:
    """True if a total is more than a fraction (less if `want` is -1); either may be unknown."""
    own, other = max(total[NUMERATOR], -total[NUMERATOR]), max(numerator, -numerator)
    if own > LIMIT // denominator or other > LIMIT // total[DENOMINATOR]:
        total[DENOMINATOR] = 0
        return False
    return (total[NUMERATOR] * denominator - numerator * total[DENOMINATOR]) * want > 0


@fast
def expectations(
    order: VastSmall,
    edges: Edges,
    payoff: VastNumbers,
    gain: VastNumbers,
    want: VastNumbers,
    numerators: VastNumbers,
    denominators: VastNumbers,
    total: Numbers,
) -> None:
    """Exact means, backwards from the ends, for states in an order in which successors come first.

    A state in which play is over is worth its `payoff`. Another is worth its `gain` plus the greatest mean of
    an action if its `want` is 1, the least if -1, the mean over all actions if 0. Where a fraction would
    become too large, the denominator stays 0, and so does that of all states before.
    """
    firsts, ways, outs, odds = edges
    for k in range(len(order)):
        i = order[k]
        first, last = firsts[i], firsts[i + 1]
        if first == last:
            numerators[i] = payoff[i]
            denominators[i] = 1
            continue
        numerator, denominator, fits = 0, 1, True
        for w in range(first, last):
            total[NUMERATOR], total[DENOMINATOR] = 0, 1
            for o in range(ways[w], ways[w + 1]):
                to, share = outs[o], odds[o] if len(odds) > 0 else 1
                if denominators[to] > LIMIT // share:
                    total[DENOMINATOR] = 0
                else:
                    add_fraction(total, numerators[to], denominators[to] * share)
            if total[DENOMINATOR] != 0 and want[i] == 0:
                add_fraction(total, numerator, denominator)
                numerator, denominator = total[NUMERATOR], total[DENOMINATOR]
            elif total[DENOMINATOR] != 0 and (
                w == first or is_better(total, numerator, denominator, want[i])
            ):
                numerator, denominator = total[NUMERATOR], total[DENOMINATOR]
            if total[DENOMINATOR] == 0:
                fits = False
                break
        if not fits:
            continue
        if want[i] == 0 and denominator > LIMIT // (last - first):
            continue
        total[NUMERATOR], total[DENOMINATOR] = 0, 1
        set_fraction(total, numerator, denominator * (last - first if want[i] == 0 else 1))
        add_fraction(total, gain[i], 1)
        if total[DENOMINATOR] != 0:
            set_fraction(total, total[NUMERATOR], total[DENOMINATOR])
            numerators[i], denominators[i] = total[NUMERATOR], total[DENOMINATOR]
