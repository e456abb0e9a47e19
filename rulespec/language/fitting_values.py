"""The values of parameters for which the conditions between them hold."""

from __future__ import annotations

from collections.abc import Mapping as Given
from functools import cached_property, partial
from itertools import product
from math import prod
from typing import Any, cast

from ..core import nodes as n
from ..core.diagnostics import Report
from ..core.notation import write
from ..core.types import Scalar
from .declarations import declare
from .documents.variants import Document
from .documents.yaml import Mapping, mappings
from .documents.yaml import Scalar as Text
from .elaborate.memoisation import Memories
from .elaborate.world import Faulty, World
from .rules import Rules
from .settings import Settings, settle, settle_parameters
from .work_limit import ENTRY, new_meter

MOST_TRIED = 1_000
"""Maximum number of combinations of values that are tried."""
MOST_TOLD = 12
"""Maximum number of combinations in a message."""


CONDITIONS = "conditions"
"""The name of the conditions as an elaborated piece."""


class FittingValues:
    """The combinations of a document's parameter values that satisfy its conditions, on demand."""

    def __init__(self, document: Document, memories: Memories, world: World) -> None:
        self._document, self._memories, self._meter = document, memories, new_meter()
        self._parameters = {name: parameter.type for name, parameter in world.parameters.items()}
        self._asked = partial(world.remembering.asked_by, CONDITIONS)

    @cached_property
    def values(self) -> tuple[Given[str, str], ...]:
        """The combinations of parameter values that fulfil the conditions, in notation, in order.

        Empty if there are no conditions, too many combinations to try, or lists among the parameters.
        """
        depend = {setting for setting, _ in self._asked()}
        domains = {name: of for name, of in self._parameters.items() if name in depend}
        if not domains or not all(isinstance(of, Scalar) for of in domains.values()):
            return ()
        listed = [cast(Scalar, of).values for of in domains.values()]
        if prod(map(len, listed)) > MOST_TRIED:
            return ()
        found = (dict(zip(domains, chosen, strict=True)) for chosen in product(*listed))
        fitting = (one for one in found if self._holds(one))
        return tuple({name: write(domains[name], v) for name, v in one.items()} for one in fitting)

    @property
    def advice(self) -> str:
        """The combinations in words; empty if there are none, or too many to list."""
        told = [in_words(one) for one in self.values[: MOST_TOLD + 1]]
        return f"that is so for {'; '.join(told)}" if 0 < len(told) <= MOST_TOLD else ""

    def _holds(self, values: Given[str, Any]) -> bool:
        world = self._world(values)
        rules = Rules(world, self._document.section("rules"))
        return not world.report.count and all(is_kept(rules, entry) for entry in conditions(self._document))

    def _world(self, values: Given[str, Any]) -> World:
        """A world in which the parameters have these values and faults are reported apart."""
        report = Report()
        world, _ = settle(self._document, report, self._memories, self._meter, Settings(None, values))
        declare(world, self._document)
        self._meter.spend(ENTRY * len(world.declared))
        settle_parameters(world, self._document, values)
        return world


def in_words(values: Given[str, str]) -> str:
    """Values of parameters in words."""
    return ", ".join(f"{name} = {value}" for name, value in values.items())


def conditions(document: Document) -> list[Mapping]:
    """The conditions between parameters."""
    return mappings(document.root.entries.get("conditions"))


def is_kept(rules: Rules, entry: Mapping) -> bool:
    """True if a condition on parameters holds, or if it is faulty, which is reported."""
    that = entry.entries.get("that")
    try:
        held = rules.condition(that, "") if isinstance(that, Text) else None
    except Faulty:
        return False
    return isinstance(held, n.Const) and bool(held.value)
