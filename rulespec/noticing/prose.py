"""Prose and formal text that say different things: quantities, turns, names, ties or signs."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import pairwise

from ..core import nodes as n
from ..core.diagnostics import Span
from ..core.game import Game, Rule
from ..core.notation import write
from ..core.traversal import Node, assignments, nodes_with_definitions, nodes_within, variables_read
from ..core.types import Enum, Int, List, Set, scalar_of
from .amounts import amounts, names_in
from .bounds import bounds
from .english import WHICH, prose_of, quantities, stem, words_of
from .parts import (
    DEFINITION,
    EFFECT,
    REQUIREMENT,
    Found,
    Nodes,
    clause_at,
    declarations,
    nodes_by_rule,
    occasions,
    passages,
    places_of,
)
from .slips import effects_in_play, is_about, last_place, never_goes_back, only_grows, place, whole

_VALUE = re.compile(r"(?<![\w-])(?:[a-z]+\d+|\d+[a-z]+)(?![\w-])")
_LEAST = r"(?<!at )\b(?:least|(?:few|low|small|short|near|weak)est|minimum)\b"
_MOST = r"(?<!at )\b(?:most|(?:high|larg|great|bigg|long|strong|rich)est|maximum)\b"
_CHANGES = r"(?:(?:goes|go|is|are) (?:up|down)|rises?|falls?|grows?|sinks?|(?:in|de)creases?)\b"
_ALL = re.compile(r"\b(?:all|every|each|both)\b", re.IGNORECASE)
_NOBODY = re.compile(r"\b(?:nobody|none|neither|no (?:one|player|other)|not)\b", re.IGNORECASE)
_NEGATED = re.compile(r"\b(?:no|not|never|nobody|none|nothing|without)\b[^.]*\b(?:and|or)\b", re.IGNORECASE)
_SOME = re.compile(r"\b(?:an?|one|any|some|somebody|anybody|who|whoever|first)\b", re.IGNORECASE)
_WHO = re.compile(r"\b(?:who|whoever|somebody|someone|anybody|anyone|(?:a|any) player)\b", re.IGNORECASE)
_OF_A_TURN = re.compile(r"(?<!\bin )\b(?:turn|round)\b|\bin a row\b", re.IGNORECASE)
_IN_A_ROW = re.compile(
    r"\bin (?:turn|a row)\b|\bone after (?:the )?(?:an)?other|\b(?:successi|consecuti|running)\w*"
)
_TURN_BEFORE = re.compile(r"\b(?:turn|round|move) before\b|\b(?:last|previous) (?:turn|round|move)\b")
_AGAIN = re.compile(
    r"\b(?:(?:your|his|her|their) turn again|still (?:your|his|her|their) turn|(?:another|extra) turn"
    r"|(?:moves?|plays?|acts?|goes?|shoots?|throws?|rolls?|sows?) (?:again|once more)"
    r"|leads? (?:to )?(?:the )?next|the next lead|begins (?:the )?next)\b",
    re.IGNORECASE,
)
"""Words of prose about a turn that does not go to the next player."""
_FEW = re.compile(
    r"\b(?:least|few\w*|less|low\w*|small\w*|short\w*|light\w*|weak\w*|young\w*|near\w*|minimum|earli\w+|first)\b",
    re.IGNORECASE,
)
_MANY = re.compile(
    r"\b(?:most|more|high\w*|larg\w*|great\w*|bigg\w*|long\w*|heav\w*|strong\w*|old\w*|far\w*|best|lat\w*|last)\b",
    re.IGNORECASE,
)
_NO_AMOUNT = re.compile(
    r"\b(?:first|last|earli\w+|lat\w*|best|(?:no|any|once) (?:more|longer)|as long|at (?:least|most))\b",
    re.IGNORECASE,
)
"""Words of these that need not be about amounts."""
_LISTED = re.compile(r"\b[\w-]+(?:, [\w-]+)*,? or [\w-]+\b")
_FEWEST = re.compile(
    r"[^.;:]*\b(?:fewest|least|lowest|smallest|shortest)\b[^.;:,]*\bwins?\b[^.;:]*", re.IGNORECASE
)
"""A part of a sentence which says that little wins."""
_TAKEN = re.compile(
    r"\b(?:minus|subtract\w*|deduct\w*|penalt\w+|tak\w+ (?:away|off)|costs (?:one|two|\d))\b", re.IGNORECASE
)
"""Words of prose which say for certain that points are taken away."""
_LOSS = re.compile(
    r"\b(?:minus|less|los\w+|subtract\w*|penalt\w+|cost\w*|pay\w*|paid|off|few\w*|negative|against|without"
    r"|differ\w+|than|deduct\w*|away|remain\w*|left|least|low\w*|beyond|over|under|behind|short|ahead"
    r"|lead\w*|mistake\w*|other|apart)\b",
    re.IGNORECASE,
)
"""Words of prose about points that are taken away."""


def contradictions(game: Game) -> Found:
    """Doubts about prose that the formal text contradicts."""
    yield from amounts(game)
    yield from bounds(game)
    for find in (_turns, _names, _connectives, _quantifiers, _counts, _outcome, _changes):
        yield from find(game)
    written = nodes_by_rule(game)
    yield from _values(game, written)
    yield from _passages(game, written)
    yield from _parameters(game, written)
    yield from _ranges(game, written)


def _turns(game: Game) -> Found:
    """Doubts about turns and sides that only the prose mentions."""
    stored = {assign.target.name for effect in effects_in_play(game) for assign in assignments(effect)}
    order = (game.turn.begin, game.turn.over, game.turn.next)
    own = any(node in game.spans for root in order for node in nodes_within(root)) or game.extends
    for node in nodes_within(game.turn.over):
        if isinstance(node, n.Get) and never_goes_back(game, node.var):
            message = f"nothing sets `{node.var.name}` back, so it is the same in all later turns"
            yield "store", place(game, game.turn.over), message, "perhaps `begin` under `turn` does"
    for rule in game.rules:
        said = _AGAIN.search(rule.prose)
        if said is not None and game.players > 1 and not own and "turn-to" not in stored:
            message = f"the prose says `{said[0]}`, but no formal text changes whose turn it is"
            yield "prose", place_in(rule, said[0]), message, "`give the turn to p` in an effect"
        together = re.search(r"\b(?:together|partner\w*|team\w*)\b", rule.prose)
        if together is not None and any(kind == "sides" and text == "alone" for kind, text in rule.formal):
            message = f"the prose says `{together[0]}`, but here every player is a side"
            yield "prose", place_in(rule, "sides:"), message, "perhaps `sides: together`"


def _connectives(game: Game) -> Found:
    """Doubts about conditions that need both parts where prose says `or`, or the other way round."""
    defined = Counter(function.clause for function in game.functions.values())
    for passage in passages(game) if not game.rulings else ():
        node, prose = passage.formal, passage.prose
        if passage.kind == DEFINITION and defined[passage.rule] > 1 and not _is_named(node, prose):
            continue  # the prose is that of several definitions
        inside = [*nodes_within(node)]
        if not isinstance(node, n.And | n.Or) or len(node.items) != 2:
            continue
        if isinstance(node, n.Or) and passage.kind != REQUIREMENT:
            continue  # "The wolves win when …, and the village when …"
        said, other = ("or", n.Or) if isinstance(node, n.And) else ("and", n.And)
        if _NEGATED.search(prose) and all(isinstance(item, n.Not) for item in node.items):
            continue  # "No stone lies there or beside it"
        there = {*re.findall(r"\b(?:and|or|nor|but|unless|if|when)\b", prose.partition(" ")[2].lower())}
        if said in there and there <= {said, "when"} and not any(isinstance(one, other) for one in inside):
            how = "both are needed" if said == "or" else "one of them is enough"
            yield "prose", place(game, node), f"the prose says `{said}`, but here {how}", WHICH


def _is_named(node: n.Expr | n.Effect, prose: str) -> bool:
    """True if a condition joins definitions that prose names, as `has-row` in "a row or a column"."""
    items = node.items if isinstance(node, n.And | n.Or) else ()
    names = [item.function.name for item in items if isinstance(item, n.Call)]
    words = words_of(prose)
    return len(names) == len(items) > 0 and all({*map(stem, name.split("-"))} & words for name in names)


def place_in(rule: Rule, text: str) -> Span | None:
    """The first place of a text in a rule; that of the rule if there is none."""
    return next((place for place, _ in places_of(rule, f"({re.escape(text)})")), rule.span)


def _values(game: Game, written: Nodes) -> Found:
    """Doubts about a value such as `a1` where the prose of the rule has another one."""
    places = defaultdict[str, dict[str, Span]](dict)
    constants = [(node, game.spans[node], rule) for rule, nodes in written.items() for node in nodes]
    firsts = [(game.state[name].initial, at) for name, at in declarations(game).items() if name in game.state]
    constants += [(first, at, clause_at(game, at)) for first, at in firsts]
    for node, span, rule in constants:
        if isinstance(node, n.Const):
            inner = node.type.of if isinstance(node.type, Set | List) else node.type
            of = scalar_of(inner or node.type)
            values = node.value if inner is not node.type else (node.value,)
            texts = [write(of, value) for value in values if value is not None] if of is not None else []
            places[rule] |= {text: span for text in texts if _VALUE.fullmatch(text)}
    for rule, words in ((rule.id, prose_of(rule)) for rule in game.rules):
        said, there = {*_VALUE.findall(words)}, places[rule]
        if len(said - there.keys()) == len(there.keys() - said) == 1:
            [other], [text] = said - there.keys(), there.keys() - said
            yield "prose", there[text], f"the prose says `{other}`, but this is `{text}`", WHICH


def _parameters(game: Game, written: Nodes) -> Found:
    """Doubts about parameters that the prose of a rule which uses them has otherwise."""
    for rule in (rule for rule in game.rules if rule.ruling is None):
        formal = {*re.findall(r"\d+", " ".join(text for _, text in rule.formal))}
        said = [one for one in quantities(prose_of(rule)) if one.value > 1 and not one.is_ordinal]
        used = {node.name: node for node in written[rule.id] if isinstance(node, n.Const)}
        for one in (one for one in game.parameters.values() if one.id in used and one.value == one.default):
            about = [number for number in said if stem(one.id) in number.words]
            same = any(number.value == one.value or str(number.value) in formal for number in said)
            if len(about) == 1 and not same:
                message = f"the prose says `{about[0].text}`, but the parameter `{one.id}` is {one.value}"
                yield "prose", game.spans.get(used[one.id]), message, WHICH


def _ranges(game: Game, written: Nodes) -> Found:
    """Doubts about the only range of a rule that ends one off the numbers that its prose lists."""
    for rule in (rule for rule in game.rules if rule.ruling is None):
        nodes = {game.texts.get(node, ""): node for node in written[rule.id] if isinstance(node, n.Domain)}
        ranges = [(text, node) for text, node in nodes.items() if re.fullmatch(r"\d+\.\.\d+", text)]
        lists = [(text, quantities(text)) for text in _LISTED.findall(prose_of(rule))]
        lists = [(text, numbers) for text, numbers in lists if len(numbers) > 1]
        if len(lists) == len(ranges) == 1:
            [(said, numbers)], [(text, node)] = lists, ranges
            first, last = map(int, text.split(".."))
            if [one.value for one in numbers] in ([*range(first, last)], [*range(first, last + 2)]):
                yield "prose", game.spans.get(node), f"the prose says `{said}`, but this is `{text}`", WHICH


def _passages(game: Game, written: Nodes) -> Found:
    """Doubts about expressions that the prose beside them, or a definition's name, contradicts."""
    texts = [(prose_of(rule), written[rule.id]) for rule in game.rules if rule.ruling is None]
    texts += [(function.name, [*nodes_within(function.body)]) for function in game.functions.values()]
    for words, nodes in texts:
        apart = {inner for node in nodes if isinstance(node, n.Not) for inner in nodes_within(node)}
        values = {node: node.value if isinstance(node, n.Let) else node for node in nodes}
        best = [of for of in values.values() if isinstance(of, n.Best)]
        mixed = {*best} if len({node.most for node in best}) > 1 else set()
        for node, of in ((node, of) for node, of in values.items() if node not in apart):
            said = _order(node, words) if isinstance(node, n.If) else ""
            said = said or (_opposite(game, of, words) if of not in mixed else "")
            said = said or (_opposite_amount(of.most, of.body, words) if isinstance(of, n.Best) else "")
            if said and isinstance(node, n.Expression):
                this = game.texts.get(node, "").partition(" satisfies ")[0]
                yield "prose", place(game, node), f"the prose says `{said}`, but this is `{this}`", WHICH


