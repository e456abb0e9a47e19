"""A new publisher's project: a game with its rulebook, a page beside it, and their configuration."""

from __future__ import annotations

from pathlib import Path

from ...core.storage.atomic_files import make_folder, write_text

FILES = Path(__file__).parent.parent / "project_files"


class ProjectError(Exception):
    """Raised if the project was not written; the text says why."""


def begin(folder: Path) -> list[Path]:
    """Write a project into a new or empty folder; returns the files. Raises ProjectError."""
    try:
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise ProjectError(f"`{folder}` already exists, and is not empty")
        written = []
        make_folder(folder)  # before what is in it: nothing is written through a link
        for file in sorted(path for path in FILES.rglob("*") if path.is_file()):
            target = folder / file.relative_to(FILES)
            make_folder(target.parent)
            write_text(target, file.read_text(encoding="utf-8"))
            written.append(target)
        return written
    except OSError as error:
        raise ProjectError(f"`{folder}` cannot be written: {error.strerror}") from None
