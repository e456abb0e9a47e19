"""Write-once entries, and sources of the elements of collections, read off the effects."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.types import Map, Optional
from rulespec.core.walk import BOUND, conjuncts, put, written_out
from solver.formulas.dependencies import Dependencies, changed_by

Env = Mapping[n.Var, n.Expr]


@dataclass(frozen=True)
class Write:
    """A write to entries of a map by an action: at the key `keys`, or with `many` at each in that set.

    Keys are given in terms of the action's choices.
    """

    action: Action
    keys: n.Expr
    many: bool


class WriteOnceFacts:
    """Facts about the plies of a game, read off its effects and requirements."""

    def __init__(self, game: Game) -> None:
        self.game, self.facts = game, Dependencies(game)
        always = [*(r.effect for r in game.reactions), game.turn.begin]
        by_actions = [a.effect for a in game.actions.values()]
        self.changing = changed_by([*always, *by_actions]) | {game.mover, game.state["over"]}
        """The variables that plies change."""
        self._effects: list[tuple[n.Effect, Env]] = [(e, {}) for e in always]
        self._effects += [
            (a.effect, {c.var: c.source for c in a.choices if not isinstance(c.source, n.Domain)})
            for a in game.actions.values()
        ]
        self.writes: dict[n.StateVar, list[Write]] = {}
        """The maps whose entries, once they are not none, stay as they are; with all that write there."""
        for var in self.changing - changed_by(always):
            result = self._writes(var)
            if result is not None:
                self.writes[var] = result

    def fixed(self, e: n.Expr) -> bool:
        """True if no ply changes what an expression gives, the locals being the same."""
        return self.facts.reads(e).isdisjoint(self.changing)

    # ---- entries that are written once

    def _writes(self, var: n.StateVar) -> list[Write] | None:
        """The writes to a map's entries, if no entry is ever written twice; else None."""
        if not isinstance(var.type, Map) or not isinstance(var.type.of, Optional):
            return None
        result = []
        for action in self.game.actions.values():
            for assign, env, sources in _assigns(action.effect, {}, {}):
                if assign.target is not var:
                    continue
                write = self._write(action, assign, env, sources)
                if write is None or not self._was_none(var, write):
                    return None
                result.append(write)
        return result

    def _write(self, action: Action, assign: n.Assign, env: Env, sources: Env) -> Write | None:
        """The write of an assignment, if the action's choices determine its keys and it writes no none."""
        if len(assign.path) != 1 or isinstance(assign.value.type, Optional):
            return None
        key = put(assign.path[0], env)
        many = isinstance(key, n.Local) and key.var in sources
        keys = sources[key.var] if isinstance(key, n.Local) and many else key
        chosen = {choice.var for choice in action.choices}
        determined = chosen.issuperset(self.facts.free(keys)) and self.fixed(keys)
        return Write(action, keys, many) if determined else None

    def _was_none(self, var: n.StateVar, write: Write) -> bool:
        """True if the action requires that the entries it writes are none."""
        for requirement in write.action.requirements:
            for e in _demanded(requirement.condition):
                if write.many and isinstance(e, n.All) and alpha_equivalent(e.source, write.keys):
                    key: n.Expr = n.Local(e.var.type, e.var)
                    if any(_says_none(part, var, key) for part in _demanded(e.body)):
                        return True
                if not write.many and _says_none(e, var, write.keys):
                    return True
        return False

    # ---- where elements come from

    def sources(self, var: n.StateVar) -> set[n.StateVar] | None:
        """The collections of which one holds whatever `var` will ever hold; none if that is not plain."""
        result, waiting = {var}, [var]
        while waiting:
            more = self._feeding(waiting.pop())
            if more is None:
                return None
            waiting += more - result
            result |= more
        return result

    def _feeding(self, var: n.StateVar) -> set[n.StateVar] | None:
        result: set[n.StateVar] = set()
        for effect, chosen in self._effects:
            for assign, env, sources in _assigns(effect, {}, {}):
                if assign.target is var:
                    held = None if assign.path else _held(assign.value, {**chosen, **sources}, env)
                    if held is None:
                        return None
                    result |= held
        return result


