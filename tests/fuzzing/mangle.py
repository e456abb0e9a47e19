"""Mutations of text, bytes and plain data, drawn from a `random.Random`."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Sequence
from typing import Any

SIGNS = (
    *"()[]{}:|\"'#\t*&,.?!@%~`^\\-+=<>",
    "- ",
    ": ",
    " #",
    "\n",
    "\r\n",
    "\n\n",
    "'''",
    '"""',
    "${",
    "{}",
    "<<",
    "---\n",
    "...\n",
    "%YAML 1.2\n",
)
NUMBERS = (
    *("0", "1", "-1", "2", "3", "7", "12", "64", "65", "255", "256", "1000", "4096", "200000", "200001"),
    *("999999999", "2147483648", "9223372036854775807", "9223372036854775808", "1" + "0" * 30),
    *("9" * 4301, "²", "٣", "007", "0x10", "1e9", "1_000", "-0", "1.5", ".inf", ".nan"),
)
CHARACTERS = (
    "\0",
    "\x1b[2J",
    "\x07",
    "\x7f",
    "\x85",
    "\u2028",
    "\u202e",
    "\ufeff",
    "é",
    "😀",
    "\ud800",
    "\u0301",
)
ESCAPES = (r'"\e[31m"', r'"\0"', r'"\x9b"', r'"\u202e"', r'"\ud800"', r'"\N"', r"\N{DEAD}", '"\\')
HOSTILE = (
    '"""; import os; os.system("touch CANARY"); """',
    "'; __import__('os').system('touch CANARY') #",
    "<script>alert(1)</script>",
    "{{ 7 * 7 }}",
    "../../../etc/passwd",
    "__builtins__",
    "__import__",
    "None",
    "self",
    "lambda",
    "a" * 5000,
)
"""Text that something would happen to if it were ever taken for more than text."""

NAME = re.compile(r"[a-z][a-z0-9-]*")
NUMBER = re.compile(r"\d+")


def mangled(
    rng: random.Random, text: str, others: Sequence[str], formal: Callable[[random.Random], str]
) -> str:
    """The text with one to four mutations; parts come from `others`, formal text from `formal`."""
    for _ in range(rng.choice((1, 1, 1, 2, 2, 3, 4))):
        text = rng.choice(MUTATIONS)(rng, text, others, formal)
    return text


def _parts(rng: random.Random, text: str, others: Sequence[str], _: Any) -> str:
    """Lines or words left out, doubled, moved, exchanged, or taken from another text."""
    by = rng.choice(("\n", "\n", " "))
    parts, strange = text.split(by), rng.choice(others).split(by)
    i, j = rng.randrange(len(parts)), rng.randrange(len(parts))
    match rng.randrange(6):
        case 0:
            del parts[i : i + rng.choice((1, 1, 1, 2, 5, 20))]
        case 1:
            parts.insert(j, parts[i])
        case 2:
            parts[i], parts[j] = parts[j], parts[i]
        case 3:
            parts[i] = rng.choice(strange)
        case 4:
            at = rng.randrange(len(strange))
            parts[i:i] = strange[at : at + rng.randint(1, 12)]
        case _:
            parts[i : i + 1] = [parts[i]] * rng.choice((2, 3, 10, 100))
    return by.join(parts) or " "


def _sign(rng: random.Random, text: str, *_: Any) -> str:
    """A sign, character, escape or hostile text put in somewhere."""
    at = rng.randint(0, len(text))
    return text[:at] + rng.choice(rng.choice((SIGNS, SIGNS, CHARACTERS, ESCAPES, HOSTILE))) + text[at:]


def _number(rng: random.Random, text: str, *_: Any) -> str:
    """A number exchanged for another."""
    return _exchanged(rng, NUMBER, text, rng.choice(NUMBERS))


def _name(rng: random.Random, text: str, others: Sequence[str], _: Any) -> str:
    """A name or word exchanged for another of this text or of another one."""
    words = NAME.findall(rng.choice((text, text, rng.choice(others)))) or ["x"]
    word = rng.choice(words)
    if rng.random() < 0.3:
        return text.replace(rng.choice(NAME.findall(text) or ["x"]), word)
    return _exchanged(rng, NAME, text, word)


