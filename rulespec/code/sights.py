"""The view of a seat as code: the values of its sights in comparable places, and who sees secrets."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from math import prod

from ..core import nodes as n
from ..core.game import Game, Sight
from ..machine import form as f
from ..machine.builder import as_type, equal, load, number, plus, times
from .bindings import Env, Val, scalar_type
from .body import B, Body, Functions, M, S
from .loops import elements
from .move_generation.action_rows import ActionRows
from .operators.plain import fitted
from .program import Program, in_words


@dataclass(frozen=True)
class Visible:
    """Places of the numbers and words that a seat sees, filled by a call of `see`."""

    cells: tuple[int, ...]
    words: tuple[int, ...]
    places: tuple[tuple[int, int], ...]
    """For each sight, the places of its marks and values, one for each value of its binders.

    A mark is 1 if there is a value.
    """


def sight_parts(game: Game) -> Iterator[n.Expr]:
    """The expressions of all sights."""
    for sight in game.sights:
        yield from (source for _, source in sight.binders)
        yield sight.value


def secret_parts(game: Game) -> Iterator[n.Expr]:
    """The players to whom the secrets of actions are shown."""
    for action in game.actions.values():
        yield from (secret.shown for secret in action.secrets if secret.shown is not None)


def showing(functions: Functions, rows: ActionRows) -> None:
    """Write `shown(s, b, m)` for a game in which parts of actions are secret.

    The row of an action lies at the beginning of `m`; for each of its secrets the function appends a word of
    the players who see it (bit p for the player of code p).
    """
    if not any(action.secrets for action in rows.actions):
        return
    body = Body(functions.program, functions)
    for index, action in enumerate(rows.actions):
        if not action.secrets:
            continue
        with body.when(equal(load(M, 0), index)):
            env = rows.choices(body, index, number(0))
            for at, secret in enumerate(action.secrets, rows.width):
                seats = number(0) if secret.shown is None else body.value(secret.shown, env).parts[0]
                body.store(M, at, as_type(seats, f.NUMBER))
    functions.add("shown", [S, B, M], body, entry=True)


def write_sights(functions: Functions) -> Visible:
    """Write `see(s, b, viewer)`, which copies the values that a seat may see."""
    program = functions.program
    body = Body(program, functions)
    viewer = body.name("viewer")
    places = [_SightPlace(program, sight) for sight in program.game.sights]
    _clear(body, S, [i for place in places for i in place.cells])
    _clear(body, B, [i for place in places for i in place.words])
    for place in places:
        place.write(body, viewer)
    functions.add("see", [S, B, viewer], body, entry=True)
    cells = [*_public_places(program, "s"), *(i for place in places for i in place.cells)]
    words = [*_public_places(program, "b"), *(i for place in places for i in place.words)]
    return Visible(tuple(cells), tuple(words), tuple((place.marks, place.at) for place in places))


def _clear(body: Body, array: f.Local, held: Sequence[int]) -> None:
    """Write none over the places of all sights."""
    if held:
        with body.each(i := body.name("i"), held[0], held[-1] + 1):
            body.store(array, i, 0)


def _public_places(program: Program, array: str) -> Iterator[int]:
    """Places of the variables that everybody sees."""
    for var in program.game.state.values():
        if not var.hidden and ("b" if in_words(var.type) else "s") == array:
            at = program.offsets[var][1]
            yield from range(at, at + program.size(var.type))


class _SightPlace:
    """Places for the values of one sight: one for each value of its binders, and a mark."""

    def __init__(self, program: Program, sight: Sight) -> None:
        self.sight = sight
        self.size = program.size(sight.value.type)
        self.domains = [scalar_type(var.type) for var, _ in sight.binders]
        ways = prod(len(of.values) for of in self.domains)
        worded = in_words(sight.value.type)
        self.marks = program.room("s", ways)
        self.at = program.room("b" if worded else "s", ways * self.size)
        held = range(self.at, self.at + ways * self.size)
        marks = range(self.marks, self.marks + ways)
        self.cells, self.words = (marks, held) if worded else (range(self.marks, held.stop), range(0))

    def write(self, body: Body, viewer: f.Local) -> None:
        """Write code that copies the values of a sight for a viewer."""
        sight = self.sight
        position: f.Expr = number(0)
        env: Env = {sight.viewer: Val(sight.viewer.type, (viewer,))}
        with ExitStack() as loops:
            for (var, source), of in zip(sight.binders, self.domains, strict=True):
                x = loops.enter_context(elements(body, var, source, env))
                env = {**env, var: x}
                found, _ = body.index(x, of, sure=True)
                position = plus(times(position, len(of.values)), found)
            position = body.atom(position, "at_sight")
            body.store(S, plus(self.marks, position), 1)
            t = sight.value.type
            val = fitted(body, t, body.value(sight.value, env))
            body.put(t, plus(self.at, times(position, self.size)), val)
