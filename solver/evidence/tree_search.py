"""Deciding what best play comes to by search with memory, which sees a part of the positions only."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from rulespec.budgets import memory_in_use
from rulespec.core.symmetry import Symmetry
from rulespec.core.types import Optional, scalar_of
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED
from rulespec.core.wording import WORTHS
from solver.certify import Refused, Strategies, Strategy
from solver.explore import CodeStates, NoRowImage, NotInvariant, NotSymmetric
from solver.explore.alphabeta_kernel import UNKNOWN
from solver.explore.mtdf import MtdSearch, NoValue
from solver.explore.packing import RowLayout
from solver.explore.state_space import MOST_POSITIONS, Limits, tools_for
from solver.explore.states import NO_RESULT
from solver.explore.strategies import (
    LimitReached,
    Successors,
    SuccessorsByCode,
    SuccessorsByInterpreter,
    Unsound,
    check_choices,
    extract_choices,
)
from solver.pairs.images import group_of

from .game_graph import named_worth, secret
from .positions import commuting, space_of
from .problem import Answer, Case, Proof, undecided

KIND = "search"
"""What evidence by search is called."""

FULLEST = 0.9
"""What share of the memory that is allowed is taken at most when the table grows."""

MOST_CHOICES = 400_000
"""Of how many choices a strategy is that is written down."""

MOST_JUDGED = 3_000
"""Strategies of so many choices are held against the interpreter, larger ones against the code."""

WORTH_OF = {name: worth for worth, name in WORTHS.items()}
"""The worth of a play by the name of its result."""

T = TypeVar("T")


class Stays(Exception):
    """Search does not decide a case; the text says why."""


@dataclass(frozen=True)
class Found:
    """Between what the value lies from each way in which play begins, and how that is known.

    `stopped` is the limit that was met, in words.
    """

    bounds: Sequence[tuple[int, int]]
    how: str
    engine: str
    stopped: str = ""

    @property
    def span(self) -> tuple[int, int]:
        """Between what it lies whatever the deal."""
        return min(low for low, _ in self.bounds), max(high for _, high in self.bounds)


def search(case: Case) -> Answer:
    """What search tells of a case within its budget."""
    try:
        return answer(case, searched(case))
    except Stays as why:
        return undecided(
            f"Nothing was decided: {why}.", f"Best play was not searched for with memory: {why}."
        )


def searched(case: Case) -> Found:
    """What search finds within the budget of a case. Raises Stays."""
    return _search(case, lambda space, memory: _found(case, space, memory))


def _search(case: Case, use: Callable[[CodeStates, MtdSearch], T]) -> T:
    """What comes of a search, with all symmetries that may be used. Raises Stays."""
    if secret(case.game) and case.claim.options.get("seeing") != "everything":
        raise Stays("something is hidden from the players")
    if case.game.players > 2:
        raise Stays("with more than two players nothing is best for all")
    elements = group_of(case.game)
    if any(element.table(case.game.player) for element in elements) or not (elements and commuting(case)):
        elements = []
    try:
        try:
            return _with(case, elements, use)
        except (NoRowImage, NotSymmetric, NotInvariant):
            return _with(case, (), use)
    except NoValue as why:
        raise Stays(str(why)) from None


def _with(case: Case, elements: Sequence[Symmetry], use: Callable[[CodeStates, MtdSearch], T]) -> T:
    space = _space(case, elements)
    return use(space, MtdSearch(space, _name(case), lambda more: _fits(case, more)))


def _space(case: Case, elements: Sequence[Symmetry]) -> CodeStates:
    """The ways in which play begins."""
    wanted = space_of(case)
    tools = tools_for(Limits(0.0, 0, compiled=wanted.affords(case.budget.left)))
    for asked, _ in wanted.codes():
        space = CodeStates(case.game, asked, case.chance, tools, symmetries=elements, shown=True)
        if not space.deeper(lambda: case.budget.exhausted, MOST_POSITIONS):
            raise Stays(space.stopped)
        return space
    raise Stays("the rules are too large for code")


def _fits(case: Case, more: int) -> bool:
    return memory_in_use() + more / 2**20 < FULLEST * case.budget.memory


def _name(case: Case) -> str | None:
    """What an end is asked; None for who has won."""
    return case.claim.id if case.claim.condition is not None else None


def _found(case: Case, space: CodeStates, memory: MtdSearch) -> Found:
    case.progress("a search with memory")
    steps, bounds, stopped = SuccessorsByCode(space, _name(case)), [], ""
    for number in range(space.counts[0]):
        row, early = space.row(number), case.claim.condition is None
        if RowLayout.number(space.layout.fault, row):
            raise NoValue(NO_RESULT)
        worth = steps.end(row)
        if worth is not None:
            bounds.append((worth, worth))
            continue
        bounds.append(memory.settle(row, _range(case), _guess(case), lambda: case.budget.exhausted, early))
        stopped = stopped or memory.stopped
    how = f"A search with memory followed the actions of {memory.followed} positions"
    return Found(bounds, how, space.engine, stopped)


def _range(case: Case) -> tuple[int, int]:
    """Between what any value lies."""
    if case.claim.condition is None:
        return -1, 1
    of = scalar_of(case.claim.condition.type)
    if of is None or max(map(abs, (of.values[0], of.values[-1]))) >= UNKNOWN:
        raise Stays("the numbers are too large")
    none = [0] if isinstance(case.claim.condition.type, Optional) else []
    return min([of.values[0], *none]), max([of.values[-1], *none])


def _guess(case: Case) -> int:
    """What is claimed, or else where tests begin."""
    claimed = case.claim.options.get("is")
    return claimed if isinstance(claimed, int) else WORTH_OF.get(str(claimed), 0)


# ---- what is said


def answer(case: Case, found: Found) -> Answer:
    """What the bounds say of the claim."""
    (low, high), (least, most) = found.span, _range(case)
    data: dict[str, Any] = {"at_least": low, "at_most": high}
    if case.chance is not None:
        data["chance"] = list(case.chance)
    claimed, bounds = case.claim.options.get("is"), {"at_least": low, "at_most": high}
    if all(a == b for a, b in found.bounds):
        named = named_worth(case, sorted({a for a, _ in found.bounds}))
        outcome = PROVED if claimed is None or str(claimed) == named else REFUTED
        numbers = {"value": low} if low == high else bounds
    elif (low, high) == (least, most):
        return undecided(f"Nothing was decided. {found.how} ({found.stopped}).", engine=found.engine)
    else:
        outside = claimed is not None and not low <= _guess(case) <= high
        outcome = REFUTED if outside else BOUNDED
        numbers = {key: x for key, x in bounds.items() if x not in (least, most)}
    stopped = found.stopped if outcome == BOUNDED else ""
    return Answer(outcome, (Proof(KIND, data),), found.engine, numbers, stopped=stopped)


# ---- strategies


def strategies(case: Case, low: int, high: int) -> Strategies:
    """Strategies that show that the value lies between two numbers.

    Raises Stays where the budget does not suffice, or they are too long.
    """
    (least, most) = _range(case)
    wanted = [(1, low)] * (low > least) + [(-1, high)] * (high < most)

    def chosen(space: CodeStates, memory: MtdSearch) -> Strategies:
        found, steps = _found(case, space, memory), SuccessorsByCode(_space(case, ()), _name(case))
        if found.span[0] < low or found.span[1] > high:
            raise Stays(f"a search does not show as much again ({found.stopped})")
        limit = case.budget.part(1.0)
        case.progress("strategies")
        return Strategies(
            tuple(
                Strategy(
                    side,
                    bound,
                    extract_choices(steps, memory, side, bound, MOST_CHOICES, lambda: limit.exhausted),
                )
                for side, bound in wanted
            )
        )

    try:
        return _search(case, chosen)
    except (LimitReached, Unsound) as why:
        raise Stays(str(why)) from None


def held_against(case: Case, certificate: Strategies) -> Found:
    """What strategies show when they are held against the rules. Raises Refused, and Stays out of time."""

    def pause() -> None:
        if spent := case.budget.exhausted:
            raise Stays(spent)

    low, high = _range(case)
    space, words = _space(case, ()), []
    for one in certificate.listed:
        judge = len(one.choices) <= MOST_JUDGED
        steps: Successors = SuccessorsByCode(space, _name(case))
        if judge:
            steps = SuccessorsByInterpreter(case.game, space.layout, case.chance, case.claim.condition)
        try:
            positions = check_choices(steps, one.side, one.bound, one.choices, pause)
        except Unsound as why:
            raise Refused(f"a strategy of its certificate does not show it: {why}") from None
        low, high = (max(low, one.bound), high) if one.side == 1 else (low, min(high, one.bound))
        words.append(f"{positions} positions by {'the interpreter' if judge else space.engine}")
    return Found(
        [(low, high)], f"strategies held against every reply, in {' and '.join(words)}", space.engine
    )
