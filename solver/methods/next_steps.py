"""Advice on an undecided claim, depending on what ended the work."""

from __future__ import annotations

from rulespec.solver.evidence.problem import Case

CAUSES: tuple[tuple[tuple[str, ...], str], ...] = (
    (
        ("shuffle", "outcomes"),
        "Chance has too many outcomes to list them: ask it of one deal (`from: deal`, `rulespec solve`), "
        "of many (`rulespec survey`), or with fewer cards",
    ),
    (("can come back", "for ever", "endless"), "Let the game end: count the turns, or forbid repetition"),
    (("MB", "memory"), "Allow more with `--memory`, or ask it of a smaller game"),
    (
        ("wide", "too many values", "too many orders"),
        "Formulas get too large here: name parts with `define`, or use smaller types",
    ),
    (
        (" s", "positions", "plies"),
        "Allow more time with `--each`, ask it of a smaller game (`--set`, a variant), or add an invariant "
        "that helps (`helped-by`)",
    ),
)
"""Phrases about what ended the work, each with advice; the first match counts."""


def next_step(case: Case, ended: str) -> str:
    """The sentence that advises what to do next; empty if no advice fits."""
    advice = next((words for signs, words in CAUSES if any(sign in ended for sign in signs)), "")
    return f"{advice}." if advice else ""
