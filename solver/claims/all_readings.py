"""Deciding a claim under many combinations of readings at once, by the game that leaves rulings open.

One question covers every combination of the readings of the rulings left open: an argument that no play of
that game decides the claim holds under each of them, and a play names the readings that it was played under.
Rulings are left open as long as no combination is known to have the other answer, so few questions cover what
would take one for each combination. See `rulespec.solver.evidence.covering` for the theorem.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import takewhile

from rulespec.budgets import Budget
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import STRENGTH
from rulespec.core.verdicts.properties import property_of
from rulespec.play.plays import Play
from rulespec.solver.evidence.covering import may_cover

from .attempts import Attempts, Question

FIRST = 2.0
"""The seconds of a question in the first round; they double from round to round."""

LOADING = 0.3
"""The share of the time for loading the games of all combinations; the others wait for their own turn."""
MOST = 0.25
"""The share of the time that a question may have in the first round, however long others took."""

Combination = Mapping[str, str]
"""A reading of each ruling that may be left open."""


def decide_at_once(
    attempts: Attempts, game: Game, questions: Sequence[Question], each: float, budget: Budget
) -> Iterator[Question]:
    """Decide questions about changed readings together, claim by claim; yields those that were decided.

    `game` is the one under the default readings. No question takes more than `each` seconds, and each claim
    has an equal share of what the claims before it have left of the budget.
    """
    by_claim: dict[str, list[Question]] = {}
    for question in questions:
        if may_cover(game.claims[question.claim]):
            by_claim.setdefault(question.claim, []).append(question)
    for left, name in zip(range(len(by_claim), 0, -1), by_claim, strict=True):
        part = budget.part(1 / left)
        open_ones = attempts.open_ones(by_claim[name], part.part(LOADING))
        if len(open_ones) > 1:
            yield from _Covering(attempts, game, game.claims[name], open_ones, each).decide(part)


@dataclass(frozen=True)
class _Cover:
    """All combinations of the readings of some rulings, with one reading of each other ruling."""

    left_open: tuple[str, ...]
    fixed: Combination

    def has(self, one: Combination) -> bool:
        """True if a combination is among these."""
        return all(one[ruling] == reading for ruling, reading in self.fixed.items())

    def contains(self, other: _Cover) -> bool:
        """True if all combinations of another cover are among these."""
        return self.fixed.items() <= other.fixed.items()

    def opening(self, ruling: str) -> _Cover:
        """These combinations, and those with other readings of a ruling."""
        fixed = {name: reading for name, reading in self.fixed.items() if name != ruling}
        return _Cover((*self.left_open, ruling), fixed)

    def closing(self, ruling: str, reading: str) -> _Cover:
        """Those of the combinations that have a reading of a ruling."""
        left = tuple(name for name in self.left_open if name != ruling)
        return _Cover(left, {**self.fixed, ruling: reading})


@dataclass
class _Covering:
    """The questions about one claim that are still open, and what is known of other combinations."""

    attempts: Attempts
    game: Game
    claim: Claim
    waiting: list[Question]
    each: float
    others: list[Combination] = field(default_factory=list)
    """Combinations under which a play decides the claim."""

    def __post_init__(self) -> None:
        changed = {ruling for question in self.waiting for ruling in question.changed}
        self.rulings = [ruling for ruling in self.game.rulings if ruling in changed and self._opens(ruling)]
        known = self.attempts.known_elsewhere(self.game, self.claim.id)
        without = property_of(self.claim).without_play
        self.others += [self._combination(v.readings) for v in known if v.outcome != without]
        self.seconds = min(max([FIRST, *(2 * v.seconds for v in known)]), self.each)

    def decide(self, budget: Budget) -> Iterator[Question]:
        """Ask in rounds, each with twice as much time for a question as the one before."""
        yield from self._by_stored_plays(budget)
        seconds = min(self.seconds, budget.seconds_left * MOST)
        while self.waiting and budget.seconds_left > 0:
            later, failed = list[Question](), list[_Cover]()
            while self.waiting and budget.seconds_left > 0:
                first = self.waiting[0]
                cover = self._widest(first)
                if cover is None:  # it is asked by itself
                    self.waiting.remove(first)
                elif any(cover.contains(smaller) for smaller in failed):
                    self.waiting.remove(first)
                    later.append(first)
                elif (found := self._ask(first, cover, budget.part(1.0, seconds), budget)) is None:
                    failed.append(cover)
                else:
                    self.waiting = [question for question in self.waiting if question not in found]
                    yield from found
            if seconds >= self.each:
                return
            self.waiting, seconds = later, min(2 * seconds, self.each)

    def _by_stored_plays(self, budget: Budget) -> Iterator[Question]:
        """Decide the questions whose stored verdicts have a play that decides them."""
        for question in takewhile(lambda _: budget.seconds_left > 0, [*self.waiting]):
            play = self.attempts.stored_play(question)
            if play is not None and self.attempts.decide_by_play(question, play, budget):
                self.waiting.remove(question)
                yield question

    def _ask(self, first: Question, cover: _Cover, part: Budget, budget: Budget) -> list[Question] | None:
        """The questions that a question about a game with open rulings decides; None if it stays open.

        It has the time of `part`, and what it decides is recorded within `budget`.
        """
        reply = self.attempts.ask_of_all_readings(first, cover.left_open, part)
        if STRENGTH[reply.verdict.outcome] < 2:
            return None
        members = [q for q in self.waiting if cover.has(self._combination(q.readings))]
        if reply.play is None:
            take = self.attempts.take_covered
            return [q for q in members if take(q, cover.left_open, reply.verdict, budget)] or None
        number = len(cover.left_open)
        drawn, play = reply.play.chance[:number], Play(reply.play.chance[number:], reply.play.plays)
        self.others.append({**cover.fixed, **dict(zip(cover.left_open, drawn, strict=True))})
        tried = takewhile(lambda _: budget.seconds_left > 0, members)
        found = [question for question in tried if self.attempts.decide_by_play(question, play, budget)]
        self.others += [self._combination(question.readings) for question in found]
        return found

    def _widest(self, first: Question) -> _Cover | None:
        """The combinations that are asked at once with a question: with as many open rulings as possible.

        None of them is known to have the other answer, and each open ruling adds an open question. None if
        the question would be the only one.
        """
        own = self._combination(first.readings)
        cover = _Cover((), own)
        for ruling in self.rulings:
            wider = cover.opening(ruling)
            if not any(map(wider.has, self.others)):
                cover = wider
        members = [one for q in self.waiting if cover.has(one := self._combination(q.readings))]
        for ruling in cover.left_open:
            if all(one[ruling] == own[ruling] for one in members):
                cover = cover.closing(ruling, own[ruling])
        return cover if len(members) > 1 else None

    def _combination(self, readings: Mapping[str, str]) -> Combination:
        return {name: readings.get(name, ruling.readings[0].id) for name, ruling in self.game.rulings.items()}

    def _opens(self, ruling: str) -> bool:
        """True if the rules can be read with a ruling left open: no type may depend on it."""
        with suppress(RulesetError):
            self.attempts.questions.game({}, (ruling,))
            return True
        return False
