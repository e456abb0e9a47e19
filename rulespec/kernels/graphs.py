"""Retrograde analysis and other algorithms on a graph of states; see `Graph` for its arrays."""

from __future__ import annotations

from .kit import fast
from .shapes import Back, Graph, VastNumbers, VastSmall


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
    """Write the states from which every play ends into `order`; return their number."""
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
    """Forced wins, backwards from the ends."""
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
    """Minimax values, backwards from the ends."""
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
