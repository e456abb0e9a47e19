"""Which keys may stand where in a ruleset, and what kind of value each takes.

A table of shapes, and one walk that holds a tree against it: unknown keys (with the nearest known
one), missing keys, empty values, wrong kinds, prose and formal text inside flow mappings.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from ..core.diagnostics import Report, Span
from .yaml import Mapping, Node, Scalar, Sequence


@dataclass(frozen=True)
class Leaf:
    """A text: `prose` for readers, `formal` text, an `id`, a `word` (a plain value), a `play` in
    notation, or any `data`. `start` is the start rule of formal text; values that may be mere
    notation have none."""

    kind: str
    start: str = ""


@dataclass(frozen=True)
class Shape:
    """A mapping with these keys; `rest` is what any other key takes, if other keys are allowed."""

    keys: dict[str, Kind]
    required: tuple[str, ...] = ()
    rest: Kind | None = None


@dataclass(frozen=True)
class Many:
    """A sequence of one kind."""

    of: Kind


@dataclass(frozen=True)
class Named:
    """A mapping from names of the author's to one kind; `ids` says that they are new names, not paths."""

    of: Kind
    ids: bool = False


@dataclass(frozen=True)
class Either:
    """Whichever kind fits the value's form: a text, a sequence or a mapping."""

    options: tuple[Kind, ...]


Kind = Leaf | Shape | Many | Named | Either

PROSE, FORMAL, WORD, PLAY, DATA = (Leaf(kind) for kind in ("prose", "formal", "word", "play", "data"))
ID = Leaf("id")
IDS = re.compile(r"[A-Za-z0-9]+(?:-[A-Za-z0-9]+)*")
"""What an id may be: it names pages, anchors and files, and formal text may ask for it."""
DECLARATIONS, EFFECT, EXPRESSION = (Leaf("formal", f"{start}_text") for start in ("decl", "effect", "expr"))
BINDERS, CHOICES, SIGHTS, IMAGES, SECRETS, OPEN = (
    Leaf("formal", f"{start}_text") for start in ("binders", "choices", "sees", "images", "secret", "open")
)
WORDS = Either((WORD, Many(WORD)))
VALUE = Either((FORMAL, Many(FORMAL)))
"""The value of a parameter: formal text, or a list of such."""

