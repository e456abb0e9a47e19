"""What was elaborated under some readings and means the same under others.

Readings are the only thing that differs between the games of one memory. While a piece (a declaration,
a law, an action, a claim, ...) is elaborated, every ruling that it asks is noted, through whatever it leads
to; under other readings that answer those rulings alike the very same piece is taken again.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from ...core import nodes as n
from ...core.diagnostics import Report
from ...core.types import BOOL, Scalar, integers
from ..bounds import Measurements
from ..parser import Lost, Parsed
from ..yaml import Scalar as Text
from .frame import FALSE, Syntax
from .spans import Spans

Made = TypeVar("Made")

MOST_KEPT = 20_000
"""How many pieces a memory holds before another one takes its place."""

Asked = dict[tuple[str, str], None]
"""Rulings that were asked, each with the clause that did; in the order of asking."""


@dataclass(frozen=True)
class _Kept:
    """A cached piece, and the readings that it depends on."""

    made: Any
    answers: Mapping[str, str]
    asked: Asked


@dataclass
class Texts:
    """The trees of the formal texts of one document, which do not depend on settings."""

    trees: dict[Text, Syntax] = field(default_factory=dict)
    declarations: dict[Text, list[Parsed | Lost]] = field(default_factory=dict)


class Memory:
    """The pieces of one document with one number of players and the same parameters."""

    def __init__(self, players: int, texts: Texts | None = None) -> None:
        self.texts = texts if texts is not None else Texts()
        self.player: Scalar = integers(1, players, "Player")
        self.mover = n.StateVar("mover", self.player, n.Const(self.player, 1))
        self.over = n.StateVar("over", BOOL, FALSE)
        self.spans = Spans()
        """Where expressions and effects were written."""
        self.trees: dict[n.Expr, Syntax] = {}
        """What the nodes were made of, as far as they were written."""
        self.kept: dict[Hashable, list[_Kept]] = {}
        self.size = 0

    @property
    def is_full(self) -> bool:
        """True if a new memory should be begun, lest this one grow without end."""
        return self.size > MOST_KEPT


class Memories:
    """The memories of one document."""

    def __init__(self) -> None:
        self._memories: dict[Hashable, Memory] = {}
        self._texts = Texts()
        self.measured = Measurements()
        """The costs of parts that the games of the document share."""

    def of(self, players: int, parameters: Mapping[str, Any]) -> Memory:
        """That of a number of players and the parameters that are given."""
        key = (players, repr(sorted((name, repr(value)) for name, value in parameters.items())))
        if key not in self._memories or self._memories[key].is_full:
            self._memories[key] = Memory(players, self._texts)
        return self._memories[key]


class Remembering:
    """Elaborates the pieces of one game, each taken from the memory where its readings allow."""

    def __init__(self, memory: Memory, report: Report, chosen: Callable[[str], str]) -> None:
        """`chosen` gives the chosen reading of a ruling."""
        self.memory, self.report, self.chosen = memory, report, chosen
        self.asked: Asked = {}
        """Every ruling that was asked, by whatever clause."""
        self._asked_by: dict[Hashable, Asked] = {}
        self._levels: list[Asked] = []
        """For each piece that is being elaborated, innermost last, what it asked."""

    def ask(self, ruling: str, clause: str) -> str:
        """The chosen reading of a ruling that a clause asks for."""
        self._note({(ruling, clause): None})
        return self.chosen(ruling)

    def again(self, key: Hashable) -> None:
        """What is being elaborated uses a piece that was elaborated before."""
        self._note(self._asked_by.get(key, {}))

    def piece(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """What `make` gives, or what it gave under readings that say the same; its exceptions pass."""
        for kept in self.memory.kept.get(key, ()):
            if all(self.chosen(ruling) == reading for ruling, reading in kept.answers.items()):
                return cast(Made, self._recalled(key, kept))
        asked: Asked = {}
        self._levels.append(asked)
        try:
            made = make()
        finally:
            self._levels.pop()
            self._note(asked)
        self._asked_by[key] = asked
        if not self.report.count:
            self._keep(key, made, asked)
        return made

    def _keep(self, key: Hashable, made: Any, asked: Asked) -> None:
        answers = {ruling: self.chosen(ruling) for ruling, _ in asked}
        self.memory.kept.setdefault(key, []).append(_Kept(made, answers, asked))
        self.memory.size += 1

    def _recalled(self, key: Hashable, kept: _Kept) -> Any:
        self._note(kept.asked)
        self._asked_by[key] = kept.asked
        return kept.made

    def _note(self, asked: Asked) -> None:
        (self._levels[-1] if self._levels else self.asked).update(asked)
