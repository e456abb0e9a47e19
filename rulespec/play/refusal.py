"""Refusals as values: the reasons why an action is illegal, each with its parts and a sentence."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, TypedDict

from ..core import nodes as n
from ..core.context import Env
from ..core.data_forms import attributes, publish
from ..core.diagnostics import Span
from ..core.game import LIBRARY, Game
from ..core.traversal import nodes_within


class Place(TypedDict):
    """The beginning of a text in its file; lines and columns count from 1."""

    file: str
    line: int
    column: int


@dataclass(frozen=True, slots=True)
class Reason:
    """A condition with its outcome, and the values that decided it."""

    PUBLISHED = attributes("text value fact where=bindings within span=place after sentence")

    text: str
    """The formal text, empty if none was written."""
    value: bool
    """The value of the condition."""
    fact: str
    """The text with values substituted: `3 < 2`."""
    where: tuple[tuple[str, str], ...] = ()
    """Local names with their values in notation, from the outside in."""
    within: tuple[str, ...] = ()
    """The calls of definitions that lead to it, from the outside in."""
    span: Span | None = None
    after: str = ""
    """The notation of the action after which the condition has this value; empty for the present position."""
    condition: n.Expr | None = field(default=None, compare=False, repr=False)
    env: Env = field(default_factory=dict, compare=False, repr=False)
    """The values of the names in the condition."""

    def __str__(self) -> str:
        return f"after {self.after}, {self._fact}" if self.after else self._fact

    @property
    def _fact(self) -> str:
        """The condition with its value, its binders and the values that decide it, in words."""
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
    """One reason why an action is illegal.

    `kind` is `requirement`, `choice` (a value that cannot be chosen), `over` (the play has ended), `turn`
    (somebody else is to move) or `unknown` (no such action). A requirement has its `id`, the `clause` (rule)
    it belongs to and its prose.
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
        """All names by which an example or a record may refer to it."""
        return frozenset((self.id, self.clause, self.name))

    def __str__(self) -> str:
        if self.kind != "requirement":
            return "; ".join((self.prose, *map(str, self.reasons)))
        told = [str(reason) for reason in self.reasons if reason.text or reason.fact]
        return f"illegal by `{self.name}`" + (f": {'; '.join(told)}" if told else f". {self.rule}")

    @property
    def rule(self) -> str:
        """The prose as a true sentence in a refusal: a requirement is a need, not a fact."""
        needed = self.kind == "requirement" and self.id != self.clause
        return f"Required: {_uncapitalise(self.prose)}" if needed else self.prose

    @property
    def sentence(self) -> str:
        return str(self)

    def to_data(self) -> dict[str, Any]:
        """Plain data for `--json`."""
        data: dict[str, Any] = publish(self)
        return data


def refusing_rule(game: Game, refusal: Refusal) -> tuple[str, str]:
    """The id of the rule that refuses an action, and the rule as a sentence for a player.

    A value that cannot be chosen is refused by the rule of the first definition that the choice calls, or by
    the rule of the action. Rules of libraries are left out, because they describe boards and not moves.
    """
    if refusal.kind != "choice":
        return refusal.clause, refusal.rule
    choices = (x for x in game.actions[refusal.clause].choices if x.var.name == refusal.id)
    conditions = [condition for choice in choices for condition in choice.conditions]
    nodes = (node for e in conditions for node in nodes_within(e))
    called = [node.function.clause for node in nodes if isinstance(node, n.Call)]
    proses = {rule.id: rule.prose for rule in game.rules}
    own = (name for name in called if name in proses and not name.startswith(LIBRARY))
    clause = next(own, refusal.clause)
    return clause, proses[clause]


def _uncapitalise(text: str) -> str:
    """A sentence in the form it has after a colon."""
    first, *rest = text.split(" ", 1)
    return " ".join([first if first[1:2].isupper() else first.lower(), *rest])
