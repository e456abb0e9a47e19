"""Numbers, bounds and ordinals of English prose."""

from __future__ import annotations

import re
from dataclasses import dataclass

from ..core.game import Rule

_UNITS = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen"
_UNITS += " seventeen eighteen nineteen"
_TENS = "twenty thirty forty fifty sixty seventy eighty ninety"
_NUMBERS = {word: number for number, word in enumerate(_UNITS.split(), 1)}
_NUMBERS |= {word: 10 * number for number, word in enumerate(_TENS.split(), 2)}
_NUMBERS |= {"a": 1, "an": 1, "pair": 2, "dozen": 12, "hundred": 100}
_ORDINALS = "second third fourth fifth sixth seventh eighth ninth tenth".split()
_WORDS = "|".join(sorted(_NUMBERS, key=len, reverse=True))
_BEFORE = {
    "at least|no fewer than|no less than": (0, None),
    "more than|over|beyond|above": (1, None),
    "at most|no more than|not more than|up to|first": (None, 0),
    "fewer than|less than|below|under": (None, -1),
}
"""Words before a number, each with the least and greatest number that they allow, as differences."""
_BEHIND = {"or more|or higher|at least": (0, None), "or fewer|or less|or lower|at most": (None, 0)}
_QUANTITY = re.compile(
    rf"(?:\b(?P<before>after|{'|'.join(_BEFORE)}) )?(?<![\w.-])(?<!player )"
    rf"(?P<number>\d+|(?:{_WORDS})(?:-(?:{_WORDS}))?|{'|'.join(_ORDINALS)})(?![\w-])"
    rf"(?: (?P<behind>{'|'.join(_BEHIND)})\b)?",
    re.IGNORECASE,
)
_PHRASE = re.compile(r"\b(?:and|are|at|back|for|from|in|into|is|on|onto|or|than|then|to|with)\b")
"""The ends of the phrase that says what a number counts."""

WHICH = "which of the two is meant?"
MOST_WORDS = 2
"""Maximum number of words that say what a number counts: a verb and its object may follow."""


@dataclass(frozen=True)
class Quantity:
    """A number in prose, with the words after it that say what it counts."""

    value: int
    text: str
    words: tuple[str, ...]
    sentence: frozenset[str]
    """The words of the sentence or part of a sentence around it."""
    low: int | None
    high: int | None
    """The least and greatest number that it allows; both are the number itself where no bound is named."""
    is_ordinal: bool
    is_article: bool
    follows: bool
    """True for a number after the word `after`."""

    @property
    def cut(self) -> int | None:
        """The least number on the upper side of a bound; None if it is no bound."""
        if self.low is not None and self.high is not None:
            return None
        return self.low if self.low is not None else (self.high or 0) + 1


def quantities(prose: str) -> list[Quantity]:
    """The numbers in a piece of prose, with what they count."""
    found, result = [*_QUANTITY.finditer(prose)], []
    ends = [*(match.start() for match in found), len(prose)][1:]
    for match, end in zip(found, ends, strict=False):
        word, before = match["number"].lower(), (match["before"] or "").lower()
        low, high = next(
            (
                allowed
                for said, table in ((before, _BEFORE), ((match["behind"] or "").lower(), _BEHIND))
                for names, allowed in table.items()
                if said in names.split("|")
            ),
            (0, 0),
        )
        parts = [int(part) if part.isdigit() else _NUMBERS.get(part, 0) for part in word.split("-")]
        value = _ORDINALS.index(word) + 2 if word in _ORDINALS else sum(parts)
        clause = re.split(r"[.,;:()]", prose[match.end() : end])[0]
        said = re.findall(r"[\w-]+", _PHRASE.split(clause)[0])
        words = tuple(stem(word) for word in said if word != "of")
        text = prose[match.start() : match.end()] + "".join(re.findall(r"^ (?:of )?[\w-]+", clause))
        bounds = [None if by is None else value + by for by in (low, high)]
        kinds = word in _ORDINALS, word in ("a", "an"), before == "after"
        beginning = re.split(r"[.;:]", prose[: match.start()])[-1]
        sentence = words_of(beginning + re.split(r"[.;:]", prose[match.start() :])[0])
        if word in _ORDINALS and words[:1] == ("player",):
            continue  # who, and not how many
        result.append(Quantity(value, text, words[:MOST_WORDS], sentence, bounds[0], bounds[1], *kinds))
    return result


def prose_of(rule: Rule) -> str:
    """The prose of a rule with that of its requirements."""
    return ". ".join([rule.prose, *(words for _, words in rule.requirements)])


def words_of(prose: str) -> frozenset[str]:
    """The words of a prose, without endings of plurals."""
    return frozenset(map(stem, re.findall(r"[\w-]+", prose)))


def stem(word: str) -> str:
    """A word in small letters, without the ending of a plural."""
    word = word.lower()
    return word[:-3] + "y" if word.endswith("ies") else word.removesuffix("s")
