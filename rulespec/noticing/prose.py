"""Prose and formal text that say different things: numbers, quantities, turns, names or winners."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..core import nodes as n
from ..core.diagnostics import Span
from ..core.game import Game, Rule
from ..core.traversal import assignments, nodes_with_definitions, nodes_within
from ..core.types import Int
from .parts import written_condition
from .prose_numbers import NUMBER, line_with, number_slips, value_of
from .slips import Found, place

ALL = re.compile(r"\b(?:all|every|each|both)\b", re.IGNORECASE)
NONE = re.compile(r"\b(?:no|not|nobody|none|neither|without)\b", re.IGNORECASE)
SOME = re.compile(r"\b(?:an?|one|any|some|somebody|anybody|who|whoever|first)\b", re.IGNORECASE)
WHO = re.compile(r"\b(?:who|whoever|somebody|anybody)\b", re.IGNORECASE)
"""Words of prose about ends."""
LOSS = re.compile(
    r"\b(?:minus|less|los\w+|subtract\w*|penalt\w+|cost\w*|pay\w*|paid|off|few\w*|negative|against|without"
    r"|differ\w+|than|deduct\w*|away|remain\w*|left|least|low\w*|beyond|over|under|behind|short|ahead"
    r"|lead\w*|mistake\w*|other|apart)\b",
    re.IGNORECASE,
)
"""Words of prose about points that are taken away."""
IN_A_ROW = re.compile(
    r"\bin (?:turn|a row)\b|\bone after (?:the )?(?:an)?other|\b(?:successi|consecuti|running)\w*"
)


def contradictions(game: Game) -> Found:
    """Doubts about prose that its formal text contradicts."""
    for rule in game.rules:
        if rule.span is not None and rule.ruling is None:
            yield from number_slips(game, rule, rule.span)
            yield from _turns(game, rule, rule.span)
            yield from _ties(rule, rule.span)
    yield from _names(game)
    yield from _quantifiers(game)
    yield from _results(game)


_AGAIN = re.compile(
    r"\b(?:(?:your|his|her|their) turn again|(?:moves?|plays?|acts?|goes?|shoots?|throws?|rolls?|sows?) "
    r"(?:again|once more)|(?:another|extra) turn|the next lead|leads? (?:to )?(?:the )?next"
    r"|begins (?:the )?next)\b",
    re.IGNORECASE,
)
"""Words of prose about a turn that does not go to the next player."""
_ORDER = re.compile(r"give the turn|\b(?:turn|rounds|phases|next):")


def _turns(game: Game, rule: Rule, span: Span) -> Found:
    """Turns and sides of which only the prose speaks."""
    said = _AGAIN.search(rule.prose)
    if said is not None and game.players > 1 and not _ORDER.search(span.source.text) and not game.extends:
        message = f"the prose says `{said[0]}`, and no formal text changes whose turn it is"
        yield "prose", line_with(span, re.escape(said[0])), message, "`give the turn to p` in an effect"
    together = re.search(r"\b(?:together|partner\w*|team\w*)\b", rule.prose)
    if together is not None and any(kind == "sides" and text == "alone" for kind, text in rule.formal):
        message = f"the prose says `{together[0]}`, and here every player is a side"
        yield "prose", line_with(span, r"\bsides:"), message, "perhaps `sides: together`"


def _ties(rule: Rule, span: Span) -> Found:
    """Ties that are decided the other way round than the prose says, or silently by the least."""
    kinds = {word for kind, _ in rule.formal if kind.startswith("ties ") for word in kind.split()[1:]}
    few, many = _FEW.search(rule.prose), _MANY.search(rule.prose)
    if ("least" in kinds and few is None) or ("most" in kinds and few is not None and many is None):
        way = "least" if "least" in kinds and few is None else "most"
        message = f"the prose does not say that the {way} decides a tie"
        yield "prose", line_with(span, rf"\b{way}:"), message, "perhaps the other way round is meant"


_FEW = re.compile(r"\b(?:least|few\w*|less|low\w*|small\w*|short\w*|minimum|earli\w+|first)\b", re.IGNORECASE)
_MANY = re.compile(
    r"\b(?:most|more|high\w*|larg\w*|great\w*|bigg\w*|long\w*|best|lat\w*|last)\b", re.IGNORECASE
)


def _names(game: Game) -> Found:
    """Requirements whose prose names a variable while the formal text reads another one of its type."""
    prose = {(rule.id, name): words for rule in game.rules for name, words in rule.requirements}
    states = [var for var in game.state.values() if var.name not in ("mover", "over")]
    for requirement in dict.fromkeys(r for action in game.actions.values() for r in action.requirements):
        words = {*re.findall(r"[\w-]+", prose.get((requirement.clause, requirement.id), "").lower())}
        said = [v for v in states if {v.name, f"{v.name}s", v.name.removesuffix("s")} & words]
        read = {node.var for node in nodes_with_definitions(requirement.condition) if isinstance(node, n.Get)}
        for var in (var for var in said if var not in read):
            other = next((v for v in states if v in read and v not in said and v.type == var.type), None)
            if other is not None:
                message = f"the prose names `{var.name}`, and this reads `{other.name}`"
                yield "prose", place(game, requirement.condition), message, "which of the two is meant?"


def _quantifiers(game: Game) -> Found:
    """Ends and reactions that wait for one where the prose says all, or for all where it says one."""
    parts = [(part.id, part.condition) for part in game.ends]
    for clause, whole in [*parts, *((part.id, part.condition) for part in game.reactions)]:
        prose = next((rule.prose for rule in game.rules if rule.id == clause), "")
        condition = written_condition(game, whole)
        text, inside = game.texts.get(condition, ""), [*nodes_with_definitions(condition)]
        said, some = ALL.search(prose), [node for node in inside if isinstance(node, n.Any)]
        plain = not any(isinstance(node, _COUNTS) for node in inside)
        if (
            isinstance(condition, n.Any)
            and said is not None
            and not NONE.search(text.replace(" is none", ""))
        ):
            alone = not re.search(r"\b(?:every|no)\b", text) and not SOME.search(prose.split(".")[0])
            if alone or (plain and len(some) > 1):
                message = f"the prose says `{said[0]}`, and here `some` is enough"
                yield "end", place(game, condition), message, "perhaps `every` is meant"
        one = None if ALL.search(prose) or NONE.search(prose) else WHO.search(prose)
        if text.startswith("every p in Player") and one is not None:
            message = f"the prose says `{one[0]}`, and this waits for every player"
            yield "end", place(game, condition), message, "perhaps `some` is meant"
        yield from _counts_from_one(game, condition, prose)
        for node in nodes_within(condition) if IN_A_ROW.search(prose) else ():
            if (
                isinstance(node, n.Get)
                and isinstance(node.var.type, Int)
                and not _is_set_back(game, node.var)
            ):
                message = f"nothing sets `{node.var.name}` back, so it counts all and not only those in a row"
                yield "store", place(game, condition), message, ""


_COUNTS = (
    n.All | n.Not | n.Sum | n.Select | n.Size | n.Image | n.Fold | n.Reach | n.Follow | n.Less | n.AtMost
)


def _counts_from_one(game: Game, condition: n.Expr, prose: str) -> Found:
    """Ends after so many rounds whose number begins with 1."""
    for node in nodes_within(condition):
        match node:
            case (
                n.Equal(a=n.Get(var=var), b=n.Const(value=int(number)))
                | n.AtMost(a=n.Const(value=int(number)), b=n.Get(var=var))
            ):
                name = re.escape(var.name.removesuffix("s"))
                said = re.search(rf"\bafter {NUMBER} {name}s?\b", prose, re.IGNORECASE)
                first = var.initial.value if isinstance(var.initial, n.Const) else None
                if said is not None and first == 1 and value_of(said[1]) == number:
                    message = f"`{var.name}` begins with 1, so only {number - 1} are over here"
                    yield "prose", place(game, node), message, f"after all of them it is {number + 1}"


def _is_set_back(game: Game, var: n.StateVar) -> bool:
    """True if an effect stores a value in a number that does not come from it, or if no effect stores."""
    effects = [root for root in game.roots if isinstance(root, n.Statement) and root is not game.setup]
    stores = [assign for effect in effects for assign in assignments(effect) if assign.target is var]
    own = (any(isinstance(e, n.Get) and e.var is var for e in nodes_within(a.value)) for a in stores)
    return not stores or var.name == "plies" or not all(own)


def _results(game: Game) -> Iterator[tuple[str, Span | None, str, str]]:
    """Scores that take something away of which the prose says nothing."""
    score = game.outcome.score
    span = place(game, score) if score is not None else None
    if score is None or span is None:
        return
    rules = [rule for rule in game.rules if rule.span is not None and rule.span.source == span.source]
    prose = next((r.prose for r in rules if r.span and r.span.line <= span.line <= r.span.end_line), "")
    if isinstance(score, n.Sub) and prose and not LOSS.search(prose):
        message = "the score takes something away, of which the prose says nothing"
        yield "prose", span, message, "perhaps `+` is meant; or say it in the prose"
