"""Serialization of a Lark parser as JSON data.

Lark serializes a parser to dictionaries, lists and tuples of numbers and strings. JSON has no tuples and only
strings as keys, so a dictionary becomes `{"d": [[key, value], ...]}` and a tuple `{"t": [...]}`.
"""

from __future__ import annotations

from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

PARTS = ("data", "memo")
PASSED = "postlex"
"""The option that is an object; `from_data` takes it as an argument."""


def to_data(parser: Lark) -> Any:
    """A parser as data for JSON. Raises TypeError if Lark serializes it to other types than expected."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    options = {name: value for name, value in data["options"].items() if name != PASSED}
    return _encoded({"data": {**data, "options": options}, "memo": memo})


def from_data(data: Any, postlex: Any) -> Lark:
    """The parser that `to_data` serialized."""
    made: Lark = Lark.__new__(Lark)._load(_decoded(data), postlex=postlex)
    return made


def _encoded(value: Any) -> Any:
    if isinstance(value, dict):
        return {"d": [[_encoded(key), _encoded(held)] for key, held in value.items()]}
    if isinstance(value, tuple):
        return {"t": [_encoded(item) for item in value]}
    if isinstance(value, list):
        return [_encoded(item) for item in value]
    if value is None or type(value) in (bool, int, str):
        return value
    raise TypeError(f"a parser holds a {type(value).__name__}, which is no plain data")


def _decoded(value: Any) -> Any:
    if isinstance(value, list):
        return [_decoded(item) for item in value]
    if isinstance(value, dict):
        if "d" in value:
            return {_decoded(key): _decoded(held) for key, held in value["d"]}
        return tuple(_decoded(item) for item in value["t"])
    return value
