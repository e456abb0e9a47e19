"""Static analyses of expressions: each ruleset is one that was once analysed wrongly."""

from __future__ import annotations

from dataclasses import replace

import pytest
from confirming import Space
from stories import outcomes, story

from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.traversal import inline_call
from rulespec.core.types import BOOL
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.solver.analyses.weights import NotWeighed, weights_of
from rulespec.solver.evidence import inequalities
from rulespec.solver.formulas.dependencies import Dependencies
from rulespec.solver.formulas.linear.equivalences import Keys
from rulespec.solver.formulas.linear.linear_forms import linear_form

# ---- `can` depends on all that legality depends on

HEAP = """
rules:
- id: heap
  prose: A heap, and lamps that change nothing.
  formal: |
    state heap: 0..4 = 4
    state lit: Bool = 1 = 2
    define takeable: Bool = can take
- id: take
  prose: Take one.
  action: ()
  require:
    left:
      prose: One is left.
      that: heap > 0
  do: remove 1 from heap
- id: light
  prose: Light the lamp.
  action: ()
  require:
    dark:
      prose: It is dark.
      that: not lit
  do: lit := 1 = 1
claims:
- id: takes
  prose: One can always take, which is wrong.
  invariant: can take
- id: takeable
  prose: The same, by a definition.
  invariant: takeable
- id: either
  prose: One can take or nothing is left.
  invariant: can take or heap = 0
- id: stuck-there
  prose: In the end nothing can be taken.
  reachable: not (can take)
- id: helped
  prose: Nothing can be taken and something is left.
  reachable: not (can take) and heap > 0
  helped-by: [either]
- id: below
  prose: The heap is at most what can be taken, less one.
  reachable: heap <= (if can take then 1 else 0) - 1
- id: most
  prose: What can be taken.
  most: if can take then 1 else 0
"""


@story(HEAP)
def test_can_depends_on_the_state_that_legality_reads(game: Game) -> None:
    """A claim `can take` was held to depend on no variable, so that no ply could change it."""
    assert outcomes(game, "takes") == outcomes(game, "takeable") == {REFUTED}
    assert Dependencies(game).reads(game.claims["takes"].always) == {game.mover, game.state["heap"]}


@story(HEAP)
def test_can_is_no_constant(game: Game) -> None:
    """Conditions that read nothing but `can` were evaluated as constants."""
    assert outcomes(game, "helped", "either") == {REFUTED}
    assert outcomes(game, "below") == {REFUTED}
    assert outcomes(game, "most") == {PROVED}
    assert PROVED in outcomes(game, "either")
    assert outcomes(game, "stuck-there") == {PROVED}


def test_laws_that_ask_of_their_own_actions_are_read_once() -> None:
    """Collecting the variables of a legality test that contains itself never ended."""
    core = made_to_ask_itself()
    assert Dependencies(core).reads(core.actions["hop"]) == {core.mover, core.state["at"]}


def made_to_ask_itself() -> Game:
    from families import hops

    core = hops()
    hop = core.actions["hop"]
    asking = replace(
        hop.requirements[0], condition=n.And(BOOL, (hop.requirements[0].condition, n.Can(BOOL, "hop", ())))
    )
    return replace(core, actions={**core.actions, "hop": replace(hop, requirements=(asking,))})


# ---- sums leave out what is none

MARKS = """
rules:
- id: marks
  prose: Places that may be marked.
  formal: |
    type Place = 1..4
    type Mark = 1..2
    state m: map Place -> Mark? = none
    state s: set of Place = {}
- id: mark
  prose: Mark a place.
  action: p in Place, k in Mark
  require:
    free:
      prose: It is free.
      that: m[p] is none
  do: |
    m[p] := k
    add p to s
claims:
- id: low
  prose: A place without a mark adds nothing, so this is wrong.
  invariant: sum(m[p] - 3 for p in Place) >= -5
- id: other-side
  prose: The same the other way round.
  invariant: sum(3 - m[p] for p in Place) <= 5
- id: branches
  prose: What is none in one branch adds nothing.
  invariant: "sum(if p in s then none else 2 for p in Place) + sum(if p = 1 then none else 2 for p in s) <= 8"
- id: falls
  prose: Three for each place, and what it lacks of that; it rises with the first mark.
  terminates: 12 + sum(m[p] - 3 for p in Place)
- id: ends
  prose: Fewer and fewer are free.
  terminates: 8 + sum(m[p] - 3 for p in Place) + sum(0 - m[p] + 3 for p in Place where m[p] is some) - size(s)
"""


@story(MARKS)
def test_a_summand_that_is_none_adds_nothing(game: Game, monkeypatch: pytest.MonkeyPatch) -> None:
    """`m[p] - 3` was split into `m[p]` and `-3`, and `-3` was added even where `m[p]` is none."""
    monkeypatch.setattr(inequalities, "FEWEST_FACTS", 1)
    assert outcomes(game, "low") == outcomes(game, "other-side") == {REFUTED}
    assert outcomes(game, "branches") == {PROVED}
    space = Space(game)
    for name in ("falls", "ends"):
        number = game.claims[name].condition
        assert number is not None
        total = linear_form(number)
        for position in space.depths:
            added = sum(f.weight for f in total.facts if space.value(f.fact, position))
            assert total.base + added == space.value(number, position)


EMPTIED = """
rules:
- id: places
  prose: Places with a token each.
  formal: |
    type Place = 1..3
    type One = 1..1
    state m: map Place -> One? = 1
- id: clear
  prose: Clear a place.
  action: p in Place
  require:
    held:
      prose: It has its token.
      that: m[p] is some
  do: |
    m[p] := none
claims:
- id: ends
  prose: They end, but this rises.
  terminates: 6 + sum(m[p] - 3 for p in Place)
"""


