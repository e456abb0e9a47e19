"""Checking stored verdicts again, without trust in their makers.

A play is replayed by the interpreter and the claim evaluated where it ends. Explorations are repeated. A
refutation by an engine is derived from the ruleset again and its certificate goes to a checker; without one
it is refuted again. A verdict passes only if its own evidence settles it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

from rulespec.budgets import Budget, ChildDied, OutOfBudget, Stopwatch, map_unordered
from rulespec.code import TooLarge
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.core.verdicts import (
    CONDITIONAL,
    UNDECIDED,
    Store,
    Verdict,
    parameters_of,
    readings_of,
    setting_text,
)
from rulespec.core.verdicts.lemmas import assume, current_verdicts
from rulespec.core.verdicts.stamps import Stamps
from rulespec.solver.certify import BadEvidence, CertificateStore
from rulespec.solver.certify.second_solver import SecondSolver
from rulespec.solver.claims.loading import Loader
from rulespec.solver.evidence.checks import Check, Judgement
from rulespec.solver.evidence.judge import Judge
from rulespec.solver.evidence.problem import Case, Progress, silent
from rulespec.solver.methods import deals
from rulespec.solver.methods.scheduler import decide

from .check_order import LONG, Place, check_order
from .joining import revoke_unsupported, with_helpers
from .options import RecheckOptions, VerdictChecked
from .vacuity import note_vacuity

EACH = 60.0
"""The default of `each`, in seconds, if `timeout` is not given either."""
STAMPING = 5.0
"""Seconds between two savings of stamps."""
GAMES_KEPT = 4
"""Maximum number of games that a process keeps, with their cached formulas."""

LEFT = "left for later: the time for all checks was over"


def recheck(
    store: Path | Store, loader: Loader, claims: Sequence[str] | None = None, **options: Any
) -> list[Check]:
    """Check every stored verdict of the loader's ruleset, or those on the named claims; see `recheck_all`.

    `options` are the fields of `RecheckOptions`.
    """
    return recheck_all([(store, loader)], RecheckOptions(claims=claims, **options))


def recheck_all(
    rulesets: Sequence[tuple[Path | Store, Loader]], options: RecheckOptions, progress: Progress = silent
) -> list[Check]:
    """Check stored verdicts of rulesets; returns the checks in the order of the rulesets and their stores.

    See `Recheck` for the arguments and errors.
    """
    run = Recheck(rulesets, options, progress)
    for _ in run:
        pass
    return run.checks


@dataclass(frozen=True)
class _Task:
    """A verdict to check, with the judge of its store."""

    judge: Judge
    loader: Loader
    verdict: Verdict
    ruleset: int
    """The number of its ruleset."""
    place: Place
    """Its place among the verdicts on the ruleset."""

    @property
    def rank(self) -> tuple[int, ...]:
        """Its place among all verdicts."""
        return self.place.urgency, self.place.audience, self.ruleset, self.place.claim


class Recheck:
    """A run of checks of stored verdicts: iterating performs the checks one by one and yields them.

    A verdict that rests on a failed one has not passed either. Checks follow `check_order`; those that are
    not begun in time are left.

    Args:
        rulesets: the store and the loader of each.
        options: which verdicts are checked, how and within which limits.
        progress: receives a word on each check.

    Raises:
        StoreError: a store is damaged.
        NoEngine: the second solver is missing.
    """

    def __init__(
        self,
        rulesets: Sequence[tuple[Path | Store, Loader]],
        options: RecheckOptions,
        progress: Progress = silent,
    ) -> None:
        self._options, self._progress = options, progress
        self._allowed = options.allowance(EACH)
        self._tasks: list[_Task] = []
        self._asked = set[tuple[str, str, str]]()
        second = SecondSolver(options.second) if options.second is not None else None
        for number, (store, loader) in enumerate(rulesets):
            self._add(number, store, loader, second)
        vouched = [options.vouched(task.verdict) for task in self._tasks]
        texts = {number: text for number, text in enumerate(vouched) if text is not None}
        self._done = {i: Check(self._tasks[i].verdict, True, text) for i, text in texts.items()}

    def _add(self, number: int, store: Path | Store, loader: Loader, second: SecondSolver | None) -> None:
        """Add the verdicts of a ruleset."""
        options = self._options
        kept = Store.read(store) if isinstance(store, Path) else store
        recent = _RecentGames(loader)
        game = recent.default
        shelf = CertificateStore(store) if isinstance(store, Path) else None
        judge = judge_of(
            kept, self._allowed.call, engine=options.engine, shelf=shelf, second=second, export=options.export
        )
        claims, only = options.claims, options.only
        ours = [v for v in kept if v.ruleset == game.id and (claims is None or v.claim in claims)]
        self._asked |= {v.key for v in ours}
        helped = with_helpers(ours, kept)
        wanted = [v for v in helped if only is None or v.subject in only or options.vouched(v)]
        places = check_order(wanted, game, kept, shelf, options.measured)
        self._tasks += [_Task(judge, recent, v, number, at) for v, at in zip(wanted, places, strict=True)]

    def __iter__(self) -> Iterator[VerdictChecked]:
        tasks, allowed, jobs = self._tasks, self._allowed, self._options.jobs
        left = {number: task for number, task in enumerate(tasks) if number not in self._done}
        early = self._options.jobs - 1 if self._options.timeout is None else 0
        groups = _groups(left, early)
        after = dict(pair for group in groups for pair in pairwise(group))

        def check(number: int, send: Progress) -> Check:
            task = tasks[number]
            limits, watch = allowed.call.part(1.0, allowed.each), Stopwatch()
            found = check_one(replace(task.judge, budget=limits, progress=send), task.loader, task.verdict)
            return replace(found, seconds=watch.seconds)

        def following(number: int) -> int | None:
            return None if allowed.over else after.get(number)

        listener = self._progress if jobs < 2 else silent
        begun = takewhile(lambda number: not allowed.over, [first for first, *_ in groups])
        at_once = min(jobs, len(tasks))
        for number, result in map_unordered(check, begun, at_once, allowed.question, listener, following):
            verdict = tasks[number].verdict
            found = result if isinstance(result, Check) else Check(verdict, None, _overrun(result))
            self._done[number] = found
            self._progress(f"{verdict.ruleset}: {verdict.claim} ({verdict.key[2]})")
            yield VerdictChecked(found, len(self._done), len(tasks))

    @property
    def so_far(self) -> list[Check]:
        """The checks so far, joined with those they rest on."""
        return revoke_unsupported([self._done[number] for number in sorted(self._done)])

    @property
    def checks(self) -> list[Check]:
        """The checks of all verdicts, including those left, in the order of the rulesets and their stores."""
        left = {number: Check(task.verdict, None, LEFT) for number, task in enumerate(self._tasks)}
        every = left | self._done
        return [one for one in revoke_unsupported([*every.values()]) if one.verdict.key in self._asked]


def check_and_stamp(run: Recheck, stamps: Stamps) -> Generator[VerdictChecked]:
    """Perform the checks of a run and stamp verdicts that pass, every few seconds and at the end.

    Stamps are also saved if the iterator is closed early, so that an interrupted run can be continued.
    """
    watch = Stopwatch()
    try:
        for event in run:
            yield event
            if watch.seconds > STAMPING:
                stamp_checks(stamps, run.so_far)
                watch.restart()
    finally:
        stamp_checks(stamps, run.so_far)


def stamp_checks(stamps: Stamps, checks: Iterable[Check]) -> None:
    """Stamp the verdicts that passed, remove the stamps of those that failed, and save all stamps."""
    for check in checks:
        if check.passed is True:
            stamps.add(check.verdict, check.text)
        elif check.passed is False:
            stamps.drop(check.verdict)
    stamps.save()


def _groups(tasks: Mapping[int, _Task], early: int = 0) -> list[list[int]]:
    """The indices of tasks in order, in groups for one process each; see `Place.group`.

    Of the groups that take long, the longest come first, at most `early`: if all are to be checked, the
    longest must not begin last, and the other processes have the usual order.
    """
    groups: dict[object, list[int]] = {}
    for number, task in sorted(tasks.items(), key=lambda item: item[1].rank):
        place = task.place
        group = (task.ruleset, place.audience, place.group) if place.group else number
        groups.setdefault(group, []).append(number)
    listed = [sorted(group, key=lambda number: tasks[number].place.member) for group in groups.values()]

    def magnitude(group: Sequence[int]) -> int:
        return max(tasks[number].place.magnitude for number in group)

    long = [group for group in sorted(listed, key=magnitude, reverse=True) if magnitude(group) >= LONG]
    first = long[:early]
    return first + [group for group in listed if group not in first]


class _RecentGames:
    """A loader that keeps the last few games, so that verdicts on one setting share what is computed from
    it."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self.default = loader()
        """The game under the default settings, loaded before any process is forked."""
        self._games = OrderedDict[str, Game]()

    def __call__(self, **setting: Any) -> Game:
        changed = setting["parameters"] or setting["readings"] or setting.get("left_open")
        if not changed and setting["players"] == self.default.players:
            return self.default
        key = repr(sorted((name, value) for name, value in setting.items()))
        if key not in self._games:
            self._games[key] = self._loader(**setting)
        self._games.move_to_end(key)
        while len(self._games) > GAMES_KEPT:
            self._games.popitem(last=False)
        return self._games[key]


