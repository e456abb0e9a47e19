"""Claims decided by all positions: the first one with a property, the best of a number, the length of plays.

A closed frontier settles a claim; a found position gives a shortest play; if a limit is reached, the answer
is bounded by the last completed depth.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import cast

from rulespec.code.codes import NONE
from rulespec.code.packed_rows.images import NoRowImage
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED
from rulespec.core.verdicts.properties import Event, Form, Over
from rulespec.core.verdicts.wording import plies
from rulespec.play.plays import write_down
from rulespec.solver.explore import BuiltinQuestion, NotInvariant, NotSymmetric, States
from rulespec.solver.explore.graph import Graph
from rulespec.solver.explore.state_space import Limits, forget
from rulespec.solver.formulas.monotone import bounds_on_the_way
from rulespec.solver.reductions.influence import influential
from rulespec.solver.reductions.restriction import restrict

from . import comparisons, game_graph
from .positions import PREMISE, WHEN, Positions, asked_expressions
from .problem import Answer, Case, Proof, no_answer, with_history

CONTRARY = {PROVED: REFUTED, REFUTED: PROVED}
"""The outcomes of a claim by those of its negation."""


def explore(case: Case, limits: Limits) -> Answer | None:
    """The answer that an exploration gives to a case; None for a kind of claim that it cannot decide.

    If symmetries turn out not to hold, or images differ in an answer, all states are stored.
    """
    decider = DECIDERS.get((case.prop.form, case.prop.over))
    if decider is None:
        return None
    if "different" in case.claim.options:  # a number that need not be the same of images
        limits = replace(limits, folded=False)
    try:
        return decider(case, limits)
    except (NoRowImage, NotSymmetric, NotInvariant):
        forget()
        return decider(case, replace(limits, folded=False))


def on_the_way(case: Case) -> Case:
    """A case restricted to actions and variables that matter; see `restrict` and `influential`."""
    if case.prop.form is not Form.REACHABLE:
        return case
    most = bounds_on_the_way(case.game, case.condition)
    game = restrict(case.game, case.condition, most)
    return replace(case, game=influential(game, asked_expressions(case.claim).values()))


def _first(case: Case, limits: Limits) -> Answer:
    """The answer that names the first position in which the goal, or something bad, holds."""
    prop, reached = case.prop, case.prop.form is Form.REACHABLE
    played = case.game
    case = with_history(case) if prop.over is Over.REMEMBERED else on_the_way(case)
    seen, there = Positions(case, limits, played=played), cast(str, prop.by_play)
    number = seen.first(_event(case))
    if number is not None:
        return seen.settled_at(number, there, **({"shortest": True} if reached else {}))
    if not seen.exhaustive:
        return seen.bounded_answer()
    asked = PREMISE.format(case.claim.id) in asked_expressions(case.claim)
    notes = ("premise-never-met",) if asked and not any(seen.ask(PREMISE)) else ()
    return seen.full_answer(CONTRARY[there], {}, notes=notes)


def _event(case: Case) -> Callable[[States, int, int], Sequence[int]]:
    """A function that tests in which states an event occurs; see `Event`."""
    name, stuck = case.claim.id, len(case.game.ends) + 1
    when = WHEN.format(name) if case.claim.when is not None else None

    def there(states: States, first: int, last: int) -> Sequence[int]:
        if case.prop.event is Event.STUCK:
            return [x == stuck for x in states.scan(BuiltinQuestion.ENDED, first, last)]
        if case.prop.event is Event.FAULT:
            return states.scan(BuiltinQuestion.FAULTED, first, last)
        held = states.scan(name, first, last)
        if case.prop.form is Form.REACHABLE:
            return held
        if when is None:
            return [not x for x in held]
        return [not x and bool(asked) for x, asked in zip(held, states.scan(when, first, last), strict=True)]

    return there


def _optimum(case: Case, limits: Limits) -> Answer:
    """The best value of a number, or of its sum over plies, among positions in which `when` holds."""
    seen = Positions(case, limits)
    if case.is_summed:
        return _least_sum(seen)
    best: tuple[int, int] | None = None
    for first, last in seen.layers():
        values = seen.ask("{}", first, last)
        when = seen.ask(WHEN, first, last) if case.claim.when is not None else None
        for i, x in enumerate(values):
            better = best is None or (x > best[0] if case.most else x < best[0])
            if better and x != NONE and (when is None or when[i]):
                best = int(x), first + i
    if best is None:
        return seen.answer(REFUTED, {}, seen.proof) if seen.exhaustive else seen.bounded_answer()
    play = seen.play(best[1])
    if seen.exhaustive:
        return seen.full_answer(PROVED, {"value": best[0]}, play)
    return seen.answer(BOUNDED, {"at_least" if case.most else "at_most": best[0]}, play, seen.proof)


def _least_sum(seen: Positions) -> Answer:
    """The answer to a claim about the least sum; positions were visited in ascending order of their sums."""
    costs = seen.states.costs
    for number, (first, last) in enumerate(seen.layers()):
        held = seen.ask(WHEN, first, last) if seen.case.claim.when is not None else [1]
        at = next((i for i, x in enumerate(held) if x), None)
        if at is not None:
            play = seen.play(first + at)
            return seen.full_answer(PROVED, {"value": costs[number]}, play)
    if seen.exhaustive:
        return seen.full_answer(REFUTED, {})
    return seen.full_answer(BOUNDED, {"at_least": costs[seen.depth] + 1}) if costs else seen.bounded_answer()


def _ends(case: Case, limits: Limits) -> Answer:
    """The greatest length of a play, or a position that can recur."""
    seen = Positions(case, limits, ways=True)
    if not seen.all():
        stopped = f"Nothing is known beyond {plies(max(seen.depth, 0))} ({seen.stop_reason})."
        return no_answer(f"Whether every play ends was not decided. {stopped}")
    graph, comes_back = Graph(seen.states), PROVED if case.prop.negated else REFUTED
    finished, length = graph.terminating()
    if len(finished) < graph.count:
        chance, moves, first = graph.lasso(finished)
        play = write_down(case.game, chance, moves)[0]
        return seen.answer(comes_back, {}, Proof("play", {"repeats": first}, play))
    return seen.full_answer(CONTRARY[comes_back], {"plies": max(map(int, length))})


DECIDERS: Mapping[tuple[Form, Over], Callable[[Case, Limits], Answer | None]] = {
    (Form.ALWAYS, Over.POSITIONS): _first,
    (Form.ALWAYS, Over.REMEMBERED): _first,
    (Form.ALWAYS, Over.IMAGES): comparisons.images_explored,
    (Form.ALWAYS, Over.BOTH_GAMES): comparisons.same_explored,
    (Form.ALWAYS, Over.LOOKALIKES): comparisons.known_explored,
    (Form.REACHABLE, Over.POSITIONS): _first,
    (Form.ENDS, Over.POSITIONS): _ends,
    (Form.RECOVERABLE, Over.POSITIONS): game_graph.recoverable,
    (Form.OPTIMUM, Over.POSITIONS): _optimum,
    (Form.VALUE, Over.POSITIONS): game_graph.value,
    (Form.EXPECTATION, Over.POSITIONS): game_graph.expectation,
    (Form.STATISTIC, Over.POSITIONS): game_graph.statistic,
    (Form.STATISTIC, Over.SAMPLE): game_graph.estimate,
}
