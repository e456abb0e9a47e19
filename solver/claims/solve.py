"""The best that a given deal allows, everything about it known."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rulespec.budgets import Budget, Died, Listener, OutOfBudget, Worker, ignore
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import Store, Verdict
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.plays import Play
from solver.evidence.problem import Answer, Case, Progress, silent
from solver.methods.scheduler import decide

from .worker import Reply, overrun, written

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

    Returns the verdict, and the play that is its witness if there is one. `timeout` in seconds bounds the
    call, `memory` in megabytes this process and its children together. `settled` are verdicts on the game's
    other claims, which may help. With `shortest` positions are explored ply by ply before plays are searched
    for, so that a play found there is a shortest one. An interrupt ends the call with the partial answer, if
    there is one. Raises NoPuzzle, ValueError without a deal, ChanceError for a deal that cannot be.
    """
    asked, budget = puzzle(game, claim), Budget(timeout, memory)
    if (seed is None) == (chance is None):
        raise ValueError("give a seed or the outcomes of chance")
    reached: list[Reply] = []

    def serve(request: None, send: Listener) -> Reply:
        return solved(
            game, asked, budget, seed=seed, chance=chance, engine=engine, shortest=shortest, settled=settled,
            send=send,
        )  # fmt: skip

    def listener(message: str | Reply) -> None:
        if isinstance(message, str):
            progress(message)
        else:
            reached[:] = [message]

    try:
        with Worker[None, Reply](serve) as worker:
            reply = worker.ask(None, budget, listener)
    except KeyboardInterrupt:
        if not reached:
            raise
        reply = reached[0].remarked("It was interrupted.")
    except (OutOfBudget, Died) as out:
        reply = overrun(game, asked, budget, out, reached[0] if reached else None)
    if store is not None:
        for record in reply.records.values():
            store.keep(record)
    return reply.verdict, reply.play


def solved(
    game: Game,
    claim: Claim,
    budget: Budget,
    *,
    seed: int | str | None = None,
    chance: Sequence[str] | None = None,
    engine: str | None = None,
    shortest: bool = False,
    settled: Mapping[str, Verdict] | None = None,
    send: Listener = ignore,
) -> Reply:
    """Settle a claim in this process, where only loops that test the budget are bound by it; see `solve`.

    `send` receives partial answers as replies, and the progress of the search as texts.
    """
    given = (
        Machine(game).start(Chance(None, tuple(chance or ()))).outcomes if seed is None else deal(game, seed)
    )

    def on_partial(of: Case, answer: Answer) -> None:
        if of.claim is claim:
            send(written(of, answer))

    case = Case(
        game,
        claim,
        budget,
        given,
        settled or {},
        engine=engine,
        progress=send,
        shortest=shortest,
        on_partial=on_partial,
    )
    return written(case, decide(case))
