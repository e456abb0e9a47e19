"""Search with memory: the same values as those found backwards from all ends, and strategies that hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from math import inf
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.budgets import Budget
from rulespec.code import TooLarge
from rulespec.core.game import Game
from rulespec.kernels.alphabeta import PLIES
from rulespec.language import load
from rulespec.solver.certify import Strategies, Strategy
from rulespec.solver.evidence import game_value
from rulespec.solver.evidence.positions import Positions
from rulespec.solver.evidence.problem import Case
from rulespec.solver.explore import CodeStates, NotInvariant, mtdf
from rulespec.solver.explore import strategies as strategies_found
from rulespec.solver.explore.best_play import ValueBounds
from rulespec.solver.explore.graph import Graph
from rulespec.solver.explore.mtdf import MtdSearch
from rulespec.solver.explore.state_space import Limits
from rulespec.solver.explore.states import LimitReached, NoValue, Unsound
from rulespec.solver.explore.strategies import check_choices
from rulespec.solver.explore.strategy_states import (
    CodeStrategy,
    InterpreterStrategy,
    StrategyStates,
    is_own,
    successors,
)
from rulespec.solver.methods import scheduler
from rulespec.solver.methods.best_play import search, strategies
from rulespec.solver.pairs.images import group_of

LINES = st.builds(
    lambda width, height, line: ("connect-four", None, {"width": width, "height": height, "in-line": line}),
    st.integers(3, 4),
    st.integers(1, 3),
    st.integers(2, 3),
)
SEEDS = st.builds(
    lambda claim, houses, seeds: ("kalah-small", claim, {"houses": houses, "seeds": seeds}),
    st.sampled_from([None, "by-how-much"]),
    st.integers(1, 2),
    st.integers(1, 2),
)
BOARDS = st.one_of(LINES, SEEDS, st.just(("hex", None, {"side": 2})), st.just(("hex", None, {"side": 3})))


def question(game: Game, name: str | None) -> Case:
    """The question what best play comes to."""
    claim = replace(next(iter(game.claims.values())), kind="value", condition=None, options={})
    return Case(game, game.claims[name] if name else claim, Budget(60))


def backwards(case: Case) -> int:
    """The value by the graph of all plays."""
    seen = Positions(case, Limits(60, 1_000_000, folded=False), ways=True)
    assert seen.all()
    return int(Graph(seen.states).values(case.claim.id if case.claim.condition is not None else None)[0])


def remembering(
    case: Case, symmetric: bool = False, room: bool = True, within: tuple[int, int] = (-99, 99)
) -> MtdSearch:
    """A search that has not begun."""
    name = case.claim.id if case.claim.condition is not None else None
    asked = {name: case.condition} if name else {}
    elements = group_of(case.game) if symmetric else ()
    space = CodeStates(case.game, asked, symmetries=elements, shown=True)
    assert space.deeper(lambda: "", 1000)
    return MtdSearch(space, name, within, lambda more: room)


MOST_FOLLOWED = 10_000
"""A search of so small a game that follows more states makes no headway."""


def value(found: MtdSearch, case: Case, guess: int = 0) -> int:
    """The value of the start by the search."""

    def limit() -> str:
        return "too many states" if found.expanded_count > MOST_FOLLOWED else ""

    low, high = found.settle(found.space.row(0), guess, limit)
    assert not found.stopped
    assert low == high
    return low


@settings(max_examples=12)
@given(BOARDS, st.integers(-2, 2), st.booleans(), st.booleans())
def test_values_are_those_found_backwards(board: Any, guess: int, symmetric: bool, learned: bool) -> None:
    name, claim, parameters = board
    case = question(load(name, parameters=parameters), claim)
    with pytest.MonkeyPatch.context() as patch:
        if learned:
            patch.setattr(mtdf, "PLUNGE", 1)
            patch.setattr(mtdf, "TRIAL", 100)
        assert value(remembering(case, symmetric), case, guess) == backwards(case)


@pytest.mark.parametrize("within", [(-1, 1), (-(1 << 20), 1 << 20)])
@pytest.mark.parametrize("parameters", [{"width": 3, "height": 3}, {"width": 4, "height": 2}])
def test_all_bounds_of_the_table_contain_the_value(
    monkeypatch: pytest.MonkeyPatch, parameters: dict[str, int], within: tuple[int, int]
) -> None:
    """A state at which the search stopped early kept the best of what it had looked at as the other bound.

    Bounds lie in bits that rows leave free, or where numbers are large in a word of their own. In a table
    that is nearly full, states share their seats with others.
    """
    monkeypatch.setattr(mtdf, "FIRST_SEATS", 16)
    case = question(load("connect-four", parameters={**parameters, "in-line": 3}), None)
    seen = Positions(case, Limits(60, 1_000_000, folded=False), ways=True)
    assert seen.all()
    values, found = Graph(seen.states).values(None), remembering(case, within=within)
    assert value(found, case) == values[0]
    bounds = {i: found.bounds(seen.states.row(i)) for i in range(len(values))}
    held = {i: (low, high) for i, (low, high, work) in bounds.items() if work}
    assert len(held) > 50
    assert {i: values[i] for i, (low, high) in held.items() if not low <= values[i] <= high} == {}


WIDE = """\
rulespec: 1
id: wide
title: A pile, and a row of places
players: 2
parameters:
  near-pile:
    type: 0..5
    default: 5
    prose: The one pile.
  far-pile:
    type: 0..5
    default: 4
    prose: The other pile.
