"""Tries the methods for a claim in an order that saves time, and combines their answers."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from types import TracebackType

from rulespec.budgets import ForkedCall, can_fork
from rulespec.core.verdicts import STRENGTH, UNDECIDED
from rulespec.core.verdicts.properties import Over
from rulespec.solver.evidence.exploration import on_the_way
from rulespec.solver.evidence.positions import space_of
from rulespec.solver.evidence.problem import Answer, Case, is_settled, no_answer, silent
from rulespec.solver.evidence.replay import by_play_alone
from rulespec.solver.explore import state_space
from rulespec.solver.explore.state_space import MOST_POSITIONS, Limits

from . import best_play, deals, seats
from .by_plays import HUNTS
from .by_positions import EXPLORATION
from .method import Method, Run
from .next_steps import next_step
from .table import FORMULAS, METHODS

LOOKING, MOST_LOOKING = 0.3, 4.0
"""The share of the remaining budget, and the maximum seconds, for looking for plays before formulas are
used as well."""
BRIEF_SECONDS = 0.2
"""The cost of a first exploration if a play may settle the claim: hunts finish small games, too."""
ALONE = 3.0
"""Seconds that formulas run alone before code explores beside them."""
ROOM_ASIDE, ROOM = 0.6, 0.85
"""The share of memory that formulas beside other methods may fill, and the share at which they are
abandoned."""
BESIDE = 0.2
"""The share of the remaining time for exploring while plays are looked for, too, or for breaking an
invariant."""
COUNTING = 0.4
"""The share of the remaining time for looking at how much lies where."""
FLOWING, COMPARING = 0.7, 0.4
"""The shares of the remaining time for comparing what plies take out and put in, which gives up at once where
it does not apply, and what they change in two sums."""
CONSERVING = 0.5
"""The share of the remaining time for an induction with sums that the effects conserve."""
SLOW_GROWTH = 3
"""If there are no more than this many new positions for each old one, there may be few in all."""
SHORTEST = 0.7
"""The share of time for exploring first if a shortest play is wanted."""


@dataclass(frozen=True)
class Step:
    """A method in the plan, with a share of the remaining budget and a maximum of seconds.

    `when` says whether it is worthwhile in a run. With `aside` it continues in its own process while the next
    steps run.
    """

    method: Method
    share: float = 1.0
    most: float = math.inf
    when: Callable[[Schedule], bool] = lambda schedule: True
    aside: bool = False


def decide(case: Case) -> Answer:
    """The strongest answer to a case within its budget."""
    if case.prop.over is Over.DEALS:
        return deals.decide(case, decide)
    if case.prop.over is Over.SEATS:
        return seats.decide(case, lambda one: by_play_alone(one.game, one.claim, decide(one)))
    with Schedule(case) as schedule:
        for step in PLAN:
            if step.method.applies(case.prop) and not schedule.over and step.when(schedule):
                schedule.take(step)
        return schedule.answer


class Schedule:
    """The progress of a case through the plan."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.run = Run(case, self._stop)
        self.first: Answer | None = None
        """The answer of the first exploration."""
        self._answers: list[Answer] = []
        self._settled: Answer | None = None
        self._aside: ForkedCall[Answer | None] | None = None
        self._tried: list[str] = []
        """The names of the methods tried so far, in order."""

    def __enter__(self) -> Schedule:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._aside is not None:
            self._aside.end()

    @property
    def looks_for_plays(self) -> bool:
        """True if plays are looked for: one may settle the claim, or bound the value it asks for."""
        return HUNTS.applies(self.case.prop) and not self.case.is_summed

    @property
    def over(self) -> bool:
        """True if the claim is settled."""
        return self._settled is not None

    def take(self, step: Step) -> None:
        """Try a method, or start it in another process."""
        self._tried.append(step.method.name)
        if step.aside and can_fork():
            self._begin(step.method)
            return
        seconds = min(self.case.budget.seconds_left * step.share, step.most)
        answer = step.method.attempt(self.run, seconds)
        if step.method is FIRST:
            self.first = answer
            self.case.keep(answer)
        self._note(answer)

    def _begin(self, method: Method) -> None:
        """Start a method in a process of its own; unless plays are looked for, wait for it a while."""
        budget = self.case.budget
        quiet = Run(replace(self.case, progress=silent, budget=budget.part(1.0, room=ROOM_ASIDE)))
        if self.looks_for_plays:
            quiet.pursuit = self.run.pursuit
        self.case.progress(method.name)
        self._aside = ForkedCall(
            lambda: method.attempt(quiet, budget.seconds_left), memory=ROOM * budget.memory
        )
        if not self.looks_for_plays:
            self._aside.wait(min(ALONE, self.case.budget.seconds_left))
            self._stop()

    def _stop(self) -> str:
        """The reason to stop: the method aside has settled the claim. It may also give up before."""
        if self._aside is not None and self._aside.is_done():
            self._fetch(0.0)
        return "answered" if self.over else ""

    def _fetch(self, seconds: float) -> None:
        """Wait for the method in the other process, end it, and note its answer."""
        assert self._aside is not None
        answer = self._aside.result(seconds)
        if self._aside.overran:
            self._answers.append(no_answer(f"Formulas would take more than {self.case.budget.memory} MB."))
        self._aside.end()
        self._aside = None
        self._note(self.run.pursuit.join_bounds(answer) if self.looks_for_plays else answer)

    def _note(self, answer: Answer | None) -> None:
        """Keep an answer; the first settled one ends the schedule."""
        if answer is not None:
            self._answers.append(answer)
        if is_settled(answer) and self._settled is None:
            self._settled = answer

    @property
    def answer(self) -> Answer:
        """The strongest answer, after the method aside has had the rest of the time."""
        if self._aside is not None and not self.over:
            self._fetch(self.case.budget.seconds_left)
        return self._settled or self._explain(strongest(self.case, self._answers))

    def _explain(self, answer: Answer) -> Answer:
        """An undecided answer with the methods tried, the limit reached, and advice added."""
        if answer.outcome != UNDECIDED or answer.final:
            return answer
        spent = self.case.budget.exceeded_limit
        tried = f"Tried: {', '.join(dict.fromkeys(self._tried))}" if self._tried else ""
        ended = f"{tried}; ended at {spent}." if tried and spent else f"{tried}." if tried else ""
        advice = next_step(self.case, " ".join((*answer.remarks, ended)))
        return replace(answer, remarks=(*answer.remarks, *(text for text in (ended, advice) if text)))


