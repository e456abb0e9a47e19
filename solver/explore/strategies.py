"""Strategies: an action for each position of one player that guarantees a bound on the value of every end.

A strategy can be checked without trusting the search: all plays that it allows are followed, ply by ply, by
the interpreter or by the game's code, and no position may repeat in a play. Positions are rows. A choice is
the index of a successor among all successors of the position, in ascending order, so it means the same to the
interpreter and to the code.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import count, product
from math import inf

from rulespec.core.winning import TOGETHER, is_winnerless

from .code_states import CodeStates
from .exploration_code import RowLayout
from .interpreter_states import InterpreterStates
from .mtdf import MtdSearch
from .spot_check import Reservoir
from .states import NO_RESULT, BuiltinQuestion, Limit, NoValue, Row, Stopped, Unsound, is_shared, worth_of

Choice = Callable[[Row, Sequence[Row], "dict[Row, bool]", int], int]
"""Given a position, what its actions lead to, what was gone through so far, and the ply: which is chosen."""
FEW = 100
"""Where nothing that actions lead to has a place in a table, each is tested with so many states first."""


class Successors:
    """The rules as a strategy is held against them, by code or by the interpreter, which packs rows alike.

    An end is worth what is asked by a `name`, without one 1 or -1 for who has won, else 0. Positions that are
    followed go through a reservoir, if there is one.
    """

    def __init__(
        self,
        states: CodeStates | InterpreterStates,
        name: str | None,
        reservoir: Reservoir | None = None,
    ) -> None:
        self._states, self._name, self._reservoir = states, name, reservoir
        self._apart = is_winnerless(states.game)
        """True if a shared win may be more than a draw."""

    def starts(self) -> list[Row]:
        """The states in which play begins, ascending. Raises Unsound if one has faulted."""
        return self._fine(map(self._states.row, range(self._states.counts[0])))

    def mover(self, row: Row) -> int:
        """The player to act."""
        return self._states.ask(BuiltinQuestion.MOVER, row)

    def end(self, row: Row) -> int | None:
        """The worth of a final position; None if play goes on.

        Raises Unsound where several players win together and nobody may win.
        """
        if not RowLayout.number(self._states.layout.ended, row):
            return None
        answer = self._states.ask(self._name or BuiltinQuestion.WINNERS, row)
        if self._name is None and self._apart and is_shared(answer):
            raise Unsound(TOGETHER)
        return worth_of(self._name, answer)

    def after(self, row: Row) -> list[Row]:
        """The successors of a position in ascending order, each once. Raises Unsound."""
        if self._reservoir is not None:
            self._reservoir.add(row)
        return self._fine(self._states.followers(row))

    def _fine(self, rows: Iterable[Row]) -> list[Row]:
        result = sorted(set(rows))
        if any(RowLayout.number(self._states.layout.fault, row) for row in result):
            raise Unsound(NO_RESULT)
        return result


def walk(steps: Successors, side: int, bound: int, choose: Choice, pause: Callable[[], None]) -> int:
    """Go through all plays in which player 1 (`side` 1) or 2 (-1) chooses so; how many positions there are.

    Player 1 is to make sure of at least the bound, player 2 of at most that. Raises Unsound where an end is
    not worth that, or a position comes back in a play. `pause` is called before each position.
    """
    done: dict[Row, bool] = {}
    way: list[tuple[Row, Iterator[Row]]] = []

    def enter(row: Row) -> None:
        if (worth := steps.end(row)) is not None:
            if side * worth < side * bound:
                raise Unsound("it lets a play end with less")
            done[row] = True
        elif row not in done:
            pause()
            done[row] = False
            after = steps.after(row)
            if (steps.mover(row) == 1) == (side == 1):
                after = [after[choose(row, after, done, len(way))]]
            way.append((row, iter(after)))
        elif not done[row]:
            raise Unsound("it lets a position come back")

    for start in steps.starts():
        enter(start)
        while way:
            row, left = way[-1]
            following = next(left, None)
            if following is None:
                done[row] = True
                way.pop()
            elif not done.get(following):
                enter(following)
    return len(done)


def check_choices(
    steps: Successors, side: int, bound: int, choices: Sequence[int], pause: Callable[[], None]
) -> int:
    """Hold choices that were written down, in the order of their positions, against the rules; see `walk`."""
    left = iter(choices)

    def choose(row: Row, after: Sequence[Row], done: dict[Row, bool], ply: int) -> int:
        chosen = next(left, -1)
        if not 0 <= chosen < len(after):
            raise Unsound("it does not say what to choose")
        return chosen

    positions = walk(steps, side, bound, choose, pause)
    if next(left, None) is not None:
        raise Unsound("it says more than there is to choose")
    return positions


def extract_choices(
    steps: Successors, memory: MtdSearch, side: int, bound: int, most: int, limit: Limit
) -> tuple[int, ...]:
    """The choices by which a player makes sure of what a search has shown, at most so many; see `walk`.

    Plays are as short as tests with few plies show, which together follow a quarter of the search's states.
    Of what is good enough, what was gone through already is chosen first, then what took least work. What
    a table has forgotten is searched again. Raises Unsound, and Stopped where a limit was met.
    """
    choices: list[int] = []
    gamma, left, tables = bound if side == 1 else bound + 1, memory.followed // 4, [memory]

    def pause() -> None:
        if spent := limit():
            raise Stopped(spent)

    def good(search: MtdSearch, row: Row, done: dict[Row, bool]) -> int | None:
        """The estimated work of a position; None where it is not known to be good enough."""
        if (worth := steps.end(row)) is not None:
            return 0 if side * worth >= side * bound else None
        low, high, work = search.bounds(row)
        shown = low >= bound if side == 1 else high <= bound
        return None if not shown else 0 if done.get(row) else work

    def last_of(row: Row, ply: int) -> int:
        """The ply before which plays from a position end that are good enough; 0 where none is shown."""
        nonlocal left
        for last in count(ply + 1):
            pause()
            if last >= len(tables) and left <= 0:
                break
            tables.extend(memory.apart() for _ in range(len(tables), last + 1))
            search, before = tables[last], tables[last].followed
            if good(search, row, {}) is None:
                try:
                    search.test(row, gamma, limit, left, side * (last - ply))
                    left -= search.followed - before
                except NoValue:  # the search itself did not come by the position that comes back
                    left = 0
            if good(search, row, {}) is not None:
                return last
        return 0

    def choose(row: Row, after: Sequence[Row], done: dict[Row, bool], ply: int) -> int:
        last = last_of(row, ply)
        for search, plies in ((tables[last], side * max(0, last - ply - 1)), (memory, 0)):
            result = [good(search, to, done) for to in after]
            for states, (i, to) in product((FEW, inf), enumerate(after)):
                if all(x is None for x in result) and steps.end(to) is None:
                    search.test(to, gamma, limit, states, plies)
                    result[i] = good(search, to, done)
            if any(x is not None for x in result):
                break
        if search.stopped or len(choices) == most:
            raise Stopped(search.stopped or f"a strategy takes more than {most:,} choices")
        cheap = min(((x, i) for i, x in enumerate(result) if x is not None), default=None)
        if cheap is None:
            raise Unsound("what was shown cannot be found again")
        choices.append(cheap[1])
        return cheap[1]

    walk(steps, side, bound, choose, pause)
    return tuple(choices)
