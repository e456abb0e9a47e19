"""What keeps elements right is left out where nothing reads these elements in the same call."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rulespec.machine import form as f
from rulespec.machine.array_facts import annotate_arrays
from rulespec.machine.passes.dead_stores import drop_unread_feeders, eliminate_dead_stores
from rulespec.machine.passes.memory_effects import MemoryEffects
from rulespec.machine.traversal import nodes_of

from .running import Run, translated

TEXT = """
    FIRST = 2

    def _fed(s: Numbers, t: Numbers, i: int, x: int) -> None:
        t[0] += 0 * s[3]
        s[FIRST + i] = x

    def filled(s: Numbers, t: Numbers) -> int:
        _fed(s, t, 1, 5)
        return {read}

    def other(s: Numbers) -> int:
        return s[3]
"""
FED = "_fed"


def module(read: str) -> f.Module:
    """The text, whose function `_fed` feeds four elements of `s` from `FIRST` on."""
    made = translated(TEXT.format(read=read), constants={"FIRST"})
    spans = {"FIRST": ("s", (2, 4))}
    functions = {name: annotate_arrays(x, {"s": 8, "t": 8}, spans) for name, x in made.functions.items()}
    functions[FED] = replace(functions[FED], feeds=("s", (2, 4)))
    return replace(made, functions=functions)


@pytest.mark.parametrize("read", ["s[1]", "s[6]", "t[3]", "s[1] + t[FIRST + 1]"])
def test_what_nothing_reads_is_not_put_right(read: str) -> None:
    """Another call from outside may read it, and an array of another name is another one."""
    made = module(read)
    assert drop_unread_feeders(made).functions[FED].body == ()
    run = Run(made)
    s = run.array(f.NUMBERS, [0] * 8)
    run.filled(s, run.array(f.NUMBERS, [0] * 8))
    assert list(s) == [0] * 8


@pytest.mark.parametrize(("read", "found"), [("s[3]", 5), ("s[FIRST + t[0]]", 5), ("s[t[0] + 1]", 0)])
def test_what_may_be_read_is_put_right(read: str, found: int) -> None:
    """At a known place, at one among the elements, at any."""
    made = module(read)
    assert drop_unread_feeders(made) == made
    run = Run(made)
    assert run.filled(run.array(f.NUMBERS, [0] * 8), run.array(f.NUMBERS, [1] + [0] * 7)) == found


def test_an_array_by_another_name_may_be_the_same() -> None:
    text = TEXT.format(read="_again(s)") + "\n    def _again(u: Numbers) -> int:\n        return u[3]\n"
    made = translated(text, constants={"FIRST"})
    fed = replace(made.functions[FED], feeds=("s", (2, 4)))
    made = replace(made, functions={**made.functions, FED: fed})
    assert drop_unread_feeders(made) == made
    run = Run(made)
    assert run.filled(run.array(f.NUMBERS, [0] * 8), run.array(f.NUMBERS, [0] * 8)) == 5


SCRATCH = """
    FIRST = 2

    def filled(s: Numbers, t: Numbers) -> int:
        for i in range(2):
            s[FIRST + i] = 7
        s[7] = 3
        return {read}

    def other(s: Numbers) -> int:
        return {other}
"""


def scratched(read: str, other: str = "0", *arrays: str) -> f.Module:
    """The text, of whose entry `filled` these arrays are scratch."""
    made = translated(SCRATCH.format(read=read, other=other), constants={"FIRST"})
    spans = {"FIRST": ("s", (2, 4))}
    functions = {name: annotate_arrays(x, {"s": 8, "t": 8}, spans) for name, x in made.functions.items()}
    functions["filled"] = replace(functions["filled"], scratch=arrays or ("s",))
    return replace(made, functions=functions)


def stores(made: f.Module) -> int:
    """How many stores the entry has."""
    return sum(isinstance(x, f.Store) for x in nodes_of(made.functions["filled"].body))


@pytest.mark.parametrize(("read", "other"), [("s[1]", "0"), ("t[3]", "0"), ("s[6]", "s[3]")])
def test_nothing_is_stored_that_nobody_asks_for(read: str, other: str) -> None:
    """Another call from outside reads another array, as far as this one is concerned."""
    made = scratched(read, other)
    assert stores(eliminate_dead_stores(MemoryEffects(made))) == 0
    run = Run(made)
    s = run.array(f.NUMBERS, [0] * 8)
    run.filled(s, run.array(f.NUMBERS, [0] * 8))
    assert list(s) == [0] * 8


@pytest.mark.parametrize(
    ("read", "arrays", "left"),
    [
        ("s[1]", ("t",), 2),  # the caller may look at it
        ("s[3]", ("s",), 1),  # it is read at a known place
        ("s[7]", ("s",), 1),
        ("s[FIRST + t[0]]", ("s",), 1),  # among these elements
        ("s[t[0]]", ("s",), 2),  # at any place
        ("_again(s)", ("s",), 1),  # by another name
    ],
)
def test_what_is_asked_for_is_stored(read: str, arrays: tuple[str, ...], left: int) -> None:
    made = scratched(read, "0\n\n    def _again(u: Numbers) -> int:\n        return u[3]", *arrays)
    assert stores(eliminate_dead_stores(MemoryEffects(made))) == left
    run = Run(made)
    s, t = (run.array(f.NUMBERS, x) for x in ([0] * 8, [2] + [0] * 7))
    assert run.filled(s, t) == {"s[1]": 0, "s[7]": 3, "s[FIRST + t[0]]": 0}.get(read, 7)


def test_what_changes_something_is_worked_out_though_its_value_is_unread() -> None:
    made = translated("""
        def filled(s: Numbers, t: Numbers) -> int:
            s[7] = _more(t)
            return t[0]

        def _more(t: Numbers) -> int:
            t[0] += 5
            return 3
        """)
    functions = {**made.functions, "filled": replace(made.functions["filled"], scratch=("s",))}
    made = replace(made, functions=functions)
    assert stores(eliminate_dead_stores(MemoryEffects(made))) == 1
    run = Run(made)
    assert run.filled(run.array(f.NUMBERS, [0] * 8), run.array(f.NUMBERS, [0] * 8)) == 5
