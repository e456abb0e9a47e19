"""Facts after a test: a value that fits by the conditions around it is indeed one of its type."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rulespec.core import nodes as n
from rulespec.core.diagnostics import RulesetError
from rulespec.core.evaluate import evaluate
from rulespec.core.game import Game
from rulespec.core.types import Optional, Type, Value, scalar_of
from rulespec.language import load
from rulespec.play.machine import Machine
from rulespec.play.position import Position

GAME = """\
rulespec: 1
id: narrow
title: Narrow
rules:
- id: parts
  prose: Some numbers, of which two may be none.
  formal: |
    type Size = 1..3
    type Kind = one of king, pawn
    state n: 0..4 = 0
    state k: 0..4 = 0
    state o: Size? = none
    state q: Size? = none
    state kind: Kind? = none
    define fits(a: Size?): Bool = a is some and a > 1
    define here(a: Size): 1..4 = a + 1
    define asked: Size = DEFINITION
- id: go
  prose: Go.
  action: ()
  do: nothing
"""

atoms = st.sampled_from([
    "o is some", "o is none", "q is some", "n < 3", "n > 0", "n >= k", "n = k", "n != 0", "n != 3",
    "k in 1..3", "k in {1, 3}", "o = q", "o = 2", "o < q", "o != q", "o > n", "kind is king", "kind is some",
    "fits(o)", "not fits(q)", "here(o) > 2", "o in 1..2", "kind in {king, pawn}", "n + k < 4", "not n < k",
])  # fmt: skip
conditions = st.recursive(
    atoms,
    lambda inner: st.one_of(
        st.builds("({} and {})".format, inner, inner),
        st.builds("({} or {})".format, inner, inner),
        st.builds("not ({})".format, inner),
    ),
    max_leaves=4,
)
values = st.sampled_from([
    "o", "q", "n", "k", "n - 1", "n + k", "k - n", "here(o) - 1", "(if q is none then o else q)",
    "o otherwise n", "let v be n - 1; if v in 1..3 then v else 1", "if n < 1 then 1 else n", "n - k + 1",
    "min(o, q)",
])  # fmt: skip


def read(folder: Path, definition: str) -> Game:
    path = folder / "narrow.yaml"
    path.write_text(GAME.replace("DEFINITION", definition), "utf-8")
    return load(path)


@settings(max_examples=250, deadline=None)
@given(conditions, values)
def test_what_is_narrowed_is_always_of_its_type(tmp_path_factory, asked: str, value: str) -> None:  # type: ignore[no-untyped-def]
    try:
        game = read(tmp_path_factory.mktemp("narrow"), f"if {asked} then {value} else 1")
    except RulesetError:
        return
    body = game.functions["asked"].body
    if not isinstance(body, n.Otherwise) or not isinstance(body.b, n.Const):
        return  # its type fits as it stands
    machine = Machine(game)
    at = machine.initial().values
    places = [i for i, var in enumerate(machine.variables) if var.name in ("n", "k", "o", "q", "kind")]
    domains = [_values(machine.variables[i].type) for i in places]
    for combination in itertools.product(*domains):
        held = dict(zip(places, combination, strict=True))
        state = Position(tuple(held.get(i, value) for i, value in enumerate(at)))
        assert evaluate(body.a, {}, machine.situation(state)) is not None


def _values(of: Type) -> list[Value]:
    inner = scalar_of(of)
    assert inner is not None
    return [*([None] if isinstance(of, Optional) else []), *inner.values]


@pytest.mark.parametrize(
    "definition",
    [
        "if o is some then o else 1",
        "if o is none then 1 else o",
        "if n in 1..3 then n else 1",
        "if n > 0 and n < 4 then n else 1",
        "if n < 1 or n > 3 then 1 else n",
        "if o > n then o else 1",
        "if fits(o) then o else 1",
        "if not (n = 0 or n = 4) then n else 1",
        "let v be n - 1; if v in 1..3 then v else 1",
        "if here(o) > 2 then here(o) - 1 else 1",
        "if o is some then (if q is some then min(o, q) else o) else 1",
        "clamp(n, 1..3)",
        "clamp(n - k, Size)",
    ],
)
def test_after_a_test_a_value_fits(definition: str, tmp_path: Path) -> None:
    assert "asked" in read(tmp_path, definition).functions


@pytest.mark.parametrize(
    "definition",
    [
        "o",
        "if q is some then o else 1",
        "if o is some or n > 2 then o else 1",
        "if not o > 2 then o else 1",
        "if n > 0 then n else 1",
        "if o = q then o else 1",
        "clamp(o, 1..3)",
    ],
)
def test_what_no_test_shows_does_not_fit(definition: str, tmp_path: Path) -> None:
    with pytest.raises(RulesetError, match=r"type\.mismatch"):
        read(tmp_path, definition)


EFFECT = """\
rulespec: 1
id: effect
title: Effect
rules:
- id: parts
  prose: Parts.
  formal: |
    type Size = 1..3
    state o: Size? = none
    state seen: set of Size
    state last: Size = 1
    to note(a: Size): last := a
    define sure(a: Size): Size = a
- id: go
  prose: Go.
  action: a in 0..4 where a > 0
  require:
    some:
      prose: There is one, and it is small.
      that: o is some and a < 4
  do: |
    EFFECT
- id: end
  prose: End.
  end: last = 2
"""


@pytest.mark.parametrize(
    ("effect", "fits"),
    [
        ("last := if true then sure(o) else 1", True),
        ("last := fold t: Size from o over k in 1..2 to t", True),
        ("last := fold t: Size from a over k in 1..2 to t", True),
        ("o := none; last := fold t: Size from o over k in 1..2 to t", False),
        ("for j in 1..2: last := fold t: Size from o over k in 1..2 to t", False),
        ("for j in 1..2 where o is some: last := fold t: Size from o over k in 1..2 to t", True),
        ("for j in 1..2: last := fold t: Size from a over k in 1..2 to t", True),
        ("o := none ⏎ if o is some: last := fold t: Size from o over k in 1..2 to t", True),
        ("o := none ⏎ if o is none: nothing ⏎ else: last := fold t: Size from o over k in 1..2 to t", True),
    ],
)
def test_in_an_effect_a_fact_lasts_until_its_variable_is_stored_in(
    effect: str, fits: bool, tmp_path: Path
) -> None:
    path = tmp_path / "effect.yaml"
    path.write_text(EFFECT.replace("EFFECT", effect.replace("⏎ ", "\n    ")), "utf-8")
    if fits:
        assert "last" in load(path).state
    else:
        with pytest.raises(RulesetError, match=r"type\.mismatch"):
            load(path)
