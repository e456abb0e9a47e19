"""Examples of the rulebook as data; `rulespec.play.examples` runs them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from .diagnostics import Span


@dataclass(frozen=True)
class Example:
    """A position, the actions in it, and their results; data as written, with places.

    `settings` are the players, parameters and readings to load the ruleset with for the game that the example
    was written for; None if it is the game that holds the example.
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
    """True if it comes from a ruleset that this one extends."""
    own: Mapping[str, Any] | None = None
    """Like `settings`, but the defaults of this ruleset fill the gaps. They differ only in inherited
    examples."""
    repeated: bool = False
    """True if the ruleset below says the same in its game of `settings`."""
    drops: tuple[str, ...] = ()
    """Clauses whose failing examples this ruleset drops, as far as this example needs them."""
    needs: tuple[str, ...] = ()
    """The clause it belongs to, those it names, and its actions, by id."""
