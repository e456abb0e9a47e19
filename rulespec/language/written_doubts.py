"""Doubts about the writing of a ruleset: prose that YAML cut off, and prose that no longer fits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import cast

from lark import Token, Tree

from ..core.diagnostics import Diagnostic, Label, Report, Source, Span
from .documents.rule_texts import formal_texts_of
from .documents.ruleset_shape import RULE
from .documents.shapes import Kind, Leaf, NamedEntries, Shape, inner
from .documents.yaml import Mapping, Node, Scalar, Sequence
from .loader import Ruleset
from .rules import id_of
from .syntax.parser import ParsedText, Syntax, declarations, parse, span_of
from .unused_declarations import unused_declarations
from .work_limit import new_meter

ENDS = tuple(".!?:;…\"')")
"""Prose with such an end was not cut off."""
_COMMENT = re.compile(r"\s+#")
PROSES = frozenset("prose heading note title summary question text caption answer readings".split())
"""Keys under which there is prose, by itself or under names."""


def written_doubts(ruleset: Ruleset) -> list[Diagnostic]:
    """The doubts about a ruleset's own text, in reading order."""
    own = ruleset.document.root.entries["id"].span.source
    return [
        *_cut_off(ruleset.document.root, own, False),
        *_stale_prose(ruleset, own),
        *unused_declarations(ruleset),
        *_doubts_of_names(ruleset, own),
    ]


_THINGS = frozenset(("every_", "some_", "no_", "for_stmt", "call_over", "count_", "set_of"))
"""The grammar rules for what is asked or done for each of some things."""
_PICKS = frozenset(("those_", "the_", "first_"))
_LETS = frozenset(("let_", "let_stmt"))


def _doubts_of_names(ruleset: Ruleset, own: Source) -> Iterator[Diagnostic]:
    """Doubts about unused bound names, elements listed twice in a set, and divisions that give 0."""
    report, meter = Report(), new_meter()
    for rule in ruleset.document.section("rules"):
        for _, text, start in formal_texts_of(rule):
            if not start or text.span.source != own:
                continue
            if start == "decl_text":
                parsed = [one for one in declarations(text, report, meter) if isinstance(one, ParsedText)]
            else:
                whole = parse(text, start, report, meter)
                parsed = [whole] if whole is not None else []
            for place, message in (doubt for one in parsed for doubt in _of_tree(one.tree)):
                labels = (Label(span_of(text, place)),)
                yield Diagnostic("notice.unused", message, labels, severity="warning", clause=id_of(rule))


def _names_in(tree: Syntax) -> Iterator[str]:
    tokens = tree.scan_values(lambda value: isinstance(value, Token))
    return (str(token) for token in tokens if token.type == "NAME")


def _of_tree(tree: Syntax) -> Iterator[tuple[Syntax | Token, str]]:
    """The doubts about a text, each with its place."""
    for node in tree.iter_subtrees():
        if node.data == "kinds":
            twice = [one for at, one in enumerate(node.children) if one in node.children[:at]]
            yield from ((one, "this appears twice in one set") for one in twice if isinstance(one, Tree))
        elif node.data == "arith" and node.children[1] == "div":
            sides = cast("list[Syntax]", node.children[::2])
            a, b = (int(str(side.children[0])) if side.data == "number" else 0 for side in sides)
            if 0 < a < b:
                yield node, f"`{a} div {b}` is 0: are brackets missing?"
        uses = Counter(_names_in(tree if node.data == "let_stmt" else node))
        for name, message in _bound_in(node):
            if uses[str(name)] == 1:
                yield name, f"nothing uses `{name}`{message}"


