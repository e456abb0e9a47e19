"""The code of a game as text for readers, with the clause of each part, and the meanings of its names.

The text is in Python: with the kit beside it, it does what the machine does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..machine import form as f
from ..machine.inlining import nodes_of
from ..machine.listing import listed, listed_table
from .program import Program

MOST_LINES = 4
"""A table of more lines stands behind the functions."""

FIXED = {
    "s": "numbers: first the state",
    "b": "words: first the state",
    "c": "the source of chance",
    "m": "legal actions, and what is played",
    "setup": "the setup of the game",
    "begin_turn": "what begins a turn",
    "next_mover": "who acts next",
    "play": "plays what lies at k in m, and lists what is legal then: how much, 0 where the game is over",
    "act": "plays what lies at k in m: 0 where play goes on, else its end; negative after a fault",
    "step": "plays what lies at k in m, and counts what is legal then, for `row_of`",
    "row_of": "the place in m of the row of the legal action number k",
    "blocks": "the legal actions in blocks of rows that differ in one choice, and how many there are",
    "listing": "the legal actions, put into m, and how many there are",
    "end": "which end is reached, counted from 1; 0 if none is",
    "score": "the score of a player",
    "winners": "the players who win, as a set",
    "see": "what a player sees, copied to where it can be compared",
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


def text(program: Program, functions: Mapping[str, f.Function], headings: bool = False) -> str:
    """The whole code. Nothing from the ruleset stands in it but letters and digits in numbered names; with
    headings also the names and clauses of its parts, in comments.
    """
    used = set(_names(functions))
    constants = [f"{name} = {value}" for name, value in program.constants.items() if name in used]
    tables = [listed_table(table) for name, table in program.tables.items() if name in used]
    short = [table for table in tables if table.count("\n") <= MOST_LINES]
    long = [table for table in tables if table not in short]
    parts = [_part(function) if headings else listed(function) for function in functions.values()]
    return "\n\n\n".join(["\n".join([*constants, *short]), *parts, *long]) + "\n"


def _part(function: f.Function) -> str:
    """A function under a heading that says of which part of the rules it is."""
    origin = function.origin or FIXED.get(function.name, "")
    once = "; worked out once for a state" if function.once is not None else ""
    return f"# {origin}{once}\n{listed(function)}"


def _names(functions: Mapping[str, f.Function]) -> Iterator[str]:
    """The functions, and the constants and tables that they use."""
    yield from functions
    for function in functions.values():
        yield from (x.name for x in nodes_of(function.body) if isinstance(x, f.Const | f.Static))


def meanings(program: Program, functions: Mapping[str, f.Function]) -> dict[str, str]:
    """The meanings of the names in the code, in words of the ruleset, which may hold any characters."""
    used = set(_names(functions))
    ends = {f"end: {i}": f"end `{end.id}`" for i, end in enumerate(program.game.ends, 1)}
    slots = {f"{array}[{at}:{at + program.size(t)}]": f"{t}, on the way" for array, at, t in program.slots}
    named = {name: meaning for name, meaning in program.meanings.items() if name in used}
    return FIXED | named | ends | slots
