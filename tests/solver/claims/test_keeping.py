"""What was dealt, kept by itself: goals that are out of its reach wherever everything else may lie."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from itertools import permutations
from pathlib import Path

import pytest

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.lemmas import stored
from rulespec.core.verdicts import Store, Verdict
from rulespec.language import load
from solver.claims import prove
from solver.claims.recheck import check_deal
from solver.evidence.bmc import KEPT, by_argument
from solver.evidence.problem import Case
from solver.methods.reaching import alone
from solver.methods.table import FORMULAS
from solver.methods.verdicts import verdict_of

CARDS = """\
rulespec: 1
id: row
title: A row
players: 1
rules:
- id: cards
  prose: Four cards, a hand of one, and a table.
  formal: |
    type Card = 1..4
    state pile: list of Card up to 4 = []
    state hand: set of Card = {}
    state table: set of Card = {}
    state turns: 0..9 = 0
    define places(c: Card): 0..6 =
      count(i in 1..4 where pile[i] = c) + (if c in hand then 1 else 0) + (if c in table then 1 else 0)
  setup: |
    shuffle Card into pile
    move top 1 of pile into hand
- id: put
  prose: Put down a card that is beside one that lies there, and draw another.
  action: c in hand
  written: put {c}
  require:
    beside:
      prose: The first lies anywhere.
      that: table is empty or c + 1 in table or c - 1 in table
  do: |
    remove c from hand
    add c to table
    move top 1 of pile into hand
    add 1 to turns
- id: turn
  prose: Or turn the table round.
  action: ()
  written: turn
  require:
    some:
      prose: There is time.
      that: turns < 9
  do: add 1 to turns
claims:
- id: somewhere
  prose: Every card is in one place.
  invariant: every c in Card satisfies places(c) = 1
- id: fewest
  prose: The fewest turns until all cards lie there.
  least: turns
  when: size(table) = 4
  from: deal
"""


@pytest.fixture(scope="module")
def row(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Game, dict[str, Verdict]]:
    path = tmp_path_factory.mktemp("row") / "row.yaml"
    path.write_text(CARDS, encoding="utf-8")
    store = Store()
    prove(partial(load, path), ["somewhere"], store=store)
    store.write(path.parent / "verdicts.json.gz")
    game = load(path)
    return path, game, stored(path, game)


def dealt(game: Game, known: dict[str, Verdict], order: tuple[int, ...]) -> Case:
    """The case of a deal; cards come from the end."""
    chance = (f"[{', '.join(map(str, order))}]",)
    return Case(game, game.claims["fewest"], Budget(60), chance, settled=known)


def reached(order: tuple[int, ...]) -> bool:
    """Whether each card but the first is beside one that came before it."""
    cards = order[::-1]
    return all({cards[i] - 1, cards[i] + 1} & {*cards[:i]} for i in range(1, 4))


def test_it_shows_what_is_out_of_reach_and_nothing_else(row: tuple[Path, Game, dict[str, Verdict]]) -> None:
    _, game, known = row
    goal = game.claims["fewest"].options["when"]
    for order in permutations(range(1, 5)):
        found = alone(dealt(game, known, order), goal, KEPT)
        assert (found is None) == reached(order), order


def test_without_what_always_holds_nothing_is_shown(row: tuple[Path, Game, dict[str, Verdict]]) -> None:
    _, game, _ = row
    goal = game.claims["fewest"].options["when"]
    assert alone(dealt(game, {}, (2, 4, 3, 1)), goal, KEPT) is None


def test_the_evidence_is_checked_with_the_claims_that_helped(
    row: tuple[Path, Game, dict[str, Verdict]],
) -> None:
    _, game, known = row
    case = dealt(game, known, (2, 4, 3, 1))
    assert case.chance is not None
    answer = FORMULAS(case)
    assert answer is not None
    store = Store()
    verdict = verdict_of(case, answer, store)
    assert verdict.outcome == "refuted"
    assert [e.data.get("by") for e in verdict.evidence if e.kind == "refutation"] == ["kept"]
    assert [e.data["claim"] for e in verdict.evidence if e.kind == "helper"] == ["somewhere"]
    check = check_deal(game, verdict, store.records, case.chance, Budget(60, 4_000), known=known.values())
    assert check.passed, check.text
    other = dealt(game, known, (1, 2, 3, 4))
    moved = replace(
        verdict.evidence[0], data={**verdict.evidence[0].data, "chance": list(other.chance or ())}
    )
    changed = replace(verdict, evidence=(moved, *verdict.evidence[1:]))
    assert not check_deal(
        game, changed, store.records, other.chance or (), Budget(60, 4_000), known=known.values()
    ).passed


@pytest.mark.parametrize("named", [[], ["nothing"], ["turns"], ["hand", "nothing"]])
def test_it_is_checked_with_the_variables_that_it_names(
    row: tuple[Path, Game, dict[str, Verdict]], named: list[str]
) -> None:
    _, game, known = row
    case = dealt(game, known, (2, 4, 3, 1))
    goal = game.claims["fewest"].options["when"]
    assert by_argument(case, goal, KEPT, {"dealt": ["pile", "hand", "table"]}) is not None
    assert by_argument(case, goal, KEPT, {"dealt": named}) is None
