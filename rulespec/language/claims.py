"""The claims of a ruleset: the author's statements about the game, each under one key, with its options."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Given
from dataclasses import replace
from functools import partial
from typing import Any, assert_never, cast

from ..core import nodes as n
from ..core.diagnostics import Report
from ..core.digest import of_claim
from ..core.game import Claim, Game, Other
from ..core.settled_lists import has_settled_length
from ..core.sides import no_contest, sides
from ..core.traversal import nodes_with_definitions
from ..core.types import BOOL, Int, List, Truth
from ..core.verdicts.properties import (
    KIND_OF_KEY,
    KINDS_WITHOUT_TEXT,
    PROPERTIES,
    Text,
    ValueForm,
    words_of_kind,
)
from ..core.verdicts.wording import HOLES
from ..core.winners import TOGETHER, is_opposed
from .compared_games import Assembler, other
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

ABOUT_CLAIMS = [key for key, kind in KIND_OF_KEY.items() if PROPERTIES[kind].text is Text.CLAIM]
"""The keys that name another claim."""
MOST_HELPERS = 50
"""Maximum length of a chain of claims in which each rests on the next."""
MOST_SHOWN = 4
"""Maximum number of places in a fault about a cycle of claims."""

OPTIONS = {
    "at": ValueForm(r"\d{1,6}", "a number of plies"),
    "within": ValueForm(r"\d{1,6}", "a number of plies"),
    "of": ValueForm("positions|plays", "`positions` or `plays`"),
    "policy": ValueForm("best|random", "`best` or `random`"),
    "wants": ValueForm("most|least", "`most` or `least`"),
    "who": ValueForm(r"[1-9]\d?", "a player"),
    "others": ValueForm("opposed|random", "`opposed` or `random`"),
    "summed-over": ValueForm("plies", "`plies`"),
    "seeing": ValueForm("everything", "`everything`"),
    "games": ValueForm(r"[1-9]\d{0,8}", "a number of games"),
    "seed": ValueForm(r"\d{1,9}", "a number"),
    "deals": ValueForm(r"[1-9]\d{0,6}|all", "a number of deals, or `all`"),
}

_Compared = Callable[[Node], tuple[Other, str]]


def claims(rules: Rules, document: Document, given: Settings, assemble: Assembler) -> dict[str, Claim]:
    """The claims of a ruleset by id; `given` are its settings, `assemble` makes compared games."""
    found: dict[str, Claim] = {}
    compared = partial(other, rules.world, document, given=given, assemble=assemble)
    for entry in document.section("claims"):
        name = id_of(entry)
        if name in found:
            words = f"the claim `{name}` appears here twice"
            rules.world.report.error("name.twice", words, entry.entries["id"].span)
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
    """Invariants that derived variables have their derived values, which help to prove other claims."""
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
        of_deals = [word for key in ABOUT_CLAIMS for word in words(entry.entries.get(key))]
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
    """Follow claims to those on which they rest; report a cycle and remove it.

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
    help, more = "leave out one of these: what rests on itself shows nothing", circle[:MOST_SHOWN]
    report.error("claim.circle", message, *(path[one].span for one in more), help=help)
    for one in circle:
        del helpers[one]
    return True


def name_sides(game: Game) -> Game:
    """A game in which claims about the winner of best play name declared sides in place of players."""
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
    """Report claims about best play between players whose goals are not opposed, by default settings.

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
    """True if a claim is declared to serve only in proofs of others."""
    word = entry.entries.get("lemma")
    if isinstance(word, Scalar) and word.value not in ("yes", "no"):
        rules.world.report.error("claim.option", "`lemma` is `yes` or `no`", word.span)
    return isinstance(word, Scalar) and word.value == "yes"


def _answer(rules: Rules, entry: Mapping, kind: str) -> str:
    """The author's wording of the answer to a claim; empty if there is none."""
    node = entry.entries.get("answer")
    text, hole = text_of(node), HOLES.get(kind)
    if node is None or (hole and text.count("{") == text.count("}") == text.count(f"{{{hole}}}") == 1):
        return text
    help = f"write `{{{hole}}}` once, where the number goes" if hole else "leave it out"
    message = "this answer has no place for the number" if hole else "a claim of this kind has no number"
    rules.world.report.error("claim.answer", message, node.span, help=help)
    return ""


