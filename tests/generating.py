"""Generated code put beside the interpreter: one expression or effect as a function of its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from guarded import KIT, Guarded
from world import WORLD, Env

from rulespec.code.actions import Lister
from rulespec.code.body import Body, Functions
from rulespec.code.effects import perform, storing_function
from rulespec.code.instance import KINDS
from rulespec.code.operators import HANDLERS
from rulespec.code.operators.plain import fitted
from rulespec.code.program import Program, in_words
from rulespec.code.tables import tabulated
from rulespec.code.vals import Val
from rulespec.core import nodes as n
from rulespec.core.types import List, Map, Optional, Set, Type, Value
from rulespec.kernels import kit
from rulespec.kernels.units import text_unit
from rulespec.machine import form as f
from rulespec.machine.encode import encode
from rulespec.machine.memory import Array, Memory
from rulespec.machine.runtime import compiled, engine, instantiate
from rulespec.machine.subset import Translator
from rulespec.machine.units import Ref
from rulespec.play.chance import Chance
from rulespec.play.effects import FaultFound, Run
from rulespec.play.machine import Machine

MACHINE = Machine(WORLD)
STATES = tuple(WORLD.state.values())
State = Mapping[n.StateVar, Value]


class Made:
    """A function of the state and of free local names, in Python or in the machine."""

    def __init__(self, root: n.Expr | n.Effect, free: Env, machine: bool) -> None:
        self.program = Program(WORLD, [root])
        self.functions = Functions(self.program, HANDLERS, tabulated)
        body = Body(self.program, self.functions)
        self.free = free
        env: dict[n.Var, Val] = {}
        params: list[str] = []
        for var in free:
            count = self.program.size(var.type) if isinstance(var.type, Set) else 1
            texts = tuple(body.local(n.Var("free", var.type)) for _ in range(count))
            params += texts
            env[var] = Val(var.type, texts, isinstance(var.type, Optional))
        if isinstance(root, n.Expr):
            found = fitted(body, root.type, body.value(root, env))
            body.line(f"return ({', '.join([*found.texts, ''])})" if found.texts else "return ()")
        else:
            perform(body, root, env)
            body.line("return 0")
        mark = "steady" if isinstance(root, n.Expr) else ""
        self.functions.add("made", ["s", "b", "c", *params], body, entry=True, mark=mark)
        self._finish()
        self.names: dict[str, Any] = dict(KIT)
        constants = [f"{name} = {text}" for name, text in self.program.constants]
        self.text = "\n".join([*constants, *self.functions.texts])
        exec(self.text, self.names)  # noqa: S102 - written by us
        self.array: Callable[[str, Sequence[int]], Any] = Guarded
        if machine:
            self._start()

    def _start(self) -> None:
        """Let the machine run the function."""
        memory, translator = Memory(engine()), Translator()
        unit = text_unit(self.text, {}, {"s": self.program.state_cells, "b": len(self.program.words)})
        sizes = ((self.program.size(var.type), isinstance(var.type, Set)) for var in self.free)
        given = [t for size, words in sizes for t in ([f.WORD] * size if words else [f.NUMBER])]
        translator.function(Ref(unit, "made"), (f.NUMBERS, f.WORDS, f.WORDS, *given))
        module = translator.finished(["made"])
        self.names |= instantiate(memory, compiled(encode(module, memory.static_end)))

        def array(kind: str, values: Sequence[int]) -> Array:
            made = memory.room(KINDS[kind], len(values))
            made[:] = list(values)
            return made

        self.array = array

    def _finish(self) -> None:
        functions = self.functions
        while functions.waiting:
            action, given = functions.waiting.pop()
            body = Body(self.program, functions)
            choices = WORLD.actions[action].choices[:given]
            vals = [Val(choice.var.type, (body.local(choice.var),)) for choice in choices]
            Lister(body, WORLD.actions[action], vals, lambda env, body=body: body.line("return True")).write()
            body.line("return False")
            params = ["s", "b", *(val.text for val in vals)]
            functions.add(functions.asked[action, given], params, body)
        for var, name in functions.stores.items():
            body = Body(self.program, functions, ["place", "value"])
            storing_function(body, var)
            functions.add(name, ["s", "b", "place", "value"], body)

    def arrays(self, state: State) -> tuple[Any, Any]:
        """The state as numbers and words, the words for each value of a map among them."""
        s, b = self.array("numbers", self.program.cells), self.array("words", self.program.words)
        for var in STATES:
            flat = self.program.flat(var.type, state[var])
            at = self.program.offsets[var][1]
            (b if in_words(var.type) else s)[at : at + len(flat)] = flat
        for var, name in self.program.planes.items():
            for i, value in enumerate(self.program.flat(var.type, state[var])):
                keys = var.type.keys  # type: ignore[attr-defined]
                if value != kit.NONE:
                    of = self.program.codes.codes(_scalar(var.type.of))  # type: ignore[attr-defined]
                    bit = self.program.codes.codes(keys)[i] - self.program.codes.base(keys)
                    at = self.names[name] + (value - of[0]) * self.program.codes.words(keys)
                    b[at + bit // 64] |= 1 << bit % 64
        return s, b

    def arguments(self, env: Env) -> list[int]:
        """The values of the free local names."""
        return [x for var, value in env.items() for x in self.program.flat(var.type, value)]

    def value(self, e: n.Expr, env: Env, state: State) -> Value:
        """What the code makes of the expression."""
        s, b = self.arrays(state)
        found = self.names["made"](s, b, self.array("words", [0] * kit.FIRST), *self.arguments(env))
        if not isinstance(found, tuple):
            found = () if found is None else (found,)
        t = e.type
        if isinstance(t, List):
            return tuple(self.program.codes.value(t.of, s[found[0] + i]) for i in range(found[1]))
        if isinstance(t, Map):
            return self.program.value(t, b if in_words(t) else s, found[0])
        return self.program.value(t, found)

    def after(self, env: Env, state: State, seed: int) -> tuple[Value, ...] | None:
        """The state after the effect, chance drawn from a seed; None after a fault."""
        picks: list[int] = []
        drawing, rng = 0, random.Random()
        while True:
            s, b = self.arrays(state)
            c = self.array("words", [1, 0, len(picks), 0, 0, 0, 0, *picks])
            fault = self.names["made"](s, b, c, *self.arguments(env))
            if not c[kit.ASKED]:
                break
            if c[kit.WHERE] != drawing:
                drawing = c[kit.WHERE]
                rng = random.Random(f"{seed}/{drawing - 1}")
            picks.append(rng.randrange(int(c[kit.ASKED])))
        if fault:
            return None
        values = tuple(
            self.program.value(var.type, b if in_words(var.type) else s, self.program.offsets[var][1])
            for var in STATES
        )
        after = dict(zip(STATES, values, strict=True))
        assert (s[: self.program.state_cells], b) == (
            self.arrays(after)[0][: self.program.state_cells],
            _with_room(b, self.arrays(after)[1], self.program),
        ), "the state is not held in its one form"
        return values


def _with_room(mine: Sequence[int], other: Sequence[int], program: Program) -> list[int]:
    """The words of a state and its planes; the room for values on the way may differ."""
    kept = set(range(program.state_words))
    for var, name in program.planes.items():
        at = int({known: text for known, text, _ in program.constants}[name])
        keys = var.type.keys  # type: ignore[attr-defined]
        codes = program.codes.codes(_scalar(var.type.of))  # type: ignore[attr-defined]
        kept |= set(range(at, at + (codes[-1] - codes[0] + 1) * program.codes.words(keys)))
    return [other[i] if i in kept else mine[i] for i in range(len(mine))]


def _scalar(t: Type) -> Any:
    return t.of if isinstance(t, Optional) else t


def after_by_the_interpreter(effect: n.Effect, env: Env, state: State, seed: int) -> tuple[Value, ...] | None:
    """The state after the effect, chance drawn from a seed; None after a fault."""
    run = Run(MACHINE.situation_of(dict(state)), Chance(str(seed)), 0, lambda _: None)
    try:
        run.perform(effect, env)
    except FaultFound:
        return None
    return tuple(run.situation.values[var] for var in STATES)
