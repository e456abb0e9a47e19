"""The check of one stored verdict: of its subject here, of its evidence by the judge."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from math import inf
from pathlib import Path
from typing import Any

from rulespec.budgets import Budget
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Claim, Game
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

from .vacuity import noted


@dataclass
class Checking:
    """Checks the verdicts of one ruleset, within limits."""

    store: Store
    loader: Loader
    timeout: float
    memory: int
    engine: str | None
    progress: Progress = silent
    until: Budget = field(default_factory=lambda: Budget(inf))
    """The total budget; verdicts whose check has not begun at its end are left out."""
    chance: tuple[str, ...] | None = None
    """The deal that the verdicts are about; none for every deal."""
    shelf: CertificateStore | None = None
    """Where their certificates are."""
    second: SecondSolver | None = None
    """The solver that confirms each refutation."""
    export: Path | None = None
    """The folder to which refutations are written."""

    def check(self, verdict: Verdict) -> Check:
        """Check one verdict."""
        self.progress(f"{verdict.claim} ({verdict.key[2]})")
        try:
            game = self.loader(
                parameters=verdict.parameters, readings=verdict.readings, players=verdict.players
            )
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
            return Check(
                verdict, False, f"it is about a claim of the kind `{verdict.kind}`, not `{claim.kind}`"
            )
        if verdict.outcome == UNDECIDED:
            if verdict.evidence or verdict.numbers:
                return Check(verdict, False, "undecided, and yet it has evidence")
            return Check(verdict, None, "undecided: there is nothing to check")
        if self.until.left <= 0:
            return Check(verdict, None, "left out: the time allowed for all of them is over")
        judge = self._judge()
        check = judge.shown(game, claim, verdict)
        if check.passed is True and check.found is not None and self.chance is None:
            check = replace(check, found=noted(judge.case(game, claim), check.found))
        return complete(check)

    def shown(self, game: Game, claim: Claim, verdict: Verdict) -> Check:
        """Check the evidence of a verdict, without a search for notes on vacuous claims."""
        return self._judge().shown(game, claim, verdict)

    def _judge(self) -> Judge:
        budget = self.until.part(1.0, self.timeout)
        budget.memory = self.memory
        return Judge(
            self.store,
            budget,
            self._redone,
            self.engine,
            self.progress,
            self.chance,
            self.shelf,
            self.second,
            self.export,
        )

    def _redone(self, case: Case, verdict: Verdict, data: Mapping[str, Any]) -> Check:
        """Decide all deals of the evidence again."""
        try:
            asked = replace(case, settled=current(self.store, case.game))
            again = deals.again(asked, data, verdict, decide)
        except deals.Wrong as why:
            return Check(verdict, False, str(why))
        if again.left:
            return unchecked(verdict, again.how)
        return replace(compared(verdict, again.answer, again.how), rests_on=again.rests_on)
