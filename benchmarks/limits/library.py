"""The yardsticks as a library: compiled once a process into a temporary folder, called by ctypes."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Protocol

COMPILER = "g++"
OPTIONS = ("-O3", "-march=native", "-std=c++17", "-shared", "-fPIC")
EXPLORED = ("tic-tac-toe", "eight-puzzle", "connect-four")
"""The games that can be explored."""
CONNECT_FOUR = (7, 6)
ENTRIES = 24
"""The binary logarithm of the entries in the table of the alpha-beta search."""
MOST_SACRED_PLIES = 300
"""Random games of Sacred Alignment are cut here, because lifting dominoes has no end."""


class Unavailable(Exception):
    """The yardsticks cannot be compiled here; the text says why."""


class Played(Protocol):
    """A number of random games."""

    games: int
    plies: int


class Yardsticks:
    """Functions of the compiled library, with their types."""

    def __init__(self, path: Path) -> None:
        """Load a library from its file."""
        self._library = ctypes.CDLL(str(path))

    def _call(self, name: str, *arguments: int | ctypes.Array[ctypes.c_ubyte] | None) -> tuple[int, int]:
        """The result of a function whose last argument is where it puts another, and that one."""
        function = getattr(self._library, name)
        function.restype = ctypes.c_long
        other = ctypes.c_long()
        given = [ctypes.c_long(one) if isinstance(one, int) else one for one in arguments]
        return int(function(*given, ctypes.byref(other))), other.value

    def play(self, game: str, games: int, seed: int) -> tuple[int, int]:
        """Play random games: the plies in all, and how many the first player won.

        A win that the first player shares is counted.
        """
        most = [MOST_SACRED_PLIES] if game == "sacred-alignment" else []
        won, plies = self._call(f"{_name(game)}_play", games, seed, *most)
        return plies, won

    def perft(self, game: str, depth: int, deal: Sequence[int] | None = None) -> int:
        """The number of sequences of so many actions, where something is dealt from this deal."""
        function = getattr(self._library, f"{_name(game)}_perft")
        function.restype = ctypes.c_long
        dealt = () if deal is None else ((ctypes.c_ubyte * len(deal))(*deal),)
        return int(function(ctypes.c_int(depth), *dealt))

    def go_placements(self, points: Sequence[int]) -> int:
        """The number of points for a stone after these plies of Go, 10 * rank + file from 0 or -1."""
        function = self._library.go_placements_after
        function.restype = ctypes.c_long
        return int(function((ctypes.c_byte * len(points))(*points), ctypes.c_int(len(points))))

    def stout_actions(self, position: Sequence[int]) -> int:
        """The number of legal actions in a position of Stout's race, as the yardstick takes it."""
        function = self._library.stout_actions
        function.restype = ctypes.c_long
        return int(function((ctypes.c_ubyte * len(position))(*position)))

    def explore(self, game: str, most: int) -> tuple[int, int]:
        """Explore breadth first until there are about so many states: how many are found, and their bytes.

        Only connect four has more states than are wanted, so the others are explored to the end.
        """
        frame = [*CONNECT_FOUR, most] if game == "connect-four" else []
        return self._call(f"{_name(game)}_explore", *frame)

    def solve_connect_four(self, width: int, height: int) -> tuple[int, int]:
        """The value of best play (1, 0 or -1), and the positions that alpha-beta entered."""
        return self._call("connect_four_solve", width, height, ENTRIES)


def _name(game: str) -> str:
    return game.replace("-", "_")


def compiler() -> str:
    """The compiler, its version, and the options that bear on speed."""
    done = subprocess.run([COMPILER, "-dumpfullversion"], check=False, capture_output=True, text=True)
    return " ".join([COMPILER, done.stdout.strip(), *OPTIONS[:2]])


@cache
def yardsticks() -> Yardsticks:
    """The compiled yardsticks; raises Unavailable."""
    if shutil.which(COMPILER) is None:
        raise Unavailable(f"there is no {COMPILER} here")
    sources = sorted(Path(__file__).parent.glob("*.cpp"))
    with tempfile.TemporaryDirectory() as folder:
        library, whole = Path(folder) / "yardsticks.so", Path(folder) / "yardsticks.cpp"
        whole.write_text("".join(f'#include "{source}"\n' for source in sources), "utf-8")  # headers once
        command = [COMPILER, *OPTIONS, "-o", str(library), str(whole)]
        done = subprocess.run(command, check=False, capture_output=True, text=True)
        if done.returncode:
            raise Unavailable(f"{COMPILER} does not compile them: {done.stderr.splitlines()[0]}")
        return Yardsticks(library)
