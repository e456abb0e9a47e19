"""Elements of arrays that nothing reads: what only keeps them right is left out."""

from __future__ import annotations

from dataclasses import replace

from . import form as f
from .effects import Facts, overlap, span
from .rewriting import Rewriter
from .walking import CALLS, nodes_of


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


def without_unread_stores(module: f.Module) -> f.Module:
    """The module without stores of what nothing reads, in arrays that are scratch for all entries."""
    scratch = frozenset((name, p) for name in module.entries for p in module.functions[name].scratch)
    if not scratch:
        return module
    leaving = _Leaving(Facts(module), scratch)
    functions = {name: replace(x, body=leaving.within(name, x.body)) for name, x in module.functions.items()}
    return replace(module, functions=functions)


class _Leaving(Rewriter):
    """Leaves stores out."""

    def __init__(self, facts: Facts, scratch: frozenset[object]) -> None:
        self.facts, self.scratch, self.of = facts, scratch, ""
        named = [(name, nodes_of(x.body)) for name, x in facts.module.functions.items()]
        self.loads = [(name, node) for name, nodes in named for node in nodes if isinstance(node, f.Load)]

    def within(self, name: str, body: f.Body) -> f.Body:
        """The body of a function."""
        self.of = name
        return self.body(body)

    def statement(self, node: f.Statement) -> f.Body:
        return () if isinstance(node, f.Store) and self.is_unread(node) else super().statement(node)

    def is_unread(self, node: f.Store) -> bool:
        """True if nothing reads an element, now or after the call, and working it out changes nothing."""
        array = self.facts.array(self.of, node.array)
        if array is None or array[0] or any(type(x) in (*CALLS, f.Block) for x in nodes_of(node)):
            return False
        origins = self.facts.origins[self.of, array[1]]
        return bool(origins) and origins <= self.scratch and not any(
            overlap(span(load), span(node)) and self.facts.meets(name, load.array, origins)
            for name, load in self.loads
        )  # fmt: skip
