"""The lock holds for every Python that pyproject.toml names."""

from __future__ import annotations

import re
import tomllib
from importlib.metadata import PackageNotFoundError, metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

TOP = Path(__file__).parents[1]
LOCKS = ("requirements.lock", "benchmarks/requirements.lock")
PROJECT = tomllib.loads((TOP / "pyproject.toml").read_text())["project"]
NAMED = [line.rpartition(" :: ")[2] for line in PROJECT["classifiers"]]
PYTHONS = [f"{version}.0" for version in NAMED if re.fullmatch(r"3\.\d+", version)]


def requirements(name: str) -> list[Requirement]:
    """The packages that a lock names, with their markers."""
    lines = (TOP / name).read_text().splitlines()
    return [
        Requirement(line.removesuffix("\\")) for line in lines if line and not line.startswith((" ", "#"))
    ]


def test_the_oldest_release_of_each_supported_python_is_tested() -> None:
    assert PYTHONS == ["3.11.0", "3.12.0", "3.13.0", "3.14.0"]
    assert all(version in SpecifierSet(PROJECT["requires-python"]) for version in PYTHONS)


@pytest.mark.parametrize("lock", LOCKS)
def test_each_locked_package_supports_each_python_that_its_marker_covers(lock: str) -> None:
    refused = [
        f"{one.name} {one.specifier} asks for Python {wanted}, not {version}"
        for one in requirements(lock)
        if (wanted := _supported(one)) is not None
        for version in PYTHONS
        if (one.marker is None or one.marker.evaluate({"python_full_version": version}))
        and version not in SpecifierSet(wanted)
    ]
    assert not refused


def test_most_of_the_lock_is_installed_where_the_tests_run() -> None:
    named = requirements(LOCKS[0])
    assert sum(_supported(one) is not None for one in named) >= len(named) - 5


@pytest.mark.parametrize("lock", LOCKS)
def test_locks_name_exact_versions_with_hashes_and_no_address(lock: str) -> None:
    text = (TOP / lock).read_text()
    assert "://" not in text
    assert not re.search(r"^-", text, re.MULTILINE)
    for one in requirements(lock):
        assert [spec.operator for spec in one.specifier] == ["=="]
    packages = re.split(r"^(?=\S)", text, flags=re.MULTILINE)[1:]
    assert all("--hash=sha256:" in package for package in packages)


def _supported(requirement: Requirement) -> str | None:
    """The Python versions that a package supports; None if that version of it is not installed."""
    try:
        found = metadata(requirement.name)
    except PackageNotFoundError:
        return None
    if found["Version"] not in requirement.specifier:
        return None
    return found["Requires-Python"] or ""
