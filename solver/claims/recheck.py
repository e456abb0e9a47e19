"""Going through stored verdicts again, trusting nobody who made them.

A play is replayed by the interpreter and the claim asked of where it ends. What was explored is
explored again. What an engine refuted is derived from the ruleset, and the certificate of the refutation
goes to a checker; without one it is refuted again. A verdict passes only if its own evidence settles it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from rulespec.budgets import Allowance, Budget, Died, OutOfBudget, map_unordered
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.core.lemmas import current
from rulespec.core.verdicts import UNDECIDED, Store, Verdict, parameters_of, readings_of, setting_text
from solver.certify import CertificateStore
from solver.certify.second_solver import SecondSolver
from solver.claims.loading import Loader
from solver.evidence.checks import Check, compared, complete, unchecked
from solver.evidence.judge import Judge
from solver.evidence.problem import Case, Progress, silent
from solver.methods import deals
from solver.methods.scheduler import decide

from .joining import joined, with_helpers
from .vacuity import noted

EACH = 60.0
"""The default of `each`, in seconds, if `timeout` is not given either."""
STALE = 10.0
"""Seconds per verdict for testing that it is not stale, once the total time is spent."""


def recheck(
    store: Path | Store, loader: Loader, claims: Sequence[str] | None = None, **limits: Any
) -> list[Check]:
    """Check every stored verdict of the loader's ruleset, or those on the named claims; see `recheck_all`."""
    return recheck_all([(store, loader)], claims, **limits)


def recheck_all(
    rulesets: Sequence[tuple[Path | Store, Loader]],
    claims: Sequence[str] | None = None,
    *,
    but: Container[tuple[str, ...]] = (),
    timeout: float | None = None,
    each: float | None = None,
    memory: int = 4_000,
    engine: str | None = None,
    jobs: int = 1,
    second: str | None = None,
    export: Path | None = None,
    progress: Progress = silent,
    checked: Callable[[Check, int, int], None] = lambda check, number, total: None,
    vouched: Callable[[Verdict], bool] = lambda verdict: False,
) -> list[Check]:
    """Check every stored verdict of rulesets, or those on the named claims, `but` some subjects.

    Verdicts on which those on named claims rest are checked too. Each ruleset is given by its store and its
    loader. `timeout` in seconds bounds the whole call: verdicts that took least to decide come first, and
    those not begun at its end are left out. `each` bounds every verdict; if neither is given it is 60.
    `memory` in megabytes bounds this process and its children together. `jobs` verdicts are checked in
    parallel, each in a process of its own. If given, a `second` solver confirms each refutation, and
    refutations are written to the folder `export` (see `Witness`). `checked` receives each check with its
    number, from 1, and the total. The checks are returned in the order of the rulesets and their stores.
    Raises StoreError for a damaged store, NoEngine for a second solver that is missing.

    A verdict that rests on one that did not pass has not passed either. A verdict that is not checked here
    counts as passed if `vouched` is true of it, which means that it passed an earlier check.
    """
    confirming = SecondSolver(second) if second is not None else None
    allowed = Allowance(timeout, each, memory, EACH)
    wanted: list[tuple[Judge, Loader, Verdict]] = []
    asked = set[tuple[str, str, str]]()
    for store, loader in rulesets:
        kept = Store.read(store) if isinstance(store, Path) else store
        ruleset = loader().id
        shelf = CertificateStore(store) if isinstance(store, Path) else None
        judge = judge_of(kept, allowed.call, engine=engine, shelf=shelf, second=confirming, export=export)
        ours = [v for v in kept if v.ruleset == ruleset and (claims is None or v.claim in claims)]
        asked |= {v.key for v in ours}
        wanted += [(judge, loader, v) for v in with_helpers(ours, kept) if v.subject not in but]
    order = sorted(range(len(wanted)), key=lambda number: _effort(wanted[number][-1]))
    done: dict[int, Check] = {}

    def check(number: int, send: Progress) -> Check:
        judge, loader, verdict = wanted[number]
        limits = allowed.call.part(1.0, allowed.each)
        return check_one(replace(judge, budget=limits, progress=send), loader, verdict)

    def budget() -> Budget:
        return Budget(STALE, memory) if allowed.over else allowed.question()

    listener = progress if jobs < 2 else silent
    for number, result in map_unordered(check, order, min(jobs, len(wanted)), budget, listener):
        verdict = wanted[number][-1]
        done[number] = result if isinstance(result, Check) else Check(verdict, None, _overrun(result))
        progress(f"{verdict.ruleset}: {verdict.claim} ({verdict.key[2]})")
        checked(done[number], len(done), len(wanted))
    found = [done[number] for number in range(len(wanted))]
    checks = joined(found, [judge.store for judge, _, _ in wanted], vouched)
    return [one for one in checks if one.verdict.key in asked]


def _overrun(out: OutOfBudget | Died) -> str:
    """The text of a check that overran its budget or whose process died."""
    within = f"within {out}" if isinstance(out, OutOfBudget) else f": {out}"
    return f"it could not be checked {within}".replace(" :", ":")


def _effort(verdict: Verdict) -> tuple[bool, float]:
    """By which verdicts are put in order: those with a play, a certificate or a named argument come first."""
    settled = any(e.kind == "play" or {"by", "certificate"} & {*e.data} for e in verdict.evidence)
    return not settled, verdict.seconds


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
        if verdict.evidence or verdict.numbers:
            return Check(verdict, False, "undecided, and yet it has evidence")
        return Check(verdict, None, "undecided: there is nothing to check")
    if judge.budget.left <= 0:
        return Check(verdict, None, "left out: the time allowed for all of them is over")
    check = judge.shown(game, claim, verdict)
    if check.passed is True and check.found is not None and judge.chance is None:
        check = replace(check, found=noted(judge.case(game, claim), check.found))
    return complete(check)


def _redone(store: Store, case: Case, verdict: Verdict, data: Mapping[str, Any]) -> Check:
    """Decide all deals of the evidence again."""
    try:
        again = deals.again(replace(case, settled=current(store, case.game)), data, verdict, decide)
    except deals.Wrong as why:
        return Check(verdict, False, str(why))
    if again.left:
        return unchecked(verdict, again.how)
    return replace(compared(verdict, again.answer, again.how), rests_on=again.rests_on)


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
