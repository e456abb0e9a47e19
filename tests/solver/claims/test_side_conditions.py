"""Side conditions of proofs: each test fails if its condition is removed."""

from __future__ import annotations

from pathlib import Path

import pytest
from stories import made, outcomes, story

from rulespec.budgets import Budget
from rulespec.core import nodes as n
from rulespec.core.diagnostics import RulesetError
from rulespec.core.game import Game
from rulespec.core.types import BOOL, Set, integers
from rulespec.core.verdicts import PROVED, REFUTED
from rulespec.solver.evidence import conservation
from rulespec.solver.evidence.problem import Case
from rulespec.solver.formulas.cone_of_influence import lower_bound, size_lower_bound
from rulespec.solver.formulas.linear.linear_cases import cases_of
from rulespec.solver.formulas.monotone import monotone
from rulespec.solver.methods.farkas_multipliers import least_bound
from rulespec.solver.reductions.remembering import numbers

# ---- numbers that fall, and lists of numbers

LISTS = """
rules:
- id: places
  prose: Places.
  formal: |
    type Place = 1..3
    type Mark = 1..2
    state m: map Place -> Mark? = none
    state k: 0..3 = 0
    define next(p: Place): Place? = Place(p + 1)
- id: mark
  prose: Mark a place, and count.
  action: p in Place
  require:
    few:
      prose: Few.
      that: k < 3
  do: |
    m[p] := 1
    add 1 to k
claims:
- id: listed
  prose: It rises.
  never-falls: "{list}"
"""


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("[if p = 1 then none else k for p in Place]", 2),
        ("[if p = 1 then k else if p = 2 then none else k + 1 for p in Place]", 2),
        ("[next(p) for p in Place]", 2),
        ("[k, 4 mod 0, if 1 = 2 then none else k]", 2),
        ("[4 mod -2 otherwise 1, 2 + 2]", 2),
        ("[k for x in [3, 3, 1]]", 3),
        ("k", 1),
    ],
)
def test_lists_of_numbers_are_those_that_are_some(tmp_path: Path, text: str, count: int) -> None:
    """The second branch of an `if` was held to be none, and lists of constants to be empty."""
    game = made(tmp_path, LISTS.replace("{list}", text))
    assert len(numbers(game.claims["listed"])) == count
    assert outcomes(game, "listed") == {PROVED}


@pytest.mark.parametrize(
    "text",
    [
        "[m[p] for p in Place]",
        "[if p = 1 then m[p] else none for p in Place]",
        "[m[1], k]",
        "[k for p in Place where m[p] is none]",
    ],
)
def test_a_list_whose_length_the_state_decides_is_refused(tmp_path: Path, text: str) -> None:
    """Comparing such lists by length says nothing about falling numbers."""
    with pytest.raises(RulesetError, match="a list of numbers for values that are known beforehand"):
        made(tmp_path, LISTS.replace("{list}", text))


# ---- side conditions that no test had asked for

RISING = """
rules:
- id: number
  prose: A number that may be lowered by what is added.
  formal: |
    state n: 0..3 = 2
    state steps: 0..3 = 0
- id: step
  prose: Step.
  action: k in -1..1
  require:
    low:
      prose: It stays small.
      that: n + k >= 0 and n + k <= 3 and steps < 3
  do: |
    n := n + k
    steps := steps + 1
claims:
- id: none
  prose: It comes to nothing.
  reachable: n = 0
"""


@story(RISING)
def test_adding_what_may_be_negative_lets_a_number_fall(game: Game) -> None:
    """A goal that bounds a number from above bounds it all along only if nothing lowers it."""
    assert {v.name for v in monotone(game)} == {"steps"}
    assert outcomes(game, "none") == {PROVED}


LAMPS = """
rules:
- id: lamps
  prose: Three lamps.
  formal: |
    state a: Bool = 1 = 2
    state b: Bool = 1 = 1
    state c: Bool = 1 = 2
- id: switch
  prose: Switch the third.
  action: ()
  do: c := not c
claims:
- id: most
  prose: At most two.
  most: (if a and c then 4 else 0) + (if b and c then 2 else 0)
"""


@story(LAMPS)
def test_false_facts_leave_sums_and_certain_facts_are_constant(game: Game) -> None:
    """Under the assumption that one lamp is dark and another lit, terms with the first vanish, and terms with
    the second lose that condition."""
    a, b = (n.Get(BOOL, game.state[name]) for name in "ab")
    number = game.claims["most"].condition
    assert least_bound(cases_of(game, number, True, [n.Not(BOOL, a), b]))[0] == 2
    assert least_bound(cases_of(game, number, True, [n.Not(BOOL, a), a]))[0] is not None


SHELVES = """
rules:
- id: shelves
  prose: Two shelves.
  formal: |
    type Book = 1..2
    type Shelf = 1..2
    state shelf: map Shelf -> list of Book up to 4 = []
    define right(s: Shelf): Shelf? = if s < 2 then s + 1 else none
  setup: |
    for s in Shelf: shelf[s] := [1, 2]
- id: move
  prose: Carry a shelf to the right of another.
  action: s in Shelf, t in Shelf
  do: |
    let carried be shelf[s]
    shelf[s] := []
    {store}
claims:
- id: kept
  prose: No book is lost, which is wrong.
  invariant: size(shelf[1]) + size(shelf[2]) = 4
"""


