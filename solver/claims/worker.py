"""Deciding claims in a worker, a child process that is killed if a question overruns its budget.

All work that a ruleset can make long or large happens there, within the budget of the question: loading a
setting, deciding, and replaying witnesses. Partial answers are sent as they come, so that they survive the
end of the worker.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from rulespec.budgets import Budget, ChildDied, Listener, OutOfBudget, Worker, ignore
from rulespec.core.game import OPEN, Claim, Game
from rulespec.core.verdicts import Store, Verdict
from rulespec.core.verdicts.lemmas import Lemma
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.plays import Play
from rulespec.solver.evidence.problem import Answer, Case, Progress, no_answer
from rulespec.solver.methods.scheduler import decide
from rulespec.solver.methods.verdicts import blank, verdict_of

from .proposals import by_proposals
from .vacuity import note_vacuity

Readings = Mapping[str, str]


@dataclass(frozen=True)
class Request:
    """A claim under some readings, with helpers.

    `lemmas` are other claims that hold, by name, `hints` plays to try first, `proposals` verdicts on this
    claim under other readings whose evidence is tried then. With `seed`, or with `chance` as outcomes in
    notation, it is asked of that deal. See `Case` for `engine` and `shortest`. With `doubt`, a claim that
    holds is tested for vacuity.
    """

    claim: str
    budget: Budget
    readings: Readings = field(default_factory=dict)
    lemmas: Mapping[str, Lemma] = field(default_factory=dict)
    hints: Sequence[Play] = ()
    proposals: Sequence[Verdict] = ()
    seed: int | str | None = None
    chance: Sequence[str] | None = None
    engine: str | None = None
    shortest: bool = False
    doubt: bool = False
    left_open: tuple[str, ...] = ()
    """The rulings that are left open."""
    given: Answer | None = None
    """The answer, if it is known and only to be recorded."""


@dataclass(frozen=True)
class Reply:
    """A verdict, and the plays that its evidence refers to, by digest."""

    verdict: Verdict
    records: Mapping[str, Any]

    @property
    def play(self) -> Play | None:
        """The first play that the evidence refers to."""
        named = (str(e.data["record"]) for e in self.verdict.evidence if "record" in e.data)
        first = next(named, None)
        return None if first is None else Play.from_data(self.records[first])

    def with_remark(self, remark: str) -> Reply:
        """The reply whose verdict has one remark, about what ended the work."""
        return replace(self, verdict=replace(self.verdict, remarks=(remark,)))


def overrun(
    game: Game, claim: Claim, budget: Budget, out: OutOfBudget | ChildDied, reached: Reply | None
) -> Reply:
    """The reply to a question whose worker was killed or died: the partial answer, or undecided."""
    if isinstance(out, ChildDied):
        words = f"Nothing was decided: {out}."
    else:
        words = f"Nothing was decided within {out}."
    if reached is None:
        return Reply(blank(game, claim, no_answer(words), budget.seconds_spent), {})
    return reached.with_remark(f"Nothing more was decided{words.removeprefix('Nothing was decided')}")


def reply_with_plays(case: Case, answer: Answer) -> Reply:
    """An answer as a verdict, with the plays that it refers to."""
    store = Store()
    verdict = verdict_of(case, answer, store)
    return Reply(verdict, dict(store.records))


def deal(game: Game, seed: int | str) -> tuple[str, ...]:
    """The outcomes of chance in the setup that a seed gives."""
    return Machine(game).start(Chance(str(seed))).outcomes


def reply_to(game: Game, request: Request, send: Listener = ignore) -> Reply:
    """Decide a claim in this process, which keeps to the budget only in loops that test it.

    `send` receives partial answers as replies, and progress as texts. Raises ChanceError for an impossible
    deal.
    """
    claim, chance = game.claims[request.claim], None
    if request.seed is not None:
        chance = deal(game, request.seed)
    elif request.chance is not None:
        chance = Machine(game).start(Chance(None, tuple(request.chance))).outcomes

    def on_partial(asked: Case, answer: Answer) -> None:
        """Send answers to the question itself, not to its parts, such as its premise."""
        if asked.claim is claim and asked.game is game and asked.chance == chance:
            send(reply_with_plays(asked, answer))

    case = Case(
        game,
        claim,
        request.budget,
        chance,
        lemmas=request.lemmas,
        hints=request.hints,
        engine=request.engine,
        progress=send,
        shortest=request.shortest,
        on_partial=on_partial,
    )
    answer = request.given or by_proposals(case, request.proposals) or decide(case)
    return reply_with_plays(case, note_vacuity(case, answer) if request.doubt else answer)


class Questions:
    """Decides the claims of one ruleset in a worker, each within its budget.

    `load` gives the game under some readings, with some rulings left open; `usual` is a game that is already
    loaded, with its readings.
    """

    def __init__(
        self,
        load: Callable[[Readings, Sequence[str]], Game],
        usual: tuple[Readings, Game],
        progress: Progress,
    ) -> None:
        self._load, self.progress = load, progress
        self._games = [usual]
        self._worker: Worker[Request, Reply] = Worker(self._serve)
        self.reached: Reply | None = None
        """The partial answer to the last question."""

    @property
    def usual(self) -> Game:
        """The first loaded game."""
        return self._games[0][1]

    def ask(self, game: Game, request: Request) -> Reply:
        """The answer to a question about a game; partial or undecided if the budget did not suffice."""
        self.reached = None
        try:
            return self._worker.ask(request, request.budget, self._receive)
        except (OutOfBudget, ChildDied) as out:
            return overrun(game, game.claims[request.claim], request.budget, out, self.reached)

    def _receive(self, message: str | Reply) -> None:
        """Keep an intermediate reply, or show a message."""
        if isinstance(message, Reply):
            self.reached = message
        else:
            self.progress(message)

    def close(self) -> None:
        """End the worker."""
        self._worker.end()

    def _serve(self, request: Request, send: Listener) -> Reply:
        return reply_to(self.game(request.readings, request.left_open), request, send)

    def game(self, readings: Readings, left_open: Sequence[str] = ()) -> Game:
        """The game under some readings, with rulings left open; the default one and the last one are
        cached."""
        wanted = dict(readings) | dict.fromkeys(left_open, OPEN)
        for there, game in self._games:
            if there == wanted:
                return game
        game = self._load(readings, left_open)
        self._games[1:] = [(wanted, game)]
        return game
