"""Plays that fault, in every kind of claim: each method agrees with the one table of their roles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path

import pytest

import rulespec
from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import BOUNDED, UNDECIDED, Store
from rulespec.core.verdicts.properties import PROPERTIES
from rulespec.language import load
from rulespec.play.perft import perft
from rulespec.solver.claims import prove, recheck
from rulespec.solver.evidence import exploration
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.explore import state_space
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.methods import best_play
from rulespec.solver.methods.table import FORMULAS

ROOT = Path(__file__).parents[3]

WAY = """
rulespec: 1
id: way
title: A way
players: 1
rules:
- id: way
  prose: A way of two steps.
  formal: |
    type Foot = one of left, right
    state n: 0..2 = 0
    state last: Foot? = none
    state done: Bool = false
    {hidden}
    define after-step(x: 0..2): 0..3 = x + 1
- id: step
  prose: Take a step, or slip where there is none.
  action: f in Foot
  do: |
    n := after-step(n)
    last := f
- id: stop
  prose: Stop after the first.
  action: ()
  require:
    one:
      prose: After the first.
      that: n = 1
  do: done := true
- id: over
  prose: It is over.
  end: done
- id: won
  prose: Whoever stopped has won.
  winners: those p in Player where n = 1
claims:
"""
AGAIN = "define after-step(x: 0..2): 0..3 = min(x + 1, 2)"
EXPECTED: Mapping[str, tuple[str, str, Mapping[str, int]]] = {
    "bound": ("invariant: n < 2 or last is some", "proved", {}),
    "reached": ("reachable: n = 2", "proved", {"plies": 2}),
    "beyond": ("unreachable: n = 2 and done", "proved", {}),
    "ends": ("terminates: 2 - n", "proved", {"plies": 3}),
    "most": ("most: n", "proved", {"value": 2}),
    "least": ("least: 2 - n", "proved", {"value": 0}),
    "cost": ("{least: 1, when: n = 2, summed-over: plies}", "proved", {"value": 2}),
    "rises": ("never-falls: n", "proved", {}),
    "stuck": ("kind: never-stuck", "proved", {}),
    "fits": ("kind: never-faults", "refuted", {"plies": 3}),
    "hope": ("never-hopeless: n > 0", "proved", {"value": 1}),
    "no-hope": ("never-hopeless: n = 1", "refuted", {"plies": 2}),
    "for-ever": ("kind: endless", "refuted", {}),
    "positions": ("kind: count", "proved", {"value": 7}),
    "high": ("count: n = 2", "proved", {"value": 2}),
    "late": ("{count: n = 2, at: 3}", "proved", {"value": 0}),
    "feet": ("{count: n = 2, different: number(last)}", "proved", {"value": 2}),
    "plays": ("{kind: count, of: plays}", "proved", {"value": 10}),
    "sequences": ("{kind: count, of: plays, at: 3}", "proved", {"value": 8}),
    "worth": ("value: n", "undecided", {}),
    "mean": ("{expected: n, policy: random}", "undecided", {}),
    "best-mean": ("expected: n", "undecided", {}),
    "sum": ("{expected: 1, policy: random, summed-over: plies}", "undecided", {}),
    "sample": ("{estimate: n, games: 100}", "undecided", {}),
    "share": ("{estimate: n = 2, games: 100}", "undecided", {}),
    "wins": ("kind: winnable", "proved", {}),
    "known": ("kind: knowable", "proved", {}),
    "mirror": ("symmetry: f in Foot -> if f is left then right else left", "proved", {}),
    "same": (
        f"equivalent:\n    replace:\n      define.after-step: '{AGAIN}'",
        "refuted",
        {"plies": 3},
    ),
}
"""By id the text, outcome and numbers of a claim; four plies fault among seven positions."""


def made(folder: Path, claims: Mapping[str, tuple[str, str, Mapping[str, int]]], text: str = WAY) -> Path:
    lines = [text.replace("{hidden}", "").strip()]
    for name, (said, _, _) in claims.items():
        whole = said[1:-1].split(", ") if said.startswith("{") else [said]
        lines += [f"- id: {name}", "  prose: It is asked.", *(f"  {part}" for part in whole)]
    path = folder / "way.yaml"
    path.write_text("\n".join(lines) + "\n", "utf-8")
    return path


@pytest.fixture(scope="module")
def way(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("way"), EXPECTED)


@pytest.fixture(scope="module")
def game(way: Path) -> Game:
    return load(way)


def by_code(case: Case) -> Answer | None:
    return exploration.explore(case, Limits(60, 10_000))


def by_the_interpreter(case: Case) -> Answer | None:
    return exploration.explore(case, Limits(60, 10_000, judge=True))


def with_memory(case: Case) -> Answer | None:
    if case.claim.kind != "value":
        return None
    return best_play.search(case)


METHODS: Mapping[str, Callable[[Case], Answer | None]] = {
    "code": by_code,
    "interpreter": by_the_interpreter,
    "formulas": FORMULAS,
    "memory": with_memory,
}
OPEN = (UNDECIDED, BOUNDED)


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("claim", EXPECTED)
def test_each_method_keeps_to_the_table(game: Game, claim: str, method: str) -> None:
    """An expectation counted a play that faults as ended, while a sample of the same plays refused it."""
    _keeps(METHODS[method](Case(game, game.claims[claim], Budget(60))), method, *EXPECTED[claim][1:])


def _keeps(answer: Answer | None, method: str, outcome: str, numbers: Mapping[str, int]) -> None:
    """Explorations give the outcome of the table; other methods give the same or leave it open."""
    if answer is None:
        return
    looks = method in ("code", "interpreter")
    assert answer.outcome == outcome or (not looks and answer.outcome in OPEN)
    if answer.outcome == outcome:
        assert {**numbers, **answer.numbers} == {**answer.numbers, **numbers}


def test_every_verdict_on_faulting_plays_is_rechecked(way: Path) -> None:
    loader, store = partial(load, way), Store()
    found = {v.claim: v.outcome for v in prove(loader, timeout=600, store=store)}
    assert found == {name: outcome for name, (_, outcome, _) in EXPECTED.items()}
    assert [(c.verdict.claim, c.text) for c in recheck(store, loader) if c.passed is False] == []


def test_the_reference_has_the_same_table() -> None:
    text = (ROOT / "docs" / "reference" / "claims.md").read_text("utf-8")
    listed = text.split("## Plays that fault")[1].split("\n## ")[0]
    rows = [
        [cell.strip() for cell in line.strip("| ").split("|")]
        for line in listed.splitlines()
        if line.startswith("| `")
    ]
    told = {kind.strip("` ").replace("-", "_"): words for kinds, words in rows for kind in kinds.split(",")}
    roles = {kind: stated.faults.value for kind, stated in PROPERTIES.items()}
    best = roles.pop("best")
    assert told == {**roles, "least": best, "most": best}


def test_simulations_and_sequences_hold_the_ply_that_faults(way: Path) -> None:
    assert perft(rulespec.load(str(way)), 4) == {1: 2, 2: 6, 3: 8, 4: 0}
    result = rulespec.simulate(str(way), 400, seed=1)
    assert set(result.ends) == {"over", "fault"}


# ---- a setup that faults

BROKEN = """
rulespec: 1
id: broken
title: Broken
players: {players}
rules:
- id: things
  prose: Things.
  formal: |
    state n: 0..2 = 0
    state die: 1..2 = 1
    state done: Bool = false
    state ready: Bool = false
  setup: |
    ready := true
    roll die from 1..2
    n := die + 1
