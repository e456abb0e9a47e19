"""Faults of the machine: code that runs would say something else than its text."""

from __future__ import annotations

from .fault import Fault

MACHINE = "rulespec/machine"
MEANINGS = ("meanings",)
NUMBERS = ("tests/code/test_code_numbers.py",)
REMEMBERING = ("tests/machine/test_remembering.py",)

FAULTS: tuple[Fault, ...] = (
    Fault(
        f"{MACHINE}/instructions.py",
        "        if offset < 0 or (isinstance(array, f.Static) and rest is not None and known > 0):\n",
        "        if offset < 0:\n",
        "An index below 0 to which something is added stays an address of the table.",
        NUMBERS,
    ),
    Fault(
        f"{MACHINE}/runtime.py",
        "    if not isinstance(value, Array) or value.kind is not t or value.memory is not memory:\n",
        "    if not isinstance(value, Array):\n",
        "An array is read as what it is, in the memory that it lies in.",
        ("tests/machine/test_memory.py",),
    ),
    Fault(
        f"{MACHINE}/subset.py",
        "        return [*made, new_state(self.whole.module)] if changes and not self.steady else made\n",
        "        return made\n",
        "What was worked out of a state is forgotten where the state changes.",
        REMEMBERING,
    ),
    Fault(
        f"{MACHINE}/subset.py",
        "                if marks.begins:\n",
        "                if False:\n",
        "What was worked out of a state is forgotten where a function begins with another.",
        methods=MEANINGS,
    ),
    Fault(
        f"{MACHINE}/remembering.py",
        '            f.Compare("!=", f.Load(f.NUMBER, held, place), number),\n',
        '            f.Compare("==", f.Load(f.NUMBER, held, place), f.Const(f.NUMBER, 0)),\n',
        "A result is that of the state as it is.",
        REMEMBERING,
    ),
)
