"""fmt: the canonical layout of rulesets' files, their meaning unchanged."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from ..book.configuration.ruleset_files import ruleset_files
from ..core.diagnostics import Report, Source
from ..core.storage.atomic_files import write_text
from ..language import locate, read
from ..language.documents.ruleset_files import source_of
from ..language.formatting import format_ruleset
from .checking import holds_several
from .status import FAILED, HELD, Usage


def fmt(arguments: argparse.Namespace) -> int:
    """Rewrite files in canonical layout; with `--check` only list those that differ, with status 1."""
    changed, names = list[str](), [*_expand(arguments.names)]
    for name in names:
        path, report = locate(name), Report()
        source = source_of(path, report)
        report.raise_errors()
        assert source is not None
        text = format_ruleset(source)
        if text == source.text:
            continue
        after = read(name, instead={source.name: Source(source.name, text)}).with_settings()
        if read(name).with_settings().digest != after.digest:
            raise AssertionError(f"the layout of `{name}` changed its meaning; please report this")
        changed.append(source.name)
        if not arguments.check:
            write_text(path, text)
    for name in changed:
        print(f"{'would change' if arguments.check else 'changed'} {name}")
    print(f"{len(changed)} changed, {len(names) - len(changed)} unchanged")
    return FAILED if arguments.check and changed else HELD


def _expand(names: Iterable[str]) -> Iterator[str]:
    """The names, with each folder of several rulesets replaced by them. Raises Usage for one without any."""
    for name in names:
        if not holds_several(Path(name)):
            yield name
            continue
        found = ruleset_files([Path(name)])
        if not found:
            raise Usage(f"there is no ruleset in the folder `{name}`")
        yield from map(str, found)