- id: stop
  prose: Stop.
  action: ()
  do: done := true
- id: over
  prose: It is over.
  end: done
- id: won
  prose: The first has won.
  winners: those p in Player where p = 1
claims:
"""
AT_SETUP: Mapping[str, tuple[str, str, Mapping[str, int]]] = {
    "set": ("invariant: ready", "refuted", {"plies": 0}),
    "unset": ("reachable: not ready", "proved", {"plies": 0}),
    "least": ("least: n", "proved", {"value": 0}),
    "fits": ("kind: never-faults", "refuted", {"plies": 0}),
    "stuck": ("kind: never-stuck", "proved", {}),
    "ends": ("terminates: if done then 0 else 1", "proved", {"plies": 1}),
    "hope": ("never-hopeless: done", "undecided", {}),
    "positions": ("kind: count", "undecided", {}),
    "value": ("kind: value", "undecided", {}),
    "worth": ("value: n", "undecided", {}),
    "mean": ("{expected: n, policy: random}", "undecided", {}),
    "best-mean": ("expected: n", "undecided", {}),
    "sample": ("{estimate: n, games: 100}", "undecided", {}),
}


@pytest.fixture(scope="module", params=[1, 2])
def broken(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Game:
    text = BROKEN.replace("{players}", str(request.param))
    return load(made(tmp_path_factory.mktemp("broken"), AT_SETUP, text))


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("claim", AT_SETUP)
def test_a_setup_that_faults_leaves_what_was_declared(broken: Game, claim: str, method: str) -> None:
    answer = METHODS[method](Case(broken, broken.claims[claim], Budget(60)))
    _keeps(answer, method, *AT_SETUP[claim][1:])
    if answer is not None and answer.outcome == UNDECIDED and method != "formulas":
        assert "does not fit its place" in answer.remarks[0]


# ---- where something is hidden


@pytest.mark.parametrize("said", ["expected: n", "{expected: 1, summed-over: plies}"])
def test_plays_that_fault_have_no_best_strategies(tmp_path: Path, said: str) -> None:
    """In sums over plies, a play that faults counted like one that ends."""
    claims = {"mean": (said, "undecided", {})}
    path = made(tmp_path, claims, WAY.replace("{hidden}", "hidden state h: 0..1 = 0"))
    (verdict,) = prove(partial(load, path), timeout=200)
    assert verdict.outcome == UNDECIDED
    assert "does not fit its place" in verdict.statement


SLIP = """
rulespec: 1
id: slip
title: Slip
players: 1
rules:
- id: things
  prose: A number.
  formal: |
    state n: 0..1 = 1
    state done: Bool = false
- id: slip
  prose: Slip.
  action: ()
  do: add 1 to n
- id: go
  prose: Go home.
  action: ()
  do: done := true
- id: over
  prose: It is over.
  end: done
claims:
"""


def test_a_slip_where_there_is_hope_is_not_without_hope(tmp_path: Path) -> None:
    game = load(made(tmp_path, {"hope": ("never-hopeless: done", "proved", {})}, SLIP))
    state_space.forget()
    answer = exploration.explore(Case(game, game.claims["hope"], Budget(60)), Limits(60, 10_000))
    assert answer is not None
    assert answer.outcome == "proved"
