"""Differences between the texts of two rulesets: settings, rules, formal text, claims."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from ..core import notation
from ..core.game import Claim, Game, Rule

ADDED, REMOVED, CHANGED = "added", "removed", "changed"


@dataclass(frozen=True)
class Change:
    """One difference.

    `kind` is `players`, `parameter`, `ruling`, `rule` or `claim`, `id` its name, `how` one of added, removed,
    changed. `parts` are its different parts, each by name with the text on either side, if there is any.
    """

    kind: str
    id: str
    how: str
    parts: tuple[tuple[str, str, str], ...] = ()

    @property
    def is_value(self) -> bool:
        """True if one value has become another, and there is nothing else to say."""
        return self.how == CHANGED and len(self.parts) == 1 and self.parts[0][0] == ""

    def sentence(self, arrow: str = "->") -> str:
        """The difference in a few words, with an arrow between the two values."""
        name = f"{self.kind} {self.id}".strip()
        if self.is_value:
            _, before, after = self.parts[0]
            return f"{name}: {before} {arrow} {after}"
        return f"{name} {self.how}"


def changes(before: Game, after: Game) -> list[Change]:
    """The changes from one game to another, in the order of the rulebook."""
    found: list[Change] = []
    if before.players != after.players:
        found.append(Change("players", "", CHANGED, (("", str(before.players), str(after.players)),)))
    for kind, of in _KINDS.items():
        found += _compare(kind, of(before), of(after))
    return found


Parts = Mapping[str, str]
"""The texts about one thing, by the names of its parts."""


def _compare(kind: str, before: Mapping[str, Parts], after: Mapping[str, Parts]) -> Iterator[Change]:
    """Yield the additions, removals and changes between two sets of parts."""
    for name in dict.fromkeys((*before, *after)):
        mine, other = before.get(name), after.get(name)
        parts = tuple(_parts(mine or {}, other or {}))
        if mine is None:
            yield Change(kind, name, ADDED, parts)
        elif other is None:
            yield Change(kind, name, REMOVED, parts)
        elif parts:
            yield Change(kind, name, CHANGED, parts)


def _parts(before: Parts, after: Parts) -> Iterator[tuple[str, str, str]]:
    for part in dict.fromkeys((*before, *after)):
        if before.get(part, "") != after.get(part, ""):
            yield part, before.get(part, ""), after.get(part, "")


def _rule_texts(rule: Rule) -> Parts:
    """The texts of a rule, by what they are."""
    said = {"prose": rule.prose, "binds": ", ".join(rule.binds)}
    said |= {f"prose of {name}": prose for name, prose in rule.requirements}
    if rule.ruling is not None:
        said["question"] = rule.ruling.question
        said |= {f"reading {reading.id}": reading.prose for reading in rule.ruling.readings}
    for what, text in rule.formal:
        said[what] = f"{said[what]}\n{text}" if what in said else text
    return said


def _claim_texts(claim: Claim) -> Parts:
    return {"prose": claim.prose, claim.kind.replace("_", "-"): claim.text}


_KINDS: Mapping[str, Callable[[Game], Mapping[str, Parts]]] = {
    "parameter": lambda game: {p.id: {"": notation.write(p.type, p.value)} for p in game.parameters.values()},
    "ruling": lambda game: {r.id: {"": r.chosen} for r in game.rulings.values()},
    "rule": lambda game: {rule.id: _rule_texts(rule) for rule in game.rules},
    "claim": lambda game: {claim.id: _claim_texts(claim) for claim in game.claims.values()},
}


MOST_ALIKE = 10_000
"""Maximum number of pairs of lines searched for similar lines."""
MOST_SAME = 1_000_000
"""Maximum number of pairs of lines searched for all equal lines, including very frequent ones."""


def _plain_lines(old: list[str], new: list[str]) -> Iterable[tuple[str, str]]:
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=len(old) * len(new) > MOST_SAME)
    for tag, i, i_end, j, j_end in matcher.get_opcodes():
        yield from ((" " if tag == "equal" else "-", line) for line in old[i:i_end])
        if tag != "equal":
            yield from (("+", line) for line in new[j:j_end])


def lines(before: str, after: str) -> Iterable[tuple[str, str]]:
    """The lines of two texts, each with `-` if removed, `+` if added, or a space if in both.

    In short texts a changed line follows its old version; in long ones that would take too long.
    """
    old, new = before.splitlines(), after.splitlines()
    if len(old) * len(new) > MOST_ALIKE:
        yield from _plain_lines(old, new)
        return
    for line in difflib.ndiff(old, new):
        if line[0] != "?":
            yield line[0], line[2:]
