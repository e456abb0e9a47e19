"""Exact expectations on the graph of all plays, a Markov decision process (two players: a stochastic game).

Policy iteration in fractions (Howard 1960; for two players Hoffman and Karp 1966), by strongly connected
components, the last first, so a play without cycles is solved backwards. The values of a policy are the
solution of a linear system, and in the end solve the optimality equations exactly.
"""

from __future__ import annotations

import heapq
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any

from rulespec.core.sides import HIDDEN_SIDES, side_of
from rulespec.core.types import Value

from .graph import Graph
from .states import BuiltinQuestion, NoValue, States, worth_of

Number = Callable[[Any], Any]
Row = dict[int, Fraction]
"""Coefficients by unknown."""
MOST_ROUNDS = 1_000
"""Maximum number of improvement rounds, a safeguard that is never nearly reached."""


class NonTerminating(ValueError):
    """Raised if some choices let play go on for ever, so that there is no expectation."""


class Worths(dict[int, Fraction]):
    """The exact worths of states: those of a kernel, by numerator and denominator, and those put in later.

    A denominator of 0 stands for none.
    """

    def __init__(self, numerators: Sequence[int], denominators: Sequence[int]) -> None:
        super().__init__()
        self._numerators, self.denominators = numerators, denominators

    def __missing__(self, number: int) -> Fraction:
        return Fraction(int(self._numerators[number]), int(self.denominators[number]))


