"""How a generated text is laid out: the constants that are used, with what they are for, then functions."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator, Sequence

from .program import Program

LINE = 110
"""No line of constants is longer than this."""
MOST_LINES = 4
"""A longer constant stands behind the functions."""
MOST_DOCUMENTED = 100
"""A longer description of a function is cut."""


def laid_out(program: Program, functions: Sequence[str]) -> str:
    """The whole text."""
    game = program.game
    title = f'"""{game.title}: the rules as code, written from the ruleset `{game.id}`.'
    used = set(re.findall(r"\w+", " ".join(functions)))
    constants = list(_constants(program, used))
    short = "\n".join([text for text in constants if text.count("\n") <= MOST_LINES])
    long = "\n".join([text for text in constants if text.count("\n") > MOST_LINES])
    head = "\n".join([f'{title}\n\nDigest {game.digest}.\n"""', short, *_slots(program)])
    return "\n\n\n".join([head, *functions, *([long] if long else [])]) + "\n"


def _constants(program: Program, used: set[str]) -> Iterator[str]:
    for name, text, why in program.constants:
        if name not in used and text[:1].isalpha():
            continue
        line = f"{name} = {text}"
        wrapped = line if len(line) <= LINE else _wrapped(line)
        if why and len(line) + len(why) + 4 <= LINE:
            yield f"{line}  # {why}"
        else:
            yield f"# {why}\n{wrapped}" if why else wrapped


def _slots(program: Program) -> Iterator[str]:
    """What lies at the numbered places past the state."""
    for array, at, t in program.slots:
        yield f"# {array}[{at}:{at + program.size(t)}]: {t}, on the way"


def _wrapped(line: str) -> str:
    return textwrap.fill(
        line, LINE - 2, subsequent_indent="    ", break_long_words=False, break_on_hyphens=False
    )


def words(text: str) -> str:
    """A description as it may stand in a docstring of one line."""
    clean = " ".join(text.replace('"""', "'").replace("\\", "/").split()).rstrip(": ")
    return textwrap.shorten(clean, MOST_DOCUMENTED, placeholder=" …")
