"""Declarations that nothing uses."""

from __future__ import annotations

from pathlib import Path

from texts import COUNTDOWN

from rulespec.language import read
from rulespec.language.unused_declarations import unused_declarations


def names(folder: Path, text: str) -> list[str]:
    path = folder / "own.yaml"
    path.write_text(text)
    return [d.message for d in unused_declarations(read(path))]


def test_what_only_speaks_of_itself_is_unused(tmp_path: Path) -> None:
    last = "    state last: Player? = none\n"
    recursive = "    define down(n: 0..5 falling): 0..5 = if n = 0 then 0 else down(n - 1)\n"
    assert names(tmp_path, COUNTDOWN.replace(last, last + recursive)) == [
        "nothing uses the definition `down`"
    ]


def test_prose_and_comments_use_nothing(tmp_path: Path) -> None:
    text = (
        COUNTDOWN.replace("last = p", "p = 1")
        .replace("      last := mover\n", "")
        .replace("      remove n from left\n", "    remove n from left\n")
    )
    text = text.replace(
        "  do: |\n    remove n from left\n    last := mover\n", "  do: remove n from left # last\n"
    )
    assert names(tmp_path, text) == ["nothing uses the state variable `last`"]


def test_what_a_variant_leaves_unused_is_its_bases(tmp_path: Path) -> None:
    (tmp_path / "base.yaml").write_text(COUNTDOWN)
    text = "rulespec: 1\nid: other\ntitle: Other\nextends: base\nreplace:\n"
    text += "  winner.winners: those p in Player where p = 1\n  take.do: remove n from left\n"
    assert names(tmp_path, text) == []
