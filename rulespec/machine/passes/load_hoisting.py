"""Load hoisting: elements that a function loads and does not change are loaded once, at its entry.

The compiler itself reloads elements after every store, because it sees a single memory.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

from .. import form as f
from ..rewriting import LoadSubstitution
from ..traversal import node_index
from .memory_effects import Array, MemoryEffects, span_of, spans_overlap


def hoist_loads(facts: MemoryEffects, function: f.Function) -> f.Function:
    """The function, with loads of unchanged elements at constant places moved to its entry."""
    name = function.name
    found = Counter(x for x in node_index(function).of(f.Load) if isinstance(x.index, f.Const))
    several = [x for x, times in found.items() if times > 1 and _always_exists(facts, name, x)]
    if not several:
        return function
    changed = facts.effects[name].changed

    def stays(load: f.Load) -> bool:
        array = facts.array(name, load.array)
        near = (other for other, place in changed if spans_overlap(place, span_of(load)))
        return not any(facts.may_be_same(name, array, other) for other in near)

    held = {x: f.Local(x.type, f"read.{i}") for i, x in enumerate(several) if stays(x)}
    if not held:
        return function
    body = (*(f.Set(local.name, x) for x, local in held.items()), *LoadSubstitution(held).body(function.body))
    variables = (*function.variables, *((x.name, x.type) for x in held.values()))
    return replace(function, body=body, variables=variables)


def _always_exists(facts: MemoryEffects, name: str, load: f.Load) -> bool:
    """True if an element always exists, in an array parameter or a room."""
    array: Array = facts.array(name, load.array)
    if array is None or (array[0] and array[1] not in facts.module.rooms):
        return False
    first, size = span_of(load)
    return first >= 0 and first + size <= facts.size(name, array)
