"""The questions to formulas that check a verdict: evidence alone determines the case and the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from rulespec.budgets import OutOfBudget
from rulespec.core import nodes as n
from rulespec.core.game import Claim
from rulespec.core.types import BOOL, Int
from rulespec.core.verdicts import PROVED, UNDECIDED, Evidence, Store
from rulespec.core.verdicts.lemmas import able_to_help, assume, current_verdicts
from rulespec.core.verdicts.properties import Event, Form, Over, Property, property_of
from rulespec.solver.certify import BadEvidence
from rulespec.solver.formulas import TooWide
from rulespec.solver.formulas.invariant_templates import CONSERVED, Row, condition_of, measure_of
from rulespec.solver.formulas.unrolling.question import UnwatchedFault

from . import bmc, comparisons, conservation, k_induction, ranking, split_induction
from .problem import Answer, Case, no_answer, with_history

Rule = Callable[[Case], Answer | None]
ENGINES_WORK = ("induction", "refutation")
"""Kinds of evidence that rest on refutations by an engine."""
FOUND = ("measure", "invariants")
"""The keys of what an induction rests on and nobody wrote."""
OTHER_WORK = ("sample", "strategies", "stages", "exploration", "combination")
"""Kinds of evidence that settle a verdict without an engine, except for an optimum."""


def by_engine(claim: Claim, evidence: Sequence[Evidence]) -> Evidence | None:
    """Evidence from formulas that are solved again; None if other evidence settles the claim."""
    bound = next((e for e in evidence if "bound" in e.data), None)
    if bound is not None and property_of(claim).form is Form.OPTIMUM:
        return bound if bound.kind in ENGINES_WORK else None
    if property_of(claim).over is Over.SEATS or any("seat" in e.data for e in evidence):
        return None  # each seat is a question of its own
    kinds = {e.kind for e in evidence}
    if kinds.intersection(OTHER_WORK) or ("play" in kinds and property_of(claim).by_play):
        return None
    return next((e for e in evidence if e.kind in ENGINES_WORK), None)


def deals_of(evidence: Iterable[Evidence]) -> list[tuple[str, ...]]:
    """The deals in pieces of evidence, each once, as outcomes of chance."""
    named = (tuple(e.data["chance"]) for e in evidence if "chance" in e.data)
    return list(dict.fromkeys(named))


def helpers_in(evidence: Iterable[Evidence]) -> list[str]:
    """The claims that evidence names as helping."""
    return [str(e.data["claim"]) for e in evidence if e.kind == "helper"]


def asked_again(case: Case, evidence: Sequence[Evidence], store: Store) -> Case:
    """The case with the deal, argument and helping claims that the evidence names.

    The claims are assumed if the store says that they hold; see `assume`.
    """
    argument = next((str(e.data["by"]) for e in evidence if "by" in e.data), "")
    named = helpers_in(evidence)
    held = able_to_help(case.claim.id, current_verdicts(store, case.game), named) if named else {}
    deal = case.chance or next(iter(deals_of(evidence)), None)
    lemmas = {**case.lemmas, **assume(held)}
    return replace(case, chance=deal, argument=argument, lemmas=lemmas, named=tuple(named) or None)


def by_evidence(case: Case, evidence: Evidence) -> Answer | None:
    """The answer that the rules for this kind of evidence give; None if they prove nothing.

    Raises BadEvidence if there are no such rules for a claim of this kind.
    """
    rules = [*_rules(case, evidence)]
    if not rules:
        raise BadEvidence("its evidence shows nothing of such a claim")
    answer = None
    for rule in rules:
        answer = answer_by_formulas(rule, case)
        if answer is not None and answer.outcome != UNDECIDED:
            return answer
    return answer


def _rules(case: Case, evidence: Evidence) -> Iterator[Rule]:
    """Yield the proof rules that the evidence for a claim may name."""
    asked, data = case.prop, evidence.data
    if evidence.kind == "induction" and asked.form is Form.REACHABLE:
        yield from map(never_there, _rules(without_goal(case), evidence))
    elif evidence.kind == "induction":
        rules, found = [*_inductions(asked, data)], {key: [*map(tuple, data.get(key, ()))] for key in FOUND}
        if "measure" in data:
            rules = [by_found_measure(rule, found["measure"]) for rule in rules if asked.form is Form.ENDS]
        if "invariants" in data:
            may = asked.is_invariant or asked.form is Form.ENDS
            rules = [given_invariants(rule, found["invariants"]) for rule in rules if may]
        yield from rules
    elif asked.form is Form.REACHABLE:
        if data.get("by") in bmc.ARGUMENTS:
            yield partial(bmc.by_reaching, argument=data["by"])
        elif "by" in data:
            return
        elif "plies" in data:
            yield _to_depth(bmc.by_bounded_reaching, data)
        else:
            yield partial(bmc.by_reaching, argument=bmc.LENGTHS)
            yield partial(bmc.by_reaching, argument=bmc.PLIES)
    elif asked.over is Over.LOOKALIKES:
        yield comparisons.known_now
    elif asked.is_invariant:
        yield of_positions(_to_depth(k_induction.by_unrolling, data))


def _inductions(asked: Property, data: Mapping[str, Any]) -> Iterator[Rule]:
    """Yield the rules of induction that the data of evidence name, for a form of claim."""
    if data.get("by") == conservation.FLOWS and asked.is_invariant:
        yield conservation.by_flow
    elif asked.form is Form.ENDS:
        yield ranking.terminates
    elif asked.over is Over.IMAGES:
        yield comparisons.symmetric
    elif asked.over is Over.BOTH_GAMES:
        yield comparisons.same_from_any_state
    elif not asked.is_invariant:
        return
    elif data.get("by") == split_induction.PARTS:
        if asked.event is Event.CONDITION:
            yield of_positions(split_induction.by_parts)
    elif data.get("by") == k_induction.DIFFERENCES:
        if asked.event is Event.CONDITION:
            yield of_positions(partial(k_induction.by_difference, by=k_induction.DIFFERENCES))
    elif data.get("depth") == 0 and asked.event is Event.STUCK:
        yield k_induction.anywhere
    elif data.get("depth") == 0 and asked.event is Event.CONDITION:
        yield of_positions(k_induction.follows)
    elif data.get("depth") in range(1, k_induction.DEEPEST_INDUCTION + 1):
        if data["depth"] == 1 and asked.event is Event.CONDITION:
            yield of_positions(k_induction.by_difference)
        yield of_positions(partial(k_induction.at_depth, depth=data["depth"]))


def by_found_measure(rule: Rule, rows: Sequence[Row]) -> Rule:
    """A rule for the case with a measure found by search; it shows nothing for a row of no template."""

    def measured(case: Case) -> Answer | None:
        numbers = {row: e for row in rows if (e := measure_of(case.game, row)) is not None}
        is_whole = rows and len(numbers) == len(rows)
        return rule(replace(case, found_measures=numbers)) if is_whole else None

    return measured


def given_invariants(rule: Rule, rows: Sequence[Row]) -> Rule:
    """A rule for the case in which invariants are granted, once induction has proved them together.

    It shows nothing if one of them is of no template, or if they are not inductive.
    """

    def strengthened(case: Case) -> Answer | None:
        known = {row: condition_of(case.game, row) for row in rows}
        stated = {row: e for row, e in known.items() if e is not None}
        if not stated or len(stated) < len(known):
            return None
        conserved = {row: e for row, e in stated.items() if row[0] == CONSERVED}
        others = [e for row, e in stated.items() if row not in conserved]
        if conserved and not conservation.conserve(case, [*conserved.values()]):
            return None
        if others and not k_induction.hold_together(replace(case, invariants=conserved), others):
            return None
        return rule(replace(case, invariants=stated))

    return strengthened


def without_goal(case: Case) -> Case:
    """The case of the invariant that a goal holds in no position."""
    return replace(case, claim=replace(case.claim, kind="invariant", condition=_opposite(case.condition)))


def _opposite(e: n.Expr) -> n.Expr:
    """The negation of a condition, with `not` as far inside as rules look for comparisons and sums."""
    match e:
        case n.Not():
            return e.item
        case n.Or():
            return n.And(BOOL, tuple(map(_opposite, e.items)))
        case n.Any():
            return n.All(BOOL, e.var, e.source, _opposite(e.body))
        case n.Less(a=a, b=b) if isinstance(a.type, Int) and isinstance(b.type, Int):
            return n.AtMost(BOOL, b, a)
        case n.AtMost(a=a, b=b) if isinstance(a.type, Int) and isinstance(b.type, Int):
            return n.Less(BOOL, b, a)
    return n.Not(BOOL, e)


def never_there(rule: Rule) -> Rule:
    """The rule for a goal: it is out of reach if the rule shows that it holds in no position."""

    def shown(case: Case) -> Answer | None:
        answer = rule(without_goal(case)) if case.chance is None else None
        if answer is None or answer.outcome != PROVED:
            return None
        return replace(answer, outcome=case.prop.without_play or UNDECIDED, numbers={})

    return shown


def of_positions(rule: Rule) -> Rule:
    """The rule; for claims about earlier numbers it is applied to the game that remembers them."""
    return lambda case: rule(with_history(case) if case.prop.over is Over.REMEMBERED else case)


def _to_depth(rule: Rule, data: Mapping[str, Any]) -> Rule:
    """The rule, limited to the depth in the evidence."""
    depth = data.get("plies")
    return lambda case: rule(replace(case, most_plies=depth if isinstance(depth, int) else None))


def answer_by_formulas(rule: Callable[[Case], Answer | None], case: Case) -> Answer | None:
    """The answer of a rule that uses formulas; faults are watched if they turn out to matter.

    Undecided if the budget is too small, or formulas do not cover the rules.
    """
    try:
        try:
            return rule(case)
        except UnwatchedFault:
            return rule(replace(case, watch_all=True))
    except OutOfBudget as out:
        return no_answer(f"Nothing was decided within {out}.")
    except TooWide as wide:
        return no_answer("Nothing was decided by formulas.", f"Formulas do not cover this: {wide}.")
