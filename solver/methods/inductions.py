"""Methods that show by formulas that something always holds, or that every play ends."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from rulespec.core import nodes as n
from rulespec.core.properties import Event, Form, Property
from rulespec.core.walk import inside
from rulespec.core.wording import plies
from solver.evidence import conservation, k_induction, ranking, split_induction
from solver.evidence.engine_rules import asked, of_positions
from solver.evidence.problem import Answer, Case

from .method import Attempt, Cost, Method

INDUCTION = frozenset({"induction", "helper", "play"})
REFUTATION = frozenset({"refutation", "play"})


def by_rule(rule: Callable[[Case], Answer | None]) -> Attempt:
    """The attempt that is one rule of the judge, about the game that remembers where that is asked."""
    return lambda run, seconds: asked(of_positions(rule), run.case)


def by_induction(case: Case) -> Answer | None:
    """The answer by induction over few plies; None if none of them shows it.

    What other claims say makes questions large, so where the claim names none it is first tried without.
    """
    begin = k_induction.start(case)
    if case.helpers and not case.named:
        shown = k_induction.at_depth(replace(case, settled={}), 1, begin)
        if shown is not None:
            return shown
    for depth in range(1, k_induction.DEEPEST_INDUCTION + 1):
        if depth > 1:
            case.progress(f"induction over {plies(depth)}")
        shown = k_induction.at_depth(case, depth, begin)
        if shown is not None:
            return shown
    return None


def _asks_recursion(case: Case) -> bool:
    """True if the claim, or one that it names as helping, calls a definition that uses itself.

    Elsewhere a ply as a whole is no larger than its parts.
    """
    seen, waiting = set[n.Function](), [case.claim.always, *case.named_helpers]
    while waiting:
        for node in inside(waiting.pop()):
            if isinstance(node, n.Call) and node.function not in seen:
                seen.add(node.function)
                waiting.append(node.function.body)
    return any(function.falling is not None for function in seen)


def _of_conditions(stated: Property) -> bool:
    return stated.is_invariant and stated.event is Event.CONDITION


METHODS = (
    Method(
        "flows",
        lambda p: p.is_invariant and p.event is not Event.STUCK,
        lambda run, seconds: asked(conservation.by_flow, run.case),
        INDUCTION,
        Cost.QUESTION,
        by_formulas=True,
    ),
    Method(
        "anywhere",
        lambda p: p.event is Event.STUCK,
        by_rule(k_induction.anywhere),
        INDUCTION,
        Cost.QUESTION,
        by_formulas=True,
    ),
    Method(
        "parts",
        _of_conditions,
        by_rule(split_induction.by_parts),
        INDUCTION,
        Cost.PARTS,
        by_formulas=True,
        pays=_asks_recursion,
    ),
    Method(
        "differences",
        _of_conditions,
        by_rule(k_induction.by_difference),
        INDUCTION,
        Cost.PLY,
        by_formulas=True,
    ),
    Method(
        "measure",
        lambda p: p.form is Form.ENDS and not p.negated,
        by_rule(ranking.terminates),
        INDUCTION,
        Cost.PLY,
        by_formulas=True,
    ),
    Method(
        "induction",
        lambda p: p.is_invariant,
        by_rule(by_induction),
        INDUCTION,
        Cost.PLIES,
        by_formulas=True,
    ),
    Method(
        "unrolling",
        lambda p: p.is_invariant,
        by_rule(k_induction.by_unrolling),
        REFUTATION,
        Cost.UNROLLING,
        by_formulas=True,
    ),
)