def _opposite(game: Game, node: n.Expr | n.Effect, words: str) -> str:
    """The words of prose that say the opposite of an expression, such as all for some, or most for least;
    empty if there are none."""
    match node:
        case n.Any() | n.All() if node.var.type != game.player:
            of = whole(node.source)
            name = of.of.name if isinstance(of, n.Domain) else of.var.name if isinstance(of, n.Get) else ""
            if isinstance(of, n.Get) and name == stem(name):
                return ""  # "a hand" is the whole set
            noun = rf"(?: of)?(?: the)?(?: \w+)? {re.escape(stem(name) or '?')}s?\b"
            some = rf"\b(?<!\bas )(?<!\bthan )(?:some|any|an?|one){noun}"  # "as many as a vial holds"
            patterns = [rf"\b(?:all|every|both|no){noun}", some]
            patterns = patterns if isinstance(node, n.Any) else patterns[::-1]
        case n.Best(most=most):
            patterns = [_LEAST, _MOST] if most else [_MOST, _LEAST]
        case _:
            return ""
    said, also = (re.search(pattern, words, re.IGNORECASE) for pattern in patterns)
    return said[0] if said is not None and also is None else ""


def _opposite_amount(most: bool, of: n.Expr, words: str) -> str:
    """The words of prose for fewer of the things of which most are wanted, or for more; empty if none are."""
    nouns = "|".join(re.escape(name) for name in names_in(of) if len(name) > 2) or "$."
    words = ".".join(part for part in re.split("[.;]", words) if not re.search(r"\blos[et]", part))
    few, many = (
        re.search(rf"(?<!no )(?<!at )\b(?:{amount}) (?:{nouns})s?\b", words, re.IGNORECASE)
        for amount in ("few(?:er|est)|less|least|lowest", "more|most|highest")
    )
    said, also = (few, many) if most else (many, few)
    return said[0] if said is not None and also is None else ""


