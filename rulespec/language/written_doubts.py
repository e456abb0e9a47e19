"""Doubts about the writing of a ruleset: prose that YAML cut off, and prose that no longer fits."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import cast

from lark import Token

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
        *_unused_binders(ruleset, own),
    ]


QUANTIFIERS = frozenset(("every_", "some_", "no_"))
"""The grammar rules for conditions about elements that have a name."""


def _unused_binders(ruleset: Ruleset, own: Source) -> Iterator[Diagnostic]:
    """Names bound by a condition about elements and not used in it."""
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
            for one in parsed:
                for node in one.tree.find_pred(lambda tree: tree.data in QUANTIFIERS):
                    yield from _unused_in(node, text, id_of(rule))


def _unused_in(node: Syntax, text: Scalar, clause: str) -> Iterator[Diagnostic]:
    """The unused names of one condition about elements."""
    binders = cast(Syntax, node.children[0])
    uses = Counter(
        str(token)
        for token in node.scan_values(lambda value: isinstance(value, Token))
        if token.type == "NAME"
    )
    for binder in binders.children:
        name = cast(Token, cast(Syntax, binder).children[0])
        if uses[str(name)] == 1:
            message = f"nothing uses `{name}`: the condition is the same for each of them"
            labels = (Label(span_of(text, name)),)
            yield Diagnostic("notice.unused", message, labels, severity="warning", clause=clause)


def _cut_off(node: Node, own: Source, is_prose: bool) -> Iterator[Diagnostic]:
    """Prose before ` #`, where YAML takes the rest of the line for a comment."""
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
    """Formal text that a variant replaces while the prose beside it stays that of its base.

    A variant with prose of its own, in any rule, describes its changes there.
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
    """Replaced formal texts in a rule, each with the innermost mapping with prose that holds it."""
    for key, value in holder.entries.items():
        kind = inner(shape, key)
        if isinstance(kind, Leaf) and kind.start and isinstance(value, Scalar):
            if value.original is not None and value.span.source == own:
                yield holder, value
        elif key != "examples" and isinstance(value, Mapping) and isinstance(kind, Shape | NamedEntries):
            for within, text in _changed_texts(value, kind, own):
                yield within if "prose" in within.entries else holder, text
