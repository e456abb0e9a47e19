"""Forged verdicts on random games: outcomes, numbers and evidence are exchanged, and none may pass.

The verdicts of methods are changed at random until they contradict the truth: the judge alone stands between
such a verdict and a page. Evidence is changed in itself, lost, doubled, and taken from other claims.
"""

from __future__ import annotations

import random
import traceback
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rulespec.core.game import Claim
from rulespec.core.verdicts import (
    BOUNDED,
    PROVED,
    REFUTED,
    UNDECIDED,
    Evidence,
    InvalidAnswer,
    Store,
    Verdict,
)
from rulespec.core.verdicts.properties import PROPERTIES
from rulespec.solver.claims.recheck import judge_of
from rulespec.solver.evidence.problem import Answer, Case, Proof
from rulespec.solver.methods.table import METHODS
from rulespec.solver.methods.verdicts import verdict_of

from .deciding import BEHALF, LOOKS
from .judging import wrong
from .resources import ENGINE, Work, installed
from .space import Space
from .truth import Truth

METHODS_EACH = 3
"""The most methods that give a true verdict on a claim, to be changed."""
FORGERIES = 12
"""The number of forgeries of a true verdict that contradict the truth."""
TRIES = 4
"""The most changes at random for each of them."""
BY = ("flows", "parts", "excluded", "trap", "lengths", "plies")
"""Names of arguments in evidence."""
NUMBERS = ("value", "plies", "states", "at_least", "at_most", "depth", "deals", "held", "failed")
OUTCOMES = (PROVED, REFUTED, BOUNDED)


def passing_forgeries(
    space: Space, truths: Mapping[str, Truth], rng: random.Random
) -> Iterator[tuple[Claim, int, str]]:
    """For each claim of a game how many forged verdicts on it the judge saw, and what was wrong, if anything.

    That is the forged verdict, if one passed, or what was raised.
    """
    store = Store()
    true = [*_true_verdicts(space, truths, store, rng)]
    for verdict in true:
        claim, seen, problem = space.game.claims[verdict.claim], 0, ""
        for forged in _forgeries(space, claim, verdict, true, truths[claim.id], rng):
            seen += 1
            problem = problem or _passes(space, claim, forged, store)
        yield claim, seen, problem


def _true_verdicts(
    space: Space, truths: Mapping[str, Truth], store: Store, rng: random.Random
) -> Iterator[Verdict]:
    game = space.game
    for claim in game.claims.values():
        if claim.id not in truths or claim.kind in BEHALF:
            continue
        listed = [method for method in METHODS.values() if claim.kind in method.kinds]
        for attempt in rng.sample(listed, min(METHODS_EACH, len(listed))):
            case = Case(game, claim, Work(LOOKS), engine=ENGINE)
            with installed():
                answer = attempt(case)
                if answer is not None and answer.outcome != UNDECIDED:
                    yield verdict_of(case, answer, store)


def _forgeries(
    space: Space,
    claim: Claim,
    verdict: Verdict,
    others: Sequence[Verdict],
    known: Truth,
    rng: random.Random,
) -> Iterator[Verdict]:
    """Changed verdicts on a claim that contradict the truth."""
    found = 0
    for _ in range(TRIES * FORGERIES):
        forged = _changed_verdict(verdict, others, rng)
        if forged is not None and _contradicts(space, claim, forged, known):
            yield forged
            found += 1
            if found == FORGERIES:
                return


def _changed_verdict(verdict: Verdict, others: Sequence[Verdict], rng: random.Random) -> Verdict | None:
    """A verdict with some changes; None if it has the form of no answer, so that nobody can make it."""
    try:
        for _ in range(rng.randint(1, 3)):
            verdict = rng.choice(CHANGES)(verdict, others, rng)
    except InvalidAnswer:
        return None
    return verdict


def passing_for_another_deal(
    space: Space, deals: Sequence[tuple[str, ...]], rng: random.Random
) -> Iterator[tuple[Claim, int, str]]:
    """For each claim that is asked of one deal how many verdicts on it for a deal the judge of another saw,
    and the first that passed, if any."""
    store = Store()
    for claim in space.game.claims.values():
        seen, problem = 0, ""
        for method in METHODS.values():
            mine, other = rng.sample(deals, 2)
            if not PROPERTIES[claim.kind].takes("from") or claim.kind not in method.kinds:
                continue
            case = Case(space.game, claim, Work(LOOKS), mine, engine=ENGINE)
            with installed():
                answer = method(case)
            if answer is None or not any(p.play is not None or "chance" in p.data for p in answer.proofs):
                continue
            seen += 1
            problem = problem or _passes(space, claim, verdict_of(case, answer, store), store, other)
        if seen:
            yield claim, seen, problem


def _contradicts(space: Space, claim: Claim, forged: Verdict, known: Truth) -> bool:
    """True if a verdict is not so, or lacks the numbers that verdicts like it have."""
    proofs = tuple(Proof(e.kind, e.data) for e in forged.evidence)
    answer = Answer(forged.outcome, proofs, numbers=forged.numbers)
    case = Case(space.game, claim, Work(LOOKS))
    try:
        return bool(wrong(space, case, answer, known))
    except (KeyError, TypeError, ValueError, StopIteration):
        return True


