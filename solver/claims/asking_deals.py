"""Claims about many deals decided by an executor, deal by deal or in batches, and stored as answers
arrive."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from itertools import chain, count, takewhile
from typing import TypeVar

from rulespec.budgets import Budget
from rulespec.code import TooLarge
from rulespec.core.verdicts import Verdict
from rulespec.executors import Executor, Rules
from rulespec.simulation.result_file import DatabaseError
from rulespec.solver.analyses.deal_numbers import NotBlind
from rulespec.solver.evidence.deal_counts import (
    NO,
    answer_by_exception,
    answer_of_all_deals,
    answer_so_far,
    estimate_of_share,
)
from rulespec.solver.evidence.problem import Answer, Case, no_answer
from rulespec.solver.methods import all_deals, deals

from .answers import Answers, Deal, ask
from .deal_batches import BatchResult, DealBatchTask, Stretch

T = TypeVar("T")


def decide_on_executor(executor: Executor, rules: Rules, case: Case) -> Answer:
    """The answer to a claim about deals by an executor; `case` has the budget for all of them."""
    return (_of_all if deals.is_about_all_deals(case.claim) else _by_seeds)(executor, rules, case)


def _by_seeds(executor: Executor, rules: Rules, case: Case) -> Answer:
    """Decide deals by seeds, see `methods.deals.decide`; a claim on every deal ends at an exception."""
    claim, asks = case.claim, deals.claim_of_deal(case.game, case.claim)
    every, budget = claim.kind == "every_deal", case.budget
    limits = Budget(min(deals.EACH[claim.kind], budget.seconds), budget.memory)
    verdicts: dict[int, Verdict] = {}

    def waiting() -> Iterator[Deal]:
        """Yield the deals to decide, none of them beyond an exception."""
        for seed in count() if every else range(int(claim.options["deals"])):
            if budget.exceeded_limit or (every and NO in map(_letter, verdicts.values())):
                return
            deal = Deal(str(seed))
            verdict = _stored_verdict(kept, deal, limits)
            if verdict is None:
                yield deal
            else:
                verdicts[seed] = verdict

    def letters() -> str:
        """The letters of the leading deals that are all decided."""
        return "".join(_letter(verdicts[seed]) for seed in takewhile(verdicts.__contains__, count()))

    with Answers.open(case.game, asks, rules) as kept:
        asked = _unless_empty(waiting())
        if asked is not None:
            answers = ask(
                kept, executor, case.game, rules, asks.id, asked, limits,
                lemmas=[*case.lemmas.values()], engine=case.engine, whole=budget,
            )  # fmt: skip
            with closing(answers):
                for found in answers:
                    verdicts[int(found.deal.key)] = found.verdict
                    case.progress(f"{len(verdicts)} deals")
                    if every and NO in letters():
                        break  # those that are still asked come later
    failed = [seed for seed in sorted(verdicts) if _letter(verdicts[seed]) == NO]
    if every and failed:
        return answer_by_exception(claim, failed[0], verdicts[failed[0]].engine)
    if not letters():
        return no_answer("Nothing was decided: there was no time for a single deal.")
    return answer_so_far(claim, letters()) if every else estimate_of_share(claim, letters())


def _of_all(executor: Executor, rules: Rules, case: Case) -> Answer:
    """Decide all deals in batches; see `methods.all_deals`."""
    budget = case.budget
    lemmas = [*case.lemmas.values()]
    task = DealBatchTask(rules, case.claim.id, budget.memory, lemmas, case.engine, whole=budget)
    try:
        total = task.asking.starts.count
    except (NotBlind, TooLarge) as why:
        return no_answer(f"The deals were not gone through: {why}.")
    size = all_deals.BATCH
    stretches = [Stretch(first, min(first + size, total)) for first in range(0, total, size)]
    with all_deals.Batches.of(case, deals.claim_of_deal(case.game, case.claim)) as kept:

        def letters(stretch: Stretch) -> str:
            """The letters of a decided batch; empty for any other."""
            held = kept.get(stretch.first) or ""
            return held if len(held) == stretch.last - stretch.first else ""

        missing = (stretch for stretch in stretches if not letters(stretch))
        asked = _unless_empty(takewhile(lambda stretch: not budget.exceeded_limit, missing))
        if asked is not None:
            for stretch, result in executor.results(task, asked):
                if isinstance(result, BatchResult):
                    kept.put(stretch.first, result.letters)
                    case.progress(f"deals {stretch.first} to {stretch.last - 1} of {total}")
        whole = "".join(takewhile(bool, map(letters, stretches)))
    return answer_of_all_deals(case.claim, whole, total)


def _unless_empty(parts: Iterator[T]) -> Iterator[T] | None:
    """The parts, or None if there are none, so that no executor is needed."""
    first = next(parts, None)
    return None if first is None else chain([first], parts)


def _letter(verdict: Verdict) -> str:
    return deals.letter(verdict.outcome, any("record" in evidence.data for evidence in verdict.evidence))


def _stored_verdict(kept: Answers, deal: Deal, limits: Budget) -> Verdict | None:
    """The stored verdict on a deal; None if none suffices or its play is damaged."""
    if not kept.suffices(deal, limits):
        return None
    try:
        return kept.whole_answer(deal.key).verdict
    except DatabaseError:
        return None
