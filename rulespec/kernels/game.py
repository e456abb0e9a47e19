"""Declarations of all that kernels use of a game. Only type checkers and readers use this module.

A kernel finds the functions in the code of the game or in what is written beside it; see `units`.
Not every kernel needs them all.
"""

from __future__ import annotations

from .shapes import Numbers, Word, Words

WIDTH = 0
"""The numbers that a legal action takes in a buffer."""
CELLS, WORDS = 0, 0
"""The numbers and the words of a state."""
KEPT_WORDS = 0
PLACES: Numbers = []
"""The words that must be kept between plies: how many, and their places among all words."""
ACTIONS, SETTING_UP, SETTLING = 0, 0, 0
"""How many actions a player may take, and the further ones that set up and that settle whether play goes
on."""
OVER_AT, FAULT_AT, MOVER_AT, ENDED_AT = 0, 0, 0, 0
"""The places of numbers in a state: whether play is over, whether it faulted, who acts, which end it came
to."""
FIRST_PLAYER, LAST_PLAYER = 1, 1
"""The codes of the players."""
SCORED = False
"""True if the game has scores."""

ROW = 0
"""The words of the row that holds a packed state."""
CELL_FIELDS, WORD_FIELDS = 0, 0
"""The fields of a row, for numbers and for words."""
CELL_AT: Numbers = []
CELL_ROW: Numbers = []
CELL_SHIFT: Words = []
CELL_BITS: Words = []
CELL_LOW: Numbers = []
CELL_SPAN: Numbers = []
"""Of each number its place in the state and in the row, its mask, its least value, the code of none."""
WORD_AT: Numbers = []
WORD_ROW: Numbers = []
WORD_SHIFT: Words = []
WORD_BITS: Words = []
PLANES = 0
"""The maps of which a row has a set of keys for each value."""
WORD_VALUE: Numbers = []
SPOT: Numbers = []
"""The same of each word; where it has the keys of a map with one value, that value and the place of each key
in the state, else `NONE`."""

LEAST, GREATEST, VALUE_BITS = 0, 0, 0
"""Numbers between which all values of ends lie, and the bits of a number between them."""
SEAT = 0
"""The words of a row with a note on it, which lies in the last of them."""
NOTE_SHIFT, KEY_BITS = 0, 0
"""Where the note begins in that word, and the bits that fields take of the last word of a row."""

OWN_ACTIONS = 0
"""The number of actions that `showing.wander` takes; it only looks at the others."""


def play(s: Numbers, b: Words, c: Words, m: Numbers, k: int) -> int:
    """Take the action at k in m and list the legal actions that follow: their number; negative after a
    fault.
    """
    raise NotImplementedError


def step(s: Numbers, b: Words, c: Words, m: Numbers, k: int) -> int:
    """Take the action at k in m and count the legal actions that follow, for `row_of` only."""
    raise NotImplementedError


def row_of(m: Numbers, k: int) -> int:
    """The place in m of the row of an action, by its number among those that `step` counted."""
    raise NotImplementedError


def listing(s: Numbers, b: Words, m: Numbers) -> int:
    """List the legal actions of a state in m: their number, or a negative status."""
    raise NotImplementedError


def winners(s: Numbers, b: Words) -> Word:
    """The winners of a play that is over: bit p for the player of code p."""
    raise NotImplementedError


def score(s: Numbers, b: Words, player: int) -> int:
    """The score of a player in a game that has scores."""
    raise NotImplementedError


def beside(s: Numbers, b: Words) -> int:
    """Fill in the words that are kept beside a state and follow from it."""
    raise NotImplementedError


def answer(question: int, s: Numbers, b: Words) -> int:
    """The answer to a question about a state, by its number."""
    raise NotImplementedError


def asked(s: Numbers, b: Words) -> int:
    """The value of the one expression that is asked of a state; 1 for true."""
    raise NotImplementedError


def note_shown(seen: Numbers, s: Numbers, b: Words) -> int:
    """Mark the conditions that hold in a state."""
    raise NotImplementedError


def worth(s: Numbers, b: Words) -> int:
    """The value of an end."""
    raise NotImplementedError


def far(s: Numbers, b: Words, limits: Numbers) -> int:
    """The distance of a state from the goal: 0 where it is reached."""
    raise NotImplementedError


def measure(s: Numbers, b: Words) -> int:
    """The measure of a state in the search for a best number: less is better.

    States at which the number does not count yet come after all others, the nearest to that first.
    """
    raise NotImplementedError


def alive(s: Numbers, b: Words, limits: Numbers) -> bool:
    """True if the goal may still be reached, as far as bounds say that nothing can lower."""
    raise NotImplementedError


def exponential(x: float) -> float:
    """e to the power of x."""
    raise NotImplementedError
