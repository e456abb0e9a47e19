"""Deciding claims by looking at every state: exact for games small enough, else a bounded word.

Each decider goes through the states layer by layer. A closed frontier settles the claim; a state that was
found gives a play, none being shorter; a budget that ran out leaves a statement about the depth that was
seen whole.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from rulespec.code.codes import NONE
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED
from rulespec.core.wording import plies
from rulespec.play.plays import Play, write_down
from rulespec.play.plays import states as states_of_play
from solver.explore import BuiltinQuestion, States, without_draw_count
from solver.explore.graph import Graph
from solver.explore.state_space import Exploration, Limits
from solver.formulas.monotone import bounds_on_the_way
from solver.reductions.restriction import restricted

from .positions import PREMISE, WHEN, explored, space_of, spoken_of
from .problem import Answer, Case, Proof, undecided
from .reduced import remembering

TURNED = {PROVED: REFUTED, REFUTED: PROVED}
"""The outcomes of a claim by those of its contrary."""


def exploration(case: Case, look: Exploration) -> Proof:
    """The positions seen, as evidence."""
    data: dict[str, Any] = {"counts": list(look.counts), "digest": look.states.digest(look.stored)}
    data["closed"] = look.exhaustive
    if case.chance is not None:
        data["chance"] = list(case.chance)
    if look.states.cost:
        data["costs"] = look.states.costs[: len(look.counts)]
    if look.stored < look.seen:
        data["kept"] = look.stored
    else:
        data["outcomes"] = look.outcomes
    return Proof("exploration", data)


def answer(
    look: Exploration, outcome: str, proofs: Sequence[Proof], numbers: dict[str, int], *notes: str
) -> Answer:
    """An answer with the engine of an exploration, and if it is bounded with the limit that ended it."""
    stopped = look.stopped if outcome == BOUNDED else ""
    return Answer(outcome, tuple(proofs), look.states.engine, numbers, notes, stopped=stopped)


def _ends(case: Case, look: Exploration, outcome: str, number: int, **data: int) -> Answer:
    """The answer that a play to a state settles."""
    play = _play_to(case, look.states, number)
    return answer(look, outcome, (Proof("play", data, play),), {"plies": len(play.plays)})


def _play_to(case: Case, states: States, number: int) -> Play:
    play, _ = write_down(case.game, *states.play_to(number))
    return play


def bounded(case: Case, look: Exploration) -> Answer:
    """The answer when exploration stopped early: bounded at the last depth that was seen completely."""
    depth = len(look.counts) - 1
    if depth < 0:
        words = f"Nothing was decided: not all ways in which play begins were seen ({look.stopped})."
        return undecided(words, engine=look.states.engine)
    return answer(look, BOUNDED, (exploration(case, look),), {"plies": depth, "states": look.seen})


def _invariant(case: Case, limits: Limits) -> Answer:
    look, claim = explored(case, limits), case.claim
    asked = spoken_of(claim)

    def broken(states: States, first: int, last: int) -> list[bool]:
        held = states.scan(claim.id, first, last)
        when = states.scan(WHEN.format(claim.id), first, last) if case.when is not None else None
        return [not x and (when is None or bool(when[i])) for i, x in enumerate(held)]

    found = look.first(broken)
    if found is not None:
        return _ends(case, look, REFUTED, found)
    if not look.exhaustive:
        return bounded(case, look)
    premise = PREMISE.format(claim.id)
    met = premise not in asked or any(look.states.scan(premise))
    notes = () if met else ("premise-never-met",)
    return answer(look, PROVED, (exploration(case, look),), {"states": look.seen}, *notes)


def _never_falls(case: Case, limits: Limits) -> Answer:
    """Every position, each with what the numbers were a ply before."""
    return _invariant(remembering(case), limits)


def _never_stuck(case: Case, limits: Limits) -> Answer:
    stuck = len(case.game.ends) + 1
    return _never(
        case,
        limits,
        lambda states, first, last: [x == stuck for x in states.scan(BuiltinQuestion.ENDED, first, last)],
    )


def _never_faults(case: Case, limits: Limits) -> Answer:
    return _never(case, limits, lambda states, first, last: states.scan(BuiltinQuestion.FAULTED, first, last))


def _never(case: Case, limits: Limits, bad: Callable[[States, int, int], Sequence[int]]) -> Answer:
    look = explored(case, limits)
    found = look.first(bad)
    if found is not None:
        return _ends(case, look, REFUTED, found)
    if not look.exhaustive:
        return bounded(case, look)
    return answer(look, PROVED, (exploration(case, look),), {"states": look.seen})


def _reachable(case: Case, limits: Limits) -> Answer:
    """Follows only the actions that a play there may take; see `restricted`."""
    wanted = case.claim.kind == "reachable"
    most = bounds_on_the_way(case.game, case.condition)
    case = replace(case, game=restricted(case.game, case.condition, most))
    look = explored(case, limits)
    found = look.first(lambda states, first, last: states.scan(case.claim.id, first, last))
    if found is not None:
        return _ends(case, look, PROVED if wanted else REFUTED, found, shortest=True)
    if look.exhaustive:
        proofs = (exploration(case, look),)
        return answer(look, REFUTED if wanted else PROVED, proofs, {"states": look.seen})
    return bounded(case, look)


def _least_sum(case: Case, limits: Limits) -> Answer:
    """The cheapest play, all positions that cost less having been seen."""
    look, claim = explored(case, limits), case.claim
    costs, when = look.states.costs, case.when
    for number, (first, last) in enumerate(look.layers()):
        held = look.states.scan(WHEN.format(claim.id), first, last) if when is not None else [1]
        at = next((i for i, x in enumerate(held) if x), None)
        if at is None:
            continue
        value = costs[number]
        play = Proof("play", {}, _play_to(case, look.states, first + at))
        numbers = {"value": value, "states": look.seen}
        return answer(look, PROVED, (play, exploration(case, look)), numbers)
    if look.exhaustive:
        return answer(look, REFUTED, (exploration(case, look),), {"states": look.seen})
    if not look.counts:
        return bounded(case, look)
    numbers = {"at_least": costs[len(look.counts) - 1] + 1, "states": look.seen}
    return answer(look, BOUNDED, (exploration(case, look),), numbers)


def _extreme(case: Case, limits: Limits) -> Answer:
    if case.summed:
        return _least_sum(case, limits)
    look, claim = explored(case, limits), case.claim
    best: tuple[int, int] | None = None
    for first, last in look.layers():
        values = look.states.scan(claim.id, first, last)
        when = look.states.scan(WHEN.format(claim.id), first, last) if case.when is not None else None
        for i, x in enumerate(values):
            better = best is None or (x > best[0] if case.most else x < best[0])
            if better and x != NONE and (when is None or when[i]):
                best = int(x), first + i
    if best is None:
        if look.exhaustive:
            return answer(look, REFUTED, (exploration(case, look),), {})
        return bounded(case, look)
    value, at = best
    proof = Proof("play", {}, _play_to(case, look.states, at))
    if look.exhaustive:
        numbers = {"value": value, "states": look.seen}
        return answer(look, PROVED, (proof, exploration(case, look)), numbers)
    numbers = {"at_least" if case.most else "at_most": value}
    return answer(look, BOUNDED, (proof, exploration(case, look)), numbers)


def _terminates(case: Case, limits: Limits) -> Answer:
    look = explored(case, limits, ways=True)
    if not look.all():
        stopped = f"Nothing is known beyond {plies(max(len(look.counts) - 1, 0))} ({look.stopped})."
        return undecided(f"Whether every play ends was not decided. {stopped}")
    graph = Graph(look.states)
    finished, length = graph.terminating()
    if len(finished) < graph.count:
        return _circling(case, look, graph.cycle(finished))
    numbers = {"plies": max(map(int, length)), "states": look.seen}
    return answer(look, PROVED, (exploration(case, look),), numbers)


def _endless(case: Case, limits: Limits) -> Answer:
    found = _terminates(case, limits)
    return replace(found, outcome=TURNED.get(found.outcome, found.outcome))


def _circling(case: Case, look: Exploration, circle: list[int]) -> Answer:
    path, once = look.states.path_to(circle[0]), len(circle) - 1
    # Where a state stands for its images, a round may come back to another of these first.
    rounds = look.states.orbit_sizes(circle[0], circle[0] + 1)[0]
    chance, moves = look.states.play_on([*path, *circle[1:] * rounds])
    play, _ = write_down(case.game, chance, moves)
    passed = [without_draw_count(state.position) for state in states_of_play(case.game, play)]
    first = len(path) - 1
    again = next(k for k in range(first + once, len(passed), once) if passed[k] in passed[first:k:once])
    first += once * passed[first:again:once].index(passed[again])
    play, _ = write_down(case.game, chance, moves[:again])
    return answer(look, REFUTED, (Proof("play", {"repeats": first}, play),), {})


def is_quick(case: Case, seconds: float) -> bool:
    """True if a look from a given deal would see more than its first position in so many seconds."""
    if DECIDERS.get(case.claim.kind) is not _reachable:
        return space_of(case).is_quick(seconds)
    most = bounds_on_the_way(case.game, case.condition)
    return space_of(replace(case, game=restricted(case.game, case.condition, most))).is_quick(seconds)


DECIDERS: dict[str, Callable[[Case, Limits], Answer]] = {
    "invariant": _invariant,
    "reachable": _reachable,
    "unreachable": _reachable,
    "never_falls": _never_falls,
    "endless": _endless,
    "never_stuck": _never_stuck,
    "never_faults": _never_faults,
    "terminates": _terminates,
    "best": _extreme,
}
