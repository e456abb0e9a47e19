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
from typing import NamedTuple

from . import form as f
from .branchless import is_plain
from .building import ZERO, equal
from .effects import Array, Facts, Touched, overlap, span
from .rewriting import Rewriter
from .walking import nodes_of, parts_of

MOST = 14
"""So many elements are kept at once at most."""
SHORT = 2
"""A run of so many elements is kept as a whole if it is asked by an index."""
TURNS = 8
"""So many turns of a loop are counted on."""
RARE = 0.5
"""How often one side of a branch is taken."""
_NOTHING_WITHIN = frozenset({f.Const, f.Local, f.Static})
KEPT = (f.NUMBERS, f.WORDS, f.REALS)


class Run(NamedTuple):
    """Elements of an array that are kept together."""

    array: Array
    first: int
    size: int
    type: f.Type
    """That of the array."""


class Costs(NamedTuple):
    """The loads and stores that keeping each run saves in a part, and the runs that others may touch."""

    saved: Counter[Run]
    shared: frozenset[Run]


def kept(facts: Facts, function: f.Function) -> f.Function:
    """The function with elements kept in variables over its loops."""
    nodes = nodes_of(function.body)
    if not any(isinstance(x, f.While | f.For) for x in nodes):
        return function
    keeping = _Keeping(facts, function, nodes)
    if not keeping.runs:
        return function
    body = keeping.body(function.body)
    return replace(function, variables=(*function.variables, *keeping.made), body=body)


class _Held:
    """A run that is kept: its variables, the depth of blocks at which that began, what is changed of it."""

    def __init__(self, names: tuple[str, ...], depth: int, changed: bool) -> None:
        self.names, self.depth, self.changed = names, depth, changed


