"""Stout's race against games and positions that were worked out outside the project.

`tests/vectors/stout-games.json` holds games with numbers of distinct positions for every ply,
`stout-worked-examples.json` the examples of the document's text. `make perft` replays every ply.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

import pytest
from shipped_games import load

from rulespec.core.context import Context
from rulespec.core.evaluate import call
from rulespec.core.notation import write
from rulespec.core.plain_data import from_data
from rulespec.play.chance import Chance
from rulespec.play.face import Game, State
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
def game(colours: Sequence[str], readings: tuple[tuple[str, str], ...] = ()) -> Game:
    return load("stout", players=len(colours), readings=dict(readings))


class Turn:
    """A turn in which the dice have been rolled, or are used up where they are not given."""

    def __init__(
        self,
        colours: Sequence[str],
        stacks: dict[str, str],
        player: str,
        readings: Mapping[str, str] = MappingProxyType({}),
        **dice: Any,
    ) -> None:
        self.game = game(colours, tuple(sorted(readings.items())))
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

    def ends(self) -> set[Any]:
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
