"""That each player can win: for each seat, whether some play ends with that player's win."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from rulespec.core.game import Game
from rulespec.core.types import Value
from rulespec.core.verdicts import BOUNDED, OUTCOMES, REFUTED, UNDECIDED, Verdict

from .problem import Answer, Proof

OF_SEAT = ("seat", "outcome", "numbers")
"""What evidence says of the player that it is about, besides what it says for itself."""


def joined(answers: Mapping[Value, Answer]) -> Answer:
    """The answer for all seats, from the answers for each; a seat that is undecided has no evidence."""
    decided = {seat: answer for seat, answer in answers.items() if answer.outcome != UNDECIDED}
    proofs = tuple(_of_seat(seat, a, proof) for seat, a in decided.items() for proof in a.proofs)
    engine = " and ".join(dict.fromkeys(answer.engine for answer in answers.values()))
    remarks = tuple(dict.fromkeys(remark for answer in answers.values() for remark in answer.remarks))
    outcome = worst(answer.outcome for answer in answers.values())
    return Answer(outcome, proofs, engine, remarks=remarks)


def worst(outcomes: Iterable[str]) -> str:
    """What is shown of all players by what is shown of each."""
    found = set(outcomes)
    if REFUTED in found or len(found) == 1:
        return REFUTED if REFUTED in found else found.pop()
    return BOUNDED


def _of_seat(seat: Value, answer: Answer, proof: Proof) -> Proof:
    told = (seat, answer.outcome, dict(answer.numbers))
    # A verdict does not say of a seat that a play is shortest.
    data = {key: value for key, value in proof.data.items() if key != "shortest"}
    data |= dict(zip(OF_SEAT, told, strict=True))
    return replace(proof, data=data)


def parted(game: Game, verdict: Verdict) -> Iterator[tuple[Value, Verdict | None]]:
    """For each seat what a verdict says of it, on its part of the evidence; None where that is missing."""
    for seat in game.player.values:
        mine = [e for e in verdict.evidence if e.data.get("seat") == seat]
        outcomes = {e.data.get("outcome") for e in mine}
        said: Any = mine[0].data.get("numbers") if mine else None
        if len(outcomes) != 1 or not outcomes <= {*OUTCOMES} or not isinstance(said, dict):
            yield seat, None
            continue
        bare = [{key: x for key, x in e.data.items() if key not in OF_SEAT} for e in mine]
        evidence = tuple(replace(e, data=data) for e, data in zip(mine, bare, strict=True))
        outcome = str(outcomes.pop())
        yield seat, replace(verdict, kind="reachable", outcome=outcome, evidence=evidence, numbers=said)
