"""Bags are numbers of equal things: what effects do to them is what they do to counters."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest
from code_plays import agree
from hypothesis import given, settings
from hypothesis import strategies as st

import rulespec
from rulespec.core.evaluate import evaluate
from rulespec.language import load

GOOD = Path(__file__).parent / "good" / "bags.yaml"
KINDS = ("red", "blue", "green")
GAME = """\
rulespec: 1
id: sacks
title: Sacks
rules:
- id: sacks
  prose: Two sacks, a set and a list of things.
  formal: |
    type Kind = one of red, blue, green
    state a: bag of Kind up to 20 = {3 red, blue}
    state b: bag of Kind up to 20 = {}
    state seen: set of Kind = {}
    state row: list of Kind up to 60 = []
    state size-of-a: 0..60 = 4
"""
STATEMENTS = (
    "add {k} to a", "add 2 {k} to b", "if {k} in a: remove {k} from a", "if {k} in a: move {k} from a to b",
    "move all of a into b", "a := b", "b := {{}}", "a := {{2 {k}}}", "for x in a: add x to seen",
    "size-of-a := size(a)", "if a is empty: add {k} to a", "for x in b: add x to row",
    "if b[{k}] >= 2: remove 2 {k} from b",
)  # fmt: skip


def action(number: int, statement: str, kind: str) -> str:
    return f"- id: act-{number}\n  prose: Act.\n  action: ()\n  do: |\n    {statement.format(k=kind)}\n"


@cache
def game(folder: Path) -> rulespec.Game:
    path = folder / "sacks.yaml"
    every = [(s, k) for s in STATEMENTS for k in KINDS]
    path.write_text(GAME + "".join(action(i, s, k) for i, (s, k) in enumerate(every)), "utf-8")
    return rulespec.load(path)


def follow(statement: str, k: str, a: Counter[str], b: Counter[str], seen: set[str], row: list[str]) -> int:
    """Do to counters what a statement says; the number of things in the first, if it is stored."""
    number = STATEMENTS.index(statement)
    if number in (0, 10):
        a[k] += 1 if number == 0 or not a.total() else 0
    elif number == 1:
        b[k] += 2
    elif number in (2, 3) and a[k]:
        a[k] -= 1
        b[k] += number == 3
    elif number == 4:
        b.update(a)
        a.clear()
    elif number == 5:
        a.clear()
        a.update(b)
    elif number in (6, 7):
        (b if number == 6 else a).clear()
        a[k] += 2 * (number == 7)
    elif number == 8:
        seen.update(+a)
    elif number == 11:
        row.extend(x for x in KINDS if b[x])
    elif number == 12 and b[k] >= 2:
        b[k] -= 2
    return a.total()


def test_bags_are_counters(tmp_path: Path) -> None:
    @settings(max_examples=60, deadline=None)
    @given(st.lists(st.tuples(st.sampled_from(STATEMENTS), st.sampled_from(KINDS)), max_size=8))
    def run(steps: list[tuple[str, str]]) -> None:
        state = game(tmp_path).start(seed=1)
        a, b, seen, row, size = Counter(red=3, blue=1), Counter[str](), set[str](), list[str](), 4
        for statement, kind in steps:
            number = STATEMENTS.index(statement) * len(KINDS) + KINDS.index(kind)
            state = state.play(f"act-{number}")
            held = follow(statement, kind, a, b, seen, row)
            size = held if STATEMENTS.index(statement) == 9 else size
            if state.fault or max([0, *a.values(), *b.values()]) > 20:
                return
            data = state.to_data()
            assert (data["a"], data["b"]) == (dict(+a), dict(+b))
            assert (set(data["seen"]), data["row"], data["size-of-a"]) == (seen, row, size)

    run()


@pytest.mark.parametrize(
    ("data", "held"),
    [
        (["copper", "gold", "copper"], {"copper": 2, "gold": 1}),
        ({"copper": 2, "gold": 1}, {"copper": 2, "gold": 1}),
        ("{copper: 2}", {"copper": 2}),
        ([], {}),
    ],
)
def test_a_position_gives_a_bag_as_things_or_numbers(data: object, held: dict[str, int]) -> None:
    assert rulespec.load(GOOD).position({"shelf": data, "tokens": ["red"]}).to_data()["shelf"] == held


def test_more_than_there_is_cannot_be_taken(tmp_path: Path) -> None:
    text = GAME + action(0, "remove 2 {k} from a", "blue")
    path = tmp_path / "sacks.yaml"
    path.write_text(text, "utf-8")
    assert rulespec.load(path).start(seed=1).play("act-0").fault is not None


SUMS = """\
    type Face = 1..4
    state dice: bag of Face up to 3 = {DICE}
    state more: bag of Face up to 3 = {MORE}
    define total = sum(dice)
    define squares = sum(f * f for each f in dice where f > 1)
    define few = count(each f in dice where f < 3)
    define pairs = count(each f in dice, each g in more where f = g)
    define mixed = sum(f for each f in dice, g in more)
    define known = sum({1, 4}) + sum([2, 2])