REFUSAL = Shape({"play": PLAY, "by": WORD}, ("play", "by"))
EXAMPLE = Shape(
    {
        "id": ID,
        "prose": PROSE,
        "source": WORDS,
        "note": PROSE,
        "players": WORD,
        "parameters": Named(VALUE),
        "readings": Named(WORD),
        "given": DATA,
        "seed": WORD,
        "legal": Either((PLAY, Many(PLAY))),
        "only": Either((PLAY, Many(PLAY))),
        "refused": Either((REFUSAL, Many(REFUSAL))),
        "play": Either((PLAY, Many(PLAY))),
        "then": EXPRESSION,
        "winners": WORDS,
    },
    ("id",),
)
REQUIREMENT = Shape({"prose": PROSE, "source": WORDS, "that": EXPRESSION}, ("prose", "that"))
READING = Either((PROSE, Shape({"prose": PROSE, "modelled": WORD}, ("prose",))))
TURN = Shape({"begin": EFFECT, "over": EXPRESSION, "next": EXPRESSION, "stuck": WORD})
RULE = Shape(
    {
        "id": ID,
        "heading": PROSE,
        "prose": PROSE,
        "source": WORDS,
        "note": PROSE,
        "formal": DECLARATIONS,
        "question": PROSE,
        "readings": Named(READING, ids=True),
        "settled": PROSE,
        "action": CHOICES,
        "written": PROSE,
        "secret": SECRETS,
        "open": OPEN,
        "require": Named(REQUIREMENT, ids=True),
        "do": EFFECT,
        "about": BINDERS,
        "when": EXPRESSION,
        "binds": WORDS,
        "that": EXPRESSION,
        "reaction": EXPRESSION,
        "end": EXPRESSION,
        "setup": EFFECT,
        "turn": TURN,
        "score": EXPRESSION,
        "winners": EXPRESSION,
        "ties": Many(Shape({"most": EXPRESSION, "least": EXPRESSION, "prose": PROSE})),
        "titles": Many(Shape({"when": EXPRESSION, "title": PROSE}, ("when", "title"))),
        "sees": SIGHTS,
        "examples": Many(EXAMPLE),
    },
    ("id", "prose"),
)
COMPARED = Shape(
    {
        "to": WORD,
        "set": Named(VALUE),
        "choose": Named(WORD),
        "replace": Named(DATA),
        "remove": WORDS,
    }
)
"""The game that a claim compares with this one, as a variant would say it."""
CLAIM = Shape(
    {
        "id": ID,
        "prose": PROSE,
        "source": WORDS,
        "invariant": EXPRESSION,
        "reachable": EXPRESSION,
        "unreachable": EXPRESSION,
        "terminates": EXPRESSION,
        "most": EXPRESSION,
        "least": EXPRESSION,
        "count": EXPRESSION,
        "value": EXPRESSION,
        "expected": EXPRESSION,
        "estimate": EXPRESSION,
        "never-hopeless": EXPRESSION,
        "symmetry": IMAGES,
        "for": BINDERS,
        "where": EXPRESSION,
        "equivalent": Either((WORD, COMPARED)),
        "never-falls": EXPRESSION,
        "share-of-deals": WORD,
        "every-deal": WORD,
        "deals": WORD,
        "kind": WORD,
        "is": WORD,
        "at": WORD,
        "within": WORD,
        "of": WORD,
        "policy": WORD,
        "wants": WORD,
        "summed-over": WORD,
        "seeing": WORD,
        "games": WORD,
        "seed": WORD,
        "when": EXPRESSION,
        "different": EXPRESSION,
        "from": WORD,
        "across": WORDS,
        "helped-by": WORDS,
    },
    ("id", "prose"),
)
LAYER = Shape(
    {"mark": WORD, "on": WORDS, "for": BINDERS, "where": EXPRESSION, "look": WORDS, "text": PROSE},
    ("mark",),
    EXPRESSION,
)
PARAMETER = Shape(
    {"type": FORMAL, "default": VALUE, "prose": PROSE, "source": WORDS}, ("type", "default", "prose")
)
CONDITION = Shape({"prose": PROSE, "that": EXPRESSION}, ("prose", "that"))
SOURCE = Shape({"document": WORDS, "author": PROSE, "licence": PROSE, "title": PROSE, "year": WORD})
PLAYERS = Either((FORMAL, Shape({"number": FORMAL, "default": FORMAL, "source": WORDS}, ("number",))))
HEAD: dict[str, Kind] = {
    "rulespec": WORD,
    "id": ID,
    "title": PROSE,
    "summary": PROSE,
    "author": PROSE,
    "licence": PROSE,
    "source": SOURCE,
}
BODY: dict[str, Kind] = {
    "players": PLAYERS,
    "parameters": Named(PARAMETER, ids=True),
    "conditions": Many(CONDITION),
    "rules": Many(RULE),
    "claims": Many(CLAIM),
    "diagram": Many(LAYER),
}
RULESET = Shape({**HEAD, **BODY}, ("rulespec", "id", "title", "rules"))
ADDITION = Shape(
    {"before": WORD, "after": WORD, "rule": RULE, "claim": CLAIM, "layer": LAYER, "condition": CONDITION}
)
VARIANT = Shape(
    {
        **HEAD,
        "extends": WORD,
        "set": Named(VALUE),
        "choose": Named(WORD),
        "parameters": Named(PARAMETER, ids=True),
        "add": Many(ADDITION),
        "replace": Named(DATA),
        "remove": WORDS,
        "claims": Many(CLAIM),
    },
    ("rulespec", "id", "title", "extends"),
)

KINDS_OF_CLAIM = (
    "invariant", "reachable", "unreachable", "terminates", "most", "least",
    "count", "value", "expected", "estimate", "never-hopeless", "never-falls", "symmetry", "equivalent",
    "share-of-deals", "every-deal",
)  # fmt: skip
"""Keys of a claim that carry its formal text, or name the game or the claim that it speaks of."""
OF_DEALS = ("share-of-deals", "every-deal")
"""Those that name the claim that is asked of deals."""
BARE_CLAIMS = ("never-stuck", "never-faults", "endless", "winnable", "knowable", "count", "value")
"""Kinds of claim that need no formal text."""


