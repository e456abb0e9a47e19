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

from . import form as f
from .branchless import is_plain
from .building import ZERO, equal
from .effects import Array, Facts, Touched, span
from .rewriting import Rewriter
from .walking import CALLS, LOOPS, PARTS, nodes_of, walk

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


class Run(NamedTuple):
    """Elements of an array that are kept together."""

    array: Array
    first: int
    size: int
    type: f.Type
    """That of the array."""


class Costs:
    """The loads and stores that keeping each run saves in a part."""

    def __init__(self) -> None:
        self.saved: Counter[Run] = Counter()
        self.shared: set[Run] = set()
        """The runs that others may touch."""
        self.stored: set[Run | None] = set()
        """The runs of which an element is stored by its place or by an index within them."""
        self.pays = False
        """True if it pays in a loop to keep a run."""


class Asked(NamedTuple):
    """The run to which a load or store asks by its place or by an index within it; the runs that a node by
    itself may read, and may change, otherwise.
    """

    own: Run | None
    read: list[Run]
    changed: list[Run]


def kept(facts: Facts, function: f.Function) -> f.Function:
    """The function with elements kept in variables over its loops."""
    if not walk(function).of(*LOOPS):
        return function
    keeping = _Keeping(facts, function)
    if not keeping.runs or not keeping.costs(function.body).pays:
        return function
    body = keeping.body(function.body)
    return replace(function, variables=(*function.variables, *keeping.made), body=body)


def _holding(runs: Iterable[Run], array: Array, place: f.Span) -> Run | None:
    """The run that has some elements of an array."""
    first, size = place
    for run in runs:
        if run.array == array and run.first <= first and first + size <= run.first + run.size:
            return run
    return None


def _repeated(loop: f.While | f.For) -> tuple[f.Expr | f.Statement, ...]:
    """All that a loop repeats."""
    return (loop.condition, *loop.body) if isinstance(loop, f.While) else loop.body


class _Held:
    """A run that is kept: its variables, the depth of blocks at which that began, what is changed of it."""

    def __init__(self, names: tuple[str, ...], depth: int, changed: bool) -> None:
        self.names, self.depth, self.changed = names, depth, changed


