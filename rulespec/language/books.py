"""The book section: chapters with their own text, and the rules they tell, checked against the rules.

It is read on demand, so that a game may be played although its book is faulty. Its expressions read no state,
so a text is the same in every position, and they are evaluated here.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Any, cast

from ..core.book import (
    BOXES,
    EVERYBODY,
    LOOKS,
    Block,
    Book,
    Bound,
    Chapter,
    Content,
    Figure,
    Listing,
    Pictures,
    Playthrough,
    Table,
    Term,
    Text,
)
from ..core.context import Env
from ..core.diagnostics import Report, Span
from ..core.evaluate import elements, evaluate
from ..core.examples import Example
from ..core.notation import write_for_readers
from . import book_terms
from .actions import MOST_HOLES, elaborate_hole, split_template
from .documents.ruleset_shape import CHAPTERS, FACTS
from .documents.shapes import text_of, words
from .documents.variants import Document
from .documents.yaml import Mapping, Node, Scalar, Sequence, mappings, plain
from .elaborate.domains import bindings
from .elaborate.folding import TRUE
from .elaborate.world import Faulty
from .published_rules import check_position, example_of
from .rules import Names, Rules, id_of
from .syntax.parser import Syntax
from .work_limit import ENTRY, report_limits

_BLANK = re.compile(r"\n[ \t]*\n")
SHOWN = ("position", "given", "seed", "legal", "only", "refused", "play", "then", "then text")
"""The parts of an example that a figure can show."""
MOST_TERMS, MOST_FORMS = 200, 10
"""Maximum number of terms in a glossary, and of other forms of one."""
MOST_ROWS = 400
"""Maximum number of rows in a table."""
CONTENTS = ("text", "steps", "list", "table", "titles", "figure", "figures", "playthrough")
"""Keys of a block that hold its content; it has at most one of them."""


def positions(rules: Rules, document: Document) -> dict[str, Any]:
    """The named positions as plain data."""
    node = document.root.entries.get("positions")
    found: dict[str, Any] = {}
    for name, value in node.entries.items() if isinstance(node, Mapping) else ():
        if isinstance(value, Mapping):
            found[name] = plain(value)
        else:
            message = f"the position `{name}` is state variables with their values"
            rules.world.report.error("position.data", message, value.span)
    return found


def book_section(rules: Rules, document: Document) -> Bound | None:
    """The book section of a document, read on demand; None without one."""
    node = document.root.entries.get("book")
    if not isinstance(node, Mapping):
        return None

    def make() -> Book:
        report, before = Report(), rules.world.report
        rules.world.report = report
        try:
            with report_limits(report, rules.world.meter):
                book = _Reader(rules, document).book(node)
            report.raise_errors()
        finally:
            rules.world.report = before
        return book

    return Bound(node.span, make)


class _Reader:
    """Reads one book section; faulty parts are reported and left out."""

    def __init__(self, rules: Rules, document: Document) -> None:
        self.rules, self.document = rules, document
        self.report = rules.world.report
        self.ids = {id_of(rule): rule for rule in rules.rules}
        self.titled = [title for rule in rules.rules for title in mappings(rule.entries.get("titles"))]
        self.figures = 0

    def book(self, node: Mapping) -> Book:
        """The book that a node describes; faults are reported."""
        entries = node.entries
        listed = mappings(entries.get("glossary"))
        if len(listed) > MOST_TERMS:
            self.report.error("book.glossary", f"a glossary has at most {MOST_TERMS} terms", node.span)
        terms = tuple(self._term(entry) for entry in listed[:MOST_TERMS])
        whole = "chapters" in entries
        around = [key for key in ("opening", "closing") if key in entries]
        if whole and around:
            first, second = (node.keys[key].span for key in ("chapters", around[0]))
            message = f"`{around[0]}` goes with chapters made from the rules, and this book has its own"
            self.report.error("book.chapters", message, second, first)
        chapters = self._chapters(node, "chapters" if whole else "opening")
        facts, credit = entries.get("facts"), entries.get("credits")
        given = facts.entries if isinstance(facts, Mapping) else {}
        texts = [(FACTS[key], self.line(given[key])) for key in FACTS if key in given]
        left_out = tuple(self._rules_of(entries.get("left-out")))
        book = Book(
            chapters,
            tuple(texts),
            terms,
            left_out,
            self.text(credit.entries.get("text")) if isinstance(credit, Mapping) else (),
            closing=() if whole else self._chapters(node, "closing"),
            from_rules=not whole,
        )
        self._check_places(node, book)
        return book_terms.check_terms(book, node, self.rules)

    # ---- texts

    def text(self, node: Node | None, names: Names | None = None, env: Env | None = None) -> tuple[str, ...]:
        """The paragraphs of a text, which blank lines separate, with its expressions evaluated."""
        if not isinstance(node, Scalar):
            return ()
        if node.formal.count("{") > MOST_HOLES:
            self.report.error("book.text", f"a text has at most {MOST_HOLES} expressions", node.span)
            return ()
        pieces, known = split_template(node), (names or {}, env or {})
        whole = "".join(x if isinstance(x, str) else self._worked_out(x, *known) for x in pieces)
        folded = node.style not in ("|", "plain")  # YAML has joined the lines of a paragraph already
        parts = (" ".join(part.split()) for part in (whole.split("\n") if folded else _BLANK.split(whole)))
        return tuple(part for part in parts if part)

    def line(self, node: Node | None, names: Names | None = None, env: Env | None = None) -> str:
        """A text as one paragraph."""
        return " ".join(self.text(node, names, env))

    def lines(self, node: Node | None) -> tuple[str, ...]:
        """Each text of a list."""
        return tuple(self.line(item) for item in node.items) if isinstance(node, Sequence) else ()

    def _worked_out(self, hole: Scalar, names: Names, env: Env) -> str:
        """The value of an expression in a text, in readers' notation; empty if it is faulty."""
        world = self.rules.world
        world.readers.append(False)
        try:
            frame, tree = self.rules.read(_with_place(hole), "", names)
            e = elaborate_hole(frame, tree)
            reads = world.readers[-1]
            if reads:
                self._no_state(hole)
                return ""
            with self.rules.part(hole, ""):
                return write_for_readers(e.type, frame.value(e, env))
        except Faulty:
            return ""
        finally:
            world.readers.pop()

    def _no_state(self, hole: Scalar) -> None:
        message = "a text of the book is the same in every position, and this reads the state"
        placed = _with_place(hole)
        self.report.error("book.state", message, placed.place(1, 1, 1, len(hole.formal) + 1))

    # ---- parts

    def _term(self, entry: Mapping) -> Term:
        self.rules.world.meter.spend(ENTRY)
        also = self.lines(entry.entries.get("also"))
        if len(also) > MOST_FORMS:
            self.report.error("book.glossary", f"a term has at most {MOST_FORMS} other forms", entry.span)
        word, text = self.line(entry.entries.get("term")), self.line(entry.entries.get("text"))
        return Term(word, also[:MOST_FORMS], text)

    def _chapters(self, node: Mapping, key: str) -> tuple[Chapter, ...]:
        return tuple(self._chapter(entry) for entry in mappings(node.entries.get(key)))

    def _chapter(self, entry: Mapping) -> Chapter:
        look = self._word(entry, "look", LOOKS)
        blocks = tuple(self._block(block, id_of(entry)) for block in mappings(entry.entries.get("contents")))
        return Chapter(id_of(entry), self.line(entry.entries.get("heading")), blocks, look)

    def _word(self, entry: Mapping, key: str, allowed: tuple[str, ...]) -> str:
        word = entry.entries.get(key)
        if isinstance(word, Scalar) and word.value not in allowed:
            help = self.report.nearest(word.value, allowed) or f"write {' or '.join(allowed)}"
            self.report.error(f"book.{key}", f"there is no `{key}: {word.value}`", word.span, help=help)
        return word.value if isinstance(word, Scalar) else ""

    def _block(self, entry: Mapping, chapter: str) -> Block:
        """A block of a chapter, which tells rules or has one content."""
        self.rules.world.meter.spend(ENTRY)
        keys = [key for key in CONTENTS if key in entry.entries]
        if len(keys) > 1:
            first, second = (entry.keys[key].span for key in keys[:2])
            message = f"a block has one content, and this one has `{keys[0]}` and `{keys[1]}`"
            self.report.error("book.block", message, second, first)
        told = tuple(self._rules_of(entry.entries.get("rules")))
        if not keys and not told:
            listed = ", ".join(f"`{key}`" for key in CONTENTS)
            message = f"a block tells `rules`, or has one of {listed}"
            self.report.error("book.block", message, entry.span)
        content = self._content(keys[0], entry.entries[keys[0]], chapter) if keys else None
        examples = self._word(entry, "examples", ("yes", "no")) == "yes"
        heading, look = self.line(entry.entries.get("heading")), self._word(entry, "box", BOXES)
        return Block(content, told, heading, look, examples)

    def _rules_of(self, node: Node | None) -> Iterator[str]:
        for word in words(node):
            if word.value in self.ids:
                yield word.value
            else:
                help = self.report.nearest(word.value, self.ids)
                self.report.error("name.rule", f"there is no rule `{word.value}`", word.span, help=help)

    def _content(self, key: str, node: Node, chapter: str) -> Content | None:
        """The content of a block, by its key; None if it has the wrong form."""
        if key == "text":
            return Text(self.text(node))
        if key in ("steps", "list"):
            return Listing(self.lines(node), ordered=key == "steps")
        if key == "figures":
            return Pictures(tuple(self._figure(one, chapter) for one in mappings(node)))
        if not isinstance(node, Mapping):
            return None
        if key == "figure":
            return Pictures((self._figure(node, chapter),))
        if key == "playthrough":
            return self._playthrough(node, chapter)
        return {"table": self._table, "titles": self._titles}[key](node)

    # ---- tables

    def _table(self, node: Mapping) -> Table:
        """A table, its rows as written or computed for each value of its binders."""
        columns, over, row = (node.entries.get(key) for key in ("columns", "for", "row"))
        listed = node.entries.get("rows")
        rows = [self.lines(one) for one in listed.items] if isinstance(listed, Sequence) else []
        if (over is None) != (row is None):
            message = "a table that is worked out has `for` and `row`"
            self.report.error("book.table", message, node.span)
        elif isinstance(over, Scalar) and isinstance(row, Sequence):
            rows += self._rows(over, row)
        heads = self.lines(columns)
        for cells in rows:
            if len(cells) != len(heads):
                message = f"this table has {len(heads)} columns, but a row with {len(cells)} of them"
                self.report.error("book.table", message, node.span)
                break
        return Table(heads, tuple(rows), self.line(node.entries.get("caption")))

    def _rows(self, over: Scalar, row: Sequence) -> Iterator[tuple[str, ...]]:
        """A row of table cells for each value of the binders."""
        world = self.rules.world
        world.readers.append(False)
        try:
            frame = self.rules.frame(over, "")
            inner, found = bindings(frame, cast(Syntax, self.rules.tree(over, "binders_text").children[0]))
            if world.readers[-1]:
                self._no_state(over)
                return
        except Faulty:
            return
        finally:
            world.readers.pop()
        for number, env in enumerate(self._environments([*found], {})):
            if number >= MOST_ROWS:
                self.report.error("book.table", f"a table has at most {MOST_ROWS} rows", over.span)
                return
            yield tuple(self.line(cell, inner.names, env) for cell in row.items)

    def _environments(self, found: list[Any], env: Env) -> Iterator[Env]:
        """Yield the values of binders that meet their conditions."""
        if not found:
            yield env
            return
        context = self.rules.world.context
        (var, source, where), *others = found
        for value in elements(source, env, context):
            inner = {**env, var: value}
            if where is TRUE or evaluate(where, inner, context):
                yield from self._environments(others, inner)

    def _titles(self, node: Mapping) -> Table:
        """The titles that the rules award for scores, in order, with their conditions."""
        heads = self.lines(node.entries.get("columns"))
        if len(heads) != 2 or not self.titled:
            message = (
                "a table of titles has two columns" if self.titled else "no rule of this ruleset gives titles"
            )
            self.report.error("book.table", message, node.span)
        rows = []
        for title in self.titled:
            when = title.entries.get("prose") or title.entries.get("when")
            rows.append((text_of(when), text_of(title.entries.get("title"))))
        return Table(heads, tuple(rows), self.line(node.entries.get("caption")))

    # ---- pictures

    def _figure(self, node: Mapping, chapter: str) -> Figure:
        """A picture of a position, of an example by name or written in place."""
        self.figures += 1
        caption, exercise = (self.line(node.entries.get(key)) for key in ("caption", "exercise"))
        seat = self._seat(node)
        named = node.entries.get("example")
        if isinstance(named, Scalar):
            return Figure(self._example(named, node), caption, seat, exercise)
        made = Example(f"figure {self.figures}", chapter, "", {}, node.span)
        with suppress(Faulty):
            made = example_of(self.rules, chapter, node, None)
        data = {key: value for key, value in made.data.items() if key in SHOWN}
        made = Example(f"figure {self.figures} of the chapter {chapter}", chapter, "", data, node.span)
        return Figure(made, caption, seat, exercise)

    def _example(self, word: Scalar, node: Mapping) -> Example:
        """The example of a rule that a figure shows, given as `rule.example`."""
        taken = ("example", "caption", "exercise", "seen-by")
        for other in [key for key in node.entries if key not in taken]:
            message = f"a figure of an example takes no `{other}`"
            self.report.error("book.figure", message, node.keys[other].span)
        rule, _, name = word.value.partition(".")
        listed = ((one, mappings(entry.entries.get("examples"))) for one, entry in self.ids.items())
        named = {f"{one}.{id_of(example)}" for one, examples in listed for example in examples}
        if word.value not in named:
            help = self.report.nearest(word.value, named)
            self.report.error("name.example", f"there is no example `{word.value}`", word.span, help=help)
        return Example(name, rule, "", None, word.span)

    def _seat(self, node: Mapping) -> str:
        """The player by whom a picture is seen; empty if none is given."""
        word = node.entries.get("seen-by")
        if not isinstance(word, Scalar):
            return ""
        players = [str(player) for player in self.rules.world.player.values]
        if word.value not in (EVERYBODY, *players):
            message = f"a picture is seen by a player, or by `{EVERYBODY}`, not by `{word.value}`"
            self.report.error("book.seen-by", message, word.span)
        return word.value

    def _playthrough(self, node: Mapping, chapter: str) -> Playthrough:
        """A play told in steps, as an example with a text for each step."""
        named = node.entries.get("position")
        if isinstance(named, Scalar):
            check_position(self.rules, named)
        steps = mappings(node.entries.get("steps"))
        data: dict[str, Any] = {
            key: plain(node.entries[key]) for key in ("position", "seed") if key in node.entries
        }
        data["play"] = [plain(step.entries["play"]) for step in steps if "play" in step.entries]
        example = Example(f"the play of the chapter {chapter}", chapter, "", data, node.span)
        texts = tuple(self.line(step.entries.get("text")) for step in steps)
        return Playthrough(example, texts, self.line(node.entries.get("text")), self._seat(node))

    # ---- the whole

    def _check_places(self, node: Mapping, book: Book) -> None:
        """Check that every rule has a place, perhaps in a generated chapter, and each anchor is used once."""
        told = {name for _, block in book.blocks() for name in block.rules} | {*book.left_out}
        for name, rule in self.ids.items():
            if name not in told and not book.from_rules:
                message = f"the book has no place for the rule `{name}`"
                help = "name it under `rules` of a block, or under `left-out`"
                place = rule.entries["id"].span if "id" in rule.entries else rule.span
                self.report.error(
                    "book.place", message, place, node.keys.get("chapters", node).span, help=help
                )
        seen: dict[str, Span] = {name: rule.span for name, rule in self.ids.items()}
        for chapter in (one for key in CHAPTERS for one in mappings(node.entries.get(key))):
            name = id_of(chapter)
            if name in seen:
                message = f"a rule or another chapter is called `{name}`, too"
                self.report.error("book.twice", message, chapter.entries["id"].span)
            seen.setdefault(name, chapter.span)


def _with_place(hole: Scalar) -> Scalar:
    """An expression in a text with its place, searched for if YAML joined or unescaped lines."""
    if hole.exact:
        return hole
    span, written = hole.span, "{" + hole.formal + "}"
    for number in range(span.line, span.end_line + 1):
        column = span.source.line(number).find(written)
        if column >= 0:
            return replace(hole, style="plain", lines=[(number, column + 2)], exact=True)
    return replace(hole, style="plain", lines=[(span.line, span.column)], exact=True)
