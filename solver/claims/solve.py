"""The best that a given deal allows, everything about it known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from rulespec.budgets import Budget
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import Store, Verdict
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine

from .case import Case, Progress, silent
from .decide import decide, verdict_of
from .plays import Play

PUZZLES = ("best", "reachable", "unreachable")
"""The kinds of claim that can be asked of a deal."""


class NoPuzzle(ValueError):
    """A game that makes no claim that could be asked of a deal, or not the one named."""


def deal(game: Game, seed: int | str) -> tuple[str, ...]:
    """The outcomes of chance in the setup that a seed gives."""
    return Machine(game).start(Chance(str(seed))).outcomes


def puzzle(game: Game, name: str | None = None) -> Claim:
    """The claim to ask of a deal: the one named, or the first of a fitting kind marked `from: deal`.

    A game in which nothing is dealt is a puzzle as it stands: there the first of a fitting kind will do.
    NoPuzzle if there is none.
    """
    if name is not None:
        found = game.claims.get(name)
        if found is None or found.kind not in PUZZLES:
            raise NoPuzzle(f"`{game.id}` has no claim `{name}` that can be asked of a deal")
        return found
    fitting = [claim for claim in game.claims.values() if claim.kind in PUZZLES]
    for claim in fitting:
        if claim.options.get("from") == "deal":
            return claim
    if fitting and game.players == 1 and not game.has_chance:
        return fitting[0]
    raise NoPuzzle(f"`{game.id}` has no claim that is asked `from: deal`")


def solve(
    game: Game,
    claim: str | None = None,
    *,
    seed: int | str | None = None,
    chance: Sequence[str] | None = None,
    timeout: float = 60.0,
    memory: int = 4_000,
    engine: str | None = None,
    shortest: bool = False,
    progress: Progress = silent,
    settled: Mapping[str, Verdict] | None = None,
    store: Store | None = None,
) -> tuple[Verdict, Play | None]:
    """Settle a claim from one deal, given by `seed` or as outcomes of chance (say of a record).

    Gives the verdict, and the play that is its witness if there is one. `settled` are verdicts on
    the game's other claims, which may help. With `shortest` every position is looked at, one ply after
    the other, before plays are looked for, so that none is shorter than one found there. An interrupt
    ends it with what is known by then, if that is anything. Raises NoPuzzle, ValueError without a deal,
    ChanceError for a deal that cannot be.
    """
    asked = puzzle(game, claim)
    if (seed is None) == (chance is None):
        raise ValueError("give a seed or the outcomes of chance")
    outcomes = (
        deal(game, seed)
        if seed is not None
        else Machine(game).start(Chance(None, tuple(chance or ()))).outcomes
    )
    case = Case(
        game,
        asked,
        Budget(timeout, memory),
        outcomes,
        settled or {},
        engine=engine,
        progress=progress,
        shortest=shortest,
    )
    try:
        answer = decide(case)
    except KeyboardInterrupt:
        if case.known is None or not case.known.proofs:
            raise
        answer = replace(case.known, notes=(*case.known.notes, "It was interrupted."))
    kept = store if store is not None else Store()
    play = next((proof.play for proof in answer.proofs if proof.play is not None), None)
    return verdict_of(case, answer, kept), play
