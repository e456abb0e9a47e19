"""The choice of definitions whose results are kept for a state: of those that take some work, the ones that
may be asked for the same result again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Container, Mapping
from dataclasses import replace

from ..machine import form as f
from ..machine.inlining import sites

AT_THE_END = frozenset({"winners", "score", "see"})
"""Functions that are not asked while a game goes on."""
STATE = 2
"""The parameters with the state, which every function has."""


def asked_again(functions: Mapping[str, f.Function], definitions: Container[str]) -> dict[str, f.Function]:
    """The functions, in which those that are asked only once for a state and arguments keep no results.

    A call in a loop asks again if it has no arguments, and so do calls by a definition that is called again,
    unless its own result is kept and has no arguments.
    """
    callers: defaultdict[str, list[tuple[str, bool]]] = defaultdict(list)
    for name in functions.keys() - AT_THE_END:
        for called, looped in sites(functions[name].body, False):
            callers[called].append((name, looped))
    alone = {name for name, x in functions.items() if len(x.parameters) == STATE}
    counted: dict[str, int] = {}

    def calls(name: str, again: bool = True) -> int:
        """The calls of a function for a state, of which those in a loop count twice."""
        return sum(times(by) * (1 + (looped and again)) for by, looped in callers[name])

    def times(name: str) -> int:
        if name not in definitions or (name in alone and functions[name].once is not None):
            return 1
        if name not in counted:
            counted[name] = 1  # for calls of itself
            counted[name] = calls(name)
        return counted[name]

    return {
        name: x if x.once is None or calls(name, name in alone) > 1 else replace(x, once=None)
        for name, x in functions.items()
    }
