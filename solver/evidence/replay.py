"""Plays as evidence: the interpreter replays a play, and the claim is evaluated where it ends.

This is the only way in which a play becomes evidence, whatever found it, and in which it is checked again.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Claim, Game
from rulespec.core.types import BOOL
from rulespec.core.verdicts.properties import Event, Form, Over, property_of
from rulespec.play.face import State
from rulespec.play.machine import Machine
from rulespec.play.plays import BadPlay, Play, perform, states
from rulespec.play.position import STUCK
from rulespec.solver.explore import without_draw_count
from rulespec.solver.pairs import Correspondence, Incomparable
from rulespec.solver.pairs.images import generators, unlike
from rulespec.solver.pairs.lockstep import Lockstep
from rulespec.solver.pairs.winners import claim_of
from rulespec.solver.reductions.remembering import numbers

from .comparisons import left_out
from .problem import Answer, Case, Proof

SHORTEST = "shortest"
"""The key in evidence for the fact that no shorter play leads there."""
OF_A_PLAY = ("repeats", SHORTEST)
"""The keys in evidence of a play that settles a claim, besides the play itself."""


def by_play_alone(game: Game, claim: Claim, answer: Answer) -> Answer:
    """The answer that a play alone gives, if it settles the claim, however it was found; else unchanged."""
    play = next((proof for proof in answer.proofs if proof.play is not None), None)
    if play is None or play.play is None or property_of(claim).by_play != answer.outcome:
        return answer
    data, notes = {key: play.data[key] for key in OF_A_PLAY if key in play.data}, tuple[str, ...]()
    over = property_of(claim).over
    if over is Over.BOTH_GAMES:
        both = Correspondence.claimed_correspondence(game, claim)
        data, notes = left_out(both)
        apart = Lockstep(both).along_play(play.play)
        data["differs"] = apart.text if apart is not None else "nothing"
    if over is Over.IMAGES:
        end, begins = perform(game, play.play), not play.play.plays
        found = (unlike(game, s, end, begins) for s in generators([claim]))
        data["differs"] = next(filter(None, found), "nothing")
    numbers = {} if property_of(claim).form is Form.ENDS else {"plies": len(play.play.plays)}
    return replace(answer, proofs=(replace(play, data=data),), numbers=numbers, notes=notes)


def answer_by_play(case: Case, play: Play, engine: str, **data: int) -> Answer:
    """The answer that a play gives to a claim that one play settles; `engine` is its finder.

    AssertionError, a defect of the finder, if the interpreter refuses the play or it does not settle the
    claim.
    """
    problem = objection(case.game, case.claim, play, data)
    if problem:
        raise AssertionError(f"a play for {case.claim.id} that the interpreter refuses: {problem}")
    proof, numbers = Proof("play", data, play), {"plies": len(play.plays)}
    outcome = case.prop.by_play
    assert outcome is not None
    answer = Answer(outcome, (proof,), engine, numbers)
    return by_play_alone(case.game, case.claim, answer)


def holds(condition: n.Expr, state: State) -> bool:
    """True if a condition holds in a state."""
    machine: Machine = state.game.machine
    return machine.holds(condition, machine.situation(state.position))


def value(game: Game, claim: Claim, state: State) -> int | None:
    """The number to optimise, if the claim's `when` holds; else None."""
    if claim.when is not None and not holds(claim.when, state):
        return None
    assert claim.condition is not None
    found: int | None = evaluate(claim.condition, {}, state.game.machine.situation(state.position))
    return found


def sum_over_plies(game: Game, claim: Claim, play: Play) -> int | None:
    """The sum of a number over the plies of a play, if the claim's `when` holds at the end."""
    *before, end = states(game, play)
    number = claim.condition
    assert number is not None
    if claim.when is not None and not holds(claim.when, end):
        return None
    return sum(_number(number, state) for state in before)


def objection(
    game: Game, claim: Claim, play: Play, data: Mapping[str, Any], said: Mapping[str, int] | None = None
) -> str:
    """The reason why a play does not prove what evidence with this `data` says; empty if it does.

    `said` are the numbers of the answer that it supports, if there is one already.
    """
    asked = property_of(claim)
    try:
        if asked.form is Form.ENDS:
            return _no_repetition(game, play, data)
        if asked.over is Over.REMEMBERED:
            return _no_fall(game, claim, play)
        end = perform(game, play)
        if asked.over is Over.BOTH_GAMES:
            apart = Lockstep(Correspondence.claimed_correspondence(game, claim)).along_play(play)
            return "" if apart else "both games do the same all along"
    except (BadPlay, Incomparable) as refused:
        return str(refused)
    if asked.over is Over.SEATS:
        won = claim_of(game, claim, data.get("seat")).condition
        return "" if won is not None and holds(won, end) else "it is legal, but that player has not won"
    if asked.form is Form.OPTIMUM:
        is_summed = "summed-over" in claim.options
        reached = sum_over_plies(game, claim, play) if is_summed else value(game, claim, end)
        if reached is None:
            return "it does not end where the number counts"
        most = claim.options.get("sense") == "most"
        wanted = reached if said is None else said.get("value", said.get("at_least" if most else "at_most"))
        return "" if reached == wanted else f"it reaches {reached}, not {wanted}"
    if asked.by_play is None:
        return ""
    shown = _decides(game, claim, end, not play.plays)
    return "" if shown else "it is legal, but does not end where the claim is decided"


def _decides(game: Game, claim: Claim, end: State, begins: bool) -> bool:
    """True if the end of a play settles the claim; `begins` if the play has no plies."""
    asked = property_of(claim)
    if asked.event is Event.STUCK:
        return end.position.ended == STUCK
    if asked.event is Event.FAULT:
        return end.fault is not None
    if asked.over is Over.IMAGES:
        return any(unlike(game, s, end, begins) for s in generators([claim]))
    if asked.form is Form.ALWAYS:
        return not holds(claim.always, end)
    return holds(claim.condition or n.Const(BOOL, True), end)


def _no_fall(game: Game, claim: Claim, play: Play) -> str:
    """The reason why the last ply of a play lowers no number of a claim; empty if it lowers one."""
    *_, before, after = (None, *states(game, play))
    if before is None:
        return "it has no ply that could lower anything"
    fallen = any(_number(e, after) < _number(e, before) for e in numbers(claim))
    return "" if fallen else "its last ply lowers nothing"


def _number(e: n.Expr, state: State) -> int:
    found: int = evaluate(e, {}, state.game.machine.situation(state.position))
    return found


def _no_repetition(game: Game, play: Play, data: Mapping[str, Any]) -> str:
    """The reason why a play does not end in the earlier position that evidence names; empty if it does."""
    passed = [without_draw_count(state.position) for state in states(game, play)]
    first = data.get("repeats")
    if not isinstance(first, int) or not 0 <= first < len(passed) - 1:
        return "it does not say which position comes back"
    return "" if passed[first] == passed[-1] else "the position at its end is not one that was left"
