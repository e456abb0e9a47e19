"""Small rulesets with numbers out of range: negative in sets, outside the values of a map or of players."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st

from rulespec.core.game import Game
from rulespec.language import load

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
