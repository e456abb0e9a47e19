"""The changelog, assembled at a release from the fragments in `changes/`.

Each fragment is a file `NAME.KIND.md` with one line. At a release the lines become a section of
`CHANGELOG.md`, and the files are removed.
"""

import re
from pathlib import Path

TOP = Path(__file__).resolve().parent.parent
KINDS = ("added", "changed", "fixed", "removed")
LONGEST = 200
"""The most characters of a line: two lines of the changelog."""

_NAME = re.compile(rf"[a-z0-9]+(-[a-z0-9]+)*\.({'|'.join(KINDS)})\.md")


def fragments(folder: Path) -> list[Path]:
    """Return the files in a folder of fragments, in order of their names, without its README."""
    return sorted(path for path in folder.iterdir() if path.name != "README.md")


def find_fault(fragment: Path) -> str | None:
    """Return a sentence about the form of a fragment if it is wrong, else None."""
    if not _NAME.fullmatch(fragment.name):
        return f"{fragment.name}: its name must be some-words.KIND.md, KIND one of {', '.join(KINDS)}."
    text = fragment.read_text(encoding="utf-8")
    if text.count("\n") != 1 or not text.endswith("\n"):
        return f"{fragment.name}: it must have exactly one line."
    line = text.strip()
    if not re.match(r"[A-Z`*]", line) or not line.endswith("."):
        return f"{fragment.name}: the line must be a sentence, from a capital letter or code to a full stop."
    if len(line) > LONGEST:
        return f"{fragment.name}: the line has {len(line)} characters, more than {LONGEST}."
    return None


def assemble(changelog: str, version: str, day: str, lines: dict[str, list[str]]) -> str:
    """Return the changelog with a section for a version before the section of the last one.

    Args:
        changelog: the text of the changelog so far.
        version: the new version, which must not have a section yet.
        day: the day of the release, as 2026-01-31.
        lines: the lines of the fragments by kind; kinds without lines have no heading.

    Raises:
        ValueError: the version has a section already, or there is no section to put it before.
    """
    if f"\n## {version}" in changelog:
        raise ValueError(f"CHANGELOG.md has {version} already: raise the version in rulespec/__init__.py.")
    before, mark, after = changelog.partition("\n## ")
    if not mark:
        raise ValueError("CHANGELOG.md has no section yet.")
    section = [f"## {version} ({day})", ""]
    for kind in KINDS:
        if lines.get(kind):
            section += [f"### {kind.capitalize()}", "", *(f"- {line}" for line in lines[kind]), ""]
    return "\n".join([before, *section, "## "]) + after


def write_changelog(top: Path, version: str, day: str) -> int:
    """Move all fragments below a folder into its changelog, and return how many there were.

    Raises:
        ValueError: a fragment is not well formed, or `assemble` refuses. Nothing is changed then.
    """
    found = fragments(top / "changes")
    changelog = top / "CHANGELOG.md"
    text = changelog.read_text(encoding="utf-8")
    if not found:
        if f"\n## {version}" not in text:
            raise ValueError(f"There is neither a fragment in changes/ nor {version} in CHANGELOG.md.")
        return 0
    if faults := [fault for path in found if (fault := find_fault(path))]:
        raise ValueError("\n".join(faults))
    lines: dict[str, list[str]] = {}
    for path in found:
        lines.setdefault(path.name.split(".")[1], []).append(path.read_text(encoding="utf-8").strip())
    changelog.write_text(assemble(text, version, day, lines), encoding="utf-8")
    for path in found:
        path.unlink()
    return len(found)
