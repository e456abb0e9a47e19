"""Elements of arrays that are kept in variables while a loop runs.

A variable takes the place of an element from before the outermost loop where that pays to behind it (scalar
promotion). Before something that may read the element otherwise, such as a call or an index that is not
known, it is written back; after something that may change it, it is loaded again. Of a short run of elements
that is asked by an index within it, all are kept, and the index chooses. Only elements that an array has in
any case are kept, for they are loaded and written back though the loop may not touch them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any, NamedTuple

from .. import form as f
from ..builder import ZERO, equal
from ..rewriting import Rewriter
from ..traversal import (
    CALLS,
    LOOPS,
    PARTS,
    node_index,
    nodes_of,
)
from ..webassembly.if_conversion import is_cheap
from .memory_effects import (
    Array,
    MemoryEffects,
    Touched,
    span_of,
)

MOST = 14
"""So many elements are kept at once at most."""
SHORT = 2
"""A run of so many elements is kept as a whole if it is asked by an index."""
TURNS = 8
"""So many turns of a loop are counted on."""
RARE = 0.5
"""How often one side of a branch is taken."""
ELEMENTS = frozenset({f.Load, f.Store})
ASKING = ELEMENTS.union(CALLS)
"""The kinds of nodes that read or change elements."""
KEPT = (f.NUMBERS, f.WORDS, f.REALS)


class ElementRun(NamedTuple):
    """Elements of an array that are kept together."""

    array: Array
    first: int
    size: int
    type: f.Type
    """That of the array."""


class Savings:
    """The loads and stores that keeping each run saves in a part."""

    def __init__(self) -> None:
        self.saved: Counter[ElementRun] = Counter()
        self.shared: set[ElementRun] = set()
        """The runs that others may touch."""
        self.stored: set[ElementRun | None] = set()
        """The runs of which an element is stored by its place or by an index within them."""
        self.pays = False
        """True if it pays in a loop to keep a run."""


class RunAccess(NamedTuple):
    """The run to which a load or store asks by its place or by an index within it; the runs that a node by
    itself may read, and may change, otherwise.
    """

    own: ElementRun | None
    read: list[ElementRun]
    changed: list[ElementRun]


def replace_scalars(facts: MemoryEffects, function: f.Function) -> f.Function:
    """The function with elements kept in variables over its loops."""
    if not node_index(function).of(*LOOPS):
        return function
    keeping = _ScalarReplacement(facts, function)
    if not keeping.runs or not keeping.costs(function.body).pays:
        return function
    body = keeping.body(function.body)
    return replace(function, variables=(*function.variables, *keeping.made), body=body)


def _run_containing(runs: Iterable[ElementRun], array: Array, place: f.Span) -> ElementRun | None:
    """The run that has some elements of an array."""
    first, size = place
    for run in runs:
        if run.array == array and run.first <= first and first + size <= run.first + run.size:
            return run
    return None


def _loop_parts(loop: f.While | f.For) -> tuple[f.Expr | f.Statement, ...]:
    """All that a loop repeats."""
    return (loop.condition, *loop.body) if isinstance(loop, f.While) else loop.body


class _PromotedRun:
    """A run that is kept: its variables, the depth of blocks at which that began, what is changed of it."""

    def __init__(self, names: tuple[str, ...], depth: int, changed: bool) -> None:
        self.names, self.depth, self.changed = names, depth, changed


class _ScalarReplacement(Rewriter):
    def __init__(self, facts: MemoryEffects, function: f.Function) -> None:
        self.facts, self.of = facts, function.name
        self.runs = self._runs([x for x in node_index(function).nodes if type(x) in ELEMENTS])
        self.taken = {name for name, _ in (*function.parameters, *function.variables)}
        self.made: list[tuple[str, f.Type]] = []
        self.held: dict[ElementRun, _PromotedRun] = {}
        self.waiting: list[tuple[int, dict[ElementRun, _PromotedRun]]] = []
        """Of the loops around the place the depth of blocks, and the runs that wait in their arrays in it."""
        self.depth = 0
        """How many blocks there are around the place."""
        self.spent: dict[int, Savings] = {}
        """The costs of loops, by their identity."""
        self.paying: set[int] = set()
        """The identities of nodes with loops in which it pays to keep a run."""
        self.asked: dict[int, RunAccess] = {}
        self.meeting: dict[Touched, list[ElementRun]] = {}

    def _runs(self, nodes: Iterable[f.Load | f.Store]) -> list[ElementRun]:
        """The runs that may be kept."""
        found: dict[ElementRun, None] = {}
        asked = dict.fromkeys(
            (*self._place(x), x.array.type, type(x.index) is f.Const) for x in nodes if x.array.type in KEPT
        )
        for array, (first, size), t, is_const in asked:
            if not is_const and size <= SHORT:
                self._add(found, ElementRun(array, first, size, t))
        for array, place, t, is_const in asked:
            if is_const and _run_containing(found, array, place) is None:
                self._add(found, ElementRun(array, *place, t))
        return list(found)

    def _add(self, found: dict[ElementRun, None], run: ElementRun) -> None:
        array, first, size, _ = run
        end = first + size
        apart = not any(
            x[1] < end and first < x[1] + x[2] and x != run and self.facts.may_be_same(self.of, x[0], array)
            for x in found
        )
        known = array is not None and (not array[0] or array[1] in self.facts.module.rooms)
        if known and apart and first >= 0 and end <= self.facts.size(self.of, array):
            found[run] = None

    def _place(self, node: f.Load | f.Store) -> Touched:
        """The elements to which a node asks."""
        return self.facts.array(self.of, node.array), span_of(node)

    # ---- what it costs

    def costs(self, nodes: Iterable[object]) -> Savings:
        """Costs of statements or expressions."""
        costs = Savings()
        for node in nodes:
            costs.pays |= self._count(node, 1, costs)
        return costs

    def _count(self, node: Any, factor: float, costs: Savings) -> bool:
        """Add the costs of a node, so many times, to others; True if it pays in a loop to keep a run."""
        kind, saved, pays = type(node), costs.saved, False
        parts, arms = PARTS[kind](node) if kind in PARTS else (), ()
        if kind in ASKING:
            own, read, changed = self.asks(node)
            if own is not None:
                saved[own] += factor  # type: ignore[assignment]
            if kind is f.Store:
                costs.stored.add(own)
            for other in (*read, *changed):
                saved[other] -= other.size * factor  # type: ignore[assignment]
                costs.shared.add(other)
        elif kind is f.If:
            parts, arms = (node.condition,), (*node.then, *node.other)
        elif kind in LOOPS:
            parts = (node.first, node.last) if kind is f.For else ()
            inner = self.of_loop(node)
            for other, value in inner.saved.items():
                saved[other] += value * factor  # type: ignore[assignment]
            costs.shared |= inner.shared
            costs.stored |= inner.stored
            pays = inner.pays
        for part in parts:
            if type(part) in PARTS:
                pays |= self._count(part, factor, costs)
        for part in arms:
            pays |= self._count(part, factor * RARE, costs)
        if pays:
            self.paying.add(id(node))
        return pays

    def of_loop(self, node: f.While | f.For) -> Savings:
        """Costs of a loop: a run that is not worth keeping in it is written back before."""
        costs = self.spent.get(id(node))
        if costs is None:
            costs = self.spent[id(node)] = self.costs(_loop_parts(node))
            inner, costs.saved = costs.saved, Counter()
            for run in self.runs:
                value = inner[run] * TURNS
                costs.saved[run] = max(value, -2 * run.size) if run in costs.shared else value
                costs.pays |= costs.saved[run] > 2 * run.size
        return costs

    def asks(self, node: f.Load | f.Store | f.Call | f.Do | f.SetResults) -> RunAccess:
        """The runs to which a node asks."""
        asked = self.asked.get(id(node))
        if asked is None:
            if isinstance(node, (f.Load, f.Store)):
                place = self._place(node)
                met = self._meeting(place)
                own = _run_containing(met, *place)
                met = [run for run in met if run is not own]
                asked = RunAccess(own, met, []) if isinstance(node, f.Load) else RunAccess(own, [], met)
            else:
                effects = self.facts.called(self.facts.passed(self.of, node))
                asked = RunAccess(None, self._among(effects.read), self._among(effects.changed))
            self.asked[id(node)] = asked
        return asked

    def _among(self, touched: frozenset[Touched]) -> list[ElementRun]:
        met = {run for one in touched for run in self._meeting(one)}
        return [run for run in self.runs if run in met] if met else []

    def _meeting(self, touched: Touched) -> list[ElementRun]:
        """The runs that elements of an array may meet."""
        if touched not in self.meeting:
            array, (first, size) = touched
            end = first + size
            self.meeting[touched] = [
                run for run in self.runs
                if run[1] < end and first < run[1] + run[2] and self.facts.may_be_same(self.of, run[0], array)
            ]  # fmt: skip
        return self.meeting[touched]

    # ---- loops

    def is_idle(self, node: f.Expr | f.Statement) -> bool:
        """True if there is nothing to do in a node."""
        if self.held or id(node) in self.paying:
            return False
        return not any(runs for _, runs in self.waiting)

    def statement(self, node: f.Statement) -> f.Body:
        if self.is_idle(node):
            return (node,)
        match node:
            case f.While() | f.For():
                return self.loop(node)
            case f.Run(body):
                with self.deeper():
                    return (f.Run(self.body(body)),)
            case f.Return(values):
                return self.leave(values)
            case f.Store():
                return self.store(node)
            case f.Do(_, arguments) | f.SetResults(_, _, arguments):
                read, changed = self.synced(node)
                if not read and not changed:
                    return super().statement(node)
                before, given = self.given(arguments)
                made = replace(node, arguments=given)
                return (*before, *self.written(read), made, *self.loaded(changed))
        return super().statement(node)

    @contextmanager
    def deeper(self) -> Iterator[None]:
        """Within a further block."""
        self.depth += 1
        yield
        self.depth -= 1

    def loop(self, node: f.While | f.For) -> f.Body:
        """A loop: what pays is kept from before it on, what does not pay in it waits in its array."""
        costs = self.of_loop(node)
        bounds = [self.expr(node.first), self.expr(node.last)] if isinstance(node, f.For) else []
        outer = dict(self.held)
        suspended = [run for run in outer if run in costs.shared and costs.saved[run] <= -2 * run.size]
        changed: list[ElementRun] = []
        if suspended:
            effects = self.facts.of(self.of, nodes_of(_loop_parts(node)))
            read, changed = self._among(effects.read), self._among(effects.changed)
            suspended = [run for run in suspended if run in read or run in changed]
        begun: list[ElementRun] = []
        room = MOST - sum(run.size for run in outer if run not in suspended)
        for run in sorted(costs.saved, key=lambda r: -costs.saved[r] / r.size):
            if costs.saved[run] > 2 * run.size and run not in outer and room >= run.size:
                begun.append(run)
                room -= run.size
        before: list[f.Statement] = []
        for i, bound in enumerate(bounds if begun or suspended else ()):
            if not is_cheap(bound):
                bounds[i] = held = self._variable("bound", f.NUMBER)
                before.append(f.Set(held.name, bound))
        before += self.written(suspended)
        self.waiting.append((self.depth, {run: self.held.pop(run) for run in suspended}))
        for run in begun:
            names = [self._variable("kept", run.type.element).name for _ in range(run.size)]
            self.held[run] = _PromotedRun(tuple(names), self.depth, run in costs.stored)
        before += self.loaded(begun)
        if isinstance(node, f.For):
            made: f.Statement = f.For(node.name, bounds[0], bounds[1], node.step, self.body(node.body))
        else:
            made = f.While(self.expr(node.condition), self.body(node.body))
        after = self.written(begun)
        self.waiting.pop()
        self.held = outer
        return (*before, made, *after, *self.loaded(r for r in suspended if r in changed))

    def leave(self, values: tuple[f.Expr, ...]) -> f.Body:
        """`Return`, which leaves the loops within the same block."""
        left = [run for run, held in self.held.items() if held.depth == self.depth and held.changed]
        again: dict[ElementRun, _PromotedRun] = {}
        for depth, runs in self.waiting:
            if depth == self.depth:
                again |= {run: held for run, held in runs.items() if held.depth < depth}
        if not left and not again:
            return (f.Return(tuple(map(self.expr, values))),)
        before, made = self.given(values)
        return (*before, *self.written(left), *self.loaded(again, again), f.Return(made))

    # ---- elements

    def expr(self, node: f.Expr) -> f.Expr:
        if type(node) not in PARTS or self.is_idle(node):
            return node
        if isinstance(node, f.Load):
            return self.load(node)
        if isinstance(node, f.Block):
            with self.deeper():
                return f.Block(node.type, self.body(node.body))
        if not isinstance(node, f.Call):
            return super().expr(node)
        read, changed = self.synced(node)
        if not read and not changed:
            return super().expr(node)
        before, given = self.given(node.arguments)
        result = self._variable("result", node.type)
        made = f.Set(result.name, replace(node, arguments=given))
        back = f.Return((result,))
        return f.Block(node.type, (*before, *self.written(read), made, *self.loaded(changed), back))

    def load(self, node: f.Load) -> f.Expr:
        run = self.asks(node).own
        if run in self.held:
            return self.chosen(run, self.expr(node.index))
        read, _ = self.synced(node)
        if not any(self.held[r].changed for r in read):
            return super().expr(node)
        before, (index,) = self.given((node.index,))
        again = replace(node, index=index)
        return f.Block(node.type, (*before, *self.written(read), f.Return((again,))))

    def chosen(self, run: ElementRun, index: f.Expr) -> f.Expr:
        """The element of a run that is kept, by its index."""
        variables = self.variables(run)
        if isinstance(index, f.Const):
            return variables[int(index.value) - run.first]
        made: f.Expr = variables[-1]
        before: f.Body = ()
        if run.size > 2:
            before, (index,) = self.given((index,), rewritten=True)
        for at in range(run.size - 2, -1, -1):
            made = f.Choose(run.type.element, equal(index, run.first + at), variables[at], made)
        return f.Block(run.type.element, (*before, f.Return((made,)))) if before else made

    def store(self, node: f.Store) -> f.Body:
        run = self.asks(node).own
        if run not in self.held:
            _, changed = self.synced(node)
            if not changed:
                return super().statement(node)
            before, (index, value) = self.given((node.index, node.value))
            made = replace(node, index=index, value=value)
            return (*before, *self.written(changed), made, *self.loaded(changed))
        variables = self.variables(run)
        if isinstance(node.index, f.Const):
            return (f.Set(variables[int(node.index.value) - run.first].name, self.expr(node.value)),)
        match node.value:
            case f.Binary(f.Type.WORD as t, "|", f.Load(_, array, at), more) if (array, at) == (
                node.array,
                node.index,
            ):  # bits are added to all elements, none but to one
                before, (index, more) = self.given((node.index, more))
                return (*before, *(
                    f.Set(x.name, f.Binary(t, "|", x, f.Choose(t, equal(index, run.first + i), more, ZERO)))
                    for i, x in enumerate(variables)
                ))  # fmt: skip
        before, (index, value) = self.given((node.index, node.value))
        if not isinstance(value, f.Local | f.Const):
            held = self._variable("value", run.type.element)
            before, value = (*before, f.Set(held.name, value)), held
        return (*before, *(
            f.Set(x.name, f.Choose(run.type.element, equal(index, run.first + at), value, x))
            for at, x in enumerate(variables)
        ))  # fmt: skip

    def variables(
        self, run: ElementRun, among: Mapping[ElementRun, _PromotedRun] | None = None
    ) -> list[f.Local]:
        """The variables of a run that is kept."""
        names = (self.held if among is None else among)[run].names
        return [f.Local(run.type.element, name) for name in names]

    def synced(
        self, node: f.Load | f.Store | f.Call | f.Do | f.SetResults
    ) -> tuple[list[ElementRun], list[ElementRun]]:
        """The runs kept that a node may read or change otherwise: to write back before, to load after."""
        _, read, changed = self.asks(node)
        if not read and not changed:
            return read, changed
        return [r for r in self.runs if r in self.held and (r in read or r in changed)], [
            r for r in changed if r in self.held
        ]

    def written(self, runs: Iterable[ElementRun]) -> f.Body:
        """Write elements back that may have changed."""
        return tuple(
            f.Store(self._array(run), f.Const(f.NUMBER, run.first + at), x)
            for run in runs if self.held[run].changed for at, x in enumerate(self.variables(run))
        )  # fmt: skip

    def loaded(
        self, runs: Iterable[ElementRun], among: Mapping[ElementRun, _PromotedRun] | None = None
    ) -> f.Body:
        """Load elements."""
        return tuple(
            f.Set(x.name, f.Load(x.type, self._array(run), f.Const(f.NUMBER, run.first + at)))
            for run in runs for at, x in enumerate(self.variables(run, among))
        )  # fmt: skip

    def _array(self, run: ElementRun) -> f.Expr:
        assert run.array is not None
        static, name = run.array
        return f.Static(run.type, name) if static else f.Local(run.type, name)

    def given(self, values: Sequence[f.Expr], rewritten: bool = False) -> tuple[f.Body, tuple[f.Expr, ...]]:
        """Values that what is done in between does not change: they wait in variables."""
        before: list[f.Statement] = []
        made: list[f.Expr] = []
        for value in values:
            one = value if rewritten else self.expr(value)
            if not (isinstance(one, f.Const | f.Static) or one.type.is_array):
                held = self._variable("given", one.type)
                before.append(f.Set(held.name, one))
                one = held
            made.append(one)
        return tuple(before), tuple(made)

    def _variable(self, name: str, t: f.Type) -> f.Local:
        """A further variable."""
        name = f"{name}.{len(self.made)}"
        while name in self.taken:
            name += "_"
        self.taken.add(name)
        self.made.append((name, t))
        return f.Local(t, name)
