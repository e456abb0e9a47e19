"""What each operator gives: ordinarily, at its edges, and at nothing.

The values are those of the specification in `core/nodes`, written out by hand. `state` is 5 in them, and all
that can be done is to `move`.
"""

from __future__ import annotations

from rulespec.core import nodes as n
from rulespec.core.types import (
    BOOL,
    Enum,
    List,
    Map,
    Optional,
    Record,
    Set,
    Type,
    Value,
    integers,
)

DIGIT = integers(0, 9, "Digit")
SIGNED = integers(-99, 99)
MAYBE = Optional(DIGIT)
DIGITS = Set(DIGIT)
ROW = List(DIGIT, 5)
SUIT = Enum("Suit", (0, 1, 2), "Suit", ("clubs", "hearts", "spades"))
CELL = Record(
    "Cell",
    ((1, 1), (1, 2), (2, 2)),
    "Cell",
    (("row", integers(1, 2)), ("col", integers(1, 2))),
)
GRID = Map(DIGIT, MAYBE)
X, Y, TOTAL = n.Var("x", DIGIT), n.Var("y", DIGIT), n.Var("total", integers(0, 999))
STATE = n.StateVar("state", DIGIT, n.Const(DIGIT, 0))


def stored(value: n.Expr) -> n.Effect:
    return n.Assign(STATE, (), value)


def after(moved: n.Expr, found: n.Expr) -> n.Expr:
    """A state that is a number after a move, which stores it; a move of 3 would store too much."""
    more = stored(n.Add(SIGNED, n.Get(DIGIT, STATE), number(99)))
    effect = n.When(n.Equal(BOOL, local(X), digit(3)), more, stored(local(X)))
    return n.After(BOOL, "move", (X,), (moved,), effect, n.Equal(BOOL, n.Get(DIGIT, STATE), found))


def const(t: Type, value: Value) -> n.Expr:
    return n.Const(t, value)


def digit(value: int | None) -> n.Expr:
    return const(MAYBE if value is None else DIGIT, value)


def number(value: int | None) -> n.Expr:
    return const(Optional(SIGNED) if value is None else SIGNED, value)


def truth(value: bool) -> n.Expr:
    return const(BOOL, value)


def members(*values: int) -> n.Expr:
    return const(DIGITS, frozenset(values))


def row(*values: int) -> n.Expr:
    return const(ROW, values)


def local(var: n.Var) -> n.Expr:
    return n.Local(var.type, var)


def less(a: n.Expr, b: n.Expr) -> n.Expr:
    return n.Less(BOOL, a, b)


def doubled(var: n.Var) -> n.Expr:
    return n.Add(SIGNED, local(var), local(var))


def even(var: n.Var) -> n.Expr:
    return n.Equal(BOOL, n.Mod(SIGNED, local(var), number(2)), number(0))


def halved(var: n.Var) -> n.Expr:
    """A body that is none for odd digits."""
    return n.If(MAYBE, even(var), n.Div(MAYBE, local(var), number(2)), digit(None))


def never() -> n.Expr:
    """An operand that may not be looked at: no local of this name has a value."""
    return local(n.Var("unbound", BOOL))


NONE_CELL = const(Optional(CELL), None)
TRIPLE = n.Function("triple", (X,), SIGNED, static=True)
TRIPLE.body = n.Mul(SIGNED, local(X), number(3))
EVEN = n.Function("even", (X,), BOOL, static=True)
EVEN.body = even(X)
KEEP = n.Function("keep", (n.Var("k", MAYBE),), MAYBE, static=True)
KEEP.body = n.Otherwise(DIGIT, local(KEEP.params[0]), digit(7))
COUNTDOWN = n.Function("countdown", (X,), Optional(SIGNED), falling=0, static=True)
COUNTDOWN.body = n.Otherwise(
    SIGNED,
    n.Add(
        Optional(SIGNED),
        n.Call(Optional(SIGNED), COUNTDOWN, (n.Sub(SIGNED, local(X), number(1)),)),
        number(1),
    ),
    number(0),
)
LISTED = n.Function("listed", (X,), ROW, static=True)
LISTED.body = n.ListOf(ROW, (local(X), local(X)))


def follow(start: n.Expr, times: n.Expr, cond: n.Expr) -> n.Expr:
    step = n.Narrow(MAYBE, n.Add(SIGNED, local(X), number(3)), DIGIT)
    return n.Follow(MAYBE, X, start, step, cond, times, 9)


