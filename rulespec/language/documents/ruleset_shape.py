"""The keys of a ruleset with the kinds of their values: a table of shapes."""

from __future__ import annotations

from collections.abc import Mapping

from ...core.verdicts.properties import KIND_OF_KEY, PROPERTIES, Text
from .shapes import Either, Kind, Leaf, Many, NamedEntries, Shape

PROSE, FORMAL, WORD, PLAY, DATA = (Leaf(kind) for kind in ("prose", "formal", "word", "play", "data"))
ID = Leaf("id")
DECLARATIONS, EFFECT, EXPRESSION = (Leaf("formal", f"{start}_text") for start in ("decl", "effect", "expr"))
BINDERS, CHOICES, SIGHTS, IMAGES, SECRETS, OPEN, SIDES = (
    Leaf("formal", f"{start}_text")
    for start in ("binders", "choices", "sees", "images", "secret", "open", "sides")
)
CELL = Leaf("cell")
"""A text in a row whose length is checked, so that a superfluous comma is noticed."""
WORDS = Either((WORD, Many(WORD)))
VALUE = Either((FORMAL, Many(FORMAL)))
"""The value of a parameter: formal text, or a list of formal texts."""


def _all(kind: Kind, names: str) -> dict[str, Kind]:
    """Several keys with values of one kind."""
    return dict.fromkeys(names.split(), kind)


