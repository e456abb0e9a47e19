"""Variants: the changes that a ruleset makes to the one it extends, by path.

In: files. Out: one merged tree in which every value still knows the file it stands in. Nothing is
copied by the author; a replacement may use what it replaced as `original`.

Paths: `rule-id`, `rule-id.key`, `rule-id.require.name.that`, `claims.id`, `parameters.id`,
`diagram`, and `define.name`, `type.name`, `state.name`, `to.name` for single declarations.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from collections.abc import Mapping as Given
from dataclasses import dataclass, field, replace

from ...core.diagnostics import Report, Source, Span
from ...core.meter import Meter
from ..work_limit import ENTRY
from .libraries import Use, read_uses
from .ruleset_files import Finder
from .ruleset_shape import RULE, RULESET, VARIANT
from .shapes import Kind, Shape, check, inner, words
from .yaml import Mapping, Node, Scalar, Sequence, mappings, read

MOST_LAYERS = 8
DECLARED = ("define", "type", "state", "to")
TOP = ("claims", "parameters", "diagram", "table", "conditions", "players")
"""The keys at the top of a ruleset that paths may begin with; other paths begin with the id of a rule."""

SCANNED = 10
"""Characters of formal text that are searched for declarations in one step of work."""
_DECLARATION = re.compile(r"^(?:hidden +)?(define|type|state|to)\s+([A-Za-z_][\w-]*)", re.MULTILINE)

Sibling = Callable[[Scalar | None, Report, Meter], "Document | None"]
"""Reads the ruleset whose name occurs in another one's text; without a name, that other one again."""


@dataclass(frozen=True)
class Drop:
    """A clause whose failing examples a variant drops, and its inherited examples, by identity."""

    word: Scalar
    examples: frozenset[int]


@dataclass
class Document:
    """A ruleset as one tree. `overrides` replace single declarations, in order of the variants, and
    `removed` ones are gone; `lifted` are the ids of laws that were removed."""

    root: Mapping
    lineage: list[str] = field(default_factory=list)
    settings: dict[str, Scalar | Sequence] = field(default_factory=dict)
    choices: dict[str, Scalar] = field(default_factory=dict)
    overrides: dict[tuple[str, str], list[Scalar]] = field(default_factory=dict)
    removed: dict[tuple[str, str], Scalar] = field(default_factory=dict)
    """By kind and name the text with the removed declaration. A later text may declare the name again."""
    holders: dict[tuple[str, str], Scalar] = field(default_factory=dict)
    """By kind and name the text with the declaration that `overrides` replace."""
    inherited: set[int] = field(default_factory=set)
    """The examples, by identity, that also belong to a base."""
    repeated: set[int] = field(default_factory=set)
    """Those of them that say the same of the same game there."""
    usual: dict[int, dict[str, Node]] = field(default_factory=dict)
    """By the identity of an inherited example the settings that it was written for, except its own."""
    drops: list[Drop] = field(default_factory=list)
    gone: dict[str, Mapping] = field(default_factory=dict)
    """The rules that were removed, by id."""
    lifted: set[str] = field(default_factory=set)
    uses: dict[str, Use] = field(default_factory=dict)
    """The libraries that the ruleset uses, by name."""
    sibling: Sibling = lambda name, report, meter: None

    _named: dict[int, tuple[Sequence, dict[str, Node]]] = field(default_factory=dict)

    def entries_by_id(self, section: Sequence) -> dict[str, Node]:
        """The first entry with each id in a list; a cache that callers keep up to date with the list."""
        if id(section) not in self._named:
            entries = {_id(item): item for item in reversed(section.items) if _id(item)}
            self._named[id(section)] = section, entries
        return self._named[id(section)][1]

    def forget(self, key: str) -> None:
        """Clear the cache of `named` after a change of the value of this key, if it is the id."""
        if key == "id":
            self._named.clear()

    def section(self, key: str) -> list[Mapping]:
        """The entries of a list of mappings at the top of the tree."""
        return mappings(self.root.entries.get(key))


