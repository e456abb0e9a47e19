"""Deciding claims by what plies take out of lists and put into them.

The questions to an engine are small: can a part of a ply happen under a condition that makes it harmful? No
state after a ply is ever built. The conditions are derived from the effects
(`rulespec.solver.analyses.obligations`), and that derivation is trusted.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from rulespec.core import nodes as n
from rulespec.core.game import Action
from rulespec.core.types import BOOL, Rows, Scalar, Value
from rulespec.core.verdicts import PROVED
from rulespec.core.verdicts.properties import Event, Over
from rulespec.solver.analyses import obligations as read
from rulespec.solver.formulas.aig import FALSE
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.formulas.unrolling.question import Question
from rulespec.solver.reductions.remembering import numbers

from .inequalities import begins_with
from .k_induction import may_begin_badly
from .problem import Answer, Case, helper_proofs, induction_proof

FLOWS = "flows"
"""The name of this argument in evidence."""
MOST_GATES = 600_000
"""A question is closed and another begun after this many gates."""
MOST_CHOICES = 50_000
"""Maximum number of combinations of choices of an action."""


def by_flow(case: Case) -> Answer | None:
    """The answer, derived from the effects, that a condition holds, no number falls or every value fits.

    None if the derivation fails, and for other claims. Claims named as helping hold in all positions, but
    perhaps not within a ply; an invariant itself holds after each part of it.
    """
    stated, kept = case.prop, list[n.Expr]()
    faults = stated.event is Event.FAULT
    if faults:
        case, needed = replace(case, watch_all=True), read.of_faults(case.game)
    elif stated.over is Over.REMEMBERED:
        needed = read.of_numbers(case.game, numbers(case.claim))
    elif stated.is_invariant and stated.event is Event.CONDITION:
        needed, kept = read.of_invariant(case.game, case.claim.always), [case.claim.always]
    else:
        return None
    if needed is None:
        return None
    starts = [needed.start] if needed.start is not None else []
    begin = Question(case, "initial", None, starts)
    if faults and may_begin_badly(case, ()) and begin.possible([begin.fault(0)]):
        return None
    met = (_is_met(case, begin, one, kept) for one in needed.each)
    if not begins_with(case, begin, starts) or not all(met):
        return None
    proofs = (induction_proof(case, by=FLOWS), *helper_proofs(case, case.helper_names))
    return Answer(PROVED, proofs, begin.engine, {"depth": 1})


def conserve(case: Case, conditions: Sequence[n.Expr]) -> bool:
    """True if conditions hold at the start, and effects keep each where all of them hold."""
    begin = Question(case, "initial", None, conditions)
    return begins_with(case, begin, conditions) and all(keeps(case, e, conditions, begin) for e in conditions)


def keeps(case: Case, condition: n.Expr, known: Sequence[n.Expr], begin: Question) -> bool:
    """True if effects keep a condition where it and other known ones hold before each part of a ply."""
    needed, kept = read.of_invariant(case.game, condition), [condition, *known]
    return needed is not None and all(_is_met(case, begin, one, kept) for one in needed.each)


def _is_met(case: Case, begin: Question, one: read.Obligation, kept: Sequence[n.Expr]) -> bool:
    """True if no forbidden condition can hold before a unit; helpers are granted to actions only."""
    if not one.never:
        return True
    wanted, action = n.Or(BOOL, one.never), one.unit.action
    helpers = case.named_helpers if action is not None else []
    granted = [*kept, *helpers] if one.granted else []

    def position() -> Question:
        question = Question(case, "any", None, [wanted, *granted], None, begin)
        question.goes_on = action is not None
        for condition in granted:
            question.grant(condition, 0)
        return question

    if action is None:
        return not (question := position()).possible([question.holds(wanted, 0)])
    if not begin.may_take(action):
        return True

    question, asked = position(), list[int]()
    for values in _combinations(Dependencies(case.game), action):
        literals = [question.legal_with_condition(action, values, e) for e in one.never]
        asked += [x for x in literals if x != FALSE]
        if question.gates.size > MOST_GATES:
            if asked and question.possible(one_of=asked):
                return False
            question, asked = position(), []
    return not asked or not question.possible(one_of=asked)


def _combinations(facts: Dependencies, action: Action) -> Iterator[Mapping[n.Var, Value]]:
    """The values of each combination of choices without state, those with most values left open."""
    split: dict[n.Var, Sequence[Value]] = {}
    for choice in action.choices:
        t, asked = choice.var.type, facts.free(choice.source)
        narrowed = facts.reads(choice.source) or any(v not in split for v in asked)
        if choice.chain is None and isinstance(t, Scalar) and not isinstance(t, Rows) and not narrowed:
            split[choice.var] = t.values
    while math.prod(map(len, split.values())) > MOST_CHOICES:
        del split[max(split, key=lambda var: len(split[var]))]
    for values in itertools.product(*split.values()):
        yield dict(zip(split, values, strict=True))
