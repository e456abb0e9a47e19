"""Sums of facts: what deals have in common, what a ply changes, what invariants add up to."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.core.verdicts import Store, Verdict
from rulespec.core.verdicts.lemmas import assume
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.analyses.shuffles import Deals
from rulespec.solver.claims import prove, recheck
from rulespec.solver.evidence.linear_combination import objection
from rulespec.solver.evidence.optimum import Scale
from rulespec.solver.evidence.problem import Case
from rulespec.solver.formulas.linear.linear_forms import linear_form
from rulespec.solver.methods.farkas_multipliers import first_rank
from rulespec.solver.methods.table import FORMULAS

BAGS = """\
rulespec: 1
id: bags
title: Bags
players: 2
rules:
- id: balls
  prose: Six balls, dealt into two bags; each ball has a number.
  formal: |
    type Ball = 1..6
    state bag: map Player -> set of Ball = {}
    state out: set of Ball = {}
    state pile: list of Ball up to 6 = []
    state peeked: Bool = false
  setup: |
    shuffle Ball into pile
    for p in Player: move top 3 of pile into bag[p]
    LOOK
- id: draw
  prose: Take one or two balls out of the bags.
  action: a in bag[1] + bag[2], b in bag[1] + bag[2] where a <= b
  written: draw {a} {b}
  do: |
    for p in Player: bag[p] := bag[p] - {a, b}
    out := out + {a, b}
- id: enough
  prose: Four balls are enough.
  end: size(out) >= 4
claims:
- id: apart
  prose: A ball is in one place.
  invariant: every b in Ball satisfies count(p in Player where b in bag[p]) + count(x in out where x = b) <= 1
- id: three-each
  prose: What lies in a bag and what came out of both are three at least.
  invariant: every p in Player satisfies size(bag[p]) + size(out) >= 3
  helped-by: [apart]
- id: six
  prose: There are never more than six.
  invariant: sum(size(bag[p]) for p in Player) + size(out) <= 6
  helped-by: [apart]
- id: left
  prose: The most that can be left in the bags with four balls out.
  most: sum(size(bag[p]) for p in Player)
  when: size(out) >= 4
  helped-by: [six]
- id: more-left
  prose: Three can be left then.
  reachable: size(out) >= 4 and sum(size(bag[p]) for p in Player) >= 3
  helped-by: [six]
- id: few-if-peeked
  prose: Who peeked takes two at most.
  invariant: size(out) <= 2
  when: peeked
- id: four
  prose: Four can be taken.
  reachable: size(out) >= 4
  helped-by: [few-if-peeked]
"""


def bags(folder: Path, look: str = "nothing") -> Path:
    path = folder / "bags.yaml"
    path.write_text(BAGS.replace("LOOK", look), encoding="utf-8")
    return path


DECIDED: dict[tuple[str, ...], Store] = {}
"""The verdicts by the text of rules and the claims that were asked."""


def decided(path: Path, *claims: str) -> tuple[Store, dict[str, Verdict]]:
    """Verdicts on claims, decided once for all tests, in a store of the test's own."""
    key = (path.read_text("utf-8"), *claims)
    if key not in DECIDED:
        game, DECIDED[key] = load(path), Store()
        prove(lambda **settings: game, list(claims), timeout=300, store=DECIDED[key])
    store = Store(DECIDED[key], DECIDED[key].records)
    return store, {v.claim: v for v in store}


def test_a_deal_nobody_looked_at_tells_how_many_lie_where(tmp_path: Path) -> None:
    blind = load(bags(tmp_path))
    sizes = blind.claims["six"].condition.a  # type: ignore[union-attr]
    assert Deals(blind).value(sizes) == 6
    assert linear_form(sizes, Deals(blind).value).base == 6


@pytest.mark.parametrize(
    "look",
    [
        "if 3 in bag[1]: remove 3 from bag[1]",
        "remove 3 from bag[2]",
        "for b in bag[1] where b > 3: remove b from bag[1]",
    ],
)
def test_a_setup_that_looks_at_what_it_dealt_tells_nothing(tmp_path: Path, look: str) -> None:
    game = load(bags(tmp_path, look))
    assert Deals(game).value(game.claims["six"].condition.a) is None  # type: ignore[union-attr]


def test_what_asks_which_card_it_is_differs_between_deals() -> None:
    game = load("smith-tiny")
    machine, deals = Machine(game), Deals(game)
    starts = [machine.situation(machine.start(Chance(str(seed))).position) for seed in range(5)]
    for claim in game.claims.values():
        if claim.kind == "invariant" and claim.condition is not None:
            known = deals.value(claim.condition)
            assert known is None or all(machine.holds(claim.condition, s) == known for s in starts)