def load(source: Source, find: Finder, report: Report, meter: Meter, depth: int = 0) -> Document | None:
    """The merged document of a ruleset or variant; None if it is too faulty to continue."""
    root = read(source, report)
    if root is None:
        if not report.count:
            report.error("yaml.empty", "the file is empty", Span(source, 1, 1, 1, 1))
        return None
    if not isinstance(root, Mapping):
        report.error("key.kind", "a ruleset is keys with values, `rulespec: 1` first", root.span)
        return None
    if "library" in root.entries:
        message = "this is a library, which rulesets name under `uses`"
        report.error("library.file", message, root.keys["library"].span)
        return None
    extends = root.entries.get("extends")
    check(root, VARIANT if extends else RULESET, report)
    version = root.entries.get("rulespec")
    if isinstance(version, Scalar) and version.value != "1":
        message = f"this program reads version 1 of the language, not `{version.value}`"
        report.error("key.version", message, version.span)
    name = root.entries.get("id")
    own = name.value if isinstance(name, Scalar) else ""
    if not isinstance(extends, Scalar):
        return Document(root, [own], uses=read_uses(root.entries.get("uses"), report))
    base = _base(extends, find, report, meter, depth)
    return apply(base, root, own, report, meter) if base else None


def _base(extends: Scalar, find: Finder, report: Report, meter: Meter, depth: int) -> Document | None:
    if depth >= MOST_LAYERS:
        words = f"variants extend one another in a cycle, or more than {MOST_LAYERS} deep"
        report.error("variant.depth", words, extends.span)
        return None
    source = find(extends.value, extends.span, report)
    return load(source, find, report, meter, depth + 1) if source else None


def apply(document: Document, variant: Mapping, own: str, report: Report, meter: Meter) -> Document:
    """Apply the variant called `own` to a document, which is changed and returned."""
    entries = variant.entries
    document.lineage.append(own)
    document.root.entries.pop("book", None)  # it tells another game
    for key in ("id", "title", "summary", "author", "licence", "source", "book"):
        if key in entries:
            document.root.entries[key] = entries[key]
    document.uses |= read_uses(entries.get("uses"), report)
    _keep_settings(document, entries, meter)
    if "players" in entries:
        document.root.entries["players"] = entries["players"]
    _note_repeated(document, entries)
    for key, value, word in _entries(entries.get("set")):
        if isinstance(value, Scalar | Sequence):
            value.original = word
            document.settings[key] = value
    for key, value, word in _entries(entries.get("choose")):
        if isinstance(value, Scalar):
            value.original = word
            document.choices[key] = value
    _remove(document, words(entries.get("remove")), report, meter)
    replaced = entries.get("replace")
    if isinstance(replaced, Mapping):
        for path, value in replaced.entries.items():
            _replace(document, path, value, replaced.keys[path], report, meter)
    parameters = entries.get("parameters")
    if isinstance(parameters, Mapping):
        _add_named(document.root, "parameters", parameters, report)
    positions = entries.get("positions")
    if isinstance(positions, Mapping):
        _add_named(document.root, "positions", positions, report)
    for claim in mappings(entries.get("claims")):
        _insert(document, "claims", claim, None, report)
    for addition in mappings(entries.get("add")):
        _add(document, addition, report)
    return document


def _keep_settings(document: Document, variant: dict[str, Node], meter: Meter) -> None:
    """Record in the examples of a document the settings for which they were written."""
    parameters, rulings = document.root.entries.get("parameters"), document.section("rules")
    usual: dict[str, dict[str, Node | None]] = {"parameters": {}, "readings": {}}
    for name, _, _ in _entries(variant.get("set")):
        declared = parameters.entries.get(name) if isinstance(parameters, Mapping) else None
        default = declared.entries.get("default") if isinstance(declared, Mapping) else None
        usual["parameters"][name] = document.settings.get(name) or default
    for name, _, _ in _entries(variant.get("choose")):
        meter.spend(len(rulings))
        readings = next((r.entries.get("readings") for r in rulings if _id(r) == name), None)
        first = next(iter(readings.keys.values()), None) if isinstance(readings, Mapping) else None
        usual["readings"][name] = document.choices.get(name) or first
    replaced = variant.get("replace")
    changed = "players" in variant or (isinstance(replaced, Mapping) and "players" in replaced.entries)
    players = _usual_players(document) if changed else None
    for example in (e for rule in rulings for e in mappings(rule.entries.get("examples"))):
        written_for = document.usual.setdefault(id(example), {})
        if players is not None:
            written_for.setdefault("players", players)
        meter.spend(ENTRY * sum(map(len, usual.values())))
        for key, values in usual.items():
            if values:
                kept = written_for.setdefault(key, Mapping(example.span, False))
                assert isinstance(kept, Mapping)
                kept.entries.update({k: v for k, v in values.items() if v and k not in kept.entries})


