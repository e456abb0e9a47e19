"""Libraries: types, definitions and drawings shipped with rulespec; rulesets name them under `uses`.

In: the name of a library. Out: its words, each a declaration with a sentence about it. Only shipped files are
searched, never a path.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from collections.abc import Mapping as Given
from dataclasses import dataclass, field
from functools import lru_cache
from typing import cast

from ...core.diagnostics import Report, Source, Span
from ...core.game import LIBRARY as LIBRARY_RULE
from .ruleset_files import home, source_of
from .ruleset_shape import LIBRARY
from .shapes import check, text_of
from .yaml import Mapping, Node, Scalar, Sequence, mappings, read

_DECLARES = re.compile(r"(define|type|to) ([A-Za-z_][\w-]*)")
_MEMBERS = re.compile(r"= one of ([\w, -]+)")
_QUOTED = re.compile(r'"[^"\n]*"')
_NAME = re.compile(r"[A-Za-z_][\w-]*")


@dataclass(frozen=True, eq=False)
class Word:
    """A declaration of a library, with the sentence that explains it."""

    kind: str
    name: str
    prose: str
    text: Scalar
    members: frozenset[str]
    """The members of an enumeration."""
    names: frozenset[str]
    """All names in the declaration."""


@dataclass(frozen=True, eq=False)
class Library:
    """A library as written in its file."""

    name: str
    title: str
    prose: str
    parameters: Given[str, Mapping]
    needs: Given[str, Mapping]
    """The names that a ruleset declares for the library, or takes from another one."""
    words: Given[str, Word]
    layers: Given[str, list[Mapping]]
    source: Source

    @property
    def clause(self) -> str:
        """The id of the rule in the rulebook that contains the words of this library."""
        return LIBRARY_RULE + self.name.replace("/", "-")


@dataclass(frozen=True, eq=False)
class Use:
    """A library that a ruleset uses, the place of its name there, and the arguments for its parameters."""

    library: Library
    span: Span
    given: Given[str, Node] = field(default_factory=dict)
    keys: Given[str, Scalar] = field(default_factory=dict)


@lru_cache(maxsize=1)
def shipped_libraries() -> dict[str, Library]:
    """The shipped libraries by name, in order of name."""
    folder = home() / "libraries"
    found = {}
    for path in sorted(folder.rglob("*.yaml")):
        name, report = path.relative_to(folder).with_suffix("").as_posix(), Report()
        source = source_of(path, report)
        root = read(source, report) if source is not None else None
        report.raise_errors()
        assert isinstance(root, Mapping) and source is not None
        check(root, LIBRARY, report, "library")
        report.raise_errors()
        found[name] = _library(name, root, source)
    return found


def _library(name: str, root: Mapping, source: Source) -> Library:
    """A library from the root of its file."""

    def entries_of(key: str) -> Given[str, Mapping]:
        node = root.entries.get(key)
        return cast(Given[str, Mapping], node.entries) if isinstance(node, Mapping) else {}

    layers = root.entries.get("layers")
    words = [_word(entry) for entry in mappings(root.entries.get("words"))]
    return Library(
        name,
        text_of(root.entries.get("title")),
        text_of(root.entries.get("prose")),
        entries_of("parameters"),
        entries_of("needs"),
        {word.name: word for word in words},
        {key: mappings(of) for key, of in layers.entries.items()} if isinstance(layers, Mapping) else {},
        source,
    )


def _word(entry: Mapping) -> Word:
    text = cast(Scalar, entry.entries["formal"])
    head = _DECLARES.match(text.formal)
    assert head is not None
    listed = _MEMBERS.search(text.formal) if head[1] == "type" else None
    members = frozenset(_NAME.findall(listed[1])) if listed else frozenset()
    return Word(head[1], head[2], text_of(entry.entries.get("prose")), text, members, names_in(text))


def names_in(node: Node) -> frozenset[str]:
    """All names in a formal text; none in anything else."""
    return frozenset(_NAME.findall(_QUOTED.sub("", node.formal)) if isinstance(node, Scalar) else ())


def words_reached(uses: Given[str, Use], names: Iterable[str]) -> dict[str, Word]:
    """The words of libraries that are used by some names, directly or through other words."""
    by_name = {name: word for use in uses.values() for name, word in use.library.words.items()}
    holders = {member: word.name for word in by_name.values() for member in word.members}
    found: dict[str, Word] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        name = name if name in by_name else holders.get(name, "")
        if name in by_name and name not in found:
            found[name] = by_name[name]
            waiting += by_name[name].names
    return found


def read_uses(node: Node | None, report: Report) -> dict[str, Use]:
    """The libraries under `uses` by name; unknown or repeated ones are reported and left out."""
    found: dict[str, Use] = {}
    for word, given in _uses_in(node):
        library = shipped_libraries().get(word.value)
        if library is None:
            listed = ", ".join(shipped_libraries())
            message = f"there is no library `{word.value}`"
            help = report.nearest(word.value, shipped_libraries())
            help = f"{help} The" if help else "the"
            report.error("library.unknown", message, word.span, help=f"{help} libraries are {listed}")
        elif word.value in found:
            message = f"the library `{word.value}` appears here twice"
            report.error("library.twice", message, word.span, found[word.value].span)
        else:
            entries, keys = (given.entries, given.keys) if isinstance(given, Mapping) else ({}, {})
            for key in entries.keys() - library.parameters.keys():
                message = f"the library `{library.name}` has no parameter `{key}`"
                help = report.choices(key, library.parameters)
                report.error("library.parameter", message, keys[key].span, help=help)
            found[word.value] = Use(library, word.span, entries, keys)
    return found


def _uses_in(node: Node | None) -> list[tuple[Scalar, Node | None]]:
    """The names of libraries, each with its arguments."""
    items = node.items if isinstance(node, Sequence) else [node]
    found: list[tuple[Scalar, Node | None]] = []
    for item in items:
        if isinstance(item, Scalar):
            found.append((item, None))
        elif isinstance(item, Mapping):
            found += [(item.keys[key], given) for key, given in item.entries.items()]
    return found
