"""Arrays in memories of their own, with addresses of 64 bits: zeros at first, grown in place, past 4 GB."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rulespec.machine import form as f
from rulespec.machine.memory import PAGE, RESERVED, Memory
from rulespec.machine.runtime import engine

from .running import Run

STEPS = st.lists(st.tuples(st.integers(0, 300), st.sampled_from(["new", "free", "grow"])), max_size=60)


@given(STEPS, st.sampled_from([f.SMALL, *f.VAST]))
def test_what_grows_keeps_its_elements_and_the_rest_is_zero(
    steps: list[tuple[int, str]], kind: f.Type
) -> None:
    memory, held = Memory(engine()), []
    for number, (size, what) in enumerate(steps, 1):
        if what == "free" and held:
            del held[size % len(held)]
        elif what == "grow" and held:
            made, mark, before = held.pop(size % len(held))
            memory.grow(made, before + size)
            assert made.tolist() == [mark] * before + [0] * size
            made[:] = [mark] * (before + size)
            held.append((made, mark, before + size))
        else:
            made = memory.room(kind, size)
            assert made.tolist() == [0] * size
            made[:] = [number] * size
            held.append((made, number, size))
        for left, mark, count in held:
            assert left.tolist() == [mark] * count


def test_the_last_array_grows_where_it_lies_and_room_behind_is_given_back() -> None:
    memory = Memory(engine())
    rows = memory.room(f.VAST_WORDS, 10)
    at = rows.address
    for size in (1000, 100_000):
        memory.grow(rows, size)
        assert (rows.address, len(rows)) == (at, size)
    behind = memory.room(f.VAST_WORDS, 10)
    memory.grow(rows, 200_000)
    assert rows.address > behind.address
    del rows, behind
    assert memory.room(f.VAST_WORDS, 5).address == PAGE + f.LINE


def test_kernels_read_and_write_them_beside_others() -> None:
    run = Run(
        """
        def moved(rows: VastWords, small: VastSmall, notes: VastNumbers, s: Numbers) -> int:
            for i in range(len(small)):
                small[i] = small[i] - 5
                notes[i + 1] = small[i] + len(rows)
                rows[i] = rows[i] ^ rows[i + 1]
                s[i] = notes[i + 1]
            return copied(notes, 0, small)


        def copied(to: VastNumbers, at: int, held: VastSmall) -> int:
            to[at] = held[0]
            return to[at]
        """
    )
    rows, small = run.array(f.VAST_WORDS, [1, 3, 1 << 63]), run.array(f.VAST_SMALL, [2, -7])
    notes, s = run.array(f.VAST_NUMBERS, [9, 9, 9]), run.array(f.NUMBERS, [0, 0])
    assert run.moved(rows, small, notes, s) == -3
    assert (rows.tolist(), small.tolist()) == ([2, 3 ^ 1 << 63, 1 << 63], [-3, -12])
    assert (notes.tolist(), s.tolist()) == ([-3, 0, -9], [0, -9])
    for wrong in (s, run.array(f.VAST_WORDS, [1]), [1]):
        with pytest.raises(TypeError, match=r"an array of numbers \(vast\) of its own memory"):
            run.copied(wrong, 0, small)


@pytest.mark.skipif(RESERVED < 6 << 30, reason="the machine has less memory")
def test_elements_beyond_4_gb() -> None:
    """Addresses of 32 bits would come round to the beginning. Pages that are never touched cost nothing."""
    run = Run(
        """
        def put(held: VastWords, at: int, x: Word) -> int:
            held[at] = x
            return len(held)


        def got(held: VastWords, at: int) -> Word:
            return held[at]
        """
    )
    size = (5 << 30) // 8
    try:
        held = run.memory.room(f.VAST_WORDS, size)
    except MemoryError:
        pytest.skip("the system gives no 5 GB")
    for at in (0, 7, (1 << 29) + 7, size - 1):
        assert run.put(held, at, at + 1) == size
    assert [run.got(held, at) for at in (7, (1 << 29) + 7, size - 1)] == [8, (1 << 29) + 8, size]
    assert (held[0], held[7], held[size - 1]) == (1, 8, size)
