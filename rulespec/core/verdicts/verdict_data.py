"""The data of a verdict, which the form of answers and the sentences are about."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import Annotated, Any

from .evidence_data import EVIDENCE, Line, Options, Whole, fits, one_of

PROVED, REFUTED, BOUNDED, ESTIMATED, UNDECIDED = "proved", "refuted", "bounded", "estimated", "undecided"
CONDITIONAL = "conditional"
OUTCOMES = (PROVED, REFUTED, BOUNDED, ESTIMATED, UNDECIDED, CONDITIONAL)
"""`bounded`: holds up to the depth or the bounds in the statement, nothing is known beyond. `conditional`:
has another outcome if claims hold whose verdicts were not checked, which says nothing yet."""
UNCHECKED = "unchecked"
"""Replaces the outcome of a stored verdict that was not checked here; no store holds it."""
STRENGTH = {UNDECIDED: 0, CONDITIONAL: 0, BOUNDED: 1, ESTIMATED: 2, PROVED: 2, REFUTED: 2}
"""The strength of each outcome: 2 settles a claim, 1 settles part of it."""


def is_duration(seconds: float) -> bool:
    """True for a number of seconds: neither negative nor infinite nor undefined."""
    return 0 <= seconds < math.inf


@dataclass(frozen=True)
class Evidence:
    """One piece of a verdict's evidence.

    `kind` says how it is checked again: `play` (the play is replayed), `exploration` (states are counted),
    `induction` and `refutation` (obligations are solved again), `fraction` (an exact expectation, computed
    again), `deals` (answers, some of which are found again), `combination` (of invariants, added up again),
    `search` (a value, searched again), `strategies` (checked against every reply), `sample` (drawn again).
    Its `data` has the type that `EVIDENCE` gives the kind.
    """

    kind: Annotated[str, one_of(EVIDENCE)]
    data: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class VerdictData:
    """The fields of a `Verdict`, of any form.

    `remarks`, `standing` and `rests_on` are about one run, so no store keeps them.
    """

    ruleset: Line
    claim: Line
    kind: str
    """The kind of claim, such as invariant or reachable."""
    outcome: Annotated[str, one_of(STRENGTH)]
    evidence: tuple[Evidence, ...]
    engine: Line
    seconds: Annotated[float | int, is_duration]
    game: Line
    """Digest of the rules."""
    claim_digest: Line
    """Digest of the claim."""
    players: Whole
    options: Annotated[Mapping[str, int | str], partial(fits, Options)] = field(default_factory=dict)
    """The options of the claim that sentences mention: numbers and words; see `options_of`."""
    parameters: Mapping[Line, Whole | Line] = field(default_factory=dict)
    """Those that differ from the defaults, in notation."""
    readings: Mapping[Line, Line] = field(default_factory=dict)
    """Those that differ from the defaults."""
    numbers: Mapping[Line, Whole] = field(default_factory=dict)
    """Measurements: plies, value, states."""
    notes: tuple[str, ...] = ()
    """The keys of warnings, see `wording.NOTES`."""
    remarks: tuple[str, ...] = field(default=(), compare=False)
    """Sentences, such as the limit that ended the run."""
    standing: str = field(default="", compare=False)
    """`decided`, `checked` or `stamped` in this run; empty if it has no standing."""
    rests_on: Mapping[str, str] = field(default_factory=dict, compare=False)
    """The standing of each claim that it rests on."""