class _Keeping(Rewriter):
    def __init__(self, facts: Facts, function: f.Function) -> None:
        self.facts, self.of = facts, function.name
        self.runs = self._runs([x for x in walk(function).nodes if type(x) in ELEMENTS])
        self.taken = {name for name, _ in (*function.parameters, *function.variables)}
        self.made: list[tuple[str, f.Type]] = []
        self.held: dict[Run, _Held] = {}
        self.waiting: list[tuple[int, dict[Run, _Held]]] = []
        """Of the loops around the place the depth of blocks, and the runs that wait in their arrays in it."""
        self.depth = 0
        """How many blocks there are around the place."""
        self.spent: dict[int, Costs] = {}
        """The costs of loops, by their identity."""
        self.paying: set[int] = set()
        """The identities of nodes with loops in which it pays to keep a run."""
        self.asked: dict[int, Asked] = {}
        self.meeting: dict[Touched, list[Run]] = {}

    def _runs(self, nodes: Iterable[f.Load | f.Store]) -> list[Run]:
        """The runs that may be kept."""
        found: dict[Run, None] = {}
        asked = dict.fromkeys(
            (*self._place(x), x.array.type, type(x.index) is f.Const) for x in nodes if x.array.type in KEPT
        )
        for array, (first, size), t, is_const in asked:
            if not is_const and size <= SHORT:
                self._add(found, Run(array, first, size, t))
        for array, place, t, is_const in asked:
            if is_const and _holding(found, array, place) is None:
                self._add(found, Run(array, *place, t))
        return list(found)

    def _add(self, found: dict[Run, None], run: Run) -> None:
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
        return self.facts.array(self.of, node.array), span(node)

    # ---- what it costs

    def costs(self, nodes: Iterable[object]) -> Costs:
        """Costs of statements or expressions."""
        costs = Costs()
        for node in nodes:
            costs.pays |= self._count(node, 1, costs)
        return costs

    def _count(self, node: Any, factor: float, costs: Costs) -> bool:
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

    def of_loop(self, node: f.While | f.For) -> Costs:
        """Costs of a loop: a run that is not worth keeping in it is written back before."""
        costs = self.spent.get(id(node))
        if costs is None:
            costs = self.spent[id(node)] = self.costs(_repeated(node))
            inner, costs.saved = costs.saved, Counter()
            for run in self.runs:
                value = inner[run] * TURNS
                costs.saved[run] = max(value, -2 * run.size) if run in costs.shared else value
                costs.pays |= costs.saved[run] > 2 * run.size
        return costs

    def asks(self, node: f.Load | f.Store | f.Call | f.Do | f.SetResults) -> Asked:
        """The runs to which a node asks."""
        asked = self.asked.get(id(node))
        if asked is None:
            if isinstance(node, (f.Load, f.Store)):
                place = self._place(node)
                met = self._meeting(place)
                own = _holding(met, *place)
                met = [run for run in met if run is not own]
                asked = Asked(own, met, []) if isinstance(node, f.Load) else Asked(own, [], met)
            else:
                effects = self.facts.called(self.facts.passed(self.of, node))
                asked = Asked(None, self._among(effects.read), self._among(effects.changed))
            self.asked[id(node)] = asked
        return asked

    def _among(self, touched: frozenset[Touched]) -> list[Run]:
        met = {run for one in touched for run in self._meeting(one)}
        return [run for run in self.runs if run in met] if met else []

    def _meeting(self, touched: Touched) -> list[Run]:
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
        changed: list[Run] = []
        if suspended:
            effects = self.facts.of(self.of, nodes_of(_repeated(node)))
            read, changed = self._among(effects.read), self._among(effects.changed)
            suspended = [run for run in suspended if run in read or run in changed]
        begun: list[Run] = []
        room = MOST - sum(run.size for run in outer if run not in suspended)
        for run in sorted(costs.saved, key=lambda r: -costs.saved[r] / r.size):
            if costs.saved[run] > 2 * run.size and run not in outer and room >= run.size:
                begun.append(run)
                room -= run.size
        before: list[f.Statement] = []
        for i, bound in enumerate(bounds if begun or suspended else ()):
            if not is_plain(bound):
                bounds[i] = held = self._variable("bound", f.NUMBER)
                before.append(f.Set(held.name, bound))
        before += self.written(suspended)
        self.waiting.append((self.depth, {run: self.held.pop(run) for run in suspended}))
        for run in begun:
            names = [self._variable("kept", run.type.element).name for _ in range(run.size)]
            self.held[run] = _Held(tuple(names), self.depth, run in costs.stored)
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
        again: dict[Run, _Held] = {}
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

    def chosen(self, run: Run, index: f.Expr) -> f.Expr:
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

    def variables(self, run: Run, among: Mapping[Run, _Held] | None = None) -> list[f.Local]:
        """The variables of a run that is kept."""
        names = (self.held if among is None else among)[run].names
        return [f.Local(run.type.element, name) for name in names]

    def synced(self, node: f.Load | f.Store | f.Call | f.Do | f.SetResults) -> tuple[list[Run], list[Run]]:
        """The runs kept that a node may read or change otherwise: to write back before, to load after."""
        _, read, changed = self.asks(node)
        if not read and not changed:
            return read, changed
        return [r for r in self.runs if r in self.held and (r in read or r in changed)], [
            r for r in changed if r in self.held
        ]

    def written(self, runs: Iterable[Run]) -> f.Body:
        """Write elements back that may have changed."""
        return tuple(
            f.Store(self._array(run), f.Const(f.NUMBER, run.first + at), x)
            for run in runs if self.held[run].changed for at, x in enumerate(self.variables(run))
        )  # fmt: skip

    def loaded(self, runs: Iterable[Run], among: Mapping[Run, _Held] | None = None) -> f.Body:
        """Load elements."""
        return tuple(
            f.Set(x.name, f.Load(x.type, self._array(run), f.Const(f.NUMBER, run.first + at)))
            for run in runs for at, x in enumerate(self.variables(run, among))
        )  # fmt: skip

    def _array(self, run: Run) -> f.Expr:
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
