"""The states of a case's game, for whoever decides claims by looking at all of them.

Several claims about a game share its states: what one of them found, the next need not find again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

from rulespec.budgets import Stopwatch
from rulespec.code import TooLarge
from rulespec.code.compiling import Compiled
from rulespec.code.engine import can_compile, pays
from rulespec.code.runner import Plain
from rulespec.core import nodes as n
from rulespec.core.game import Claim, Game
from rulespec.core.symmetry import Symmetry
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from solver.explore import CodeStates, DijkstraByCode, DijkstraByInterpreter, InterpreterStates, Limit, States
from solver.explore.exploration_code import exploration_code
from solver.explore.packing import RowLayout

from .problem import Case, premise
from .remembering import NEVER_FALLS
from .symmetries import generators, group_of, stated

LAST = 0.1
"""Where less than this is left of the time for a claim, it is over."""
KEPT = 2
"""So many games' states are kept for the next claim."""

WHEN, PREMISE, DIFFERENT = "{} when", "{} premise", "{} different"
"""What the parts of a claim are called where states are asked about them."""


@dataclass(frozen=True)
class Limits:
    """How far a look may go: seconds, states, and depth in plies if that is bounded.

    `compiled`: whether code may be compiled, which takes a while at first; where it was before, and Numba is
    in use, it runs anyway. `judge`: the interpreter looks.
    `folded`: whether code may keep one state for all that symmetries make of it; none: where it is compiled,
    for else that costs more than it saves. `until` says in words why there is no need to go on; empty while
    there is.
    """

    seconds: float
    most: int
    depth: int | None = None
    compiled: bool = False
    judge: bool = False
    folded: bool | None = None
    until: Limit = lambda: ""


def spoken_of(claim: Claim) -> Mapping[str, n.Expr]:
    """The conditions and numbers that a claim asks of states, by name; the same ones each time."""
    if claim not in _spoken:
        _spoken[claim] = _spoken_of(claim)
    return _spoken[claim]


_spoken: WeakKeyDictionary[Claim, Mapping[str, n.Expr]] = WeakKeyDictionary()


def _spoken_of(claim: Claim) -> Mapping[str, n.Expr]:
    parts = {
        claim.id: claim.condition if claim.kind != NEVER_FALLS else None,
        WHEN.format(claim.id): claim.options.get("when"),
        DIFFERENT.format(claim.id): claim.options.get("different"),
        PREMISE.format(claim.id): premise(claim) if claim.kind == "invariant" else None,
    }
    return {name: e for name, e in parts.items() if isinstance(e, n.Expr)}


@dataclass(frozen=True)
class _Kept:
    game: Game
    chance: tuple[str, ...] | None
    way: tuple[bool, bool, bool, str]
    asked: Mapping[str, n.Expr]
    states: States


_kept: list[_Kept] = []


def states_of(case: Case, limits: Limits, *, ways: bool = False) -> States:
    """The states of a case's game as far as they are known, to be grown; with `ways`, every action kept."""
    cost = case.claim.id if case.summed else ""
    fold = limits.compiled and can_compile() if limits.folded is None else limits.folded
    folds = fold and not limits.judge and not cost
    elements = group_of(case.game) if folds else []
    way = (ways, limits.judge, bool(elements), cost)
    wanted = spoken_of(case.claim)
    slow = Plain if tools_for(limits) is Compiled else None
    for kept in _kept:
        same = kept.game is case.game and kept.chance == case.chance and kept.way == way
        if same and _includes(kept.asked, wanted) and kept.states.tools is not slow:
            return kept.states
    states, asked = _made(case, wanted, ways, limits, elements)
    _kept.insert(0, _Kept(case.game, case.chance, way, asked, states))
    del _kept[KEPT:]
    return states


def _includes(asked: Mapping[str, n.Expr], wanted: Mapping[str, n.Expr]) -> bool:
    """True if `asked` has all of `wanted` under the same names."""
    return all(asked.get(name) is e for name, e in wanted.items())


def tools_for(limits: Limits) -> Any:
    """The kit to run code with."""
    return Compiled if limits.compiled and can_compile() else Plain


COMPILING = 0.5
"""The most of the time of a look that compiling may take, as a share."""
DRIVER = 400
"""The approximate number of lines of the exploration code, which is compiled with that of the game."""


def affords(case: Case, seconds: float) -> bool:
    """True if a look of so many seconds leaves enough time after its code is compiled."""
    if not can_compile():
        return False
    for asked in asked_of(case):
        try:
            return pays(exploration_code(case.game, asked).written, COMPILING * seconds, DRIVER)
        except TooLarge:
            continue
    return False


def forget() -> None:
    """Let go of all states that were kept."""
    _kept.clear()


def is_quick(case: Case, seconds: float) -> bool:
    """Whether the first position from a given deal can be followed in so many seconds.

    Machine code that is at hand surely does; else it is tried how long one list of legal actions takes.
    """
    for asked in asked_of(case):
        try:
            code = exploration_code(case.game, asked)
        except TooLarge:
            continue
        if code.at_hand:
            return True
        start = Machine(case.game).start(Chance(None, tuple(case.chance or ()))).position
        watch = Stopwatch()
        node = code.runner.node(start.values, start.draws)
        return watch.seconds * node.legal < seconds
    return False


