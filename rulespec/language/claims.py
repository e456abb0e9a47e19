"""The claims of a ruleset: the author's statements about the game, each under one key, with its options."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Given
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, cast

from ..core import nodes as n
from ..core.diagnostics import Report
from ..core.digest import of_claim
from ..core.game import Claim, Game, Other
from ..core.settled_lists import has_settled_length
from ..core.sides import no_contest, sides
from ..core.traversal import nodes_with_definitions
from ..core.types import BOOL, Int, List, Truth
from ..core.verdicts.properties import PROPERTIES
from ..core.verdicts.wording import HOLES
from ..core.winners import TOGETHER, is_opposed
from .compared_games import Assembler, other
from .documents.ruleset_shape import BARE_CLAIMS, KINDS_OF_CLAIM, OF_DEALS
from .documents.shapes import text_of, words
from .documents.variants import Document
from .documents.yaml import Mapping, Node, Scalar
from .elaborate.expressions import whole_number
from .elaborate.world import Faulty
from .lowering import generated_expression
from .rules import Rules, id_of
from .settings import Settings, Usual
from .symmetries import stated_symmetries
from .syntax.parser import Syntax
from .syntax.printer import one_line
from .syntax.text_printer import print_text
from .work_limit import ENTRY, EXPRESSION

NUMBERS = frozenset(("terminates", "most", "least", "value", "expected"))
"""Keys whose formal text is a number (optionally for `estimate`); the others are conditions."""

MOST_HELPERS = 50
"""Maximum length of a chain of claims in which each rests on the next."""
MOST_SHOWN = 4
"""Maximum number of places in a fault about a cycle of claims."""

OF_A_DEAL = ("reachable", "best")
"""Kinds of claim that claims about deals can name."""

_WORDS_OF = {"most": "best", "least": "best"}


class _Option(NamedTuple):
    """The form of the value under a key of a claim, and its description."""

    form: str
    words: str


OPTIONS = {
    "at": _Option(r"\d{1,6}", "a number of plies"),
    "within": _Option(r"\d{1,6}", "a number of plies"),
    "of": _Option("positions|plays", "`positions` or `plays`"),
    "policy": _Option("best|random", "`best` or `random`"),
    "wants": _Option("most|least", "`most` or `least`"),
    "who": _Option(r"[1-9]\d?", "a player"),
    "others": _Option("opposed|random", "`opposed` or `random`"),
    "summed-over": _Option("plies", "`plies`"),
    "seeing": _Option("everything", "`everything`"),
    "games": _Option(r"[1-9]\d{0,8}", "a number of games"),
    "seed": _Option(r"\d{1,9}", "a number"),
    "deals": _Option(r"[1-9]\d{0,6}|all", "a number of deals, or `all`"),
}
IDLE = {
    ("count", "within"): ("at", ""),
    ("count", "count"): ("of", "plays"),
    ("count", "different"): ("of", "plays"),
    ("expected", "wants"): ("policy", "random"),
    ("expected", "who"): ("policy", "random"),
    ("expected", "seeing"): ("policy", "random"),
}
"""By kind of claim and key: another key (and its value, or any) that makes the key ineffective."""
ANSWERS = {
    "every_deal": ("yes|no", "`yes` or `no`"),
    "count": (r"\d{1,18}", "a number"),
    "value": (r"drawn|won by \d{1,3}|-?\d{1,9}", "`drawn`, `won by` a player, or a number"),
    "expected": (r"-?\d{1,18}(/[1-9]\d{0,17})?", "a number or a fraction"),
}
"""The form of the value under `is`, by the kind of claim."""


_Compared = Callable[[Node], tuple[Other, str]]


def claims(rules: Rules, document: Document, given: Settings, assemble: Assembler) -> dict[str, Claim]:
    """The claims of a ruleset by id; `given` are the settings it was loaded with, `assemble` makes
    compared games."""
    found: dict[str, Claim] = {}
    compared = partial(other, rules.world, document, given=given, assemble=assemble)
    for entry in document.section("claims"):
        name = id_of(entry)
        if name in found:
            rules.world.report.error(
                "name.twice", f"the claim `{name}` stands here twice", entry.entries["id"].span
            )
        try:
            with rules.world.meter.part(f"the claim `{name}`", entry.span):
                made = _claim_of_entry(rules, name, entry, found, compared)
                found[name] = replace(
                    made, lemma=_is_lemma(rules, entry), answer=_answer(rules, entry, made.kind)
                )
        except Faulty:
            continue
    _check_helpers(rules, document.section("claims"), found)
    return {**dict(_of_derived_state(rules)), **found}


def _of_derived_state(rules: Rules) -> Iterator[tuple[str, Claim]]:
    """The invariants that derived variables have their derived values; they help to prove other claims."""
    for name, declared in rules.world.declared.items():
        var = rules.world.state.get(name) if declared.kind == "state" else None
        if var is not None and var.always is not None:
            tree = cast(Syntax, declared.tree.children[4])
            kept, made = f"{name}-kept", n.Equal(BOOL, n.Get(var.type, var), var.always)
            text, prose = f"{name} = {one_line(tree)}", f"`{name}` is always kept up to date."
            span = declared.span(rules.world)
            rules.world.spans.note_span(made, span)
            yield kept, Claim(kept, prose, "invariant", made, text=text, span=span, lemma=True)


def _check_helpers(rules: Rules, entries: Iterable[Mapping], found: Given[str, Claim]) -> None:
    """Report helpers that are no claims, claims that rest on one another in a cycle, and long chains."""
    report = rules.world.report
    helpers: dict[str, list[Scalar]] = {}
    for entry in entries:
        named = words(entry.entries.get("helped-by"))
        for helper in (word for word in named if word.value not in found):
            message = f"there is no claim `{helper.value}`"
            report.error("name.claim", message, helper.span, help=report.nearest(helper.value, found))
        of_deals = [word for key in OF_DEALS for word in words(entry.entries.get(key))]
        helpers.setdefault(id_of(entry), [*named, *of_deals])
    while helpers:
        for _ in range(MOST_HELPERS):
            rules.world.meter.spend(sum(map(len, helpers.values())))
            settled = [name for name, them in helpers.items() if not any(h.value in helpers for h in them)]
            if not settled:
                break
            for name in settled:
                del helpers[name]
        if helpers and not _check_chain(report, helpers):
            return


def _check_chain(report: Report, helpers: dict[str, list[Scalar]]) -> bool:
    """Follow claims to those they rest on; report a cycle and remove it.

    Returns:
        False if there is no cycle but a chain that is too long, which is reported.
    """
    path: dict[str, Scalar] = {}
    name = start = next(iter(helpers))
    while name not in path:
        word = next((h for h in helpers[name] if h.value in helpers), None)
        if word is None:
            message = f"`{start}` rests on a chain of more than {MOST_HELPERS} claims"
            report.error("claim.helpers", message, helpers[start][0].span)
            return False
        path[name] = word
        name = word.value
    circle = [*path][[*path].index(name) :]
    links = ", which rests on ".join(f"`{path[one].value}`" for one in circle)
    message = f"claims rest on one another in a circle: `{name}` rests on {links}"
    report.error(
        "claim.circle",
        message,
        *(path[one].span for one in circle[:MOST_SHOWN]),
        help="leave out one of these: what rests on itself shows nothing",
    )
    for one in circle:
        del helpers[one]
    return True


def name_sides(game: Game) -> Game:
    """A game whose claims on the winner under best play name declared sides: `won by` any of the players."""
    if game.outcome.side is None:
        return game
    groups = sides(game)
    words = " against ".join(" and ".join(map(str, side)) for side in groups)
    numbered = [(player, number) for number, side in enumerate(groups, 1) for player in side]
    winner = {f"won by {player}": f"won by {number}" for player, number in numbered}

    def with_sides(claim: Claim) -> Claim:
        if claim.kind != "value" or claim.condition is not None:
            return claim
        options = {**claim.options, "sides": words}
        if "is" in options:
            options["is"] = winner.get(str(options["is"]), options["is"])
        return replace(claim, options=options)

    return replace(game, claims={name: with_sides(claim) for name, claim in game.claims.items()})


def check_best_play(game: Game, usual: Usual, report: Report) -> None:
    """Report claims about best play of players whose goals are not opposed, under the default settings.

    Under other settings, and if the text of `winners` is inconclusive, `prove` reports it.
    """
    parameters = all(parameter.value == parameter.default for parameter in game.parameters.values())
    readings = all(ruling.chosen == usual.readings[ruling.id] for ruling in game.rulings.values())
    if game.players != usual.players or not parameters or not readings:
        return
    why = no_contest(game) or ("" if is_opposed(game) else TOGETHER)
    for claim in game.claims.values() if why else ():
        best = claim.options.get("policy", "best") == "best" and "others" not in claim.options
        if claim.kind == "value" or (claim.kind == "expected" and best):
            message = f"`{claim.id}` is about best play: {why}"
            help = "ask `expected` what one side can make sure of (`who: 1`, `others: opposed`)"
            report.error("claim.opposed", message, claim.span, help=help)


def _is_lemma(rules: Rules, entry: Mapping) -> bool:
    """True if a claim says of itself that it only serves the proofs of others."""
    word = entry.entries.get("lemma")
    if isinstance(word, Scalar) and word.value not in ("yes", "no"):
        rules.world.report.error("claim.option", "`lemma` is `yes` or `no`", word.span)
    return isinstance(word, Scalar) and word.value == "yes"


def _answer(rules: Rules, entry: Mapping, kind: str) -> str:
    """The answer to a claim as its author words it; empty if it is not worded."""
    node = entry.entries.get("answer")
    text, hole = text_of(node), HOLES.get(kind)
    if node is None or (hole and text.count("{") == text.count("}") == text.count(f"{{{hole}}}") == 1):
        return text
    help = f"write `{{{hole}}}` once, where the number goes" if hole else "leave it out"
    message = "this answer has no place for the number" if hole else "a claim of this kind has no number"
    rules.world.report.error("claim.answer", message, node.span, help=help)
    return ""


def _claim_of_entry(
    rules: Rules,
    name: str,
    entry: Mapping,
    before: dict[str, Claim],
    compared: _Compared,
) -> Claim:
    """A claim from its entry, with the claims before it by id; `compared` gives the game that an entry names.

    Raises Faulty.
    """
    rules.world.meter.spend(ENTRY)
    if any(key in entry.entries for key in OF_DEALS):
        return _claim_about_deals(rules, name, entry, before)
    if "equivalent" in entry.entries:
        kind = _kind(rules, entry)
        game, text = compared(entry.entries[kind])
        options = {**_options(rules, name, kind, entry), "other": game}
        return Claim(name, text_of(entry.entries.get("prose")), kind, None, options, text, entry.span)
    return rules.world.piece(("claim", name), partial(_claim_of_game, rules, name, entry))


def _kind(rules: Rules, entry: Mapping) -> str:
    """The key of a claim's statement; raises Faulty unless there is exactly one."""
    keys = [k for k in (*KINDS_OF_CLAIM, "kind") if k in entry.entries]
    if len(keys) != 1:
        listed = ", ".join(f"`{k}`" for k in (*KINDS_OF_CLAIM, "kind"))
        rules.world.report.error("claim.kind", f"a claim says one thing, under one of {listed}", entry.span)
        raise Faulty
    return keys[0]


