"""Going through stored verdicts again, trusting nobody who made them.

A play is replayed by the interpreter and the claim asked of where it ends. What was explored is
explored again. What an engine refuted is derived from the ruleset, and the certificate of the refutation
goes to a checker; without one it is refuted again. A verdict passes only if its own evidence settles it.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterable, Mapping, Sequence
from dataclasses import replace
from math import inf
from pathlib import Path
from typing import Any

from rulespec.budgets import Allowance, Budget, Died, OutOfBudget, map_unordered
from rulespec.core.game import Game
from rulespec.core.verdicts import Store, Verdict
from solver.certify import CertificateStore
from solver.certify.second_solver import SecondSolver
from solver.claims.checking import Checking
from solver.claims.loading import Loader
from solver.evidence.checks import Check
from solver.evidence.problem import Progress, silent

from .joining import joined, with_helpers

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
    wanted: list[tuple[Checking, Verdict]] = []
    asked = set[tuple[str, str, str]]()
    for store, loader in rulesets:
        kept = Store.read(store) if isinstance(store, Path) else store
        ruleset = loader().id
        shelf = CertificateStore(store) if isinstance(store, Path) else None
        run = Checking(
            kept, loader, allowed.each, memory, engine, silent, allowed.call, None, shelf, confirming, export
        )
        ours = [v for v in kept if v.ruleset == ruleset and (claims is None or v.claim in claims)]
        asked |= {v.key for v in ours}
        wanted += [(run, v) for v in with_helpers(ours, kept) if v.subject not in but]
    order = sorted(range(len(wanted)), key=lambda number: _effort(wanted[number][1]))
    done: dict[int, Check] = {}

    def check(number: int, send: Progress) -> Check:
        run, verdict = wanted[number]
        return replace(run, progress=send).check(verdict)

    def budget() -> Budget:
        return Budget(STALE, memory) if allowed.over else allowed.question()

    listener = progress if jobs < 2 else silent
    for number, result in map_unordered(check, order, min(jobs, len(wanted)), budget, listener):
        verdict = wanted[number][1]
        done[number] = result if isinstance(result, Check) else Check(verdict, None, _overrun(result))
        progress(f"{verdict.ruleset}: {verdict.claim} ({verdict.key[2]})")
        checked(done[number], len(done), len(wanted))
    found = [done[number] for number in range(len(wanted))]
    checks = joined(found, [run.store for run, _ in wanted], vouched)
    return [one for one in checks if one.verdict.key in asked]


def _overrun(out: OutOfBudget | Died) -> str:
    """The text of a check that overran its budget or whose process died."""
    within = f"within {out}" if isinstance(out, OutOfBudget) else f": {out}"
    return f"it could not be checked {within}".replace(" :", ":")


def _effort(verdict: Verdict) -> tuple[bool, float]:
    """By which verdicts are put in order: those with a play, a certificate or a named argument come first."""
    settled = any(e.kind == "play" or {"by", "certificate"} & {*e.data} for e in verdict.evidence)
    return not settled, verdict.seconds


def recheck_one(
    store: Store, loader: Loader, verdict: Verdict, shelf: CertificateStore, budget: Budget
) -> Check:
    """Check a verdict that is not in its store yet, with the certificates of a shelf; see `recheck_all`."""
    return Checking(store, loader, inf, budget.memory, None, until=budget, shelf=shelf).check(verdict)


def check_deal(
    game: Game,
    verdict: Verdict,
    records: Mapping[str, Any],
    chance: tuple[str, ...],
    *,
    timeout: float = 60.0,
    memory: int = 4_000,
    engine: str | None = None,
    until: Budget | None = None,
    known: Iterable[Verdict] = (),
) -> Check:
    """Check a verdict on a claim that was asked of one deal, given by its outcomes of chance; see `recheck`.

    `records` are the plays that its evidence refers to, by digest. No check begins after the end of `until`.
    `known` are the verdicts on claims that may have helped, each to be checked by itself.
    """

    def itself(**settings: Any) -> Game:
        return game

    store = Store([*known, verdict], records)
    return Checking(store, itself, timeout, memory, engine, silent, until or Budget(inf), chance).check(
        verdict
    )
