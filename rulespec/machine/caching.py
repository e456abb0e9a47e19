"""Results of functions that follow from numbers alone, kept from call to call.

A function that calls itself, and reads and changes no array, gives the same result for the same arguments for
ever. Its results wait in a room of the module: each in the place that a hash of the arguments gives, with the
arguments beside it, until another result takes the place.
"""

from __future__ import annotations

from dataclasses import replace

from . import form as f
from .walking import nodes_of

PLACES_BITS = 14
"""The number of results kept is 2 to this power."""
MOST = 6
"""Of functions with more arguments no results are kept."""
FACTOR = 0x9E3779B97F4A7C15
"""That of Fibonacci hashing: 2^64 by the golden ratio; its powers for further arguments."""


def cached(module: f.Module) -> f.Module:
    """The module in which functions of numbers alone that call themselves look first for what they gave."""
    calling = [
        name for name in module.functions if name not in module.entries and _calls_itself(module, name)
    ]
    if not calling:
        return module
    functions, rooms = dict(module.functions), dict(module.rooms)
    for name in calling:
        function = module.functions[name]
        taken = [f.Local(t, p) for p, t in function.parameters if not t.is_array]
        kinds = {*function.results, *(x.type for x in taken)}
        whole = f.REAL not in kinds and not any(t.is_array for t in function.results)
        if whole and function.results and len(taken) <= MOST and not _uses_arrays(module, name, set()):
            inner = replace(function, name=f"{name}.anew", apart=True)
            room = f.Room(f"{name}.cache", f.NUMBERS, (1 + len(taken) + len(function.results)) << PLACES_BITS)
            functions[inner.name], functions[name] = inner, _looking(function, inner.name, room, taken)
            rooms[room.name] = room
    return replace(module, functions=functions, rooms=rooms)


def _uses_arrays(module: f.Module, name: str, seen: set[str]) -> bool:
    """True if a function, or one that it calls, reads or changes an array that is no table."""
    seen.add(name)
    for x in nodes_of(module.functions[name].body):
        if isinstance(x, f.Store) or (isinstance(x, f.Length) and not isinstance(x.array, f.Static)):
            return True
        if isinstance(x, f.Load) and not (isinstance(x.array, f.Static) and x.array.name in module.tables):
            return True
        called = x.function if isinstance(x, f.Call | f.Do | f.SetResults) else name
        if called not in seen and _uses_arrays(module, called, seen):
            return True
    return False


def _calls_itself(module: f.Module, name: str) -> bool:
    return any(isinstance(x, f.Call) and x.function == name for x in nodes_of(module.functions[name].body))


def _looking(function: f.Function, inner: str, room: f.Room, taken: list[f.Local]) -> f.Function:
    """The function that looks into the room, and works out and keeps what is not there."""
    held, place = f.Static(f.NUMBERS, room.name), f.Local(f.NUMBER, "place")
    hashed: f.Expr = f.Const(f.WORD, 0)
    for k, x in enumerate(taken, 1):
        product = f.Binary(f.WORD, "*", _as(f.WORD, x), f.Const(f.WORD, FACTOR**k % (1 << 64)))
        hashed = f.Binary(f.WORD, "+", hashed, product)
    slot = f.Convert(f.NUMBER, f.Binary(f.WORD, ">>", hashed, f.Const(f.WORD, 64 - PLACES_BITS)))

    def at(k: int) -> f.Expr:
        return f.Binary(f.NUMBER, "+", place, f.Const(f.NUMBER, k))

    results = [f.Local(t, f"result.{i}") for i, t in enumerate(function.results)]
    here: f.Expr = f.Compare("==", f.Load(f.NUMBER, held, place), f.Const(f.NUMBER, 1))
    for k, x in enumerate(taken, 1):
        here = f.Both(here, f.Compare("==", f.Load(f.NUMBER, held, at(k)), _as(f.NUMBER, x)))
    after = 1 + len(taken)
    width = after + len(results)
    arguments = tuple(f.Local(t, p) for p, t in function.parameters)
    body: f.Body = (
        f.Set("place", f.Binary(f.NUMBER, "*", slot, f.Const(f.NUMBER, width))),
        f.If(here, (f.Return(tuple(
            _as(x.type, f.Load(f.NUMBER, held, at(after + i))) for i, x in enumerate(results)
        )),), ()),
        f.SetResults(tuple(x.name for x in results), inner, arguments),
        f.Store(held, place, f.Const(f.NUMBER, 1)),
        *(f.Store(held, at(k), _as(f.NUMBER, x)) for k, x in enumerate([*taken, *results], 1)),
        f.Return(tuple(results)),
    )  # fmt: skip
    variables = (("place", f.NUMBER), *((x.name, x.type) for x in results))
    return f.Function(function.name, function.parameters, function.results, variables, body)


def _as(t: f.Type, value: f.Expr) -> f.Expr:
    return value if value.type is t else f.Convert(t, value)
