"""Decide claims about many deals: the share in which another claim holds, or that it holds in all.

The deals of the seeds 0, 1, 2, ... are decided one after the other, or all deals by their numbers
(`all_deals`). The answers are stored as a row of letters, one for each deal. When the verdict is checked,
these deals are decided again.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulespec.code import TooLarge
from rulespec.core.game import Claim, Game
from rulespec.core.packed import unpack
from rulespec.core.verdicts import PROVED, REFUTED, Verdict
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from solver.analyses.deal_numbers import NotBlind
from solver.evidence.deal_counts import (
    NO,
    OPEN,
    YES,
    excepted,
    exception,
    so_far,
    told,
    told_of_all,
)
from solver.evidence.problem import Answer, Case, undecided

from . import all_deals

ALL = "all"
"""In the place of a number of deals."""
EACH = {"share_of_deals": 25.0, "every_deal": 120.0}
"""So many seconds at most are spent on a deal; an exception is worth more of them."""

One = Callable[[Case], Answer]


def asked(game: Game, claim: Claim) -> Claim:
    """The claim that is asked of each deal."""
    return game.claims[claim.options["asks"]]


def decide(case: Case, one: One) -> Answer:
    """The answer to a claim about deals; `one` decides a deal."""
    if of_all(case.claim):
        return _of_all(case, one)
    every, wanted = case.claim.kind == "every_deal", int(case.claim.options.get("deals", 0))
    letters = ""
    while (every or len(letters) < wanted) and not case.budget.exhausted:
        case.progress(f"the deal of seed {len(letters)}")
        answer = ask(case, len(letters), one)
        if _letter(answer) == OPEN and case.budget.exhausted:
            break  # this deal had no time of its own
        letters += _letter(answer)
        if every and letters.endswith(NO):
            return exception(case.claim, len(letters) - 1, answer.engine)
    if not letters:
        return undecided("Nothing was decided: there was no time for a single deal.")
    return so_far(case.claim, letters) if every else told(case.claim, letters)


def of_all(claim: Claim) -> bool:
    """Whether a claim is about all the deals there are, one by one."""
    return claim.options.get("deals") == ALL


def ask(case: Case, seed: int, one: One) -> Answer:
    """The answer for the deal of a seed."""
    return _asked_of(case, Machine(case.game).start(Chance(str(seed))).outcomes, one)


def _asked_of(case: Case, chance: tuple[str, ...], one: One) -> Answer:
    budget = case.budget.part(1.0, EACH[case.claim.kind])
    return one(replace(case, claim=asked(case.game, case.claim), chance=chance, budget=budget))


def letter(outcome: str, has_play: bool) -> str:
    """The letter for the answer of a deal; of a best value, for whether any can be reached."""
    if outcome in (PROVED, REFUTED):
        return YES if outcome == PROVED else NO
    return YES if has_play else OPEN


def _letter(answer: Answer) -> str:
    return letter(answer.outcome, any(proof.play is not None for proof in answer.proofs))


def _of_all(case: Case, one: One) -> Answer:
    try:
        letters, count = all_deals.letters(case, asked(case.game, case.claim), one, _letter)
    except (NotBlind, TooLarge) as why:
        return undecided(f"The deals were not gone through: {why}.")
    return told_of_all(case.claim, letters, count)


class Wrong(Exception):
    """Answers that do not show what a verdict says; the text says why."""


@dataclass(frozen=True)
class Redone:
    """Deals that were decided again with the same results; `left` is the number of those that were not.

    `answer` is the answer for all deals, `how` describes the check, `rests_on` names the claims that helped.
    """

    answer: Answer
    how: str
    rests_on: tuple[str, ...]
    left: int


def again(case: Case, data: Mapping[str, Any], verdict: Verdict, one: One) -> Redone:
    """Check a verdict against its answers, and decide every deal again that they settle.

    A sample of the deals is not enough: a forger can try answers until the sample has only true ones. The
    deals are taken in a random order until the budget is spent. Raises Wrong if the verdict differs.
    """
    if of_all(case.claim):
        return _again_of_all(case, data, verdict, one)
    letters, first = _answers(case.claim, data)
    if verdict.outcome in (PROVED, REFUTED):
        if verdict.outcome != excepted(case.claim):
            raise Wrong("an exception says the opposite")
        if case.claim.kind != "every_deal" or letters != NO:
            raise Wrong("its answers show no exception")
        counted = exception(case.claim, first, verdict.engine)
    else:
        share = case.claim.kind == "share_of_deals"
        if first or (not share and NO in letters):
            raise Wrong("its answers are not those that were counted")
        counted = told(case.claim, letters) if share else so_far(case.claim, letters)
    if not _same(counted, verdict):
        raise Wrong("its answers are not those that were counted")

    def decided(at: int) -> Answer:
        return ask(case, first + at, one)

    redoing = _Redoing(case, letters)
    redoing.ask("seed", ((at, at + first) for at in redoing.order), decided)
    return redoing.done(counted)


class _Redoing:
    """Decides the deals of stored answers again."""

    def __init__(self, case: Case, letters: str) -> None:
        self.letters, self._budget = letters, case.budget
        self.order = [at for at, held in enumerate(letters) if held != OPEN]
        random.SystemRandom().shuffle(self.order)
        self._alike, self._helped = 0, dict[str, None]()

    def note_helpers(self, answer: Answer) -> Answer:
        """The same answer; the claims that helped with it are noted."""
        self._helped |= {str(p.data["claim"]): None for p in answer.proofs if p.kind == "helper"}
        return answer

    def ask(self, by: str, deals: Iterable[tuple[int, int]], decided: Callable[[int], Answer]) -> None:
        """Decide deals, each given by its index in the letters and its name, until the budget is spent."""
        for at, name in deals:
            if self._budget.exhausted:
                break
            self.compare(_letter(self.note_helpers(decided(at))), at, f"the deal of {by} {name}")

    def compare(self, found: str, at: int, what: str) -> None:
        """Compare a letter with the stored one. Raises Wrong if they differ."""
        if found == OPEN or self.letters[at] == OPEN:
            return
        if found != self.letters[at]:
            raise Wrong(f"{what} was decided otherwise")
        self._alike += 1

    def done(self, counted: Answer) -> Redone:
        """The deals that had the same result, with the answer for all."""
        of, left = len(self.order), len(self.order) - self._alike
        which = f"{self._alike} of {of} deals were" if left else f"all {of} deals were"
        how = f"{'the deal was' if of == 1 else which} decided again, alike"
        return Redone(counted, how, tuple(self._helped), left)


def _again_of_all(case: Case, data: Mapping[str, Any], verdict: Verdict, one: One) -> Redone:
    letters = unpack(data.get("packed"))
    if letters is None or set(letters) - {YES, NO, OPEN} or data.get("claim") != case.claim.options["asks"]:
        raise Wrong("its answers are damaged")
    redoing = _Redoing(case, letters)

    def one_noted(of_deal: Case) -> Answer:
        return redoing.note_helpers(one(of_deal))

    try:
        asking = all_deals.Asking(case, asked(case.game, case.claim), one_noted, _letter)
    except (NotBlind, TooLarge) as why:
        raise Wrong(str(why)) from None
    counted = told_of_all(case.claim, letters, asking.starts.count)
    if len(letters) > asking.starts.count or not _same(counted, verdict):
        raise Wrong("its answers are not those that were counted")
    firsts = [*range(0, len(letters), all_deals.BATCH)]
    random.SystemRandom().shuffle(firsts)
    for first in firsts:
        found = asking.letters(first, min(first + all_deals.BATCH, len(letters)))
        if found is None:
            break
        for at, held in enumerate(found, first):
            redoing.compare(held, at, f"the deal of number {at}")
    return redoing.done(counted)


def _same(counted: Answer, verdict: Verdict) -> bool:
    return (counted.outcome, dict(counted.numbers)) == (verdict.outcome, dict(verdict.numbers))


def _answers(claim: Claim, data: Mapping[str, Any]) -> tuple[str, int]:
    """The answers, and the seed of the first deal. Raises Wrong where they are damaged."""
    letters, first = data.get("answers"), data.get("first")
    if not isinstance(letters, str) or not letters or set(letters) - {YES, NO, OPEN}:
        raise Wrong("its answers are damaged")
    if not isinstance(first, int) or data.get("claim") != claim.options["asks"]:
        raise Wrong("its answers are about something else")
    return letters, first
