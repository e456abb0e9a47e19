"""Methods that compare positions by formulas: with images, another game's, or those that look alike."""

from __future__ import annotations

from rulespec.core.properties import Over
from solver.evidence import comparisons as judged

from .inductions import REFUTATION, asking
from .method import Cost

NOW = frozenset({"refutation", "helper"})

METHODS = (
    asking("images", lambda p: p.over is Over.IMAGES, judged.symmetric, Cost.PLY),
    asking("both from any state", lambda p: p.over is Over.BOTH_GAMES, judged.same_from_any_state, Cost.PLY),
    asking(
        "both unrolled",
        lambda p: p.over is Over.BOTH_GAMES,
        judged.same_unrolled,
        Cost.UNROLLING,
        REFUTATION,
    ),
    asking("looking alike now", lambda p: p.over is Over.LOOKALIKES, judged.known_now, Cost.QUESTION, NOW),
    asking(
        "pairs of plays",
        lambda p: p.over is Over.LOOKALIKES,
        judged.known_unrolled,
        Cost.UNROLLING,
        REFUTATION,
    ),
)
