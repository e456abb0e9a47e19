"""The player in the page says of every position what the interpreter says: it is held to thousands of plies.

Chance of both is the generator of the machine. A page only gets what the bundle and the scripts have.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

import rulespec
import rulespec.browser
from browser.conftest import new_context
from rulespec.browser.bundle import bundle, script
from rulespec.code import write
from rulespec.code.program import Program
from rulespec.code.runner import spread
from rulespec.code.states import encode
from rulespec.language import shipped
from rulespec.play.face import Game
from rulespec.play.position import Move, Position
from rulespec.play.replayed_chance import replayed_source

PLIES = 150
LONGEST = 60
"""Plays are left after so many plies, and others are begun."""
SCRIPTS = ("machine", "chance", "engine")
REPLAYS = """([key, plays]) => {
  const game = rulespec.load(rulespec.bundles[key]);
  const { numbers, words } = game.layout;
  const whole = (state) => {
    const held = new BigInt64Array(state.bytes.buffer, 0, numbers + words);
    return Array.from(held, String).join(" ");
  };
  const told = (state) => ({
    state: whole(state), draws: state.draws, fault: state.fault !== 0, mover: game.mover(state),
    legal: game.legal(state).map((action) => game.row(action).join(" ")),
    scores: game.scores(state), outcome: game.outcome(state),
  });
  return plays.map(([seed, chosen]) => {
    const random = rulespec.random(seed);
    const states = [game.start(random)];
    for (const index of chosen) {
      const state = states[states.length - 1];
      states.push(game.play(state, game.legal(state)[index], random));
    }
    return states.map(told);
  });
}"""


@pytest.fixture(scope="module")
def page(browser: Browser) -> Iterator[Page]:
    """A page with the scripts of the player, and no other."""
    context = new_context(browser, dark=False, phone=False)
    page = context.new_page()
    page.goto("about:blank")
    for name in SCRIPTS:
        page.add_script_tag(content=(Path(rulespec.browser.__file__).parent / f"js/{name}.js").read_text())
    yield page
    context.close()


def plays(game: Game, plies: int) -> Iterator[tuple[int, list[int], list[Position]]]:
    """Random plays by the interpreter: the seed of chance, the actions by number, and the positions."""
    left, seed = plies, 0
    while left > 0:
        seed += 1
        chance, rng = replayed_source(spread(seed)), random.Random(seed)
        course, chosen = [game.machine.start(chance).position], []
        while len(chosen) < min(left, LONGEST) and (moves := [*game.machine.moves(course[-1])]):
            chosen.append(rng.randrange(len(moves)))
            course.append(game.machine.play(course[-1], moves[chosen[-1]], chance).position)
        left -= max(1, len(chosen))
        yield seed, chosen, course


def told(game: Game, program: Program, at: Position) -> dict[str, Any]:
    """What the interpreter says of a position, as the page says it."""
    numbers, words = encode(program, at.values)
    held = [*numbers[: program.state_cells], *map(_signed, words[: program.state_words])]
    seats = list(game.core.player.values)
    scores = [] if at.fault else [*game.machine.scores(at).values()]
    ends = {end.id: end.prose for end in game.core.ends}
    outcome = {
        "ended": "fault" if at.fault else at.ended,
        "by": at.ended if at.ended in ends else None,
        "winners": [seats.index(seat) for seat in game.machine.winners(at)],
        "scores": scores or None,
    }
    mover = at.values[list(game.core.state).index("mover")]
    return {
        "state": " ".join(map(str, held)), "draws": at.draws, "fault": at.fault is not None,
        "mover": -1 if at.is_over else seats.index(mover),
        "legal": [row(program, move) for move in game.machine.moves(at)],
        "scores": scores or None, "outcome": outcome if at.is_over else None,
    }  # fmt: skip


def row(program: Program, move: Move) -> str:
    """A legal action as the page has it: its number, then its choices."""
    actions = list(program.game.actions)
    found = [actions.index(move.action)]
    for choice, value in zip(program.game.actions[move.action].choices, move.args, strict=True):
        found += program.flat(choice.chain.type if choice.chain else choice.var.type, value)
    return " ".join(map(str, found))


def _signed(word: int) -> int:
    return word - (word >> 63 << 64)


@pytest.mark.parametrize("name", [name for name, path in shipped().items() if path.name == "ruleset.yaml"])
def test_the_page_plays_as_the_interpreter_does(page: Page, name: str) -> None:
    game = rulespec.load(name)
    page.add_script_tag(content=script(name, bundle(game)))
    played = [*plays(game, PLIES)]
    found = page.evaluate(REPLAYS, [name, [[seed, chosen] for seed, chosen, _ in played]])
    program = write(game.core).program
    for (_, _, course), states in zip(played, found, strict=True):
        assert [_without_text(state) for state in states] == [told(game, program, at) for at in course]


def _without_text(state: dict[str, Any]) -> dict[str, Any]:
    outcome = state["outcome"] and {key: held for key, held in state["outcome"].items() if key != "text"}
    return {**state, "outcome": outcome}
