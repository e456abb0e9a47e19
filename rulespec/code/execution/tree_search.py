"""Tree search of the kernels, compiled beside the code of a game, with the arrays that it works on."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from ...budgets import Stopwatch, watchdog
from ...core.sides import sides
from ...core.types import Value
from ...core.winners import Sharing, sharing
from ...kernels import tree_search as k
from ...machine import form as f
from ...machine.builder import Builder
from ..body import B, M, S
from ..plies import FULL
from ..writer import GameCode
from .kernel_names import kernel_table, scoring_names
from .runner import Runner, random_source, wider_buffer

Move = tuple[str, tuple[Value, ...]]
"""An action by name with its choices."""

KERNEL = "tree_search"
MOST_NODES = 1 << 20
MOST_NUMBERS = 1 << 23
"""Maximum number of nodes of a tree, and maximum size of its edges in numbers (64 MB)."""
EDGES_A_NODE = 12
"""Average room for edges for each play."""
DEEPEST = 512
"""Maximum depth in the tree of one play."""
AT_ONCE = 20_000
"""Maximum number of plies between two readings of the clock."""
SLICE = 0.02
"""Seconds between two looks at the clock."""
MOST_PLIES = 400
"""A playout is evaluated as it stands after this many plies."""
LEAST_PLIES, LONGEST, PLAYS_WANTED = 12, 4_000, 200
"""With a time limit, playouts are cut short so that about `PLAYS_WANTED` of them fit."""


def beside(written: GameCode) -> dict[str, int | f.Table | f.Function]:
    """Names that the kernel needs in addition to the code of a game."""
    game, visible = written.program.game, written.visible
    first, places, sizes = [0], [], []
    for i, action in enumerate(written.rows.actions):
        at = {choice.var: (place, written.program.size(choice.chain.type) if choice.chain else 1)
              for choice, place in written.rows.places(i)}  # fmt: skip
        for secret in action.secrets:
            place, size = (-1, 0) if secret.choice is None else at[secret.choice]
            places.append(place)
            sizes.append(size)
        first.append(len(places))
    # Where sides depend on the position, each player is taken to be alone.
    groups = sides(game) or [(player,) for player in game.player.values]
    side_of = [next(i for i, side in enumerate(groups) if p in side) for p in game.player.values]
    made = {
        **scoring_names(written),
        "GAINS": game.outcome.gains,
        "TOGETHER": sharing(game) is Sharing.TOGETHER, "SHARED": sharing(game) is Sharing.WIN,
        "SIDES": len({*side_of}), "SIDE_OF": kernel_table("SIDE_OF", side_of),
        "IS_FIRST_OF_SIDE": kernel_table(
            "IS_FIRST_OF_SIDE", [int(side not in side_of[:i]) for i, side in enumerate(side_of)]
        ),
        "HIDES": visible is not None, "SECRETIVE": bool(places),
        "NUMBERS_SEEN": len(visible.cells) if visible else 0,
        "WORDS_SEEN": len(visible.words) if visible else 0,
        "SEEN_CELLS": kernel_table("SEEN_CELLS", visible.cells if visible else ()),
        "SEEN_WORDS": kernel_table("SEEN_WORDS", visible.words if visible else ()),
        "SECRET_FROM": kernel_table("SECRET_FROM", first),
        "SECRET_PLACE": kernel_table("SECRET_PLACE", places),
        "SECRET_SIZE": kernel_table("SECRET_SIZE", sizes),
    }  # fmt: skip
    viewer = f.Local(f.NUMBER, "viewer")
    if visible is None:
        made["see"] = Builder().function("see", [S, B, viewer])
    if not places:
        made["shown"] = Builder().function("shown", [S, B, M])
    return made


FUNCTIONS = ("fill_tables", "edge_width", "look", "put_in_order", "begin", "grow")
"""The functions of the kernel that may be called from outside."""
PLACES = (
    "NODE", "N_FIRST", "EDGE", "E_VISITS", "E_NEXT", "UNIT", "LOOK", "MOST_LOOKED", "MOST_ANSWERS", "TABLED",
    "TALLY", "T_PLAYS", "T_ENDED", "T_SEAT", "T_WORLDS", "T_LIMIT", "T_SEED",
)  # fmt: skip
"""The constants of the kernel that a page needs."""


def constants(written: GameCode) -> dict[str, int]:
    """The sizes and places that a page needs to call the kernel."""
    program = written.program
    sizes = {"CELLS": program.state_cells, "WORDS": len(program.words), "WIDTH": written.width}
    sizes |= {"ROW": row_size(written), "DEEPEST": DEEPEST, "MOST_PLIES": MOST_PLIES}
    return sizes | {name: getattr(k, name) for name in PLACES}


def row_size(written: GameCode) -> int:
    """Size of an action in numbers, including the players who see its secrets."""
    secrets = max((len(action.secrets) for action in written.rows.actions), default=0)
    return max(written.width + secrets, written.constants.get("BLOCK", 0))


class Result(NamedTuple):
    """The result of a search for one move at the root."""

    move: Move
    visits: int
    wins: float
    """The mean share of a win for the seat."""
    points: float


class TreeSearch:
    """Searches for seats of a game in its code. Its arrays are reused for each search."""

    def __init__(self, runner: Runner) -> None:
        written, instance = runner.written, runner.instance
        self._runner, self._written = runner, written
        self._names = instance.beside(beside(written), KERNEL)
        room = instance.room
        self._roots, self._logs = room("reals", k.TABLED), room("reals", k.TABLED + 64)
        self._names["fill_tables"](self._roots, self._logs)
        self._edge = int(self._names["edge_width"]())
        self._players = len(runner.program.game.player.values)
        self._tally = room("numbers", k.TALLY)
        cells, words = self._sizes = runner.program.state_cells, len(runner.program.words)
        self._room = (
            room("numbers", 2 * DEEPEST), room("numbers", 2 * self._players),
            room("numbers", row_size(written)),
            room("numbers", cells + k.MOST_ANSWERS * written.width), room("words", words),
        )  # fmt: skip
        first = runner.first
        self._now = (
            instance.numbers(first[0]), instance.words(first[1]), instance.words(random_source(1)),
            room("numbers", written.rows.first_size),
        )  # fmt: skip
        self._tree: tuple[Any, ...] = ()
        self._worlds: tuple[Any, Any] = ((), ())

    @property
    def plays(self) -> int:
        """Number of plays in the present search."""
        return int(self._tally[k.T_PLAYS])

    @property
    def ended(self) -> int:
        """Number of plays that ended; the others were cut short and evaluated as they stood."""
        return int(self._tally[k.T_ENDED])

    def begin(
        self, seat: Value, worlds: Sequence[Sequence[Value]], moves: Sequence[Move], seed: str,
        plays: float, is_late: Callable[[], bool],
    ) -> list[Move]:  # fmt: skip
        """Begin a search among a seat's moves, for about `plays` plays; returns the moves worth searching.

        The search starts from `worlds`, states consistent with the seat's view. The moves are sorted by a
        first look, best first; a single one needs no search. Once `is_late` holds, the rest is skipped.
        """
        tally, instance = self._tally, self._runner.instance
        cells, words = [], []
        for world in worlds:
            numbers, bits = self._runner.encode(world)
            cells += numbers[: self._sizes[0]]
            words += bits[: self._sizes[1]]
        self._worlds = instance.numbers(cells), instance.words(words)
        tally[k.T_SEAT] = self._runner.program.codes.code(self._runner.program.game.player, seat)
        tally[k.T_WORLDS], tally[k.T_LIMIT] = len(worlds), MOST_PLIES
        digest = hashlib.blake2b(seed.encode(), digest_size=8).digest()
        tally[k.T_SEED] = int.from_bytes(digest, "little") >> 1
        held = instance.numbers([x for move in moves for x in self._runner.row_of(*move)])
        n, width = len(moves), self._written.width
        looks = instance.room("numbers", n * k.LOOK)
        looked = 0
        while looked < min(n, k.MOST_LOOKED) and not (looked and is_late()):
            self._call("look", looked, held, n <= k.MOST_LOOKED, looks, tally)
            looked += 1
        n = int(self._names["put_in_order"](n, looked, held, looks))
        self._plant(n, held, plays)
        return [self._runner.move(held[i * width : (i + 1) * width]) for i in range(n)]

    def _plant(self, n: int, rows: Any, plays: float) -> None:
        """Begin a tree for about `plays` plays with `n` rows at its root, in arrays that are large enough."""
        nodes = int(min(plays + 1, MOST_NODES))
        edges = max(min(nodes * EDGES_A_NODE, MOST_NUMBERS // self._edge), n)
        if not self._tree or len(self._tree[0]) < nodes * k.NODE or len(self._tree[1]) < edges * self._edge:
            room, size = self._runner.instance.room, 1 << (2 * (nodes + edges)).bit_length()
            self._tree = (
                room("numbers", nodes * k.NODE), room("numbers", edges * self._edge),
                room("words", size), room("numbers", size), self._tally, self._roots, self._logs,
            )  # fmt: skip
        self._names["begin"](n, rows, self._tree)

    def grow(self, plays: float, seconds: float, is_late: Callable[[], bool]) -> None:
        """Add plays until there are `plays` in total, or until `is_late` after the first one."""
        watch, most = Stopwatch(), int(min(plays, 1 << 60))
        slice_ = 1 if seconds < math.inf else AT_ONCE
        while self.plays < most and not (self.plays and is_late()):
            before = watch.seconds
            self._call("grow", most, slice_, self._tree)
            if seconds < math.inf:
                spent = max(watch.seconds - before, 1e-6)
                slice_ = max(1, min(AT_ONCE, int(slice_ * min(8.0, SLICE / spent))))
                plies = self._tally[k.T_PLIES] + self._tally[k.T_TREE]
                wanted = seconds / PLAYS_WANTED * plies / max(watch.seconds, 1e-6)
                self._tally[k.T_LIMIT] = max(LEAST_PLIES, min(LONGEST, int(wanted)))

    def _call(self, name: str, *given: Any) -> None:
        """Call a function of the kernel; repeat with a larger buffer if there was no room for the legal
        actions."""
        while True:
            watchdog.step()
            if int(self._names[name](*given, self._worlds, self._now, self._room)) != FULL:
                return
            self._now = (*self._now[:3], wider_buffer(self._runner.instance, self._now[3], self._written))

    def results(self) -> list[Result]:
        """The results for the moves of the root that were tried."""
        found = []
        at, edges, seat = self._tree[0][k.N_FIRST], self._tree[1], self._tally[k.T_SEAT]
        seat -= self._runner.program.game.player.values[0]
        while at >= 0:
            e = at * self._edge
            visits = edges[e + k.E_VISITS]
            if visits:
                wins, points = (edges[e + k.EDGE + i * self._players + seat] / visits for i in range(2))
                row = edges[e + k.EDGE + 2 * self._players : e + self._edge]
                found.append(Result(self._runner.move(row), visits, wins / k.UNIT, points))
            at = edges[e + k.E_NEXT]
        return found

    def value(self, result: Result) -> float:
        """The worth of an action: wins and points combined in one number."""
        low, high = int(self._tally[k.T_LOW]), int(self._tally[k.T_HIGH])
        outcome = self._runner.program.game.outcome
        if high <= low or outcome.score is None:
            return result.wins
        weight = 1.0 if outcome.gains else k.POINTS
        return (1 - weight) * result.wins + weight * (result.points - low) / (high - low)