def _formal(rng: random.Random, text: str, _: Sequence[str], formal: Callable[[random.Random], str]) -> str:
    """A value exchanged for formal text derived from the grammar."""
    lines = text.split("\n")
    places = [i for i, line in enumerate(lines) if re.match(r"\s*(- )?[a-z-]+: \S", line)]
    if not places:
        return text
    i = rng.choice(places)
    head = lines[i].split(": ", 1)[0]
    body = formal(rng)
    if "\n" in body or ": " in body or " #" in body:
        deep = " " * (len(head) - len(head.lstrip()) + 4)
        lines[i] = head + ": |\n" + "\n".join(deep + line for line in body.split("\n"))
    else:
        lines[i] = f"{head}: {body}"
    return "\n".join(lines)


def _deep(rng: random.Random, text: str, *_: Any) -> str:
    """A part nested or repeated a great many times."""
    at = rng.randint(0, len(text))
    times = rng.choice((10, 60, 300, 3000))
    opening, closing = rng.choice(
        (("(", ")"), ("[", "]"), ("{", "}"), ("not ", ""), ("- ", ""), ("if a then ", ""))
    )
    return text[:at] + opening * times + rng.choice(("", "x", "1")) + closing * times + text[at:]


def _cut(rng: random.Random, text: str, *_: Any) -> str:
    """A text cut off, or a stretch of it taken out."""
    at = rng.randint(0, len(text))
    return text[:at] if rng.random() < 0.5 else text[:at] + text[at + rng.randint(1, 200) :]


MUTATIONS = (
    _parts,
    _parts,
    _parts,
    _sign,
    _sign,
    _number,
    _number,
    _name,
    _name,
    _name,
    _formal,
    _formal,
    _deep,
    _cut,
)


def _exchanged(rng: random.Random, pattern: re.Pattern[str], text: str, new: str) -> str:
    found = list(pattern.finditer(text))
    if not found:
        return text + new
    where = rng.choice(found)
    return text[: where.start()] + new + text[where.end() :]


def mangled_bytes(rng: random.Random, data: bytes) -> bytes:
    """Bytes flipped, cut, doubled or put in."""
    for _ in range(rng.choice((1, 1, 2, 4))):
        at = rng.randint(0, len(data))
        match rng.randrange(4):
            case 0:
                data = data[:at] + rng.randbytes(rng.randint(1, 8)) + data[at:]
            case 1:
                data = data[:at]
            case 2:
                data = data[:at] + data[at + rng.randint(1, 64) :]
            case _:
                data = data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
    return data


ODD: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 1, 2, 7, 10**9, 2**63, -(2**63), 10**40, 1.5, float("inf"), float("nan")),
    *("", "x", "1", "²", "none", "\0", "\x1b[2J", "\ud800", "a" * 3000, [], {}, [[]], [None], {"": None}),
)


def mangled_data(rng: random.Random, data: Any, others: Sequence[Any]) -> Any:
    """Plain data with one to four of its parts exchanged, taken out, doubled, or replaced by odd ones."""
    data = json.loads(json.dumps(data))
    for _ in range(rng.choice((1, 1, 1, 2, 3, 4))):
        places = list(_places(data))
        if not places:
            return rng.choice(ODD)
        box, key = rng.choice(places)
        match rng.randrange(6):
            case 0:
                del box[key]
            case 1 if isinstance(box, list):
                box.insert(key, box[key])
            case 1:
                box[rng.choice((*box, "x", ""))] = box[key]
            case 2:
                strange = list(_places(rng.choice(others)))
                box[key] = json.loads(json.dumps(strange and _at(rng.choice(strange))))
            case 3 if isinstance(box[key], int):
                box[key] += rng.choice((-1, 1, 64, -1000, 2**31))
            case 3 if isinstance(box[key], str) and box[key]:
                box[key] = mangled(rng, box[key], [box[key]], lambda rng: rng.choice(NUMBERS))
            case 4:
                other_box, other_key = rng.choice(places)
                if key in _keys(box) and other_key in _keys(other_box):
                    box[key] = json.loads(json.dumps(other_box[other_key]))
            case _:
                box[key] = rng.choice(ODD)
    return data


def _places(data: Any) -> Any:
    """Every place in lists and objects, as the box and its key."""
    waiting = [data]
    while waiting:
        box = waiting.pop()
        for key in _keys(box):
            yield box, key
            waiting.append(box[key])


def _keys(box: Any) -> Sequence[Any]:
    return range(len(box)) if isinstance(box, list) else list(box) if isinstance(box, dict) else ()


def _at(place: tuple[Any, Any]) -> Any:
    box, key = place
    return box[key]
