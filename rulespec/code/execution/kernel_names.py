"""The constants of a game that kernels use, beside its code; see `rulespec.kernels.game`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ...core.sides import bits, maximising_side
from ...machine import form as f
from ...machine.builder import Builder, equal, number
from ..body import B, S
from ..writer import GameCode

KernelNames = Mapping[str, int | f.Table | f.Function]
"""Names that kernels need besides a game's own code: numbers, truth values, tables and functions."""


def kernel_constants(written: GameCode) -> dict[str, int | f.Table | f.Function]:
    """The constants of a game that kernels use: sizes, special actions, places of variables, and its kind."""
    program, actions = written.program, len(written.rows.actions)
    players = program.game.player.values
    return {
        "WIDTH": written.width, "CELLS": program.state_cells, "WORDS": len(program.words),
        "ACTIONS": actions, "SETTING_UP": actions, "SETTLING": actions + 1,
        "OVER_AT": program.offsets[program.game.state["over"]].at,
        "MOVER_AT": program.offsets[program.game.state["mover"]].at,
        "ENDED_AT": written.constants["ENDED"], "FAULT_AT": written.constants["FAULT"],
        "CHANCY": program.game.has_chance_in_play, "STUCK": len(program.game.ends) + 1,
        "PASSES": program.game.turn.stuck == "pass" and program.game.players > 1,
        "MAXIMISERS": bits(maximising_side(program.game)),
        "FIRST_PLAYER": players[0], "LAST_PLAYER": players[-1],
    }  # fmt: skip


def scoring_names(written: GameCode) -> dict[str, int | f.Table | f.Function]:
    """The constants for kernels that evaluate plays, with `score` replaced by 0 if the game has none."""
    names, scored = kernel_constants(written), written.program.game.outcome.score is not None
    names["SCORED"] = scored
    if not scored:
        names["score"] = function_returning("score", number(0), f.Local(f.NUMBER, "player"))
    return names


def kernel_table(name: str, values: Iterable[int], kind: f.Type = f.NUMBERS) -> f.Table:
    """A table of whole numbers or words; an empty one gets a single 0."""
    return f.Table(name, kind, tuple(values) or (0,))


def call_question(written: GameCode, name: str) -> f.Expr:
    """A call of a question of the code, for a function of `s` and `b`."""
    return f.Call(f.NUMBER, written.asked[name][0], (S, B))


def answering(answers: Iterable[f.Expr]) -> f.Function:
    """The function that answers for kernels the question with a number about a state."""
    body = Builder()
    question = body.local("question")
    for i, answer in enumerate(answers):
        with body.when(equal(question, i)):
            body.give(answer)
    body.give(0)
    return body.function("answer", [question, S, B], [f.NUMBER])


def function_returning(name: str, e: f.Expr, *parameters: f.Local, body: Builder | None = None) -> f.Function:
    """A function of the state and further parameters that returns an expression, after an optional body."""
    body = body or Builder()
    body.give(e)
    return body.function(name, [S, B, *parameters], [e.type])