rules:
- id: piles
  prose: A pile, and a long row that is taken at first.
  formal: |
    state pile: 0..5 = near-pile
    state row: set of 1..70 = those x in 1..70 where x <= far-pile
    state last: Player? = none
- id: take
  prose: Take from a pile.
  action: n in 1..5, from in 1..2
  written: take {n} from {from}
  require:
    enough:
      prose: So many are there.
      that: if from = 1 then n <= pile else n <= size(row)
  do: |
    if from = 1: remove n from pile
    if from = 2: row := those x in row where x <= size(row) - n
    last := mover
- id: gone
  prose: All is taken.
  end: pile + size(row) = 0
- id: winner
  prose: Whoever took the last one has won.
  winners: those p in Player where last = p
claims:
- id: value
  prose: Somebody wins.
  kind: value
"""


@pytest.mark.parametrize("room", [True, False])
def test_states_of_several_words_are_told_apart(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, room: bool
) -> None:
    """States were the same if their first words were, or their last, and no test saw it."""
    monkeypatch.setattr(mtdf, "FIRST_SEATS", 16)
    path = tmp_path / "wide.yaml"
    path.write_text(WIDE, "utf-8")
    for first, second in [(5, 4), (4, 4), (3, 5), (2, 2), (5, 1)]:
        case = question(load(path, parameters={"near-pile": first, "far-pile": second}), None)
        found = remembering(case, room=room, within=(-1, 1))
        assert len(found.space.row(0)) > 1
        assert value(found, case) == (1 if first != second else -1) == backwards(case)


@pytest.mark.parametrize("room", [True, False])
def test_a_small_table_grows_or_forgets(monkeypatch: pytest.MonkeyPatch, room: bool) -> None:
    monkeypatch.setattr(mtdf, "FIRST_SEATS", 16)
    case = question(load("tic-tac-toe"), None)
    found = remembering(case, room=room)
    assert value(found, case) == 0
    assert found.stored_count <= found.seats
    assert (found.seats == 16) == (not room)


def test_a_table_that_outgrows_the_machine_forgets(monkeypatch: pytest.MonkeyPatch) -> None:
    """The budget allowed for more than the machine has room for, and the search failed."""
    monkeypatch.setattr(mtdf, "FIRST_SEATS", 16)
    found = remembering(question(load("tic-tac-toe"), None))

    def full(*arrays: Any) -> None:
        raise TooLarge("it takes more than there is")

    monkeypatch.setattr(found.space, "double", full)
    assert value(found, question(load("tic-tac-toe"), None)) == 0
    assert found.seats == 16


RING = """
rulespec: 1
id: ring
title: A ring
players: 2
rules:
- id: go
  prose: Go to the next place on a ring of six, one way or the other.
  formal: |
    state spot: 0..5 = 0
  action: back in Bool
  written: go {back}
  do: spot := (spot + (if back then 5 else 1)) mod 6
