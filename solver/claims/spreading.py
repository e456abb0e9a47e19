"""Questions about deals or settings as a task, whose parts are decided by other processes or machines.

A part is a question with the rules that it is about. A verdict from another machine is put to the judge here,
as `recheck` would: its evidence must show it, or nothing is decided.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar, NamedTuple, Self

from rulespec.budgets import UNBOUNDED, Budget, Died, OutOfBudget
from rulespec.core.evidence_data import word
from rulespec.core.game import Game
from rulespec.core.verdicts import UNDECIDED, Store, StoreError, verdict_from
from rulespec.executors import Rejected, Rules, Task
from rulespec.play.plays import BadPlay, Play
from solver.evidence.problem import undecided
from solver.methods.verdicts import blank

from .recheck import check_one, judge_of
from .worker import Reply, Request, reply_to


class Part(NamedTuple):
    """A question under rules of its own; its `name` says which it is to whoever asked."""

    name: str
    rules: Rules
    request: Request


@dataclass
class Deciding(Task[Part, Reply]):
    """Questions that are decided one by one, each within `seconds` and all within the `whole`."""

    kind: ClassVar[str] = "questions"
    judged_apart: ClassVar[bool] = True
    seconds: float
    memory: int
    whole: Budget = field(default=UNBOUNDED, compare=False)

    def budget(self) -> Budget:
        """See `Task`."""
        seconds = min(self.seconds, self.whole.left)
        return Budget(seconds, self.memory) if self.whole is UNBOUNDED else self.whole.part(1.0, seconds)

    def perform(self, part: Part) -> Reply:
        """Decide a question."""
        return reply_to(part.rules.game(), replace(part.request, budget=self.budget()))

    def judged(self, part: Part, result: Reply) -> Reply:
        """The reply if its evidence shows it; undecided where the budget does not suffice to see that."""
        game, request, verdict = part.rules.game(), part.request, result.verdict
        if verdict.claim != request.claim:
            raise Rejected(f"it is about the claim `{verdict.claim}`")
        if verdict.outcome == UNDECIDED:
            return _undecided(game, part, next(iter(verdict.remarks), ""), verdict.seconds)
        store = Store([*request.settled.values(), verdict], result.records)
        chance = None if request.chance is None else tuple(request.chance)
        judge = judge_of(store, self.budget(), engine=request.engine, chance=chance)
        check = check_one(judge, lambda **settings: game, verdict)
        if check.passed is False:
            raise Rejected(check.text)
        if check.passed is None:
            words = f"Nothing was decided: that it is {verdict.outcome} was not seen here ({check.text})."
            return _undecided(game, part, words, verdict.seconds)
        return result

    # ---- plain data

    def to_data(self) -> dict[str, Any]:
        """See `Task`."""
        return {"memory": self.memory}

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> Self:
        """See `Task`."""
        return cls(0.0, **data)

    def part_to_data(self, part: Part) -> Any:
        """See `Task`."""
        request = part.request
        return {
            "name": part.name,
            "rules": part.rules.to_data(),
            "claim": request.claim,
            "settled": [verdict.to_data() for verdict in request.settled.values()],
            "hints": [play.to_data() for play in request.hints],
            "proposals": [verdict.to_data() for verdict in request.proposals],
            "chance": None if request.chance is None else [*request.chance],
            "engine": request.engine,
            "doubt": request.doubt,
        }

    def part_from(self, data: Any) -> Part:
        """See `Task`."""
        request = Request(
            data["claim"],
            UNBOUNDED,
            settled={verdict.claim: verdict for verdict in map(verdict_from, data["settled"])},
            hints=[Play.from_data(play) for play in data["hints"]],
            proposals=[verdict_from(verdict) for verdict in data["proposals"]],
            chance=data["chance"],
            engine=data["engine"],
            doubt=data["doubt"],
        )
        return Part(data["name"], Rules(**data["rules"]), request)

    def result_to_data(self, result: Reply) -> Any:
        """See `Task`."""
        return reply_to_data(result)

    def result_from(self, part: Part, data: Any) -> Reply:
        """See `Task`."""
        return reply_from(data)


def reply_to_data(reply: Reply) -> dict[str, Any]:
    """A reply as plain data."""
    data = {"verdict": reply.verdict.to_data(), "records": dict(reply.records)}
    return {**data, "remarks": [*reply.verdict.remarks]}


def reply_from(data: Any) -> Reply:
    """The reply that data holds. Rejected if it holds none."""
    try:
        verdict, remarks = verdict_from(data["verdict"]), [*data["remarks"]]
        records = {digest: data["records"][digest] for digest in Store([verdict]).used()}
        plays = [Play.from_data(record) for record in records.values()]
        right = all(map(word, remarks)) and [Store().keep(p.to_data()) for p in plays] == [*records]
    except (StoreError, BadPlay, LookupError, TypeError, ValueError):
        right = False
    if not right:
        raise Rejected("it is no verdict with its plays")
    return Reply(replace(verdict, remarks=tuple(remarks)), records)


def reply_of(part: Part, result: Reply | OutOfBudget | Died) -> Reply:
    """The reply that a result is; undecided where there is none."""
    if isinstance(result, Reply):
        return result
    if isinstance(result, OutOfBudget):
        words = f"Nothing was decided within {result}."
    else:
        words = f"Nothing was decided: {result}."
    return _undecided(part.rules.game(), part, words, 0.0)


def _undecided(game: Game, part: Part, words: str, seconds: float) -> Reply:
    claim = game.claims[part.request.claim]
    return Reply(blank(game, claim, undecided(*([words] if words else [])), seconds), {})
