"""The base of a variant is found beside the file that names it, and never outside its folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest
from texts import COUNTDOWN

from rulespec.core.diagnostics import RulesetError
from rulespec.language import load, locate, shipped_rulesets

TITLE = "title: Countdown\n"


def base(path: Path, title: str, ruleset: str = "countdown") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    text = COUNTDOWN.replace("id: countdown", f"id: {ruleset}").replace("are five counters", f"is {title}", 1)
    path.write_text(text, "utf-8")
    return path


def variant(path: Path, extends: str, ruleset: str = "mine") -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"rulespec: 1\nid: {ruleset}\ntitle: Mine\nextends: {extends}\n", "utf-8")
    return path


def taken(path: Path) -> str:
    """The base that a variant extends, by the prose of its first rule."""
    return load(path).rules[0].prose


@pytest.mark.parametrize(
    ("held", "asking"),
    [
        ("nim.yaml", "mine.yaml"),
        ("any-name/ruleset.yaml", "any-name/variants/mine.yaml"),
        ("any-name/ruleset.yaml", "any-name/mine.yaml"),
        ("any-name/variants/nim.yaml", "any-name/ruleset.yaml"),
        ("any-name/variants/nim.yaml", "any-name/variants/mine.yaml"),
        ("nim/ruleset.yaml", "other/ruleset.yaml"),
    ],
)
def test_a_file_of_ones_own_comes_before_a_shipped_name(held: str, asking: str, tmp_path: Path) -> None:
    """Variants of a copied ruleset extended the shipped one of the same id."""
    assert "nim" in shipped_rulesets()
    base(tmp_path / held, "mine", "nim")
    assert taken(variant(tmp_path / asking, "nim")) == "There is mine."


def test_the_variants_of_a_copied_folder_extend_the_copy(tmp_path: Path) -> None:
    copy = tmp_path / "a-copy"
    shutil.copytree(locate("leistiko").parent, copy)
    text = (copy / "ruleset.yaml").read_text("utf-8")
    assert "heading: The dominoes" in text
    (copy / "ruleset.yaml").write_text(text.replace("heading: The dominoes", "heading: The stones"), "utf-8")
    for name in ("leistiko-small", "leistiko-cut-up-base"):
        headings = [rule.heading for rule in load(copy / "variants" / f"{name}.yaml").rules]
        assert "The stones" in headings
        assert "The dominoes" not in headings


def test_each_file_of_a_line_looks_beside_itself(tmp_path: Path) -> None:
    base(tmp_path / "base.yaml", "the wrong one")
    base(tmp_path / "below" / "base.yaml", "the right one")
    variant(tmp_path / "below" / "next.yaml", "base", "next")
    assert taken(variant(tmp_path / "mine.yaml", "below/next")) == "There is the right one."


def test_a_shipped_variant_extends_a_shipped_ruleset(tmp_path: Path) -> None:
    base(tmp_path / "nim.yaml", "not nim", "nim")
    assert taken(variant(tmp_path / "mine.yaml", "nim-balanced")) == load("nim-balanced").rules[0].prose


def test_a_claim_compares_with_a_file_beside_it_first(tmp_path: Path) -> None:
    base(tmp_path / "nim.yaml", "mine", "nim")
    path = variant(tmp_path / "mine.yaml", "nim")
    claim = "add:\n- claim:\n    id: alike\n    prose: The same.\n    equivalent:\n      to: nim\n"
    path.write_text(path.read_text("utf-8") + claim)
    other = load(path).claims["alike"].options["other"]
    assert other.game.rules[0].prose == "There is mine."


@pytest.mark.parametrize(
    "extends", ["../secret", "..", "/etc/passwd", "a/../../secret", "~/x", "./x", "a//b", "x\\y", "x" * 300]
)
def test_no_path_leads_up(extends: str, tmp_path: Path) -> None:
    base(tmp_path / "secret.yaml", "secret")
    path = variant(tmp_path / "game" / "mine.yaml", extends)
    with pytest.raises(RulesetError) as caught:
        load(path)
    assert caught.value.diagnostics[0].code == "variant.extends"


@pytest.mark.parametrize(
    "link", ["secret.yaml", "secret/ruleset.yaml", "variants/secret.yaml", "ruleset.yaml"]
)
def test_no_link_leads_out(link: str, tmp_path: Path) -> None:
    hidden = base(tmp_path / "elsewhere" / "hidden.yaml", "secret", "secret")
    place = tmp_path / "game" / link
    place.parent.mkdir(parents=True)
    place.symlink_to(hidden)
    name = "secret/ruleset.yaml" if link.startswith("secret/") else "secret"
    path = variant(tmp_path / "game" / "mine.yaml", name)
    with pytest.raises(RulesetError) as caught:
        load(path)
    assert caught.value.diagnostics[0].code == "variant.extends"


def test_no_linked_folder_of_a_neighbour_leads_out(tmp_path: Path) -> None:
    base(tmp_path / "elsewhere" / "deep" / "ruleset.yaml", "secret")
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "secret").symlink_to(tmp_path / "elsewhere" / "deep")
    with pytest.raises(RulesetError):
        load(variant(tmp_path / "games" / "mine" / "ruleset.yaml", "secret"))


def test_a_link_within_the_folder_is_followed(tmp_path: Path) -> None:
    base(tmp_path / "old.yaml", "linked")
    (tmp_path / "base.yaml").symlink_to("old.yaml")
    assert taken(variant(tmp_path / "mine.yaml", "base")) == "There is linked."


def test_a_folder_without_a_ruleset_hides_no_shipped_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`recheck --export .` makes folders with the names of rulesets."""
    (tmp_path / "nim").mkdir()
    monkeypatch.chdir(tmp_path)
    assert load("nim").id == "nim"
