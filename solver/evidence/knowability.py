"""Deciding that players can tell what they must know from what they see.

Two positions that look the same now agree in it, whatever came before: that is asked of formulas. Where they
need not, what players remember is followed: two plays that look the same all along, unrolled side by side;
and everything that each player may believe, play by play.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any

from rulespec.budgets import OutOfBudget
from rulespec.core.game import Game
from rulespec.core.types import Value
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED
from rulespec.core.wording import plies
from rulespec.play.plays import BadPlay, Play, states, write_down
from solver.explore.state_space import Limits
from solver.formulas import TooWide
from solver.pairs.agreement import Unanswered
from solver.pairs.belief_states import Beliefs, History, IndistinguishablePlays, KnowledgeCheck
from solver.pairs.indistinguishable_states import unknown_now
from solver.pairs.self_composition import SelfComposition

from .problem import Answer, Case, Proof, helper_proofs, undecided

INTERPRETER = "interpreter"
UNROLLING = 0.5
"""The share of what is left of a budget for pairs of plays in formulas."""
MOST_BELIEVED = 300_000
"""So many positions in beliefs are kept in mind."""


def by_formulas(case: Case) -> Answer:
    """The answer of formulas: of positions that look the same now, else of plays that do so all along.

    Raises OutOfBudget, TooWide.
    """
    return now(case) or by_unrolling(case)


def now(case: Case) -> Answer | None:
    """The answer that any two positions that look the same agree in what must be known; None if not.

    Claims that help are used only where they are needed. Raises OutOfBudget, TooWide.
    """
    if not any(var.hidden for var in case.game.state.values()):
        return Answer(PROVED, (Proof("refutation"),))
    engine = case.solver
    case.progress("whether two positions that look the same can differ in what must be known")

    def watch() -> None:
        if case.budget.exhausted:
            raise OutOfBudget(case.budget.exhausted)

    helped: list[Proof] = []
    try:
        unknown = unknown_now(case.game, engine, lambda: case.budget.left, (), watch)
        if unknown is not None and case.helpers:
            helped = [*helper_proofs(case)]
            unknown = unknown_now(case.game, engine, lambda: case.budget.left, case.helpers, watch)
    except Unanswered:
        raise OutOfBudget(case.ran_out) from None
    if unknown is None:
        return Answer(PROVED, (Proof("refutation"), *helped), engine.name)
    return None


def by_unrolling(case: Case) -> Answer:
    """Pairs of plays from the start that look the same, ply after ply, to each player in turn."""
    part, depth, stopped, engine = case.budget.part(UNROLLING), -1, "", case.solver

    def watch() -> None:
        if part.exhausted:
            raise OutOfBudget(part.exhausted)

    players = case.game.player.values
    pairs = [SelfComposition(case.game, viewer, engine, lambda: part.left, watch) for viewer in players]
    try:
        while not stopped and depth != case.most_plies and not all(pair.closed for pair in pairs):
            case.progress(f"plays of {plies(depth + 1)} that look the same to a player")
            for pair in (pair for pair in pairs if not pair.closed):
                found = pair.deeper()
                if found is not None:
                    return told_apart(case, KnowledgeCheck(case.game, pair.viewer).alike(*found))
            depth += 1
            stopped = part.exhausted
    except (OutOfBudget, Unanswered, TooWide) as out:
        stopped = str(out) or part.exhausted or "the engine gave up"
    if depth < 0:
        return undecided(f"Nothing was decided by formulas: {stopped}.", engine=engine.name)
    proof = Proof("refutation", {"plies": depth})
    if all(pair.closed for pair in pairs):
        return Answer(PROVED, (proof,), engine.name, {"plies": depth})
    return Answer(BOUNDED, (proof,), engine.name, {"plies": depth}, stopped=stopped)


def look(case: Case, limits: Limits) -> Answer:
    """What following everything that players may believe says of it."""
    part = case.budget.part(1.0, limits.seconds)
    players = case.game.player.values
    found = [Beliefs(KnowledgeCheck(case.game, viewer)) for viewer in players]
    depth, stopped = -1, ""
    while not stopped and not all(one.closed for one in found) and depth != limits.depth:
        case.progress(f"what players may believe after {plies(depth + 1)}")
        for beliefs in (one for one in found if not one.closed):
            alike = beliefs.deeper(lambda: part.exhausted or limits.until(), min(limits.most, MOST_BELIEVED))
            if alike is not None:
                return told_apart(case, alike)
            stopped = stopped or beliefs.stopped
        depth += not stopped
    return _explored(found, depth, stopped)


def told_apart(case: Case, alike: IndistinguishablePlays) -> Answer:
    courses = [write_down(case.game, course.chance, course.moves)[0] for course in alike[1:3]]
    problem = objection(case.game, courses, {"viewer": alike.viewer})
    if problem:
        raise AssertionError(f"two plays of {case.game.id} that do not show what they should: {problem}")
    proofs = tuple(Proof("play", {"viewer": alike.viewer, "differs": alike.text}, play) for play in courses)
    return Answer(REFUTED, proofs, INTERPRETER, {"plies": len(alike.first.moves)})


def _explored(found: list[Beliefs], depth: int, stopped: str) -> Answer:
    if depth < 0:
        return undecided(f"Nothing was decided: {stopped}.")
    layers = zip_longest(*(one.counts[: depth + 1] for one in found), fillvalue=0)
    counts = [sum(layer) for layer in layers]
    closed = all(one.closed for one in found)
    seen = sum(counts)
    data = {"counts": counts, "digest": " ".join(one.digest(depth) for one in found), "closed": closed}
    proof = Proof("exploration", data)
    if closed:
        return Answer(PROVED, (proof,), INTERPRETER, {"beliefs": seen})
    return Answer(BOUNDED, (proof,), INTERPRETER, {"plies": depth, "beliefs": seen}, stopped=stopped)


def objection(game: Game, plays: list[Play], data: Mapping[str, Any]) -> str:
    """Why two plays do not show that a player cannot tell what must be known; empty if they do."""
    viewer: Value = data.get("viewer")
    if len(plays) != 2 or viewer not in game.player:
        return "there must be two plays, and the player to whom they look the same"
    try:
        first, second = (_course(game, play) for play in plays)
    except BadPlay as refused:
        return str(refused)
    return KnowledgeCheck(game, viewer).objection(first, second)


def shown_by(case: Case, plays: list[Play], viewer: Value) -> Answer:
    """The answer that two plays show for which `objection` is empty."""
    first, second = (_course(case.game, play) for play in plays)
    return told_apart(case, KnowledgeCheck(case.game, viewer).alike(first, second))


def _course(game: Game, play: Play) -> History:
    end = [*states(game, play)][-1]
    return History(end.chance, tuple(action.move for action in end.plays))
