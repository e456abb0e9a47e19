"""Attempts to decide the claims of one run: their shared state, their lemmas, and the storage of results."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field, replace
from itertools import takewhile

from rulespec.budgets import Budget
from rulespec.budgets.interrupts import defer_interrupts
from rulespec.core.digest import of_claim
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import CONDITIONAL, ESTIMATED, STRENGTH, Store, Verdict, parameters_of, says_less
from rulespec.core.verdicts.lemmas import Lemma, assume, current_verdicts, helpers_of, rests_on
from rulespec.core.verdicts.properties import Form, Over, property_of
from rulespec.core.verdicts.store_file import StoreFile
from rulespec.executors import Rules
from rulespec.play.plays import Play
from rulespec.solver.evidence.covering import verdict_under_each
from rulespec.solver.evidence.problem import Case, no_answer
from rulespec.solver.methods.by_plays import by_known_play
from rulespec.solver.methods.deals import is_about_all_deals
from rulespec.solver.methods.verdicts import blank

from .asking_deals import decide_on_executor
from .gate import DECIDED, Gate, conditional
from .options import ProveOptions
from .proposals import other_readings
from .spreading import QuestionPart, QuestionTask, reply_of
from .worker import Questions, Readings, Reply, Request, reply_with_plays

UNAIDED = 0.5
"""The share of the time for a claim without unchecked lemmas, before these are assumed."""
EARLY = 0.5
"""An attempt that leaves more than this share of its time has finished: more time would not change it.

