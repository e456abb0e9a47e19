"""The sentences that people read about pieces of evidence, derived from their data; see `wording`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..numbers import number_of
from .verdict_data import Evidence, VerdictData
from .wording import fraction_of, fraction_text, plies


def sentence(verdict: VerdictData, evidence: Evidence) -> str:
    """A sentence that describes a piece of evidence for a verdict."""
    text = SENTENCES[evidence.kind](verdict, evidence.data)
    if "seat" in evidence.data:
        text = f"Player {evidence.data['seat']}: {text[:1].lower()}{text[1:]}"
    if "bound" in evidence.data:
        text = f"{evidence.data['bound']} is out of reach: {text[:1].lower()}{text[1:]}"
    return text


Data = Mapping[str, Any]

ENDS = {
    "invariant": "Ends where it fails.",
    "never_stuck": "Ends where nobody has a legal action.",
    "never_faults": "Ends where a value does not fit its place.",
    "never_falls": "Its last ply lowers it.",
    "symmetry": "Ends in a position that is not like its image.",
    "equivalent": "Ends where the two games differ.",
    "never_hopeless": "Ends in a position from which nothing leads there.",
}


def _play(v: VerdictData, data: Data) -> str:
    if "repeats" in data:
        return f"After {plies(data['repeats'])} and again at its end the position is the same."
    if "viewer" in data:
        return f"One of two plays that look the same to player {data['viewer']}."
    if v.kind == "best":
        reached = [v.numbers[k] for k in ("value", _reached_side(v)) if k in v.numbers]
        return f"Reaches {reached[0]}." if reached else "Reaches it."
    return ENDS.get(v.kind, "Ends in a position where it holds.")


def _reached_side(v: VerdictData) -> str:
    return "at_least" if v.options.get("sense") == "most" else "at_most"


def _exploration(v: VerdictData, data: Data) -> str:
    counts: Sequence[int] = data["counts"]
    listed, by = list(map(str, counts)), "depth"
    if "costs" in data:
        listed, by = [f"{c}: {x}" for c, x in zip(data["costs"], listed, strict=False)], "cost"
    many = number_of(sum(counts), "belief" if v.kind == "knowable" else "position")
    whose, more = " of players" if v.kind == "knowable" else "", "; no more" if data["closed"] else ""
    only = " Of what was dealt, only how much lies where was kept." if data.get("sizes") else ""
    return f"{many}{whose} by {by}: {', '.join(listed)}{more}.{only}"


INDUCTION = {
    "terminates": "No ply from any position leaves the measure as it is or raises it.",
    "endless": "No ply from any position leaves the measure as it is or raises it.",
    "symmetry": "No position was found that is unlike its image; play begins in images as often.",
    "equivalent": "No state has a counterexample, nor has the start.",
}


def invariant_text(row: Sequence[str]) -> str:
    """An invariant found by search, as formal text that an author can adopt."""
    if row[0] == "phase":
        return f"over or {row[1]} != {row[2]} or {row[3]} in {{{', '.join(row[4:])}}}"
    if row[0] == "ends":
        return f"over or not {row[1]}"
    when, subject, sign, constant, *listed = row
    left, right = _sides(-int(constant), listed)
    each = f"every x in {subject} satisfies " if subject else ""
    return f"{'over or ' if when == 'while' else ''}{each}{left} {sign} {right}"


def measure_text(row: Sequence[str]) -> str:
    """A number of a measure that was found, as formal text that an author can adopt."""
    left, right = _sides(int(row[0]), row[1:])
    return left if right == "0" else f"{left} - {right if ' + ' not in right else f'({right})'}"


def _sides(constant: int, listed: Sequence[str]) -> tuple[str, str]:
    """Two sums whose difference is a constant plus weighted terms."""
    sides: tuple[list[str], list[str]] = ([], [])
    for weight, term in zip(map(int, listed[::2]), listed[1::2], strict=True):
        sides[weight < 0].append(term if abs(weight) == 1 else f"{abs(weight)} * {term}")
    if constant:
        sides[constant < 0].append(str(abs(constant)))
    left, right = (" + ".join(side) or "0" for side in sides)
    return left, right


def _induction(v: VerdictData, data: Data) -> str:
    rows = data.get("invariants", ())
    found = "; ".join(f"`{invariant_text(row)}`" for row in rows)
    also = f" What was found to hold in every position is used: {found}." if rows else ""
    numbers = ", then ".join(f"`{measure_text(row)}`" for row in data.get("measure", ()))
    measure = f" The measure was found: {numbers}." if numbers else ""
    return f"{_step(v, data)}{measure}{also}"


def _step(v: VerdictData, data: Data) -> str:
    if data.get("by") == "flows":
        return "Read off the effects; that an action cannot do otherwise was asked of an engine."
    if v.kind in ("reachable", "unreachable"):
        return "No play begins there, and no ply leads there from any other position."
    if data.get("by") == "parts":
        return "It holds at the start, and neither what an action does nor what follows it ends that."
    if data.get("by") == "differences":
        return "It holds at the start, and no ply lets one side of it gain on the other."
    if v.kind in INDUCTION:
        return INDUCTION[v.kind]
    depth = data.get("depth", 1)
    if depth == 0 and v.kind == "never_stuck":
        return "No position whatever is without a legal action."
    if depth == 0:
        return "It follows from what is known to hold in every position."
    back = f" (looking back {plies(depth)})" if depth > 1 else ""
    return f"It holds at the start, and one ply from any position keeps it so{back}."


REASONS = {
    "excluded": "What always holds excludes it.",
    "trap": "It needs something of which no ply can bring about the first.",
}
"""The reason why a goal is out of reach, by the name of the argument."""


def _refutation(v: VerdictData, data: Data) -> str:
    if data.get("by") in REASONS:
        return REASONS[data["by"]]
    if v.kind == "knowable" and "plies" not in data:
        return "No two positions that look the same to a player differ in what that player must know."
    if "plies" not in data:
        return "Plays are bounded in length, and none so long leads there."
    if v.outcome == "proved":
        longest = plies(v.numbers.get("plies", data["plies"]))
        return f"No play of more than {longest} exists, and none is a counterexample."
    return f"No play of at most {plies(data['plies'])} is a counterexample."


def _combination(v: VerdictData, data: Data) -> str:
    named = ", ".join(f"`{e.data['claim']}`" for e in v.evidence if e.kind == "helper")
    return f"{named} add up to that."


def _listed(names: Sequence[str]) -> str:
    *most, last = (f"`{name}`" for name in names)
    return f"{', '.join(most)} and {last}" if most else last


def _strategies(v: VerdictData, data: Data) -> str:
    listed = [str(text) for text in data["choices"]]
    return f"{'; '.join(listed) or 'Nobody has a choice'}."


def _deals(v: VerdictData, data: Data) -> str:
    if "packed" in data:
        return "Each deal was decided, with a play tried from it or with everything seen."
    letters = str(data.get("answers", ""))
    if len(letters) == 1:
        return f"The deal of seed {data.get('first', 0)} was decided by itself."
    return f"Each of {len(letters)} deals was decided by itself, with a play or with everything seen."


SENTENCES: Mapping[str, Callable[[VerdictData, Data], str]] = {
    "play": _play,
    "exploration": _exploration,
    "induction": _induction,
    "refutation": _refutation,
    "combination": _combination,
    "helper": lambda v, data: f"The claim `{data['claim']}` is used.",
    "covered": lambda v, data: f"It was shown at once for all readings of {_listed(data['open'])}.",
    "fraction": lambda v, data: f"Exactly {fraction_text(fraction_of(data['is']))}.",
    "strategies": _strategies,
    "stages": _strategies,
    "search": lambda v, data: "A search with memory.",
    "deals": _deals,
    "sample": lambda v, data: (
        f"{number_of(data['games'], 'play')} from seed {data['seed']}, every legal action equally likely."
    ),
}
"""The sentence about a piece of evidence, by its kind."""
