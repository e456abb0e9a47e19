"""Methods that prove by formulas that something always holds, for positions or pairs of them, or that
every play ends."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeVar

from rulespec.core import nodes as n
from rulespec.core.traversal import nodes_within
from rulespec.core.verdicts.properties import Event, Form, Over, Property
from rulespec.core.verdicts.wording import plies
from rulespec.solver.evidence import comparisons, conservation, k_induction, ranking, split_induction
from rulespec.solver.evidence.engine_rules import (
    Rule,
    answer_by_formulas,
    by_found_measure,
    given_invariants,
    never_there,
    of_positions,
)
from rulespec.solver.evidence.problem import Answer, Case, is_settled
from rulespec.solver.formulas.invariant_templates import Row

from .invariant_search import (
    candidate_conditions,
    conserved_rows,
    found_before,
    inductive_rows,
    is_narrow,
    relevant_variables,
    with_relevant_lemmas,
)
from .measure_search import find_measure
from .method import Cost, Method, Run, method_of_rule

T = TypeVar("T")

INDUCTION = frozenset({"induction", "helper", "play"})
REFUTATION = frozenset({"refutation", "play"})
UNAIDED, SEARCHING, SHORTENING, UNREACHED = 0.1, 0.5, 0.2, 0.25
"""The shares of the time for an induction without invariants, for finding them, for dropping unnecessary
ones, and for showing that a goal holds in no position."""
UNAIDED_SECONDS, UNAIDED_AT_MOST = 1.5, 0.5
"""The seconds that an induction without invariants has at least, unless they are more than a share of the
time: most claims need no invariant, and this is the cheapest way to find out."""
REFUTED_NOW = frozenset({"refutation", "helper"})


def proof_rule_method(
    name: str,
    applies: Callable[[Property], bool],
    rule: Callable[[Case], Answer | None],
    cost: Cost,
    evidence: frozenset[str] = INDUCTION,
    pays: Callable[[Case], bool] = lambda case: True,
) -> Method:
    """Wrap a proof rule of the judge as a method; with history variables if the rule needs them."""

    def attempt(run: Run, seconds: float) -> Answer | None:
        return answer_by_formulas(of_positions(rule), run.case)

    return Method(name, applies, attempt, evidence, cost, by_formulas=True, pays=pays)


def by_induction(case: Case, deepest: int = k_induction.DEEPEST_INDUCTION) -> Answer | None:
    """The answer by induction over at most `deepest` plies; None if none succeeds.

    Helping claims make questions large: first those that the claim names are granted, if any, then all
    relevant ones, and of these only those that the induction needs are kept.
    """
    begin = k_induction.start(case)
    few = case if case.helper_names else replace(case, lemmas={})
    shown = k_induction.at_depth(few, 1, begin)
    if shown is not None:
        return shown
    more = with_relevant_lemmas(case, relevant_variables(case))
    if len(more.helpers) > len(few.helpers):

        def helped_by(names: Sequence[str]) -> Rule:
            lemmas = {name: case.lemmas[name] for name in names}
            return lambda case: k_induction.at_depth(replace(case, named=(*names,), lemmas=lemmas), 1, begin)

        shown = k_induction.at_depth(more, 1, begin)
        if shown is not None:
            return _with_fewest(more, helped_by, more.helper_names, shown)
    for depth in range(2, deepest + 1):
        case.progress(f"induction over {plies(depth)}")
        shown = k_induction.at_depth(case, depth, begin)
        if shown is not None:
            return shown
    return None


def by_flow(case: Case) -> Answer | None:
    """The answer by comparing what plies take from places and put into them; None if that proves nothing.

    First the helping claims that the claim names are granted, then all relevant ones.
    """
    shown = conservation.by_flow(case)
    more = with_relevant_lemmas(case, relevant_variables(case))
    if shown is not None or len(more.helper_names) == len(case.helper_names):
        return shown

    def helped_by(names: Sequence[str]) -> Rule:
        return lambda case: conservation.by_flow(replace(case, named=(*names,)))

    shown = conservation.by_flow(more)
    return None if shown is None else _with_fewest(more, helped_by, more.helper_names, shown)


def by_found_invariants(case: Case) -> Answer | None:
    """The answer of an induction that uses invariants found by search; None if these are not enough.

    An invariant that is inductive by itself needs none. Only as many are kept as the induction needs.
    """
    if (alone := _unaided(case)) is not None:
        return alone
    relevant = relevant_variables(case)
    listed = candidate_conditions(case, relevant)
    narrow = {row: e for row, e in listed.items() if is_narrow(case.game, row)}
    few = case if case.helper_names else replace(case, lemmas={})
    for tried, rows in ((few, narrow), (with_relevant_lemmas(case, relevant), listed)):
        known = inductive_rows(replace(tried, budget=case.budget.part(SEARCHING)), rows)
        shown = _with_invariants(tried, known, _rules_with_invariants(case))
        if shown is not None:
            return shown
    return None


def _unaided(case: Case) -> Answer | None:
    """The answer of an induction over one ply without invariants, if it is found soon."""
    seconds = max(UNAIDED * case.budget.seconds_left, UNAIDED_SECONDS)
    alone = replace(case, budget=case.budget.part(UNAIDED_AT_MOST, seconds))
    if not case.prop.is_invariant:
        return None
    return _once(alone, "not inductive", of_positions(partial(by_induction, deepest=1)))


def by_differences(case: Case) -> Answer | None:
    """The answer by comparing what plies change in two sums; None if that proves nothing."""
    rule = partial(k_induction.by_difference, by=k_induction.DIFFERENCES)
    return _once(case, "not by differences", of_positions(rule))


def _once(case: Case, name: str, rule: Rule) -> Answer | None:
    """The answer of a rule if it settles the claim; else None, at once if it is known that it does not."""
    about = case.claim.id, case.claim.kind, str(case.chance)
    before, key = found_before(case.game), (name, *about, *sorted(case.lemmas))
    shown = None if key in before else answer_by_formulas(rule, case)
    if not is_settled(shown) and not case.budget.exceeded_limit:
        before[key] = []
    return shown if is_settled(shown) else None


def by_conserved_sums(case: Case) -> Answer | None:
    """Prove a claim by induction, if need be with sums that the effects conserve.

    None if that fails, or failed before.
    """
    few = case if case.helper_names else replace(case, lemmas={})
    before, key = found_before(case.game), ("not enough", case.claim.id, *few.helper_names)
    if key in before:
        return None
    if (alone := _unaided(case)) is not None:
        return alone
    rows = candidate_conditions(few, relevant_variables(few))
    known = conserved_rows(few, rows)
    shown = _with_invariants(few, known, _rules_with_invariants(case, deepest=1))
    if not case.budget.exceeded_limit:
        before[key] = []
    return shown


def _with_invariants(case: Case, known: Mapping[Row, n.Expr], rules: Iterable[Rule]) -> Answer | None:
    """The answer of the first rule that settles a claim with the help of a few invariants."""
    for rule in rules if known else ():
        shown = answer_by_formulas(rule, replace(case, invariants=known))
        if shown is not None and is_settled(shown):
            return _with_fewest(case, partial(given_invariants, rule), [*known], shown)
    return None


def never_reached(case: Case) -> Answer | None:
    """The answer that a goal is out of reach, as its opposite is an invariant; None if none is shown."""
    if case.chance is not None:
        return None
    left = case.budget.seconds_left
    budget = case.budget.part(1.0, max(UNREACHED * left, min(UNAIDED_AT_MOST * left, UNAIDED_SECONDS)))
    for rule, share in ((by_flow, 1.0), (partial(by_induction, deepest=1), 0.8), (by_found_invariants, 1.0)):
        shown = answer_by_formulas(never_there(rule), replace(case, budget=budget.part(share)))
        if shown is not None and is_settled(shown):
            return shown
    return None


def by_measure(case: Case) -> Answer | None:
    """The answer that a measure gives, the claim's or a found one; None if none is shown to fall."""
    for rule in _by_measures(case):
        if is_settled(shown := answer_by_formulas(rule, case)):
            return shown
    return None