@pytest.mark.parametrize(
    "store", ["shelf[right(t)] := shelf[right(t)] + carried", "shelf[t + 1] := shelf[t + 1] + carried"]
)
def test_a_store_at_no_key_is_lost(tmp_path: Path, store: str) -> None:
    """A store at a key that is none or out of range has no effect, so the stored elements are lost."""
    game = made(tmp_path, SHELVES.replace("{store}", store))
    assert conservation.by_flow(Case(game, game.claims["kept"], Budget(20))) is None
    assert outcomes(game, "kept") == {REFUTED}


NEVER = """
rules:
- id: pile
  prose: A pile that is shuffled, and a lamp that nobody lights.
  formal: |
    type Card = 1..2
    state pile: list of Card up to 2 = []
    state heap: 0..2 = 2
    state taken: 0..2 = 0
    state lit: Bool = 1 = 2
  setup: |
    shuffle Card into pile
    lit := 2 = 1
- id: take
  prose: Take one.
  action: ()
  require:
    left:
      prose: One is left.
      that: heap > 0 and taken < 2
  do: |
    remove 1 from heap
    add 1 to taken
- id: heap-up
  prose: Put one more on the pile, and on the heap; nobody can.
  action: c in Card
  require:
    never:
      prose: Never.
      that: lit and heap > 2
  do: |
    put c under pile
    add 1 to heap
claims:
- id: fits
  prose: It does.
  kind: never-faults
- id: together
  prose: There are two.
  invariant: heap + taken = 2
"""


@pytest.mark.parametrize("game", [NEVER, NEVER.replace("    put c under pile\n", "")], indirect=True)
def test_impossible_actions_are_skipped(game: Game) -> None:
    """Choices of an impossible action, and lists that only it fills, were looked up in states that do not
    encode them."""
    for name in ("fits", "together"):
        assert outcomes(game, name) == {PROVED}


UNREAD = """
rules:
- id: places
  prose: Places that are marked, and nobody asks which.
  formal: |
    type Place = 1..2
    state m: map Place -> Place? = none
    state seen: map Place -> Place? = none
    state told: map Place -> Place? = none
    state n: 0..2 = 0
  setup: m[1] := 1
- id: mark
  prose: Mark a place.
  action: p in Place
  require:
    few:
      prose: Few.
      that: n < 2
  do: |
    m[p] := p
    told[p] := p
    add 1 to n
claims:
- id: twice
  prose: It can be done.
  reachable: n = 2
- id: seen
  prose: Nothing is seen.
  reachable: seen[2] is some
- id: told
  prose: Something is told.
  reachable: told[2] is some
"""


@story(UNREAD)
def test_variables_outside_the_cone_are_not_encoded_at_the_start(game: Game) -> None:
    """A fact about a variable outside the cone of influence was looked up in the first state."""
    assert outcomes(game, "twice") == outcomes(game, "told") == {PROVED}
    assert outcomes(game, "seen") == {REFUTED}


# ---- bounds read off the form of a number

SIZES = """
rules:
- id: sets
  prose: Sets.
  formal: |
    type Small = 1..2
    state n: 0..9 = 0
    state k: 0..5 = 5
    state j: 0..2 = 2
    define pair(c: Small): set of Small = {c}
    define chain(c: 0..2 falling): set of Small = if c = 0 then {1} else chain(c - 1) + {2}
- id: grow
  prose: Grow.
  action: c in 1..3
  require:
    room:
      prose: There is room.
      that: n < 3
  do: |
    n := n + size(pair(c))
- id: creep
  prose: Creep.
  action: ()
  require:
    room:
      prose: There is room.
      that: n < 3
  do: n := n + size(those d in Small reached from {3, k} through b where d = b)
- id: long
  prose: Add a chain.
  action: ()
  require:
    room:
      prose: There is room.
      that: n < 3
  do: n := n + size(chain(j))
claims:
- id: still
  prose: It stays nothing, by the third choice.
  reachable: n = 0
"""


@story(SIZES)
def test_a_set_that_may_be_none_has_least_size_zero(game: Game) -> None:
    """A call outside its parameters gives the empty set, as does a closure from outside its source; recursive
    definitions were followed for ever."""
    sizes = [e.value.b for e in (game.actions[name].effect for name in ("grow", "creep", "long"))]  # type: ignore[attr-defined]
    assert [lower_bound(e, {}) for e in sizes] == [0, 0, 0]
    far = n.Var("far", integers(-3, -1))
    assert lower_bound(n.Local(far.type, far), {far: n.Domain(Set(far.type), far.type)}) == -3  # type: ignore[arg-type]
    assert size_lower_bound(n.SetOf(sizes[0].item.type, (n.Const(game.types["Small"], 1),)), {}) == 1


RECURSIVE = """
rules:
- id: count
  prose: A counter asked by a definition that uses itself.
  formal: |
    state n: 0..3 = 0
    state far: 0..3 = 0
    define few(k: 0..3 falling): Bool = n <= k or k > 0 and few(k - 1)
- id: step
  prose: Step.
  action: ()
  require:
    few:
      prose: Few.
      that: few(2)
  do: |
    add 1 to n
    add 1 to far
claims:
- id: there
  prose: It gets to three.
  reachable: far = 3
- id: most
  prose: The most.
  most: far
"""


@story(RECURSIVE)
def test_counters_read_by_recursive_definitions_are_kept(game: Game) -> None:
    """Recursive definitions were followed for ever."""
    assert PROVED in outcomes(game, "most")
