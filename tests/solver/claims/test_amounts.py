"""Amounts that effects move from number to number: read off the text, held against what is played."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from textwrap import indent

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.verdicts import Store
from rulespec.language import load
from rulespec.play.chance import Chance
from rulespec.play.machine import Machine
from rulespec.play.position import Position
from rulespec.solver.analyses.flows import Flow, Unread
from rulespec.solver.analyses.obligations import of_invariant
from rulespec.solver.claims import prove, recheck
from rulespec.solver.formulas.dependencies import Dependencies

PURSES = """
rulespec: 1
id: purses
title: Purses
players: 1
rules:
- id: purses
  prose: Every seat has coins and notes, a note is worth two coins, and the rest lies in the bank.
  formal: |
    type Seat = 1..SEATS
    type Coins = 0..60
    state purse: map Seat -> Coins = {s -> s for s in Seat}
    state notes: map Seat -> 0..9 = 1
    state bank: Coins = 7
    define right(s: Seat): Seat? = if s < SEATS then s + 1 else none
    define along(s: Seat, n: Coins): Seat = (s + n) mod SEATS + 1
    define is-poor(s: Seat): Bool = s < SEATS and purse[s] < 9
- id: act
  prose: Something is done with two seats.
  action: s in Seat, t in Seat
  written: act {s} {t}
  do: |
"""
WORTH = "sum(purse[s] for s in Seat) + 2 * sum(notes[s] for s in Seat) + bank"
EVEN = (
    "add 1 to purse[s]\nremove 1 from bank",
    "let n be purse[s]\npurse[s] := 0\nadd n to bank",
    "let n be purse[s]\npurse[s] := 0\nfor i in 1..n: add 1 to purse[along(s, i)]",
    "let n be bank\nbank := 2\nadd n - 2 to purse[s]",
    "let n be bank\nbank := 0\nfor i in 3..n + 2: add 1 to purse[s]",
    "swap purse[s] with purse[t]",
    "if s != t:\n  add purse[t] to purse[s]\n  purse[t] := 0",
    "if is-poor(s):\n  add purse[right(s)] to bank\n  purse[right(s)] := 0",
    "remove 1 from bank\nif bank > 3: add 1 to purse[s]\nelse: add 1 to purse[t]",
    "for x in Seat where x != s:\n  add 1 to purse[s]\n  remove 1 from purse[x]",
    "for x in Seat: remove 1 from purse[x]\nadd 4 to bank",
    "let rich be those x in Seat where purse[x] > 2\n"
    "for x in rich: remove 1 from purse[x]\nadd size(rich) to bank",
    "add 1 to notes[s]\nremove 2 from bank",
    "roll d from 1..3\nadd d to bank\nremove d from purse[s]",
)
UNEVEN = (
    "add purse[t] to purse[s]\npurse[t] := 0",
    "add 1 to purse[right(s)]\nremove 1 from bank",
    "let n be purse[s]\npurse[s] := 0\nfor i in 2..n: add 1 to purse[t]\nadd 1 to bank",
    "let n be bank\nbank := 0\nfor i in 1..min(n, 4): add 1 to purse[s]",
    "let n be bank\nbank := 0\nfor i in (those x in 1..4 where 1 <= x and x <= n): add 1 to purse[s]",
    "if bank > 3:\n  add 1 to purse[s]\nremove 1 from bank",
    "let n be bank\nbank := 0\nif bank = 0:\n  add purse[t] to purse[s]\n  purse[t] := 0\nbank := n",
    "for x in Seat: add purse[x] to bank\npurse[s] := 0",
    "for x in Seat:\n  add purse[x] to bank\n  purse[s] := 0",
    "purse[s] := purse[t]",
    "add 1 to notes[s]\nremove 1 from purse[s]",
    "roll d from 1..3\nadd d to bank",
    "let x be purse[t]\nadd purse[s] to bank\npurse[t] := 0\npurse[s] := 0\nadd x to purse[s]",
)
"""Statements that need not leave the worth of all as it is."""


def purses(statements: list[str], claims: str = "", seats: int = 4) -> Game:
    """The game in which these statements are done."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "purses.yaml"
        rules = PURSES.lstrip().replace("SEATS", str(seats))
        path.write_text(rules + "".join(indent(f"{x}\n", "    ") for x in statements) + claims)
        return load(path)