def next_to(a: n.Var, b: n.Var) -> n.Expr:
    return n.Equal(BOOL, local(a), n.Add(SIGNED, local(b), number(2)))


def reach(source: n.Expr, *start: int) -> n.Expr:
    return n.Reach(DIGITS, X, source, members(*start), Y, next_to(X, Y))


Case = tuple[str, n.Expr, Value]

CASES: dict[type[n.Expr], list[Case]] = {
    n.Const: [("a value", digit(3), 3), ("none", digit(None), None)],
    n.Domain: [
        ("a range", n.Domain(DIGITS, DIGIT), frozenset(range(10))),
        ("a subset", n.Domain(Set(CELL), CELL), frozenset({(1, 1), (1, 2), (2, 2)})),
    ],
    n.Local: [("bound", n.Let(DIGIT, X, digit(4), local(X)), 4)],
    n.Get: [("the state", n.Get(DIGIT, STATE), 5)],
    n.Not: [("yes", n.Not(BOOL, truth(True)), False), ("no", n.Not(BOOL, truth(False)), True)],
    n.And: [
        ("all hold", n.And(BOOL, (truth(True), truth(True))), True),
        ("one does not", n.And(BOOL, (truth(True), truth(False))), False),
        ("stops at the first that does not", n.And(BOOL, (truth(False), never())), False),
        ("of nothing", n.And(BOOL, ()), True),
    ],
    n.Or: [
        ("one holds", n.Or(BOOL, (truth(False), truth(True))), True),
        ("none holds", n.Or(BOOL, (truth(False), truth(False))), False),
        ("stops at the first that does", n.Or(BOOL, (truth(True), never())), True),
        ("of nothing", n.Or(BOOL, ()), False),
    ],
    n.If: [
        ("yes", n.If(DIGIT, truth(True), digit(1), never()), 1),
        ("no", n.If(DIGIT, truth(False), never(), digit(2)), 2),
    ],
    n.Let: [
        ("a value", n.Let(SIGNED, X, digit(4), doubled(X)), 8),
        ("none", n.Let(BOOL, X, digit(None), n.IsNone(BOOL, local(X))), True),
        ("hides", n.Let(DIGIT, X, digit(1), n.Let(DIGIT, X, digit(2), local(X))), 2),
    ],
    n.Equal: [
        ("equal", n.Equal(BOOL, digit(3), number(3)), True),
        ("different", n.Equal(BOOL, digit(3), digit(4)), False),
        ("none and none", n.Equal(BOOL, digit(None), digit(None)), True),
        ("none and a value", n.Equal(BOOL, digit(None), digit(0)), False),
        ("sets", n.Equal(BOOL, members(2, 1), members(1, 2)), True),
        ("lists", n.Equal(BOOL, row(1, 2), row(2, 1)), False),
    ],
    n.Less: [
        ("before", less(digit(2), digit(3)), True),
        ("equal", less(digit(3), digit(3)), False),
        ("members in their order", less(const(SUIT, 0), const(SUIT, 2)), True),
        ("records field by field", less(const(CELL, (1, 2)), const(CELL, (2, 2))), True),
        ("none on the left", less(digit(None), digit(3)), False),
        ("none on the right", less(digit(3), digit(None)), False),
    ],
    n.AtMost: [
        ("equal", n.AtMost(BOOL, digit(3), digit(3)), True),
        ("after", n.AtMost(BOOL, digit(4), digit(3)), False),
        ("none and none", n.AtMost(BOOL, digit(None), digit(None)), False),
    ],
    n.Add: [
        ("numbers", n.Add(SIGNED, number(3), number(-5)), -2),
        ("none", n.Add(Optional(SIGNED), number(3), number(None)), None),
    ],
    n.Sub: [
        ("below zero", n.Sub(SIGNED, number(3), number(5)), -2),
        ("none", n.Sub(Optional(SIGNED), number(None), number(5)), None),
    ],
    n.Mul: [
        ("signs", n.Mul(SIGNED, number(-3), number(5)), -15),
        ("none times zero", n.Mul(Optional(SIGNED), number(None), number(0)), None),
    ],
    n.Div: [
        ("rounded down", n.Div(SIGNED, number(7), number(2)), 3),
        ("rounded down below zero", n.Div(SIGNED, number(-7), number(2)), -4),
        ("by a negative", n.Div(SIGNED, number(7), number(-2)), -4),
        ("by zero", n.Div(Optional(SIGNED), number(7), number(0)), None),
        ("none", n.Div(Optional(SIGNED), number(None), number(2)), None),
    ],
    n.Mod: [
        ("ordinary", n.Mod(SIGNED, number(7), number(3)), 1),
        ("of a negative", n.Mod(SIGNED, number(-7), number(3)), 2),
        ("by a negative", n.Mod(SIGNED, number(7), number(-3)), -2),
        ("by zero", n.Mod(Optional(SIGNED), number(7), number(0)), None),
        ("none", n.Mod(Optional(SIGNED), number(7), number(None)), None),
    ],
    n.Make: [
        ("a combination", n.Make(Optional(CELL), CELL, (number(1), number(2))), (1, 2)),
        ("none of the type", n.Make(Optional(CELL), CELL, (number(2), number(1))), None),
        ("out of range", n.Make(Optional(CELL), CELL, (number(3), number(1))), None),
        ("with none", n.Make(Optional(CELL), CELL, (number(1), number(None))), None),
    ],
    n.Field: [
        ("a field", n.Field(integers(1, 2), const(CELL, (1, 2)), 1), 2),
        ("of none", n.Field(Optional(integers(1, 2)), NONE_CELL, 0), None),
    ],
    n.IsNone: [
        ("none", n.IsNone(BOOL, digit(None)), True),
        ("zero", n.IsNone(BOOL, digit(0)), False),
    ],
    n.Otherwise: [
        ("the first", n.Otherwise(DIGIT, digit(0), never()), 0),
        ("the second", n.Otherwise(DIGIT, digit(None), digit(4)), 4),
        ("none both", n.Otherwise(MAYBE, digit(None), digit(None)), None),
    ],
    n.Narrow: [
        ("inside", n.Narrow(MAYBE, number(9), DIGIT), 9),
        ("outside", n.Narrow(MAYBE, number(10), DIGIT), None),
        ("none", n.Narrow(MAYBE, number(None), DIGIT), None),
    ],
    n.Tabulate: [
        ("by key", n.Tabulate(Map(CELL, DIGIT), n.Var("c", CELL), CELL, digit(4)), (4, 4, 4)),
        (
            "reading the key",
            n.Tabulate(Map(DIGIT, SIGNED), X, DIGIT, doubled(X)),
            tuple(2 * k for k in range(10)),
        ),
    ],
    n.Read: [
        ("at a key", n.Read(MAYBE, const(GRID, tuple(range(10))), digit(3)), 3),
        ("at none", n.Read(MAYBE, const(GRID, tuple(range(10))), digit(None)), None),
        ("at no key", n.Read(MAYBE, const(GRID, tuple(range(10))), number(10)), None),
        ("of a set at none", n.Read(DIGITS, const(Map(DIGIT, DIGITS), (frozenset({1}),) * 10), digit(None)),
         frozenset()),
        ("of a truth at none", n.Read(BOOL, const(Map(DIGIT, BOOL), (True,) * 10), digit(None)), False),
    ],
    n.SetOf: [
        ("twice the same", n.SetOf(DIGITS, (digit(2), digit(2), digit(3))), frozenset({2, 3})),
        ("nones left out", n.SetOf(DIGITS, (digit(None), digit(3))), frozenset({3})),
        ("empty", n.SetOf(DIGITS, ()), frozenset()),
    ],
    n.Member: [
        ("in a set", n.Member(BOOL, digit(2), members(1, 2)), True),
        ("in a list", n.Member(BOOL, digit(3), row(1, 2)), False),
        ("none", n.Member(BOOL, digit(None), members(1, 2)), False),
    ],
    n.Union: [("two sets", n.Union(DIGITS, members(1, 2), members(2, 3)), frozenset({1, 2, 3}))],
    n.Intersection: [
        ("common", n.Intersection(DIGITS, members(1, 2), members(2, 3)), frozenset({2})),
        ("nothing common", n.Intersection(DIGITS, members(1), members(2)), frozenset()),
    ],
    n.Difference: [
        ("less", n.Difference(DIGITS, members(1, 2), members(2, 3)), frozenset({1})),
        ("everything", n.Difference(DIGITS, members(1), members(1)), frozenset()),
    ],
    n.ListOf: [
        ("in order", n.ListOf(ROW, (digit(3), digit(1), digit(3))), (3, 1, 3)),
        ("nones left out", n.ListOf(ROW, (digit(None), digit(1))), (1,)),
    ],
    n.Item: [
        ("the bottom", n.Item(MAYBE, row(7, 8, 9), number(1)), 7),
        ("the top", n.Item(MAYBE, row(7, 8, 9), number(3)), 9),
        ("below", n.Item(MAYBE, row(7, 8, 9), number(0)), None),
        ("negative", n.Item(MAYBE, row(7, 8, 9), number(-1)), None),
        ("above", n.Item(MAYBE, row(7, 8, 9), number(4)), None),
        ("at none", n.Item(MAYBE, row(7, 8, 9), number(None)), None),
    ],
    n.Slice: [
        ("inside", n.Slice(ROW, row(6, 7, 8, 9), number(2), number(3)), (7, 8)),
        ("as far as they exist", n.Slice(ROW, row(6, 7), number(0), number(9)), (6, 7)),
        ("the wrong way", n.Slice(ROW, row(6, 7), number(2), number(1)), ()),
        ("up to none", n.Slice(ROW, row(6, 7), number(1), number(None)), ()),
        ("from none", n.Slice(ROW, row(6, 7), number(None), number(2)), ()),
    ],
    n.Top: [
        ("some", n.Top(ROW, row(6, 7, 8), number(2)), (7, 8)),
        ("all there are", n.Top(ROW, row(6, 7), number(5)), (6, 7)),
        ("no", n.Top(ROW, row(6, 7), number(0)), ()),
        ("fewer than no", n.Top(ROW, row(6, 7), number(-1)), ()),
        ("none", n.Top(ROW, row(6, 7), number(None)), ()),
    ],
    n.Rest: [
        ("below some", n.Rest(ROW, row(6, 7, 8), number(2)), (6,)),
        ("below all", n.Rest(ROW, row(6, 7), number(5)), ()),
        ("below no", n.Rest(ROW, row(6, 7), number(0)), (6, 7)),
        ("below fewer than no", n.Rest(ROW, row(6, 7), number(-1)), (6, 7)),
        ("below none", n.Rest(ROW, row(6, 7), number(None)), (6, 7)),
    ],
    n.Concat: [("the second on top", n.Concat(List(DIGIT, 10), row(1, 2), row(3)), (1, 2, 3))],
    n.Size: [
        ("of a set", n.Size(DIGIT, members(4, 7)), 2),
        ("of a list", n.Size(DIGIT, row(4, 4)), 2),
        ("of a type", n.Size(DIGIT, n.Domain(Set(CELL), CELL)), 3),
        ("of the empty set", n.Size(DIGIT, members()), 0),
    ],
    n.All: [
        ("all hold", n.All(BOOL, X, members(2, 4), even(X)), True),
        ("one does not", n.All(BOOL, X, members(2, 3), even(X)), False),
        ("of nothing", n.All(BOOL, X, members(), never()), True),
    ],
    n.Any: [
        ("one holds", n.Any(BOOL, X, row(3, 4), even(X)), True),
        ("none holds", n.Any(BOOL, X, row(3, 5), even(X)), False),
        ("of nothing", n.Any(BOOL, X, row(), never()), False),
    ],
    n.Sum: [
        ("over a set", n.Sum(SIGNED, X, members(1, 2, 3), doubled(X)), 12),
        ("over a list, each time", n.Sum(SIGNED, X, row(2, 2), local(X)), 4),
        ("none counts as zero", n.Sum(SIGNED, X, members(2, 3, 4), halved(X)), 3),
        ("of nothing", n.Sum(SIGNED, X, members(), never()), 0),
    ],
    n.Best: [
        ("most", n.Best(Optional(SIGNED), X, members(1, 3), doubled(X), most=True), 6),
        ("least", n.Best(Optional(SIGNED), X, members(1, 3), doubled(X), most=False), 2),
        ("nones left out", n.Best(MAYBE, X, members(1, 2, 3), halved(X), most=True), 1),
        ("nothing but none", n.Best(MAYBE, X, members(1, 3), halved(X), most=True), None),
        ("of nothing", n.Best(MAYBE, X, members(), local(X), most=False), None),
    ],
    n.First: [
        ("of a set, ascending", n.First(MAYBE, X, members(8, 4, 3), even(X)), 4),
        ("of a list, as it lies", n.First(MAYBE, X, row(8, 4), even(X)), 8),
        ("no such", n.First(MAYBE, X, row(3, 5), even(X)), None),
    ],
    n.Select: [
        ("of a set", n.Select(DIGITS, X, members(1, 2, 4), even(X)), frozenset({2, 4})),
        ("of a list", n.Select(DIGITS, X, row(4, 4, 3), even(X)), frozenset({4})),
    ],
    n.Image: [
        ("equal values once", n.Image(DIGITS, X, members(2, 3), digit(1)), frozenset({1})),
        ("nones left out", n.Image(DIGITS, X, members(2, 3, 4), halved(X)), frozenset({1, 2})),
    ],
    n.Collect: [
        ("in the order of a list", n.Collect(List(SIGNED, 5), X, row(3, 1), doubled(X)), (6, 2)),
        ("of a set, ascending", n.Collect(List(SIGNED, 9), X, members(3, 1), doubled(X)), (2, 6)),
        ("nones left out", n.Collect(ROW, X, row(3, 4, 4), halved(X)), (2, 2)),
    ],
    n.Fold: [
        (
            "in order",
            n.Fold(
                TOTAL.type, X, TOTAL, row(1, 2, 3), const(TOTAL.type, 0),
                n.Add(SIGNED, n.Mul(SIGNED, local(TOTAL), number(10)), local(X)),
            ),
            123,
        ),
        ("of nothing", n.Fold(TOTAL.type, X, TOTAL, row(), const(TOTAL.type, 7), never()), 7),
    ],
    n.Follow: [
        ("until a step is none", follow(digit(1), number(9), truth(True)), 7),
        ("until the condition fails", follow(digit(1), number(9), less(local(X), digit(4))), 4),
        ("at most so many times", follow(digit(0), number(2), truth(True)), 6),
        ("no times", follow(digit(2), number(0), truth(True)), 2),
        ("none times", follow(digit(2), number(None), truth(True)), 2),
        ("from none", follow(digit(None), number(5), truth(True)), None),
    ],
    n.Reach: [
        ("step by step", reach(n.Domain(DIGITS, DIGIT), 4), frozenset({4, 6, 8})),
        ("from several", reach(members(0, 1, 2, 3, 5), 0, 3), frozenset({0, 2, 3, 5})),
        ("only through the source", reach(members(1, 5, 7), 1), frozenset({1})),
        ("a start outside it", reach(members(6, 8), 4), frozenset()),
        ("from nowhere", reach(n.Domain(DIGITS, DIGIT)), frozenset()),
    ],
    n.Call: [
        ("a value", n.Call(SIGNED, TRIPLE, (digit(3),)), 9),
        ("at none", n.Call(Optional(SIGNED), TRIPLE, (digit(None),)), None),
        ("outside the parameter's type", n.Call(Optional(SIGNED), TRIPLE, (number(10),)), None),
        ("a question at none", n.Call(BOOL, EVEN, (digit(None),)), False),
        ("a list at none", n.Call(ROW, LISTED, (digit(None),)), ()),
        ("a parameter that takes none", n.Call(MAYBE, KEEP, (digit(None),)), 7),
        ("recursion down to its end", n.Call(Optional(SIGNED), COUNTDOWN, (digit(9),)), 9),
    ],
    n.Can: [
        ("a legal action", n.Can(BOOL, "move", ()), True),
        ("with arguments", n.Can(BOOL, "move", (digit(3),)), False),
        ("another", n.Can(BOOL, "pass", ()), False),
    ],
    n.After: [
        ("what was stored", after(digit(7), number(7)), True),
        ("nothing else", after(digit(7), number(5)), False),
        ("what does not fit is not stored", after(digit(3), number(10)), False),
        ("and the rest is", after(digit(3), number(5)), True),
        ("at none", after(digit(None), number(5)), False),
        ("outside the choice's type", after(number(10), number(5)), False),
        ("the arguments are those of here", after(n.Get(DIGIT, STATE), number(5)), True),
        ("nested", n.After(BOOL, "move", (), (), stored(digit(6)), after(digit(5), number(5))), True),
    ],
}  # fmt: skip
