"""The text that explores a game by its generated code, to stand beside that code; see `Written`.

Rows of states lie one behind the other, the number of a state is its place among them. A table of
places (0 for a free seat, else a number and one) finds a row. Chance is gone through by giving picks:
where one is missing, all that can come up there follow, each with the product of the numbers of
outcomes as what its probability is one of.

Arrays come in tuples: `now` is the state with what plies need (s, b, c, m, the legal actions kept, a row, and
the numbers of outcomes of picks), `known` the table, the rows and their parents, `images` the tables of
symmetries, `first` the numbers and words before the setup, `edges` where ways and outcomes lie. The code of a
game, with this text, is kept for the next start.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from rulespec.code import Runner, Written, write
from rulespec.code.compiling import Compiled
from rulespec.core import nodes as n
from rulespec.core.game import Game

from .chance_kernel import DRAWING, MOST_ODDS, MOST_OUTCOMES, MOST_PICKS
from .orbit_kernel import COMPARING, TURNING
from .packing import RowLayout
from .packing_kernel import PACKING, constants, planes
from .states import BuiltinQuestion, Question, ScoreOf

DONE, ROOM, WIDE, DEEP, PAUSED = 0, -3, -4, -5, -7
STARTS_FULL, WAYS_FULL, OUTS_FULL, UNLIKELY = -16, -17, -18, -19
"""The statuses with which a function returns: all is done; the rows of states are full; a draw has more than
`MOST_OUTCOMES` outcomes; a draw takes more than `MOST_PICKS` picks; the requested work is done; the room for
outcomes of the setup, for ways, for outcomes of ways is full; an outcome of chance has a probability below
one in `MOST_ODDS`. `FULL` is that of the game's code."""
STOPPED = {
    WIDE: f"a draw has more than {MOST_OUTCOMES} outcomes",
    DEEP: f"a draw takes more than {MOST_PICKS} picks",
    UNLIKELY: f"chance gives something with a probability of less than one in {MOST_ODDS}",
}
"""The statuses that end an exploration, in words."""


def driver(written: Written, layout: RowLayout) -> str:
    """The text for a game's code, with a function `scan_…` for each question about states."""
    bounds = f"MOST_PICKS = {MOST_PICKS}\nMOST_OUTCOMES = {MOST_OUTCOMES}\nMOST_ODDS = {MOST_ODDS}"
    parts = [constants(written, layout), bounds, PACKING, planes(written), TURNING, _SEATS]
    parts += [DRAWING, _EXPLORE, _LOOKING_AHEAD, _LOOKING_BACK, COMPARING]
    game = written.program.game
    over = f"s[{layout.ended.at}]"
    scans: list[tuple[Question, str]] = [
        (BuiltinQuestion.WINNERS, f"as_number(winners(s, b)) if {over} != 0 else 0"),
        (BuiltinQuestion.MOVER, f"s[{written.program.offsets[game.mover][1]}]"),
        (BuiltinQuestion.ENDED, over),
        (BuiltinQuestion.FAULTED, f"s[{layout.fault.at}]"),
    ]
    if game.outcome.score is not None:
        scans += [(ScoreOf(p), f"score(s, b, {p})") for p in game.player.values]
    scans += [(name, f"{function}(s, b)") for name, (function, _) in written.asked.items()]
    parts += [_scan(scanning(written, question), text) for question, text in scans]
    return "\n\n\n".join(part.strip("\n") for part in parts) + "\n"


def scanning(written: Written, question: Question) -> str:
    """The name of the function that answers a question for many states."""
    if isinstance(question, BuiltinQuestion):
        return f"scan_{question.value}"
    if isinstance(question, ScoreOf):
        return f"scan_score_{question.player}"
    return f"scan_asked_{list(written.asked).index(question)}"


_SEATS = '''
@fast
def seat(table, rows, other, first):
    """The number of the row in `other` from `first` on; where it is not known, -1 less the seat for it."""
    mask = len(table) - 1
    at = as_number(hash_of(other, first, ZERO) & as_word(mask))
    while table[at] != 0:
        number = table[at] - 1
        if alike(rows, number * ROW, other, first):
            return number
        at = (at + 1) & mask
    return -1 - at


@fast
def number_of(known, row, parent, into):
    """The number of a row, which is taken in if it is not known: -3 without room; into[0]: how many are."""
    table, rows, parents = known
    found, count = seat(table, rows, row, 0), into[0]
    if found >= 0:
        return found
    if count == len(parents):
        return -3
    copy_row(rows, count * ROW, row, 0)
    table[-1 - found] = count + 1
    parents[count] = parent
    into[0] = count + 1
    return count


@fast
def seat_all(table, rows, count):
    """Fill an empty table with so many rows."""
    for number in range(count):
        table[-1 - seat(table, rows, rows, number * ROW)] = number + 1
'''

