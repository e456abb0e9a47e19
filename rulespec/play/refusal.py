"""Refusals as values: what made an action illegal, with its parts and a sentence of its own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, TypedDict

from ..core import nodes as n
from ..core.data_forms import attributes, publish
from ..core.diagnostics import Span
from ..core.game import Game
from ..core.traversal import nodes_within


class Place(TypedDict):
    """The place where a text begins; lines and columns count from 1."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Reason:
    """A condition that came out as it did, and the values that made it so."""

    PUBLISHED = attributes("text value fact where=bindings within span=place after sentence")

    text: str
    """Its formal text, empty where none was written."""
    value: bool
    """The value that it had."""
    fact: str
    """The values in place of the text: `3 < 2`."""
    where: tuple[tuple[str, str], ...] = ()
    """Local names with their values in notation, from the outside in."""
    within: tuple[str, ...] = ()
    """The calls of definitions that lead to it, from the outside in."""
    span: Span | None = None
    after: str = ""
    """The notation of the action after which it would come out so; empty for the position as it is."""

    def __str__(self) -> str:
        return f"after {self.after}, {self._fact}" if self.after else self._fact

    @property
    def _fact(self) -> str:
        listed = ", ".join(f"{name} = {value}" for name, value in self.where)
        binders = f"for {listed}, " if listed else ""
        text = self.text or (self.within[-1] if self.within else "")
        if not text:
            return f"{binders}{self.fact or 'the condition'} is {'true' if self.value else 'false'}"
        held = f"{text} is {'true' if self.value else 'false'}"
        return f"{binders}{held}: {self.fact}" if self.fact else binders + held

    @property
    def bindings(self) -> Mapping[str, str]:
        return dict(self.where)

    @property
    def place(self) -> Place | None:
        """The place of the text, if it is known."""
        span = self.span
        return {"file": span.source.name, "line": span.line, "column": span.column} if span else None

    @property
    def sentence(self) -> str:
        return str(self)


@dataclass(frozen=True, slots=True)
class Refusal:
    """One thing that makes an action illegal.

    `kind` is `requirement`, `choice` (a value that cannot be chosen), `over` (nothing is played any
    more), `turn` (somebody else is to move) or `unknown` (no such action). A requirement has its `id`,
    the `clause` (rule) it belongs to and its prose.
    """

    PUBLISHED = attributes("kind id clause prose reasons sentence")

    kind: Literal["requirement", "choice", "over", "turn", "unknown"]
    id: str
    clause: str
    """The rule that refuses."""
    prose: str
    reasons: tuple[Reason, ...] = ()

    @property
    def name(self) -> str:
        """Name for messages: the law, or the action's rule and the requirement."""
        return self.id if self.id == self.clause else f"{self.clause}.{self.id}"

    @property
    def names(self) -> frozenset[str]:
        """All names by which an example or a record may speak of it."""
        return frozenset((self.id, self.clause, self.name))

    def __str__(self) -> str:
        if self.kind != "requirement":
            return "; ".join((self.prose, *map(str, self.reasons)))
        told = [str(reason) for reason in self.reasons if reason.text or reason.fact]
        return f"illegal by `{self.name}`" + (f": {'; '.join(told)}" if told else f". {self.rule}")

    @property
    def rule(self) -> str:
        """The prose as a sentence that is true where it refuses: a requirement is needed, no fact."""
        needed = self.kind == "requirement" and self.id != self.clause
        return f"Needed: {_uncapitalise(self.prose)}" if needed else self.prose

    @property
    def sentence(self) -> str:
        return str(self)

    def to_data(self) -> dict[str, Any]:
        """Plain data for `--json`."""
        data: dict[str, Any] = publish(self)
        return data


def refusing_rule(game: Game, refusal: Refusal) -> tuple[str, str]:
    """The id of the rule that refuses an action, and its sentence for a player.

    A value that cannot be chosen is refused by the rule of the first definition that the choice calls, or by
    that of the action.
    """
    if refusal.kind != "choice":
        return refusal.clause, refusal.rule
    conditions = [
        condition
        for choice in game.actions[refusal.clause].choices
        if choice.var.name == refusal.id
        for condition in choice.conditions
    ]
    called = [
        node.function.clause for e in conditions for node in nodes_within(e) if isinstance(node, n.Call)
    ]
    proses = {rule.id: rule.prose for rule in game.rules}
    clause = next((name for name in called if name in proses), refusal.clause)
    return clause, proses[clause]


def _uncapitalise(text: str) -> str:
    """A sentence as it stands after a colon."""
    first, *rest = text.split(" ", 1)
    return " ".join([first if first[1:2].isupper() else first.lower(), *rest])