def _note_repeated(document: Document, variant: dict[str, Node]) -> None:
    """Record a variant's drops, the inherited examples, and that all remain valid if only settings change."""
    replaced = variant.get("replace")
    paths = replaced.entries.keys() if isinstance(replaced, Mapping) else set()
    settles = not variant.keys() & {"remove", "add", "parameters"} and paths <= {"players"}
    rules = document.section("rules")
    examples = (e for rule in rules for e in mappings(rule.entries.get("examples")))
    document.inherited = {id(example) for example in examples}
    document.repeated = document.inherited if settles else set()
    inherited = frozenset(document.inherited)
    document.drops += [Drop(word, inherited) for word in words(variant.get("drops"))]


def _usual_players(document: Document) -> Node | None:
    """The default number of players: as stated, or the least one allowed."""
    node = document.root.entries.get("players")
    if isinstance(node, Mapping):
        node = node.entries.get("default") or node.entries.get("number")
    if not isinstance(node, Scalar):
        return None
    return replace(node, value=node.value.partition("..")[0].strip())


def _entries(node: Node | None) -> list[tuple[str, Node, Scalar]]:
    return [(k, v, node.keys[k]) for k, v in node.entries.items()] if isinstance(node, Mapping) else []


def _add_named(root: Mapping, key: str, more: Mapping, report: Report) -> None:
    here = root.entries.setdefault(key, Mapping(more.span, False))
    assert isinstance(here, Mapping)
    for name, value in more.entries.items():
        if name in here.entries:
            words, help = f"`{key}.{name}` exists already", "use `replace`, or `set` its value"
            report.error("variant.exists", words, more.keys[name].span, help=help)
        here.entries[name], here.keys[name] = value, more.keys[name]


def _add(document: Document, addition: Mapping, report: Report) -> None:
    """Add a rule, claim, layer or condition, at the end of its section or beside another one."""
    sections = {"rule": "rules", "claim": "claims", "layer": "diagram", "condition": "conditions"}
    found = [k for k in sections if k in addition.entries]
    if len(found) != 1:
        words = "an addition has exactly one of `rule`, `claim`, `layer`, `condition`"
        report.error("variant.add", words, addition.span)
        return
    value = addition.entries[found[0]]
    anchor = next(
        ((k, v) for k, v in addition.entries.items() if k in ("before", "after") and isinstance(v, Scalar)),
        None,
    )
    if isinstance(value, Mapping):
        _insert(document, sections[found[0]], value, anchor, report)


def _insert(
    document: Document, key: str, value: Mapping, anchor: tuple[str, Scalar] | None, report: Report
) -> None:
    """Insert an entry into a section, at the end or beside its anchor; reports an id that exists."""
    section = document.root.entries.setdefault(key, Sequence(value.span, False))
    assert isinstance(section, Sequence)
    named = document.entries_by_id(section)
    if _id(value) and _id(value) in named:
        report.error("variant.exists", f"`{_id(value)}` exists already", value.span, help="use `replace`")
        return
    at = len(section.items)
    if anchor:
        side, word = anchor
        if word.value not in named:
            help = report.nearest(word.value, named)
            report.error("variant.path", f"there is no `{word.value}` to stand {side}", word.span, help=help)
            return
        at = section.items.index(named[word.value]) + (side == "after")
    section.items.insert(at, value)
    if _id(value):
        named[_id(value)] = value


def _id(node: Node) -> str:
    found = node.entries.get("id") if isinstance(node, Mapping) else None
    return found.value if isinstance(found, Scalar) else ""


def _remove(document: Document, paths: list[Scalar], report: Report, meter: Meter) -> None:
    """Remove declarations or entries by their paths."""
    for path in paths:
        first, _, rest = path.value.partition(".")
        if first in DECLARED and rest:
            text = _holder(document, (first, rest), path, "remove", report, meter)
            if text is not None:
                document.removed[first, rest] = text
                document.overrides.pop((first, rest), None)
            continue
        holder = _resolve(document, path.value, path, report)
        if holder is None or _is_needed(path, report):
            continue
        parent, key = holder
        if isinstance(parent, Mapping) and isinstance(key, str):
            del parent.entries[key]
            document.forget(key)
        elif isinstance(parent, Sequence) and isinstance(key, int):
            gone = parent.items.pop(key)
            if isinstance(gone, Mapping) and path.value == _id(gone):
                document.gone[_id(gone)] = gone
            document.entries_by_id(parent).pop(_id(gone), None)
            if isinstance(gone, Mapping) and gone.entries.keys() & {"that", "after"}:
                document.lifted.add(_id(gone))


