"""The order of the passes."""

from __future__ import annotations

from dataclasses import replace

from .. import form as f
from .constant_folding import fold_constants
from .inlining import inline_calls
from .load_hoisting import hoist_loads
from .memoisation import memoise_loops, memoise_recursion
from .memory_effects import MemoryEffects, propagate_sizes
from .scalar_replacement import replace_scalars


def optimise(module: f.Module) -> f.Module:
    """Apply all passes to a module."""
    module = fold_constants(inline_calls(propagate_sizes(memoise_recursion(module))))
    facts = MemoryEffects(module)
    functions = {name: hoist_loads(facts, function) for name, function in module.functions.items()}
    made = memoise_loops(replace(module, functions=functions))
    if len(made.functions) > len(functions):
        facts = MemoryEffects(made)
    return replace(
        made, functions={name: replace_scalars(facts, function) for name, function in made.functions.items()}
    )
