"""Pieces elaborated under some settings and reused under others with the same meaning.

The games of one document differ in the number of players, the values of parameters and the readings of
rulings. While a piece (a declaration, a law, an action, a claim, ...) is elaborated, every setting that it
uses is recorded, directly or through other pieces; under other settings with the same values for these the
same piece is reused.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar, cast

from ...core import nodes as n
from ...core.diagnostics import Report
from ...core.types import BOOL, Scalar, Value, integers
from ..bounds import Measurements
from ..documents.yaml import Scalar as Text
from ..syntax.parser import ParsedText, Syntax, UnreadableDeclaration
from .folding import FALSE
from .spans import Spans

Made = TypeVar("Made")

MOST_KEPT = 20_000
"""Maximum number of pieces of a memory; then a new one is begun."""

PLAYERS = ""
"""The name of the setting that is the number of players; the others are rulings and parameters."""

Asked = dict[tuple[str, str], None]
"""Settings that were used, by name, each with the clause that used it, in order."""


@dataclass(frozen=True)
class _Kept:
    """A cached piece, and the settings that it depends on."""

    made: Any
    answers: Mapping[str, Value]
    asked: Asked


@dataclass
class Texts:
    """The trees of the formal texts of one document, which do not depend on settings."""

    trees: dict[Text, Syntax] = field(default_factory=dict)
    declarations: dict[Text, list[ParsedText | UnreadableDeclaration]] = field(default_factory=dict)


class Memory:
    """The pieces of one document."""

    def __init__(self, texts: Texts | None = None) -> None:
        self.texts = texts if texts is not None else Texts()
        self._players: dict[int, tuple[Scalar, n.StateVar]] = {}
        self.over = n.StateVar("over", BOOL, FALSE)
        self.spans = Spans()
        """The places of expressions and effects."""
        self.trees: dict[n.Expr, Syntax] = {}
        """The trees of nodes that were written in a text."""
        self.kept: dict[Hashable, list[_Kept]] = {}
        self.size = 0

    def players(self, number: int) -> tuple[Scalar, n.StateVar]:
        """The type of the players, and the variable of the player to move."""
        if number not in self._players:
            player = integers(1, number, "Player")
            self._players[number] = player, n.StateVar("mover", player, n.Const(player, 1))
        return self._players[number]

    @property
    def is_full(self) -> bool:
        """True if a new memory should be begun, so that this one does not grow without end."""
        return self.size > MOST_KEPT


class Memories:
    """The memories of one document, of which only the last one grows."""

    def __init__(self) -> None:
        self._last = Memory()
        self.measured = Measurements()
        """The costs of parts that the games of the document share."""

    @property
    def last(self) -> Memory:
        """The memory for the next game."""
        if self._last.is_full:
            self._last = Memory(self._last.texts)
        return self._last


class Remembering:
    """Elaborates the pieces of one game, each taken from the memory if its settings agree."""

    def __init__(self, memory: Memory, report: Report, chosen: Callable[[str], Value]) -> None:
        """`chosen` gives the value of a setting, None if it does not exist."""
        self.memory, self.report, self.chosen = memory, report, chosen
        self.asked: Asked = {}
        """Every setting that was used, by any clause."""
        self._asked_by: dict[Hashable, Asked] = {}
        self._levels: list[Asked] = []
        """For each piece being elaborated, innermost last, the settings it used."""

    def ask(self, setting: str, clause: str) -> Value:
        """The value of a setting that a clause uses."""
        self._note({(setting, clause): None})
        return self.chosen(setting)

    def again(self, key: Hashable) -> None:
        """Note that the current piece uses an earlier one."""
        self._note(self._asked_by.get(key, {}))

    def asked_by(self, key: Hashable) -> Asked:
        """The settings that a piece used."""
        return self._asked_by.get(key, {})

    def piece(self, key: Hashable, make: Callable[[], Made]) -> Made:
        """The result of `make`, or an earlier one for equal settings; exceptions are passed on."""
        for kept in self.memory.kept.get(key, ()):
            if all(self.chosen(setting) == value for setting, value in kept.answers.items()):
                return cast(Made, self._recall(key, kept))
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
        answers = {setting: self.chosen(setting) for setting, _ in asked}
        self.memory.kept.setdefault(key, []).append(_Kept(made, answers, asked))
        self.memory.size += 1

    def _recall(self, key: Hashable, kept: _Kept) -> Any:
        self._note(kept.asked)
        self._asked_by[key] = kept.asked
        return kept.made

    def _note(self, asked: Asked) -> None:
        (self._levels[-1] if self._levels else self.asked).update(asked)
