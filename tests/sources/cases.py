"""A ruleset, its document and its map that agree, and edits after which they do not."""

from __future__ import annotations

import contextlib
import io
import shutil
from pathlib import Path

from rulespec.cli import main

HERE = Path(__file__).parent
GOOD, BAD = HERE / "good", HERE / "bad"
RULESET, VARIANT, MAP, DOCUMENT = "counters.yaml", "counters-long.yaml", "sources/rules.yaml", "rules.txt"

EDITS: dict[str, tuple[str, str, str]] = {
    "document-other": (DOCUMENT, (GOOD / DOCUMENT).read_text("utf-8"), "Something else.\n\nAltogether.\n"),
    "sentence-changed": (DOCUMENT, "counter or two", "counter, or two"),
    "sentence-new": (DOCUMENT, "Turns alternate.", "Turns alternate. Nobody passes."),
    "sentence-gone": (DOCUMENT, " Turns alternate.", ""),
    "sentence-open": (MAP, ", because: credit", ""),
    "rule-removed": (RULESET, "- id: bare\n", "- id: barren\n"),
    "example-renamed": (RULESET, "id: too-many", "id: too-much"),
    "variant-without": (VARIANT, "    source: [long-1]\n", ""),
    "source-none": (RULESET, "  source: ours\n", ""),
    "source-ours": (RULESET, "source: ours", "source: [ours, setup-2]"),
    "source-unknown": (RULESET, "source: [setup-2, setup-3", "source: [setup-2, setpu-3"),
    "source-unmapped": (RULESET, "source: [setup-2, setup-3", "source: [setup-1, setup-2, setup-3"),
    "map-unknown": (MAP, "became: [counters-long/patience]", "became: [counters-long/patients]"),
    "map-uncited": (MAP, "became: [counters-long/patience]", "became: [counters-long/patience, bare]"),
    "map-document": (MAP, "document: rules.txt", "document: rule.txt"),
    "map-reason": (MAP, "because: credit", "because: credits"),
    "map-both": (MAP, "because: credit", "because: credit, became: [take]"),
    "map-digest": (MAP, "digest: 9", "digest: x"),
    "map-label": (MAP, "intro-2", "intro"),
    "map-order": (MAP, "setup-2", "setup-5"),
    "map-key": (MAP, "because: credit", "becuase: credit"),
    "told-missing": (MAP, "take a counter, or two.", "take a counter, or three."),
    "told-of-variant": (VARIANT, "There are seven counters.", "Seven counters are there."),
    "map-version": (MAP, "source-map: 1", "source-map: 2"),
    "map-sentences": (MAP, "sentences:", "sentence:"),
    "map-yaml": (MAP, "because: credit}", "because: credit"),
}
"""By name: the file, a text in it that occurs once at least, and what stands for its first occurrence."""


def lay_out(folder: Path, case: str = "") -> None:
    """Copy the files that agree into a folder, with the edit of a case."""
    shutil.copytree(GOOD, folder, dirs_exist_ok=True)
    if case:
        name, old, new = EDITS[case]
        text = (folder / name).read_text("utf-8")
        assert old in text, f"{case}: {name} has no {old!r}"
        (folder / name).write_text(text.replace(old, new, 1), "utf-8")


def told(folder: Path, case: str) -> str:
    """What `coverage` prints of a case that is laid out in a folder, and its exit status."""
    lay_out(folder, case)
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
        status = main(["coverage", RULESET, "--document", DOCUMENT])
    return f"{out.getvalue()}exit {status}\n"