An attempt that `UNAIDED` cut short leaves no more than this, so it never counts as finished."""


def helpers_named(game: Game, claim: Claim) -> Sequence[str]:
    """The claims that a claim, or the claim that it asks of many deals, names as helping.

    An exception among deals is sought at once, without further helpers.
    """
    is_whole = claim.kind != "every_deal" or is_about_all_deals(claim)
    of_deals = property_of(claim).over is Over.DEALS and is_whole
    return (game.claims[claim.options["asks"]] if of_deals else claim).helped_by


Digests = tuple[str, str]
"""The digests of the rules and of a claim."""


@dataclass(eq=False)
class Question:
    """A claim under some readings; `changed` are those that differ from the default ones."""

    claim: str
    readings: Readings
    changed: Readings
    verdict: Verdict | None = None
    """The latest answer; None if the question was not begun, or equals another one."""
    begun: bool = False


@dataclass
class Attempts:
    """The shared state of the attempts of one run."""

    questions: Questions
    gate: Gate
    options: ProveOptions
    answers: dict[Digests, Verdict] = field(default_factory=dict)
    """The latest answers by the digests of game and claim; a reading may change the second alone."""
    removed: set[tuple[str, str, str]] = field(default_factory=set)
    """The keys of stored verdicts that were wrong, or rested on wrong ones."""
    _scheduled: set[Digests] = field(default_factory=set)
    """The questions that were begun; they get time in turn, and none as helpers of others."""
    _open: set[Digests] = field(default_factory=set)
    """The claims being decided."""

    @property
    def store(self) -> Store:
        """The store with the verdicts so far."""
        return self.gate.store

    def is_apart(self, question: Question) -> bool:
        """True if the executor decides a question: it has other readings and is not about deals."""
        if self.options.executor is None or not question.changed:
            return False
        claim = self.questions.usual.claims[question.claim]
        return property_of(claim).over is not Over.DEALS

    def attempt(self, question: Question, seconds: float, budget: Budget) -> bool:
        """Try to decide a question within `seconds` of a budget; True if no further attempt is needed."""
        game = self.questions.game(question.readings)
        if self._begin(question, game):
            return True
        verdict, ended = self._decide(game, question.readings, question.claim, seconds, budget)
        question.verdict = verdict
        return ended

    # ---- many readings at once

    def open_ones(self, questions: Sequence[Question], budget: Budget) -> list[Question]:
        """The questions without an answer that can be reused, and of those that mean the same the first.

        Only those whose games can be loaded within the budget.
        """
        found: dict[Digests, Question] = {}
        for question in takewhile(lambda _: budget.seconds_left > 0, questions):
            game = self.questions.game(question.readings)
            digests = _digests(game, game.claims[question.claim])
            answer = self.answers.get(digests) or self._reusable(
                question.claim, self._stored_verdict(game, game.claims[question.claim])
            )
            if digests not in self._scheduled and (answer is None or not _is_decided(answer)):
                found.setdefault(digests, question)
        return [*found.values()]

    def known_elsewhere(self, game: Game, name: str) -> list[Verdict]:
        """The settled verdicts on a claim with the parameters and players of a game, under any readings.

        Those of this run, and stored ones, which were not checked: they only guide a search.
        """
        stored = self.store.of_claim(game.id, name)
        found = [v for v in (*stored, *self.answers.values()) if v.claim == name and STRENGTH[v.outcome] == 2]
        return [v for v in found if v.players == game.players and v.parameters == parameters_of(game)]

    def stored_play(self, question: Question) -> Play | None:
        """The play with which a stored verdict answers a question."""
        game = self.questions.game(question.readings)
        known = self.store.current(game, game.claims[question.claim])
        return next(iter(self._plays([known])), None) if known is not None else None

    def ask_of_all_readings(self, question: Question, left_open: Sequence[str], budget: Budget) -> Reply:
        """The reply to a question about the game that leaves rulings open."""
        game = self.questions.game(question.readings, left_open)
        request = Request(
            question.claim, budget, question.readings, engine=self.options.engine, left_open=(*left_open,)
        )
        return self.questions.ask(game, request)

    def take_covered(
        self, question: Question, left_open: Sequence[str], verdict: Verdict, budget: Budget
    ) -> bool:
        """Answer a question by a verdict on the game that leaves rulings open; False if that is no answer."""
        game = self.questions.game(question.readings)
        claim = game.claims[question.claim]
        given, doubt = verdict_under_each(claim, left_open, verdict), self.options.doubt
        if given is None:
            return False
        request = Request(question.claim, budget, question.readings, given=given, doubt=doubt)
        reply = self.questions.ask(game, request)
        whole = replace(reply.verdict, seconds=verdict.seconds)  # of the question that decides all
        return self._take_reply(question, game, replace(reply, verdict=whole))

    def decide_by_play(self, question: Question, play: Play, budget: Budget) -> bool:
        """Answer a question by a play; False if the play decides nothing under its readings."""
        game = self.questions.game(question.readings)
        case = Case(game, game.claims[question.claim], budget, hints=[play])
        answer = by_known_play(case)
        return answer is not None and self._take_reply(question, game, reply_with_plays(case, answer))

    def _take_reply(self, question: Question, game: Game, reply: Reply) -> bool:
        """Answer a question by a reply; False if that leaves it open."""
        if STRENGTH[reply.verdict.outcome] < 2:
            return False
        digests = _digests(game, game.claims[question.claim])
        self._scheduled.add(digests)
        self._take_in(reply)
        question.begun, question.verdict = True, self._stronger(digests, reply.verdict)
        self.answers[digests] = question.verdict
        return True

    def attempt_apart(
        self, questions: Sequence[Question], seconds: float, budget: Budget
    ) -> Iterator[tuple[Question, bool]]:
        """Let the executor try questions; see `attempt`."""
        executor, options = self.options.executor, self.options
        assert executor is not None
        given: dict[str, tuple[Question, Digests]] = {}
        answered: deque[Question] = deque()

        def parts() -> Iterator[QuestionPart]:
            for number, question in enumerate(takewhile(lambda _: budget.seconds_left > 0, questions)):
                game = self.questions.game(question.readings)
                if self._begin(question, game):
                    answered.append(question)
                    continue
                claim = game.claims[question.claim]
                self._settle_helpers(game, question.readings, claim, seconds, budget)
                r = self._request(game, question.readings, claim, budget.part(1.0, seconds))
                given[str(number)] = question, _digests(game, claim)
                yield QuestionPart(
                    str(number),
                    Rules.of(game, options.ruleset),
                    claim.id,
                    [*r.lemmas.values()],
                    r.hints,
                    r.proposals,
                    engine=r.engine,
                    doubt=r.doubt,
                )

        for part, result in executor.results(QuestionTask(options.memory, seconds, budget), parts()):
            question, digests = given.pop(part.name)
            reply = reply_of(part, result)
            self._take_in(reply)
            self.answers[digests] = question.verdict = self._stronger(digests, reply.verdict)
            ended = reply.verdict.seconds < (1 - EARLY) * seconds and budget.seconds_left > 0
            yield question, ended or _is_decided(question.verdict)
            while answered:
                yield answered.popleft(), True
        while answered:
            yield answered.popleft(), True

    def answer(self, question: Question, budget: Budget) -> Verdict:
        """The answer to a question that was begun, decided again if its stored verdict was removed."""
        game = self.questions.game(question.readings)
        digests = _digests(game, game.claims[question.claim])
        if digests not in self.answers:
            self._decide(game, question.readings, question.claim, budget.seconds_left, budget)
        return self.answers[digests]

    def _begin(self, question: Question, game: Game) -> bool:
        """Begin a question; True if a stored verdict settles it, or an equal question is scheduled."""
        claim = game.claims[question.claim]
        digests = _digests(game, claim)
        if question.begun:
            return False
        question.begun = True
        if digests in self._scheduled:
            return True
        self._scheduled.add(digests)
        answer = self.answers.get(digests) or self._reusable(claim.id, self._stored_verdict(game, claim))
        if answer is None or not (_is_decided(answer) or not self.options.retry):
            return False
        self.answers[digests] = question.verdict = answer
        return True

    def _decide(
        self, game: Game, readings: Readings, name: str, seconds: float, budget: Budget
    ) -> tuple[Verdict, bool]:
        """Decide a claim and store the verdict; also returns True if more time would not change it."""
        claim = game.claims[name]
        digests = _digests(game, claim)
        self._open.add(digests)
        self._settle_helpers(game, readings, claim, seconds, budget)
        self._open.discard(digests)
        own = budget.part(1.0, seconds)
        new = self._new_verdict(game, readings, claim, own)
        ended = own.seconds_left > EARLY * seconds
        self.answers[digests] = self._stronger(digests, new, self._stored_verdict(game, claim))
        return self.answers[digests], ended or _is_decided(new)

    def check(self, verdicts: Sequence[Verdict], budget: Budget) -> None:
        """Check stored verdicts; those that fail, and those that rest on them, are removed from the store."""
        self.gate.check(verdicts, budget)
        failed = {v.key for v in self.store if self.gate.has_failed(v)}
        if not failed:
            return
        while more := {v.key for v in self.store if failed & _keys_under(v)} - failed:
            failed |= more
        self.removed |= failed
        self.answers = {digests: v for digests, v in self.answers.items() if v.key not in failed}
        source = self.gate.source
        with source.lock() if isinstance(source, StoreFile) else nullcontext(source) as store:
            store.drop([v for v in store if v.key in failed])
            if isinstance(source, StoreFile):
                source.write()

    def _reusable(self, name: str, known: Verdict | None) -> Verdict | None:
        """The stored verdict on a claim, if it can be reused."""
        claims = self.options.claims
        helps = claims is not None and name not in claims
        reuse = known is not None and (self.options.reuse or helps)
        settled = known is not None and (not self.options.retry or STRENGTH.get(known.outcome) == 2)
        return known if reuse and settled else None

    def _stored_verdict(self, game: Game, claim: Claim) -> Verdict | None:
        """The stored verdict on a claim, if it and everything it rests on belong to the current rules."""
        known = self.store.current(game, claim)
        if known is None:
            return None
        held = current_verdicts(self.store, game) if helpers_of(known) else {}
        return None if rests_on(known, held) is None else known

    def _stronger(self, digests: Digests, verdict: Verdict, stored: Verdict | None = None) -> Verdict:
        """Store a new verdict and return it, unless an earlier or stored one says more, which is kept."""
        answer = self.answers.get(digests)
        if answer is not None and self.gate.standing(answer) == DECIDED and says_less(verdict, answer):
            return answer
        self.gate.enter(verdict)
        if stored is not None and says_less(verdict, stored):
            tried = f"Decided again, it was {verdict.outcome}; the earlier answer stands."
            return replace(stored, remarks=(tried, *verdict.remarks))
        kept = self._keep(verdict)
        return verdict if kept == verdict else kept

    def _settle_helpers(
        self, game: Game, readings: Readings, claim: Claim, seconds: float, budget: Budget
    ) -> None:
        """Decide or check a claim's helping claims, each within `seconds` of a budget."""
        for name in helpers_named(game, claim):
            if name == claim.id or name not in game.claims:
                continue
            helper = game.claims[name]
            digests = _digests(game, helper)
            if digests in self._open:  # they name each other
                continue
            if digests not in self.answers:
                known = self._reusable(name, self._stored_verdict(game, helper))
                if known is not None:
                    self.answers[digests] = known
            answer = self.answers.get(digests)
            if answer is not None and _is_decided(answer) and not self.gate.standing(answer):
                self.check([answer], budget.part(1.0, seconds))
                answer = self.answers.get(digests)
            if answer is None or not (_is_decided(answer) or digests in self._scheduled):
                self._decide(game, readings, name, seconds, budget)

    def _new_verdict(self, game: Game, readings: Readings, claim: Claim, budget: Budget) -> Verdict:
        """Decide a claim; the verdict is conditional if it rests on claims that are not established."""
        if budget.seconds_left <= 0:
            words = f"Nothing was decided within {budget.time_limit}."
            return blank(game, claim, no_answer(words), 0.0)
        request = self._request(game, readings, claim, budget)
        unchecked = self._assumable_lemmas(game, claim, request)
        if not unchecked:
            return self._verdict_on(game, claim, request)
        verdict = self._verdict_on(game, claim, replace(request, budget=budget.part(UNAIDED)))
        if STRENGTH[verdict.outcome] == 2 or budget.seconds_left <= 0:
            return verdict
        assuming = replace(request, lemmas={**request.lemmas, **unchecked})
        helped = self._verdict_on(game, claim, assuming, kept=False)
        if STRENGTH[helped.outcome] < 2:
            return verdict
        rests_on_unchecked = not unchecked.keys().isdisjoint(helpers_of(helped))
        return conditional(helped) if rests_on_unchecked else helped

    def _assumable_lemmas(self, game: Game, claim: Claim, request: Request) -> dict[str, Lemma]:
        """The claims named as helping whose stored verdicts say that they hold, as assumptions.

        Empty for a claim about deals, whose answers are cached one by one.
        """
        if property_of(claim).over is Over.DEALS:
            return {}
        held = self.gate.candidates(game, claim, self._verdicts_on(game))
        named = {name: held[name] for name in helpers_named(game, claim) if name in held}
        return assume({name: v for name, v in named.items() if name not in request.lemmas})

    def _verdict_on(self, game: Game, claim: Claim, request: Request, *, kept: bool = True) -> Verdict:
        """The answer to a question, by the executor if it is about deals.

        On an interrupt the partial answer is stored if `kept` allows.
        """
        budget = request.budget
        executor, engine, tell = self.options.executor, self.options.engine, self.questions.progress
        if executor is not None and property_of(claim).over is Over.DEALS:
            case = Case(game, claim, budget, lemmas=request.lemmas, engine=engine, progress=tell)
            answer = decide_on_executor(executor, Rules.of(game, self.options.ruleset), case)
            reply = reply_with_plays(case, answer)
        else:
            reply = self._reply(game, request, kept)
        self._take_in(reply)
        return reply.verdict

    def _verdicts_on(self, game: Game) -> dict[str, Verdict]:
        """The verdicts on the claims of a game: those of this run, and other stored ones."""
        ours = [v for (digest, _), v in self.answers.items() if digest == game.digest]
        own = {v.claim: v for v in ours if v.claim_digest == of_claim(game.claims[v.claim])}
        return {**current_verdicts(self.store, game), **own}

    def _request(self, game: Game, readings: Mapping[str, str], claim: Claim, budget: Budget) -> Request:
        """The question about a claim in a setting, with lemmas, hints and proposals."""
        known = self._verdicts_on(game)
        others = other_readings(self.store, blank(game, claim, no_answer(), 0.0))
        hints = self._plays(others)
        if property_of(claim).over is Over.SEATS:
            hints += self._plays(known.values())
        before = self.store.current(game, claim)
        if property_of(claim).form is Form.OPTIMUM and before is not None:
            hints += self._plays([before])
        lemmas = self.gate.lemmas(game, claim, budget, known)
        engine, doubt = self.options.engine, self.options.doubt
        return Request(claim.id, budget, readings, lemmas, hints, others, engine=engine, doubt=doubt)

    def _reply(self, game: Game, request: Request, kept: bool) -> Reply:
        """The answer to a question; see `_verdict_on`."""
        try:
            return self.questions.ask(game, request)
        except KeyboardInterrupt:
            reached = self.questions.reached
            if reached is not None and kept:
                self._take_in(reached)
                self._keep(reached.verdict)
            raise

    def _take_in(self, reply: Reply) -> None:
        """Store the plays that an answer refers to."""
        for play in reply.records.values():
            self.store.keep(play)

    def _keep(self, verdict: Verdict) -> Verdict:
        """Store a verdict unless another process stored a stronger one; returns the stored one.

        Interrupts are deferred meanwhile.
        """
        with defer_interrupts():
            if isinstance(self.gate.source, StoreFile):
                return self.gate.source.put(verdict)
            self.store.put(verdict)
            return verdict

    def _plays(self, verdicts: Iterable[Verdict]) -> list[Play]:
        """The plays in the evidence of verdicts, in order."""
        records = (e.data["record"] for v in verdicts for e in v.evidence if "record" in e.data)
        return [Play.from_data(self.store.records[d]) for d in dict.fromkeys(records)]


def _is_decided(verdict: Verdict) -> bool:
    """True for a settled or conditional verdict, and for an estimate from all deals that were asked for."""
    wanted = verdict.options.get("deals")
    if verdict.outcome == ESTIMATED and isinstance(wanted, int):
        return verdict.numbers["deals"] >= wanted
    return STRENGTH[verdict.outcome] == 2 or verdict.outcome == CONDITIONAL


def _keys_under(verdict: Verdict) -> set[tuple[str, str, str]]:
    """The keys of the verdicts that a verdict rests on."""
    return {(verdict.ruleset, name, verdict.key[2]) for name in helpers_of(verdict)}


def _digests(game: Game, claim: Claim) -> Digests:
    """The digests of rules and claim; equal for settings in which both mean the same."""
    return game.digest, of_claim(claim)
