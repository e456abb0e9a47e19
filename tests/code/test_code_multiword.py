"""Sets of about 64 and 128 members: what is written for one word is written for any number of them."""

from __future__ import annotations

from pathlib import Path

import pytest
from code_plays import agree, blocks_are_rows
from hypothesis import given
from hypothesis import strategies as st
from machine.evaluating import Evaluator

from rulespec.code import write
from rulespec.code.bitsets import multiword
from rulespec.language import load
from rulespec.machine import form as f
from rulespec.machine.builder import FULL

SIZES = (63, 64, 65, 127, 128, 129)
BIT = f.Table("BIT", f.WORDS, tuple(1 << i for i in range(64)))


def evaluated(made: tuple[f.Expr, ...], members: int, size: int) -> int:
    """The set that expressions over the words of another are."""
    given_words = tuple((f"x{i}", f.WORD) for i in range(size))
    function = f.Function("made", given_words, tuple(e.type for e in made), (), (f.Return(made),))
    module = f.Module({"made": function}, {"BIT": BIT}, {}, ("made",))
    words = Evaluator(module).call("made", [members >> 64 * i & FULL for i in range(size)])
    return sum(word << 64 * i for i, word in enumerate(words))


@given(st.integers(1, 3), st.integers(0, FULL**3), st.data())
def test_operations_on_words_are_those_on_sets(size: int, members: int, data: st.DataObject) -> None:
    members &= data.draw(st.sampled_from([-1, FULL << 64, FULL << 128, FULL, 1 << 63 | 1 << 64]))
    words, full = [f.Local(f.WORD, f"x{i}") for i in range(size)], (1 << 64 * size) - 1
    members &= full
    lowest, highest = members & -members, 1 << members.bit_length() >> 1
    assert evaluated(multiword.lowest_bit(words), members, size) == lowest
    assert evaluated(multiword.highest_bit(words), members, size) == highest
    assert evaluated(multiword.below_lowest(words), members, size) == (lowest - 1) & full
    assert evaluated(multiword.above_highest(words), members, size) == full - max(2 * highest - 1, 0)
    if members:
        found = evaluated((multiword.lowest_position(words),), members, size)
        assert found == lowest.bit_length() - 1
    distance = data.draw(st.integers(-64 * size, 64 * size))
    moved = members >> distance if distance > 0 else members << -distance
    assert evaluated(multiword.shift_bits(words, size, distance), members, size) == moved & full


GAME = """\
rulespec: 1
id: sites
title: Sites
summary: Take sites in a row.
players: 2
rules:
- id: row
  prose: Sites lie in a row, and some are marked.
  formal: |
    type Site = {{at: 0..{last}}} as "{{at}}"
    type Way = {{by: -1..1}} where by != 0
    state owner: map Site -> Player? = none
    state height: map Site -> 0..{last} = 0
    state found: Site? = none
    define on(s: Site, w: Way, n: 1..9): Site? = Site(s.at + n * 7 * w.by)
    define beside(s: Site): set of Site = {{Site(s.at + 1), Site(s.at - 1), Site(s.at + 8), Site(s.at - 8)}}
    define near(s: Site): set of Site = {{Site(s.at + 1), Site(s.at - 1), Site(s.at + 8)}}
    define chain(s: Site): set of Site =
      those t in Site reached from {{s}} through r where t in beside(r) and owner[t] = owner[s]
    define region(s: Site): set of Site =
      those t in Site reached from {{s}} through r where owner[r] is none and t in beside(r)
    define free(s: Site): set of Site = {{t for r in chain(s), t in beside(r) where owner[t] is none}}
    define farther(s: Site): set of Site =
      {{t for r in chain(s), t in beside(r) where t > r and height[t] < 9}}
    define passed(s: Site, w: Way): set of Site =
      let n be first n in 1..9 where owner[on(s, w, n)] != after(mover);
      if owner[on(s, w, n)] = mover then {{on(s, w, i) for i in 1..n - 1}} else {{}}
    define bounded(s: Site): set of Site =
      those t in Site where t.at <= height[s] and t.at + 3 > height[s]
    define alike(s: Site): set of Site = those t in Site where t.at mod 5 = s.at mod 5
    define fours(p: Player) =
      count(t in Site where four(p, t, 1) or four(p, t, 9) or apart(p, t))
    define apart(p: Player, s: Site): Bool =
      every i in {{0, 5, 20, 25}} satisfies owner[Site(s.at + i)] = p
    define four(p: Player, s: Site, by: 1..9): Bool =
      every i in 0..3 satisfies owner[Site(s.at + i * by)] = p
"""
PUT = """\
- id: put
  prose: Take a site.
  action: s in Site
  written: "{{s}}"
  require:
    free:
      prose: The site is free.
      that: owner[s] is none
    reasons:
      prose: One of many reasons.
      that: |
        s.at mod 5 > 0 or
        (some t in beside(s) satisfies owner[t] is none or size(chain(t)) > 2 and free(t) != {{s}})
  do: |
    found := first t in Site where owner[t] = mover and t > s
    for t in {{t for w in Way, t in passed(s, w)}}: owner[t] := mover
    for t in bounded(s): height[t] := {last} - t.at
    height[s] := (size(region(s)) + size(farther(s)) + fours(mover)) mod 60
    for t in {{t for t in free(s) where t.at mod 4 = 0}}: owner[t] := mover
    for t in alike(s): owner[t] := if t.at mod 4 < 2 then mover else after(mover)
    owner[s] := mover
"""
NEAR = """\
- id: step
  prose: Mark a site near one that is yours, or that nobody has.
  action: s in Site, t in near(s)
  written: "{{s}}-{{t}}"
  require:
    fresh:
      prose: It has no mark of yours.
      that: owner[t] != mover and (owner[s] = mover or s.at > {last} - 3 or s.at in 62..66)
  do: |
    owner[s] := none
    owner[t] := mover
    add 1 to plies
- id: over
  prose: It ends after twelve plies.
  end: plies = 12
  formal: |
    state plies: 0..12 = 0
"""


def game_text(size: int, action: str) -> str:
    return (GAME + action).format(last=size - 1)


@pytest.mark.parametrize("size", SIZES)
def test_sets_of_any_size(size: int, tmp_path: Path) -> None:
    """Closures, images, rays, the first of a set, ranges of numbers; no loop over members is left of some."""
    path = tmp_path / "sites.yaml"
    path.write_text(game_text(size, PUT), "utf-8")
    game = load(path)
    agree(game, seeds=2, most=6)
    text = write(game).text
    for name in ("chain", "free", "bounded"):
        body = text[text.index(f"_{name}(s, b") :]
        assert " low(" not in body[: body.index("def ")]


@pytest.mark.parametrize("size", SIZES)
def test_pairs_at_a_distance_of_any_size(size: int, tmp_path: Path) -> None:
    path = tmp_path / "sites.yaml"
    path.write_text(game_text(size, NEAR), "utf-8")
    game = load(path)
    written = write(game)
    assert written.rows.pairs
    agree(game, seeds=1, most=6)
    blocks_are_rows(written)