def _order(node: n.Expr, words: str) -> str:
    """The numbers of a chain of cases as ordered in prose; empty if the order is the same."""
    cases: list[n.Expr] = []
    while isinstance(node, n.If):
        cases, node = [*cases, node.then], node.otherwise
    values = [e.value for e in (*cases, node) if isinstance(e, n.Const) and isinstance(e.type, Int)]
    said = [one.value for one in quantities(words)] if len({*values} - {0, 1}) > 1 else []
    values = [v for v in values if v > 1 and said.count(v) == values.count(v) == 1]
    ordered = [value for value in said if value in values]
    return " before ".join(map(str, ordered)) if values != ordered else ""


def _changes(game: Game) -> Found:
    """Doubts about variables that the prose of an action says it changes, though its effect does not."""
    for rule in (rule for rule in game.rules if rule.id in game.actions):
        effect = game.actions[rule.id].effect
        stored = {assign.target for assign in assignments(effect)}
        for var in (var for var in game.state.values() if var not in stored):
            said = re.search(rf"\b{re.escape(var.name)}s?(?: \w+)? {_CHANGES}", rule.prose)
            if said is not None:
                message = f"the prose says `{said[0]}`, but nothing here stores in `{var.name}`"
                yield "store", last_place(game, effect), message, ""


