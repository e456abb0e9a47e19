"""Side conditions of arguments from one ply about goals: lengths, traps and deals; each has its test."""

from __future__ import annotations

from stories import story

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED
from rulespec.solver.evidence.bmc import LENGTHS, TRAP, by_argument
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.methods.table import METHODS


def by_lengths(game: Game, name: str) -> Answer | None:
    """The answer of bounds on the length of plays alone."""
    return METHODS[LENGTHS](Case(game, game.claims[name], Budget(20)))


TOKEN = """
rules:
- id: token
  prose: A token moves round three places, and its moves are counted.
  formal: |
    state places: set of 1..3 = {1}
    state moves: 0..5 = 0
- id: move
  prose: Move it.
  action: a in places, b in 1..3
  require:
    other:
      prose: To another place.
      that: a != b and moves < 5
  do: |
    remove a from places
    add b to places
    add 1 to moves
claims:
- id: far
  prose: It moves more often than there are places.
  reachable: moves = 5
"""


@story(TOKEN)
def test_facts_that_plies_take_back_bound_no_length(game: Game) -> None:
    """Every move puts the token in a new place, and takes it away from another: plays are as long as they
    like."""
    found = by_lengths(game, "far")
    assert found is not None
    assert (found.outcome, found.numbers) == (PROVED, {"plies": 5})


LIT = """
rules:
- id: lamps
  prose: Four lamps, two of which are lit at first.
  formal: |
    state lit: set of 1..4 = {1, 2}
- id: light
  prose: Light one.
  action: lamp in 1..4
  require:
    dark:
      prose: It is dark.
      that: lamp not in lit
  do: add lamp to lit
claims:
- id: all
  prose: All are lit.
  reachable: size(lit) = 4
"""
IN_PAIRS = """
rules:
- id: lamps
  prose: Four lamps.
  formal: |
    state lit: set of 1..4 = {}
- id: light
  prose: Light two beside one another.
  action: lamp in 1..3
  require:
    dark:
      prose: They are dark.
      that: lamp not in lit and lamp + 1 not in lit
  do: |
    add lamp to lit
    add lamp + 1 to lit
claims:
- id: all
  prose: All are lit.
  reachable: size(lit) = 4
"""


@story(LIT)
def test_facts_that_hold_at_the_start_need_not_be_made(game: Game) -> None:
    """All of four facts are needed, but two of them are there: plays of two plies suffice."""
    found = by_lengths(game, "all")
    assert found is not None
    assert (found.outcome, found.numbers) == (PROVED, {"plies": 2})


@story(IN_PAIRS)
def test_a_ply_may_make_several_facts_true(game: Game) -> None:
    """Four facts are needed, and each ply makes two of them."""
    found = by_lengths(game, "all")
    assert found is not None
    assert (found.outcome, found.numbers) == (PROVED, {"plies": 2})


SAND = """
rules:
- id: sand
  prose: Cards slide from a pile to the table while one waits.
  formal: |
    type Card = 1..3
    state pile: list of Card up to 3 = []
    state table: set of Card = {}
    state waited: 0..3 = 0
  setup: shuffle Card into pile
- id: wait
  prose: Wait.
  action: ()
  require:
    time:
      prose: There is time.
      that: waited < 3
  do: add 1 to waited
- id: slide
  prose: A card slides.
  reaction: size(table) < waited
  do: move top 1 of pile into table
claims:
- id: some
  prose: One lies on the table.
  reachable: not (table is empty)
"""


@story(SAND)
def test_a_reaction_may_be_the_first_to_make_a_fact_true(game: Game) -> None:
    """No action puts a card on the table, but a reaction does after an action that touches no card."""
    case = Case(game, game.claims["some"], Budget(20))
    assert by_argument(case, case.condition, TRAP) is None


PART = """
rules:
- id: row
  prose: A row of lamps, and a place in it.
  formal: |
    type Lamp = one of red, blue
    state place: 0 - 2..1 = 0 - 2
    state row: list of Lamp up to 3 = [blue]
- id: on
  prose: Go on.
  action: ()
  do: |
    place := place + 1
claims:
- id: shown
  prose: Two lamps are shown.
  reachable: |
    [blue, red] = row[place..place]
"""


@story(PART)
def test_a_part_of_a_list_of_no_possible_length_is_empty(game: Game) -> None:
    """Where the case at hand is impossible, the part had no length at all, and the greatest of none was
    asked.
    """
    found = by_lengths(game, "shown")
    assert found is None or found.outcome != PROVED
