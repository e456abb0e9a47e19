"""A Markdown extension that replaces each fenced example with its result."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from markdown import Extension, Markdown
from markdown.preprocessors import Preprocessor

from ...core.diagnostics import Diagnostic, Report, RulesetError, Source
from . import render
from .fences import ExecutedFence, execute
from .scan import scan_text

PRIORITY = 28
"""After white space is normalised (30), before other readers of fences (25)."""


class RulespecExtension(Extension):
    """Executes the fences `rulespec` of a text, or shows those that were `executed` before.

    By itself it raises RulesetError if one of them fails. A builder of sites that collects the faults of all
    pages first passes executed fences to `expect`, and reads `faults` afterwards.
    """

    def __init__(self, **options: Any) -> None:
        self.config = {
            "source": ["markdown", "The name of the text in messages"],
            "folder": [".", "The folder in which rulesets given by a path are looked for"],
        }
        super().__init__(**options)
        self.executed: Sequence[ExecutedFence] | None = None
        self.faults: list[Diagnostic] = []
        self.page = ""
        self.shown = 0
        """The number of executed examples that were put into pages."""

    def expect(self, executed: Sequence[ExecutedFence]) -> None:
        """Show these, one for each fence of the next text, and nothing else."""
        self.executed = executed

    def extendMarkdown(self, md: Markdown) -> None:
        """Register with a Markdown converter."""
        md.preprocessors.register(_Fences(md, self), "rulespec", PRIORITY)


class _Fences(Preprocessor):
    def __init__(self, md: Markdown, extension: RulespecExtension) -> None:
        super().__init__(md)
        self.extension = extension

    def run(self, lines: list[str]) -> list[str]:
        extension, report = self.extension, Report()
        found = scan_text(Source(str(extension.getConfig("source")), "\n".join(lines)), report)
        executed = extension.executed
        if executed is None:
            executed = [execute(fence, Path(extension.getConfig("folder"))) for fence in found]
            faults = [*report.diagnostics, *(fault for done in executed for fault in done.faults)]
            if faults:
                raise RulesetError(faults)
        elif len(found) != len(executed):
            message = f"examples in the file: {len(executed)}, in the page made of it: {len(found)}"
            extension.faults.append(Diagnostic("fence.lost", f"{extension.page}: {message}"))
        extension.shown += min(len(found), len(executed))
        shown = list(lines)
        for fence, done in reversed(list(zip(found, executed, strict=False))):
            html = render.example(done.run) if done.run else _failed(done)
            stashed = " " * (fence.column - 1) + self.md.htmlStash.store(html)
            shown[fence.first - 1 : fence.last] = ["", stashed, ""]
        return shown


def _failed(done: ExecutedFence) -> str:
    return f'<pre class="rs-failed">{render.escape(render.faults(done.faults))}</pre>'


def makeExtension(**options: Any) -> RulespecExtension:
    """Create the extension; Markdown calls this by name."""
    return RulespecExtension(**options)
