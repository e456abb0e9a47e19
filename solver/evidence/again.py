"""What is put to formulas once more to check a verdict: the case that its evidence is about."""

from __future__ import annotations

from dataclasses import replace

from rulespec.core.game import Claim
from rulespec.core.lemmas import able_to_help, current, helpers_of
from rulespec.core.verdicts import Evidence, Store, Verdict

from .optimum import Scale, beyond
from .problem import Case
from .properties import property_of
from .reduced import eased

ENGINES_WORK = ("induction", "refutation")
"""Kinds of evidence that rest on what an engine says is impossible."""

OTHER_WORK = ("sample", "strategies", "exploration", "combination")
"""Kinds of evidence that settle a verdict without an engine, unless the best of something is asked."""


class Unfounded(Exception):
    """Evidence that cannot show what the verdict says; the text says why."""


def by_engine(claim: Claim, verdict: Verdict) -> Evidence | None:
    """The evidence of a verdict for which formulas are asked again; None if other evidence settles it."""
    told = bounds(verdict)
    if claim.kind == "winnable":
        return None  # each seat is a question of its own
    if claim.kind == "best" and told:
        return told[-1] if told[-1].kind in ENGINES_WORK else None
    if any("seat" in e.data for e in verdict.evidence):
        return None  # what is said of each player is a verdict of its own
    kinds = {e.kind for e in verdict.evidence}
    if kinds.intersection(OTHER_WORK) or ("play" in kinds and property_of(claim).by_play):
        return None
    return next((e for e in verdict.evidence if e.kind in ENGINES_WORK), None)


def bounds(verdict: Verdict) -> list[Evidence]:
    """The evidence that something cannot be reached, of a verdict on the best."""
    return [e for e in verdict.evidence if "bound" in e.data]


def deals_of(verdict: Verdict) -> list[tuple[str, ...]]:
    """The deals that pieces of the evidence are about, each once, as its outcomes of chance."""
    named = (tuple(e.data["chance"]) for e in verdict.evidence if "chance" in e.data)
    return list(dict.fromkeys(named))


def deal_of(verdict: Verdict) -> tuple[str, ...] | None:
    """The outcomes of chance that the evidence is about, in notation; None for any."""
    return next(iter(deals_of(verdict)), None)


def beyond_reach(case: Case, verdict: Verdict) -> Case | None:
    """The case that nothing better than what a verdict says can be reached; None if nothing better exists.

    Unfounded if no evidence is about that.
    """
    scale = Scale.of(case)
    rank = scale.impossible(verdict) if scale is not None else None
    if scale is None or rank is None:
        raise Unfounded("what it says is not a value of the claim")
    if rank < 0:
        return None
    bound, told = scale.value(rank), bounds(verdict)
    if not told or told[-1].data["bound"] != bound:
        raise Unfounded(f"nothing shows that {bound} is out of reach")
    better = beyond(case, bound)
    if "uncounted" in told[-1].data:
        easier = eased(better, told[-1].data["uncounted"])
        if easier is None:
            raise Unfounded("what it leaves uncounted matters")
        return easier
    return better


def asked_again(case: Case, verdict: Verdict, store: Store) -> Case:
    """The case with what the evidence names: its argument, and the claims that help, where these hold."""
    game = case.game
    argument = next((str(e.data["by"]) for e in verdict.evidence if "by" in e.data), "")
    named = helpers_of(verdict)
    held = able_to_help(verdict.claim, current(store, game), named) if named else {}
    return replace(case, argument=argument, settled={**case.settled, **held})