def _claim_about_deals(rules: Rules, name: str, entry: Mapping, before: dict[str, Claim]) -> Claim:
    """A claim that another one, which stands before it, holds in a share of the deals or in every one."""
    key = _kind(rules, entry)
    asked = entry.entries[key]
    assert isinstance(asked, Scalar)
    kind = key.replace("-", "_")
    claim = before.get(asked.value)
    if claim is None or claim.kind not in OF_A_DEAL:
        message = f"`{key}` names a claim before this one that can be asked of a deal, not `{asked.value}`"
        help = rules.world.report.nearest(asked.value, (c.id for c in before.values() if c.kind in OF_A_DEAL))
        rules.world.report.error("name.claim", message, asked.span, help=help)
        raise Faulty
    options = _options(rules, name, kind, entry)
    if kind == "share_of_deals" and "deals" not in options:
        rules.world.report.error("claim.option", "say of how many `deals` the share is taken", entry.span)
        raise Faulty
    for _ in nodes_with_definitions(claim.condition) if claim.condition is not None else ():
        rules.world.meter.spend(EXPRESSION)
    options |= {"asks": asked.value, "digest": of_claim(claim)}
    return Claim(name, text_of(entry.entries.get("prose")), kind, None, options, asked.value, entry.span)


def _claim_of_game(rules: Rules, name: str, entry: Mapping) -> Claim:
    world = rules.world
    key = _kind(rules, entry)
    text = entry.entries[key]
    assert isinstance(text, Scalar)
    prose = text_of(entry.entries.get("prose"))
    if key == "kind":
        if text.value not in BARE_CLAIMS:
            world.report.error(
                "claim.kind",
                f"there is no kind of claim `{text.value}`",
                text.span,
                help=rules.world.report.nearest(text.value, BARE_CLAIMS),
            )
            raise Faulty
        kind = text.value.replace("-", "_")
        payoff = next(rules.having("payoff"), None) if kind == "value" else None
        if payoff is not None:  # the result of best play is the payoff of the first side
            asked = whole_number(*generated_expression(world, "payoff(1)", text))
            return Claim(name, prose, kind, asked, _options(rules, name, kind, entry), "", entry.span)
        return Claim(name, prose, kind, None, _options(rules, name, kind, entry), "", entry.span)
    kind = _WORDS_OF.get(key, key).replace("-", "_")
    options = _options(rules, name, kind, entry)
    if kind == "best":
        options["sense"] = key
    if kind == "symmetry":
        options["images"] = stated_symmetries(rules, name, entry, text)
        written = print_text([(rules.tree(text, "images_text"), text.formal)])
        return Claim(name, prose, kind, None, options, written, entry.span)
    made = _formal_text(rules, key, text, name)
    if kind == "best" and "summed-over" in options and not _is_cost(key, made):
        message = "what is added up over plies is the `least` of a number that is never negative"
        world.report.error("claim.number", message, text.span)
        raise Faulty
    return Claim(name, prose, kind, made, options, one_line(rules.expression_tree(text)), entry.span)


