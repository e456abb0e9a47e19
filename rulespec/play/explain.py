"""The reasons why an action is refused: the requirement, its deciding part, the element and the values.

The reasons follow a condition down to the comparisons that decided it, through the definitions it calls, as
far as a reader can follow.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace

from ..core import nodes as n
from ..core.context import Context, Env
from ..core.diagnostics import Span
from ..core.evaluate import admits, elements, evaluate
from ..core.game import Choice, Game
from ..core.notation import write
from ..core.plain_data import show
from ..core.traversal import FreeVariables, reads_state
from ..core.types import BOOL, List, Set, Truth, Type, Value
from .refusal import Reason, Refusal
from .wording import write_action

DEEPEST = 2
"""Maximum number of nested definitions that a reason follows."""
MOST_REASONS = 5
"""With more reasons, the call of a definition is itself the reason."""
LONG_SUM = 3
"""A sum of at least this many terms is shown term by term."""
BARRED = "cannot be chosen"
"""Words for a value that fails a condition on a choice, or is not in a set that only a formula describes."""
MOST_ELEMENTS = 8
"""Maximum number of elements of a set that a sentence lists."""


@dataclass(frozen=True, slots=True)
class _At:
    """The position of an explanation within a condition."""

    env: Env
    known: frozenset[tuple[str, str]] = frozenset()
    """Names whose values appear in the action itself."""
    where: tuple[tuple[n.Var, str], ...] = ()
    """Names bound on the way, with their values in notation."""
    within: tuple[str, ...] = ()
    text: str = ""
    """The words for a node not written by itself, such as the equation in `a != b`."""
    span: Span | None = None
    negated: bool = False
    after: str = ""
    """The notation of the action after which the condition is evaluated."""

    def bound(self, var: n.Var, value: Value) -> _At:
        return replace(
            self, env={**self.env, var: value}, where=(*self.where, (var, show(var.type, value))),
            text="", span=None, negated=False,
        )  # fmt: skip


class Explainer:
    """Explains the conditions of one game in one state."""

    def __init__(self, game: Game, ctx: Context) -> None:
        self._game = game
        self._ctx = ctx
        self._free = FreeVariables()

    def requirements(self, action: str, env: Env) -> Iterator[Refusal]:
        """A refusal for each requirement of the action that is false for these choices."""
        for r in self._game.actions[action].requirements:
            if not evaluate(r.condition, env, self._ctx):
                yield Refusal("requirement", r.id, r.clause, r.prose, self.reasons(r.condition, env))

    def choices(self, action: str, env: Env) -> Iterator[Refusal]:
        """A refusal for each invalid choice, each evaluated after the choices before it."""
        for choice in self._game.actions[action].choices:
            value = env[choice.var]
            shown = show(choice.var.type, value)
            if choice.chain is not None:
                yield from self._chain(action, choice, value, env)
            elif value not in elements(choice.source, env, self._ctx):
                yield Refusal("choice", choice.var.name, action, f"{shown} {absence_words(choice.source)}")
                continue
            if choice.where is not None and not evaluate(choice.where, env, self._ctx):
                reasons = self.reasons(choice.where, env)
                yield Refusal("choice", choice.var.name, action, f"{shown} {BARRED}", reasons)

    def _chain(self, action: str, choice: Choice, value: Value, env: Env) -> Iterator[Refusal]:
        """Yield the refusals of a chosen list: its length and each of its steps."""
        assert choice.chain is not None
        chain, source, inner = choice.chain, frozenset(elements(choice.source, env, self._ctx)), dict(env)
        name = choice.var.name
        if not 0 < len(value) <= chain.type.cap:
            yield Refusal("choice", name, action, f"{name} has 1 to {chain.type.cap} steps, not {len(value)}")
        for i, step in enumerate(value):
            inner[choice.var], inner[chain.step] = value[:i], step
            shown = f"step {i + 1}, {show(chain.step.type, step)},"
            if step not in source:
                yield Refusal("choice", name, action, f"{shown} {absence_words(choice.source)}")
                return
            if not evaluate(chain.where, inner, self._ctx):
                yield Refusal("choice", name, action, f"{shown} {BARRED}", self.reasons(chain.where, inner))
                return

    def reasons(self, condition: n.Expr, env: Env) -> tuple[Reason, ...]:
        """The parts that decided the value of a condition, each once."""
        known = frozenset((var.name, show(var.type, value)) for var, value in env.items())
        return tuple(dict.fromkeys(self._why(condition, _At(env, known))))

    def text(self, e: n.Expr) -> str:
        """The formal text of a written expression, on one line; empty for others."""
        return self._game.texts.get(e, "")

    def _why(self, e: n.Expr, at: _At) -> list[Reason]:
        """The reasons for the value of a condition, from its parts where that says more."""
        self._ctx.spend_on(1, e)
        own = self._game.spans.get(e)
        if own is not None:
            at = replace(at, text=self.text(e), span=own, negated=False)
        handler = _WALKS.get(type(e))
        found = handler(self, e, at) if handler else None
        return found if found is not None else [self._leaf(e, at)]

    def _leaf(self, e: n.Expr, at: _At) -> Reason:
        """The reason that a condition itself gives, with its value and the values of its names."""
        value = bool(evaluate(e, at.env, self._ctx)) is not at.negated
        needed = self._free(e)
        where = tuple((var.name, v) for var, v in at.where if var in needed and (var.name, v) not in at.known)
        return Reason(at.text, value, self._fact(e, at), where, at.within, at.span, at.after, e, at.env)

    def _fact(self, e: n.Expr, at: _At) -> str:
        """The values in a condition without smaller parts, in words."""
        if isinstance(e, n.Equal) and isinstance(e.a, n.Size) and "size" not in at.text:
            return f"its size is {self._value_text(e.a, at)}"
        if isinstance(e, n.Equal | n.Less | n.AtMost):
            turned = self._is_reversed(e)
            first, second = (e.b, e.a) if turned else (e.a, e.b)
            sign = _SIGNS[type(e)][at.negated]
            sign = _TURNED[sign] if turned else sign
            return f"{self._side_text(first, at)} {sign} {self._side_text(second, at)}"
        if isinstance(e, n.Member):
            sign = "not in" if at.negated else "in"
            return f"{self._value_text(e.item, at)} {sign} {self._value_text(e.of, at)}"
        if isinstance(e, n.IsNone):
            return f"{self.text(e.item) or 'it'} is {self._value_text(e.item, at)}"
        if isinstance(e, n.All | n.Any):
            return f"{e.var.name} in {self._value_text(e.source, at)}"
        return ""

    def _is_reversed(self, e: n.Equal | n.Less | n.AtMost) -> bool:
        """True if it was written with its sides reversed, as `b > a` for `a < b`."""
        a, b = self._game.spans.get(e.a), self._game.spans.get(e.b)
        return a is not None and b is not None and (a.line, a.column) > (b.line, b.column)

    def _side_text(self, e: n.Expr, at: _At) -> str:
        """The value of one side of a comparison; for a long sum the values of its terms."""
        terms = [*_terms(e)]
        texts = [self._value_text(term, at) for term in terms if len(terms) >= LONG_SUM]
        return " + ".join(texts) or self._value_text(e, at)

    def _value_text(self, e: n.Expr, at: _At) -> str:
        return shorten(e.type, evaluate(e, at.env, self._ctx))

    def _not(self, e: n.Not, at: _At) -> list[Reason]:
        return self._why(e.item, replace(at, negated=not at.negated))

    def _deciding_reasons(self, e: n.And | n.Or, at: _At) -> list[Reason]:
        """The items that give the whole its value: one where one suffices, or all."""
        one = isinstance(e, n.Or)
        whole = bool(evaluate(e, at.env, self._ctx))
        inner = replace(at, text="", span=None, negated=False)
        found: list[Reason] = []
        telling = [item for item in e.items if bool(evaluate(item, at.env, self._ctx)) is whole]
        for item in telling[:1] if whole is one else self._telling(telling, at):
            found += self._why(item, inner)
        return found

    def _telling(self, items: list[n.Expr], at: _At) -> list[n.Expr]:
        """The items, without those that only select a case (`c.tier = 1`) if others explain the refusal."""
        told = {var for var, _ in at.where}

        def tells(item: n.Expr) -> bool:
            return reads_state(item) or bool(self._free(item) - told)

        return [item for item in items if tells(item)] or items

    def _deciding_element(self, e: n.All | n.Any, at: _At) -> list[Reason] | None:
        """The first deciding element; None if all of them decide, which the whole expresses better."""
        decisive = isinstance(e, n.Any)
        for value in elements(e.source, at.env, self._ctx):
            inner = at.bound(e.var, value)
            if bool(evaluate(e.body, inner.env, self._ctx)) is decisive:
                return self._why(e.body, inner)
        return None

    def _if(self, e: n.If, at: _At) -> list[Reason]:
        """The reasons for a conditional: those of its chosen branch, or of its condition if that is plain."""
        chosen = e.then if evaluate(e.cond, at.env, self._ctx) else e.otherwise
        inner = replace(at, text="", span=None, negated=False)
        return self._why(e.cond if isinstance(chosen, n.Const) else chosen, inner)

    def _let(self, e: n.Let, at: _At) -> list[Reason]:
        return self._why(e.body, at.bound(e.var, evaluate(e.value, at.env, self._ctx)))

    def _call(self, e: n.Call, at: _At) -> list[Reason] | None:
        """The reasons inside a definition; None if it is deep, without a truth value, or has too many."""
        function = e.function
        args = [evaluate(a, at.env, self._ctx) for a in e.args]
        if len(at.within) >= DEEPEST or None in args or not isinstance(function.result, Truth):
            return None
        env = dict(zip(function.params, args, strict=True))
        named = tuple((p, show(p.type, a)) for p, a in env.items())
        inner = _At(env, at.known, named, (*at.within, at.text or function.name), after=at.after)
        found = self._why(function.body, inner)
        return found if len(found) <= MOST_REASONS else None

    def _after(self, e: n.After, at: _At) -> list[Reason] | None:
        """The reasons in the position after the action; None if its arguments do not fit."""
        args = [evaluate(a, at.env, self._ctx) for a in e.args]
        if not all(admits(param.type, a) for param, a in zip(e.params, args, strict=True)):
            return None
        there = Explainer(self._game, self._ctx.after(e.effect, dict(zip(e.params, args, strict=True))))
        inner = replace(at, text="", span=None, after=self._notation(e, args))
        return there._why(e.body, inner)

    def _notation(self, e: n.After, args: list[Value]) -> str:
        """The tested action in notation."""
        action = self._game.actions[e.action]
        env = dict(zip((choice.var for choice in action.choices), args, strict=True))
        return write_action(action, env, self._ctx)


def absence_words(source: n.Expr) -> str:
    """A phrase that a value is not in a set, without formulas: `is not in hand`, `is not a Slot`."""
    if isinstance(source, n.Domain) and str(source.of)[0].isalpha():
        return f"is not a {source.of}"
    whole = source.map if isinstance(source, n.Read) else source
    return f"is not in {whole.var.name.replace('-', ' ')}" if isinstance(whole, n.Get) else BARRED


def _terms(e: n.Expr) -> Iterator[n.Expr]:
    """The terms of a sum, from the left."""
    if isinstance(e, n.Add):
        yield from _terms(e.a)
        yield from _terms(e.b)
    else:
        yield e


_Walk = Callable[..., "list[Reason] | None"]

_WALKS: dict[type[n.Expr], _Walk] = {
    n.Not: Explainer._not,
    n.And: Explainer._deciding_reasons,
    n.Or: Explainer._deciding_reasons,
    n.All: Explainer._deciding_element,
    n.Any: Explainer._deciding_element,
    n.If: Explainer._if,
    n.Let: Explainer._let,
    n.Call: Explainer._call,
    n.After: Explainer._after,
}

_SIGNS: dict[type[n.Expr], tuple[str, str]] = {
    n.Equal: ("=", "!="),
    n.Less: ("<", ">="),
    n.AtMost: ("<=", ">"),
}
"""The sign of each comparison, and that of its negation."""

_TURNED = {"=": "=", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}


def shorten(t: Type, value: Value) -> str:
    """A value for a sentence: its notation, with long sets and lists abbreviated."""
    if isinstance(t, Set | List) and t.of is not None and len(value) > MOST_ELEMENTS:
        first = (sorted(value) if isinstance(t, Set) else list(value))[:MOST_ELEMENTS]
        opening, closing = "{}" if isinstance(t, Set) else "[]"
        listed = ", ".join(write(t.of, v) for v in first)
        return f"{opening}{listed}, … {len(value)} in all{closing}"
    return ("true" if value else "false") if t is BOOL else show(t, value)
