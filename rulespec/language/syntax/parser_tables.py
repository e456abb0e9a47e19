"""The tables of the parser as JSON text, from the package or, under another version of Lark, from the cache.

Lark serializes a parser to dictionaries, lists and tuples of numbers and strings. JSON has no tuples and only
strings as keys, so a dictionary becomes `{"d": [[key, value], ...]}` and a tuple `{"t": [...]}`.
`make grammar` writes the file of the package anew after a change of the grammar (`parser.write_tables`).
"""

from __future__ import annotations

import gzip
import json
from importlib import resources
from typing import Any

from lark import Lark
from lark.grammar import Rule
from lark.lexer import TerminalDef

FILE = "grammar.json.gz"
"""The file of the package: the tables, and the digest of their inputs."""
PASSED = "postlex"
"""The option that is an object; `from_text` takes it as an argument."""


def shipped_tables(key: str) -> str | None:
    """The shipped parser tables; None if their key differs."""
    try:
        content = resources.files(__package__).joinpath(FILE).read_bytes()
    except FileNotFoundError:
        return None
    made_from, _, text = gzip.decompress(content).decode().partition("\n")
    return text if made_from == key else None


def to_text(parser: Lark) -> str:
    """The tables of a parser. Raises TypeError if Lark serializes it to other types than expected."""
    data, memo = parser.memo_serialize([TerminalDef, Rule])
    options = {name: value for name, value in data["options"].items() if name != PASSED}
    return json.dumps(_encode({"data": {**data, "options": options}, "memo": memo}), separators=(",", ":"))


def from_text(text: str, postlex: Any) -> Lark:
    """The parser that `to_text` serialized."""
    parser: Lark = Lark.__new__(Lark)._load(json.loads(text, object_hook=_decode), postlex=postlex)
    return parser


def _encode(value: Any) -> Any:
    if isinstance(value, dict):
        return {"d": [[_encode(key), _encode(held)] for key, held in value.items()]}
    if isinstance(value, tuple):
        return {"t": [_encode(item) for item in value]}
    if isinstance(value, list):
        return [_encode(item) for item in value]
    if value is None or type(value) in (bool, int, str):
        return value
    raise TypeError(f"a parser holds a {type(value).__name__}, which is no plain data")


def _decode(value: dict[str, Any]) -> Any:
    """A dictionary or tuple with all its parts decoded."""
    return dict(value["d"]) if "d" in value else tuple(value["t"])
