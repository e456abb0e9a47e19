"""The types of the data in stores of verdicts, checked when a store is read and again by the judge.

Each kind of evidence has a typed dictionary; its annotations are the only statement of what its data may be.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Annotated, Any, Literal, TypedDict

from ..data_forms import DataForm, WrongForm, field_types
from ..diagnostics import CONTROLS

MOST_DIGITS = 100
"""Maximum number of digits of a number in a store; sums of squares of samples are the largest numbers."""

_TOO_LARGE: int = 10**MOST_DIGITS
_WHOLE = re.compile("-?[0-9]{1,9}")
_UNPRINTABLE = re.compile(f"[\t\n{CONTROLS}]")


def is_line(text: str) -> bool:
    """True for a text of one line without control characters."""
    return not _UNPRINTABLE.search(text)


def has_few_digits(number: int) -> bool:
    """True for an integer of at most `MOST_DIGITS` digits."""
    return abs(number) < _TOO_LARGE


def is_natural(number: int) -> bool:
    """True for a number from 0 upwards."""
    return number >= 0


def one_of(names: Mapping[str, Any]) -> Callable[[str], bool]:
    """A test that a text is one of some names."""
    return names.__contains__


def is_sum(row: Sequence[str]) -> bool:
    """True for a constant followed by pairs of a weight and a term."""
    return len(row) > 2 and len(row) % 2 == 1 and all(map(_WHOLE.fullmatch, (row[0], *row[1::2])))


def is_invariant(row: Sequence[str]) -> bool:
    """True for a row that names an end, or a type, a comparison and a sum."""
    if row[:1] == ["phase"]:
        return len(row) > 4 and row[2] in ("0", "1") and all(map(_WHOLE.fullmatch, row[4:]))
    if row[:1] == ["ends"]:
        return len(row) == 2
    return row[:1] in (["sums"], ["while"], ["conserved"]) and len(row) > 3 and is_sum(row[3:])


Line = Annotated[str, is_line]
Whole = Annotated[int, has_few_digits]
Count = Annotated[int, has_few_digits, is_natural]
Lines = list[Line]
Wholes = list[Whole]
Table = list[Lines]
Invariants = list[Annotated[Lines, is_invariant]]
Measure = list[Annotated[Lines, is_sum]]
_IS = TypedDict("_IS", {"is": Line})


class OfSeat(TypedDict, total=False):
    """Evidence about one player: the player, and the outcome and the numbers for that player."""

    seat: Whole
    outcome: Line
    numbers: Mapping[str, Whole]


class _OfDeal(OfSeat, total=False):
    """Evidence about one deal: its outcomes of chance."""

    chance: Lines


class _OfProver(_OfDeal, total=False):
    """Evidence that an engine gave: the file of its certificate, and the bound that it refutes."""

    certificate: Line
    bound: Whole


class PlayData(_OfDeal, total=False):
    """A play, by the digest of its record."""

    record: Line
    repeats: Whole
    shortest: bool
    differs: Line
    alone: Lines
    viewer: Line | Whole


class _Explored(TypedDict):
    counts: Wholes
    digest: Line
    closed: bool


class ExplorationData(_Explored, _OfDeal, total=False):
    """States that were counted, by depth or by cost; with `sizes` of a game that keeps only sizes of sets."""

    costs: Wholes
    alone: Lines
    bound: Whole
    sizes: bool


class InductionData(_OfProver, total=False):
    """A proof by induction over plies, with the found invariants and measure that it rests on, as rows."""

    depth: Whole
    by: Line
    invariants: Invariants
    measure: Measure
    alone: Lines


class RefutationData(_OfProver, total=False):
    """A proof that no play of some length is a counterexample."""

    plies: Whole
    by: Line
    alone: Lines


class _Combined(TypedDict):
    times: Table


class CombinationData(_Combined, _OfDeal, total=False):
    """Multiples of invariants that add up to the claim."""

    bound: Whole


class HelperData(OfSeat):
    """A claim that the proof uses."""

    claim: Line


class CoveredData(TypedDict):
    """Rulings of which all readings are asked at once; the other evidence is about that game."""

    open: Lines


class FractionData(_IS, OfSeat):
    """The exact mean of a number."""


class StrategiesData(_IS, OfSeat):
    """Strategies of players with different information, and the mean that they give."""

    plans: Table
    choices: Lines


class StagesData(_IS, OfSeat):
    """Stages in which both sides choose at once: the number of the state, the value, a mix for each side."""

    stages: Table
    choices: Lines


class _Searched(TypedDict):
    at_least: Whole
    at_most: Whole


class SearchData(_Searched, _OfDeal, total=False):
    """Bounds that a search with memory found."""

    certificate: Line


class _Asked(TypedDict):
    claim: Line


class DealsData(_Asked, OfSeat, total=False):
    """The answers to a claim for many deals, one letter each."""

    first: Whole
    answers: Line
    of: Whole
    packed: Line


class SampleData(OfSeat):
    """Sums over random plays."""

    games: Whole
    seed: Whole
    total: Whole
    squares: Whole


EVIDENCE: Mapping[str, type] = {
    "play": PlayData,
    "exploration": ExplorationData,
    "induction": InductionData,
    "refutation": RefutationData,
    "combination": CombinationData,
    "helper": HelperData,
    "covered": CoveredData,
    "fraction": FractionData,
    "strategies": StrategiesData,
    "stages": StagesData,
    "search": SearchData,
    "deals": DealsData,
    "sample": SampleData,
}
"""The data of each kind of evidence; the judge compares every entry."""

Options = TypedDict(
    "Options",
    {
        "sense": Literal["most", "least"], "at": Count, "within": Count, "games": Count,
        "deals": Count | Literal["all"], "of": Line, "is": Line | Whole, "summed-over": Line, "other": Line,
        "different": Literal["number"], "condition": Literal["truth", "number"], "sides": Line,
        "who": Count, "others": Line,
    },
    total=False,
)  # fmt: skip
"""The options of a claim that sentences about verdicts name."""


class PlayRecord(TypedDict):
    """A play in a store: its outcomes of chance and its actions, in notation."""

    chance: Lines
    plays: Lines


def fits(kind: Any, data: Any) -> bool:
    """True for data that is a value of a type."""
    return wrong_key(kind, data) is None


def wrong_key(kind: Any, data: Any) -> str | None:
    """A key of the data that is missing, unknown or of a wrong type; None if the data fit the kind."""
    try:
        DataForm().decode(kind, data)
    except WrongForm as wrong:
        return wrong.key
    return None


def wrong_entry(kind: str, data: Mapping[str, Any]) -> str | None:
    """The first entry of evidence of a kind that is missing, unknown or of a wrong type; None without one."""
    return wrong_key(EVIDENCE[kind], data)


OPTION_NAMES = tuple(field_types(Options))
