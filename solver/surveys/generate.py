"""Puzzles by criterion: deals that a survey answers, measured, and kept if they are what is wanted."""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import partial
from typing import Any

from rulespec.budgets import Budget, Listener, cores, map_unordered
from rulespec.core.digest import of_claim
from rulespec.core.game import Claim, Game
from rulespec.core.types import Value
from rulespec.core.verdicts import PROVED, REFUTED, parameters_of, readings_of
from rulespec.core.verdicts.properties import property_of
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.records.puzzles import VERSION, Puzzle, Puzzles
from rulespec.solver.claims.answers import Deal, DealAnswer
from rulespec.solver.claims.solve import NoPuzzle, puzzle
from rulespec.solver.claims.worker import Reply
from rulespec.solver.evidence.problem import Case
from rulespec.solver.methods.play_search import search_work

from .run import Progress, SurveyOptions, seeds, silent, survey_with_answers

BATCH = 4
"""Deals asked at a time, for each core."""
MOST = 1_000
"""Deals asked for each puzzle, at most."""
WORK_SECONDS = 60.0
"""Seconds for measuring the work of the search on one deal."""
LONGEST = 10.0**9
"""Seconds of a call without a limit."""
SIGNS: Mapping[str, Callable[[int, int], bool]] = {
    "<=": operator.le, ">=": operator.ge, "<": operator.lt, ">": operator.gt, "=": operator.eq,
}  # fmt: skip
SOLVABLE, VALUE, LENGTH, WORK = MEASURES = ("solvable", "value", "length", "work")
"""The measures of every puzzle: 1 if the goal can be reached, else 0; its best value; the plies of the play
that was found; and the plies that the policy search plays before it finds one, a measure of difficulty."""
_WANT = re.compile(r"([A-Za-z][\w-]*) *(<=|>=|<|>|=) *(-?\d{1,9})")


@dataclass(frozen=True)
class Want:
    """A criterion: a measure, or a claim that is asked of the deal, compared with a number.

    The number of a claim is its value, otherwise 1 if it holds and 0 if it fails.
    """

    name: str
    sign: str
    number: int

    @classmethod
    def parse(cls, text: str) -> Want:
        """A criterion from a text such as `work>=1000`. Raises ValueError."""
        found = _WANT.fullmatch(text.strip())
        if found is None:
            raise ValueError(f"`{text}` is not a criterion; one is `value=0` or `work>=1000`")
        return cls(found[1], found[2], int(found[3]))

    def is_met(self, measures: Mapping[str, int]) -> bool:
        """True if a puzzle has the measure, and it is as wanted."""
        return self.name in measures and SIGNS[self.sign](measures[self.name], self.number)


@dataclass(frozen=True)
class GenerateOptions(SurveyOptions):
    """The options of `generate`: those of a survey, and the greatest number of deals to ask.

    Attributes:
        most: the number of deals; by default `MOST` for each puzzle.
    """

    most: int | None = None


OF_A_SURVEY = [field.name for field in fields(SurveyOptions)]
"""The options that are those of a survey."""