# ---- the plan


def _first_exploration(run: Run, seconds: float) -> Answer | None:
    """The answer of a short exploration, unless a shortest play is wanted.

    It is left out if plays from a given deal come next and only the interpreter can explore.
    """
    case = run.case
    sought = HUNTS.applies(case.prop) and not case.is_summed
    if case.shortest:
        limits = Limits(case.budget.seconds_left * SHORTEST, MOST_POSITIONS)
    elif sought and case.chance is not None and not space_of(on_the_way(case)).has_code:
        return None
    else:
        seconds = min(BRIEF_SECONDS if sought else state_space.EASY_SECONDS, case.budget.seconds_left / 4)
        limits = Limits(seconds, state_space.EASY_POSITIONS)
    case.progress("looking at every position")
    return best_play.explore_or_solve(case, limits)


def _grows_slowly(schedule: Schedule) -> bool:
    """True if the unfinished first exploration found few new positions per old one, at last or on average."""
    if not schedule.looks_for_plays or schedule.case.chance is not None or schedule.first is None:
        return False
    counts: list[int] = next((p.data["counts"] for p in schedule.first.proofs if p.kind == "exploration"), [])
    if not counts:
        return False
    lately = len(counts) > 2 and counts[-1] <= SLOW_GROWTH * counts[-2]
    return lately or sum(counts) <= SLOW_GROWTH ** (len(counts) - 1)


FIRST = replace(EXPLORATION, name="a first exploration", attempt=_first_exploration)

PLAN = (
    Step(METHODS["known plays"]),
    Step(METHODS["sums"]),
    Step(FIRST),
    Step(METHODS["memory"]),
    Step(METHODS["exclusion"]),
    Step(METHODS["flows"], FLOWING),
    Step(METHODS["differences"], COMPARING),
    Step(METHODS["conserved sums"], CONSERVING),
    Step(HUNTS, LOOKING, MOST_LOOKING),
    Step(FORMULAS, when=lambda schedule: not schedule.case.is_summed, aside=True),
    Step(EXPLORATION, BESIDE, when=_grows_slowly),
    Step(METHODS["sizes"], COUNTING),
    Step(METHODS["breaking plays"], BESIDE),
    Step(METHODS["lookalikes"], BESIDE),
    Step(HUNTS),
    Step(EXPLORATION, when=lambda schedule: schedule.case.budget.seconds_left > state_space.EASY_SECONDS),
)
"""The methods in their order: cheap ones first, then long-running ones beside one another."""


def strongest(case: Case, answers: Iterable[Answer]) -> Answer:
    """The answer that says most.

    Among bounded ones, a bound on the value in question says more than a depth, and a greater depth more. If
    nothing was decided, remarks of the others are kept.
    """
    listed = list(answers)
    if not listed:
        return no_answer(f"Nothing here decides a claim of the kind `{case.claim.kind}`.")
    best = max(reversed(listed), key=_strength)  # of equally strong ones the last, which had the most time
    if is_settled(best):
        return best
    if best.outcome != UNDECIDED:
        return replace(best, stopped=best.stopped or case.budget.exceeded_limit)
    why = next(iter(best.remarks), "")
    more = (remark for a in (best, *listed) for remark in a.remarks[1:] if remark != why)
    return replace(best, remarks=(why, *dict.fromkeys(more)))


def _strength(answer: Answer) -> tuple[int, bool, int, bool]:
    bounds = not answer.numbers.keys().isdisjoint(("at_least", "at_most"))
    return STRENGTH[answer.outcome], bounds, answer.numbers.get("plies", -1), answer.final