class ExpectedValues:
    """The exact expectation for every state of a graph.

    `final` is the value of a finished state, `gain` the addition for an action taken in a state. `wants` says
    whether a mover maximises (True) or minimises; where it is None, all legal actions are equally likely.
    `pause` is called now and then and may raise.
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
        self.worth = self._backwards()
        self._shared: dict[tuple[tuple[int, int], ...], Row] = {}
        self._nodes: dict[int, int] = {}
        for number, group in enumerate(strongly_connected_components(graph, self.worth.denominators)):
            if number % 1024 == 0:
                pause()
            self._settle(group)

    def _backwards(self) -> Worths:
        """The values of states from which every play ends, where 64 bits suffice, by a kernel."""
        graph, room = self.graph, self.graph.instance.room
        payoff, gain, want, over, under = (room("vast numbers", graph.count) for _ in range(5))
        wanted = {True: 1, False: -1, None: 0}
        for i in range(graph.count):
            if graph.is_end(i):
                payoff[i] = self.final(i)
            else:
                gain[i], want[i] = self.gain(i), wanted[self.wants(i)]
        self.pause()
        found, states = graph.terminating()[0], graph.states
        order = room("vast small", len(found))
        order[:] = found
        edges = states.firsts, states.ways, states.outs, states.odds
        graph.names["expectations"](order, edges, payoff, gain, want, over, under, room("numbers", 2))
        return Worths(over, under)

    # ---- one group

    def _settle(self, group: list[int]) -> None:
        """Compute the values of a strongly connected group of states. Raises NonTerminating."""
        ways = {i: [self._row(way) for way in self.graph.ways(i)] for i in group}
        if len(group) == 1 and not any(group[0] in way for way in ways[group[0]]):
            self.worth[group[0]] = self._at(group[0], ways[group[0]])
            return
        inside = frozenset(group)
        # Who wants the least does not stay where each round costs something.
        free = frozenset(i for i in group if self.wants(i) is not False or self.gain(i) <= 0)
        stays = self._can_stay(free, ways)
        if stays and any(map(self.gain, group)):
            raise NonTerminating(STAYS)
        policy = self._way_out(inside, ways)
        for number, slack in ((float, NEAR), (Fraction, 0)):
            for _ in range(MOST_ROUNDS):
                self.pause()
                worth = self._evaluate_policy(inside, ways, policy, number)
                # The least is found for every choice of those who want the most, before they choose anew.
                if not any(self._improve_policy(ways, policy, worth, most, slack) for most in (False, True)):
                    break
            else:
                raise NonTerminating("choices were improved without an end")
        if stays and not all(self._can_end(inside, ways, worth, most) for most in (True, False)):
            raise NonTerminating(STAYS)
        self.worth.update(worth)

    def _can_end(
        self, inside: frozenset[int], ways: dict[int, list[Row]], worth: Mapping[int, Fraction], most: bool
    ) -> bool:
        """True if one side can end play with certainty by best actions alone, whatever the other side does.

        If both sides can, each secures the values, whatever an endless play is worth.
        """
        left = set(inside)

        def leaves(i: int) -> bool:
            own = self.wants(i) is most
            leaving = (not w.keys() <= left for w in ways[i] if not own or self._of(w, worth) == worth[i])
            return any(leaving) if own or self.wants(i) is None else all(leaving)

        while gone := set(filter(leaves, left)):
            left -= gone
        return not left

    def _row(self, way: list[tuple[int, int]]) -> Row:
        """The exact distribution over successors of an action; equal ones are one object."""
        key = tuple(way)
        if key not in self._shared:
            row = self._shared[key] = Row()
            for to, odds in way:
                share = Fraction(1, odds)
                row[to] = row[to] + share if to in row else share
        return self._shared[key]

    def _way_out(self, inside: frozenset[int], ways: dict[int, list[Row]]) -> dict[int, int]:
        """Choices by which play leaves a group with certainty. Raises NonTerminating."""
        policy, left = dict[int, int](), set(inside)
        while left:
            out = {i: [k for k, way in enumerate(ways[i]) if not way.keys() <= left] for i in left}
            found = {i: numbers[0] for i, numbers in out.items() if numbers}
            if not found:
                raise NonTerminating("play can go on for ever, whatever is chosen")
            left -= found.keys()
            policy |= {i: number for i, number in found.items() if self.wants(i) is not None}
        return policy

    def _at(self, i: int, ways: Sequence[Row]) -> Fraction:
        """The expected value of a state whose successors are all settled."""
        if not ways:
            return Fraction(self.final(i))
        values: list[Fraction] = [self._of(way, self.worth) for way in ways]
        wants = self.wants(i)
        if wants is None:
            return sum(values, Fraction()) / len(values) + self.gain(i)
        best, gain = max(values) if wants else min(values), self.gain(i)
        return best + gain if gain else best

    def _of(self, way: Row, worth: Mapping[int, Any]) -> Any:
        """The mean value after an action; states without a given value are settled."""
        if len(way) == 1:
            (to,) = way
            return worth[to] if to in worth else self.worth[to]
        return sum(share * (worth[to] if to in worth else self.worth[to]) for to, share in way.items())

    def _can_stay(self, inside: frozenset[int], ways: dict[int, list[Row]]) -> bool:
        """True if choices can keep play in a group for ever, with certainty."""
        left = set(inside)

        def leaves(i: int) -> bool:
            stays = (way.keys() <= left for way in ways[i])
            return not (all(stays) if self.wants(i) is None else any(stays))

        while leaving := set(filter(leaves, left)):
            left -= leaving
        return bool(left)

    def _evaluate_policy(
        self, inside: frozenset[int], ways: dict[int, list[Row]], policy: dict[int, int], number: Number
    ) -> dict[int, Any]:
        """The value of every state in a group under fixed choices, in a given number type.

        The outcome of an action with chance is an unknown of its own, shared by all actions with the same
        outcomes, which keeps equations short if many actions end a turn alike.
        """
        rows: dict[int, dict[int, Any]] = {}

        def equation(left: int, known: int, right: Row) -> None:
            row: dict[int, Any] = {left: number(1), KNOWN: number(known)}
            for to, share in right.items():
                part = share if number is Fraction else number(share)
                if to in inside or to < KNOWN:
                    row[to] = row.get(to, 0) - part
                else:
                    row[KNOWN] += part * (self.worth[to] if number is Fraction else number(self.worth[to]))
            rows[left] = row

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

    def _improve_policy(
        self,
        ways: dict[int, list[Row]],
        policy: dict[int, int],
        worth: dict[int, Any],
        most: bool,
        slack: float,
    ) -> bool:
        """Let the maximising or the minimising players change to better choices; True if any did."""
        better, known = False, dict[int, Any]()
        for i, chosen in policy.items():
            if self.wants(i) is not most:
                continue
            for way in ways[i]:
                if id(way) not in known:
                    known[id(way)] = self._of(way, worth)
            values = [known[id(way)] for way in ways[i]]
            best = max(values) if most else min(values)
            if abs(best - values[chosen]) > slack:
                policy[i] = values.index(best)
                better = True
        return better


STAYS = "choices can keep play going for ever"
NEAR = 1e-9
"""Tolerance within which values count as equal while choices are improved in floating point."""
KNOWN = -1
"""In a row, the key of the number that the sum of the others is equal to."""


def solve_linear_system(
    rows: dict[int, dict[int, Any]], pause: Callable[[], None] = lambda: None
) -> dict[int, Any]:
    """The solution of linear equations: in each row, coefficients times unknowns add up to `KNOWN`.

    The key of each row is an unknown with a nonzero coefficient in it. The rows are removed from the mapping.
    Sparse elimination that begins with the rows that have the fewest entries in row and column.

    Raises NonTerminating.
    """
    holding = defaultdict[int, set[int]](set)
    for key, row in rows.items():
        for unknown in row:
            holding[unknown].add(key)
    solved: dict[int, dict[int, Any]] = {}

    def cost(key: int) -> int:
        return len(rows[key]) * len(holding[key])

    waiting = [(cost(key), key) for key in rows]
    heapq.heapify(waiting)
    while waiting:
        noted, key = heapq.heappop(waiting)
        if (now := cost(key)) > noted:
            heapq.heappush(waiting, (now, key))
            continue
        if len(solved) % 64 == 0:
            pause()
        row = rows.pop(key)
        for unknown in row:
            holding[unknown].discard(key)
        if not (pivot := row.pop(key)):
            raise NonTerminating(STAYS)
        row = solved[key] = {unknown: x / pivot for unknown, x in row.items()}
        for other in holding.pop(key):
            factor = rows[other].pop(key)
            for unknown, x in row.items():
                rows[other][unknown] = rows[other].get(unknown, 0) - factor * x
                holding[unknown].add(other)
    result: dict[int, Any] = {KNOWN: -1}
    for key, row in reversed(solved.items()):
        result[key] = -sum(x * result[unknown] for unknown, x in row.items())
    return result


def strongly_connected_components(graph: Graph, left_out: Sequence[int]) -> Iterator[list[int]]:
    """The strongly connected components, each after all that it leads to (Tarjan 1972).

    States with a nonzero `left_out` are skipped, with all that they lead to.
    """
    index: dict[int, int] = {}
    low: dict[int, int] = {}
    left: dict[int, Iterator[int]] = {}
    stack: list[int] = []
    for root in range(graph.count):
        trail = [] if root in index or left_out[root] else [root]
        while trail:
            at = trail[-1]
            if at not in index:
                index[at] = low[at] = len(index)
                left[at] = (to for to in graph.after(at) if not left_out[to])
                stack.append(at)
            for to in left[at]:
                if to not in index:
                    trail.append(to)
                    break
                low[at] = min(low[at], low[to])
            else:
                trail.pop()
                if low[at] == index[at]:
                    group = list[int]()
                    while at not in group[-1:]:
                        group.append(stack.pop())
                    low |= dict.fromkeys(group, graph.count)  # no longer on the stack
                    yield group
                for before in trail[-1:]:
                    low[before] = min(low[before], low[at])


def expected_value(
    states: States,
    name: str,
    most: bool | None,
    summed: bool,
    pause: Callable[[], None] = lambda: None,
    who: Value = None,
    others: str | None = None,
) -> Fraction:
    """The expected value, before the setup, of a number at the end, or `summed` over the positions of plies.

    With `most` the first side maximises and the other minimises, with False the reverse; with None all legal
    actions are equally likely. If `who` is given, the side of that player maximises, and all others minimise,
    or play at random if `others` is `random`. Raises NonTerminating, NoValue.
    """
    values = [worth_of(states.game, name, x) for x in states.scan(name)]
    graph = Graph(states)
    if who is None:
        first = [int(x) == 1 for x in states.scan(BuiltinQuestion.SIDE)]
        if most is not None:
            graph.check_payoffs(name)
    else:
        team = side_of(states.game, who)
        if not team:
            raise NoValue(HIDDEN_SIDES)
        first = [int(x) in team for x in states.scan(BuiltinQuestion.MOVER)]

    def wants(i: int) -> bool | None:
        return None if most is None or (others == "random" and not first[i]) else first[i] == most

    worth = ExpectedValues(
        graph,
        final=lambda i: 0 if summed else values[i],
        gain=lambda i: values[i] if summed else 0,
        wants=wants,
        pause=pause,
    ).worth
    return expectation_at_start(graph, worth)


def expectation_at_start(graph: Graph, worth: Mapping[int, Fraction]) -> Fraction:
    """The expectation before the setup."""
    starts = Counter(graph.states.starts())
    return sum((worth[i] * Fraction(number, odds) for (i, odds), number in starts.items()), Fraction())
