"""Prose and formal text that say different things: quantities, turns, names, ties or signs."""

from __future__ import annotations

import re

from ..core import nodes as n
from ..core.game import Game, Rule
from ..core.traversal import assignments, nodes_with_definitions, nodes_within
from ..core.types import Int
from .amounts import amounts
from .bounds import bounds
from .english import stem
from .parts import clause_at, line_with, written_condition
from .slips import Found, effects_in_play, occasions, place

_ALL = re.compile(r"\b(?:all|every|each|both)\b", re.IGNORECASE)
_NOBODY = re.compile(r"\b(?:nobody|none|neither|no (?:one|player|other)|not)\b", re.IGNORECASE)
_SOME = re.compile(r"\b(?:an?|one|any|some|somebody|anybody|who|whoever|first)\b", re.IGNORECASE)
_WHO = re.compile(r"\b(?:who|whoever|somebody|someone|anybody|anyone|(?:a|any) player)\b", re.IGNORECASE)
_IN_A_ROW = re.compile(
    r"\bin (?:turn|a row)\b|\bone after (?:the )?(?:an)?other|\b(?:successi|consecuti|running)\w*"
)
_AGAIN = re.compile(
    r"\b(?:(?:your|his|her|their) turn again|still (?:your|his|her|their) turn|(?:another|extra) turn"
    r"|(?:moves?|plays?|acts?|goes?|shoots?|throws?|rolls?|sows?) (?:again|once more)"
    r"|leads? (?:to )?(?:the )?next|the next lead|begins (?:the )?next)\b",
    re.IGNORECASE,
)
"""Words of prose about a turn that does not go to the next player."""
_FEW = re.compile(r"\b(?:least|few\w*|less|low\w*|small\w*|short\w*|minimum|earli\w+|first)\b", re.IGNORECASE)
_MANY = re.compile(
    r"\b(?:most|more|high\w*|larg\w*|great\w*|bigg\w*|long\w*|best|lat\w*|last)\b", re.IGNORECASE
)
_FEWEST = re.compile(
    r"[^.;:]*\b(?:fewest|least|lowest|smallest|shortest)\b[^.;:,]*\bwins?\b[^.;:]*", re.IGNORECASE
)
"""A part of a sentence which says that little wins."""
_TAKEN = re.compile(r"\b(?:minus|subtract\w*|deduct\w*|penalt\w+|tak\w+ (?:away|off))\b", re.IGNORECASE)
"""Words of prose which say for certain that points are taken away."""
_LOSS = re.compile(
    r"\b(?:minus|less|los\w+|subtract\w*|penalt\w+|cost\w*|pay\w*|paid|off|few\w*|negative|against|without"
    r"|differ\w+|than|deduct\w*|away|remain\w*|left|least|low\w*|beyond|over|under|behind|short|ahead"
    r"|lead\w*|mistake\w*|other|apart)\b",
    re.IGNORECASE,
)
"""Words of prose about points that are taken away."""


def contradictions(game: Game) -> Found:
    """Doubts about prose that its formal text contradicts."""
    yield from amounts(game)
    yield from bounds(game)
    for find in (_turns, _names, _quantifiers, _outcome):
        yield from find(game)


def _turns(game: Game) -> Found:
    """Turns and sides of which only the prose speaks."""
    stored = {assign.target.name for effect in effects_in_play(game) for assign in assignments(effect)}
    order = (game.turn.begin, game.turn.over, game.turn.next)
    own = any(node in game.spans for root in order for node in nodes_within(root)) or game.extends
    for rule, span in ((rule, rule.span) for rule in game.rules if rule.span is not None):
        said = _AGAIN.search(rule.prose)
        if said is not None and game.players > 1 and not own and "turn-to" not in stored:
            message = f"the prose says `{said[0]}`, and no formal text changes whose turn it is"
            yield "prose", line_with(span, said[0]), message, "`give the turn to p` in an effect"
        together = re.search(r"\b(?:together|partner\w*|team\w*)\b", rule.prose)
        if together is not None and any(kind == "sides" and text == "alone" for kind, text in rule.formal):
            message = f"the prose says `{together[0]}`, and here every player is a side"
            yield "prose", line_with(span, "sides:"), message, "perhaps `sides: together`"


