"""Proofs by formulas that something always holds: by induction over plies, or by unrolling plays."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from rulespec.budgets import OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.game import Action
from rulespec.core.traversal import conjuncts
from rulespec.core.types import BOOL, Scalar
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED
from rulespec.core.verdicts.properties import Event
from rulespec.core.verdicts.wording import plies
from rulespec.solver.formulas import TooWide
from rulespec.solver.formulas.dependencies import Dependencies, changed_by_ply
from rulespec.solver.formulas.linear.equivalences import alternatives, instances
from rulespec.solver.formulas.unrolling.question import Question

from .bmc import PATIENCE
from .inequalities import AT_START, begins_nonnegative, begins_with, is_steady, open_at_start, sums_of
from .problem import Answer, Case, Proof, by_induction

DEEPEST_INDUCTION = 3
"""Maximum depth of an induction step in plies."""
DIFFERENCES = "differences"
"""The name in evidence of the argument that neither side of an equation gains on the other."""
MOST_COMPARED = 8
"""Maximum number of comparisons of sums in a claim."""
FEW, MANY = 6, 1_000_000
"""With named helping claims, the first question is whether one of `FEW` actions, those with the fewest
choices, is always legal. Choices that are no single values count as `MANY`."""


def by_difference(case: Case, by: str = "") -> Answer | None:
    """Prove comparisons of sums whose sides no ply brings closer, unless it is excused.

    None if the claim has another form, or some ply does. Without `by`, equations are left to engines, as for
    evidence that does not name this argument.
    """
    _, about = forbidden(case)
    if not 0 < len(about) <= MOST_COMPARED or not all(map(sums_of, about)):
        return None
    named = {"by": DIFFERENCES} if any(len(sums_of(e)) > 1 for e in about) else {}
    if named and not by:
        return None
    begin = Question(case, "initial", None, about)
    held = all(begins_nonnegative(case, begin, e) for e in open_at_start(case, about))
    if not held and begin.possible(one_of=[-begin.holds(e, 0) for e in about]):
        return None
    for action in case.game.actions:
        case.progress(f"whether the sides come nearer: `{action}`")
        if not _steady_together(case, about, action, begin):
            return None
    return by_induction(case, begin.engine, 1, **named)


def _steady_together(case: Case, about: list[n.Expr], action: str, begin: Question) -> bool:
    """True if an action provably leaves each expression unchanged, given that the earlier ones are."""
    for loose in (True, False):
        one = from_all(case, [], action, begin, about, loose)
        granted = [*one.granted]
        for e in about:
            one.granted = [*granted]
            if not is_steady(one, e):
                break
        else:
            return True
        if not one.is_relaxed:
            break
    return False


def anywhere(case: Case) -> Answer | None:
    """Prove that somebody can act in any position in which helpers hold, reachable or not; else None."""
    if case.game.turn.stuck == "pass":  # nobody is stuck before all were asked, and that takes plies
        return None
    question = Question(case, "any", granted=case.named_helpers)
    few = sorted(case.game.actions.values(), key=_choices)[:FEW] if case.named_helpers else []
    for last in range(len(few)):
        if not question.possible([question.idle(0, [action.id for action in few[: last + 1]])]):
            return by_induction(case, question.engine, 0, case.helper_names)
    if question.possible([question.stuck_literal(0)]):
        return None
    return by_induction(case, question.engine, 0, case.helper_names)


def follows(case: Case) -> Answer | None:
    """Prove that helping claims alone exclude a breach in any position, reachable or not; else None."""
    bads, about = forbidden(case)
    question = Question(case, "any", None, about, granted=case.named_helpers)
    if not case.named_helpers or question.possible(one_of=bads(question, 0)):
        return None
    return by_induction(case, question.engine, 0, case.helper_names)


def _choices(action: Action) -> int:
    """Maximum number of choices of an action, according to types."""
    types = [choice.var.type for choice in action.choices]
    return math.prod(len(t.values) if isinstance(t, Scalar) else MANY for t in types)


Bads = Callable[[Question, int], list[int]]
"""Literals, one of which is true if something bad has happened."""


def forbidden(case: Case) -> tuple[Bads, list[n.Expr]]:
    """The bad events that a claim excludes, and the conditions on which they depend."""
    if case.prop.event is Event.STUCK:
        return lambda q, k: [q.stuck_literal(k)], []
    if case.prop.event is Event.FAULT:
        return lambda q, k: [q.fault(k)], []
    wanted = [one for part in conjuncts(case.claim.always) for one in instances(part)]
    return lambda q, k: [-q.holds(one, k) for one in wanted], wanted


def may_begin_badly(case: Case, about: Sequence[n.Expr]) -> bool:
    """True unless one deal shows that none begins with a fault, or breaks one of these conditions."""
    return case.prop.event is Event.STUCK or bool(open_at_start(case, about or [n.Const(BOOL, True)]))


def _begins_badly(case: Case, begin: Question, bads: Bads, about: Sequence[n.Expr]) -> bool:
    """True if something bad may hold at the start; one deal may show it where an engine takes long."""
    answer = begin.possible_within(AT_START, one_of=bads(begin, 0))
    if answer is None:
        return may_begin_badly(case, about) and _possible(begin, bads, 0)
    return answer


def start(case: Case) -> Question:
    """A question about starts of plays and the bad events; the same question for all helping claims."""
    return Question(case, "initial", None, forbidden(case)[1])


def at_depth(case: Case, depth: int, begin: Question | None = None) -> Answer | None:
    """The answer of an induction of depth `depth`, with all helping claims.

    None if the step fails; if something bad happens in the first plies, that is the answer. The `start` may
    be given if it was built before.
    """
    bads, about = forbidden(case)
    begin = begin or start(case)
    if _begins_badly(case, begin, bads, about):
        return _answer_shown(begin, 0)
    if depth == 1:
        kept = _kept_by_each(case, bads, about, begin)
    else:
        kept = _step_holds(case, bads, about, depth, begin)
    if not kept:
        return None
    for k in range(1, depth):  # the step assumes that the first plies are good; play may end there
        begin.extend(k)
        if _possible(begin, bads, k):
            return _answer_shown(begin, k)
    return by_induction(case, begin.engine, depth)


def hold_together(case: Case, conditions: Sequence[n.Expr]) -> bool:
    """True if conditions hold at the start, and each ply preserves all of them where all hold.

    A ply that does not move the sums of a comparison preserves it; the other conditions are one question.
    """
    begin = Question(case, "initial", None, conditions)
    return begins_with(case, begin, conditions) and all(
        _kept_together(case, conditions, action, begin) for action in case.game.actions
    )


def _kept_together(case: Case, conditions: Sequence[n.Expr], action: str, begin: Question) -> bool:
    """True if conditions that hold together provably still hold after an action."""
    for loose in (True, False):
        one = from_all(case, conditions, action, begin, (), loose)
        left = [e for e in conditions if not all(is_steady(one, part) for part in few_instances(e))]
        if not left or not one.possible(one_of=[-one.holds(e, 1) for e in left]):
            return True
        if not one.is_relaxed:
            break
    return False


def few_instances(e: n.Expr) -> list[n.Expr]:
    """Conditions whose conjunction is equivalent to `e`: one for each value of its name if there are few."""
    listed = instances(e)
    return listed if len(listed) <= FEW else [e]


def from_all(
    case: Case,
    conditions: Sequence[n.Expr],
    action: str,
    begin: Question,
    about: Sequence[n.Expr] = (),
    loose: bool = False,
) -> Question:
    """One ply of an action from any position in which conditions and helping claims hold.

    Questions may be `about` further conditions.
    """
    one = Question(case, "any", None, [*conditions, *about, *case.helpers], [action], begin, loose)
    one.extend(1)
    for condition in (*conditions, *case.helpers):
        one.grant(condition, 0)
    return one


def _kept_by_each(case: Case, bads: Bads, about: list[n.Expr], begin: Question) -> bool:
    """True if no single ply brings anything bad about.

    Each action is a separate question: smaller questions are answered sooner. The smallest is whether the
    action can be taken at all in a state in which it could do harm.
    """
    for action in case.game.actions:
        case.progress(f"induction: `{action}`")
        if not (_harmless(case, about, action, begin) or _step_holds(case, bads, about, 1, begin, [action])):
            return False
    return True


def _harmless(case: Case, about: list[n.Expr], name: str, begin: Question) -> bool:
    """True if an action is illegal wherever its unchanged variables alone do not keep all conditions true.

    Each condition needs an alternative in such variables, because if that holds before the ply it holds after
    it. Only requirements without choices are used.
    """
    action = case.game.actions[name]
    choices, facts = {choice.var for choice in action.choices}, Dependencies(case.game)
    required = [r.condition for r in action.requirements if choices.isdisjoint(facts.free(r.condition))]
    changed = changed_by_ply(case.game, action)
    left = [[e for e in alternatives(one) if changed.isdisjoint(facts.reads(e))] for one in about]
    if not required or not about or not all(left):
        return False
    granted = [*about, *case.helpers, *required]
    harm = n.Not(BOOL, n.And(BOOL, tuple(n.Or(BOOL, tuple(same)) for same in left)))
    try:
        question = Question(case, "any", None, [harm], None, begin, granted=granted)
        return not question.possible([question.holds(harm, 0)])
    except TooWide:
        return False


def _step_holds(
    case: Case, bads: Bads, about: list[n.Expr], depth: int, begin: Question, only: list[str] | None = None
) -> bool:
    """True if nothing bad follows `depth` plies before which nothing was bad.

    The state before them is any state with the constant variables of the start. Costly parts of the rules are
    left open first.
    """
    for loose in (True, False):
        question = step(case, bads, about, depth, begin, only, loose)
        if not question.possible(one_of=bads(question, depth)):
            return True
        if not question.is_relaxed:
            break
    return False


def step(
    case: Case,
    bads: Bads,
    about: list[n.Expr],
    depth: int,
    begin: Question,
    only: list[str] | None = None,
    loose: bool = False,
) -> Question:
    """A question about `depth` plies from any state: helpers hold, and only the last state may be bad."""
    question = Question(case, "any", None, [*about, *case.helpers], only, begin, loose)
    question.extend(depth)
    for k in range(depth):
        question.granted += [-one for one in bads(question, k)]
        for helper in case.helpers:
            question.grant(helper, k)
    return question


def _possible(question: Question, bads: Bads, k: int) -> bool:
    """True if something bad may have happened after `k` plies."""
    return question.possible(one_of=bads(question, k))


def by_unrolling(case: Case) -> Answer:
    """The answer of unrolling as deep as the budget allows."""
    bads, _ = forbidden(case)
    begin, depth = start(case), 0
    if _possible(begin, bads, 0):
        return _answer_shown(begin, 0)
    try:
        most = PATIENCE if case.most_plies is None else min(PATIENCE, case.most_plies)
        for k in range(1, most + 1):
            case.progress(f"plays of {plies(k)}")
            begin.extend(k)
            if _possible(begin, bads, k):
                return _answer_shown(begin, k)
            if not begin.possible():
                return Answer(PROVED, (Proof("refutation", {"plies": k}),), begin.engine, {"plies": k - 1})
            depth = k
        stopped = plies(most)
    except OutOfBudget as out:
        stopped = str(out)
    proof = Proof("refutation", {"plies": depth})
    return Answer(BOUNDED, (proof,), begin.engine, {"plies": depth}, stopped=stopped)


def _answer_shown(question: Question, k: int) -> Answer:
    return Answer(REFUTED, (Proof("play", {}, question.play()),), question.engine, {"plies": k})