def _replace(document: Document, path: str, value: Node, word: Scalar, report: Report, meter: Meter) -> None:
    """Replace a declaration or an entry by its path."""
    first, _, rest = path.partition(".")
    if first in DECLARED and rest:
        if not isinstance(value, Scalar):
            report.error("key.kind", f"`{path}` takes formal text", value.span)
        elif text := _holder(document, (first, rest), word, "replace", report, meter):
            _override(document, (first, rest), text, value)
        return
    holder = _resolve(document, path, word, report, may_add=path.startswith("table.sentences."))
    if holder is None:
        return
    parent, key = holder
    if isinstance(parent, Sequence) and isinstance(key, int):
        value.original = parent.items[key]
        parent.items[key] = value
        document.entries_by_id(parent).pop(_id(value.original), None)
        if _id(value):
            document.entries_by_id(parent)[_id(value)] = value
    elif isinstance(parent, Mapping) and isinstance(key, str):
        value.original = parent.entries.get(key)
        parent.entries[key] = value
        document.forget(key)
    kind = kind_at(path.split("."))
    if kind is not None:
        check(value, kind, report, path)


def _override(document: Document, declared: tuple[str, str], text: Scalar, value: Scalar) -> None:
    """Replace a declaration in a text that earlier variants may have changed."""
    if document.holders.get(declared) is not text:
        document.overrides.pop(declared, None)
    document.holders[declared] = text
    document.overrides.setdefault(declared, []).append(value)


def _holder(
    document: Document, declared: tuple[str, str], word: Scalar, verb: str, report: Report, meter: Meter
) -> Scalar | None:
    """The formal text of a rule that contains a declaration; None, with a fault, if none does."""
    kind, name = declared
    names = []
    for rule in document.section("rules"):
        text = rule.entries.get("formal")
        if not isinstance(text, Scalar):
            continue
        meter.spend(len(text.formal) // SCANNED)
        found = [one for one in _DECLARATION.findall(text.formal) if document.removed.get(one) is not text]
        if declared in found:
            return text
        names += [other for of, other in found if of == kind]
    message = f"there is no {kind} `{name}` to {verb}"
    report.error("variant.path", message, word.span, help=report.nearest(name, names))
    return None


def _is_needed(path: Scalar, report: Report) -> bool:
    """True, with a fault, if a path leads to a key that is required where it stands."""
    *parts, key = path.value.split(".")
    kind = kind_at(parts)
    if not isinstance(kind, Shape) or key not in kind.required:
        return False
    message = f"`{path.value}` cannot be removed: `{'.'.join(parts)}` needs the key `{key}`"
    report.error("variant.needed", message, path.span, help="use `replace`")
    return True


def kind_at(parts: list[str]) -> Kind | None:
    """The kind of the value to which a path leads."""
    kind: Kind | None = RULE
    if parts and parts[0] in TOP:
        kind = RULESET.keys[parts[0]]
    for part in parts[1:]:
        kind = inner(kind, part) if kind is not None else None
    return kind if parts else None


def _resolve(
    document: Document, path: str, word: Scalar, report: Report, *, may_add: bool = False
) -> tuple[Node, str | int] | None:
    """The node that holds the end of a path, and its key there, which may be new with `may_add`."""
    parts = path.split(".")
    node: Node = document.root
    if parts[0] not in TOP:
        node = document.root.entries.get("rules", document.root)
    holder: tuple[Node, str | int] | None = None
    for number, part in enumerate(parts, 1):
        names: Given[str, Node] = {}
        if isinstance(node, Sequence):
            names = document.entries_by_id(node)
        elif isinstance(node, Mapping):
            names = node.entries
        if part not in names:
            if may_add and isinstance(node, Mapping) and number == len(parts):
                return node, part
            message = f"`{path}` leads to nothing: there is no `{part}`"
            report.error("variant.path", message, word.span, help=report.nearest(part, names))
            return None
        holder = (node, node.items.index(names[part]) if isinstance(node, Sequence) else part)
        node = names[part]
    return holder
