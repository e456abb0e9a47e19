"""Examples of the rulebook as data; `rulespec.play.examples` runs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .diagnostics import Span


@dataclass(frozen=True)
class Example:
    """A position, what may be done in it, and what comes of it; data as written, places kept.

    `settings` are the players, parameters and readings to load the ruleset with for the game that
    the example was written for; None if it is the game that holds the example.
    """

    id: str
    clause: str
    prose: str
    data: Any
    span: Span | None = None
    settings: Mapping[str, Any] | None = None
    source: tuple[str, ...] = ()
    note: str = ""
    inherited: bool = False
    """True if a ruleset that this one extends has it, too."""
    own: Mapping[str, Any] | None = None
    """As `settings`, but where the example settles nothing the defaults of this ruleset hold. Only in
    inherited examples they differ."""
    repeated: bool = False
    """True if it says the same of the game of `settings` in the ruleset below."""
    drops: tuple[str, ...] = ()
    """The clauses that it needs and whose examples this ruleset drops where they fail."""
    needs: tuple[str, ...] = ()
    """The clause it stands under, those it names, and the actions it does, by id."""