def _outcome(game: Game) -> Found:
    """Doubts about ties and scores where prose says the opposite, or does not mention a subtraction."""
    rules = {rule.id: rule for rule in game.rules}
    for most, tie in game.outcome.ties:
        rule = rules.get(clause_at(game, span)) if (span := place(game, tie)) is not None else None
        few, many = (pattern.search(rule.prose) if rule else None for pattern in (_FEW, _MANY))
        if rule and ((not most and few is None) or (most and few is not None and many is None)):
            message = f"the prose does not say that the {'most' if most else 'least'} decides a tie"
            yield "prose", place(game, tie), message, "perhaps the other way round is meant"
        elif rule is not None and (opposite := _opposite_amount(most, tie, rule.prose)):
            message = f"the prose says `{opposite}`, but here the {'most' if most else 'least'} decides a tie"
            yield "prose", place(game, tie), message, "perhaps the other way round is meant"
    for (_, tie), text in zip(game.outcome.ties, game.outcome.tie_texts, strict=False):
        spoken, read = words_of(text) - {"player"}, {*names_in(tie)}
        used = {name for node in nodes_with_definitions(tie) for name in names_in(node)}
        named = [var.name for var in game.state.values() if stem(var.name) in spoken and var.name != "mover"]
        others = [var.name for var in variables_read(tie) if stem(var.name) in read - spoken]
        if named and others and not used & spoken:
            message = f"the prose says `{named[0]}`, but here `{others[0]}` decides a tie"
            yield "prose", place(game, tie), message, WHICH
    for (_, tie), (_, other) in pairwise(game.outcome.ties):
        rule = rules.get(clause_at(game, span)) if (span := place(game, tie)) is not None else None
        names = [{*names_in(e), *_members(e)} for e in (tie, other)]
        first, second = names[0] - names[1], names[1] - names[0]
        for part in re.split("[.;:]", rule.prose) if rule is not None else ():
            before, _, after = map(words_of, part.partition(" then "))
            if second & before and first & after and not (first & before or second & after):
                message = f"the prose orders these two the other way round: `{part.strip()}`"
                yield "prose", span, message, WHICH
    for node, most in _compared_players(game):
        span = place(game, node)
        rule = rules.get(clause_at(game, span)) if span is not None else None
        prose = re.split(r"[.;:]", _NO_AMOUNT.sub("", rule.prose)) if rule is not None else []
        words = ".".join(part for part in prose if re.search(r"\bw(?:ins?|on)\b", part))
        few, many = (pattern.search(words) for pattern in (_FEW, _MANY))
        said, same = (few, many) if most else (many, few)
        if said is not None and same is None:
            message = f"the prose says `{said[0]}`, but here the {'most' if most else 'least'} wins"
            yield "prose", span, message, "perhaps the other way round is meant"
    score = game.outcome.score
    span = place(game, score) if score is not None else None
    rule = rules.get(clause_at(game, span)) if span is not None else None
    if score is None or rule is None:
        return
    if isinstance(score, n.Sub) and not _LOSS.search(rule.prose):
        message = "the score subtracts something that the prose does not mention"
        yield "prose", place(game, score), message, "perhaps `+` is meant; or say it in the prose"
    inside = [*nodes_with_definitions(score)]
    negative = any(isinstance(e, n.Const) and isinstance(e.value, int) and e.value < 0 for e in inside)
    if not negative and not any(isinstance(e, n.Sub) for e in inside):
        few, taken = _FEWEST.search(rule.prose), _TAKEN.search(rule.prose)
        if few is not None and not _MANY.search(few[0]):
            message = "the prose says that little wins, but here the most points win"
            yield "prose", place(game, score), message, "perhaps `0 - …` is meant"
        if taken is not None and isinstance(score, n.Add):
            message = f"the prose says `{taken[0]}`, but the score only adds up"
            yield "prose", place(game, score), message, "perhaps `-` is meant"


