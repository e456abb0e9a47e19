"""Plies in their order: effects, reactions, ends, turns, passing, chance, faults."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace

import handmade
import pytest
from building import assign, block, const, equal, get, local, number, seats

from rulespec.core import nodes as n
from rulespec.core.game import Outcome, Turn
from rulespec.core.types import BOOL, List, Map, Set, Value, integers
from rulespec.play.chance import Chance, ChanceError
from rulespec.play.face import Game, State, load
from rulespec.play.legal import Listing
from rulespec.play.machine import Machine


def test_a_reaction_follows_the_action_and_an_end_follows_the_reaction() -> None:
    state = Game(handmade.nim()).start()
    state = state.play("take 1 from a")
    assert state.to_data()["gone"] == 1
    assert state.to_move == 2
    state = state.play("take 2 from b")
    assert (state.ended_by, state.to_data()["gone"], state.to_data()["over"]) == ("cleared", 2, True)
    assert state.to_data()["mover"] == 2, "the mover stays who acted"
    assert (state.winners, state.to_move, state.actions()) == ((2,), None, [])


def test_a_turn_begins_with_its_roll_and_goes_on_after_a_one() -> None:
    state = Game(handmade.race()).start(chance=["1", "2"])
    assert state.to_data()["roll"] == 1
    state = state.play("run")
    assert (state.to_move, state.to_data()["roll"]) == (1, 1)
    assert state.chance == ("1",), "no new roll in the same turn"


def test_who_can_do_nothing_passes_and_the_next_player_rolls() -> None:
    start = Game(handmade.race()).position({"at": {"1": 3, "2": 1}, "roll": 1, "mover": 2}, chance=["2", "2"])
    after = start.play("run")
    assert (after.to_move, after.to_data()["roll"]) == (2, 1)
    start = Game(handmade.race()).position({"at": {"1": 3, "2": 0}, "roll": 2, "mover": 2}, chance=["2", "2"])
    after = start.play("run")
    assert (after.to_move, after.chance) == (2, ("2", "2")), "player 1 could not run and was passed over"


def test_a_game_in_which_nobody_can_act_is_over() -> None:
    start = Game(handmade.race()).position({"at": {"1": 3, "2": 1}, "roll": 2, "mover": 2}, chance=["2", "2"])
    after = start.play("run")
    assert (after.ended_by, after.chance, after.values["mover"]) == ("stuck", ("2", "2"), 2)


def test_stuck_ends_the_game_with_the_stuck_player_as_mover() -> None:
    core = handmade.nim()
    core = replace(core, ends=())
    state = Game(core).start().play("take 1 from a").play("take 2 from b")
    assert (state.ended_by, state.values["mover"]) == ("stuck", 1)


def test_a_value_its_place_does_not_hold_ends_the_play_and_is_not_stored() -> None:
    game = Game(handmade.race())
    before = game.position({"won": {"1": 3, "2": 0}, "roll": 3}, chance=["2"])
    after = before.play("bet")
    assert after.fault is not None
    assert str(after.fault) == "`won[1]` would become 5, but it can only hold 0..3"
    assert after.to_data() == before.to_data()
    assert (after.is_over, after.ended_by, after.winners, after.actions()) == (True, "fault", (), [])
    assert [r.kind for r in after.why_not("bet")] == ["over"]


def test_weights_rule_out_and_favour() -> None:
    game = Game(handmade.race(purse=3))
    with pytest.raises(ChanceError, match="draw 1 cannot give 0"):
        game.position({"roll": 3}, chance=["0"]).play("bet")
    drawn = [game.position({"roll": 3}, seed=s).play("bet").chance[0] for s in range(300)]
    assert set(drawn) == {"1", "2"}
    assert 160 < drawn.count("2") < 240, "2 has two of three chances"


def test_chance_that_is_missing_or_impossible_is_refused() -> None:
    game = Game(handmade.ziggurat())
    with pytest.raises(ChanceError, match="draw 1 has no outcome"):
        game.start(chance=[])
    with pytest.raises(ChanceError, match="must order"):
        game.start(chance=["[0-0, 0-0, 1-1]"])
    with pytest.raises(ChanceError, match="`2-2` is not a Domino"):
        game.start(chance=[["2-2"]])
    assert game.start(chance=[["0-1", "1-1", "0-0"]]).to_data()["hand"] == ["0-0"]


def test_given_outcomes_come_first_and_the_seed_after_them() -> None:
    game = Game(handmade.race())
    seeded = game.start(seed=4).play("run")
    other = "2" if seeded.chance[0] != "2" else "3"
    mixed = game.start(seed=4, chance=[other]).play("run")
    assert mixed.chance[0] == other
    assert mixed.chance[1] == seeded.chance[1], "draw 2 depends on the seed and its number alone"


def test_shuffles_are_spread_over_all_orders() -> None:
    game = Game(handmade.ziggurat())
    orders = [game.start(seed=s).chance[0] for s in range(300)]
    assert len(set(orders)) == 6
    assert min(orders.count(o) for o in set(orders)) > 25


def changes(target: n.StateVar, *steps: n.Effect) -> State:
    """The state of a game that does nothing but set itself up by these effects."""
    player, mover, over, _ = seats(1)
    core = handmade.nim()
    who = n.Var("p", player)
    core = replace(
        core, players=1, player=player, state={v.name: v for v in (mover, over, target)}, setup=block(*steps),
        actions={}, reactions=(), ends=(), turn=Turn(n.NOTHING_DONE, const(BOOL, True), get(mover), "end"),
        outcome=Outcome(who, None, None, (), ()),
    )  # fmt: skip
    return Game(core).start(seed=0)


NUMBER = integers(0, 3)
NUMBERS = List(NUMBER, 3)
TABLE = Map(NUMBER, NUMBERS)


def stacks(value: Value = ((1, 2), (), (), ())) -> n.StateVar:
    return n.StateVar("stacks", TABLE, const(TABLE, value))


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        ((0, 2), 3, ((1, 3), (), (), ())),
        ((0, 3), 3, ((1, 2), (), (), ())),
        ((0, 0), 3, ((1, 2), (), (), ())),
        ((1, 1), 3, ((1, 2), (), (), ())),
        ((9, 1), 3, ((1, 2), (), (), ())),
    ],
    ids=["inside", "above the top", "below the bottom", "empty list", "no such key"],
)
def test_an_assignment_reaches_into_lists_of_maps_and_misses_without_a_word(
    path: tuple[int, int], value: int, expected: Value
) -> None:
    var = stacks()
    state = changes(var, assign(var, number(value), *map(number, path)))
    assert state.values["stacks"] == expected
    assert state.fault is None


def test_a_list_past_its_capacity_is_a_fault_that_names_its_place() -> None:
    var = stacks()
    state = changes(var, assign(var, const(List(NUMBER, 4), (1, 1, 1, 1)), number(2)))
    assert (
        str(state.fault) == "`stacks[2]` would become [1, 1, 1, 1], but it can only hold list of 0..3 up to 3"
    )


def test_none_is_a_fault_where_a_value_must_be_and_no_key_comes_before_it() -> None:
    var = n.StateVar("x", NUMBER, number(1))
    nothing = const(NUMBER.with_none, None)
    assert str(changes(var, assign(var, nothing)).fault) == "`x` would become none, but it can only hold 0..3"
    table = stacks()
    assert changes(table, assign(table, nothing, nothing)).fault is None


def test_a_loop_sees_its_source_as_it_was_and_bindings_as_they_were() -> None:
    var = n.StateVar("seen", Set(NUMBER), const(Set(NUMBER), frozenset({0, 1})))
    x, kept = n.Var("x", NUMBER), n.Var("kept", Set(NUMBER))
    grow = n.ForEach(
        x,
        get(var),
        n.When(
            equal(local(x), number(0)),
            assign(var, n.SetOf(Set(NUMBER), (number(3), number(2)))),
            assign(var, n.Union(Set(NUMBER), get(var), n.SetOf(Set(NUMBER), (local(x),)))),
        ),
    )
    assert changes(var, grow).values["seen"] == frozenset({1, 2, 3})
    emptied = assign(var, const(Set(NUMBER), frozenset()))
    back = n.Bind(kept, get(var), block(emptied, assign(var, local(kept))))
    assert changes(var, back).values["seen"] == frozenset({0, 1})


def test_drawing_from_nothing_draws_nothing() -> None:
    var = n.StateVar("x", NUMBER, number(1))
    x = n.Var("x", NUMBER)
    empty = const(Set(NUMBER), frozenset())
    assert changes(var, n.Draw(x, empty, None, assign(var, local(x)))).chance == ()
    weightless = n.Draw(x, const(Set(NUMBER), frozenset({2})), number(0), assign(var, local(x)))
    state = changes(var, weightless)
    assert (state.chance, state.values["x"]) == ((), 1)


def test_a_weight_below_zero_is_a_fault() -> None:
    var = n.StateVar("x", NUMBER, number(1))
    x = n.Var("x", NUMBER)
    state = changes(var, n.Draw(x, const(Set(NUMBER), frozenset({1, 2})), number(-1), assign(var, local(x))))
    assert str(state.fault) == "`weight` would become -1, but it can only hold numbers from 0"


def test_definitions_are_forgotten_when_the_state_changes() -> None:
    var = n.StateVar("x", NUMBER, number(0))
    twice = n.Function("twice", (), NUMBER)
    twice.body = n.Add(NUMBER, get(var), get(var))
    call = n.Call(NUMBER, twice, ())
    last = assign(var, n.Sub(NUMBER, call, number(1)))
    state = changes(var, assign(var, number(1)), assign(var, call), last)
    assert state.values["x"] == 3


def test_scores_ties_and_titles() -> None:
    race = Game(handmade.race())
    state = race.position({"at": {"1": 2, "2": 2}, "won": {"1": 1, "2": 3}, "over": True})
    assert (state.scores, state.winners) == ({1: 2, 2: 2}, (2,))
    state = race.position({"at": {"1": 2, "2": 2}, "won": {"1": 3, "2": 3}, "over": True})
    assert state.winners == (1, 2)
    least = replace(race.core.outcome, ties=((False, race.core.outcome.ties[0][1]),))
    fewer = Game(replace(race.core, outcome=least))
    assert fewer.position({"at": {"1": 2, "2": 2}, "won": {"1": 1, "2": 3}, "over": True}).winners == (1,)
    ziggurat = Game(handmade.ziggurat())
    assert ziggurat.position({"pips": {"1.1": 0, "1.2": 0}}).titles == {}
    assert ziggurat.position({"pips": {"1.1": 0, "1.2": 0, "1.3": 0, "1.4": 1}}).titles == {1: "Apprentice"}


def test_a_machine_keeps_nothing_between_plays() -> None:
    machine = Machine(handmade.ziggurat())
    first, _ = machine.start(Chance("1"))
    moves = list(machine.moves(first))
    for move in moves:
        machine.play(first, move, Chance("1"))
    assert list(machine.moves(first)) == moves


@pytest.mark.parametrize("name", ["othello-small", "smith-small", "sacred-alignment-small", "leistiko-small"])
def test_what_is_likely_to_follow_changes_no_state(name: str) -> None:
    game, rng = load(name), random.Random(name)
    state = game.start(seed=3)
    for _ in range(12):
        if not (actions := state.actions()):
            break
        chosen = rng.choice(actions)
        after = state.play(chosen)
        texts = [*(action.text for action in after.actions()[:2]), rng.choice(actions).text, "nonsense"]
        for text in texts:
            again = state.play(chosen, then=text)
            assert (again, again.ended_by, again.chance) == (after, after.ended_by, after.chance)
        data = {key: value for key, value in after.to_data().items() if key != "over"}
        for text in texts:
            assert game.position(data, then=text).position == game.position(data).position
        state = after


def test_no_action_is_looked_for_where_a_likely_one_is_legal(monkeypatch: pytest.MonkeyPatch) -> None:
    """All actions are listed only where that is quick, or nothing else is known."""
    game = load("leistiko-small")
    listed = list[tuple[Value, ...]]()
    everything = Listing.all

    def noted(listing: Listing, first: Sequence[Value] = ()) -> Iterator[tuple[Value, ...]]:
        listed.append(tuple(first))
        return everything(listing, first)

    state = game.start(seed=3)
    chosen = state.actions()[0]
    following = state.play(chosen).actions()[0]
    monkeypatch.setattr(Listing, "all", noted)
    state.play(chosen, then=following.text)
    assert () not in listed
    state.play(chosen)
    assert () in listed
