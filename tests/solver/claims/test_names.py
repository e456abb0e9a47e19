"""Claims and variables may have any names: no question is answered by a name."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import Store
from rulespec.language import load
from rulespec.solver.claims import prove, recheck
from rulespec.solver.evidence import exploration
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.explore.state_space import Limits, forget
from rulespec.solver.methods.table import FORMULAS

RULES = """
rulespec: 1
id: names
title: Names
players: 2
rules:
- id: heap
  prose: There is a heap.
  formal: |
    state {variable}: 0..3 = 3
- id: take
  prose: Take one or two.
  action: n in 1..2
  require:
    enough:
      prose: So many are there.
      that: n <= {variable}
  do: remove n from {variable}
- id: gone
  prose: It is gone.
  end: {variable} = 0
- id: who
  prose: Whoever took the last.
  winners: those p in Player where p = mover
  score: if player = mover then 1 else 0
claims:
"""
CLAIMS = {
    "low": ("invariant: {variable} < 9", "proved", {"states": 6}),
    "high": ("invariant: {variable} >= 5", "refuted", {"plies": 0}),
    "never": ("reachable: {variable} = 7", "refuted", {"states": 6}),
    "some": ("reachable: {variable} = 1", "proved", {"plies": 1}),
    "many": ("most: {variable}", "proved", {"value": 3}),
    "how-often": ("count: {variable} = 0", "proved", {"value": 2}),
    "worth": ("value: {variable} + 2", "proved", {"value": 2}),
    "mean": ("expected: 5", "proved", {}),
    "share": ("estimate: {variable} = 0", "estimated", {"total": 10_000}),
}
NAMES = """
mover winners ended faulted score-1 scan asked over play listing cost rows row seat first s b c m k
word one zero none names ended-when
""".split()
VARIABLES = "heap rows row seat winners faulted ended fault setup width pick s b".split()


def made(folder: Path, names: list[str], variable: str) -> Path:
    """The game with its claims called by names, in the order of the claims."""
    text = RULES
    for name, (said, _, _) in zip(names, CLAIMS.values(), strict=True):
        text += f"- id: {name}\n  prose: It is asked.\n  {said}\n"
    path = folder / "names.yaml"
    path.write_text(text.lstrip().replace("{variable}", variable), "utf-8")
    return path


def turns() -> list[list[str]]:
    """Groups of as many names as there are claims; each name occurs at least once."""
    size = len(CLAIMS)
    return [
        [*NAMES[at : at + size], *NAMES[: max(0, at + size - len(NAMES))]]
        for at in range(0, len(NAMES), size)
    ]


@pytest.mark.parametrize("names", turns(), ids=" ".join)
def test_claims_may_have_any_name(tmp_path: Path, names: list[str]) -> None:
    """Claims named like the questions of every game got those answers."""
    loader = partial(load, made(tmp_path, names, "heap"))
    store = Store()
    found = {v.claim: v for v in prove(loader, timeout=600, store=store)}
    for name, (_, outcome, numbers) in zip(names, CLAIMS.values(), strict=True):
        assert found[name].outcome == outcome, name
        assert numbers.items() <= found[name].numbers.items()
    assert [(c.verdict.claim, c.text) for c in recheck(store, loader) if not c.passed] == []
    false = found[names[1]]
    store.put(replace(found[names[0]], claim=false.claim, claim_digest=false.claim_digest))
    assert [c.passed for c in recheck(store, loader, [false.claim])] == [False]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("variable", VARIABLES)
def test_variables_may_have_any_name(tmp_path: Path, variable: str) -> None:
    game = load(made(tmp_path, list(CLAIMS), variable))
    for claim, (_, outcome, numbers) in zip(game.claims.values(), CLAIMS.values(), strict=True):
        for answer in answers(game, claim.id):
            assert answer.outcome == outcome, claim.id
            assert numbers.items() <= {**numbers, **answer.numbers}.items()


def answers(game: Game, name: str) -> list[Answer]:
    """The answer of each method to a claim, by itself."""
    case = Case(game, game.claims[name], Budget(60))
    found = []
    for limits in (Limits(30, 1_000), Limits(30, 1_000, judge=True)):
        forget()
        answer = exploration.explore(case, limits)
        assert answer is not None
        found.append(answer)
    if case.claim.kind in ("invariant", "reachable"):
        found.append(FORMULAS(case))
    return found
