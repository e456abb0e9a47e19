"""Invariants shown part by part, and numbers of which only that is known what claims say of them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.types import BOOL
from rulespec.core.verdicts import BOUNDED, PROVED, Store, Verdict
from rulespec.core.verdicts.lemmas import assume
from rulespec.language import load
from rulespec.solver.claims import prove, recheck
from rulespec.solver.evidence.problem import Answer, Case, Proof
from rulespec.solver.evidence.split_induction import by_parts
from rulespec.solver.formulas.linear.linear_cases import cases_of
from rulespec.solver.formulas.linear.linear_forms import at_least
from rulespec.solver.methods.farkas_multipliers import least_bound
from rulespec.solver.methods.play_search import Pursuit
from rulespec.solver.methods.reaching import Exclusion
from rulespec.solver.methods.verdicts import blank
from rulespec.solver.reductions.generalisation import left_open

STRIP = """
rulespec: 1
id: strip
title: Strip
rules:
- id: strip
  prose: A strip of six squares is covered with tiles of two, and then it is painted.
  formal: |
    state laid: set of 1..6 = {}
    state painting: Bool = false
    define bare(from: 1..6, to: 1..6): set of 1..6 =
      those c in 1..6 where c not in laid and c != from and c != to
    define fillable(free: set of 1..6, n: 0..6 falling): Bool =
      n = 0 or
      (if n in free then n - 1 in free and fillable(free - {n, n - 1}, n - 1) else fillable(free, n - 1))
    define fits(c: 1..5) = c not in laid and c + 1 not in laid and fillable(bare(c, c + 1), 6)
- id: lay
  prose: Lay a tile such that the rest can be covered.
  action: c in 1..5
  written: lay {c}
  require:
    fits:
      prose: It fits.
      that: fits(c)
  do: |
    add c to laid
    add c + 1 to laid
- id: paint
  prose: When no tile fits any more, it is painted.
  reaction: no c in 1..5 satisfies fits(c)
  do: |
    painting := true
- id: painted
  prose: Then it is over.
  end: painting
claims:
- id: rest
  prose: What is bare can be covered.
  invariant: fillable(those c in 1..6 where c not in laid, 6)
- id: all-covered
  prose: Nothing is painted before all is covered.
  invariant: not painting or size(laid) = 6
  helped-by: [rest]
- id: dry
  prose: Nothing is ever painted, which is wrong.
  invariant: not painting
  helped-by: [rest]
- id: over-when-covered
  prose: It is over only when all is covered.
  invariant: not over or fillable(those c in 1..6 where c not in laid, 6)
- id: low
  prose: The last tile is never laid, which is wrong.
  invariant: 6 not in laid
  helped-by: [rest]
"""


@pytest.fixture
def strip(tmp_path: Path) -> Game:
    return loaded(tmp_path, STRIP)


def loaded(folder: Path, text: str) -> Game:
    """The game of a ruleset that is given as text."""
    path = folder / "ruleset.yaml"
    path.write_text(text, "utf-8")
    return load(path)


def test_the_parts_of_a_ply_show_what_a_ply_keeps(strip: Game) -> None:
    def case(claim: str, *helpers: str) -> Case:
        return Case(
            strip,
            strip.claims[claim],
            Budget(30),
            lemmas=assume({name: taken(strip, name) for name in helpers}),
        )

    rest = by_parts(case("rest"))
    assert rest is not None
    assert rest.outcome == PROVED
    assert rest.proofs[0].data["by"] == "parts"
    covered = by_parts(case("all-covered", "rest"))
    assert covered is not None
    assert [proof.data.get("claim") for proof in covered.proofs] == [None, "rest"]
    assert by_parts(replace(case("all-covered"), argument="parts")) is None
    assert by_parts(case("dry", "rest")) is None
    assert by_parts(case("low", "rest")) is None
    assert by_parts(case("over-when-covered")) is None


def test_what_parts_show_is_checked_again(strip: Game) -> None:
    def loader(**_: object) -> Game:
        return strip

    store = Store()
    (verdict,) = prove(loader, ["rest"], store=store, timeout=300)
    assert verdict.outcome == PROVED
    assert [check.passed for check in recheck(store, loader)] == [True]


def taken(game: Game, name: str) -> Verdict:
    """A verdict that takes a claim for granted."""
    return blank(game, game.claims[name], Answer(PROVED), 0.0)


LEDGER = """
rulespec: 1
id: ledger
title: Ledger
rules:
- id: ledger
  prose: Two columns of sums are filled, line by line.
  formal: |
    state ins: map 1..20 -> 0..60 = 0
    state outs: map 1..20 -> 0..60 = 0
    state lines: 0..20 = 0
    define all = sum(ins[c] for c in 1..20) + sum(outs[c] for c in 1..20)
