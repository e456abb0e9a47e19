"""Faults of the machine: code that runs would say something else than its text."""

from __future__ import annotations

from .fault import Fault

MACHINE = "rulespec/machine"
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
        f"{MACHINE}/building.py",
        "        if isinstance(array, f.Local) and array.name in self.state:\n            self.changed()\n",
        "",
        "What was worked out of a state is forgotten where the state changes.",
        ("tests/machine/test_building.py",),
    ),
    Fault(
        f"{MACHINE}/subset.py",
        "            self.module.functions[name] = beginning(replace(function, name=name))\n",
        "            self.module.functions[name] = replace(function, name=name)\n",
        "What was worked out of a state is forgotten where a function is called from outside.",
        REMEMBERING,
    ),
    Fault(
        "rulespec/code/body.py",
        '            self.do("keep", S, at, t.cap, *val.parts)\n            self.changed()\n',
        '            self.do("keep", S, at, t.cap, *val.parts)\n',
        "What was worked out of a state is forgotten where a list of it changes.",
        ("tests/code/test_code_lists.py",),
    ),
    Fault(
        f"{MACHINE}/numbering.py",
        "                fresh = then[1] and other[1]\n",
        "                fresh = True\n",
        "A new state begins unless none was asked for since the last began.",
        REMEMBERING,
    ),
    Fault(
        f"{MACHINE}/numbering.py",
        "                if last:\n",
        "                if False:\n",
        "A new state begins behind a change whose values were asked for.",
        REMEMBERING,
    ),
    Fault(
        f"{MACHINE}/remembering.py",
        '            f.Compare("!=", f.Load(f.NUMBER, held, place), number),\n',
        '            f.Compare("==", f.Load(f.NUMBER, held, place), f.Const(f.NUMBER, 0)),\n',
        "A result is that of the state as it is.",
        REMEMBERING,
    ),
)
