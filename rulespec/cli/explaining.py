"""explain: the meaning of the codes of messages."""

from __future__ import annotations

import argparse
from importlib.resources import files

from ..core.diagnostics import nearest
from .output import fill
from .status import HELD, Usage


def explanations() -> dict[str, str]:
    """The explanation of each code."""
    text = (files(__package__) / "explanations.txt").read_text("utf-8")
    pairs = (line.partition(": ") for line in text.splitlines() if line and not line.startswith("#"))
    return {code: words for code, _, words in pairs}


def explain(arguments: argparse.Namespace) -> int:
    """Print the explanation of a code, or list all codes."""
    known = explanations()
    if arguments.code is None:
        print("\n".join(sorted(known)))
        return HELD
    code = str(arguments.code).strip("[]")
    if code not in known:
        raise Usage(f"there is no message `{code}`; {nearest(code, known) or '`rulespec explain` names all'}")
    print(fill(f"{code}: {known[code]}"))
    return HELD