class _Keeping(Rewriter):
    def __init__(self, facts: Facts, function: f.Function, nodes: Sequence[object]) -> None:
        self.facts, self.of = facts, function.name
        self.runs = self._runs(nodes)
        self.taken = {name for name, _ in (*function.parameters, *function.variables)}
        self.made: list[tuple[str, f.Type]] = []
        self.held: dict[Run, _Held] = {}
        self.waiting: list[tuple[int, dict[Run, _Held]]] = []
        """Of the loops around the place the depth of blocks, and the runs that wait in their arrays in it."""
        self.depth = 0
        """How many blocks there are around the place."""
        self.spent: dict[int, Costs] = {}
        self.meeting: dict[Touched, list[Run]] = {}

    def _runs(self, nodes: Sequence[object]) -> list[Run]:
        """The runs that may be kept."""
        loads = [x for x in nodes if isinstance(x, f.Load | f.Store) and x.array.type in KEPT]
        found: dict[Run, None] = {}
        for node in loads:
            first, size = span(node)
            if not isinstance(node.index, f.Const) and size <= SHORT:
                self._add(found, node, first, size)
        for node in loads:
            first, size = span(node)
            if isinstance(node.index, f.Const) and self._run(found, node) is None:
                self._add(found, node, first, size)
        return list(found)

    def _add(self, found: dict[Run, None], node: f.Load | f.Store, first: int, size: int) -> None:
        array = self.facts.array(self.of, node.array)
        run = Run(array, first, size, node.array.type)
        apart = not any(
            x != run and overlap(x[1:3], run[1:3]) and self.facts.may_be_same(self.of, x.array, array)
            for x in found
        )
        known = array is not None and (not array[0] or array[1] in self.facts.module.rooms)
        if known and apart and first >= 0 and first + size <= self.facts.size(self.of, array):
            found[run] = None

    def _run(self, among: Iterable[Run], node: f.Load | f.Store) -> Run | None:
        """The run to which a node asks by its place or by an index within it."""
        array, (first, size) = self.facts.array(self.of, node.array), span(node)
        for run in among:
            if run.array == array and run.first <= first and first + size <= run.first + run.size:
                return run
        return None

    # ---- what it costs

    def costs(self, nodes: Iterable[object]) -> Costs:
        """Costs of statements or expressions."""
        saved: Counter[Run] = Counter()
        shared: set[Run] = set()

        def add(costs: Costs, factor: float) -> None:
            for run, value in costs.saved.items():
                saved[run] += value * factor  # type: ignore[assignment]
            shared.update(costs.shared)

        def visit(node: object) -> None:
            if type(node) in _NOTHING_WITHIN:
                return
            if isinstance(node, f.If):
                visit(node.condition)
                add(self.costs(node.then), RARE)
                add(self.costs(node.other), RARE)
                return
            if isinstance(node, f.While | f.For):
                add(self.of_loop(node), 1)
                if isinstance(node, f.For):
                    visit(node.first)
                    visit(node.last)
                return
            run = self._run(self.runs, node) if isinstance(node, f.Load | f.Store) else None
            if run is not None:
                saved[run] += 1
            read, changed = self.touched(node, run)
            for other in (*read, *changed):
                saved[other] -= other.size
                shared.add(other)
            for part in parts_of(node):
                visit(part)

        for node in nodes:
            visit(node)
        return Costs(saved, frozenset(shared))

    def of_loop(self, node: f.While | f.For) -> Costs:
        """Costs of a loop: a run that is not worth keeping in it is written back before."""
        if id(node) not in self.spent:
            inner = self.costs((node.condition, *node.body) if isinstance(node, f.While) else node.body)
            saved: Counter[Run] = Counter()
            for run in self.runs:
                value = inner.saved[run] * TURNS
                saved[run] = max(value, -2 * run.size) if run in inner.shared else value
            self.spent[id(node)] = Costs(saved, inner.shared)
        return self.spent[id(node)]

    def touched(self, node: object, own: Run | None) -> tuple[list[Run], list[Run]]:
        """The runs that a node by itself may read and change otherwise than by its place in them."""
        if isinstance(node, f.Call | f.Do | f.SetResults):
            effects = self.facts.called(self.of, node.function, node.arguments)
        elif isinstance(node, f.Load | f.Store):
            met = self._meeting((self.facts.array(self.of, node.array), span(node)))
            met = [run for run in met if run != own]
            return (met, []) if isinstance(node, f.Load) else ([], met)
        else:
            return [], []
        return self._among(effects.read, own), self._among(effects.changed, own)

    def _among(self, touched: frozenset[Touched], own: Run | None) -> list[Run]:
        if len(touched) == 1:
            return [run for run in self._meeting(next(iter(touched))) if run != own]
        met = {run for one in touched for run in self._meeting(one)}
        return [run for run in self.runs if run in met and run != own]

    def _meeting(self, touched: Touched) -> list[Run]:
        """The runs that elements of an array may meet."""
        if touched not in self.meeting:
            array, place = touched
            self.meeting[touched] = [
                run for run in self.runs
                if overlap(place, run[1:3]) and self.facts.may_be_same(self.of, run.array, array)
            ]  # fmt: skip
        return self.meeting[touched]

    # ---- loops

    def statement(self, node: f.Statement) -> f.Body:
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
                read, changed = self.synced(node, None)
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
        before: list[f.Statement] = []
        if isinstance(node, f.For):
            bounds = []
            for bound in (node.first, node.last):
                made = self.expr(bound)
                bounds.append(made if is_plain(made) else self._variable("bound", f.NUMBER))
                if not is_plain(made):
                    before.append(f.Set(bounds[-1].name, made))  # type: ignore[union-attr]
        costs = self.of_loop(node)
        outer = dict(self.held)
        inside = nodes_of((node.condition, *node.body) if isinstance(node, f.While) else node.body)
        effects = self.facts.of(self.of, inside)
        read, changed = self._among(effects.read, None), self._among(effects.changed, None)
        suspended = [
            run for run in outer
            if run in costs.shared and costs.saved[run] <= -2 * run.size and (run in read or run in changed)
        ]  # fmt: skip
        before += self.written(suspended)
        self.waiting.append((self.depth, {run: self.held.pop(run) for run in suspended}))
        begun: list[Run] = []
        for run in sorted(costs.saved, key=lambda r: -costs.saved[r] / r.size):
            room = MOST - sum(r.size for r in self.held) >= run.size
            if run not in self.held and room and costs.saved[run] > 2 * run.size and run not in suspended:
                begun.append(run)
                names = [self._variable("kept", run.type.element).name for _ in range(run.size)]
                stored = any(isinstance(x, f.Store) and self._run((run,), x) for x in inside)
                self.held[run] = _Held(tuple(names), self.depth, stored)
        before += self.loaded(begun)
        if isinstance(node, f.For):
            made_loop: f.Statement = replace(node, first=bounds[0], last=bounds[1], body=self.body(node.body))
        else:
            made_loop = f.While(self.expr(node.condition), self.body(node.body))
        after = self.written(begun)
        self.waiting.pop()
        self.held = outer
        return (*before, made_loop, *after, *self.loaded(r for r in suspended if r in changed))

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
        match node:
            case f.Block(t, body):
                with self.deeper():
                    return f.Block(t, self.body(body))
            case f.Load():
                return self.load(node)
            case f.Call():
                read, changed = self.synced(node, None)
                if not read and not changed:
                    return super().expr(node)
                before, given = self.given(node.arguments)
                result = self._variable("result", node.type)
                made = f.Set(result.name, replace(node, arguments=given))
                back = f.Return((result,))
                return f.Block(node.type, (*before, *self.written(read), made, *self.loaded(changed), back))
        return super().expr(node)

    def load(self, node: f.Load) -> f.Expr:
        run = self._run(self.held, node)
        if run is not None:
            return self.chosen(run, self.expr(node.index))
        read, _ = self.synced(node, None)
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
        run = self._run(self.held, node)
        if run is None:
            _, changed = self.synced(node, None)
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

    def synced(self, node: object, own: Run | None) -> tuple[list[Run], list[Run]]:
        """The runs kept that a node may read or change otherwise: to write back before, to load after."""
        read, changed = self.touched(node, own)
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
