"""Single values that effects move from place to place: read off the text, held against what is played."""

from __future__ import annotations

import random
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
from rulespec.solver.analyses.obligations import of_invariant
from rulespec.solver.claims import prove, recheck

BOARD = """
rulespec: 1
id: places
title: Places
players: 1
rules:
- id: board
  prose: Men, kings and stones stand on six squares, and one thing may stand aside.
  formal: |
    type Square = 1..SQUARES
    type Thing = one of man, king, stone
    define first(s: Square): Thing? =
      if s = 1 then king else if s < 4 then man else if s = 5 then stone else none
    state board: map Square -> Thing? = {s -> first(s) for s in Square}
    state aside: Thing? = none
    state pile: list of 1..2 up to 4 = [1]
    state phase: 1..2 = 1
    define beyond(s: Square): Square? = if s < SQUARES then s + 1 else none
- id: act
  prose: Something is done with two squares.
  action: s in Square, t in Square
  written: act {s} {t}
  do: |
"""
STATEMENTS = (
    "board[t] := board[s]\nboard[s] := none",
    "if s != t:\n  board[t] := board[s]\n  board[s] := none",
    "if s != t and board[t] is none:\n  board[t] := board[s]\n  board[s] := none",
    "swap board[s] with board[t]",
    "board[s] := none",
    "phase := 2",
    "if board[s] is man: board[s] := king",
    "if board[s] is stone: board[s] := none\nelse: board[t] := stone",
    "if board[s] is king:\n  board[t] := none\n  board[s] := king",
    "let x be board[s]\nboard[s] := aside\naside := x",
    "for x in Square where board[x] is stone: board[x] := none",
    "for x in Square where x > s: board[x] := man",
    "for x in Square: board[x] := man",
    "board[beyond(s)] := board[s]\nboard[s] := none",
    "board[s] := man\nboard[t] := board[s]",
    "roll x from Square\nboard[x] := none",
)
HELD = "count(s in Square where board[s] is KIND)"
CONDITIONS = tuple(
    text.replace("HELD", HELD)
    for text in (
        "HELD = 1", "HELD <= 1", "HELD >= 1", "HELD + (if aside is KIND then 1 else 0) = 1",
        "HELD + (if aside is KIND then 1 else 0) >= 1",
        "count(s in Square where board[s] is some) + (if aside is some then 1 else 0) <= 4",
        "2 * count(s in Square where board[s] is king) + count(s in Square where board[s] is man) >= 2",
        "3 * count(s in Square where board[s] is none) <= 6", "board[1] is king",
        "size(pile) + (if phase = 2 then 1 else 0) <= 1",
    )
)  # fmt: skip


def places(statements: list[str], condition: str, squares: int = 6) -> Game:
    """The game in which these statements are done, with a condition as a claim."""
    claims = f"claims:\n- id: kept\n  prose: So.\n  invariant: {condition}\n"
    with TemporaryDirectory() as folder:
        path = Path(folder) / "places.yaml"
        rules = BOARD.lstrip().replace("SQUARES", str(squares))
        path.write_text(rules + "".join(indent(f"{x}\n", "    ") for x in statements) + claims)
        return load(path)


def check(statements: list[str], condition: str, choose: random.Random | st.DataObject) -> int:
    """Hold the obligations against plays; return the number of plies that they let pass."""
    game = places(statements, condition)
    stated = game.claims["kept"].always
    read = of_invariant(game, stated)
    if read is None:
        return 0
    machine, passed = Machine(game), 0
    position = machine.start(Chance("0")).position
    for at in range(10):
        moves = list(machine.moves(position))
        move = (
            choose.choice(moves) if isinstance(choose, random.Random) else choose.draw(st.sampled_from(moves))
        )
        environment = dict(zip((c.var for c in game.actions["act"].choices), move.args, strict=True))
        before = machine.situation(position)
        broken = any(evaluate(e, environment, before) for one in read.each for e in one.never)
        position = machine.play(position, move, Chance(str(at))).position
        if evaluate(stated, {}, before) and not broken:
            passed += 1
            assert evaluate(stated, {}, machine.situation(position)), (statements, condition, at)
    return passed


def test_each_statement_and_condition_is_read_somewhere() -> None:
    rng, passed = random.Random("places"), dict[str, int]()
    for statement in STATEMENTS:
        for condition in CONDITIONS:
            count = sum(check([statement], condition.replace("KIND", kind), rng) for kind in ("man", "king"))
            for text in (statement, condition):
                passed[text] = passed.get(text, 0) + count
    unread = [text for text, count in passed.items() if not count]
    assert unread == ["board[1] is king"]


@settings(max_examples=60, deadline=None)
@given(
    st.lists(st.sampled_from(STATEMENTS), min_size=1, max_size=3),
    st.sampled_from(CONDITIONS),
    st.sampled_from(("man", "king", "stone")),
    st.data(),
)
def test_what_is_said_to_stay_true_does(
    statements: list[str], condition: str, kind: str, data: st.DataObject
) -> None:
    check(statements, condition.replace("KIND", kind), data)


@pytest.mark.parametrize(
    "condition", ["(if over then 1 else 0) = 0", "size(pile) + (if over then 1 else 0) <= 1"]
)
def test_what_no_effect_stores_does_not_count_as_staying(condition: str) -> None:
    game = places([STATEMENTS[0]], condition)
    assert of_invariant(game, game.claims["kept"].always) is None


def test_a_large_board_is_decided_by_what_moves() -> None:
    def loader(**given: object) -> Game:
        return places([STATEMENTS[2]], HELD.replace("KIND", "man") + " = 2", squares=40)

    store = Store()
    (found,) = prove(loader, timeout=200, store=store)
    assert found.outcome == "proved"
    assert found.evidence[0].data.get("by") == "flows"
    assert all(one.passed for one in recheck(store, loader))
