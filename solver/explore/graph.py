"""The graph of all plays: predecessors, termination, distances, and values by retrograde analysis.

The states must be closed and keep their ways (see `States`). Loops over all states are a kernel
(`rulespec.kernels.graphs`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from rulespec.core.winners import NOT_CONSTANT, TOGETHER, is_payoff
from rulespec.play.plays import states as states_of_play
from rulespec.play.plays import write_down
from rulespec.play.position import Move

from .states import (
    BuiltinQuestion,
    NoValue,
    Question,
    ScoreOf,
    States,
    is_shared,
    without_draw_count,
    worth_of,
)


class Uncountable(ValueError):
    """Raised if plays are not counted; the text gives the reason."""


CHANCY = "plays with chance in them are not counted"


class Graph:
    """The edges between the states of a game, forward and backward."""

    def __init__(self, states: States) -> None:
        assert states.closed
        assert states.keeps
        self.states, self.instance = states, states.instance
        self.count = states.states
        self.names = self.instance.beside({}, "graphs")
        self._edges = states.firsts, states.ways, states.outs
        last = int(states.ways[int(states.firsts[self.count])])
        room = self.instance.room
        self.back = room("vast numbers", self.count + 2), room("vast small", last)
        self.names["transpose"](self.count, self._edges, self.back)

    def _numbers(self) -> Any:
        """An array with a number for each state."""
        return self.instance.room("vast numbers", self.count)

    def _small(self) -> Any:
        """An array with a number of 32 bits for each state."""
        return self.instance.room("vast small", self.count)

    def after(self, number: int) -> list[int]:
        """The successors of a state, for all outcomes of chance."""
        firsts, ways, outs = self._edges
        first, last = (int(ways[int(firsts[number + i])]) for i in (0, 1))
        return [int(to) for to in outs[first:last]]

    def is_end(self, number: int) -> bool:
        """True if no action leads on from a state."""
        firsts = self._edges[0]
        return bool(firsts[number] == firsts[number + 1])

    def ways(self, number: int) -> list[list[tuple[int, int]]]:
        """For each action its outcomes: the state, and the denominator of its probability."""
        return self.states.ways_of(number)

    @property
    def chancy(self) -> bool:
        """True if any action has more than one outcome of chance."""
        firsts, ways, _ = self._edges
        last = int(firsts[self.count])
        return int(ways[last]) != last

    def terminating(self) -> tuple[Sequence[int], Sequence[int]]:
        """The states from which every play ends, each after its successors, and the lengths of longest plays.

        The lengths are in plies, one for each state by number.
        """
        order, left, length = self._small(), self._small(), self._numbers()
        done = int(self.names["finish"](self.count, self._edges, self.back, left, order, length))
        return (order if done == len(order) else order[:done]), length

    def lasso(self, terminating: Sequence[int]) -> tuple[tuple[str, ...], tuple[Move, ...], int]:
        """A play into a cycle, if not every play ends: chance, moves, and the ply at which the cycle
        begins."""
        cycle, states = self._cycle(terminating), self.states
        # Where a state stands for its images, a round may come back to another of these first.
        rounds = states.orbit_sizes(cycle[0], cycle[0] + 1)[0]
        chance, moves = states.play_on([*states.path_to(cycle[0]), *cycle[1:] * rounds])
        play, _ = write_down(states.game, chance, moves)
        passed = [without_draw_count(state.position) for state in states_of_play(states.game, play)]
        again = next(k for k, position in enumerate(passed) if position in passed[:k])
        return chance, moves[:again], passed.index(passed[again])

    def _cycle(self, terminating: Sequence[int]) -> list[int]:
        """A cycle of states, with the first one repeated at the end, if not every play ends."""
        done = {int(i) for i in terminating}
        at = next(i for i in range(self.count) if i not in done)
        path: dict[int, int] = {}
        while at not in path:
            path[at] = len(path)
            at = next(to for to in self.after(at) if to not in done)
        return [*list(path)[path[at] :], at]

    def first_dead_end(self, goal: Sequence[int]) -> tuple[int | None, int]:
        """The first state (or None) that cannot reach a nonzero `goal`, and the greatest distance to one.

        Distances count the fewest plies, with favourable chance. States after a fault are left out, because
        the states before them count.
        """
        plies, faulted = self._numbers(), self.states.scan(BuiltinQuestion.FAULTED)
        self.names["distances"](self.count, self.back, goal, plies, self._small())
        far = [0 if bad else int(x) for x, bad in zip(plies, faulted, strict=True)]
        return next((i for i, x in enumerate(far) if x < 0), None), max(far)

    def count_plays(self) -> int:
        """The number of complete plays. Raises Uncountable."""
        if self.chancy:
            raise Uncountable(CHANCY)
        order, _ = self.terminating()
        if len(order) < self.count:
            raise Uncountable("there is no end of plays: a position can come back")
        plays: list[int] = [0] * self.count
        for i in map(int, order):
            after = self.after(i)
            plays[i] = sum(plays[to] for to in after) if after else 1
        starts = self.states.orbit_sizes(0, self.states.counts[0])
        return sum(size * number for size, number in zip(starts, plays, strict=False))

    def has_shared_wins(self) -> bool:
        """True if several players win together at some end."""
        return any(is_shared(int(won)) for won in self.states.scan(BuiltinQuestion.WINNERS))

    def is_winnerless(self) -> bool:
        """True if nobody wins at some end."""
        asked = (BuiltinQuestion.WINNERS, BuiltinQuestion.ENDED, BuiltinQuestion.FAULTED)
        scans = (self.states.scan(question) for question in asked)
        return any(end and not won and not bad for won, end, bad in zip(*scans, strict=True))

    def has_unequal_wins(self) -> bool:
        """True if several players win together at some end, and a play may have no winner.

        Then a shared win may be worth more than no win, unless the players are declared to be of one side or
        of opposed ones.
        """
        if self.states.game.outcome.side is not None or not self.has_shared_wins():
            return False
        return self.is_winnerless() or len(self.terminating()[0]) < self.count

    def check_payoffs(self, name: str | None) -> None:
        """Raise NoValue if a question is about payoffs whose sum is not the same at every end."""
        game = self.states.game
        if name is None or not is_payoff(game, self.states.asked.get(name)):
            return
        asked: list[Question] = [BuiltinQuestion.ENDED, *map(ScoreOf, game.player.values)]
        answers = zip(*([int(x) for x in self.states.scan(question)] for question in asked), strict=True)
        if len({sum(scores) for ended, *scores in answers if ended}) > 1:
            raise NoValue(NOT_CONSTANT)

    def values(self, name: str | None) -> Sequence[int]:
        """The value of each state under best play of two sides. Raises NoValue.

        The value of an end is the number `name` (0 for none), or without one 1 or -1 for the side that has
        won, else 0.
        """
        if self.chancy:
            raise NoValue("chance has a part in the actions")
        if name is None and self.has_unequal_wins():
            raise NoValue(TOGETHER)
        self.check_payoffs(name)
        ends, side = self._numbers(), self.states.scan(BuiltinQuestion.SIDE)
        seen = self.states.scan(name or BuiltinQuestion.WINNERS)
        ends[:] = [worth_of(self.states.game, name, x) for x in seen]
        worth: Sequence[int] = self._numbers()
        if name is None:  # a play without an end is worth 0
            graph = self.count, self._edges, self.back
            self.names["retrograde"](*graph, ends, side, self._small(), self._small(), worth)
            return worth
        order, _ = self.terminating()
        if len(order) < self.count:
            raise NoValue("play may go on for ever, and the claim does not say what that is worth")
        self.names["minimax"](order, self._edges, ends, side, worth)
        return worth


def count_sequences(states: States, length: int) -> int:
    """The number of sequences of `length` actions from the start. Raises Uncountable."""
    now = Counter(dict(enumerate(states.orbit_sizes(0, states.counts[0]))))
    for _ in range(length):
        then: Counter[int] = Counter()
        for i, sequences in now.items():
            first, last = int(states.firsts[i]), int(states.firsts[i + 1])
            if int(states.ways[last]) - int(states.ways[first]) != last - first:
                raise Uncountable(CHANCY)
            for to in states.outs[int(states.ways[first]) : int(states.ways[last])]:
                then[int(to)] += sequences
        now = then
    return sum(now.values())
