"""The truth of any claim, by the interpreter alone."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from rulespec.core.game import Claim

from . import best_play, deals, positions, two_games
from .space import Space
from .truth import Truth, Unknown, longest

KINDS: Mapping[str, Callable[[Space, Claim], Truth]] = {
    **positions.KINDS,
    **best_play.KINDS,
    **two_games.KINDS,
    **deals.KINDS,
}
"""The functions that find the truth, by kind of claim; each follows the words of the reference."""


def truth(space: Space, claim: Claim) -> Truth:
    """The truth of a claim about a game; of one that is asked of a deal, where there is only one.

    Raises Unknown.
    """
    if claim.options.get("from") == "deal" and len(space.starts) > 1:
        raise Unknown
    return replace(KINDS[claim.kind](space, claim), longest=longest(space))
