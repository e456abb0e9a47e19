"""A set is chosen from all sets of the sizes asked for; code, notation and interpreter agree on them."""

from __future__ import annotations

from math import comb
from pathlib import Path

import pytest
from code_plays import agree
from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.language import load

GOOD = Path(__file__).parent / "good" / "choosing.yaml"
GAME = """\
rulespec: 1
id: sets
title: Sets
rules:
- id: hand
  prose: Some numbers are in hand.
  formal: |
    state hand: set of TYPE = HAND
    state taken: set of TYPE = {}
    state left: 0..1 = 1
- id: take
  prose: Take some.
  action: some-of-it in sets of LEAST..MOST from SOURCE SIGN
  do: |
    taken := some-of-it
    left := 0
- id: over
  prose: One action ends it.
  end: left = 0
"""


@given(
    st.frozensets(st.integers(1, 7)),
    st.integers(0, 4),
    st.integers(0, 4),
    st.booleans(),
    st.sampled_from(["", 'as "+"']),
)
@settings(deadline=None, max_examples=25)
def test_each_set_is_chosen_once(
    tmp_path_factory: pytest.TempPathFactory,
    hand: frozenset[int],
    least: int,
    more: int,
    known: bool,
    sign: str,
) -> None:
    listed = "{" + ", ".join(map(str, sorted(hand))) + "}"
    text = GAME.replace("HAND", listed).replace("SIGN", sign).replace("SOURCE", listed if known else "hand")
    text = text.replace("TYPE", "1..7")
    path = tmp_path_factory.mktemp("sets") / "sets.yaml"
    path.write_text(text.replace("LEAST", str(least)).replace("MOST", str(least + more)), "utf-8")
    sizes = range(least, least + more + 1)
    number = sum(comb(len(hand), size) for size in sizes)
    if known and not number:
        return  # refused, which a bad document shows
    state = rulespec.load(path).start(seed=1)
    actions = state.actions()
    assert len(actions) == number
    taken = {frozenset(state.play(str(action)).values["taken"]) for action in actions}
    assert len(taken) == number
    assert all(chosen <= hand and len(chosen) in sizes for chosen in taken)


@settings(deadline=None, max_examples=15)
@given(st.frozensets(st.integers(1, 100), max_size=9), st.integers(1, 3), st.integers(1, 2))
def test_each_of_very_many_sets_is_chosen_once(
    tmp_path_factory: pytest.TempPathFactory, hand: frozenset[int], least: int, more: int
) -> None:
    """Too many for a table: they are chosen as ascending lists."""
    text = GAME.replace("TYPE", "1..100").replace("SIGN", 'as "+"').replace("SOURCE", "hand")
    text = text.replace("HAND", "{" + ", ".join(map(str, hand)) + "}").replace("LEAST", str(least))
    path = tmp_path_factory.mktemp("sets") / "sets.yaml"
    path.write_text(text.replace("MOST", str(least + more)), "utf-8")
    state = rulespec.load(path).start(seed=1)
    sizes = range(least, least + more + 1)
    taken = [frozenset(state.play(action).values["taken"]) for action in state.actions()]
    assert len(taken) == len({*taken}) == sum(comb(len(hand), size) for size in sizes)
    assert all(chosen <= hand and len(chosen) in sizes for chosen in taken)
    for action in state.actions()[:3]:
        verb, members = str(action).split()
        turned = f"{verb} {'+'.join(reversed(members.split('+')))}"
        assert state.play(turned).values == state.play(action).values


@pytest.mark.parametrize(("sign", "text"), [('as "+"', "take {0}+{1}"), ("", "take {{{0}, {1}}}")])
def test_the_elements_of_a_set_are_read_in_any_order(sign: str, text: str, tmp_path: Path) -> None:
    """Sets from a table were read in the order of their type only, those of lists in any order."""
    game = GAME.replace("TYPE", "1..7").replace("SIGN", sign).replace("SOURCE", "hand")
    game = game.replace("HAND", "{1, 2, 5}").replace("LEAST", "1").replace("MOST", "2")
    (tmp_path / "sets.yaml").write_text(game, "utf-8")
    state = rulespec.load(tmp_path / "sets.yaml").start(seed=1)
    assert str(state.find(text.format(5, 2))) == text.format(2, 5)
    for wrong in ((2, 2), (2, 9)):
        assert [refusal.kind for refusal in state.why_not(text.format(*wrong))] == ["unknown"]


def test_code_and_interpreter_agree_on_sets_and_on_none() -> None:
    agree(load(GOOD), seeds=6, most=10)
    agree(load(GOOD.parent / "grown-sets.yaml"), seeds=3, most=3)
