"""Digests of the source on which some work rests: the import closure of its modules.

The closure is read from the text of the modules, imports inside functions included, so it does not depend on
the modules loaded at the moment.
"""

from __future__ import annotations

import hashlib
import re
import sys
from functools import cache
from importlib.metadata import Distribution, distributions
from pathlib import Path

TOP = Path(__file__).resolve().parents[3]
"""The folder that holds the package of the program."""
PACKAGE = "rulespec"
DATA = ("grammar.*", "*.toml")
"""Data files beside modules."""
STATEMENT = (
    r"(?:from[ \t]+(?P<source>[.\w]+)[ \t]+import[ \t]+(?P<names>\([^)]*\)|[^\n]*)"
    r"|import[ \t]+(?P<modules>[^\n]*))"
)
IMPORT = re.compile(rf"^[ \t]*{STATEMENT}", re.MULTILINE)
AT_ONCE = re.compile(rf"^{STATEMENT}", re.MULTILINE)
"""An import that is not inside a function or a condition."""
NAME = re.compile(r"[\w.]+(?=[ \t\n]*(?:as[ \t]|,|\)|#|;|$))", re.MULTILINE)
COMMENT = re.compile(r"#[^\n]*")


@cache
def source_digest(*modules: str) -> str:
    """Return the SHA-256 digest of the source that some modules of the program can import, in hexadecimal.

    It covers the modules themselves, the packages around them, grammars and tables beside them, the versions
    of other people's packages that any of them imports, and the version of Python. Raises ModuleNotFoundError
    for a module that is missing.
    """
    total = hashlib.sha256(sys.version.encode())
    ours, others = import_closure(*modules)
    files = {_file(name) for name in ours}
    folders = {file.parent for file in files}
    files |= {data for folder in folders for pattern in DATA for data in folder.glob(pattern)}
    for file in sorted(files):
        total.update(f"{file.relative_to(TOP)} ".encode())
        total.update(hashlib.sha256(file.read_bytes()).digest())
    for name in _versions(others):
        total.update(f"{name} ".encode())
    return total.hexdigest()


def import_closure(*modules: str) -> tuple[frozenset[str], frozenset[str]]:
    """Return the modules of the program that some of its modules can import, themselves and the packages
    around them included, and the names of the top-level packages of others that these import.

    Example:
        >>> ours, others = import_closure("rulespec.core.intervals")
        >>> "rulespec.core" in ours, "rulespec.book" in ours
        (True, False)
    """
    ours, others, followed = set[str](), set[str](), set[tuple[str, bool]]()
    waiting = [(name, True) for name in modules]
    while waiting:
        name, whole = waiting.pop()
        if (name, whole) in followed or (name, True) in followed:
            continue
        followed.add((name, whole))
        ours.add(name)
        waiting += [(name.rpartition(".")[0], False)] if "." in name else []
        for imported in _imports(name, whole):
            top = imported.partition(".")[0]
            if top == PACKAGE:
                waiting.append((imported, True))
            elif top not in sys.stdlib_module_names:
                others.add(top)
    return frozenset(ours), frozenset(others)


@cache
def _imports(name: str, whole: bool) -> frozenset[str]:
    """The modules that a module imports by name, as absolute names.

    With `whole` from its whole text, else only those imported whenever the module is: a package around an
    imported module runs, but the functions in it do not.
    """
    file, found = _file(name), set[str]()
    package = name if file.name == "__init__.py" else name.rpartition(".")[0]
    for match in (IMPORT if whole else AT_ONCE).finditer(file.read_text("utf-8")):
        source, names = match["source"], NAME.findall(COMMENT.sub("", match["names"] or match["modules"]))
        if source is None:
            found.update(names)
            continue
        base = _absolute(source, package)
        found.add(base)
        if base.partition(".")[0] == PACKAGE:
            found.update(f"{base}.{one}" for one in names if _exists(f"{base}.{one}"))
    return frozenset(found)


def _absolute(source: str, package: str) -> str:
    """The absolute name of a module that `package` imports as `source`, which may begin with dots."""
    relative = source.lstrip(".")
    up = len(source) - len(relative)
    if not up:
        return source
    parts = package.split(".")
    return ".".join([*parts[: len(parts) - up + 1], *([relative] if relative else [])])


def _exists(name: str) -> bool:
    path = TOP.joinpath(*name.split("."))
    return path.with_suffix(".py").is_file() or (path / "__init__.py").is_file()


def _file(name: str) -> Path:
    """The file of a module of the program; raises ModuleNotFoundError if there is none."""
    path = TOP.joinpath(*name.split("."))
    for file in (path / "__init__.py", path.with_suffix(".py")):
        if file.is_file():
            return file
    raise ModuleNotFoundError(f"no module {name}")


def _versions(tops: frozenset[str]) -> list[str]:
    """The installed distributions that provide some top-level packages, with their versions."""
    provided = [one for top in tops for one in _providers().get(top, ())]
    return sorted({f"{one.metadata['Name']}=={one.version}" for one in provided})


@cache
def _providers() -> dict[str, list[Distribution]]:
    """The distributions that provide each top-level package or module.

    `importlib.metadata.packages_distributions` gives their names, and takes several times as long.
    """
    found: dict[str, list[Distribution]] = {}
    for one in distributions():
        listed = (one.read_text("top_level.txt") or "").split() or _recorded(one.read_text("RECORD") or "")
        for top in listed:
            found.setdefault(top, []).append(one)
    return found


def _recorded(record: str) -> set[str]:
    """The top-level packages and modules of a list of installed files."""
    paths = (line.partition(",")[0] for line in record.splitlines())
    return {path.partition("/")[0].removesuffix(".py") for path in paths if path.endswith(".py")}
