"""Why a claim cannot be shown by induction over one ply: positions from which a ply breaks what it says.

Such a position need not be one that plays reach. What rules it out is the invariant that is missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rulespec.budgets import Budget, OutOfBudget
from rulespec.core.game import Claim, Game
from rulespec.core.types import Int
from rulespec.core.verdicts.lemmas import Lemma
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

KINDS = ("invariant", "never_stuck", "never_faults", "terminates")
"""The kinds of claim that an induction may show."""


@dataclass(frozen=True)
class Unkept:
    """An action that need not keep what a claim says: the state before it and the one after, played by the
    interpreter. `states` is empty where formulas left open what the interpreter needs to know.
    """

    action: str
    states: tuple[State, ...]


@dataclass(frozen=True)
class Why:
    """The actions that break an induction over one ply; `stopped` says why no more were asked, if so."""

    broken: tuple[Unkept, ...]
    stopped: str = ""


def why_unkept(
    game: Game, claim: Claim, lemmas: Mapping[str, Lemma], timeout: float, memory: int, engine: str | None
) -> Why:
    """Ask of each action whether it keeps what a claim says, given other claims that hold.

    Of a claim that no induction shows nothing is asked.
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
    """For each action that breaks an induction over one ply a position where it does.

    OutOfBudget and TooWide as for any question. Nothing for a claim of another kind.
    """
    measure, t = case.claim.condition, case.condition.type
    if case.claim.kind not in KINDS or (case.claim.kind == "terminates" and not isinstance(t, Int)):
        return
    bads, about = forbidden(case) if case.claim.kind != "terminates" else (None, [])
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
            question = falling(case, measure, total, action)
            broken = not falls(question, total)
            stays = not_lowered(question, total) if broken else []
            if stays and not question.possible([-question.watched_fault(1)], one_of=stays):
                continue
        if broken:
            yield Unkept(action, _states(played, question))


def _states(game: Played, question: Question) -> tuple[State, ...]:
    """The state that a question's last yes begins with, and the one after its ply."""
    found = question.model_values(0)
    initial = game.machine.initial().values
    values = tuple(found.get(var, value) for var, value in zip(game.machine.variables, initial, strict=True))
    chance, (move,) = question.moves()
    before = State(game, Position(values), Chance(None, chance))
    try:
        return before, before.play(move)
    except (IllegalAction, ChanceError):
        return ()
