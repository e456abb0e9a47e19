"""Deciding claims about many deals: the share in which another claim holds, or that it holds in all.

The deals of the seeds 0, 1, 2, ... are decided one after the other, or all deals by their numbers
(`all_deals`). The answers are stored as a row of letters, one for each deal. The check of a verdict decides
these deals again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulespec.code import TooLarge
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.core.verdicts.packed_answers import unpack
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.analyses.deal_numbers import NotBlind
from rulespec.solver.evidence.deal_counts import (
    NO,
    OPEN,
    YES,
    answer_by_exception,
    answer_of_all_deals,
    answer_so_far,
    estimate_of_share,
)
from rulespec.solver.evidence.problem import Answer, Case, no_answer

from . import all_deals

ALL = "all"
"""Used in place of a number of deals."""
OTHERS = "its answers are not those that were counted"
EACH = {"share_of_deals": 25.0, "every_deal": 120.0}
"""Maximum seconds for one deal; an exception is worth more."""

One = Callable[[Case], Answer]


def claim_of_deal(game: Game, claim: Claim) -> Claim:
    """The claim about each deal."""
    return game.claims[claim.options["asks"]]


def decide(case: Case, one: One) -> Answer:
    """The answer to a claim about deals; `one` decides a single deal."""
    if is_about_all_deals(case.claim):
        return _of_all(case, one)
    every, wanted = case.claim.kind == "every_deal", int(case.claim.options.get("deals", 0))
    letters = ""
    while (every or len(letters) < wanted) and not case.budget.exceeded_limit:
        case.progress(f"the deal of seed {len(letters)}")
        answer = ask(case, len(letters), one)
        if letter_of(answer) == OPEN and case.budget.exceeded_limit:
            break  # this deal had no time of its own
        letters += letter_of(answer)
        if every and letters.endswith(NO):
            return answer_by_exception(case.claim, len(letters) - 1, answer.engine)
    if not letters:
        return no_answer("Nothing was decided: there was no time for a single deal.")
    return answer_so_far(case.claim, letters) if every else estimate_of_share(case.claim, letters)


def is_about_all_deals(claim: Claim) -> bool:
    """True if a claim is about all possible deals, one by one."""
    return claim.options.get("deals") == ALL


def ask(case: Case, seed: int, one: One) -> Answer:
    """The answer for the deal of a seed."""
    chance = Machine(case.game).start(Chance(str(seed))).outcomes
    budget = case.budget.part(1.0, EACH[case.claim.kind])
    return one(replace(case, claim=claim_of_deal(case.game, case.claim), chance=chance, budget=budget))


def letter(outcome: str, has_play: bool) -> str:
    """The letter for the answer of a deal; for a best value it says whether any value can be reached."""
    if outcome in (PROVED, REFUTED):
        return YES if outcome == PROVED else NO
    return YES if has_play else OPEN


def letter_of(answer: Answer) -> str:
    """The letter for an answer."""
    return letter(answer.outcome, any(proof.play is not None for proof in answer.proofs))


def _of_all(case: Case, one: One) -> Answer:
    """The answer about all deals, each decided by itself."""
    try:
        letters, count = all_deals.letters(case, claim_of_deal(case.game, case.claim), one, letter_of)
    except (NotBlind, TooLarge) as why:
        return no_answer(f"The deals were not gone through: {why}.")
    return answer_of_all_deals(case.claim, letters, count)


class Wrong(Exception):
    """Raised for answers that do not prove what a verdict says; the text says why."""


@dataclass(frozen=True)
class Redone:
    """Deals that were decided again with the same results; `left` is the number of those that were not.

    `answer` is the answer for all deals, `how` describes the check, `rests_on` names the claims that helped.
    """

    answer: Answer
    how: str
    rests_on: tuple[str, ...]
    left: int


def decide_again(case: Case, data: Mapping[str, Any], one: One) -> Redone:
    """Decide again every deal that the stored answers settle, and return their answer.

    A sample of the deals is not enough: a forger can try answers until the sample has only true ones. The
    deals are taken in a random order until the budget is spent. Raises Wrong if a deal is decided otherwise.
    """
    helped = dict[str, None]()

    def noted(of_deal: Case) -> Answer:
        answer = one(of_deal)
        helped.update({str(p.data["claim"]): None for p in answer.proofs if p.kind == "helper"})
        return answer

    letters, first = _stored_letters(case.claim, data)
    decided: Callable[[int, int], str | None]
    if is_about_all_deals(case.claim):
        try:
            asking = all_deals.DealDecider(case, claim_of_deal(case.game, case.claim), noted, letter_of)
        except (NotBlind, TooLarge) as why:
            raise Wrong(str(why)) from None
        decided, size, by, count = asking.letters, all_deals.BATCH, "number", asking.starts.count
        counted = answer_of_all_deals(case.claim, letters, count)
        if len(letters) > count:
            raise Wrong(OTHERS)
    else:
        decided, size, by = lambda at, _: letter_of(ask(case, first + at, noted)), 1, "seed"
        counted = _answer_by_seeds(case.claim, letters, first)
    alike, settled = 0, len(letters) - letters.count(OPEN)
    batches = [at for at in range(0, len(letters), size) if set(letters[at : at + size]) != {OPEN}]
    random.SystemRandom().shuffle(batches)
    for begin in batches:
        found = None if case.budget.exceeded_limit else decided(begin, min(begin + size, len(letters)))
        if found is None:
            break
        for at, letter in enumerate(found, begin):
            if OPEN not in (letter, letters[at]):
                if letter != letters[at]:
                    raise Wrong(f"the deal of {by} {first + at} was decided otherwise")
                alike += 1
    which = f"{alike} of {settled} deals were" if alike < settled else f"all {settled} deals were"
    how = f"{'the deal was' if settled == 1 else which} decided again, alike"
    return Redone(counted, how, tuple(helped), settled - alike)


def _answer_by_seeds(claim: Claim, letters: str, first: int) -> Answer:
    """The answer that the letters of deals give, by seed. Raises Wrong if there is none."""
    share = claim.kind == "share_of_deals"
    if not share and letters == NO:
        return answer_by_exception(claim, first, "search")
    if first or (not share and NO in letters):
        raise Wrong(OTHERS)
    return estimate_of_share(claim, letters) if share else answer_so_far(claim, letters)


def _stored_letters(claim: Claim, data: Mapping[str, Any]) -> tuple[str, int]:
    """The stored letters, and the number of the first deal. Raises Wrong if they are damaged."""
    packed = is_about_all_deals(claim)
    letters, first = (unpack(data.get("packed")), 0) if packed else (data.get("answers"), data.get("first"))
    if not isinstance(letters, str) or not (letters or packed) or set(letters) - {YES, NO, OPEN}:
        raise Wrong("its answers are damaged")
    if not isinstance(first, int) or data.get("claim") != claim.options["asks"]:
        raise Wrong("its answers are about something else")
    return letters, first
