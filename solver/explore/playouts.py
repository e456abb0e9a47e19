"""Random plays by generated code: kernel text that begins a play, and the arrays that kernels work on."""

from __future__ import annotations

from typing import Any

from rulespec.code import Written
from rulespec.code.plies import FULL
from rulespec.code.runner import Runner, wider
from rulespec.play.machine import Machine


class Playouts:
    """A text that plays at random, beside the code of a game, and what its functions take first.

    The text may use `set_out` and `WIDTH`, the numbers that an action takes. Its functions have the
    parameters `first, words, s, b, c, m` before those of their own.
    """

    def __init__(self, written: Written, text: str, tools: Any) -> None:
        constants = f"SETTING_UP, WIDTH = {len(written.rows.actions)}, {written.width}\n"
        self.names = tools.beside(written, constants + _SET_OUT + text)
        self._written, self._tools = written, tools
        cells, words = Runner(written).encode(Machine(written.program.game).initial().values)
        first = tools.numbers(cells), tools.words(words)
        self._arrays = (*first, first[0].copy(), first[1].copy(), tools.words([1, 1, 0, 0, 0, 0, 0]))
        self._moves = tools.room("numbers", written.rows.first_size)

    def run(self, function: str, *arguments: Any) -> int:
        """The result of a function of the text, which begins anew where a position has many legal actions.

        TooLarge where it has too many.
        """
        while (code := int(self.names[function](*self._arrays, self._moves, *arguments))) == FULL:
            self._moves = wider(self._tools, self._moves, self._written)
        return code


_SET_OUT = '''
@part
def set_out(first, words, s, b, c, m, state):
    """Set up, with a generator in a state that is this play's own; the number of legal actions then."""
    for i in range(len(first)):
        s[i] = first[i]
    for i in range(len(words)):
        b[i] = words[i]
    c[0] = state | ONE
    c[1] = ONE
    c[2] = ZERO
    c[3] = ZERO
    c[4] = ZERO
    m[0] = SETTING_UP
    return play(s, b, c, m, 0)

'''
