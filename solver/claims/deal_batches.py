"""Batches of all the deals there are as a task: see `methods.all_deals`.

The result of another machine is plays and verdicts on single deals. Here the plays are tried from every deal
of the batch, and the verdicts are put to the judge; letters that it sends are not looked at.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import inf
from typing import Any, ClassVar, NamedTuple, Self

from rulespec.budgets import UNBOUNDED, Budget, OutOfBudget
from rulespec.core.verdicts import Verdict, verdict_from
from rulespec.executors import Rejected, Rules, Task
from solver.evidence.deal_counts import NO, OPEN, YES
from solver.evidence.problem import Case
from solver.methods import deals
from solver.methods.all_deals import Asking
from solver.methods.scheduler import decide

from .spreading import Deciding, Part, reply_from, reply_to_data
from .worker import Reply, Request, written


class Stretch(NamedTuple):
    """The deals of the numbers from `first` on, before `last`."""

    first: int
    last: int


class Decided(NamedTuple):
    """Letters of the deals of a stretch, and the plays (as rows of actions) and replies that they rest on."""

    letters: str
    plays: Sequence[Sequence[int]]
    alone: Mapping[int, Reply]
    """By place in the stretch."""


@dataclass
class DealBatches(Task[Stretch, Decided]):
    """A claim about all deals, batch by batch, all within the `whole`."""

    kind: ClassVar[str] = "all deals"
    judged_apart: ClassVar[bool] = True
    rules: Rules
    claim: str
    memory: int
    settled: Sequence[Verdict] = ()
    engine: str | None = None
    seconds: float = inf
    whole: Budget = field(default=UNBOUNDED, compare=False)

    def budget(self) -> Budget:
        """See `Task`."""
        seconds = min(self.seconds, self.whole.left)
        return Budget(seconds, self.memory) if self.whole is UNBOUNDED else self.whole.part(1.0, seconds)

    @cached_property
    def asking(self) -> Asking:
        """Asks the deals. NotBlind and TooLarge where there are none with numbers."""
        game = self.rules.game()
        claim = game.claims[self.claim]
        settled = {verdict.claim: verdict for verdict in self.settled}
        case = Case(game, claim, self.whole, settled=settled, engine=self.engine)
        return Asking(case, deals.asked(game, claim), decide, deals.letter_of)

    def prepare(self) -> None:
        """Write the code of the game."""
        _ = self.asking

    def perform(self, part: Stretch) -> Decided:
        """Decide a stretch. OutOfBudget where that takes too long."""
        budget = self.budget()
        batch = self.asking.within(budget).batch(*part)
        if batch is None:
            raise OutOfBudget(budget.exhausted or budget.time_limit)
        alone = {at: written(*answered) for at, answered in batch.alone.items()}
        return Decided(batch.letters, batch.plays, alone)

    def judged(self, part: Stretch, result: Decided) -> Decided:
        """The letters that the plays and the replies show."""
        asked, letters = self.asking.case.claim.id, dict[int, str]()
        single, settled = Deciding(inf, self.memory, self.budget()), self.asking.case.settled
        for at, reply in result.alone.items():
            if not 0 <= at < part.last - part.first:
                raise Rejected("it has the answer to a deal that was not asked")
            chance = self.asking.starts.chance(part.first + at)
            request = Request(asked, UNBOUNDED, settled=settled, chance=chance, engine=self.engine)
            verdict = single.judged(Part(str(at), self.rules, request), reply).verdict
            played = any("record" in evidence.data for evidence in verdict.evidence)
            letters[at] = deals.letter(verdict.outcome, played)
        return Decided(self.asking.shown(*part, result.plays, letters), (), {})

    # ---- plain data

    def to_data(self) -> dict[str, Any]:
        """See `Task`."""
        return {
            "rules": self.rules.to_data(),
            "claim": self.claim,
            "memory": self.memory,
            "settled": [verdict.to_data() for verdict in self.settled],
            "engine": self.engine,
        }

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """See `Task`."""
        settled = [verdict_from(one) for one in data["settled"]]
        return cls(**{**data, "rules": Rules(**data["rules"]), "settled": settled})

    def part_to_data(self, part: Stretch) -> Any:
        """See `Task`."""
        return [*part]

    def part_from(self, data: Any) -> Stretch:
        """See `Task`."""
        return Stretch(*data)

    def result_to_data(self, result: Decided) -> Any:
        """See `Task`."""
        alone = [[at, reply_to_data(reply)] for at, reply in result.alone.items()]
        return {"letters": result.letters, "plays": [[*play] for play in result.plays], "alone": alone}

    def result_from(self, part: Stretch, data: Any) -> Decided:
        """See `Task`."""
        try:
            letters, plays, alone = data["letters"], data["plays"], data["alone"]
            right = {*map(type, plays)} <= {list} and all(map(_row, plays))
            right = right and isinstance(letters, str) and {*letters} <= {YES, NO, OPEN}
            right = (
                right and len(letters) == part.last - part.first and {type(at) for at, _ in alone} <= {int}
            )
            right = right and len(plays) + len(alone) <= 2 * len(letters)
            replies = {at: reply_from(reply) for at, reply in alone}
        except (LookupError, TypeError, ValueError):
            right = False
        if not right:
            raise Rejected("it is no batch of these deals")
        return Decided(letters, plays, replies)


def _row(numbers: Sequence[object]) -> bool:
    """True for a play as the code has it: whole numbers of 64 bits."""
    return all(type(number) is int and -(2**63) <= number < 2**63 for number in numbers)
