"""Going through stored verdicts again, trusting nobody who made them.

A play is replayed by the interpreter and the claim asked of where it ends. What was explored is
explored again. What an engine refuted is derived from the ruleset, and the certificate of the refutation
goes to a checker; without one it is refuted again. A verdict passes only if its own evidence settles it.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import time
from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from math import inf
from pathlib import Path
from typing import Any

from rulespec.core.game import Game
from rulespec.core.verdicts import Store, Verdict
from solver.certify import Shelf
from solver.certify.second import Second

from ..case import Progress, silent
from ..settings import Loader
from .checking import Checking
from .checks import Check


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
    timeout: float = 60.0,
    memory: int = 4_000,
    engine: str | None = None,
    jobs: int = 1,
    within: float = inf,
    second: str | None = None,
    export: Path | None = None,
    progress: Progress = silent,
    checked: Callable[[Check, int, int], None] = lambda check, number, total: None,
) -> list[Check]:
    """Check every stored verdict of rulesets, or those on the named claims, `but` some subjects.

    Each ruleset is given by its store and its loader. `timeout` (seconds) and `memory` (megabytes) bound
    each verdict; `jobs` are done at once, each in a process of its own. What took least to decide is checked
    first, and what has not begun `within` so many seconds is left out. Each refutation is confirmed by a
    `second` solver, and written to the folder `export` (see `Witness`), where these are given. `checked` is
    told each check with its number, from 1, and how many there are. The checks come in the order of the
    rulesets and of their stores. Raises StoreError for a damaged store, NoEngine for a second solver that is
    not there.
    """
    confirming = Second(second) if second is not None else None
    until = time.monotonic() + within
    wanted: list[tuple[Checking, Verdict]] = []
    for store, loader in rulesets:
        kept = Store.read(store) if isinstance(store, Path) else store
        ruleset = loader().id
        shelf = Shelf(store) if isinstance(store, Path) else None
        tell = progress if jobs < 2 else silent
        run = Checking(kept, loader, timeout, memory, engine, tell, until, None, shelf, confirming, export)
        ours = [v for v in kept if v.ruleset == ruleset and (claims is None or v.claim in claims)]
        wanted += [(run, v) for v in ours if v.subject not in but]
    jobs = min(jobs, len(wanted))
    order = sorted(range(len(wanted)), key=lambda number: _effort(wanted[number][1]))
    first = [wanted[number] for number in order]
    done: dict[int, Check] = {}
    checks = (run.check(v) for run, v in first) if jobs < 2 else _at_once(first, jobs)
    for number, check in zip(order, checks, strict=True):
        done[number] = check
        progress(f"{check.verdict.ruleset}: {check.verdict.claim} ({check.verdict.key[2]})")
        checked(check, len(done), len(wanted))
    return [done[number] for number in range(len(wanted))]


def _effort(verdict: Verdict) -> tuple[bool, float]:
    """By which verdicts are put in order: those with a play, a certificate or a named argument come first."""
    settled = any(e.kind == "play" or {"by", "certificate"} & {*e.data} for e in verdict.evidence)
    return not settled, verdict.seconds


def _at_once(wanted: Sequence[tuple[Checking, Verdict]], jobs: int) -> Iterator[Check]:
    """Check several verdicts at a time; the checks come in the order of the verdicts."""
    forked = multiprocessing.get_context("fork")  # the stores and the rules are there already
    with ProcessPoolExecutor(jobs, forked, _begin, (wanted,)) as pool:
        yield from pool.map(_check, range(len(wanted)), chunksize=2)


def recheck_one(
    store: Store, loader: Loader, verdict: Verdict, shelf: Shelf, timeout: float, memory: int
) -> Check:
    """Check a verdict that is not in its store yet, with the certificates of a shelf; see `recheck_all`."""
    return Checking(store, loader, timeout, memory, None, shelf=shelf).check(verdict)


def check_deal(
    game: Game,
    verdict: Verdict,
    records: Mapping[str, Any],
    chance: tuple[str, ...],
    *,
    timeout: float = 60.0,
    memory: int = 4_000,
    engine: str | None = None,
    until: float = inf,
    known: Iterable[Verdict] = (),
) -> Check:
    """Check a verdict on a claim that was asked of one deal, given by its outcomes of chance; see `recheck`.

    `records` are the plays that its evidence refers to, by digest. Nothing is begun after
    `until` (monotonic, in seconds). `known` are the verdicts on claims that may have helped, each to be
    checked by itself.
    """

    def itself(**settings: Any) -> Game:
        return game

    store = Store([*known, verdict], records)
    return Checking(store, itself, timeout, memory, engine, silent, until, chance).check(verdict)


_wanted: list[tuple[Checking, Verdict]] = []
"""In a process of a pool: what is checked, and with what."""


def _begin(wanted: Sequence[tuple[Checking, Verdict]]) -> None:
    _wanted.extend(wanted)
    signal.signal(signal.SIGINT, lambda *_: os._exit(130))  # an interrupt is told once, by the first process


def _check(number: int) -> Check:
    run, verdict = _wanted[number]
    return run.check(verdict)
