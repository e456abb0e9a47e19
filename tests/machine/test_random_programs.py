"""A program in the machine does as its nodes say: the same results, and the same
elements of all arrays."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from rulespec.machine import form as f
from rulespec.machine.memory import Array, Memory
from rulespec.machine.passes import inlining, scalar_replacement
from rulespec.machine.runtime import compile_module, engine, instantiate
from rulespec.machine.webassembly.encoder import encode

from .evaluating import Evaluator
from .programs import NUMBERS, SIZE, modules


def both(module: f.Module, s: list[int], t: list[int], b: list[int], n: int) -> tuple[object, object]:
    """Results and arrays of `run`: by the machine, and by the nodes."""
    reading = f.Function("look", (("at", f.NUMBER),), (f.NUMBER,), (), (
        f.Return((f.Load(f.NUMBER, f.Static(f.NUMBERS, "room"), f.Local(f.NUMBER, "at")),)),
    ))  # fmt: skip
    functions = {**module.functions, "look": reading}
    whole = f.Module(functions, module.tables, module.rooms, ("run", "look"))
    memory = Memory(engine())
    entries = instantiate(memory, compile_module(encode(whole, memory.static_end)))
    arrays: list[Array] = []
    for kind, values in ((f.NUMBERS, s), (f.NUMBERS, t), (f.WORDS, b)):
        arrays.append(memory.room(kind, len(values)))
        arrays[-1][:] = values
    result = entries["run"](*arrays, n)
    found = result, *(x.tolist() for x in arrays), [entries["look"](i) for i in range(SIZE)]
    model, lists = Evaluator(whole), ([*s], [*t], [*b])
    (result,) = model.call("run", [*lists, n])
    return found, (result, *lists, model.statics["room"])


ELEMENTS = st.lists(NUMBERS, min_size=SIZE, max_size=SIZE)
WORDS = st.lists(st.integers(0, (1 << 64) - 1) | st.integers(0, 3), min_size=SIZE, max_size=SIZE)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    module=modules(), s=ELEMENTS, t=ELEMENTS, b=WORDS, n=NUMBERS, turns=st.sampled_from([1000, 8, 1]),
    small=st.sampled_from([0, 500, 50]),
)  # fmt: skip
def test_random_programs(
    module: f.Module, s: list[int], t: list[int], b: list[int], n: int, turns: int, small: int
) -> None:
    """Also where much more, or much less, is taken to pay than does."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scalar_replacement, "TURNS", turns)
        patch.setattr(inlining, "SMALL", {False: small, True: 2 * small})
        patch.setattr(inlining, "LARGE", 3 * small)
        patch.setattr(inlining, "TINY", small)
        machine, model = both(module, s, t, b, n)
    assert machine == model
