"""Best play: bounds on its value from every start, by search, and strategies that guarantee them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rulespec.budgets import Budget, memory_in_use
from rulespec.code.packed_rows.images import NoRowImage
from rulespec.core.symmetry import Symmetry
from rulespec.core.winners import is_payoff

from .code_states import CodeStates
from .exploration_code import RowLayout
from .mtdf import MtdSearch
from .spot_check import SpotCheck
from .state_space import MOST_POSITIONS, StateSpace
from .states import NO_RESULT, BuiltinQuestion, LimitReached, NoValue, Unsound
from .strategies import EndValues, check_choices, extract_choices
from .strategy_states import CodeStrategy, InterpreterStrategy, StrategyStates
from .symmetry_reduction import NotInvariant, NotSymmetric

FULLEST = 0.9
"""Maximum share of the allowed memory in use when the transposition table grows."""


@dataclass(frozen=True)
class ValueBounds:
    """Bounds on the value from each way in which play begins.

    `how` says in words how they are proved; `stopped` names the limit that was reached.
    """

    bounds: Sequence[tuple[int, int]]
    how: str
    engine: str
    stopped: str = ""

    @property
    def span(self) -> tuple[int, int]:
        """Bounds on the value over all deals."""
        return min(low for low, _ in self.bounds), max(high for _, high in self.bounds)


@dataclass(frozen=True)
class BestPlay:
    """The question for the value of best play.

    The value of an end is the number `name`, or without one 1 or -1 for a win of the first or second side,
    else 0. All values lie `within` two numbers; tests begin with the `guess`.
    """

    space: StateSpace
    name: str | None
    within: tuple[int, int]
    guess: int
    budget: Budget

    def bounds(self, spot_check: SpotCheck | None = None) -> ValueBounds:
        """The bounds that a search proves within the budget. Raises NoValue.

        With a spot check the interpreter replays a share of the visited positions; raises Unlike.
        """
        search, shown = self._search()
        if spot_check is not None:
            drawn = search.sample_states(spot_check.random)
            spot_check.compare_searched(search.space, drawn, search.expanded_count, self._questions)
        return shown

    @property
    def _questions(self) -> list[str]:
        return [] if self.name is None else [self.name]

    def strategies(self, low: int, high: int, most: int) -> list[tuple[int, int, tuple[int, ...]]]:
        """Strategies with at most `most` choices that guarantee two bounds: side (1 or -1), bound, choices.

        A bound that holds in every play needs no strategy. Raises NoValue if none are found.
        """
        least, greatest = self.within
        wanted = [(1, low)] * (low > least) + [(-1, high)] * (high < greatest)

        search, shown = self._search()
        if shown.span[0] < low or shown.span[1] > high:
            raise NoValue(f"a search does not show as much again ({shown.stopped})")
        part, code = self.budget.part(1.0), self.starts()

        def strategy(side: int, bound: int) -> tuple[int, int, tuple[int, ...]]:
            states = CodeStrategy(code, side)
            choices = extract_choices(states, search, self.name, bound, most, lambda: part.exceeded_limit)
            return side, bound, choices

        try:
            return [strategy(side, bound) for side, bound in wanted]
        except (LimitReached, Unsound, NotInvariant) as why:
            raise NoValue(str(why)) from None

    def held_against(
        self, listed: Iterable[tuple[int, int, Sequence[int]]], spot_check: SpotCheck | None = None
    ) -> ValueBounds:
        """The bounds that strategies guarantee against every reply. Raises Unsound, NoValue.

        With a spot check the interpreter replays a share of the positions that code visits, or all if these
        are few enough; raises Unlike.
        """
        (low, high), code, words = self.within, self.starts(), []
        for side, bound, choices in listed:
            by_code = CodeStrategy(code, side)
            self._hold(by_code, bound, choices)
            by = by_code.engine
            if spot_check is not None:
                check = replace(spot_check)
                self._compare(by_code, check)
                by = f"{by}, {check.words}"
                if check.is_small:
                    by_interpreter = InterpreterStrategy(code, side)
                    self._hold(by_interpreter, bound, choices)
                    by = f"the {by_interpreter.engine}"
            low, high = (max(low, bound), high) if side == 1 else (low, min(high, bound))
            words.append(f"{by_code.states} positions by {by}")
        how = f"strategies held against every reply, in {' and in '.join(words)}"
        return ValueBounds([(low, high)], how, code.engine)

    def _hold(self, states: StrategyStates, bound: int, choices: Sequence[int]) -> None:
        """Check the choices of a strategy against every reply. Raises Unsound, or NoValue when time is up."""
        try:
            check_choices(states, self.name, bound, choices, lambda: self.budget.exceeded_limit)
        except LimitReached as out:
            raise NoValue(str(out)) from None

    def _compare(self, states: CodeStrategy, spot_check: SpotCheck) -> None:
        """Compare a share of a strategy's unfinished positions with the interpreter. Raises Unlike."""
        ongoing = [i for i, end in enumerate(states.scan(BuiltinQuestion.ENDED)) if not end]
        drawn = spot_check.random.sample(ongoing, min(len(ongoing), spot_check.most))
        spot_check.compare_searched(states, map(states.row, drawn), len(ongoing), self._questions)

    def starts(self, elements: Sequence[Symmetry] = ()) -> CodeStates:
        """The states in which play begins. Raises NoValue for payoffs, without code, or without time."""
        if self.name and is_payoff(self.space.game, self.space.asked[-1].get(self.name)):
            raise NoValue("a search does not see whether the payoffs add up to the same at every end")
        states = self.space.begun_anew(elements)
        if not isinstance(states, CodeStates):
            raise NoValue("the rules are too large for code")
        if not states.deeper(lambda: self.budget.exceeded_limit, MOST_POSITIONS):
            raise NoValue(states.stopped)
        return states

    def _search(self) -> tuple[MtdSearch, ValueBounds]:
        """A search that uses the symmetries available, and the bounds that it proves."""
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
        """The search after it has bounded the value of each start, with the bounds joined. Raises NoValue."""
        states = self.starts(elements)
        search = MtdSearch(states, self.name, self.within, self._fits)
        values, bounds, stopped = EndValues(states, self.name), [], ""
        for row in map(states.row, range(states.counts[0])):
            if RowLayout.number(states.layout.fault, row):
                raise NoValue(NO_RESULT)
            if (worth := values.end(row)) is not None:
                bounds.append((worth, worth))
                continue
            bounds.append(search.settle(row, self.guess, lambda: self.budget.exceeded_limit))
            stopped = stopped or search.stopped
        how = f"A search with memory followed the actions of {search.expanded_count:,} positions"
        return search, ValueBounds(bounds, how, states.engine, stopped)