def _is_cost(key: str, made: n.Expr) -> bool:
    return key == "least" and isinstance(made.type, Int) and made.type.lo >= 0


def _formal_text(rules: Rules, key: str, text: Scalar, name: str) -> n.Expr:
    if key in NUMBERS:
        return rules.number(text, name)
    if key == "estimate":
        made = rules.expression(text, name, {}, None)
        return rules.condition(text, name) if isinstance(made.type, Truth) else rules.number(text, name)
    if key == "never-falls":
        return _number_or_numbers(rules, text, name)
    return rules.condition(text, name)


def _number_or_numbers(rules: Rules, text: Scalar, name: str) -> n.Expr:
    """A number that is never none, or a list of such whose length does not depend on the state."""
    made = rules.expression(text, name, {}, None)
    if not isinstance(made.type, List):
        made = rules.number(text, name)
    one = made.type.of if isinstance(made.type, List) else made.type
    if not isinstance(one, Int) or not (isinstance(made.type, Int) or has_settled_length(made)):
        message = "what never falls is a number, or a list of numbers for values that are known beforehand"
        rules.world.report.error("claim.number", message, text.span)
        raise Faulty
    return made


def _options(rules: Rules, name: str, kind: str, entry: Mapping) -> dict[str, Any]:
    """The options of a claim: formal text, names, and words that say what exactly is asked."""
    world = rules.world
    options: dict[str, Any] = {}
    when = entry.entries.get("when")
    if isinstance(when, Scalar) and _belongs(rules, kind, entry, "when"):
        options["when"] = rules.condition(when, name)
    for key in ("for", "where"):
        if key in entry.entries and not PROPERTIES[kind].takes(key):
            message = f"`{key}` belongs to claims of the kind `symmetry`"
            world.report.error("claim.option", message, entry.keys[key].span)
    different = entry.entries.get("different")
    if isinstance(different, Scalar) and _belongs(rules, kind, entry, "different"):
        options["different"] = rules.number(different, name)
    start = entry.entries.get("from")
    if isinstance(start, Scalar) and _belongs(rules, kind, entry, "from"):
        if start.value not in ("start", "deal"):
            world.report.error("claim.from", "`from` is `start` or `deal`", start.span)
        options["from"] = start.value
    for key in ("across", "helped-by"):
        if key in entry.entries and (key == "across" or _belongs(rules, kind, entry, key)):
            listed = words(entry.entries[key])
            options[key] = tuple(w.value for w in listed)
            for word in listed if key == "across" else ():
                if word.value not in ("every-ruling", *world.rulings):
                    help = rules.world.report.nearest(word.value, world.rulings)
                    world.report.error(
                        "ruling.unknown", f"there is no ruling `{word.value}`", word.span, help=help
                    )
    for key, option in OPTIONS.items():
        _take_option(rules, kind, entry, key, option, options)
    form, told = ANSWERS.get(kind, ("", ""))
    _take_option(rules, kind, entry, "is", _Option(form, told), options)
    _check_side(rules, entry, options)
    for (of, key), (beside, chosen) in IDLE.items():
        if of == kind and key in entry.entries and beside in options and chosen in ("", options[beside]):
            shown = f"{beside}: {chosen}" if chosen else beside
            message = f"`{key}` has no effect beside `{shown}`"
            world.report.error("claim.option", message, entry.keys[key].span)
    return options


