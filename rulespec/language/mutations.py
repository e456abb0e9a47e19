"""Mutations of a ruleset: its formal text with one change, each a complete ruleset.

A change is made in the text of a clause, in its file, so the mutated ruleset is read and checked like any
other. For testing (`breaks`) a requirement or a law is dropped, or a number, comparison, connective or
quantifier is replaced by another one. For repairs (`nearby`) names are replaced as well, arguments and
statements exchanged, and statements dropped.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import filterfalse, pairwise
from pathlib import Path

from ..core.diagnostics import Source, Span
from ..core.meter import Meter
from ..core.numbers import whole_number
from .documents.rule_texts import formal_texts_of
from .documents.yaml import Mapping as Entries
from .documents.yaml import Scalar, mappings
from .loader import Ruleset, read
from .rules import id_of

MOVER, PLAYER = PLAYERS = ("mover", "player")
"""The names of players that need no binding."""
AFTER = "after"
"""The operator that maps a player to the next one; a field is seldom a player."""
OUTCOME = ("score", "payoff", "winners", "ties")
"""The keys of texts in which `player` stands for each player."""
DROPPED = "true"
"""The text that replaces a dropped condition."""

OTHERS: Mapping[str, tuple[str, ...]] = {
    "<": ("<=",), "<=": ("<",), ">": (">=",), ">=": (">",), "=": ("!=",), "!=": ("=",),
    "and": ("or",), "or": ("and",), "every": ("some",), "some": ("every",),
    "most": ("least",), "least": ("most",), "+": ("-",), "-": ("+",),
}  # fmt: skip
"""The replacements of words and signs."""

NEARBY: Mapping[str, tuple[str, ...]] = {
    **OTHERS,
    "<": ("<=", ">", ">="), "<=": ("<", ">=", ">"), ">": (">=", "<", "<="), ">=": (">", "<=", "<"),
    "top": ("bottom",), "bottom": ("top",), "min": ("max",), "max": ("min",), "no": ("some",), "not": ("",),
    "true": ("false",), "false": ("true",),
}  # fmt: skip
"""The replacements of words and signs for repairs."""

LIKELY = frozenset("< <= > >= every some no most least min max top bottom and or".split())
"""The words and signs that are most often mistaken for each other."""

NAME = r"[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z][A-Za-z0-9_]*)*"
_ARGUMENTS = re.compile(rf"(?<![\w-])(?=(({NAME}), ({NAME})\b))")
"""Two names, the second of which may be the first of the next two."""
_DECLARED = re.compile(rf"^(?:define|(?:hidden )?state|type|derived|to) ({NAME})", re.MULTILINE)
_PATH = re.compile(rf'(?<![\w."-]){NAME}(?:\.{NAME})*(?![\w(":]|-\w| :=)')
"""A name with fields of it."""
_APPLIED = re.compile(rf"\b({NAME})\(({NAME}(?:\.{NAME})*)\)")
MOST_NAMES = 3
"""Maximum number of names that replace one name."""
MOST_BOUND = 8
"""Maximum number of bound names that replace one."""
_KEY = re.compile(r"\[([\w.-]+)\]")
"""The key of an entry that is one name."""
_BOUND = re.compile(rf"(?<![\w.-])({NAME})(?= in | be |: )")
"""A name where it is bound."""
_WORD = re.compile(rf'"[^"\n]*"|#[^\n]*|{NAME}|\d+|:=|[<>!]=|[<>=+-]')


@dataclass(frozen=True)
class Break:
    """One change: `was` at `span`, in the text `where` (a key) of a clause, and its replacement."""

    clause: str
    where: str
    span: Span
    was: str
    becomes: str

    @property
    def text(self) -> str:
        """The change in words."""
        return "dropped" if self.becomes == DROPPED else f"`{self.was}` becomes `{self.becomes}`"

    @cached_property
    def source(self) -> Source:
        """The file after the change."""
        lines = self.span.source.text.split("\n")
        first, last = self.span.line - 1, self.span.end_line - 1
        before, after = lines[first][: self.span.column - 1], lines[last][self.span.end_column - 1 :]
        # Lines that fall away stay as empty ones, so that every place after them is where it was.
        lines[first : last + 1] = [before + self.becomes + after, *[""] * (last - first)]
        return Source(self.span.source.name, "\n".join(lines))


def breaks(name: str | Path, clauses: frozenset[str] = frozenset()) -> list[Break]:
    """Every mutation of a ruleset in reading order, including inherited text, or those of `clauses` only.

    Raises RulesetError if there is no such ruleset or its structure is faulty.
    """
    found: list[Break] = []
    for rule in read(name).document.section("rules"):
        if not clauses or id_of(rule) in clauses:
            for where, text, start in formal_texts_of(rule):
                if start and text.exact and not text.in_flow:
                    found += _breaks(id_of(rule), where, text)
    return found


@dataclass(frozen=True)
class _Passage:
    """A formal text: its clause, key and start rule."""

    clause: str
    where: str
    text: Scalar
    start: str
    bound: frozenset[str] = frozenset()
    """The names bound in the texts of its clause, and those of players that always have a meaning there."""

    @cached_property
    def tokens(self) -> list[tuple[str, int, int]]:
        """The words and signs, each with its line and column, counted from 1."""
        lines = enumerate(self.text.formal.split("\n"), 1)
        return [(one.group(), at, one.start() + 1) for at, line in lines for one in _WORD.finditer(line)]

    @cached_property
    def words(self) -> frozenset[str]:
        """The words and signs without their places."""
        return frozenset(word for word, _, _ in self.tokens)

    def words_on(self, lines: Collection[tuple[str, int]]) -> Iterator[str]:
        """The words and signs on some lines of files."""
        for word, line, column in self.tokens:
            place = self.text.place(line, column, line, column)
            if (place.source.name, place.line) in lines:
                yield word

    @cached_property
    def declarations(self) -> frozenset[str]:
        """The names of its definitions, types and variables; the name of a parameter for its default."""
        if self.where == "default":
            return frozenset((self.clause,))
        if self.start != "decl_text":
            return frozenset()
        return frozenset(_DECLARED.findall(self.text.formal))

    def holds(self, place: Span) -> bool:
        """True if a place begins in this text."""
        span = self.text.span
        return place.source == span.source and span.line <= place.line <= span.end_line

    def change(self, line: int, column: int, was: str, becomes: str) -> Break:
        """A change of a part that begins at a place in this text."""
        more = was.count("\n")
        end = len(was) - was.rfind("\n") if more else column + len(was)
        return Break(self.clause, self.where, self.text.place(line, column, line + more, end), was, becomes)


def nearby(
    ruleset: Ruleset, places: Collection[Span], alike: Mapping[str, Sequence[str]], within: Sequence[str]
) -> Iterator[Break]:
    """Changes of the formal text, those of the lines at some places first.

    Then come the likeliest changes everywhere, the texts that declare what these use, the other lines of the
    same texts, the texts that declare what all these use, and so on, and at last all others. `alike` has for
    a name the names of the same kind that may replace it, `within` the definitions that map a type to itself.
    """
    yield from dict.fromkeys(_in_order(ruleset, places, alike, within))


def _in_order(
    ruleset: Ruleset, places: Collection[Span], alike: Mapping[str, Sequence[str]], within: Sequence[str]
) -> Iterator[Break]:
    """The changes of `nearby`, some of them twice."""
    every = [*_passages(ruleset)]
    done = [one for one in every if any(map(one.holds, places))]
    lines = {(place.source.name, place.line) for place in places}

    def is_on_lines(change: Break) -> bool:
        return (change.span.source.name, change.span.line) in lines

    used = frozenset(word for one in done for word in one.words_on(lines))
    called = [one for one in every if one not in done and not used.isdisjoint(one.declarations)]
    yield from filter(is_on_lines, _changes(done, alike, within))
    rest = [one for one in every if one not in done and one not in called]
    for one in (*called, *done, *rest):
        yield from (change for change in _other_words(one) if change.was in LIKELY)
    yield from _changes(called, alike, within)
    yield from filterfalse(is_on_lines, _changes(done, alike, within))
    done += called
    while rest := [one for one in every if one not in done]:
        used = used.union(*(one.words for one in done))
        called = [one for one in rest if not used.isdisjoint(one.declarations)] or rest
        yield from _changes(called, alike, within)
        done += called


def _passages(ruleset: Ruleset) -> Iterator[_Passage]:
    """The formal texts of the rules, the words that say whether the most or the least decides a tie, and the
    defaults of parameters, as far as parts of them have a place."""
    document = ruleset.document
    parameters = document.root.entries.get("parameters")
    for name, entry in parameters.entries.items() if isinstance(parameters, Entries) else ():
        default = entry.entries.get("default") if isinstance(entry, Entries) else None
        if isinstance(default, Scalar) and default.exact:
            yield _Passage(name, "default", default, "")
    for rule in document.section("rules"):
        texts = [*formal_texts_of(rule)]
        for tie in mappings(rule.entries.get("ties")):
            decisive = (tie.keys[key] for key in ("most", "least") if key in tie.keys)
            yield from (_Passage(id_of(rule), "ties", key, "") for key in decisive)
        bound = frozenset(name for _, text, _ in texts for name in _BOUND.findall(text.formal)) | {MOVER}
        for where, text, start in texts:
            if start and text.exact:
                named = bound | {PLAYER} if where.startswith(OUTCOME) else bound
                yield _Passage(id_of(rule), where, text, start, named)


def _changes(
    texts: Sequence[_Passage], alike: Mapping[str, Sequence[str]], within: Sequence[str]
) -> Iterator[Break]:
    """The changes of some texts, the likelier kinds first."""
    yield from (change for one in texts for change in _other_statements(one))
    yield from (change for one in texts for change in _other_keys(one))
    yield from (change for one in texts for change in _other_words(one))
    yield from (change for one in texts for change in _other_arguments(one, within))
    yield from (change for one in texts for change in _other_names(one, alike))


def _other_words(one: _Passage) -> Iterator[Break]:
    """Other numbers, comparisons, connectives, quantifiers and players."""
    for word, line, column in one.tokens:
        players = sorted(one.bound - {word})[:MOST_BOUND] if word in PLAYERS else ()
        for other in (*_numbers_beside(word), *NEARBY.get(word, ()), *players):
            yield one.change(line, column, word, other)


def _other_names(one: _Passage, alike: Mapping[str, Sequence[str]]) -> Iterator[Break]:
    """Other names of the same kind, those of the same text first."""
    for word, line, column in one.tokens:
        if word in alike:
            others = sorted(alike[word], key=lambda other: other not in one.words)
            for other in others[:MOST_NAMES]:
                yield one.change(line, column, word, other)
    lines = enumerate(one.text.formal.split("\n"), 1)
    binders = {(at, found.start() + 1) for at, line in lines for found in _BOUND.finditer(line)}
    for word, line, column in one.tokens:
        if word in one.bound and word not in PLAYERS and (line, column) not in binders:
            for other in sorted(one.bound - {word})[:MOST_BOUND]:
                yield one.change(line, column, word, other)


def _other_statements(one: _Passage) -> Iterator[Break]:
    """Conditions and statements dropped, and neighbouring statements exchanged."""
    if one.start == "expr_text":
        yield one.change(1, 1, one.text.formal.rstrip("\n"), DROPPED)
    if one.start not in ("effect_text", "decl_text"):
        return
    lines = one.text.formal.rstrip("\n").split("\n")
    outermost = 0 if one.start == "effect_text" else 1  # declarations themselves stay
    for number, line in enumerate(lines, 1):
        if len(lines) > 1 and _indent(line) >= outermost:
            yield one.change(number, _indent(line) + 1, line.lstrip(), "")
    for number, (first, second) in enumerate(pairwise(lines), 1):
        if _indent(first) == _indent(second) >= outermost:
            column = one.text.lines[number - 1][1] + _indent(first)
            exchanged = f"{second.lstrip()}\n{' ' * (column - 1)}{first.lstrip()}"
            yield one.change(number, _indent(first) + 1, f"{first.lstrip()}\n{second}", exchanged)


def _other_keys(one: _Passage) -> Iterator[Break]:
    """Names that are keys in neighbouring statements, exchanged."""
    is_effect = one.start in ("effect_text", "decl_text")
    lines = one.text.formal.rstrip("\n").split("\n") if is_effect else []
    for number, (first, second) in enumerate(pairwise(lines), 1):
        keys = [*map(_KEY.findall, (first, second))]
        if _indent(first) == _indent(second) and len(keys[0]) == len(keys[1]) == 1 and keys[0] != keys[1]:
            [a], [b] = keys
            column = one.text.lines[number - 1][1] + _indent(first)
            exchanged = (
                first.lstrip().replace(f"[{a}]", f"[{b}]"),
                second.lstrip().replace(f"[{b}]", f"[{a}]"),
            )
            was = f"{first.lstrip()}\n{second}"
            becomes = f"\n{' ' * (column - 1)}".join(exchanged)
            yield one.change(number, _indent(first) + 1, was, becomes)


def _other_arguments(one: _Passage, within: Sequence[str]) -> Iterator[Break]:
    """Neighbouring arguments exchanged; values with a definition that maps them to others, and without."""
    for number, text in enumerate(one.text.formal.split("\n"), 1):
        for found in _ARGUMENTS.finditer(text):
            if text.count("(", 0, found.start()) > text.count(")", 0, found.start()):
                exchanged = f"{found.group(3)}, {found.group(2)}"
                yield one.change(number, found.start() + 1, found.group(1), exchanged)
        for found in _APPLIED.finditer(text):
            if found.group(1) in within:
                yield one.change(number, found.start() + 1, found.group(), found.group(2))
        for found in _PATH.finditer(text):
            is_bound, is_field = found.group() in one.bound, "." in found.group()
            for name in within:
                if name != found.group() and (is_bound or (is_field and name != AFTER)):
                    yield one.change(number, found.start() + 1, found.group(), f"{name}({found.group()})")


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def mutated_ruleset(name: str | Path, change: Break, meter: Meter | None = None) -> Ruleset:
    """The mutated ruleset; the work of reading is spent from `meter`, by default a new one.

    Raises RulesetError if it has no meaning.
    """
    return read(name, instead={change.source.name: change.source}, meter=meter)


def _breaks(clause: str, where: str, text: Scalar) -> Iterator[Break]:
    if where in ("that", "after") or where.startswith("require"):
        lines = text.formal.rstrip("\n").split("\n")
        whole = text.place(1, 1, len(lines), len(lines[-1]) + 1)
        yield Break(clause, where, whole, text.formal.strip(), DROPPED)
    for number, line in enumerate(text.formal.split("\n"), 1):
        for found in _WORD.finditer(line):
            place = text.place(number, found.start() + 1, number, found.end() + 1)
            for other in _others(found.group()):
                yield Break(clause, where, place, found.group(), other)


def _others(word: str) -> tuple[str, ...]:
    return _numbers_beside(word) or OTHERS.get(word, ())


def _numbers_beside(word: str) -> tuple[str, ...]:
    """The next number and the one before; none for what is no number."""
    value = whole_number(word)
    if value is None:
        return ()
    return (str(value + 1), str(value - 1)) if value else (str(value + 1),)
