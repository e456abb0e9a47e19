"""Best play: bounds on its value from every start, by search, and strategies that guarantee them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rulespec.budgets import Budget, memory_in_use
from rulespec.code.row_images import NoRowImage
from rulespec.core.symmetry import Symmetry

from .code_states import CodeStates
from .exploration_code import RowLayout
from .interpreter_states import InterpreterStates
from .mtdf import MtdSearch
from .spot_check import Reservoir, SpotCheck
from .state_space import MOST_POSITIONS, StateSpace
from .states import NO_RESULT, NoValue, States, Stopped, Unsound
from .strategies import Successors, check_choices, extract_choices
from .symmetry_reduction import NotInvariant, NotSymmetric

FULLEST = 0.9
"""The share of the allowed memory that is taken at most when the transposition table grows."""

MOST_JUDGED = 3_000
"""Strategies of so many choices are held against the interpreter, larger ones against the code."""


@dataclass(frozen=True)
class ValueBounds:
    """Bounds on the value from each way in which play begins.

    `how` they are shown, in words; `stopped` is the limit that was reached, in words.
    """

    bounds: Sequence[tuple[int, int]]
    how: str
    engine: str
    stopped: str = ""

    @property
    def span(self) -> tuple[int, int]:
        """Bounds on the value whatever the deal."""
        return min(low for low, _ in self.bounds), max(high for _, high in self.bounds)


@dataclass(frozen=True)
class BestPlay:
    """A question for the value of best play.

    An end is worth the number `name`, without one 1 or -1 for who has won, else 0. Any value lies `within`
    two numbers; tests begin with the `guess`.
    """

    space: StateSpace
    name: str | None
    within: tuple[int, int]
    guess: int
    budget: Budget

    def bounds(self, spot_check: SpotCheck | None = None) -> ValueBounds:
        """The bounds that a search shows within the budget. Raises NoValue.

        With a spot check the interpreter goes through a share of those that it followed; raises Unlike.
        """
        search, shown = self._searched()
        if spot_check is not None:
            drawn = search.drawn(spot_check.random)
            spot_check.searched(search.space, drawn, search.followed, self._questions)
        return shown

    @property
    def _questions(self) -> list[str]:
        return [] if self.name is None else [self.name]

    def strategies(self, low: int, high: int, most: int) -> list[tuple[int, int, tuple[int, ...]]]:
        """Strategies of at most so many choices that guarantee two bounds: side (1 or -1), bound, choices.

        None is listed for a bound that every play keeps to. Raises NoValue where none are found.
        """
        least, greatest = self.within
        wanted = [(1, low)] * (low > least) + [(-1, high)] * (high < greatest)

        search, shown = self._searched()
        if shown.span[0] < low or shown.span[1] > high:
            raise NoValue(f"a search does not show as much again ({shown.stopped})")
        steps, part = Successors(self.starts(), self.name), self.budget.part(1.0)
        try:
            return [
                (side, bound, extract_choices(steps, search, side, bound, most, lambda: part.exhausted))
                for side, bound in wanted
            ]
        except (Stopped, Unsound, NotInvariant) as why:
            raise NoValue(str(why)) from None

    def held_against(
        self, listed: Iterable[tuple[int, int, Sequence[int]]], spot_check: SpotCheck | None = None
    ) -> ValueBounds:
        """The bounds that strategies guarantee against every reply. Raises Unsound; NoValue out of time.

        With a spot check the interpreter goes through a share of what code goes through; raises Unlike.
        """

        def pause() -> None:
            if spent := self.budget.exhausted:
                raise NoValue(spent)

        (low, high), code, words = self.within, self.starts(), []
        for side, bound, choices in listed:
            states: CodeStates | InterpreterStates = code
            if len(choices) <= MOST_JUDGED:
                states = InterpreterStates(code.game, code.asked, code.chance, layout=code.layout)
                self._begin(states)
            reservoir = Reservoir(spot_check) if spot_check is not None and states is code else None
            steps = Successors(states, self.name, reservoir)
            positions = check_choices(steps, side, bound, choices, pause)
            if spot_check is not None and reservoir is not None:
                spot_check.searched(code, reservoir.drawn, reservoir.count, self._questions)
            low, high = (max(low, bound), high) if side == 1 else (low, min(high, bound))
            words.append(f"{positions} positions by {'' if states is code else 'the '}{states.engine}")
        how = f"strategies held against every reply, in {' and '.join(words)}"
        return ValueBounds([(low, high)], how, code.engine)

    def starts(self, elements: Sequence[Symmetry] = ()) -> CodeStates:
        """The states in which play begins. Raises NoValue where there is no code, or not enough time."""
        states = self.space.begun_anew(elements)
        if not isinstance(states, CodeStates):
            raise NoValue("the rules are too large for code")
        self._begin(states)
        return states

    def _begin(self, states: States) -> None:
        if not states.deeper(lambda: self.budget.exhausted, MOST_POSITIONS):
            raise NoValue(states.stopped)

    def _searched(self) -> tuple[MtdSearch, ValueBounds]:
        """A search, with the symmetries that may be used, and the bounds that it shows."""
        elements, player = self.space.symmetries(), self.space.game.player
        if not elements or any(e.table(player) for e in elements) or not self.space.commute():
            elements = ()
        try:
            return self._settled(elements)
        except (NoRowImage, NotSymmetric, NotInvariant):
            return self._settled(())

    def _fits(self, more: int) -> bool:
        return memory_in_use() + more / 2**20 < FULLEST * self.budget.memory

    def _settled(self, elements: Sequence[Symmetry]) -> tuple[MtdSearch, ValueBounds]:
        states = self.starts(elements)
        search = MtdSearch(states, self.name, self.within, self._fits)
        steps, bounds, stopped = Successors(states, self.name), [], ""
        for row in map(states.row, range(states.counts[0])):
            if RowLayout.number(states.layout.fault, row):
                raise NoValue(NO_RESULT)
            if (worth := steps.end(row)) is not None:
                bounds.append((worth, worth))
                continue
            bounds.append(search.settle(row, self.guess, lambda: self.budget.exhausted))
            stopped = stopped or search.stopped
        how = f"A search with memory followed the actions of {search.followed} positions"
        return search, ValueBounds(bounds, how, states.engine, stopped)