- id: home
  prose: Whoever comes to place 3 wins.
  end: spot = 3
  winners: mover
claims:
- id: who
  prose: It is claimed.
  kind: value
"""

CORNER = """
rulespec: 1
id: corner
title: A corner
extends: tic-tac-toe
set: {width: 3, height: 2, in-line: 3}
claims:
- id: whose
  prose: It is claimed.
  value: if mark[Square(1, 1)] = 1 then 5 else if mark[Square(2, 1)] = 1 then 3 else 1
"""


PAYMENTS = """
rulespec: 1
id: payments
title: Payments
extends: tic-tac-toe
set: {width: 3, height: 2, in-line: 2}
claims:
- id: how-much
  prose: It is claimed.
  value: |
    (5 * count(s in Square where mark[s] = 1 and s.col = 1) + 3 * count(s in Square where mark[s] = 2)
    + 2 * count(s in Square where mark[s] = 1 and s.row = 1)) mod 7
- id: middle
  prose: It is claimed.
  value: if not over then 9 else if mark[Square(2, 1)] = 1 then 2 else 1
"""


def ruleset(folder: Path, text: str) -> Path:
    path = folder / "ruleset.yaml"
    path.write_text(text.strip(), "utf-8")
    return path


@pytest.mark.parametrize("line", [2, 3])
def test_ends_may_be_worth_anything(tmp_path: Path, line: int) -> None:
    """A reply that sufficed at once counted as the best one, though another end was worth more."""
    case = question(load(ruleset(tmp_path, PAYMENTS), parameters={"in-line": line}), "how-much")
    seen = Positions(case, Limits(60, 1_000_000, folded=False), ways=True)
    assert seen.all()
    values, start = Graph(seen.states).values("how-much"), remembering(case).space.row(0)
    for gamma in range(-9, 12):
        found = remembering(case)
        low, high = found.test(start, gamma, lambda: "")
        assert low <= values[0] <= high
        assert low >= gamma or high < gamma
        for i, worth in enumerate(values):
            low, high, work = found.bounds(seen.states.row(i))
            assert not work or low <= worth <= high


def test_images_of_ends_are_ends(tmp_path: Path) -> None:
    """Rows leave out that play goes on, so images of ends took it to go on."""
    case = question(load(ruleset(tmp_path, PAYMENTS)), "middle")
    assert value(remembering(case, symmetric=True), case) == backwards(case)


@pytest.mark.parametrize("symmetric", [True, False])
def test_pieces_that_change_sides_are_put_back(symmetric: bool) -> None:
    """Discs that were turned over were missing when an earlier position was taken up again."""
    case = question(load("othello-small"), "by-how-much")
    assert value(remembering(case, symmetric), case) == backwards(case)


def test_positions_that_come_back_are_refused(tmp_path: Path) -> None:
    case = question(load(ruleset(tmp_path, RING)), "who")
    with pytest.raises(NoValue, match="come back"):
        value(remembering(case), case)


def test_positions_that_come_back_late_are_refused_too(tmp_path: Path) -> None:
    """Successors are compared with a few positions before them, and those that are followed with all."""
    one_way = (
        ("0..5", "0..39"),
        ("+ (if back then 5 else 1)) mod 6", "+ 1) mod 40"),
        ("spot = 3", "spot > 39"),
    )
    text = RING
    for before, after in one_way:
        text = text.replace(before, after)
    case = question(load(ruleset(tmp_path, text)), "who")
    with pytest.raises(NoValue, match="come back"):
        value(remembering(case), case)


def test_random_plays_without_an_end_are_cut(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The move order is learned from random plays, and one of them that had no end was followed for ever."""
    monkeypatch.setattr(mtdf, "PLUNGE", 1)
    case = question(load(ruleset(tmp_path, RING.replace("spot = 3", "spot > 5"))), "who")
    with pytest.raises(NoValue, match="come back"):
        value(remembering(case), case)


