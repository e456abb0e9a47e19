"""Deciding claims by formulas: induction over one ply, unrolling, measures.

Whatever an engine says is possible is played by the interpreter before it is believed. What it says
is impossible is evidence that `recheck` derives from the ruleset and puts to an engine again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from rulespec.core import nodes as n
from rulespec.core.types import Int
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED, UNDECIDED
from rulespec.core.walk import conjuncts
from solver.formulas import TooWide

from . import by_comparing, by_flows, by_sight, commutes, sampling
from .asking import OutOfBudget, Question, Unwatched, at_least
from .better import Scale, between, optimum
from .blind import Deals
from .by_play import Pursuit
from .case import Answer, Case, Proof, helper_proofs, plies
from .measures import falls
from .reach import EXCLUDED, PATIENCE, Reached, reach
from .reach import excluded as by_exclusion
from .steps import numbers, remembering, told
from .structure import instances
from .sums import at_start, never_fall, never_negative_at_start, sums_of
from .totals import Total, taken_apart

DEEPEST_INDUCTION = 3
"""The greatest number of plies in a row that an induction step looks back."""


def decide(case: Case, pursuit: Pursuit | None = None) -> Answer | None:
    """The answer to a case by formulas; None for a kind of claim that they do not decide.

    Where the best is asked for, they begin with what the pursuit has left open.
    """
    decider = DECIDERS.get(case.claim.kind)
    if case.claim.kind == "best":
        decider = partial(_extreme, pursuit or Pursuit(case))
    if decider is None:
        return None
    try:
        try:
            return decider(case)
        except Unwatched:
            return decider(replace(case, watch_all=True))
    except OutOfBudget as out:
        return Answer(UNDECIDED, f"Nothing was decided within {out}.")
    except TooWide as wide:
        words = f"Formulas do not cover this: {wide}."
        return Answer(UNDECIDED, "Nothing was decided by formulas.", notes=(words,))


# ---- what always holds


def _invariant(case: Case) -> Answer:
    shown = _by_flows(case, by_flows.invariant(case))
    return shown or _by_difference(case) or _always(case, "It holds", "it fails")


def _by_difference(case: Case) -> Answer | None:
    """That inequalities hold because no ply lets their sides come nearer, unless they need not hold then.

    None where the claim is of another form, or where some ply does.
    """
    _, about = forbidden(case)
    sums = sums_of(case, about)
    if not sums:
        return None
    begin = Question(case, "initial", None, about)
    held = never_negative_at_start(begin, sums)
    if not held and begin.possible(one_of=[-begin.holds(e, 0) for e in about]):
        return None
    if not never_fall(case, sums, begin):
        return None
    given = f", given {', '.join(f'`{name}`' for name in case.helping)}" if case.helpers else ""
    text = "No ply lets the sides of the inequality come nearer."
    proofs = (Proof("induction", text, {"depth": 1}), *helper_proofs(case))
    statement = f"It holds at the start {_whence(case)}, and no ply lets its sides come nearer{given}."
    return Answer(PROVED, statement, proofs, begin.engine, {"depth": 1})


def _never_stuck(case: Case) -> Answer:
    engine = _never_stuck_anywhere(case)
    if engine:
        proof = Proof("induction", "No position whatever is without a legal action.", {"depth": 0})
        statement = "There is a legal action in every position, reachable or not."
        proofs = (proof, *helper_proofs(case, case.named))
        return Answer(PROVED, statement, proofs, engine, {"depth": 0})
    return _always(case, "There is a legal action", "nobody has a legal action")


def _never_stuck_anywhere(case: Case) -> str:
    """The engine that says that a position in which helpers hold has a legal action; empty if it does not."""
    if case.game.turn.stuck == "pass":  # nobody is stuck before all were asked, and that takes plies
        return ""
    try:
        anywhere = Question(case, "any", None, case.named_helpers)
        for helper in case.named_helpers:
            anywhere.grant(helper, 0)
        return "" if anywhere.possible([anywhere.rules.stuck(0)]) else anywhere.engine
    except TooWide:
        return ""


def _never_faults(case: Case) -> Answer:
    words = "Every value fits its place", "a value does not fit its place"
    return _by_flows(case, by_flows.never_faults(case)) or _always(case, *words)


def _by_flows(case: Case, shown: Answer | None) -> Answer | None:
    """An answer that rests on the claims that this one names as helping it."""
    return shown and replace(shown, proofs=(*shown.proofs, *helper_proofs(case, case.named)))


Bads = Callable[[Question, int], list[int]]
"""Literals of which one is true where something bad has happened."""


def forbidden(case: Case) -> tuple[Bads, list[n.Expr]]:
    """What must never happen by a claim of a kind that says so, and the conditions that this asks for."""
    if case.claim.kind == "never_stuck":
        return lambda q, k: [q.rules.stuck(k)], []
    if case.claim.kind == "never_faults":
        return lambda q, k: [q.rules.fault(k)], []
    wanted = [one for part in conjuncts(case.claim.always) for one in instances(part)]
    return lambda q, k: [-q.holds(one, k) for one in wanted], wanted


def _always(case: Case, good_words: str, bad_words: str) -> Answer:
    """That something bad never happens: by induction, else by looking for it as deep as the budget lets.

    What other claims say makes questions large, so where the claim names none it is first tried without.
    """
    bads, about = forbidden(case)
    begin = Question(case, "initial", None, about)
    if _possible(begin, bads, 0):
        return _shown(begin, 0, bad_words)
    depth = None
    if case.helpers and not case.named:
        unhelped = replace(case, settled={})
        if _kept_by_each(unhelped, bads, about, begin):
            case, depth = unhelped, 1
    depth = depth or _induction(case, bads, about, begin)
    if depth is not None:
        back = "" if depth == 1 else f" (looking back {plies(depth)})"
        given = f", given {', '.join(f'`{name}`' for name in case.helping)}" if case.helpers else ""
        kept = f"one ply from any position keeps it so{back}{given}"
        statement = f"{good_words} at the start {_whence(case)}, and {kept}."
        proof = Proof("induction", f"Base and step have no counterexample{back}.", {"depth": depth})
        if depth == 1 or not _bad_before(begin, bads, depth):
            proofs = (proof, *helper_proofs(case))
            return Answer(PROVED, statement, proofs, begin.engine, {"depth": depth})
    return _search_for(case, begin, bads, good_words, bad_words)


def _whence(case: Case) -> str:
    return "of every play" if case.chance is None else "from the given deal"


def _induction(case: Case, bads: Bads, about: list[n.Expr], begin: Question) -> int | None:
    """The number of plies over which an induction step holds; None if it does not for any tried."""
    if _kept_by_each(case, bads, about, begin):
        return 1
    for depth in range(2, DEEPEST_INDUCTION + 1):
        case.progress(f"induction over {plies(depth)}")
        if _step_holds(case, bads, about, depth, begin):
            return depth
    return None


def _kept_by_each(case: Case, bads: Bads, about: list[n.Expr], begin: Question) -> bool:
    """Whether no single ply brings anything bad about.

    Each action is asked about by itself: smaller questions are answered sooner.
    """
    for action in case.game.actions:
        case.progress(f"induction: `{action}`")
        if not _step_holds(case, bads, about, 1, begin, [action]):
            return False
    return True


def _step_holds(
    case: Case, bads: Bads, about: list[n.Expr], depth: int, begin: Question, only: list[str] | None = None
) -> bool:
    """Whether nothing bad follows `depth` plies before which nothing was bad.

    The state before them is any at all in which stands what never changes from the start.
    """
    question = step(case, bads, about, depth, begin, only)
    return not question.possible(one_of=bads(question, depth))


def step(
    case: Case, bads: Bads, about: list[n.Expr], depth: int, begin: Question, only: list[str] | None = None
) -> Question:
    """So many plies from any state, nothing bad before the last of them and what helps granted."""
    question = Question(case, "any", None, [*about, *case.helpers], only, begin)
    question.extend(depth)
    for k in range(depth):
        question.granted += [-one for one in bads(question, k)]
        for helper in case.helpers:
            question.grant(helper, k)
    return question


def _bad_before(begin: Question, bads: Bads, depth: int) -> bool:
    """Whether something bad happens in the first plies, which a deeper induction takes for granted."""
    begin.extend(depth - 1)
    return any(_possible(begin, bads, k) for k in range(1, depth))


def _possible(question: Question, bads: Bads, k: int) -> bool:
    """Whether something bad can have happened after `k` plies."""
    return question.possible(one_of=bads(question, k))


def _search_for(case: Case, begin: Question, bads: Bads, good_words: str, bad_words: str) -> Answer:
    depth = 0
    try:
        for k in range(1, PATIENCE + 1):
            case.progress(f"plays of {plies(k)}")
            begin.extend(k)
            if _possible(begin, bads, k):
                return _shown(begin, k, bad_words)
            depth = k
            if not begin.possible():
                statement = f"{good_words} in every play, none of which has more than {plies(k - 1)}."
                proof = Proof("refutation", f"No play of {plies(k)} exists.", {"plies": k})
                return Answer(PROVED, statement, (proof,), begin.engine, {"plies": k - 1})
        stopped = f"{PATIENCE} plies"
    except OutOfBudget as out:
        stopped = str(out)
    statement = (
        f"{good_words} in the first {plies(depth)} of every play. Beyond that nothing is known ({stopped})."
    )
    proof = Proof("refutation", f"No play of at most {plies(depth)} is a counterexample.", {"plies": depth})
    return Answer(BOUNDED, statement, (proof,), begin.engine, {"plies": depth})


def _shown(question: Question, k: int, words: str) -> Answer:
    proof = Proof("play", f"Ends where {words}.", {}, question.play())
    return Answer(REFUTED, f"After {plies(k)} {words}.", (proof,), question.engine, {"plies": k})


def _never_falls(case: Case) -> Answer:
    return by_flow_alone(case) or told(_invariant(remembering(case)))


def by_flow_alone(case: Case) -> Answer | None:
    """That numbers never fall, as far as the text of the effects shows it."""
    return _by_flows(case, by_flows.never_falls(case, numbers(case.claim)))


# ---- what can be reached


def excluded(case: Case) -> Answer | None:
    """That what always holds rules a goal out, where a claim for a goal names claims that help; else none."""
    if case.claim.kind not in ("reachable", "unreachable") or not case.claim.options.get("helped-by"):
        return None
    try:
        found = by_exclusion(case, case.condition)
    except TooWide:
        return None
    return None if found is None else _told(case, found)


def _reachable(case: Case) -> Answer:
    return _told(case, reach(case, case.condition))


def _told(case: Case, found: Reached) -> Answer:
    yes, no = (PROVED, REFUTED) if case.claim.kind == "reachable" else (REFUTED, PROVED)
    if found.play is not None:
        length = len(found.play.plays)
        proof = Proof("play", "Ends where it holds.", {}, found.play)
        shortest = "; none is shorter" if found.searched == length - 1 else ""
        return Answer(
            yes,
            f"A play of {plies(length)} leads there{shortest}.",
            (proof,),
            found.engine,
            {"plies": length},
        )
    if found.impossible:
        words = found.impossible[0].upper() + found.impossible[1:] + "."
        proof = Proof("refutation", words, {**_deal(case), **({"by": found.by} if found.by else {})})
        statement = f"No play {case.whence} leads there: {found.impossible}."
        return Answer(no, statement, (proof, *helper_proofs(case)), found.engine)
    return _not_found(case, found)


def _not_found(case: Case, found: Reached) -> Answer:
    if found.searched < 0:
        return Answer(UNDECIDED, f"Nothing was decided within {found.stopped}.", engine=found.engine)
    none = f"No play of at most {plies(found.searched)} leads there."
    statement = f"{none} Beyond that nothing is known ({found.stopped})."
    proof = Proof("refutation", none, {**_deal(case), "plies": found.searched})
    return Answer(BOUNDED, statement, (proof,), found.engine, {"plies": found.searched})


# ---- the best that can be reached


def _extreme(pursuit: Pursuit, case: Case) -> Answer | None:
    """The least or most of an expression: the bound is moved until the next step is shown impossible.

    It begins at the best value that the pursuit has not ruled out, and ends before what that has reached.
    """
    scale = pursuit.scale
    if scale is None:
        return None
    proofs = list(pursuit.proofs)
    first, engine = _not_excluded(case, pursuit, scale)
    if first > pursuit.proved:
        bound = scale.value(first - 1)
        text = f"{bound} is impossible: what always holds excludes it."
        proofs += [Proof("refutation", text, {**_deal(case), "bound": bound, "by": EXCLUDED})]
        proofs += helper_proofs(case)
    for rank in range(first, pursuit.ceiling):
        case.progress(scale.words(rank))
        bound = scale.value(rank)
        found = reach(case, pursuit.goal.within(bound))
        engine = found.engine or engine
        if found.play is not None:
            return optimum(case, scale, rank, found.play, proofs, engine)
        if not found.impossible:
            stopped = f"Whether {bound} can be reached was not decided within {found.stopped}."
            return between(case, scale, rank, pursuit.reached, proofs, stopped, engine)
        reason = f"{bound} is impossible: {found.impossible}"
        data = {**_deal(case), "bound": bound}
        proofs.append(Proof("refutation", reason[0].upper() + reason[1:] + ".", data))
    if pursuit.play is not None:
        return optimum(case, scale, pursuit.ceiling, pursuit.play, proofs, engine)
    return Answer(REFUTED, f"No position that counts can be reached {case.whence}.", tuple(proofs), engine)


def _not_excluded(case: Case, pursuit: Pursuit, scale: Scale) -> tuple[int, str]:
    """The first open rank that what always holds does not exclude, and which engine said so."""
    first, last, engine = pursuit.proved, pursuit.ceiling, ""
    step = 1
    while first < last:
        rank = min(first + step, last) - 1
        found = by_exclusion(case, pursuit.goal.within(scale.value(rank)))
        if found is not None:
            first, step, engine = rank + 1, 2 * step, found.engine
        elif rank == first:
            break
        else:
            last, step = rank, max(1, (rank - first + 1) // 2)
    return first, engine


def _deal(case: Case) -> dict[str, object]:
    """What evidence says of the deal that it is about."""
    return {} if case.chance is None else {"chance": list(case.chance)}


# ---- every play ends


def _terminates(case: Case) -> Answer | None:
    """By the claim's measure: not negative, and lower after every ply from any position."""
    measure, t = case.claim.condition, case.condition.type
    if measure is None or not isinstance(t, Int):
        return None
    total = taken_apart(measure)
    for action in case.game.actions:
        case.progress(f"whether the measure falls: `{action}`")
        if not _falls(case, measure, total, action):
            return _measure_fails(case)
    greatest, engine = _greatest_at_start(case, measure, t)
    given = f", given {', '.join(f'`{name}`' for name in case.helping)}" if case.helpers else ""
    falls = f"is at most {greatest} at the start, never negative, and falls with every ply from any position"
    statement = f"Every play ends within {plies(greatest)}: the measure {falls}{given}."
    proof = Proof(
        "induction", "No ply from any position leaves the measure as it is or raises it.", {"depth": 1}
    )
    return Answer(PROVED, statement, (proof, *helper_proofs(case)), engine, {"plies": greatest})