def _assigns(effect: n.Effect, env: Env, sources: Env) -> Iterator[tuple[n.Assign, Env, Env]]:
    """Each assignment, with what stands for names given to values, and what `for` goes through."""
    match effect:
        case n.Assign():
            yield effect, env, sources
        case n.Block():
            for item in effect.items:
                yield from _assigns(item, env, sources)
        case n.When():
            yield from _assigns(effect.then, env, sources)
            yield from _assigns(effect.otherwise, env, sources)
        case n.ForEach():
            yield from _assigns(effect.body, env, {**sources, effect.var: put(effect.source, env)})
        case n.Bind():
            yield from _assigns(effect.body, {**env, effect.var: put(effect.value, env)}, sources)
        case n.Draw() | n.Shuffle():
            yield from _assigns(effect.body, env, sources)
        case _:
            raise TypeError(f"no such effect: {effect!r}")


def _held(e: n.Expr, elements: Env, env: Env) -> set[n.StateVar] | None:
    """The collections that hold all that one holds, `elements` saying in which some names are."""
    result: list[set[n.StateVar] | None]
    match e:
        case n.Get():
            return {e.var}
        case n.Local() if e.var in env:
            return _held(env[e.var], elements, env)
        case n.Difference() | n.Intersection():
            return _held(e.a, elements, env)
        case n.Top() | n.Rest() | n.Slice():
            return _held(e.list, elements, env)
        case n.Union() | n.Concat():
            result = [_held(e.a, elements, env), _held(e.b, elements, env)]
        case n.If():
            result = [_held(e.then, elements, env), _held(e.otherwise, elements, env)]
        case n.Select():
            return _held(e.source, elements, env)
        case n.Image() | n.Collect() if isinstance(e.body, n.Local) and e.body.var is e.var:
            return _held(e.source, elements, env)
        case n.SetOf() | n.ListOf():
            result = [_one_of(item, elements, env) for item in e.items]
        case _:
            return None
    return None if None in result else set().union(*(x for x in result if x is not None))


def _one_of(e: n.Expr, elements: Env, env: Env) -> set[n.StateVar] | None:
    """The collections of which one holds a value."""
    if isinstance(e, n.Item):
        return _held(e.list, elements, env)
    if isinstance(e, n.Local) and e.var in env:
        return _one_of(env[e.var], elements, env)
    if isinstance(e, n.Local) and e.var in elements:
        return _held(elements[e.var], elements, env)
    return None


def _demanded(e: n.Expr, within: tuple[n.Function, ...] = ()) -> Iterator[n.Expr]:
    """The conjuncts of a condition, definitions written out."""
    for part in conjuncts(e):
        if isinstance(part, n.Call) and part.function not in within:
            yield from _demanded(written_out(part), (*within, part.function))
        else:
            yield part


def _says_none(e: n.Expr, var: n.StateVar, key: n.Expr) -> bool:
    """True if a condition is that an entry is none."""
    if not isinstance(e, n.IsNone) or not isinstance(e.item, n.Read):
        return False
    read = e.item
    return isinstance(read.map, n.Get) and read.map.var is var and alpha_equivalent(read.key, key)


# ---- expressions


def alpha_equivalent(a: n.Expr, b: n.Expr, named: Mapping[n.Var, n.Var] | None = None) -> bool:
    """True if two expressions are the same but for the names that they bind."""
    if type(a) is not type(b):
        return False
    pairs = {**(named or {})}
    for binder in BOUND.get(type(a), ((), ()))[0]:
        pairs[getattr(a, binder)] = getattr(b, binder)
    return all(
        _same(getattr(a, slot.name), getattr(b, slot.name), pairs)
        for slot in fields(a)
        if slot.name not in ("type", "name")
    )


def _same(x: object, y: object, pairs: Mapping[n.Var, n.Var]) -> bool:
    if isinstance(x, n.Expr) and isinstance(y, n.Expr):
        return alpha_equivalent(x, y, pairs)
    if isinstance(x, n.Var):
        return pairs.get(x, x) is y
    if isinstance(x, tuple) and isinstance(y, tuple):
        return len(x) == len(y) and all(_same(i, j, pairs) for i, j in zip(x, y, strict=True))
    return x == y
