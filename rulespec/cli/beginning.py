"""new: a ruleset from a template of a kind of game, or a variant of a ruleset."""

from __future__ import annotations

import argparse
import json
import re
import shlex
from importlib.resources import files
from pathlib import Path

from ..core.storage.atomic_files import write_text
from ..language import outline
from ..language.documents.json_schema import ruleset_schema_text
from ..language.documents.shapes import IDS, LONGEST_ID
from .status import HELD, Usage

SCHEMA = "ruleset.schema.json"
"""The file beside a new ruleset with its schema for editors."""


def new(arguments: argparse.Namespace) -> int:
    """Write a new ruleset, and the schema for editors beside it."""
    path = Path(arguments.file)
    if path.suffix != ".yaml":
        path = path.with_name(f"{path.name}.yaml")
    name = re.sub(r"[^A-Za-z0-9]+", "-", path.stem).strip("-")
    if not IDS.fullmatch(name) or len(name) > LONGEST_ID:
        raise Usage(f"`{path.stem}` gives no id: at most {LONGEST_ID} letters, digits and hyphens")
    if path.exists():
        raise Usage(f"`{path}` already exists")
    if arguments.kind == "variant":
        if not arguments.of:
            raise Usage("a variant names what it changes: `rulespec new variant FILE --of GAME`")
        text = _variant(name, arguments.of)
    elif arguments.of:
        raise Usage("`--of` is for variants: `rulespec new variant FILE --of GAME`")
    else:
        text = (files(__package__) / "templates" / f"{arguments.kind}.yaml").read_text("utf-8")
    title = name.replace("-", " ").capitalize()
    text = re.sub(r"(?m)^id: .*$", f"id: {name}", text, count=1)
    text = re.sub(r"(?m)^title: .*$", f"title: {title}", text, count=1)
    path.parent.mkdir(parents=True, exist_ok=True)
    schema = path.with_name(SCHEMA)
    if not schema.exists():
        write_text(schema, ruleset_schema_text())
    write_text(path, f"# yaml-language-server: $schema={SCHEMA}\n{text}")
    print(f"wrote {path} and {schema.name} beside it, for editors")
    print(f"Next: rulespec check {shlex.quote(str(path))} --watch")
    return HELD


def _variant(name: str, base: str) -> str:
    """A variant that changes nothing yet."""
    summary = json.dumps(f"{outline(base).title}, with a change.", ensure_ascii=False)
    return (
        f"rulespec: 1\nid: {name}\ntitle: {name}\nsummary: {summary}\nextends: {base}\n"
        "# set: {a-parameter: a value}\n# choose: {a-ruling: a reading}\n"
        "# replace:\n#   a-rule.that: another condition\n#   a-rule.prose: The words that say so.\n"
    )
