"""Plays to a goal from one start, guided by pattern databases (`kernels.patterns`).

Tables have the states of a game in which some values are merged, with distances from the goal. A best-first
search with these finds a play. A breadth-first search without the states too far from the goal proves that
none is shorter (R. Zhou and E. Hansen, Breadth-first heuristic search, 2006).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from typing import Any

from rulespec.budgets import OutOfBudget
from rulespec.code import TooLarge
from rulespec.code.packed_rows.fields import RowField, changed_variables
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.symmetry import Symmetry
from rulespec.core.types import BOOL, Map, Scalar, Type, Value, scalar_of
from rulespec.kernels.merging import KEPT, MERGED, OTHER
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Move, Position

from .code_states import CodeStates
from .graph import Graph
from .spot_check import SpotCheck
from .states import BucketQueue, Limit

SMALL, LARGE = 300_000, 3_000_000
"""Approximate maximum number of states in tables: for any play, and for a shortest one."""
WHOLE, QUICK, CLOSE = 5, 20, 6
"""Weights: of the depth, of estimates if any play will do, and of estimates if a short one is wanted."""
FARTHEST, DEEPEST = 1 << 40, 1 << 20
"""Larger than any distance, and than any depth."""
Place = tuple[n.StateVar, int]
"""A variable, and the number of a key if it is a map."""


@dataclass(frozen=True)
class Abstraction:
    """A class of values of a type that the rules treat alike, in a game without ends, and the goal's demands.

    Play is `over` under a condition; `pins` are the values that the goal allows at places; `generators`
    generate all permutations of the class.
    """

    game: Game
    goal: n.Expr
    over: n.Expr
    generators: Sequence[Symmetry]
    type: Scalar
    values: Sequence[Value]
    pins: Mapping[Place, frozenset[Value]]

    @property
    def questions(self) -> dict[str, n.Expr]:
        """The questions that a search asks about states."""
        return {"goal": self.goal, "over": n.Or(BOOL, (self.goal, self.over))}

    def moves(self, t: Type) -> bool:
        """True if values of a type, or parts of them, belong to the class."""
        if isinstance(t, Map):
            return self.moves(t.keys) or self.moves(t.of)
        if not isinstance(t, Scalar):
            return (of := getattr(t, "of", None)) is not None and self.moves(of)
        return any(generator.table(t) is not None for generator in self.generators)

    @cached_property
    def apart(self) -> list[Value]:
        """The values of the class that the goal distinguishes from the others."""
        whole = frozenset(self.values)
        told = [pin & whole for pin in self.pins.values() if pin & whole != whole]
        return [value for value in self.values if any(value in pin for pin in told)]


class NoAbstraction(ValueError):
    """Raised if a state holds values of the class in a way that patterns do not support."""


class Table(CodeStates):
    """Abstract states, with some values merged, and their distances."""

    kernels = (*CodeStates.kernels, "patterns")

    def __init__(
        self, of: Abstraction, chance: tuple[str, ...], merging: Sequence[int] = (), like: Table | None = None
    ) -> None:
        super().__init__(of.game, of.questions, chance, ways=True, like=like)
        self.merging = self.instance.numbers(merging)
        self.folding.keeping = *self.folding.keeping[:3], self.merging
        self.far: Any = None

    def _add(self, row: tuple[int, ...]) -> None:
        super()._add(tuple(map(int, self.folding.least(self.instance.words(row)))))

    def explore_all(self, limit: Limit, most: int) -> bool:
        """Find all states; False if there are more than `most`, or a limit was reached."""
        while self.deeper(limit, most):
            pass
        return self.closed

    def label(self, unit: bool) -> None:
        """Compute the distances; with `unit` every ply costs 1. Discards the graph."""
        room, back = self.instance.room, Graph(self).back
        self.far = room("vast numbers", self.states)
        order, row = room("vast small", self.states), room("words", self.layout.width)
        self.names["label"](self.states, int(unit), self.rows, back, self.merging, row, self.far, order)
        self.firsts = self.ways = self.outs = self.odds = None


class PatternDatabases:
    """Pattern tables for plays from one deal; `grow` makes them.

    Raises NoAbstraction; TooLarge if the game has no code.
    """

    def __init__(self, of: Abstraction, chance: tuple[str, ...]) -> None:
        self.of, self.chance = of, chance
        self.base = Table(of, chance)
        """The space whose memory and kernels all others share."""
        self._places = list(self._find_places(Machine(of.game).start(Chance(None, chance)).position))
        self.tables: list[Table] = []
        self.unit = False
        self._size, self._each, self._expected = -1, 1.0, 0.0

    def _find_places(self, start: Position) -> Iterator[tuple[Place, RowField]]:
        """The places of rows that hold values of the class, with their fields. NoAbstraction."""
        of, program, layout = self.of, self.base.runner.program, self.base.layout
        fields, moved = {field.at: field for field in layout.cells}, changed_variables(of.game)
        for var, value in zip(of.game.state.values(), start.values, strict=True):
            t = var.type
            if not of.moves(t) or (var not in moved and all(g.of(t, value) == value for g in of.generators)):
                continue
            keys, held = (t.keys, t.of) if isinstance(t, Map) else (None, t)
            if scalar_of(held) != of.type or (keys and of.moves(keys)) or var in layout.idle:
                raise NoAbstraction(f"`{var.name}` holds {of.type}")
            for key in range(len(keys.values) if keys else 1):
                yield (var, key), fields[program.offsets[var].at + key]

    def _merging(self, group: Sequence[Value]) -> list[int]:
        """The merging of `kernels.merging` that keeps a group of values apart."""
        of, merged = self.of, frozenset(self.of.values) - frozenset(group)
        codes, low = self.base.runner.program.codes.codes(of.type), self._places[0][1].low
        value_of = {code - low: value for value, code in zip(of.type.values, codes, strict=True)}
        numbers = [value_of.get(x) for x in range(max(1 << field.bits for _, field in self._places))]
        kinds = [MERGED if v in merged else KEPT if v in group else OTHER for v in numbers]
        order = [x for x, kind in enumerate(kinds) if kind == MERGED]
        fields = [(x.word, x.shift, (1 << x.bits) - 1) for _, x in self._places]
        result = [len(self._places), len(numbers), *chain.from_iterable(fields)]
        result += [*kinds, *order, *[0] * (2 * len(kinds) - len(order))]
        for place, _ in self._places:
            pin = of.pins.get(place)
            allowed = pin | merged if pin and pin & merged else pin
            result += [int(allowed is None or value in allowed) for value in numbers]
        return result

    def grow(self, most: int, limit: Limit) -> None:
        """Keep more values apart while the tables are expected to have at most `most` states in all.

        The tables stay as they were if a limit is reached. Raises TooLarge.
        """
        apart = self.of.apart
        while self._size < len(apart) and self._expected <= most:
            size = self._size + 1
            groups = [apart[i : i + size] for i in range(0, len(apart), size)] if size else [[]]
            made = [Table(self.of, self.chance, self._merging(group), self.base) for group in groups]
            if not all(table.explore_all(limit, most) for table in made):
                self._expected = most + 1.0
                return
            names = self.base.names
            self.unit |= any(names["mixes"](x.states, x.rows, x.scratch, x.merging) for x in made)
            for table in made:
                table.label(self.unit)
            each = sum(table.states for table in made) / len(made)
            self._expected = each * each / self._each * -(-len(apart) // (size + 1))
            self._size, self._each, self.tables = size, each, made

    def estimates(self, space: CodeStates, first: int, last: int) -> Any:
        """Lower bounds on the plies to the goal for states from `first` to before `last`; -1 if it is
        unreachable."""
        room = space.instance.room
        notes, row = room("vast numbers", last - first), room("words", space.layout.width)
        for table in self.tables:
            held = space.rows, table.sources, table.merging, row, table.far, notes
            table.names["estimate"](first, last, int(self.unit), *held)
        return notes


class GuidedSearch(CodeStates):
    """A search for a goal from a deal, guided by tables.

    Without a bound, states are ordered by depth plus weighted estimate (best-first, weighted A*). With a
    bound, the search is breadth-first and omits the states that no play of at most so many plies to the goal
    can pass.
    """

    def __init__(self, databases: PatternDatabases, bound: int | None = None, weight: int = WHOLE) -> None:
        of, self._weight = databases.of, weight
        super().__init__(of.game, of.questions, databases.chance, like=databases.base)
        self._databases, self._bound, self._queue = databases, bound, BucketQueue()
        self.next_bound = FARTHEST
        """The least bound with which more states would be expanded."""
        self.goal: int | None = None
        """The goal state, once it is found."""

    def play(self, limit: Limit, most: int) -> Play | None:
        """A play to the goal; None if there is none or a limit was reached."""
        while self.goal is None and self.deeper(limit, most):
            pass
        return None if self.goal is None else self.play_to(self.goal)

    def _due_at(self, queue: BucketQueue) -> Iterator[int | None]:
        """The priorities of states, deeper ones first among equals, until one is at the goal."""
        first, last, depth = queue.taken, self.states, -queue.due % DEEPEST + 1 if queue.taken else 0
        notes, over = self._databases.estimates(self, first, last), self.scan("over", first, last)
        goals = self.scan("goal", first, last) if any(over) else ()
        self.goal = next((i for i, held in enumerate(goals, first) if held), None)
        self.closed = self.goal is not None
        for x, ended in zip(notes, over, strict=True):
            if x < 0 or ended:
                yield None
            elif self._bound is None:
                yield (WHOLE * depth + self._weight * x) * DEEPEST - depth
            elif depth + x <= self._bound:
                yield depth * DEEPEST - depth
            else:
                self.next_bound = min(self.next_bound, depth + x)
                yield None


Play = tuple[tuple[str, ...], tuple[Move, ...]]
"""Outcomes of chance, and moves."""


def guided_play(
    game: Game, of: Abstraction | None, chance: tuple[str, ...] | None, limit: Limit, most: int,
    progress: Callable[[str], None], *, shortest: bool, spot_check: SpotCheck | None = None,
) -> Play | None:  # fmt: skip
    """A play to the goal of an abstraction, a shortest one if `shortest`.

    `chance` is the deal, None for the only start. Returns None if no play is found within the limits, which
    include the number of states. With a spot check the interpreter replays a share of the states of the last
    search; raises Unlike.
    """
    if of is None or (chance is None and game.has_chance):
        return None
    progress("making pattern databases")
    try:
        databases = PatternDatabases(of, chance or ())
        databases.grow(LARGE if shortest else SMALL, limit)
        progress("looking for a play with pattern databases")
        search = GuidedSearch(databases, weight=CLOSE if shortest else QUICK)
        play = search.play(limit, most)
        bound = 0 if shortest else FARTHEST
        while play is not None and bound < len(play[1]):
            progress(f"looking for a play of {bound} plies")
            search = GuidedSearch(databases, bound)
            found = search.play(limit, most)
            if found or search.stopped:
                play = found
                break
            bound = search.next_bound
        if play is not None and spot_check is not None:
            spot_check.compare_explored(search, complete=False)
        return play
    except (NoAbstraction, OutOfBudget, TooLarge):
        return None
