"""Deciding the claims of a ruleset, under one setting or under every reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from math import inf
from pathlib import Path
from typing import Any

from rulespec.budgets import Budget
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import STRENGTH, Store, Verdict
from rulespec.core.verdicts.properties import PROPERTIES
from rulespec.core.verdicts.store_file import StoreFile
from rulespec.solver.claims.loading import Loader
from rulespec.solver.evidence.checks import Check
from rulespec.solver.evidence.problem import Progress, silent

from .all_readings import decide_at_once
from .attempts import Attempts, Question, helpers_named
from .gate import Gate
from .options import LeftOut, ProveEvent, ProveOptions, Scope, VerdictChecked, VerdictReached
from .recheck import LEFT
from .settings import settings
from .solve import NoPuzzle
from .turns import SHARE, take_turns
from .worker import Questions

EACH, OTHERS = 60.0, 60.0
"""Without `timeout` and `each`: the seconds for each claim under the default readings, and under all
others together."""
BRIEFLY, MOST_CHECKED = 10.0, 50
"""Without `timeout`: maximum seconds for the checks of reused stored verdicts, and maximum number of such
checks; verdicts under the default readings come first."""


def prove(
    loader: Loader, claims: Sequence[str] | None = None, *, progress: Progress = silent, **options: Any
) -> list[Verdict]:
    """Return the verdicts on claims in the order in which they were reached; see `decide_claims`.

    Args:
        loader: gives the game under any settings.
        claims: the claims to decide; None for all that are not about one deal at a time.
        progress: receives a few words on the work.
        options: the fields of `ProveOptions`.
    """
    events = decide_claims(loader, ProveOptions(claims=claims, **options), progress)
    return [event.verdict for event in events if isinstance(event, VerdictReached)]


def decide_claims(
    loader: Loader, options: ProveOptions, progress: Progress = silent
) -> Generator[ProveEvent]:
    """Decide claims under the default readings and, one after the other, under others.

    The default readings of all claims come first, then readings that differ in one ruling, then in more: see
    `turns`. Each verdict states its standing, and that of the verdicts it rests on. Nothing helps to decide a
    claim before it was checked: see `gate`. Once the time for the call is spent, claims still get a verdict
    under the default readings.

    Args:
        loader: gives the game under any settings.
        options: the claims, their readings, the limits and the store.
        progress: receives a few words on the work.

    Yields:
        `VerdictReached` for each verdict; at the end `VerdictChecked` for each check of a stored verdict, and
        `LeftOut` for each claim that was not begun under some settings.

    Raises:
        KeyError: a named claim does not exist.
        NoPuzzle: a named claim is about one deal at a time.
        StoreError: the store is damaged.
        The errors of the loader and the executor.
    """
    return _Run(loader, options, progress).events()


class _Run:
    """One call of `decide_claims`."""

    def __init__(self, loader: Loader, options: ProveOptions, progress: Progress) -> None:
        usual = dict(options.readings)

        def load(chosen: Mapping[str, str], left_open: Sequence[str] = ()) -> Game:
            given: dict[str, Any] = {"left_open": left_open} if left_open else {}
            return loader(
                parameters=dict(options.parameters), readings=dict(chosen), players=options.players, **given
            )

        self.options, self.call = options, options.budget
        self.game = load(usual)
        every = options.scope is Scope.ALL
        self.questions = [
            Question(claim.id, {**changed, **usual}, changed)
            for claim in in_order(self.game, options.claims)
            for changed in settings(self.game, claim, every, usual)
            if not (options.scope is Scope.USUAL and changed)
        ]
        store = options.store
        source = StoreFile(store) if isinstance(store, Path) else Store() if store is None else store
        gate = Gate(loader, source, options.memory, options.engine, progress=progress)
        self.attempts = Attempts(Questions(load, (usual, self.game), progress), gate, options)
        self.decided = 0
        self.waiting: list[Question] = []
        """Questions with reused stored verdicts, which are checked at the end."""

    def events(self) -> Generator[ProveEvent]:
        """Decide the claims; see `decide_claims`."""
        with closing(self.attempts.questions):
            fresh: list[Question] = []
            for question in self.questions:
                claim = self.game.claims[question.claim]
                stored = self.attempts.store.of_setting(self.game, claim, question.readings)
                if stored is not None and stored.subject in self.options.known:
                    question.verdict = stored
                    yield from self._take(question)
                else:
                    fresh.append(question)
            open_ = {*fresh}
            for question in self._turns(fresh):
                if question.verdict is not None:
                    yield from self._take(question)
                    open_.discard(question)
            left_out: Counter[str] = Counter()
            for question in fresh:
                if question in open_ and question.verdict is None and not question.changed:
                    self.attempts.attempt(question, 0.0, self.call)  # which says what ran out
                if question in open_ and question.verdict is not None:
                    yield from self._take(question)
                elif not question.begun:
                    left_out[question.claim] += 1
            stored_ones = [question.verdict for question in self.waiting if question.verdict is not None]
            yield from self._checked_ones(stored_ones)
        yield from self._checks(stored_ones)
        for name, number in left_out.items():
            yield LeftOut(name, number)

    def _turns(self, questions: Sequence[Question]) -> Iterator[Question]:
        """Try questions in turns, default readings first, then others at once, then one by one.

        Yields each that needs no more time.
        """
        usual, *tiers = _tiers(questions)
        call, each = self.call, self.options.each
        limit = inf if each is None else each
        left = {*usual}
        if self.options.timeout is None and each is None:
            yield from take_turns([usual], call, EACH, self._attempt)
            left.clear()
            others = len({question.claim for tier in tiers for question in tier})
            call = call.part(1.0, OTHERS * others)
        elif tiers:
            for question in take_turns([usual], call.part(SHARE), limit, self._attempt):
                left.discard(question)
                yield question
        decided = set[Question]()
        if self.options.executor is None:
            changed = [question for tier in tiers for question in tier]
            for question in decide_at_once(self.attempts, self.game, changed, limit, call.part(SHARE)):
                decided.add(question)
                yield question
        rest = [[question for question in tier if question not in decided] for tier in tiers]
        yield from take_turns([[q for q in usual if q in left], *rest], call, limit, self._attempt)

    def _attempt(
        self, batch: Sequence[Question], seconds: float, until: Budget
    ) -> Iterator[tuple[Question, bool]]:
        """Try questions in order, those for the executor last."""
        apart = [question for question in batch if self.attempts.is_apart(question)]
        for question in batch:
            if until.seconds_left <= (seconds / 2 if question.begun else 0.0):  # it had as much before
                return
            if question not in apart:
                yield question, self.attempts.attempt(question, seconds, until)
        if apart:
            yield from self.attempts.attempt_apart(apart, seconds, until)

    def _take(self, question: Question) -> Iterator[VerdictReached]:
        """Yield a verdict that has standing or says nothing; others wait for a check at the end."""
        verdict = question.verdict
        assert verdict is not None
        if self.attempts.gate.standing(verdict) or not STRENGTH[verdict.outcome]:
            yield self._event_of(verdict)
        else:
            self.waiting.append(question)

    def _event_of(self, verdict: Verdict) -> VerdictReached:
        self.decided += 1
        return VerdictReached(self.attempts.gate.result(verdict), self.decided, len(self.questions))

    def _checked_ones(self, verdicts: Sequence[Verdict]) -> Iterator[VerdictReached]:
        """Check stored verdicts for some time; wrong ones are decided again."""
        first = sorted(verdicts, key=lambda verdict: bool(verdict.readings))
        if self.options.timeout is None:
            self.attempts.check(first[:MOST_CHECKED], self.call.part(1.0, BRIEFLY))
        else:
            self.attempts.check(first, self.call)
        for question in self.waiting:
            assert question.verdict is not None
            removed = question.verdict.key in self.attempts.removed
            again = self.attempts.answer(question, self.call.part(1.0, EACH)) if removed else None
            yield self._event_of(again or question.verdict)

    def _checks(self, stored_ones: Sequence[Verdict]) -> Iterator[VerdictChecked]:
        """The checks made by this run, those of reused stored verdicts first."""
        checks = self.attempts.gate.checks
        found = {v.subject: checks.get(v.subject) or Check(v, None, LEFT) for v in stored_ones}
        every = [*(found | checks).values()]
        for number, check in enumerate(every, 1):
            yield VerdictChecked(check, number, len(every))


def _tiers(questions: Sequence[Question]) -> list[list[Question]]:
    """Questions grouped by the number of readings that differ from the default."""
    most = max((len(question.changed) for question in questions), default=0)
    return [[one for one in questions if len(one.changed) == number] for number in range(most + 1)]


def in_order(game: Game, names: Sequence[str] | None) -> list[Claim]:
    """Claims in an order in which helping claims come before those they help; by default all that are not
    about one deal at a time.

    Raises KeyError for an unknown claim, NoPuzzle for one about one deal at a time.
    """
    wanted = [claim for claim in game.claims.values() if not claim.is_of_one_deal] if names is None else []
    for name in names or ():
        if name not in game.claims:
            raise KeyError(f"`{game.id}` has no claim `{name}`")
        if game.claims[name].is_of_one_deal:
            raise NoPuzzle(f"`{name}` is about one deal at a time: ask it with `solve` or `survey`")
        wanted.append(game.claims[name])
    rank = {kind: i for i, (kind, stated) in enumerate(PROPERTIES.items()) if stated.is_decided_first}
    listed: list[Claim] = []
    entered: list[Claim] = []

    def add(claim: Claim) -> None:
        if claim in entered:
            return
        entered.append(claim)
        for name in helpers_named(game, claim):
            if name in game.claims and game.claims[name] in wanted:
                add(game.claims[name])
        listed.append(claim)

    for claim in sorted(wanted, key=lambda c: rank.get(c.kind, len(PROPERTIES))):
        add(claim)
    return listed
