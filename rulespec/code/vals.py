"""Values in generated code, held by texts, and what a local name stands for while code is written."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from ..core import nodes as n
from ..core.types import Type, Value


@dataclass(frozen=True)
class Val:
    """A value in generated code; see the module. `none` says that a scalar may be none."""

    type: Type
    texts: tuple[str, ...]
    none: bool = False

    @property
    def text(self) -> str:
        """The text of a scalar."""
        assert len(self.texts) == 1, f"{self.type} takes {len(self.texts)} texts"
        return self.texts[0]


@dataclass(frozen=True)
class Known:
    """A local name whose value is known when the code is written."""

    value: Value


@dataclass(frozen=True)
class Macro:
    """A local name that stands for an expression in an environment of its own."""

    body: n.Expr
    env: Env


@dataclass(frozen=True)
class Lanes:
    """A local name that takes all values of its type at once, one for each bit."""


Binding = Val | Known | Macro | Lanes
Env = Mapping[n.Var, Binding]

_ATOM = re.compile(r"-?\w+")


def is_atom(text: str) -> bool:
    """Whether a text is a name or a number, so that repeating it costs nothing."""
    return _ATOM.fullmatch(text) is not None


def is_number(text: str) -> bool:
    """Whether a text is a whole number."""
    return re.fullmatch(r"-?\d+", text) is not None


def bare(text: str) -> str:
    """A text without parentheses around all of it."""
    while text.startswith("(") and text.endswith(")") and _is_balanced(text[1:-1]):
        text = text[1:-1]
    return text


def _is_balanced(text: str) -> bool:
    depth = 0
    for letter in text:
        depth += (letter in "([") - (letter in ")]")
        if depth < 0:
            return False
    return depth == 0


_RELATION = re.compile(r" (==|!=|<=|<|>=|>|and|or|if|in) ")


def negated(text: str) -> str:
    """The text of the negation of a condition."""
    inner = bare(text)
    signs = _RELATION.findall(inner)
    if inner.startswith("not ") and not signs:
        return inner.removeprefix("not ")
    if signs in (["=="], ["!="]) and not inner.startswith("not "):
        a, sign, b = _RELATION.split(inner)
        if _is_balanced(a):
            return f"({a} {'!=' if sign == '==' else '=='} {b})"
    return f"(not {text})"


def plus(text: str, number: int) -> str:
    """The text of a sum with a known number."""
    if not number:
        return text
    if is_number(text):
        return str(int(text) + number)
    return f"{text} + {number}" if number > 0 else f"{text} - {-number}"


def sum_of(*texts: str) -> str:
    """The text of a sum."""
    known = sum(int(text) for text in texts if is_number(text))
    named = [text for text in texts if not is_number(text)]
    return plus(" + ".join(named), known) if named else str(known)


def times(text: str, number: int) -> str:
    """The text of a product with a known number."""
    if number == 1:
        return text
    if is_number(text):
        return str(int(text) * number)
    return f"{text} * {number}" if is_atom(text) else f"({text}) * {number}"
