"""Batches of all possible deals as a task: see `methods.all_deals`.

Another machine returns plays and verdicts on single deals. Here the plays are tried from every deal of the
batch, and the judge checks the verdicts; the letters it sends are ignored.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any, ClassVar, NamedTuple

from rulespec.budgets import UNBOUNDED, Budget, OutOfBudget
from rulespec.core.verdicts.lemmas import Lemma
from rulespec.executors import RejectedResult, Rules, Task
from rulespec.solver.evidence.deal_counts import OPEN
from rulespec.solver.evidence.problem import Case
from rulespec.solver.methods import deals
from rulespec.solver.methods.all_deals import DealDecider
from rulespec.solver.methods.scheduler import decide

from .spreading import QuestionPart, QuestionTask
from .worker import Reply, reply_with_plays

MOST = 2**63
"""Numbers in generated code are below this."""


class Stretch(NamedTuple):
    """The deals with numbers from `first` to before `last`."""

    first: int
    last: int


class BatchResult(NamedTuple):
    """Letters of the deals of a stretch, and the plays (as rows of actions) and replies that support them."""

    letters: str
    plays: Sequence[Sequence[int]]
    alone: Mapping[int, Reply]
    """The replies, by place in the stretch."""


@dataclass
class DealBatchTask(Task[Stretch, BatchResult]):
    """A claim about all deals, batch by batch, all within the budget `whole`."""

    kind: ClassVar[str] = "all deals"
    part_type: ClassVar[Any] = Stretch
    result_type: ClassVar[Any] = BatchResult
    judged_apart: ClassVar[bool] = True
    rules: Rules
    claim: str
    memory: int
    lemmas: Sequence[Lemma] = ()
    engine: str | None = None
    seconds: float = field(default=inf, compare=False)
    whole: Budget = field(default=UNBOUNDED, compare=False)

    @cached_property
    def asking(self) -> DealDecider:
        """A decider of the deals. Raises NotBlind or TooLarge if deals have no numbers."""
        game = self.rules.game()
        claim = game.claims[self.claim]
        lemmas = {lemma.verdict.claim: lemma for lemma in self.lemmas}
        case = Case(game, claim, self.whole, lemmas=lemmas, engine=self.engine)
        return DealDecider(case, deals.claim_of_deal(game, claim), decide, deals.letter_of)

    def prepare(self) -> None:
        """Write the code of the game."""
        _ = self.asking

    def perform(self, part: Stretch) -> BatchResult:
        """Decide a stretch of deals. Raises OutOfBudget."""
        budget = self.budget()
        batch = self.asking.within(budget).batch(*part)
        if batch is None:
            raise OutOfBudget(budget.exceeded_limit or budget.time_limit)
        alone = {at: reply_with_plays(*answered) for at, answered in batch.alone.items()}
        return BatchResult(batch.letters, batch.plays, alone)

    def judge(self, part: Stretch, result: BatchResult) -> BatchResult:
        """The letters that plays and replies prove. Raises OutOfBudget if checking takes too long."""
        asked, letters, budget = self.asking.case.claim.id, dict[int, str](), self.budget()
        single = QuestionTask(self.memory, whole=budget)
        for at, reply in result.alone.items():
            if not 0 <= at < part.last - part.first:
                raise RejectedResult("it has the answer to a deal that was not asked")
            chance = self.asking.starts.chance(part.first + at)
            one = QuestionPart(str(at), self.rules, asked, self.lemmas, chance=chance, engine=self.engine)
            verdict = single.judge(one, reply).verdict
            played = any("record" in evidence.data for evidence in verdict.evidence)
            letters[at] = deals.letter(verdict.outcome, played)
            if letters[at] == OPEN:
                budget.check()  # a deal without time of its own is asked again, not left open for good
        if any(not -MOST <= number < MOST for play in result.plays for number in play):
            raise RejectedResult("it has plays of numbers that are too large")
        return BatchResult(self.asking.letters_shown(*part, result.plays, letters), (), {})
