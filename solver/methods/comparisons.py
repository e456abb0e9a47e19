"""Methods that compare positions by formulas: with images, another game's, or those that look alike."""

from __future__ import annotations

from rulespec.core.properties import Over
from solver.evidence import comparisons

from .inductions import INDUCTION, REFUTATION, by_rule
from .method import Cost, Method

METHODS = (
    Method(
        "images",
        lambda p: p.over is Over.IMAGES,
        by_rule(comparisons.symmetric),
        INDUCTION,
        Cost.PLY,
        by_formulas=True,
    ),
    Method(
        "both from any state",
        lambda p: p.over is Over.BOTH_GAMES,
        by_rule(comparisons.same_from_any_state),
        INDUCTION,
        Cost.PLY,
        by_formulas=True,
    ),
    Method(
        "both unrolled",
        lambda p: p.over is Over.BOTH_GAMES,
        by_rule(comparisons.same_unrolled),
        REFUTATION,
        Cost.UNROLLING,
        by_formulas=True,
    ),
    Method(
        "looking alike now",
        lambda p: p.over is Over.LOOKALIKES,
        by_rule(comparisons.known_now),
        frozenset({"refutation", "helper"}),
        Cost.QUESTION,
        by_formulas=True,
    ),
    Method(
        "pairs of plays",
        lambda p: p.over is Over.LOOKALIKES,
        by_rule(comparisons.known_unrolled),
        REFUTATION,
        Cost.UNROLLING,
        by_formulas=True,
    ),
)