def _members(e: n.Expr) -> Iterator[str]:
    """The members of enumerations that an expression names."""
    for node in nodes_within(e):
        match node:
            case n.Const(type=Enum() as of, value=int(value)):
                yield stem(of.members[value])


def _compared_players(game: Game) -> Iterator[tuple[n.Less | n.AtMost, bool]]:
    """The comparisons of winners with other players, each with True if having more wins."""
    winners = game.outcome.winners
    selects = [e for e in nodes_within(winners) if isinstance(e, n.Select)] if winners is not None else []
    for select in selects:
        nodes = [*nodes_within(select.body)]
        apart = {e for node in nodes if isinstance(node, n.Not | n.If) for e in nodes_within(node)}
        for node in (node for node in nodes if node not in apart):
            if isinstance(node, n.Less | n.AtMost) and type(node.a) is type(node.b):
                less, more = (is_about(side, select.var) for side in (node.a, node.b))
                if less != more:
                    yield node, more


def _names(game: Game) -> Found:
    """Doubts about conditions that read another variable than their prose names, and about values from a
    variable of which only other prose speaks."""
    states = [var for var in game.state.values() if var.name not in ("mover", "over")]
    everywhere = words_of(" ".join(map(prose_of, game.rules)))
    for passage in (one for one in passages(game) if one.kind in (REQUIREMENT, EFFECT)):
        words, formal = words_of(passage.prose), passage.formal
        said = [var for var in states if stem(var.name) in words]
        stores = assignments(formal) if isinstance(formal, n.Statement) else []
        pairs: list[tuple[n.StateVar, Node]] = [(a.target, a.value) for a in stores]
        pairs = pairs or [(var, formal) for var in said]
        for var, value in ((var, value) for var, value in pairs if var in said):
            read = {*variables_read(value)}
            for other in (v for v in states if v in read and v not in said and v.type == var.type):
                if stem(other.name) in everywhere if stores else var not in read:
                    message = f"the prose names `{var.name}`, but this reads `{other.name}`"
                    yield "prose", place(game, value), message, WHICH
                    break