def check(node: Node, kind: Kind, report: Report, where: str = "ruleset") -> bool:
    """Hold a tree against a kind; every misfit goes to the report. True if nothing was wrong."""
    before = report.count
    _WALKS[type(kind)](node, kind, report, where)
    return report.count == before


def _leaf(node: Node, kind: Leaf, report: Report, where: str) -> None:
    if kind.kind == "data":
        return
    if not isinstance(node, Scalar):
        what = "text" if kind.kind == "prose" else "formal text" if kind.kind == "formal" else "a single word"
        report.error("key.kind", f"`{where}` takes {what}", node.span)
        return
    if not node.value.strip():
        report.error(
            "key.empty", f"`{where}` has no value", node.span, help="write the value, or leave the key out"
        )
    elif kind.kind == "id":
        _id(node.value, node.span, report, where)
    elif kind.kind == "prose" and node.in_flow and node.style == "plain" and " " in node.value:
        report.error(
            "yaml.flow",
            "prose does not stand inside `{…}` or `[…]`, where YAML cuts it at commas without a word",
            node.span,
            help="write this mapping in block style, one key a line",
        )


def _id(word: str, span: Span, report: Report, where: str) -> None:
    if not IDS.fullmatch(word):
        help = "an id is letters, digits and hyphens"
        report.error("key.id", f"`{where}` cannot be called `{word}`", span, help=help)


def _shape(node: Node, kind: Shape, report: Report, where: str) -> None:
    if not isinstance(node, Mapping):
        report.error("key.kind", f"`{where}` takes keys with values", node.span)
        return
    for key, value in node.entries.items():
        inner = kind.keys.get(key, kind.rest)
        if inner is None:
            word = node.keys[key]
            empty = isinstance(value, Scalar) and not value.value.strip()
            advice = (
                "YAML cut a text at a comma: write this mapping in block style"
                if node.in_flow and empty
                else ""
            )
            report.error(
                "key.unknown",
                f"`{where}` has no key `{key}`",
                word.span,
                help=advice or report.nearest(key, kind.keys),
            )
        else:
            check(value, inner, report, key)
    for key in kind.required:
        if key not in node.entries:
            report.error("key.missing", f"`{where}` needs the key `{key}`", node.span)


def _many(node: Node, kind: Many, report: Report, where: str) -> None:
    if not isinstance(node, Sequence):
        report.error("key.kind", f"`{where}` takes a list, each entry after a `- `", node.span)
        return
    for item in node.items:
        check(item, kind.of, report, where.removesuffix("s"))


def _named(node: Node, kind: Named, report: Report, where: str) -> None:
    if not isinstance(node, Mapping):
        report.error("key.kind", f"`{where}` takes names with values", node.span)
        return
    for key, value in node.entries.items():
        if kind.ids:
            _id(key, node.keys[key].span, report, where)
        check(value, kind.of, report, f"{where}.{key}")


def _either(node: Node, kind: Either, report: Report, where: str) -> None:
    form = {Scalar: (Leaf,), Sequence: (Many,), Mapping: (Shape, Named)}[type(node)]
    for option in kind.options:
        if isinstance(option, form):
            check(node, option, report, where)
            return
    check(node, kind.options[0], report, where)


_WALKS: dict[type, Callable[..., None]] = {
    Leaf: _leaf,
    Shape: _shape,
    Many: _many,
    Named: _named,
    Either: _either,
}


def words(node: Node | None) -> list[Scalar]:
    """The scalars of a value that may be one word or a list of them."""
    if node is None:
        return []
    if isinstance(node, Sequence):
        return [item for item in node.items if isinstance(item, Scalar)]
    return [node] if isinstance(node, Scalar) else []


def text_of(node: Node | None) -> str:
    """The prose of a scalar on one line, empty without one."""
    return " ".join(node.value.split()) if isinstance(node, Scalar) else ""