def _passes(
    space: Space, claim: Claim, forged: Verdict, store: Store, deal: tuple[str, ...] | None = None
) -> str:
    """A forged verdict that passes, in words, or what was raised; empty where it does not."""
    mine = Store(store, store.records)
    judge = judge_of(mine, Work(4 * LOOKS), engine=ENGINE, chance=deal)
    try:
        with installed():
            check = judge.check(space.game, claim, forged)
    except Exception:
        return f"{_said(forged)}\n{traceback.format_exc(limit=-6)}"
    return f"{_said(forged)} It passes: {check.text}" if check.passed else ""


def _said(verdict: Verdict) -> str:
    evidence = [(e.kind, dict(e.data)) for e in verdict.evidence]
    return f"{verdict.outcome} {dict(verdict.numbers)} {evidence}."


# ---- changes

Change = Callable[[Verdict, Sequence[Verdict], random.Random], Verdict]


def _other_outcome(verdict: Verdict, others: Sequence[Verdict], rng: random.Random) -> Verdict:
    return replace(verdict, outcome=rng.choice(OUTCOMES))


def _other_number(verdict: Verdict, others: Sequence[Verdict], rng: random.Random) -> Verdict:
    numbers = dict(verdict.numbers)
    name = rng.choice([*numbers, rng.choice(NUMBERS)])
    if name in numbers and rng.random() < 0.2:
        del numbers[name]
    else:
        numbers[name] = numbers.get(name, 0) + rng.choice((-1, 1, 1, 2, 10))
    return replace(verdict, numbers=numbers)


def _bounds_beyond(verdict: Verdict, others: Sequence[Verdict], rng: random.Random) -> Verdict:
    """Looser bounds in place of a value, in numbers and evidence alike, perhaps beyond all values."""
    value = verdict.numbers.get("value", 0)
    sides = {"at_least": value - rng.choice((0, 1, 5)), "at_most": value + rng.choice((0, 1, 5))}
    numbers = {side: x for side, x in sides.items() if rng.random() < 0.7}
    evidence = [
        replace(e, data={**e.data, **sides} if "at_least" in e.data else e.data) for e in verdict.evidence
    ]
    return replace(verdict, outcome=BOUNDED, numbers=numbers, evidence=tuple(evidence))


def _evidence_of_another(verdict: Verdict, others: Sequence[Verdict], rng: random.Random) -> Verdict:
    """The evidence of a verdict on another claim, or on the same one by another method, with its numbers."""
    other = rng.choice(others)
    numbers = other.numbers if rng.random() < 0.5 else verdict.numbers
    outcome = other.outcome if rng.random() < 0.5 else verdict.outcome
    return replace(verdict, evidence=other.evidence, numbers=numbers, outcome=outcome)


def _piece_lost(verdict: Verdict, others: Sequence[Verdict], rng: random.Random) -> Verdict:
    at = rng.randrange(len(verdict.evidence) + 1)
    return replace(verdict, evidence=verdict.evidence[:at] + verdict.evidence[at + 1 :])


def _piece_added(verdict: Verdict, others: Sequence[Verdict], rng: random.Random) -> Verdict:
    evidence = [*verdict.evidence, *rng.choice(others).evidence[:1]]
    rng.shuffle(evidence)
    return replace(verdict, evidence=tuple(evidence))


def _other_data(verdict: Verdict, others: Sequence[Verdict], rng: random.Random) -> Verdict:
    if not verdict.evidence:
        return verdict
    at = rng.randrange(len(verdict.evidence))
    piece = verdict.evidence[at]
    data: dict[str, Any] = dict(piece.data)
    key = rng.choice([*data, "by", "plies", "depth", "bound"])
    if key in data and rng.random() < 0.25:
        del data[key]
    else:
        data[key] = _changed(data.get(key), key, rng)
    evidence = [*verdict.evidence]
    evidence[at] = Evidence(piece.kind, data)
    return replace(verdict, evidence=tuple(evidence))


def _changed(value: Any, key: str, rng: random.Random) -> Any:
    if key == "by":
        return rng.choice(BY)
    if isinstance(value, bool):
        return not value
    if isinstance(value, int) or value is None:
        return (value or 0) + rng.choice((-1, 0, 1, 2))
    if isinstance(value, list) and value and rng.random() < 0.8:
        at = rng.randrange(len(value))
        return [*value[:at], _changed(value[at], "", rng), *value[at + 1 :]]
    if isinstance(value, list):
        return value[:-1]
    return rng.choice(["", "0", "1", value])


CHANGES: tuple[Change, ...] = (
    _other_outcome,
    _other_outcome,
    _other_number,
    _bounds_beyond,
    _evidence_of_another,
    _piece_lost,
    _piece_added,
    _other_data,
    _other_data,
)
