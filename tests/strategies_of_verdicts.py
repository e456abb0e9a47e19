"""Verdicts of every form that a claim of some kind can have."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from hypothesis import reject
from hypothesis import strategies as st

from rulespec.core.data_forms import field_types
from rulespec.core.verdicts import UNDECIDED, Evidence, InvalidAnswer, Verdict
from rulespec.core.verdicts.answer_form import HELD, OPEN, SIGNED, WORTHS
from rulespec.core.verdicts.evidence_data import EVIDENCE, OfSeat
from rulespec.core.verdicts.properties import PROPERTIES
from rulespec.core.verdicts.wording import NOTES

TRIES = 20
"""How often a verdict is made at random until one has the form of an answer."""

printed = st.characters(exclude_categories=("Cc", "Cs"))
words = st.text(printed, max_size=12)
names = st.dictionaries(st.text(printed, min_size=1, max_size=6), words, max_size=3)
few, whole = st.integers(-3, 6), st.integers(-(10**9), 10**9)
counts = st.integers(0, 12) | st.integers(0, 10**9)
fractions = st.fractions().map(str)
listed = st.lists(words, max_size=3)
sums = st.lists(st.tuples(few.map(str), words), min_size=1, max_size=2).map(
    lambda terms: ["1", *(text for term in terms for text in term)]
)
invariants = sums.map(lambda row: ["sums", "", "=", *row]) | words.map(lambda end: ["ends", end])
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "counts": st.lists(counts, max_size=3),
    "costs": st.lists(whole, max_size=3),
    "closed": st.booleans(),
    "shortest": st.booleans(),
    "sizes": st.booleans(),
    "is": fractions,
    "measure": st.lists(sums, max_size=2),
    "invariants": st.lists(invariants, max_size=2),
    **dict.fromkeys(("times", "plans", "stages"), st.lists(st.lists(fractions, max_size=2), max_size=2)),
    "viewer": st.integers(1, 4) | words.filter(bool),
    **dict.fromkeys(("alone", "chance", "choices", "open"), listed),
    **dict.fromkeys(("digest", "by", "claim", "answers", "packed", "differs", "certificate"), words),
}
"""The values of entries of evidence; all others are whole numbers."""


def entries(kind: str) -> st.SearchStrategy[dict[str, Any]]:
    """The data of evidence of a kind, without a play."""
    others = {"record", *field_types(OfSeat)}
    values = {key: VALUES.get(key, counts) for key in field_types(EVIDENCE[kind]) if key not in others}
    needed = {key: values.pop(key) for key in EVIDENCE[kind].__required_keys__}  # type: ignore[attr-defined]
    return st.fixed_dictionaries(needed, optional=values)


def evidence(*kinds: str) -> st.SearchStrategy[Evidence]:
    """Evidence of some kinds."""
    return st.sampled_from(kinds).flatmap(lambda kind: st.builds(Evidence, st.just(kind), entries(kind)))


@st.composite
def of_seats(draw: st.DrawFn) -> list[Evidence]:
    """Evidence on some players."""
    found = []
    for seat in draw(st.lists(st.integers(1, 3), unique=True, min_size=1)):
        outcome = draw(st.sampled_from([*PROPERTIES["reachable"].answers]))
        keys = draw(st.sampled_from(PROPERTIES["reachable"].answers[outcome])).split()
        numbers = {key: draw(counts) for key in keys}
        found.append(Evidence("play", {"seat": seat, "outcome": outcome, "numbers": numbers}))
    return found


@st.composite
def sample(draw: st.DrawFn) -> list[Evidence]:
    """Evidence of a sample."""
    games, total = draw(st.integers(1, 20)), draw(few)
    data = {"games": games, "seed": 1, "total": total, "squares": total * total + draw(counts)}
    return [Evidence("sample", data)]


OF_KINDS: dict[str, st.SearchStrategy[list[Evidence]]] = {
    "winnable": of_seats(),
    "estimate": sample(),
    "expected": fractions.map(lambda x: [Evidence("fraction", {"is": x})]),
    "every_deal": st.text(HELD + OPEN, min_size=1, max_size=6).map(
        lambda x: [Evidence("deals", {"claim": "c", "answers": x})]
    ),
    **dict.fromkeys(
        ("knowable", "symmetry", "equivalent"),
        words.map(lambda x: [Evidence("play", {"differs": x, "viewer": 1})]),
    ),
}
"""The evidence of kinds of claim whose sentences speak of it."""
others = evidence(*(kind for kind in EVIDENCE if kind not in ("fraction", "strategies", "sample")))
options = st.fixed_dictionaries(
    {"sense": st.sampled_from(["most", "least"])},
    optional={
        **dict.fromkeys(("at", "within", "games"), st.integers(0, 10)),
        "deals": st.integers(0, 10**6) | st.just("all"),
        **dict.fromkeys(("of", "summed-over", "other"), words),
        "is": st.sampled_from([*WORTHS.values(), "0", "3"]) | few,
        "different": st.just("number"),
        "condition": st.sampled_from(["truth", "number"]),
    },
)


def _numbers(draw: Callable[[st.SearchStrategy[Any]], Any], keys: list[str], odd: list[Evidence]) -> Any:
    numbers = {key: draw(few if key in SIGNED else counts) for key in keys}
    for one in odd:
        if "total" in keys and one.kind == "sample":
            numbers["total"] = one.data["total"]
        if "deals" in keys and "answers" in one.data:
            numbers["deals"] = len(one.data["answers"])
    return numbers


@st.composite
def verdicts(draw: st.DrawFn) -> Verdict:
    """A verdict on a claim of any kind, with any outcome."""
    kind = draw(st.sampled_from([*PROPERTIES]))
    for _ in range(TRIES):
        outcome, numbers, listed = draw(st.sampled_from([*PROPERTIES[kind].answers, UNDECIDED])), {}, []
        if outcome != UNDECIDED:
            own = OF_KINDS.get(kind)
            listed = draw(own) if own is not None else draw(st.lists(others, max_size=2))
            keys = draw(st.sampled_from(PROPERTIES[kind].answers[outcome])).split()
            numbers = _numbers(draw, keys, listed)
        try:
            return Verdict(
                draw(words), draw(words), kind, outcome, (*listed,), draw(words),
                draw(st.integers(0, 10**6)) / 100, draw(words), draw(words), draw(st.integers(1, 3)),
                draw(options), draw(st.dictionaries(words, st.integers() | words, max_size=2)), draw(names),
                numbers, (*draw(st.lists(st.sampled_from([*NOTES]), max_size=2)),),
            )  # fmt: skip
        except InvalidAnswer:
            continue
    reject()