def generate(
    ruleset: str,
    number: int,
    wants: Sequence[Want] = (),
    claim: str | None = None,
    *,
    progress: Progress = silent,
    **options_given: Any,
) -> Puzzles:
    """Find deals that meet all criteria, in the order of their seeds, each with its answer and evidence.

    Deals that begin like an earlier one are left out, and those whose answer stays undecided, and those in
    which the goal is out of reach, unless `solvable` is among the criteria. Answers are stored like those of
    a survey, so that a call continues where an earlier one stopped.

    Args:
        ruleset: a name or a path.
        number: how many puzzles are wanted; there may be fewer within the limits.
        wants: the criteria.
        claim: the goal: a claim that can be decided for a deal; by default the one meant for that.
        progress: receives the number of puzzles, the number wanted, and words about the deals asked.
        options_given: those of `GenerateOptions`.

    Raises:
        RulesetError: the ruleset is faulty.
        NoPuzzle: a claim cannot be decided for a deal, or nothing is dealt.
        DatabaseError: the database holds something else.
    """
    options = GenerateOptions(**options_given)
    game = load(ruleset, options.players, options.parameters, options.readings)
    asked, jobs, call = puzzle(game, claim), options.jobs or cores(), options.budget
    if not property_of(asked).is_asked_of_deals:
        raise NoPuzzle(f"`{asked.id}` is no goal that a play could reach")
    more = [puzzle(game, want.name) for want in wants if want.name not in MEASURES]
    if all(want.name != SOLVABLE for want in wants):
        wants = [Want(SOLVABLE, "=", 1), *wants]
    batch, last = BATCH * jobs, options.first + (options.most or MOST * number)
    found: list[Puzzle] = []
    begun = set[tuple[Value, ...]]()
    decided = 0
    for first in range(options.first, last, batch):
        if len(found) >= number or call.seconds_left <= 0:
            break
        progress(len(found), number, f"{first - options.first:,} deals asked")
        given = replace(options, first=first, timeout=min(call.seconds_left, LONGEST))
        deals = [*_new(game, seeds(min(batch, last - first), first), begun)]
        answers = {one.seed: one for one in _answers(ruleset, asked, deals, given)}
        decided += len(answers)
        for other in more:
            for one in _answers(ruleset, other, [d for d in deals if d.seed in answers], given):
                value = one.measures.get(VALUE, one.measures[SOLVABLE])
                measured = {**answers[one.seed].measures, other.id: value}
                answers[one.seed] = replace(answers[one.seed], measures=measured)
        cheap = [want for want in wants if want.name != WORK]
        fitting = [one for one in answers.values() if all(want.is_met(one.measures) for want in cheap)]
        worked = _with_work(game, asked, fitting, jobs, call)
        found += [one for one in worked if all(want.is_met(one.measures) for want in wants)]
    over = ", before the time was over" if call.seconds_left <= 0 else ""
    progress(min(len(found), number), number, f"{len(begun):,} deals asked, {decided:,} decided{over}")
    return Puzzles(
        VERSION, ruleset, game.digest, game.players, parameters_of(game), readings_of(game), asked.id,
        of_claim(asked), tuple(found[:number]),
    )  # fmt: skip


def _new(game: Game, deals: Iterable[Deal], begun: set[tuple[Value, ...]]) -> Iterator[Deal]:
    """The deals that begin unlike earlier ones; notes how they begin."""
    machine = Machine(game)
    for deal in deals:
        start = machine.start(Chance(deal.seed)).position.values
        if start not in begun:
            begun.add(start)
            yield deal


def _answers(ruleset: str, claim: Claim, deals: Sequence[Deal], options: GenerateOptions) -> Iterator[Puzzle]:
    """The deals that are decided, as puzzles with the measures that a verdict gives."""
    if not deals:
        return
    shared = {name: getattr(options, name) for name in OF_A_SURVEY}
    with survey_with_answers(ruleset, deals, claim.id, **shared) as (report, kept):
        for row in report.rows:
            if row.outcome in (PROVED, REFUTED):
                yield _puzzle(kept.whole_answer(row.deal))


def _puzzle(answered: DealAnswer) -> Puzzle:
    """A puzzle made of a deal and its answer."""
    verdict, play = answered.verdict, Reply(answered.verdict, answered.records).play
    measures = {SOLVABLE: int(verdict.outcome == PROVED)}
    if VALUE in verdict.numbers:
        measures[VALUE] = verdict.numbers[VALUE]
    if play is not None:
        measures[LENGTH] = len(play.plays)
    data = verdict.to_data()
    return Puzzle(str(answered.deal.seed), answered.chance, verdict.outcome, measures, data, answered.records)


def _with_work(
    game: Game, claim: Claim, puzzles: Sequence[Puzzle], jobs: int, call: Budget
) -> Iterator[Puzzle]:
    """The puzzles with the work of a policy search added where that finds a play in time, in order."""

    def serve(number: int, send: Listener) -> int | None:
        """The plies that a search plays until it solves a puzzle; None if it does not."""
        one = puzzles[number]
        case = Case(game, claim, call.part(1.0, WORK_SECONDS), one.chance)
        return search_work(case, one.measures.get(VALUE, 0))

    budget = partial(call.part, 1.0, WORK_SECONDS)
    numbers = [i for i, one in enumerate(puzzles) if one.measures[SOLVABLE]]
    work = {i: found for i, found in map_unordered(serve, numbers, jobs, budget) if isinstance(found, int)}
    for i, one in enumerate(puzzles):
        yield replace(one, measures={**one.measures, WORK: work[i]}) if i in work else one
