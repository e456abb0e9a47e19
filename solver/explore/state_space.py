"""State spaces: the states that a question needs, explored within limits and cached for the next question."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from math import inf
from typing import Any

from rulespec.budgets import Budget, OutOfBudget
from rulespec.code import TooLarge
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.symmetry import Symmetry

from .code_states import CodeStates
from .exploration_code import exploration_code
from .interpreter_states import InterpreterStates
from .spot_check import SpotCheck
from .states import Limit, States

LAST = 0.1
"""A budget with fewer seconds left counts as spent."""
FEW = 10_000
"""Up to this many states, comparing images is preferred to a proof by formulas that rules commute."""
KEPT = 2
"""Maximum number of games whose states are cached."""
EASY_SECONDS, EASY_POSITIONS = 1.0, 20_000
"""The limits of a brief exploration."""
MOST_POSITIONS = 1 << 30
"""Maximum number of states of a long exploration; memory usually ends it before."""


@dataclass(frozen=True)
class Limits:
    """The limits of an exploration: seconds, states, and optionally the depth in plies.

    `judge`: the interpreter explores. `folded`: code stores one state of each orbit under symmetries. `until`
    returns another reason to stop, empty if there is none. Before states explored by code give an answer, the
    interpreter replays a share of them if there is a `spot_check`.
    """

    seconds: float
    most: int
    depth: int | None = None
    judge: bool = False
    folded: bool = True
    until: Limit = lambda: ""
    spot_check: SpotCheck | None = None


@dataclass(frozen=True)
class StateSpace:
    """The reachable states of a game, and named expressions to evaluate in them.

    `asked` lists sets of expressions: the first one with code is evaluated; the last is what the question
    needs. `chance` is the deal, None for every deal. With `cost`, the name of a number, states are ordered by
    its sum over the plies. `symmetries` gives the whole group under which states may be folded, and `commute`
    is true if the rules are proved to commute with it; otherwise, or if the limit is `FEW` states, each state
    is compared with its images.
    """

    game: Game
    asked: Sequence[Mapping[str, n.Expr]]
    chance: tuple[str, ...] | None = None
    cost: str = ""
    symmetries: Callable[[], Sequence[Symmetry]] = tuple
    commute: Callable[[], bool] = lambda: False

    def states(self, limits: Limits, *, ways: bool = False) -> States:
        """The states explored so far, which can be explored further; see `States.keeps`.

        Equal questions must have equal evidence, so questions with a depth limit have states of their own. A
        question that needs no ways may use states that keep them if these are closed.
        """
        elements = self.symmetries() if limits.folded and not limits.judge and not self.cost else ()
        key = id(self.game), self.chance, self.cost, limits.judge, bool(elements), limits.depth
        for known, states in _kept:
            fits = known == key and (states.keeps == ways or (states.keeps and states.closed))
            if fits and all(states.asked.get(name) is e for name, e in self.asked[-1].items()):
                return states
        few = limits.most <= FEW and not self.game.has_chance_in_play
        states = self.begun_anew(elements, ways=ways, judge=limits.judge, few=few)
        _kept.insert(0, (key, states))
        del _kept[KEPT:]
        return states

    def begun_anew(
        self, elements: Sequence[Symmetry] = (), *, ways: bool = False, judge: bool = False, few: bool = False
    ) -> CodeStates | InterpreterStates:
        """Unexplored states, for generated code if there is any and the interpreter does not `judge`.

        For `few` states, formulas need not prove that rules commute with the symmetries, the `elements`.
        """
        how: dict[str, Any] = {"chance": self.chance, "ways": ways, "cost": self.cost}
        for asked in self.asked:
            with suppress(TooLarge):
                if judge:
                    layout = exploration_code(self.game, asked).layout
                    return InterpreterStates(self.game, asked, layout=layout, **how)
                shown = bool(elements) and not few and self.commute()
                return CodeStates(self.game, asked, symmetries=elements, shown=shown, **how)
        return InterpreterStates(self.game, self.asked[-1], **how)

    @property
    def has_code(self) -> bool:
        """True if generated code explores, and not the interpreter."""
        for asked in self.asked:
            with suppress(TooLarge):
                return bool(exploration_code(self.game, asked))
        return False


_kept: list[tuple[tuple[object, ...], States]] = []
"""The most recent states; each keeps its game alive."""


def forget() -> None:
    """Drop all cached states."""
    _kept.clear()


class Exploration:
    """The exploration of states within limits and a budget, layer by layer."""

    def __init__(self, states: States, limits: Limits, budget: Budget) -> None:
        self.states, self.limits = states, limits
        self._whole, self._budget = budget, budget.part(1.0, limits.seconds)

    def limit(self) -> str:
        """The limit of time or memory that was reached, in words; empty if none was."""
        spent = self._budget.exceeded_limit
        if spent and self._budget.seconds_left > 0:
            forget()
        if spent and self._whole.seconds_left < LAST:
            return self._whole.time_limit
        return self._whole.exceeded_limit or spent or self.limits.until()

    def check(self) -> None:
        """Raise OutOfBudget if a limit was reached."""
        if spent := self.limit():
            raise OutOfBudget(spent)

    @property
    def stop_reason(self) -> str:
        """Why exploration stopped early; empty if it was exhaustive."""
        return "" if self.exhaustive else self.states.stopped or "no more was asked"

    @property
    def seen_count(self) -> int:
        """The number of states at completed depths, with all that the stored ones represent."""
        return sum(self.states.all_counts)

    @property
    def depth(self) -> int:
        """The last completed depth; -1 if there is none."""
        return len(self.states.counts) - 1

    @property
    def exhaustive(self) -> bool:
        """True if all states were seen."""
        return self.states.closed

    def layers(self) -> Iterator[tuple[int, int]]:
        """The layers of states, each as its first state and the one past its last, explored on demand."""
        depth, first = 0, 0
        last = inf if self.limits.depth is None else self.limits.depth
        while depth <= self.depth or (depth <= last and self._deeper()):
            layer = first, first + self.states.counts[depth]
            yield layer
            depth, first = depth + 1, layer[1]

    def _deeper(self) -> bool:
        """Explore one more depth; an error discards the shared states."""
        try:
            return self.states.deeper(self.limit, self.limits.most)
        except Exception:
            forget()  # nobody goes on with states that an error has left half done
            raise

    def all(self) -> bool:
        """Explore everything; returns True if that succeeded."""
        for _ in self.layers():
            pass
        return self.exhaustive

    def first(self, wanted: Callable[[States, int, int], Sequence[Any]]) -> int | None:
        """The first state within the limits for which the answer is not 0; None if there is none."""
        for first, last in self.layers():
            for i, x in enumerate(wanted(self.states, first, last), first):
                if x:
                    return i
        return None
