"""Answers recorded as verdicts."""

from __future__ import annotations

from rulespec.core.digest import of_claim
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import Evidence, Store, Verdict, options_of, parameters_of, readings_of
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.evidence.replay import by_play_alone, objection


def verdict_of(case: Case, answer: Answer, store: Store) -> Verdict:
    """The answer as a verdict; its plays are added to the store.

    A play that does not prove its claim is a defect of the solver, so it is checked once more here, where
    every verdict passes.
    """
    answer = by_play_alone(case.game, case.claim, answer)
    evidence = []
    for proof in answer.proofs:
        data = dict(proof.data)
        if proof.play is not None:
            problem = objection(case.game, case.claim, proof.play, data, answer.numbers)
            if problem:
                raise AssertionError(f"evidence for {case.claim.id} that the interpreter refuses: {problem}")
            data["record"] = store.keep(proof.play.to_data())
        evidence.append(Evidence(proof.kind, data))
    return blank(case.game, case.claim, answer, case.budget.seconds_spent, tuple(evidence))


def blank(
    game: Game, claim: Claim, answer: Answer, seconds: float, evidence: tuple[Evidence, ...] = ()
) -> Verdict:
    """A verdict on a claim under a game's setting."""
    return Verdict(
        ruleset=game.id,
        claim=claim.id,
        kind=claim.kind,
        outcome=answer.outcome,
        evidence=evidence,
        engine=answer.engine,
        seconds=seconds,
        game=game.digest,
        claim_digest=of_claim(claim),
        players=game.players,
        options=options_of(claim),
        parameters=parameters_of(game),
        readings=readings_of(game),
        numbers=dict(answer.numbers),
        notes=answer.notes,
        remarks=answer.remarks + ((_stop(answer.stopped),) if answer.stopped else ()),
    )


def _stop(limit: str) -> str:
    """A sentence with the limit at which a method stopped, or with another reason."""
    at = limit.startswith(("the limit", "its share")) or limit[0].isdigit()
    return f"It stopped {'at ' if at else 'because '}{limit}."
