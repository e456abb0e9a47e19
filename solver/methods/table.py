"""The methods that decide claims, by name: each can be asked by itself.

`decide` takes them in an order that saves time. A method must be as right about a claim for which that order
would never have come to it: tests ask each of every claim that it is for.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial

from solver.evidence import (
    bmc,
    equivalence,
    explorers,
    game_graph,
    k_induction,
    knowability,
    linear_combination,
    split_induction,
    tree_search,
)
from solver.evidence.problem import Answer, Case
from solver.evidence.questions import asked
from solver.evidence.reduced import remembering
from solver.explore.state_space import Limits
from solver.reductions.remembering import NEVER_FALLS

from . import formulas, induction, play_search, reaching, repetition

Attempt = Callable[[Case], Answer | None]
"""The answer of a method to a case; None where it shows nothing."""

POSITIONS = 20_000
"""The number of positions that an exploration alone keeps at most."""
TURNS = 8
"""The number of turns of hunts alone."""


@dataclass(frozen=True)
class Method:
    """A way to decide claims of some `kinds`."""

    kinds: frozenset[str]
    attempt: Attempt

    def __call__(self, case: Case) -> Answer | None:
        """Its answer to a case; None for a claim of another kind, too."""
        return self.attempt(case) if case.claim.kind in self.kinds else None


# ---- by positions


def _explored(case: Case, *, judge: bool = False, folded: bool = False) -> Answer | None:
    return explorers.search(case, Limits(case.budget.left, POSITIONS, judge=judge, folded=folded))


def _ahead(case: Case) -> Answer | None:
    if case.claim.options.get("within") is not None:
        return None
    return _explored(replace(case, argument=game_graph.AHEAD))


# ---- by plays


def _hunted(case: Case) -> Answer | None:
    if case.summed:
        return None
    pursuit, turns = play_search.Pursuit(case), iter(range(TURNS))
    if pursuit.scale is not None:
        pursuit.leave_out(*linear_combination.first_rank(case, pursuit.scale))
    answer = pursuit.run(lambda: case.budget.exhausted or ("" if next(turns, None) is not None else "enough"))
    pursuit.prove_floor()
    return answer or pursuit.partly()


def _strolled(case: Case) -> Answer | None:
    return None if case.summed else play_search.strolled(case)


# ---- by formulas


def _formulas(case: Case) -> Answer | None:
    return None if case.summed else formulas.decide(case)


def _reached(argument: str, case: Case) -> Answer | None:
    data = reaching.suggested(case.game, argument)
    return asked(partial(bmc.by_reaching, argument=argument, data=data), case)


def _of_invariants(shown: Attempt) -> Attempt:
    """A method for invariants, also for numbers that never fall: what they were before is remembered then."""

    def attempt(case: Case) -> Answer | None:
        if case.claim.kind != NEVER_FALLS:
            return asked(shown, case)
        return asked(shown, remembering(case))

    return attempt


def _by_parts(case: Case) -> Answer | None:
    return split_induction.by_parts(replace(case, argument=split_induction.PARTS))


def _kinds(*names: str) -> frozenset[str]:
    return frozenset(names)


REACHED = _kinds("reachable", "unreachable")
SOUGHT = REACHED | {"best"}
ALWAYS = _kinds("invariant", "never_stuck", "never_faults", NEVER_FALLS)

METHODS: Mapping[str, Method] = {
    "exploration": Method(frozenset(explorers.DECIDERS), _explored),
    "exploration by the interpreter": Method(frozenset(explorers.DECIDERS), partial(_explored, judge=True)),
    "exploration with symmetries": Method(frozenset(explorers.DECIDERS), partial(_explored, folded=True)),
    "looking ahead": Method(_kinds("never_hopeless"), _ahead),
    "memory": Method(_kinds("value"), tree_search.search),
    "hunts": Method(SOUGHT, _hunted),
    "random plays": Method(REACHED | {"invariant", NEVER_FALLS}, _strolled),
    "repetition": Method(_kinds("endless"), repetition.endless),
    "sums": Method(REACHED, linear_combination.contradiction),
    "exclusion": Method(REACHED, formulas.excluded),
    **{name: Method(REACHED, partial(_reached, name)) for name in bmc.ARGUMENTS},
    "flows": Method(_kinds("invariant", "never_faults", NEVER_FALLS), partial(asked, k_induction.by_flow)),
    "parts": Method(_kinds("invariant", NEVER_FALLS), _of_invariants(_by_parts)),
    "differences": Method(_kinds("invariant", NEVER_FALLS), _of_invariants(k_induction.by_difference)),
    "anywhere": Method(_kinds("never_stuck"), partial(asked, k_induction.anywhere)),
    "induction": Method(ALWAYS, _of_invariants(induction.by_induction)),
    "unrolling": Method(ALWAYS, _of_invariants(k_induction.by_unrolling)),
    "both unrolled": Method(_kinds("equivalent"), partial(asked, equivalence.by_unrolling)),
    "pairs of plays": Method(_kinds("knowable"), partial(asked, knowability.by_unrolling)),
    "formulas": Method(frozenset(formulas.DECIDERS) | {"best"}, _formulas),
}
"""Each method by name. In `formulas` several of them stand in an order."""

OF_ENGINES = (
    *(
        "flows",
        "parts",
        "differences",
        "anywhere",
        "induction",
        "unrolling",
        "both unrolled",
        "pairs of plays",
    ),
    *bmc.ARGUMENTS,
)
"""The methods that stand in an order in `formulas`."""
