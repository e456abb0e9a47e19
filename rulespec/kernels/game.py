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
ACTIONS, SETTING_UP, SETTLING = 0, 0, 0
"""The number of actions of players, and of those that set up and that settle whether play goes on."""
OVER_AT, FAULT_AT, MOVER_AT, ENDED_AT = 0, 0, 0, 0
"""The places of numbers in a state: whether play is over, whether it faulted, who acts, which end it came
to."""
MAXIMISERS = 0
"""Bit p for each player p who wants the most of a value."""
FIRST_PLAYER, LAST_PLAYER = 1, 1
"""The codes of the players."""
SCORED = False
"""True if the game has scores."""

ROW, WHOLE = 0, 0
"""The words of the row that holds a packed state, and of a whole row."""
MARK: Words = []
KEY: Words = []
"""Of each word of a row what changes if a state is marked as one in which nobody can act, and the bits that
do not tell whether and how play ended."""

TOGETHER, SHARED = False, False
"""True if all players win together, and if a win that is shared is worth more than a tie."""
SIDES = 1
"""The number of sides."""
SIDE_OF: Numbers = []
IS_FIRST_OF_SIDE: Numbers = []
"""Of each player the number of the side, and 1 for the first player of a side."""
HIDES, SECRETIVE = False, False
"""True if something is hidden from somebody, and if parts of actions are secret."""
SEEN_CELLS: Numbers = []
SEEN_WORDS: Numbers = []
"""The numbers and words of a state that a seat sees, once `see` was called for it."""
NUMBERS_SEEN, WORDS_SEEN = 0, 0
"""The lengths of the two tables, which are themselves never empty."""
SECRET_FROM: Numbers = []
SECRET_PLACE: Numbers = []
SECRET_SIZE: Numbers = []
"""Of each action where its secrets begin among all; of each secret where in a row the choice lies, -1 for the
action itself, and how many numbers it takes."""

TYPE_BASE: Numbers = []
TYPE_SIZE: Numbers = []
TYPE_RANKS: Numbers = []
TYPE_CODES: Numbers = []
TYPE_BIT: Numbers = []
"""Of each scalar type that is numbered: its least code, the number of its values, where in `RANKS` the
ranks of its codes from the least on begin and where in `CODES` the codes of its values do (-1 where its
codes follow one another), and the code of bit 0 in sets of it."""
RANKS: Numbers = []
CODES: Numbers = []
FIRST_NUMBER: Numbers = []
"""Of each action its first number, and behind them the number of all."""
FIRST_CHOICE: Numbers = []
CHOICE_PLACE: Numbers = []
CHOICE_TYPE: Numbers = []
CHOICE_LISTS: Numbers = []
CHOICE_WAYS: Numbers = []
"""Of each action its first choice among all, and behind them the number of all; of each choice its place in a
row, its type, 1 if it is a list, and the number of its values."""
NUMBERED = False
"""True if the actions have numbers."""
PARTS = 0
PART_KIND: Numbers = []
PART_PLACE: Numbers = []
PART_REPEAT: Numbers = []
PART_STRIDE: Numbers = []
PART_TYPE: Numbers = []
PART_CAP: Numbers = []
PART_MARK: Numbers = []
"""The parts of an observation: of each its kind (see `numbering`), where its values lie, how many there are
and the distance between them, their type, the greatest size of lists, and the place of the mark of what a
sight shows, or -1."""
OBSERVED = 0
"""The numbers of an observation."""

CHANCY = False
"""True if chance has a part in plies."""
PASSES = False
"""True if a player who cannot act passes, so that what follows a ply depends on who can."""
STUCK = 0
"""The end of a play in which nobody can act."""

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


def rest(s: Numbers, b: Words, c: Words, m: Numbers, n: int, most: int) -> tuple[int, int]:
    """Take random actions, at most so many, where n are legal: the number of legal actions then, listed in m,
    and of actions taken.
    """
    raise NotImplementedError


def see(s: Numbers, b: Words, viewer: int) -> None:
    """Copy what a seat sees of hidden state to its places in the state."""
    raise NotImplementedError


def shown(s: Numbers, b: Words, m: Numbers) -> None:
    """Put behind the action at the beginning of m, for each of its secrets, the players who see it, as
    bits."""
    raise NotImplementedError


def opening(s: Numbers, b: Words, c: Words, m: Numbers, k: int) -> int:
    """Set up, as the row at k in m says, and count the legal actions that follow as `step` does."""
    raise NotImplementedError


def row_of(m: Numbers, k: int) -> int:
    """The place in m of the row of an action, by its number among those that `step` counted."""
    raise NotImplementedError


def listing(s: Numbers, b: Words, m: Numbers) -> int:
    """List the legal actions of a state in m: their number, or a negative status."""
    raise NotImplementedError


def able(s: Numbers, b: Words, m: Numbers) -> bool:
    """True if an action is legal in a state; m is scratch."""
    raise NotImplementedError


def winners(s: Numbers, b: Words) -> Word:
    """The winners of a play that is over: bit p for the player of code p."""
    raise NotImplementedError


def score(s: Numbers, b: Words, player: int) -> int:
    """The score of a player in a game that has scores."""
    raise NotImplementedError


def act(s: Numbers, b: Words, c: Words, m: Numbers, k: int) -> int:
    """Take the action at k in m: how play ends, 0 if it goes on unless nobody can act; negative after a
    fault.
    """
    raise NotImplementedError


def pack(s: Numbers, b: Words, row: Words) -> None:
    """Put a state into a row."""
    raise NotImplementedError


def pack_whole(s: Numbers, b: Words, row: Words) -> None:
    """Put a state into a whole row, which has room for what never changes, too."""
    raise NotImplementedError


def unpack(rows: Words, first: int, s: Numbers, b: Words) -> None:
    """Put the state of the row that begins at a place back, with the words that are kept beside it."""
    raise NotImplementedError


def restore(rows: Words, first: int, s: Numbers, b: Words) -> None:
    """Make a state that of the row that begins at a place, as little as must change.

    The words that are kept beside the state before must be right.
    """
    raise NotImplementedError


def keep_state(s: Numbers, b: Words) -> None:
    """Keep the state that plies begin with, behind the state in the same arrays."""
    raise NotImplementedError


def go_back(s: Numbers, b: Words) -> None:
    """Take back the ply that was begun with the state kept."""
    raise NotImplementedError


def repack(rows: Words, first: int, s: Numbers, b: Words, row: Words) -> None:
    """Put a state into a row: that which a ply made of the state kept, whose row begins at a place."""
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
