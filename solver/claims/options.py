"""The options of `prove`, `recheck` and `certify`, each as one value, and the events that these yield."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import inf
from pathlib import Path

from rulespec.budgets import Allowance, Budget
from rulespec.core.verdicts import Store, Verdict
from rulespec.executors import Executor
from rulespec.solver.evidence.checks import Check


class Scope(Enum):
    """The readings under which claims are decided."""

    USUAL = "usual"
    """The readings of the setting alone."""
    NAMED = "named"
    """Those, and all combinations of the rulings that a claim names in `across`."""
    ALL = "all"
    """Those, and each reading of every other ruling alone."""


@dataclass(frozen=True)
class CallLimits:
    """The limits of a call that answers many questions.

    Attributes:
        timeout: seconds for the whole call; None for no limit.
        each: seconds for each question; if neither is given, the default of the call.
        memory: megabytes for this process and its children together.
        engine: the engine for formulas; None for the best installed one.
    """

    timeout: float | None = None
    each: float | None = None
    memory: int = 4_000
    engine: str | None = None

    @property
    def budget(self) -> Budget:
        """Start the budget of the whole call."""
        return Budget(inf if self.timeout is None else self.timeout, self.memory)

    def allowance(self, each: float) -> Allowance:
        """The budgets of the call and of each question, with a default of `each` seconds."""
        return Allowance(self.timeout, self.each, self.memory, each)


@dataclass(frozen=True)
class ProveOptions(CallLimits):
    """The options of `prove`. Without `timeout` and `each` a claim has 60 s under the default readings and 60
    s under all others.

    Attributes:
        claims: the claims to decide; None for all that are not about one deal at a time.
        scope: the readings under which they are decided.
        players, parameters, readings: the setting of the game; `readings` are fixed.
        store: where verdicts are kept. A path is read first and written after each verdict, so that an
            interrupt keeps what was decided. A weaker verdict does not replace a stored one.
        reuse: take settled stored verdicts on the same game and claim as they are. At the end those without a
            stamp are checked, for at most 10 seconds: one that is not confirmed then is `unchecked`, and one
            that is wrong is removed from the store and decided anew. Stored verdicts on helping claims that
            were not named are taken in any case.
        retry: decide unsettled stored verdicts anew; without it those are reused, too.
        doubt: test claims that hold for vacuity.
        known: subjects of stored verdicts that the caller knows to belong to the current rules.
        executor: decides deals and other readings. Its answers to deals are kept in the user's cache.
        ruleset: the name or path by which the executor loads the ruleset.
    """

    claims: Sequence[str] | None = None
    scope: Scope = Scope.NAMED
    players: int | None = None
    parameters: Mapping[str, int | str] = field(default_factory=dict)
    readings: Mapping[str, str] = field(default_factory=dict)
    store: Path | Store | None = None
    reuse: bool = False
    retry: bool = True
    doubt: bool = True
    known: Container[tuple[str, ...]] = ()
    executor: Executor | None = None
    ruleset: str = ""


def _unknown(verdict: Verdict) -> None:
    """The default of `measured` and `vouched`: nothing is known of a verdict."""


@dataclass(frozen=True)
class RecheckOptions(CallLimits):
    """The options of `recheck`; a verdict has 60 s if neither `timeout` nor `each` is given.

    Attributes:
        claims: the claims whose verdicts are checked, with those on which they rest; None for all.
        only: the subjects of the verdicts that are checked; None for all.
        jobs: the number of verdicts checked in parallel, each in its own process. Verdicts that
            rest on one exploration, or on one setting at about the same cost, follow each other in
            one process.
        second: a solver that confirms each refutation.
        export: a folder to which refutations are written (see `Witness`).
        vouched: gives the text of an earlier check that a verdict passed and that is not repeated, or None.
        measured: gives the seconds that the check of a verdict has taken elsewhere, or None.
    """

    claims: Sequence[str] | None = None
    only: Container[tuple[str, ...]] | None = None
    jobs: int = 1
    second: str | None = None
    export: Path | None = None
    vouched: Callable[[Verdict], str | None] = _unknown
    measured: Callable[[Verdict], float | None] = _unknown


@dataclass(frozen=True)
class CertifyOptions(CallLimits):
    """The options of `certify`; a verdict has 300 s if neither `timeout` nor `each` is given.

    Attributes:
        again: make certificates anew even if there are some.
        wanted: selects the verdicts to certify.
        only_share: decide nothing anew; only certificates of other settings are tried.
        proofs: maximum number of characters of the proofs in one certificate; of the largest proofs only
            the cores are kept. The default is about a megabyte and a half compressed.
    """

    again: bool = False
    proofs: int = 12_000_000
    wanted: Callable[[Verdict], bool] = lambda verdict: True
    only_share: bool = False


@dataclass(frozen=True)
class VerdictReached:
    """A verdict was reached, with its number (from 1) and the total."""

    verdict: Verdict
    number: int
    total: int


@dataclass(frozen=True)
class LeftOut:
    """The time ended before a claim was begun under this many settings."""

    claim: str
    settings: int


@dataclass(frozen=True)
class VerdictChecked:
    """A stored verdict was checked, with its number (from 1) and the total."""

    check: Check
    number: int
    total: int


ProveEvent = VerdictReached | VerdictChecked | LeftOut
"""An event of `decide_claims`."""
