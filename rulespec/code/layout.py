"""The layout of generated code: used constants, then functions; and the meanings of its names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from .program import Program

LINE = 110
"""No line of constants is longer than this."""
MOST_LINES = 4
"""A longer constant stands behind the functions."""


FIXED = {
    "s": "numbers: first the state",
    "b": "words: first the state",
    "c": "the source of chance",
    "m": "legal actions, and what is played",
    "play": "plays what lies at k in m, and lists what is legal then: how much, 0 where the game is over",
    "act": "plays what lies at k in m: 0 where play goes on, else its end; negative after a fault",
    "step": "plays what lies at k in m, and counts what is legal then, for `row_of`",
    "row_of": "the place in m of the row of the legal action number k",
    "blocks": "the legal actions in blocks of rows that differ in one choice, and how many there are",
    "listing": "the legal actions, put into m, and how many there are",
    "end": "which end is reached, counted from 1; 0 if none is",
    "winners": "the players who win, as a set",
    "rest": "so many random plies where n actions are legal: how many are legal then, and the plies",
    "playouts": "random plays; tally: plies, and for each player the games won",
    "BLOCK": "how many numbers a block takes",
    "ENDED": "where it stands which end was reached",
    "FAULT": "where it stands which effect faulted",
    "SETUP": "played instead of an action: the game is set up",
    "SETTLE": "played instead of an action: the rules are asked what follows",
    "RESUME": "played instead of an action: play goes on, and no end is asked again",
}
"""The meanings of the names that the code of every game has."""


def laid_out(program: Program, functions: Sequence[str]) -> str:
    """The whole text. Nothing from the ruleset stands in it but letters and digits in numbered names."""
    used = set(re.findall(r"\w+", " ".join(functions)))
    constants = list(_constants(program, used))
    short = "\n".join([text for text in constants if text.count("\n") <= MOST_LINES])
    long = "\n".join([text for text in constants if text.count("\n") > MOST_LINES])
    return "\n\n\n".join([short, *functions, *([long] if long else [])]) + "\n"


def meanings(program: Program, text: str) -> dict[str, str]:
    """The meanings of the names in a text, in words of the ruleset, which may hold any characters."""
    used = set(re.findall(r"\w+", text))
    ends = {f"end: {i}": f"end `{end.id}`" for i, end in enumerate(program.game.ends, 1)}
    slots = {f"{array}[{at}:{at + program.size(t)}]": f"{t}, on the way" for array, at, t in program.slots}
    named = {name: meaning for name, meaning in program.meanings.items() if name in used}
    return FIXED | named | ends | slots


def _constants(program: Program, used: set[str]) -> Iterator[str]:
    for name, text in program.constants:
        if name in used or not text[:1].isalpha():
            line = f"{name} = {text}"
            yield line if len(line) <= LINE else _wrapped(line)


def _wrapped(line: str) -> str:
    """A line broken at spaces, with an indent from the second line on."""
    indent, width = "    ", LINE - 2
    lines: list[list[str]] = [[]]
    room = width
    for word in line.split(" "):
        if len(word) > room and lines[-1]:
            lines.append([])
            room = width - len(indent)
        lines[-1].append(word)
        room -= len(word) + 1
    return f"\n{indent}".join(map(" ".join, lines))
