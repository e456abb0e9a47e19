"""Strategies: an action for each position of one player that guarantees a bound on the value of every end.

A strategy can be checked without trusting the search: the interpreter or the game's code follows all plays
that it allows, breadth first; every end must meet the bound, and no position may repeat in a play. See
`strategy_states` for the meaning of a choice.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import count, product
from math import inf

from rulespec.core.winners import TOGETHER, shared_win_is_apart

from .code_states import CodeStates
from .exploration_code import RowLayout
from .graph import Graph
from .interpreter_states import InterpreterStates
from .mtdf import MtdSearch
from .state_space import MOST_POSITIONS
from .states import (
    NO_RESULT,
    BuiltinQuestion,
    Limit,
    LimitReached,
    NoValue,
    Row,
    Unsound,
    is_shared,
    worth_of,
)
from .strategy_states import StrategyStates, is_own, successors

FEW = 100
"""If no successor is in a table, each is tested with this many states first."""


class EndValues:
    """The values of ends: the number `name`, or without one 1 or -1 for the player who has won, else 0."""

    def __init__(self, states: CodeStates | InterpreterStates, name: str | None) -> None:
        self._states, self._name = states, name
        self._apart = shared_win_is_apart(states.game)
        """True if a shared win may differ from a draw."""

    def end(self, row: Row) -> int | None:
        """The value of a final position; None if play goes on. Raises Unsound; see `ends`."""
        if not RowLayout.number(self._states.layout.ended, row):
            return None
        return self._value(self._states.ask(self._name or BuiltinQuestion.WINNERS, row))

    def ends(self) -> Iterator[int]:
        """The values of all ends among the states.

        Raises Unsound if several players win together and there may be no winner.
        """
        answers = self._states.scan(self._name or BuiltinQuestion.WINNERS)
        ended = self._states.scan(BuiltinQuestion.ENDED)
        return (self._value(int(answer)) for answer, end in zip(answers, ended, strict=True) if end)

    def _value(self, answer: int) -> int:
        """The worth of an answer for the player. Raises Unsound for a shared win that counts apart."""
        if self._name is None and self._apart and is_shared(answer):
            raise Unsound(TOGETHER)
        return worth_of(self._states.game, self._name, answer)


def check_choices(
    states: StrategyStates, name: str | None, bound: int, choices: Sequence[int], limit: Limit
) -> None:
    """Follow every play allowed by the choices of a strategy; see `EndValues` for the value of an end.

    Player 1 must reach at least the bound, the other player at most. Raises Unsound if an end violates the
    bound, a play faults, or a position repeats in a play; LimitReached.
    """
    states.choose(choices)
    while states.deeper(limit, MOST_POSITIONS):
        pass
    if not states.closed:
        raise LimitReached(states.stopped)
    if any(states.scan(BuiltinQuestion.FAULTED)):
        raise Unsound(NO_RESULT)
    if any(states.side * value < states.side * bound for value in set(EndValues(states, name).ends())):
        raise Unsound("it lets a play end with less")
    graph = Graph(states)
    if len(graph.terminating()[0]) < graph.count:
        raise Unsound("it lets a position come back")
    if states.unused_count:
        raise Unsound("it says more than there is to choose")


def extract_choices(
    states: StrategyStates, memory: MtdSearch, name: str | None, bound: int, most: int, limit: Limit
) -> tuple[int, ...]:
    """The choices, at most `most`, by which a player secures the value that a search proved.

    Plays are as short as tests of limited depth prove, which together expand a quarter of the search's
    states. Among sufficient successors, one already chosen in the same layer comes first, then the one with
    least work. Forgotten table entries are searched again. Raises Unsound, LimitReached.
    """
    side, values = states.side, EndValues(states, name)
    gamma, left, tables = bound if side == 1 else bound + 1, memory.expanded_count // 4, [memory]
    choices: list[int] = []

    def pause() -> None:
        if spent := limit():
            raise LimitReached(spent)

    def good(search: MtdSearch, row: Row, met: Container[Row] = ()) -> int | None:
        """The estimated work of a position; None unless it is known to be sufficient."""
        if (worth := values.end(row)) is not None:
            return 0 if side * worth >= side * bound else None
        low, high, work = search.bounds(row)
        shown = low >= bound if side == 1 else high <= bound
        return None if not shown else 0 if row in met else work

    def last_of(row: Row, ply: int) -> int:
        """The ply before which sufficient plays from a position end; 0 if none is proved."""
        nonlocal left
        for last in count(ply + 1):
            pause()
            if last >= len(tables) and left <= 0:
                break
            tables.extend(memory.apart() for _ in range(len(tables), last + 1))
            search, before = tables[last], tables[last].expanded_count
            if good(search, row) is None:
                try:
                    search.test(row, gamma, limit, left, side * (last - ply))
                    left -= search.expanded_count - before
                except NoValue:  # the search itself did not come by the position that comes back
                    left = 0
            if good(search, row) is not None:
                return last
        return 0

    def choice(row: Row, ply: int, met: set[Row]) -> int:
        """The number of the chosen successor, which is then marked as met. Raises LimitReached, Unsound."""
        pause()
        after, last = successors(states, row), last_of(row, ply)
        for search, plies in ((tables[last], side * max(0, last - ply - 1)), (memory, 0)):
            result = [good(search, to, met) for to in after]
            for followed, (i, to) in product((FEW, inf), enumerate(after)):
                if all(x is None for x in result) and values.end(to) is None:
                    search.test(to, gamma, limit, followed, plies)
                    result[i] = good(search, to, met)
            if any(x is not None for x in result):
                break
        if search.stopped:
            raise LimitReached(search.stopped)
        cheap = min(((x, i) for i, x in enumerate(result) if x is not None), default=None)
        if cheap is None:
            raise Unsound("what was shown cannot be found again")
        met.add(after[cheap[1]])
        return cheap[1]

    while states.deeper(limit, MOST_POSITIONS):
        first, met = states.seen_count - states.counts[-1], set[Row]()
        rows = map(states.row, range(first, states.seen_count))
        own = [row for row in rows if values.end(row) is None and is_own(states, row)]
        if len(choices) + len(own) > most:
            raise LimitReached(f"a strategy takes more than {most:,} choices")
        layer = [choice(row, len(states.counts) - 1, met) for row in own]
        states.choose(layer)
        choices += layer
    if not states.closed:
        raise LimitReached(states.stopped)
    return tuple(choices)
