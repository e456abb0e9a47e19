"""Claims that each player can win: for each seat, some play ends with that player's win."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from rulespec.core.game import Game
from rulespec.core.types import Value
from rulespec.core.verdicts import BOUNDED, REFUTED, UNDECIDED, Evidence

from .problem import Answer, Proof

OF_SEAT = ("seat", "outcome", "numbers")
"""The entries of evidence that name its player."""


def join_seats(answers: Mapping[Value, Answer]) -> Answer:
    """The answer for all seats, from one for each; an undecided seat has no evidence."""
    decided = {seat: answer for seat, answer in answers.items() if answer.outcome != UNDECIDED}
    proofs = tuple(_of_seat(seat, a, proof) for seat, a in decided.items() for proof in a.proofs)
    engine = " and ".join(dict.fromkeys(answer.engine for answer in answers.values()))
    remarks = tuple(dict.fromkeys(remark for answer in answers.values() for remark in answer.remarks))
    outcome = worst(answer.outcome for answer in answers.values())
    return Answer(outcome, proofs, engine, remarks=remarks)


def worst(outcomes: Iterable[str]) -> str:
    """The outcome for all players from the outcomes for each."""
    found = set(outcomes)
    if REFUTED in found or len(found) == 1:
        return REFUTED if REFUTED in found else found.pop()
    return BOUNDED


def _of_seat(seat: Value, answer: Answer, proof: Proof) -> Proof:
    # A verdict does not say of a seat that a play is shortest.
    data = {key: value for key, value in proof.data.items() if key != "shortest"}
    said = (seat, answer.outcome, dict(answer.numbers))
    return replace(proof, data={**data, **dict(zip(OF_SEAT, said, strict=True))})


def split_by_seat(game: Game, evidence: Iterable[Evidence]) -> dict[Value, tuple[Evidence, ...]]:
    """The evidence about each seat, without the seat's name; empty for an undecided seat."""
    listed = [*evidence]
    found: dict[Value, tuple[Evidence, ...]] = {}
    for seat in game.player.values:
        mine = [e for e in listed if e.data.get("seat") == seat]
        bare = ({key: x for key, x in e.data.items() if key not in OF_SEAT} for e in mine)
        found[seat] = tuple(replace(e, data=data) for e, data in zip(mine, bare, strict=True))
    return found
