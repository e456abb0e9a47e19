"""Relaxed reachability: a condition that holds in every state from which a goal may still be reached.

Entries of some maps are settled for good once they are not none (`write_once`). So a condition that waits for
nothing else holds for good or never; and where it waits for an entry, some action must be left that can
write there, of which the same is asked in turn, one step deep. Whatever else a condition reads is taken to
become what it should be: what results is weaker than the goal, never stronger.
"""

from __future__ import annotations

from dataclasses import replace

from rulespec.core import nodes as n
from rulespec.core.game import Game
from rulespec.core.types import BOOL, Scalar, Set
from rulespec.core.walk import BOUND, conjuncts, inside, parts, put, written_out

from .write_once import Write, WriteOnceFacts

YES, NO = n.Const(BOOL, True), n.Const(BOOL, False)
MOST_NODES = 5_000
"""The limit of nodes of the condition."""


def relaxed_goal(game: Game, goal: n.Expr) -> n.Expr | None:
    """A condition that holds in every state from which plies may lead to the goal; None if there is none."""
    settled = WriteOnceFacts(game)
    if not settled.writes:
        return None
    result = _Relaxation(game, settled).may(goal, waits=True)
    return None if result is YES or sum(1 for _ in inside(result)) > MOST_NODES else result


class _Relaxation:
    def __init__(self, game: Game, settled: WriteOnceFacts) -> None:
        self.game, self.settled = game, settled
        self.free = settled.facts.free
        self._within: list[n.Function] = []

    def may(self, e: n.Expr, waits: bool = False) -> n.Expr:
        """A condition that holds wherever `e` holds, now or later.

        With `waits` it also says that what `e` waits for can still be written.
        """
        fixed = self.settled.fixed
        match e:
            case n.Const():
                return YES if e.value else NO
            case n.And():
                return _all([self.may(item, waits) for item in e.items])
            case n.Or():
                return _any([self.may(item, waits) for item in e.items])
            case n.Not() if not fixed(e):
                return self._not(e.item, waits)
            case n.If() if not fixed(e):
                yes = [self.may(e.cond), self.may(e.then, waits)]
                no = [self._not(e.cond, False), self.may(e.otherwise, waits)]
                return _any([_all(yes), _all(no)])
            case n.All() | n.Any() if not fixed(e) and fixed(e.source):
                body = self.may(e.body, waits)
                decided = body is YES if isinstance(e, n.All) else body is NO  # of nothing, `every` is true
                return body if decided or body is YES else replace(e, body=body)
            case n.Let() if not fixed(e):
                return self.may(put(e.body, {e.var: e.value}), waits)
            case n.Call() if not fixed(e) and e.function not in self._within:
                self._within.append(e.function)
                result = self.may(written_out(e), waits)
                self._within.pop()
                return result
            case n.Member(of=n.Get(var=var)) if not fixed(e) and fixed(e.item):
                held = self.settled.sources(var)
                ways = [n.Member(BOOL, e.item, n.Get(v.type, v)) for v in held or ()]
                return _any([*ways]) if ways else YES
        if not fixed(e):
            return self._whole(e, waits)
        return YES if self.settled.facts.reads(e) else e  # what all plies leave alone is not asked each time

    def _not(self, e: n.Expr, waits: bool) -> n.Expr:
        match e:
            case n.Not():
                return self.may(e.item, waits)
            case n.And():
                return _any([self._not(item, waits) for item in e.items])
            case n.Or():
                return _all([self._not(item, waits) for item in e.items])
            case n.All() | n.Any() if self.settled.fixed(e.source):
                other = n.Any if isinstance(e, n.All) else n.All
                return self.may(other(BOOL, e.var, e.source, n.Not(BOOL, e.body)), waits)
        return self._whole(n.Not(BOOL, e), waits)

    def _whole(self, e: n.Expr, waits: bool) -> n.Expr:
        """The relaxation of a condition taken as a whole: it holds, or an entry that it reads is open."""
        entries = self._entries(e)
        if entries is None:
            return YES
        if isinstance(e, n.IsNone) and e.item in entries:
            return e
        if not waits and isinstance(e, n.Not) and isinstance(e.item, n.IsNone) and e.item.item in entries:
            return YES
        return _any([e, *(self._open(entry, waits) for entry in entries)])

    def _open(self, entry: n.Read, waits: bool) -> n.Expr:
        """A condition: true if an entry is none (and, with `waits`, can still be written)."""
        assert isinstance(entry.map, n.Get)
        empty = n.IsNone(BOOL, entry)
        return _all([empty, self._writable(entry.map.var, entry.key)]) if waits else empty

    def _entries(self, e: n.Expr) -> list[n.Read] | None:
        """The entries that a condition reads, where whatever plies change of it is settled for good."""
        result: list[n.Read] = []
        bound: set[n.Var] = set()
        waiting: list[n.Expr | n.Effect] = [e]
        while waiting:
            at = waiting.pop()
            assert isinstance(at, n.Expr)
            if self.settled.fixed(at):
                continue
            bound |= {getattr(at, name) for name in BOUND.get(type(at), ((), ()))[0]}
            if isinstance(at, n.Read) and isinstance(at.map, n.Get) and self.settled.fixed(at.key):
                if at.map.var not in self.settled.writes:
                    return None
                result.append(at)
            elif isinstance(at, n.Get | n.Call | n.Can):
                return None
            else:
                waiting += parts(at)
        return None if any(bound & {*self.free(entry.key)} for entry in result) else result

    # ---- what can still be written

    def _writable(self, var: n.StateVar, key: n.Expr) -> n.Expr:
        """A condition: true if some action may yet write at a key."""
        return _any([self._by(write, key) for write in self.settled.writes[var]])

    def _by(self, write: Write, key: n.Expr) -> n.Expr:
        """A condition: true if an action may yet write at a key, by some choices."""
        there = n.Member(BOOL, key, write.keys) if write.many else n.Equal(BOOL, key, write.keys)
        asked: list[n.Expr] = [there]
        choices = write.action.choices
        if any(c.chain is not None or not isinstance(c.var.type, Scalar) for c in choices):
            return YES
        asked += [self.may(requirement.condition) for requirement in write.action.requirements]
        for choice in choices:
            if choice.where is not None:
                asked.append(self.may(choice.where))
            if not isinstance(choice.source, n.Domain):
                one = n.Local(choice.var.type, choice.var)
                asked.append(self.may(n.Member(BOOL, one, choice.source)))
        conditions = [part for e in asked for part in conjuncts(e) if part is not YES]
        return self._chosen([choice.var for choice in choices], conditions)

    def _chosen(self, open_: list[n.Var], asked: list[n.Expr]) -> n.Expr:
        """A condition: true if some values meet conditions; names of the first one are bound outermost."""
        now = [e for e in asked if not {*open_} & {*self.free(e)}]
        left = [e for e in asked if {*open_} & {*self.free(e)}]
        if not left:
            return _all(now)
        var = next(v for v in open_ if v in self.free(left[0]))
        inner = self._chosen([v for v in open_ if v is not var], left)
        assert isinstance(var.type, Scalar)
        return _all([*now, n.Any(BOOL, var, n.Domain(Set(var.type), var.type), inner)])


def _all(items: list[n.Expr]) -> n.Expr:
    kept = [item for item in items if item is not YES]
    if NO in kept:
        return NO
    return YES if not kept else kept[0] if len(kept) == 1 else n.And(BOOL, tuple(kept))


def _any(items: list[n.Expr]) -> n.Expr:
    kept = [item for item in items if item is not NO]
    if YES in kept:
        return YES
    return NO if not kept else kept[0] if len(kept) == 1 else n.Or(BOOL, tuple(kept))
