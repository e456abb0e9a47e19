"""Exact expectations on the graph of all plays, a Markov decision process (two players: a stochastic game).

Policy iteration in fractions (Howard 1960; for two players Hoffman and Karp 1966), by strongly connected
components, the last first, so a play without cycles is solved backwards. The values of a policy are the
solution of a linear system, and in the end solve the optimality equations exactly.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any

from .graph import Graph
from .states import BuiltinQuestion, States, worth_of

Number = Callable[[Any], Any]
Row = dict[int, Fraction]
"""Coefficients by unknown."""
MOST_ROUNDS = 1_000
"""Improving stops with an error after so many rounds; it never takes nearly as many."""


class NonTerminating(ValueError):
    """Some choices let play go on for ever, so that there is no expectation to speak of."""


class ExpectedValues:
    """The exact worth of every state of a graph.

    `final` is the worth of a state in which play is over, `gain` what is added when an action is taken in a
    state. `wants` says of a mover whether that one chooses for the most (True) or the least; where it gives
    None every legal action is equally likely. `pause` is called now and then and may raise.
    """

    def __init__(
        self,
        graph: Graph,
        final: Callable[[int], int],
        gain: Callable[[int], int],
        wants: Callable[[int], bool | None],
        pause: Callable[[], None] = lambda: None,
    ) -> None:
        self.graph, self.final, self.gain, self.wants, self.pause = graph, final, gain, wants, pause
        self.worth: dict[int, Fraction] = {}
        self._shared: dict[tuple[tuple[int, int], ...], Row] = {}
        self._nodes: dict[int, int] = {}
        for number, group in enumerate(strongly_connected_components(graph)):
            if number % 1024 == 0:
                pause()
            self._settle(group)

    # ---- one group

    def _settle(self, group: list[int]) -> None:
        ways = {i: [self._row(way) for way in self.graph.ways(i)] for i in group}
        if len(group) == 1 and not any(group[0] in way for way in ways[group[0]]):
            self.worth[group[0]] = self._at(group[0], ways[group[0]])
            return
        inside = frozenset(group)
        # Who wants the least does not stay where each round costs something.
        free = frozenset(i for i in group if self.wants(i) is not False or self.gain(i) <= 0)
        if self._can_stay(free, ways):
            raise NonTerminating("choices can keep play going for ever")
        policy = self._way_out(inside, ways)
        for number, slack in ((float, NEAR), (Fraction, 0)):
            for _ in range(MOST_ROUNDS):
                self.pause()
                worth = self._solved(inside, ways, policy, number)
                # The least is found for every choice of those who want the most, before they choose anew.
                if not any(self._improved(ways, policy, worth, most, slack) for most in (False, True)):
                    break
        self.worth.update(worth)

    def _row(self, way: list[tuple[int, int]]) -> Row:
        """The distribution over successors of an action, exact; equal ones are one object."""
        key = tuple(way)
        if key not in self._shared:
            self._shared[key] = _merged(way)
        return self._shared[key]

    def _way_out(self, inside: frozenset[int], ways: dict[int, list[Row]]) -> dict[int, int]:
        """Choices with which play leaves a group with certainty, sooner or later, if any do so."""
        out: set[int] = set()
        policy: dict[int, int] = {}
        while len(out) < len(inside):
            result = {}
            for i in inside - out:
                for number, way in enumerate(ways[i]):
                    if any(to not in inside or to in out for to in way):
                        result[i] = number
                        break
            if not result:
                raise NonTerminating("play can go on for ever, whatever is chosen")
            out |= result.keys()
            policy.update({i: way for i, way in result.items() if self.wants(i) is not None})
        return policy

    def _at(self, i: int, ways: Sequence[Row]) -> Fraction:
        """The worth of a state, all that may follow being settled."""
        if not ways:
            return Fraction(self.final(i))
        values = [self._of(way) for way in ways]
        wants = self.wants(i)
        if wants is None:
            return sum(values, Fraction()) / len(values) + self.gain(i)
        result, gain = max(values) if wants else min(values), self.gain(i)
        return result + gain if gain else result

    def _of(self, way: Row) -> Fraction:
        if len(way) == 1:
            return self.worth[next(iter(way))]
        return sum((share * self.worth[to] for to, share in way.items()), Fraction())

    def _can_stay(self, inside: frozenset[int], ways: dict[int, list[Row]]) -> bool:
        """True if choices can keep play within a group for ever, with certainty."""
        left = set(inside)
        while True:
            leaving = {
                i
                for i in left
                if not (all if self.wants(i) is None else any)(way.keys() <= left for way in ways[i])
            }
            if not leaving:
                return bool(left)
            left -= leaving

    def _solved(
        self, inside: frozenset[int], ways: dict[int, list[Row]], policy: dict[int, int], number: Number
    ) -> dict[int, Any]:
        """The worth that fixed choices have in every state of a group, in numbers of a kind.

        What chance makes of an action is an unknown of its own, the same one for all actions of which it
        makes the same. So equations stay short where many actions end a turn alike.
        """
        rows: dict[int, dict[int, Any]] = {}

        def equation(left: int, known: int, right: Row) -> None:
            row: Row = {left: ONE, KNOWN: Fraction(known)}
            for to, share in right.items():
                if to in inside or to < KNOWN:
                    row[to] = row.get(to, Fraction()) - share
                else:
                    row[KNOWN] += share * self.worth[to]
            rows[left] = {unknown: number(x) for unknown, x in row.items()}

        for i in inside:
            chosen = [ways[i][policy[i]]] if i in policy else ways[i]
            part, right = Fraction(1, len(chosen)), Row()
            for way in chosen:  # unknowns for where actions lead are less than states and `KNOWN`
                node = KNOWN - 1 - len(self._nodes)
                to = next(iter(way)) if len(way) == 1 else self._nodes.setdefault(id(way), node)
                right[to] = right.get(to, Fraction()) + part
                if to < KNOWN and to not in rows:
                    equation(to, 0, way)
            equation(i, self.gain(i), right)
        result = solve_linear_system(rows, self.pause)
        return {i: result[i] for i in inside}

    def _improved(
        self,
        ways: dict[int, list[Row]],
        policy: dict[int, int],
        worth: dict[int, Any],
        most: bool,
        slack: float,
    ) -> bool:
        """Let those who want the most, or the least, choose what is best as things stand; whether any did."""
        better, known = False, dict[int, Any]()

        def value(way: Row) -> Any:
            if id(way) not in known:
                held = ((worth[to] if to in worth else self.worth[to], share) for to, share in way.items())
                known[id(way)] = sum(share * x for x, share in held)
            return known[id(way)]

        for i, chosen in policy.items():
            if self.wants(i) is not most:
                continue
            values: list[Any] = [value(way) for way in ways[i]]
            best = max(values) if most else min(values)
            if abs(best - values[chosen]) > slack:
                policy[i] = values.index(best)
                better = True
        return better


ONE = Fraction(1)
NEAR = 1e-9
"""Numbers that differ by less count as equal while choices are improved with an eye to the worth alone."""
KNOWN = -1
"""In a row, the number that the sum of the others is equal to."""


def solve_linear_system(
    rows: dict[int, dict[int, Any]], pause: Callable[[], None] = lambda: None
) -> dict[int, Any]:
    """The solution of a linear system: in each row the sum of coefficient times unknown is `KNOWN`.

    The unknown of each row is its key, where its coefficient must not be 0. Sparse elimination, the row
    with the fewest coefficients first.
    """
    holding: dict[int, set[int]] = {}
    for key, row in rows.items():
        for unknown in row.keys() - {KNOWN}:
            holding.setdefault(unknown, set()).add(key)
    order: list[int] = []
    left = set(rows)

    def cost(key: int) -> int:
        return (len(rows[key]) - 1) * len(holding[key])

    waiting = [(cost(key), key) for key in rows]
    heapq.heapify(waiting)
    while waiting:
        if len(order) % 64 == 0:
            pause()
        _, key = heapq.heappop(waiting)
        now = (cost(key), key)
        if waiting and now > waiting[0]:  # it costs more than when it was noted
            heapq.heappush(waiting, now)
            continue
        left.discard(key)
        order.append(key)
        row = rows[key]
        pivot = row[key]
        if not pivot:
            raise NonTerminating("choices can keep play going for ever")
        for other in [k for k in holding[key] if k in left]:
            factor = rows[other].pop(key) / pivot
            held = rows[other]
            for unknown, x in row.items():
                if unknown == key:
                    continue
                held[unknown] = held[unknown] - factor * x if unknown in held else -factor * x
                if unknown != KNOWN:
                    holding[unknown].add(other)
        for unknown in row.keys() - {KNOWN, key}:
            holding[unknown].discard(key)
    result: dict[int, Any] = {}
    for key in reversed(order):
        row = rows[key]
        rest = sum(x * result[u] for u, x in row.items() if u not in (key, KNOWN))
        result[key] = (row[KNOWN] - rest) / row[key]
    return result


def _merged(way: list[tuple[int, int]]) -> Row:
    """The distribution over successors of an action, exact."""
    if len(way) == 1:
        return {way[0][0]: ONE}
    result: Row = {}
    for to, odds in way:
        result[to] = result.get(to, Fraction()) + Fraction(1, odds)
    return result


def strongly_connected_components(graph: Graph) -> list[list[int]]:
    """The states in groups that lead to one another, each group after all that it leads to (Tarjan 1972)."""
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    on: set[int] = set()
    stack: list[int] = []
    result: list[list[int]] = []
    for root in range(graph.count):
        if root in index:
            continue
        trail = [(root, iter(graph.after(root)))]
        index[root] = low[root] = len(index)
        stack.append(root)
        on.add(root)
        while trail:
            at, following = trail[-1]
            for to in following:
                if to not in index:
                    index[to] = low[to] = len(index)
                    stack.append(to)
                    on.add(to)
                    trail.append((to, iter(graph.after(to))))
                    break
                if to in on:
                    low[at] = min(low[at], index[to])
            else:
                trail.pop()
                if trail:
                    low[trail[-1][0]] = min(low[trail[-1][0]], low[at])
                if low[at] == index[at]:
                    group = []
                    while True:
                        group.append(stack.pop())
                        on.discard(group[-1])
                        if group[-1] == at:
                            break
                    result.append(group)
    return result


def expected_value(
    states: States, name: str, most: bool | None, summed: bool, pause: Callable[[], None] = lambda: None
) -> Fraction:
    """The expectation of a number before the setup, of an end or `summed` over the positions acted from.

    With `most` player 1 acts for the most of it and player 2 for the least, with False the other way round;
    with None every legal action is equally likely. Raises NonTerminating.
    """
    values = [worth_of(name, x) for x in states.scan(name)]
    movers = [int(x) for x in states.scan(BuiltinQuestion.MOVER)]
    graph = Graph(states)
    worth = ExpectedValues(
        graph,
        final=lambda i: 0 if summed else values[i],
        gain=lambda i: values[i] if summed else 0,
        wants=lambda i: None if most is None else (movers[i] == 1) == most,
        pause=pause,
    ).worth
    return expectation_at_start(graph, worth)


def expectation_at_start(graph: Graph, worth: dict[int, Fraction]) -> Fraction:
    """The expectation before the setup."""
    return sum((worth[i] / odds for i, odds in graph.states.starts()), Fraction())
