"""Walking over nodes: their parts, and their dependencies."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

from . import nodes as n
from .types import BOOL, List, Map, Optional, Set, Truth, Type, fits, scalar_of

Node = n.Expr | n.Effect
AnyNode = TypeVar("AnyNode", n.Expr, n.Effect)

_PLAIN = (n.Tabulate, n.All, n.Any, n.Sum, n.Best, n.First, n.Select, n.Image, n.Collect)

BOUND: dict[type[n.Expr], tuple[tuple[str, ...], tuple[str, ...]]] = {
    n.Let: (("var",), ("body",)),
    **dict.fromkeys(_PLAIN, (("var",), ("body",))),
    n.Fold: (("var", "total"), ("body",)),
    n.Follow: (("var",), ("step", "cond")),
    n.Reach: (("var", "via"), ("body",)),
}
"""For each operator that binds: its binders, and the parts in which they are bound."""


def _slots_with_nodes(kind: type) -> tuple[str, ...]:
    own = (vars(base).get("__annotations__", {}) for base in kind.__mro__)
    annotated = {slot: t for listed in own for slot, t in listed.items()}
    return tuple(slot for slot, t in annotated.items() if "Expr" in t or "Effect" in t)


_SLOTS = {kind: _slots_with_nodes(kind) for kind in (*n.EXPRESSIONS, *n.EFFECTS)}
"""For each kind of node the slots that hold nodes, several ones in a tuple."""


def slots(node: Node) -> Iterator[tuple[str, Node]]:
    """The expressions and effects directly inside a node, in order, each with the name of its slot."""
    for name in _SLOTS[type(node)]:
        held: Any = getattr(node, name)
        if type(held) is tuple:
            for item in held:
                yield name, item
        elif held is not None:
            yield name, held


def parts(node: Node) -> list[Node]:
    """The expressions and effects directly inside a node, in order."""
    found: list[Node] = []
    for name in _SLOTS[type(node)]:
        held: Any = getattr(node, name)
        if type(held) is tuple:
            found += held
        elif held is not None:
            found.append(held)
    return found


def nodes_within(node: Node) -> Iterator[Node]:
    """A node and everything in it, each node before its parts; bodies of called definitions are left out."""
    waiting = [node]
    while waiting:
        at = waiting.pop()
        yield at
        waiting += reversed(parts(at))


def nodes_with_definitions(node: Node) -> Iterator[Node]:
    """A node, the nodes within it, and those of definitions that it calls, each definition once."""
    waiting, seen = [node], set[n.Function]()
    while waiting:
        at = waiting.pop()
        yield at
        waiting += parts(at)
        if isinstance(at, n.Call) and at.function not in seen:
            seen.add(at.function)
            waiting.append(at.function.body)


def conjuncts(e: n.Expr) -> Iterator[n.Expr]:
    """The conjuncts of a condition."""
    if isinstance(e, n.And):
        for item in e.items:
            yield from conjuncts(item)
    else:
        yield e


class FreeVariables:
    """Memoises the free variables of expressions."""

    def __init__(self) -> None:
        self._known: dict[n.Expr, frozenset[n.Var]] = {}

    def __call__(self, e: n.Expr) -> frozenset[n.Var]:
        """The local names that evaluating `e` reads from its environment.

        The effect in an `After` has only those that the node itself gives.
        """
        if e not in self._known:
            self._known[e] = self._find(e)
        return self._known[e]

    def _find(self, e: n.Expr) -> frozenset[n.Var]:
        """The free variables of an expression."""
        if isinstance(e, n.Local):
            return frozenset((e.var,))
        binders, bodies = BOUND.get(type(e), ((), ()))
        bound = frozenset(getattr(e, name) for name in binders)
        found: frozenset[n.Var] = frozenset()
        for name, item in slots(e):
            if isinstance(item, n.Expression):
                found |= self(item) - bound if name in bodies else self(item)
        return found


def variables_read(e: Node) -> Iterator[n.StateVar]:
    """The state variables that an expression or effect reads, also in definitions."""
    return (node.var for node in nodes_with_definitions(e) if isinstance(node, n.Get))


def reads_state(e: n.Expr) -> bool:
    """True if the value may differ between states although the locals are the same."""
    return any(
        isinstance(node, n.Get | n.Can) or (isinstance(node, n.Call) and not node.function.static)
        for node in nodes_within(e)
    )


def assignments(effect: n.Effect) -> list[n.Assign]:
    """Every assignment of an effect, in order; those of an `After` in it change nothing."""
    if isinstance(effect, n.Assign):
        return [effect]
    return [x for part in parts(effect) if isinstance(part, n.Statement) for x in assignments(part)]


def may_fault(assign: n.Assign) -> bool:
    """True if an assignment may store a value that its place cannot hold, according to the types."""
    return not fits(assign.value.type, place_of(assign))


def place_of(assign: n.Assign) -> Type:
    """The type of the target of an assignment: a variable, or an entry or item of one."""
    place: Type = assign.target.type
    for _ in assign.path:
        place = place.of if isinstance(place, Map | List) and place.of is not None else place
    return place


def rebuild(node: AnyNode, change: Callable[[Node], Node]) -> AnyNode:
    """A node with everything in it changed, bottom-up and in order; unchanged parts are shared."""
    changed: Any = change(_with_parts(node, lambda part: rebuild(part, change)))
    return changed  # type: ignore[no-any-return]


def _with_parts(node: Any, change: Callable[[Any], Any]) -> Any:
    """A node with each of its parts changed; the node itself if no part changes."""
    altered: dict[str, Any] = {}
    for name in _SLOTS[type(node)]:
        held: Any = getattr(node, name)
        if type(held) is tuple:
            new: Any = tuple(map(change, held))
            new = held if all(a is b for a, b in zip(held, new, strict=True)) else new
        else:
            new = None if held is None else change(held)
        if new is not held:
            altered[name] = new
    return n.copy_with(node, **altered) if altered else node


def substitute(e: n.Expr, values: Mapping[n.Var, n.Expr]) -> n.Expr:
    """An expression with some local names replaced by expressions.

    Expressions that read the state are not put into the body of an `After`, where they would read another
    state.
    """
    if not values:
        return e
    if isinstance(e, n.Local):
        return values.get(e.var, e)
    if isinstance(e, n.After):
        return _substitute_after(e, values)
    substituted: n.Expr = _with_parts(e, lambda part: substitute(part, values))
    return substituted


def _substitute_after(e: n.After, values: Mapping[n.Var, n.Expr]) -> n.Expr:
    """Substitute in an `after`; values that read the state are bound before the action."""
    free = FreeVariables()(e.body)
    here = {var: value for var, value in values.items() if var in free and reads_state(value)}
    there = {var: value for var, value in values.items() if var not in here}
    args = tuple(substitute(arg, values) for arg in e.args)
    made: n.Expr = n.copy_with(e, args=args, body=substitute(e.body, there))
    for var, value in here.items():
        made = n.Let(e.type, var, value, made)
    return made


def takes_all(call: n.Call) -> bool:
    """True if the types of the arguments guarantee that the definition accepts them."""
    return not takes_arguments(call.args, call.function.params)


def inline_call(call: n.Call) -> n.Expr:
    """The body of a definition with the arguments substituted for its parameters.

    If an argument may not fit its parameter, a condition makes the result nothing, as in a call.
    """
    body = substitute(call.function.body, dict(zip(call.function.params, call.args, strict=True)))
    taken = takes_arguments(call.args, call.function.params)
    if not taken:
        return body
    if isinstance(call.type, Truth):
        return n.And(BOOL, (*taken, body))
    accepted = taken[0] if len(taken) == 1 else n.And(BOOL, taken)
    return n.If(call.type, accepted, body, n.Const(call.type, call.type.nothing))


def takes_arguments(args: tuple[n.Expr, ...], params: tuple[n.Var, ...]) -> tuple[n.Expr, ...]:
    """The conditions under which parameters accept arguments of wider types; see `admits`."""
    conditions: list[n.Expr] = []
    for arg, param in zip(args, params, strict=True):
        of = scalar_of(param.type)
        if of is None or fits(arg.type, param.type):
            continue
        taken: n.Expr = n.Member(BOOL, arg, n.Domain(Set(of), of))
        if isinstance(param.type, Optional) and isinstance(arg.type, Optional):
            taken = n.Or(BOOL, (n.IsNone(BOOL, arg), taken))
        conditions.append(taken)
    return tuple(conditions)
