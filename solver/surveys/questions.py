"""A deal, the question asked of it, and its answer: what travels to whoever does the work, and back."""

from __future__ import annotations

import hashlib
import json
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any, NamedTuple

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.lemmas import stored
from rulespec.core.verdicts import Verdict
from rulespec.language import load, locate
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from solver.claims.worker import Request, reply_to
from solver.claims.worker import deal as dealt
from solver.evidence.problem import undecided
from solver.methods.verdicts import blank


class OtherRules(ValueError):
    """The ruleset of that name has other rules here."""


class Deal(NamedTuple):
    """A deal: the outcomes of chance that a seed gives in the setup, or given outcomes without a seed."""

    seed: str | None
    chance: tuple[str, ...] | None = None

    @classmethod
    def of_play(cls, game: Game, chance: Sequence[str]) -> Deal:
        """The deal of a play, which may have more outcomes of chance. ChanceError if it cannot be."""
        return cls(None, Machine(game).start(Chance(None, tuple(chance))).outcomes)

    @property
    def key(self) -> str:
        """The key of the deal in the database: its seed, or a digest of its outcomes."""
        if self.seed is not None:
            return self.seed
        text = json.dumps(self.chance, ensure_ascii=False)
        return "deal " + hashlib.sha256(text.encode()).hexdigest()[:16]


@dataclass(frozen=True)
class Question:
    """The question about each deal, as plain data: a worker loads the ruleset by its name or path.

    `timeout` (seconds) and `memory` (megabytes) bound each answer. `digest` is that of the rules.
    """

    ruleset: str
    claim: str
    digest: str
    timeout: float
    memory: int
    engine: str | None = None
    players: int | None = None
    parameters: Mapping[str, Any] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)

    def game(self) -> Game:
        """The game it is about. OtherRules if what is found by its name here plays otherwise."""
        result = load(self.ruleset, self.players, self.parameters, self.readings)
        if result.digest != self.digest:
            raise OtherRules(f"`{self.ruleset}` has other rules here than where the survey was begun")
        return result


@dataclass(frozen=True)
class DealAnswer:
    """A deal with the verdict on it, the outcomes of chance that it is, and the plays the evidence refers to,
    by digest."""

    deal: Deal
    chance: tuple[str, ...]
    verdict: Verdict
    records: Mapping[str, Any]


_alone = threading.Lock()
"""The solver answers one question at a time in a process, whatever threads a cluster gives it."""


def answer(question: Question, deal: Deal) -> DealAnswer:
    """Decide one deal. Raises OtherRules, ChanceError for a deal that cannot be, and what `solve` raises."""
    with _alone:
        game = game_of(question)
        chance = deal.chance if deal.chance is not None else dealt(game, str(deal.seed))
        budget = Budget(question.timeout, question.memory)
        settled = _stored(question.ruleset, game)
        request = Request(question.claim, budget, settled=settled, chance=chance, engine=question.engine)
        result = reply_to(game, request)
        return DealAnswer(deal, chance, result.verdict, dict(result.records))


MOST_DEATHS = 3
"""A deal is given up as undecided after its process died so often."""


def lost(question: Question, deal: Deal) -> DealAnswer:
    """The undecided answer to a deal whose process died too often."""
    words = "the process that was asked ended before it was done"
    return unanswered(question, deal, f"Nothing was decided: {words}, {MOST_DEATHS} times.")


def unanswered(question: Question, deal: Deal, why: str) -> DealAnswer:
    """The undecided answer to a deal, with the reason."""
    game = game_of(question)
    chance = deal.chance if deal.chance is not None else dealt(game, str(deal.seed))
    verdict = blank(game, game.claims[question.claim], undecided(why), 0.0)
    return DealAnswer(deal, chance, verdict, {})


def game_of(question: Question) -> Game:
    """The game that a question is about, read once. Raises OtherRules."""
    plain = {**vars(question), "timeout": 0.0, "memory": 0, "engine": None}
    return _game(json.dumps(plain, sort_keys=True, default=dict))


@lru_cache(maxsize=4)
def _stored(ruleset: str, game: Game) -> Mapping[str, Verdict]:
    """The stored verdicts on the game's claims, read once."""
    return stored(locate(ruleset), game)


@lru_cache(maxsize=4)
def _game(asked: str) -> Game:
    return Question(**json.loads(asked)).game()
