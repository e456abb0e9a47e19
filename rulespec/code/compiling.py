"""Loading generated code with Numba, compiled once and kept in the user's cache folder."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import cache
from importlib.metadata import version
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from ..budgets import ask_for
from ..core.cache import cache_folder
from ..kernels.linking import Names, identity, link
from .tidying import PREFIX, tidy
from .write import Written

HEAD = "from rulespec.code.compiled import *\n\n"


def module_name(text: str) -> str:
    """The name of the module of a generated text: a digest of the text, the kit, and the versions used."""
    return f"{PREFIX}{hashlib.sha256(text.encode() + _kit()).hexdigest()[:20]}"


@cache
def _kit() -> bytes:
    """The kit that every text calls, and the versions of Python and Numba; machine code depends on them."""
    return Path(__file__).with_name("compiled.py").read_bytes() + f"{sys.version} {version('numba')}".encode()


def _loaded(text: str, code: CodeType | None = None, given: Names | None = None) -> Names:
    """The names of a text, or of code that it identifies, as a module whose compiled functions are kept."""
    name = module_name(text)
    if name not in sys.modules:
        folder = cache_folder()
        if folder is not None:
            tidy(folder)
        module = ModuleType(name)
        vars(module).update(given or {})
        sys.modules[name] = module  # Numba looks there for the globals of cached machine code
        try:
            exec(code or compile(text, f"<{name}>", "exec"), vars(module))  # noqa: S102 - no text of a ruleset
        except BaseException:
            del sys.modules[name]
            raise
    return vars(sys.modules[name])


def _beside(written: Written, text: str) -> str:
    """The whole text that stands beside the code of a game."""
    return f"from {module_name(HEAD + written.text)} import *\n\n{text}"


def _is_kept(name: str, function: str) -> bool:
    folder = cache_folder()
    return folder is not None and any(folder.glob(f"{name}.{function}.*"))


class Compiled:
    """The kit of a generated text in Numba. Importing Numba takes a while, so it waits for the first use."""

    @staticmethod
    def load(written: Written) -> dict[str, Any]:
        """The names that the text defines; each function is compiled when it is first called."""
        return _loaded(HEAD + written.text)

    @classmethod
    def beside(cls, written: Written, text: str, *kernels: str) -> Names:
        """The names of kernels, which may use those of the game's own code and of a text beside it."""
        cls.load(written)
        named = _beside(written, text)
        return cls.linked(_loaded(named), kernels, named)

    @staticmethod
    def linked(game: Names, kernels: Sequence[str], named: str = "") -> Names:
        """The names of kernels for a game whose own names are given, and whose code is identified by a
        text.
        """
        from . import compiled

        linked = [link(kernel, game, named, _loaded, vars(compiled)) for kernel in kernels]
        return {name: value for names in linked for name, value in names.items()}

    @staticmethod
    def is_kept(written: Written) -> bool:
        """Whether code that was compiled before is there."""
        name = module_name(HEAD + written.text)
        return name in sys.modules or _is_kept(name, "play")

    @classmethod
    def is_at_hand(cls, written: Written, text: str, kernel: str) -> bool:
        """True if a kernel beside a game runs with nothing to wait for: it was compiled, and Numba is in
        use.
        """
        if "numba" not in sys.modules or not cls.is_kept(written):
            return False
        return _is_kept(module_name(identity(kernel, _beside(written, text))), "*")

    @staticmethod
    def forget(written: Written) -> None:
        """Let the next use load the text anew, as another run of the program would."""
        sys.modules.pop(module_name(HEAD + written.text), None)

    @staticmethod
    def numbers(values: Iterable[int]) -> Any:
        """Whole numbers that can be changed in place."""
        import numpy as np

        return np.array(list(values), dtype=np.int64)

    @staticmethod
    def words(values: Iterable[int]) -> Any:
        """Words that can be changed in place."""
        import numpy as np

        return np.array(list(values), dtype=np.uint64)

    @staticmethod
    def room(kind: str, size: int) -> Any:
        """So many zeros of a kind: `words`, `numbers`, `small` numbers of 32 bits or `reals`."""
        import numpy as np

        one = np.dtype({"words": "u8", "numbers": "i8", "small": "i4", "reals": "f8"}[kind])
        ask_for(one.itemsize * size)
        return np.zeros(size, dtype=one)

    @staticmethod
    def packed(held: Any) -> Hashable:
        """A run of numbers or words as something to look up."""
        found: bytes = held.tobytes()
        return found

    @staticmethod
    def listed(values: Any) -> Sequence[int]:
        """Numbers as whole numbers of Python."""
        found: list[int] = values.tolist()
        return found

    @staticmethod
    def taking(places: Sequence[int]) -> Callable[[Any], Hashable]:
        """What takes the numbers at some places."""
        import numpy as np

        at = np.array(places, dtype=np.intp)
        return lambda held: held[at].tobytes()
