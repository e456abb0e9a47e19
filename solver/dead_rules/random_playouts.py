"""Random plays by generated code, to see which parts of a game show by themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from rulespec.budgets import Stopwatch
from rulespec.code import write
from rulespec.code.compiling import Compiled
from rulespec.code.engine import can_compile, pays
from rulespec.code.pacing import Pace
from rulespec.code.runner import Plain
from rulespec.core import nodes as n
from rulespec.core.game import Game
from solver.explore.playouts import Playouts

from .parts import Part, instrumented, showing

MOST_PLIES = 3_000
"""A play is left after so many plies."""
SLICE = 0.2
"""About how many seconds pass between two looks at what has shown."""
AFRESH = 1.0
"""After so many seconds code is written anew that looks only for what has not shown yet."""

Stop = Callable[[], str]


class RandomPlayouts:
    """Random plays of a game, every legal action equally likely, in which parts are looked for.

    `open` are the parts that have not shown; `plays` and `plies` say how much was played. TooLarge where the
    game has no code.
    """

    def __init__(self, game: Game, parts: Sequence[Part]) -> None:
        self.game, self.seed = game, 0
        self.open = list(parts)
        self.plays = self.plies = 0

    def run(self, seconds: float, stop: Stop = lambda: "") -> None:
        """Play until every part has shown, for so many seconds at most."""
        watch, spell = Stopwatch(), AFRESH
        while self.open and watch.seconds < seconds and not stop():
            plays = _Plays(self.game, self.open, self.seed, seconds - watch.seconds)
            plays.go_on()
            since = Stopwatch()
            while plays.open and watch.seconds < seconds and not stop():
                if since.seconds > spell and len(plays.open) < len(self.open):
                    break
                plays.go_on()
            self.open = plays.open
            self.plays += plays.plays
            self.plies += plays.plies
            self.seed += 1
            spell *= 2


class _Plays:
    """Random plays by one code that looks for some parts."""

    def __init__(self, game: Game, parts: Sequence[Part], seed: int, seconds: float) -> None:
        made = instrumented(game, parts, stops=False)
        self._own, self._rows = len(game.actions), made.rows
        self._parts = list(parts)
        asked = {
            f"shown {i}": showing(game, part, flag)
            for i, (part, flag) in enumerate(zip(parts, made.flags, strict=True))
            if not part.is_taken
        }
        written = write(made.game, asked)
        tools: Any = Compiled if can_compile() and pays(written, seconds / 2) else Plain
        self._playouts = Playouts(written, _text(written, asked), tools)
        self._seen = tools.room("numbers", len(made.game.actions) + len(parts))
        self._found = tools.room("numbers", 2)
        self._seed, self._pace, self._actions = seed, Pace(SLICE), len(made.game.actions)

    @property
    def plays(self) -> int:
        """The number of plays begun and ended."""
        return int(self._found[0])

    @property
    def plies(self) -> int:
        """The number of plies that they had."""
        return int(self._found[1])

    @property
    def open(self) -> list[Part]:
        """The parts that have not shown."""
        shown = {self._rows[i] for i in range(len(self._rows)) if self._seen[self._own + i]}
        shown |= {i for i in range(len(self._parts)) if self._seen[self._actions + i]}
        return [part for i, part in enumerate(self._parts) if i not in shown]

    def go_on(self) -> None:
        """Play for a moment. TooLarge where a position has too many legal actions."""
        with self._pace as step:
            upto = self.plays + step
            self._playouts.run("wander", upto, self._seed, MOST_PLIES, self._seen, self._found)


def _text(written: Any, asked: dict[str, n.Expr]) -> str:
    """The text that plays: actions that were added are looked at and not taken."""
    own = sum(not name.startswith("shown ") for name in written.program.game.actions)
    first = len(written.rows.actions)
    asks = []
    for name in asked:
        place = f"seen[{first + int(name.split()[1])}]"
        asks.append(f"if {place} == 0 and {written.asked[name][0]}(s, b) != 0:\n{' ' * 16}{place} = 1")
    return _TEXT.format(own=own, asks="\n            ".join(asks) or "pass")


_TEXT = '''
@fast
def wander(first, words, s, b, c, m, plays, seed, most, seen, found):
    """Go on with plays until there are so many; found: plays, plies."""
    while found[0] < plays:
        n = set_out(first, words, s, b, c, m, mixed(mixed(as_word(seed + 1)) ^ as_word(found[0])))
        plies = 0
        while plies <= most:
            if n < -1:
                return n
            if n == -1:
                break
            plies += 1
            {asks}
            legal = 0
            for i in range(n):
                seen[m[i * WIDTH]] = 1
                if m[i * WIDTH] < {own}:
                    legal += 1
            if legal == 0:
                break
            left = choose(c, legal)
            k = 0
            while left > 0 or m[k] >= {own}:
                if m[k] < {own}:
                    left -= 1
                k += WIDTH
            n = play(s, b, c, m, k)
        found[0] += 1
        found[1] += plies
    return 0
'''
