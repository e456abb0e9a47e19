"""The gate: the one place at which verdicts become lemmas.

A stored verdict is an unchecked statement. It becomes a lemma, which may help to decide other claims, if this
run decided it, if its evidence and that of all verdicts it rests on passed a check in this run, or if it has
a stamp of this installation, which an earlier such check left.

Two things from a store enter questions without a check, because the methods that take them check them: plays
(`hints`) are replayed, and verdicts under other readings (`proposals`) have their evidence judged under
these.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from rulespec.budgets import Budget, cores
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import (
    CONDITIONAL,
    UNCHECKED,
    UNDECIDED,
    Evidence,
    Store,
    StoreError,
    Verdict,
    beside,
)
from rulespec.core.verdicts.lemmas import Lemma, able_to_help, current_verdicts, helpers_of
from rulespec.core.verdicts.stamps import Stamps
from rulespec.core.verdicts.store_file import StoreFile
from rulespec.solver.claims.loading import Loader
from rulespec.solver.evidence.checks import Check
from rulespec.solver.evidence.problem import Progress, silent

from .joining import with_helpers
from .options import RecheckOptions
from .recheck import recheck_all, stamp_checks

DECIDED, CHECKED, STAMPED = "decided", "checked", "stamped"
"""The ways in which a verdict stands: this run decided it, this run checked it, an earlier run checked it."""

NAMED = 0.5
"""The share of the remaining budget for checks of the lemmas that a claim names."""
OTHERS, MOST_OTHERS = 0.1, 5.0
"""The share, and the maximum seconds, for checks of the lemmas that a claim does not name."""

Subject = tuple[str, ...]


@dataclass
class Gate:
    """Turns the verdicts of one ruleset, held by `source`, into lemmas. `jobs` checks run in parallel."""

    loader: Loader
    source: StoreFile | Store
    memory: int = 4_000
    engine: str | None = None
    jobs: int = field(default_factory=cores)
    progress: Progress = silent
    checks: dict[Subject, Check] = field(default_factory=dict)
    """The checks of this run, by the subjects of their verdicts."""
    _decided: dict[Subject, Verdict] = field(default_factory=dict)
    _seconds: dict[Subject, float] = field(default_factory=dict)
    """The time limits of checks that did not finish."""

    @cached_property
    def stamps(self) -> Stamps:
        """The stamps of this installation."""
        return Stamps()

    @property
    def store(self) -> Store:
        """The current store."""
        return self.source.store if isinstance(self.source, StoreFile) else self.source

    @classmethod
    def beside(cls, ruleset: Path, loader: Loader, **options: Any) -> Gate:
        """A gate for the verdicts stored beside a ruleset file; empty if these cannot be read."""
        try:
            return cls(loader, StoreFile(beside(ruleset)), **options)
        except StoreError:
            return cls(loader, Store(), **options)

    # ---- how verdicts stand

    def enter(self, verdict: Verdict) -> None:
        """Record a verdict that this run decided, from lemmas of this gate only."""
        self._decided[verdict.subject] = verdict

    def standing(self, verdict: Verdict) -> str:
        """`decided`, `checked` or `stamped`; empty for a verdict that may not be used."""
        if self._decided.get(verdict.subject) == verdict:
            return DECIDED
        check = self._check_of(verdict)
        if check is not None:
            return CHECKED if check.passed else ""
        return STAMPED if self.stamps.of(verdict) is not None else ""

    def has_failed(self, verdict: Verdict) -> bool:
        """True if a check in this run found a verdict wrong."""
        check = self._check_of(verdict)
        return check is not None and check.passed is False

    def _check_of(self, verdict: Verdict) -> Check | None:
        check = self.checks.get(verdict.subject)
        return check if check is not None and check.verdict == verdict else None

    def result(self, verdict: Verdict) -> Verdict:
        """A verdict as shown: with its standing, and the standing of the verdicts on which it rests.

        A stored one without standing is conditional if its own evidence passed and it rests on unchecked
        verdicts; otherwise its outcome is `unchecked`.
        """
        store = self.store
        held = {name: store.by_key((verdict.ruleset, name, verdict.key[2])) for name in helpers_of(verdict)}
        under = {name: self.standing(v) if v is not None else "" for name, v in held.items()}
        standing = self.standing(verdict)
        if standing or verdict.outcome in (UNDECIDED, CONDITIONAL):
            return replace(verdict, standing=standing, rests_on=under)
        check = self._check_of(verdict)
        failed = any(v is not None and self.has_failed(v) for v in held.values())
        if check is not None and check.passed is None and check.is_shown and not failed:
            return replace(conditional(verdict), rests_on=under)
        why = "it was not checked here" if check is None else check.text
        if check is not None and check.passed is False:
            why = f"its check FAILED, so ask again: {check.text}"
        words = f"It is stored as {verdict.outcome}, but {why}."
        bare = replace(verdict, outcome=UNCHECKED, evidence=(), numbers={}, notes=(), remarks=(words,))
        return replace(bare, rests_on=under)

    # ---- checks and lemmas

    def check(self, verdicts: Iterable[Verdict], budget: Budget) -> None:
        """Check the verdicts without standing, with those on which they rest, and stamp those that pass.

        One whose check did not finish before is checked again only if there is more time.
        """
        store = self.store
        wanted = [v for v in with_helpers([*verdicts], store) if store.has(v) and self._is_open(v, budget)]
        if not wanted or budget.seconds_left <= 0:
            return
        subjects, seconds = {v.subject for v in wanted}, budget.seconds_left
        options = RecheckOptions(
            timeout=seconds,
            memory=self.memory,
            engine=self.engine,
            only=subjects,
            jobs=self.jobs,
            vouched=lambda verdict: self.standing(verdict) or None,
        )
        source = store if isinstance(self.source, Store) else self.source.path
        found = recheck_all([(source, self.loader)], options, self.progress)
        checks = [check for check in found if check.verdict.subject in subjects]
        self.checks |= {check.verdict.subject: check for check in checks}
        self._seconds |= {check.verdict.subject: seconds for check in checks if check.passed is None}
        stamp_checks(self.stamps, checks)

    def _is_open(self, verdict: Verdict, budget: Budget) -> bool:
        """True if a verdict is not checked yet and time remains for it."""
        if self.standing(verdict) or self.has_failed(verdict):
            return False
        return budget.seconds_left > 2 * self._seconds.get(verdict.subject, 0.0)

    def lemmas(
        self, game: Game, claim: Claim | None, budget: Budget, known: Mapping[str, Verdict] | None = None
    ) -> dict[str, Lemma]:
        """The invariants of a game that may help to decide a claim, or any claim.

        `known` are the verdicts on its claims, by default those of the store. Those without standing are
        checked for a share of a budget; one that still has none is no lemma.
        """
        helping = self.candidates(game, claim, known)
        named = claim.helped_by if claim is not None else ()
        self.check([helping[name] for name in named if name in helping], budget.part(NAMED))
        if not any(name in helping for name in named):  # else the others do not help
            self.check(helping.values(), budget.part(OTHERS, MOST_OTHERS))
        return {name: Lemma(verdict) for name, verdict in helping.items() if self.standing(verdict)}

    def candidates(
        self, game: Game, claim: Claim | None, known: Mapping[str, Verdict] | None = None
    ) -> dict[str, Verdict]:
        """The verdicts that would be lemmas for a claim if they had standing."""
        known = current_verdicts(self.store, game) if known is None else known
        invariants = [name for name, verdict in known.items() if verdict.kind == "invariant"]
        return able_to_help(claim.id if claim is not None else "", known, invariants)


def conditional(verdict: Verdict) -> Verdict:
    """The conditional form of a verdict: its outcome holds if the claims named in its evidence hold."""
    resting = tuple(Evidence("helper", {"claim": x, "outcome": verdict.outcome}) for x in helpers_of(verdict))
    return replace(verdict, outcome=CONDITIONAL, evidence=resting, numbers={}, notes=())
