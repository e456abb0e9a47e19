"""State versions: loads of memoised results see as few versions of the state as possible.

As translated, each store into the state begins a new version; see `state_memoisation`. A store to elements on
which no memoised result depends needs none. Only functions that read memoised results use the version. So
other functions begin no version, and those that read begin one before they call a function that changes the
state: one for all changes until the next read.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from operator import is_not

from .. import form as f
from ..state_memoisation import NEXT_VERSION, VERSION, VERSION_ROOM, begins_version, name_of_computation
from ..traversal import CALLS, node_index, nodes_of, parts_of
from .memory_effects import MemoryEffects, span_of, spans_overlap

ASKS, CHANGES = 1, 2
"""A part reads memoised results; it may change the state without beginning a version."""


def reduce_state_versions(module: f.Module) -> f.Module:
    """The module with few new state versions; unchanged if reads and changes have no known order."""
    if VERSION_ROOM not in module.rooms:
        return module
    read = _elements_of_memos(module)
    functions = {
        name: _replace_body(x, _drop_irrelevant(x.body, read)) if _begins_version(x) else x
        for name, x in module.functions.items()
    }
    module = replace(module, functions=functions)
    calls = {name: {call.function for call in node_index(x).calls} for name, x in functions.items()}
    beginning = {name for name, x in functions.items() if _begins_version(x)}
    asking = _with_callers(calls, {name for name, x in functions.items() if _reads_version(x)})
    rewriting = _Placement(asking, _with_callers(calls, beginning))
    try:
        return replace(module, functions={
            name: _replace_body(x, rewriting.body(x.body, False)[0]) if name in asking
            else _replace_body(x, _drop_all(x.body)) if name in beginning
            else x
            for name, x in functions.items()
        })  # fmt: skip
    except _UnknownOrder:
        return module


def _replace_body(function: f.Function, body: f.Body) -> f.Function:
    return function if body is function.body else replace(function, body=body)


def _elements_of_memos(module: f.Module) -> list[tuple[str, f.Span]]:
    """The array elements, by names of parameters, on which memoised results depend."""
    names = map(name_of_computation, module.functions)
    kept = [name for name in names if name in module.functions]
    reached: dict[str, f.Function] = {}
    waiting = [*kept]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached[name] = module.functions[name]
            waiting += [call.function for call in node_index(reached[name]).calls]
    effects = MemoryEffects(replace(module, functions=reached)).effects
    read = ((array, place) for name in kept for array, place in effects[name].read)
    return [(array[1], place) for array, place in read if array and not array[0]]


def _drop_irrelevant(body: f.Body, read: Sequence[tuple[str, f.Span]]) -> f.Body:
    """A body without the new versions right after stores on which no memo depends."""
    made: list[f.Statement] = []
    for x in body:
        last = made[-1] if made else None
        if begins_version(x) and isinstance(last, f.Store) and isinstance(last.array, f.Local):
            name, place = last.array.name, span_of(last)
            if not any(name == array and spans_overlap(place, other) for array, other in read):
                continue
        made.append(_change_bodies(x, _drop_irrelevant, read))
    return _body_of(made, body)


def _change_bodies(x: f.Statement, change: Callable[..., f.Body], *more: object) -> f.Statement:
    """A statement with its bodies changed; other statements stay."""
    if isinstance(x, f.If):
        then, other = change(x.then, *more), change(x.other, *more)
        return x if then is x.then and other is x.other else f.If(x.condition, then, other)
    if isinstance(x, f.While | f.For):
        body = change(x.body, *more)
        return x if body is x.body else replace(x, body=body)
    return x


def _body_of(made: list[f.Statement], body: f.Body) -> f.Body:
    """A body of these statements, the same object as before if nothing changed."""
    return tuple(made) if len(made) != len(body) or any(map(is_not, made, body)) else body


def _reads_version(function: f.Function) -> bool:
    """True if a function reads the version of the state."""
    return any(isinstance(x.right, f.Load) and x.right == VERSION for x in node_index(function).of(f.Compare))


def _begins_version(function: f.Function) -> bool:
    return any(map(begins_version, node_index(function).of(f.Store)))


def _with_callers(calls: Mapping[str, set[str]], found: set[str]) -> set[str]:
    """These functions and all functions that call one of them, directly or through others."""
    size = -1
    while size != len(found):
        size = len(found)
        found = found | {name for name, called in calls.items() if called & found}
    return found


def _drop_all(body: f.Body) -> f.Body:
    """A body without new versions."""
    return _body_of([_change_bodies(x, _drop_all) for x in body if not begins_version(x)], body)


class _UnknownOrder(Exception):
    """Raised for a statement in which the order of reads and changes is unknown."""


class _Placement:
    """Rewrites functions that read memoised results."""

    def __init__(self, asking: set[str], changing: set[str]) -> None:
        self.asking = asking
        self.silent = changing - asking
        """The functions that change the state and begin no version."""
        self.does: dict[int, int] = {}
        """The effects of nodes, by their identity."""

    def body(self, body: f.Body, fresh: bool) -> tuple[f.Body, bool]:
        """A body, and True if at its end no result was read since the last new version; `fresh` says so of
        its start."""
        made: list[f.Statement] = []

        def begin() -> None:
            nonlocal fresh
            if not fresh:
                made.append(NEXT_VERSION)
            fresh = True

        for x in body:
            if begins_version(x):
                begin()
            elif not self._asks(x) and (fresh or not isinstance(x, f.If) or not self._changes(x)):
                if self._changes(x):
                    begin()
                made += _drop_all((x,))
            elif isinstance(x, f.If):
                if self._changes(x.condition):
                    self._apart(x.condition)
                    begin()
                fresh = fresh and not self._asks(x.condition)
                then, other = self.body(x.then, fresh), self.body(x.other, fresh)
                made.append(replace(x, then=then[0], other=other[0]))
                fresh = then[1] and other[1]
            elif isinstance(x, f.While | f.For):
                for part in (x.condition,) if isinstance(x, f.While) else (x.first, x.last):
                    if self._changes(part):
                        raise _UnknownOrder
                made.append(replace(x, body=self.body(x.body, False)[0]))
                fresh = False
            else:
                call = x.value if isinstance(x, f.Set) else x
                last = isinstance(call, f.Call | f.Do | f.SetResults) and call.function in self.silent
                self._apart(call.arguments if last else x)  # type: ignore[union-attr]
                made.append(x)
                fresh = False
                if last:
                    begin()
        return tuple(made), fresh

    def _apart(self, node: object) -> None:
        if self._asks(node) and self._changes(node):
            raise _UnknownOrder

    def _asks(self, node: object) -> bool:
        return bool(self._does(node) & ASKS)

    def _changes(self, node: object) -> bool:
        """True if a node may change the state without beginning a version."""
        return bool(self._does(node) & CHANGES)

    def _does(self, node: object) -> int:
        """The flag `ASKS`, `CHANGES` or both."""
        does = self.does.get(id(node))
        if does is None:
            does = 0
            if isinstance(node, f.If | f.While | f.For):
                for part in parts_of(node):
                    does |= self._does(part)
            else:
                for x in nodes_of(node):
                    if type(x) in CALLS:
                        does |= ASKS * (x.function in self.asking) | CHANGES * (x.function in self.silent)
                    elif begins_version(x):
                        does |= CHANGES
            self.does[id(node)] = does
        return does
