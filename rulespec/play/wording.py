"""Actions as people write them, and back.

The notation of an action is its `written` template filled in. Typed text is held against the
templates: holes that are plain choices are read in their type's notation, the others are tried
out. Case and spacing are forgiven where that leaves one meaning. Every action can also be written
as `name(first, second)`, whatever its template leaves out.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product

from ..core import nodes as n
from ..core.context import Context
from ..core.evaluate import evaluate
from ..core.game import Action
from ..core.notation import elements, read, split, write
from ..core.types import Enum, List, Scalar, Type, Value, holds
from .machine import Machine
from .position import Move

MOST_TRIED = 20_000
"""How many combinations of choices that a template leaves open are tried for one text."""

Bound = dict[n.Var, Value]
Captured = tuple[tuple[n.Expr, str], ...]


@dataclass(frozen=True, eq=False, slots=True)
class Template:
    """A `written` template: fixed text as a pattern, plain choices as variables, the rest as expressions."""

    action: Action
    parts: tuple[re.Pattern[str] | n.Var | n.Expr, ...]


class Wording:
    """Writes and reads the moves of one game."""

    def __init__(self, machine: Machine) -> None:
        self._machine = machine
        self._templates = [_template(action) for action in machine.game.actions.values()]

    def write(self, move: Move, ctx: Context) -> str:
        """The notation of a move, its spaces single."""
        action, env = self._machine.game.actions[move.action], self._machine.bind(move)
        filled = (p if isinstance(p, str) else write(p.type, evaluate(p, env, ctx)) for p in action.written)
        return _tidy("".join(filled))

    def full(self, move: Move) -> str:
        """The move as `name(first, second)`, which leaves nothing out."""
        choices = self._machine.game.actions[move.action].choices
        args = [write(c.var.type, v) for c, v in zip(choices, move.args, strict=True)]
        return f"{move.action}({', '.join(args)})" if args else move.action

    def readings(self, text: str, ctx: Context) -> list[Move]:
        """Every move that a text may mean, those first of which it is the exact notation."""
        tidy = _tidy(text)
        found: dict[Move, None] = dict.fromkeys(self._full_readings(tidy))
        for template in self._templates:
            for bound, captured in _matches(template.parts, tidy, 0, {}, ()):
                found.update(dict.fromkeys(self._completed(template, bound, captured, ctx)))
        exact = [move for move in found if tidy in (self.write(move, ctx), self.full(move))]
        return exact or list(found)

    def _full_readings(self, text: str) -> Iterator[Move]:
        name, bracket, rest = text.partition("(")
        action = self._machine.game.actions.get(name.strip())
        if action is None or (bracket and not rest.endswith(")")):
            return
        args = split(rest[:-1]) if bracket else []
        if len(args) != len(action.choices):
            return
        values = [_any_case(c.var.type, arg) for c, arg in zip(action.choices, args, strict=True)]
        for combination in product(*values):
            yield Move(action.id, combination)

    def _completed(
        self, template: Template, bound: Bound, captured: Captured, ctx: Context
    ) -> Iterator[Move]:
        for move in self._fillings(template.action, bound, ctx):
            env = self._machine.bind(move)
            if all(_alike(write(e.type, evaluate(e, env, ctx)), said) for e, said in captured):
                yield move

    def _fillings(self, action: Action, bound: Bound, ctx: Context) -> Iterator[Move]:
        """Moves that agree with `bound`: all of them if they are few, else the legal ones."""
        domains: list[tuple[Value, ...]] = []
        size = 1
        for choice in action.choices:
            t = choice.var.type
            if choice.var in bound:
                domains.append((bound[choice.var],))
            elif isinstance(t, Scalar) and (size := size * len(t.values)) <= MOST_TRIED:
                domains.append(tuple(t.values))
            else:
                break
        else:
            yield from (Move(action.id, args) for args in product(*domains))
            return
        for args in self._machine.listing(action.id, ctx).all():
            if all(bound.get(c.var, v) == v for c, v in zip(action.choices, args, strict=True)):
                yield Move(action.id, args)


def _template(action: Action) -> Template:
    choices = {choice.var for choice in action.choices}
    parts: list[re.Pattern[str] | n.Var | n.Expr] = []
    for part in action.written:
        if isinstance(part, str):
            parts.append(_literal(part))
        elif isinstance(part, n.Local) and part.var in choices:
            parts.append(part.var)
        else:
            parts.append(part)
    return Template(action, tuple(parts))


def _literal(text: str) -> re.Pattern[str]:
    pieces = re.split(r"(\s+)", text)
    return re.compile("".join(r"\s*" if p.isspace() else re.escape(p) for p in pieces), re.IGNORECASE)


def _matches(
    parts: tuple[re.Pattern[str] | n.Var | n.Expr, ...], text: str, at: int, bound: Bound, captured: Captured
) -> Iterator[tuple[Bound, Captured]]:
    if not parts:
        if not text[at:].strip():
            yield bound, captured
        return
    part, rest = parts[0], parts[1:]
    if isinstance(part, re.Pattern):
        found = part.match(text, at)
        if found:
            yield from _matches(rest, text, found.end(), bound, captured)
        return
    for end in range(len(text), at - 1, -1):
        said = text[at:end]
        if isinstance(part, n.Expr):
            yield from _matches(rest, text, end, bound, (*captured, (part, said)))
        elif said == said.rstrip():
            for value in _any_case(part.type, said.lstrip()):
                if bound.get(part, value) == value:
                    yield from _matches(rest, text, end, {**bound, part: value}, captured)


def _any_case(t: Type, text: str) -> list[Value]:
    """The values that a text stands for: exactly, or else with case and spacing forgiven."""
    if isinstance(t, List):
        words = elements(t, text)
        if t.of is None or words is None:
            return []
        items = [_any_case(t.of, word) for word in words]
        return [value for value in islice(product(*items), MOST_TRIED) if holds(t, value)]
    if not isinstance(t, Scalar):
        return []
    value = read(t, text)
    return [value] if value is not None else _loose_table(t).get(_squeezed(text), [])


@lru_cache(maxsize=256)
def _table(key: int, t: Scalar) -> dict[str, list[Value]]:
    words: dict[str, list[Value]] = {}
    for value in t.values:
        names = {write(t, value), t.members[value]} if isinstance(t, Enum) else {write(t, value)}
        for name in {_squeezed(name) for name in names}:
            words.setdefault(name, []).append(value)
    return words


def _loose_table(t: Scalar) -> dict[str, list[Value]]:
    return _table(id(t), t)


def _alike(a: str, b: str) -> bool:
    return _squeezed(a) == _squeezed(b)


def _squeezed(text: str) -> str:
    """Without case, and without spaces but those between words or numbers."""
    return re.sub(r"(?<!\w)\s+|\s+(?!\w)", "", text.casefold().strip())


def _tidy(text: str) -> str:
    return " ".join(text.split())
