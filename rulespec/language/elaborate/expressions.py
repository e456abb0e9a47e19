"""Expressions: the table of elaborators, conversion to the wanted type, logic.

One function for each kind of tree, in a table that the modules of this folder fill. `wanted` is the type that
the context needs, if it is known: it determines the enumeration of a member and the meaning of a quoted
notation.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import cast

from ...core import nodes as n
from ...core.notation import read
from ...core.types import (
    BOOL,
    NONE,
    Bag,
    Int,
    List,
    Optional,
    Scalar,
    Set,
    Truth,
    Type,
    fits,
    join,
    scalar_of,
)
from ..syntax.parser import Syntax
from ..work_limit import EXPRESSION
from .folding import FALSE, TRUE, conjunction, disjunction, fold, negation
from .narrowing import narrow
from .world import Frame, mismatch, phrase, same_family

Maker = Callable[[Frame, Syntax, "Type | None"], n.Expr]
LARGEST = 10**15
"""The largest absolute value of a number, so that every meaning can hold it."""

MAKERS: dict[str, Maker] = {}


def makes(*kinds: str) -> Callable[[Maker], Maker]:
    """Register a function as the elaborator of expression trees of some kinds."""

    def enter(maker: Maker) -> Maker:
        for kind in kinds:
            MAKERS[kind] = maker
        return maker

    return enter


def expression(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    """Elaborate a tree into a core expression. Reports a fault and raises Faulty if it has no meaning."""
    frame.world.meter.spend(EXPRESSION)
    made = fold(MAKERS[tree.data](frame, tree, wanted))
    number = scalar_of(made.type)
    if isinstance(number, Int) and max(abs(number.lo), abs(number.hi)) > LARGEST:
        frame.fail("number.large", f"this may be a number past {LARGEST:,}", tree)
    if made is TRUE or made is FALSE:
        return made
    if id(made.type) not in frame.world.met:
        frame.world.meet(made.type)
    return frame.put(made, tree)


def condition(frame: Frame, tree: Syntax) -> n.Expr:
    """An expression that is yes or no."""
    made = expression(frame, tree, BOOL)
    if not isinstance(made.type, Truth):
        message = f"this must be a condition, but it is {phrase(made.type)}"
        frame.fail("type.condition", message, tree, help="ask something: `x > 0`, `x is some`, `x in {0, 1}`")
    return made


def whole_number(frame: Frame, tree: Syntax) -> n.Expr:
    """An expression that is a number (or none)."""
    made = expression(frame, tree, None)
    if not isinstance(scalar_of(made.type), Int):
        frame.fail("type.number", f"this must be a number, but it is {phrase(made.type)}", tree)
    return made


def convert(frame: Frame, made: n.Expr, wanted: Type, tree: Syntax) -> n.Expr:
    """The expression as a value of the wanted type.

    An expression that always fits stays unchanged; if the wanted type is optional, values that may not fit
    become none; an expression that fits by the conditions in force here is accepted; anything else is a
    fault.
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
        return fold(n.Narrow(wanted, made, wanted.of))
    if (
        isinstance(wanted, Scalar)
        and (sure := narrow(made, wanted, frame.facts, frame.world.meter)) is not None
    ):
        return sure
    help = quotes_needed(tree, wanted)
    if inner is not None and isinstance(wanted, Scalar) and inner.family == wanted.family:
        help = (
            "test it before, as in `if x is some then … else …`, or say what happens then with `otherwise`, "
            "or declare the type wide enough or with `?`"
        )
        if isinstance(inner, Int) and inner is made.type and isinstance(wanted, Int):
            help = f"declare a type wide enough, or say where it stops: `clamp(…, {wanted.lo}..{wanted.hi})`"
    frame.fail("type.mismatch", f"this does not fit: {mismatch(made.type, wanted)}", tree, help=help)


def quotes_needed(tree: Syntax, wanted: Type) -> str:
    """Advice if a name or a number, written as it is, is the notation of a value of the wanted type."""
    of, word = scalar_of(wanted), str(tree.children[0]) if tree.data in ("name", "number") else ""
    fits_there = of is not None and word and read(of, word) is not None
    return f'the notation of a value goes in quotes: `"{word}"`' if fits_there else ""


def expression_of_type(frame: Frame, tree: Syntax, wanted: Type) -> n.Expr:
    """An expression converted to the wanted type."""
    return convert(frame, expression(frame, tree, wanted), wanted, tree)


