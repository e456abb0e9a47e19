"""Doubts that need no play, from the formal text alone."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..core import nodes as n
from ..core.diagnostics import Diagnostic, Label, Source, Span
from ..core.game import Game
from ..core.traversal import FreeVariables, assignments, nodes_with_definitions
from ..core.types import Int, fits, scalar_of
from ..core.winners import Sharing, sharing
from .copies import copies
from .omissions import omissions
from .parts import Found, clause_at, declarations
from .phrases import unborne_phrases
from .prose import contradictions
from .setups import reads_before_shuffle
from .sights import doubtful_sights, known_to_all
from .slips import place, slips, stores_first_value
from .wrong_players import wrong_players

CODE = "notice."
"""The beginning of the code of a doubt."""


def doubt(kind: str, message: str, span: Span | None, help: str = "", clause: str = "") -> Diagnostic:
    """A doubt of a kind, at a place."""
    labels = (Label(span),) if span else ()
    return Diagnostic(f"{CODE}{kind}", message, labels, help, severity="warning", clause=clause)


def doubts_of_text(game: Game, own: Source) -> Iterator[Diagnostic]:
    """The doubts for which no play is needed."""
    for kind, span, message, help in (
        *reads_before_shuffle(game),
        *_of_stores(game),
        *known_to_all(game),
        *doubtful_sights(game),
        *_of_outcome(game),
        *slips(game),
        *wrong_players(game),
        *contradictions(game),
        *omissions(game),
        *copies(game),
        *unborne_phrases(game),
        *_of_results(game),
    ):
        if span is not None and span.source == own:
            yield doubt(kind, message, span, help, clause_at(game, span))


def _of_stores(game: Game) -> Found:
    """Doubts about variables in which no effect stores."""
    effects = [root for root in game.roots if isinstance(root, n.Statement)]
    stores = [assign for effect in effects for assign in assignments(effect)]
    stored = {assign.target for assign in stores}
    changed = {assign.target for assign in stores if not stores_first_value(assign)}
    for name, span in declarations(game).items():
        var = game.state.get(name)
        if var is None or var in changed or var.always is not None:
            continue
        if var in stored and not game.rulings and not game.parameters:
            message = f"only the first value of `{name}` is ever stored in it"
            yield "unused", span, message, "does something leave another value out?"
        elif var not in stored and not _is_stored_elsewhere(name, span.source.text):
            message = f"nothing stores in `{name}`, so it stays as it is at first"
            yield "unused", span, message, "store in it, or make it a definition"


def _of_outcome(game: Game) -> Found:
    """Doubts about scores and winners that do not depend on the play."""
    score, winners = game.outcome.score, game.outcome.winners
    if game.players == 1 or sharing(game) is Sharing.TOGETHER:
        return
    if score is not None and game.outcome.player not in FreeVariables()(score):
        message = "the score is the same for all players: it does not depend on `player`"
        yield "winner", place(game, score), message, "`player` is the player whose score it is"
    for _, tie in game.outcome.ties:
        text, wanted = game.texts.get(tie), score is not None and game.texts.get(score)
        if text is not None and (text == wanted or game.outcome.player not in FreeVariables()(tie)):
            why = "it is the score itself" if text == wanted else "it does not depend on `player`"
            yield "winner", game.spans.get(tie), f"this decides no tie: {why}", ""
    scored = [*nodes_with_definitions(score)] if score is not None else []
    equal = (x for x in scored if isinstance(x, n.Equal) and {type(x.a), type(x.b)} == {n.Get, n.Local})
    compared = {side for node in equal for side in (node.a, node.b)}
    for node in scored:
        if isinstance(node, n.Get) and node.var is game.mover and node not in compared:
            message = "the score of each player reads something of the player to move"
            yield "winner", place(game, node), message, "`player` is the player whose score it is"
    read = [*nodes_with_definitions(winners)] if winners is not None else []
    names_some = any(isinstance(node, n.Const) and node.value is not None for node in read)
    if winners is not None and names_some and not any(isinstance(node, n.Get | n.Can) for node in read):
        message = "the winners are the same at every end: this reads nothing of the state"
        yield "winner", place(game, winners), message, ""


_RESULT = re.compile(
    r"(?!who|whether|how|what)[^.]*(?:\b(?:first|second|other) player\b[^.]*\b(?:wins?|winning|loses?)\b"
    r"|\bnobody wins\b|\bdrawn?\b)",
    re.IGNORECASE,
)
"""A prose that says how best play ends."""


def _of_results(game: Game) -> Found:
    """Doubts about claims of a value whose result stands in the prose only."""
    for claim in game.claims.values():
        is_open = claim.kind == "value" and claim.condition is None and "is" not in claim.options
        if is_open and _RESULT.match(claim.prose):
            message = f"the prose of `{claim.id}` says how best play ends, but any result proves the claim"
            yield "claim", claim.span, message, "add it: `is: won by 1`, `is: won by 2` or `is: drawn`"


def settled_conditions(game: Game) -> dict[tuple[str, bool], tuple[Span, str]]:
    """Conditions that are always true or always false by type, with their places and the reason in words."""
    found, open_ = dict[tuple[str, bool], tuple[Span, str]](), set[str]()
    for node in dict.fromkeys(node for root in game.roots for node in nodes_with_definitions(root)):
        if not isinstance(node, n.Not | n.Binary | n.Member | n.If) or node not in game.spans:
            continue
        span, value = game.spans[node], _settled(node)
        if isinstance(node, n.If):
            ways = [game.texts.get(way) for way in (node.then, node.otherwise)]
            if ways[0] is not None and ways[0] == ways[1]:
                found[str(span), True] = span, f"both cases of `{game.texts.get(node, '')}` are the same"
        elif value is not None:
            often = "always" if value else "never"
            inner = node.item if isinstance(node, n.Not) else node
            sides = (inner.a, inner.b) if isinstance(inner, n.Binary) else ()
            types = [f"`{game.texts.get(e, '?')}` is {e.type}" for e in sides if not isinstance(e, n.Const)]
            message = f"`{game.texts.get(node, '')}` {often} holds"
            found[str(span), value] = span, ": ".join([message, *([" and ".join(types)] if types else [])])
        else:
            open_.add(str(span))
    return {key: of for key, of in found.items() if key[0] not in open_ and (key[0], not key[1]) not in found}


def _settled(e: n.Expr) -> bool | None:
    """The value of a condition if the types of its operands determine it."""
    if isinstance(e, n.Not):
        value = _settled(e.item)
        return None if value is None else not value
    if isinstance(e, n.Member) and isinstance(e.of, n.Domain):
        return True if fits(e.item.type, e.of.of) else None
    if not isinstance(e, n.Less | n.AtMost | n.Equal):
        return None
    a, b = scalar_of(e.a.type), scalar_of(e.b.type)
    if not isinstance(a, Int) or not isinstance(b, Int):
        return None
    sure = a is e.a.type and b is e.b.type
    if isinstance(e, n.Equal):
        apart = a.hi < b.lo or b.hi < a.lo
        return False if apart and (a is e.a.type or b is e.b.type) else None
    least = 0 if isinstance(e, n.AtMost) else 1
    if a.lo + least > b.hi:
        return False
    return True if sure and a.hi + least <= b.lo else None


def _is_stored_elsewhere(name: str, text: str) -> bool:
    """True if another reading may store in a variable, or if nothing uses it, which is another doubt."""
    here = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    words = "to|from|into|onto|under|of|roll|draw|swap|with|shuffle"
    stores = rf"(?:^|[:;,])\s*{here}[^\n]*:=|\b(?:{words})\s+{here}"
    return len(re.findall(here, text)) < 2 or re.search(stores, text, re.MULTILINE) is not None