def _claim_of_entry(
    rules: Rules, name: str, entry: Mapping, before: dict[str, Claim], compared: _Compared
) -> Claim:
    """A claim from its entry; `before` are earlier claims by id, `compared` gives the game that it names.

    Raises Faulty.
    """
    rules.world.meter.spend(ENTRY)
    key, kind = _kind(rules, entry)
    match PROPERTIES[kind].text if key != "kind" else None:
        case Text.CLAIM:
            return _claim_about_deals(rules, name, entry, before)
        case Text.GAME:
            game, text = compared(entry.entries[key])
            options = {**_options(rules, name, kind, entry), "other": game}
            return Claim(name, text_of(entry.entries.get("prose")), kind, None, options, text, entry.span)
        case _:
            return rules.world.piece(("claim", name), partial(_claim_of_game, rules, name, entry))


def _kind(rules: Rules, entry: Mapping) -> tuple[str, str]:
    """The key that holds a claim's text, or `kind`, and the kind of the claim; raises Faulty without one."""
    keys = [k for k in (*KIND_OF_KEY, "kind") if k in entry.entries]
    if len(keys) != 1:
        listed = ", ".join(f"`{k}`" for k in (*KIND_OF_KEY, "kind"))
        rules.world.report.error("claim.kind", f"a claim says one thing, under one of {listed}", entry.span)
        raise Faulty
    if keys[0] != "kind":
        return keys[0], KIND_OF_KEY[keys[0]]
    word = entry.entries["kind"]
    assert isinstance(word, Scalar)
    if word.value not in KINDS_WITHOUT_TEXT:
        help = rules.world.report.nearest(word.value, KINDS_WITHOUT_TEXT)
        message = f"there is no kind of claim `{word.value}`"
        rules.world.report.error("claim.kind", message, word.span, help=help)
        raise Faulty
    return "kind", KINDS_WITHOUT_TEXT[word.value]


def _claim_about_deals(rules: Rules, name: str, entry: Mapping, before: dict[str, Claim]) -> Claim:
    """A claim that an earlier one holds in a share of the deals, or in every one. Raises Faulty."""
    key, kind = _kind(rules, entry)
    asked = entry.entries[key]
    assert isinstance(asked, Scalar)
    of_deals = {one.id: one for one in before.values() if PROPERTIES[one.kind].is_asked_of_deals}
    claim = of_deals.get(asked.value)
    if claim is None:
        message = f"`{key}` names a claim before this one that can be asked of a deal, not `{asked.value}`"
        help = rules.world.report.nearest(asked.value, of_deals)
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
    """A claim about a game, by its kind. Raises Faulty."""
    world = rules.world
    key, kind = _kind(rules, entry)
    prose = text_of(entry.entries.get("prose"))
    options = _options(rules, name, kind, entry)
    text = entry.entries[key]
    assert isinstance(text, Scalar)
    if key == "kind":
        payoff = next(rules.having("payoff"), None) if kind == "value" else None
        if payoff is not None:  # the result of best play is the payoff of the first side
            asked = whole_number(*generated_expression(world, "payoff(1)", text))
            return Claim(name, prose, kind, asked, options, "", entry.span)
        return Claim(name, prose, kind, None, options, "", entry.span)
    if key in PROPERTIES[kind].keys:
        options["sense"] = key
    if PROPERTIES[kind].text is Text.IMAGES:
        options["images"] = stated_symmetries(rules, name, entry, text)
        written = print_text([(rules.tree(text, "images_text"), text.formal)])
        return Claim(name, prose, kind, None, options, written, entry.span)
    made = _formal_text(rules, PROPERTIES[kind].text, text, name)
    if kind == "best" and "summed-over" in options and not _is_cost(key, made):
        message = "what is added up over plies is the `least` of a number that is never negative"
        world.report.error("claim.number", message, text.span)
        raise Faulty
    return Claim(name, prose, kind, made, options, one_line(rules.expression_tree(text)), entry.span)


