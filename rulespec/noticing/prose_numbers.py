"""Numbers and bounds that the prose of a rule says otherwise than its formal text."""

from __future__ import annotations

import re

from ..core.diagnostics import Span
from ..core.game import Game, Rule
from .slips import Found

WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
NUMBERS = {"one": 1, **{word: number for number, word in enumerate(WORDS, 2)}}
NUMBERS |= {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "eighty": 80, "hundred": 100, "pair": 2}
NUMBER = rf"(\d+|{'|'.join(NUMBERS)})"
COUNTED = r"(?:points?|coins?|pearls?|chips?|seeds?|stones?)"
_DEALS = re.compile(r"\b(?:top|bottom|draw|roll)\s+(\d+)\b")
_SETS = re.compile(r"\bin \{(\d+(?:, \d+)*)\}")
_STATE = re.compile(r"\bstate (?:[\w-]*-)?(\w+): map Player -> [^=]*= ?\d+")
_COMPARED = re.compile(r"([<>]=?|(?<![<>!])=) (\d+)\b")
_LEAST = {">=": (0,), "<": (0,), ">": (-1,), "<=": (-1,)}
BOUNDS = (
    (rf"\bat least {NUMBER}\b", _LEAST),
    (rf"\b{NUMBER} or more\b", _LEAST),
    (rf"\bfirst {NUMBER}\b", {"<=": (0,), "<": (1,), ">": (0,), ">=": (1,)}),
    (rf"\bmore than {NUMBER}\b", {">": (0,), "<=": (0,), ">=": (1,), "<": (1,)}),
    (rf"\bat most {NUMBER}\b", {"<=": (0, -1), "<": (0, 1), ">": (0, -1), ">=": (0, 1)}),
)
"""Words about bounds, each with the numbers that may stand after a sign, as differences; before an action one
more may be left."""


_HELP = "which of the two is meant?"
_FIRST = re.compile(rf"\bfirst {NUMBER}\b", re.IGNORECASE)
_DEALT = re.compile(
    rf"\b(?:gets?|dealt|deals?|receives?|draws?|rolls?|throws?|given)\s+{NUMBER}\b", re.IGNORECASE
)
_ORDINAL = re.compile(r"\b(second|third|fourth|fifth|sixth) ([\w-]+)", re.IGNORECASE)
_BEYOND = re.compile(
    r"\b(?:more|over|above|exceed\w*|beyond|past|greater|higher|fewer|less|under|below|only|left|than|last)\b",
    re.IGNORECASE,
)
"""Words of prose about bounds that leave their number out."""


def number_slips(game: Game, rule: Rule, span: Span) -> Found:
    """Doubts about the numbers of a rule, whose place is given."""
    yield from _numbers(game, rule, span)
    for find in (_deals, _amounts, _bounds, _strict, _ordinals):
        yield from find(game, rule, span)


def value_of(word: str) -> int:
    """The number that a word says; 1 for an article."""
    return int(word) if word.isdigit() else NUMBERS.get(word.lower(), 1)


def values(text: str) -> list[int]:
    """The numbers in a prose from two on."""
    words = (word.split("-") for word in re.findall(r"[\w-]+", text.lower()))
    found = (sum(int(part) if part.isdigit() else NUMBERS.get(part, 0) for part in word) for word in words)
    return [number for number in found if number > 1]


def _digits(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"(?<![\w-])\d+", re.sub(r'"[^"\n]*"', "", text))}


def line_with(span: Span, pattern: str) -> Span:
    """The first line of a rule with a pattern; its first one if there is none."""
    lines = (at for at in range(span.line, span.end_line + 1) if re.search(pattern, span.source.line(at)))
    at = next(lines, span.line)
    text = span.source.line(at)
    return Span(span.source, at, len(text) - len(text.lstrip()) + 1, at, len(text.rstrip()) + 1)


def _numbers(game: Game, rule: Rule, span: Span) -> Found:
    """Amounts that are dealt, counted or compared otherwise than the prose says."""
    prose = " ".join([rule.prose, *(words for _, words in rule.requirements)])
    said, formal = values(prose), "\n".join(text for _, text in rule.formal)
    written = _digits(formal)
    unmatched = [number for number in said if number not in written]
    for found in _SETS.finditer(formal) if unmatched else ():
        extra = [number for number in _digits(found[1]) if number > 1 and number not in said]
        if extra:
            message = f"the prose says {unmatched[0]}, and this has {extra[0]}"
            yield "prose", line_with(span, re.escape(found[0])), message, _HELP
    kinds = {kind.split()[0] for kind, _ in rule.formal} & {"do", "score", "payoff"}
    elsewhere = {parameter.value for parameter in game.parameters.values()}
    for found in re.finditer(rf"\b{NUMBER} {COUNTED}\b", rule.prose) if kinds else ():
        number = value_of(found[1])
        if number > 1 and number not in written | elsewhere and not _is_in_definitions(game, number):
            message = f"the prose says `{found[0]}`, and no formal text has {number}"
            keys = [key for key in ("score", "payoff", "do") if key in kinds]
            yield "prose", line_with(span, re.escape(found[0])), message, f"perhaps under `{keys[0]}`"
    for found in _STATE.finditer(formal):
        name = found[1].removesuffix("s")
        counts = re.findall(rf"\b{NUMBER} {re.escape(name)}s?\b", rule.prose, re.IGNORECASE)
        numbers = {value_of(word) for word in counts}
        if numbers and not numbers & _digits(found[0]):
            message = f"the prose says {counts[0]} for `{found[1]}`, and this has another number"
            yield "prose", line_with(span, rf"\bstate [\w-]*{re.escape(name)}s?:"), message, _HELP


