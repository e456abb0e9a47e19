"""Methods that use formulas to decide whether a goal can be reached, and how good a number can become."""

from __future__ import annotations

from functools import partial

from rulespec.core.verdicts.properties import Form, Over, Property
from rulespec.solver.evidence import bmc
from rulespec.solver.evidence.bmc import UnrollingResult, answer_to_reaching
from rulespec.solver.evidence.engine_rules import answer_by_formulas
from rulespec.solver.evidence.optimum import EXCLUDED, Scale, best, deal_data
from rulespec.solver.evidence.problem import Answer, Case, Proof, helper_proofs
from rulespec.solver.formulas import TooWide

from . import farkas_multipliers
from .inductions import never_reached
from .method import Cost, Method, method_of_rule
from .play_search import Pursuit
from .reaching import Exclusion, reach

# ---- what can be reached


def exclude_goal(case: Case) -> Answer | None:
    """Prove that helping claims exclude a goal, if the claim names some; None if they do not."""
    if not case.claim.helped_by:
        return None
    try:
        found = Exclusion(case).of(case.condition)
    except TooWide:
        return None
    return None if found is None else answer_to_reaching(case, found)


def _reachable(case: Case) -> Answer:
    def by_invariants() -> UnrollingResult | None:
        answer = never_reached(case)
        return None if answer is None else UnrollingResult(impossible=True, answer=answer)

    return answer_to_reaching(case, reach(case, case.condition, by_invariants))


# ---- the best that can be reached


def _extreme(pursuit: Pursuit, case: Case) -> Answer | None:
    """The answer about a minimum or maximum; the bound moves until a value is reached or time is up.

    It begins at the best value that the pursuit has not excluded, and ends before the value that it has
    reached.
    """
    scale = pursuit.scale
    if scale is None:
        return None
    proofs = list(pursuit.proofs)
    first, engine = _not_excluded(case, pursuit, scale)
    if first > pursuit.proved:
        bound = scale.value(first - 1)
        proofs += [Proof("refutation", {**deal_data(case), "bound": bound, "by": EXCLUDED})]
        proofs += helper_proofs(case)
    for rank in range(first, pursuit.ceiling):
        case.progress(scale.words(rank))
        bound = scale.value(rank)
        found = reach(case, pursuit.goal.within(bound))
        engine = found.engine or engine
        if found.play is not None:
            return best(case, scale, found.play, proofs, engine)
        if not found.impossible:
            return best(case, scale, pursuit.play, proofs, engine, found.stopped)
        data = {**deal_data(case), "bound": bound, **found.data}
        proofs += [Proof("refutation", data), *helper_proofs(case)]
    return best(case, scale, pursuit.play, proofs, engine)


def _not_excluded(case: Case, pursuit: Pursuit, scale: Scale) -> tuple[int, str]:
    """The first open rank that invariants do not exclude, and the engine that answered.

    If a play has reached some rank, all better ones are tested together first.
    """
    exclusion, engine = Exclusion(case), ""

    def excluded(rank: int) -> bool:
        nonlocal engine
        found = exclusion.of(pursuit.goal.within(scale.value(rank)))
        engine = found.engine if found is not None else engine
        return found is not None

    first, last = pursuit.proved, pursuit.ceiling
    step = 1
    if pursuit.play is not None and first < last:
        if excluded(last - 1):
            return last, engine
        last -= 1
        step = max(1, (last - first + 1) // 2)
    while first < last:
        rank = min(first + step, last) - 1
        if excluded(rank):
            first, step = rank + 1, 2 * step
        elif rank == first:
            break
        else:
            last, step = rank, max(1, (rank - first + 1) // 2)
    return first, engine


# ---- the methods


def _is_reach(stated: Property) -> bool:
    return stated.form is Form.REACHABLE and stated.over is Over.POSITIONS


def _by_argument(name: str) -> Method:
    """A method for one argument alone, for which it never pays: `reaching` tries each where it may."""
    rule = partial(bmc.by_reaching, argument=name)
    return method_of_rule(name, _is_reach, rule, UNREACHED, pays=lambda case: False)


UNREACHED = frozenset({"induction", "refutation", "helper", "play"})

METHODS = (
    Method(
        "sums",
        _is_reach,
        lambda run, seconds: farkas_multipliers.contradiction(run.case),
        frozenset({"combination", "helper"}),
        Cost.GLANCE,
    ),
    Method("exclusion", _is_reach, lambda run, seconds: exclude_goal(run.case), UNREACHED, Cost.QUESTION),
    *(_by_argument(name) for name in bmc.ARGUMENTS),
    method_of_rule("reaching", _is_reach, _reachable, UNREACHED, Cost.UNROLLING),
    Method(
        "bounds",
        lambda p: p.form is Form.OPTIMUM,
        lambda run, seconds: (
            None if run.case.is_summed else answer_by_formulas(partial(_extreme, run.pursuit), run.case)
        ),
        UNREACHED,
        Cost.UNROLLING,
        by_formulas=True,
    ),
)
