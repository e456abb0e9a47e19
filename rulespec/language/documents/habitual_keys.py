"""Keys of other formats, with the equivalent keys of rulesets."""

from __future__ import annotations

KEYS = {
    word: ours
    for ours, words in {
        "winners": "win winner victory wins loser losers",
        "action": "move moves actions choice choices",
        "require": "requires requirement requirements precondition pre if",
        "do": "effect effects then post",
        "that": "condition must",
        "prose": "description desc text comment words",
        "title": "name",
        "formal": "state vars variables types declare declarations definitions",
        "setup": "init initial start initialise initialize",
        "end": "goal over terminal game-over finish ends",
        "written": "notation label",
        "reaction": "trigger on event",
        "examples": "test tests",
        "score": "points scores",
        "sees": "visible shows observe observation",
        "parameters": "options params settings",
        "extends": "base parent inherits variant-of",
        "then": "expect result after",
        "refused": "illegal forbidden",
        "given": "board",
        "claims": "goals theorems properties asserts",
        "invariant": "always that assert holds property",
        "reachable": "eventually possible sometimes",
        "unreachable": "never impossible",
        "terminates": "measure decreasing decreases",
    }.items()
    for word in words.split()
}
"""The equivalent key by the key of other formats."""
