"""Breadth-first exploration by the interpreter: for games without code, and to check exploration by code."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from importlib import import_module
from typing import Any, assert_never

from rulespec.budgets import ask_for
from rulespec.code.codes import NONE
from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.sides import maximising_side
from rulespec.core.types import Value
from rulespec.kernels.kit import FULL_WORD, mix
from rulespec.play.chance import Chance
from rulespec.play.machine import Ply
from rulespec.play.position import STUCK, Fault, Move, Position

from .chance_outcomes import TooManyOutcomes, outcomes, weighted_outcomes
from .exploration_code import RowLayout
from .states import (
    BuiltinQuestion,
    Limit,
    LimitReached,
    Question,
    Row,
    ScoreOf,
    States,
    Unsound,
    without_draw_count,
)

LANES = 4
EACH = 64
"""The limit is tested after this many outcomes of chance."""
MOST_SHARES = 1 << 22
"""Maximum number of equally likely outcomes that represent a weighted one."""


class Lists:
    """Kernels that need no game, run as Python with lists for arrays; see `code.Instance`."""

    numbers = words = list

    @staticmethod
    def room(kind: str, size: int) -> list[int]:
        """A list of zeros."""
        ask_for(8 * size)
        return [0] * size

    @staticmethod
    def beside(given: object, kernel: str) -> dict[str, Any]:
        """The functions of a kernel."""
        found: dict[str, Any] = vars(import_module(f"rulespec.kernels.{kernel}"))
        return found


class InterpreterStates(States):
    """The states of a game, found by the interpreter; see `States`. With a `layout` they can be packed."""

    engine = "interpreter"
    instance: Any = Lists

    def __init__(
        self,
        game: Game,
        asked: Mapping[str, n.Expr] | None = None,
        chance: tuple[str, ...] | None = None,
        *,
        ways: bool = False,
        layout: RowLayout | None = None,
        cost: str = "",
    ) -> None:
        super().__init__(game, asked, chance, cost)
        self.keeps = ways
        self._layout = layout
        self._ends = [None, *(end.id for end in game.ends), STUCK]
        self._outcomes = 0
        self._order: list[int] = []
        self.positions: list[Position] = []
        self.numbers: dict[Position, int] = {}
        self.parents: list[int] = []
        self.firsts: list[int] = [0]
        self.ways: list[int] = [0]
        self.outs: list[int] = []
        self.odds: list[int] = []
        self._starts: list[tuple[int, int]] = []

    @property
    def states(self) -> int:
        """The number of states known."""
        return len(self.positions)

    # ---- growing

    @property
    def _followed_outcomes(self) -> int:
        return self._outcomes

    def _begin(self, limit: Limit, most: int) -> None:
        """Add the starting positions, weighted by their odds."""
        starts: list[tuple[int, int]] = []
        for position, odds, share in self._outcomes_of(self.machine.start, self.chance or (), limit, most):
            starts += [(self._see(position, -1), odds)] * share
        self._starts = starts

    def _outcomes_of(
        self, run: Callable[[Chance], Ply], chance: tuple[str, ...], limit: Limit, most: int
    ) -> Iterator[tuple[Position, int, int]]:
        """The positions after a ply with their probabilities, `share / odds`. Raises LimitReached."""
        try:
            for number, (ply, odds, share) in enumerate(weighted_outcomes(run, chance), 1):
                if share > MOST_SHARES:
                    raise TooManyOutcomes("a draw")
                yield ply.position, odds, share
                if number % EACH == 0:
                    self._check(limit, most)
        except TooManyOutcomes as draw:
            raise LimitReached(f"{draw} has too many outcomes to follow") from None

    def _plan(self, numbers: Sequence[int]) -> None:
        self._order += numbers

    def _follow(self, last: int, limit: Limit, most: int) -> None:
        """Expand states up to a number, in order."""
        while len(self.firsts) - 1 < last:
            self._check(limit, most)
            number = len(self.firsts) - 1
            self._follow_one(self._order[number] if self._order else number, limit, most)

    def _follow_one(self, number: int, limit: Limit, most: int) -> None:
        """Play all actions of a state; if that raises LimitReached, no result is stored."""
        position, count = self.positions[number], 0
        edges, ways = list[tuple[int, int]](), list[int]()
        for move in self.machine.moves(position):
            run = partial(self.machine.play, position, move)
            for after, odds, share in self._outcomes_of(run, (), limit, most):
                count += share
                found = self._see(after, number), odds
                if self.keeps:
                    edges += [found] * share
            if self.keeps:
                ways.append(len(self.outs) + len(edges))
        self._outcomes += count
        self.outs += [to for to, _ in edges]
        self.odds += [odds for _, odds in edges]
        self.ways += ways
        self.firsts.append(len(self.ways) - 1)

    def _see(self, position: Position, parent: int) -> int:
        """The number of a position; a new one is stored with its parent."""
        position = _stored_form(position)
        number = self.numbers.setdefault(position, self.states)
        if number == self.states:
            self.positions.append(position)
            self.parents.append(parent)
        return number

    def starts(self) -> list[tuple[int, int]]:
        """The outcomes of the setup: each a state, and the denominator of its probability."""
        return self._starts

    # ---- asking

    def scan(self, question: Question, first: int = 0, last: int | None = None) -> Sequence[int]:
        """The answers to a question; see `States.scan`."""
        return [self.answer(question, position) for position in self.positions[first:last]]

    def answer(self, question: Question, position: Position) -> int:
        """The answer to a question about a position."""
        match question:
            case BuiltinQuestion.FAULTED:
                return int(position.fault is not None)
            case BuiltinQuestion.ENDED:
                return self._ends.index(position.ended)
            case BuiltinQuestion.MOVER:
                return int(position.values[self.machine.variables.index(self.game.mover)])
            case BuiltinQuestion.SIDE:
                return 1 if self.answer(BuiltinQuestion.MOVER, position) in maximising_side(self.game) else -1
            case BuiltinQuestion.WINNERS:
                return sum(1 << int(p) for p in self.machine.winners(position))
            case ScoreOf(player):
                return self.machine.scores(position)[player]
            case str(name):
                result = evaluate(self.asked[name], {}, self.machine.situation(position))
                return NONE if result is None else int(result)
            case _:
                assert_never(question)

    def position(self, number: int) -> Position:
        """A state as the interpreter represents it."""
        return self.positions[number]

    def digest(self, last: int | None = None) -> str:
        """A digest of the set of states, equal to that of generated code if there is any."""
        if self._layout is not None:
            return digest_of_rows(map(self.layout.whole.row_of, self.positions[:last]))
        texts = (repr((canonical(p.values), p.ended, bool(p.fault))) for p in self.positions[:last])
        return digest_of_texts(texts)

    def parent(self, number: int) -> int:
        return self.parents[number]

    def _is(self, position: Position, number: int) -> bool:
        return self.numbers[_stored_form(position)] == number

    def _step(self, position: Position, to: int) -> tuple[Move, Ply]:
        """A move from a position to a state, and its ply. Raises LookupError."""
        for move in self.machine.moves(position):
            for ply in outcomes(partial(self.machine.play, position, move), ()):
                if self._is(ply.position, to):
                    return move, ply
        raise LookupError("no action leads there")

    # ---- rows, where there is a layout

    @property
    def layout(self) -> RowLayout:
        """The layout of rows."""
        assert self._layout is not None
        return self._layout

    def row(self, number: int) -> Row:
        """The row of a state."""
        return self.layout.row_of(self.positions[number])

    def ask(self, question: Question, row: Row) -> int:
        """The answer for the state of a row."""
        return self.answer(question, self.layout.position(row))

    def followers(self, row: Row) -> Iterator[Row]:
        """The rows after each action of a state. Raises Unsound if an action has chance in it."""
        position = self.layout.position(row)
        for move in self.machine.moves(position):
            ply, *others = outcomes(partial(self.machine.play, position, move), ())
            if others:
                raise Unsound("chance has a part in the actions")
            yield self.layout.row_of(without_draw_count(ply.position))


def _stored_form(position: Position) -> Position:
    """A position as it is stored: without the number of draws; of a fault only that it happened."""
    if position.fault:
        return Position(position.values, 0, None, Fault("", "", ""))
    return without_draw_count(position)


def digest_of_texts(texts: Iterable[str]) -> str:
    """An order-independent digest of texts, in hexadecimal."""
    seal = hashlib.sha256()
    for text in sorted(texts):
        seal.update(text.encode())
    return seal.hexdigest()


def digest_of_rows(rows: Iterable[tuple[int, ...]]) -> str:
    """An order-independent digest of a set of rows."""
    sums = [0] * LANES
    for row in rows:
        for lane in range(LANES):
            h = 1 << lane
            for word in row:
                h = mix(h ^ word)
            sums[lane] += h
    return digest_of_sums(sums)


def digest_of_sums(sums: Sequence[int]) -> str:
    """The digest for sums of hashes, as `kernels.symmetries.sums` computes them.

    It detects accidental differences; it does not resist deliberate collisions.
    """
    return "".join(f"{x & FULL_WORD:016x}" for x in sums)


def canonical(value: Value) -> Value:
    """A value with its sets as sorted lists, so that equal values have equal texts."""
    if isinstance(value, tuple):
        return tuple(map(canonical, value))
    return ("set", *sorted(value)) if isinstance(value, frozenset) else value