REFUSAL = Shape({"play": PLAY, "by": WORD}, ("play", "by"))
EXAMPLE = Shape(
    {
        "id": ID,
        **_all(PROSE, "prose note"),
        **_all(WORDS, "source winners"),
        **_all(WORD, "players position seed"),
        "then": EXPRESSION,
        "parameters": NamedEntries(VALUE),
        "readings": NamedEntries(WORD),
        "given": DATA,
        "legal": Either((PLAY, Many(PLAY))),
        "only": Either((PLAY, Many(PLAY))),
        "refused": Either((REFUSAL, Many(REFUSAL))),
        "play": Either((PLAY, Many(PLAY))),
    },
    ("id",),
)
NO_FIGURE = ("id", "prose", "source", "note", "players", "parameters", "readings", "winners")
"""Keys of an example that a figure of a book lacks."""
REQUIREMENT = Shape({"prose": PROSE, "source": WORDS, **_all(EXPRESSION, "that after")}, ("prose",))
READING = Either((PROSE, Shape({"prose": PROSE, "modelled": WORD}, ("prose",))))
TURN = Shape({"begin": EFFECT, **_all(EXPRESSION, "over next among limit"), "stuck": WORD})
PART = {**_all(EXPRESSION, "first until"), **_all(EFFECT, "start finish")}
"""The keys of phases and of rounds."""
PHASE = Shape({"prose": PROSE, "legal": WORDS, "then": EXPRESSION, **PART})
ROUNDS = Shape({"in": WORD, "number": EXPRESSION, **PART})
RULE = Shape(
    {
        "id": ID,
        **_all(PROSE, "heading prose note question settled written"),
        **_all(WORDS, "source binds"),
        **_all(EFFECT, "do setup"),
        "about": BINDERS,
        **_all(EXPRESSION, "when that after reaction end score payoff winners at-once"),
        "formal": DECLARATIONS,
        "readings": NamedEntries(READING, ids=True),
        "action": CHOICES,
        "secret": SECRETS,
        "open": OPEN,
        "sides": SIDES,
        "require": NamedEntries(REQUIREMENT, ids=True),
        "turn": TURN,
        "start": NamedEntries(DATA),
        "phases": NamedEntries(PHASE, ids=True),
        "rounds": ROUNDS,
        "ties": Many(Shape({"most": EXPRESSION, "least": EXPRESSION, "prose": PROSE})),
        "titles": Many(Shape({"when": EXPRESSION, "title": PROSE, "prose": PROSE}, ("when", "title"))),
        "sees": SIGHTS,
        "examples": Many(EXAMPLE),
    },
    ("id", "prose"),
)
COMPARED = Shape(
    {
        "to": WORD,
        "set": NamedEntries(VALUE),
        "choose": NamedEntries(WORD),
        "replace": NamedEntries(DATA),
        "remove": WORDS,
    }
)
"""The game that a claim compares with this one, in the form of a variant."""
TEXTS_OF_CLAIMS: Mapping[Text | None, Kind] = {
    **dict.fromkeys((Text.CONDITION, Text.NUMBER, Text.NUMBERS, Text.CONDITION_OR_NUMBER), EXPRESSION),
    Text.IMAGES: IMAGES,
    Text.GAME: Either((WORD, COMPARED)),
    Text.CLAIM: WORD,
}
CLAIM = Shape(
    {
        "id": ID,
        **_all(PROSE, "prose answer"),
        **_all(WORDS, "source across helped-by"),
        **{key: TEXTS_OF_CLAIMS[PROPERTIES[kind].text] for key, kind in KIND_OF_KEY.items()},
        **_all(EXPRESSION, "where when different"),
        "for": BINDERS,
        **_all(
            WORD,
            "deals kind is at within of policy wants who others summed-over seeing games seed from lemma",
        ),
    },
    ("id", "prose"),
)
LAYER = Shape(
    {"mark": WORD, **_all(WORDS, "on in look use"), "for": BINDERS, "where": EXPRESSION, "text": PROSE},
    rest=EXPRESSION,
)
TABLE_WORDS = Shape(
    {
        "seats": Many(PROSE),
        "sentences": NamedEntries(PROSE),
        "counters": Many(PROSE),
        **_all(WORDS, "forced buttons"),
    }
)
"""The words in which a play is reported, what is always in view, and what is done by itself."""
PARAMETER = Shape(
    {"type": FORMAL, "default": VALUE, "prose": PROSE, "source": WORDS}, ("type", "default", "prose")
)
CONDITION = Shape({"prose": PROSE, "that": EXPRESSION}, ("prose", "that"))
FIGURE = Shape(
    {
        **{key: kind for key, kind in EXAMPLE.keys.items() if key not in NO_FIGURE},
        "example": WORD,
        **_all(PROSE, "caption exercise"),
        "seen-by": WORD,
    }
)
TABLE = Shape(
    {"caption": PROSE, "columns": Many(CELL), "for": BINDERS, "row": Many(CELL), "rows": Many(Many(CELL))},
    ("columns",),
)
PLAYTHROUGH = Shape(
    {
        **_all(WORD, "position seed seen-by"),
        "text": PROSE,
        "steps": Many(Shape({"play": PLAY, "text": PROSE}, ("play",))),
    },
    ("steps",),
)
BLOCK = Shape(
    {
        **_all(PROSE, "heading text"),
        "rules": WORDS,
        **_all(WORD, "examples box"),
        "steps": Many(PROSE),
        "list": Many(PROSE),
        "table": TABLE,
        "titles": Shape({"caption": PROSE, "columns": Many(CELL)}, ("columns",)),
        "figure": FIGURE,
        "figures": Many(FIGURE),
        "playthrough": PLAYTHROUGH,
    }
)
CHAPTER = Shape(
    {"id": ID, "heading": PROSE, "look": WORD, "contents": Many(BLOCK)}, ("id", "heading", "contents")
)
FACTS = {
    "time": "Time",
    "age": "Age",
    "kind": "Kind",
    "theme": "Theme",
    "mechanics": "Mechanics",
    "complexity": "Complexity",
    "strategy": "Strategy",
    "chance": "Chance",
}
"""The facts that an author can give, and their names on the page."""
BOOK = Shape(
    {
        "facts": Shape(dict.fromkeys(FACTS, PROSE)),
        "chapters": Many(CHAPTER),
        "opening": Many(CHAPTER),
        "closing": Many(CHAPTER),
        "glossary": Many(Shape({"term": PROSE, "also": Many(CELL), "text": PROSE}, ("term", "text"))),
        "left-out": WORDS,
        "credits": Shape({"text": PROSE}, ("text",)),
    }
)
"""The book section: the chapters of the rulebook, or those around the generated ones."""
CHAPTERS = ("chapters", "opening", "closing")
"""The keys of a book section that hold chapters, in the order of the page."""
SOURCE = Shape(
    {"document": WORDS, **_all(PROSE, "author licence"), "year": WORD, "title": Either((PROSE, Many(PROSE)))}
)
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
USES = Either((WORD, Many(Either((WORD, NamedEntries(NamedEntries(VALUE)))))))
"""The libraries that a ruleset uses, with what it gives for their parameters."""
BODY: dict[str, Kind] = {
    "players": PLAYERS,
    "uses": USES,
    "parameters": NamedEntries(PARAMETER, ids=True),
    "conditions": Many(CONDITION),
    "rules": Many(RULE),
    "claims": Many(CLAIM),
    "diagram": Many(LAYER),
    "table": TABLE_WORDS,
    "positions": NamedEntries(DATA, ids=True),
    "book": BOOK,
}
RULESET = Shape({**HEAD, **BODY}, ("rulespec", "id", "title", "rules"))
ADDITION = Shape(
    {"before": WORD, "after": WORD, "rule": RULE, "claim": CLAIM, "layer": LAYER, "condition": CONDITION}
)
VARIANT = Shape(
    {
        **HEAD,
        "extends": WORD,
        "players": PLAYERS,
        "uses": USES,
        "set": NamedEntries(VALUE),
        "choose": NamedEntries(WORD),
        "parameters": NamedEntries(PARAMETER, ids=True),
        "add": Many(ADDITION),
        "replace": NamedEntries(DATA),
        "remove": WORDS,
        "drops": WORDS,
        "claims": Many(CLAIM),
        "positions": NamedEntries(DATA, ids=True),
        "book": BOOK,
    },
    ("rulespec", "id", "title", "extends"),
)
LIBRARY = Shape(
    {
        "library": WORD,
        **_all(PROSE, "title prose"),
        "parameters": NamedEntries(Shape({**PARAMETER.keys}, ("type", "prose")), ids=True),
        "needs": NamedEntries(Shape({"prose": PROSE, "formal": PROSE}, ("prose", "formal"))),
        "words": Many(Shape({"prose": PROSE, "formal": DECLARATIONS}, ("prose", "formal"))),
        "layers": NamedEntries(Many(LAYER), ids=True),
    },
    ("library", "title", "prose", "words"),
)
"""A library that comes with rulespec."""