def flow(game: Game) -> tuple[Flow, dict[object, int]]:
    """What the action does to the amounts, and the bag of it. Raises Unread."""
    weights = {game.state["purse"]: 1, game.state["notes"]: 2, game.state["bank"]: 1}
    found = Flow(Dependencies(game), frozenset(weights), weights)
    return found, dict(found.run(game.actions["act"].effect))


def worth(game: Game, position: Position) -> int:
    """The worth of all coins and notes."""
    state = dict(zip(game.state, position.values, strict=True))
    return sum(state["purse"]) + 2 * sum(state["notes"]) + state["bank"]


def changes(game: Game, choose: random.Random | st.DataObject) -> Iterator[tuple[bool, int]]:
    """For some plies of a play: is the worth said to stay, and the change of it."""
    found, bag = flow(game)
    machine = Machine(game)
    position = machine.start(Chance("0")).position
    for at in range(8):
        moves = list(machine.moves(position))
        move = (
            moves[choose.randrange(len(moves))]
            if isinstance(choose, random.Random)
            else choose.draw(st.sampled_from(moves))
        )
        environment = dict(zip((c.var for c in game.actions["act"].choices), move.args, strict=True))
        needed = any(evaluate(e, environment, machine.situation(position)) for e in found.needs)
        after = machine.play(position, move, Chance(str(at))).position
        if after.fault is not None:
            return
        yield not bag and not needed, worth(game, after) - worth(game, position)
        position = after


@pytest.mark.parametrize("statement", EVEN)
def test_what_only_moves_amounts_is_seen_to(statement: str) -> None:
    _, bag = flow(purses([statement]))
    assert bag == {}


@pytest.mark.parametrize("statement", UNEVEN)
def test_what_may_lose_something_is_not_said_to_keep_all(statement: str) -> None:
    game, rng = purses([statement]), random.Random("amounts")
    with suppress(Unread):
        found = [one for _ in range(8) for one in changes(game, rng)]
        assert any(change for _, change in found)
        assert not any(change for stays, change in found if stays)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.sampled_from((*EVEN, *UNEVEN)), min_size=1, max_size=3), st.data())
def test_what_is_said_to_leave_the_worth_of_all_does(statements: list[str], data: st.DataObject) -> None:
    with suppress(Unread):
        assert not any(change for stays, change in changes(purses(statements), data) if stays)


@pytest.mark.parametrize("part", ["purse[1] + bank", "purse[1] + 2 * purse[2] + 3 * purse[3] + 4 * purse[4]"])
def test_sums_with_other_weights_for_other_keys_are_not_read(part: str) -> None:
    claims = f"claims:\n- id: part\n  prose: So.\n  invariant: {part} = 8\n"
    game = purses(["swap purse[s] with purse[t]"], claims)
    assert of_invariant(game, game.claims["part"].always) is None


CLAIMED = f"""
claims:
- id: nothing-lost
  prose: All coins and notes together stay worth the same.
  invariant: {WORTH} = 70
- id: coins
  prose: The coins of the seats alone stay as many.
  invariant: sum(purse[s] for s in Seat) = 45
"""


def test_claims_are_decided_by_amounts() -> None:
    def loader(**given: object) -> Game:
        return purses([EVEN[2], EVEN[3]], CLAIMED, seats=9)

    store = Store()
    found = {v.claim: v for v in prove(loader, timeout=200, store=store)}
    assert {name: v.outcome for name, v in found.items()} == {"nothing-lost": "proved", "coins": "refuted"}
    data = found["nothing-lost"].evidence[0].data
    assert data.get("by") == "flows" or {row[0] for row in data["invariants"]} == {"conserved"}
    assert all(check.passed for check in recheck(store, loader))
