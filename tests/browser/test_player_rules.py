"""The player in the page says of every position what the interpreter says: it is held to thousands of plies.

Chance of both is the generator of the machine. A page only gets what the bundle and the scripts have.
"""

from __future__ import annotations

import random
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page
from shipped_games import SMALLER, base_rulesets, load
from soundness.rulesets import generated

import rulespec
from browser.conftest import RULESETS, SLOW
from browser.player_plays import plays, row
from rulespec.browser.positions import pack
from rulespec.browser.site import bundle_script
from rulespec.code import write
from rulespec.code.program import Program, encode_state
from rulespec.play.actions import Actions
from rulespec.play.chance import Chance
from rulespec.play.face import Game, State
from rulespec.play.position import Move, Position
from rulespec.play.records.files import Record, replay
from rulespec.play.refusal import refusing_rule
from rulespec.play.wording import Wording, counters, tie_breakers

PLIES, FEWER = 110 if SLOW else 5, 6
"""The plies of a shipped ruleset, and of each of its variants."""
GOOD = Path(__file__).parents[1] / "language" / "good"
RANDOM, EACH = 150 if SLOW else 15, 15
"""The number of random games, and how many each test has."""
REPLAYS = """([key, plays]) => {
  const game = rulespec.load(rulespec.bundles[key]);
  const { numbers, words } = game.layout;
  const whole = (state) => {
    const held = new BigInt64Array(state.bytes.buffer, 0, numbers + words);
    return Array.from(held, String).join(" ");
  };
  const told = (state) => ({
    state: whole(state), draws: state.draws, fault: state.fault !== 0, mover: game.mover(state),
    data: game.data(state), packed: game.pack(state),
    legal: game.legal(state).map((action) => [
      game.row(action).join(" "), game.note(state, action), game.full(action), game.sentence(state, action),
    ]),
    scores: game.scores(state), outcome: game.outcome(state), titles: game.titles(state),
    tieBreakers: game.tieBreakers(state),
    counters: game.counters(state).map(({ seat, text }) => [game.about.names[seat ?? -1], text])
      .map((words) => words.filter(Boolean).join(": ")),
  });
  const refused = (state, rows) => rows.map((row) => {
    const action = { action: row[0], values: row.slice(1) };
    game.predicate(state, action); // an illegal action is told too
    return game.refusals(state, action);
  });
  const alike = (a, b) => a.bytes.length === b.bytes.length && a.bytes.every((x, i) => x === b.bytes[i]);
  const same = (a, b) => a.ended === b.ended && alike(a, b);
  const readsBack = (state) => same(game.unpack(game.pack(state)), state)
    && alike(game.position(JSON.parse(JSON.stringify(game.data(state)))), state)
    && game.legal(state).slice(0, 20).every((action) => {
      const found = game.read(state, game.shortest(state, action));
      return found && game.compare(found, action) === 0;
    });
  return plays.map(([seed, chosen, tried]) => {
    const chance = { random: rulespec.randomNumbers(seed), outcomes: [] };
    const states = [game.start(chance)];
    for (const index of chosen) {
      const state = states[states.length - 1];
      states.push(game.play(state, game.legal(state)[index], chance));
    }
    const again = { given: chance.outcomes, outcomes: [] };
    let state = game.start(again);
    chosen.forEach((index) => { state = game.play(state, game.legal(state)[index], again); });
    return {
      told: states.map(told), refused: states.map((state, i) => refused(state, tried[i])),
      plays: chosen.map((index, i) => game.shortest(states[i], game.legal(states[i])[index])),
      outcomes: chance.outcomes, replayed: same(state, states[states.length - 1]) && again.outcomes,
      readsBack: states.every(readsBack),
    };
  });
}"""


def told(game: Game, program: Program, at: Position) -> dict[str, Any]:
    """The interpreter's facts of a position, in the form of the page."""
    numbers, words = encode_state(program, at.values)
    held = [*numbers[: program.state_cells], *map(_signed, words[: program.state_words])]
    state, seats = State(game, at, Chance()), list(game.core.player.values)
    titles = game.machine.titles(at)
    wording, situation = Wording(game.machine), game.machine.situation(at)
    return {
        "state": " ".join(map(str, held)), "draws": at.draws, "fault": at.fault is not None,
        "mover": -1 if at.is_over else seats.index(state.values["mover"]),
        "data": state.to_data(), "packed": pack(state),
        "legal": [
            [_joined(row(program, move)), str(action), action.full, wording.sentence(move, situation)]
            for move, action in zip(game.machine.moves(at), state.actions(), strict=True)
        ],
        "scores": [*game.machine.scores(at).values()] or None,
        "outcome": outcome(game, at), "titles": [titles.get(seat) for seat in seats],
        "counters": counters(game.core, situation), "tieBreakers": tie_breakers(game.core, situation),
    }  # fmt: skip


