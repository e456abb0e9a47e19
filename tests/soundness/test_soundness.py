"""What is decided about random games is what brute force by the interpreter finds."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Claim, Game
from rulespec.core.verdicts import BOUNDED, PROVED, REFUTED
from rulespec.language import load
from solver.claims.case import Answer, Case
from solver.claims.decide import by_formulas
from solver.claims.deciders import by_states
from solver.claims.looking import Limits, forget

from .claiming import Claimer
from .generate import generated
from .space import Space, TooLarge
from .truth import Truth, Unknown, truth

FEWEST, MOST = 5, 3_000
"""Positions of a game that is worth asking about."""
SECONDS = 5.0


def games(seeds: range, folder: Path) -> Iterator[tuple[int, Game]]:
    """Random games with claims."""
    for seed in seeds:
        rng = random.Random(f"s{seed}")
        text, outline = generated(rng, f"s{seed}")
        path = folder / f"s{seed}.yaml"
        path.write_text(text)
        try:
            space = Space(load(path), MOST, 20_000)
        except (RulesetError, TooLarge):
            continue
        if len(space) < FEWEST:
            continue
        claims = Claimer(rng, text, outline, space, folder).claims(12)
        path.write_text(text + "claims:\n" + "\n".join(claims) + "\n")
        yield seed, load(path)


def answers(game: Game, claim: Claim) -> Iterator[tuple[str, Answer]]:
    """The answers of methods that are forced one by one."""
    forget()
    if "summed-over" not in claim.options:
        answer = by_formulas(Case(game, claim, Budget(SECONDS)))
        if answer is not None:
            yield "formulas", answer
    answer = by_states.search(Case(game, claim, Budget(SECONDS)), Limits(SECONDS, 10_000))
    if answer is not None:
        yield "exploration", answer


def wrong(claim: Claim, answer: Answer, known: Truth) -> bool:
    """Whether an answer contradicts the truth."""
    if answer.outcome == (PROVED if known.holds is False else REFUTED) and known.holds is not None:
        return True
    value = answer.numbers.get("value")
    if answer.outcome in (PROVED, REFUTED) and value is not None and known.value is not None:
        return claim.kind != "expected" and value != known.value
    if claim.kind == "terminates" and answer.outcome == PROVED:
        assert known.value is not None
        return answer.numbers["plies"] < known.value
    plies = answer.numbers.get("plies")
    return (
        answer.outcome == BOUNDED and known.until is not None and plies is not None and not known.until(plies)
    )


@pytest.mark.parametrize("first", range(0, 40, 10))
def test_no_method_contradicts_the_truth(first: int, tmp_path: Path) -> None:
    decided = 0
    for seed, game in games(range(first, first + 10), tmp_path):
        space = Space(game, 10 * MOST, 10**6)
        for claim in game.claims.values():
            try:
                known = truth(space, claim)
            except (Unknown, RulesetError):
                continue
            for method, answer in answers(game, claim):
                decided += answer.outcome in (PROVED, REFUTED)
                assert not wrong(claim, answer, known), (seed, claim.id, method, answer.statement, known)
    assert decided > 20
