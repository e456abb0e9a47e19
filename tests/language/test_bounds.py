"""Bounds on unfolded sizes: known on small rules, over what is really evaluated, refused past the limit."""

from __future__ import annotations

from pathlib import Path

import pytest
import shipped_games

from rulespec.core import nodes as n
from rulespec.core.diagnostics import RulesetError
from rulespec.core.traversal import BOUND
from rulespec.language import load, shipped_rulesets
from rulespec.language.bounds import _COUNTED, LIMIT, bounds

HEAP = Path(__file__).parent / "bad" / "base" / "ruleset.yaml"


def with_formal(folder: Path, formal: str) -> Path:
    path = folder / "game.yaml"
    text = HEAP.read_text("utf-8")
    path.write_text(text.replace("    state heap", f"    {formal}\n    state heap", 1), "utf-8")
    return path


@pytest.mark.parametrize(
    ("formal", "least", "most"),
    [
        ("define f(k: Count) = k", 1, 1),
        ("define f = count(a in Count, b in Count where a < b)", 8 * 8, 8 * 8 * 8),
        ("define f(k: Count falling): Count? = if k = 0 then 0 else f(k - 1)", 8, 8 * 10),
        ("define f(k: Count falling): Bool = k > 0 and (f(k - 1) or f(k - 1))", 8, 8 * 16),
        (
            "define f(s: set of Bool, k: Count falling): Bool = if k > 3 then f(s, k - 1) else f({}, k - 1)",
            8,
            99,
        ),
    ],
)
def test_small_rules(formal: str, least: int, most: int, tmp_path: Path) -> None:
    assert least <= bounds(load(with_formal(tmp_path, formal)))["define f"] <= most


def test_a_definition_that_the_state_does_not_change_is_a_table(tmp_path: Path) -> None:
    """Each call counted as if the squares were gone through anew, and large boards were refused."""
    lines = (
        "type Point = {file: 1..19, rank: 1..19}",
        "define beside(p: Point): set of Point ="
        " those q in Point where abs(p.file - q.file) + abs(p.rank - q.rank) = 1",
        "define chain(p: Point): set of Point ="
        " those q in Point reached from {p} through r where q in beside(r) and heap > 0",
        "define f = count(p in Point, q in Point where q in chain(p))",
    )
    found = bounds(load(with_formal(tmp_path, "\n    ".join(lines))))
    assert found["define chain"] < 361**2 * 20
    assert 361**4 < found["define f"] < LIMIT


def test_past_the_limit(tmp_path: Path) -> None:
    binders = ", ".join(f"{name} in 1..999" for name in "abcde")
    path = with_formal(tmp_path, f"define f = some {binders} satisfies a + b + c + d = e")
    with pytest.raises(RulesetError) as caught:
        load(path)
    (found,) = [d for d in caught.value.diagnostics if d.code == "size.unfolded"]
    assert "define f" in found.message
    assert found.span is not None
    assert "some a in" in found.span.source.line(found.span.line)


@pytest.mark.sampled(6)
@pytest.mark.parametrize("name", sorted(shipped_rulesets()))
def test_shipped_rulesets_are_below_it(name: str) -> None:
    game = shipped_games.load(name).core
    found = bounds(game)
    assert {f"action {action}" for action in game.actions} <= found.keys()
    assert all(0 < bound <= LIMIT for bound in found.values())


def test_a_condition_is_asked_once_for_what_it_reads(tmp_path: Path) -> None:
    text = HEAP.read_text("utf-8").replace("action: n in 1..3", "action: n in 1..3, m in 1..999, k in 1..999")
    (tmp_path / "game.yaml").write_text(
        text.replace("n <= heap", "count(a in 1..999 where a <= n) <= heap"), "utf-8"
    )
    tried = 3 * 999 * 999
    assert tried < bounds(load(tmp_path / "game.yaml"))["action take"] < 2 * tried


def test_every_operator_over_elements_is_counted_for_each() -> None:
    over = {kind for kind in (*n.EXPRESSIONS, *n.EFFECTS) if "source" in kind.SLOTS}
    assert over - {n.Shuffle} <= _COUNTED  # which has no body for each element
    assert BOUND.keys() - {n.Let} <= _COUNTED
