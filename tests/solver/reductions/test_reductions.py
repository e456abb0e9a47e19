"""The theorems of the reductions, held against the interpreter in all positions of random games."""

from __future__ import annotations

import random
from collections.abc import Collection, Iterator
from pathlib import Path

import pytest
from generating import MACHINE
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from soundness.space import Space, TooLarge
from soundness.trial import ruleset
from strategies import expressions
from world import WORLD, seeds, states

from rulespec.core import nodes as n
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Claim, Game
from rulespec.core.types import BOOL, Int, List, Value
from rulespec.language import load
from rulespec.play.machine import Machine
from rulespec.solver.formulas.cone_of_influence import effects_of
from rulespec.solver.formulas.dependencies import Dependencies, changed_by
from rulespec.solver.formulas.monotone import monotone
from rulespec.solver.reductions.generalisation import left_open
from rulespec.solver.reductions.influence import influential
from rulespec.solver.reductions.remembering import with_history_variables
from rulespec.solver.reductions.restriction import restrict

GAMES, MOST, MOST_EDGES = 12, 120, 1_000
State = tuple[Value, ...]


@pytest.fixture(scope="module")
def spaces(tmp_path_factory: pytest.TempPathFactory) -> list[Space]:
    """Random games with claims, each with all its positions."""
    found = []
    for number in range(GAMES):
        folder = tmp_path_factory.mktemp("game")
        text = ruleset(f"reductions-{number}", folder)
        if text is not None:
            path = Path(folder) / "random-game.yaml"
            path.write_text(text, "utf-8")
            found += list(spaces_of(load(path)))
    return found


def spaces_of(game: Game) -> Iterator[Space]:
    """The positions of a game, unless they are too many."""
    try:
        yield Space(game, MOST, MOST_EDGES)
    except TooLarge:
        return


def seen(
    space: Space,
    but: Collection[str] = (),
    some: Collection[n.StateVar] = (),
    only: Collection[int] | None = None,
) -> set[State]:
    """The states of a space, or of `only` some positions in it, without some variables; of `some` only where
    they are none."""

    def shown(var: n.StateVar, value: object) -> Value:
        if var not in some:
            return value
        return tuple(x is None for x in value) if isinstance(value, tuple) else value is None

    kept = [(i, var) for i, var in enumerate(space.game.state.values()) if var.name not in but]
    listed = range(len(space)) if only is None else only
    return {tuple(shown(var, space.positions[at].values[i]) for i, var in kept) for at in listed}


def claims(spaces: list[Space], *kinds: str) -> Iterator[tuple[Space, Claim]]:
    """The claims of some kinds, with the positions of their games."""
    for space in spaces:
        yield from ((space, claim) for claim in space.game.claims.values() if claim.kind in kinds)


def test_a_game_that_remembers_is_the_game_and_shows_what_falls(spaces: list[Space]) -> None:
    asked, fell = 0, set()
    for space, claim in [*claims(spaces, "never_falls"), *((space, of_counters(space)) for space in spaces)]:
        if claim.condition is None:
            continue
        game, invariant = with_history_variables(space.game, claim)
        for other in spaces_of(game):
            assert seen(other, [*(game.state.keys() - space.game.state.keys())]) == seen(space)
            broken = not all(other.ask(invariant.always, i) for i in range(len(other)))
            assert broken == falls(space, claim)
            asked, fell = asked + 1, fell | {broken}
    assert asked > 10
    assert fell == {True, False}


TAKEN = """\
rulespec: 1
id: taken
title: Taken
players: 1
rules:
- id: take
  prose: Take a stone.
  formal: "state stones: 0..3 = 3"
  action: ()
  require:
    some:
      prose: There is one.
      that: stones > 0
  do: remove 1 from stones
claims:
- id: stay
  prose: They stay.
  never-falls: stones
"""


def test_a_number_that_an_action_lowers_has_fallen(tmp_path: Path) -> None:
    (tmp_path / "taken.yaml").write_text(TAKEN, "utf-8")
    game = load(tmp_path / "taken.yaml")
    other, invariant = with_history_variables(game, game.claims["stay"])
    (space,) = spaces_of(other)
    assert not all(space.ask(invariant.always, i) for i in range(len(space)))


