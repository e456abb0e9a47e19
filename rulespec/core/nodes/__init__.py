"""The closed list of operators.

Expressions have a type and no effect; they contain no chance and never fault. Effects change the
state in order. How nothing is treated is part of each operator:

    strict     one operand none gives the nothing of the result's type (none, no, {} or [])
    question   one operand none gives no

Arithmetic, Field, Read, Item, Narrow and Call are strict; Less, AtMost and Member are questions;
Equal compares none like any value; IsNone and Otherwise see it. Conditions are never none.
Where an operator evaluates a body once for each element, elements come in ascending order of
their type for sets, in list order for lists.

Every executable meaning is a table with one handler for each class in EXPRESSIONS and EFFECTS.
Nodes compare by identity, so facts about them (places, free variables, costs) live in side tables.
"""

from __future__ import annotations

from .base import Effect, Expr, Function, StateVar, Var
from .collections import (
    Concat,
    Difference,
    Intersection,
    Item,
    ListOf,
    Member,
    Read,
    Rest,
    SetOf,
    Size,
    Slice,
    Tabulate,
    Top,
    Union,
)
from .effects import Assign, Bind, Block, Draw, ForEach, Shuffle, When
from .plain import (
    Add,
    And,
    AtMost,
    Const,
    Div,
    Domain,
    Equal,
    Field,
    Get,
    If,
    IsNone,
    Less,
    Let,
    Local,
    Make,
    Mod,
    Mul,
    Narrow,
    Not,
    Or,
    Otherwise,
    Sub,
)
from .repetition import All, Any, Best, Call, Can, Collect, First, Fold, Follow, Image, Reach, Select, Sum

EXPRESSIONS: tuple[type[Expr], ...] = (
    Const, Domain, Local, Get,
    Not, And, Or, If, Let,
    Equal, Less, AtMost,
    Add, Sub, Mul, Div, Mod,
    Make, Field, IsNone, Otherwise, Narrow,
    Tabulate, Read, SetOf, Member, Union, Intersection, Difference,
    ListOf, Item, Slice, Top, Rest, Concat, Size,
    All, Any, Sum, Best, First, Select, Image, Collect, Fold,
    Follow, Reach, Call, Can,
)  # fmt: skip

EFFECTS: tuple[type[Effect], ...] = (Assign, Block, When, ForEach, Bind, Draw, Shuffle)

NOTHING_DONE = Block(())

__all__ = [
    "EFFECTS",
    "EXPRESSIONS",
    "NOTHING_DONE",
    "Add",
    "All",
    "And",
    "Any",
    "Assign",
    "AtMost",
    "Best",
    "Bind",
    "Block",
    "Call",
    "Can",
    "Collect",
    "Concat",
    "Const",
    "Difference",
    "Div",
    "Domain",
    "Draw",
    "Effect",
    "Equal",
    "Expr",
    "Field",
    "First",
    "Fold",
    "Follow",
    "ForEach",
    "Function",
    "Get",
    "If",
    "Image",
    "Intersection",
    "IsNone",
    "Item",
    "Less",
    "Let",
    "ListOf",
    "Local",
    "Make",
    "Member",
    "Mod",
    "Mul",
    "Narrow",
    "Not",
    "Or",
    "Otherwise",
    "Reach",
    "Read",
    "Rest",
    "Select",
    "SetOf",
    "Shuffle",
    "Size",
    "Slice",
    "StateVar",
    "Sub",
    "Sum",
    "Tabulate",
    "Top",
    "Union",
    "Var",
    "When",
]
