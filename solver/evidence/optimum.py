"""The best reachable value of a number: a play reaches it, and better ones are out of reach."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from rulespec.core import nodes as n
from rulespec.core.game import Claim
from rulespec.core.types import BOOL, Int, integers
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED
from rulespec.play.plays import Play, perform
from rulespec.solver.certify import BadEvidence

from .problem import Answer, Case, Proof, no_answer
from .replay import value

EXCLUDED = "excluded"
"""The name in evidence of the argument that proved claims exclude the goal."""


@dataclass(frozen=True)
class Scale:
    """The possible values of a `best` claim; rank 0 is the best of them."""

    low: int
    high: int
    most: bool

    @classmethod
    def of(cls, case: Case) -> Scale | None:
        """The scale of a case; None if its number may be none."""
        t = case.condition.type
        return cls(t.lo, t.hi, case.most) if isinstance(t, Int) else None

    @property
    def size(self) -> int:
        """The number of ranks."""
        return self.high - self.low + 1

    def value(self, rank: int) -> int:
        """The value of a rank."""
        return self.high - rank if self.most else self.low + rank

    def rank(self, value: int) -> int:
        """The rank of a value."""
        return self.high - value if self.most else value - self.low

    def words(self, rank: int) -> str:
        """The condition of a rank or better, in words."""
        return f"at {'least' if self.most else 'most'} {self.value(rank)}"


def within(case: Case, bound: int) -> n.Expr:
    """The condition that a position's value is within a bound, or better; at the last bound, any value."""
    there = case.claim.when or n.Const(BOOL, True)
    scale = Scale.of(case)
    if scale is not None and scale.rank(bound) >= scale.size - 1:
        return there
    limit = n.Const(integers(bound, bound), bound)
    side = (limit, case.condition) if case.most else (case.condition, limit)
    return n.And(BOOL, (there, n.AtMost(BOOL, *side)))


def beyond(case: Case, data: Mapping[str, Any]) -> Case:
    """The case with the claim that no value within the bound of evidence can be reached.

    Raises BadEvidence for a bound that is no value of the claim.
    """
    scale, bound = Scale.of(case), data.get("bound")
    if scale is None or not isinstance(bound, int) or not scale.low <= bound <= scale.high:
        raise BadEvidence("what it says is out of reach is no value of the claim")
    claim = Claim(f"{case.claim.id} {bound}", case.claim.prose, "unreachable", within(case, bound))
    return replace(case, claim=claim)


def deal_data(case: Case) -> dict[str, object]:
    """The evidence entry that names the deal; empty if it is about every deal."""
    return {} if case.chance is None else {"chance": list(case.chance)}


def best(
    case: Case, scale: Scale, play: Play | None, proofs: Iterable[Proof], engine: str, stopped: str = ""
) -> Answer:
    """The answer that a play and proofs of bounds give, however they were found.

    The last of several bounds implies the others. `stopped` is the limit that ended the search. Raises
    AssertionError, a defect of the caller, if the play reaches no value or one that is proved out of reach.
    """
    listed = list(proofs)
    bounds = [p for p in listed if "bound" in p.data]
    last = max(bounds, key=lambda p: scale.rank(int(p.data["bound"])), default=None)
    rank = 0 if last is None else scale.rank(int(last.data["bound"])) + 1
    helped = {str(p.data): p for p in listed if p.kind == "helper"}
    shown = [*([last] if last is not None else []), *helped.values()]
    if play is None and rank >= scale.size:
        return Answer(REFUTED, tuple(shown), engine)
    reached = None
    if play is not None:
        reached = value(case.game, case.claim, perform(case.game, play))
        if reached is None or scale.rank(reached) < rank:
            raise AssertionError(f"a play for {case.claim.id} that reaches {reached}, which is out of reach")
        shown.insert(0, Proof("play", deal_data(case), play))
    if reached is not None and scale.rank(reached) == rank:
        return Answer(PROVED, tuple(shown), engine, {"value": reached})
    keys = ("at_least", "at_most") if scale.most else ("at_most", "at_least")
    numbers = {} if reached is None else {keys[0]: reached}
    if rank:
        numbers[keys[1]] = scale.value(rank)
    if not numbers:
        return no_answer(f"Nothing was decided: {stopped}.", engine=engine)
    return Answer(BOUNDED, tuple(shown), engine, numbers, stopped=stopped)
