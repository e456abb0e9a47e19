"""Counterexamples to induction over one ply: positions from which a ply breaks a claim.

Such a position need not be reachable. The invariant that excludes it is the one that is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core.game import Claim, Game
from rulespec.core.types import Int
from rulespec.core.verdicts.lemmas import Lemma
from rulespec.core.verdicts.properties import Form
from rulespec.play.chance import Chance, ChanceError
from rulespec.play.errors import IllegalAction
from rulespec.play.face import Game as Played
from rulespec.play.face import State
from rulespec.play.position import Position
from rulespec.solver.evidence.k_induction import forbidden, step
from rulespec.solver.evidence.problem import Case
from rulespec.solver.evidence.ranking import falling
from rulespec.solver.formulas import TooWide
from rulespec.solver.formulas.linear.linear_forms import linear_form
from rulespec.solver.formulas.linear.ranking_functions import falls, not_lowered
from rulespec.solver.formulas.unrolling.question import Question


@dataclass(frozen=True)
class Unkept:
    """An action that may break a claim: the state before it and the one after, replayed by the interpreter.

    `states` is empty if formulas left open what the interpreter needs to know.
    """

    action: str
    states: tuple[State, ...]


@dataclass(frozen=True)
class Why:
    """The actions that break an induction over one ply; `stopped` says why the search ended early, if it
    did."""

    broken: tuple[Unkept, ...]
    stopped: str = ""


def why_unkept(
    game: Game, claim: Claim, lemmas: Mapping[str, Lemma], timeout: float, memory: int, engine: str | None
) -> Why:
    """Find the actions that may break a claim, with other claims granted.

    There are none for a claim of a kind that induction cannot prove.
    """
    case = Case(game, claim, Budget(timeout, memory), lemmas=lemmas, engine=engine)
    found: list[Unkept] = []
    stopped = ""
    try:
        found.extend(unkept(case))
    except OutOfBudget as out:
        stopped = str(out)
    except TooWide as wide:
        stopped = f"formulas do not cover it: {wide}"
    return Why((*found,), stopped)


def unkept(case: Case) -> Iterator[Unkept]:
    """For each action that breaks an induction over one ply, a position in which it does.

    Raises OutOfBudget and TooWide like any question. Empty for claims of other kinds.
    """
    measure, t = case.claim.condition, case.condition.type
    ends = case.prop.form is Form.ENDS
    if not case.prop.is_inductive or (ends and not isinstance(t, Int)):
        return
    bads, about = forbidden(case) if not ends else (None, [])
    begin = Question(case, "initial", None, about)
    played = Played(case.game)
    for action in case.game.actions:
        case.progress(f"induction: `{action}`")
        if bads is not None:
            question = step(case, bads, about, 1, begin, [action])
            broken = question.possible(one_of=bads(question, 1))
        else:
            assert measure is not None
            total = linear_form(measure)
            question = falling(case, [measure], [total], action)
            broken = not falls(question, [total])
            stays = not_lowered(question, total) if broken else []
            if stays and not question.possible([-question.watched_fault(1)], one_of=stays):
                continue
        if broken:
            yield Unkept(action, states_of(played, question))


def states_of(game: Played, question: Question) -> tuple[State, ...]:
    """The state in which a question's last model begins, and the state after its ply."""
    found = question.model_values(0)
    initial = game.machine.initial().values
    values = tuple(found.get(var, value) for var, value in zip(game.machine.variables, initial, strict=True))
    chance, (move,) = question.moves()
    before = State(game, Position(values), Chance(None, chance))
    try:
        return before, before.play(move)
    except (IllegalAction, ChanceError):
        return ()
