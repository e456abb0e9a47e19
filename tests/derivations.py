"""Formal texts derived from the grammar itself: the shortest through each production, and random ones."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from lark import Lark
from lark.grammar import NonTerminal, Rule, Symbol, Terminal
from lark.lexer import PatternStr

from rulespec.language.syntax.parser import STARTS, formal_parser

WORDS = {
    "NAME": ("alpha", "beta-two", "x1"),
    "INT": ("0", "12"),
    "STRING": ('"e3"', '"a b"'),
    "ADD": ("+", "-", "&"),
    "MUL": ("*", "div", "mod"),
    "REL": ("!=", "<=", ">=", "<", ">"),
    "BEST": ("with most", "with least"),
    "MOVE_TO": ("onto", "under", "into"),
    "_EACH": ("each",),
    "_FIRST": ("first",),
    "_COUNT": ("count",),
    "_BAG": ("bag",),
    "_MAPS": ("maps",),
    "_SETS": ("sets",),
    "_DRAW": ("draw",),
    "_GIVE": ("give",),
    "_END": ("end",),
    "PART": ("phase", "round"),
}
"""What may stand for the tokens that are not one fixed word."""

Choose = Callable[[Sequence[str]], str]
Expand = Callable[[Sequence[Rule]], Rule]


def grammar() -> Lark:
    """The grammar of formal text."""
    return formal_parser("expr_text")


@cache
def productions() -> dict[str, list[Rule]]:
    """The productions of each symbol."""
    found: dict[str, list[Rule]] = {}
    for rule in grammar().rules:
        found.setdefault(rule.origin.name, []).append(rule)
    return found


@cache
def depths() -> dict[str, int]:
    """How deep the flattest derivation of each symbol is."""
    depth = dict.fromkeys(productions(), 10**6)
    changed = True
    while changed:
        changed = False
        for name, rules in productions().items():
            flattest = min(deep(rule, depth) for rule in rules)
            if flattest < depth[name]:
                depth[name], changed = flattest, True
    return depth


def deep(rule: Rule, depth: dict[str, int]) -> int:
    """How deep the flattest derivation is that begins with a production."""
    return 1 + max((depth[s.name] for s in rule.expansion if isinstance(s, NonTerminal)), default=0)


def flattest(rules: Sequence[Rule]) -> Rule:
    """The production that comes to its end soonest, of those of one symbol."""
    return _flattest(rules[0].origin.name)


@cache
def _flattest(name: str) -> Rule:
    return min(productions()[name], key=lambda rule: (deep(rule, depths()), len(rule.expansion)))


def derived(symbol: Symbol, expand: Expand, choose: Choose) -> str:
    """A text of a symbol: which production each time, and which word for each token, is the caller's."""
    tokens: list[str] = []

    def visit(at: Symbol) -> None:
        if isinstance(at, Terminal):
            tokens.append(_word(at.name, choose))
            return
        for part in expand(productions()[at.name]).expansion:
            visit(part)

    visit(symbol)
    return _text(tokens)


def shortest_through(wanted: Rule) -> tuple[str, str]:
    """A start and a short text of it whose derivation uses a production."""
    start, path = _path(wanted)
    waiting = [*path, wanted]

    def expand(rules: Sequence[Rule]) -> Rule:
        return waiting.pop(0) if waiting and waiting[0] in rules else flattest(rules)

    text = derived(NonTerminal(start), expand, lambda words: words[0])
    assert not waiting
    return start, text


def _path(wanted: Rule) -> tuple[str, list[Rule]]:
    """The productions that lead from a start to the symbol of a production, in order from the top."""
    routes: dict[str, tuple[str, list[Rule]]] = {start: (start, []) for start in STARTS}
    queue = list(STARTS)
    while wanted.origin.name not in routes:
        here = queue.pop(0)
        start, path = routes[here]
        for rule in productions()[here]:
            for part in rule.expansion:
                if isinstance(part, NonTerminal) and part.name not in routes:
                    routes[part.name] = (start, [*path, rule])
                    queue.append(part.name)
    return routes[wanted.origin.name]


def _word(name: str, choose: Choose) -> str:
    if name in WORDS:
        return choose(WORDS[name])
    if name in ("_NL", "_INDENT", "_DEDENT"):
        return name
    pattern = next(t.pattern for t in grammar().terminals if t.name == name)
    assert isinstance(pattern, PatternStr)
    return pattern.value


def _text(tokens: list[str]) -> str:
    made, depth = "", 0
    for i, token in enumerate(tokens):
        if token == "_DEDENT":
            depth -= 1
            if tokens[i + 1 : i + 2] == ["else"]:
                made += "\n" + "  " * depth
        elif token in ("_NL", "_INDENT"):
            depth += token == "_INDENT"
            made += "\n" + "  " * depth
        else:
            made += token + " "
    return made
