"""Generated code put beside the interpreter: one expression or effect as a function of its own."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from guarded import KIT, Guarded
from world import WORLD, Env

from rulespec.code.bindings import Val
from rulespec.code.body import B, Body, C, Functions, S
from rulespec.code.effects import perform, storing_function
from rulespec.code.execution.instance import KINDS
from rulespec.code.listing import list_code
from rulespec.code.lookup_tables import table_lookup
from rulespec.code.move_generation.legal_actions import LegalActions
from rulespec.code.operators import HANDLERS
from rulespec.code.operators.plain import fitted
from rulespec.code.program import Program, in_words
from rulespec.code.undo_log import write_after
from rulespec.core import nodes as n
from rulespec.core.types import List, Map, Optional, Set, Type, Value
from rulespec.kernels import kit
from rulespec.kernels.units import game_unit, module_of
from rulespec.machine import form as f
from rulespec.machine.builder import FALSE, TRUE
from rulespec.machine.memory import Array, Memory
from rulespec.machine.runtime import compile_module, engine, instantiate
from rulespec.machine.webassembly.encoder import encode
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
        self.functions = Functions(self.program, HANDLERS, table_lookup)
        steady = isinstance(root, n.Expression)
        body = Body(self.program, self.functions, steady)
        self.free = free
        env: dict[n.Var, Val] = {}
        for var in free:
            types = [f.WORD] * self.program.size(var.type) if isinstance(var.type, Set) else [f.NUMBER]
            parts = tuple(body.name(n.Var("free", var.type), t) for t in types)
            env[var] = Val(var.type, parts, isinstance(var.type, Optional))
        if isinstance(root, n.Expression):
            found = fitted(body, root.type, body.value(root, env)).parts
            body.give(*found)
            results = [e.type for e in found]
        else:
            perform(body, root, env)
            body.give(0)
            results = [f.NUMBER]
        parameters = [S, B, C, *(x for val in env.values() for x in val.parts)]
        self.functions.add("made", parameters, body, *results, entry=True)  # type: ignore[arg-type]
        self._finish()
        self.written = self.functions.written
        self.text = list_code(self.program, self.written)
        self.names: dict[str, Any] = dict(KIT)
        exec(self.text, self.names)  # noqa: S102 - written by us
        self.array: Callable[[str, Sequence[int]], Any] = Guarded
        if machine:
            self._start()

    def _start(self) -> None:
        """Let the machine run the function."""
        memory = Memory(engine())
        module = module_of(game_unit({**self.program.tables, **self.written}), (), ("made",))
        (self.names["made"],) = instantiate(
            memory, compile_module(encode(module, memory.static_end))
        ).values()

        def array(kind: str, values: Sequence[int]) -> Array:
            made = memory.room(KINDS[kind], len(values))
            made[:] = list(values)
            return made

        self.array = array

    def _finish(self) -> None:
        functions = self.functions
        done: set[n.After] = set()
        while functions.waiting or len(done) < len(functions.trials):
            for e, name in [*functions.trials.items()][len(done) :]:
                done.add(e)
                write_after(functions, e, name)
            while functions.waiting:
                self._can(*functions.waiting.pop())
        for (var, none, vacant), name in functions.stores.items():
            body = Body(self.program, functions)
            place, value = body.local("place"), body.local("value")
            storing_function(body, var, place, value, none, vacant)
            functions.add(name, [S, B, place, value], body)

    def _can(self, action: str, given: int) -> None:
        body = Body(self.program, self.functions, steady=True)
        choices = WORLD.actions[action].choices[:given]
        vals = [Val(choice.var.type, (body.name(choice.var),)) for choice in choices]
        LegalActions(body, WORLD.actions[action], vals, lambda env: body.give(TRUE)).write()
        body.give(FALSE)
        parameters = [S, B, *(val.expr for val in vals)]
        self.functions.add(self.functions.asked[action, given], parameters, body, f.TRUTH)  # type: ignore[arg-type]

    def arrays(self, state: State) -> tuple[Any, Any]:
        """The state as numbers and words, the words for each value of a map among them."""
        s, b = self.array("numbers", self.program.cells), self.array("words", self.program.words)
        for var in STATES:
            flat = self.program.flat(var.type, state[var])
            at = self.program.offsets[var][1]
            (b if in_words(var.type) else s)[at : at + len(flat)] = flat
        for var, place in self.program.planes.items():
            for i, value in enumerate(self.program.flat(var.type, state[var])):
                keys = var.type.keys  # type: ignore[attr-defined]
                if value != kit.NONE:
                    of = self.program.codes.codes(_scalar(var.type.of))  # type: ignore[attr-defined]
                    bit = self.program.codes.codes(keys)[i] - self.program.codes.base(keys)
                    at = place.at + (value - of[0]) * self.program.codes.words(keys)
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
    for var, place in program.planes.items():
        at = place.at
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