def _amounts(game: Game, rule: Rule, span: Span) -> Found:
    """Amounts of what a variable counts that its name in the prose does not have."""
    for found in _ADDED.finditer("\n".join(text for kind, text in rule.formal if kind == "do")):
        number, name = int(found[1]), re.escape(found[2].removesuffix("s"))
        counts = re.findall(rf"\b(an?|{NUMBER}) {name}s?\b", rule.prose, re.IGNORECASE)
        numbers = {value_of(word) for word, _ in counts}
        if numbers and number not in numbers:
            words = " and ".join(word for word, _ in counts)
            message = f"the prose says {words} for `{found[2]}`, and this is {number}"
            yield "prose", line_with(span, re.escape(found[0])), message, _HELP


_ADDED = re.compile(r"\b(?:add|remove) (\d+) (?:to|from) (\w+)\[(?:mover|p)\]")


def _is_in_definitions(game: Game, number: int) -> bool:
    """True if a number stands in a definition."""
    texts = (text for rule in game.rules for kind, text in rule.formal if "define" in kind + text)
    lines = (line for text in texts for line in text.split("\n") if not _TYPED.match(line))
    return any(number in _digits(line) for line in lines)


_TYPED = re.compile(r"(?:hidden )?(?:state|type)\b")


def _bounds(game: Game, rule: Rule, span: Span) -> Found:
    """Comparisons that include or leave out what the prose does not."""
    whole = [text for kind, text in rule.formal if kind in ("end", "reaction", "that")]
    prose = dict(rule.requirements)
    holders = [(rule.prose, whole)]
    holders += [
        (prose[kind.split()[-1]], [text])
        for kind, text in rule.formal
        if kind.startswith("require ") and kind.split()[-1] in prose
    ]
    defined = [
        text for kind, whole in rule.formal for text in whole.split("\n") if text.startswith("define ")
    ]
    holders += [(said[0], [text]) for text in defined for said in _FIRST.finditer(rule.prose)]
    for words, texts in holders:
        compared = [found for text in texts for found in _COMPARED.finditer(text)]
        for pattern, differences in BOUNDS if len(compared) == 1 else ():
            for said in re.finditer(pattern, words, re.IGNORECASE):
                wanted, (sign, number) = value_of(said[1]), compared[0].groups()
                apart = int(number) - wanted
                if wanted > 1 and abs(apart) < 2 and apart not in differences.get(sign, (apart,)):
                    message = f"the prose says `{said[0]}`, and this is `{sign} {number}`"
                    at = re.sub(r"\s+", r"\\s+", re.escape(compared[0][0]).replace("\\ ", " "))
                    yield "prose", line_with(span, at), message, _HELP


def _deals(game: Game, rule: Rule, span: Span) -> Found:
    """Numbers of things that are moved, drawn or rolled, and that the prose does not have."""
    dealt = [value_of(found[1]) for found in _DEALT.finditer(rule.prose)]
    said, formal = dealt or values(rule.prose), "\n".join(text for _, text in rule.formal)
    for found in _DEALS.finditer(formal) if said else ():
        number = int(found[1])
        whole = {number, number * game.players} if dealt else {n for n in said if n % number == 0}
        if number > 1 and not whole & {*said}:
            message = f"this moves {number}, and the prose says {said[0]}"
            yield "prose", line_with(span, re.sub(r"\s+", r"\\s+", found[0])), message, _HELP


def _strict(game: Game, rule: Rule, span: Span) -> Found:
    """Ends beyond a number at which the prose ends."""
    texts = [text for kind, text in rule.formal if kind in ("end", "reaction")]
    for text in texts if not _BEYOND.search(rule.prose) else ():
        for found in re.finditer(r"([<>]) (\d+)\b", text):
            if int(found[2]) in values(rule.prose):
                message = f"the prose says {found[2]}, and this is `{found[0]}`"
                yield "prose", line_with(span, re.escape(found[0])), message, _HELP


def _ordinals(game: Game, rule: Rule, span: Span) -> Found:
    """Counts that are compared with another number than the ordinal in the prose says."""
    ordinals = "second third fourth fifth sixth".split()
    texts = [text for kind, text in rule.formal if kind.split()[0] in ("do", "end", "reaction", "require")]
    for said in _ORDINAL.finditer(rule.prose):
        number = ordinals.index(said[1].lower()) + 2
        for found in (found for text in texts for found in re.finditer(r"\b([\w-]+) = (\d+)\b", text)):
            if found[1].removesuffix("s") == said[2].removesuffix("s") and int(found[2]) != number:
                message = f"the prose says `{said[0]}`, and this is `{found[0]}`"
                yield "prose", line_with(span, re.escape(found[0])), message, _HELP
