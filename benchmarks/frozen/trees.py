"""Source trees of a revision, each with an environment in which its command line runs by itself."""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
BUILD = ROOT / "build" / "bench-claims"
MEASURED = ("rulespec", "solver", "rulesets", "requirements.lock")
"""The parts of a tree that a measurement depends on; of the rulesets, their text."""


@dataclass(frozen=True)
class Tree:
    """A source tree: its folder, its name for readers, its Python, and a digest of what is measured."""

    root: Path
    name: str
    python: Path
    digest: str

    @property
    def cache(self) -> Path:
        """The folder in which this tree keeps compiled code; no other tree writes to it."""
        return BUILD / "cache" / self.digest

    def environment(self) -> dict[str, str]:
        """The environment of a child: the modules of this tree, and a home that holds its cache only."""
        left_out = ("PYTHONDONTWRITEBYTECODE", "XDG_CACHE_HOME")
        kept = {name: value for name, value in os.environ.items() if name not in left_out}
        own: Mapping[str, str] = {
            "HOME": str(self.cache),
            "RULESPEC_CACHE": str(self.cache / "rulespec"),
            "PYTHONPATH": str(self.root),
            "PYTHONHASHSEED": "0",
        }
        return {**kept, **own}

    def verify(self) -> None:
        """RuntimeError if the tree has changed, so that a measurement is of no one revision."""
        if digest(self.root) != self.digest:
            raise RuntimeError(f"{self.root} has changed while it was measured; begin again")

    def prepare(self) -> None:
        """Create the cache and compile the modules. RuntimeError if Python imports those of another tree."""
        self.cache.mkdir(parents=True, exist_ok=True)
        self.cache.chmod(0o700)
        environment = self.environment()
        subprocess.run(
            [self.python, "-m", "compileall", "-q", "rulespec", "solver"],
            cwd=self.root,
            env=environment,
            check=True,
        )
        where = subprocess.run(
            [self.python, "-c", "import rulespec; print(rulespec.__file__)"],
            cwd=self.root,
            env=environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout.split()
        if not all(Path(file).resolve().is_relative_to(self.root.resolve()) for file in where):
            raise RuntimeError(f"{self.name} would run modules of another tree: {', '.join(where)}")


def present() -> Tree:
    """The tree that this file belongs to, as it is."""
    changed = _git("status", "--porcelain", "--", *MEASURED)
    name = _git("rev-parse", "--short=10", "HEAD") + (" and changes" if changed else "")
    return Tree(ROOT, name, Path(sys.executable), digest(ROOT))


def revision(name: str) -> Tree:
    """A worktree of a revision under `build/`, with an environment of its own unless the locks are equal.

    CalledProcessError if there is no such revision or its environment cannot be made.
    """
    commit = _git("rev-parse", "--verify", f"{name}^{{commit}}")
    root = BUILD / "trees" / commit[:10]
    if not (root / "rulespec").is_dir():
        print(f"a worktree of {commit[:10]} in {root}", file=sys.stderr)
        _git("worktree", "prune")
        _git("worktree", "add", "--detach", "--force", str(root), commit)
    python = Path(sys.executable)
    if (root / "requirements.lock").read_bytes() != (ROOT / "requirements.lock").read_bytes():
        subprocess.run(["make", "--silent", "venv"], cwd=root, check=True, stdout=sys.stderr)
        python = root / ".venv" / "bin" / "python"
    return Tree(root, commit[:10], python, digest(root))


def digest(root: Path) -> str:
    """A digest of the files of a tree that a measurement depends on, stored verdicts left out."""
    found = hashlib.sha256(sys.version.encode())
    for part in MEASURED:
        below = sorted((root / part).rglob("*")) if (root / part).is_dir() else [root / part]
        for file in below:
            if file.is_file() and "__pycache__" not in file.parts and not file.name.endswith(".gz"):
                found.update(f"{file.relative_to(root)} ".encode())
                found.update(hashlib.sha256(file.read_bytes()).digest())
    return found.hexdigest()[:16]


def _git(*arguments: str) -> str:
    done = subprocess.run(["git", *arguments], cwd=ROOT, check=True, stdout=subprocess.PIPE, text=True)
    return done.stdout.strip()
