"""Case splitting: the choices of an action that are split into cases, and effects that all cases share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import cast

from rulespec.core import nodes as n
from rulespec.core.game import Action
from rulespec.core.traversal import assignments, rebuild
from rulespec.core.types import Scalar, Value

from .dependencies import Dependencies, conditions_of

SPLIT_ANYWAY = 16
"""With at most this many combinations all choices are split, keys or not: less is left for the engine."""
MANY_CASES = 4_000
"""With more cases, choices that only determine where something is stored are not split."""
MOST_CASES = 20_000
"""Maximum number of cases of an action; choices that are not split stay unions."""


@dataclass(frozen=True)
class Split:
    """The choices to split, each with its values.

    `once` are the leading stores of the effect whose place is the same in all cases: only the value is
    computed in each case, and it is stored after the cases have been merged. `rest` is the rest of the
    effect.
    """

    choices: tuple[tuple[n.Var, Sequence[Value]], ...]
    once: tuple[n.Assign, ...]
    rest: n.Effect

    @property
    def cases(self) -> int:
        """The number of combinations of values."""
        return prod(len(values) for _, values in self.choices)


def split_action(facts: Dependencies, action: Action, wanted: frozenset[n.StateVar] | None) -> Split:
    """Split an action into cases, for the wanted variables only (None: all).

    Choices that serve as keys are split, so that maps are read at constant places. If there were too many
    cases, choices that only determine where something is stored are not split.
    """
    effect = _without_stores(action.effect, wanted)
    domains = [(c.var, cast(Scalar, c.var.type).values) for c in action.choices if c.chain is None]
    whole = Split(tuple(domains), (), action.effect)
    if whole.cases <= SPLIT_ANYWAY:
        return whole
    asked = frozenset[n.Var]().union(*map(facts.keys, conditions_of(action)))
    result = _by(whole, asked | facts.keys(effect))
    if result.cases > MANY_CASES:
        result = _by(whole, asked | facts.keys(effect, stored=False))
        once, rest = _apart(facts, effect, {var for var, _ in result.choices})
        result = Split(result.choices, once, rest) if once else result
    while result.cases > MOST_CASES:
        longest = max(result.choices, key=lambda held: len(held[1]))
        result = Split(tuple(c for c in result.choices if c is not longest), (), action.effect)
    return result


def _by(whole: Split, keys: frozenset[n.Var]) -> Split:
    return Split(tuple(c for c in whole.choices if c[0] in keys), (), whole.rest)


def _without_stores(effect: n.Effect, wanted: frozenset[n.StateVar] | None) -> n.Effect:
    """An effect without the stores into unwanted variables."""
    if wanted is None:
        return effect

    def kept(node: n.Expr | n.Effect) -> n.Expr | n.Effect:
        return n.NOTHING_DONE if isinstance(node, n.Assign) and node.target not in wanted else node

    return rebuild(effect, kept)


def _apart(
    facts: Dependencies, effect: n.Effect, settled: set[n.Var]
) -> tuple[tuple[n.Assign, ...], n.Effect]:
    """The first stores of an effect that can be made once for all cases, and the rest of the effect."""
    items = list(effect.items) if isinstance(effect, n.Block) else [effect]
    once: list[n.Assign] = []
    while items and _can_wait(facts, items, settled, {a.target for a in once}):
        first = items.pop(0)
        assert isinstance(first, n.Assign)
        once.append(first)
    return tuple(once), n.Block(tuple(items))


def _can_wait(
    facts: Dependencies, items: Sequence[n.Effect], settled: set[n.Var], earlier: set[n.StateVar]
) -> bool:
    """True if the first effect stores a map's entry that no case determines and no other effect uses.

    It may not read what was stored before it.
    """
    first, *others = items
    if not isinstance(first, n.Assign) or not first.path or facts.reads(first) & earlier:
        return False
    if any(settled.intersection(facts.free(key)) for key in first.path):
        return False
    touched = {a.target for e in others for a in assignments(e)}.union(*(facts.reads(e) for e in others))
    return first.target not in touched | earlier
