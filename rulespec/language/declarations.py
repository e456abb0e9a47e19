"""The declarations in the formal texts of rules, after the changes by variants."""

from __future__ import annotations

from typing import Any, cast

from .documents.variants import Document
from .documents.yaml import Mapping
from .documents.yaml import Scalar as Text
from .elaborate.world import Frame, World
from .libraries import offer_words
from .lowering import declare_plies, declare_turns
from .phases import declare_course
from .rules import id_of
from .syntax.parser import ParsedText, Syntax, UnreadableDeclaration, declarations


def declare(world: World, document: Document) -> None:
    """Enter the declarations of all rules, with the replacements by variants."""
    seen: dict[str, Mapping] = {}
    for rule in document.section("rules"):
        name = id_of(rule)
        if name in seen:
            first, again = seen[name].entries["id"].span, rule.entries["id"].span
            world.report.error("name.twice", f"the rule `{name}` appears here twice", again, first)
        seen[name] = rule
        formal = rule.entries.get("formal")
        if isinstance(formal, Text):
            with world.meter.part(f"this text of `{name}`", formal.span):
                _declare_all(world, document, formal, name)
    declare_turns(world, document.section("rules"))
    declare_plies(world, document.section("rules"))
    declare_course(world, document.section("rules"))
    for (kind, name), texts in document.overrides.items():
        older = world.declared.get(name)
        if older is not None and older.text is document.holders[kind, name]:
            for text in texts:
                _override(world, kind, name, text)
    offer_words(world, document)


def _override(world: World, kind: str, name: str, text: Text) -> None:
    """Replace a declaration by one of the same kind and name from a variant's text."""
    found = _declarations(world, text)
    if any(isinstance(parsed, UnreadableDeclaration) for parsed in found):
        return
    trees = [cast(Syntax, parsed.tree.children[0]) for parsed in found if isinstance(parsed, ParsedText)]
    told = [_head(tree) for tree in trees]
    if told != [(kind, name)]:
        listed = " and ".join(f"`{of} {word}`" for of, word in told) or "nothing"
        message = f"`{kind}.{name}` is replaced by one declaration of `{kind} {name}`; this declares {listed}"
        others = [tree for tree, head in zip(trees, told, strict=True) if head != (kind, name)] or trees[1:]
        place = Frame(world, text).span(others[0]) if others else text.span
        help = "further declarations stand under `formal` of a rule that the variant adds"
        world.report.error("variant.declaration", message, place, help=help)
        return
    world.override(name, trees[0], text)


def _head(tree: Syntax) -> tuple[str, str]:
    """The kind and the name of a declaration."""
    kind = str(tree.data).removesuffix("_decl")
    return kind, str(tree.children[1 if kind == "state" else 0])


def _declarations(world: World, text: Text) -> list[ParsedText | UnreadableDeclaration]:
    """The declarations in a text; a faultless text is parsed once for all games of a document."""
    cached = world.memory.texts.declarations
    if text in cached:
        return cached[text]
    faults = world.report.count
    parsed = [*declarations(text, world.report, world.meter)]
    if world.report.count == faults:
        cached[text] = parsed
    return parsed


def _declare_all(world: World, document: Document, formal: Text, clause: str) -> None:
    """Enter the declarations of a formal text, except those that a variant removed."""
    for parsed in _declarations(world, formal):
        if isinstance(parsed, UnreadableDeclaration):
            world.lose(parsed.kind, parsed.name, formal, clause)
            continue
        tree = cast(Syntax, parsed.tree.children[0])
        kind, _ = _head(tree)
        word = tree.children[1 if kind == "state" else 0]
        if document.removed.get((kind, str(word))) is not formal:
            world.declare(kind, cast(Any, word), tree, formal, clause)
