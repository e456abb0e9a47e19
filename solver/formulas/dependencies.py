"""Side tables of the dependencies of nodes: free locals, state reads, locals that serve as keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.traversal import FreeVariables, assignments, may_fault, parts
from rulespec.core.types import Set

Reader = n.Expr | n.Effect | n.Function | Action
"""Anything that may read the state."""


BINDERS = (
    n.ForEach | n.All | n.Any | n.Sum | n.First | n.Select | n.Image | n.Collect | n.Best | n.Bind | n.Let
)
"""Nodes that bind a name to an element of a source, or to a value, for their body."""


def conditions_of(action: Action) -> Iterator[n.Expr]:
    """The conditions that decide whether an action is legal."""
    for choice in action.choices:
        yield from choice.conditions
    for requirement in action.requirements:
        yield requirement.condition


def effects_of_plies(game: Game, actions: Iterable[Action]) -> list[n.Effect]:
    """All effects that can change the state after the setup, besides `mover` and `over`."""
    return [*(a.effect for a in actions), *(r.effect for r in game.reactions), game.turn.begin]


def changed_by(effects: Iterable[n.Effect]) -> frozenset[n.StateVar]:
    """The variables that some effects store in."""
    return frozenset(assign.target for e in effects for assign in assignments(e))


def changed_by_ply(game: Game, action: Action) -> frozenset[n.StateVar]:
    """The variables that a ply with this action can change: all others keep their values."""
    return changed_by(effects_of_plies(game, [action])) | {game.mover, game.state["over"]}


def actions_changing(game: Game, variables: Iterable[n.StateVar]) -> list[str] | None:
    """The actions whose effects can change some of these variables in a ply; None if every ply can."""
    asked = frozenset(variables)
    if asked & changed_by(effects_of_plies(game, [])):
        return None
    return [a.id for a in game.actions.values() if asked & changed_by([a.effect])]


class Dependencies:
    """Side tables of one game: the free locals of expressions, and the state that they read."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._free = FreeVariables()
        self._ordered: dict[n.Expr, tuple[n.Var, ...]] = {}
        self._reads: dict[Reader, frozenset[n.StateVar]] = {}
        self._mentioned: dict[Reader, frozenset[n.StateVar | Reader]] = {}
        self._faulty: dict[n.Assign, bool] = {}
        self._keys: dict[tuple[n.Function, bool], frozenset[int]] = {}

    def free(self, e: n.Expr) -> tuple[n.Var, ...]:
        """The free local names of an expression, in a fixed order."""
        result = self._ordered.get(e)
        if result is None:
            result = self._ordered[e] = tuple(sorted(self._free(e), key=lambda v: (v.name, id(v))))
        return result

    def reads(self, root: Reader) -> frozenset[n.StateVar]:
        """The state variables that a node or definition may read, also by testing that an action is legal.

        The walk goes through calls and `can`, visiting each target once because there may be cycles.
        """
        result = self._reads.get(root)
        if result is None:
            seen: set[n.StateVar | Reader] = {root}
            waiting: list[n.StateVar | Reader] = [root]
            while waiting:
                at = waiting.pop()
                fresh = set() if isinstance(at, n.StateVar) else self._mentions(at) - seen
                seen |= fresh
                waiting += fresh
            result = self._reads[root] = frozenset(x for x in seen if isinstance(x, n.StateVar))
        return result

    def _mentions(self, node: Reader) -> frozenset[n.StateVar | Reader]:
        """The state variables that a node reads directly, and the definitions and actions it refers to."""
        result = self._mentioned.get(node)
        if result is None:
            inner = (
                [*conditions_of(node)] if isinstance(node, Action)
                else [node.body] if isinstance(node, n.Function)
                else parts(node)
            )  # fmt: skip
            result = frozenset[n.StateVar | Reader]().union(*map(self._mentions, inner))
            if isinstance(node, Action):
                result |= {self.game.mover}
            elif isinstance(node, n.Get):
                result |= {node.var}
            elif isinstance(node, n.Call) and not node.function.static:
                result |= {node.function}
            elif isinstance(node, n.Can):
                result |= {self.game.actions[node.action]}
            self._mentioned[node] = result
        return result

    def may_fault(self, assign: n.Assign) -> bool:
        """True if an assignment may store a value that, judged by types, its place cannot hold."""
        result = self._faulty.get(assign)
        if result is None:
            result = self._faulty[assign] = may_fault(assign)
        return result

    # ---- which locals serve as keys

    def keys(self, node: n.Expr | n.Effect, stored: bool = True) -> frozenset[n.Var]:
        """The locals that determine an entry of a map or list somewhere inside a node.

        Without `stored` only entries that are read count: the place of a store may be left open at little
        cost.
        """
        result: set[n.Var] = set()
        self._collect(node, result, stored)
        return frozenset(result)

    def _collect(self, node: n.Expr | n.Effect, found: set[n.Var], stored: bool) -> None:
        """Add the names whose values select the entries that a node reads, or stores if `stored`."""
        if isinstance(node, n.Read) and self.reads(node.map):
            found.update(self.free(node.key))
        elif isinstance(node, n.Item) and self.reads(node.list):
            found.update(self.free(node.position))
        elif isinstance(node, n.Assign) and stored:
            for key in node.path:
                found.update(self.free(key))
        elif isinstance(node, n.Call) and not node.function.static:
            for i in self._keys_of(node.function, stored):
                found.update(self.free(node.args[i]))
        elif isinstance(node, n.After):
            held = self.keys(node.effect)
            for param, arg in zip(node.params, node.args, strict=True):
                found.update(self.free(arg) if param in held else ())
        elif isinstance(node, BINDERS):
            source = node.value if isinstance(node, n.Bind | n.Let) else node.source
            if node.var in self.keys(node.body, stored) and not self._is_computed_set(source):
                found.update(self.free(source))
        for part in parts(node):
            self._collect(part, found, stored)

    def _is_computed_set(self, source: n.Expr) -> bool:
        """True if a source is a set computed from the state.

        Its elements are conditional anyway, so splitting its inputs gains little and multiplies cases.
        """
        return isinstance(source.type, Set) and bool(self.reads(source))

    def _keys_of(self, function: n.Function, stored: bool) -> frozenset[int]:
        """The positions of parameters that select entries in a function's body."""
        at = function, stored
        if at not in self._keys:
            self._keys[at] = frozenset()
            held = self.keys(function.body, stored)
            self._keys[at] = frozenset(i for i, p in enumerate(function.params) if p in held)
        return self._keys[at]
