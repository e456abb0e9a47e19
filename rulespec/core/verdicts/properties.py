"""The kinds of claim as properties of a few forms, so that methods and the judge know forms and not kinds.

`PROPERTIES` is the one table of kinds: a new kind of an existing form needs an entry here and its sentence
in `rulespec/core/verdicts/wording.py`.

A ply that stores a value in a place where it does not fit is undone: the position stays as it was before the
ply (for the setup: as declared), and the play is over there, with no end, no winners and no scores. The role
of such plays for a claim depends on its kind (`FaultRole`); the reference of claims has the same table in
words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from typing import NamedTuple

from ..game import Claim
from .verdict_data import BOUNDED, ESTIMATED, PROVED, REFUTED


class Form(Enum):
    """A form of property."""

    ALWAYS = "nothing bad in any position"
    REACHABLE = "something in some position"
    ENDS = "every play ends"
    RECOVERABLE = "from every position something can be reached"
    OPTIMUM = "the best of a number that can be reached"
    VALUE = "the result of best play"
    EXPECTATION = "the mean of a number"
    STATISTIC = "a number of positions, plays or deals"


class Over(Enum):
    """The game whose positions a property is about: the game itself, or one derived from it."""

    POSITIONS = "positions of the game"
    REMEMBERED = "positions with what they were before the last ply"
    IMAGES = "positions beside their images"
    BOTH_GAMES = "positions beside those of another game"
    LOOKALIKES = "positions beside those that look the same to a player"
    SEATS = "positions of the game, for each player"
    SAMPLE = "random plays"
    DEALS = "deals, of each of which another claim is asked"


class Event(Enum):
    """The event in a position that a property of the forms `ALWAYS` and `REACHABLE` is about."""

    CONDITION = "whether the claim's condition holds"
    STUCK = "whether nobody can act"
    FAULT = "whether a value did not fit its place"


class FaultRole(Enum):
    """The role of plays that fault."""

    SAME_POSITION = "it adds no position: it ends in the one before"
    A_PLY = "the ply that faults is a ply, and the play is over after it"
    REFUTES = "it refutes the claim"
    NO_RESULT = "it has no result, so nothing can be averaged, counted or chosen"
    COMPARED = "if one faults, its image, or the other game, must fault too"
    AS_ASKED = "as in the claim about each deal"


class Text(Enum):
    """The meaning of the text under the key of a claim."""

    CONDITION = "a condition"
    NUMBER = "a number"
    NUMBERS = "a number, or a list of numbers"
    CONDITION_OR_NUMBER = "a condition or a number"
    IMAGES = "the images under a symmetry"
    GAME = "another game"
    CLAIM = "a claim that stands before it"


class ValueForm(NamedTuple):
    """The form of a value as a regular expression and in words."""

    pattern: str
    words: str


NOTHING = ValueForm("", "")
"""The form of nothing."""

Answers = Mapping[str, tuple[str, ...]]
"""For each outcome the sets of numbers that an answer may have, each as the names in alphabetical order."""


@dataclass(frozen=True)
class Property:
    """The property that a kind of claim states, and everything else in which kinds of claim differ.

    Args:
        form: the form of the property.
        over: the positions that it is about.
        event: the event in a position that it is about.
        negated: True if the claim states that the form does not hold.
        faults: the role of plays that fault.
        answers: the outcomes that a decided answer can have, with its numbers.
        text: the meaning of the text under the key of the claim; None if it has no text.
        is_text_optional: True if such a claim may also be written as `kind:` without a text.
        keys: the keys of the text, if they are not the name of the kind.
        options: the keys that a claim of the kind takes besides, as words.
        idle: by key: another key and its value, empty for any, beside which the key has no effect.
        result: the form of the value under `is`.
        number: the number for which an author's wording of the answer has a place.
        is_decided_first: True if such claims help to prove others, so that they are decided before them.
    """

    form: Form
    over: Over = Over.POSITIONS
    event: Event = Event.CONDITION
    negated: bool = False
    faults: FaultRole = FaultRole.SAME_POSITION
    answers: Answers = field(default_factory=lambda: _ALWAYS)
    text: Text | None = None
    is_text_optional: bool = False
    keys: tuple[str, ...] = ()
    options: str = ""
    idle: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    result: ValueForm = NOTHING
    number: str = ""
    is_decided_first: bool = False

    def takes(self, key: str) -> bool:
        """True if a claim of the kind takes an option."""
        return key in self.options.split()

    @property
    def is_about_last_state(self) -> bool:
        """True if its condition is evaluated in the state in which a play that decides it ends."""
        return self.text is Text.CONDITION and self.form is not Form.STATISTIC

    @property
    def is_asked_of_deals(self) -> bool:
        """True if claims about deals can name a claim of the kind: a play settles it, or gives its number."""
        return self.takes("from") and self.form in (Form.REACHABLE, Form.OPTIMUM) and not self.negated

    @property
    def is_inductive(self) -> bool:
        """True if an induction over positions can show it."""
        return self.over is Over.POSITIONS and self.form in (Form.ALWAYS, Form.ENDS) and not self.negated

    @property
    def holds_without_plies(self) -> bool:
        """True if it holds of any game that is over before anybody acts."""
        return self.over is Over.POSITIONS and self.by_play == REFUTED

    @property
    def is_invariant(self) -> bool:
        """True if the property says of each position by itself, or of each ply, that nothing bad happens."""
        return self.form is Form.ALWAYS and self.over in (Over.POSITIONS, Over.REMEMBERED)

    @property
    def by_play(self) -> str | None:
        """The outcome that a single play settles; None if no single play settles the claim."""
        if self.over in (Over.SEATS, Over.LOOKALIKES) or self.form not in SHOWN_BY_PLAY:
            return None
        return PROVED if SHOWN_BY_PLAY[self.form] != self.negated else REFUTED

    @property
    def without_play(self) -> str | None:
        """The outcome if no such play exists; None if no single play settles the claim."""
        return None if self.by_play is None else REFUTED if self.by_play == PROVED else PROVED

    @property
    def evidence(self) -> frozenset[str]:
        """The kinds of evidence that can prove a claim of this kind."""
        if self.form is Form.STATISTIC:
            return frozenset({STATISTICS.get(self.over, "exploration")})
        if self.form is Form.ENDS and self.negated:
            return _INDUCTIVE - {"refutation"}
        return EVIDENCE[self.form]


SHOWN_BY_PLAY = {Form.ALWAYS: False, Form.REACHABLE: True, Form.ENDS: False}
"""True for forms that a play can prove, False for those that it can refute."""
STATISTICS = {Over.SAMPLE: "sample", Over.DEALS: "deals"}
_INDUCTIVE = frozenset({"exploration", "induction", "refutation", "helper", "play"})
_GOAL = frozenset({"exploration", "induction", "refutation", "combination", "helper", "play"})
EVIDENCE: Mapping[Form, frozenset[str]] = {
    Form.ALWAYS: _INDUCTIVE,
    Form.ENDS: _INDUCTIVE,
    Form.REACHABLE: _GOAL,
    Form.OPTIMUM: _GOAL,
    Form.RECOVERABLE: frozenset({"exploration", "play"}),
    Form.VALUE: frozenset({"exploration", "search", "stages"}),
    Form.EXPECTATION: frozenset({"exploration", "fraction", "strategies", "stages"}),
}
"""The kinds of evidence that can prove a form. A check assumes that the claim has a form that its evidence
is about: strategies checked against every reply prove the result of best play, whatever was claimed."""

_ALWAYS: Answers = {
    PROVED: ("", "depth", "plies", "states"), REFUTED: ("plies",), BOUNDED: ("plies", "plies states"),
}  # fmt: skip
_BEST = ("at_least", "at_most", "at_least at_most", "at_least states", "at_most states", "plies states")
_VALUE = ("value", "states value", "at_least at_most", "at_least at_most states")

PROPERTIES: Mapping[str, Property] = {
    "invariant": Property(
        Form.ALWAYS, text=Text.CONDITION, options="when helped-by", is_decided_first=True,
    ),
    "never_stuck": Property(
        Form.ALWAYS, event=Event.STUCK, faults=FaultRole.A_PLY, options="helped-by", is_decided_first=True,
    ),
    "never_faults": Property(
        Form.ALWAYS, event=Event.FAULT, faults=FaultRole.REFUTES, options="helped-by", is_decided_first=True,
    ),
    "never_falls": Property(Form.ALWAYS, Over.REMEMBERED, text=Text.NUMBERS, options="helped-by"),
    "terminates": Property(
        Form.ENDS,
        faults=FaultRole.A_PLY,
        answers={PROVED: ("plies", "plies states"), REFUTED: ("",)},
        text=Text.NUMBER,
        is_text_optional=True,
        options="helped-by",
        number="plies",
        is_decided_first=True,
    ),
    "endless": Property(
        Form.ENDS,
        negated=True,
        faults=FaultRole.A_PLY,
        answers={PROVED: ("",), REFUTED: ("plies", "plies states")},
    ),
    "reachable": Property(
        Form.REACHABLE,
        answers={PROVED: ("plies",), REFUTED: ("", "states"), BOUNDED: ("plies", "plies states")},
        text=Text.CONDITION,
        options="from helped-by",
        number="plies",
    ),
    "unreachable": Property(
        Form.REACHABLE,
        negated=True,
        answers={PROVED: ("", "states"), REFUTED: ("plies",), BOUNDED: ("plies", "plies states")},
        text=Text.CONDITION,
        options="from helped-by",
    ),
    "value": Property(
        Form.VALUE,
        faults=FaultRole.NO_RESULT,
        answers={
            PROVED: _VALUE, REFUTED: (*_VALUE, "at_least", "at_most"), BOUNDED: (_VALUE[2], *_BEST[:2]),
        },
        text=Text.NUMBER,
        is_text_optional=True,
        options="seeing is",
        result=ValueForm(
            r"drawn|won by [1-9]\d?|0|-?[1-9]\d{0,8}", "`drawn`, `won by` a player, or a number"
        ),
    ),
    "expected": Property(
        Form.EXPECTATION,
        faults=FaultRole.NO_RESULT,
        answers={PROVED: ("states",), REFUTED: ("states",)},
        text=Text.NUMBER,
        options="policy wants who others summed-over seeing is",
        idle=dict.fromkeys(("wants", "who", "seeing"), ("policy", "random")),
        result=ValueForm(r"(0|-?[1-9]\d{0,17})(/[1-9]\d{0,17})?", "a number or a fraction"),
        number="value",
    ),
    "estimate": Property(
        Form.STATISTIC,
        Over.SAMPLE,
        faults=FaultRole.NO_RESULT,
        answers={ESTIMATED: ("total",)},
        text=Text.CONDITION_OR_NUMBER,
        options="summed-over games seed",
        number="value",
    ),
    "best": Property(
        Form.OPTIMUM,
        answers={PROVED: ("value", "states value"), REFUTED: ("", "states"), BOUNDED: _BEST},
        text=Text.NUMBER,
        keys=("most", "least"),
        options="when from helped-by summed-over",
        number="value",
    ),
    "symmetry": Property(
        Form.ALWAYS,
        Over.IMAGES,
        faults=FaultRole.COMPARED,
        text=Text.IMAGES,
        options="for where helped-by",
        is_decided_first=True,
    ),
    "winnable": Property(
        Form.REACHABLE,
        Over.SEATS,
        answers={PROVED: ("",), REFUTED: ("",), BOUNDED: ("",)},
        options="helped-by",
    ),
    "knowable": Property(
        Form.ALWAYS,
        Over.LOOKALIKES,
        answers={PROVED: ("", "beliefs", "plies"), REFUTED: ("plies",), BOUNDED: ("plies", "beliefs plies")},
        options="helped-by",
    ),
    "equivalent": Property(
        Form.ALWAYS, Over.BOTH_GAMES, faults=FaultRole.COMPARED, text=Text.GAME, options="helped-by",
    ),
    "count": Property(
        Form.STATISTIC,
        answers={PROVED: ("states value",), REFUTED: ("states value",)},
        text=Text.CONDITION,
        is_text_optional=True,
        options="from at within of different is",
        idle={"within": ("at", ""), "count": ("of", "plays"), "different": ("of", "plays")},
        result=ValueForm(r"0|[1-9]\d{0,17}", "a number"),
        number="value",
    ),
    "never_hopeless": Property(
        Form.RECOVERABLE,
        answers={PROVED: ("states value",), REFUTED: ("plies", "states value")},
        text=Text.CONDITION,
        options="within",
        number="value",
    ),
    "share_of_deals": Property(
        Form.STATISTIC,
        Over.DEALS,
        faults=FaultRole.AS_ASKED,
        answers=dict.fromkeys((PROVED, BOUNDED, ESTIMATED), ("deals failed held",)),
        text=Text.CLAIM,
        options="deals",
    ),
    "every_deal": Property(
        Form.STATISTIC,
        Over.DEALS,
        faults=FaultRole.AS_ASKED,
        answers={PROVED: ("seed",), REFUTED: ("seed",), BOUNDED: ("deals",)},
        text=Text.CLAIM,
        options="is",
        result=ValueForm("yes|no", "`yes` or `no`"),
    ),
}  # fmt: skip
"""The property of each kind of claim; messages list kinds in this order."""


def words_of_kind(kind: str) -> tuple[str, ...]:
    """The words for a kind of claim in rulesets."""
    return PROPERTIES[kind].keys or (kind.replace("_", "-"),)


KIND_OF_KEY: Mapping[str, str] = {
    key: kind for kind, stated in PROPERTIES.items() if stated.text for key in words_of_kind(kind)
}
"""The kind of claim by the key of its text."""
KINDS_WITHOUT_TEXT: Mapping[str, str] = {
    word: kind
    for kind, stated in PROPERTIES.items()
    if stated.text is None or stated.is_text_optional
    for word in words_of_kind(kind)
}
"""The kinds of claim that can be written without a text, by the word under `kind`."""


def property_of(claim: Claim) -> Property:
    """The property that a claim of its kind states."""
    return PROPERTIES[claim.kind]