@story(EMPTIED)
def test_a_measure_that_rises_by_what_is_none_shows_nothing(game: Game) -> None:
    """A measure that rises proved that every play ends within 0 plies."""
    assert PROVED not in outcomes(game, "ends")


# ---- a call outside the parameters of a definition gives nothing

OUTSIDE = """
rules:
- id: rows
  prose: Two rows.
  formal: |
    type Card = 1..3
    state row: map 1..2 -> list of Card up to 3 = []
    define length(q: 1..1): 0..3 = size(row[q])
    define always(q: 1..1): Bool = 1 = 1
    define beyond(q: 1..2): set of 1..1 = {1}
  setup: |
    for c in Card: put c under row[2]
- id: move
  prose: Move one.
  action: ()
  require:
    some:
      prose: There is one.
      that: row[2] is not empty
  do: |
    move top of row[2] onto row[1]
claims:
- id: nothing
  prose: The second row has no length that this could ask, so it is wrong.
  invariant: sum(length(q) for q in 1..2) = 0
- id: all
  prose: Only of the first row this holds.
  invariant: (every q in 1..2 satisfies always(q)) and row[1] is empty
"""


@story(OUTSIDE)
def test_a_call_outside_its_parameters_adds_nothing(game: Game) -> None:
    """Both rows were counted although the call is none for one of them."""
    assert outcomes(game, "nothing") == {REFUTED}
    number = game.claims["nothing"].always.a  # type: ignore[attr-defined]
    with pytest.raises(NotWeighed):
        weights_of(number, Dependencies(game))


@story(OUTSIDE)
def test_a_call_written_out_gives_nothing_outside_its_parameters(game: Game) -> None:
    """A call was replaced by the body of its definition even for arguments that it does not accept."""
    assert outcomes(game, "all") == {REFUTED}
    call = game.claims["nothing"].always.a.body  # type: ignore[attr-defined]
    q = game.claims["nothing"].always.a.var  # type: ignore[attr-defined]
    machine = Machine(game)
    start = machine.situation(machine.start(Chance("0")).position)
    assert [evaluate(inline_call(call), {q: place}, start) for place in (1, 2)] == [0, None]


# ---- ranges with gaps, and sources that are not all positions

POURED = """
rules:
- id: piles
  prose: Two piles.
  formal: |
    type Piece = 1..2
    type Odd = i in 1..4 where i mod 2 = 1 or i = 4
    state here: list of Piece up to 4 = [1, 2, 1, 2]
    state there: list of Piece up to 4 = []
    state low: -1..1 = 1
- id: pour
  prose: Pour what lies at some places; the rest is lost.
  action: ()
  require:
    first:
      prose: Nothing was poured yet.
      that: there is empty
  do: |
    for i in Odd: put here[i] under there
    here := []
- id: sink
  prose: Sink.
  action: ()
  do: low := -1
claims:
- id: kept
  prose: One piece in four is lost.
  invariant: size(here) + size(there) = 4
- id: counted
  prose: Only while something is not below nothing it counts anything.
  invariant: |
    sum(here[i] for i in (those i in 1..4 where i <= size(here) and 0 <= low))
      + sum(there[i] for i in 1..size(there)) >= 6
"""


@story(POURED)
def test_a_range_with_gaps_does_not_have_all_positions(game: Game) -> None:
    """A loop over 1, 2 and 4 was held to visit all four positions."""
    assert outcomes(game, "kept") == {REFUTED}


ACROSS = """
rules:
- id: rows
  prose: Two rows.
  formal: |
    type Card = 1..2
    state row: map 1..2 -> list of Card up to 2 = [1]
- id: rest
  prose: Rest.
  action: ()
  do: nothing
claims:
- id: across
  prose: At each position of the first row, how much lies there in all rows.
  most: sum(sum(row[r][i] for r in 1..2) for i in 1..size(row[1]))
"""


@story(ACROSS)
def test_a_sum_over_the_positions_of_one_list_of_what_lies_in_others_is_not_weighed(game: Game) -> None:
    """The key of the other list was evaluated before its variable had a value."""
    number = game.claims["across"].condition
    assert number is not None
    with pytest.raises(NotWeighed):
        weights_of(number, Dependencies(game))


@story(POURED)
def test_a_sum_over_some_positions_under_another_condition_is_not_weighed(game: Game) -> None:
    """A condition counted as a bound on positions even if it was about something else."""
    number = game.claims["counted"].always.b.a  # type: ignore[attr-defined]
    with pytest.raises(NotWeighed):
        weights_of(number, Dependencies(game))


# ---- both branches of a choice alike

ALIKE = """
rules:
- id: number
  prose: A number.
  formal: |
    state n: 0..2 = 0
- id: step
  prose: Step.
  action: ()
  require:
    less:
      prose: It is less than 2.
      that: n < 2
  do: n := n + 1
claims:
- id: fine
  prose: Both branches give the same.
  invariant: (if n = 1 then 2 else 2) <= 2
- id: sets
  prose: The same with sets.
  invariant: size(if n = 1 then {1, 2} else {1, 2}) = 2
"""


@story(ALIKE)
def test_an_operand_folded_to_a_constant_is_evaluated_as_one(game: Game) -> None:
    """An `if` with equal branches was folded, and the expression around it was evaluated without a state."""
    for name in ("fine", "sets"):
        assert outcomes(game, name) == {PROVED}
        Keys(game).of(game.claims[name].always)
