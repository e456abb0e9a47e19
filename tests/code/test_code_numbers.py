"""Numbers that lie outside: below nought in sets, beyond what a map holds, among players and in scores.

Random little rulesets are played by generated code, with arrays that refuse places outside them and
compiled, and by the interpreter; then all their states are looked at by both.
"""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest
from code_plays import agree
from guarded import Careful
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulespec.code.compiling import Compiled
from rulespec.code.engine import can_compile
from rulespec.core.game import Game
from rulespec.language import load
from solver.explore import ByCode, ByRules
from solver.explore.states import Standing

quick = settings(deadline=None, suppress_health_check=list(HealthCheck), max_examples=30)

RULES = """
rulespec: 1
id: numbers
title: Numbers
players: {players}
rules:
- id: things
  prose: Things.
  formal: |
    type Col = one of red, green, blue
    type Num = {low}..{high}
    state m: map Col -> {low}..{high} = {high}
    state o: map Col -> Num? = none
    state l: set of {low}..{high} = {{}}
    state n: -3..9 = 0
- id: go
  prose: Act.
  action: ()
  do: |
    m[green] := min(max(n, {low}), {high})
    o[blue] := if n in Num then Num(n) otherwise {low} else none
    add min(max(2 - n, {low}), {high}) to l
    add 1 to n
- id: some
  prose: Act on what fits.
  action: c in Col
  require:
    fits:
      prose: It fits.
      that: {condition}
  do: add {step} to n
- id: late
  prose: It ends.
  end: n >= 4
- id: who
  prose: Somebody wins.
  {outcome}
claims:
- id: said
  prose: It is asked.
  reachable: some c in Col satisfies {condition}
"""


@st.composite
def numbers(draw: st.DrawFn, depth: int = 2) -> str:
    leaves = ["n", "m[c]", "(o[c] otherwise 7)", "size(l)", *map(str, range(-4, 11))]
    if not depth or draw(st.booleans()):
        return draw(st.sampled_from(leaves))
    a, b = draw(numbers(depth - 1)), draw(numbers(depth - 1))
    return draw(st.sampled_from([f"({a} + {b})", f"({a} - {b})", f"min({a}, {b})", f"max({a}, {b})"]))


@st.composite
def conditions(draw: st.DrawFn, depth: int = 2) -> str:
    if depth and draw(st.booleans()):
        a, b = draw(conditions(depth - 1)), draw(conditions(depth - 1))
        return draw(st.sampled_from([f"({a} and {b})", f"({a} or {b})", f"(not {a})"]))
    a, b = draw(numbers()), draw(numbers())
    sign = draw(st.sampled_from(["=", "!=", "<", "<="]))
    listed = [f"({a} {sign} {b})", f"(m[c] = {a})", f"(o[c] = {a})", f"({a} in l)", "(o[c] is none)"]
    return draw(st.sampled_from([*listed, f"({{{a}}} & l) = {{}}"]))


OUTCOMES = (
    "winners: those p in Player where p = 1",
    "winners: those p in Player where n - p in l",
    "winners: if n > 4 then {1} else those p in Player where p = mover",
    "winners: those p in Player where m[red] = n or p = mover",
    "score: n - 2 * player",
    "score: m[green] - 3",
)
RANGES = st.sampled_from([(-2, 2), (0, 2), (1, 3), (-70, -1), (5, 7), (-130, 1)])


@st.composite
def rulesets(draw: st.DrawFn) -> str:
    low, high = draw(RANGES)
    return RULES.format(
        players=draw(st.integers(1, 3)), low=low, high=high, condition=draw(conditions()),
        outcome=draw(st.sampled_from(OUTCOMES)), step=draw(st.integers(0, 2)),
    )  # fmt: skip


def made(folder: Path, text: str) -> Game:
    path = folder / "numbers.yaml"
    path.write_text(text.lstrip(), "utf-8")
    return load(path)


def same_states(game: Game, tools: Any) -> None:
    """All states of a game by code and by the interpreter, with all that can be asked of them."""
    asked = {"said": game.claims["said"].condition}
    code = ByCode(game, asked, tools=tools)  # type: ignore[arg-type]
    rules = ByRules(game, asked, layout=code.layout)  # type: ignore[arg-type]
    for states in (code, rules):
        while states.deeper(lambda: "", 2_000):
            pass
    assert code.counts == rules.counts
    assert code.digest() == rules.digest()
    standing = [Standing.MOVER, Standing.WINNERS, Standing.ENDED, Standing.FAULTED]
    for question in ("said", *standing):
        by_rules = dict(zip(rules.positions, rules.scan(question), strict=True))
        assert {code.position(i): x for i, x in enumerate(code.scan(question))} == by_rules


@quick
@given(rulesets())
def test_code_and_interpreter_agree_on_numbers_outside(
    tmp_path_factory: pytest.TempPathFactory, text: str
) -> None:
    game = made(tmp_path_factory.mktemp("numbers"), text)
    agree(game, seeds=2, most=12)
    same_states(game, Careful)


LISTED = [
    (outcome, low, high, condition)
    for outcome, (low, high), condition in zip(
        OUTCOMES,
        [(-2, 2), (-70, -1), (-130, 1), (-2, 2), (1, 3), (0, 2)],
        ["m[c] = n", "m[c] = n + 3", "(n in l or m[c] < n)", "o[c] = n - 9", "n = m[c]", "m[c] = 7"],
        strict=True,
    )
]


@pytest.mark.skipif(not can_compile(), reason="rulespec[fast] is not installed")
@pytest.mark.parametrize("outcome, low, high, condition", random.Random(1).sample(LISTED, 3))
def test_compiled_code_agrees_on_numbers_outside(
    tmp_path: Path, outcome: str, low: int, high: int, condition: str
) -> None:
    text = RULES.format(players=2, low=low, high=high, condition=condition, outcome=outcome, step=1)
    game = made(tmp_path, text)
    agree(game, seeds=2, most=12, tools=Compiled)
    same_states(game, Compiled)


@pytest.mark.parametrize("outcome, low, high, condition", LISTED)
def test_code_agrees_on_numbers_outside(
    tmp_path: Path, outcome: str, low: int, high: int, condition: str
) -> None:
    """Winners came as another set where a set held numbers below nought; a map was read beyond its values."""
    text = RULES.format(players=2, low=low, high=high, condition=condition, outcome=outcome, step=1)
    game = made(tmp_path, text)
    agree(game, seeds=2, most=12)
    same_states(game, Careful)