def _by_measures(case: Case) -> Iterator[Rule]:
    """Yield the rule for the given measures, if there are any, and that for a search of measures."""
    if case.measures:
        yield ranking.terminates
    yield _by_search


def _by_search(case: Case) -> Answer | None:
    rows = find_measure(replace(case, budget=case.budget.part(SEARCHING)))
    return by_found_measure(ranking.terminates, rows)(case)


def _rules_with_invariants(case: Case, deepest: int = 2) -> Iterator[Rule]:
    """Yield the proof rules that may use invariants, the cheapest first."""
    if case.prop.form is Form.ENDS:
        yield from _by_measures(case)
        return
    if case.prop.event is Event.STUCK:
        yield k_induction.anywhere
    if case.prop.event is Event.CONDITION:
        yield of_positions(k_induction.follows)
    if case.prop.event in (Event.FAULT, Event.CONDITION):
        yield conservation.by_flow
    for depth in range(1, deepest + 1):
        yield of_positions(partial(k_induction.at_depth, depth=depth))


def _with_fewest(
    case: Case, rule_given: Callable[[Sequence[T]], Rule], items: list[T], shown: Answer
) -> Answer:
    """The answer of a rule with as few of the items as it needs, within a share of the time.

    `shown` is its answer with all items; blocks of them are left out.
    """
    limit, size = case.budget.part(SHORTENING), len(items)
    while size := size // 2:
        first = 0
        while first < len(items) and len(items) > 1 and not limit.exceeded_limit:
            fewer = [*items[:first], *items[first + size :]]
            again = answer_by_formulas(rule_given(fewer), replace(case, budget=limit)) if fewer else None
            if again is not None and is_settled(again):
                items, shown = fewer, again
            else:
                first += size
    return shown


