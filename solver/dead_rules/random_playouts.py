"""Random plays by generated code, which show the live parts of a game."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from contextlib import suppress
from math import inf

from rulespec.budgets import Budget
from rulespec.code import GameCode, TooLarge, write
from rulespec.code.body import B, S
from rulespec.code.execution.kernel_names import KernelNames, call_question
from rulespec.code.execution.pacing import Pace
from rulespec.core.game import Game
from rulespec.machine import form as f
from rulespec.machine.builder import Builder, both, equal, load
from rulespec.noticing.parts import Part
from rulespec.solver.explore.monte_carlo import Playouts

from .instrumented_games import instrument, showing

MOST_PLIES = 3_000
"""A play is abandoned after this many plies."""
SLICE = 0.2
"""Approximate seconds between two evaluations."""


def parts_without_effect(
    game: Game, parts: Sequence[Part], budget: Budget, enough: float = inf
) -> tuple[list[Part], int]:
    """The parts of a game that random plays do not show, and the number of plays.

    Play stops when every part has been seen, the budget is spent, or `enough` plays were made. If the game
    has no code, no part is seen.
    """
    open_, plays = list(parts), 0
    with suppress(TooLarge):
        for open_, plays in _play_slices(game, parts):
            if not open_ or budget.exceeded_limit or plays >= enough:
                break
    return open_, plays


def _play_slices(game: Game, parts: Sequence[Part]) -> Iterator[tuple[list[Part], int]]:
    """The parts not seen yet and the number of finished plays, after each slice of random plays."""
    made = instrument(game, parts, stops=False)
    pairs = enumerate(zip(parts, made.flags, strict=True))
    asked = {f"shown {i}": showing(game, part, flag) for i, (part, flag) in pairs if not part.is_taken}
    written = write(made.game, asked)
    playouts = Playouts(written, "showing", declarations(written, asked))
    actions = len(made.game.actions)
    room = playouts.instance.room
    seen, found, pace = room("numbers", actions + len(parts)), room("numbers", 2), Pace(SLICE)
    while True:
        with pace as step:
            playouts.run("wander", int(found[0]) + step, MOST_PLIES, seen, found)
        shown = {row for i, row in enumerate(made.rows, len(game.actions)) if seen[i]}
        shown |= {i for i in range(len(parts)) if seen[actions + i]}
        yield [part for i, part in enumerate(parts) if i not in shown], int(found[0])


def declarations(written: GameCode, asked: Collection[str]) -> KernelNames:
    """The names that the kernel `showing` needs; added actions are tested and never taken."""
    own = sum(not name.startswith("shown ") for name in written.program.game.actions)
    body = Builder()
    seen = body.local("seen", f.NUMBERS)
    for name in asked:
        place = len(written.rows.actions) + int(name.split()[1])
        with body.when(both(equal(load(seen, place), 0), call_question(written, name))):
            body.store(seen, place, 1)
    body.give(0)
    return {"OWN_ACTIONS": own, "note_shown": body.function("note_shown", [seen, S, B], [f.NUMBER])}
