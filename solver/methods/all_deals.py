"""Deciding claims about all possible deals, if deals can be numbered.

They are decided batch by batch. A play that a hunt finds for one of them is tried from all others of its
batch, so that few need a hunt of their own; if no play turns up soon, the deal is decided separately. Results
of batches are kept in the user's cache, and the next run continues from there.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Mapping, Sequence
from copy import copy
from dataclasses import replace
from typing import NamedTuple

from rulespec.budgets import Budget
from rulespec.core.digest import of_claim
from rulespec.core.game import Claim
from rulespec.core.verdicts.properties import Form
from rulespec.simulation.result_file import NUMBER, TEXT, ResultFile, default_path
from rulespec.solver.analyses.deal_numbers import NotBlind, Starts
from rulespec.solver.evidence import exploration
from rulespec.solver.evidence.deal_counts import NO, OPEN, YES
from rulespec.solver.evidence.optimum import Scale
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.explore.state_space import MOST_POSITIONS, Limits
from rulespec.solver.formulas.monotone import bounds_on_the_way
from rulespec.solver.search import FOUND, PolicySearch
from rulespec.solver.search.policy_search import REACHED, UNREACHED, PlayTransfer

from .play_search import goal_of

BATCH = 5_000
"""Number of deals decided together."""
BRIEF = 60_000
"""Maximum number of plies of a hunt before a deal is decided separately."""
LATELY = 40
"""Number of recent plays that are tried from the deals of the next batch."""
EACH = 40.0
"""Maximum seconds for a deal that is decided separately."""

One = Callable[[Case], Answer]
Letter = Callable[[Answer], str]


class Batches(ResultFile):
    """Letters of the decided batches, under the number of their first deal."""

    format = "rulespec deals 3"
    what = "deals"

    @classmethod
    def of(cls, case: Case, claim: Claim) -> Batches:
        """The batches for a claim about every deal. Raises DatabaseError for a file of another kind."""
        game = case.game
        asked: dict[str, object] = {
            "ruleset": game.id, "digest": game.digest, "claim": claim.id, "claim digest": of_claim(claim),
            "batch": BATCH,
        }  # fmt: skip
        tables = ("batches (first INTEGER PRIMARY KEY, letters TEXT NOT NULL, digest TEXT NOT NULL)",)
        return cls(default_path("deals", cls.format, asked), asked, tables)

    def is_sound(self) -> bool:
        """True if this installation wrote the letters of every batch."""
        rows = self.ask("SELECT first, letters, digest FROM batches", (), NUMBER, TEXT)
        return all(self.seal(first, letters) == held for first, letters, held in rows)

    def get(self, first: int) -> str | None:
        """The letters of the batch that begins with a deal, if it was decided."""
        question = "SELECT letters FROM batches WHERE first = ?"
        return next((letters for (letters,) in self.ask(question, (first,), TEXT)), None)

    def put(self, first: int, letters: str) -> None:
        """Store the letters of a batch."""
        row = first, letters, self.seal(first, letters)
        self.run("INSERT OR REPLACE INTO batches VALUES (?, ?, ?)", row)


class Batch(NamedTuple):
    """The result for the deals of a range of numbers.

    `letters` has one for each deal; they rest on `plays`, as rows of actions, that lead to the goal from some
    of them, and on answers to the others, decided `alone`, by their places in the row.
    """

    letters: str
    plays: Sequence[Sequence[int]]
    alone: Mapping[int, tuple[Case, Answer]]


class DealDecider:
    """Decides a claim for deals by their numbers. `one` decides a single deal, `letter` encodes its answer.

    Raises NotBlind if the deals cannot be numbered; raises TooLarge if the game has no code.
    """

    def __init__(self, case: Case, claim: Claim, one: One, letter: Letter) -> None:
        if case.game.has_chance_in_play:
            raise NotBlind(f"`{case.game.id}` leaves something to chance in play")
        self.starts = Starts(case.game)
        self.case = replace(case, claim=claim)
        self._one, self._letter = one, letter
        goal, scale = goal_of(self.case), Scale.of(self.case) if self.case.prop.form is Form.OPTIMUM else None
        bound = scale.value(scale.size - 1) if scale else 0
        most = bounds_on_the_way(case.game, goal.within(bound))
        self._hunt = PolicySearch(case.game, goal, bound, most, chance=self.starts.chance(0))
        self._reached = NO if self.case.prop.negated else YES
        self._lately: deque[list[int]] = deque(maxlen=LATELY)

    def within(self, budget: Budget) -> DealDecider:
        """A copy of this decider with another budget."""
        other = copy(self)
        other.case = replace(self.case, budget=budget)
        return other

    def letters(self, first: int, last: int) -> str | None:
        """The letters for the deals of a range of numbers; None if the budget ran out."""
        batch = self.batch(first, last)
        return None if batch is None else batch.letters

    def batch(self, first: int, last: int) -> Batch | None:
        """Decide a range of deals; None if the budget ran out on the way."""
        fitting = self._transfer(first, last)
        plays = [rows for rows in [*self._lately] if fitting.fit(rows)]
        alone: dict[int, tuple[Case, Answer]] = {}
        for at in range(last - first):
            if fitting.stands[at] != UNREACHED:
                continue
            if self.case.budget.exceeded_limit:
                return None
            chance = self.starts.chance(first + at)
            rows = self._hunt_play(chance)
            if rows and fitting.fit(rows):
                self._lately.append(rows)
                plays.append(rows)
            if fitting.stands[at] == UNREACHED:
                alone[at] = self._decide_alone(chance)
                if self._letter(alone[at][1]) == OPEN and self.case.budget.exceeded_limit:
                    return None  # this deal had no time of its own
                fitting.stands[at] = -REACHED
        letters = {at: self._letter(answer) for at, (_, answer) in alone.items()}
        return Batch(self._letters_of(fitting, letters), plays, alone)

    def letters_shown(
        self, first: int, last: int, plays: Iterable[Sequence[int]], alone: Mapping[int, str]
    ) -> str:
        """The letters that plays prove for a range of deals; `alone` has those of other deals by place."""
        fitting = self._transfer(first, last)
        for rows in plays:
            fitting.fit(rows)
        return self._letters_of(fitting, alone)

    def _transfer(self, first: int, last: int) -> PlayTransfer:
        return PlayTransfer(self._hunt, map(self.starts.position, range(first, last)))

    def _letters_of(self, fitting: PlayTransfer, alone: Mapping[int, str]) -> str:
        reached = enumerate(stands == REACHED for stands in fitting.stands)
        return "".join(self._reached if fits else alone.get(at, OPEN) for at, fits in reached)

    def _hunt_play(self, chance: tuple[str, ...]) -> list[int]:
        """The actions of a play from a deal, as rows; empty if a short hunt found none."""
        hunt = self._hunt.elsewhere(chance)
        hunt.run(lambda: self.case.budget.exceeded_limit or ("brief" if hunt.plies >= BRIEF else ""))
        hunt.close()
        return hunt.rows if hunt.status == FOUND else []

    def _decide_alone(self, chance: tuple[str, ...]) -> tuple[Case, Answer]:
        """The answer for one deal: by brief exploration, else by all methods."""
        case = replace(self.case, chance=chance, budget=self.case.budget.part(1.0, EACH))
        if case.prop.form is not Form.OPTIMUM:
            answer = exploration.explore(case, Limits(EACH, MOST_POSITIONS))
            if answer is not None and self._letter(answer) != OPEN:
                return case, answer
        return case, self._one(case)


def letters(case: Case, claim: Claim, one: One, letter: Letter) -> tuple[str, int]:
    """Decide the deals in order while the budget lasts; returns their letters and the number of all deals.

    Raises NotBlind, TooLarge like `DealDecider`.
    """
    asking = DealDecider(case, claim, one, letter)
    found, count = "", asking.starts.count
    with Batches.of(case, claim) as kept:
        while len(found) < count:
            first, last = len(found), min(len(found) + BATCH, count)
            known = kept.get(first)
            if known is None or len(known) != last - first:
                if case.budget.exceeded_limit:
                    break
                case.progress(f"deals {first} to {last - 1} of {count}")
                known = asking.letters(first, last)
                if known is None:
                    break
                kept.put(first, known)
            found += known
    return found, count
