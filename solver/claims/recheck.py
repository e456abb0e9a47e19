"""Going through stored verdicts again, trusting nobody who made them.

A play is replayed by the interpreter and the claim asked of where it ends. What was explored is
explored again. What an engine refuted is derived from the ruleset, and the certificate of the refutation
goes to a checker; without one it is refuted again. A verdict passes only if its own evidence settles it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise, takewhile
from pathlib import Path
from typing import Any

from rulespec.budgets import Allowance, Budget, Died, OutOfBudget, Stopwatch, map_unordered
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
from rulespec.core.verdicts.lemmas import assumed, current
from rulespec.solver.certify import CertificateStore, Refused
from rulespec.solver.certify.second_solver import SecondSolver
from rulespec.solver.claims.loading import Loader
from rulespec.solver.evidence.checks import Check, Shown
from rulespec.solver.evidence.judge import Judge
from rulespec.solver.evidence.problem import Case, Progress, silent
from rulespec.solver.methods import deals
from rulespec.solver.methods.scheduler import decide

from .check_order import Measured, Place, check_order
from .joining import joined, with_helpers
from .vacuity import noted

EACH = 60.0
"""The default of `each`, in seconds, if `timeout` is not given either."""
SETTLING = 5.0
"""How many seconds pass between two reports of what has passed so far."""
GAMES_KEPT = 4
"""How many games a process keeps: what formulas share is kept with them."""

LEFT = "left for later: the time for all checks was over"


def recheck(
    store: Path | Store, loader: Loader, claims: Sequence[str] | None = None, **limits: Any
) -> list[Check]:
    """Check every stored verdict of the loader's ruleset, or those on the named claims; see `recheck_all`."""
    return recheck_all([(store, loader)], claims, **limits)


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


def recheck_all(
    rulesets: Sequence[tuple[Path | Store, Loader]],
    claims: Sequence[str] | None = None,
    *,
    only: Container[tuple[str, ...]] | None = None,
    timeout: float | None = None,
    each: float | None = None,
    memory: int = 4_000,
    engine: str | None = None,
    jobs: int = 1,
    second: str | None = None,
    export: Path | None = None,
    progress: Progress = silent,
    checked: Callable[[Check, int, int], None] = lambda check, number, total: None,
    vouched: Callable[[Verdict], str | None] = lambda verdict: None,
    measured: Measured = lambda verdict: None,
    settled: Callable[[Sequence[Check]], None] = lambda checks: None,
) -> list[Check]:
    """Check every stored verdict of rulesets, or those on the named claims.

    A verdict that rests on one that did not pass has not passed either.

    Args:
        rulesets: the store and the loader of each.
        claims: the claims whose verdicts are checked, with those on which they rest; all without.
        only: the subjects of the verdicts that are checked; all without.
        timeout: seconds for the whole call. Checks follow `check_order`; those not begun in time are left.
        each: seconds for one verdict; 60 if neither it nor `timeout` is given.
        memory: megabytes for this process and its children together.
        engine: the engine that refutes again; the best that is installed without.
        jobs: how many verdicts are checked at once, each in a process of its own. Verdicts that rest on one
            exploration follow each other in one process.
        second: a solver that confirms each refutation.
        export: a folder to which refutations are written (see `Witness`).
        progress: receives a word on each check.
        checked: receives each check with its number, from 1, and the number of all.
        vouched: gives the text of an earlier check that a verdict passed and that is not repeated, or None.
        measured: gives the seconds that the check of a verdict has taken elsewhere, if they are known.
        settled: receives the checks so far, joined with those they rest on, every few seconds and at the end,
            also when the call is interrupted.

    Returns:
        The checks in the order of the rulesets and their stores.

    Raises:
        StoreError: a store is damaged.
        NoEngine: the second solver is missing.
    """
    confirming = SecondSolver(second) if second is not None else None
    allowed = Allowance(timeout, each, memory, EACH)
    tasks: list[_Task] = []
    asked = set[tuple[str, str, str]]()
    for ruleset, (store, loader) in enumerate(rulesets):
        kept = Store.read(store) if isinstance(store, Path) else store
        game = loader()
        shelf = CertificateStore(store) if isinstance(store, Path) else None
        judge = judge_of(kept, allowed.call, engine=engine, shelf=shelf, second=confirming, export=export)
        ours = [v for v in kept if v.ruleset == game.id and (claims is None or v.claim in claims)]
        asked |= {v.key for v in ours}
        wanted = [v for v in with_helpers(ours, kept) if only is None or v.subject in only or vouched(v)]
        recent = _RecentGames(loader)
        for verdict, place in zip(wanted, check_order(wanted, game, kept, shelf, measured), strict=True):
            tasks.append(_Task(judge, recent, verdict, ruleset, place))
    earlier = [(number, task.verdict, vouched(task.verdict)) for number, task in enumerate(tasks)]
    done = {number: Check(verdict, True, text) for number, verdict, text in earlier if text is not None}
    groups = _groups({number: task for number, task in enumerate(tasks) if number not in done})
    after = dict(pair for group in groups for pair in pairwise(group))

    def check(number: int, send: Progress) -> Check:
        task = tasks[number]
        limits, watch = allowed.call.part(1.0, allowed.each), Stopwatch()
        found = check_one(replace(task.judge, budget=limits, progress=send), task.loader, task.verdict)
        return replace(found, seconds=watch.seconds)

    def following(number: int) -> int | None:
        return None if allowed.over else after.get(number)

    def so_far() -> list[Check]:
        return joined([done[number] for number in sorted(done)])

    watch = Stopwatch()
    listener = progress if jobs < 2 else silent
    begun = takewhile(lambda number: not allowed.over, [first for first, *_ in groups])
    at_once = min(jobs, len(tasks))
    try:
        for number, result in map_unordered(check, begun, at_once, allowed.question, listener, following):
            verdict = tasks[number].verdict
            done[number] = result if isinstance(result, Check) else Check(verdict, None, _overrun(result))
            progress(f"{verdict.ruleset}: {verdict.claim} ({verdict.key[2]})")
            checked(done[number], len(done), len(tasks))
            if watch.seconds > SETTLING:
                settled(so_far())
                watch = Stopwatch()
    finally:
        settled(so_far())
    done = {**{number: Check(task.verdict, None, LEFT) for number, task in enumerate(tasks)}, **done}
    return [one for one in so_far() if one.verdict.key in asked]


