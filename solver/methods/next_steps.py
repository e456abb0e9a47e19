"""Advice on an undecided claim, depending on what ended the work."""

from __future__ import annotations

from rulespec.core import nodes as n
from rulespec.core.traversal import nodes_within
from rulespec.core.types import Bag, Map, Set
from rulespec.solver.evidence.positions import needs_strategies
from rulespec.solver.evidence.problem import Case

CAUSES: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("shuffle", "outcomes"),
        "Chance has too many outcomes to list them: ask it with fewer cards or dice (`--set`, a variant), or "
        "add an invariant that helps (`helped-by`)",
    ),
    (("can come back", "for ever", "endless"), "Let the game end: count the turns, or forbid repetition"),
    (("MB", "memory"), "Allow more with `--memory`, or ask it of a smaller game"),
    (
        ("wide", "too many values", "too many orders"),
        "Formulas get too large here: name parts with `define`, or use smaller types",
    ),
    (
        (" s", "positions", "plies"),
        "Allow more time with `--each`, ask it of a smaller game (`--set`, a variant), or add an invariant "
        "that helps (`helped-by`)",
    ),
)
"""Phrases about what ended the work, each with advice; the first match counts."""


DEALS = (
    "Chance has too many outcomes to list them: ask it of one deal (`from: deal`, `rulespec solve`), of many "
    "(`rulespec survey`), or with fewer cards"
)
ALIKE = (
    "Keep alike dice in a bag (`state dice: bag of Face up to 5`, `roll 5 of Face into dice`): five of them "
    "then lie in 252 ways, not in 7776"
)

OPEN = (
    "If players may know what is left in {}, leave out its `hidden`, because it has no order; where nothing "
    "is hidden but choices made at once, best play is much easier to work out"
)


def next_step(case: Case, ended: str) -> str:
    """Sentences that say what to try next; empty if no advice fits."""
    advice = [words for signs, words in CAUSES if any(sign in ended for sign in signs)][:1]
    if case.prop.takes("from") and advice and advice[0] == CAUSES[0][1]:
        advice = [DEALS]
    if case.claim.kind == "expected" and _rolls_one_by_one(case):
        advice.append(ALIKE)
    piles = [f"`{v.name}`" for v in case.game.state.values() if v.hidden and isinstance(v.type, Bag | Set)]
    if piles and needs_strategies(case):
        advice.append(OPEN.format(" and ".join(piles)))
    return " ".join(f"{words}." for words in advice)


def _rolls_one_by_one(case: Case) -> bool:
    """True if an action rolls several entries of a map, so that the order of equal dice matters."""
    for action in case.game.actions.values():
        within = [*nodes_within(action.effect)]
        rolled = [x.source.of for x in within if isinstance(x, n.Draw) and isinstance(x.source, n.Domain)]
        maps = [x.target.type for x in within if isinstance(x, n.Assign) and x.path]
        filled = [t for t in maps if isinstance(t, Map) and t.of in rolled]
        if len(filled) > 1 or (filled and any(isinstance(x, n.ForEach) for x in within)):
            return True
    return False
