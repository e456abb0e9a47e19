"""Functions that keep elements of an array right which nothing reads."""

from __future__ import annotations

from dataclasses import replace

from . import form as f
from .effects import Facts, overlap, span
from .walking import nodes_of


def without_unread(module: f.Module) -> f.Module:
    """The module in which functions do nothing that `feeds` elements which no other function reads.

    They count until the call from outside ends, so only functions that share such a call with them matter.
    """
    feeding = {name: x.feeds for name, x in module.functions.items() if x.feeds is not None}
    if not feeding:
        return module
    facts, functions = Facts(module), dict(module.functions)
    loads = [
        (name, node)
        for name, x in module.functions.items()
        for node in nodes_of(x.body)
        if isinstance(node, f.Load)
    ]
    for name, (parameter, elements) in feeding.items():
        fed = facts.origins[name, parameter]
        read = any(
            other != name and overlap(span(load), elements) and facts.meets(other, load.array, fed)
            for other, load in loads
        )
        if not read:
            functions[name] = replace(functions[name], variables=(), body=())
    return replace(module, functions=functions)
