"""Adding certificates to stored verdicts that rest on refutations by an engine, or on a search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path
from typing import Any

from rulespec.budgets import Budget, ChildDied, OutOfBudget, Worker
from rulespec.core.diagnostics import RulesetError
from rulespec.core.verdicts import BOUNDED, Evidence, Store, Verdict
from rulespec.core.verdicts.store_file import StoreFile
from rulespec.solver.certify import BadEvidence, Certificate, CertificateStore, Strategies, Strategy
from rulespec.solver.claims.loading import Loader
from rulespec.solver.engines import choose
from rulespec.solver.evidence import covering, game_value
from rulespec.solver.evidence.engine_rules import asked_again, by_engine, by_evidence
from rulespec.solver.evidence.optimum import beyond
from rulespec.solver.evidence.problem import Case, Progress, is_settled, silent
from rulespec.solver.explore.states import NoValue
from rulespec.solver.methods import best_play

from .options import CertifyOptions
from .recheck import check_one, judge_of

EACH = 300.0
"""The default of `each`, in seconds, if `timeout` is not given either."""

FINDING = 0.6
"""The share of the time for a verdict in which its certificate is searched for; the rest is for its check."""

SHARE = 0.3
"""The share of the remaining time for one proof."""

MOST_BYTES = 14_000_000
"""Maximum bytes of the certificates beside one store."""

ALMOST = 0.97
"""When this share of that limit is used, further certificates have cores in place of proofs."""

UNSHARED = "no certificate of another setting fits"

Made = Certificate | Strategies | None
FULL = f"there is no room: the certificates beside one store take {MOST_BYTES:,} bytes at most"


@dataclass(frozen=True)
class CertificationResult:
    """The result of certifying one verdict.

    `verdict` has the certificate if there is one. `done`: True, False, or None if it had one before.
    """

    verdict: Verdict
    done: bool | None
    text: str


def certify(
    store: Path, loader: Loader, *, progress: Progress = silent, **fields: Any
) -> Iterator[CertificationResult]:
    """Certify the wanted verdicts on a ruleset that rest on formulas, longest decision first.

    Each is decided anew with an engine whose answers are recorded with a proof for each no, and then
    rechecked from that alone; only certificates that pass are kept. Before that, the certificates of the same
    claim under other settings are tried: the questions may be the same, clause by clause. The store is
    written after each verdict, so an interrupt keeps the results so far. Each verdict has an equal share of
    the remaining time.

    `fields` are those of `CertifyOptions`.

    Raises StoreError for a damaged store.
    """
    options = CertifyOptions(**fields)
    unlimited = Budget(inf, options.memory)
    work = _Work(StoreFile(store), CertificateStore(store), loader, unlimited, options, progress)
    ruleset = loader().id
    ours = [v for v in work.store if v.ruleset == ruleset and options.wanted(v)]
    ours.sort(key=lambda verdict: -verdict.seconds)  # what took longest gains most from the room there is
    resting = [(v, e) for v in ours if (e := work.evidence(v)) is not None]
    allowed = options.allowance(EACH)

    def serve(asked: tuple[int, Sequence[str], Budget], send: Progress) -> tuple[CertificationResult, Made]:
        (verdict, evidence), digests, work.budget = resting[asked[0]], *asked[1:]
        work.progress = send
        done = work.share(verdict, evidence, digests)
        if done is None and options.only_share:
            done = CertificationResult(verdict, None, UNSHARED)
        return done or work.certify(verdict, evidence), work.made

    with Worker(serve) as worker:
        for number, (verdict, evidence) in enumerate(resting):
            if not options.again and work.shelf.has(evidence.data.get("certificate")):
                yield CertificationResult(verdict, None, "it has a certificate")
                continue
            digests = work.of_other_settings(verdict, evidence)
            if options.only_share and not digests:
                continue
            progress(f"{verdict.ruleset}: {verdict.claim} ({verdict.key[2]})")
            budget = allowed.question(len(resting) - number)
            try:
                done, work.made = worker.ask((number, digests, budget), budget, progress)
            except OutOfBudget as out:
                done = CertificationResult(verdict, False, f"nothing was decided within {out}")
            except ChildDied as died:
                done = CertificationResult(verdict, False, str(died))
            work.keep(verdict, done)
            yield done


def certificates(store: Store) -> set[str]:
    """The digests of the certificates that verdicts refer to."""
    return {str(e.data["certificate"]) for v in store for e in v.evidence if "certificate" in e.data}


def with_certificate(evidence: Evidence, digest: str) -> Evidence:
    """The evidence with the digest of a certificate."""
    return replace(evidence, data={**evidence.data, "certificate": digest})


@dataclass
class _Work:
    file: StoreFile
    shelf: CertificateStore
    loader: Loader
    budget: Budget
    """The limits for the current verdict."""
    options: CertifyOptions
    progress: Progress
    made: Made = None
    """The latest certificate."""

    @property
    def store(self) -> Store:
        """The current store."""
        return self.file.store

    def keep(self, before: Verdict, done: CertificationResult) -> None:
        """Replace a verdict in the store by its certified form, and drop certificates that no verdict names.

        If another process has replaced the verdict, the store keeps that one.
        """
        with self.file.lock() as store:
            if done.done and store.has(before):
                assert self.made is not None
                self.shelf.keep(self.made)  # another run may have dropped it as unused
                store.put(done.verdict)
                self.file.write()
            self.shelf.drop_but(certificates(store))

    def case(self, verdict: Verdict) -> Case | None:
        """The case of a verdict with a share of the limits; None if the verdict is stale."""
        try:
            game = self.loader(
                parameters=verdict.parameters, readings=verdict.readings, players=verdict.players
            )
        except RulesetError:
            return None
        claim = game.claims.get(verdict.claim)
        if claim is None or not verdict.is_about(game, claim):
            return None
        return Case(game, claim, self.budget.part(FINDING), progress=self.progress)

    def evidence(self, verdict: Verdict) -> Evidence | None:
        """The evidence of a verdict that needs a certificate; None if it needs none, or is stale.

        A bounded verdict gets no certificate if only time set its bound, and one of many readings gets none,
        as its evidence is about another game.
        """
        case = self.case(verdict)
        if case is None or any(e.kind == covering.KIND for e in verdict.evidence):
            return None
        searched = next((e for e in verdict.evidence if e.kind == game_value.KIND), None)
        if searched is not None:
            return searched
        if verdict.outcome == BOUNDED and not any("bound" in e.data for e in verdict.evidence):
            return None
        return by_engine(case.claim, verdict.evidence)

    def of_other_settings(self, verdict: Verdict, evidence: Evidence) -> list[str]:
        """The digests of the certificates of the same claim with the same evidence under other settings."""
        if self.options.again or evidence.kind == game_value.KIND:
            return []
        named = [e for v in self.store.of_claim(verdict.ruleset, verdict.claim) for e in v.evidence]
        digests = {e.data["certificate"]: e for e in named if "certificate" in e.data}
        return [d for d, theirs in digests.items() if theirs == with_certificate(evidence, d)]

    def share(
        self, verdict: Verdict, evidence: Evidence, digests: Sequence[str]
    ) -> CertificationResult | None:
        """The result of taking one of these certificates; None if none fits."""
        for digest in digests:
            with suppress(BadEvidence):  # it may be missing or damaged
                done = self._add_certificate(verdict, evidence, self.shelf.read(digest))
                if done.done:
                    return done
        return None

    def certify(self, verdict: Verdict, evidence: Evidence) -> CertificationResult:
        """Try to make a certificate for a verdict; returns the result."""
        from rulespec.solver.certify.recording_engine import RecordingEngine

        most = 0 if self.shelf.size() > ALMOST * MOST_BYTES else self.options.proofs
        case, data = self.case(verdict), evidence.data
        assert case is not None
        budget = case.budget
        try:
            if evidence.kind == game_value.KIND:
                listed = best_play.strategies(case, data["at_least"], data["at_most"])
                made = Strategies(tuple(Strategy(*one) for one in listed))
                return self._add_certificate(verdict, evidence, made)
            engine = choose(self.options.engine, budget.memory, refutes=True)
            recorder = RecordingEngine(engine, lambda: budget.seconds_left * SHARE, most)
            asked = asked_again(replace(case, oracle=recorder), verdict.evidence, self.store)
            answer = by_evidence(beyond(asked, data) if "bound" in data else asked, evidence)
        except (NoValue, BadEvidence) as why:
            return CertificationResult(verdict, False, str(why))
        if not is_settled(answer):
            open_ = " ".join(answer.remarks) or "it was not decided" if answer else "it needs no certificate"
            return CertificationResult(verdict, False, open_)
        return self._add_certificate(verdict, evidence, recorder.certificate())

    def _add_certificate(
        self, verdict: Verdict, evidence: Evidence, certificate: Certificate | Strategies
    ) -> CertificationResult:
        """Add a certificate to the verdict if there is room for it and it passes."""
        self.made = certificate
        digest, size = self.shelf.keep(certificate)
        if self.shelf.size() > MOST_BYTES:
            return CertificationResult(verdict, False, FULL)
        parts = {id(evidence): with_certificate(evidence, digest)}
        certified = replace(verdict, evidence=tuple(parts.get(id(e), e) for e in verdict.evidence))
        judge = judge_of(self.store, self.budget, shelf=self.shelf)
        check = check_one(judge, self.loader, certified)
        text = f"{check.text} ({size:,} bytes)"
        return CertificationResult(certified if check.passed else verdict, check.passed is True, text)
