"""The best result that a given deal allows, with full information."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import closing

from rulespec.budgets import Budget
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import Store, Verdict
from rulespec.core.verdicts.lemmas import Lemma
from rulespec.core.verdicts.properties import property_of
from rulespec.play.plays import Play
from rulespec.solver.evidence.problem import Progress, silent

from .worker import Questions, Request


class NoPuzzle(ValueError):
    """Raised if a game has no claim that can be about a deal, or not the named one."""


def puzzle(game: Game, name: str | None = None) -> Claim:
    """The claim to decide for a deal: the named one, or the first of a fitting kind marked `from: deal`.

    In a game without a deal it is the first claim that a play can settle. Raises NoPuzzle.
    """
    if name is not None:
        found = game.claims.get(name)
        if found is None or not property_of(found).takes("from"):
            raise NoPuzzle(f"`{game.id}` has no claim `{name}` that can be asked of a deal")
        return found
    fitting = [claim for claim in game.claims.values() if property_of(claim).is_asked_of_deals]
    for claim in fitting:
        if claim.is_of_one_deal:
            return claim
    if fitting and game.players == 1 and not game.has_chance:
        return fitting[0]
    raise NoPuzzle(
        f"`{game.id}` has no claim that is asked `from: deal`; without one, only a game for one player in "
        "which nothing is dealt is a puzzle"
    )


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
    lemmas: Mapping[str, Lemma] | None = None,
    hints: Sequence[Play] = (),
    store: Store | None = None,
) -> tuple[Verdict, Play | None]:
    """Decide a claim for one deal, given by `seed` or by chance outcomes (such as those in a record).

    Returns the verdict, and its witness play if there is one. `timeout` in seconds bounds the call, `memory`
    in megabytes this process and its children together. `lemmas` are other claims of the game that a gate
    admitted, `hints` plays to try first. With `shortest`, positions are explored ply by ply before plays are
    searched for, so that a play found there is a shortest one. An interrupt ends the call with the partial
    answer, if there is one. Raises NoPuzzle, ValueError without a deal, ChanceError for an impossible deal.
    """
    asked, budget = puzzle(game, claim), Budget(timeout, memory)
    if (seed is None) == (chance is None):
        raise ValueError("give a seed or the outcomes of chance")
    request = Request(
        asked.id, budget, lemmas=lemmas or {}, hints=hints, seed=seed, chance=chance, engine=engine,
        shortest=shortest,
    )  # fmt: skip
    with closing(Questions(lambda readings, left_open: game, ({}, game), progress)) as questions:
        try:
            reply = questions.ask(game, request)
        except KeyboardInterrupt:
            if questions.reached is None:
                raise
            reply = questions.reached.with_remark("It was interrupted.")
    if store is not None:
        for record in reply.records.values():
            store.keep(record)
    return reply.verdict, reply.play
