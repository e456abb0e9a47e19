"""The states that plays reach while one player follows a strategy: all replies, but one choice in each state.

Rows are compared as numbers, without the mark that nobody can act. A choice is the position of a successor
among all successors of a state, in ascending order, each once. Choices are listed in the order in which their
states are found, breadth first: the starts in ascending order, and the successors of one state in ascending
order. So a list of choices means the same to the interpreter and to the code.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from rulespec.kernels.strategies import CHANCE, CHOSEN, UNCHOSEN

from .code_states import CodeStates
from .interpreter_states import InterpreterStates
from .states import BuiltinQuestion, Limit, Row, Unsound

WRONG = {CHANCE: "chance has a part in the actions", UNCHOSEN: "it does not say what to choose"}
"""The statuses of the kernel that end a strategy, in words."""
MANY = 1 << 30
"""Larger than any number of successors."""


class CodeStrategy(CodeStates):
    """The states that code finds while player 1 (`side` 1), or the other one (-1), follows a strategy."""

    def __init__(self, like: CodeStates, side: int) -> None:
        super().__init__(like.game, like.asked, like.chance, ways=True, like=like)
        self.side = side
        self._expand_strategy = self.instance.beside(self.code.beside, "strategies")["expand_strategy"]
        self._choices = self.instance.room("vast small", 0)
        self._plan_numbers = self.instance.numbers([side, 0])

    def choose(self, choices: Sequence[int]) -> None:
        """Set the next choices. Raises Unsound if one of them is out of range."""
        if any(not 0 <= choice < MANY for choice in choices):
            raise Unsound(WRONG[UNCHOSEN])
        first = len(self._choices)
        self.instance.grow(self._choices, first + len(choices))
        self._choices[first:] = choices

    @property
    def unused_count(self) -> int:
        """The number of choices that no state has used."""
        return len(self._choices) - int(self._plan_numbers[CHOSEN])

    def _begin(self, limit: Limit, most: int) -> None:
        super()._begin(limit, most)
        self.begin_again([*map(self.row, range(self.states))], self.layout.clear_mark)

    def _expand(self, last: int, growing: tuple[Any, ...]) -> int:
        strategy = self._choices, self._plan_numbers
        return int(self._expand_strategy(last, self._pace.step, strategy, self.after[0], growing, self._into))

    def _mend(self, code: int) -> None:
        """Make missing room. Raises Unsound if the code reports a wrong choice."""
        if code in WRONG:
            raise Unsound(WRONG[code])
        super()._mend(code)


class InterpreterStrategy(InterpreterStates):
    """The states that the interpreter finds while a player follows a strategy; see `CodeStrategy`."""

    def __init__(self, like: CodeStates, side: int) -> None:
        super().__init__(like.game, like.asked, like.chance, ways=True, layout=like.layout)
        self.side = side
        self._choices = list[int]()
        self._chosen = 0

    def choose(self, choices: Sequence[int]) -> None:
        """Set the next choices."""
        self._choices += choices

    @property
    def unused_count(self) -> int:
        """The number of choices that no state has used."""
        return len(self._choices) - self._chosen

    def _begin(self, limit: Limit, most: int) -> None:
        """Add the starting positions in the order of generated code."""
        super()._begin(limit, most)
        self.positions.sort(key=lambda position: self.layout.clear_mark(self.layout.row_of(position)))
        self.numbers = {position: number for number, position in enumerate(self.positions)}

    def _follow_one(self, number: int, limit: Limit, most: int) -> None:
        """Add the successors of a state, only the chosen one for the own side. Raises Unsound."""
        after = successors(self, self.row(number))
        if after and is_own(self, self.row(number)):
            chosen = self._choices[self._chosen] if self.unused_count else -1
            if not 0 <= chosen < len(after):
                raise Unsound(WRONG[UNCHOSEN])
            self._chosen += 1
            after = [after[chosen]]
        for row in after:
            self.outs.append(self._see(self.layout.position(row), number))
            self.ways.append(len(self.outs))
        self.firsts.append(len(self.ways) - 1)
        self._outcomes += len(after)


StrategyStates = CodeStrategy | InterpreterStrategy


def successors(states: StrategyStates, row: Row) -> list[Row]:
    """The successors of a state in ascending order, each once. Raises Unsound if an action has chance in
    it."""
    return sorted(set(states.followers(row)), key=states.layout.clear_mark)


def is_own(states: StrategyStates, row: Row) -> bool:
    """True if the player to act in a state is the one who follows the strategy."""
    return states.ask(BuiltinQuestion.SIDE, row) == states.side
