"""Decides whether each candidate part is live (a play shows it), dead, or open."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rulespec.budgets import Budget
from rulespec.core import nodes as n
from rulespec.core.game import Claim, Game
from rulespec.core.types import BOOL
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED
from rulespec.core.verdicts.lemmas import Lemma
from rulespec.core.verdicts.wording import plies
from rulespec.noticing.parts import ACTION, BRANCH, CASE, CLAIM, END, REACTION, Part, parts_of
from rulespec.noticing.settings import Setting, elsewhere
from rulespec.play.plays import Play
from rulespec.solver.claims.loading import Loader
from rulespec.solver.evidence.problem import Case, Progress, silent
from rulespec.solver.methods.scheduler import decide, strongest

from .instrumented_games import instrument, showing
from .random_playouts import parts_without_effect

WANDER = 3.0
"""Seconds of random plays at first."""
ELSEWHERE = 1.0
"""Seconds of random plays under each other setting."""
INDUCTION = 0.3
"""The share of the time for a part in which an induction tries to prove it idle in any position."""


@dataclass(frozen=True)
class Finding:
    """A part that is certainly idle (`proved`), or was never seen in use, with the evidence."""

    part: Part
    proved: bool
    statement: str


@dataclass(frozen=True)
class PriorResults:
    """Earlier results about a game: claims that hold, and plays, which are tried."""

    lemmas: Mapping[str, Lemma]
    plays: Sequence[Play] = ()


NOTHING_KNOWN = PriorResults({})


def dead_parts(
    game: Game,
    loader: Loader,
    *,
    players: Sequence[int] = (),
    known: PriorResults = NOTHING_KNOWN,
    timeout: float = 10.0,
    memory: int = 4_000,
    progress: Progress = silent,
) -> Iterator[Finding]:
    """Find the idle parts of a game, one by one.

    Parts that random plays do not show, here, with other numbers of `players` or under another reading, are
    decided like claims, each within `timeout` seconds and `memory` megabytes.
    """
    parts = parts_of(game)
    progress("random plays")
    unsettled = [part for part in parts if not part.is_settled]
    hidden, plays = parts_without_effect(game, unsettled, Budget(WANDER, memory))
    left = [part for part in parts if part.is_settled or part in hidden]
    alive: dict[tuple[str, str, str], tuple[Setting, Game, Part]] = {}
    for setting in elsewhere(game, players):
        there = setting.of(game, loader) if left else None
        if there is not None and there.digest != game.digest:
            progress(f"random plays where {setting}")
            wanted = {part.key for part in left}
            same = [part for part in parts_of(there) if part.key in wanted and not part.is_settled]
            hidden, _ = parts_without_effect(there, same, Budget(ELSEWHERE, memory))
            for part in hidden:
                alive.setdefault(part.key, (setting, there, part))
            shown = {part.key for part in same if part not in hidden}
            left = [part for part in left if part.key not in shown]
    dead: set[str] = set()
    for part in left:
        if part.kind in (BRANCH, CASE) and part.clause in dead:
            continue  # the clause as a whole never matters
        progress(f"{part.kind} `{part.name}`")
        if part.is_settled and part.key in alive:  # under another setting it is not
            setting, there, part_there = alive[part.key]
            result = _finding(there, part_there, NOTHING_KNOWN, Budget(timeout, memory), progress)
            result = _settled_here(result, setting)
        else:
            result = _finding(game, part, known, Budget(timeout, memory), progress)
            if result is not None and not result.proved and not part.is_settled:
                where = f"Not seen in {plays} random plays. "
                result = replace(result, statement=where + result.statement)
        if result is not None:
            dead |= {part.clause} if part.kind in (ACTION, END, REACTION) else set()
            yield result


def _settled_here(found: Finding | None, setting: Setting) -> Finding | None:
    """The finding for a part that is settled here, adapted from another setting; it is never certain."""
    if found is None:
        return None
    but = f"Here it always holds; where {setting}"
    statement = f"{but} it refuses nothing that would otherwise be legal, either" if found.proved else but
    return replace(found, proved=False, statement=f"{statement}: {found.statement}")


def _finding(
    game: Game, part: Part, known: PriorResults, budget: Budget, progress: Progress
) -> Finding | None:
    """The finding for a part; None if the part is live."""
    if part.is_settled:
        return Finding(part, True, "It holds whatever the position.")
    made = instrument(game, [part], stops=True)
    goal = showing(game, part, made.flags[0])
    asked = game if part.kind == CLAIM else made.game
    case = Case(
        asked,
        Claim("idle", "", "invariant", n.Not(BOOL, goal)),
        budget.part(INDUCTION),
        lemmas=known.lemmas,
        hints=known.plays,
        progress=progress,
    )
    answer = decide(case)
    if answer.outcome not in (PROVED, REFUTED):
        reached = replace(case, claim=Claim("idle", "", "unreachable", goal), budget=budget)
        answer = strongest(reached, (decide(reached), answer))
    if answer.outcome == REFUTED:
        return None
    if answer.outcome == PROVED:
        return Finding(part, True, "This is so in every play.")
    if answer.outcome == BOUNDED and "plies" in answer.numbers:
        words = f"This is so in the first {plies(answer.numbers['plies'])} of every play."
        return Finding(part, False, words)
    return Finding(part, False, f"Not decided in {budget.seconds:.0f} s.")
