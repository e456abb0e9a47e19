"""Comparisons of the typed core that include, leave out or turn round what the prose says."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..core import nodes as n
from ..core.game import Game
from ..core.traversal import assignments, nodes_with_definitions, nodes_within, parts
from .amounts import names_in
from .english import WHICH, Quantity, quantities, words_of
from .parts import (
    DEFINITION,
    EFFECT,
    END,
    REACTION,
    REQUIREMENT,
    Found,
    Passage,
    clause_at,
    passages,
    written_condition,
)
from .slips import is_other, place

_Comparison = n.Less | n.AtMost | n.Equal
_BEYOND = re.compile(
    r"\b(?:more|over|above|exceed\w*|beyond|past|greater|higher|fewer|less|under|below|only|left|than|last)\b",
    re.IGNORECASE,
)
"""Words of prose about bounds that leave their number out."""
_THAN = re.compile(
    r"\b(?:(?P<more>more|higher|greater|larger|bigger|longer)|fewer|less|lower|smaller|shorter)\b[^.;]*?\bthan\b",
    re.IGNORECASE,
)
_EQUAL = re.compile(
    r"\b(?:least|most|equal\w*|same|as|no|not|nor|never|cannot|enough|that many|that much)\b", re.IGNORECASE
)
_ENOUGH = re.compile(
    r"\b(?:at least as|as many|as much|enough|that many|that much|(?:no|not) (?:more|fewer|less) than)\b",
    re.IGNORECASE,
)
_TIED = re.compile(r"\b(?:equal\w*|as many|as much|ties?|tied|draws?|drawn|nobody|no one)\b", re.IGNORECASE)
_NOT = re.compile(r"\b(?:no|not|nor|never|cannot|none|nobody|unless|until|without)\b", re.IGNORECASE)


def bounds(game: Game) -> Found:
    """Doubts about conditions and definitions that contain a single comparison."""
    for passage in passages(game):
        yield from (_compared if passage.kind != EFFECT else _of_branches)(game, passage)
    yield from _of_winners(game)


def _of_winners(game: Game) -> Found:
    """Doubts about winners who need as many as the others where the prose asks for more."""
    winners, prose = game.outcome.winners, {rule.id: rule.prose for rule in game.rules}
    for node in nodes_with_definitions(winners) if winners is not None else ():
        span = game.spans.get(node)
        if isinstance(node, n.AtMost) and span is not None and [*names_in(node.a)] == [*names_in(node.b)]:
            said = prose.get(clause_at(game, span), "")
            others = [side for side in (node.a, node.b) if any(map(is_other, nodes_within(side)))]
            more = re.search(r"\bmore\b", said) and not re.search(
                r"\b(?:both|all) win|share|together\b", said
            )
            if len(others) == 1 and more and _TIED.search(said):
                message = f"the prose says `more`, but `{game.texts.get(node, '')}` also holds for as many"
                yield "prose", span, message, WHICH


def _compared(game: Game, passage: Passage) -> Found:
    """Doubts about the only comparison of a condition."""
    prose, kind, action = passage.prose, passage.kind, passage.action
    grows = {a.target for a in assignments(action.effect) if isinstance(a.value, n.Add)} if action else set()
    compared = _comparisons(written_condition(game, passage.formal), True)
    found = [(node, holds) for node, holds in compared if node in game.texts]
    node, holds = found[0] if len(found) == 1 else (None, True)
    if node is None or isinstance(node, n.Equal):
        return
    cut, wrong = None if _is_named_constant(game, node) else _cut(node), ""
    if cut is None and kind != DEFINITION:
        wrong = _otherwise(game, prose, node, holds)
    counts = quantities(prose) if cut is not None else []
    said = [one for one in counts if one.value > 1 or _is_named(prose, node, one)]
    sure = kind == REQUIREMENT and sum(one.cut is not None for one in said) == 1
    added = any(isinstance(inner, n.Get) and inner.var in grows for inner in nodes_within(node))
    for one in said:
        least, upper = cut or (0, True)
        if one.cut is None:
            is_end = kind in (END, REACTION) and not _BEYOND.search(prose)
            differs = is_end and (least, upper) == (one.value + 1, holds)
        else:
            apart, turned = least - one.cut, (upper == holds) != (one.low is not None)
            holds_up_to = kind == DEFINITION and one.text.lower().startswith("up to")
            before = apart == -1 and one.low is None and one.high == one.value and (added or holds_up_to)
            differs = apart != 0 and not before and (abs(apart) == 1 or (sure and not turned))
            differs = differs or (apart == 0 and turned and sure and not _NOT.search(prose))
        wrong = wrong or (one.text if differs else "")
    if wrong:
        message = f"the prose says `{wrong}`, but this is `{game.texts[node]}`"
        yield "prose", place(game, node), message, WHICH


def _of_branches(game: Game, passage: Passage) -> Found:
    """Doubts about conditions of branches that the prose of their effect bounds otherwise."""
    limits = [one for one in quantities(passage.prose) if one.cut is not None]
    branches = [e.cond for e in nodes_within(passage.formal) if isinstance(e, n.When)]
    compared = [e for e in branches if isinstance(e, n.Less | n.AtMost) and e in game.texts]
    for node in compared:
        names = {*names_in(node)}
        near = [one for one in limits if not names.isdisjoint(one.sentence)]
        cut = None if _is_named_constant(game, node) else _cut(node)
        alone = len(near) == 1 and sum(not names.isdisjoint(names_in(other)) for other in compared) == 1
        if alone and cut is not None and near[0].cut is not None:
            apart, turned = cut[0] - near[0].cut, cut[1] != (near[0].low is not None)
            if (turned and abs(apart) < 2) or abs(apart) == 1:
                message = f"the prose says `{near[0].text}`, but this is `{game.texts[node]}`"
                yield "prose", place(game, node), message, WHICH


def _is_named(prose: str, node: n.Expr, said: Quantity) -> bool:
    """True if prose that says `one` names what is compared there."""
    words = words_of(prose)
    return not said.is_article and not words.isdisjoint(names_in(node))


def _otherwise(game: Game, prose: str, node: n.Less | n.AtMost, holds: bool) -> str:
    """Words of prose that contradict a comparison without a number; empty if there are none."""
    strict, than = isinstance(node, n.Less) == holds, _THAN.search(prose)
    if _EQUAL.search(prose) or than is None:
        enough = _ENOUGH.search(prose)
        return enough[0] if enough is not None and strict else ""
    words = words_of(re.split(r"[.,;]", prose[than.end() :])[0])
    less, greater = (not words.isdisjoint(names_in(side)) for side in (node.a, node.b))
    turned = less != greater and (less == holds) != (than["more"] is not None)
    return than[0] if not strict or turned else ""


def _comparisons(e: n.Expr | n.Effect, holds: bool) -> Iterator[tuple[_Comparison, bool]]:
    """The comparisons in an expression, each with True if it must hold and False if it must not."""
    if isinstance(e, _Comparison):
        yield e, holds
    else:
        for part in parts(e):
            if isinstance(part, n.Expression):
                yield from _comparisons(part, holds != isinstance(e, n.Not))


def _is_named_constant(game: Game, node: n.Expr) -> bool:
    """True if a comparison is with a constant that is written as a name, such as a parameter."""
    sides = (game.texts.get(part, "") for part in parts(node) if isinstance(part, n.Const))
    return any(re.match("[A-Za-z]", text) for text in sides)


def _cut(node: n.Less | n.AtMost) -> tuple[int, bool] | None:
    """The least number on the upper side of a comparison with a number, and True if that side is required."""
    match node.a, node.b:
        case (_, n.Const(value=int(number)) | n.Add(b=n.Const(value=int(number)))):
            return number + isinstance(node, n.AtMost), False
        case n.Const(value=int(number)), _:
            return number + isinstance(node, n.Less), True
    return None