def _asks_recursion(case: Case) -> bool:
    """True if the claim, or one that it names as helping, calls a recursive definition.

    Otherwise a whole ply is no larger than its parts.
    """
    seen, waiting = set[n.Function](), [case.claim.always, *case.named_helpers]
    while waiting:
        for node in nodes_within(waiting.pop()):
            if isinstance(node, n.Call) and node.function not in seen:
                seen.add(node.function)
                waiting.append(node.function.body)
    return any(function.falling is not None for function in seen)


def _of_conditions(stated: Property) -> bool:
    return stated.is_invariant and stated.event is Event.CONDITION


def _of_games(stated: Property) -> bool:
    return stated.over is Over.BOTH_GAMES


def _of_lookalikes(stated: Property) -> bool:
    return stated.over is Over.LOOKALIKES


METHODS = (
    Method(
        "flows",
        lambda p: p.is_invariant and p.event is not Event.STUCK,
        lambda run, seconds: _once(
            replace(run.case, budget=run.case.budget.part(1.0, seconds)), "not by flows", by_flow
        ),
        INDUCTION,
        Cost.QUESTION,
    ),
    proof_rule_method("anywhere", lambda p: p.event is Event.STUCK, k_induction.anywhere, Cost.QUESTION),
    proof_rule_method("parts", _of_conditions, split_induction.by_parts, Cost.PARTS, pays=_asks_recursion),
    Method(
        "differences",
        _of_conditions,
        lambda run, seconds: by_differences(replace(run.case, budget=run.case.budget.part(1.0, seconds))),
        INDUCTION,
        Cost.PLY,
    ),
    Method(
        "measure",
        lambda p: p.form is Form.ENDS,
        lambda run, seconds: by_measure(run.case),
        INDUCTION,
        Cost.PLY,
        by_formulas=True,
    ),
    Method(
        "conserved sums",
        lambda p: p.is_invariant,
        lambda run, seconds: answer_by_formulas(
            by_conserved_sums, replace(run.case, budget=run.case.budget.part(1.0, seconds))
        ),
        INDUCTION,
        Cost.PARTS,
    ),
    method_of_rule(
        "found invariants",
        lambda p: p.is_invariant or p.form is Form.ENDS,
        by_found_invariants,
        INDUCTION,
        Cost.PLIES,
    ),
    proof_rule_method("induction", lambda p: p.is_invariant, by_induction, Cost.PLIES),
    proof_rule_method(
        "unrolling", lambda p: p.is_invariant, k_induction.by_unrolling, Cost.UNROLLING, REFUTATION
    ),
    proof_rule_method("images", lambda p: p.over is Over.IMAGES, comparisons.symmetric, Cost.PLY),
    proof_rule_method("both from any state", _of_games, comparisons.same_from_any_state, Cost.PLY),
    proof_rule_method("looking alike now", _of_lookalikes, comparisons.known_now, Cost.QUESTION, REFUTED_NOW),
)
