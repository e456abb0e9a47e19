"""The transformations between writing the form and encoding it, in their order."""

from __future__ import annotations

from dataclasses import replace

from . import form as f
from .caching import cached, outlined
from .effects import Facts, with_sizes
from .folding import folded
from .inlining import inlined
from .reading import read_once
from .registers import kept
from .unread import without_unread, without_unread_stores


def optimised(module: f.Module) -> f.Module:
    """A module with the same entries, which do the same in less time."""
    module = folded(inlined(with_sizes(cached(without_unread(module)))))
    facts = Facts(module)
    if (module := without_unread_stores(facts)) is not facts.module:
        facts = Facts(module)
    functions = {name: read_once(facts, function) for name, function in module.functions.items()}
    made = outlined(replace(module, functions=functions))
    if len(made.functions) > len(functions):
        facts = Facts(made)
    return replace(made, functions={name: kept(facts, function) for name, function in made.functions.items()})
