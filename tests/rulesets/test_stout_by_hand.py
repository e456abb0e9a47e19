"""Stout's race, ruleset and hand-written program side by side, on random positions under every reading."""

from __future__ import annotations

import os
import random
from collections import Counter

import pytest
from race_by_hand import COLOURS, GOALS, LAPS, STARTS, Race, Stacks, written

from rulespec.play.chance import Chance
from rulespec.play.data import to_data
from rulespec.play.face import Game, load

ROUNDS = 40 if os.environ.get("RULESPEC_SLOW") else 4
ACTIONS = (
    "move", "aim", "hop", "leap", "dig", "swap", "swap-within", "push", "topple", "step", "unload",
)  # fmt: skip
FACES = {"swap-within": "swap", "push": "tip", "topple": "tip", "step": "tip", "unload": "tip", "move": None}
FLAGS = {
    "halts": ("entry-corner", "halts"), "open_goal": ("goal-stack", "open"),
    "costs": ("hop-count", "run-costs-one"), "tip_goal": ("tip-goal", "allowed"),
}  # fmt: skip


def position(rng: random.Random, strays: bool) -> Stacks:
    """Three pieces of each colour, crowded, some on Starts and Goals, with `strays` on others' Goals."""
    stacks: Stacks = {}
    crowd = rng.sample(LAPS["Y"][1:-1], 6)
    for colour in COLOURS * 3:
        spots = [STARTS[colour], GOALS[colour], *crowd, *rng.choices(LAPS[colour], k=6)]
        spots += [rng.choice([*GOALS.values()])] if strays else []
        at = rng.choice(spots)
        stacks[at] = stacks.get(at, "") + colour
    return {p: "".join(rng.sample(s, len(s))) for p, s in stacks.items()}


def reached(game: Game, stacks: Stacks, mover: int, action: str, points: int) -> set[str]:
    """Every position that the ruleset has an action of this name lead to."""
    given = {"mover": mover, "moves": points, "special": FACES.get(action, action)}
    given |= {"stack": {p: list(s) for p, s in stacks.items()}, "over": False}
    start = game.position({k: v for k, v in given.items() if v is not None}, seed=0).position
    at = [*game.core.state].index("stack")
    kind, found = game.core.state["stack"].type, set()
    for move in game.machine.moves(start):
        if move.action == action:
            after = game.machine.play(start, move, Chance("0")).position.values[at]
            found.add(written({p: "".join(s) for p, s in to_data(kind, after).items()}))
    return found


@pytest.mark.parametrize("flags", [[], *([f] for f in FLAGS), [*FLAGS]], ids="-".join)
def test_both_reach_the_same_positions(flags: list[str]) -> None:
    game = load("stout", readings=dict(FLAGS[flag] for flag in flags))
    race, rng = Race(**dict.fromkeys(flags, True)), random.Random("-".join(flags))
    compared: Counter[str] = Counter()
    for _ in range(ROUNDS):
        stacks, mover, points = position(rng, "tip_goal" in flags), rng.randint(1, 4), rng.randint(1, 8)
        if any(stacks.get(goal, "").count(colour) == 3 for colour, goal in GOALS.items()):
            continue
        for action in ACTIONS:
            ours = race.after(stacks, COLOURS[mover - 1], action, points)
            found = reached(game, stacks, mover, action, points)
            assert found == ours, (written(stacks), mover, action, points)
            compared[action] += len(ours)
    assert compared.total() > 10 * ROUNDS


def holds(game: Game, claim: str, stacks: Stacks, mover: int) -> bool:
    """Whether what a claim says holds in a position, the action die showing Wild."""
    given = {"mover": mover, "moves": 3, "special": "wild", "over": False}
    state = game.position({**given, "stack": {p: list(s) for p, s in stacks.items()}}, seed=0)
    condition = game.core.claims[claim].condition
    assert condition is not None
    return game.machine.holds(condition, game.machine.situation(state.position))


def test_who_is_home_stays_unless_goals_may_be_tipped() -> None:
    firm, loose = load("stout"), load("stout", readings={"tip-goal": "allowed"})
    rng = random.Random("home")
    places = [position(rng, strays=False) for _ in range(10 * ROUNDS)]
    assert all(holds(firm, "home-stays", stacks, 1) for stacks in places)
    assert not all(holds(loose, "home-stays", stacks, 1) for stacks in places)


def test_pieces_are_counted_wherever_they_are() -> None:
    game, rng = load("stout"), random.Random("lost")
    stacks = position(rng, strays=False)
    assert holds(game, "none-lost", stacks, 1)
    first = min(stacks)
    assert not holds(game, "none-lost", {**stacks, first: stacks[first][1:]}, 1)
    assert not holds(game, "none-lost", {**stacks, first: stacks[first] + "Y"}, 1)