def _is_cost(key: str, made: n.Expr) -> bool:
    return key == "least" and isinstance(made.type, Int) and made.type.lo >= 0


def _formal_text(rules: Rules, meaning: Text | None, text: Scalar, name: str) -> n.Expr:
    """The expression that a claim's text denotes."""
    match meaning:
        case Text.CONDITION:
            return rules.condition(text, name)
        case Text.NUMBER:
            return rules.number(text, name)
        case Text.CONDITION_OR_NUMBER:
            made = rules.expression(text, name, {}, None)
            return rules.condition(text, name) if isinstance(made.type, Truth) else rules.number(text, name)
        case Text.NUMBERS:
            return _number_or_numbers(rules, text, name)
        case Text.IMAGES | Text.GAME | Text.CLAIM | None:
            raise AssertionError(f"{meaning} is no expression")
        case _:
            assert_never(meaning)


def _number_or_numbers(rules: Rules, text: Scalar, name: str) -> n.Expr:
    """A number that is never none, or a list of such whose length does not depend on the state.

    Raises Faulty.
    """
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
    """The options of a claim: formal text, names and words that make the question precise."""
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
    for key, form in {**OPTIONS, "is": PROPERTIES[kind].result}.items():
        _take_option(rules, kind, entry, key, form, options)
    _check_side(rules, entry, options)
    _check_result(rules, kind, entry, options)
    for key, (beside, chosen) in PROPERTIES[kind].idle.items():
        if key in entry.entries and beside in options and chosen in ("", options[beside]):
            shown = f"{beside}: {chosen}" if chosen else beside
            message = f"`{key}` has no effect beside `{shown}`"
            world.report.error("claim.option", message, entry.keys[key].span)
    return options


def _check_side(rules: Rules, entry: Mapping, options: dict[str, Any]) -> None:
    """Report a claim about one side that names no side or player, or does not say how the others play."""
    report, who = rules.world.report, options.get("who")
    if ("who" in options) != ("others" in options):
        key = "who" if "who" in options else "others"
        message = (
            "a claim about one side says `who` it is, and whether the `others` are `opposed` or `random`"
        )
        report.error("claim.option", message, entry.keys[key].span)
    elif who is not None and who > rules.world.most_players:
        report.error("claim.option", f"there is no player {who}", entry.entries["who"].span)


def _check_result(rules: Rules, kind: str, entry: Mapping, options: dict[str, Any]) -> None:
    """Report a result of best play that is a number where a winner is asked for, or the other way round."""
    if kind != "value" or "is" not in options:
        return
    of_number = "value" in entry.entries
    if str(options["is"]).lstrip("-").isdecimal() != of_number:
        words = "a number here" if of_number else "`drawn` or `won by` a player here, for winners decide"
        rules.world.report.error("claim.option", f"`is` is {words}", entry.entries["is"].span)


def _take_option(
    rules: Rules, kind: str, entry: Mapping, key: str, form: ValueForm, options: dict[str, Any]
) -> None:
    """Store the value of a key among the options, or report it if it is wrong."""
    held = entry.entries.get(key)
    if not isinstance(held, Scalar):
        return
    if not _belongs(rules, kind, entry, key):
        return
    if not re.fullmatch(form.pattern, held.value, re.ASCII):
        rules.world.report.error("claim.option", f"`{key}` is {form.words}", held.span)
    else:
        options[key] = int(held.value) if held.value.isdecimal() and key != "is" else held.value


def _belongs(rules: Rules, kind: str, entry: Mapping, key: str) -> bool:
    """True if a claim of this kind may have a key; otherwise a fault that names the kinds that may."""
    if PROPERTIES[kind].takes(key):
        return True
    listed = [word for one, stated in PROPERTIES.items() if stated.takes(key) for word in words_of_kind(one)]
    if key == "summed-over":
        listed.remove("most")
    message = f"`{key}` belongs to claims of the kinds {', '.join(f'`{word}`' for word in listed)}"
    rules.world.report.error("claim.option", message, entry.keys[key].span)
    return False
