"""Declarations of everything that kernels use from a game. Only type checkers and readers use this module.

A kernel finds the functions in the code of the game or in additions to it; see `units`. Few kernels need all.
"""

from __future__ import annotations

from .shapes import Numbers, Word, Words

WIDTH = 0
"""Size of a legal action in a buffer."""
CELLS, WORDS = 0, 0
"""Numbers and words of a state."""
ACTIONS, SETTING_UP, SETTLING = 0, 0, 0
"""Number of actions of players; numbers of the special actions that set up and that settle whether play
goes on."""
OVER_AT, FAULT_AT, MOVER_AT, ENDED_AT = 0, 0, 0, 0
"""The places of numbers in a state: whether play is over, whether it faulted, the mover, the end that was
reached."""
MAXIMISERS = 0
"""Bit p is set for each player p who maximises the value."""
FIRST_PLAYER, LAST_PLAYER = 1, 1
"""The codes of the players."""
SCORED = False
"""True if the game has scores."""

ROW, WHOLE = 0, 0
"""The words of the row that holds a packed state, and of a whole row."""
MARK: Words = []
KEY: Words = []
"""For each word of a row, what changes if nobody can act, and a mask of the bits that do not depend on the
end."""

GAINS = False
"""True if the score is a payoff, of which players want the most, and not to be ahead."""
TOGETHER, SHARED = False, False
"""True if all players win together, and if a shared win is worth more than a tie."""
SIDES = 1
"""The number of sides."""
SIDE_OF: Numbers = []
IS_FIRST_OF_SIDE: Numbers = []
"""For each player, the number of the side, and 1 for the first player of a side."""
HIDES, SECRETIVE = False, False
"""True if something is hidden from somebody, and if parts of actions are secret."""
SEEN_CELLS: Numbers = []
SEEN_WORDS: Numbers = []
"""Places of the numbers and words that a seat sees, after a call of `see` for it."""
NUMBERS_SEEN, WORDS_SEEN = 0, 0
"""Lengths of the two tables; the tables themselves are never empty."""
SECRET_FROM: Numbers = []
SECRET_PLACE: Numbers = []
SECRET_SIZE: Numbers = []
"""For each action the index of its first secret; for each secret the place of its choice in a row (-1 for
the action itself) and its size."""

TYPE_BASE: Numbers = []
TYPE_SIZE: Numbers = []
TYPE_RANKS: Numbers = []
TYPE_CODES: Numbers = []
TYPE_BIT: Numbers = []
"""For each numbered scalar type: its least code, the number of its values, where the ranks of its codes
begin in `RANKS` and the codes of its values in `CODES` (-1 if its codes are consecutive), and the code of
bit 0 in sets."""
RANKS: Numbers = []
CODES: Numbers = []
FIRST_NUMBER: Numbers = []
"""First number of each action, followed by the number of all."""
FIRST_CHOICE: Numbers = []
CHOICE_PLACE: Numbers = []
CHOICE_TYPE: Numbers = []
CHOICE_LISTS: Numbers = []
CHOICE_WAYS: Numbers = []
"""First choice of each action, followed by the number of choices; for each choice its place in a row, its
type, 1 if it is a list, and the number of its values."""
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
"""The parts of an observation: for each its kind (see `numbering`), the first place of its values, their
number and distance, their type, the maximum size of lists, and the place of the mark of a sight, or -1."""
OBSERVED = 0
"""Size of an observation."""

CHANCY = False
"""True if plies involve chance."""
PASSES = False
"""True if a player who cannot act passes, so that the result of a ply depends on who can act."""
STUCK = 0
"""The end of a play in which nobody can act."""

LEAST, GREATEST, VALUE_BITS = 0, 0, 0
"""Bounds of the values of all ends, and the size in bits of a number between them."""
SEAT = 0
"""Words of a row with a note on it, which lies in the last of them."""
NOTE_SHIFT, KEY_BITS = 0, 0
"""Position of the note in that word, and number of bits that fields use in the last word of a row."""

OWN_ACTIONS = 0
"""Number of actions that `showing.wander` plays; it only looks at the others."""


def play(s: Numbers, b: Words, c: Words, m: Numbers, k: int) -> int:
    """Play the action at k in m and list the legal actions; return their number, negative after a fault."""
    raise NotImplementedError


