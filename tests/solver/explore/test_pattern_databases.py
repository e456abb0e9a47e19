"""Searches led by pattern databases find plays as short as those of breadth-first search."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, assume, event, given, settings
from hypothesis import strategies as st

from rulespec.budgets import Budget
from rulespec.core.game import Game
from rulespec.core.verdicts import PROVED
from rulespec.language import load
from rulespec.solver.engines import choose
from rulespec.solver.evidence import exploration
from rulespec.solver.evidence.problem import Answer, Case
from rulespec.solver.explore import pattern_databases
from rulespec.solver.explore.state_space import Limits, forget
from rulespec.solver.pairs.interchangeable import abstraction

LIMITS = Limits(60, 1_000_000)

BY_SQUARE = """
    type Piece = 1..{pieces}
    state piece: map Square -> Piece? = none
    define free(s: Square) = piece[s] is none
"""
WITH_ZERO = """
    type Piece = 0..{pieces}
    state piece: map Square -> Piece = 0
    define free(s: Square) = piece[s] = 0
"""
MOVE = """
  action: a in Square, b in Square
  written: "{a}-{b}"
  require:
    there:
      prose: A piece moves.
      that: not free(a)
    free:
      prose: To a free square.
      that: free(b)
    near:
      prose: That is beside its own.
      that: PASS
  do: |
    piece[b] := piece[a]
    piece[a] := GAP
"""
SWAP = """
- id: swap
  prose: Two neighbours change places.
  action: a in Square, b in Square
  written: "swap {a}-{b}"
  require:
    near:
      prose: They are neighbours.
      that: a < b and beside(a, b) and not free(a) and not free(b)
  do: |
    swap piece[a] with piece[b]
"""


def document(
    kind: str,
    size: int,
    edges: Iterable[tuple[int, int]],
    begin: Sequence[int],
    end: Mapping[int, int],
    *,
    swaps: bool = False,
    leaps: bool = False,
    lost: int = 0,
    leaper: str = "",
    heavy: int = 0,
    goal: str = "",
    more: str = "",
) -> str:
    """A puzzle of pieces that move on a graph; those in `end` should come to their squares.

    The state holds the piece of each square, or has 0 for none. Neighbours may swap places; the first piece
    may leap anywhere, or that which a variable names from the beginning; the game is lost where the first
    comes to a square. Pieces are too heavy to move from a number on.
    """
    state, near = WITH_ZERO if kind == "zero" else BY_SQUARE, "beside(a, b)"
    if leaps:
        near = f"({near} or piece[a] = 1)"
    if heavy:
        near = f"({near} and piece[a] < {heavy})"
    if leaper:
        near = f"({near} or leaper is some and piece[a] = leaper)"
        state += "    state leaper: Piece? = none\n"

    def at(piece: int, square: int, sign: str) -> str:
        return f"piece[{square}] {sign} {piece}"

    return DOCUMENT.format(
        size=size,
        state=state.format(pieces=len(begin)),
        near=" or ".join(f"a = {a} and b = {b} or a = {b} and b = {a}" for a, b in edges),
        move=MOVE.replace("PASS", near).replace("GAP", "0" if kind == "zero" else "none"),
        swap=SWAP if swaps else "",
        put="\n    ".join([*(at(p, s, ":=") for p, s in enumerate(begin, 1)), leaper]),
        more=more,
        home=" and ".join(at(p, s, "=") for p, s in end.items()),
        goal=goal or "home",
        lost=f"- id: lost\n  prose: That is lost.\n  end: {at(1, lost, '=')}\n" if lost else "",
    )


@st.composite
def puzzles(draw: st.DrawFn) -> str:
    size = draw(st.integers(4, 6))
    edges = {(draw(st.integers(1, b - 1)), b) for b in range(2, size + 1)}
    more = draw(st.lists(st.tuples(st.integers(1, size), st.integers(1, size)), max_size=6))
    edges |= {(min(a, b), max(a, b)) for a, b in more if a != b}
    begin = draw(st.permutations(range(1, size + 1)))[: draw(st.integers(3, size - 1))]
    squares = draw(st.permutations(range(1, size + 1)))[: len(begin)]
    asked = draw(st.sets(st.integers(1, len(begin)), min_size=1))
    assume(any(begin[p - 1] != squares[p - 1] for p in asked))
    kind = draw(st.sampled_from(["square", "zero"]))
    return document(
        kind,
        size,
        sorted(edges),
        begin,
        {p: s for p, s in enumerate(squares, 1) if p in asked},
        swaps=draw(st.booleans()),
        leaps=draw(st.sampled_from([False, False, True])),
        lost=squares[-1] * draw(st.sampled_from([0, 0, 1])),
    )


DOCUMENT = """rulespec: 1
id: pieces
title: Pieces
summary: Move pieces to their squares.
players: 1
rules:
- id: board
  prose: Pieces stand on squares.
  formal: |
    type Square = 1..{size}{state}
    define beside(a: Square, b: Square) = {near}
    define home = {home}
- id: move
  prose: A piece moves.{move}{swap}
- id: solved
  prose: The pieces that matter are at home.
  end: home
  winners: 1
{lost}{more}- id: start
  prose: Pieces stand as they do.
  setup: |
    {put}
claims:
- id: can-be-solved
  prose: They can get home.
  reachable: {goal}
