"""The knowledge of a seat in a page: a function that replaces everything in a state that the seat cannot see.

It works like `rulespec.book.drawing.diagram.visible_values`: a hidden variable keeps the parts that the
sights of a seat show, and nothing else; the numbers of pieces at hidden places are stored separately.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any

from ..code import GameCode
from ..code.bindings import NONE, Env, Val
from ..code.body import B, Body, Functions, S
from ..code.loops import elements
from ..code.move_generation.action_rows import ActionRows
from ..code.operators.plain import fitted
from ..code.program import Program, in_words, is_truth
from ..code.sights import sight_parts
from ..core import nodes as n
from ..core.game import Game, Sight
from ..core.types import Bag, List, Map, Optional, Set, Type
from ..machine import form as f
from ..machine.builder import compare, differ, equal, intersection, load, number, plus, times, union
from ..play.views import counted_source, hidden_sources, is_variable_drawn, source_of, variable_of
from .bundle import NotForPages
from .types import Types

ONLOOKER = 0
"""The viewer who sees only what all players see."""
ALL = -1
"""The viewer who sees everything."""


class Knowledge:
    """The function `know(s, b, viewer)`, in games whose drawings have hidden parts.

    It changes the state, so it needs a copy. A viewer is the number of a player, `ONLOOKER` or `ALL`. Hidden
    variables that no drawing reads are unchanged.
    """

    name = "knowledge"

    def __init__(self, game: Game) -> None:
        self.game = game
        self.hidden = [var for var in game.state.values() if var.hidden and is_variable_drawn(game, var)]
        self._sizes: dict[n.StateVar, int] = {}
        """For each variable, the place of the numbers of pieces."""
        self._first, self._last = 0, 0

    def roots(self) -> Iterator[n.Expr]:
        """The expressions of all sights."""
        yield from sight_parts(self.game) if self.hidden else ()

    def data(self, written: GameCode, types: Types) -> dict[str, Any]:
        """The place of the known numbers of pieces in a state: `first` and one past the last."""
        return {"hides": bool(self.hidden), "sizes": [self._first, self._last]}

    def backs(self, body: Body, items: n.Expr, env: Env) -> f.Expr | None:
        """The known number of pieces at a place that an expression reads; None if no sight shows it."""
        place = source_of(items)
        var = variable_of(place)
        if var not in self._sizes:
            return None
        index = self._index(body, place, env)
        backs = body.named("backs", 0)
        with body.when(compare(">=", index, 0)):
            body.set(backs, load(S, plus(self._sizes[var], index)))
        return backs

    def write(self, functions: Functions, rows: ActionRows) -> None:
        """Write `know`, which leaves only a viewer's knowledge of hidden variables. Raises NotForPages."""
        if not self.hidden:
            return
        self._place_sizes(functions.program)
        rooms = [_Room(functions.program, var) for var in self.hidden]
        self._learning(functions, rooms)
        body = Body(functions.program, functions)
        viewer = body.local("viewer")
        self._clear_sizes(body, 0)
        with body.when(compare(">", viewer, ONLOOKER)):
            body.do("learn", S, B, viewer)
        with body.when(equal(viewer, ONLOOKER)):
            self._share(body, rooms)
        with body.when(compare(">=", viewer, ONLOOKER)):
            for room in rooms:
                room.adopt(body)
            with self._each_size(body) as i:
                body.store(S, i, f.Binary(f.NUMBER, "max", load(S, i), number(0)))
        functions.add("know", [S, B, viewer], body, entry=True)

    # ---- how many pieces lie somewhere

    def _place_sizes(self, program: Program) -> None:
        """Reserve room for the sizes that sights show of hidden collections."""
        self._first = self._last = len(program.cells)
        for sight in self.game.sights:
            item = counted_source(sight.value)
            if item is not None and (var := variable_of(item)) is not None:
                size = len(var.type.keys.values) if isinstance(var.type, Map) else 1
                if var not in self._sizes:
                    self._sizes[var] = program.room("s", size)
                    self._last = self._sizes[var] + size

    @contextmanager
    def _each_size(self, body: Body) -> Iterator[f.Local]:
        with body.each(i := body.name("i"), self._first, self._last):
            yield i

    def _clear_sizes(self, body: Body, value: f.Expr | int) -> None:
        with self._each_size(body) as i:
            body.store(S, i, value)

    def _index(self, body: Body, place: n.Expr, env: Env) -> f.Expr:
        """The index of a place among those of its variable."""
        if not isinstance(place, n.Read):
            return number(0)
        assert isinstance(place.map.type, Map)
        found, _ = body.index(body.value(place.key, env), place.map.type.keys)
        return body.atom(found, "place")

    # ---- the knowledge of a player

    def _learning(self, functions: Functions, rooms: Sequence[_Room]) -> None:
        """Write `learn(s, b, viewer)`, which copies the knowledge of a player into the rooms."""
        body = Body(functions.program, functions, steady=True)
        viewer = body.local("viewer")
        for room in rooms:
            room.clear(body)
        self._clear_sizes(body, NONE)
        for sight in self.game.sights:
            with ExitStack() as loops:
                env: dict[n.Var, Any] = {sight.viewer: Val(sight.viewer.type, (viewer,))}
                for var, source in sight.binders:
                    env = {**env, var: loops.enter_context(elements(body, var, source, env))}
                self._reveal(body, sight, env, rooms)
        functions.add("learn", [S, B, viewer], body)

    def _reveal(self, body: Body, sight: Sight, env: Env, rooms: Sequence[_Room]) -> None:
        """Write code that marks what a sight shows of hidden variables as known."""
        for source in hidden_sources(sight.value):
            for room in rooms:
                if room.var is variable_of(source):
                    room.reveal(body, source, sight.value, env)
        item = counted_source(sight.value)
        if item is not None and (var := variable_of(item)) is not None:
            index = self._index(body, item, env)
            with body.when(compare(">=", index, 0)):
                body.store(S, plus(self._sizes[var], index), body.value(sight.value, env).expr)

    def _share(self, body: Body, rooms: Sequence[_Room]) -> None:
        """Write code that copies common knowledge to the rooms; sizes are the first player's."""
        first, *others = self.game.player.values
        body.do("learn", S, B, first)
        if not others:
            return
        shared = [_Room(body.program, room.var) for room in rooms]
        sizes = body.program.room("s", self._last - self._first)
        beside = sizes - self._first
        for one, room in zip(shared, rooms, strict=True):
            one.take(body, room)
        with self._each_size(body) as i:
            body.store(S, plus(i, beside), load(S, i))
        for other in others:
            body.do("learn", S, B, other)
            for one, room in zip(shared, rooms, strict=True):
                one.meet(body, room)
            with self._each_size(body) as i, body.when(equal(load(S, i), NONE)):
                body.store(S, plus(i, beside), NONE)
        for one, room in zip(shared, rooms, strict=True):
            room.take(body, one)
        with self._each_size(body) as i:
            body.store(S, i, load(S, plus(i, beside)))


