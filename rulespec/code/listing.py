"""The code of a game as text for readers, with the clause of each part, and the meanings of its names.

The text is Python: with the kit beside it, it does what the machine does.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..machine import form as f
from ..machine.listing import list_function, list_table
from ..machine.traversal import nodes_of
from .program import Program

MOST_LINES = 4
"""Tables with more lines than this are placed after the functions."""

FIXED = {
    "s": "numbers: first the state",
    "b": "words: first the state",
    "c": "the source of chance",
    "m": "legal actions, and what is played",
    "setup": "the setup of the game",
    "begin_turn": "what begins a turn",
    "next_mover": "who acts next",
    "play": "plays what lies at k in m, and lists what is legal then: how much, 0 where the game is over",
    "act": "plays the action at k in m: 0 where play goes on, else its end; negative after a fault",
    "arrange": "plays what lies at k in m, which is no action, with the same results",
    "opening": "plays what lies at k in m, which is no action, and counts what is legal then, for `row_of`",
    "step": "plays the action at k in m, and counts what is legal then, for `row_of`",
    "able": "whether any action is legal; m is scratch",
    "row_of": "the place in m of the row of the legal action number k",
    "word": "the legal actions as a word of their choice, put into m, and how many there are",
    "blocks": "the legal actions in blocks of rows that differ in one choice, and how many there are",
    "listing": "the legal actions, put into m, and how many there are",
    "end": "which end is reached, 0 if none is",
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
"""The meanings of the names that occur in the code of every game."""


def list_code(program: Program, functions: Mapping[str, f.Function], headings: bool = False) -> str:
    """The whole code as text; names from the ruleset appear in it as letters and digits, numbered.

    With headings it also has the names and clauses of its parts, in comments.
    """
    used = set(_used_names(functions))
    said = meanings(program, functions) if headings else {}
    constants = [
        f"{name} = {value}" + (f"  # {_as_comment(said[name])}" if name in said else "")
        for name, value in program.constants.items()
        if name in used
    ]
    tables = [table for name, table in program.tables.items() if name in used]
    listed_tables = [_with_heading(table.name, list_table(table), said) for table in tables]
    short = [table for table in listed_tables if table.count("\n") <= MOST_LINES]
    long = [table for table in listed_tables if table not in short]
    parts = [_with_heading(name, list_function(function), said) for name, function in functions.items()]
    slots = [f"# {place}: {_as_comment(meaning)}" for place, meaning in said.items() if "[" in place]
    return "\n\n\n".join(["\n".join([*constants, *slots, *short]), *parts, *long]) + "\n"


def _with_heading(name: str, made: str, said: Mapping[str, str]) -> str:
    """A part under a heading with its meaning and its clause."""
    return f"# {_as_comment(said[name])}\n{made}" if name in said else made


def _as_comment(meaning: str) -> str:
    """A meaning as a comment."""
    return " ".join(meaning.split())


def _used_names(functions: Mapping[str, f.Function]) -> Iterator[str]:
    """The functions, and the constants and tables that they use."""
    yield from functions
    for function in functions.values():
        named = (x.name for x in nodes_of(function.body) if isinstance(x, f.Const | f.Static))
        yield from (name.partition(" ")[0] for name in named)


def meanings(program: Program, functions: Mapping[str, f.Function]) -> dict[str, str]:
    """The meanings of the names in the code, in words of the ruleset; they may hold any characters."""
    used = set(_used_names(functions))
    slots = {f"{array}[{at}:{at + program.size(t)}]": f"{t}, on the way" for array, at, t in program.slots}
    named = {name: meaning for name, meaning in program.meanings.items() if name in used}
    origins = {name: x.origin for name, x in functions.items() if x.origin}
    once = [name for name, x in functions.items() if x.once is not None]
    found = FIXED | named | origins | slots
    return found | {name: f"{found[name]}; worked out once for a state" for name in once}
