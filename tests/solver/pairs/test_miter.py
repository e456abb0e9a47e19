"""Two games in one set of gates: choices that only one of them has."""

from __future__ import annotations

from pathlib import Path

from rulespec.budgets import Budget
from rulespec.cli.loading import Loader
from rulespec.core.verdicts import Store
from rulespec.core.verdicts.lemmas import assume
from rulespec.language import load
from rulespec.solver.claims import prove
from rulespec.solver.evidence.problem import Case
from rulespec.solver.methods.table import METHODS

HEAP = """\
rulespec: 1
id: heap
title: A heap
players: 2
rules:
- id: heap
  prose: A heap, and how many were taken from it.
  formal: |
    state heap: 0..9 = 0
    state taken: 0..9 = 0
  setup: heap := 5
- id: take
  prose: Take one or two.
  action: n in 1..2
  require:
    enough:
      prose: So many are there.
      that: n <= heap
  do: |
    remove n from heap
    add n to taken
claims:
- id: wider
  prose: Three are among the choices there, and are never legal.
  equivalent:
    replace:
      take.action: n in 1..3
      take.require.enough.that: n <= heap and n != 3
- id: wider-in-fact
  prose: Three are among the choices there, and no heap has as many and fewer.
  equivalent:
    replace:
      take.action: n in 1..3
      take.require.enough.that: n <= heap and (n < 3 or heap - taken < 3 - taken)
- id: three
  prose: Three may be taken there, which is another game.
  equivalent:
    replace:
      take.action: n in 1..3
- id: fewer
  prose: Play begins with four there, and goes on by the same rules.
  equivalent:
    replace:
      heap.setup: heap := 4
"""

NAMES = ("wider", "wider-in-fact", "three")

JAR = """\
rulespec: 1
id: jar
title: A jar
players: 2
rules:
- id: fill
  prose: Put one in while there are fewer than three.
  action: ()
  require:
    room:
      prose: Fewer than three are there.
      that: jar < 3
  do: add 1 to jar
  formal: |
    state jar: 0..9 = 0
- id: take
  prose: Take one out.
  action: ()
  do: jar := max(0, jar - 1)
claims:
- id: three
  prose: There are never more than three.
  invariant: jar <= 3
- id: beyond
  prose: One may go on there at three, which breaks a law that holds here.
  helped-by: [three]
  equivalent:
    replace:
      fill.require.room.that: jar < 4
"""


def test_a_choice_that_only_the_other_game_has_counts_where_it_is_legal(tmp_path: Path) -> None:
    """Formulas must not see a difference in a choice of the other game that is never legal there."""
    path = tmp_path / "heap.yaml"
    path.write_text(HEAP, "utf-8")
    game, anywhere = load(path), METHODS["both from any state"]
    found = {name: anywhere(Case(game, game.claims[name], Budget(20))) for name in NAMES}
    assert {name: answer and answer.outcome for name, answer in found.items()} == {
        "wider": "proved",
        "wider-in-fact": "proved",
        "three": None,
    }


def test_games_that_begin_otherwise_are_not_the_same(tmp_path: Path) -> None:
    """From any state both do the same, but they do not begin in the same one."""
    path = tmp_path / "heap.yaml"
    path.write_text(HEAP, "utf-8")
    game = load(path)
    assert METHODS["both from any state"](Case(game, game.claims["fewer"], Budget(20))) is None


def test_what_is_known_of_positions_is_granted_only_after_plies_that_are_legal(tmp_path: Path) -> None:
    """A law of one game hides no action that is legal in the other one only (regression)."""
    path = tmp_path / "jar.yaml"
    path.write_text(JAR, "utf-8")
    game = load(path)
    known = {v.claim: v for v in prove(Loader(path), ["three"], store=Store())}
    case = Case(game, game.claims["beyond"], Budget(20), lemmas=assume(known))
    assert case.helper_names == ["three"]
    assert METHODS["both from any state"](case) is None
