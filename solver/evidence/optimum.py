"""The best of a number: its values from the best on, and whether anything beyond a bound can be reached."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rulespec.core import nodes as n
from rulespec.core.game import Claim
from rulespec.core.types import BOOL, Int
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED, Verdict
from rulespec.play.plays import Play
from solver.analyses.goals import Goal

from .problem import Answer, Case, Proof, undecided

YES = n.Const(BOOL, True)

EXCLUDED = "excluded"
"""The name in evidence of the argument that proved claims exclude the goal."""


@dataclass(frozen=True)
class Scale:
    """The values that a claim of the kind `best` speaks of; rank 0 is the best of them."""

    low: int
    high: int
    most: bool

    @classmethod
    def of(cls, case: Case) -> Scale | None:
        """That of a case; none where the number may be none."""
        t = case.condition.type
        return cls(t.lo, t.hi, case.most) if isinstance(t, Int) else None

    @property
    def size(self) -> int:
        """How many ranks there are."""
        return self.high - self.low + 1

    def value(self, rank: int) -> int:
        """The value of a rank."""
        return self.high - rank if self.most else self.low + rank

    def rank(self, value: int) -> int:
        """The rank of a value."""
        return self.high - value if self.most else value - self.low

    def impossible(self, verdict: Verdict) -> int | None:
        """The last rank that a verdict says is out of reach, -1 for none; None for a value out of range."""
        if verdict.outcome == REFUTED:
            return self.size - 1
        side = "at_most" if self.most else "at_least"
        value = verdict.numbers.get("value", verdict.numbers.get(side, self.value(0)))
        return self.rank(value) - 1 if self.low <= value <= self.high else None

    @property
    def word(self) -> str:
        """Which end of the values is the best."""
        return "most" if self.most else "least"

    def words(self, rank: int) -> str:
        """A rank or better, in words."""
        return f"at {'least' if self.most else 'most'} {self.value(rank)}"


def goal_of(case: Case) -> Goal:
    """What plays are looked for to settle a case."""
    if case.claim.kind != "best":
        return Goal(case.condition)
    return Goal(case.when or YES, case.condition, case.most)


def beyond(case: Case, bound: int) -> Case:
    """The case that nothing within a bound can be reached, of a claim for the best."""
    claim = case.claim
    better = Claim(f"{claim.id} {bound}", claim.prose, "unreachable", goal_of(case).within(bound))
    return replace(case, claim=better)


def last_bound(scale: Scale, proofs: Sequence[Proof]) -> list[Proof]:
    """The proofs without those of bounds that another one implies, and without repeated helpers.

    Of several proofs that values are out of reach the one with the last rank implies the others.
    """
    helped = [p for p in proofs if p.kind == "helper"]
    ruled_out = [p for p in proofs if "bound" in p.data]
    last = max(ruled_out, key=lambda p: scale.rank(int(p.data["bound"])), default=None)
    rest = [p for p in proofs if p.kind != "helper" and "bound" not in p.data]
    unique = {str(p.data): p for p in helped}
    return [*rest, *([last] if last is not None else []), *unique.values()]


def deal_data(case: Case) -> dict[str, object]:
    """The entry of evidence that names its deal; empty if it is about every deal."""
    return {} if case.chance is None else {"chance": list(case.chance)}


def out_of_reach(scale: Scale, proofs: Sequence[Proof], engine: str) -> Answer:
    """The answer that no value can be reached, by proofs of which one is about the last value."""
    proofs = last_bound(scale, proofs)
    _bounded_at(scale, scale.size, proofs)
    return Answer(REFUTED, tuple(proofs), engine)


def _bounded_at(scale: Scale, rank: int, proofs: Sequence[Proof]) -> None:
    """Test that proofs are about all ranks below one. AssertionError, a defect of who hands them over."""
    bounds = [scale.rank(int(p.data["bound"])) for p in proofs if "bound" in p.data]
    if max(bounds, default=-1) != rank - 1:
        raise AssertionError(f"bounds on a best value that say nothing of {scale.value(rank - 1)}")


def optimum(case: Case, scale: Scale, rank: int, play: Play, proofs: Sequence[Proof], engine: str) -> Answer:
    """The best is known: a play reaches it, and proofs show that nothing better can be reached."""
    shown, proofs = Proof("play", deal_data(case), play), last_bound(scale, proofs)
    _bounded_at(scale, rank, proofs)
    return Answer(PROVED, (shown, *proofs), engine, {"value": scale.value(rank)})


def between(
    case: Case,
    scale: Scale,
    rank: int,
    reached: tuple[int, Play] | None,
    proofs: Sequence[Proof],
    stopped: str,
    engine: str,
) -> Answer:
    """The bounded answer where the best is open: ranks below `rank` are impossible.

    `reached` is the best rank that a play reached, with the play; `stopped` the limit that ended the search.
    """
    proofs = last_bound(scale, proofs)
    keys = ("at_least", "at_most") if scale.most else ("at_most", "at_least")
    numbers: dict[str, int] = {}
    shown: list[Proof] = []
    if reached is not None:
        numbers[keys[0]] = scale.value(reached[0])
        shown.append(Proof("play", deal_data(case), reached[1]))
    _bounded_at(scale, rank, proofs)
    if rank:
        numbers[keys[1]] = scale.value(rank)
    if not numbers:
        return undecided(f"Nothing was decided: {stopped}.", engine=engine)
    return Answer(BOUNDED, (*shown, *proofs), engine, numbers, stopped=stopped)
