"""The page that lists the rulebooks: in groups by their folders, variants with their base."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from rulespec.book.content.contents import group_of
from rulespec.book.site import build

RULESET = """\
rulespec: 1
id: {id}
title: {title}
players: 1
rules:
- id: stop
  prose: Stop.
  action: ()
  written: stop
  do: nothing
- id: stopped
  prose: It is over.
  end: 1 = 1
"""
CONFIG = """\
site_name: Games
theme: {name: rulespec}
plugins: [rulespec: {rulesets: [games]}]
nav: [index.md, Games: rulebooks/]
"""


def games(folder: Path) -> None:
    """Two games in a folder `games`, one of them in a group and with a variant."""
    for path, title in {"zebra/ruleset.yaml": "Zebra", "old-games/ape/ruleset.yaml": "Ape"}.items():
        file = folder / "games" / path
        file.parent.mkdir(parents=True)
        file.write_text(RULESET.format(id=file.parent.name, title=title), "utf-8")
    variant = folder / "games/old-games/ape/small-ape.yaml"
    variant.write_text("rulespec: 1\nid: small-ape\ntitle: Small ape\nextends: ruleset.yaml\n", "utf-8")


@pytest.mark.parametrize(
    ("file", "group"),
    [
        ("games/zebra/ruleset.yaml", ""),
        ("games/old-games/ape/ruleset.yaml", "Old games"),
        ("games/old-games/ape/small-ape.yaml", "Old games"),
    ],
)
def test_a_group_is_the_folder_of_the_games(tmp_path: Path, file: str, group: str) -> None:
    games(tmp_path)
    assert group_of(tmp_path / file, tmp_path / "games") == group
    assert group_of(tmp_path / file, (tmp_path / file).parent) == ""


def test_rulebooks_are_listed_in_groups(tmp_path: Path) -> None:
    games(tmp_path)
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Start\n", "utf-8")
    (tmp_path / "mkdocs.yml").write_text(CONFIG, "utf-8")
    folder = build(tmp_path / "mkdocs.yml", tmp_path / "site")
    page = (folder / "rulebooks" / "index.html").read_text("utf-8")
    found = re.findall(r"<(h[123])[^>]*>(?:<a[^>]*>)?([^<]+)|<li><a[^>]*>(Small ape)</a>", page)
    main = [word for _, *words in found for word in words if word]
    assert [word for word in main if word in ("Zebra", "Old games", "Ape", "Small ape")][-4:] == [
        "Zebra", "Old games", "Ape", "Small ape",
    ]  # fmt: skip
    assert "<summary>Old games</summary>" in page, "the navigation has the group too"


def test_a_game_in_a_folder_of_its_own_has_its_card_whatever_it_extends(tmp_path: Path) -> None:
    """Connect four takes its rules from tic-tac-toe: it was listed as a variant of it, without a card."""
    classics = Path(__file__).resolve().parents[2] / "rulesets" / "classics"
    entries = f"{classics}/tic-tac-toe, {classics}/connect-four"
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs/index.md").write_text("# Start\n\n<!-- rulebooks -->\n", "utf-8")
    (tmp_path / "mkdocs.yml").write_text(CONFIG.replace("[games]", f"[{entries}]"), "utf-8")
    folder = build(tmp_path / "mkdocs.yml", tmp_path / "site", player=False)
    variants = ["Connect four on sixteen squares", "Connect four on twenty-five squares"]
    for name, listed in (("index.html", []), ("rulebooks/index.html", variants)):
        page = (folder / name).read_text("utf-8")
        cards = re.findall(r'<article class="rs-game">(.*?)</article>', page, re.DOTALL)
        titles = [re.findall(r"<a [^>]*>([^<]+)</a>", card) for card in cards]
        assert titles == [["Connect four", *listed], ["Tic-tac-toe"]]
