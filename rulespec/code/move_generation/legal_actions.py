"""Legal actions as code: loops over the choices, each condition tested as soon as its choices are made.

Conditions on one choice become words of the values for which they hold, computed before the loops if they
depend on no other choice.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Sequence
from dataclasses import dataclass, replace

from ...core import nodes as n
from ...core.context import Context
from ...core.evaluate import evaluate, in_order
from ...core.game import Action, Chain, Choice
from ...core.traversal import conjuncts, nodes_within, rebuild
from ...core.types import BOOL, List, Scalar, Set
from ...machine import form as f
from ...machine.builder import (
    ZERO,
    choose,
    compare,
    intersection,
    load,
    negation,
    number,
    plus,
    times,
    union,
    word,
)
from ..bindings import Conds, EachValue, Env, Known, Macro, Val
from ..bitsets.algebra import Bitset
from ..bitsets.conditions import nonempty_bitset
from ..body import B, Body, S
from ..codes import TooLarge
from ..common_subexpressions import SharedConditions
from ..lookup_tables import structural_key
from ..loops import ElementSearch, add_scalar, elements, empty_bitset, plan_search
from ..operators.plain import fitted
from .distance_pairs import MOST_DISTANCES, distance_cases, is_distance_pair, legal_firsts
from .filtering import filter_elements
from .products import MOST_CLASSES, ChoiceProduct

ASKING = 10_000
"""Estimated cost of a test that an action is legal, or of a condition after one."""
CALLING = 20
"""Estimated cost of a call of a definition."""
FEW = 8
"""A choice of at most this many values is unrolled, if that helps."""


@dataclass(frozen=True)
class _Guard:
    condition: n.Expr
    reads: tuple[n.Var, ...]


Found = Callable[[Env], None]
FoundAll = Callable[[Env, n.Var, tuple[f.Expr, ...]], None]
FoundPairs = Callable[[Sequence[Bitset], f.Expr], None]
FoundProduct = Callable[[ChoiceProduct, Sequence[f.Expr], Sequence[Sequence[f.Expr]]], None]
FoundIf = Callable[[Env, f.Expr], None]


def estimated_cost(e: n.Expr, counted: Container[str]) -> int:
    """Estimated cost of evaluating an expression once the actions `counted` have been counted."""
    total = 0
    for node in nodes_within(e):
        if isinstance(node, n.Can):
            total += 1 if node.action in counted and not node.args else ASKING
        elif isinstance(node, n.After):
            total += ASKING
        else:
            total += CALLING if isinstance(node, n.Call) else 1
    return total


class LegalActions:
    """Writes the loops over the choices of one action; `found` writes the code for a legal one.

    `found_all` does so for all values of one choice at once, given as words (if those are to be `answered`,
    only if words express every condition), `found_pairs` for two choices, given as words of the first for
    each distance to the second, `found_product` for two choices that depend on one another by classes alone,
    `found_if` for an action that is legal if a further condition holds.
    """

    def __init__(
        self,
        w: Body,
        action: Action,
        given: Sequence[Val],
        found: Found,
        found_all: FoundAll | None = None,
        found_if: FoundIf | None = None,
        found_pairs: FoundPairs | None = None,
        found_product: FoundProduct | None = None,
        sharing: SharedConditions | None = None,
        answered: bool = False,
    ) -> None:
        self.sharing, self.answered = sharing, answered
        self.w, self.action, self.given = w, action, given
        self.found, self.found_all, self.found_if, self.found_pairs = found, found_all, found_if, found_pairs
        self.found_product = found_product
        made = [choice.var for choice in action.choices]
        conditions = [r.condition for r in action.requirements]
        conditions += [choice.where for choice in action.choices if choice.where is not None]
        self.guards: list[list[_Guard]] = [[] for _ in range(len(made) + 1)]
        for condition in (part for whole in conditions for part in conjuncts(whole)):
            reads = tuple(var for var in made if var in w.program.free(condition))
            self.guards[made.index(reads[-1]) + 1 if reads else 0].append(_Guard(condition, reads))
        for guards in self.guards:
            guards.sort(key=lambda guard: estimated_cost(guard.condition, w.counts))
        self.ready: dict[int, tuple[f.Expr, ...]] = {}

    def write(self) -> None:
        """Write the whole search for legal actions."""
        depth = self.w.depth
        for guard in self.guards[0]:
            self.w.under(self.w.cond(guard.condition, {}))
        for k in range(len(self.given) + 1, len(self.action.choices)):
            self._ready(k)
        self._choose(0, {})
        self.w.back(depth)

    def _ready(self, k: int) -> None:
        """Compute the values of a choice in advance if no earlier choice matters."""
        choice = self.action.choices[k]
        of = choice.source.type.of  # type: ignore[attr-defined]
        if choice.chain or of is None or self.w.program.lanes(of) is None:
            return
        if self.w.program.free(choice.source):
            return
        own: Conds = [(choice.var, g.condition) for g in self.guards[k + 1] if g.reads == (choice.var,)]
        if own or self.w.known(choice.source, {}) is None:
            looked, env = self._plan_choice(choice.source, own, {})
            self.ready[k] = filter_elements(self.w, choice.var, looked, of, env)

    def _choose(self, k: int, env: Env) -> None:
        """Write the loops from choice `k` on, in the fastest form that applies."""
        choices = self.action.choices
        if k == len(choices):
            self.found(env)
        elif k < len(self.given):
            self._is(k, env)
        elif choices[k].chain:
            self._chain(k, choices[k], env)
        elif not self._write_pairs(k, env) and not self._write_product(k) and not self._write_swapped(k, env):
            self._each(k, choices[k], env)

    def _is(self, k: int, env: Env) -> None:
        """Write the test for a choice whose value is given. Raises TooLarge."""
        choice = self.action.choices[k]
        if choice.chain:
            raise TooLarge(f"`can {self.action.id}` is asked of a list that is given")
        member = n.Member(BOOL, n.Local(choice.var.type, choice.var), choice.source)
        inner = {**env, choice.var: self.given[k]}
        self.w.under(self.w.cond(member, inner))
        for guard in self.guards[k + 1]:
            self.w.under(self.w.cond(guard.condition, inner))
        self._choose(k + 1, inner)

    def _each(self, k: int, choice: Choice, env: Env) -> None:
        """Write a loop over the values of a choice, with its guards."""
        source = choice.source
        guards = self.guards[k + 1]
        if k in self.ready:
            held = n.Var("ready", Set(source.type.of))  # type: ignore[attr-defined]
            env = {**env, held: Val(held.type, self.ready[k])}
            source = n.Local(held.type, held)
            guards = [guard for guard in guards if guard.reads != (choice.var,)]
        if isinstance(source.type, List):
            names = empty_bitset(self.w, Set(source.type.of), "listed")
            with elements(self.w, choice.var, source, env) as x:
                add_scalar(self.w, names, x.type, x)  # type: ignore[arg-type]
            held = n.Var("listed", Set(source.type.of))
            env = {**env, held: Val(held.type, tuple(names))}
            source = n.Local(held.type, held)
        conds: Conds = [(choice.var, guard.condition) for guard in guards]
        looked, env = self._plan_choice(source, conds, env)
        of = looked.source.type.of  # type: ignore[attr-defined]
        last = k + 1 == len(self.action.choices) and isinstance(looked.source.type, Set) and of is not None
        last = last and (not self.answered or (looked.words is not None and not looked.rest))
        if last and self.found_all is not None and self.w.program.lanes(of) is not None:
            self.found_all(env, choice.var, filter_elements(self.w, choice.var, looked, of, env))
            return
        last = k + 1 == len(self.action.choices)
        if last and self.found_if is not None and looked.rest and not _is_predictable(*looked.rest[-1]):
            looked, (var, cond) = replace(looked, rest=looked.rest[:-1]), looked.rest[-1]
            with elements(self.w, choice.var, looked, env) as x:
                self.found_if({**env, choice.var: x}, self.w.value(cond, {**env, var: x}).expr)
            return
        with elements(self.w, choice.var, looked, env) as x:
            self._choose(k + 1, {**env, choice.var: x})

    def _plan_choice(self, source: n.Expr, conds: Conds, env: Env) -> tuple[ElementSearch, Env]:
        """Plan a search for the values of a choice, using sets that several actions share."""
        if self.sharing is None:
            return plan_search(self.w, source, conds, env), env
        conds, env = self.sharing.together(self.w, conds, env)
        looked = plan_search(self.w, source, conds, env)
        shared = self.sharing.asked(self.w, looked.rest, env)
        if not shared:
            return looked, env
        sets, env = shared
        return plan_search(self.w, source, [(var, sets.get(cond, cond)) for var, cond in conds], env), env

    def _write_swapped(self, k: int, env: Env) -> bool:
        """Write the last two choices in reverse order, if words can then express every condition.

        The last one has few static values: for each of them all values of the one before are found at once.
        Otherwise write nothing and return False.
        """
        w, choices = self.w, self.action.choices
        if k + 2 != len(choices) or choices[k + 1].chain or self.ready:
            return False
        last = choices[k + 1]
        known = None if w.program.free(last.source) else w.known(last.source, {})
        if known is None or len(known.value) > FEW or not isinstance(choices[k].source.type, Set):
            return False
        var = choices[k].var
        conds: Conds = [(var, guard.condition) for guard in (*self.guards[k + 1], *self.guards[k + 2])]
        with w.aside() as body:
            for value in in_order(last.source.type, known.value):
                inner = {**env, last.var: Known(value)}
                looked = plan_search(w, choices[k].source, conds, inner)
                if looked.words is None or looked.rest:
                    return False
                constant = {**inner, last.var: w.constant(last.var.type, value)}
                if self.found_all is not None:
                    self.found_all(constant, var, looked.words)
                    continue
                with elements(w, var, looked, inner) as x:
                    self._choose(k + 2, {**constant, var: x})
        w.body += body
        return True

    def _write_pairs(self, k: int, env: Env) -> bool:
        """Write two choices together, the second at a few distances from the first.

        Otherwise write nothing and return False.
        """
        w, pair = self.w, self.action.choices[k:]
        if self.found_pairs is None or k or self.ready or not is_distance_pair(w.program, pair):
            return False
        conds = [guard.condition for guard in (*self.guards[1], *self.guards[2])]
        cases = distance_cases(w.program, *pair)
        if not cases:
            return False
        with w.aside() as body:
            t = Set(pair[0].source.type.of)  # type: ignore[attr-defined]
            words = [empty_bitset(w, t, "along") for _ in range(MOST_DISTANCES)]
            steps = w.named("steps", ZERO)
            for case in cases:
                with w.when(w.cond(case.condition, env)):
                    held = legal_firsts(w, case, pair, conds, env)
                    if held is None:
                        return False
                    for names, found in zip(words, held, strict=False):
                        w.assign(names, Val(t, found))
                    w.set(steps, f.Const(f.WORD, case.steps))
        w.body += body
        self.found_pairs([tuple(names) for names in words], steps)
        return True

    def _write_product(self, k: int) -> bool:
        """Write two choices separately, if the first determines the second only by classes that are static.

        Otherwise write nothing and return False.
        """
        w, choices = self.w, self.action.choices
        if self.found_product is None or k or len(choices) != 2 or any(choice.chain for choice in choices):
            return False
        (first, of), (second, other) = ((x, x.source.type.of) for x in choices)  # type: ignore[attr-defined]
        together = tuple(guard.condition for guard in self.guards[2] if len(guard.reads) == 2)
        free = (*w.program.free(first.source), *w.program.free(second.source))
        if free or any(map(w.program.reads_state, together)) or not (of and other) or 1 not in self.ready:
            return False
        if w.program.lanes(of) is None or w.program.lanes(other) is None:
            return False
        every = n.Select(Set(other), second.var, n.Domain(Set(other), other), n.And(BOOL, together))
        allowed = w.program.static.values(every, [{first.var: of.values}])
        classes = [*dict.fromkeys(allowed)]
        if len(classes) > MOST_CLASSES:
            return False
        looked, env = self._plan_choice(first.source, [(first.var, x.condition) for x in self.guards[1]], {})
        firsts = filter_elements(w, first.var, looked, of, env)
        masks = [map(word, w.codes.mask(other, held)) for held in classes]
        seconds = [tuple(map(intersection, self.ready[1], mask)) for mask in masks]
        product = ChoiceProduct(w.program, of, other, [classes.index(held) for held in allowed])
        self.found_product(product, firsts, seconds)
        return True

    def _chain(self, k: int, choice: Choice, env: Env) -> None:
        """Extend a list depth first; for each length the elements that may follow are kept as words."""
        w, chain = self.w, choice.chain
        assert chain is not None
        of, cap = chain.step.type, chain.type.cap
        assert isinstance(of, Scalar)
        each = w.codes.words(of)
        path, kept = w.slot(List(of, cap)), w.program.room("b", each * (cap + 1))
        steps = w.fresh(fitted(w, Set(of), _choice_set(w, choice, env)), "steps")
        length = w.named("length", 0)
        env = {**env, choice.var: Val(chain.type, (number(path), length))}
        first = [kept + i for i in range(each)]
        begun = self._next(chain, chain.where, steps, {**env, choice.var: Known(())})
        for at, e in zip(first, begun, strict=True):
            w.store(B, at, e)
        further = growth_condition(chain.where, choice.var)
        self._hopeful(k, chain, further, env, first)
        with w.repeat(compare(">=", length, 0)):
            places = [plus(times(length, each), at) for at in first]
            left = [w.named("left", load(B, place)) for place in places]
            with w.when(compare("==", union(*left), 0)):
                w.add(length, -1)
                w.next()
            x = w.name(chain.step)
            w.lowest(left, x, w.codes.base(of))
            room = kept, each * (cap + 1)
            for held, place in zip(left, places, strict=True):
                w.store(B, place, held, room)
            w.store(S, plus(path, length), x, (path, cap))
            w.add(length, 1)
            found = self._next(chain, further, steps, env)
            for place, e in zip(places, found, strict=True):
                w.store(B, place, choose(compare("<", length, cap), e, ZERO), room)
            for guard in self.guards[k + 1]:
                ends = self._is_end(choice, guard, further)
                with w.when(union(*found) if ends else negation(w.cond(guard.condition, env))):
                    w.next()
            self._choose(k + 1, env)

    def _hopeful(self, k: int, chain: Chain, further: n.Expr, env: Env, places: Sequence[int]) -> None:
        """Drop first elements that cannot be extended, when no list of one element is legal."""
        w, of = self.w, chain.step.type
        var = self.action.choices[k].var
        assert isinstance(of, Scalar)
        alone = [
            guard.condition
            for guard in self.guards[k + 1]
            if guard.reads == (var,) and not w.program.reads_state(guard.condition)
        ]
        ever = any(all(evaluate(e, {var: (x,)}, Context()) for e in alone) for x in of.values)
        if ever or not isinstance(further, n.Member) or chain.step in w.program.free(further.of):
            return
        first = n.Var("first", of)
        single = Macro(n.ListOf(chain.type, (n.Local(of, first),)), {first: EachValue()})
        words = nonempty_bitset(w, of, further.of, {**env, var: single, first: EachValue()})
        for place, e in zip(places, words or (), strict=False):
            w.store(B, place, intersection(load(B, place), e))

    def _is_end(self, choice: Choice, guard: _Guard, further: n.Expr) -> bool:
        """True if a condition requires that the set from which further elements come is empty."""
        e, program = guard.condition, self.w.program
        match e, further:
            case n.Equal(_, n.Size(_, ends), n.Const(_, 0)), n.Member(_, n.Local(), among):
                alone = set(program.free(ends)) == set(program.free(among)) == {choice.var}
                return (
                    alone
                    and isinstance(choice.source, n.Domain)
                    and structural_key(ends, {}) == structural_key(among, {})
                )
        return False

    def _next(self, chain: Chain, where: n.Expr, steps: Val, env: Env) -> tuple[f.Expr, ...]:
        """Write code for the set of elements that may follow the list so far; returns its words."""
        held = n.Var("steps", steps.type)
        source = n.Local(held.type, held)
        conds: Conds = [(chain.step, part) for part in conjuncts(where)]
        inner = {**env, held: steps}
        looked = plan_search(self.w, source, conds, inner)
        return filter_elements(self.w, chain.step, looked, chain.step.type, inner)  # type: ignore[arg-type]


def _is_predictable(var: n.Var, cond: n.Expr) -> bool:
    """True if the processor predicts well whether a condition holds.

    That is so for an existence test, which mostly holds, and for a comparison of a choice by order, which
    changes once along the values.
    """
    if isinstance(cond, n.Not) and isinstance(cond.item, n.IsNone):
        return True
    sides = (cond.a, cond.b) if isinstance(cond, n.Less | n.AtMost) else ()
    return any(isinstance(side, n.Local) and side.var is var for side in sides)


def growth_condition(e: n.Expr, var: n.Var) -> n.Expr:
    """An expression simplified for the case that a list is not empty."""

    def change(node: n.Expr | n.Effect) -> n.Expr | n.Effect:
        size = isinstance(node, n.Equal) and isinstance(node.b, n.Const) and node.b.value == 0 and node.a
        listed = isinstance(size, n.Size) and size.item
        return n.Const(BOOL, False) if isinstance(listed, n.Local) and listed.var is var else node

    found = rebuild(e, change)
    if isinstance(found, n.If) and isinstance(found.cond, n.Const):
        return found.then if found.cond.value else found.otherwise
    return found


def _choice_set(w: Body, choice: Choice, env: Env) -> Val:
    """The elements of a choice's source as a set."""
    if isinstance(choice.source.type, Set):
        return w.value(choice.source, env)
    of = choice.source.type.of  # type: ignore[attr-defined]
    return Val(Set(of), filter_elements(w, n.Var("x", of), plan_search(w, choice.source, [], env), of, env))
