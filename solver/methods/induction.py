"""The order in which formulas are asked about what always holds."""

from __future__ import annotations

from dataclasses import replace

from rulespec.core.wording import plies
from solver.evidence.k_induction import (
    DEEPEST_INDUCTION,
    anywhere,
    at_depth,
    by_difference,
    by_flow,
    by_unrolling,
    start,
)  # fmt: skip
from solver.evidence.problem import Answer, Case
from solver.evidence.questions import Question
from solver.evidence.reduced import remembering
from solver.evidence.split_induction import by_parts


def invariant(case: Case) -> Answer:
    """The answer about an invariant: what needs the smallest formulas comes first."""
    return by_flow(case) or by_parts(case) or by_difference(case) or _always(case)


def never_falls(case: Case) -> Answer:
    """The answer about numbers that never fall, as an invariant of the game that remembers them."""
    return by_flow(case) or invariant(remembering(case))


def never_stuck(case: Case) -> Answer:
    """The answer to whether there is always a legal action."""
    return anywhere(case) or _always(case)


def never_faults(case: Case) -> Answer:
    """The answer to whether every value always fits its place."""
    return by_flow(case) or _always(case)


def by_induction(case: Case) -> Answer | None:
    """The answer by induction over few plies; None if none of them shows it."""
    return _inductive(case, start(case))


def _always(case: Case) -> Answer:
    begin = start(case)
    return _inductive(case, begin) or by_unrolling(case, begin)


def _inductive(case: Case, begin: Question) -> Answer | None:
    """The answer by induction over one ply, else over more.

    What other claims say makes questions large, so where the claim names none it is first tried without.
    """
    if case.helpers and not case.named:
        shown = at_depth(replace(case, settled={}), 1, begin)
        if shown is not None:
            return shown
    for depth in range(1, DEEPEST_INDUCTION + 1):
        if depth > 1:
            case.progress(f"induction over {plies(depth)}")
        shown = at_depth(case, depth, begin)
        if shown is not None:
            return shown
    return None
