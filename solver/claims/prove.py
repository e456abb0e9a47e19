"""Deciding the claims of a ruleset, under one setting or under every reading."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import closing
from math import inf
from pathlib import Path

from rulespec.budgets import Budget
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import STRENGTH, Store, Verdict
from rulespec.core.verdicts.store_file import StoreFile
from rulespec.executors import Executor
from rulespec.solver.claims.loading import Loader
from rulespec.solver.evidence.checks import Check
from rulespec.solver.evidence.problem import Progress, silent

from .attempts import Attempts, Question, Spreading, helpers_named
from .gate import Gate
from .recheck import LEFT
from .settings import settings
from .turns import Ask, take_turns
from .worker import Questions

ORDER = ("invariant", "never_faults", "never_stuck", "terminates", "symmetry")
"""Kinds that help others come first, in this order."""

Decided = Callable[[Verdict, int, int], None]
"""Receives each verdict with its number, from 1, and the number of questions."""

EACH, OTHERS = 60.0, 60.0
"""If neither `timeout` nor `each` is given: the seconds for each claim under the usual readings, and for each
under all others together."""
BRIEFLY, MOST_CHECKED = 10.0, 50
"""The most seconds for the checks of stored verdicts that are taken as they are, and how many are checked;
those under the default readings come first."""


def prove(
    loader: Loader,
    claims: Sequence[str] | None = None,
    *,
    all_readings: bool = False,
    timeout: float | None = None,
    each: float | None = None,
    memory: int = 4_000,
    engine: str | None = None,
    executor: Executor | None = None,
    ruleset: str = "",
    progress: Progress = silent,
    store: Path | Store | None = None,
    reuse: bool = False,
    retry: bool = True,
    doubt: bool = True,
    parameters: Mapping[str, int | str] | None = None,
    readings: Mapping[str, str] | None = None,
    players: int | None = None,
    known: Container[tuple[str, ...]] = (),
    decided: Decided = lambda verdict, number, total: None,
    left_out: Callable[[str, int], None] = lambda claim, settings: None,
    checked: Callable[[Check], None] = lambda check: None,
    default_only: bool = False,
) -> list[Verdict]:
    """Decide claims under the usual readings and, one after the other, under others.

    The usual readings of all claims come first, then readings that differ in one ruling, then in more: see
    `turns`. Each verdict says how it stands, and how those stand that it rests on. Nothing helps to decide a
    claim before it was checked: see `gate`.

    Args:
        loader: gives the game under any settings.
        claims: the claims to decide; all without.
        all_readings: ask each claim under every reading (see `settings`).
        timeout: seconds for the whole call. Once they are spent, claims still get a verdict under the usual
            readings.
        each: seconds for each claim under each setting. If neither it nor `timeout` is given, each claim has
            60 under the usual readings and 60 under all others.
        memory: megabytes for this process and its children together.
        engine: the engine that formulas ask; the best that is installed without.
        executor: decides deals and other readings. Its answers to deals are kept in the user's cache.
        ruleset: the name or path by which the executor loads the ruleset.
        progress: receives a few words on the work.
        store: where verdicts are kept. A path is read first and written after each verdict, so an interrupt
            keeps what was decided. One that says less than the stored one does not replace it.
        reuse: take settled stored verdicts on the same game and claim as they are, without `retry` all; those
            of claims that help and were not named are taken in any case. At the end those without a stamp
            are checked, for at most 10 seconds: one that does not stand then is `unchecked`, and one that is
            wrong is removed from the store and decided anew.
        doubt: ask of claims that hold whether they say anything.
        parameters, readings, players: settings of the game; `readings` are left as they are.
        known: subjects of stored verdicts that the caller knows to be about the rules as they are.
        decided: receives each verdict.
        left_out: receives each claim with the number of its settings that were not begun.
        checked: receives the checks of stored verdicts.
        default_only: ask under the usual readings only.

    Returns:
        The verdicts in the order in which they fell.

    Raises:
        KeyError: there is no such claim.
        StoreError: the store is damaged.
        And what the loader and the executor raise.
    """
    file = StoreFile(store) if isinstance(store, Path) else None
    unfiled = store if isinstance(store, Store) else Store()
    usual = dict(readings or {})

    def load(chosen: Mapping[str, str]) -> Game:
        return loader(parameters=dict(parameters or {}), readings=dict(chosen), players=players)

    game = load(usual)
    questions = [
        Question(claim.id, {**changed, **usual}, changed)
        for claim in in_order(game, claims)
        for changed in settings(game, claim, all_readings, usual)
        if not (default_only and changed)
    ]
    attempts = Attempts(
        Questions(load, (usual, game), progress),
        Gate(loader, unfiled if file is None else file, memory, engine, progress=progress),
        memory,
        file,
        unfiled,
        reuse,
        retry,
        frozenset(game.claims if claims is None else claims),
        engine,
        doubt,
        None if executor is None else Spreading(executor, ruleset),
    )
    call = Budget(inf if timeout is None else timeout, memory)
    found: list[Verdict] = []
    waiting: list[Question] = []

    def tell(verdict: Verdict) -> None:
        found.append(attempts.gate.result(verdict))
        decided(found[-1], len(found), len(questions))

    def take(question: Question) -> None:
        """Pass on a verdict that stands or says nothing; others wait for a check at the end."""
        verdict = question.verdict
        assert verdict is not None
        if attempts.gate.standing(verdict) or not STRENGTH[verdict.outcome]:
            tell(verdict)
        else:
            waiting.append(question)

    def asking(most: float) -> Ask[Question]:
        """Asks questions, each for `most` seconds in the end, and passes on the answers that are final."""

        def ask(batch: Sequence[Question], seconds: float, until: Budget) -> Iterator[tuple[Question, bool]]:
            for question, ended in _attempted(attempts, batch, seconds, until):
                if question.verdict is not None and (ended or seconds >= most):
                    take(question)
                    open_.discard(question)
                yield question, ended

        return ask

    fresh: list[Question] = []
    with closing(attempts.questions):
        for question in questions:
            claim = game.claims[question.claim]
            stored = attempts.store.of_setting(game, claim, question.readings)
            if stored is not None and stored.subject in known:
                question.verdict = stored
                take(question)
            else:
                fresh.append(question)
        open_ = {*fresh}
        usual_tier, *tiers = _tiers(fresh)
        if timeout is not None or each is not None:
            limit = inf if each is None else each
            take_turns([usual_tier, *tiers], call, limit, asking(limit))
        else:
            take_turns([usual_tier], call, EACH, asking(EACH))
            others = len({question.claim for tier in tiers for question in tier})
            take_turns(tiers, call.part(1.0, OTHERS * others), inf, asking(inf))
        unasked: Counter[str] = Counter()
        for question in fresh:
            if question in open_ and question.verdict is None and not question.changed:
                attempts.attempt(question, 0.0, call)  # which says what ran out
            if question in open_ and question.verdict is not None:
                take(question)
            elif not question.begun:
                unasked[question.claim] += 1
        stored_ones = [question.verdict for question in waiting if question.verdict is not None]
        first = sorted(stored_ones, key=lambda verdict: bool(verdict.readings))
        attempts.check(first[:MOST_CHECKED], call.part(1.0, BRIEFLY))
        for question in waiting:
            assert question.verdict is not None
            removed = question.verdict.key in attempts.removed
            tell(attempts.answer(question, call.part(1.0, EACH)) if removed else question.verdict)
    checks = attempts.gate.checks
    for verdict in stored_ones:
        checked(checks.get(verdict.subject) or Check(verdict, None, LEFT))
    subjects = {verdict.subject for verdict in stored_ones}
    for check in checks.values():
        if check.verdict.subject not in subjects:
            checked(check)
    for name, number in unasked.items():
        left_out(name, number)
    return found


def _attempted(
    attempts: Attempts, batch: Sequence[Question], seconds: float, until: Budget
) -> Iterator[tuple[Question, bool]]:
    """Attempts at questions in their order, those for an executor last."""
    apart = [question for question in batch if attempts.is_apart(question)]
    for question in batch:
        if until.left <= (seconds / 2 if question.begun else 0.0):  # it had as much before
            return
        if question not in apart:
            yield question, attempts.attempt(question, seconds, until)
    if apart:
        yield from attempts.attempt_apart(apart, seconds, until)


def _tiers(questions: Sequence[Question]) -> list[list[Question]]:
    """Questions by the number of readings that differ from the usual ones."""
    most = max((len(question.changed) for question in questions), default=0)
    return [[one for one in questions if len(one.changed) == number] for number in range(most + 1)]


def in_order(game: Game, names: Sequence[str] | None) -> list[Claim]:
    """Claims such that those that help others come before them. KeyError for an unknown name."""
    wanted = [game.claims[name] for name in (names if names is not None else game.claims)]
    rank = {kind: i for i, kind in enumerate(ORDER)}
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

    for claim in sorted(wanted, key=lambda c: rank.get(c.kind, len(rank))):
        add(claim)
    return listed