def _outcome(game: Game) -> Found:
    """Ties and scores of which the prose says the contrary, or nothing of what they take away."""
    for most, tie in game.outcome.ties:
        rule = _rule_of(game, tie)
        few, many = (pattern.search(rule.prose) if rule else None for pattern in (_FEW, _MANY))
        if rule and ((not most and few is None) or (most and few is not None and many is None)):
            message = f"the prose does not say that the {'most' if most else 'least'} decides a tie"
            yield "prose", place(game, tie), message, "perhaps the other way round is meant"
    score = game.outcome.score
    rule = _rule_of(game, score) if score is not None else None
    if score is None or rule is None:
        return
    if isinstance(score, n.Sub) and not _LOSS.search(rule.prose):
        message = "the score takes something away, of which the prose says nothing"
        yield "prose", place(game, score), message, "perhaps `+` is meant; or say it in the prose"
    if not any(isinstance(e, n.Sub) or _is_negative(e) for e in nodes_with_definitions(score)):
        few, taken = _FEWEST.search(rule.prose), _TAKEN.search(rule.prose)
        if few is not None and not _MANY.search(few[0]):
            message = "the prose says that little wins, and here the most points win"
            yield "prose", place(game, score), message, "perhaps `0 - …` is meant"
        if taken is not None and isinstance(score, n.Add):
            message = f"the prose says `{taken[0]}`, and the score only adds up"
            yield "prose", place(game, score), message, "perhaps `-` is meant"


def _is_negative(e: n.Expr | n.Effect) -> bool:
    return isinstance(e, n.Const) and isinstance(e.value, int) and e.value < 0


def _rule_of(game: Game, e: n.Expr) -> Rule | None:
    """The rule in which an expression is written."""
    span = place(game, e)
    clause = clause_at(game, span) if span is not None else ""
    return next((rule for rule in game.rules if rule.id == clause), None)


def _names(game: Game) -> Found:
    """Requirements whose prose names a variable while the formal text reads another one of its type."""
    prose = {(rule.id, name): words for rule in game.rules for name, words in rule.requirements}
    states = [var for var in game.state.values() if var.name not in ("mover", "over")]
    for requirement in dict.fromkeys(r for action in game.actions.values() for r in action.requirements):
        words = {*map(stem, re.findall(r"[\w-]+", prose.get((requirement.clause, requirement.id), "")))}
        said = [var for var in states if stem(var.name) in words]
        read = {node.var for node in nodes_with_definitions(requirement.condition) if isinstance(node, n.Get)}
        for var in (var for var in said if var not in read):
            other = next((v for v in states if v in read and v not in said and v.type == var.type), None)
            if other is not None:
                message = f"the prose names `{var.name}`, and this reads `{other.name}`"
                yield "prose", place(game, requirement.condition), message, "which of the two is meant?"


_Counts = (
    n.All | n.Not | n.Sum | n.Select | n.Size | n.Image | n.Fold | n.Reach | n.Follow | n.Less | n.AtMost
)


def _quantifiers(game: Game) -> Found:
    """Ends and reactions that wait for one where the prose says all, or for all where it says one."""
    prose = {rule.id: rule.prose for rule in game.rules}
    for name, whole in occasions(game):
        words, condition = prose.get(name, ""), written_condition(game, whole)
        said, inside = _ALL.search(words), [*nodes_with_definitions(condition)]
        some = [node for node in inside if isinstance(node, n.Any)]
        if isinstance(condition, n.Any) and said is not None:
            alone = not any(isinstance(node, n.All | n.Not) for node in inside) and not _SOME.search(
                words.split(".")[0]
            )
            if alone or (len(some) > 1 and not any(isinstance(node, _Counts) for node in inside)):
                message = f"the prose says `{said[0]}`, and here `some` is enough"
                yield "end", place(game, condition), message, "perhaps `every` is meant"
        one = None if said is not None or _NOBODY.search(words) else _WHO.search(words.split(".")[0])
        if isinstance(condition, n.All) and condition.var.type == game.player and one is not None:
            message = f"the prose says `{one[0]}`, and this waits for every player"
            yield "end", place(game, condition), message, "perhaps `some` is meant"
        for node in nodes_within(condition) if _IN_A_ROW.search(words) else ():
            if isinstance(node, n.Get) and isinstance(node.var.type, Int) and _only_grows(game, node.var):
                message = f"nothing sets `{node.var.name}` back, so it counts all and not only those in a row"
                yield "store", place(game, condition), message, ""


def _only_grows(game: Game, var: n.StateVar) -> bool:
    """True if effects store in a number, and always a value that comes from it."""
    stores = [a for effect in effects_in_play(game) for a in assignments(effect) if a.target is var]
    own = (any(isinstance(e, n.Get) and e.var is var for e in nodes_within(a.value)) for a in stores)
    return bool(stores) and var.name != "plies" and all(own)
