"""Deciding claims by looking at every position: exact for games small enough, else a bounded word.

Each decider explores with the interpreter. A closed frontier settles the claim; a position that was
found gives a play; a budget that ran out leaves a statement about the depth that was seen whole.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field

from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED, UNDECIDED
from rulespec.play.machine import Machine, Ply
from rulespec.play.position import STUCK, Move, Position
from solver.explore import Exploration, Step, Visit, explore

from .case import Answer, Case, Proof, invariant_of, plies, premise
from .plays import write_down

EASY_SECONDS = 1.0
EASY_POSITIONS = 20_000
"""What a first look may cost before formulas are tried."""

MOST_POSITIONS = 1_000_000
"""How many positions a long look keeps in mind."""


@dataclass(frozen=True)
class Limits:
    """How far an exploration may go: seconds, positions, and depth in plies if that is bounded."""

    seconds: float
    most: int
    depth: int | None = None


def search(case: Case, seconds: float, most: int, depth: int | None = None) -> Answer | None:
    """The answer to a case by exploration; None for a kind of claim that it does not decide.

    Budgets: `seconds`, `most` positions, `depth` in plies.
    """
    decider = DECIDERS.get(case.claim.kind)
    return decider(case, Limits(seconds, most, depth)) if decider else None


def _explore(case: Case, limits: Limits, visit: Visit, step: Step | None = None) -> Exploration:
    bounds = {"seconds": limits.seconds, "most": limits.most, "depth": limits.depth}
    return explore(case.game, visit, case.chance, step, **bounds)  # type: ignore[arg-type]


def _exploration(case: Case, seen: Exploration) -> Proof:
    data = {"counts": list(seen.counts), "digest": seen.digest, "closed": seen.closed}
    if case.chance is not None:
        data["chance"] = list(case.chance)
    text = f"{seen.states} positions by depth: {', '.join(map(str, seen.counts))}" + (
        "; no more" if seen.closed else ""
    )
    return Proof("exploration", text, data)


def _play(case: Case, seen: Exploration, text: str) -> Proof:
    assert seen.found is not None
    play, _ = write_down(case.game, seen.found.chance, seen.found.moves)
    return Proof("play", text, {"shows": seen.found.what}, play)


def _holds(game: Game, condition: n.Expr) -> Callable[[Position], bool]:
    machine = Machine(game)

    def holds(position: Position) -> bool:
        return machine.holds(condition, machine.situation(position))

    return holds


def _bounded(case: Case, seen: Exploration, sentence: str) -> Answer:
    """What may be said when exploration stopped early: the last depth seen whole, and why no further."""
    if seen.depth < 0:
        return Answer(UNDECIDED, f"Nothing was decided: {seen.stopped}.")
    numbers = {"plies": seen.depth, "states": seen.states}
    stopped = f"Beyond that nothing is known ({seen.stopped})."
    return Answer(
        BOUNDED,
        f"{sentence.format(n=plies(seen.depth))} {stopped}",
        (_exploration(case, seen),),
        numbers=numbers,
    )


def _invariant(case: Case, limits: Limits) -> Answer:
    holds = _holds(case.game, invariant_of(case.claim))
    speaks = premise(case.claim)
    meets = _holds(case.game, speaks) if speaks is not None else None
    met = meets is None

    def visit(position: Position) -> str | None:
        nonlocal met
        met = met or (meets is not None and meets(position))
        return None if holds(position) else "broken"

    seen = _explore(case, limits, visit)
    if seen.found:
        length = len(seen.found.moves)
        return Answer(
            REFUTED,
            f"It fails after {plies(length)}.",
            (_play(case, seen, "Ends where it fails."),),
            numbers={"plies": length},
        )
    if not seen.closed:
        return _bounded(case, seen, "It holds in every position of the first {n}.")
    notes = () if met else ("What it presupposes holds in no reachable position, so it says nothing.",)
    statement = f"It holds in all {seen.states} positions that can be reached {case.whence}."
    return Answer(
        PROVED, statement, (_exploration(case, seen),), numbers={"states": seen.states}, notes=notes
    )


def _never_stuck(case: Case, limits: Limits) -> Answer:
    def visit(position: Position) -> str | None:
        return "nobody has a legal action" if position.ended == STUCK else None

    good = "No position without a legal action is reached"
    return _never(case, _explore(case, limits, visit), good)


def _never_faults(case: Case, limits: Limits) -> Answer:
    def visit(position: Position) -> str | None:
        return "a value does not fit its place" if position.fault else None

    good = "No value is ever stored where it does not fit"
    return _never(case, _explore(case, limits, visit), good)


def _never(case: Case, seen: Exploration, good: str) -> Answer:
    if seen.found:
        length = len(seen.found.moves)
        proof = _play(case, seen, f"Ends where {seen.found.what}.")
        statement = f"After {plies(length)} {seen.found.what}."
        return Answer(REFUTED, statement, (proof,), numbers={"plies": length})
    if not seen.closed:
        return _bounded(case, seen, good + " in the first {n}.")
    statement = f"{good} in any of the {seen.states} positions that can be reached {case.whence}."
    return Answer(PROVED, statement, (_exploration(case, seen),), numbers={"states": seen.states})


def _reachable(case: Case, limits: Limits) -> Answer:
    wanted = case.claim.kind == "reachable"
    holds = _holds(case.game, case.condition)
    seen = _explore(case, limits, lambda p: "goal" if holds(p) else None)
    if seen.found:
        length = len(seen.found.moves)
        statement = f"A play of {plies(length)} leads there; none is shorter."
        proofs = (_play(case, seen, "Ends where it holds."),)
        return Answer(PROVED if wanted else REFUTED, statement, proofs, numbers={"plies": length})
    if seen.closed:
        statement = f"It holds in none of the {seen.states} positions that can be reached {case.whence}."
        proofs = (_exploration(case, seen),)
        return Answer(REFUTED if wanted else PROVED, statement, proofs, numbers={"states": seen.states})
    return _bounded(case, seen, "No play of at most {n} leads there.")


@dataclass
class _Best:
    most: bool
    value: int | None = None
    position: Position | None = None

    def offer(self, value: int | None, position: Position) -> None:
        if value is not None and (
            self.value is None or (value > self.value if self.most else value < self.value)
        ):
            self.value, self.position = value, position


def _extreme(case: Case, limits: Limits) -> Answer:
    machine = Machine(case.game)
    best = _Best(case.most)

    def visit(position: Position) -> str | None:
        situation = machine.situation(position)
        if case.when is None or machine.holds(case.when, situation):
            best.offer(evaluate(case.condition, {}, situation), position)
        return None

    seen = _explore(case, limits, visit)
    word = "most" if case.most else "least"
    if best.value is None:
        if seen.closed:
            return Answer(
                REFUTED, f"No position that counts can be reached {case.whence}.", (_exploration(case, seen),)
            )
        return _bounded(case, seen, "No play of at most {n} reaches a position that counts.")
    again = _explore(case, limits, lambda p: "best" if p == best.position else None)
    proofs = [_play(case, again, f"Reaches {best.value}.")] if again.found else []
    numbers = (
        {"value": best.value, "states": seen.states}
        if seen.closed
        else {"at_least" if best.most else "at_most": best.value}
    )
    if seen.closed:
        statement = (
            f"The {word} is {best.value}, of all {seen.states} positions that can be reached {case.whence}."
        )
        return Answer(PROVED, statement, (*proofs, _exploration(case, seen)), numbers=numbers)
    statement = f"{best.value} can be reached; whether that is the {word} was not decided ({seen.stopped})."
    return Answer(BOUNDED, statement, tuple(proofs), numbers=numbers)


@dataclass
class _Plies:
    """The graph of plies: what may follow each position, with a move and outcomes that lead there."""

    after: dict[Position, dict[Position, tuple[Move, tuple[str, ...]]]] = field(default_factory=dict)

    def step(self, before: Position, move: Move, ply: Ply) -> None:
        self.after.setdefault(before, {}).setdefault(ply.position, (move, ply.outcomes))

    def longest(self) -> int | Position:
        """The greatest number of plies of any play; or a position that some play comes back to."""
        length: dict[Position, int] = {}
        for root in self.after:
            trail = [(root, iter(self.after[root]))] if root not in length else []
            active = {root}
            while trail:
                at, following = trail[-1]
                beyond = next((p for p in following if p not in length), None)
                if beyond is None:
                    trail.pop()
                    active.discard(at)
                    length[at] = max((1 + length[p] for p in self.after.get(at, ())), default=0)
                elif beyond in active:
                    return beyond
                else:
                    active.add(beyond)
                    trail.append((beyond, iter(self.after.get(beyond, ()))))
        return max(length.values(), default=0)

    def round_trip(self, start: Position) -> tuple[list[Move], list[str]]:
        """The shortest way from a position back to itself, with the outcomes of chance on it."""
        back: dict[Position, Position] = {}
        layer = [start]
        while start not in back:
            layer = [
                p for at in layer for p in self.after.get(at, ()) if back.setdefault(p, at) is at and p != at
            ]
            if start in self.after.get(start, ()):
                back[start] = start
        path, at = [start], back[start]
        while at != start:
            path.append(at)
            at = back[at]
        path.append(start)
        path.reverse()
        ways = [self.after[a][b] for a, b in itertools.pairwise(path)]
        return [move for move, _ in ways], [outcome for _, outcomes in ways for outcome in outcomes]


def _terminates(case: Case, limits: Limits) -> Answer:
    graph = _Plies()
    seen = _explore(case, limits, lambda p: None, graph.step)
    if not seen.closed:
        stopped = f"Nothing is known beyond {plies(max(seen.depth, 0))} ({seen.stopped})."
        return Answer(UNDECIDED, f"Whether every play ends was not decided. {stopped}")
    longest = graph.longest()
    if isinstance(longest, Position):
        return _endless(case, graph, longest, limits)
    statement = f"{case.whence.capitalize()}, every play is over after {plies(longest)} at most."
    numbers = {"plies": longest, "states": seen.states}
    return Answer(PROVED, statement, (_exploration(case, seen),), numbers=numbers)


def _endless(case: Case, graph: _Plies, again: Position, limits: Limits) -> Answer:
    seen = _explore(case, limits, lambda p: "again" if p == again else None)
    if seen.found is None:
        return Answer(UNDECIDED, f"Whether every play ends was not decided ({seen.stopped}).")
    moves, outcomes = graph.round_trip(again)
    first = len(seen.found.moves)
    play, _ = write_down(case.game, (*seen.found.chance, *outcomes), (*seen.found.moves, *moves))
    text = f"After {plies(first)} and again after {plies(first + len(moves))} the position is the same."
    proof = Proof("play", text, {"repeats": first}, play)
    return Answer(REFUTED, "A play can come back to the same position again and again.", (proof,))


DECIDERS: dict[str, Callable[[Case, Limits], Answer]] = {
    "invariant": _invariant,
    "reachable": _reachable,
    "unreachable": _reachable,
    "never_stuck": _never_stuck,
    "never_faults": _never_faults,
    "terminates": _terminates,
    "best": _extreme,
}