def outcome(game: Game, at: Position) -> dict[str, Any] | None:
    """How a play ended; None while it goes on."""
    if not at.is_over:
        return None
    ends = {end.id: end.prose or end.id for end in game.core.ends}
    seats = list(game.core.player.values)
    return {
        "ended": "fault" if at.fault else at.ended, "by": at.ended if at.ended in ends else None,
        "text": fault(at) if at.fault else ends.get(at.ended or "", "no action was legal"),
        "winners": [seats.index(seat) for seat in game.machine.winners(at)],
        "scores": [*game.machine.scores(at).values()] or None,
    }  # fmt: skip


def fault(at: Position) -> str:
    """How the page tells a fault: without the value, and the keys of the place."""
    told = re.fullmatch(r"`(\w[^`\[]*).*?` would become .*, but it can only hold (.*)", str(at.fault))
    assert told is not None
    return f"the play has ended in a fault: `{told[1]}` can only hold {told[2]}"


def refusals(game: Game, at: Position, move: Move) -> list[dict[str, Any]]:
    """Why the interpreter refuses an action, as the page says it."""
    found = Actions(game.machine, game.wording, at).refusals(move)
    by = {"over": at.ended if at.ended and at.ended != "stuck" else ""}
    rules = [refusing_rule(game.core, r) for r in found]
    return [
        {
            "kind": r.kind, "id": r.id, "text": fault(at) if r.id == "fault" else text,
            "clause": by.get(r.kind, clause), "fact": r.prose if r.kind == "choice" else "",
        }
        for r, (clause, text) in zip(found, rules, strict=True)
    ]  # fmt: skip


def _joined(numbers: list[int]) -> str:
    return " ".join(map(str, numbers))


def _signed(word: int) -> int:
    return word - (word >> 63 << 64)


CHOOSY = """\
rulespec: 1
id: choosy
title: Choosy
players: 1
rules:
- id: parts
  prose: There are numbers.
  formal: "state held: set of 1..6 = {1, 3, 5}"
- id: take
  prose: Take a number that is not too small.
  action: n in held where n > size(held)
  written: take {n}
  do: remove n from held
- id: put
  prose: Put a number back.
  action: n in 1..6 where n not in held
  written: put {n}
  do: add n to held
"""
"""Values that cannot be chosen because they are not there, or because a condition on them fails."""


def held_to(page: Page, name: str, game: Game, plies: int) -> None:
    """Compare a game in the page with the interpreter for so many plies."""
    page.add_script_tag(content=bundle_script(name, game))
    program, played = write(game.core).program, [*plays(game, plies)]
    asked = [[one.seed, one.chosen, [[row(program, m) for m in ms] for ms in one.tried]] for one in played]
    for one, found in zip(played, page.evaluate(REPLAYS, [name, asked]), strict=True):
        assert found["told"] == [told(game, program, at) for at in one.course]
        asked_of = zip(one.course, one.tried, strict=True)
        assert found["refused"] == [[refusals(game, at, move) for move in moves] for at, moves in asked_of]
        assert found["outcomes"] == found["replayed"] == one.outcomes
        assert found["readsBack"]
        record = Record(name, game.core.digest, game.core.players, (*found["plays"],), (*found["outcomes"],))
        assert [*replay(record, game)][-1].position == one.course[-1]


@pytest.mark.sampled(4)
@pytest.mark.parametrize("name", RULESETS)
def test_the_page_plays_as_the_interpreter_does(player_page: Page, name: str) -> None:
    game = load(name, parameters=SMALLER.get(name))
    held_to(player_page, name, game, PLIES if name in base_rulesets() else FEWER)


def test_a_value_is_refused_for_the_reasons_that_the_interpreter_gives(
    player_page: Page, tmp_path: Path
) -> None:
    (tmp_path / "choosy.yaml").write_text(CHOOSY)
    held_to(player_page, "choosy", rulespec.load(str(tmp_path / "choosy.yaml")), 30)


@pytest.mark.parametrize("name", ["grown-sets", "named-seats", "sets-at-once", "shuffles"])
def test_the_page_has_sets_and_shuffles_as_the_interpreter_has(player_page: Page, name: str) -> None:
    held_to(player_page, name, rulespec.load(GOOD / f"{name}.yaml"), 12)


@pytest.mark.parametrize("first", range(0, RANDOM, EACH))
def test_the_page_plays_random_games_as_the_interpreter_does(
    player_page: Page, tmp_path: Path, first: int
) -> None:
    """Small games of every part of the language, with faults, and with rules nobody would make."""
    for seed in range(first, first + EACH):
        text, _ = generated(random.Random(seed), f"random-{seed}")
        path = tmp_path / f"random-{seed}.yaml"
        path.write_text(text)
        try:
            game = rulespec.load(str(path))
        except rulespec.RulesetError:
            continue
        held_to(player_page, f"random-{seed}", game, 8)
