"""The size of an install: what `pip install rulespec` brings into a new virtual environment."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import tempfile
from importlib.metadata import Distribution, distributions
from pathlib import Path

from .report import Table

ROOT = Path(__file__).resolve().parent.parent
BAR = 60
MEGABYTE = 1_000_000

WORDS = (
    "Megabytes (of 1,000,000 bytes) that `pip install rulespec` installs without extras: a wheel is built"
    " from this folder and installed by pip into a new virtual environment, and the files of each "
    f"distribution are added up, with compiled modules. The bar is {BAR} MB in total."
)


def measure() -> list[Table]:
    """Each distribution and all together; no table where pip cannot build or install."""
    table = Table("The install", WORDS, ["distribution", "version", "files", "MB"])
    with tempfile.TemporaryDirectory() as folder:
        try:
            site = installed(ROOT, Path(folder))
        except subprocess.CalledProcessError as error:
            words = [line for line in str(error.stderr).splitlines() if line.strip()] or [str(error)]
            print(f"no size of the install: {words[-1]}", file=sys.stderr)
            return []
        for one in sorted(distributions(path=[str(site)]), key=lambda one: one.name.lower()):
            table.rows.append([one.name, one.version, *_cells(_sizes(one))])
        everything = [file.stat().st_size for file in site.rglob("*") if file.is_file()]
        table.rows.append(["all", "", *_cells(everything)])
    return [table]


def installed(project: Path, folder: Path) -> Path:
    """Build a wheel of a project and install it: the folder of its packages. Raises CalledProcessError."""
    environment = folder / "venv"
    _run(sys.executable, "-m", "venv", "--without-pip", str(environment))
    # Where the build backend is at hand, nothing is fetched to build the wheel.
    apart = [] if importlib.util.find_spec("hatchling") is None else ["--no-build-isolation"]
    _pip("wheel", "--no-deps", *apart, "--wheel-dir", str(folder), str(project))
    (wheel,) = folder.glob("*.whl")
    _pip("--python", str(environment), "install", str(wheel))
    return next(environment.rglob("site-packages"))


def _pip(*arguments: str) -> None:
    _run(sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", *arguments)


def _run(*command: str) -> None:
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)


def _sizes(distribution: Distribution) -> list[int]:
    """The bytes of each file of a distribution that is there."""
    paths = (Path(str(file.locate())) for file in distribution.files or ())
    return [path.stat().st_size for path in paths if path.is_file()]


def _cells(sizes: list[int]) -> list[str]:
    return [f"{len(sizes):,}", f"{sum(sizes) / MEGABYTE:.1f}"]