_EXPLORE = '''
@part
def reset(first, s, b):
    """Put the first state back."""
    cells, words = first
    for i in range(len(cells)):
        s[i] = cells[i]
    for i in range(len(words)):
        b[i] = words[i]
    return 0


@part
def set_up(first, now, given):
    """Put what the setup leads to into the row of `now`, chance replaying so many picks; see `take_with`."""
    s, b, c, m, _, row, radix = now
    while given >= 0:
        reset(first, s, b)
        draw_again(c, given)
        m[0] = SETTING_UP
        n = play(s, b, c, m, 0)
        if c[4] == ZERO:
            if n < -1:
                return n
            if n == -1:
                reset(first, s, b)
                s[FAULT_AT] = 1
            pack(s, b, row)
            break
        given = missing(c, radix, given)
    return given


@part
def take_with(rows, i, k, given, now, images):
    """Put what stored action k of a state leads to into the row of `now`, chance replaying so many picks.

    Those that are missing are added, the first of each; how many there are then, or what is wrong.
    """
    s, b, c, m, kept, row, radix = now
    while given >= 0:
        found = take_action(rows, i, k, given, s, b, c, m, kept)
        if c[4] == ZERO:
            if found < -1:
                return found
            pack(s, b, row)
            fold(row, images)
            break
        given = missing(c, radix, given)
    return given


@part
def note_outcome(at, number, outs, odds, radix, given):
    """Note the state of an outcome, and the denominator of its probability if odds are kept."""
    outs[at] = number
    if len(odds) > 0:
        odds[at] = odds_of(radix, given)
        if odds[at] == 0:
            return -19
    return 0


@fast
def begin(first, known, now, into, begun, odds, last):
    """See the states that the setup may lead to, or pause after `last` outcomes; into[0]: how many are known.

    If `begun` has room, the state of each outcome is put there and the denominator of its probability in
    `odds`; into[4]: the number of outcomes; into[5]: the number of picks that the next one begins with, which
    lie in c, each below its entry of `radix`: both must stay unchanged between calls.
    """
    _, _, c, _, _, row, radix = now
    while into[4] != last:
        given = set_up(first, now, into[5])
        if given < 0:
            return given
        into[5] = given
        found = number_of(known, row, -1, into)
        if found < 0:
            return found
        if len(begun) > 0:
            if into[4] == len(begun):
                return -16
            wrong = note_outcome(into[4], found, begun, odds, radix, given)
            if wrong != 0:
                return wrong
        into[4] += 1
        if into[4] > MOST_OUTCOMES:
            return -4
        into[5] = next_picks(c, radix, given)
        if into[5] == 0:
            return 0
    return -7


@fast
def expand(last, order, known, now, into, edges, images, most):
    """Follow every action of states, those by number, or in `order`, from place into[1] on up to `last`.

    into: the number of states; the place of the one to follow; the numbers of ways (actions) and of outcomes
    of ways written; at 6, the number of outcomes followed; from 7 on, for the state at that place: the action
    to follow, the number of picks it resumes with, which lie in c (see `begin`), and the number of its
    outcomes so far. It pauses after `most` outcomes. After any return, the next call resumes at the same
    outcome. Ways are written if `firsts` has room: those of state i begin at firsts[i], the outcomes of way w
    at ways[w]; each outcome is the number of a state, and has probability 1 / odds if odds are kept. If
    there are `images`, a state is represented by the least of its own.
    """
    rows, (firsts, ways, outs, odds), (s, b, c, m, kept, row, radix) = known[1], edges, now
    keep, pause = len(firsts) > 0, into[6] + most
    while into[1] < last:
        i = into[1]
        if len(order) > 0:
            i = order[i]
        n = actions_of(rows, i, s, b, m, kept)
        if n < 0:
            return n
        if keep and into[7] == 0 and into[9] == 0:
            firsts[i] = into[2]
        while into[7] < n:
            if into[6] == pause:
                return -7
            if keep and into[9] == 0:
                if into[2] + 1 >= len(ways):
                    return -17
                ways[into[2]] = into[3]
            given = take_with(rows, i, into[7], into[8], now, images)
            if given < 0:
                return given
            into[8] = given
            to = number_of(known, row, i, into)
            if to < 0:
                return to
            if keep:
                if into[3] == len(outs):
                    return -18
                wrong = note_outcome(into[3], to, outs, odds, radix, given)
                if wrong != 0:
                    return wrong
                into[3] += 1
            into[6] += 1
            into[9] += 1
            if into[9] > MOST_OUTCOMES:
                return -4
            into[8] = next_picks(c, radix, given)
            if into[8] == 0:
                into[2] += 1
                into[7] += 1
                into[9] = 0
        into[1] += 1
        into[7] = 0
    return 0
'''

