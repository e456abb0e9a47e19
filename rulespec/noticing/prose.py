"""Prose and formal text that say different numbers, bounds, quantities or winners."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..core import nodes as n
from ..core.diagnostics import Span
from ..core.game import Game, Rule
from ..core.traversal import assignments, nodes_with_definitions, nodes_within
from ..core.types import Int
from .parts import written_condition
from .slips import Found, place

WORDS = (
    "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
NUMBERS = {"one": 1, **{word: number for number, word in enumerate(WORDS, 2)}}
NUMBERS |= {"thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "eighty": 80, "hundred": 100, "pair": 2}
NUMBER = rf"(\d+|{'|'.join(NUMBERS)})"
ALL = re.compile(r"\b(?:all|every|each|both)\b", re.IGNORECASE)
NONE = re.compile(r"\b(?:no|not|nobody|none|neither|without)\b", re.IGNORECASE)
SOME = re.compile(r"\b(?:an?|one|any|some|somebody|anybody|who|whoever|first)\b", re.IGNORECASE)
WHO = re.compile(r"\b(?:who|whoever|somebody|anybody)\b", re.IGNORECASE)
"""Words of prose about ends."""
LOSS = re.compile(
    r"\b(?:minus|less|los\w+|subtract\w*|penalt\w+|cost\w*|pay\w*|paid|off|few\w*|negative|against|without"
    r"|differ\w+|than|deduct\w*|away|remain\w*|left|least|low\w*|beyond|over|under|behind|short|ahead"
    r"|lead\w*|mistake\w*|other|apart)\b",
    re.IGNORECASE,
)
"""Words of prose about points that are taken away."""
IN_A_ROW = re.compile(
    r"\bin (?:turn|a row)\b|\bone after (?:the )?(?:an)?other|\b(?:successi|consecuti|running)\w*"
)
COUNTED = r"(?:points?|coins?|pearls?|chips?|seeds?|stones?)"
_DEALS = re.compile(r"\b(?:top|bottom|draw|roll)\s+(\d+)\b")
_SETS = re.compile(r"\bin \{(\d+(?:, \d+)*)\}")
_STATE = re.compile(r"\bstate (?:[\w-]*-)?(\w+): map Player -> [^=]*= ?\d+")
_COMPARED = re.compile(r"([<>]=?|(?<![<>!])=) (\d+)\b")
_LEAST = {">=": (0,), "<": (0,), ">": (-1,), "<=": (-1,)}
BOUNDS = (
    (rf"\bat least {NUMBER}\b", _LEAST),
    (rf"\b{NUMBER} or more\b", _LEAST),
    (rf"\bmore than {NUMBER}\b", {">": (0,), "<=": (0,), ">=": (1,), "<": (1,)}),
    (rf"\bat most {NUMBER}\b", {"<=": (0, -1), "<": (0, 1), ">": (0, -1), ">=": (0, 1)}),
)
"""Words about bounds, each with the numbers that may stand after a sign, as differences; before an action one
more may be left."""


def contradictions(game: Game) -> Found:
    """Doubts about prose that its formal text contradicts."""
    for rule in game.rules:
        if rule.span is not None and rule.ruling is None:
            yield from _numbers(game, rule, rule.span)
            yield from _amounts(rule, rule.span)
            yield from _bounds(rule, rule.span)
    yield from _quantifiers(game)
    yield from _results(game)


def _values(text: str) -> list[int]:
    """The numbers in a prose from two on."""
    words = (word.split("-") for word in re.findall(r"[\w-]+", text.lower()))
    found = (sum(int(part) if part.isdigit() else NUMBERS.get(part, 0) for part in word) for word in words)
    return [number for number in found if number > 1]


def _digits(text: str) -> set[int]:
    return {int(number) for number in re.findall(r"(?<![\w-])\d+", re.sub(r'"[^"\n]*"', "", text))}


def _line(span: Span, pattern: str) -> Span:
    """The first line of a rule with a pattern; its first one if there is none."""
    lines = (at for at in range(span.line, span.end_line + 1) if re.search(pattern, span.source.line(at)))
    at = next(lines, span.line)
    text = span.source.line(at)
    return Span(span.source, at, len(text) - len(text.lstrip()) + 1, at, len(text.rstrip()) + 1)


def _numbers(game: Game, rule: Rule, span: Span) -> Found:
    """Amounts that are dealt, counted or compared otherwise than the prose says."""
    prose = " ".join([rule.prose, *(words for _, words in rule.requirements)])
    said, formal = _values(prose), "\n".join(text for _, text in rule.formal)
    written = _digits(formal)
    help = "which of the two is meant?"
    unmatched = [number for number in said if number not in written]
    for found in _DEALS.finditer(formal) if said else ():
        number = int(found[1])
        if number > 1 and all(whole % number for whole in said):
            message = f"this moves {number}, a number that the prose does not have"
            yield "prose", _line(span, re.sub(r"\s+", r"\\s+", found[0])), message, help
    for found in _SETS.finditer(formal) if unmatched else ():
        extra = [number for number in _digits(found[1]) if number > 1 and number not in said]
        if extra:
            message = f"the prose says {unmatched[0]}, and this has {extra[0]}"
            yield "prose", _line(span, re.escape(found[0])), message, help
    kinds = {kind.split()[0] for kind, _ in rule.formal} & {"do", "score", "payoff"}
    elsewhere = {parameter.value for parameter in game.parameters.values()}
    for found in re.finditer(rf"\b{NUMBER} {COUNTED}\b", rule.prose) if kinds else ():
        number = int(found[1]) if found[1].isdigit() else NUMBERS[found[1]]
        if number > 1 and number not in written | elsewhere and not _is_in_definitions(game, number):
            message = f"the prose says `{found[0]}`, and no formal text has {number}"
            keys = [key for key in ("score", "payoff", "do") if key in kinds]
            yield "prose", _line(span, re.escape(found[0])), message, f"perhaps under `{keys[0]}`"
    for found in _STATE.finditer(formal):
        name = found[1].removesuffix("s")
        counts = re.findall(rf"\b{NUMBER} {re.escape(name)}s?\b", rule.prose, re.IGNORECASE)
        numbers = {int(word) if word.isdigit() else NUMBERS[word.lower()] for word in counts}
        if numbers and not numbers & _digits(found[0]):
            message = f"the prose says {counts[0]} for `{found[1]}`, and this has another number"
            yield "prose", _line(span, rf"\bstate [\w-]*{re.escape(name)}s?:"), message, help


def _amounts(rule: Rule, span: Span) -> Found:
    """Amounts of what a variable counts that its name in the prose does not have."""
    for found in _ADDED.finditer("\n".join(text for kind, text in rule.formal if kind == "do")):
        number, name = int(found[1]), re.escape(found[2].removesuffix("s"))
        counts = re.findall(rf"\b(an?|{NUMBER}) {name}s?\b", rule.prose, re.IGNORECASE)
        numbers = {int(word) if word.isdigit() else NUMBERS.get(word.lower(), 1) for word, _ in counts}
        if numbers and number not in numbers:
            message = f"the prose says {counts[0][0]} for `{found[2]}`, and this is another number"
            yield "prose", _line(span, re.escape(found[0])), message, "which of the two is meant?"


_ADDED = re.compile(r"\b(?:add|remove) (\d+) (?:to|from) (\w+)\[(?:mover|p)\]")


def _is_in_definitions(game: Game, number: int) -> bool:
    """True if a number stands in a definition."""
    texts = (text for rule in game.rules for kind, text in rule.formal if "define" in kind + text)
    lines = (line for text in texts for line in text.split("\n") if not _TYPED.match(line))
    return any(number in _digits(line) for line in lines)


_TYPED = re.compile(r"(?:hidden )?(?:state|type)\b")


def _bounds(rule: Rule, span: Span) -> Found:
    """Comparisons that include or leave out what the prose does not."""
    whole = [text for kind, text in rule.formal if kind in ("end", "reaction", "that")]
    prose = dict(rule.requirements)
    holders = [(rule.prose, whole)]
    holders += [
        (prose[kind.split()[-1]], [text])
        for kind, text in rule.formal
        if kind.startswith("require ") and kind.split()[-1] in prose
    ]
    for words, texts in holders:
        compared = [found for text in texts for found in _COMPARED.finditer(text)]
        for pattern, differences in BOUNDS if len(compared) == 1 else ():
            for said in re.finditer(pattern, words, re.IGNORECASE):
                word, (sign, number) = said[1].lower(), compared[0].groups()
                wanted = int(word) if word.isdigit() else NUMBERS[word]
                apart = int(number) - wanted
                if wanted > 1 and abs(apart) < 2 and apart not in differences.get(sign, (apart,)):
                    message = f"the prose says `{said[0]}`, and this is `{sign} {number}`"
                    at = re.sub(r"\s+", r"\\s+", re.escape(compared[0][0]).replace("\\ ", " "))
                    yield "prose", _line(span, at), message, "which of the two is meant?"


def _quantifiers(game: Game) -> Found:
    """Ends and reactions that wait for one where the prose says all, or for all where it says one."""
    parts = [(part.id, part.condition) for part in game.ends]
    for clause, whole in [*parts, *((part.id, part.condition) for part in game.reactions)]:
        prose = next((rule.prose for rule in game.rules if rule.id == clause), "")
        condition = written_condition(game, whole)
        text, inside = game.texts.get(condition, ""), [*nodes_with_definitions(condition)]
        said, some = ALL.search(prose), [node for node in inside if isinstance(node, n.Any)]
        plain = not any(isinstance(node, _COUNTS) for node in inside)
        if (
            isinstance(condition, n.Any)
            and said is not None
            and not NONE.search(text.replace(" is none", ""))
        ):
            alone = not re.search(r"\b(?:every|no)\b", text) and not SOME.search(prose.split(".")[0])
            if alone or (plain and len(some) > 1):
                message = f"the prose says `{said[0]}`, and here `some` is enough"
                yield "end", place(game, condition), message, "perhaps `every` is meant"
        one = None if ALL.search(prose) or NONE.search(prose) else WHO.search(prose)
        if text.startswith("every p in Player") and one is not None:
            message = f"the prose says `{one[0]}`, and this waits for every player"
            yield "end", place(game, condition), message, "perhaps `some` is meant"
        yield from _counts_from_one(game, condition, prose)
        for node in nodes_within(condition) if IN_A_ROW.search(prose) else ():
            if (
                isinstance(node, n.Get)
                and isinstance(node.var.type, Int)
                and not _is_set_back(game, node.var)
            ):
                message = f"nothing sets `{node.var.name}` back, so it counts all and not only those in a row"
                yield "store", place(game, condition), message, ""


_COUNTS = (
    n.All | n.Not | n.Sum | n.Select | n.Size | n.Image | n.Fold | n.Reach | n.Follow | n.Less | n.AtMost
)


def _counts_from_one(game: Game, condition: n.Expr, prose: str) -> Found:
    """Ends after so many rounds whose number begins with 1."""
    for node in nodes_within(condition):
        match node:
            case (
                n.Equal(a=n.Get(var=var), b=n.Const(value=int(number)))
                | n.AtMost(a=n.Const(value=int(number)), b=n.Get(var=var))
            ):
                name = re.escape(var.name.removesuffix("s"))
                said = re.search(rf"\bafter {NUMBER} {name}s?\b", prose, re.IGNORECASE)
                words = {word for word, of in NUMBERS.items() if of == number} | {str(number)}
                first = var.initial.value if isinstance(var.initial, n.Const) else None
                if said is not None and first == 1 and said[1].lower() in words:
                    message = f"`{var.name}` begins with 1, so only {number - 1} are over here"
                    yield "prose", place(game, node), message, f"after all of them it is {number + 1}"


def _is_set_back(game: Game, var: n.StateVar) -> bool:
    """True if an effect stores a value in a number that does not come from it, or if no effect stores."""
    effects = [root for root in game.roots if isinstance(root, n.Statement) and root is not game.setup]
    stores = [assign for effect in effects for assign in assignments(effect) if assign.target is var]
    own = (any(isinstance(e, n.Get) and e.var is var for e in nodes_within(a.value)) for a in stores)
    return not stores or var.name == "plies" or not all(own)


def _results(game: Game) -> Iterator[tuple[str, Span | None, str, str]]:
    """Scores that take something away of which the prose says nothing."""
    score = game.outcome.score
    span = place(game, score) if score is not None else None
    if score is None or span is None:
        return
    rules = [rule for rule in game.rules if rule.span is not None and rule.span.source == span.source]
    prose = next((r.prose for r in rules if r.span and r.span.line <= span.line <= r.span.end_line), "")
    if isinstance(score, n.Sub) and prose and not LOSS.search(prose):
        message = "the score takes something away, of which the prose says nothing"
        yield "prose", span, message, "perhaps `+` is meant; or say it in the prose"
