"""Expressions: names, constants, logic, comparison, arithmetic, records, maps, lists.

One function for each kind of tree, in a table. `wanted` is the type that the place asks for, where
it is known: it settles which enumeration a member belongs to and what a quoted notation means.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from lark import Token, Tree

from ...core import nodes as n
from ...core import notation
from ...core.diagnostics import nearest
from ...core.types import (
    BOOL,
    NONE,
    Enum,
    Int,
    List,
    Map,
    Optional,
    Record,
    Scalar,
    Set,
    Truth,
    Type,
    fits,
    integers,
    join,
    join_scalars,
    scalar_of,
)
from .frame import FALSE, TRUE, Frame, Syntax, ands, folded, known, lifted_if, nots, number, ors
from .world import mismatch, phrase, same_family

Maker = Callable[[Frame, Syntax, "Type | None"], n.Expr]
MAKERS: dict[str, Maker] = {}


def makes(*kinds: str) -> Callable[[Maker], Maker]:
    """Enter a function in the table of expression trees."""

    def enter(maker: Maker) -> Maker:
        for kind in kinds:
            MAKERS[kind] = maker
        return maker

    return enter


def expression(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    """The core expression of a tree; a fault is reported and raised as Faulty."""
    made = folded(MAKERS[tree.data](frame, tree, wanted))
    return made if made is TRUE or made is FALSE else frame.put(made, tree)


def condition(frame: Frame, tree: Syntax) -> n.Expr:
    """An expression that is yes or no."""
    made = expression(frame, tree, BOOL)
    if not isinstance(made.type, Truth):
        frame.fail("type.condition", f"this must be a condition, and it is {phrase(made.type)}", tree)
    return made


def whole_number(frame: Frame, tree: Syntax) -> n.Expr:
    """An expression that is a number (or none)."""
    made = expression(frame, tree, None)
    if not isinstance(scalar_of(made.type), Int):
        frame.fail("type.number", f"this must be a number, and it is {phrase(made.type)}", tree)
    return made


def into(frame: Frame, made: n.Expr, wanted: Type, tree: Syntax) -> n.Expr:
    """The expression as a value of the wanted type.

    What certainly fits stays; where the wanted type is optional, what may not fit is narrowed to
    none; anything else is a fault.
    """
    if fits(made.type, wanted):
        return made
    inner = scalar_of(made.type)
    if (
        isinstance(wanted, Optional)
        and inner is not None
        and wanted.of is not None
        and inner.family == wanted.of.family
    ):
        return folded(n.Narrow(wanted, made, wanted.of))
    help = ""
    if inner is not None and isinstance(wanted, Scalar) and inner.family == wanted.family:
        help = "say what happens then with `otherwise`, or declare the type wide enough or with `?`"
    frame.fail("type.mismatch", f"this does not fit: {mismatch(made.type, wanted)}", tree, help=help)


def asking(frame: Frame, tree: Syntax, wanted: Type) -> n.Expr:
    """An expression that becomes a value of the wanted type."""
    return into(frame, expression(frame, tree, wanted), wanted, tree)


# ---- names and constants


@makes("name")
def _name(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word = cast(Token, tree.children[0])
    world = frame.world
    if word in frame.names:
        return frame.names[word]
    if (
        wanted is not None
        and isinstance(enum := scalar_of(wanted), Enum)
        and (value := enum.member(word)) is not None
    ):
        return known(value, enum)
    if word in world.state:
        return _state(frame, word)
    if word == "players":
        return number(world.players)
    if word in world.parameters:
        parameter = world.parameters[word]
        return known(parameter.value, parameter.type, parameter.id)
    if word in world.types:
        return n.Domain(Set(world.types[word]), world.types[word])
    if word in world.declared:
        return _declared(frame, word)
    if word in world.conditions:
        return _asked_by_id(frame, word)
    return _member(frame, word, wanted)


def _state(frame: Frame, word: Token) -> n.Expr:
    var = frame.world.get_state(word, frame)
    frame.world.note_read()
    return n.Get(var.type, var)


def _declared(frame: Frame, word: Token) -> n.Expr:
    world = frame.world
    found = world.declared[word]
    if found.kind == "type":
        of = world.get_type(word, frame)
        return n.Domain(Set(of), of)
    if found.kind == "state":
        return _state(frame, word)
    if found.kind == "to":
        frame.fail("name.effect", f"`{word}` is an effect; it stands in `do`, not in an expression", word)
    from .calls import apply

    function = world.get_function(word, frame)
    if function.params:
        frame.fail("call.arguments", f"`{word}` takes {len(function.params)} in brackets", word)
    return apply(frame, function, ())


def _asked_by_id(frame: Frame, word: Token) -> n.Expr:
    from .calls import apply

    function = frame.world.conditions[word]()
    if function.params:
        frame.fail("call.arguments", f"`{word}` takes {len(function.params)} in brackets", word)
    return apply(frame, function, ())


def _member(frame: Frame, word: Token, wanted: Type | None) -> n.Expr:
    world = frame.world
    found = world.members(word)
    if len(found) == 1:
        return known(found[0][1], found[0][0])
    if found:
        kinds = " and ".join(str(t) for t, _ in found)
        frame.fail(
            "name.ambiguous", f"`{word}` is a member of {kinds}, and the place does not tell which", word
        )
    if word in world.rulings:
        frame.fail("name.ruling", f"`{word}` is a ruling; ask it with `{word} is …`", word)
    advice = nearest(word, world.visible(frame))
    if not advice and "-" in word and word.split("-")[0] in world.visible(frame):
        advice = f"a name may hold a hyphen; for a difference write `{word.replace('-', ' - ')}`"
    frame.fail("name.unknown", f"nothing is called `{word}`", word, help=advice)


@makes("number")
def _number(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word = cast(Token, tree.children[0])
    if len(word) > 9:
        frame.fail("number.size", "a number has at most nine digits", word)
    return number(int(word))


@makes("true", "false")
def _truth(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    return TRUE if tree.data == "true" else FALSE


@makes("none_")
def _none(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    return n.Const(wanted if isinstance(wanted, Optional) else NONE, None)


@makes("brackets")
def _brackets(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    return expression(frame, cast(Syntax, tree.children[0]), wanted)


@makes("notation")
def _notation(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word = cast(Token, tree.children[0])
    of = scalar_of(wanted) if wanted is not None else None
    if of is None:
        frame.fail("notation.type", f"the place does not tell of which type {word} is", word)
    value = notation.read(of, word[1:-1])
    if value is None:
        some = [notation.write(of, v) for v in of.values[:5000]]
        frame.fail("notation.unknown", f"{word} is no {of}", word, help=nearest(word[1:-1], some))
    return known(value, of)


@makes("original")
def _original(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    if frame.original is None:
        frame.fail("name.original", "there is no original here: nothing was replaced", tree)
    return frame.original(frame, wanted)


# ---- logic


@makes("and_", "or_")
def _junction(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    made = (condition(frame, cast(Syntax, c)) for c in tree.children)
    return ands(*made) if tree.data == "and_" else ors(*made)


@makes("not_")
def _not(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    return nots(condition(frame, cast(Syntax, tree.children[0])))


@makes("if_")
def _if(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    cond, then_tree, else_tree = (cast(Syntax, c) for c in tree.children)
    asked = condition(frame, cond)
    if _needs_context(frame, then_tree) and wanted is None:
        otherwise = expression(frame, else_tree, wanted)
        then = expression(frame, then_tree, otherwise.type)
    else:
        then = expression(frame, then_tree, wanted)
        otherwise = expression(frame, else_tree, wanted or then.type)
    if isinstance(asked, n.Const):
        return then if asked.value else otherwise
    both = join(then.type, otherwise.type)
    if both is None:
        message = f"one branch is {phrase(then.type)}, the other {phrase(otherwise.type)}"
        frame.fail("type.branches", message, tree)
    if isinstance(both, Truth):
        if isinstance(then, n.Const):
            return ors(asked, otherwise) if then.value else ands(nots(asked), otherwise)
        if isinstance(otherwise, n.Const):
            return ors(nots(asked), then) if otherwise.value else ands(asked, then)
    return n.If(both, asked, then, otherwise)


@makes("let_")
def _let(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word, value_tree, body_tree = tree.children
    value = expression(frame, cast(Syntax, value_tree), None)
    if isinstance(value, n.Const | n.Local):
        return expression(frame.binding(**{str(word): value}), cast(Syntax, body_tree), wanted)
    var = n.Var(str(word), value.type)
    body = expression(frame.bound(var), cast(Syntax, body_tree), wanted)
    return body if isinstance(body, n.Const) else n.Let(body.type, var, value, body)


# ---- comparison


def _needs_context(frame: Frame, tree: Syntax) -> bool:
    """Whether a tree means something only once the type of its place is known."""
    if tree.data in ("notation", "none_", "set_", "list_") or tree.data == "brackets":
        inner = tree.children[0]
        return tree.data != "brackets" or (isinstance(inner, Tree) and _needs_context(frame, inner))
    if tree.data == "name":
        word = tree.children[0]
        world = frame.world
        return (
            word not in frame.names
            and word not in world.declared
            and word not in world.state
            and word not in world.parameters
        )
    return False


def pair(frame: Frame, left: Syntax, right: Syntax) -> tuple[n.Expr, n.Expr]:
    """Two expressions of one family, whichever settles the type first."""
    if _needs_context(frame, left) and not _needs_context(frame, right):
        b = expression(frame, right, None)
        a = expression(frame, left, b.type)
    else:
        a = expression(frame, left, None)
        b = expression(frame, right, a.type)
    if not same_family(a.type, b.type):
        frame.fail("type.compare", f"{phrase(a.type)} and {phrase(b.type)} cannot be compared", right)
    return a, b


@makes("equal")
def _equal(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    a, b = pair(frame, *(cast(Syntax, c) for c in tree.children))
    return _apart(a, b) or n.Equal(BOOL, a, b)


def _apart(a: n.Expr, b: n.Expr) -> n.Expr | None:
    """No, where the types already keep two scalars apart."""
    if (
        isinstance(a.type, Int)
        and isinstance(b.type, Int)
        and (a.type.hi < b.type.lo or b.type.hi < a.type.lo)
    ):
        return FALSE
    return None


@makes("compare")
def _compare(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    left, sign, right = tree.children
    a, b = pair(frame, cast(Syntax, left), cast(Syntax, right))
    if sign == "!=":
        return nots(folded(n.Equal(BOOL, a, b)))
    if scalar_of(a.type) is None or isinstance(scalar_of(a.type), Truth):
        frame.fail("type.order", f"{phrase(a.type)} has no order", tree)
    if sign in (">", ">="):
        a, b = b, a
    return n.Less(BOOL, a, b) if sign in ("<", ">") else n.AtMost(BOOL, a, b)


@makes("member", "not_member")
def _membership(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    item_tree, of_tree = (cast(Syntax, c) for c in tree.children)
    if of_tree.data == "range_":
        made = _between(frame, item_tree, of_tree)
    else:
        from .finite import collection

        if _needs_context(frame, of_tree) and of_tree.data == "set_":
            item = expression(frame, item_tree, None)
            inner = scalar_of(item.type)
            of = collection(frame, of_tree, Set(inner) if inner else None)
        else:
            of = collection(frame, of_tree, None)
            item = expression(frame, item_tree, _element(of.type))
        if not same_family(item.type, _element(of.type) or NONE):
            message = f"{phrase(item.type)} is never in {phrase(of.type)}"
            frame.fail("type.compare", message, tree)
        made = _in_set(item, of)
    return nots(folded(made)) if tree.data == "not_member" else made


def _in_set(item: n.Expr, of: n.Expr) -> n.Expr:
    if isinstance(of, n.SetOf) and len(of.items) <= 4 and not isinstance(item.type, Optional):
        return (
            ors(*(folded(n.Equal(BOOL, item, x)) for x in of.items if not isinstance(x.type, Optional)))
            if all(not isinstance(x.type, Optional) for x in of.items)
            else n.Member(BOOL, item, of)
        )
    return n.Member(BOOL, item, of)


def _between(frame: Frame, item_tree: Syntax, range_tree: Syntax) -> n.Expr:
    item = whole_number(frame, item_tree)
    lo, hi = (whole_number(frame, cast(Syntax, c)) for c in range_tree.children)
    return ands(folded(n.AtMost(BOOL, lo, item)), folded(n.AtMost(BOOL, item, hi)))


def _element(t: Type) -> Scalar | None:
    return t.of if isinstance(t, Set | List) else None


@makes("is_", "is_not")
def _is(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    item_tree, test = (cast(Syntax, c) for c in tree.children)
    made = _test(frame, item_tree, test)
    return nots(folded(made)) if tree.data == "is_not" else made


def _test(frame: Frame, item_tree: Syntax, test: Syntax) -> n.Expr:
    world = frame.world
    word = item_tree.children[0] if item_tree.data == "name" else None
    if test.data == "test_name" and word in world.rulings and word not in frame.names:
        return _reading(frame, cast(Token, word), cast(Token, test.children[0]))
    item = expression(frame, item_tree, None)
    if test.data == "test_empty":
        if not isinstance(item.type, Set | List):
            frame.fail(
                "type.empty-test",
                f"only sets and lists are empty or not; this is {phrase(item.type)}",
                item_tree,
            )
        return n.Equal(BOOL, folded(n.Size(integers(0, _cap(item.type)), item)), number(0))
    if test.data in ("test_none", "test_some"):
        if scalar_of(item.type) is None and item.type != NONE:
            frame.fail(
                "type.none-test",
                f"{phrase(item.type)} is never none",
                item_tree,
                help="ask `is empty`, or `is not empty`",
            )
        asked = n.IsNone(BOOL, item) if isinstance(item.type, Optional) else FALSE
        return nots(folded(asked)) if test.data == "test_some" else asked
    name = Tree("name", test.children, test.meta)
    value = expression(frame, name, item.type)
    if not same_family(item.type, value.type):
        frame.fail("type.compare", f"{phrase(item.type)} and {phrase(value.type)} cannot be compared", test)
    return n.Equal(BOOL, item, value)


def _reading(frame: Frame, ruling: Token, reading: Token) -> n.Expr:
    found = frame.world.rulings[ruling]
    known_readings = [r.id for r in found.readings]
    if reading not in known_readings:
        frame.fail(
            "name.reading",
            f"`{ruling}` has no reading `{reading}`",
            reading,
            help=nearest(reading, known_readings),
        )
    frame.world.asked.setdefault(str(ruling), {}).setdefault(frame.clause)
    return TRUE if found.chosen == reading else FALSE


def _cap(t: Type) -> int:
    if isinstance(t, List):
        return t.cap
    return len(t.of.values) if isinstance(t, Set) and t.of else 0


# ---- arithmetic and collections that share its signs


@makes("arith")
def _arithmetic(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    left, sign, right = tree.children
    a = expression(frame, cast(Syntax, left), wanted if isinstance(wanted, Set | List) else None)
    b = expression(frame, cast(Syntax, right), a.type if isinstance(a.type, Set | List) else None)
    if isinstance(a.type, Set) and isinstance(b.type, Set) and sign in ("+", "-", "&"):
        return _sets(frame, tree, str(sign), a, b)
    if isinstance(a.type, List) and isinstance(b.type, List) and sign == "+":
        of = join_scalars(a.type.of, b.type.of)
        if of is None and (a.type.of or b.type.of):
            frame.fail("type.compare", f"{phrase(a.type)} and {phrase(b.type)} do not mix", tree)
        return n.Concat(List(of, a.type.cap + b.type.cap), a, b)
    for item, part in ((a, left), (b, right)):
        if not isinstance(scalar_of(item.type), Int):
            frame.fail(
                "type.number", f"`{sign}` works on numbers; this is {phrase(item.type)}", cast(Syntax, part)
            )
    return arithmetic(str(sign), a, b)


def arithmetic(sign: str, a: n.Expr, b: n.Expr) -> n.Expr:
    """A number of two, its range worked out from theirs; none if one of them is."""
    x, y = cast(Int, scalar_of(a.type)), cast(Int, scalar_of(b.type))
    optional = isinstance(a.type, Optional) or isinstance(b.type, Optional)
    if sign in ("div", "mod"):
        optional = optional or 0 in y
        divisors = [d for d in (y.lo, y.hi, -1, 1) if d and y.lo <= d <= y.hi]
        if not divisors:
            return n.Const(NONE, None)
        if sign == "div":
            found = [v // d for v in (x.lo, x.hi) for d in divisors]
        elif x.lo >= 0 and y.lo > 0 and x.hi < y.lo:
            found = [x.lo, x.hi]
        else:
            found = [min(0, y.lo + 1), max(0, y.hi - 1)]
    else:
        operation: Callable[[int, int], int] = {
            "+": lambda v, w: v + w,
            "-": lambda v, w: v - w,
            "*": lambda v, w: v * w,
        }[sign]
        found = [operation(v, w) for v in (x.lo, x.hi) for w in (y.lo, y.hi)]
    of = integers(min(found), max(found))
    node = {"+": n.Add, "-": n.Sub, "*": n.Mul, "div": n.Div, "mod": n.Mod}[sign]
    return folded(node(Optional(of) if optional else of, a, b))


def _sets(frame: Frame, tree: Syntax, sign: str, a: n.Expr, b: n.Expr) -> n.Expr:
    left, right = cast(Set, a.type).of, cast(Set, b.type).of
    if left is not None and right is not None and left.family != right.family:
        frame.fail("type.compare", f"{phrase(a.type)} and {phrase(b.type)} do not mix", tree)
    if sign == "+":
        return n.Union(Set(join_scalars(left, right)), a, b)
    if sign == "-":
        return n.Difference(Set(left), a, b)
    smaller = left if left is None or right is None or left.within(right) else right
    return n.Intersection(Set(smaller), a, b)


@makes("negate")
def _negate(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    return arithmetic("-", number(0), whole_number(frame, cast(Syntax, tree.children[0])))


@makes("otherwise_")
def _otherwise(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    a, b = pair(frame, *(cast(Syntax, c) for c in tree.children))
    if not isinstance(a.type, Optional):
        return a
    if a.type.of is None:
        return b
    both = join(a.type.of, b.type)
    if both is None:
        frame.fail("type.branches", f"{phrase(a.type)} otherwise {phrase(b.type)} has no type", tree)
    return n.Otherwise(both, a, b)


# ---- reading inside values


@makes("field_of")
def _field(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    item = expression(frame, cast(Syntax, tree.children[0]), None)
    word = cast(Token, tree.children[1])
    record = scalar_of(item.type)
    if not isinstance(record, Record):
        frame.fail("type.field", f"only records have fields; this is {phrase(item.type)}", tree)
    position = record.field(word)
    if position is None:
        fields = [name for name, _ in record.fields]
        frame.fail("name.field", f"{record} has no field `{word}`", word, help=nearest(word, fields))
    return n.Field(lifted_if(record.fields[position][1], item), item, position)


@makes("at")
def _at(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    of_tree, key_tree = (cast(Syntax, c) for c in tree.children)
    of = expression(frame, of_tree, None)
    if isinstance(of.type, Map):
        key = expression(frame, key_tree, of.type.keys)
        return read(frame, of, key, key_tree)
    if isinstance(of.type, List):
        if key_tree.data == "range_":
            first, last = (whole_number(frame, cast(Syntax, c)) for c in key_tree.children)
            return n.Slice(of.type, of, first, last)
        position = whole_number(frame, key_tree)
        if of.type.of is None:
            return n.Const(NONE, None)
        return n.Item(of.type.of.lifted, of, position)
    frame.fail("type.index", f"only maps and lists are read with `[…]`; this is {phrase(of.type)}", of_tree)


def read(frame: Frame, of: n.Expr, key: n.Expr, tree: Syntax) -> n.Expr:
    """A map's value at a key; the type tells whether it may be nothing."""
    assert isinstance(of.type, Map)
    if not same_family(key.type, of.type.keys):
        frame.fail("type.key", f"the keys are {of.type.keys}, and this is {phrase(key.type)}", tree)
    sure = fits(key.type, of.type.keys)
    return n.Read(of.type.of if sure else of.type.of.lifted, of, key)


@makes("can_")
def _can(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word = cast(Token, tree.children[0])
    world = frame.world
    if word not in world.actions:
        frame.fail("name.action", f"there is no action `{word}`", word, help=nearest(word, world.actions))
    args = tree.children[1] if len(tree.children) > 1 else None
    given = (
        tuple(expression(frame, cast(Syntax, a), None) for a in cast(Syntax, args).children) if args else ()
    )
    world.note_read()
    return n.Can(BOOL, str(word), given)