"""
BAGS = st.lists(st.integers(1, 4), max_size=6).filter(
    lambda dice: not dice or max(Counter(dice).values()) <= 3
)


@settings(deadline=None, max_examples=20)
@given(BAGS, BAGS)
def test_sums_of_each_count_equal_things(
    tmp_path_factory: pytest.TempPathFactory, dice: list[int], more: list[int]
) -> None:
    path = tmp_path_factory.mktemp("sums") / "sacks.yaml"
    texts = [", ".join(f"{k} {face}" for face, k in Counter(bag).items()) for bag in (dice, more)]
    text = SUMS.replace("DICE", texts[0]).replace("MORE", texts[1])
    path.write_text(GAME.split("    type")[0] + text + action(0, "nothing", ""), "utf-8")
    state = rulespec.load(path).start()
    found = {
        name: evaluate(state.game.core.functions[name].body, {}, state.game.machine.situation(state.position))
        for name in ("total", "squares", "few", "pairs", "mixed", "known")
    }
    assert found == {
        "total": sum(dice), "squares": sum(f * f for f in dice if f > 1), "few": sum(f < 3 for f in dice),
        "pairs": sum(f == g for f in dice for g in more), "mixed": sum(dice) * len({*more}), "known": 9,
    }  # fmt: skip


@settings(deadline=None, max_examples=12)
@given(st.lists(st.sampled_from(KINDS), min_size=1, max_size=5), st.booleans())
def test_a_shuffle_keeps_equal_things(
    tmp_path_factory: pytest.TempPathFactory, things: list[str], in_bag: bool
) -> None:
    path = tmp_path_factory.mktemp("shuffles") / "sacks.yaml"
    bag = ", ".join(f"{k} {kind}" for kind, k in Counter(things).items())
    held = f"    state a: bag of Kind up to 5 = {{{bag}}}\n"
    held += f"    state row: list of Kind up to 15 = [{', '.join(things)}]\n"
    statement = "shuffle a into row" if in_bag else "shuffle row"
    types = "".join(GAME.partition("    type Kind = one of red, blue, green\n")[:2])
    path.write_text(types + held + action(0, statement, ""), "utf-8")
    game = rulespec.load(path)
    rows = [tuple(game.start(seed=seed).play("act-0").to_data()["row"]) for seed in range(8 * len(things))]
    assert all(Counter(row) == Counter(things) for row in rows)
    assert len({*rows}) > 1 or len({*things}) == 1


def test_code_and_interpreter_agree_on_shuffles() -> None:
    agree(load(GOOD.parent / "shuffles.yaml"), seeds=5, most=4)


@pytest.mark.parametrize(
    "statement", ["add 19 red to a", "move all of b into a", "roll 20 of {{red}} into a"]
)
def test_a_fault_of_a_bag_has_its_place(statement: str, tmp_path: Path) -> None:
    path = tmp_path / "sacks.yaml"
    text = GAME.replace("b: bag of Kind up to 20 = {}", "b: bag of Kind up to 20 = {20 red}")
    path.write_text(text + action(0, statement, ""), "utf-8")
    fault = rulespec.load(path).start(seed=1).play("act-0").position.fault
    assert fault is not None and fault.span is not None
    assert statement.split()[0] in fault.span.source.line(fault.span.line)