def test_sums_are_kept_by_looking_at_what_a_ply_changes(tmp_path: Path) -> None:
    _, found = decided(bags(tmp_path), "apart", "three-each", "six")
    assert [found[name].outcome for name in ("apart", "three-each", "six")] == ["proved"] * 3


def test_invariants_add_up_to_a_bound_and_are_added_up_again(tmp_path: Path) -> None:
    path = bags(tmp_path)
    store, found = decided(path, "apart", "six", "left", "more-left")
    assert (found["left"].outcome, found["left"].numbers["value"]) == ("proved", 2)
    game = load(path)
    case = Case(game, game.claims["left"], Budget(10), lemmas=assume(found))
    scale = Scale.of(case)
    assert scale is not None
    rank, proofs = first_rank(case, scale)
    assert (scale.value(rank), proofs[-1].data["bound"], objection(case, proofs[-1].data)) == (2, 3, "")
    assert objection(case, {**proofs[-1].data, "bound": 2}) == "its claims leave 2"
    assert found["more-left"].outcome == "refuted"
    assert {e.kind for e in found["more-left"].evidence} == {"helper", "combination"}
    checks = recheck(store, lambda **settings: game, ["left", "more-left"])
    assert [c.passed for c in checks] == [True, True]


@pytest.mark.sampled(2)
@pytest.mark.parametrize("wrong", [[["0", "0", "0"]], [["1", "-1", "1"]], [["1"]], [], "x"])
def test_damaged_combinations_are_refused(tmp_path: Path, wrong: object) -> None:
    path = bags(tmp_path)
    store, found = decided(path, "apart", "six", "left", "more-left")
    verdict = found["more-left"]
    evidence = [
        replace(e, data={**e.data, "times": wrong}) if e.kind == "combination" else e
        for e in verdict.evidence
    ]
    store.put(replace(verdict, evidence=tuple(evidence)))
    game = load(path)
    (check,) = recheck(store, lambda **settings: game, ["more-left"])
    assert check.passed is False


def test_a_combination_needs_its_claims_to_hold(tmp_path: Path) -> None:
    path = bags(tmp_path)
    store, found = decided(path, "apart", "six", "left", "more-left")
    store.drop([found["six"]])
    game = load(path)
    (check,) = recheck(store, lambda **settings: game, ["more-left"])
    assert check.passed is None
    assert "`six`" in check.text


def test_a_claim_that_helps_helps_only_where_it_speaks(tmp_path: Path) -> None:
    """A helper with `when` was once taken to hold everywhere."""
    _, found = decided(bags(tmp_path), "few-if-peeked", "four")
    assert [found[name].outcome for name in ("few-if-peeked", "four")] == ["proved", "proved"]


FREE = """\
rulespec: 1
id: marks
title: Marks
players: 1
parameters:
  weight:
    type: 0..3
    default: 0
    prose: How much a mark counts.
rules:
- id: things
  prose: Marks.
  formal: |
    type Place = 1..3
    state m: map Place -> Place? = none
- id: mark
  prose: Mark a place.
  action: p in Place
  require:
    free:
      prose: It is free.
      that: m[p] is none
  do: m[p] := p
claims:
- id: all
  prose: What marks count.
  invariant: weight * count(p in Place where m[p] is some) <= 0
- id: one
  prose: What one mark counts.
  invariant: weight * count(p in Place where p = 1 and m[p] is some) <= 0
- id: goal
  prose: The first is marked.
  reachable: m[1] is some
  helped-by: [all, one]
- id: most
  prose: Three can be marked.
  most: size(those p in Place where m[p] is some)
  helped-by: [all, one]
"""


@pytest.mark.parametrize("weight, held", [(0, "proved"), (1, "refuted")])
def test_a_sum_with_no_weight_bounds_nothing(tmp_path: Path, weight: int, held: str) -> None:
    path = tmp_path / "marks.yaml"
    path.write_text(FREE, encoding="utf-8")
    game = load(path, None, {"weight": weight})
    found = {v.claim: v for v in prove(lambda **_: game, timeout=200)}
    assert (found["all"].outcome, found["one"].outcome) == (held, held)
    assert found["goal"].outcome == found["most"].outcome == "proved"
    assert found["most"].numbers["value"] == 3
    for name in ("goal", "most"):
        case = Case(game, game.claims[name], Budget(20), lemmas=assume({v: found[v] for v in ("all", "one")}))
        answer = FORMULAS(case)
        assert answer is not None and answer.outcome in ("proved", "bounded", "undecided")
