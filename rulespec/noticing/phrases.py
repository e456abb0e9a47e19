"""Turns of phrase in prose, such as `another`, `between two` or `cannot`, that the formal text leaves out."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..core import nodes as n
from ..core.game import Game, Rule
from ..core.traversal import (
    FreeVariables,
    Node,
    assignments,
    nodes_with_definitions,
    nodes_within,
    variables_read,
)
from ..core.types import Enum, Int, List, Map, Record, Scalar, Set, scalar_of
from .english import WHICH, prose_of, stem, words_of
from .parts import DEFINITION, EFFECT, END, REQUIREMENT, Found, Passage, nodes_by_rule, passages, places_of
from .slips import effects_in_play, place

_ANOTHER = re.compile(r"\banother (?!player|one\b|person|seat|side|team)[\w-]+(?: \w+)?")
_BOTH_SIDES = re.compile(
    r"\b(?:between two|on (?:each|either|both) (?:of \w+ )?sides?|at (?:each|either|both) ends?)\b",
    re.IGNORECASE,
)
_NO_DIAGONALS = re.compile(
    r"\b(?:no|not|never|without|but)\b[^.,;:]*\bdiagonal\w*"
    r"|\bdiagonal\w* (?:\w+ )?(?:not|never|nothing)\b",
    re.IGNORECASE,
)
_STRAIGHT = re.compile(
    r"\b(?:neighbou?r\w*|adjacent|orthogonal\w*|beside|next to|side by side"
    r"|(?:rank|row)s? (?:or|and) (?:an? |the )?(?:file|column)s?"
    r"|(?:file|column)s? (?:or|and) (?:an? |the )?(?:rank|row)s?)\b",
    re.IGNORECASE,
)
_DIAGONAL = re.compile(
    r"\b(?:diagonal\w*|corners?|slant\w*|around|surround\w*|touch\w*|eight|(?:any|every|all) directions?)\b",
    re.IGNORECASE,
)
_CANNOT = re.compile(
    r"\b(?:cannot|can't|can not|unable|can (?:[\w-]+ ){0,3}(?:no|none|nothing)|can neither"
    r"|(?:no|none|nothing|nobody|neither)\b[^.;]*\bcan)\b",
    re.IGNORECASE,
)
_NEGATIVE = re.compile(
    r"\b(?:not?|none|nothing|nobody|never|neither|nor|cannot|can't|un\w+|without)\b", re.IGNORECASE
)
_TO_ITS_END = re.compile(
    r"\b(?:(?:the|that|this) round is (?:played|finished|completed)"
    r"|(?:finish|complete|play out)(?:e?s)? the round"
    r"|(?:the )?(?:same|equal) number of turns|as many turns)\b",
    re.IGNORECASE,
)
_CASE = r"(?:when|if|as soon as|once) [^.,;:]+"
_CASES = re.compile(rf"\b{_CASE}(?:, (?:or )?{_CASE})*,? or {_CASE}", re.IGNORECASE)
_HIGHER = re.compile(
    r"\b(?:(?:high|low|great|larg|small|strong|weak|long|short)er|beats?|exceeds?)\b", re.IGNORECASE
)
_AS_HIGH = re.compile(
    r"\b(?:at (?:least|most)|equal\w*|same as"
    r"|as (?:high|low|great|large|small|strong|weak|long|short|good) as"
    r"|(?:no|not|nor|or) (?:\w+ )?\w+er|tie\w*)\b",
    re.IGNORECASE,
)


def unborne_phrases(game: Game) -> Found:
    """Doubts about phrases in the prose that the formal text beside them does not bear out."""
    for passage in passages(game) if not game.rulings else ():
        for find in (_others, _both_sides, _cannot, _stricter, _members):
            yield from find(game, passage)
        if passage.kind == END:
            yield from _rounds_end(game, passage)
            yield from _cases(game, passage)
    for rule in (rule for rule in game.rules if rule.ruling is None):
        for look in (_directions, _round_limit):
            yield from look(game, rule)
    for find_in in (_short_ranges, _fields, _dropped):
        yield from find_in(game)


def _others(game: Game, passage: Passage) -> Found:
    """Doubts about another thing of a kind that may be the chosen thing itself."""
    said = _ANOTHER.search(passage.prose) if passage.kind == REQUIREMENT else None
    action, inside = passage.action, [*nodes_within(passage.formal)]
    if said is None or action is None or len(action.choices) < 2:
        return
    chosen = [choice.var for choice in action.choices]
    for node in inside:
        bound = node.var if isinstance(node, n.Any | n.Select | n.Sum) else None
        alike = [var for var in chosen if bound is not None and var.type == bound.type]
        if bound is not None and len(alike) > 1:
            apart = (e for e in inside if isinstance(e, n.Equal | n.Less | n.Difference))
            if not any(
                bound in names and not {*chosen}.isdisjoint(names) for names in map(FreeVariables(), apart)
            ):
                message = f"the prose says `{said[0]}`, but this may be one that was chosen"
                help = f"perhaps `{bound.name} != {alike[0].name}` is meant"
                yield "prose", place(game, node), message, help


def _both_sides(game: Game, passage: Passage) -> Found:
    """Doubts about conditions on two sides of which one is enough."""
    said = _BOTH_SIDES.search(passage.prose) if passage.kind not in (EFFECT, DEFINITION) else None
    for node in nodes_within(passage.formal) if said is not None else ():
        if isinstance(node, n.Or) and len(node.items) == 2 and said is not None:
            first, second = node.items
            read = [{*variables_read(item)} for item in node.items]
            if type(first) is type(second) and read[0] and read[0] == read[1]:
                message = f"the prose says `{said[0]}`, but here one of them is enough"
                yield "prose", place(game, node), message, "perhaps `and` is meant"


def _cannot(game: Game, passage: Passage) -> Found:
    """Doubts about `can` where prose says that it cannot be, and the other way round."""
    if passage.kind == EFFECT or not passage.prose:
        return
    nodes = [*nodes_within(passage.formal)]
    apart = {e for node in nodes if isinstance(node, n.Not) for e in nodes_within(node)}
    asked = [node for node in nodes if isinstance(node, n.Can)]
    said = _CANNOT.search(passage.prose)
    if len(asked) == 1 and said is not None and asked[0] not in apart:
        message = f"the prose says `{said[0]}`, but here it must be possible"
        yield (
            "prose",
            place(game, asked[0]) or place(game, passage.formal),
            message,
            "perhaps `not can …` is meant",
        )
    elif len(asked) == 1 and asked[0] in apart and not _NEGATIVE.search(passage.prose):
        message = "here it must be impossible, but the prose does not say so"
        yield "prose", place(game, passage.formal), message, "perhaps `can …` without `not` is meant"


def _stricter(game: Game, passage: Passage) -> Found:
    """Doubts about two values of one definition or map that may be equal where prose says `higher`."""
    said = _HIGHER.search(passage.prose) if passage.kind == REQUIREMENT else None
    if said is None or _AS_HIGH.search(passage.prose):
        return
    for node in nodes_within(passage.formal):
        if isinstance(node, n.AtMost) and type(node.a) is type(node.b) and node in game.texts:
            heads = [e.function if isinstance(e, n.Call) else None for e in (node.a, node.b)]
            fields = [e.position if isinstance(e, n.Field) else None for e in (node.a, node.b)]
            if heads[0] is heads[1] and fields[0] == fields[1] and (heads[0] or fields[0]):
                message = f"the prose says `{said[0]}`, but `{game.texts[node]}` also holds for as much"
                yield "prose", place(game, node), message, WHICH


def _members(game: Game, passage: Passage) -> Found:
    """Doubts about a member of an enumeration in place of the one that the prose of a requirement names."""
    words = words_of(passage.prose) if passage.kind == REQUIREMENT else ()
    named = [e for e in nodes_within(passage.formal) if isinstance(e, n.Const) and isinstance(e.type, Enum)]
    for of in dict.fromkeys(e.type for e in named if isinstance(e.type, Enum)) if words else ():
        # A type that was narrowed has some of its members.
        pairs = [(e.type.members, e.value) for e in named if isinstance(e.type, Enum)]
        alike = [(members, value) for members, value in pairs if not {*members}.isdisjoint(of.members)]
        here = {members[value] for members, value in alike if isinstance(value, int)}
        said = [name for name in of.members if stem(name) in words]
        if len(said) == len(here) == 1 and said[0] not in here:
            message = f"the prose names `{said[0]}`, but this asks for `{here.pop()}`"
            yield "prose", place(game, passage.formal), message, WHICH


def _fields(game: Game) -> Found:
    """Doubts about fields of records that no formal text reads although the prose speaks of them."""
    nodes = {node for root in game.roots for node in nodes_with_definitions(root)}
    read = {(e.item.type, e.position) for e in nodes if isinstance(e, n.Field)}
    for name, of in game.types.items():
        used = {at for kind, at in read if scalar_of(kind) == of} if isinstance(of, Record) else set()
        for at, (field, _) in enumerate(of.fields if isinstance(of, Record) and used else ()):
            for rule in (rule for rule in game.rules if at not in used and rule.ruling is None):
                says = re.search(
                    rf"\b(?:one|same|equal|different|its|their|of each) {re.escape(field)}s?\b", rule.prose
                )
                own = any(re.search(rf"\btype {re.escape(name)}\b", text) for _, text in rule.formal)
                if says is not None and not own and any(kind != "written" for kind, _ in rule.formal):
                    message = (
                        f"the prose says `{says[0]}`, but no formal text reads the `{field}` of a `{name}`"
                    )
                    yield "prose", rule.span, message, "is a condition left out?"
                    break


def _dropped(game: Game) -> Found:
    """Doubts about sets and lists that are emptied without what happens to their elements elsewhere."""
    moved, lost = dict[n.StateVar, n.StateVar](), list[n.Assign]()
    for effect in effects_in_play(game):
        for block in (node for node in nodes_within(effect) if isinstance(node, n.Block)):
            kept = dict[n.StateVar, n.StateVar]()
            for item in block.items:
                if isinstance(item, n.ForEach) and isinstance(item.source, n.Get):
                    for a in assignments(item.body):
                        if isinstance(a.value, n.Union | n.Concat):
                            kept[item.source.var] = a.target
                elif isinstance(item, n.Assign) and not item.path and item.target in kept:
                    moved[item.target] = kept[item.target]
                elif isinstance(item, n.Assign) and not item.path and isinstance(item.value, n.Const):
                    lost += (
                        [item] if isinstance(item.target.type, List | Set) and not item.value.value else []
                    )
    for assign in lost:
        if assign.target in moved:
            name, to = assign.target.name, moved[assign.target].name
            message = f"elsewhere what is in `{name}` is added to `{to}` first, but here it is lost"
            yield "store", place(game, assign), message, f"perhaps `for x in {name}: add x to {to}`"


def _rounds_end(game: Game, passage: Passage) -> Found:
    """Doubts about ends that come at once although the prose plays the round out."""
    said = _TO_ITS_END.search(passage.prose) if game.players > 1 else None
    names = {var.name for node in nodes_with_definitions(passage.formal) for var in variables_read(node)}
    rounds = any(kind.startswith(("rounds", "phases")) for rule in game.rules for kind, _ in rule.formal)
    if (
        said is not None
        and not rounds
        and not any(re.search("mover|turn|round|player|start|plies", x) for x in names)
    ):
        message = f"the prose says `{said[0]}`, but this does not ask whose turn it is"
        yield "end", place(game, passage.formal), message, "perhaps `mover = players and …` is meant"


def _directions(game: Game, rule: Rule) -> Found:
    """Doubts about neighbours in eight directions where prose means four."""
    library = game.functions.get("around")
    if library is None or not library.clause.startswith("library-") or rule.id == library.clause:
        return
    prose, negated = _NO_DIAGONALS.sub("", prose_of(rule)), _NO_DIAGONALS.search(prose_of(rule))
    said = negated or _STRAIGHT.search(prose)
    places = [span for span, _ in places_of(rule, r"\b(around)\(")]
    elsewhere = any(
        "neighbours(" in text for other in game.rules for _, text in other.formal if other is not rule
    )
    if places and said is not None and _DIAGONAL.search(prose) is None and (elsewhere or negated):
        message = f"the prose says `{said[0]}`, but `around` has the squares at the corners, too"
        yield "prose", places[0], message, "perhaps `neighbours` is meant"


def _round_limit(game: Game, rule: Rule) -> Found:
    """Doubts about a limit of actions that is called a number of rounds."""
    for kind, text in rule.formal:
        parameter = game.parameters.get(text.strip()) if kind == "turn limit" else None
        if parameter is not None and game.players > 1:
            said = re.search(r"\brounds?\b", f"{parameter.id} {parameter.prose}".replace("-", " "))
            if said is not None:
                span = next((span for span, _ in places_of(rule, r"\blimit: ([\w-]+)")), rule.span)
                message = f"`{parameter.id}` is a number of rounds, but a limit counts actions"
                yield "end", span, message, f"perhaps `{parameter.id} * players` is meant"


def _cases(game: Game, passage: Passage) -> Found:
    """Doubts about ends of which the prose lists more than the condition has."""
    found, items = _CASES.search(passage.prose), [*_alternatives(passage.formal)]
    listed = re.findall(rf"\b{_CASE}", found[0], re.IGNORECASE) if found is not None else []
    if len(listed) > 2 and 1 < len(items) < len(listed):
        message = f"the prose lists {len(listed)} cases, but this has {len(items)}"
        yield "end", place(game, passage.formal), message, "is one left out?"


def _alternatives(e: Node) -> Iterator[Node]:
    """The alternatives of a condition."""
    if isinstance(e, n.Or):
        for item in e.items:
            yield from _alternatives(item)
    else:
        yield e


def _short_ranges(game: Game) -> Found:
    """Doubts about loops over `1..3` that store at keys of a type which has one number more."""
    prose = {rule.id: rule.prose for rule in game.rules}
    for rule, nodes in nodes_by_rule(game).items():
        for node in (node for node in nodes if isinstance(node, n.ForEach)):
            source = node.source
            of = source.of if isinstance(source, n.Domain) else None
            text, kinds = game.texts.get(source, ""), {scalar_of(key) for key in _keys_at(node)}
            kind = kinds.pop() if len(kinds) == 1 else None
            if not isinstance(of, Int) or not isinstance(kind, Int) or not re.fullmatch(r"\d+\.\.\d+", text):
                continue
            one_less = kind.name and (of.lo, of.hi) == (kind.lo, kind.hi - 1)
            if one_less and not re.search(rf"\b(?:{of.hi}|but|except|last)\b", prose[rule]):
                message = f"`{text}` leaves out {kind.hi} of `{kind.name}`"
                yield "settled", place(game, source), message, f"perhaps `{kind.name}` is meant"


def _keys_at(node: n.ForEach) -> Iterator[Scalar]:
    """The types of the keys of maps for which the variable of a loop stands."""
    var = node.var
    for inner in nodes_within(node):
        match inner:
            case n.Read(map=n.Expression(type=Map(keys=keys)), key=n.Local(var=own)) if own is var:
                yield keys
            case n.Assign(target=n.StateVar(type=Map(keys=keys)), path=(n.Local(var=own), *_)) if own is var:
                yield keys
