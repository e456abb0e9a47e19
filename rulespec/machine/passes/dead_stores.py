"""Elements of arrays that nothing reads: what only keeps them right is left out."""

from __future__ import annotations

from collections.abc import Set
from dataclasses import replace
from functools import cache

from .. import form as f
from ..rewriting import Rewriter
from ..traversal import CALLS, node_index, nodes_of
from .memory_effects import (
    Array,
    MemoryEffects,
    span_of,
    spans_overlap,
)


def drop_unread_feeders(module: f.Module) -> f.Module:
    """The module in which functions do nothing that `feeds` elements which no other function reads.

    They count until the call from outside ends, so only functions that share such a call with them matter.
    """
    feeding = {name: x.feeds for name, x in module.functions.items() if x.feeds is not None}
    if not feeding:
        return module
    facts, functions = MemoryEffects(module), dict(module.functions)
    reads = _loads(facts)
    for name, (parameter, elements) in feeding.items():
        fed = facts.origins[name, parameter]
        read = any(
            other != name and spans_overlap(place, elements) and facts.meets(other, array, fed)
            for other, array, place in reads
        )
        if not read:
            functions[name] = replace(functions[name], variables=(), body=())
    return replace(module, functions=functions)


def _loads(facts: MemoryEffects) -> set[tuple[str, Array, f.Span]]:
    """The elements that functions read, with their names."""
    return {
        (name, facts.array(name, load.array), span_of(load))
        for name, x in facts.module.functions.items()
        for load in node_index(x).of(f.Load)
    }


def eliminate_dead_stores(facts: MemoryEffects) -> f.Module:
    """The module without stores of what nothing reads, in arrays that are scratch for all entries."""
    module = facts.module
    scratch = frozenset((name, p) for name in module.entries for p in module.functions[name].scratch)
    reads = _loads(facts) if scratch else set()

    @cache
    def is_unread(name: str, array: Array, place: f.Span) -> bool:
        """True if nothing reads some elements of a function's array, now or after the call."""
        if array is None or array[0]:
            return False
        origins = facts.origins[name, array[1]]
        return bool(origins) and origins <= scratch and not any(
            spans_overlap(read, place) and facts.meets(other, held, origins) for other, held, read in reads
        )  # fmt: skip

    functions = dict(module.functions)
    for name, function in module.functions.items():
        left = {
            id(x) for x in node_index(function).of(f.Store)
            if is_unread(name, facts.array(name, x.array), span_of(x)) and not _has_effects(x)
        }  # fmt: skip
        if left:
            functions[name] = replace(function, body=_StoreRemoval(left).body(function.body))
    return module if functions == module.functions else replace(module, functions=functions)


def _has_effects(node: f.Store) -> bool:
    """True if what a store works out may change something."""
    return any(type(x) in (*CALLS, f.Block) for x in nodes_of(node))


class _StoreRemoval(Rewriter):
    """Leaves stores out."""

    def __init__(self, left: Set[int]) -> None:
        self.left = left

    def statement(self, node: f.Statement) -> f.Body:
        return () if id(node) in self.left else super().statement(node)
