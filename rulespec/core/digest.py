"""Digests of meaning: two games with one digest play alike, whatever their prose.

The digest of a game is `Game.digest`. Prose, places and drawings do not count.
"""

from __future__ import annotations

from collections.abc import Mapping

from . import nodes as n
from .canonical_form import CanonicalWriter, ExactWriter
from .diagnostics import RulesetError
from .game import Claim, Game, Other, Sight, write_meaning


def exact(game: Game, asked: Mapping[str, n.Expr]) -> str:
    """The digest of everything on which the code of a game, and of questions about it, depends.

    Names count as well, in code and in the words about it.
    """
    w = ExactWriter()
    write_meaning(w, game)
    for name, e in asked.items():
        w.put(repr(name))
        w.write(e)
    return w.digest()


def of_expression(e: n.Expr) -> str:
    """The digest of an expression without free local names, in hexadecimal."""
    w = CanonicalWriter()
    w.write(e)
    return w.digest()


def of_sight(sight: Sight) -> str:
    """The digest of a sight's meaning, in hexadecimal."""
    w = CanonicalWriter()
    w.write((sight.viewer, sight.binders, sight.value))
    return w.digest()


def of_claim(claim: Claim) -> str:
    """The digest of everything in a claim that affects its truth, in hexadecimal.

    Its expressions count with all definitions that they use; for a comparison the meaning of the other game
    counts.
    """
    w = CanonicalWriter()
    w.put("claim", claim.id, claim.kind)
    w.write(claim.condition)
    for name, value in sorted(claim.options.items()):
        w.put(name)
        w.write(_digest(value) if name == "other" else value)
    return w.digest()


def _digest(other: Other) -> str:
    """The digest of a game that may be unavailable."""
    try:
        return other.game.digest
    except RulesetError:
        return "none"
