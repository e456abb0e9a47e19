"""The comparison of two games, for claims and for commands."""

from __future__ import annotations

from collections.abc import Mapping

from rulespec.budgets import Budget
from rulespec.core.game import Claim, Game, Other
from rulespec.core.verdicts import Store, Verdict
from rulespec.core.verdicts.lemmas import Lemma
from rulespec.play.plays import Play
from rulespec.solver.evidence.problem import Case, Progress, silent
from rulespec.solver.methods.scheduler import decide
from rulespec.solver.methods.verdicts import verdict_of


def compare(
    game: Game,
    other: Game,
    name: str = "",
    *,
    timeout: float = 60.0,
    memory: int = 4_000,
    engine: str | None = None,
    progress: Progress = silent,
    lemmas: Mapping[str, Lemma] | None = None,
) -> tuple[Verdict, Play | None]:
    """The verdict on whether two games are the same; `name` describes the second game in sentences.

    Also returns a play of the first game that leads to a difference, if there is one. `lemmas` are claims of
    the first game that a gate admitted.
    """
    called = name or f"`{other.id}`"
    options = {"other": Other(called, lambda: other)}
    claim = Claim("same", f"It is the same game as {called}.", "equivalent", None, options)
    case = Case(game, claim, Budget(timeout, memory), lemmas=lemmas or {}, engine=engine, progress=progress)
    answer = decide(case)
    play = next((proof.play for proof in answer.proofs if proof.play is not None), None)
    return verdict_of(case, answer, Store()), play
