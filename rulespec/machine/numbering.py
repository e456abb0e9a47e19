"""Where a new state begins: as seldom as will do.

As translated, each store into the state gives it a new number; see `remembering`. A store of what no kept
result depends on needs none. Only functions that ask for results of a state read that number. So all others
go without, and functions that ask begin a new state before they call one that changes it, once for all that
changes until something is asked again.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from . import form as f
from .effects import Facts, overlap, span
from .remembering import NEW_STATE, STATE, anew, is_new_state
from .walking import nodes_of


def seldom(module: f.Module) -> f.Module:
    """The module with few beginnings of states; as it is, where it is open what is asked before a change."""
    if STATE not in module.rooms:
        return module
    read = _read_by_kept(module)
    needed = {name: replace(x, body=_needed(x.body, read)) for name, x in module.functions.items()}
    module = replace(module, functions=needed)
    asking = _reaching(module, {name for name, x in module.functions.items() if _reads(x)})
    changing = _reaching(module, {name for name, x in module.functions.items() if _begins(x.body)})
    rewriting = _Rewriting(asking, changing)
    try:
        functions = {
            name: replace(x, body=rewriting.body(x.body, False)[0] if name in asking else _without(x.body))
            for name, x in module.functions.items()
        }
    except _Mixed:
        return module
    return replace(module, functions=functions)


def _read_by_kept(module: f.Module) -> list[tuple[str, f.Span]]:
    """The elements of arrays, by the names of parameters, that kept results depend on."""
    facts = Facts(module)
    kept = [facts.effects[anew(name)].read for name in module.functions if anew(name) in module.functions]
    return [(array[1], place) for read in kept for array, place in read if array and not array[0]]


def _needed(body: f.Body, read: Sequence[tuple[str, f.Span]]) -> f.Body:
    """A body without beginnings of states right after stores of what is not read."""
    made: list[f.Statement] = []
    for x in body:
        last = made[-1] if made else None
        if is_new_state(x) and isinstance(last, f.Store) and isinstance(last.array, f.Local):
            name, place = last.array.name, span(last)
            if not any(name == array and overlap(place, other) for array, other in read):
                continue
        if isinstance(x, f.If):
            x = replace(x, then=_needed(x.then, read), other=_needed(x.other, read))  # noqa: PLW2901
        elif isinstance(x, f.While | f.For):
            x = replace(x, body=_needed(x.body, read))  # noqa: PLW2901
        made.append(x)
    return tuple(made)


def _reads(function: f.Function) -> bool:
    """True if a function compares the number of the state."""
    return any(
        isinstance(x, f.Compare)
        and isinstance(x.right, f.Load)
        and x.right.array == f.Static(f.NUMBERS, STATE)
        for x in nodes_of(function.body)
    )


def _begins(body: f.Body) -> bool:
    return any(is_new_state(x) for x in nodes_of(body))


def _called(node: object) -> set[str]:
    return {x.function for x in nodes_of(node) if isinstance(x, f.Call | f.Do | f.SetResults)}


def _reaching(module: f.Module, found: set[str]) -> set[str]:
    """These functions, and all from which calls lead to one of them."""
    calls = {name: _called(x.body) for name, x in module.functions.items()}
    size = -1
    while size != len(found):
        size = len(found)
        found = found | {name for name, called in calls.items() if called & found}
    return found


def _without(body: f.Body) -> f.Body:
    """A body without beginnings of states."""
    return tuple(
        replace(x, then=_without(x.then), other=_without(x.other)) if isinstance(x, f.If)
        else replace(x, body=_without(x.body)) if isinstance(x, f.While | f.For)
        else x
        for x in body if not is_new_state(x)
    )  # fmt: skip


class _Mixed(Exception):
    """A statement in which it is open whether something is asked before or after a change."""


class _Rewriting:
    """Rewrites functions that ask."""

    def __init__(self, asking: set[str], changing: set[str]) -> None:
        self.asking = asking
        self.silent = changing - asking
        """The functions that change the state and begin no new one."""

    def body(self, body: f.Body, fresh: bool) -> tuple[f.Body, bool]:
        """A body, and whether nothing is asked between the last beginning of a state and its end; `fresh`
        says that of its start.
        """
        made: list[f.Statement] = []

        def begin() -> None:
            nonlocal fresh
            if not fresh:
                made.append(NEW_STATE)
            fresh = True

        for x in body:
            if is_new_state(x):
                begin()
            elif not self._asks(x) and (fresh or not isinstance(x, f.If) or not self._changes(x)):
                if self._changes(x):
                    begin()
                made += _without((x,))
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
                        raise _Mixed
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
            raise _Mixed

    def _asks(self, node: object) -> bool:
        return bool(_called(node) & self.asking)

    def _changes(self, node: object) -> bool:
        """True if a state may be changed and none begun by itself."""
        if _called(node) & self.silent:
            return True
        return any(is_new_state(x) for x in nodes_of(node))