"""


def made(text: str) -> Game:
    with TemporaryDirectory() as folder:
        path = Path(folder) / "pieces.yaml"
        path.write_text(text, "utf-8")
        return load(str(path))


def case_of(game: Game) -> Case:
    return Case(game, game.claims["can-be-solved"], Budget(60))


def guided(case: Case, *, shortest: bool = True) -> Answer | None:
    return exploration.guided_search(case, LIMITS, shortest=shortest)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """Makes tables of so few states that patterns keep few pieces apart."""

    def limited(most: int) -> None:
        monkeypatch.setattr(pattern_databases, "SMALL", most)
        monkeypatch.setattr(pattern_databases, "LARGE", most)

    return limited


@settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(puzzles(), st.sampled_from([10, 200, 1_000_000]))
def test_plays_are_as_short_as_those_of_breadth_first_search(
    small: Callable[[int], None], text: str, most: int
) -> None:
    small(most)
    case = case_of(made(text))
    truth = exploration.explore(case, LIMITS)
    forget()
    assert truth is not None
    for shortest in (True, False):
        found = guided(case, shortest=shortest)
        event(f"{'found' if found else 'nothing'} by {most}")
        if found is None:
            continue
        assert found.outcome == truth.outcome == PROVED
        length = found.numbers["plies"]
        assert length == truth.numbers["plies"] if shortest else length >= truth.numbers["plies"]


RING = ((1, 2), (2, 3), (3, 4), (4, 5), (5, 6), (1, 6), (2, 5))
TURNED = {"begin": (1, 2, 3, 4, 5), "end": {1: 3, 2: 1, 3: 2, 4: 4, 5: 5}}


def compared(text: str) -> tuple[int, int]:
    """The plies of a shortest play by estimates, and of one found breadth first."""
    case = case_of(made(text))
    found, truth = guided(case), exploration.explore(case, LIMITS)
    forget()
    assert found is not None
    assert truth is not None
    assert found.proofs[0].data["shortest"] is True
    return found.numbers["plies"], truth.numbers["plies"]


@pytest.mark.parametrize("most", [50, 500, 1_000_000])
@pytest.mark.parametrize("kind", ["square", "zero"])
def test_however_the_state_says_where_pieces_are(kind: str, most: int, small: Callable[[int], None]) -> None:
    small(most)
    found, truth = compared(document(kind, 6, RING, **TURNED))
    assert found == truth > 10


@pytest.mark.parametrize("most", [200, 500, 1_000_000])
def test_costs_do_not_add_up_where_a_ply_moves_two_pieces(most: int, small: Callable[[int], None]) -> None:
    """Swaps move pieces of two patterns at once: with their costs added up, longer plays were shortest."""
    for edges, begin, end, plies in (
        (((1, 2), (1, 3), (2, 4), (3, 4), (3, 5), (3, 6)), (3, 6, 5, 4, 2), (3, 2, 4, 5, 6), 6),
        (((1, 2), (1, 3), (1, 4), (1, 5), (2, 3), (3, 6), (4, 5)), (4, 2, 1, 3, 6), (6, 4, 3, 1, 2), 5),
    ):
        small(most)
        text = document("square", 6, edges, begin, dict(enumerate(end, 1)), swaps=True)
        assert compared(text) == (plies, plies)


def test_a_piece_of_its_own_is_not_merged_with_others(small: Callable[[int], None]) -> None:
    small(50)
    found, truth = compared(document("square", 6, RING, **TURNED, leaps=True))
    assert found == truth


def test_a_class_holds_the_values_that_no_rule_names() -> None:
    for text, values in (
        (document("square", 6, RING, **TURNED), (1, 2, 3, 4, 5)),
        (document("zero", 6, RING, **TURNED), (1, 2, 3, 4, 5)),
        (document("square", 6, RING, **TURNED, leaps=True), (2, 3, 4, 5)),
    ):
        case = case_of(made(text))
        of = abstraction(case.game, case.condition, choose())
        assert of is not None
        assert of.values == values


def test_play_is_over_at_every_end_of_the_rules(small: Callable[[int], None]) -> None:
    small(500)
    free, bound = (compared(document("square", 6, RING, **TURNED, lost=square)) for square in (0, 2))
    assert free[0] == free[1] < bound[0] == bound[1]


def test_a_piece_that_a_variable_names_stays_that_piece(small: Callable[[int], None]) -> None:
    small(50)
    text = document("square", 6, RING, **TURNED, leaper="leaper := 1")
    case = case_of(made(text))
    of = abstraction(case.game, case.condition, choose())
    assert of is not None
    assert len(of.values) == 5
    found, truth = compared(text)
    assert found == truth


def test_what_the_next_turn_brings_is_not_left_out() -> None:
    more = "- id: turns\n  prose: Nothing else.\n  turn:\n    begin: |\n      piece[6] := none\n"
    case = case_of(made(document("square", 6, RING, **TURNED, more=more)))
    assert abstraction(case.game, case.condition, choose()) is None


def test_a_goal_that_asks_how_play_stands_is_none_of_the_rules_without_ends() -> None:
    for goal in ("home and not over", "home and not can move"):
        case = case_of(made(document("square", 6, RING, **TURNED, goal=goal)))
        assert abstraction(case.game, case.condition, choose()) is None


def test_values_that_the_rules_tell_apart_are_not_merged() -> None:
    """No rule names a piece, but one tells those of greater numbers from the others."""
    case = case_of(made(document("square", 6, RING, **TURNED, heavy=5)))
    assert abstraction(case.game, case.condition, choose()) is None
