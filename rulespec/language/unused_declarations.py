"""Declarations that no formal text uses, as doubts; usage is by name, so a local of the same name counts."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from collections.abc import Mapping as Given
from dataclasses import dataclass

from ..core.diagnostics import Diagnostic, Label, Span
from .documents.libraries import Use, Word, words_reached
from .documents.yaml import Mapping, Node, Scalar, Sequence
from .loader import Ruleset
from .mutations import NAME
from .rules import id_of

PROSE = frozenset("id prose heading note title summary question readings source author licence".split())
"""Keys under which there is no formal text."""

_DECLARATION = re.compile(rf"^(?:hidden )?(define|type|state|to) ({NAME})")
_WORD = re.compile(rf'"[^"\n]*"|#[^\n]*|({NAME})')


@dataclass(frozen=True)
class _Declared:
    kind: str
    name: str
    clause: str
    span: Span
    within: Counter[str]
    """The names in the declaration itself."""


def unused_declarations(ruleset: Ruleset) -> list[Diagnostic]:
    """The types, definitions, variables, effects and parameters of a ruleset that nothing uses.

    Inherited declarations are left to the base.
    """
    document = ruleset.document
    own_file = document.root.entries["id"].span.source
    everywhere: Counter[str] = Counter()
    nodes: list[Node] = [document.root, *(text for texts in document.overrides.values() for text in texts)]
    for node in nodes:
        for text in _formal_texts(node):
            everywhere.update(_names(text.formal))
    declared = [d for rule in document.section("rules") for d in _declared(rule)]
    reached = words_reached(document.uses, everywhere.keys() - {d.name for d in declared})
    for word in reached.values():
        everywhere.update(word.names)
    own_uses = [use for use in document.uses.values() if use.span.source == own_file]
    found = [*_unused_libraries(own_uses, reached, everywhere)]
    for one in declared:
        if one.span.source != own_file:
            continue
        texts = (held for (_, name), held in document.overrides.items() if name == one.name)
        own = one.within[one.name] + sum(map(len, texts))
        message = f"nothing uses the {WORDS[one.kind]} `{one.name}`"
        if one.kind == "state" and everywhere[one.name] > own:
            own += sum(_stores(one.name, text) for node in nodes for text in _formal_texts(node))
            message = f"effects only store in `{one.name}`: nothing reads it"
        if everywhere[one.name] <= own and (one.kind, one.name) not in document.removed:
            labels = (Label(one.span),)
            found.append(Diagnostic("notice.unused", message, labels, severity="warning", clause=one.clause))
    parameters = document.root.entries.get("parameters")
    claims = document.root.entries.get("claims")
    claimed = (
        Counter(name for text in _formal_texts(claims) for name in _names(text.formal))
        if claims
        else Counter()
    )
    for name, key in parameters.keys.items() if isinstance(parameters, Mapping) else ():
        if key.span.source == own_file and everywhere[name] <= claimed[name]:
            message = f"{'only a claim' if claimed[name] else 'nothing'} uses the parameter `{name}`"
            found.append(Diagnostic("notice.unused", message, (Label(key.span),), severity="warning"))
    return found


def _unused_libraries(
    uses: list[Use], reached: Given[str, Word], names: Counter[str]
) -> Iterator[Diagnostic]:
    """Doubts about libraries whose words and drawings the ruleset does not use."""
    for use in uses:
        library = use.library
        if not any(word is reached.get(name) for name, word in library.words.items()) and not any(
            names[layer] for layer in library.layers
        ):
            message = f"nothing uses the library `{library.name}`"
            yield Diagnostic("notice.unused", message, (Label(use.span),), severity="warning")


WORDS = {"define": "definition", "type": "type", "state": "state variable", "to": "effect"}
"""The words for declarations in messages."""


def _formal_texts(node: Node) -> Iterator[Scalar]:
    if isinstance(node, Scalar):
        yield node
    elif isinstance(node, Sequence):
        for item in node.items:
            yield from _formal_texts(item)
    elif isinstance(node, Mapping):
        for key, value in node.entries.items():
            if key not in PROSE:
                yield from _formal_texts(value)


def _names(text: str) -> Iterator[str]:
    return (found.group(1) for found in _WORD.finditer(text) if found.group(1))


def _stores(name: str, text: Scalar) -> int:
    """The number of effects in a text that store in a variable without reading other parts of it."""
    here = rf"(?<![\w-]){re.escape(name)}(?![\w-])"
    changed = rf"\b(?:add\b[^\n;]*?\bto|remove\b[^\n;]*?\bfrom|put\b[^\n;]*?\bunder|roll)\s+{here}"
    return (
        len(re.findall(rf"{changed}|{here}(?:\[[^\n=]*\])*\s*:=", text.formal)) if name in text.formal else 0
    )


def _declared(rule: Mapping) -> Iterator[_Declared]:
    text = rule.entries.get("formal")
    if not isinstance(text, Scalar):
        return
    lines = text.formal.split("\n")
    starts = [(i, found) for i, line in enumerate(lines) if (found := _DECLARATION.match(line))]
    for (i, found), end in zip(starts, [*(i for i, _ in starts[1:]), len(lines)], strict=True):
        kind, name = found.groups()
        place = text.place(i + 1, found.start(2) + 1, i + 1, found.end(2) + 1)
        yield _Declared(kind, name, id_of(rule), place, Counter(_names("\n".join(lines[i:end]))))
