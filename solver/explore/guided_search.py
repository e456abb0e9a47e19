"""Best-first search for a goal from a given start, led by pattern databases; see `kernels.best_first`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from rulespec.budgets import OutOfBudget
from rulespec.code import TooLarge
from rulespec.code.pacing import Pace
from rulespec.code.plies import FULL
from rulespec.core.game import Game
from rulespec.kernels.best_first import AT, COUNT, DEEP, MET, SUM
from rulespec.kernels.exploration import DONE, PAUSED
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Move, Position

from .code_states import moves_of
from .pattern_databases import FIRST_ROOM, SLICE, Abstraction, NoAbstraction, PatternDatabases
from .states import Limit, Stopped

SMALL, LARGE = 300_000, 3_000_000
"""About how many states tables have at first, and where the first search meets no goal."""
FEW = 500_000
"""The first search finds so many states at most."""
WEIGHT = 4
"""The weight of estimates where any play will do."""
SUMS = 1 << 16
"""Room for so many sums of a depth and an estimate."""

Progress = Callable[[str], None]


class BestFirst:
    """A search from a position from which play goes on; estimates count `weight` times.

    With the weight 1 the play that is found is a shortest one.
    """

    def __init__(self, patterns: PatternDatabases, start: Position, weight: int) -> None:
        self.patterns, self.start, self.weight = patterns, start, weight
        self._instance, room = patterns.instance, patterns.instance.room
        columns = (room("small", FIRST_ROOM) for _ in range(4))
        rows = room("words", FIRST_ROOM * patterns.layout.width)
        self._nodes: tuple[Any, ...] = room("small", 2 * FIRST_ROOM), rows, *columns
        self._queue: tuple[Any, ...] = (
            room("small", SUMS),
            room("small", FIRST_ROOM),
            room("small", FIRST_ROOM),
        )
        self._into = self._instance.numbers([0, 0, 0, 0, *patterns.questions])

    @property
    def least(self) -> int:
        """With the weight 1: no play to the goal has fewer plies."""
        return int(self._into[SUM])

    def run(self, most: int, limit: Limit) -> bool:
        """True if the goal is met before so many states are found. Raises Stopped at a limit, TooLarge."""
        patterns, pace, status = self.patterns, Pace(SLICE), PAUSED
        while status != MET and self._into[COUNT] < most:
            if spent := limit():
                raise Stopped(spent)
            row = patterns.row if self._into[COUNT] else patterns.put(self.start)
            with pace as step:
                now = patterns.now, patterns.kept, row, self._nodes, self._queue
                status = int(
                    patterns.names["search"](
                        self.weight, step, *now, patterns.known, patterns.terms, self._into
                    )
                )
            if status in (DONE, DEEP):
                raise Stopped("no play was found" if status == DONE else "plays are too long")
            if status == FULL:
                patterns.widen()
            elif status not in (MET, PAUSED):
                self._more_room()
        return status == MET

    def _more_room(self) -> None:
        """Make room for twice as many states and entries."""
        doubled, (table, rows, *columns) = self._instance.doubled, self._nodes
        table = self._instance.room("small", 2 * len(table))
        self._nodes = table, doubled("words", rows), *(doubled("small", held) for held in columns)
        self.patterns.names["seat_again"](self._nodes, int(self._into[COUNT]))
        self._queue = self._queue[0], *(doubled("small", held) for held in self._queue[1:])

    @property
    def moves(self) -> list[Move]:
        """The moves of the play to the goal that was met."""
        patterns, width = self.patterns, self.patterns.runner.written.width
        found, at = list[Move](), int(self._into[AT])
        while (before := int(self._nodes[2][at])) >= 0:
            k = int(patterns.names["way"](at, patterns.now, patterns.kept, patterns.row, self._nodes))
            found += moves_of(patterns.runner, patterns.kept[k * width : (k + 1) * width])
            at = before
        return found[::-1]


def guided_play(
    game: Game, of: Abstraction | None, chance: tuple[str, ...] | None, limit: Limit, most: int,
    progress: Progress, *, shortest: bool,
) -> tuple[tuple[str, ...], list[Move]] | None:  # fmt: skip
    """A play to the goal of an abstraction, a shortest one if asked: outcomes of chance, and the moves.

    It is from a deal, None standing for the only start. None where nothing leads the search, and where no
    play is found within the limits, one of which is the number of states.
    """
    if of is None or (chance is None and game.has_chance):
        return None
    start = Machine(game).start(Chance(None, chance or ()))
    try:
        for size, states in ((SMALL, FEW), (LARGE, most)) if not start.position.is_over else ():
            tables = _tables(of, start.position)
            progress("making pattern databases")
            if tables.grow(size, limit):
                progress("looking for a play with pattern databases")
                search = BestFirst(tables, start.position, 1 if shortest else WEIGHT)
                if search.run(states, _watched(search, limit, progress) if shortest else limit):
                    return start.outcomes, search.moves
    except (NoAbstraction, OutOfBudget, Stopped, TooLarge):
        pass
    return None


def _watched(search: BestFirst, limit: Limit, progress: Progress) -> Limit:
    """A limit that says on the way how long plays are at least."""

    def watched() -> str:
        progress(f"no play of fewer than {search.least} plies")
        return limit()

    return watched


_kept: list[PatternDatabases] = []


def _tables(of: Abstraction, start: Position) -> PatternDatabases:
    """The tables for a goal: those that were made last, if these are for it."""
    if not (_kept and _kept[0].of is of and _kept[0].fits(start)):
        _kept[:] = [PatternDatabases(of, start)]
    return _kept[0]
