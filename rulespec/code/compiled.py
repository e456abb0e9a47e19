"""What a generated text calls, compiled by Numba: the same as the kit of the kernels, on arrays.

Whole numbers are signed and words unsigned, both of 64 bits; a generated text never mixes them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar, cast

import numpy as np
from numba import njit, types
from numba.extending import intrinsic

from ..kernels.kit import ASKED, DRAWS, FIRST, GIVEN, NONE, RANDOM, STATE, USED, WHERE
from .compiling import module_name
from .machine_code import MachineCode

F = TypeVar("F", bound=Callable[..., Any])


def fast(function: F) -> F:
    """Compile a function. It makes no arrays, so references need not be counted, which takes time."""
    return _compiling(function)


def part(function: F) -> F:
    """Compile a function that is called by compiled functions only."""
    return _compiling(function, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def _compiling(function: F, **options: bool) -> F:
    made: Any = njit(error_model="numpy", nogil=True, _nrt=False, **options)(function)
    template = made.get_call_template

    def get_call_template(args: Sequence[Any], kws: Mapping[str, Any]) -> Any:
        # Called with a known number it would be compiled anew for that number.
        return template([types.unliteral(arg) for arg in args], kws)

    made.get_call_template = get_call_template
    module = function.__module__
    made._cache = MachineCode(function, module_name("") if module == __name__ else module)
    return cast(F, made)


builtin: Callable[[F], Any] = intrinsic
ZERO, ONE = np.uint64(0), np.uint64(1)
BIT = np.array([1 << i for i in range(64)], dtype=np.uint64)

_FIRST_SHIFT, _SECOND_SHIFT, _THIRD_SHIFT, _HALF = (np.uint64(n) for n in (12, 25, 27, 32))
_FACTOR = np.uint64(0x2545F4914F6CDD1D)
_MIXING, _FIRST_FACTOR = np.uint64(33), np.uint64(0xFF51AFD7ED558CCD)
_SECOND_FACTOR = np.uint64(0xC4CEB9FE1A85EC53)


def word(value: int) -> Any:
    """A word that is known."""
    return np.uint64(value)


def table(values: Sequence[int]) -> Any:
    """A table of whole numbers."""
    return np.array(values, dtype=np.int64)


def masks(values: Sequence[int]) -> Any:
    """A table of words."""
    return np.array(values, dtype=np.uint64)


@builtin
def _trailing_zeros(typingctx: Any, x: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], context.get_constant(types.boolean, True))

    return types.int64(types.uint64), generate


@builtin
def _bits_set(typingctx: Any, x: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), generate


@part
def low(x: Any) -> Any:
    """The position of the lowest bit of a word that is not 0."""
    return _trailing_zeros(x)


@part
def count(x: Any) -> Any:
    """How many bits of a word are set."""
    return _bits_set(x)


@part
def move(s: Any, to: int, first: int, size: int) -> None:
    """Copy a run of numbers; the two places may overlap."""
    if to <= first:
        for i in range(size):
            s[to + i] = s[first + i]
    else:
        for i in range(size - 1, -1, -1):
            s[to + i] = s[first + i]


@part
def keep(s: Any, at: int, cap: int, first: int, size: int) -> None:
    """Write a list of at most `cap` elements; what is left of its room is 0, so that equals are alike."""
    move(s, at + 1, first, size)
    for i in range(at + 1 + size, at + 1 + cap):
        s[i] = 0
    s[at] = size


@part
def same(s: Any, first: int, size: int, other: int, count: int) -> bool:
    """Whether two lists are equal."""
    if size != count:
        return False
    for i in range(size):  # noqa: SIM110
        if s[first + i] != s[other + i]:
            return False
    return True


@part
def in_list(s: Any, first: int, size: int, x: int) -> bool:
    """Whether a list holds a value."""
    for i in range(size):  # noqa: SIM110
        if s[first + i] == x:
            return True
    return False


@part
def as_word(x: Any) -> Any:
    """A whole number that is not negative as a word."""
    return np.uint64(x)


@part
def as_number(x: Any) -> Any:
    """A word below 2**63 as a whole number."""
    return np.int64(x)


@part
def mixed(x: Any) -> Any:
    """A word in which every bit depends on many bits of another (the finisher of MurmurHash3)."""
    x = (x ^ (x >> _MIXING)) * _FIRST_FACTOR
    x = (x ^ (x >> _MIXING)) * _SECOND_FACTOR
    return x ^ (x >> _MIXING)


@part
def choose(c: Any, n: int) -> Any:
    """A random whole number from 0 to n - 1 (xorshift64*, the upper half of its product)."""
    x = c[STATE]
    x ^= x >> _FIRST_SHIFT
    x ^= x << _SECOND_SHIFT
    x ^= x >> _THIRD_SHIFT
    c[STATE] = x
    return np.int64((((x * _FACTOR) >> _HALF) * np.uint64(n)) >> _HALF)


@part
def drawn(c: Any) -> None:
    """A draw begins."""
    c[DRAWS] += ONE


@part
def pick(c: Any, n: int) -> Any:
    """An outcome of chance, from 0 to n - 1: random, or the next of those given."""
    if c[RANDOM] != ZERO:
        return choose(c, n)
    if c[USED] < c[GIVEN]:
        c[USED] += ONE
        return np.int64(c[FIRST - 1 + np.int64(c[USED])])
    if c[ASKED] == ZERO:
        c[ASKED] = np.uint64(n)
        c[WHERE] = c[DRAWS]
    return np.int64(0)


__all__ = [
    "BIT", "NONE", "ONE", "ZERO", "as_number", "as_word", "choose", "count", "drawn", "fast", "in_list",
    "keep", "low", "masks", "mixed", "move", "part", "pick", "same", "table", "word",
]  # fmt: skip
