"""Side tables of the dependencies of nodes: free locals, state read, locals that serve as keys."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.types import Set
from rulespec.core.walk import FreeVariables, assignments, inside, may_fault, parts


def conditions_of(action: Action) -> Iterator[n.Expr]:
    """The conditions that decide whether an action is legal."""
    for choice in action.choices:
        yield from choice.conditions
    for requirement in action.requirements:
        yield requirement.condition


def effects_of_plies(game: Game, actions: Iterable[Action]) -> list[n.Effect]:
    """All that can change the state after the setup, besides `mover` and `over`."""
    return [*(a.effect for a in actions), *(r.effect for r in game.reactions), game.turn.begin]


def changed_by(game: Game, action: Action) -> set[n.StateVar]:
    """The variables that a ply with this action can change: all others keep their values."""
    effects = effects_of_plies(game, [action])
    return {game.mover, game.state["over"], *(a.target for effect in effects for a in assignments(effect))}


class Dependencies:
    """Side tables of one game: free locals of expressions, the state that they read."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self._free = FreeVariables()
        self._ordered: dict[n.Expr, tuple[n.Var, ...]] = {}
        self._reads: dict[object, frozenset[n.StateVar]] = {}
        self._faulty: dict[n.Assign, bool] = {}
        self._keys: dict[tuple[n.Function, bool], frozenset[int]] = {}

    def free(self, e: n.Expr) -> tuple[n.Var, ...]:
        """The free local names of an expression, in a fixed order."""
        result = self._ordered.get(e)
        if result is None:
            result = self._ordered[e] = tuple(sorted(self._free(e), key=lambda v: (v.name, id(v))))
        return result

    def reads(self, node: n.Expr | n.Effect) -> frozenset[n.StateVar]:
        """The state variables that a node may read, through definitions too."""
        result = self._reads.get(node)
        if result is None:
            result = self._reads[node] = self._find(node)
        return result

    def _find(self, node: n.Expr | n.Effect) -> frozenset[n.StateVar]:
        if isinstance(node, n.Get):
            return frozenset((node.var,))
        result: frozenset[n.StateVar] = frozenset()
        if isinstance(node, n.Call):
            result |= self.of_function(node.function)
        if isinstance(node, n.Can):
            result |= self.of_legality(self.game.actions[node.action])
        for part in parts(node):
            result |= self.reads(part)
        return result

    def of_function(self, function: n.Function) -> frozenset[n.StateVar]:
        """The state variables that a definition may read, through those that it calls too."""
        return frozenset() if function.static else self._through(function)

    def of_legality(self, action: Action) -> frozenset[n.StateVar]:
        """The state variables that decide whether an action is legal."""
        return self._through(action)

    def _through(self, root: n.Function | Action) -> frozenset[n.StateVar]:
        """The state variables that a definition, or the legality of an action, reads.

        Calls and `can` are followed transitively, each target once, for there may be cycles.
        """
        remembered = self._reads.get(root)
        if remembered is not None:
            return remembered
        read: set[n.StateVar] = set()
        seen: set[n.Function | Action] = {root}
        waiting: list[n.Function | Action] = [root]
        while waiting:
            at = waiting.pop()
            if isinstance(at, Action):
                read.add(self.game.mover)
            for e in conditions_of(at) if isinstance(at, Action) else (at.body,):
                for node in inside(e):
                    led: n.Function | Action | None = None
                    if isinstance(node, n.Get):
                        read.add(node.var)
                    elif isinstance(node, n.Call) and not node.function.static:
                        led = node.function
                    elif isinstance(node, n.Can):
                        led = self.game.actions[node.action]
                    if led is not None and led not in seen:
                        seen.add(led)
                        waiting.append(led)
        self._reads[root] = frozenset(read)
        return self._reads[root]

    def may_fault(self, assign: n.Assign) -> bool:
        """True if an assignment may store what its place does not hold, as far as the types tell."""
        result = self._faulty.get(assign)
        if result is None:
            result = self._faulty[assign] = may_fault(assign)
        return result

    # ---- which locals serve as keys

    def keys(self, node: n.Expr | n.Effect, stored: bool = True) -> frozenset[n.Var]:
        """The locals that decide which entry of a map or list is meant somewhere inside a node.

        Without `stored` only where an entry is read: where to store may be left open at little cost.
        """
        result: set[n.Var] = set()
        self._collect(node, result, stored)
        return frozenset(result)

    def _collect(self, node: n.Expr | n.Effect, found: set[n.Var], stored: bool) -> None:
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
        elif isinstance(
            node, n.ForEach | n.All | n.Any | n.Sum | n.First | n.Select | n.Image | n.Collect | n.Best
        ):
            if node.var in self.keys(node.body, stored) and not self._gathered(node.source):
                found.update(self.free(node.source))
        elif (
            isinstance(node, n.Bind | n.Let)
            and not self._gathered(node.value)
            and node.var in self.keys(node.body, stored)
        ):
            found.update(self.free(node.value))
        for part in parts(node):
            self._collect(part, found, stored)

    def _gathered(self, source: n.Expr) -> bool:
        """True if a source is a set that the state decides: its elements stand under conditions anyway,
        so that settling what it is made of gains little and multiplies cases.
        """
        return isinstance(source.type, Set) and bool(self.reads(source))

    def _keys_of(self, function: n.Function, stored: bool) -> frozenset[int]:
        at = function, stored
        if at not in self._keys:
            self._keys[at] = frozenset()
            held = self.keys(function.body, stored)
            self._keys[at] = frozenset(i for i, p in enumerate(function.params) if p in held)
        return self._keys[at]