def _bound_in(node: Syntax) -> Iterator[tuple[Token, str]]:
    """The names that a construct binds for use in it, each with more words for a doubt about it."""
    inner = [child for child in node.children if isinstance(child, Tree)]
    if node.data in _THINGS:
        same = "what is done" if node.data == "for_stmt" else "the condition"
        if node.data in ("call_over", "set_of"):
            same = "the value"
        for binder in [
            one for child in inner if child.data in ("binders", "things") for one in child.children
        ]:
            name, source, *where = cast(Syntax, binder).children
            counted = node.data == "count_" and where == [None]
            repeated = node.data == "for_stmt" and isinstance(source, Tree) and source.data == "range_"
            if cast(Syntax, binder).data == "binder" and not counted and not repeated:
                yield cast(Token, name), f": {same} is the same for each of them"
    elif node.data in _PICKS and any(inner[0].children[2:]):
        names = {*_names_in(inner[0])}  # `those p in Player where P` is a way to say that all win or nobody
        if "Player" not in names or "mover" in names or node.data != "those_":
            yield cast(Token, inner[0].children[0]), ": the condition is the same for each of them"
    elif node.data in _LETS:
        yield cast(Token, node.children[0]), ""
    elif node.data in ("define_decl", "to_decl") and not any(node.find_data("original")):
        params = [one for child in inner if child.data == "params" for one in child.children]
        yield from ((cast(Token, cast(Syntax, one).children[0]), "") for one in params)


def _cut_off(node: Node, own: Source, is_prose: bool) -> Iterator[Diagnostic]:
    """Prose that ends before ` #`, where YAML takes the rest of the line for a comment."""
    if isinstance(node, Mapping):
        for key, value in node.entries.items():
            yield from _cut_off(value, own, key in PROSES or (is_prose and isinstance(value, Scalar)))
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _cut_off(item, own, is_prose)
    elif is_prose and node.style == "plain" and node.span.source == own:
        span = node.span
        rest = own.line(span.end_line)[span.end_column - 1 :]
        if _COMMENT.match(rest) and not node.value.endswith(ENDS):
            place = Span(own, span.end_line, span.end_column, span.end_line, span.end_column + len(rest))
            message = "this text ends here: ` #` begins a comment in YAML"
            help = "write the text in quotes, or in a `|` block"
            yield Diagnostic("notice.comment", message, (Label(place),), help, severity="warning")


def _stale_prose(ruleset: Ruleset, own: Source) -> Iterator[Diagnostic]:
    """Formal text that a variant replaces while the prose beside it remains that of its base.

    A variant with prose of its own, in any rule, is taken to describe its changes there.
    """
    document = ruleset.document
    holders = {id(text): declared for declared, text in document.holders.items()}
    if _has_prose(document.root, own):
        return
    for rule in document.section("rules"):
        changed = [*_changed_texts(rule, RULE, own)]
        formal = rule.entries.get("formal")
        if id(formal) in holders:
            declared = [names for names, text in document.holders.items() if text is formal]
            texts = (text for names in declared for text in document.overrides.get(names, ()))
            changed += [(rule, text) for text in texts if text.span.source == own]
        for holder, text in changed:
            prose = holder.entries.get("prose")
            if prose is not None and prose.span.source != own:
                message = f"this replaces formal text of `{id_of(rule)}`, whose prose stays as it was"
                help = f"if the words no longer fit, replace them too: `{id_of(rule)}.prose`"
                labels = (Label(text.span), Label(prose.span, "the prose"))
                yield Diagnostic("notice.prose", message, labels, help, "warning", id_of(rule))


def _has_prose(node: Node, own: Source) -> bool:
    """True if some prose in a tree was written in a file."""
    if isinstance(node, Mapping):
        prose = node.entries.get("prose")
        written = prose is not None and prose.span.source == own
        return written or any(_has_prose(value, own) for value in node.entries.values())
    return isinstance(node, Sequence) and any(_has_prose(item, own) for item in node.items)


def _changed_texts(holder: Mapping, shape: Kind, own: Source) -> Iterator[tuple[Mapping, Scalar]]:
    """Formal texts replaced in a rule, each with the innermost mapping around it that has prose."""
    for key, value in holder.entries.items():
        kind = inner(shape, key)
        if isinstance(kind, Leaf) and kind.start and isinstance(value, Scalar):
            if value.original is not None and value.span.source == own:
                yield holder, value
        elif key != "examples" and isinstance(value, Mapping) and isinstance(kind, Shape | NamedEntries):
            for within, text in _changed_texts(value, kind, own):
                yield within if "prose" in within.entries else holder, text