_LOOKING_AHEAD = '''
@fast
def look_ahead(first, last, known, now, images, marks):
    """Mark the states, the last first, of which an action can lead to a marked one; how many are left."""
    (table, rows, _), (s, b, c, m, kept, row, radix) = known, now
    left = 0
    for back in range(last - first):
        i = last - 1 - back
        if marks[i] != 0:
            continue
        for k in range(actions_of(rows, i, s, b, m, kept)):
            given = 0
            while marks[i] == 0:
                given = take_with(rows, i, k, given, now, images)
                if marks[seat(table, rows, row, 0)] != 0:
                    marks[i] = 1
                given = next_picks(c, radix, given)
                if given <= 0:
                    break
            if marks[i] != 0:
                break
        if marks[i] == 0:
            left += 1
    return left
'''

_LOOKING_BACK = '''
@fast
def origin(first, rows, number, now, images):
    """Find picks in the setup that lead to a state, and leave them in c; negative where there are none."""
    _, _, c, _, _, row, radix = now
    given = 0
    while True:
        given = set_up(first, now, given)
        if given < 0:
            return given
        fold(row, images)
        if alike(rows, number * ROW, row, 0):
            return given
        given = next_picks(c, radix, given)
        if given == 0:
            return -6


@fast
def step_to(before, rows, number, now, images):
    """Find an action, by its place in `kept`, that leads from a row to a state; its picks are left in c."""
    s, b, c, m, kept, row, radix = now
    for k in range(actions_of(before, 0, s, b, m, kept)):
        given = 0
        while True:
            given = take_with(before, 0, k, given, now, images)
            if given < 0:
                return given
            if alike(rows, number * ROW, row, 0):
                return k
            given = next_picks(c, radix, given)
            if given == 0:
                break
    return -6
'''


def _scan(name: str, text: str) -> str:
    return f'''
@fast
def {name}(first, last, rows, s, b, notes):
    """Note of each state from the first to before the last what is asked."""
    for i in range(first, last):
        unpack(rows, i, s, b)
        notes[i - first] = {text}
'''


KEPT = 6
"""For so many games, and what is asked of their states, the code is kept."""


class ExplorationCode:
    """The code of a game, how its states are packed, and the text that explores.

    `asked` are conditions and numbers over the state. TooLarge where the game has no code.
    """

    def __init__(self, game: Game, asked: Mapping[str, n.Expr]) -> None:
        self.written = write(game, asked)
        self.runner = Runner(self.written)
        self.layout = RowLayout(self.runner)
        self.text = driver(self.written, self.layout)
        self._names: dict[Any, dict[str, Any]] = {}

    def names(self, tools: Any) -> dict[str, Any]:
        """The functions that explore, run as `tools` say."""
        if tools not in self._names:
            self._names[tools] = tools.beside(self.written, self.text)
        return self._names[tools]

    @property
    def at_hand(self) -> bool:
        """True if the functions that explore run in machine code with nothing to wait for."""
        return Compiled.is_at_hand(self.written, self.text)


def exploration_code(game: Game, asked: Mapping[str, n.Expr]) -> ExplorationCode:
    """The code for a game and what is asked of its states; the same one where it is still kept."""
    return _exploration_code(game, tuple(asked.items()))


@lru_cache(maxsize=KEPT)
def _exploration_code(game: Game, asked: tuple[tuple[str, n.Expr], ...]) -> ExplorationCode:
    return ExplorationCode(game, dict(asked))
