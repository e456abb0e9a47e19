"""Formal texts that are copies of each other but for one sign or number."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from itertools import combinations

from ..core import nodes as n
from ..core.diagnostics import Span
from ..core.game import Game
from ..core.traversal import nodes_with_definitions, nodes_within
from ..core.types import Int
from .english import WHICH, prose_of, quantities, stem
from .parts import Found, clause_at, passages

_TOKEN = re.compile(r"[\w.-]+|[<>]=?|\S")
BORDERS = ({"<", "<="}, {">", ">="})
"""Comparisons that differ for equal numbers only."""
LEAST_TOKENS = 8
"""Minimum number of words and signs of a text that counts as a copy."""
LEAST_PARALLELS = 3
"""Minimum number of comparisons that count as parallel."""


def copies(game: Game) -> Found:
    """Doubts about texts that differ from a copy of theirs in one sign or number."""
    yield from _borders(game)
    yield from _parallels(game)
    yield from _rolls(game)


def _borders(game: Game) -> Found:
    """Doubts about two texts that differ only in whether one comparison includes equal numbers."""
    alike = defaultdict[tuple[str, ...], dict[tuple[str, ...], Span]](dict)
    for node in dict.fromkeys(node for root in game.roots for node in nodes_with_definitions(root)):
        tokens = tuple(_TOKEN.findall(game.texts.get(node, ""))) if n.is_expression(node) else ()
        if len(tokens) >= LEAST_TOKENS and node in game.spans:
            alike[tuple(token.removesuffix("=") or token for token in tokens)].setdefault(
                tokens, game.spans[node]
            )
    told = set[tuple[int, int]]()
    for texts in sorted(alike.values(), key=lambda texts: -len(next(iter(texts)))):
        for pair in combinations(texts.items(), 2):
            (first, there), (second, here) = sorted(pair, key=lambda one: one[1].line)
            signs = [(a, b) for a, b in zip(first, second, strict=True) if a != b]
            lines = there.line, here.line
            is_apart = there.source == here.source and lines[0] < lines[1]
            if len(signs) == 1 and {*signs[0]} in BORDERS and is_apart and lines not in told:
                told.add(lines)
                was, becomes = signs[0]
                message = f"this repeats line {there.line}, but with `{becomes}` instead of `{was}`"
                yield "copy", here, message, WHICH


def _parallels(game: Game) -> Found:
    """Doubts about one of several comparisons of entries that has another number than all others."""
    prose = {rule.id: prose_of(rule) for rule in game.rules}
    for passage in passages(game):
        groups = defaultdict[object, dict[n.StateVar, tuple[int, n.Expr]]](dict)
        for node, entry, var, number in _compared(passage.formal):
            key = type(node), entry is node.a, entry.type, game.texts.get(entry.key, "")
            groups[key].setdefault(var, (number, node))
        for found in groups.values():
            numbers = [number for number, _ in found.values()]
            odd = [(number, node) for number, node in found.values() if numbers.count(number) == 1]
            if len(found) < LEAST_PARALLELS or len(odd) != 1 or len({*numbers}) != 2:
                continue
            [(number, comparison)] = odd
            [usual] = {*numbers} - {number}
            span = game.spans.get(comparison)
            words = prose.get(clause_at(game, span), "") if span is not None else ""
            names = {stem(var.name) for var in found}
            said = {one.value for one in quantities(words) if not names.isdisjoint(one.words)}
            if abs(number - usual) == 1 and not said & {max(number, usual), max(number, usual) + 1}:
                message = f"this compares with {number}, but the others beside it with {usual}"
                yield "copy", span, message, WHICH


def _rolls(game: Game) -> Found:
    """Doubts about a roll of another range than all other rolls under the same name."""
    named = defaultdict[str, dict[str, list[Span]]](dict)
    for node in dict.fromkeys(node for root in game.roots for node in nodes_within(root)):
        match node:
            case n.Draw(var=n.Var(name=name), source=n.Domain(of=Int() as of)) if node in game.spans:
                named[name].setdefault(str(of), []).append(game.spans[node])
    for name, ranges in named.items():
        if len(ranges) == 2:
            (one, places), (other, there) = sorted(ranges.items(), key=lambda item: -len(item[1]))
            wrong = max(there, key=lambda span: span.line)
            if wrong.source != places[0].source:
                continue
            message = f"`{name}` is from {other} here, but from {one} in line {places[0].line}"
            yield "copy", wrong, message, WHICH


def _compared(formal: n.Expr | n.Effect) -> Iterator[tuple[n.Less | n.AtMost, n.Read, n.StateVar, int]]:
    """Comparisons of the entry of a variable with a number: the comparison, the entry, and what it has."""
    for node in nodes_within(formal):
        if isinstance(node, n.Less | n.AtMost):
            for entry, number in ((node.a, node.b), (node.b, node.a)):
                match entry, number:
                    case n.Read(map=n.Get(var=var)), n.Const(value=int(value)) if not isinstance(value, bool):
                        yield node, entry, var, value
