"""Statements to effects: assignment and everything that is sugar for it, chance, branches, loops."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import cast

from lark import Token, Tree

from ...core import nodes as n
from ...core.diagnostics import nearest
from ...core.types import (
    BOOL,
    Int,
    List,
    Map,
    Optional,
    Scalar,
    Set,
    Type,
    fits,
    integers,
    join_scalars,
    scalar_of,
)
from .calls import parameters
from .expressions import arithmetic, condition, expression, read, whole_number
from .finite import bindings, collection, element, most_elements
from .frame import FALSE, TRUE, Frame, Syntax, ands, folded, maybe_none, nots, number
from .world import mismatch, phrase, same_family

Statement = Callable[[Frame, Syntax], n.Effect]
Place = tuple[n.StateVar, tuple[n.Expr, ...], "Type"]


def effects(frame: Frame, tree: Syntax) -> n.Effect:
    """The effect of statements in order (`stmts`, `block` or an `effect_text`)."""
    statements = [cast(Syntax, c) for c in tree.children]
    if len(statements) == 1 and statements[0].data == "stmts":
        return effects(frame, statements[0])
    done: list[n.Effect] = []
    for i, statement in enumerate(statements):
        if statement.data == "let_stmt":
            word, value_tree = statement.children
            value = expression(frame, cast(Syntax, value_tree), None)
            var = n.Var(str(word), value.type)
            rest: Syntax = Tree("stmts", [*statements[i + 1 :]], tree.meta)
            body = effects(frame.bound(var), rest) if statements[i + 1 :] else n.NOTHING_DONE
            done.append(frame.put(n.Bind(var, value, body), statement))
            break
        done.append(frame.put(STATEMENTS[statement.data](frame, statement), statement))
    return done[0] if len(done) == 1 else n.Block(tuple(done))


# ---- places


def place(frame: Frame, tree: Syntax) -> Place:
    """A state variable with the keys that lead into it, and the type of what is stored there."""
    if tree.data == "place_name":
        word = cast(Token, tree.children[0])
        world = frame.world
        found = world.declared.get(word)
        if word in ("mover", "over") or found is None or found.kind != "state":
            states = [d.name for d in world.declared.values() if d.kind == "state"]
            if word == "mover":
                frame.fail(
                    "state.mover",
                    "the turn says who acts next; an effect does not",
                    word,
                    help="use `turn: next`",
                )
            frame.fail(
                "name.state", f"`{word}` is not a variable of the state", word, help=nearest(word, states)
            )
        var = world.get_state(word, frame)
        return var, (), var.type
    if tree.data == "place_field":
        frame.fail("state.field", "a field is not stored alone; store the whole record", tree)
    var, path, t = place(frame, cast(Syntax, tree.children[0]))
    key_tree = cast(Syntax, tree.children[1])
    if isinstance(t, Map):
        key = expression(frame, key_tree, t.keys)
        if not same_family(key.type, t.keys):
            frame.fail("type.key", f"the keys are {t.keys}, and this is {phrase(key.type)}", key_tree)
        return var, (*path, key), t.of
    if isinstance(t, List) and t.of is not None:
        return var, (*path, whole_number(frame, key_tree)), t.of
    frame.fail("type.index", f"only maps and lists have places inside; this is {phrase(t)}", tree)


def value_at(frame: Frame, here: Place, tree: Syntax) -> n.Expr:
    """What is stored at a place now."""
    var, path, _ = here
    made: n.Expr = n.Get(var.type, var)
    for key in path:
        if isinstance(made.type, Map):
            made = read(frame, made, key, tree)
        elif isinstance(made.type, List) and made.type.of is not None:
            made = n.Item(made.type.of.lifted, made, key)
    return made


def store(frame: Frame, here: Place, value: n.Expr, tree: Syntax) -> n.Effect:
    """Store a value at a place; what cannot be one of its values at all is a fault of the text."""
    var, path, t = here
    lists = isinstance(t, List) and isinstance(value.type, List)
    if not same_family(value.type, t) or (isinstance(t, Set | Map) and not fits(value.type, t)):
        frame.fail("type.store", f"this cannot be stored here: {mismatch(value.type, t)}", tree)
    if lists and not _elements_fit(cast(List, value.type), cast(List, t)):
        frame.fail("type.store", f"this cannot be stored here: {mismatch(value.type, t)}", tree)
    inner = scalar_of(t)
    if (
        isinstance(value, n.Const)
        and inner is not None
        and value.value is not None
        and value.value not in inner
    ):
        frame.fail("type.store", f"this cannot be stored here: {mismatch(value.type, t)}", tree)
    return n.Assign(var, path, value)


def _elements_fit(value: List, into: List) -> bool:
    return value.of is None or (into.of is not None and value.of.within(into.of))


def _assign(frame: Frame, tree: Syntax) -> n.Effect:
    target_tree, value_tree = (cast(Syntax, c) for c in tree.children)
    here = place(frame, target_tree)
    return store(frame, here, expression(frame, value_tree, here[2]), value_tree)


def _add(frame: Frame, tree: Syntax) -> n.Effect:
    value_tree, target_tree = (cast(Syntax, c) for c in tree.children)
    here = place(frame, target_tree)
    now, t = value_at(frame, here, target_tree), here[2]
    if isinstance(t, Set):
        value = expression(frame, value_tree, t.of)
        of = _one(frame, value, t, value_tree)
        more: n.Expr = n.SetOf(Set(of), (value,))
        return store(frame, here, n.Union(Set(join_scalars(t.of, of)), now, more), value_tree)
    if isinstance(t, List):
        value = expression(frame, value_tree, t.of)
        more = n.ListOf(List(_one(frame, value, t, value_tree), 1), (value,))
        return store(frame, here, _concat(now, more), value_tree)
    if isinstance(scalar_of(t), Int):
        return store(frame, here, arithmetic("+", now, whole_number(frame, value_tree)), value_tree)
    frame.fail("type.add", f"one adds to a set, a list or a number; this is {phrase(t)}", target_tree)


def _one(frame: Frame, value: n.Expr, t: Set | List, tree: Syntax) -> Scalar | None:
    of = scalar_of(value.type)
    if of is None or t.of is None or of.family != t.of.family:
        frame.fail("type.store", f"{phrase(t)} does not take {phrase(value.type)}", tree)
    return of


def _concat(a: n.Expr, b: n.Expr) -> n.Expr:
    x, y = cast(List, a.type), cast(List, b.type)
    return n.Concat(List(join_scalars(x.of, y.of), x.cap + y.cap), a, b)


def _remove(frame: Frame, tree: Syntax) -> n.Effect:
    value_tree, target_tree = (cast(Syntax, c) for c in tree.children)
    here = place(frame, target_tree)
    now, t = value_at(frame, here, target_tree), here[2]
    if isinstance(t, Set):
        value = expression(frame, value_tree, t.of)
        less = n.SetOf(Set(_one(frame, value, t, value_tree)), (value,))
        return store(frame, here, n.Difference(t, now, less), value_tree)
    if isinstance(t, List):
        value = expression(frame, value_tree, t.of)
        _one(frame, value, t, value_tree)
        return _remove_first(frame, here, now, value, tree)
    if isinstance(scalar_of(t), Int):
        return store(frame, here, arithmetic("-", now, whole_number(frame, value_tree)), value_tree)
    frame.fail("type.add", f"one removes from a set, a list or a number; this is {phrase(t)}", target_tree)


def _remove_first(frame: Frame, here: Place, now: n.Expr, value: n.Expr, tree: Syntax) -> n.Effect:
    t = cast(List, here[2])
    positions = integers(1, max(1, t.cap))
    i, held = n.Var("i", positions), n.Var("at", Optional(positions))
    there = n.Item(cast(Scalar, t.of).lifted, now, n.Local(positions, i))
    same = ands(
        nots(folded(n.IsNone(BOOL, value))) if maybe_none(value.type) else TRUE, n.Equal(BOOL, there, value)
    )
    found = n.First(held.type, i, n.Domain(Set(positions), positions), same)
    at = n.Local(held.type, held)
    size = n.Size(integers(0, t.cap), now)
    rest = _concat(
        n.Slice(t, now, number(1), arithmetic("-", at, number(1))),
        n.Slice(t, now, arithmetic("+", at, number(1)), size),
    )
    body = n.When(n.IsNone(BOOL, at), n.NOTHING_DONE, store(frame, here, rest, tree))
    return n.Bind(held, found, body)


def _under(frame: Frame, tree: Syntax) -> n.Effect:
    value_tree, target_tree = (cast(Syntax, c) for c in tree.children)
    here = place(frame, target_tree)
    if not isinstance(here[2], List):
        frame.fail("type.list", f"one puts under a list; this is {phrase(here[2])}", target_tree)
    value = expression(frame, value_tree, here[2].of)
    more = n.ListOf(List(_one(frame, value, here[2], value_tree), 1), (value,))
    return store(frame, here, _concat(more, value_at(frame, here, target_tree)), value_tree)


def _swap(frame: Frame, tree: Syntax) -> n.Effect:
    one, two = (place(frame, cast(Syntax, c)) for c in tree.children)
    first, second = (
        value_at(frame, p, cast(Syntax, c)) for p, c in zip((one, two), tree.children, strict=True)
    )
    a, b = n.Var("a", first.type), n.Var("b", second.type)
    both = n.Block((store(frame, one, n.Local(b.type, b), tree), store(frame, two, n.Local(a.type, a), tree)))
    return n.Bind(a, first, n.Bind(b, second, both))


# ---- moving


def _move_part(frame: Frame, tree: Syntax) -> n.Effect:
    part, from_tree, side, to_tree = tree.children
    part, from_tree, to_tree = cast(Syntax, part), cast(Syntax, from_tree), cast(Syntax, to_tree)
    source, target = place(frame, from_tree), place(frame, to_tree)
    if not isinstance(source[2], List):
        frame.fail(
            "type.list", f"one moves the top or bottom of a list; this is {phrase(source[2])}", from_tree
        )
    now = value_at(frame, source, from_tree)
    size = n.Size(integers(0, source[2].cap), now)
    count_tree = part.children[0] if part.children else None
    count = whole_number(frame, cast(Syntax, count_tree)) if count_tree is not None else number(1)
    held = n.Var("count", count.type)
    k = count if isinstance(count, n.Const) else n.Local(count.type, held)
    taken_expr, left = _split(now, source[2], size, k, str(part.data))
    taken = n.Var("taken", taken_expr.type)
    got = n.Local(taken.type, taken)
    put = _put(frame, got, target, str(side), to_tree, single=count_tree is None and part.data != "part_all")
    body: n.Effect = n.Block((store(frame, source, left, from_tree), put))
    body = n.Bind(taken, taken_expr, body)
    body = _where_somewhere(target, body)
    return body if isinstance(count, n.Const) else n.Bind(held, count, body)


def _split(now: n.Expr, t: List, size: n.Expr, k: n.Expr, part: str) -> tuple[n.Expr, n.Expr]:
    if part == "part_all":
        return now, n.Const(t, ())
    if part == "part_top":
        return n.Top(t, now, k), n.Rest(t, now, k)
    return n.Slice(t, now, number(1), k), n.Slice(t, now, arithmetic("+", k, number(1)), size)


def _put(frame: Frame, got: n.Expr, target: Place, side: str, tree: Syntax, single: bool) -> n.Effect:
    t, of = target[2], cast(List, got.type).of
    there = value_at(frame, target, tree)
    if isinstance(t, List):
        return store(frame, target, _concat(got, there) if side == "under" else _concat(there, got), tree)
    if isinstance(t, Set) and of is not None:
        var = n.Var("x", of)
        more = n.Image(Set(of), var, got, n.Local(of, var))
        return store(frame, target, n.Union(Set(join_scalars(t.of, of)), there, more), tree)
    if scalar_of(t) is not None and single and of is not None:
        return store(frame, target, n.Item(of.lifted, got, number(1)), tree)
    frame.fail("type.store", f"this cannot be moved into {phrase(t)}", tree)


def _where_somewhere(target: Place, body: n.Effect) -> n.Effect:
    """Nothing moves to nowhere: a move to a key that is none does nothing at all."""
    gone = [folded(n.IsNone(BOOL, key)) for key in target[1] if maybe_none(key.type)]
    return n.When(ands(*(nots(g) for g in gone)), body, n.NOTHING_DONE) if gone else body


def _move_item(frame: Frame, tree: Syntax) -> n.Effect:
    value_tree, from_tree, to_tree = (cast(Syntax, c) for c in tree.children)
    source = place(frame, from_tree)
    t = source[2]
    value = expression(frame, value_tree, t.of if isinstance(t, Set | List) else None)
    var = n.Var("moved", value.type)
    inner = frame.bound(var)
    name = Tree("name", [Token("NAME", "moved")], value_tree.meta)
    body = n.Block(
        (
            _remove(inner, Tree("remove_stmt", [name, from_tree], tree.meta)),
            _add(inner, Tree("add_stmt", [name, to_tree], tree.meta)),
        )
    )
    return n.Bind(var, value, _where_somewhere(place(frame, to_tree), body))


# ---- chance


def _shuffle(frame: Frame, tree: Syntax) -> n.Effect:
    source_tree, target_tree = (cast(Syntax, c) for c in tree.children)
    source = collection(frame, source_tree, None)
    of = element(source)
    if not isinstance(source.type, Set) or of is None:
        frame.fail("type.set", f"one shuffles a set; this is {phrase(source.type)}", source_tree)
    here = place(frame, target_tree)
    var = n.Var("shuffled", List(of, most_elements(source)))
    return n.Shuffle(var, source, store(frame, here, n.Local(var.type, var), target_tree))


def _roll(frame: Frame, tree: Syntax) -> n.Effect:
    target_tree, source_tree = cast(Syntax, tree.children[0]), cast(Syntax, tree.children[1])
    here = place(frame, target_tree)
    inner = scalar_of(here[2])
    source = collection(frame, source_tree, Set(inner) if inner is not None else None)
    of = element(source)
    if not isinstance(source.type, Set) or of is None:
        frame.fail("type.set", f"one rolls from a set; this is {phrase(source.type)}", source_tree)
    var = n.Var("rolled", of)
    weight = None
    if tree.data == "weigh_stmt":
        word, weight_tree = tree.children[2], cast(Syntax, tree.children[3])
        weight = whole_number(frame.binding(**{str(word): n.Local(of, var)}), weight_tree)
        if cast(Int, scalar_of(weight.type)).lo < 0 or maybe_none(weight.type):
            frame.fail("roll.weight", "odds are numbers from 0 upwards", weight_tree)
    return n.Draw(var, source, weight, store(frame, here, n.Local(of, var), target_tree))


# ---- control


def _if(frame: Frame, tree: Syntax) -> n.Effect:
    cond_tree, block, *rest = (cast(Syntax, c) for c in tree.children if c is not None)
    cond = condition(frame, cond_tree)
    then = effects(frame, block)
    otherwise: n.Effect = n.NOTHING_DONE
    if rest:
        part = rest[0]
        otherwise = (
            _if(frame, part) if part.data == "else_if" else effects(frame, cast(Syntax, part.children[0]))
        )
    if isinstance(cond, n.Const):
        return then if cond.value else otherwise
    return n.When(cond, then, otherwise)


def _for(frame: Frame, tree: Syntax) -> n.Effect:
    binders, block = (cast(Syntax, c) for c in tree.children)
    inner, found = bindings(frame, binders)
    body = effects(inner, block)
    for var, source, where in reversed(found):
        if where is FALSE:
            return n.NOTHING_DONE
        body = n.ForEach(var, source, body if where is TRUE else n.When(where, body, n.NOTHING_DONE))
    return body


def _run(frame: Frame, tree: Syntax) -> n.Effect:
    word, args_tree = cast(Token, tree.children[0]), tree.children[1]
    world = frame.world
    found = world.declared.get(word)
    if found is None or found.kind != "to":
        names = [d.name for d in world.declared.values() if d.kind == "to"]
        frame.fail("name.effect", f"there is no effect called `{word}`", word, help=nearest(word, names))
    if word in frame.procedures:
        frame.fail(
            "effect.circle",
            f"`{word}` leads back to itself",
            word,
            help="effects do not repeat themselves; use `for`",
        )
    home = Frame(world, found.text, found.clause, procedures=(*frame.procedures, str(word)))
    _, params_tree, block = found.tree.children
    params, _ = parameters(home, cast("Syntax | None", params_tree))
    trees = [cast(Syntax, a) for a in cast(Syntax, args_tree).children] if args_tree is not None else []
    if len(trees) != len(params):
        frame.fail("call.arguments", f"`{word}` takes {len(params)} in brackets, not {len(trees)}", tree)
    values = [expression(frame, t, p.type) for t, p in zip(trees, params, strict=True)]
    bound: list[tuple[n.Var, n.Expr]] = []
    for value, param, value_tree in zip(values, params, trees, strict=True):
        if not same_family(value.type, param.type):
            frame.fail(
                "type.argument",
                f"`{param.name}` does not take this: {mismatch(value.type, param.type)}",
                value_tree,
            )
        var = n.Var(param.name, value.type)
        home = home.bound(var)
        bound.append((var, value))
    if found.older is not None:
        older = found.older
        home = replace(
            home,
            original_effect=lambda f: effects(
                replace(f, text=older.text), cast(Syntax, older.tree.children[2])
            ),
        )
    body = effects(home, cast(Syntax, block))
    for var, value in reversed(bound):
        body = n.Bind(var, value, body)
    return body


def _original(frame: Frame, tree: Syntax) -> n.Effect:
    if frame.original_effect is None:
        frame.fail("name.original", "there is no original here: nothing was replaced", tree)
    return frame.original_effect(frame)


def _nothing(frame: Frame, tree: Syntax) -> n.Effect:
    return n.NOTHING_DONE


STATEMENTS: dict[str, Statement] = {
    "assign": _assign,
    "add_stmt": _add,
    "remove_stmt": _remove,
    "under_stmt": _under,
    "swap_stmt": _swap,
    "move_part": _move_part,
    "move_item": _move_item,
    "shuffle_stmt": _shuffle,
    "roll_stmt": _roll,
    "weigh_stmt": _roll,
    "if_stmt": _if,
    "for_stmt": _for,
    "run_stmt": _run,
    "original_stmt": _original,
    "nothing_stmt": _nothing,
}