def set_of_players(frame: Frame, tree: Syntax) -> n.Expr:
    """An expression as a set of players; one player becomes a set of one, `none` the empty set."""
    players = Set(frame.world.player)
    made = expression(frame, tree, players)
    one = scalar_of(made.type)
    if made.type == NONE or (one is not None and one.family == frame.world.player.family):
        made = n.SetOf(Set(one), (made,))
    return convert(frame, made, players, tree)


def collection(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    """An expression as a set or list; a bag gives the set of its kinds. Raises Faulty."""
    made = expression(frame, tree, wanted)
    if isinstance(made.type, Bag):
        return kinds_in(made)
    if not isinstance(made.type, Set | List):
        message = f"this must be a set or a list, but it is {phrase(made.type)}"
        frame.fail("type.collection", message, tree, help="a set is `{0, 1}`, `1..3` or the name of a type")
    return made


def kinds_in(bag: n.Expr) -> n.Expr:
    """The set of kinds that a bag contains at least once."""
    t = bag.type
    assert isinstance(t, Bag)
    kind = n.Var("kind", t.keys)
    some = n.Less(BOOL, n.Const(t.of, 0), n.Read(t.of, bag, n.Local(t.keys, kind)))
    return n.Select(Set(t.keys), kind, n.Domain(Set(t.keys), t.keys), some)


def bag_in(source: n.Expr) -> n.Expr | None:
    """The bag whose kinds an expression lists; None for any other set."""
    if isinstance(source, n.Select) and isinstance(source.body, n.Less):
        read = source.body.b
        if isinstance(read, n.Read) and isinstance(read.map.type, Bag) and source.var.name == "kind":
            return read.map
    return None


def is_counted(tree: Syntax) -> bool:
    """True if a tree is a kind with its number, as in `3 copper`."""
    return tree.data == "counted"


def element_type(source: n.Expr) -> Scalar | None:
    """The type of a set's or list's elements."""
    return cast("Set | List", source.type).of


def needs_context(frame: Frame, tree: Syntax) -> bool:
    """True if a tree has a meaning only once the type of its context is known."""
    if tree.data in ("notation", "none_", "set_", "list_"):
        return True
    if tree.data == "brackets":
        return needs_context(frame, cast(Syntax, tree.children[0]))
    if tree.data == "name":
        word = tree.children[0]
        world = frame.world
        return (
            word not in frame.names
            and world.find(str(word)) is None
            and word not in world.state
            and word not in world.parameters
        )
    return False


def pair(frame: Frame, left: Syntax, right: Syntax) -> tuple[n.Expr, n.Expr]:
    """Two expressions of the same family; either may determine the type."""
    if needs_context(frame, left) and not needs_context(frame, right):
        b = expression(frame, right, None)
        a = expression(frame, left, b.type)
    else:
        a = expression(frame, left, None)
        b = expression(frame, right, a.type)
    if not same_family(a.type, b.type):
        message = f"{phrase(a.type)} and {phrase(b.type)} cannot be compared"
        frame.fail("type.compare", message, right, help=quotes_needed(right, a.type))
    return a, b


@makes("counted")
def _counted(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    frame.fail("bag.here", "a number of equal things stands only where a bag does", tree)


# ---- logic


@makes("brackets")
def _brackets(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    return expression(frame, cast(Syntax, tree.children[0]), wanted)


@makes("and_", "or_")
def _junction(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    left, right = (cast(Syntax, c) for c in tree.children)
    first = condition(frame, left)
    both = tree.data == "and_"
    second = condition(frame.knowing(first if both else negation(first)), right)
    return conjunction(first, second) if both else disjunction(first, second)


@makes("not_")
def _not(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    return negation(condition(frame, cast(Syntax, tree.children[0])))


@makes("if_")
def _if(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    cond, then_tree, else_tree = (cast(Syntax, c) for c in tree.children)
    asked = condition(frame, cond)
    holds, fails = frame.knowing(asked), frame.knowing(negation(asked))
    if needs_context(frame, then_tree) and wanted is None:
        otherwise = expression(fails, else_tree, wanted)
        then = expression(holds, then_tree, otherwise.type)
    else:
        then = expression(holds, then_tree, wanted)
        otherwise = expression(fails, else_tree, wanted or then.type)
    if isinstance(asked, n.Const):
        return then if asked.value else otherwise
    both = join(then.type, otherwise.type)
    if both is None:
        message = f"one branch is {phrase(then.type)}, the other {phrase(otherwise.type)}"
        frame.fail("type.branches", message, tree)
    if isinstance(both, Truth):
        if isinstance(then, n.Const):
            return disjunction(asked, otherwise) if then.value else conjunction(negation(asked), otherwise)
        if isinstance(otherwise, n.Const):
            return disjunction(negation(asked), then) if otherwise.value else conjunction(asked, then)
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
