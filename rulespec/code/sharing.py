"""Definitions that several actions ask of a choice: where they hold, as words, once for a state."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from ..core import nodes as n
from ..core.game import Action
from ..core.types import BOOL, Scalar, Set
from ..core.walk import conjuncts
from ..machine import form as f
from .body import B, Body, S
from .loops import Conds, add_scalar, elements, empty_words, search
from .naming import Kind
from .operators.calls import calls
from .program import Program
from .vals import Env, Val


class Sharing:
    """What the actions of a game ask of their choices in common."""

    def __init__(self, program: Program, actions: Iterable[Action]) -> None:
        self.program = program
        asked: Counter[n.Function] = Counter()
        for action in actions:
            conditions = [r.condition for r in action.requirements]
            conditions += [choice.where for choice in action.choices if choice.where is not None]
            parts = [part for whole in conditions for part in conjuncts(whole)]
            found = {self._asked(choice.var, part) for choice in action.choices for part in parts}
            asked.update(function for function in found if function is not None)
        self.functions = {function for function, actions in asked.items() if actions > 1}
        """The definitions that more than one action asks."""
        self._names: dict[n.Function, str] = {}

    def _asked(self, var: n.Var, cond: n.Expr) -> n.Function | None:
        """The definition that a condition asks of a choice and of nothing else."""
        if not isinstance(cond, n.Call) or len(cond.args) != 1 or cond.function.result is not BOOL:
            return None
        arg, t = cond.args[0], cond.function.params[0].type
        alone = isinstance(arg, n.Local) and arg.var is var and var.type == t
        if not alone or not isinstance(t, Scalar) or self.program.lanes(t) is None or calls(cond.function):
            return None
        return cond.function if self.program.reads_state(cond) else None

    def asked(self, w: Body, conds: Conds, env: Env) -> tuple[dict[n.Expr, n.Expr], Env] | None:
        """For conditions that ask shared definitions others that ask sets; None where there are none."""
        sets: dict[n.Expr, n.Expr] = {}
        for var, cond in conds:
            function = self._asked(var, cond)
            if function in self.functions and isinstance(cond, n.Call):
                assert isinstance(var.type, Scalar)
                held = n.Var("those", Set(var.type))
                env = {**env, held: Val(held.type, self._words(w, cond))}
                sets[cond] = n.Member(BOOL, cond.args[0], n.Local(held.type, held))
        return (sets, env) if sets else None

    def _words(self, w: Body, call: n.Call) -> tuple[f.Local, ...]:
        """The values for which a definition holds, under names."""
        function = call.function
        of = function.params[0].type
        assert isinstance(of, Scalar)
        if function not in self._names:
            meaning = f"the values for which `{function.name}` holds"
            name = self._names[function] = self.program.name(Kind.DEFINITION, function.name, meaning)
            inner = Body(self.program, w.functions, steady=True)
            names = empty_words(inner, Set(of), "those")
            var = function.params[0]
            every = n.Const(Set(of), frozenset(of.values))
            again = n.Call(call.type, function, (n.Local(of, var),))
            with elements(inner, var, search(inner, every, [(var, again)], {}), {}) as x:
                add_scalar(inner, names, of, x)
            inner.give(*names)
            w.functions.add(name, [S, B], inner, *[f.WORD] * len(names), once=())
        found = w.names(Set(of), "those")
        w.results(found, self._names[function], S, B)
        return found
