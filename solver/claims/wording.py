"""The words of a verdict that one play settles, derived from the play alone.

They do not depend on the method that found the play: `prove` writes them, `recheck` derives them again and
compares.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from rulespec.core.game import Claim, Game

from .case import Answer, plies
from .deciders import by_comparing
from .judge import SETTLED_BY_PLAY
from .plays import Play, perform
from .symmetries import generators, unlike

SHORTEST = "shortest"
"""The key in evidence for: no shorter play leads there."""
KEPT = ("repeats", SHORTEST)
"""The keys in evidence of a play besides that of the play itself."""


def worded(game: Game, claim: Claim, answer: Answer) -> Answer:
    """An answer that a play settles, with the words for such a play; any other answer unchanged."""
    play = next((proof for proof in answer.proofs if proof.play is not None), None)
    if play is None or play.play is None or SETTLED_BY_PLAY.get(claim.kind) != answer.outcome:
        return answer
    data = {key: play.data[key] for key in KEPT if key in play.data}
    statement, text, notes = words_of(game, claim, play.play, data)
    numbers = {} if claim.kind in ("terminates", "endless") else {"plies": len(play.play.plays)}
    proof = replace(play, text=text, data=data)
    return replace(answer, statement=statement, proofs=(proof,), numbers=numbers, notes=notes)


def words_of(
    game: Game, claim: Claim, play: Play, data: Mapping[str, Any]
) -> tuple[str, str, tuple[str, ...]]:
    """The statement, the text of the evidence and the notes for a play that settles a claim."""
    length = plies(len(play.plays))
    if claim.kind in ("reachable", "unreachable"):
        more = "; none is shorter" if data.get(SHORTEST) is True else ""
        return f"A play of {length} leads there{more}.", "Ends where it holds.", ()
    if claim.kind in ("terminates", "endless"):
        again = f"After {plies(data['repeats'])} and again after {length} the position is the same."
        return "A play can come back to the same position again and again.", again, ()
    if claim.kind == "never_falls":
        return f"The last ply of a play of {length} lowers it.", "Its last ply lowers it.", ()
    if claim.kind == "equivalent":
        return by_comparing.words_of(game, claim, play)
    bad = _bad(game, claim, play)
    if claim.kind == "invariant":
        return f"It fails after {length}.", f"Ends where {bad}.", ()
    return f"After {length} {bad}.", f"Ends where {bad}.", ()


def _bad(game: Game, claim: Claim, play: Play) -> str:
    """The clause that says what is wrong at the end of a play that refutes a claim."""
    if claim.kind == "never_stuck":
        return "nobody has a legal action"
    if claim.kind == "never_faults":
        return "a value does not fit its place"
    if claim.kind != "symmetry":
        return "it fails"
    end, begins = perform(game, play), not play.plays
    return next(filter(None, (unlike(game, s, end, begins) for s in generators([claim]))), "")