def _groups(tasks: Mapping[int, _Task]) -> list[list[int]]:
    """The numbers of tasks in their order, in groups that one process goes through; see `Place.group`."""
    groups: dict[object, list[int]] = {}
    for number, task in sorted(tasks.items(), key=lambda item: item[1].rank):
        place = task.place
        group = (task.ruleset, place.audience, place.group) if place.group else number
        groups.setdefault(group, []).append(number)
    return [sorted(group, key=lambda number: tasks[number].place.member) for group in groups.values()]


class _RecentGames:
    """A loader that keeps the last few games, so that verdicts on one setting share what is made from it."""

    def __init__(self, loader: Loader) -> None:
        self._loader = loader
        self._games = OrderedDict[str, Game]()

    def __call__(self, **setting: Any) -> Game:
        key = repr(sorted((name, value) for name, value in setting.items()))
        if key not in self._games:
            self._games[key] = self._loader(**setting)
        self._games.move_to_end(key)
        while len(self._games) > GAMES_KEPT:
            self._games.popitem(last=False)
        return self._games[key]


def _overrun(out: OutOfBudget | Died) -> str:
    """The text of a check that overran its budget or whose process died."""
    within = f"within {out}" if isinstance(out, OutOfBudget) else f": {out}"
    return f"it could not be checked {within}".replace(" :", ":")


def judge_of(store: Store, budget: Budget, **options: Any) -> Judge:
    """A judge of the verdicts of a store that decides deals again as `prove` decides them; see `Judge`."""
    return Judge(store, budget, partial(_redone, store), **options)


def check_one(judge: Judge, loader: Loader, verdict: Verdict) -> Check:
    """Check one verdict: its subject here, its evidence by a judge, within the judge's budget."""
    judge.progress(f"{verdict.claim} ({verdict.key[2]})")
    try:
        game = loader(parameters=verdict.parameters, readings=verdict.readings, players=verdict.players)
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
    if judge.budget.left <= 0:
        return Check(verdict, None, LEFT)
    # What `prove` notes of a claim is noted of it here, too, but not where it is asked of one deal.
    noting = judge.noting if judge.chance is not None else noted
    return replace(judge, noting=noting).check(game, claim, verdict)


def _redone(store: Store, case: Case, data: Mapping[str, Any]) -> Shown:
    """Decide all deals of the evidence again. Raises Refused where one is decided otherwise."""
    try:
        again = deals.again(replace(case, lemmas=assumed(current(store, case.game))), data, decide)
    except deals.Wrong as why:
        raise Refused(str(why)) from None
    return Shown(None if again.left else again.answer, again.how, again.rests_on)


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
    """Check a verdict on a claim that was asked of one deal, given by its outcomes of chance; see `recheck`.

    `records` are the plays that its evidence refers to, by digest. `known` are the verdicts on claims that
    may have helped, each to be checked by itself.
    """
    judge = judge_of(Store([*known, verdict], records), budget, engine=engine, chance=chance)
    return check_one(judge, lambda **settings: game, verdict)