def step(s: Numbers, b: Words, c: Words, m: Numbers, k: int) -> int:
    """Play the action at k in m and count the legal actions, for `row_of` only."""
    raise NotImplementedError


def rest(s: Numbers, b: Words, c: Words, m: Numbers, n: int, most: int) -> tuple[int, int]:
    """Play at most `most` random actions when n are legal; return the number then legal (listed in m) and
    the number played."""
    raise NotImplementedError


def see(s: Numbers, b: Words, viewer: int) -> None:
    """Copy the hidden state that a seat sees to its places in the state."""
    raise NotImplementedError


def shown(s: Numbers, b: Words, m: Numbers) -> None:
    """Append to the action at the beginning of m, for each of its secrets, the players who see it, as
    bits."""
    raise NotImplementedError


def opening(s: Numbers, b: Words, c: Words, m: Numbers, k: int) -> int:
    """Set up as the row at k in m says, and count the legal actions as `step` does."""
    raise NotImplementedError


def row_of(m: Numbers, k: int) -> int:
    """The place in m of the row of an action, by its number among those that `step` counted."""
    raise NotImplementedError


def listing(s: Numbers, b: Words, m: Numbers) -> int:
    """List the legal actions of a state in m; return their number, or a negative status."""
    raise NotImplementedError


def able(s: Numbers, b: Words, m: Numbers) -> bool:
    """True if an action is legal in a state; m is scratch."""
    raise NotImplementedError


def winners(s: Numbers, b: Words) -> Word:
    """The winners of a finished play: bit p for the player of code p."""
    raise NotImplementedError


def score(s: Numbers, b: Words, player: int) -> int:
    """The score of a player in a game that has scores."""
    raise NotImplementedError


def act(s: Numbers, b: Words, c: Words, m: Numbers, k: int) -> int:
    """Play the action at k in m; return how play ends, 0 if it goes on unless nobody can act, negative
    after a fault."""
    raise NotImplementedError


def pack(s: Numbers, b: Words, row: Words) -> None:
    """Pack a state into a row."""
    raise NotImplementedError


def pack_whole(s: Numbers, b: Words, row: Words) -> None:
    """Pack a state into a whole row, which also has room for constant variables."""
    raise NotImplementedError


def unpack(rows: Words, first: int, s: Numbers, b: Words) -> None:
    """Unpack the state of the row at a place, and compute the words that are kept with it."""
    raise NotImplementedError


def restore(rows: Words, first: int, s: Numbers, b: Words) -> None:
    """Turn a state into that of the row at a place, changing as little as possible.

    The words kept with the previous state must be right.
    """
    raise NotImplementedError


def keep_state(s: Numbers, b: Words) -> None:
    """Copy the state before a ply behind the state in the same arrays."""
    raise NotImplementedError


def go_back(s: Numbers, b: Words) -> None:
    """Undo the ply that began with the kept state."""
    raise NotImplementedError


def repack(rows: Words, first: int, s: Numbers, b: Words, row: Words) -> None:
    """Pack the state after a ply from the kept state, whose row begins at a place."""
    raise NotImplementedError


def answer(question: int, s: Numbers, b: Words) -> int:
    """The answer to a question about a state, by its number."""
    raise NotImplementedError


def note_shown(seen: Numbers, s: Numbers, b: Words) -> int:
    """Mark the conditions that hold in a state."""
    raise NotImplementedError


def worth(s: Numbers, b: Words) -> int:
    """The value of an end."""
    raise NotImplementedError


def far(s: Numbers, b: Words, limits: Numbers) -> int:
    """The distance of a state from the goal: 0 if it is reached."""
    raise NotImplementedError


def measure(s: Numbers, b: Words) -> int:
    """The measure of a state in the search for a best number; less is better.

    States at which the number does not count yet rank last, ordered by their distance from counting.
    """
    raise NotImplementedError


def alive(s: Numbers, b: Words, limits: Numbers) -> bool:
    """True if the goal may still be reached, according to bounds on quantities that never fall."""
    raise NotImplementedError


def exponential(x: float) -> float:
    """e to the power of x."""
    raise NotImplementedError
