"""The kinds of claim as properties of a few forms, so that methods and the judge know forms and not kinds.

`PROPERTIES` is the one table of kinds: a new kind of an existing form needs an entry here, its syntax in
`rulespec/language` and its sentence in `rulespec/core/verdicts/wording.py`.

A ply that stores a value in a place where it does not fit is undone: the position stays as it was before the
ply (for the setup: as declared), and the play is over there, with no end, no winners and no scores. The role
of such plays for a claim depends on its kind (`FaultRole`); the reference of claims has the same table in
words.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from ..game import Claim
from .verdict_data import PROVED, REFUTED


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


@dataclass(frozen=True)
class Property:
    """The property that a kind of claim states, and the options of such a claim.

    `negated`: the claim states that the form does not hold. `options` are the keys that a claim of the kind
    takes, as words; `number` is the number for which an author's wording of the answer has a place.
    """

    form: Form
    over: Over = Over.POSITIONS
    event: Event = Event.CONDITION
    negated: bool = False
    faults: FaultRole = FaultRole.SAME_POSITION
    options: str = ""
    number: str = ""

    def takes(self, key: str) -> bool:
        """True if a claim of the kind takes an option."""
        return key in self.options.split()

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
        """The kinds of evidence that can prove it."""
        if self.form is Form.STATISTIC:
            return frozenset({STATISTICS.get(self.over, "exploration")})
        if self.form is Form.ENDS and self.negated:
            return frozenset({"exploration", "play"})
        return EVIDENCE[self.form]


SHOWN_BY_PLAY = {Form.ALWAYS: False, Form.REACHABLE: True, Form.ENDS: False}
"""True for forms that a play can prove, False for those that it can refute."""
STATISTICS = {Over.SAMPLE: "sample", Over.DEALS: "deals"}
_INDUCTIVE = frozenset({"exploration", "induction", "refutation", "helper", "play"})
_GOAL = frozenset({"exploration", "refutation", "combination", "helper", "play"})
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

PROPERTIES: Mapping[str, Property] = {
    "invariant": Property(Form.ALWAYS, options="when helped-by"),
    "never_stuck": Property(Form.ALWAYS, event=Event.STUCK, faults=FaultRole.A_PLY, options="helped-by"),
    "never_faults": Property(Form.ALWAYS, event=Event.FAULT, faults=FaultRole.REFUTES, options="helped-by"),
    "never_falls": Property(Form.ALWAYS, Over.REMEMBERED, options="helped-by"),
    "terminates": Property(Form.ENDS, faults=FaultRole.A_PLY, options="helped-by", number="plies"),
    "endless": Property(Form.ENDS, negated=True, faults=FaultRole.A_PLY),
    "reachable": Property(Form.REACHABLE, options="from helped-by", number="plies"),
    "unreachable": Property(Form.REACHABLE, negated=True, options="from helped-by"),
    "value": Property(Form.VALUE, faults=FaultRole.NO_RESULT, options="seeing is"),
    "expected": Property(
        Form.EXPECTATION,
        faults=FaultRole.NO_RESULT,
        options="policy wants who others summed-over seeing is",
        number="value",
    ),
    "estimate": Property(
        Form.STATISTIC,
        Over.SAMPLE,
        faults=FaultRole.NO_RESULT,
        options="summed-over games seed",
        number="value",
    ),
    "best": Property(Form.OPTIMUM, options="when from helped-by summed-over", number="value"),
    "symmetry": Property(Form.ALWAYS, Over.IMAGES, faults=FaultRole.COMPARED, options="for where helped-by"),
    "winnable": Property(Form.REACHABLE, Over.SEATS, options="helped-by"),
    "knowable": Property(Form.ALWAYS, Over.LOOKALIKES, options="helped-by"),
    "equivalent": Property(Form.ALWAYS, Over.BOTH_GAMES, faults=FaultRole.COMPARED, options="helped-by"),
    "count": Property(Form.STATISTIC, options="at within of different is", number="value"),
    "never_hopeless": Property(Form.RECOVERABLE, options="within", number="value"),
    "share_of_deals": Property(Form.STATISTIC, Over.DEALS, faults=FaultRole.AS_ASKED, options="deals"),
    "every_deal": Property(Form.STATISTIC, Over.DEALS, faults=FaultRole.AS_ASKED, options="is"),
}  # fmt: skip
"""The property of each kind of claim; messages list kinds in this order."""


def property_of(claim: Claim) -> Property:
    """The property that a claim of its kind states."""
    return PROPERTIES[claim.kind]
