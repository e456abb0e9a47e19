"""Memoisation in a state: results that are computed once for each version of the state.

A function with ranges in `once` is computed only the first time; its results are stored in a room of the
module with the version of the state. `once=(first, size, ...)` gives the range of each whole number that it
takes besides the arrays. A new version begins with each call from outside, and with each element of the state
that a function changes. Functions with `once`, and those that they call, change none.
"""

from __future__ import annotations

from dataclasses import replace

from . import form as f

VERSION_ROOM = "state.number"
"""The room with the version of the state."""
ZERO, ONE = f.Const(f.NUMBER, 0), f.Const(f.NUMBER, 1)
VERSION = f.Load(f.NUMBER, f.Static(f.NUMBERS, VERSION_ROOM), ZERO)
NEXT_VERSION = f.Store(VERSION.array, ZERO, f.Binary(f.NUMBER, "+", VERSION, ONE))
"""Begins a new version."""


def add_state_version(module: f.Module) -> None:
    """Add the state version to a module."""
    module.rooms.setdefault(
        VERSION_ROOM, f.Room(VERSION_ROOM, f.NUMBERS, 1, first=1)
    )  # no room has results of that


def name_of_computation(name: str) -> str:
    """Name of the function that computes the results that another one memoises."""
    return f"{name}.once"


def begins_version(node: object) -> bool:
    """True if a statement begins a new state version."""
    return isinstance(node, f.Store) and isinstance(node.array, f.Static) and node.array.name == VERSION_ROOM


def begin_with_version(function: f.Function) -> f.Function:
    """The function with a new state version at its beginning."""
    return replace(function, body=(NEXT_VERSION, *function.body))


def memoise_in_state(module: f.Module, function: f.Function, ranges: tuple[int, ...]) -> None:
    """Replace a function by one that memoises its results for the current state version."""
    add_state_version(module)
    inner = replace(function, name=name_of_computation(function.name), apart=True)
    module.functions[inner.name] = inner
    width, size = 1 + len(function.results), 1
    slot: f.Expr = ZERO
    takes = [f.Local(t, name) for name, t in function.parameters]
    for local, first, count in zip(
        (x for x in takes if not x.type.is_array), ranges[::2], ranges[1::2], strict=True
    ):
        at = f.Binary(f.NUMBER, "-", local, f.Const(f.NUMBER, first))
        slot = (
            at
            if size == 1
            else f.Binary(f.NUMBER, "+", f.Binary(f.NUMBER, "*", slot, f.Const(f.NUMBER, count)), at)
        )
        size *= count
    room = f.Room(f"{function.name}.results", f.NUMBERS, width * size)
    module.rooms[room.name] = room
    held, number = f.Static(f.NUMBERS, room.name), VERSION
    place = f.Local(f.NUMBER, "at")
    results = [f.Local(t, f"result.{i}") for i, t in enumerate(function.results)]
    places = [f.Binary(f.NUMBER, "+", place, f.Const(f.NUMBER, i)) for i in range(1, width)]
    body: f.Body = (
        f.Set("at", f.Binary(f.NUMBER, "*", slot, f.Const(f.NUMBER, width))),
        f.If(
            f.Compare("!=", f.Load(f.NUMBER, held, place), number),
            (
                f.SetResults(tuple(x.name for x in results), inner.name, tuple(takes)),
                f.Store(held, place, number),
                *(f.Store(held, i, _to_number(x)) for i, x in zip(places, results, strict=True)),
                f.Return(tuple(results)),
            ),
            (),
        ),
        f.Return(
            tuple(
                _from_number(t, f.Load(f.NUMBER, held, i))
                for i, t in zip(places, function.results, strict=True)
            )
        ),
    )
    variables = (("at", f.NUMBER), *((x.name, x.type) for x in results))
    module.functions[function.name] = f.Function(
        function.name, function.parameters, function.results, variables, body
    )


def _to_number(value: f.Expr) -> f.Expr:
    return value if value.type is f.NUMBER else f.Convert(f.NUMBER, value)


def _from_number(t: f.Type, value: f.Expr) -> f.Expr:
    return value if t is f.NUMBER else f.Convert(t, value)
