"""The truth of claims about deals: of each way in which play can begin by itself."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

from rulespec.core.game import Claim
from rulespec.play.chance import Chance

from .space import Space
from .truth import Truth, asked, counts


def _holds_from(space: Space, claim: Claim, start: int) -> bool:
    """True if a claim holds of the plays from one deal; for a best, if there is any."""
    seen, waiting = {start}, [start]
    while waiting:
        i = waiting.pop()
        if claim.kind == "reachable" and asked(space, claim, i):
            return True
        if claim.kind == "best" and counts(space, claim, i) and space.ask(claim.condition, i) is not None:
            return True
        fresh = set(space.after(i)) - seen
        seen |= fresh
        waiting += fresh
    return False


def _every_deal(space: Space, claim: Claim) -> Truth:
    of = space.game.claims[claim.options["asks"]]
    every = all(_holds_from(space, of, i) for _, i in space.starts)
    return Truth(every == (claim.options.get("is") != "no"))


def _share_of_deals(space: Space, claim: Claim) -> Truth:
    of, wanted = space.game.claims[claim.options["asks"]], claim.options["deals"]
    if wanted == "all":
        held = sum((share for share, i in space.starts if _holds_from(space, of, i)), Fraction(0))
        return Truth(None, share=held)
    started = (space.machine.start(Chance(str(seed))).position for seed in range(wanted))
    held = sum(_holds_from(space, of, space.number_of(position)) for position in started)
    return Truth(None, held)


KINDS: dict[str, Callable[[Space, Claim], Truth]] = {
    "every_deal": _every_deal,
    "share_of_deals": _share_of_deals,
}