class _Room:
    """The memory in which the knowledge about one hidden variable is collected."""

    def __init__(self, program: Program, var: n.StateVar) -> None:
        self.var, self.program = var, program
        self.leaf, self.count, counts = _leaf(var.type)
        if not isinstance(self.leaf, Optional | Set | List) and not is_truth(self.leaf) and not counts:
            reason = "is never none or empty, so no drawing can leave it open; an optional type can"
            raise NotForPages(f"`{var.name}` is hidden and drawn, and {reason}")
        self.array = B if in_words(var.type) else S
        self.each = program.size(self.leaf)
        self.at = program.room(self.array.name, self.each * self.count)

    @contextmanager
    def _all(self, body: Body, step: int = 1) -> Iterator[f.Local]:
        with body.each(i := body.name("i"), self.at, self.at + self.each * self.count, step):
            yield i

    def clear(self, body: Body) -> None:
        """Write code that clears it."""
        with self._all(body) as i:
            body.store(self.array, i, NONE if isinstance(self.leaf, Optional) else 0)

    def take(self, body: Body, other: _Room) -> None:
        """Write code that copies another room of the variable."""
        with self._all(body) as i:
            body.store(self.array, i, load(self.array, plus(i, other.at - self.at)))

    def meet(self, body: Body, other: _Room) -> None:
        """Write code that keeps the knowledge common to this room and another.

        Sets are intersected; any other value is cleared if the two differ.
        """
        beside = other.at - self.at
        with self._all(body, self.each) as i:
            if isinstance(self.leaf, Set):
                for k in range(self.each):
                    there = load(B, plus(i, beside + k))
                    body.store(B, plus(i, k), intersection(load(B, plus(i, k)), there))
                return
            alike, place = body.named("alike", 1), body.name("k")
            here, there = load(S, plus(i, place)), load(S, plus(i, place, beside))
            with body.each(place, 0, self.each), body.when(differ(here, there)):
                body.set(alike, 0)
            with body.when(equal(alike, 0)), body.each(place, 0, self.each):
                body.store(S, plus(i, place), NONE if isinstance(self.leaf, Optional) else 0)

    def reveal(self, body: Body, source: n.Expr, shown: n.Expr, env: Env) -> None:
        """Write code that adds the shown part of the variable, or of a key of it, to the knowledge."""
        if isinstance(source, n.Get):
            self._put(body, self.var.type, number(self.at), body.value(shown, env))
            return
        assert isinstance(source, n.Read) and isinstance(self.var.type, Map)
        t = self.var.type.of
        place, _ = body.index(body.value(source.key, env), self.var.type.keys)
        place = body.atom(place, "place")
        with body.when(compare(">=", place, 0)):
            at = body.atom(plus(self.at, times(place, self.program.size(t))), "at")
            self._put(body, t, at, body.value(shown, env))

    def _put(self, body: Body, t: Type, at: f.Expr, val: Val) -> None:
        if isinstance(t, Set):
            for k, e in enumerate(body.widened(val.parts, self.each)):
                body.store(B, plus(at, k), union(load(B, plus(at, k)), e))
        else:
            body.put(t, at, fitted(body, t, val))

    def adopt(self, body: Body) -> None:
        """Write code that stores the knowledge in the state."""
        at = self.program.offsets[self.var].expr
        if self.program.has_inverse(self.var):
            with body.each(i := body.name("i"), 0, self.count):
                body.do(body.functions.storing(self.var, True, False), S, B, i, load(S, plus(i, self.at)))
            return
        with body.each(i := body.name("i"), 0, self.each * self.count):
            body.store(self.array, plus(at, i), load(self.array, plus(i, self.at)))


def _leaf(t: Type) -> tuple[Type, int, bool]:
    """The innermost type of nested maps, the number of its values, and whether they are those of bags."""
    count, counts = 1, False
    while isinstance(t, Map):
        count, counts = count * len(t.keys.values), isinstance(t, Bag)
        t = t.of
    return t, count, counts
