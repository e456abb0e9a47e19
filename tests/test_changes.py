"""Fragments of the changelog are well formed, a release assembles them, and the changelog stays short."""

from pathlib import Path

import pytest

from benchmarks.changelog import TOP, assemble, find_fault, fragments, write_changelog

FOLDER = TOP / "changes"
LONGEST_SECTION = 110
"""The most lines of a version in the changelog: two screens."""

OLD = "# Changelog\n\nIntroduction.\n\n## 0.1.0\n\nThe first version.\n"


@pytest.mark.parametrize("fragment", fragments(FOLDER), ids=lambda path: path.name)
def test_fragment_is_well_formed(fragment: Path) -> None:
    assert find_fault(fragment) is None


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("Refusals.fixed.md", "Refusals are shorter.\n"),
        ("refusals.md", "Refusals are shorter.\n"),
        ("refusals.improved.md", "Refusals are shorter.\n"),
        ("refusals.fixed.md", "Refusals are shorter."),
        ("refusals.fixed.md", "Refusals\nare shorter.\n"),
        ("refusals.fixed.md", "refusals are shorter.\n"),
        ("refusals.fixed.md", "Refusals are shorter\n"),
        ("refusals.fixed.md", f"Refusals are {'much ' * 40}shorter.\n"),
    ],
)
def test_other_forms_are_refused(tmp_path: Path, name: str, text: str) -> None:
    (tmp_path / name).write_text(text, encoding="utf-8")
    assert find_fault(tmp_path / name)


def test_a_release_moves_the_fragments(tmp_path: Path) -> None:
    folder = tmp_path / "changes"
    folder.mkdir()
    (folder / "README.md").write_text("How to.\n", encoding="utf-8")
    (folder / "shorter.fixed.md").write_text("Refusals are shorter.\n", encoding="utf-8")
    (folder / "gcd.added.md").write_text("`gcd` is an operator.\n", encoding="utf-8")
    (tmp_path / "CHANGELOG.md").write_text(OLD, encoding="utf-8")
    assert write_changelog(tmp_path, "0.2.0", "2026-12-01") == 2
    assert (tmp_path / "CHANGELOG.md").read_text(encoding="utf-8") == (
        "# Changelog\n\nIntroduction.\n\n## 0.2.0 (2026-12-01)\n\n### Added\n\n- `gcd` is an operator.\n\n"
        "### Fixed\n\n- Refusals are shorter.\n\n## 0.1.0\n\nThe first version.\n"
    )
    assert [path.name for path in folder.iterdir()] == ["README.md"]
    assert write_changelog(tmp_path, "0.2.0", "2026-12-02") == 0


def test_a_version_is_released_once() -> None:
    with pytest.raises(ValueError, match=r"raise the version"):
        assemble(OLD, "0.1.0", "2026-12-01", {"fixed": ["Refusals are shorter."]})


def test_a_release_without_a_change_is_refused(tmp_path: Path) -> None:
    (tmp_path / "changes").mkdir()
    (tmp_path / "CHANGELOG.md").write_text(OLD, encoding="utf-8")
    with pytest.raises(ValueError, match=r"neither a fragment"):
        write_changelog(tmp_path, "0.2.0", "2026-12-01")


def test_each_version_reads_on_two_screens() -> None:
    for section in (TOP / "CHANGELOG.md").read_text(encoding="utf-8").split("\n## ")[1:]:
        assert len(section.splitlines()) <= LONGEST_SECTION, section.splitlines()[0]
