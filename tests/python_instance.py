"""The code of a game run in Python with arrays that check every index: as it is listed for readers."""

from __future__ import annotations

import builtins
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache, cached_property
from pathlib import Path
from types import CodeType, SimpleNamespace
from typing import Any

import pytest
from guarded import KIT, Guarded

from rulespec import kernels
from rulespec.budgets import ask_for
from rulespec.code import GameCode, Instance
from rulespec.code.execution.kernel_names import KernelNames
from rulespec.machine import form as f
from rulespec.machine.listing import list_function, list_table

FOLDER = Path(kernels.__file__).parent
Names = dict[str, Any]


class PythonInstance(Instance):
    """The code of a game and kernels beside it in Python; see `Instance`.

    What is read or written outside of an array, or does not fit into it, raises an error.
    """

    def __init__(self, written: GameCode) -> None:
        self.written = written

    @cached_property
    def own(self) -> Names:
        """All functions of the game's own code."""
        return ran(compile(self.written.listing, "<code>", "exec"), KIT)

    @cached_property
    def names(self) -> Names:
        """The functions of the game's own code that may be called from outside."""
        return {name: self.own[name] for name in self.written.entries}

    def beside(self, given: KernelNames, *kernels: str) -> Names:
        """The functions of kernels, which may use those of the game's code and what is given besides."""
        made = (x for x in given.values() if not isinstance(x, int))
        texts = [list_table(x) if isinstance(x, f.Table) else list_function(x) for x in made]
        constants = {name: x for name, x in given.items() if isinstance(x, int)}
        game = ran(compile("\n".join(texts), "<beside>", "exec"), {**self.own, **constants})
        linked: dict[str, Names] = {}
        return {name: held for kernel in kernels for name, held in link(kernel, game, linked).items()}

    def room(self, kind: str, size: int) -> Any:
        """An array of so many zeros of a kind."""
        ask_for(8 * size)
        return Guarded(kind, [0] * size)

    def grow(self, held: Any, size: int) -> None:
        """Give an array more zeros behind its elements."""
        held.extend([0] * (size - len(held)))

    def _filled(self, kind: str, values: Iterable[int]) -> Any:
        return Guarded(kind, values)


Start = Callable[[GameCode], Instance]
"""Starts the code of a game."""
BOTH = pytest.mark.parametrize("started", [Instance, PythonInstance])
MODULES = (
    "rulespec.code.execution.runner",
    "rulespec.solver.explore.code_states",
    "rulespec.solver.explore.monte_carlo",
)
"""Those that start code."""


@contextmanager
def starting(started: Start) -> Iterator[None]:
    """Let all code be started so within the block."""
    with pytest.MonkeyPatch.context() as patch:
        for module in MODULES:
            patch.setattr(f"{module}.Instance", started)
        yield


def ran(code: CodeType, given: Mapping[str, Any]) -> Names:
    """The names after a run of code that begins with given ones."""
    made = dict(given)
    exec(code, made)  # noqa: S102 - written by us
    return made


def link(kernel: str, game: Mapping[str, Any], linked: dict[str, Names]) -> Names:
    """The names of a kernel whose imports from `game` are the names of a game.

    Those of kernels that it imports are added to `linked`. ImportError for a name that the game lacks.
    """

    def imported(name: str, around: Any = None, own: Any = None, names: Any = (), level: int = 0) -> Any:
        if level == 0 or name == "shapes":
            return builtins.__import__(name, around, own, names, level)
        found = {"game": game, "kit": KIT}.get(name) or link(name, game, linked)
        return SimpleNamespace(**found)

    if kernel not in linked:
        own = {**vars(builtins), "__import__": imported}
        linked[kernel] = ran(code_of(kernel), {"__builtins__": own, "__package__": kernels.__name__})
    return linked[kernel]


@cache
def code_of(kernel: str) -> CodeType:
    """The code of a kernel, with the lines of its file."""
    path = FOLDER / f"{kernel}.py"
    return compile(path.read_text("utf-8"), str(path), "exec", dont_inherit=True)
