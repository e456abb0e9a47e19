"""Answers of deciders compared with all positions of a game, explored by the interpreter."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from rulespec.budgets import OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine, Ply
from rulespec.play.position import STUCK, Position
from rulespec.solver.evidence import bmc, conservation, k_induction, ranking, split_induction
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.evidence.replay import objection
from rulespec.solver.explore.chance_outcomes import outcomes
from rulespec.solver.explore.states import without_draw_count
from rulespec.solver.formulas import TooWide
from rulespec.solver.formulas.unrolling.question import UnwatchedFault
from rulespec.solver.methods import farkas_multipliers, inductions, play_search
from rulespec.solver.methods.table import FORMULAS
from rulespec.solver.reductions.remembering import numbers

MOST_POSITIONS = 400
SECONDS = 2.0
"""The time limit of one decider."""


class TooMany(Exception):
    """The game has more than `MOST_POSITIONS` positions."""


class Space:
    """All positions of a game: `depths` holds the least number of plies to each, `plies` its successors."""

    def __init__(self, game: Game) -> None:
        self.game, self.machine = game, Machine(game)
        self.starts = [without_draw_count(ply.position) for ply in outcomes(self.machine.start, ())]
        self.depths: dict[Position, int] = dict.fromkeys(self.starts, 0)
        self.plies: dict[Position, list[Position]] = {}
        waiting = [*self.depths]
        while waiting:
            layer, waiting = waiting, []
            for position in layer:
                self.plies[position] = [*dict.fromkeys(self._after(position))]
                for after in self.plies[position]:
                    if after not in self.depths:
                        self.depths[after] = self.depths[position] + 1
                        waiting.append(after)
                if len(self.depths) > MOST_POSITIONS:
                    raise TooMany

    def _after(self, position: Position) -> Iterator[Position]:
        for move in self.machine.moves(position):

            def play(chance: Chance, move: object = move) -> Ply:
                return self.machine.play(position, move, chance)  # type: ignore[arg-type]

            for ply in outcomes(play, ()):
                yield without_draw_count(ply.position)

    def value(self, e: n.Expr, position: Position) -> object:
        """The value of an expression in a position."""
        return evaluate(e, {}, self.machine.situation(position))

    def soonest(self, held: Callable[[Position], object]) -> int | None:
        """The least number of plies to a position for which `held` is true; None if there is none."""
        return min((depth for position, depth in self.depths.items() if held(position)), default=None)

    def longest(self) -> int | None:
        """The plies of the longest play; None if some play never ends."""
        found: dict[Position, int | None] = {}
        stack = [(start, False) for start in self.starts]
        while stack:
            position, done = stack.pop()
            if done:
                found[position] = 1 + max((found[p] or 0 for p in self.plies[position]), default=-1)
            elif position not in found:
                found[position] = None
                stack.append((position, True))
                for after in self.plies[position]:
                    if after in found and found[after] is None:
                        return None
                    if after not in found:
                        stack.append((after, False))
        return max(found[start] or 0 for start in self.starts)


@dataclass(frozen=True)
class Truth:
    """The truth of a claim, the least plies of a play that settles it otherwise, and the best value."""

    holds: bool | None
    soonest: int | None = None
    best: int | None = None


def truth(space: Space, claim: Claim) -> Truth:
    """The truth of a claim, by all positions of the game."""
    kind, condition = claim.kind, claim.condition or n.Const(claim.always.type, True)
    if kind in ("reachable", "unreachable"):
        soonest = space.soonest(lambda p: space.value(condition, p))
        return Truth((soonest is not None) == (kind == "reachable"), soonest)
    if kind == "terminates":
        longest = space.longest()
        return Truth(longest is not None, best=longest)
    if kind == "best":
        when = claim.options.get("when")
        held = (p for p in space.depths if not isinstance(when, n.Expression) or space.value(when, p))
        values = [value for p in held if isinstance(value := space.value(condition, p), int)]
        best = max if claim.options["sense"] == "most" else min
        return Truth(None, best=best(values) if values else None)
    if kind == "never_falls":
        falling = [
            space.depths[before] + 1
            for before, following in space.plies.items()
            for after in following
            if any(space.value(e, after) < space.value(e, before) for e in numbers(claim))  # type: ignore[operator]
        ]
        return Truth(not falling, min(falling, default=None))
    bad: dict[str, Callable[[Position], object]] = {
        "invariant": lambda p: not space.value(claim.always, p),
        "never_stuck": lambda p: p.ended == STUCK,
        "never_faults": lambda p: p.fault is not None,
    }
    soonest = space.soonest(bad[kind])
    return Truth(soonest is None, soonest)


def wrong(space: Space, case: Case, answer: Answer) -> str:
    """The contradiction between an answer and the truth, in words; empty if there is none."""
    claim, is_so = case.claim, truth(space, case.claim)
    for proof in answer.proofs:
        if proof.play is not None:
            problem = objection(case.game, claim, proof.play, proof.data, answer.numbers)
            if problem:
                return f"its play: {problem}"
    if answer.outcome in (PROVED, REFUTED) and claim.kind != "best":
        if (answer.outcome == PROVED) != is_so.holds:
            return f"it is {answer.outcome}: {dict(answer.numbers)}"
        if (
            claim.kind == "terminates"
            and answer.outcome == PROVED
            and answer.numbers["plies"] < (is_so.best or 0)
        ):
            return f"a play has {is_so.best} plies: {dict(answer.numbers)}"
    if answer.outcome == BOUNDED and is_so.soonest is not None and answer.numbers["plies"] >= is_so.soonest:
        return f"it is otherwise after {is_so.soonest} plies: {dict(answer.numbers)}"
    if claim.kind == "best":
        return _wrong_best(claim, answer, is_so.best)
    return ""


def _wrong_best(claim: Claim, answer: Answer, best: int | None) -> str:
    if answer.outcome == REFUTED:
        return "" if best is None else f"{best} is reached: {dict(answer.numbers)}"
    if answer.outcome not in (PROVED, BOUNDED):
        return ""
    if best is None:
        reached = "at_least" if claim.options["sense"] == "most" else "at_most"
        return (
            f"nothing is reached: {dict(answer.numbers)}"
            if {"value", reached} & answer.numbers.keys()
            else ""
        )
    low = answer.numbers.get("value", answer.numbers.get("at_least", best))
    high = answer.numbers.get("value", answer.numbers.get("at_most", best))
    return "" if low <= best <= high else f"the best is {best}: {dict(answer.numbers)}"


# ---- deciders by themselves


def _ruled_out(case: Case) -> Answer | None:
    return farkas_multipliers.contradiction(case)


def _reached(argument: str) -> Callable[[Case], Answer | None]:
    def run(case: Case) -> Answer | None:
        return FORMULAS(replace(case, argument=argument))

    return run


def _pursued(case: Case) -> Answer | None:
    """The answer of searches for plays, with easier games."""
    pursuit, rounds = play_search.Pursuit(case), iter(range(3))
    if pursuit.scale is not None:
        pursuit.leave_out(*farkas_multipliers.first_rank(case, pursuit.scale))
    answer = pursuit.run(lambda: next(rounds, None) is None or case.budget.exceeded_limit != "")
    pursuit.prove_floor()
    return answer or pursuit.partly()


DECIDERS: dict[str, dict[str, Callable[[Case], Answer | None]]] = {
    "invariant": {
        "flows": conservation.by_flow,
        "parts": split_induction.by_parts,
        "difference": lambda case: k_induction.by_difference(case, k_induction.DIFFERENCES),
        "induction": inductions.by_induction,
        "unrolling": k_induction.by_unrolling,
    },
    "never_faults": {"flows": conservation.by_flow, "formulas": FORMULAS},
    "never_stuck": {"formulas": FORMULAS},
    "never_falls": {"flows": conservation.by_flow, "formulas": FORMULAS},
    "terminates": {"measure": ranking.terminates},
    "best": {"formulas": FORMULAS, "pursuit": _pursued},
}
for _kind in ("reachable", "unreachable"):
    DECIDERS[_kind] = {
        "bmc": FORMULAS,
        "trap": _reached(bmc.TRAP),
        "excluded": _reached(bmc.EXCLUDED),
        "sums": _ruled_out,
        "pursuit": _pursued,
    }


def decided(decide: Callable[[Case], Answer | None], case: Case) -> Answer | None:
    """The answer of a decider; None if it has none within its budget."""
    try:
        try:
            return decide(case)
        except UnwatchedFault:
            return decide(replace(case, watch_all=True))
    except (OutOfBudget, TooWide):
        return None
