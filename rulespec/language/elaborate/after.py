"""Conditions after an action, with the relevant part of its effect."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import NoReturn, assert_never, cast

from lark import Token

from ...core import nodes as n
from ...core.numbers import number_of
from ...core.traversal import Node, nodes_within, parts, reads_state, rebuild, takes_arguments
from ...core.types import BOOL, Type
from ..syntax.parser import Syntax
from .calls import argument
from .expressions import condition, makes
from .folding import conjunction
from .world import Faulty, Frame


@makes("after_")
def _after(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    body_tree, word, args_tree = tree.children
    word = cast(Token, word)
    world = frame.world
    if word not in world.action_bodies:
        help = world.report.nearest(word, world.action_bodies)
        frame.fail("name.action", f"there is no action `{word}`", word, help=help)
    trees = [cast(Syntax, a) for a in cast(Syntax, args_tree).children] if args_tree is not None else []
    choices, _ = world.action_bodies[word]()
    if len(trees) != len(choices):
        names = f"({', '.join(choice.var.name for choice in choices)})" if choices else ""
        help = f"all choices are given: `after {word}{names}`"
        words = f"`{word}` takes {number_of(len(choices), 'argument')}, not {len(trees)}"
        frame.fail("after.arguments", words, tree, help=help)
    args = tuple(argument(frame, t, choice.var) for t, choice in zip(trees, choices, strict=True))
    lasting = replace(frame, facts=tuple(fact for fact in frame.facts if not reads_state(fact)))
    return after_action(frame, str(word), args, condition(lasting, cast(Syntax, body_tree)), tree)


def after_action(
    frame: Frame, action: str, args: tuple[n.Expr, ...], body: n.Expr, tree: Syntax | None = None
) -> n.Expr:
    """The condition that something holds after an action with these choices; raises Faulty."""
    if action in frame.world.at_once:
        message = f"`{action}` is chosen at once, so nobody knows what follows it"
        _refuse(frame, "after.at-once", message, tree, "ask it of the position, without `after`")
    choices, whole = frame.world.action_bodies[action]()
    effect = relevant_effect(frame.world.action_bodies[action].count(whole), body)
    if any(isinstance(node, n.After) for node in nodes_within(effect)):
        message = f"what `{action}` does asks itself what holds after an action"
        _refuse(frame, "after.nested", message, tree, "put that condition into a definition")
    if any(isinstance(node, n.Draw | n.Shuffle) for node in nodes_within(effect)):
        message = f"after `{action}` there are many positions: its dice or shuffles bear on what is asked"
        _refuse(
            frame, "after.chance", message, tree, "ask for what chance does not change, or split the action"
        )
    params = {choice.var: n.Var(choice.var.name, choice.var.type) for choice in choices}
    if effect is n.NOTHING_DONE:
        return conjunction(*takes_arguments(args, tuple(params)), body)
    frame.world.note_read()
    renamed = rebuild(effect, partial(_rename, params))
    return n.After(BOOL, action, tuple(params.values()), args, renamed, body)


def _rename(params: dict[n.Var, n.Var], node: Node) -> Node:
    return n.Local(node.type, params[node.var]) if isinstance(node, n.Local) and node.var in params else node


def _refuse(frame: Frame, code: str, message: str, tree: Syntax | None, help: str) -> NoReturn:
    if tree is not None:
        frame.fail(code, message, tree, help=help)
    frame.world.report.error(code, message, frame.text.span, help=help, clause=frame.clause)
    raise Faulty


# ---- what a condition depends on


def relevant_effect(effect: n.Effect, body: n.Expr) -> n.Effect:
    """The effect without stores that do not influence a condition."""
    wanted, size = _reads(body), -1
    while wanted is not None and len(wanted) != size:
        size = len(wanted)
        for e in _deciding(effect, frozenset(wanted)):
            more = _reads(e)
            if more is None:
                return effect
            wanted |= more
    return effect if wanted is None else _without(effect, frozenset(wanted))


def _reads(e: n.Expr) -> set[n.StateVar] | None:
    """The variables that an expression reads; None if it may read any of them."""
    found: set[n.StateVar] = set()
    waiting: list[Node] = [e]
    seen: set[n.Function] = set()
    while waiting:
        for node in nodes_within(waiting.pop()):
            if isinstance(node, n.Can):
                return None
            if isinstance(node, n.Get):
                found.add(node.var)
            elif isinstance(node, n.Call) and node.function not in seen:
                if not hasattr(node.function, "body"):  # it is being made
                    return None
                seen.add(node.function)
                waiting.append(node.function.body)
    return found


def _deciding(effect: n.Effect, wanted: frozenset[n.StateVar]) -> list[n.Expr]:
    """The expressions that decide whether an effect stores in a wanted variable."""
    if _without(effect, wanted) is n.NOTHING_DONE:
        return []
    inner = [part for part in parts(effect) if isinstance(part, n.Statement)]
    own = [part for part in parts(effect) if isinstance(part, n.Expression)]
    return [*own, *(e for part in inner for e in _deciding(part, wanted))]


def _without(effect: n.Effect, wanted: frozenset[n.StateVar]) -> n.Effect:
    """The effect without its stores into other variables."""
    match effect:
        case n.Assign():
            return effect if effect.target in wanted else n.NOTHING_DONE
        case n.Block():
            kept = tuple(x for item in effect.items if (x := _without(item, wanted)) is not n.NOTHING_DONE)
            return n.NOTHING_DONE if not kept else kept[0] if len(kept) == 1 else n.Block(kept)
        case n.When():
            then, otherwise = _without(effect.then, wanted), _without(effect.otherwise, wanted)
            gone = then is otherwise is n.NOTHING_DONE
            return n.NOTHING_DONE if gone else n.When(effect.cond, then, otherwise)
        case n.ForEach() | n.Bind() | n.Draw() | n.Shuffle():
            body = _without(effect.body, wanted)
            return n.NOTHING_DONE if body is n.NOTHING_DONE else n.copy_with(effect, body=body)
        case _:
            assert_never(effect)
