"""The position from which a measure of `terminates` does not fall.

In: a case whose measure was not proved to fall. Out: a sentence with a ply that leaves the measure unchanged,
raises it or begins below 0: of a random play if one does, so that it can be replayed, else from a position
that formulas allow and that may be unreachable.
"""

from __future__ import annotations

from dataclasses import replace

from rulespec.budgets import OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.types import Int
from rulespec.core.verdicts.wording import plies
from rulespec.play.chance import Chance
from rulespec.play.face import Game as Played
from rulespec.play.face import State
from rulespec.play.machine import Machine
from rulespec.play.plays import Play, states, write_down
from rulespec.play.records.traces import changes
from rulespec.solver.evidence.problem import Case
from rulespec.solver.formulas import TooWide

from .counterexamples_to_induction import unkept
from .sampling import random_plays

SHARE, SECONDS = 0.2, 2.0
"""The share of the remaining budget, and the maximum seconds, for each way to find such a ply."""
MOST_SHOWN = 400
"""Maximum number of characters of a play or a position in a sentence."""


def where_it_need_not_fall(case: Case) -> str:
    """A sentence with a ply that does not lower a case's measure; empty if none was found."""
    if case.claim.condition is None or not isinstance(case.condition.type, Int):
        return ""
    return _on_a_play(case) or _from_any_position(case)


def _on_a_play(case: Case) -> str:
    """A play by chance whose last ply does not lower the measure, in words; empty if none was found."""
    machine, measure, found = Machine(case.game), case.condition, None
    budget = case.budget.part(SHARE, SECONDS)
    before: int | None = None
    for position, (moves, drawn) in random_plays(machine, case, budget):
        if position.fault is not None:
            continue
        now: int = evaluate(measure, {}, machine.situation(position))
        stays = bool(moves) and before is not None and (now >= before or before < 0)
        if stays and (found is None or len(moves) < len(found[0])):
            found = moves, drawn
        before = now
    if found is None:
        return ""
    play, _ = write_down(case.game, found[1], found[0])
    *_, last, end = states(case.game, play)
    return f"{_step(case, 'The last ply of this play', last, end)}, {_play(play)}."


def _from_any_position(case: Case) -> str:
    """A ply from any position that does not lower the measure, in words; empty if none was found."""
    try:
        broken = next(unkept(replace(case, budget=case.budget.part(SHARE, SECONDS))), None)
    except (OutOfBudget, TooWide):
        return ""
    if broken is None:
        return ""
    if not broken.states:
        return f"The action `{broken.action}` was not shown to lower the measure."
    before, after = broken.states
    declared = State(Played(case.game), Machine(case.game).initial(), Chance(None))
    differs = _shorten("; ".join((*changes(declared, before), f"mover: {before.to_move}")))
    where = f"from this position, which perhaps no play reaches (other than as declared): {differs}"
    return f"{_step(case, f'The ply `{after.plays[-1]}`', before, after)}, {where}."


def _step(case: Case, ply: str, before: State, after: State) -> str:
    was, now = (_value(case.condition, state) for state in (before, after))
    if after.fault is not None:
        return f"{ply} faults where the measure is {was}"
    return f"{ply} takes the measure from {was} to {now}"


def _value(measure: n.Expr, state: State) -> int:
    found: int = evaluate(measure, {}, state.game.machine.situation(state.position))
    return found


def _play(play: Play) -> str:
    drawn = f" ({_shorten(', '.join(play.chance))})" if play.chance else ""
    return f"{plies(len(play.plays))}{drawn}: {_shorten('; '.join(play.plays))}"


def _shorten(text: str) -> str:
    return text if len(text) <= MOST_SHOWN else f"{text[:MOST_SHOWN]}…"