def of_counters(space: Space) -> Claim:
    """The claim that no numbers of the state fall, those first that no ply lowers."""
    listed = [var for var in space.game.state.values() if isinstance(var.type, Int)]
    listed.sort(key=lambda var: var not in monotone(space.game))
    numbers = tuple(n.Get(var.type, var) for var in listed)
    e = n.ListOf(List(listed[0].type, len(listed)), numbers) if listed else None
    return Claim("counters", "None falls.", "never_falls", e)


def falls(space: Space, claim: Claim) -> bool:
    """True if some ply lowers one of the numbers of a claim."""
    e = claim.condition
    assert e is not None
    values = [space.ask(e, i) for i in range(len(space))]
    values = [x if isinstance(x, tuple) else (x,) for x in values]
    plies = ((i, j) for i in range(len(space)) for j in space.after(i))
    return any(a > b for i, j in plies for a, b in zip(values[i], values[j], strict=True))


def goals(spaces: list[Space]) -> Iterator[tuple[Space, n.Expr]]:
    """The goals that claims ask for or exclude, with the positions of their games."""
    for space, claim in claims(spaces, "reachable", "unreachable", "invariant"):
        yield (
            space,
            (n.Not(BOOL, claim.always) if claim.kind == "invariant" else claim.condition or claim.always),
        )


def test_a_restricted_game_reaches_the_goal_within_the_bounds_as_the_game_does(spaces: list[Space]) -> None:
    rng, asked = random.Random(1), 0
    for space, goal in [*goals(spaces), *goals(spaces)]:  # twice, within other bounds
        bounds = some_bounds(space.game, rng)
        game = restrict(space.game, goal, bounds)
        for other in spaces_of(game) if game is not space.game else ():
            at = {var: i for i, var in enumerate(space.game.state.values())}
            low = [all(p.values[at[v]] <= most for v, most in bounds.items()) for p in space.positions]
            there = {i for i in range(len(space)) if low[i] and space.ask(goal, i)}
            assert seen(space, ["over"], only=there) <= seen(other, ["over"]) <= seen(space, ["over"])
            asked += bool(there)
    assert asked > 5


def test_a_game_without_what_bears_on_nothing_is_the_game_but_for_that(spaces: list[Space]) -> None:
    asked = 0
    for space, goal in goals(spaces):
        game = influential(space.game, [goal])
        assert influential(space.game, [goal]) is game
        for other in spaces_of(game) if game is not space.game else ():
            kept = dropped(space.game, game)
            assert kept
            assert seen(other, kept) == seen(space, kept)
            there, of_other = ([at for at in range(len(one)) if one.ask(goal, at)] for one in (space, other))
            assert seen(other, kept, only=of_other) == seen(space, kept, only=there)
            asked += 1
    assert asked > 5


def dropped(game: Game, other: Game) -> set[str]:
    """The variables that one game stores to and another never does."""
    stored = [changed_by(effects_of(g, g.actions.values())) for g in (game, other)]
    return {var.name for var in stored[0] - stored[1]}


def some_bounds(game: Game, rng: random.Random) -> dict[n.StateVar, int]:
    """A bound for each counter that nothing lowers."""
    found = {}
    for var in sorted(monotone(game), key=lambda v: v.name):
        assert isinstance(var.type, Int)
        found[var] = rng.choice(var.type.values)
    return found


numbers = st.sampled_from([n.Add, n.Sub, n.If, n.Sum, n.Size, n.Call]).flatmap(
    lambda kind: expressions(kind, depth=2)
)


@settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=150)
@given(numbers, expressions(n.Not, depth=2), st.lists(states(), min_size=1, max_size=3), seeds())
def test_a_general_game_has_each_state_with_what_is_left_open(
    number: n.Expr, other: n.Expr, found: list[dict[n.StateVar, Value]], seed: int
) -> None:
    if not isinstance(number.type, Int) or [*Dependencies(WORLD).free(number)]:
        return
    rng = random.Random(seed)
    low = n.AtMost(BOOL, number, n.Const(number.type, rng.randint(number.type.lo, number.type.hi)))
    claim = n.Or(BOOL, (n.Less(BOOL, number, number), low, other))
    change = left_open(WORLD, low, [claim])
    if change is None:
        return
    machine = Machine(change.game)
    (var,) = change.numbers.values()
    for state in found:
        at = MACHINE.situation_of(dict(state))
        value = evaluate(number, {}, at)
        general = machine.situation_of({**state, var: value})
        assert value in number.type
        for e in (low, claim):
            if not Dependencies(WORLD).free(e):
                assert evaluate(change(e), {}, general) == evaluate(e, {}, at)
