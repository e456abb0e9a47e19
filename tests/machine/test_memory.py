"""Arrays in linear memory: zeros at first, freed and used again, and told from lists by nothing."""

from __future__ import annotations

import gc
import random
import sys
from array import array
from collections.abc import Callable
from types import FrameType
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.machine import form as f
from rulespec.machine import memory as memory_module
from rulespec.machine import runtime
from rulespec.machine.memory import PAGE, STATIC_ROOM, Memory
from rulespec.machine.runtime import engine, instantiate, load_or_compile
from rulespec.machine.webassembly.encoder import EncodedModule, encode

from .running import Run

if TYPE_CHECKING:
    from _typeshed import TraceFunction


def test_arrays_behave_like_lists() -> None:
    memory = Memory(engine())
    made = memory.room(f.NUMBERS, 6)
    assert made.tolist() == [0] * 6
    made[1:4] = [7, -8, 9]
    made[5] = 1 << 62
    assert (made[1], made[1:3], list(made), len(made)) == (7, [7, -8], [0, 7, -8, 9, 0, 1 << 62], 6)
    other = made.copy()
    made[:] = memoryview(array("q", range(6)))
    assert (made == list(range(6)), made == other, other[2]) == (True, False, -8)
    frozen = made.frozen(2)
    made[0] = 5
    assert (frozen.tolist(), made.tobytes()[:8]) == ([0, 1], (5).to_bytes(8, "little"))
    with pytest.raises(IndexError):
        made[6]
    with pytest.raises(ValueError, match="different structures"):
        made[1:3] = [1, 2, 3]
    made.zero(4)
    assert (made.tolist(), other[2]) == ([0, 0, 0, 0, 4, 5], -8)


def test_kinds_hold_their_numbers() -> None:
    memory = Memory(engine())
    words, small, reals = (memory.room(kind, 2) for kind in (f.WORDS, f.SMALL, f.REALS))
    words[0], small[0], reals[0] = (1 << 64) - 1, -(1 << 31), 0.5
    assert (words.tolist(), small.tolist(), reals.tolist()) == (
        [(1 << 64) - 1, 0],
        [-(1 << 31), 0],
        [0.5, 0.0],
    )


@given(st.lists(st.tuples(st.integers(0, 300), st.booleans()), max_size=60))
def test_freed_rooms_are_used_again_and_never_shared(steps: list[tuple[int, bool]]) -> None:
    memory = Memory(engine())
    held = []
    for number, (size, frees) in enumerate(steps):
        if frees and held:
            del held[size % len(held)]
        else:
            made = memory.room(f.SMALL, size)
            assert made.tolist() == [0] * size
            made[:] = [number] * size
            held.append((made, number))
        for left, mark in held:
            assert set(left) <= {mark}
    held = made = left = None
    first = STATIC_ROOM + f.LINE - f.HEADER
    taken = memory.region(f.SMALL).end - first
    if taken:
        assert len(memory.room(f.SMALL, (taken - f.HEADER) // 4)) * 4 + f.HEADER == taken
    assert memory.region(f.SMALL).end - first == taken


def test_arrays_may_go_in_the_midst_of_making_others() -> None:
    """The garbage collector freed some while a room was looked for, and two arrays shared one."""
    memory = Memory(engine())
    doomed = [memory.room(f.NUMBERS, 1 + n % 7) for n in range(600)]
    kept = [memory.room(f.NUMBERS, 5)]
    rng = random.Random(1)
    rng.shuffle(doomed)

    def trace(frame: FrameType, event: str, _: object) -> TraceFunction | None:
        if frame.f_code.co_filename != memory_module.__file__:
            return None
        frame.f_trace_opcodes = True
        if event == "opcode" and doomed and rng.random() < 0.1:
            doomed.pop()
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        kept += [memory.room(f.NUMBERS, 1 + n % 5) for n in range(1, 100)]
    finally:
        sys.settrace(before)
    assert len(doomed) < 300
    for n, one in enumerate(kept):
        one[:] = [n] * len(one)
    assert [one.tolist() for one in kept] == [[n] * len(one) for n, one in enumerate(kept)]


def test_arrays_in_cycles_are_freed_before_the_memory_grows_far() -> None:
    """Hunts hold theirs in cycles: where garbage is seldom looked for, 256 of them filled the 4 GB."""
    memory, megabyte = Memory(engine()), 1 << 17
    gc.disable()
    try:
        for _ in range(1_000):
            cycle: list[object] = [memory.room(f.WORDS, megabyte)]
            cycle.append(cycle)
    finally:
        gc.enable()
    assert memory.region(f.WORDS).end < STATIC_ROOM + 2 * memory_module.COLLECTED_AFTER


def test_a_memory_grows_and_says_when_it_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    memory = Memory(engine())
    large = memory.room(f.NUMBERS, 1 << 18)
    large[(1 << 18) - 1] = 3
    assert memory.memory.size(memory.store) * PAGE >= STATIC_ROOM + (1 << 21)
    monkeypatch.setattr(memory.region(f.NUMBERS), "most", memory.memory.size(memory.store))
    with pytest.raises(MemoryError, match="more than 0 GB"):
        memory.room(f.NUMBERS, 1 << 18)


def test_tables_that_do_not_fit_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runtime, "STATIC_ROOM", 24)
    with pytest.raises(MemoryError, match="MB of tables"):
        Run("T = table([1, 2, 3, 4, 5, 6, 7, 8])\n\ndef run(n: int) -> int:\n    return T[n]\n")


def test_a_damaged_module_is_compiled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    module = Run("def run(n: int) -> int:\n    return n * 12345 + 678\n").module
    held: list[bytes] = []
    monkeypatch.setattr(runtime, "write_code", lambda digest, content: held.append(content))
    monkeypatch.setattr(runtime, "read_code", lambda digest: None)

    def run(made: Callable[[], EncodedModule]) -> int:
        runtime._recent.clear()
        memory = Memory(engine())
        return int(instantiate(memory, load_or_compile("digest", made))["run"](2))

    def encoded() -> EncodedModule:
        return encode(module, 16)

    assert run(encoded) == 25368
    head, _, code = held[0].partition(b"\n")
    for content in (
        held[0][:100],
        held[0][:-9],
        b"",
        b"\0" * 64,
        b"[]\n" + code,
        b"1\n" + code,
        head + b"\n",
    ):
        monkeypatch.setattr(runtime, "read_code", lambda digest, content=content: content)
        assert run(encoded) == 25368
    assert held == held[:1] * len(held), "it was made again each time"
    assert len(held) == 8
    monkeypatch.setattr(runtime, "read_code", lambda digest: held[0])
    assert run(lambda: pytest.fail("it was kept")) == 25368


def test_an_leftof_another_kind_or_memory_is_refused() -> None:
    """An array of 64-bit numbers was read as one of 32 bits, and a claim that holds was refuted."""
    text = "def first(held: Small) -> int:\n    return held[0]\n"
    one, other = Run(text), Run(text)
    assert one.first(one.array(f.SMALL, [7])) == 7
    for held in (one.array(f.NUMBERS, [7]), other.array(f.SMALL, [7]), [7]):
        with pytest.raises(TypeError, match="an array of numbers of 32 bits of its own memory"):
            one.first(held)
