"""Loops that follow from numbers alone and ask a search: what they find is kept from call to call, too.

Such a loop becomes a function of the variables that it reads (outlining), and `caching` keeps the results of
that. A search is a function whose results are kept already. The statements before a loop that only set
variables go with it where the function then takes fewer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from typing import Any

from . import form as f
from .caching import CACHE, keeping, searches
from .rewriting import Rewriter
from .walking import CALLS, LOOPS, Walk, names_set, nodes_of, parts_of, walk


def outlined(module: f.Module) -> f.Module:
    """The module in which loops that ask a search are functions whose results are kept."""
    asked = searches(module)
    if not asked:
        return module
    functions, rooms = dict(module.functions), dict(module.rooms)
    for name, x in module.functions.items():
        if name not in asked and any(call.function in asked for call in walk(x).calls):
            functions[name] = _Outlining(module, asked, name, functions, rooms).function()
    return replace(module, functions=functions, rooms=rooms)


class _Outlining(Rewriter):
    """Puts calls in the place of loops of one function. Loops within loops stay: a variable that only an
    inner one has may keep its value over the turns of the outer one.
    """

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
        """The arrays of which nothing else sees what changes in them."""
        self.types = dict((*self.of.parameters, *self.of.variables))
        self.occurring = _occurring(self.of.body) + Counter(name for name, _ in self.of.parameters)

    def function(self) -> f.Function:
        """The function with calls in the place of loops."""
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
        """True if a statement asks a search."""
        return any(type(x) in CALLS and x.function in self.asked for x in nodes_of(node))

    def is_apart(self, node: f.Statement) -> bool:
        """True if all that a statement does follows from variables, and sets no more than variables."""
        for x in nodes_of(node):
            kind = type(x)
            if kind in (f.Load, f.Store, f.Length) and not (
                isinstance(x.array, f.Static) and x.array.name in self.constant
            ):
                return False
            if kind in CALLS and x.function not in self.asked:
                return False
        return not _returns(node)

    def region(self, body: f.Body, at: int) -> tuple[int, list[str]]:
        """The first statement that goes with a loop, and the variables that are taken then."""
        first, taken = at, self.taken(body[at : at + 1])
        for start in range(at - 1, -1, -1):
            if type(body[start]) is not f.Set or not self.is_apart(body[start]):
                break
            more = self.taken(body[start : at + 1])
            if len(more) <= len(taken):
                first, taken = start, more
        return first, taken

    def taken(self, region: f.Body) -> list[str]:
        """The variables whose values before a region may matter in it or behind it."""
        inside, done, found = _occurring(region), set[str](), dict[str, None]()
        for node in region:
            first = _occurring(node.value if type(node) is f.Set else node)
            found |= dict.fromkeys(x for x in first if x not in done and inside[x] < self.occurring[x])
            if type(node) is f.Set:
                done.add(node.name)
        return list(found)

    def call(self, region: f.Body, taken: Iterable[str]) -> f.Statement | None:
        """The call that takes the place of a region; None where nothing is kept of it."""
        inside = _occurring(region)
        parameters = tuple((x, self.types[x]) for x in taken)
        found = [x for x in sorted(names_set(nodes_of(region))) if inside[x] < self.occurring[x]]
        results = tuple(f.Local(self.types[x], x) for x in found)
        variables = tuple((x, self.types[x]) for x in sorted({*inside} - {*taken}))
        name = f"{self.of.name}.{len(self.functions)}"
        types = tuple(x.type for x in results)
        whole = f.Function(name, parameters, types, variables, (*region, f.Return(results)))
        if not keeping(whole, self.functions, self.rooms):
            return None
        return f.SetResults(tuple(found), name, tuple(f.Local(t, x) for x, t in parameters))


def _occurring(part: Any) -> Counter[str]:
    """How often variables are read or set within a body or a node."""
    held = Walk(part)
    found = Counter(x.name for x in held.of(f.Local, f.Set, f.For))
    for x in held.of(f.SetMany, f.SetResults):
        found.update(names_set((x,)))
    return found


def _returns(node: object) -> bool:
    """True if a statement may leave the function that it is in."""
    if type(node) in (f.Block, f.Run):
        return False
    return type(node) is f.Return or any(map(_returns, parts_of(node)))
