"""Conditions after an action, as code: perform the effect, evaluate the condition, undo the effect.

Each `After` has two functions. The outer one performs the effect, calls the inner one to evaluate the
condition in the new state, and restores the stored values, last store first. A store outside of loops saves
the value that it overwrites. Of a map in which a loop stores elements, the first value of each is saved, and
the changed keys are a bit set; another variable that a loop stores in is saved as a whole beforehand.

The functions share no names, and each store begins a new version of the state, so no cached value is used
across the change.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import assert_never

from ..core import nodes as n
from ..core.traversal import assignments, nodes_with_definitions, parts
from ..core.types import Map, Optional, Type
from ..machine import form as f
from ..machine.builder import ZERO, as_type, differ, load, negation, plus
from .bindings import Env, Val
from .body import B, Body, Functions, S
from .codes import WORD, TooLarge
from .effects import perform
from .identifiers import Kind
from .operators.calls import local_names

Undo = Callable[[], None]


class UndoLog:
    """Records the values that an effect overwrites, and writes code that restores them."""

    def __init__(self, w: Body, effect: n.Effect) -> None:
        self.w = w
        self._depth, self._sure = w.depth, {*_unconditional(effect)}
        self._undo: list[Undo] = []
        self._whole = dict.fromkeys(assign.target for assign in _in_loops(effect))
        made = {a: w.named("made", 0) for a in assignments(effect) if a.target not in self._whole}
        self._made = made
        self._changed: dict[n.StateVar, tuple[Sequence[f.Expr], int]] = {}
        """For a map in which a loop stores elements, the changed keys, and where their values are saved."""
        for var in self._whole:
            if w.program.has_inverse(var) and all(a.path for a in assignments(effect) if a.target is var):
                self._remember_changes(var)
            else:
                self._remember(var)

    def _remember_changes(self, var: n.StateVar) -> None:
        """Write code that begins the set of changed keys of a map."""
        assert isinstance(var.type, Map)
        w, words = self.w, -(-len(var.type.keys.values) // WORD)
        changed, at = [w.named("changed", ZERO) for _ in range(words)], w.slot(var.type)
        self._changed[var] = changed, at

        def undo() -> None:
            with w.bits(changed, "key", 0) as key:
                self._restore_element(var, key, load(S, plus(key, at)))

        self._undo.append(undo)

    def _remember(self, var: n.StateVar) -> None:
        """Write code that saves a whole variable."""
        w, at = self.w, self.w.program.offsets[var].expr
        held = w.copied(var.type, w.held(var.type, at))
        if w.program.has_inverse(var):
            self._undo.append(lambda: self._restore_changed(var, held))
        else:
            self._undo.append(lambda: w.put(var.type, at, held))

    def record(self, e: n.Assign, place: Type, at: f.Expr, position: f.Expr) -> None:
        """Write code that saves the value of a place before it is overwritten."""
        w = self.w
        if e.target in self._changed:
            changed, room = self._changed[e.target]
            key = w.atom(position, "key")
            with w.when(negation(w.has_bit(changed, key))):
                w.add_bit(changed, key)
                w.store(S, plus(key, room), load(S, at))
        if e.target in self._whole:
            return
        made = self._made[e]
        w.set(made, 1)
        if w.program.has_inverse(e.target) and e.path:
            key = w.named("key", position)
            old = w.named("old", load(S, at))
            put_back: Undo = lambda: self._restore_element(e.target, key, old)  # noqa: E731
        else:
            where = w.named("place", at)
            held = w.fresh(w.copied(place, w.held(place, where)), "old")
            put_back = lambda: self._restore(e.target, place, where, held)  # noqa: E731
        sure = w.depth == self._depth and e in self._sure

        def undo() -> None:
            if sure:
                put_back()
            else:
                with w.when(as_type(made, f.TRUTH)):
                    put_back()

        self._undo.append(undo)

    def _restore(self, var: n.StateVar, place: Type, where: f.Expr, held: Val) -> None:
        """Write code that restores a saved value; of a map with inverse sets, only changed elements."""
        if place is var.type and self.w.program.has_inverse(var):
            self._restore_changed(var, held)
        else:
            self.w.put(place, where, held)

    def _restore_changed(self, var: n.StateVar, held: Val) -> None:
        """Write code that restores the elements of a map that differ from saved ones."""
        assert isinstance(var.type, Map)
        w, i = self.w, self.w.name("i")
        now = w.held(var.type, w.program.offsets[var].expr)
        with w.each(i, 0, len(var.type.keys.values)):
            old = w.element(held, i).expr
            with w.when(differ(w.element(now, i).expr, old)):
                self._restore_element(var, i, old)

    def _restore_element(self, var: n.StateVar, position: f.Expr, old: f.Expr) -> None:
        assert isinstance(var.type, Map)
        name = self.w.functions.storing(var, isinstance(var.type.of, Optional), False)
        self.w.do(name, S, B, position, old)

    def write_undo(self) -> None:
        """Write code that restores all saved values."""
        for undo in reversed(self._undo):
            undo()


def _in_loops(effect: n.Effect) -> Iterator[n.Assign]:
    """The assignments of an effect that may run several times."""
    if isinstance(effect, n.ForEach):
        yield from assignments(effect)
    else:
        for part in parts(effect):
            if isinstance(part, n.Statement):
                yield from _in_loops(part)


def _unconditional(effect: n.Effect) -> Iterator[n.Assign]:
    """The unconditional assignments of an effect."""
    match effect:
        case n.Assign():
            yield effect
        case n.Block():
            for item in effect.items:
                yield from _unconditional(item)
        case n.Bind():
            yield from _unconditional(effect.body)
        case n.When() | n.ForEach() | n.Draw() | n.Shuffle():
            pass
        case _:
            assert_never(effect)


def write_after(functions: Functions, e: n.After, name: str) -> None:
    """Write the functions that evaluate a condition after an action; the outer one is called `name`.

    Raises TooLarge.
    """
    program = functions.program
    body, inner = Body(program, functions), Body(program, functions, steady=True)
    env = {param: Val(param.type, body.names(param.type, param), _may_be_none(param)) for param in e.params}
    held = local_names(body, e.body)
    passed = {var: Val(var.type, body.names(var.type, var), _may_be_none(var)) for var in held}
    taken = [x for val in (*env.values(), *passed.values()) for x in val.parts]

    there: Env = {var: Val(var.type, inner.names(var.type, var), _may_be_none(var)) for var in held}
    inner.give(inner.cond(e.body, there))
    meaning = f"what is asked after action `{e.action}`"
    asked = program.name(Kind.AFTER, e.action, meaning)
    functions.add(asked, [S, B, *_locals(there)], inner, f.TRUTH)

    log = UndoLog(body, e.effect)
    body.before_store = log.record
    perform(body, e.effect, env)
    result = body.named("result", as_type(body.call(f.TRUTH, asked, S, B, *_locals(passed)), f.NUMBER))
    log.write_undo()
    body.give(as_type(result, f.TRUTH))
    if body.slots and _is_recursive(e):
        raise TooLarge(
            f"what holds after `{e.action}` is asked within itself, and lists or maps are remembered"
        )
    functions.add(name, [S, B, *taken], body, f.TRUTH)  # type: ignore[list-item]


def _locals(env: Env) -> list[f.Local]:
    return [x for val in env.values() if isinstance(val, Val) for x in val.parts if isinstance(x, f.Local)]


def _may_be_none(var: n.Var) -> bool:
    return isinstance(var.type, Optional)


def _is_recursive(e: n.After) -> bool:
    """True if the condition calls a definition that contains it."""
    return any(node is e for node in nodes_with_definitions(e.body))
