"""Common subexpressions: conditions that several rules share, as sets computed once in a state."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping
from dataclasses import replace

from ..core import nodes as n
from ..core.game import Action
from ..core.traversal import conjuncts, nodes_with_definitions
from ..core.types import BOOL, Scalar, Set
from ..machine import form as f
from ..machine.passes.inlining import call_sites
from .bindings import Conds, Env, Val
from .body import B, Body, S
from .identifiers import Kind
from .loops import expand_conjuncts, plan_search
from .move_generation.filtering import filter_elements
from .operators.calls import asks_after, is_recursive
from .program import Program

Group = frozenset[n.Function]
"""Definitions applied to the same value."""


class SharedConditions:
    """The definitions that several actions or searches apply to a value."""

    def __init__(self, program: Program, actions: Iterable[Action], conditions: Iterable[n.Expr]) -> None:
        self.program = program
        asked: Counter[n.Function] = Counter()
        groups: set[Group] = set()
        for action in actions:
            own = [r.condition for r in action.requirements]
            own += [choice.where for choice in action.choices if choice.where is not None]
            parts = [part for whole in own for part in conjuncts(whole)]
            found = [self._group([(choice.var, part) for part in parts]) for choice in action.choices]
            asked.update(frozenset[n.Function]().union(*found))
            groups.update(found[1:])
        self.functions = {function for function, actions in asked.items() if actions > 1}
        """The definitions that more than one action applies to a choice."""
        searches = (x for e in conditions for x in nodes_with_definitions(e) if isinstance(x, n.Any))
        joined = ([y for part in conjuncts(x.body) for y in expand_conjuncts(x.var, part)] for x in searches)
        self.groups = {group for group in map(self._group, joined) if len(group) > 1 and group in groups}
        """Definitions applied together by a search, or by an action to a choice after the first one."""
        self._names: dict[Group, str] = {}

    def _group(self, conds: Conds) -> Group:
        found = (self._definition(var, cond) for var, cond in conds)
        return frozenset(function for function in found if function is not None)

    def _definition(self, var: n.Var, cond: n.Expr) -> n.Function | None:
        """The definition that a condition applies to a choice alone; None for other conditions."""
        if not isinstance(cond, n.Call) or len(cond.args) != 1 or cond.function.result is not BOOL:
            return None
        arg, t = cond.args[0], cond.function.params[0].type
        alone = isinstance(arg, n.Local) and arg.var is var and var.type == t
        if (
            not alone
            or not isinstance(t, Scalar)
            or self.program.lanes(t) is None
            or is_recursive(cond.function)
            or asks_after(cond)
        ):
            return None
        return cond.function if self.program.reads_state(cond) else None

    def together(self, w: Body, conds: Conds, env: Env) -> tuple[Conds, Env]:
        """Replace all shared definitions of the conditions by one membership, if they are a known group."""
        if self._group(conds) not in self.groups:
            return conds, env
        var = next(var for var, cond in conds if self._definition(var, cond))
        member, env = self._member(w, var, self._group(conds), env)
        return [
            *((x, cond) for x, cond in conds if self._definition(x, cond) is None),
            (var, member),
        ], env

    def asked(self, w: Body, conds: Conds, env: Env) -> tuple[dict[n.Expr, n.Expr], Env] | None:
        """Replacements by set membership for conditions on shared definitions; None if there are none."""
        sets: dict[n.Expr, n.Expr] = {}
        for var, cond in conds:
            function = self._definition(var, cond)
            if function is not None and function in self.functions:
                sets[cond], env = self._member(w, var, frozenset({function}), env)
        return (sets, env) if sets else None

    def _member(self, w: Body, var: n.Var, group: Group, env: Env) -> tuple[n.Expr, Env]:
        """The condition that a value is in the set of values for which all definitions of a group hold."""
        assert isinstance(var.type, Scalar)
        held = n.Var("those", Set(var.type))
        member = n.Member(BOOL, n.Local(var.type, var), n.Local(held.type, held))
        return member, {**env, held: Val(held.type, self._words(w, var.type, group))}

    def _words(self, w: Body, of: Scalar, group: Group) -> tuple[f.Local, ...]:
        """Call the function for the values that meet a group's definitions; it is written on first use."""
        if group not in self._names:
            listed = sorted(group, key=lambda function: function.name)
            names = " and ".join(f"`{function.name}`" for function in listed)
            meaning = f"the values for which {names} hold{'s' * (len(group) == 1)}"
            name = self._names[group] = self.program.name(Kind.DEFINITION, listed[0].name, meaning)
            inner = Body(self.program, w.functions, steady=True)
            var = listed[0].params[0]
            every = n.Const(Set(of), frozenset(of.values))
            conds: Conds = [(var, n.Call(BOOL, x, (n.Local(of, var),))) for x in listed]
            found = filter_elements(inner, var, plan_search(inner, every, conds, {}), of, {})
            inner.give(*found)
            w.functions.add(name, [S, B], inner, *[f.WORD] * len(found), once=())
        held = w.names(Set(of), "those")
        w.results(held, self._names[group], S, B)
        return held


# ---- results in a state

AT_THE_END = frozenset({"winners", "score", "see"})
"""Functions that are called only at the end of a game."""
STATE = 2
"""The parameters with the state, which every function has."""


def drop_single_use_memos(
    functions: Mapping[str, f.Function], definitions: Container[str]
) -> dict[str, f.Function]:
    """The functions, with the memo removed from each that is called only once for a state and arguments.

    A call in a loop counts as repeated if it has no arguments, and so does a call by a definition that is
    itself called repeatedly, unless the memo of that definition has no arguments.
    """
    callers: defaultdict[str, list[tuple[str, bool]]] = defaultdict(list)
    for name in functions.keys() - AT_THE_END:
        for called, looped in call_sites(functions[name].body, False):
            callers[called].append((name, looped))
    alone = {name for name, x in functions.items() if len(x.parameters) == STATE}
    counted: dict[str, int] = {}

    def calls(name: str, again: bool = True) -> int:
        """Number of calls of a function for a state; calls in a loop count twice."""
        return sum(times(by) * (1 + (looped and again)) for by, looped in callers[name])

    def times(name: str) -> int:
        if name not in definitions or (name in alone and functions[name].once is not None):
            return 1
        if name not in counted:
            counted[name] = 1  # for calls of itself
            counted[name] = calls(name)
        return counted[name]

    return {
        name: x if x.once is None or calls(name, name in alone) > 1 else replace(x, once=None)
        for name, x in functions.items()
    }
