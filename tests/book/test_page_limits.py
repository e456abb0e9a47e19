"""Configurations and pages that mkdocs reads without limits of its own: refused, with the place."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from rulespec.cli import main

CONFIG = "site_name: x\ntheme: rulespec\nplugins: [rulespec]\n"
BOMB = "a: &a [1, 1, 1, 1]\n" + "".join(
    f"{b}: &{b} [{', '.join([f'*{a}'] * 10)}]\n" for a, b in zip("abcde", "bcdef", strict=True)
)
"""400,000 values in a few lines."""

Book = Callable[[str, str], tuple[int, str]]


@pytest.fixture
def book(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Book:
    """Builds a site of a configuration and one page; its exit status and messages."""

    def built(config: str, page: str = "# Games\n") -> tuple[int, str]:
        (tmp_path / "docs").mkdir(exist_ok=True)
        (tmp_path / "docs" / "index.md").write_text(page, "utf-8")
        (tmp_path / "mkdocs.yml").write_text(config, "utf-8")
        status = main(["book"])
        return status, capsys.readouterr().err

    monkeypatch.chdir(tmp_path)
    return built


CONFIGURATIONS = {
    "deep list": (f"extra: {'[' * 2000}{']' * 2000}", "yml:4:31: error[yaml.size]"),
    "deep mapping": (f"extra: {'{a: ' * 2000}1{'}' * 2000}", "yml:4:100: error[yaml.size]"),
    "bomb": (f"{BOMB}nav: *f", "yml:8:40: error[yaml.size]"),
    "deep by aliases": (
        "a: &a [[[[[[1]]]]]]\nb: &b [[[[[[*a]]]]]]\nc: &c [[[[[[*b]]]]]]\nnav: [[[[[[*c]]]]]]",
        "yml:7:12: error[yaml.size]",
    ),
    "part of itself": ("nav: &a [*a]", "yml:4:10: error[yaml.alias]"),
    "merged with itself": ("extra: &a {<<: *a}", "yml:4:16: error[yaml.alias]"),
    "no date": ("nav: 2024-99-99", "yml:4:6: error[yaml.value]"),
    "no number": ("extra: !!int abc", "yml:4:8: error[yaml.value]"),
    "a large number": (f"extra: {'9' * 5000}", "yml:4:8: error[yaml.value]"),
    "its own parent": ("INHERIT: mkdocs.yml", "yml:4:10: error[yaml.inherit]"),
    "no parent": ("INHERIT: none.yml", "none.yml` cannot be read"),
    "no folder": ("docs_dir: 7", "mkdocs.yml: Aborted"),
    "a theme of numbers": ("theme: {name: rulespec, custom_dir: 7}", "mkdocs.yml: TypeError"),
}


@pytest.mark.parametrize("name", CONFIGURATIONS)
def test_a_hostile_configuration_is_refused_with_its_place(book: Book, name: str) -> None:
    """A deeply nested configuration was a RecursionError, a date that there is not a ValueError."""
    text, told = CONFIGURATIONS[name]
    status, err = book(f"{CONFIG}{text}\n", "# Games\n")
    assert (status, told in err) == (2, True), err


@pytest.mark.parametrize("text", ["7", "[a, b]", "text"])
def test_a_configuration_is_a_mapping(book: Book, text: str) -> None:
    assert book(text, "# Games\n") == (
        2,
        f"mkdocs.yml:1:1: error[yaml.value]: a configuration is a mapping\n  1 | {text}\n    | ^\n",
    )


def test_what_a_configuration_inherits_is_bounded_too(book: Book, tmp_path: Path) -> None:
    (tmp_path / "base.yml").write_text(f"{BOMB}", "utf-8")
    status, err = book(f"INHERIT: base.yml\n{CONFIG}", "# Games\n")
    assert status == 2
    assert "base.yml:5:40: error[yaml.size]" in err


def test_anchors_within_the_limits_are_fine(book: Book, tmp_path: Path) -> None:
    (tmp_path / "base.yml").write_text(CONFIG, "utf-8")
    extra = "extra:\n  a: &a {b: 2024-01-01, c: !ENV [NONE, x]}\n  d: [*a, *a]\n  e: {<<: *a}\n"
    assert book(f"INHERIT: base.yml\n{extra}", "---\ntitle: 1984\n---\n# Games\n") == (0, "")


PAGES = {
    "deep": (f"title: {'[' * 2000}{']' * 2000}", "index.md:2:31: error[yaml.size]"),
    "bomb": (f"{BOMB}title: *f", "index.md:6:40: error[yaml.size]"),
    "part of itself": ("title: &a [*a]", "index.md:2:12: error[yaml.alias]"),
    "a template of numbers": ("title: x\ntemplate: 5", "index.md:3:11: error[yaml.value]"),
    "a template elsewhere": ("template: ../../secret.html", "Error building page 'index.md'"),
}


@pytest.mark.parametrize("name", PAGES)
def test_hostile_front_matter_is_refused_with_its_place(book: Book, name: str) -> None:
    """A bomb at the head of a page hung the build; a nested title was a RecursionError."""
    text, told = PAGES[name]
    status, err = book(CONFIG, f"---\n{text}\n---\n# Games\n")
    assert (status, told in err) == (1, True), err


def built(folder: Path, page: str, before: str = "pass") -> tuple[int, str]:
    """The exit status and messages of a process that builds a site of one page."""
    (folder / "docs").mkdir()
    (folder / "docs" / "index.md").write_text(page, "utf-8")
    (folder / "mkdocs.yml").write_text(CONFIG, "utf-8")
    program = f"import sys; from rulespec.cli import main; {before}; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", program, "book"], cwd=folder, capture_output=True, text=True, check=False
    )
    assert not (folder / "site").exists()
    return done.returncode, done.stderr


def test_a_page_nested_too_deeply_is_named(tmp_path: Path) -> None:
    """Lists within lists were a RecursionError of the Markdown library."""
    page = "".join(f"{'    ' * level}- x\n" for level in range(250))
    assert built(tmp_path, page) == (1, "index.md: this page is nested too deeply\n")


def test_a_page_that_takes_too_long_ends_the_build(tmp_path: Path) -> None:
    """The Markdown library needs hours for a megabyte of opening brackets."""
    limit = "from rulespec.budgets import watchdog; watchdog.LIMIT = 1.0"
    message = "rulespec: one page takes more than 1 s of work\n"
    assert built(tmp_path, "[" * 200_000, limit) == (2, message)
