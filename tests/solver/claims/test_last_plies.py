"""Plies after which no other follows: those that fault, and those that end a play soon."""

from __future__ import annotations

import pytest
from confirming import Space, wrong
from stories import answers, outcomes, story

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.solver.evidence import k_induction
from rulespec.solver.evidence.problem import Case

# ---- plays that end by a fault

FAULTY = """
rules:
- id: number
  prose: A number.
  formal: |
    state n: 0..3 = 0
    state d: -1..3 = 3
- id: step
  prose: Step; the fourth does not fit.
  action: ()
  do: n := n + 1
claims:
- id: ends
  prose: After 4 plies, the last of which faults.
  terminates: 3 - n
- id: faults
  prose: After 4 plies.
  kind: never-faults
"""


@story(FAULTY)
def test_the_ply_that_faults_is_a_ply(game: Game) -> None:
    """From a position with measure 0 one more ply is possible, if it faults."""
    assert PROVED in outcomes(game, "ends")
    assert answers(game, "ends")["measure"].numbers == {"plies": 4}  # type: ignore[union-attr]


BELOW = """
rules:
- id: number
  prose: A number.
  formal: |
    state d: -1..3 = 3
    state still: Bool = 1 = 2
- id: sink
  prose: Sink.
  action: ()
  require:
    above:
      prose: It is not below nothing.
      that: d >= 0
  do: d := d - 1
claims:
- id: ends
  prose: After 4 plies.
  terminates: d
- id: at-once
  prose: It is negative from the start, and no play has a ply then.
  terminates: 0 - 3 - d
"""


@story(BELOW)
def test_the_ply_that_makes_a_measure_negative_is_a_ply(game: Game) -> None:
    """A measure that is nonnegative before each ply may be negative after the last, which was not counted."""
    assert answers(game, "ends")["measure"].numbers == {"plies": 4}  # type: ignore[union-attr]
    outcomes(game, "at-once")


NEVER_BEGUN = """
rules:
- id: number
  prose: A number.
  formal: |
    state n: 0..3 = 0
- id: step
  prose: Nobody can.
  action: ()
  require:
    never:
      prose: Never.
      that: n > 3
  do: n := n + 1
claims:
- id: ends
  prose: It ends at once.
  terminates: 0 - 6 - n
"""


@story(NEVER_BEGUN)
def test_no_play_ends_within_a_negative_number_of_plies(game: Game) -> None:
    """A measure that is negative at the start was reported as the number of plies."""
    assert answers(game, "ends")["measure"].numbers == {"plies": 0}  # type: ignore[union-attr]


BROKEN_SETUP = """
rules:
- id: pile
  prose: A pile that is full.
  formal: |
    type Card = 1..2
    state pile: list of Card up to 2 = [1, 2]
    state n: 0..2 = 0
  setup: put 1 under pile
- id: step
  prose: Step.
  action: ()
  require:
    less:
      prose: Less.
      that: n < 2
  do: add 1 to n
claims:
- id: two
  prose: Two steps, which nobody can take.
  reachable: n = 2
- id: none
  prose: No step at all.
  reachable: n = 0
- id: most
  prose: The most.
  most: n
"""


@story(BROKEN_SETUP)
def test_nothing_is_played_after_a_setup_that_faults(game: Game) -> None:
    """Plays were searched for from a start that has faulted, and the interpreter refused them."""
    assert outcomes(game, "two") == {REFUTED}
    assert outcomes(game, "none") == {PROVED}
    assert PROVED in outcomes(game, "most")


# ---- inductions that look back several plies

LATE = """
rules:
- id: clock
  prose: A clock that stops soon, and a lamp.
  formal: |
    state clock: 0..5 = 0
    state lit: Bool = 1 = 2
- id: switch
  prose: Switch it on; that is the end.
  action: ()
  require:
    early:
      prose: The clock has not begun.
      that: clock = 0
  do: |
    lit := 1 = 1
    clock := 5
- id: wait
  prose: Wait.
  action: ()
  require:
    running:
      prose: It runs.
      that: clock < 3
  do: add 1 to clock
claims:
- id: dark
  prose: It is switched on by the first ply.
  invariant: not lit
"""


@story(LATE)
def test_a_deeper_induction_asks_each_of_the_first_plies(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """The base of a deeper induction ignored plays that end within its first plies."""
    assert outcomes(game, "dark") == {REFUTED}
    monkeypatch.setattr(k_induction, "_step_holds", lambda *_: True)
    case = Case(game, game.claims["dark"], Budget(20))
    found = k_induction.at_depth(case, 3)
    assert found is not None
    assert (found.outcome, found.numbers) == (REFUTED, {"plies": 1})
    assert wrong(Space(game), case, found) == ""
