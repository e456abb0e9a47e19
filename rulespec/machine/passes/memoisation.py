"""Memoisation: results of functions of numbers alone are cached between calls.

A recursive function that reads and changes no array always gives the same result for the same arguments. Its
results are cached in a room of the module, at the place given by a hash of the arguments, with the arguments
beside them, until another result takes the place. Arguments of few bits share a word, and a truth value is
the lowest bit of the first.

A loop that depends on variables alone and calls such a function becomes a function of these variables,
memoised in the same way. Statements before it that only assign variables are included if that reduces the
parameters.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from .. import form as f
from ..builder import shift_word, union
from ..rewriting import Rewriter
from ..traversal import CALLS, LOOPS, NodeIndex, assigned_names, node_index, nodes_of, parts_of

WORDS_BITS = 16
"""A room has at most 2 to this power words; the number of places for results is a power of 2, too."""
MOST = 6
"""Functions with more arguments are not memoised."""
FACTOR = 0x9E3779B97F4A7C15
"""The factor of Fibonacci hashing, 2^64 divided by the golden ratio; its powers are for further arguments."""
CACHE, ANEW = ".cache", ".anew"
"""Suffixes of the names of the room with results and of the function that computes them."""


def memoise_recursion(module: f.Module) -> f.Module:
    """Memoise the recursive functions whose results depend on numbers alone."""
    calling = [x for x in module.functions if x not in module.entries and _calls_itself(module, x)]
    if not calling:
        return module
    functions, rooms = dict(module.functions), dict(module.rooms)
    for name in calling:
        if not _uses_arrays(module, name, set()):
            add_memo(module.functions[name], functions, rooms)
    return replace(module, functions=functions, rooms=rooms)


def memoised_functions(module: f.Module) -> frozenset[str]:
    """Names of the memoised functions, and of those that compute their results."""
    names = [room.removesuffix(CACHE) for room in module.rooms if room.endswith(CACHE)]
    return frozenset((*names, *(name + ANEW for name in names)))


def add_memo(function: f.Function, functions: dict[str, f.Function], rooms: dict[str, f.Room]) -> bool:
    """Memoise a function, adding to functions and rooms; its array parameters are not part of the key.

    Returns False and adds nothing if it has reals, too many parameters, no results, or an array as a result.
    """
    taken = [f.Local(t, p) for p, t in function.parameters if not t.is_array]
    kinds = {*function.results, *(x.type for x in taken)}
    if f.REAL in kinds or any(t.is_array for t in function.results):
        return False
    if not function.results or len(taken) > MOST:
        return False
    inner = replace(function, name=function.name + ANEW, apart=True)
    functions[inner.name] = inner
    functions[function.name], rooms[function.name + CACHE] = _lookup_function(function, inner.name, taken)
    return True


def _uses_arrays(module: f.Module, name: str, seen: set[str]) -> bool:
    """True if a function, or one that it calls, reads or changes an array other than a table."""
    seen.add(name)
    for x in node_index(module.functions[name]).nodes:
        if isinstance(x, f.Store) or (isinstance(x, f.Length) and not isinstance(x.array, f.Static)):
            return True
        if isinstance(x, f.Load) and not (isinstance(x.array, f.Static) and x.array.name in module.tables):
            return True
        called = x.function if isinstance(x, f.Call | f.Do | f.SetResults) else name
        if called not in seen and _uses_arrays(module, called, seen):
            return True
    return False


def _calls_itself(module: f.Module, name: str) -> bool:
    return any(x.function == name for x in node_index(module.functions[name]).of(f.Call))


def _lookup_function(function: f.Function, inner: str, taken: list[f.Local]) -> tuple[f.Function, f.Room]:
    """The function that looks up its room, and computes and stores a missing result.

    The original function must have no names that begin with `look`.
    """
    results = [f.Local(t, f"look.result.{i}") for i, t in enumerate(function.results)]
    truth = function.results == (f.TRUTH,)
    packed = _pack_arguments(taken, function.ranges or ((0, 64),) * len(taken), int(truth))
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
        found = [_convert(f.TRUTH, f.Binary(f.WORD, "&", first, f.Const(f.WORD, 1)))]
        stored: list[f.Expr] = [f.Binary(f.WORD, "|", keys[0], _convert(f.WORD, results[0])), *keys[1:]]
    else:
        found = [_convert(x.type, load) for x, load in zip(results, there[len(keys) :], strict=True)]
        stored = [*keys, *(_convert(f.WORD, x) for x in results)]
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


def _pack_arguments(taken: Sequence[f.Local], ranges: Sequence[tuple[int, int]], at: int) -> list[f.Expr]:
    """Arguments packed into words, beginning at a bit of the first word."""
    words: list[f.Expr] = [f.Const(f.WORD, 0)]
    for x, (least, bits) in zip(taken, ranges, strict=True):
        part = _convert(f.WORD, x)
        if least:
            part = f.Binary(f.WORD, "-", part, f.Const(f.WORD, least % (1 << 64)))
        if bits < 64:
            part = f.Binary(f.WORD, "&", part, f.Const(f.WORD, (1 << bits) - 1))
        if at + bits > 64:
            words.append(part)
            at = bits
        else:
            words[-1] = union(words[-1], shift_word(part, -at))
            at += bits
    return words


def _convert(t: f.Type, value: f.Expr) -> f.Expr:
    return value if value.type is t else f.Convert(t, value)


# ---- loops


def memoise_loops(module: f.Module) -> f.Module:
    """Move loops that call memoised functions into memoised functions of their own."""
    asked = memoised_functions(module)
    if not asked:
        return module
    functions, rooms = dict(module.functions), dict(module.rooms)
    for name, x in module.functions.items():
        if name not in asked and any(call.function in asked for call in node_index(x).calls):
            functions[name] = _LoopOutliner(module, asked, name, functions, rooms).function()
    return replace(module, functions=functions, rooms=rooms)


class _LoopOutliner(Rewriter):
    """Replaces loops of one function by calls. Inner loops stay: a variable used only in an inner loop may
    keep its value over the turns of the outer one."""

    def __init__(
        self,
        module: f.Module,
        asked: frozenset[str],
        name: str,
        functions: dict[str, f.Function],
        rooms: dict[str, f.Room],
    ) -> None:
        self.of, self.asked, self.functions, self.rooms = module.functions[name], asked, functions, rooms
        self.constant = module.tables.keys() | {x for x in module.rooms if x.endswith(CACHE)}
        """Arrays whose changes are invisible elsewhere."""
        self.types = dict((*self.of.parameters, *self.of.variables))
        self.occurring = _count_names(self.of.body) + Counter(name for name, _ in self.of.parameters)

    def function(self) -> f.Function:
        """The function with loops replaced by calls."""
        body = self.body(self.of.body)
        return self.of if body is self.of.body else replace(self.of, body=body)

    def body(self, body: f.Body) -> f.Body:
        for at, node in enumerate(body):
            if type(node) in LOOPS and self.asks(node) and self.is_apart(node):
                first, taken = self.region(body, at)
                made = self.call(body[first : at + 1], taken)
                if made is not None:
                    return (*super().body(body[:first]), made, *self.body(body[at + 1 :]))
        return super().body(body)

    def statement(self, node: f.Statement) -> f.Body:
        return (node,) if type(node) in LOOPS else super().statement(node)

    def asks(self, node: f.Statement) -> bool:
        """True if a statement calls a memoised function."""
        return any(type(x) in CALLS and x.function in self.asked for x in nodes_of(node))

    def is_apart(self, node: f.Statement) -> bool:
        """True if a statement reads and assigns nothing but variables."""
        for x in nodes_of(node):
            kind = type(x)
            if kind in (f.Load, f.Store, f.Length) and not (
                isinstance(x.array, f.Static) and x.array.name in self.constant
            ):
                return False
            if kind in CALLS and x.function not in self.asked:
                return False
        return not may_return(node)

    def region(self, body: f.Body, at: int) -> tuple[int, list[str]]:
        """The first statement to be moved with a loop, and the variables that become parameters."""
        first, taken = at, self.live_variables(body[at : at + 1])
        for start in range(at - 1, -1, -1):
            if type(body[start]) is not f.Set or not self.is_apart(body[start]):
                break
            more = self.live_variables(body[start : at + 1])
            if len(more) <= len(taken):
                first, taken = start, more
        return first, taken

    def live_variables(self, region: f.Body) -> list[str]:
        """The variables whose values before a region may be read in or after it."""
        inside, done, found = _count_names(region), set[str](), dict[str, None]()
        for node in region:
            first = _count_names(node.value if type(node) is f.Set else node)
            found |= dict.fromkeys(x for x in first if x not in done and inside[x] < self.occurring[x])
            if type(node) is f.Set:
                done.add(node.name)
        return list(found)

    def call(self, region: f.Body, taken: Iterable[str]) -> f.Statement | None:
        """The call that replaces a region; None if the region has no memoisable result."""
        inside = _count_names(region)
        parameters = tuple((x, self.types[x]) for x in taken)
        found = [x for x in sorted(assigned_names(nodes_of(region))) if inside[x] < self.occurring[x]]
        results = tuple(f.Local(self.types[x], x) for x in found)
        variables = tuple((x, self.types[x]) for x in sorted({*inside} - {*taken}))
        name = f"{self.of.name}.{len(self.functions)}"
        types = tuple(x.type for x in results)
        whole = f.Function(name, parameters, types, variables, (*region, f.Return(results)))
        if not add_memo(whole, self.functions, self.rooms):
            return None
        return f.SetResults(tuple(found), name, tuple(f.Local(t, x) for x, t in parameters))


def _count_names(part: Any) -> Counter[str]:
    """Count the uses of each variable within a body or a node."""
    held = NodeIndex(part)
    found = Counter(x.name for x in held.of(f.Local, f.Set, f.For))
    for x in held.of(f.SetMany, f.SetResults):
        found.update(assigned_names((x,)))
    return found


def may_return(node: object) -> bool:
    """True if a statement may leave the function that it is in."""
    if type(node) in (f.Block, f.Run):
        return False
    return type(node) is f.Return or any(map(may_return, parts_of(node)))
