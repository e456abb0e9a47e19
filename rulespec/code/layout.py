"""How a generated text is laid out: the constants that are used, with what they are for, then functions."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from .program import Program

LINE = 110
"""No line of constants is longer than this."""
MOST_DOCUMENTED = 100
"""A longer description of a function is cut."""


def laid_out(program: Program, functions: Sequence[str]) -> str:
    """The whole text."""
    game = program.game
    title = f'"""{game.title}: the rules as code, written from the ruleset `{game.id}`.'
    used = set(re.findall(r"\w+", " ".join(functions)))
    constants = "\n".join(_constants(program, used))
    return "\n\n\n".join([f'{title}\n\nDigest {game.digest}.\n"""\n{constants}', *functions]) + "\n"


def _constants(program: Program, used: set[str]) -> Iterator[str]:
    for name, text, why in program.constants:
        if name not in used and text[:1].isalpha():
            continue
        line = f"{name} = {text}"
        if why and len(line) + len(why) + 4 <= LINE:
            line += f"  # {why}"
        elif why:
            yield f"# {why}"
        yield line if len(line) <= LINE else _wrapped(line)


def _wrapped(line: str) -> str:
    return textwrap.fill(
        line, LINE - 2, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )


def words(text: str) -> str:
    """A description as it may stand in a docstring of one line."""
    clean = " ".join(text.replace('"""', "'").replace("\\", "/").split()).rstrip(": ")
    return textwrap.shorten(clean, MOST_DOCUMENTED, placeholder=" …")
