"""Which way a game runs: compiled code, code in plain Python, or none, and then the interpreter must.

This is the one place that decides. Compiled code is a hundred times faster than plain and takes
seconds to compile where it was not kept from an earlier run, so it is used once that has paid: a
caller says how many seconds of plain Python are at stake, in what lies ahead or was spent already.
"""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Mapping

from ..core import nodes as n
from ..core.game import Game
from .codes import TooLarge
from .compiling import Compiled
from .runner import Runner
from .write import Written, write

TO_IMPORT = 0.6
"""About how many seconds it takes until kept code runs, the import of Numba included."""
PER_LINE = 0.006
"""About how many seconds compiling takes for each line of code that is no constant."""


def can_compile() -> bool:
    """Whether what compiles is installed."""
    return importlib.util.find_spec("numba") is not None


def pays(written: Written, seconds: float, more: int = 0) -> bool:
    """True if compiling costs less than `seconds`, the work in plain Python.

    `more` is the number of lines that are compiled in addition to the code of the game.
    """
    to_compile = 0.0 if Compiled.is_kept(written) else PER_LINE * (written.lines + more)
    return seconds > TO_IMPORT + to_compile


class Engine:
    """Runs one game as fast as pays. `asked` are expressions that the code can be asked; see `write`."""

    def __init__(self, game: Game, asked: Mapping[str, n.Expr] | None = None) -> None:
        self._written: Written | None = None
        self._plain: Runner | None = None
        self._compiled: Runner | None = None
        self.why = ""
        """Why the game does not run as compiled code, in a clause; nothing where it does or may yet."""
        try:
            self._written = write(game, asked)
        except TooLarge as error:
            self.why = f"the interpreter runs the game, because {error}"

    @property
    def way(self) -> str:
        """How it runs by now: `compiled`, `plain` or `interpreted`."""
        return "interpreted" if self._written is None else "plain" if self._compiled is None else "compiled"

    def runner(self, seconds: float = math.inf) -> Runner | None:
        """Code for work that takes so many seconds in plain Python; None where the game has no code."""
        if self._written is None:
            return None
        if self._compiled is None and not self.why:
            if not can_compile():
                self.why = "code is not compiled, because Numba is not installed (`rulespec[fast]`)"
            elif pays(self._written, seconds):
                self._compile(self._written)
        return self._compiled if self._compiled is not None else self.plain

    @property
    def plain(self) -> Runner | None:
        """The code in plain Python; None where the game has none."""
        if self._plain is None and self._written is not None:
            self._plain = Runner(self._written)
        return self._plain

    def _compile(self, written: Written) -> None:
        try:
            self._compiled = Runner(written, Compiled)
        except (ImportError, OSError) as error:
            self.why = f"code is not compiled, because {error}"