_Counts = (
    n.All | n.Not | n.Sum | n.Select | n.Size | n.Image | n.Fold | n.Reach | n.Follow | n.Less | n.AtMost
)


def _quantifiers(game: Game) -> Found:
    """Doubts about ends and reactions that wait for one where prose says all, or the other way round."""
    for passage in occasions(game):
        words, condition = passage.prose, passage.formal
        said, inside = _ALL.search(words), [*nodes_with_definitions(condition)]
        some = [node for node in inside if isinstance(node, n.Any)]
        if isinstance(condition, n.Any) and said is not None:
            alone = not any(isinstance(node, n.All | n.Not) for node in inside) and not _SOME.search(
                words.split(".")[0]
            )
            if alone or (len(some) > 1 and not any(isinstance(node, _Counts) for node in inside)):
                message = f"the prose says `{said[0]}`, but here `some` is enough"
                yield "end", place(game, condition), message, "perhaps `every` is meant"
        one = None if said is not None or _NOBODY.search(words) else _WHO.search(words.split(".")[0])
        if isinstance(condition, n.All) and condition.var.type == game.player and one is not None:
            message = f"the prose says `{one[0]}`, but this waits for every player"
            yield "end", place(game, condition), message, "perhaps `some` is meant"


def _counts(game: Game) -> Found:
    """Doubts about numbers, flags and sets for a turn or a run of events that nothing sets back."""
    told = set[n.StateVar]()
    required = [one for one in passages(game) if one.kind == REQUIREMENT and game.players > 1]
    rules = {rule.id: rule.prose for rule in game.rules}
    conditions = [(_IN_A_ROW, never_goes_back, passage) for passage in occasions(game)]
    conditions += [(_OF_A_TURN, never_goes_back, passage) for passage in required]
    conditions += [(_TURN_BEFORE, only_grows, passage) for passage in required]
    for pattern, is_never_set_back, passage in conditions:
        said, inside = pattern.search(passage.prose), passage.formal
        if pattern is _OF_A_TURN and re.search(r"\byou\b", passage.prose, re.IGNORECASE):
            said = said or pattern.search(rules.get(passage.rule, ""))
        read = (node.var for node in nodes_within(inside) if isinstance(node, n.Get))
        for var in (var for var in read if said is not None and var not in told):
            if said is not None and is_never_set_back(game, var):
                told.add(var)
                message = f"the prose says `{said[0]}`, but nothing sets `{var.name}` back"
                yield "store", place(game, inside), message, ""


def broken_runs(game: Game, kept: AbstractSet[tuple[str, n.StateVar]]) -> Found:
    """Doubts about actions that neither extend nor set back a number that counts events in a row."""
    effects = game.actions.values()
    for passage in occasions(game):
        said = _IN_A_ROW.search(passage.prose)
        for var in dict.fromkeys(variables_read(passage.formal)) if said is not None else ():
            own = ((action.id, assignments(action.effect)) for action in effects)
            stores = {name: [a for a in listed if a.target is var] for name, listed in own}
            back = any(own and all(isinstance(a.value, n.Const) for a in own) for own in stores.values())
            for action in effects:
                again = any(a.target.name == "turn-to" for a in assignments(action.effect))
                if back and (action.id, var) in kept and not stores[action.id] and not again and said:
                    message = f"the prose says `{said[0]}`, but `{action.id}` does not set `{var.name}` back"
                    yield "store", last_place(game, action.effect), message, ""