def asked_of(case: Case) -> Iterator[Mapping[str, n.Expr]]:
    """What states are asked: what all claims speak of, and where that is too much what this one does."""
    if case.game.claims.get(case.claim.id) is case.claim:
        yield {name: e for claim in case.game.claims.values() for name, e in spoken_of(claim).items()}
    yield spoken_of(case.claim)


def _made(
    case: Case, wanted: Mapping[str, n.Expr], ways: bool, limits: Limits, elements: Sequence[Symmetry]
) -> tuple[States, Mapping[str, n.Expr]]:
    """States that can be asked what all claims speak of, or only this one where all are too much."""
    for asked in asked_of(case):
        try:
            tools = Compiled if exploration_code(case.game, asked).at_hand else tools_for(limits)
            code = _by_code(case, asked, tools, ways, elements)
        except TooLarge:
            continue
        found = _by_rules(case, asked, ways, code.layout) if limits.judge else code
        return found, asked
    return _by_rules(case, wanted, ways, None), wanted


def _by_code(
    case: Case, asked: Mapping[str, n.Expr], tools: Any, ways: bool, elements: Sequence[Symmetry]
) -> CodeStates:
    if case.summed:
        return DijkstraByCode(case.game, asked, case.chance, tools, case.claim.id)
    alike = shown(case, elements)
    return CodeStates(case.game, asked, case.chance, tools, ways=ways, symmetries=elements, shown=alike)


def _by_rules(
    case: Case, asked: Mapping[str, n.Expr], ways: bool, layout: RowLayout | None
) -> InterpreterStates:
    if case.summed:
        return DijkstraByInterpreter(case.game, asked, case.chance, case.claim.id, layout)
    return InterpreterStates(case.game, asked, case.chance, ways=ways, layout=layout)


SHOWING = 10.0
"""Seconds, and a fifth of a budget at most, for formulas to show that rules commute with symmetries."""


def shown(case: Case, elements: Sequence[Symmetry]) -> bool:
    """Whether formulas show that states and their images are alike; else they are compared one by one."""
    if not elements:
        return False
    if case.game not in _commuting:
        try:
            from .commuting import commute
        except ImportError:  # no engine is installed
            return False
        case.progress("whether the rules are the same for images")
        seconds = min(SHOWING, case.budget.left / 5)
        _commuting[case.game] = commute(case.game, generators(stated(case.game)), seconds)
    return _commuting[case.game]


_commuting: WeakKeyDictionary[Game, bool] = WeakKeyDictionary()


class Look:
    """A look at the states of a case's game, or at those given, within limits and layer by layer."""

    def __init__(
        self, case: Case, limits: Limits, states: States | None = None, *, ways: bool = False
    ) -> None:
        self.case, self.limits = case, limits
        self.states = states if states is not None else states_of(case, limits, ways=ways)
        self._budget = case.budget.part(1.0, limits.seconds)

    @property
    def limit(self) -> Limit:
        """What says that time or memory has run out."""

        def out() -> str:
            spent = self._budget.exhausted
            if spent and self._budget.left > 0:
                forget()
            if spent and self.case.budget.left < LAST:
                return self.case.budget.time_limit
            return self.case.budget.exhausted or spent or self.limits.until()

        return out

    @property
    def stopped(self) -> str:
        """Why there was no further look; empty where all was seen."""
        if self.whole:
            return ""
        return self.states.stopped or "no more was asked"

    @property
    def counts(self) -> list[int]:
        """New states by depth, as deep as was asked."""
        depth = self.limits.depth
        return self.states.all_counts if depth is None else self.states.all_counts[: depth + 1]

    @property
    def kept(self) -> int:
        """How many states were kept for those that lie as deep as was asked."""
        return sum(self.states.counts[: len(self.counts)])

    @property
    def seen(self) -> int:
        """How many states lie as deep as was asked."""
        return sum(self.counts)

    @property
    def outcomes(self) -> int:
        """How many outcomes of actions were followed to see that."""
        return self.states.outcomes[len(self.counts) - (not self.whole)]

    @property
    def whole(self) -> bool:
        """True if all states were seen.

        A look with a limit of depth that it reached is not complete, even if another look at the same states
        has seen that nothing lies beyond: equal questions must have equal evidence.
        """
        depth = self.limits.depth
        below = depth is None or len(self.counts) <= depth
        return below and self.states.closed and self.kept == self.states.states

    def further(self) -> bool:
        """Find the states one ply further; False where there are none, or a limit was reached."""
        depth = self.limits.depth
        if depth is not None and len(self.states.counts) > depth:
            return False
        return self.states.deeper(self.limit, self.limits.most)

    def layers(self) -> Iterator[tuple[int, int]]:
        """The states layer by layer, as the first and one past the last; found as they are asked for."""
        depth, first = 0, 0
        while depth < len(self.counts) or self.further():
            last = first + self.states.counts[depth]
            yield first, last
            depth, first = depth + 1, last

    def all(self) -> bool:
        """Look at everything; whether that was done."""
        for _ in self.layers():
            pass
        return self.whole

    def first(self, wanted: Callable[[States, int, int], Sequence[Any]]) -> int | None:
        """The first state for which something is not 0, of those within the limits; none if there is none."""
        for first, last in self.layers():
            for i, x in enumerate(wanted(self.states, first, last)):
                if x:
                    return first + i
        return None
