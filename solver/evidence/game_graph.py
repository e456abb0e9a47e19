"""Deciding claims by the graph of all plays: counts, what best play comes to, whether all is ever lost.

Every state and every action is kept, so all of it is exact; where not all states can be seen, nothing is
said (but counts of what lies within a number of plies that was seen).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import repeat

from rulespec.code.codes import NONE
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.core.wording import WORTHS, plies
from rulespec.play.plays import write_down
from solver.explore import BuiltinQuestion, CodeStates, States
from solver.explore.graph import Graph, OutOfLimit, first_dead_end
from solver.explore.state_space import Exploration, Limits, forget
from solver.explore.strategies import payoff_of

from . import faults
from .exploration import answer, exploration
from .positions import DIFFERENT, explored
from .problem import Answer, Case, Proof, undecided

AHEAD = "looking ahead"
"""The name of this argument in evidence."""
MOST_BYTES = 500 << 20
"""So much room is taken for what leads where; beyond that every position is looked ahead of."""
TOO_WIDE = "the room for what leads where"
MANY = "With more than two players nothing is best for all."
"""The statement that leaves the value of best play undecided."""


def not_seen(look: Exploration) -> Answer:
    """What is said where not all states could be seen."""
    seen = f"{look.seen} positions were seen, up to {plies(max(len(look.counts) - 1, 0))}"
    return undecided(f"Nothing was decided: {seen}, and not all ({look.stopped}).", engine=look.states.engine)


def faulty(case: Case, look: Exploration) -> Answer | None:
    """The undecided answer if plays that fault leave nothing to decide, else None; for a complete look."""
    why = faults.objection(case.prop.faults, look.states)
    return undecided(f"Nothing was decided: {why}.", engine=look.states.engine) if why else None


def compared(case: Case, look: Exploration, found: str, numbers: dict[str, int]) -> Answer:
    """The answer to a claim that says what something is: proved if it is that, or if nothing else is said."""
    wanted = case.claim.options.get("is")
    evidence = (exploration(case, look),)
    outcome = PROVED if wanted is None or str(wanted) == found else REFUTED
    return answer(look, outcome, evidence, numbers)


# ---- counts

CHANCY = "Plays with chance in them are not counted."


def _count(case: Case, limits: Limits) -> Answer:
    at, within = case.claim.options.get("at"), case.claim.options.get("within")
    if case.claim.options.get("of") == "plays":
        return _count_plays(case, limits)
    depth = at if at is not None else within
    look = explored(case, limits if depth is None else replace(limits, depth=depth))
    if not look.all() and (depth is None or len(look.counts) <= depth):
        return not_seen(look)
    if excused := faulty(case, look):
        return excused
    layers = [(first, last) for first, last in look.layers()]
    if at is not None:
        layers = layers[at : at + 1]
    different = isinstance(case.claim.options.get("different"), n.Expr)
    total = _different(look.states, case, layers) if different else _held(look.states, case, layers)
    return compared(case, look, str(total), {"value": total, "states": look.seen})


Layers = Sequence[tuple[int, int]]


def _held(states: States, case: Case, layers: Layers) -> int:
    """In how many states of some layers the claim's condition holds."""
    return sum(
        size
        for layer in layers
        for size, counts in zip(states.orbit_sizes(*layer), _counted(states, case, layer), strict=True)
        if counts
    )


def _counted(states: States, case: Case, layer: tuple[int, int]) -> Iterator[bool]:
    """True for each state of a layer that counts: it is no fault, and the condition holds."""
    held = states.scan(case.claim.id, *layer) if case.claim.condition is not None else repeat(1)
    for x, faulted in zip(held, states.scan(BuiltinQuestion.FAULTED, *layer), strict=False):
        yield bool(x) and not faulted


def _different(states: States, case: Case, layers: Layers) -> int:
    """How many values a number has in those states; that it is none is not one."""
    found = set[int]()
    for layer in layers:
        values = map(int, states.scan(DIFFERENT.format(case.claim.id), *layer))
        found.update(x for x, counts in zip(values, _counted(states, case, layer), strict=True) if counts)
    return len(found - {NONE})


def _count_plays(case: Case, limits: Limits) -> Answer:
    at = case.claim.options.get("at")
    if at is not None:
        return _count_sequences(case, limits, at)
    look = explored(case, limits, ways=True)
    if not look.all():
        return not_seen(look)
    graph = Graph(look.states)
    if graph.chancy:
        return undecided(CHANCY, final=True)
    order, _ = graph.terminating()
    if len(order) < graph.count:
        return undecided("There is no end of plays: a position can come back.", final=True)
    whole: list[int] = [0] * graph.count
    for i in map(int, order):
        after = graph.after(i)
        whole[i] = sum(whole[to] for to in after) if after else 1
    starts = look.states.orbit_sizes(0, look.states.counts[0])
    total = sum(size * plays for size, plays in zip(starts, whole, strict=False))
    return compared(case, look, str(total), {"value": total, "states": look.seen})