- id: enter
  prose: Enter one or two in the next line.
  action: n in 1..2, m in 0..1
  written: enter {n} {m}
  require:
    room:
      prose: There is a line.
      that: lines < 20
  do: |
    add 1 to lines
    ins[lines] := n
    outs[lines] := m
claims:
- id: three-a-line
  prose: A line holds three at most.
  invariant: all <= 3 * lines
- id: alike
  prose: Some line of the one is at most some line of the other.
  invariant: some c in 1..20, d in 1..20 satisfies ins[c] <= outs[d] or outs[d] <= ins[c]
- id: most
  prose: The most that both columns hold.
  most: all
  helped-by: [three-a-line]
"""


@pytest.fixture
def ledger(tmp_path: Path) -> Game:
    return loaded(tmp_path, LEDGER)


def test_a_number_that_takes_too_many_cases_is_left_open(ledger: Game) -> None:
    claim = ledger.claims["most"]
    number = claim.condition
    assert number is not None
    case = Case(ledger, claim, Budget(30), lemmas=assume({"three-a-line": taken(ledger, "three-a-line")}))
    found = Exclusion(case).of(at_least(number, 61))
    assert found is not None
    assert found.data["by"] == "excluded"
    assert Exclusion(case).of(at_least(number, 60)) is None


def test_only_numbers_that_claims_speak_of_are_left_open(ledger: Game) -> None:
    number, helper = ledger.claims["most"].condition, ledger.claims["three-a-line"].always
    assert number is not None
    goal = n.And(BOOL, (at_least(number, 3), n.Not(BOOL, n.Get(BOOL, ledger.state["over"]))))
    change = left_open(ledger, goal, [helper])
    assert change is not None
    added = [var for var in change.game.state.values() if var not in ledger.state.values()]
    assert [var.type for var in added] == [number.type]
    lines = n.Get(ledger.state["lines"].type, ledger.state["lines"])
    assert left_open(ledger, goal, [n.Const(BOOL, True)]) is None
    assert left_open(ledger, at_least(lines, 3), [helper]) is None


def test_a_number_after_an_action_is_not_left_open(ledger: Game) -> None:
    number, helper = ledger.claims["most"].condition, ledger.claims["three-a-line"].always
    assert number is not None
    goal = at_least(number, 3)
    change = left_open(ledger, goal, [helper])
    action = next(iter(ledger.actions.values()))
    params = tuple(choice.var for choice in action.choices)
    given = tuple(n.Local(param.type, param) for param in params)
    asked = n.After(BOOL, action.id, params, given, action.effect, goal)
    assert change is not None
    assert change(asked) is asked
    assert change(goal) is not goal


def test_conditions_of_too_many_cases_are_not_added_up(ledger: Game) -> None:
    number = ledger.claims["most"].condition
    wide, helper = ledger.claims["alike"].always, ledger.claims["three-a-line"].always
    assert least_bound(cases_of(ledger, number, True, [wide, helper]))[0] == 60


def test_bounds_are_joined_with_plays_though_claims_helped(ledger: Game) -> None:
    case = Case(ledger, ledger.claims["most"], Budget(30))
    proofs = (
        Proof("refutation", {"bound": 61}),
        Proof("helper", {"claim": "alike"}),
    )
    told = Answer(BOUNDED, proofs, "formulas", {"at_most": 60})
    joined = Pursuit(case).join_bounds(told)
    assert joined is not None
    assert joined.numbers == {"at_most": 60}