def _overrun(out: OutOfBudget | ChildDied) -> str:
    """The text of a check that overran its budget or whose process died."""
    within = f"within {out}" if isinstance(out, OutOfBudget) else f": {out}"
    return f"it could not be checked {within}".replace(" :", ":")


def judge_of(store: Store, budget: Budget, **options: Any) -> Judge:
    """A judge for the verdicts of a store that decides deals again as `prove` does; see `Judge`."""
    return Judge(store, budget, partial(_redone, store), **options)


def check_one(judge: Judge, loader: Loader, verdict: Verdict) -> Check:
    """Check one verdict: that its game and claim are the present ones, then its evidence by a judge."""
    judge.progress(f"{verdict.claim} ({verdict.key[2]})")
    load = partial(loader, parameters=verdict.parameters, readings=verdict.readings, players=verdict.players)
    try:
        game = load()
    except RulesetError as error:
        words = f"its setting no longer loads: {error.diagnostics[0].message}"
        return Check(verdict, False, words, stale=True)
    here = setting_text(game.players, parameters_of(game), readings_of(game))
    if verdict.key != (game.id, verdict.claim, here):
        return Check(verdict, False, f"its setting is not one that differs from the defaults so: {here}")
    claim = game.claims.get(verdict.claim)
    if claim is None or not verdict.is_about(game, claim):
        return Check(verdict, False, "stale: the rules or the claim have changed since", stale=True)
    if claim.kind != verdict.kind:
        return Check(verdict, False, f"it is about a claim of the kind `{verdict.kind}`, not `{claim.kind}`")
    if verdict.outcome == UNDECIDED:
        return Check(verdict, None, "undecided: there is nothing to check")
    if verdict.outcome == CONDITIONAL:
        return Check(verdict, None, "conditional: prove it again")
    if judge.budget.seconds_left <= 0:
        return Check(verdict, None, LEFT)
    # What `prove` notes of a claim is noted of it here, too, but not where it is asked of one deal.
    noting = judge.noting if judge.chance is not None else note_vacuity
    asked = replace(judge, noting=noting, opened=lambda names: load(left_open=names))
    return asked.check(game, claim, verdict)


def _redone(store: Store, case: Case, data: Mapping[str, Any]) -> Judgement:
    """Decide all deals of the evidence again. Raises BadEvidence if a deal is decided otherwise.

    The verdict stays open if the machine has too little memory for them.
    """
    try:
        case = replace(case, lemmas=assume(current_verdicts(store, case.game)))
        again = deals.decide_again(case, data, decide)
    except deals.Wrong as why:
        raise BadEvidence(str(why)) from None
    except TooLarge as why:
        return Judgement(None, f"its deals were not gone through: {why}")
    return Judgement(None if again.left else again.answer, again.how, again.rests_on)


def check_deal(
    game: Game,
    verdict: Verdict,
    records: Mapping[str, Any],
    chance: tuple[str, ...],
    budget: Budget,
    *,
    engine: str | None = None,
    known: Iterable[Verdict] = (),
) -> Check:
    """Check a verdict on a claim about one deal, given by its outcomes of chance; see `recheck`.

    `records` are the plays that its evidence refers to, by digest. `known` are the verdicts on claims that
    may have helped, each to be checked separately.
    """
    judge = judge_of(Store([*known, verdict], records), budget, engine=engine, chance=chance)
    return check_one(judge, lambda **settings: game, verdict)
