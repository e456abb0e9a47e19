"""Scalar replacement: array elements are held in variables while a loop runs.

An element is loaded before the outermost loop for which this pays, and stored after it if the loop changes
it. It must be at a constant place that its array always has, and nothing in the loop may touch it otherwise:
no call, no unknown index, no array that may be the same. Two elements selected by an index are held together.
A loop that may end its function is left alone.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, NamedTuple

from .. import form as f
from ..builder import ZERO, equal
from ..rewriting import Rewriter
from ..traversal import CALLS, LOOPS, node_index, nodes_of, parts_of
from .memoisation import may_return
from .memory_effects import Array, MemoryEffects, Touched, span_of, spans_overlap

MOST = 14
"""Maximum number of elements held at once."""
PAIR = 2
"""Maximum number of elements held together."""
TURNS = 8
"""Estimated number of turns of an inner loop."""
RARE = 0.5
"""Estimated frequency of an arm of a condition."""
PRICE = 2
"""Cost of holding an element, in loads and stores around a loop."""
HELD = (f.NUMBERS, f.WORDS, f.REALS)
"""The types of arrays whose elements may be held."""


class Run(NamedTuple):
    """One or two elements of an array that are held together."""

    array: Array
    first: int
    size: int

    def has(self, touched: Touched) -> bool:
        """True if the run contains all the given elements."""
        array, (first, size) = touched
        return array == self.array and self.first <= first and first + size <= self.first + self.size


class HeldRun(NamedTuple):
    """A run, an expression for its array, and its variables."""

    run: Run
    array: f.Expr
    variables: tuple[f.Local, ...]

    def only(self, index: f.Expr) -> f.Local | None:
        """The variable for a constant index, or for any index if the run has one element; else None."""
        if len(self.variables) == 1:
            return self.variables[0]
        return self.variables[int(index.value) - self.run.first] if isinstance(index, f.Const) else None

    def elements(self) -> list[tuple[f.Local, f.Load]]:
        """The variables of the run, each with the load of its element."""
        places = (f.Const(f.NUMBER, self.run.first + i) for i in range(self.run.size))
        pairs = zip(self.variables, places, strict=True)
        return [(x, f.Load(x.type, self.array, place)) for x, place in pairs]


def replace_scalars(effects: MemoryEffects, function: f.Function) -> f.Function:
    """The function, with array elements held in variables during its loops."""
    if not node_index(function).of(*LOOPS):
        return function
    replacement = _ScalarReplacement(effects, function)
    body = replacement.body(function.body)
    return replace(function, variables=(*function.variables, *replacement.added), body=body)


class _ScalarReplacement(Rewriter):
    def __init__(self, effects: MemoryEffects, function: f.Function) -> None:
        self.effects, self.name = effects, function.name
        self.names = {name for name, _ in (*function.parameters, *function.variables)}
        self.added: list[tuple[str, f.Type]] = []
        self.held: list[HeldRun] = []

    def accessed_elements(self, node: f.Load | f.Store) -> Touched:
        """The array of a node, and the span of elements that it may access."""
        return self.effects.array(self.name, node.array), span_of(node)

    def holding(self, node: f.Load | f.Store) -> HeldRun | None:
        """The held run with the element of a node."""
        touched = self.accessed_elements(node)
        return next((held for held in self.held if held.run.has(touched)), None)

    # ---- nodes

    def expr(self, node: f.Expr) -> f.Expr:
        held = self.holding(node) if self.held and isinstance(node, f.Load) else None
        if held is None:
            return super().expr(node)
        assert isinstance(node, f.Load)
        only = held.only(node.index)
        if only is not None:
            return only
        first, second = held.variables
        return f.Choose(node.type, equal(self.expr(node.index), held.run.first), first, second)

    def statement(self, node: f.Statement) -> f.Body:
        if isinstance(node, f.While | f.For):
            return self.loop(node)
        held = self.holding(node) if self.held and isinstance(node, f.Store) else None
        return super().statement(node) if held is None else self.store(node, held)  # type: ignore[arg-type]

    def store(self, node: f.Store, held: HeldRun) -> f.Body:
        """A store to a held run; if the run has two elements, each variable is set or kept."""
        only = held.only(node.index)
        if only is not None:
            return (f.Set(only.name, self.expr(node.value)),)
        kind, adds = held.variables[0].type, False
        value = node.value
        match node.value:
            case f.Binary(f.Type.WORD, "|", f.Load(_, array, index), more) if (array, index) == (
                node.array,
                node.index,
            ):  # bits are added to both, none but to one: that waits for no choice
                value, adds = more, True
        before: list[f.Statement] = []
        atoms = []
        for e in (self.expr(node.index), self.expr(value)):
            atom = e if isinstance(e, f.Const) else self.variable(e.type)
            if isinstance(atom, f.Local):
                before.append(f.Set(atom.name, e))
            atoms.append(atom)
        index, value = atoms
        for i, x in enumerate(held.variables, held.run.first):
            one = f.Choose(kind, equal(index, i), value, ZERO if adds else x)
            before.append(f.Set(x.name, f.Binary(kind, "|", x, one) if adds else one))
        return tuple(before)

    def loop(self, node: f.While | f.For) -> f.Body:
        """A loop with loads before it and stores after it."""
        outer, chosen = self.held, self.choose(node)
        self.held = [*outer, *chosen]
        made = self.parts(node)
        self.held = outer
        stores = [self.accessed_elements(x) for x in nodes_of(node) if type(x) is f.Store]
        changed = [held for held in chosen if any(map(held.run.has, stores))]
        return (
            *(f.Set(x.name, load) for held in chosen for x, load in held.elements()),
            made,
            *(f.Store(load.array, load.index, x) for held in changed for x, load in held.elements()),
        )

    # ---- the choice of runs

    def choose(self, node: f.While | f.For) -> list[HeldRun]:
        """The runs to hold over a loop."""
        if may_return(node):
            return []
        arrays: dict[Touched, f.Expr] = {}
        called = set[Touched]()
        for x in nodes_of(node):
            if type(x) is f.Load or type(x) is f.Store:
                arrays[self.accessed_elements(x)] = x.array
            elif type(x) in CALLS:
                effects = self.effects.call_effects(self.effects.callee_and_arrays(self.name, x))
                called |= effects.read | effects.changed
        saved = Counter[Touched]()
        self.count(parts_of(node), 1, saved)
        spans = sorted((x for x in arrays if x[1][1] <= PAIR and self.may_hold(x, arrays[x])), key=_by_size)
        runs: list[Run] = []
        for touched in spans:
            if not any(run.has(touched) for run in runs):
                runs.append(Run(touched[0], *touched[1]))
        worth = {run: sum(saved[x] for x in spans if run.has(x)) for run in runs}
        alone = (run for run in runs if worth[run] > PRICE * run.size)
        best = [run for run in alone if self.is_alone(run, arrays.keys(), called)]
        room, chosen = MOST - sum(held.run.size for held in self.held), list[HeldRun]()
        for run in sorted(best, key=lambda run: -worth[run] / run.size):
            if run.size <= room:
                room -= run.size
                array = arrays[next(x for x in spans if run.has(x))]
                held = tuple(self.variable(array.type.element) for _ in range(run.size))
                chosen.append(HeldRun(run, array, held))
        return chosen

    def may_hold(self, touched: Touched, array: f.Expr) -> bool:
        """True if the elements of a mutable array are not held yet and certainly exist."""
        known, (first, size) = touched
        changes = known is not None and (not known[0] or known[1] in self.effects.module.rooms)
        there = changes and first >= 0 and first + size <= self.effects.size(self.name, known)
        return there and array.type in HELD and not any(held.run.has(touched) for held in self.held)

    def is_alone(self, run: Run, direct: Any, called: set[Touched]) -> bool:
        """True if a run overlaps no other access in a loop, and no call touches it."""
        others = (*(x for x in direct if not run.has(x)), *called)
        near = (array for array, span in others if spans_overlap(span, run[1:]))
        return not any(self.effects.may_be_same(self.name, run.array, array) for array in near)

    def count(self, nodes: tuple[Any, ...], factor: float, saved: Counter[Touched]) -> None:
        """Count the loads and stores of elements, weighted by their estimated frequency."""
        for node in nodes:
            if type(node) is f.Load or type(node) is f.Store:
                saved[self.accessed_elements(node)] += factor  # type: ignore[assignment]
            if type(node) is f.If:
                self.count((node.condition,), factor, saved)
                self.count((*node.then, *node.other), factor * RARE, saved)
            else:
                self.count(parts_of(node), factor * TURNS if type(node) in LOOPS else factor, saved)

    def variable(self, t: f.Type) -> f.Local:
        """Add a local variable."""
        name = f"held.{len(self.added)}"
        while name in self.names:
            name += "_"
        self.names.add(name)
        self.added.append((name, t))
        return f.Local(t, name)


def _by_size(touched: Touched) -> tuple[int, str]:
    """A sort key: larger spans first, in a deterministic order."""
    return -touched[1][1], repr(touched)
