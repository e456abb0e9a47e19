"""The interface of an engine, and the choice of one: by name, or the best that is installed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Protocol

ENGINES = {"cadical": ("pysat", ".cadical", "CadicalSession"), "z3": ("z3", ".z3", "Z3Session")}
"""The engines by name, the best first according to measurements: package, module, session."""


class NoEngine(RuntimeError):
    """Raised if no engine of that name is installed; the text says what to install."""


class Session(Protocol):
    """One growing set of clauses."""

    def add(self, clauses: Iterable[Sequence[int]]) -> None:
        """Add clauses."""

    def solve(
        self, demanded: Sequence[int], seconds: float | None, one_of: Sequence[int] = ()
    ) -> bool | None:
        """True if the clauses, these literals and one of `one_of`, if given, are satisfiable; None if the
        time ran out."""

    def model(self) -> set[int]:
        """The variables that are true in the last model."""


@dataclass(frozen=True)
class Engine:
    """An installed engine: its short name, its name with version, and its session class.

    `memory` limits the megabytes of a search, if the system can enforce that. An engine that `refutes`
    expects that there is no model, and searches for one only if a refutation takes long.
    """

    id: str
    name: str
    memory: int | None = None
    refutes: bool = False

    def session(self) -> Session:
        """A session without clauses."""
        _, module, session = ENGINES[self.id]
        made: Session = getattr(import_module(module, __package__), session)(self.memory, self.refutes)
        return made


def installed_engines() -> list[str]:
    """The short names of the engines that are installed, best first."""
    return [name for name, (package, _, _) in ENGINES.items() if find_spec(package) is not None]


def choose(name: str | None = None, memory: int | None = None, *, refutes: bool = False) -> Engine:
    """The engine with this short name, or the best one; see `Engine`. Raises NoEngine."""
    there = installed_engines()
    if name is None and not there:
        raise NoEngine("no engine is installed: install rulespec[prove]")
    chosen = name or there[0]
    if chosen not in ENGINES:
        raise NoEngine(f"there is no engine `{chosen}`; there are {', '.join(ENGINES)}")
    if chosen not in there:
        raise NoEngine(f"the engine `{chosen}` is not installed: install rulespec[prove]")
    return Engine(chosen, import_module(ENGINES[chosen][1], __package__).name(), memory, refutes)
