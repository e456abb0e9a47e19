"""Build a release, install and try each of its files in an empty environment, and assemble the changelog.

`make release`. Nothing is published: the files lie in `dist/` afterwards, for a person to upload.
"""

import datetime
import os
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

import rulespec
from benchmarks.changelog import TOP, write_changelog

LOCK = TOP / "requirements.lock"
TRIALS = (("--version",), ("check", "tic-tac-toe"), ("prove", "tic-tac-toe", "drawn", "--no-store"))
"""The commands that each installation runs."""


def _run(*command: str | Path, folder: Path = TOP, **variables: str) -> str:
    """Run a command and return what it printed; a status other than 0 ends the release with its output."""
    found = subprocess.run(
        command,
        cwd=folder,
        env=os.environ | variables,
        text=True,
        check=False,
        stdout=-1,
        stderr=subprocess.STDOUT,
    )
    if found.returncode:
        sys.exit(f"{' '.join(map(str, command))} ended with status {found.returncode}:\n{found.stdout}")
    return found.stdout


def _build(folder: Path) -> list[Path]:
    """Build wheel and sdist, remove older ones, and see that the wheel has one top-level package."""
    for old in folder.glob("rulespec-*"):
        old.unlink()
    _run(sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-t", "sdist", "-d", folder)
    (wheel,) = folder.glob("*.whl")
    (sdist,) = folder.glob("*.tar.gz")
    tops = {name.split("/")[0] for name in zipfile.ZipFile(wheel).namelist()}
    if tops != {"rulespec", f"rulespec-{rulespec.__version__}.dist-info"}:
        sys.exit(f"{wheel.name} has other folders at its top than rulespec: {', '.join(sorted(tops))}")
    return [wheel, sdist]


def _pin(folder: Path) -> Path:
    """Write the part of the lock that an installation with `prove`, and a build from source, need."""
    build = folder / "build.in"
    build.write_text("hatchling\n", encoding="utf-8")
    pins = folder / "pins.txt"
    command = ("-m", "uv", "pip", "compile", "--quiet", "pyproject.toml", build, "--extra", "prove")
    options = ("--constraint", LOCK, "--generate-hashes", "--no-header", "--output-file", pins)
    _run(sys.executable, *command, *options)
    return pins


def _try(file: Path, pins: Path, folder: Path) -> None:
    """Install a wheel or sdist in an empty environment and run the trials there, away from the repository."""
    folder.mkdir()
    venv.create(folder / "venv", with_pip=True)
    python = folder / "venv" / "bin" / "python"
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    _run(*pip, "--require-hashes", "--requirement", pins)
    _run(*pip, "--no-deps", "--no-build-isolation", file)
    caches = {}
    for name in ("CACHE", "STATE"):
        (folder / name).mkdir(mode=0o700)
        caches[f"RULESPEC_{name}"] = str(folder / name)
    for trial in TRIALS:
        printed = _run(python, "-I", "-m", "rulespec", *trial, folder=folder, **caches)
        print(f"{file.name}: rulespec {' '.join(trial)}: {printed.splitlines()[0]}", flush=True)
        if trial == ("--version",) and rulespec.__version__ not in printed:
            sys.exit(f"{file.name} is not version {rulespec.__version__}.")


def main() -> None:
    """Assemble the changelog, build, and try what was built."""
    day = datetime.datetime.now(datetime.UTC).date().isoformat()
    try:
        moved = write_changelog(TOP, rulespec.__version__, day)
    except ValueError as fault:
        sys.exit(str(fault))
    print(f"CHANGELOG.md: {moved} lines moved from changes/", flush=True)
    files = _build(TOP / "dist")
    with tempfile.TemporaryDirectory() as name:
        pins = _pin(Path(name))
        for number, file in enumerate(files):
            _try(file, pins, Path(name) / str(number))
    print(f"Tried, and not published: {', '.join(str(file.relative_to(TOP)) for file in files)}")


if __name__ == "__main__":
    main()
