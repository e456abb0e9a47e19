"""Linking kernels with the code of a game.

A kernel imports the kit, other kernels, and from `game` the names that each game has its own of. Linking
gives each kernel a namespace in which these imports are resolved, and runs its source there as it stands in
its file, so that messages, coverage and debuggers name its lines. The caller says how functions become
executable."""

from __future__ import annotations
import __future__

import ast
import hashlib
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from types import CodeType
from typing import Any, NamedTuple

from . import kit

Names = dict[str, Any]
Load = Callable[[str, CodeType, Names], Names]
"""Given what identifies a namespace, its code and the names that the code needs: the namespace after the
run."""

RESOLVED = {"game", "kit"}
"""The imports that are resolved by other means than linking a further kernel."""


class Source(NamedTuple):
    """A kernel before it is linked: its code without imports, its imports by module, its text."""

    code: CodeType
    imports: Mapping[str, tuple[str, ...]]
    text: str


@cache
def source(kernel: str) -> Source:
    """The source of a kernel of this package, by name."""
    path = Path(__file__).with_name(f"{kernel}.py")
    text = path.read_text("utf-8")
    tree = ast.parse(text)
    taken = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.level == 1]
    imports = {str(node.module): tuple(alias.name for alias in node.names) for node in taken}
    imports.pop("shapes", None)
    tree.body = [node for node in tree.body if not isinstance(node, ast.ImportFrom)]
    tree.body = [node for node in tree.body if not _is_shape(node)]
    code = compile(tree, str(path), "exec", flags=__future__.annotations.compiler_flag, dont_inherit=True)
    return Source(code, imports, text)


def _is_shape(node: ast.stmt) -> bool:
    """True for a name that is given to a type, which only type checkers read."""
    return isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("tuple[")


def identity(kernel: str, game: str) -> str:
    """The text of a kernel and of all that it imports, after what identifies the code of a game."""
    digest = hashlib.sha256(source(kernel).text.encode()).hexdigest()
    return "\n".join([game, digest, *(identity(other, "") for other in _others(kernel))])


def _others(kernel: str) -> list[str]:
    return [name for name in source(kernel).imports if name not in RESOLVED]


def link(kernel: str, game: Mapping[str, Any], named: str, load: Load, tools: Mapping[str, Any]) -> Names:
    """The names of a kernel for a game whose own are `game`, with `tools` in the place of the kit.

    `named` identifies the code of the game. Raises KeyError for a name that the game does not have.
    """
    given: Names = {}
    for module, names in source(kernel).imports.items():
        if module == "game":
            found = game
        elif module == "kit":
            found = {**vars(kit), **tools}
        else:
            found = link(module, game, named, load, tools)
        given |= {name: found[name] for name in names}
    return load(identity(kernel, named), source(kernel).code, given)
