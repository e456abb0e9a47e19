"""Heads of rulesets are read without the rest, and say what the whole says."""

from __future__ import annotations

from pathlib import Path

import pytest

from rulespec.core.diagnostics import Report
from rulespec.language import outline, read, shipped_rulesets
from rulespec.language.settings import allowed_players
from rulespec.language.work_limit import new_meter

BASE = "rulespec: 1\nid: base\ntitle: Base\nsummary: S.\nplayers: 2..4\nrules: []\n"


@pytest.mark.sampled(3)
@pytest.mark.parametrize("name", shipped_rulesets())
def test_a_head_says_what_the_whole_ruleset_says(name: str) -> None:
    head, ruleset = outline(name), read(name)
    game = ruleset.with_settings()
    allowed = allowed_players(ruleset.document, Report(), new_meter())
    assert allowed is not None
    assert head.players == tuple(allowed.values)
    assert (head.title, head.summary, head.extends) == (game.title, game.summary, tuple(game.extends))


@pytest.mark.parametrize(
    ("text", "players"),
    [
        (BASE, (2, 3, 4)),
        (BASE.replace("players: 2..4\n", ""), (1,)),
        (BASE.replace("2..4", "{number: 3}"), (3,)),
        (BASE.replace("2..4", "n in 2..5 where n != 3"), (2, 4, 5)),
        (BASE.replace("2..4", "n in 2..5 where n mod 2 = 0"), (2, 4)),
        (BASE.replace("players: 2..4\n", "") + "players:\n  number: 2\n  default: 2\n", (2,)),
        ("{" + ", ".join(BASE.splitlines()).replace("[]", "x") + "}", (2, 3, 4)),
        (BASE.replace("players", '"players"'), (2, 3, 4)),
        (BASE.replace("S.", "|\n  players: 9\n").replace("\n\n", "\n"), (2, 3, 4)),
        ("- a\n", ()),
        ("", ()),
        ("title: [\n", ()),
    ],
)
def test_heads_are_found_however_they_are_written(
    text: str, players: tuple[int, ...], tmp_path: Path
) -> None:
    (tmp_path / "base.yaml").write_text(text)
    assert outline(tmp_path / "base.yaml").players == players


@pytest.mark.parametrize(
    ("more", "title", "players"),
    [
        ("", "Base", (2, 3, 4)),
        ("title: Own\n", "Own", (2, 3, 4)),
        ("replace:\n  players: 2\n", "Base", (2,)),
    ],
)
def test_a_variant_inherits_a_head(more: str, title: str, players: tuple[int, ...], tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(BASE.replace("rules: []\n", "rules:\n- id: a\n  prose: A.\n"))
    (tmp_path / "middle.yaml").write_text("rulespec: 1\nid: middle\nextends: base\n")
    (tmp_path / "own.yaml").write_text(f"rulespec: 1\nid: own\nextends: middle\n{more}")
    head = outline(tmp_path / "own.yaml")
    assert (head.title, head.players, head.extends) == (title, players, ("base", "middle"))


def test_a_circle_of_variants_has_a_head(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_text("rulespec: 1\nid: a\nextends: b\n")
    (tmp_path / "b.yaml").write_text("rulespec: 1\nid: b\nextends: a\n")
    assert outline(tmp_path / "a.yaml").players in ((), (1,))
