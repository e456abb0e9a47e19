"""fmt: the canonical layout of rulesets' files, their meaning unchanged."""

from __future__ import annotations

import argparse

from ..core.diagnostics import Report, Source
from ..core.storage.atomic_files import write_text
from ..language import locate, read
from ..language.documents.ruleset_files import source_of
from ..language.formatting import format_ruleset
from .status import FAILED, HELD


def fmt(arguments: argparse.Namespace) -> int:
    """Rewrite files in canonical layout; with `--check` only list those that differ, with status 1."""
    changed = []
    for name in arguments.names:
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
    print(f"{len(changed)} changed, {len(arguments.names) - len(changed)} unchanged")
    return FAILED if arguments.check and changed else HELD
