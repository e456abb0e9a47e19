"""Digests of the texts that decide whether an example passes.

An example rests on every text of its document, in all layers of a variant, but on these: the head that
names the ruleset, what the rules say in prose, their citations, claims, and other examples. Places do not
count either. Nothing finer is told apart: an example counts as changed with any formal text.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable

from ..rules import id_of
from .variants import Document
from .yaml import Mapping, Node, Scalar, mappings

NAMING = frozenset({"title", "summary", "author", "licence", "source", "claims", "rules", "book"})
"""The keys of a document that no example reads; its rules are taken one by one."""
READ_BY_PEOPLE = frozenset({"prose", "heading", "note", "source", "examples"})
"""The keys of a rule that no example reads."""

Put = Callable[[bytes], object]


def of_examples(document: Document) -> dict[tuple[str, str], str]:
    """The digest of what each example rests on, by the id of its rule and its own; ids that occur twice are
    left out.
    """
    rules = _of_rules(document)
    found: dict[tuple[str, str], str] = {}
    twice = set()
    for rule in document.section("rules"):
        for example in mappings(rule.entries.get("examples")):
            key = id_of(rule), id_of(example)
            twice |= {key} & found.keys()
            digest = hashlib.sha256(rules)
            _write(example, digest.update)
            for name, node in document.usual.get(id(example), {}).items():
                _text(name, digest.update)
                _write(node, digest.update)
            found[key] = digest.hexdigest()
    return {key: digest for key, digest in found.items() if key not in twice}


def _of_rules(document: Document) -> bytes:
    digest = hashlib.sha256()
    put = digest.update
    _entries(document.root, NAMING, put)
    for rule in document.section("rules"):
        _entries(rule, READ_BY_PEOPLE, put)
    for nodes in (document.settings, document.choices):
        for name, node in nodes.items():
            _text(name, put)
            _write(node, put)
    for (kind, name), texts in document.overrides.items():
        _text(f"{kind} {name} {len(texts)}", put)
        for text in texts:
            _write(text, put)
    dropped = [drop.word.value for drop in document.drops]
    for names in (dropped, sorted(document.removed), sorted(document.lifted), document.lineage):
        _text(repr(names), put)
    return digest.digest()


def _entries(node: Mapping, but: frozenset[str], put: Put) -> None:
    kept = {key: value for key, value in node.entries.items() if key not in but}
    put(b"{%d " % len(kept))
    for key, value in kept.items():
        _text(key, put)
        _write(value, put)
    _original(node, put)


def _write(node: Node, put: Put) -> None:
    if isinstance(node, Scalar):
        put(b"=")
        _text(node.value, put)
        _text(node.formal, put)
        _original(node, put)
    elif isinstance(node, Mapping):
        _entries(node, frozenset(), put)
    else:
        put(b"[%d " % len(node.items))
        for item in node.items:
            _write(item, put)
        _original(node, put)


def _original(node: Node, put: Put) -> None:
    if node.original is not None:
        put(b"<")
        _write(node.original, put)


def _text(text: str, put: Put) -> None:
    content = text.encode("utf-8", "surrogatepass")
    put(b"%d:" % len(content))
    put(content)
