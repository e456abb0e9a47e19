"""Stout's race against games and positions that were worked out outside the project.

`tests/vectors/stout-games.json` holds games with numbers of distinct positions for every ply,
`stout-worked-examples.json` the examples of the document's text. `make perft` replays every ply.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from rulespec.core.evaluate import Context, call
from rulespec.core.notation import write
from rulespec.play.chance import Chance
from rulespec.play.data import from_data
from rulespec.play.face import Game, State, load
from rulespec.play.position import Move, Position

VECTORS = Path(__file__).parents[1] / "vectors"
GAMES = json.loads((VECTORS / "stout-games.json").read_text("utf-8"))["games"]
WORKED = {
    case["id"]: case for case in json.loads((VECTORS / "stout-worked-examples.json").read_text("utf-8"))
}

EVERY = 1 if os.environ.get("RULESPEC_SLOW") else 6
"""How many plies of a game are replayed: all, or each sixth."""

STARTS = {"SY": "a9", "SG": "i8", "SR": "h0", "SB": "z1"}
ENHANCED = {"aim", "hop"}
AGAIN = {"roll-movement", "roll-action"}
BY_ITSELF = {"leap", "dig", "swap", "swap-within", "push", "topple", "step", "unload"}


@cache
def game(colours: str) -> Game:
    return load("stout", players=len(colours))


class Turn:
    """A turn in which the dice have been rolled, or are used up where they are not given."""

    def __init__(self, colours: str, stacks: dict[str, str], player: str, **dice: Any) -> None:
        self.game = game(colours)
        given = {STARTS.get(place, place): list(pieces) for place, pieces in stacks.items()}
        dice = {name: value for name, value in dice.items() if value is not None}
        data = {"mover": colours.index(player) + 1, "stack": given, **dice}
        self.state = self.game.position(data, seed=0)
        self.start = self.state.position
        names = list(self.game.core.state)
        self.mover, self.stack = names.index("mover"), names.index("stack")

    def moves(self, position: Position | None = None) -> list[Move]:
        return list(self.game.machine.moves(position or self.start))

    def play(self, position: Position, move: Move) -> Position:
        return self.game.machine.play(position, move, Chance("0")).position

    def after(self, names: set[str]) -> set[Any]:
        """The distinct positions after one action of these names."""
        return {self.play(self.start, m).values[self.stack] for m in self.moves() if m.action in names}

    def ends(self, position: Position | None = None) -> set[Any]:
        """The distinct positions in which the turn may end, nothing rolled again."""
        return set(self._ends(self.start))

    def _ends(self, position: Position) -> Iterator[Any]:
        if position.is_over or position.values[self.mover] != self.start.values[self.mover]:
            yield position.values[self.stack]
            return
        for move in self.moves(position):
            if move.action not in AGAIN:
                yield from self._ends(self.play(position, move))

    def counts(self) -> list[int]:
        """After a movement, an enhanced one, another action, the whole turn: numbers of positions."""
        return [
            len(p) for p in (self.after({"move"}), self.after(ENHANCED), self.after(BY_ITSELF), self.ends())
        ]

    def has(self, stacks: str, among: set[Any]) -> bool:
        given = {STARTS.get(place, place): list(pieces) for place, pieces in parted(stacks).items()}
        return from_data(self.game.core.state["stack"].type, given) in among


def parted(text: str) -> dict[str, str]:
    return dict(part.split(":") for part in text.split())


# ---- whole games


@pytest.mark.parametrize("played", GAMES, ids=lambda played: played["colors"])
def test_every_ply_has_the_counted_positions(played: dict[str, Any]) -> None:
    before = played["start"]
    for number, ply in enumerate(played["plies"]):
        if number % EVERY == 0:
            _replay(played["colors"], before, ply)
        before = ply["to"]


def _replay(colours: str, before: str, ply: dict[str, Any]) -> None:
    moves, action = ply["m"], ply["a"].lower()
    turn = Turn(colours, parted(before), ply["p"], moves=moves, special=action)
    assert turn.counts() == ply["n"], ply
    if "redo" not in ply:
        assert turn.has(ply["to"], turn.ends()), ply
        return
    assert {move.action for move in turn.moves()} >= AGAIN
    if ply["redo"] == "A":
        again = Turn(colours, parted(ply["mid"]), ply["p"], moves=ply["m2"], rerolled=True)
        assert len(again.after({"move"})) == ply["n_move2"], ply
    else:
        second = None if ply["a2"] == "Redo" else ply["a2"].lower()
        again = Turn(colours, parted(before), ply["p"], moves=moves, special=second, rerolled=True)
        assert len(again.ends()) == ply["n_turn2"], ply
        assert not AGAIN & {move.action for move in again.moves()}
    assert again.has(ply["to"], again.ends()), ply


# ---- the document's examples


def opening(case: dict[str, Any], **dice: Any) -> State:
    return Turn("YGRB", case["position"], case["player"], **dice).state


def stacks(state: State) -> dict[str, str]:
    named = {start: name for name, start in STARTS.items()}
    return {named.get(k, k): "".join(pieces) for k, pieces in state.to_data()["stack"].items()}


def goes(state: State, action: str) -> list[list[str]]:
    """Every action of this name as the place it goes from and the place where a piece arrives."""
    now, found = stacks(state), []
    for text in (str(a) for a in state.actions() if a.id == action):
        then = stacks(state.play(text))
        to = [key for key, pieces in then.items() if len(pieces) > len(now.get(key, ""))]
        found.append([*(key for key in now if STARTS.get(key, key) == text.split()[1]), *to])
    return found


def arrives(case: dict[str, Any], mode: str, points: int, start: str) -> str:
    bonus = mode != "normal"
    dice = {"moves": points - bonus, "special": mode if bonus else None}
    ways = dict(goes(opening(case, **dice), "move" if mode == "normal" else mode))
    return ways.get(start, start)


def after(case: dict[str, Any], text: str, **dice: Any) -> dict[str, str]:
    return stacks(opening(case, **dice).play(text))


def tried(case: dict[str, Any], kind: str, *where: Any) -> dict[str, str]:
    """The position after an elementary action as the vectors write it."""
    place = STARTS.get(where[0], where[0])
    if kind == "SwapIn":
        return after(case, f"swap {place} {where[1] + 1} {where[2] + 1}", special="swap")
    if kind == "TipStack":
        return after(case, f"topple {place} {WAYS[where[1], where[2]]}", special="tip")
    if kind == "TipStart":
        return after(case, f"unload {where[0][1]}", special="tip")
    if kind == "TipPush":
        return after(case, f"push {place} {where[1]}", special="tip")
    return after(case, f"{kind.lower()} {place} {where[1]}", special=kind.lower())


WAYS = {
    (0, 1): "north", (1, 1): "northeast", (1, 0): "east", (1, -1): "southeast",
    (0, -1): "south", (-1, -1): "southwest", (-1, 0): "west", (-1, 1): "northwest",
}  # fmt: skip


def least(case: dict[str, Any], mode: str, start: str, end: str) -> int:
    return next(n for n in range(2, 10) if arrives(case, mode, n, start) == end)


def neighbour(place: str, way: str) -> str:
    east, north = next(step for step, name in WAYS.items() if name == way)
    return chr(ord(place[0]) + east) + str(int(place[1]) + north)


def lap(colour: int, wanted: list[str]) -> list[int]:
    """How far along its path a colour is on these places, its Start being 0."""
    functions = game("YGRB").core.functions
    at, path = call(functions["start"], (colour,), Context()), []
    while at is not None:
        path.append(write(functions["start"].result, at))
        at = call(functions["ahead"], (colour, at), Context())
    return [path.index(place) for place in wanted]


@pytest.mark.parametrize("name", WORKED)
def test_worked_example(name: str) -> None:
    case = WORKED[name]
    asked, expected = case["query"], case["expected"]
    if found := re.match(r"all elementary normal movement moves of . with (\d) points", asked):
        assert sorted(goes(opening(case, moves=int(found[1])), "move")) == sorted(expected)
    elif found := re.match(r"position after . moves from (\w+) with (\d) points, mode (\w+)", asked):
        bonus = found[3] != "normal"
        dice = {"moves": int(found[2]) - bonus, "special": found[3] if bonus else None}
        verb = found[3] if bonus else "move"
        assert after(case, f"{verb} {STARTS.get(found[1], found[1])}", **dice) == expected
    elif found := re.match(r"destination of .'s top piece on (\w+) with (\d) points, mode (\w+)", asked):
        assert arrives(case, found[3], int(found[2]), found[1]) == expected
    elif asked.startswith("unused points of Blue f5 -> Goal"):
        assert 9 - least(case, "aim", "f5", "d4") == expected
    elif asked.startswith("points Red needs from Start to reach h8"):
        assert least(case, "hop", "SR", "h8") == expected
    elif asked.startswith("Blue progress index"):
        assert lap(3, ["b2", "b3"]) == expected
    elif found := re.match(r"all (Dig targets|Leaps) of .", asked):
        verb = "dig" if found[1] == "Dig targets" else "leap"
        ways = goes(opening(case, special=verb), verb)
        assert sorted([to for _, to in ways] if verb == "dig" else ways) == sorted(expected)
    elif found := re.match(r".*elementary action (\[.*\])", asked):
        assert tried(case, *json.loads(found[1].replace("'", '"'))) == expected
    elif asked.startswith("first squares of all directions"):
        texts = [str(a).split() for a in opening(case, special="tip").actions() if a.id == "topple"]
        assert sorted(neighbour(place, way) for _, place, way in texts) == expected
    else:
        found = re.match(r"target of .'s singleton self-Tip from (\w+)", asked)
        assert found, f"no answer to {asked!r}"
        ways = dict(goes(opening(case, special="tip"), "step"))
        assert [ways[found[1]]] == expected if expected else found[1] not in ways


# ---- rulings and settings

RULINGS = {
    "entry-corner", "goal-stack", "tip-goal", "hop-count", "aim-stack", "blocking", "maximal-move",
    "wall-stop", "leap", "dig", "swap", "tip", "redo", "order", "movement-die", "action-die", "two-players",
    "teams", "two-colours-roll", "three-players",
}  # fmt: skip
OF_THE_QUEEN = {"queen", "queen-odd-points", "queen-carried-home", "queen-above-drones"}


def test_every_ruling_is_there() -> None:
    assert set(load("stout").core.rulings) == RULINGS
    assert set(load("stout-queen").core.rulings) == RULINGS | OF_THE_QUEEN


def legal(given: dict[str, Any], *, name: str = "stout", players: int = 4, **readings: str) -> set[str]:
    state = load(name, players=players, readings=readings).position(given, seed=0)
    return {str(action) for action in state.actions()} - {"done"}


@pytest.mark.parametrize(
    ("ruling", "reading", "given", "plain", "other"),
    [
        ("entry-corner", "halts", {"moves": 3, "stack": {"b8": "[Y]"}}, "b5", "b7"),
        ("goal-stack", "open", {"moves": 3, "stack": {"d6": "[Y]", "d5": "[Y, Y]"}}, None, "d5"),
        ("hop-count", "run-costs-one",
         {"moves": 2, "special": "hop", "stack": {"a9": "[Y]", "a8": "[G]"}}, "a5", "a6"),
    ],
)  # fmt: skip
def test_a_reading_changes_where_a_piece_arrives(
    ruling: str, reading: str, given: dict[str, Any], plain: str | None, other: str
) -> None:
    for readings, wanted in (({}, plain), ({ruling: reading}, other)):
        state = load("stout", readings=readings).position({"mover": 1, **given}, seed=0)
        verb, start = "hop" if "special" in given else "move", next(iter(given["stack"]))
        found = [str(a) for a in state.actions() if str(a) == f"{verb} {start}"]
        assert [_arrival(state, text) for text in found] == ([wanted] if wanted else [])


def _arrival(state: State, text: str) -> str:
    then, now = state.play(text).to_data()["stack"], state.to_data()["stack"]
    return next(place for place in then if len(then[place]) > len(now.get(place, ())))


def test_pieces_on_a_goal_may_be_tipped_where_it_is_so_read() -> None:
    given = {"mover": 1, "special": "tip", "stack": {"d6": ["Y"], "e5": ["G"]}}
    assert legal(given) == set()
    assert "push d6 e5" in legal(given, **{"tip-goal": "allowed"})


def test_a_stray_piece_walks_round_the_top_to_its_goal() -> None:
    given = {"mover": 1, "moves": 2, "special": "dig", "stack": {"e4": ["Y"]}}
    state = load("stout", readings={"tip-goal": "allowed"}).position(given, seed=0)
    assert {str(a) for a in state.actions()} == {"move e4", "done"}
    assert state.play("move e4").to_data()["stack"] == {"d5": ["Y"]}


def test_six_sides_and_the_treehouse_die() -> None:
    core = load("stout", readings={"movement-die": "six-plus-one", "action-die": "treehouse"}).core
    faces = call(core.functions["action-faces"], (), Context())
    assert call(core.functions["movement-faces"], (), Context()) == frozenset(range(2, 8))
    assert {core.types["Face"].members[f] for f in faces} == {"tip", "swap", "hop", "dig", "aim", "wild"}
    given = {"mover": 1, "moves": 2, "special": "wild", "stack": {"a9": ["Y"]}}
    assert legal(given) >= {"leap a9", "roll action"}
    assert not legal(given, **{"action-die": "treehouse"}) & {"leap a9", "roll action"}


def test_alone_the_first_one_home_has_won() -> None:
    stack = {"d5": ["Y", "Y"], "d6": ["Y"], "h1": ["R"]}
    state = load("stout").position({"mover": 1, "special": "hop", "moves": 1, "stack": stack}, seed=0)
    state = state.play("hop d6")
    assert (state.ended_by, state.winners) == ("home", (1,))


def test_partners_win_together_and_who_is_home_rolls_one_die() -> None:
    game = load("stout", readings={"teams": "partners"})
    stack = {"d5": ["Y", "Y"], "d6": ["Y"], "e4": ["R", "R"], "e3": ["R"]}
    state = game.position({"mover": 1, "moves": 1, "special": "hop", "stack": stack}, seed=0)
    state = state.play("hop d6")
    assert (state.ended_by, state.to_move) == (None, 2)
    won = game.position({**state.to_data(), "mover": 3, "moves": 1, "special": "hop"}, seed=0).play("hop e3")
    assert (won.ended_by, won.winners) == ("home", (1, 3))
    turns = game.position({**state.to_data(), "mover": 4, "moves": 1, "special": "dig"}, seed=0).play("done")
    data = turns.to_data()
    assert (data["mover"], data["retired"], data["moves"]) == (1, True, None)
    assert data["special"] is not None


def test_two_players_with_two_colours() -> None:
    both = {"two-players": "two-colours"}
    given = {"mover": 1, "moves": 2, "stack": {"a9": ["Y"], "h0": ["R"], "i8": ["G"]}}
    assert legal(given, players=2, **both) == {"move a9", "move h0"}
    in_turn = {**both, "two-colours-roll": "in-turn"}
    assert legal({**given, "acting": "R"}, players=2, **in_turn) == {"move h0"}
    stack = {"e4": ["R", "R"], "e3": ["R"], "a9": ["Y"]}
    game = load("stout", players=2, readings=both)
    state = game.position({"mover": 1, "moves": 1, "special": "hop", "stack": stack}, seed=0).play("hop e3")
    assert (state.ended_by, state.winners) == ("home", (1,))


def test_the_colours_take_their_turns_clockwise() -> None:
    readings = {"two-players": "two-colours", "two-colours-roll": "in-turn"}
    state, seen = load("stout", players=2, readings=readings).start(seed=1), []
    for _ in range(5):
        seen.append((state.to_move, state.to_data()["acting"]))
        state = state.play("done")
    assert seen == [(1, "Y"), (2, "G"), (1, "R"), (2, "B"), (1, "Y")]


@pytest.mark.parametrize(
    ("players", "settings", "starts"),
    [
        (2, {}, {"a9": 1, "h0": 2}),
        (2, {"first-colour": "blue"}, {"z1": 1, "i8": 2}),
        (3, {}, {"a9": 1, "i8": 2, "h0": 3}),
        (3, {"left-out": "green"}, {"a9": 1, "h0": 2, "z1": 3}),
        (4, {"first-colour": "red"}, {"h0": 1, "z1": 2, "a9": 3, "i8": 4}),
    ],
)
def test_who_plays_which_colour(players: int, settings: dict[str, str], starts: dict[str, int]) -> None:
    state = load("stout", players=players, parameters=settings).start(seed=0)
    assert {k: len(v) for k, v in state.to_data()["stack"].items()} == dict.fromkeys(starts, 3)
    for _ in range(players):
        mine = {str(a).split()[1] for a in state.actions() if a.id == "move"}
        assert mine == {place for place, player in starts.items() if player == state.to_move}
        state = state.play("done")


# ---- Queens


def test_each_player_gives_the_queen_her_place_before_the_race() -> None:
    state = load("stout-queen", players=2).start(seed=0)
    assert {str(a) for a in state.actions()} == {f"arrange Y {i}" for i in range(1, 5)}
    state = state.play("arrange Y 4").play("arrange R 2")
    assert state.to_data()["stack"] == {"a9": ["Y", "Y", "Y", "YQ"], "h0": ["R", "RQ", "R", "R"]}
    assert (state.to_move, state.to_data()["arranged"]) == (1, ["Y", "R"])
    assert state.to_data()["moves"] is not None


def test_with_two_colours_each_player_arranges_both() -> None:
    state = load("stout-queen", players=2, readings={"two-players": "two-colours"}).start(seed=0)
    movers = []
    while state.to_data()["moves"] is None:
        movers.append(state.to_move)
        state = state.play(str(state.actions()[0]))
    assert movers == [1, 2, 1, 2]


@pytest.mark.parametrize(
    ("readings", "wanted"),
    [
        ({}, {"b1": ["G"], "d1": ["YQ"]}),
        ({"queen-above-drones": "together"}, {"d1": ["G", "YQ"]}),
    ],
)
def test_a_queen_and_the_drones_beneath_her(readings: dict[str, str], wanted: dict[str, list[str]]) -> None:
    given = {"mover": 1, "moves": 4, "stack": {"b1": ["G", "YQ"]}}
    state = load("stout-queen", readings=readings).position(given, seed=0)
    (text,) = (str(a) for a in state.actions() if a.id in ("move", "carry"))
    assert state.play(text).to_data()["stack"] == wanted


def test_drones_that_are_carried_home_count_or_stay_outside() -> None:
    stack = {"d5": ["Y", "Y"], "d6": ["YQ", "Y"]}
    given = {"mover": 1, "moves": 2, "stack": stack}
    state = load("stout-queen").position(given, seed=0).play("carry d6 plainly")
    assert (state.ended_by, state.winners) == ("home", (1,))
    assert "carry d6 plainly" not in legal(given, name="stout-queen", **{"queen-carried-home": "uncounted"})


def test_an_odd_point_vanishes_or_is_spared() -> None:
    given = {"mover": 1, "moves": 5, "stack": {"a6": ["YQ"], "c1": ["Y"]}}
    assert load("stout-queen").position(given, seed=0).play("move a6").to_move == 2
    spared = load("stout-queen", readings={"queen-odd-points": "spare"}).position(given, seed=0)
    state = spared.play("move a6").play("move c1")
    assert state.to_data()["stack"] == {"a4": ["YQ"], "d1": ["Y"]}