def _check_side(rules: Rules, entry: Mapping, options: dict[str, Any]) -> None:
    """Report a claim about one side that names no side, no player, or not what the others do."""
    report, who = rules.world.report, options.get("who")
    if ("who" in options) != ("others" in options):
        key = "who" if "who" in options else "others"
        message = (
            "a claim about one side says `who` it is, and whether the `others` are `opposed` or `random`"
        )
        report.error("claim.option", message, entry.keys[key].span)
    elif who is not None and who > rules.world.most_players:
        report.error("claim.option", f"there is no player {who}", entry.entries["who"].span)


def _take_option(
    rules: Rules, kind: str, entry: Mapping, key: str, option: _Option, options: dict[str, Any]
) -> None:
    """Take what stands under a key, if it stands there rightly."""
    held = entry.entries.get(key)
    if not isinstance(held, Scalar):
        return
    if not _belongs(rules, kind, entry, key):
        return
    if not re.fullmatch(option.form, held.value):
        rules.world.report.error("claim.option", f"`{key}` is {option.words}", held.span)
    else:
        options[key] = int(held.value) if held.value.isdecimal() and key != "is" else held.value


def _belongs(rules: Rules, kind: str, entry: Mapping, key: str) -> bool:
    """True if a claim of a kind takes a key; a fault otherwise, which names the kinds that do."""
    if PROPERTIES[kind].takes(key):
        return True
    best = ("least",) if key == "summed-over" else ("most", "least")
    kinds = [one for one, stated in PROPERTIES.items() if stated.takes(key)]
    words = (word for one in kinds for word in (best if one == "best" else (one.replace("_", "-"),)))
    message = f"`{key}` belongs to claims of the kinds {', '.join(f'`{word}`' for word in words)}"
    rules.world.report.error("claim.option", message, entry.keys[key].span)
    return False