def _falls(case: Case, measure: n.Expr, total: Total, action: str) -> bool:
    """Whether an action lowers the measure from any state, and it is not negative there.

    A ply that faults ends the play, whatever the measure.
    """
    one = falling(case, measure, total, action)
    if total.least < 0 and one.possible([-one.holds(at_least(measure, 0), 0)]):
        return False
    return falls(one, total)


def falling(case: Case, measure: n.Expr, total: Total, action: str) -> Question:
    """One ply of an action from any state, with what helps granted."""
    one = Question(case, "any", None, [measure, *case.helpers, *(f.fact for f in total.facts)], [action])
    one.extend(1)
    for helper in case.helpers:
        one.grant(helper, 0)
    return one


def _measure_fails(case: Case) -> Answer:
    """The measure proves nothing; perhaps a play comes back on itself, which settles it."""
    statement = "Whether every play ends was not decided: from some position the measure need not fall."
    return _coming_back(case, REFUTED) or Answer(UNDECIDED, statement)


def _endless(case: Case) -> Answer:
    statement = "Whether some play goes on for ever was not decided: none was seen to come back."
    return _coming_back(case, PROVED) or Answer(UNDECIDED, statement)


def _coming_back(case: Case, outcome: str) -> Answer | None:
    """What follows from a play that comes back on itself, where one was noticed."""
    found = sampling.coming_back(case)
    if found is None:
        return None
    play, first = found
    text = f"After {plies(first)} and again after {plies(len(play.plays))} the position is the same."
    proof = Proof("play", text, {"repeats": first}, play)
    return Answer(outcome, "A play can come back to the same position again and again.", (proof,))


def _greatest_at_start(case: Case, measure: n.Expr, t: Int) -> tuple[int, str]:
    start = Question(case, "initial", None, [measure])
    known = at_start(start, taken_apart(measure, Deals(case.game).value))
    if known[0] == known[1]:
        return known[0], start.engine
    low, high = max(t.lo, 0), t.hi
    while low < high:
        middle = (low + high + 1) // 2
        if start.possible([start.holds(at_least(measure, middle), 0)]):
            low = middle
        else:
            high = middle - 1
    return low, start.engine


DECIDERS: dict[str, Callable[[Case], Answer | None]] = {
    "invariant": _invariant,
    "never_stuck": _never_stuck,
    "never_faults": _never_faults,
    "reachable": _reachable,
    "unreachable": _reachable,
    "never_falls": _never_falls,
    "terminates": _terminates,
    "symmetry": commutes.decide,
    "equivalent": by_comparing.by_formulas,
    "knowable": by_sight.by_formulas,
    "endless": _endless,
}
