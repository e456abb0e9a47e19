"""Results of functions that follow from numbers alone, kept from call to call.

A function that calls itself, and reads and changes no array, gives the same result for the same arguments for
ever. Its results wait in a room of the module: each in the place that a hash of the arguments gives, with the
arguments beside it, until another result takes the place. Arguments of few bits share a word, and a truth
value is the lowest bit of the first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from . import form as f
from .building import shifted, union
from .walking import walk

WORDS_BITS = 16
"""A room has 2 to this power words at most, and as many places for results as that gives, again a power."""
MOST = 6
"""Of functions with more arguments no results are kept."""
FACTOR = 0x9E3779B97F4A7C15
"""That of Fibonacci hashing: 2^64 by the golden ratio; its powers for further arguments."""
CACHE, ANEW = ".cache", ".anew"
"""The ends of the names of the room with results and of the function that works them out."""


def cached(module: f.Module) -> f.Module:
    """The module in which functions of numbers alone that call themselves look first for what they gave."""
    calling = [
        name for name in module.functions if name not in module.entries and _calls_itself(module, name)
    ]
    if not calling:
        return module
    functions, rooms = dict(module.functions), dict(module.rooms)
    for name in calling:
        if not _uses_arrays(module, name, set()):
            keeping(module.functions[name], functions, rooms)
    return replace(module, functions=functions, rooms=rooms)


def searches(module: f.Module) -> frozenset[str]:
    """The functions whose results are kept, and those that work them out."""
    names = [room.removesuffix(CACHE) for room in module.rooms if room.endswith(CACHE)]
    return frozenset((*names, *(name + ANEW for name in names)))


def keeping(function: f.Function, functions: dict[str, f.Function], rooms: dict[str, f.Room]) -> bool:
    """Add a function of numbers alone to functions and rooms, so that its results are kept.

    False, and nothing is added, where it has none, takes too much, or gives or takes anything but whole
    numbers, words and truth values.
    """
    taken = [f.Local(t, p) for p, t in function.parameters if not t.is_array]
    kinds = {*function.results, *(x.type for x in taken)}
    if f.REAL in kinds or any(t.is_array for t in function.results):
        return False
    if not function.results or len(taken) > MOST:
        return False
    inner = replace(function, name=function.name + ANEW, apart=True)
    functions[inner.name] = inner
    functions[function.name], rooms[function.name + CACHE] = _looking(function, inner.name, taken)
    return True


def _uses_arrays(module: f.Module, name: str, seen: set[str]) -> bool:
    """True if a function, or one that it calls, reads or changes an array that is no table."""
    seen.add(name)
    for x in walk(module.functions[name]).nodes:
        if isinstance(x, f.Store) or (isinstance(x, f.Length) and not isinstance(x.array, f.Static)):
            return True
        if isinstance(x, f.Load) and not (isinstance(x.array, f.Static) and x.array.name in module.tables):
            return True
        called = x.function if isinstance(x, f.Call | f.Do | f.SetResults) else name
        if called not in seen and _uses_arrays(module, called, seen):
            return True
    return False


def _calls_itself(module: f.Module, name: str) -> bool:
    return any(x.function == name for x in walk(module.functions[name]).of(f.Call))


def _looking(function: f.Function, inner: str, taken: list[f.Local]) -> tuple[f.Function, f.Room]:
    """The function that looks into its room, and works out and keeps what is not there.

    The function itself has no name that begins with `look`.
    """
    results = [f.Local(t, f"look.result.{i}") for i, t in enumerate(function.results)]
    truth = function.results == (f.TRUTH,)
    packed = _packed(taken, function.ranges or ((0, 64),) * len(taken), int(truth))
    keys = [f.Local(f.WORD, f"look.key.{i}") for i in range(len(packed))]
    width = len(keys) + (0 if truth else len(results))
    bits = max(WORDS_BITS - (width - 1).bit_length(), 1)
    # Zeros would be the result for arguments that are all 0, whose place is the first.
    room = f.Room(function.name + CACHE, f.WORDS, width << bits, first=1 + truth)
    held, place, first = (
        f.Static(f.WORDS, room.name),
        f.Local(f.NUMBER, "look.place"),
        f.Local(f.WORD, "look.first"),
    )
    hashed: f.Expr = f.Const(f.WORD, 0)
    for k, key in enumerate(keys, 1):
        product = f.Binary(f.WORD, "*", key, f.Const(f.WORD, FACTOR**k % (1 << 64)))
        hashed = f.Binary(f.WORD, "+", hashed, product)
    slot = f.Convert(f.NUMBER, f.Binary(f.WORD, ">>", hashed, f.Const(f.WORD, 64 - bits)))
    places = [f.Binary(f.NUMBER, "+", place, f.Const(f.NUMBER, k)) for k in range(width)]
    there = [f.Load(f.WORD, held, at) for at in places]
    here: f.Expr = f.Compare("<", f.Binary(f.WORD, "^", first, keys[0]), f.Const(f.WORD, 1 + truth))
    for key, load in zip(keys[1:], there[1:], strict=False):
        here = f.Both(here, f.Compare("==", load, key))
    if truth:
        found = [_as(f.TRUTH, f.Binary(f.WORD, "&", first, f.Const(f.WORD, 1)))]
        stored: list[f.Expr] = [f.Binary(f.WORD, "|", keys[0], _as(f.WORD, results[0])), *keys[1:]]
    else:
        found = [_as(x.type, load) for x, load in zip(results, there[len(keys) :], strict=True)]
        stored = [*keys, *(_as(f.WORD, x) for x in results)]
    body: f.Body = (
        *(f.Set(key.name, e) for key, e in zip(keys, packed, strict=True)),
        f.Set(place.name, f.Binary(f.NUMBER, "*", slot, f.Const(f.NUMBER, width))),
        f.Set(first.name, there[0]),
        f.If(here, (f.Return(tuple(found)),), ()),
        f.SetResults(
            tuple(x.name for x in results), inner, tuple(f.Local(t, p) for p, t in function.parameters)
        ),
        *(f.Store(held, at, e) for at, e in zip(places, stored, strict=True)),
        f.Return(tuple(results)),
    )
    variables = tuple((x.name, x.type) for x in (place, first, *keys, *results))
    made = f.Function(function.name, function.parameters, function.results, variables, body)
    return made, room


def _packed(taken: Sequence[f.Local], ranges: Sequence[tuple[int, int]], at: int) -> list[f.Expr]:
    """Arguments in words, from a bit of the first one on."""
    words: list[f.Expr] = [f.Const(f.WORD, 0)]
    for x, (least, bits) in zip(taken, ranges, strict=True):
        part = _as(f.WORD, x)
        if least:
            part = f.Binary(f.WORD, "-", part, f.Const(f.WORD, least % (1 << 64)))
        if bits < 64:
            part = f.Binary(f.WORD, "&", part, f.Const(f.WORD, (1 << bits) - 1))
        if at + bits > 64:
            words.append(part)
            at = bits
        else:
            words[-1] = union(words[-1], shifted(part, -at))
            at += bits
    return words


def _as(t: f.Type, value: f.Expr) -> f.Expr:
    return value if value.type is t else f.Convert(t, value)
