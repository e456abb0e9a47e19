"""Questions about deals or settings as a task, whose parts are decided by other processes or machines.

A part is a question with its rules. The judge checks a verdict from another machine here, as in `recheck`:
its evidence must prove it, or nothing is decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, ClassVar, NamedTuple

from rulespec.budgets import UNBOUNDED, Budget, ChildDied, OutOfBudget
from rulespec.core.game import Game
from rulespec.core.verdicts import UNDECIDED, Store, Verdict
from rulespec.core.verdicts.lemmas import Lemma
from rulespec.executors import RejectedResult, Rules, Task
from rulespec.play.plays import Play
from rulespec.solver.evidence.problem import no_answer
from rulespec.solver.methods.verdicts import blank

from .recheck import check_one, judge_of
from .worker import Reply, Request, reply_to


class QuestionPart(NamedTuple):
    """A question with its own rules, see `Request`; its `name` identifies it to the caller."""

    name: str
    rules: Rules
    claim: str
    lemmas: Sequence[Lemma] = ()
    hints: Sequence[Play] = ()
    proposals: Sequence[Verdict] = ()
    chance: Sequence[str] | None = None
    engine: str | None = None
    doubt: bool = False


@dataclass
class QuestionTask(Task[QuestionPart, Reply]):
    """Questions decided one by one, each within `seconds` and all within the budget `whole`."""

    kind: ClassVar[str] = "questions"
    part_type: ClassVar[Any] = QuestionPart
    result_type: ClassVar[Any] = Reply
    judged_apart: ClassVar[bool] = True
    memory: int
    seconds: float = field(default=inf, compare=False)
    whole: Budget = field(default=UNBOUNDED, compare=False)

    def perform(self, part: QuestionPart) -> Reply:
        """Decide the question."""
        lemmas = {lemma.verdict.claim: lemma for lemma in part.lemmas}
        request = Request(
            part.claim, self.budget(), part.rules.readings, lemmas, part.hints, part.proposals,
            chance=part.chance, engine=part.engine, doubt=part.doubt,
        )  # fmt: skip
        return reply_to(part.rules.game(), request)

    def judge(self, part: QuestionPart, result: Reply) -> Reply:
        """The reply if its evidence proves it; undecided if the budget is too small to check that.

        Raises RejectedResult.
        """
        game, verdict = part.rules.game(), result.verdict
        if verdict.claim != part.claim:
            raise RejectedResult(f"it is about the claim `{verdict.claim}`")
        if verdict.outcome == UNDECIDED:
            return _undecided_reply(game, part, next(iter(verdict.remarks), ""), verdict.seconds)
        store = Store([*(lemma.verdict for lemma in part.lemmas), verdict])
        if [store.keep(record) for record in result.records.values()] != [*result.records]:
            raise RejectedResult("it has other plays than it names")
        chance = None if part.chance is None else tuple(part.chance)
        judge = judge_of(store, self.budget(), engine=part.engine, chance=chance)
        check = check_one(judge, lambda **settings: game, verdict)
        if check.passed is False:
            raise RejectedResult(check.text)
        if check.passed is None:
            words = f"Nothing was decided: that it is {verdict.outcome} was not seen here ({check.text})."
            return _undecided_reply(game, part, words, verdict.seconds)
        return result


def reply_of(part: QuestionPart, result: Reply | OutOfBudget | ChildDied) -> Reply:
    """The reply in a result; undecided if there is none."""
    if isinstance(result, Reply):
        return result
    if isinstance(result, OutOfBudget):
        words = f"Nothing was decided within {result}."
    else:
        words = f"Nothing was decided: {result}."
    return _undecided_reply(part.rules.game(), part, words, 0.0)


def _undecided_reply(game: Game, part: QuestionPart, words: str, seconds: float) -> Reply:
    claim = game.claims[part.claim]
    return Reply(blank(game, claim, no_answer(*([words] if words else [])), seconds), {})
