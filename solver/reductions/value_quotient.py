"""Games in which values that nobody asks for are not told apart.

Where all that is ever asked of an entry is whether it is none, which other value it has changes nothing of
what follows: from two states that differ in such values alone the same actions are legal, and lead to states
that differ in such values alone. So one value may stand for all, and there are fewer states.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from rulespec.core import nodes as n
from rulespec.core.game import Action, Game
from rulespec.core.types import BOOL, Map, Optional
from rulespec.core.walk import Node, assignments, may_fault, parts, rebuilt


def unasked(game: Game, roots: Iterable[Node]) -> frozenset[n.StateVar]:
    """The variables of which nothing is asked in some expressions and effects, and in what these call, but
    whether they (or their entries) are none.

    `roots` are all that bears on plies, and whatever else is asked of states.
    """
    given = list(roots)
    written = [a for root in given if isinstance(root, n.Effect) for a in assignments(root)]
    asked = {var for parent, node in _edges(given) for var in _read(node) if not _only_whether(parent, node)}
    asked |= {a.target for a in written if len(a.path) != _depth(a.target) or may_fault(a)}
    changed = {a.target for a in written}
    return frozenset(v for v in game.state.values() if v in changed - asked and _entry(v) is not None)


def alike(game: Game, names: frozenset[n.StateVar]) -> Game:
    """The game in which these variables, or their entries, hold the first value where they would any."""

    def change(node: Node) -> Node:
        if not isinstance(node, n.Assign) or node.target not in names:
            return node
        t = _entry(node.target)
        assert t is not None and t.of is not None
        first: n.Expr = n.Const(t.of, t.of.values[0])
        if isinstance(node.value.type, Optional):
            first = n.If(t, n.IsNone(BOOL, node.value), n.Const(t, None), first)
        return replace(node, value=first)

    def changed(effect: n.Effect) -> n.Effect:
        found = rebuilt(effect, change)
        assert isinstance(found, n.Effect)
        return found

    return with_effects(game, changed)


def with_effects(game: Game, changed: Callable[[n.Effect], n.Effect]) -> Game:
    """The game with every effect of its setup and its plies changed. It claims nothing."""

    def acting(action: Action) -> Action:
        return replace(action, effect=changed(action.effect))

    return replace(
        game,
        setup=changed(game.setup),
        turn=replace(game.turn, begin=changed(game.turn.begin)),
        actions={name: acting(action) for name, action in game.actions.items()},
        reactions=tuple(replace(r, effect=changed(r.effect)) for r in game.reactions),
        claims={},
    )


def _entry(var: n.StateVar) -> Optional | None:
    """The type of what a variable holds, or of its entries, where that may be none."""
    t = var.type.of if isinstance(var.type, Map) else var.type
    return t if isinstance(t, Optional) and t.of is not None else None


def _depth(var: n.StateVar) -> int:
    """How long the path to an entry is."""
    return 1 if isinstance(var.type, Map) else 0


def _edges(roots: Iterable[Node]) -> Iterator[tuple[Node | None, Node]]:
    """Every node, with the one that it is directly inside of; the body of a definition with its calls."""
    waiting: list[tuple[Node | None, Node]] = [(None, root) for root in roots]
    seen: set[tuple[Node | None, Node]] = set()
    while waiting:
        edge = waiting.pop()
        if edge in seen:
            continue
        seen.add(edge)
        yield edge
        node = edge[1]
        waiting += [(node, part) for part in parts(node)]
        if isinstance(node, n.Call):
            waiting.append((node, node.function.body))


def _read(node: Node) -> Iterator[n.StateVar]:
    """The variable that a node reads whole, or an entry of."""
    if isinstance(node, n.Get):
        yield node.var
    elif isinstance(node, n.Read) and isinstance(node.map, n.Get):
        yield node.map.var


def _only_whether(parent: Node | None, node: Node) -> bool:
    """Whether a node that reads something is asked no more than whether that is none."""
    if isinstance(node, n.Get) and isinstance(node.var.type, Map):
        return isinstance(parent, n.Read) and parent.map is node
    return isinstance(parent, n.IsNone)