def _count_sequences(case: Case, limits: Limits, at: int) -> Answer:
    """Count the sequences of `at` actions, without exploring positions beyond that depth."""
    look = explored(case, replace(limits, depth=at), ways=True)
    if not look.all() and len(look.counts) <= at:
        return not_seen(look)
    states = look.states
    now = Counter(dict(enumerate(states.orbit_sizes(0, states.counts[0]))))
    for _ in range(at):
        then: Counter[int] = Counter()
        for i, sequences in now.items():
            first, last = int(states.firsts[i]), int(states.firsts[i + 1])
            if int(states.ways[last]) - int(states.ways[first]) != last - first:
                return undecided(CHANCY, final=True)
            for to in states.outs[int(states.ways[first]) : int(states.ways[last])]:
                then[int(to)] += sequences
        now = then
    total = sum(now.values())
    return compared(case, look, str(total), {"value": total, "states": look.seen})


# ---- what best play comes to


def payoffs(case: Case, states: States) -> Sequence[int]:
    """What each state is worth as the end: the claim's number, or who has won (1 or -1, 0 for neither)."""
    if case.claim.condition is not None:
        numbers = states.scan(case.claim.id)
        return states.tools.numbers([0 if x == NONE else int(x) for x in numbers])  # type: ignore[no-any-return]
    winners = states.scan(BuiltinQuestion.WINNERS)
    return states.tools.numbers([payoff_of(int(x)) for x in winners])  # type: ignore[no-any-return]


def secret(game: Game) -> bool:
    """Whether anything is hidden."""
    return any(var.hidden for var in game.state.values())


def _value(case: Case, limits: Limits) -> Answer:
    if secret(case.game) and case.claim.options.get("seeing") != "everything":
        return undecided(
            "Something is hidden from the players: ask what is `expected`, or say `seeing: everything`."
        )
    look = explored(case, limits, ways=True)
    if not look.all():
        return not_seen(look)
    graph = Graph(look.states)
    if case.game.players > 2:
        return undecided(MANY)
    if excused := faulty(case, look):
        return excused
    if graph.chancy:
        return undecided("Chance has a part in the actions: ask what is `expected`.")
    payoff, mover = payoffs(case, look.states), look.states.scan(BuiltinQuestion.MOVER)
    order, _ = graph.terminating()
    if len(order) == graph.count:
        worth = graph.minimax(order, payoff, mover)
    elif case.claim.condition is None:
        worth = graph.retrograde_analysis(payoff, mover)
    else:
        return undecided("Play may go on for ever, and the claim does not say what that is worth.")
    values = sorted({int(x) for x in worth[: look.states.counts[0]]})
    return _worth(case, look, values)


def _worth(case: Case, look: Exploration, values: list[int]) -> Answer:
    numbers = {"value": values[0]} if len(values) == 1 else {"at_least": values[0], "at_most": values[-1]}
    return compared(case, look, named_worth(case, values), {**numbers, "states": look.seen})


def named_worth(case: Case, values: Sequence[int]) -> str:
    """The result of best play as a claim names it; `values` are those of all deals, ascending."""
    return " or ".join(WORTHS[x] if case.claim.condition is None else str(x) for x in values)


# ---- whether all is ever lost


def _never_hopeless(case: Case, limits: Limits) -> Answer:
    if case.argument == AHEAD:
        return _by_looking_ahead(case, limits)
    look, claim = explored(case, limits, ways=True), case.claim
    look.limits = replace(
        limits, until=lambda: TOO_WIDE if look.states.bytes > MOST_BYTES else limits.until()
    )
    if not look.all():
        if look.stopped != TOO_WIDE or claim.options.get("within") is not None:
            return not_seen(look)
        forget()
        return _by_looking_ahead(case, limits)
    goal = look.states.tools.numbers([int(bool(x)) for x in look.states.scan(claim.id)])
    if excused := faulty(case, look):
        return excused
    faulted = look.states.scan(BuiltinQuestion.FAULTED)
    far = [0 if bad else int(x) for x, bad in zip(Graph(look.states).distances(goal), faulted, strict=True)]
    lost = next((i for i, x in enumerate(far) if x < 0), None)
    if lost is not None:
        return _lost(case, look, lost, exploration(case, look))
    most, within = max(far), claim.options.get("within")
    numbers = {"value": most, "states": look.seen}
    outcome = PROVED if within is None or most <= within else REFUTED
    return answer(look, outcome, (exploration(case, look),), numbers)


def _lost(case: Case, look: Exploration, number: int, shown: Proof) -> Answer:
    play, _ = write_down(case.game, *look.states.play_to(number))
    return answer(look, REFUTED, (Proof("play", {}, play), shown), {"plies": len(play.plays)})


def _by_looking_ahead(case: Case, limits: Limits) -> Answer:
    """Where there is no room for what leads where; how far the goal is from anywhere is not told then."""
    look = explored(case, limits)
    if not look.all() or not isinstance(look.states, CodeStates):
        return not_seen(look)
    if excused := faulty(case, look):
        return excused
    case.progress("looking ahead of every position")
    try:
        lost = first_dead_end(look.states, look.states.scan(case.claim.id), look.limit)
    except OutOfLimit as out:
        return undecided(f"Nothing was decided: not every position was looked ahead of ({out}).")
    seen = exploration(case, look)
    shown = replace(seen, data={**seen.data, "by": AHEAD})
    if lost is not None:
        return _lost(case, look, lost, shown)
    return answer(look, PROVED, (shown,), {"states": look.seen})


DECIDERS: dict[str, Callable[[Case, Limits], Answer]] = {
    "count": _count,
    "value": _value,
    "never_hopeless": _never_hopeless,
}