def test_a_setup_that_faults_has_no_value(tmp_path: Path) -> None:
    """Nobody wins a play that faults before it has begun, and nobody draws it."""
    case = question(
        load(ruleset(tmp_path, RING.replace("  action: back", "  setup: spot := spot + 9\n  action: back"))),
        "who",
    )
    with pytest.raises(NoValue, match="without a result"):
        game_value.best_play(case).bounds()


def test_where_positions_come_back_all_are_looked_at(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A first look that sees nothing leaves the rest to the search, which gives up, and then to the graph."""
    plan = [step for step in scheduler.PLAN if step.method is not scheduler.FIRST]
    monkeypatch.setattr(scheduler, "PLAN", plan)
    found = scheduler.decide(question(load(ruleset(tmp_path, RING)), "who"))
    assert (found.outcome, found.numbers["value"]) == ("proved", 0)


def test_numbers_that_images_do_not_share_are_not_folded(tmp_path: Path) -> None:
    case = question(load(ruleset(tmp_path, CORNER)), "whose")
    with pytest.raises(NotInvariant):
        value(remembering(case, symmetric=True), case)
    assert value(remembering(case), case) == backwards(case)
    assert search(case).numbers == {"value": backwards(case)}


def case_of(name: str, claim: str, **parameters: int) -> Case:
    game = load(name, parameters=parameters)
    return Case(game, game.claims[claim], Budget(60))


@pytest.mark.parametrize(
    ("made", "low", "high"),  # a budget begins when its case is made, so not before the test does
    [
        (partial(case_of, "tic-tac-toe", "best-play"), 0, 0),
        (partial(case_of, "kalah-small", "by-how-much", houses=2), None, None),
        (partial(case_of, "hex-small", "first-wins"), 1, 1),
    ],
)
def test_strategies_show_what_a_search_has_found(
    made: Callable[[], Case], low: int | None, high: int | None
) -> None:
    case = made()
    found = game_value.best_play(case).bounds()
    assert found.span == ((low, high) if low is not None else (backwards(case),) * 2)
    listed = strategies(case, *found.span)
    written_down = Strategies(tuple(Strategy(*one) for one in listed))
    assert Strategies.parse(written_down.text()) == written_down
    assert game_value.best_play(case).held_against(listed).span == found.span


@pytest.mark.parametrize(
    ("name", "side", "bound", "plies"),
    [("hex-small", 1, 1, 5), ("tic-tac-toe", -1, 0, 9)],  # joined soonest; no draw before the board is full
)
def test_tests_of_some_plies_show_what_ends_in_time(name: str, side: int, bound: int, plies: int) -> None:
    whole = remembering(case_of(name, "first-wins" if side == 1 else "best-play"))
    for last in range(1, plies + 1):
        found, gamma = whole.apart(), bound if side == 1 else bound + 1
        low, high = found.test(found.space.row(0), gamma, lambda: "", plies=side * last)
        assert (low >= bound if side == 1 else high <= bound) == (last == plies)
    assert whole.stored_count == 0, "bounds of some plies do not get among those of whole plays"


@pytest.mark.parametrize("fails", ["", "a position comes back", "an action is not found again"])
def test_plays_of_a_strategy_are_short(fails: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The strategy for hex on 25 cells was not written down in 14 minutes, for its plays were long.

    Where tests of some plies fail, as in kalah, where a position comes after different plies, the search
    helps.
    """
    tested, known, asked = MtdSearch.test, MtdSearch.bounds, set()

    def test(
        self: MtdSearch, row: Any, gamma: int, limit: Any, most: float = inf, plies: int = 0
    ) -> tuple[int, int]:
        if plies and fails == "a position comes back":
            raise NoValue(fails)
        if plies and fails and most in (strategies_found.FEW, inf):
            return -1, 1
        asked.add((plies != 0, row))
        return tested(self, row, gamma, limit, most, plies)

    def bounds(self: MtdSearch, row: Any) -> tuple[int, int, int]:
        apart = bool(self._into[PLIES])
        return known(self, row) if not fails or not apart or (apart, row) in asked else (-1, 1, 0)

    monkeypatch.setattr(MtdSearch, "test", test)
    monkeypatch.setattr(MtdSearch, "bounds", bounds)
    case = case_of("hex-small", "first-wins")
    states = CodeStrategy(remembering(case).space, 1)
    hold(states, 1, strategies(case, 1, 1)[0][2])
    assert fails or len(states.counts) - 1 == 5


def hold(states: StrategyStates, bound: int, choices: Sequence[int]) -> None:
    check_choices(states, None, bound, choices, lambda: "")


@pytest.fixture(params=[CodeStrategy, InterpreterStrategy])
def follow(request: pytest.FixtureRequest) -> Callable[[Case, int], StrategyStates]:
    """The states of a case under a strategy of a side, found by code and by the interpreter."""
    return lambda case, side: request.param(remembering(case).space, side)


def test_a_strategy_that_shows_less_is_refused(follow: Callable[[Case, int], StrategyStates]) -> None:
    """Every other choice in every place of it, a choice too few and one too many, and a greater bound."""
    case = case_of("hex-small", "first-wins", side=2)
    choices = strategies(case, 1, 1)[0][2]
    wrong: list[tuple[int, Sequence[int]]] = [(2, choices), (1, choices[:-1]), (1, [*choices, 0])]
    wrong += [
        (1, [*choices[:i], x, *choices[i + 1 :]]) for i in range(len(choices)) for x in (-1, 99, 1 << 40)
    ]
    hold(follow(case, 1), 1, choices)
    for bound, listed in wrong:
        with pytest.raises(Unsound):
            hold(follow(case, 1), bound, listed)
    with pytest.raises(Unsound):
        hold(follow(case, -1), 0, choices)


DESCENT = """
rulespec: 1
id: descent
title: Descent
players: 2
rules:
- id: heights
  prose: Two climbers on their way down, one of whom may begin lower.
  formal: |
    state height: map Player -> 0..3 = 3
    state die: 1..2 = 1
    state last: Player? = none
  setup: |
    roll die from 1..2
    if die = 2: height[2] := 2
    die := 1
- id: descend
  prose: Go down one step or two.
  action: k in 1..2
  written: descend {k}
  require:
    room:
      prose: So many steps are left.
      that: height[mover] >= k
  do: |
    remove k from height[mover]
    last := mover
- id: turns
  prose: If you cannot descend, it ends, or you pass.
  turn:
    stuck: end
- id: winner
  prose: Whoever descended last wins.
  winners: those p in Player where last = p
claims:
- id: who
  prose: It is claimed.
  kind: value
"""


def descent(tmp_path: Path, before: str = "", after: str = "") -> Case:
    assert before in DESCENT
    return question(load(ruleset(tmp_path, DESCENT.replace(before, after) if before else DESCENT)), "who")


PLAYED: dict[str, Callable[[Path], Case]] = {
    "where plies differ": lambda path: case_of("kalah-small", "by-how-much", houses=2),
    "where starts differ": descent,
    "where players pass": lambda path: descent(path, "stuck: end", "stuck: pass"),
    "where rows are long": lambda path: question(load(ruleset(path, WIDE)), None),
}


@pytest.mark.parametrize("side", [1, -1])
@pytest.mark.parametrize("where", PLAYED)
def test_the_interpreter_and_the_code_follow_a_strategy_alike(where: str, side: int, tmp_path: Path) -> None:
    """A list of choices, here any choices, must mean the same to both."""
    space, random = remembering(PLAYED[where](tmp_path)).space, Random(1)
    found: list[StrategyStates] = [CodeStrategy(space, side), InterpreterStrategy(space, side)]
    while {states.deeper(lambda: "", 1 << 30) for states in found} == {True}:
        layers = [
            [*map(states.row, range(states.seen_count - states.counts[-1], states.seen_count))]
            for states in found
        ]
        assert layers[0] == layers[1]
        own = [row for row in layers[0] if is_own(found[0], row)]
        after = [after for row in own if (after := successors(found[0], row))]
        choices = [random.randrange(len(rows)) for rows in after]
        for states in found:
            states.choose(choices)
    assert [(states.closed, states.unused_count) for states in found] == [(True, 0)] * 2
    assert found[0].digest() == found[1].digest()


def test_every_reply_to_a_strategy_is_followed(follow: Callable[[Case, int], StrategyStates]) -> None:
    """Each position of the other side has all its successors, each of the own side one."""
    case = case_of("hex-small", "first-wins", side=2)
    states = follow(case, 1)
    hold(states, 1, strategies(case, 1, 1)[0][2])
    for number in range(states.states):
        row = states.row(number)
        after = [states.row(to) for way in states.ways_of(number) for to, _ in way]
        whole = successors(states, row)
        assert after == whole if not is_own(states, row) else len(after) == min(1, len(whole))


def test_a_strategy_that_was_not_followed_to_its_ends_shows_nothing(
    follow: Callable[[Case, int], StrategyStates],
) -> None:
    case = case_of("hex-small", "first-wins", side=2)
    states, choices, looks = follow(case, 1), strategies(case, 1, 1)[0][2], count()
    with pytest.raises(LimitReached, match="enough"):
        check_choices(states, None, 1, choices, lambda: "enough" if next(looks) > 1 else "")


@pytest.mark.parametrize(
    ("before", "after", "why"),
    [
        ("remove k", "roll die from 1..2\n    remove k", "chance"),
        (
            "    remove k",
            "    if height[1] + height[2] = 2: add 4 to height[2]\n    remove k",
            "fit its place",
        ),
    ],
)
def test_a_strategy_shows_nothing_where_plays_have_no_value(
    before: str, after: str, why: str, tmp_path: Path, follow: Callable[[Case, int], StrategyStates]
) -> None:
    case = descent(tmp_path, before, after)
    with pytest.raises(Unsound, match=why):
        hold(follow(case, 1), -1, [0] * 20)
    with pytest.raises(Unsound, match="more than there is"):
        hold(follow(descent(tmp_path), 1), -1, [0] * 20)


def test_strategies_show_no_value_where_something_is_hidden_or_players_are_many(tmp_path: Path) -> None:
    """A forged certificate was held against the plays of a game in which players do not see everything."""
    with pytest.raises(NoValue, match="hidden"):
        game_value.best_play(question(load("kuhn-poker"), None))
    many = load(ruleset(tmp_path, RING.replace("players: 2", "players: 2..3")), players=3)
    with pytest.raises(NoValue, match="more than two"):
        game_value.best_play(question(many, "who"))


def test_a_strategy_that_goes_round_is_refused(
    tmp_path: Path, follow: Callable[[Case, int], StrategyStates]
) -> None:
    case = question(load(ruleset(tmp_path, RING)), "who")
    with pytest.raises(Unsound, match="come back"):
        hold(follow(case, 1), 1, [0] * 20)


def test_a_search_that_runs_out_of_time_gives_bounds() -> None:
    case = case_of("connect-four-small", "best-play")
    part = ValueBounds([(0, 1)], "Some were followed", "code", "the 1 s allowed")
    found = game_value.answer(case, part)
    assert (found.outcome, found.numbers) == ("bounded", {"at_least": 0})
    assert found.stopped == "the 1 s allowed", "no check could find the limit again in a stored statement"
    lost = game_value.answer(case, ValueBounds([(-1, -1)], "Some were followed", "code"))
    assert (lost.outcome, lost.numbers) == ("refuted", {"value": -1})
    nothing = game_value.answer(case, ValueBounds([(-1, 1)], "Some were followed", "code", "1 s"))
    assert nothing.outcome == "undecided"


def test_bounds_refute_a_number_only_where_it_lies_outside() -> None:
    """Any claimed number was taken for 0, so bounds without 0 refuted whatever was claimed."""
    case = case_of("kalah-small", "by-how-much")
    for claimed, outcome in (("2", "bounded"), ("-4", "refuted"), ("9", "refuted")):
        asked = replace(case, claim=replace(case.claim, options={"is": claimed}))
        found = game_value.answer(asked, ValueBounds([(1, 3)], "Some were followed", "code", "1 s"))
        assert found.outcome == outcome


def test_a_budget_ends_a_search() -> None:
    case = replace(case_of("connect-four", "mirrored"), budget=Budget(0.2))
    game = case.game
    claim = replace(game.claims["mirrored"], id="who", kind="value", options={})
    found = search(replace(case, claim=claim))
    assert found.outcome == "undecided"
    assert "0.2 s" in found.remarks[0]
