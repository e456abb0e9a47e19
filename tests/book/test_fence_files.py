"""A page finds a ruleset beside itself, else a shipped one; nothing outside the folder of the site."""

from __future__ import annotations

from pathlib import Path

import pytest
from texts import COUNTDOWN

from rulespec.book.examples import fences
from rulespec.book.examples.fences import CheckedFences, check_files


@pytest.fixture(autouse=True)
def _fresh() -> None:
    fences.forget()


def checked(page: Path, ruleset: str) -> CheckedFences:
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text(f"# A page\n\n```rulespec\nruleset: {ruleset}\nplay: take 2\n```\n", "utf-8")
    return check_files([page])


def game(path: Path) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(COUNTDOWN, "utf-8")
    return path


@pytest.mark.parametrize("name", ["mine.yaml", "below/mine.yaml", "mine", "nim"])
def test_a_file_or_folder_beside_the_page_comes_first(name: str, tmp_path: Path) -> None:
    game(tmp_path / (name if name.endswith(".yaml") else f"{name}/ruleset.yaml"))
    assert not checked(tmp_path / "page.md", name).faults


def test_a_site_reads_rulesets_in_its_folder(tmp_path: Path) -> None:
    (tmp_path / "mkdocs.yml").write_text("site_name: A site\n", "utf-8")
    game(tmp_path / "games" / "mine.yaml")
    assert not checked(tmp_path / "docs" / "page.md", "../games/mine.yaml").faults


def test_pages_below_the_working_folder_read_rulesets_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game(tmp_path / "mine.yaml")
    monkeypatch.chdir(tmp_path)
    assert not checked(tmp_path / "docs" / "page.md", "../mine.yaml").faults


def test_the_working_folder_is_ignored_for_pages_outside_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same page was built differently in another working folder."""
    game(tmp_path / "work" / "mine.yaml")
    (tmp_path / "work").mkdir(exist_ok=True)
    monkeypatch.chdir(tmp_path / "work")
    (fault,) = checked(tmp_path / "site" / "page.md", "mine.yaml").faults
    assert fault.code == "file.missing"


@pytest.mark.parametrize("way", ["up", "absolute", "link", "linked folder"])
def test_nothing_outside_the_site_is_read(way: str, tmp_path: Path) -> None:
    secret, site = game(tmp_path / "secret" / "mine.yaml"), tmp_path / "site"
    (site / "docs").mkdir(parents=True)
    (site / "mkdocs.yml").write_text("site_name: A site\n", "utf-8")
    (site / "docs" / "link.yaml").symlink_to(secret)
    (site / "docs" / "folder").symlink_to(secret.parent)
    names = {"up": "../../secret/mine.yaml", "absolute": str(secret), "link": "link.yaml"}
    (fault,) = checked(site / "docs" / "page.md", names.get(way, "folder/mine.yaml")).faults
    assert fault.code == "file.missing"
    assert fault.span is not None
    assert fault.span.line == 4


def test_a_name_of_thousands_of_characters_is_a_fault_of_its_line(tmp_path: Path) -> None:
    """The error named the page as a file that cannot be read."""
    (fault,) = checked(tmp_path / "page.md", "x" * 5_000).faults
    assert fault.span is not None
    assert (fault.code, fault.span.line) == ("file.missing", 4)
    assert len(fault.message) < 200


def test_an_example_of_a_faulty_ruleset_of_the_site_tells_its_faults(tmp_path: Path) -> None:
    """It said that there is no ruleset of that name."""
    plugins = "plugins: [{rulespec: {rulesets: [games]}}]"
    (tmp_path / "mkdocs.yml").write_text(f"site_name: x\n{plugins}\n", "utf-8")
    broken = game(tmp_path / "games" / "ruleset.yaml")
    broken.write_text(COUNTDOWN.replace("remove n from left", "remov n from left"), "utf-8")
    faults = checked(tmp_path / "docs" / "page.md", "countdown").faults
    assert faults
    assert {fault.span.source.name for fault in faults if fault.span} == {str(broken)}
