"""Conditions answered for all values of a type at once, one bit for each.

The words of `map[x] = v`, over all x, are kept in the state (`Program.plane`); if a key lies at a constant
distance from x, its words are shifted. Conditions that do not fit this scheme are left to loops.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Sequence
from typing import NamedTuple

from ...core import nodes as n
from ...core.columns import Name
from ...core.traversal import conjuncts
from ...core.types import BOOL, Optional, Scalar, Set, Type, Value, fits, scalar_of
from ...machine import form as f
from ...machine.builder import ZERO, choose, equal
from ..bindings import NONE, Binding, EachValue, Env, Known, Macro, Val
from ..body import B, Body, S
from ..identifiers import Kind
from ..lookup_tables import structural_key, table_lookup
from .algebra import Bitset, BitsetAlgebra, NotExpressible, ValueCases
from .nonempty_sets import MOST_UNROLLED, search_finds_something
from .nonempty_sets import write_nonempty as filled_words
from .rays import write_ray_bitset
from .semijoins import Semijoin, plan_semijoin, write_semijoin
from .state_maps import MOST_CASES, MapLookup, Relation, each_alone

MOST_OPERATIONS = 1200
"""Maximum number of operations on words for one condition."""
MOST_PAIRS = 1 << 13
"""Maximum number of pairs for which a relation between two types is computed."""
FEW_STEPS = 4
"""Both sides of a branch are computed, without branching, if that takes at most this many statements."""
PER_VALUE = 30
"""Additional operations allowed for each value of the type past the second; above that a loop is better."""


def nonempty_bitset(w: Body, of: Scalar, e: n.Expr, env: Env) -> Bitset | None:
    """The words of the values of a type, bound as lanes, for which a set is not empty; None if not
    expressible."""
    return _write_bitset(w, of, lambda maker: filled_words(maker, e, env))


def condition_bitset(w: Body, of: Scalar, e: n.Expr, env: Env, most: int = MOST_OPERATIONS) -> Bitset | None:
    """The words of the values of a type, bound as lanes, for which a condition holds.

    None if bit sets cannot express it within `most` operations. Bits that represent no value may be anything.
    """
    return _write_bitset(w, of, lambda maker: maker.mask(e, env), most)


def _write_bitset(
    w: Body, of: Scalar, made: Callable[[BitsetWriter], Bitset], most: int = MOST_OPERATIONS
) -> Bitset | None:
    """Bit set that `made` gives, a lane for each value; None if it cannot be expressed or takes too much."""
    if w.program.lanes(of) is None:
        return None
    plans = dict(w.plans)
    with w.aside() as body:
        try:
            found = made(BitsetWriter(w, of, most))
        except NotExpressible:
            w.plans = plans
            return None
    w.body += body
    return found


LANE = n.Var("lane", BOOL)
"""The name of the lane."""


class DerivedValues(NamedTuple):
    """Values computed from the values of a map; `blank` is the result for no value."""

    lookup: MapLookup
    values: dict[Value, list[Value]]
    """For each result, the values of the map that lead to it."""
    blank: list[Value]


class BitsetWriter(BitsetAlgebra):
    """Writes conditions as bit sets."""

    def __init__(self, w: Body, of: Scalar, most: int = MOST_OPERATIONS) -> None:
        most = min(most, max(PER_VALUE // 2, PER_VALUE * (len(of.values) - 2)))
        super().__init__(w, of, most)

    # ---- what depends on the lane

    def varies(self, e: n.Expr, env: Env) -> bool:
        """True if an expression depends on the lane."""
        return any(self._bound_varies(env[var]) for var in self.w.program.free(e))

    def _bound_varies(self, bound: Binding) -> bool:
        if isinstance(bound, Macro):
            return self.varies(bound.body, bound.env)
        return isinstance(bound, EachValue)

    def fixed(self, e: n.Expr, env: Env) -> Sequence[Value] | None:
        """The value of an expression for each value of the lane; None if it also depends on anything else."""
        key = self._dependence(e, env)
        return None if key is None else self._column(key, e, env)

    def _dependence(self, e: n.Expr, env: Env) -> Hashable | None:
        """A key of an expression with its free names; None unless these are the lane or constants."""
        if self.w.program.reads_state(e):
            return None
        key: list[Hashable] = [e]
        for var in self.w.program.free(e):
            bound = env[var]
            if isinstance(bound, Val):
                return None
            part = bound.value if isinstance(bound, Known) else EachValue
            if isinstance(bound, Macro):
                part = self._dependence(bound.body, bound.env)
                if part is None:
                    return None
            key.append(part)
        return tuple(key)

    def _column(self, key: Hashable, e: n.Expr, env: Env) -> Sequence[Value]:
        """The value of an expression in each lane, if known when code is written."""
        program = self.w.program
        if (key, self.of) not in program.columns:
            columns: dict[Name, Sequence[Value]] = {var: self._values(env[var]) for var in program.free(e)}
            alike = structural_key(e, {var: tuple(values) for var, values in columns.items()}), self.of
            axes = [{**columns, LANE: self.of.values}]
            program.columns[key, self.of] = program.static_values(alike, e, axes, {})
        return program.columns[key, self.of]

    def _values(self, bound: Binding) -> Sequence[Value]:
        """The values of a local name, one for each value of the lane."""
        if isinstance(bound, Known):
            return [bound.value] * len(self.of.values)
        if isinstance(bound, Macro):
            fixed = self.fixed(bound.body, bound.env)
            assert fixed is not None
            return fixed
        return self.of.values

    # ---- conditions

    def mask(self, e: n.Expr, env: Env) -> Bitset:
        """The bit set of the lanes in which a condition holds. Raises NotExpressible."""
        if not self.varies(e, env):
            known = self.w.known(e, env)
            if known is not None:
                return self.all(bool(known.value))
            held = self.w.atom(self.w.cond(e, env), "holds")
            return tuple(choose(held, yes, ZERO) for yes in self.all(True))
        found = self.fixed(e, env)
        if found is not None:
            return self.known(x for x, held in zip(self.of.values, found, strict=True) if held)
        handler = _MASKS.get(type(e))
        table = None if handler in (BitsetWriter._junction, BitsetWriter._not) else self.table(e, env)
        if table is not None:
            return table
        if handler is not None:
            return handler(self, e, env)
        if isinstance(e, n.Read | n.Field | n.Local | n.Otherwise | n.Narrow):
            return self.either(*(words for value, words in self.cases(e, env) if value))
        raise NotExpressible

    def table(self, e: n.Expr, env: Env) -> Bitset | None:
        """The bit set of a condition, looked up as a row of a table; None if there is no such table."""
        names = [var for var in self.w.program.free(e) if isinstance(env[var], EachValue)]
        if len(names) != 1:
            return None
        of = names[0].type
        assert isinstance(of, Scalar)
        chosen = n.Select(Set(of), names[0], n.Domain(Set(of), of), e)
        found = table_lookup(self.w, chosen, env)
        return self.w.widened(found.parts, self.size) if found else None

    def _not(self, e: n.Not, env: Env) -> Bitset:
        return self.inverted(self.mask(e.item, env))

    def _junction(self, e: n.And, env: Env) -> Bitset:
        """Bit set of `and` or `or`; static operands come first and limit the lanes of the rest."""
        both, before = not isinstance(e, n.Or), self.cared
        items: Sequence[n.Expr] = [*conjuncts(e)] if both else e.items
        parts: list[Bitset] = []
        plan = plan_semijoin(self, items, env) if both else None
        if plan is not None:
            parts, items = [self._semijoin(e, plan, env)], plan.others
        for item in sorted(items, key=lambda item: self._dependence(item, env) is None):
            parts.append(self.mask(item, env))
            for x, held in zip(self.of.values, self.fixed(item, env) or (), strict=False):
                if held is not both:
                    self.cared = self.cared - {x}
        self.cared = before
        return self.both(*parts) if both else self.either(*parts)

    def _semijoin(self, e: n.Expr, plan: Semijoin, env: Env) -> Bitset:
        """Bit set of the conditions of a semijoin, computed once for a state if it is independent of the
        rest."""
        w = self.w

        def mask(w: Body, of: Scalar, e: n.Expr, env: Env) -> Bitset:
            return BitsetWriter(w, of).mask(e, env)

        if w.program.free(plan.joined) != {plan.key}:
            return write_semijoin(w, plan, self.size, env, mask)
        key = e, self.of
        if key not in w.functions.semijoins:
            inner = Body(w.program, w.functions, steady=True)
            inner.give(*write_semijoin(inner, plan, self.size, {}, mask))
            first = plan.first
            meaning = (
                f"semijoin: the {self.of} whose first {first.keys} in `{first.var.name}` fulfils conditions"
            )
            name = w.functions.semijoins[key] = w.program.name(Kind.DEFINITION, first.var.name, meaning)
            w.functions.add(name, [S, B], inner, *[f.WORD] * self.size, once=())
        held = w.names(Set(self.of), "found")
        w.results(held, w.functions.semijoins[key], S, B)
        return held

    def _if(self, e: n.If, env: Env) -> Bitset:
        known = self.w.known(e.cond, env)
        if known is not None:
            return self.mask(e.then if known.value else e.otherwise, env)
        if not self.varies(e.cond, env):
            return self._branches(e, env)
        cond = self.mask(e.cond, env)
        if cond == self.all(True) or cond == self.all(False):
            return self.mask(e.then if cond == self.all(True) else e.otherwise, env)
        cond = self.named(cond)
        other = self.both(self.inverted(cond), self.mask(e.otherwise, env))
        return self.either(self.both(cond, self.mask(e.then, env)), other)

    def _branches(self, e: n.If, env: Env) -> Bitset:
        """The bit set of an `if` with equal conditions in all lanes; long branches run only if chosen."""
        w, sides, planes = self.w, [], self.planes
        for item in (e.then, e.otherwise):
            self.planes = dict(planes)
            with w.aside() as body:
                sides.append((body, self.mask(item, env)))
        self.planes = planes
        cond, steps = w.cond(e.cond, env), [x for body, _ in sides for x in body]
        if len(steps) <= FEW_STEPS and not any(isinstance(x, f.While | f.For) for x in steps):
            held = w.atom(cond, "holds")
            w.body += steps
            return tuple(choose(held, a, b) for a, b in zip(sides[0][1], sides[1][1], strict=True))
        names = tuple(w.name("either", f.WORD) for _ in range(self.size))
        for body, words in sides:
            body += [f.Set(name.name, e) for name, e in zip(names, words, strict=True)]
        w.body.append(f.If(cond, *(tuple(body) for body, _ in sides)))
        return names

    def bound(self, e: n.Expr, env: Env) -> Binding:
        """Binding of a local name to an expression."""
        known = self.w.known(e, env)
        if known is not None:
            return known
        if isinstance(e, n.Local) and isinstance(env[e.var], EachValue):
            return env[e.var]
        return Macro(e, env) if self.varies(e, env) else self.w.atoms(self.w.value(e, env))

    def _any_value(self, bound: Binding, of: Scalar) -> Binding:
        """A copy of a binding, with none replaced by an arbitrary value of a type."""
        if not isinstance(bound, Val) or not bound.none:
            return bound
        some = choose(equal(bound.expr, NONE), self.w.codes.codes(of)[0], bound.expr)
        return self.w.atoms(Val(of, (some,)))

    def _let(self, e: n.Let, env: Env) -> Bitset:
        return self.within(e, env, self.mask)

    def within(self, e: n.Let, env: Env, made: Callable[[n.Expr, Env], Bitset]) -> Bitset:
        """Bind a local name, then call `made` on the expression's body and return its bit set."""
        if isinstance(e.value, n.First) and self.varies(e.value, env):
            return write_ray_bitset(self, e, env, made)
        return made(e.body, {**env, e.var: self.bound(e.value, env)})

    def _call(self, e: n.Call, env: Env) -> Bitset:
        plan = plan_semijoin(self, (e,), env)
        return self._semijoin(e, plan, env) if plan else self.called(e, env, self.mask)

    def called(self, e: n.Call, env: Env, made: Callable[[n.Expr, Env], Bitset]) -> Bitset:
        """Inline a definition: the bit set that `made` builds for its body, restricted to lanes where all
        arguments fit.

        Raises NotExpressible.
        """
        if e.function.falling is not None:
            raise NotExpressible
        there: list[Bitset] = []
        inner: dict[n.Var, Binding] = {}
        for param, arg in zip(e.function.params, e.args, strict=True):
            if isinstance(param.type, Scalar) and not fits(arg.type, param.type):
                narrowed = n.Narrow(Optional(param.type), arg, param.type)
                there.append(self._not(n.Not(BOOL, n.IsNone(BOOL, narrowed)), env))
                inner[param] = self._any_value(self.bound(narrowed, env), param.type)
                continue
            if isinstance(param.type, Optional) and not fits(arg.type, param.type):
                raise NotExpressible
            inner[param] = self.bound(arg, env)
        return self.both(*there, made(e.function.body, inner))

    def quantified(self, e: n.Any, env: Env) -> Bitset:
        """Bit set of `some` or `every` over a constant source: the bit sets of its elements, joined.

        Raises NotExpressible.
        """
        source = self.w.known(e.source, env)
        if source is None:
            return self._parts(e, env)
        if len(source.value) > MOST_UNROLLED:
            raise NotExpressible
        bodies = [self.mask(e.body, {**env, e.var: Known(v)}) for v in sorted(source.value)]
        return self.both(*bodies) if isinstance(e, n.All) else self.either(*bodies)

    def _parts(self, e: n.Any, env: Env) -> Bitset:
        """Bit set of `some` or `every` over a set that depends on the lane. Raises NotExpressible."""
        of = e.source.type.of  # type: ignore[attr-defined]
        if not isinstance(e.source.type, Set) or of is None or self.w.program.lanes(of) is None:
            raise NotExpressible
        if not self.varies(e.source, env):
            return self._relation(e, of, env)
        if self.varies(e.body, {**env, e.var: Known(of.values[0])}):
            raise NotExpressible
        parts = self.fixed(e.source, env)
        if parts is None:
            raise NotExpressible
        words = BitsetWriter(self.w, of).mask(e.body, {**env, e.var: EachValue()})
        every = isinstance(e, n.All)
        cared = [part if x in self.cared else () for x, part in zip(self.of.values, parts, strict=True)]
        found = Relation(self, cared, of).preimage(self.inverted(words) if every else words)
        return self.inverted(found) if every else found

    def _relation(self, e: n.Any, of: Scalar, env: Env) -> Bitset:
        """Bit set of `some` or `every` over one set for all lanes, if the rules alone relate elements to
        lanes."""
        if len(of.values) * len(self.of.values) > MOST_PAIRS:
            raise NotExpressible
        every = isinstance(e, n.All)
        body = n.Not(BOOL, e.body) if every else e.body
        parts = self.fixed(n.Select(Set(of), e.var, n.Domain(Set(of), of), body), env)
        if parts is None:
            raise NotExpressible
        words = self.w.widened(self.w.value(e.source, env).parts, self.w.codes.words(of))
        found = Relation(self, parts, of).preimage(words)
        return self.inverted(found) if every else found

    def _is_none(self, e: n.IsNone, env: Env) -> Bitset:
        """Bit set of the lanes in which an expression is none."""
        found = search_finds_something(e.item)
        if found is not None:
            return self.inverted(self.mask(found, env))
        lookup = self.lookup(e.item, env)
        if lookup is not None:
            return self.inverted(self.named(lookup.some()))
        return self.either(*(words for value, words in self.cases(e.item, env) if value is None))

    def _equal(self, e: n.Equal, env: Env) -> Bitset:
        """Bit set of an equation. Raises NotExpressible."""
        if scalar_of(e.a.type) is None and scalar_of(e.b.type) is None:
            raise NotExpressible
        if isinstance(e.a, n.Size) and isinstance(e.b, n.Const) and e.b.value == 0:
            return self.inverted(filled_words(self, e.a.item, env))
        a, b = (e.a, e.b) if self.varies(e.a, env) else (e.b, e.a)
        if not self.varies(b, env):
            known, seen = self.w.known(b, env), self.seen(a, env)
            if known is None:
                return self._by_value_of(e, b, env) or self._is_value(a, b, env)
            if seen is not None and known.value not in seen.blank:
                return seen.lookup.holding(seen.values.get(known.value, []))
        return self._related(a, b, env, lambda x, y: bool(x == y))

    def _less(self, e: n.Less, env: Env) -> Bitset:
        strictly = isinstance(e, n.Less)
        below = self.varies(e.a, env)
        item, other = (e.a, e.b) if below else (e.b, e.a)
        lookup = None if self.varies(other, env) else self.lookup(item, env)
        if lookup is not None and lookup.is_of_numbers:
            known = self.w.known(other, env)
            if known is not None and type(known.value) is int:
                return lookup.among(known.value, below, strictly)
            val = self.w.atoms(self.w.value(other, env))
            if known is None and not val.none:
                return lookup.compared(val.expr, below, strictly)

        if not self.varies(other, env) and (found := self._by_value_of(e, other, env)):
            return found

        def before(x: Value, y: Value) -> bool:
            return x is not None and y is not None and bool(x < y if strictly else x <= y)

        return self._related(e.a, e.b, env, before)

    def _by_value_of(self, e: n.Equal | n.Less, bound: n.Expr, env: Env) -> Bitset | None:
        """Lanes whose static value compares as required with a scalar that is the same in every lane.

        An index leads from the scalar to the lanes. None if the lanes' value is not static, or the scalar is
        constant.
        """
        if self.w.known(bound, env) is not None:
            return None
        if self.fixed(e.a if e.b is bound else e.b, env) is None or scalar_of(bound.type) is None:
            return None
        x = n.Var("bound", bound.type)
        held = n.Local(x.type, x)
        a, b = (held if side is bound else side for side in (e.a, e.b))
        found = self.table(type(e)(e.type, a, b), {**env, x: self.w.atoms(self.w.value(bound, env))})
        self.w.plans |= {"index range": None} if found else {}
        return found

    def _related(self, a: n.Expr, b: n.Expr, env: Env, holds: Callable[[Value, Value], bool]) -> Bitset:
        """Bit set of the lanes in which some pair of cases is related."""
        firsts, seconds = self.cases(a, env), self.cases(b, env)
        found = []
        for x, first in firsts:
            partners = [second for y, second in seconds if holds(x, y)]
            if partners:
                found.append(self.both(first, self.either(*partners)))
        return self.either(*found)

    def _is_value(self, a: n.Expr, b: n.Expr, env: Env) -> Bitset:
        """Lanes in which an expression equals a scalar that is the same in every lane."""
        val = self.w.atoms(self.w.value(b, env))
        lookup = self.lookup(a, env)
        if lookup is not None and not val.none:
            return lookup.equal_to(val)
        scalar = scalar_of(b.type)
        assert scalar is not None
        possible = {*scalar.values, None} if val.none else set(scalar.values)
        seen = self.seen(a, env)
        if seen is not None and not possible & set(seen.blank):
            self.spend(len(seen.lookup.of.values))
            by_value = [(value, seen.lookup.planes(read)) for value, read in seen.values.items()]
            chosen = self._by_value(a.type, [x for x in by_value if x[0] in possible], val, len(possible))
            return seen.lookup.relation.preimage(self.named(chosen))
        cases = [(value, words) for value, words in self.cases(a, env) if value in possible]
        return self._by_value(a.type, cases, val, len(possible))

    def _by_value(self, t: Type, cases: ValueCases, val: Val, possible: int) -> Bitset:
        """The bit set of the case selected by a value among the possible ones."""
        # Where the cases are all there are, the last needs no test.
        size = len(cases[0][1]) if cases else self.size
        found = (ZERO,) * size if len(cases) < possible or not cases else cases.pop()[1]
        self.spend(len(cases))
        for value, words in cases:
            here = equal(val.expr, self.w.constant(t, value).expr)
            found = tuple(choose(here, a, b) for a, b in zip(words, found, strict=True))
        return found

    def seen(self, e: n.Expr, env: Env) -> DerivedValues | None:
        """An expression that depends on a map's value at a place given by each lane; None for others."""
        lookup = self.lookup(e, env)
        if lookup is not None:
            return DerivedValues(lookup, {v: [v] for v in lookup.of.values}, [e.type.nothing])
        if isinstance(e, n.Local) and isinstance(bound := env[e.var], Macro):
            return self.seen(bound.body, bound.env)
        if not isinstance(e, n.Field) or (of := self.seen(e.item, env)) is None:
            return None
        values: dict[Value, list[Value]] = {}
        for value, read in of.values.items():
            values.setdefault(value[e.position], []).extend(read)
        return DerivedValues(of.lookup, values, [e.type.nothing])

    def _member(self, e: n.Member, env: Env) -> Bitset:
        """Bit set of a membership in a set that is the same in all lanes. Raises NotExpressible."""
        if not isinstance(e.of.type, Set):
            raise NotExpressible
        if self.varies(e.of, env):
            raise NotExpressible
        held = self.w.known(e.of, env)
        places = self.fixed(e.item, env)
        if places is None:
            if held is None:
                raise NotExpressible
            return self.either(*(words for v, words in self.cases(e.item, env) if v in held.value))
        if e.of.type.of is None:
            return self.all(False)
        val = self.w.atoms(self.w.value(e.of, env))
        return Relation(self, each_alone(places), e.of.type.of).preimage(val.parts)

    # ---- values, split by what they are

    def cases(self, e: n.Expr, env: Env) -> ValueCases:
        """The values that an expression can take, each with the words of the lanes in which it does.

        Raises NotExpressible.
        """
        if not self.varies(e, env):
            known = self.w.known(e, env)
            if known is None:
                raise NotExpressible
            return [(known.value, self.all(True))]
        fixed = self.fixed(e, env)
        if fixed is not None:
            return self._group([(v, self.known([x])) for x, v in zip(self.of.values, fixed, strict=True)])
        if isinstance(e, n.Local):
            bound = env[e.var]
            assert isinstance(bound, Macro)
            return self.cases(bound.body, bound.env)
        if isinstance(e, n.Field):
            of = self.cases(e.item, env)
            return self._group([(e.type.nothing if v is None else v[e.position], words) for v, words in of])
        if isinstance(e, n.Narrow):
            held = self.cases(e.item, env)
            return self._group([(v if v is not None and v in e.into else None, words) for v, words in held])
        if isinstance(e, n.If):
            cond = self.named(self.mask(e.cond, env))
            other = self.inverted(cond)
            first = [(v, self.both(words, cond)) for v, words in self.cases(e.then, env)]
            second = [(v, self.both(words, other)) for v, words in self.cases(e.otherwise, env)]
            return self._group([*first, *second])
        if isinstance(e, n.Call):
            return self._cases_of_call(e, env)
        lookup = self.lookup(e, env)
        if lookup is None:
            raise NotExpressible
        return lookup.cases()

    def _cases_of_call(self, e: n.Call, env: Env) -> ValueCases:
        """The cases of a call of a definition."""
        found: ValueCases = []

        def made(body: n.Expr, inner: Env) -> Bitset:
            found.extend(self.cases(body, inner))
            return self.all(True)

        there = self.named(self.called(e, env, made))
        fitting = [(v, self.both(there, words)) for v, words in found]
        return self._group([*fitting, (e.function.result.nothing, self.inverted(there))])

    def _group(self, cases: ValueCases) -> ValueCases:
        found: dict[Value, list[Bitset]] = {}
        for value, words in cases:
            found.setdefault(value, []).append(words)
        if len(found) > MOST_CASES:
            raise NotExpressible
        return [(value, self.together(parts)) for value, parts in found.items()]

    def lookup(self, e: n.Expr, env: Env) -> MapLookup | None:
        """A map of the state read at a place computed from the lane; None for other expressions."""
        if isinstance(e, n.Local):
            bound = env[e.var]
            return self.lookup(bound.body, bound.env) if isinstance(bound, Macro) else None
        if not isinstance(e, n.Read) or not isinstance(e.map, n.Get):
            return None
        places = self.fixed(e.key, env)
        if places is None or not self.w.program.has_inverse(e.map.var):
            return None
        return MapLookup(self, e.map.var, places)


_MASKS: dict[type[n.Expr], Callable[..., Bitset]] = {
    n.Not: BitsetWriter._not,
    n.And: BitsetWriter._junction,
    n.Or: BitsetWriter._junction,
    n.If: BitsetWriter._if,
    n.Let: BitsetWriter._let,
    n.Call: BitsetWriter._call,
    n.All: BitsetWriter.quantified,
    n.Any: BitsetWriter.quantified,
    n.IsNone: BitsetWriter._is_none,
    n.Equal: BitsetWriter._equal,
    n.Less: BitsetWriter._less,
    n.AtMost: BitsetWriter._less,
    n.Member: BitsetWriter._member,
}
