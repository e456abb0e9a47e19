"""Parts of the prose that formal text leaves out: an action, one thing of several, an end, a reset."""

from __future__ import annotations

import re
from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from ..core import nodes as n
from ..core.diagnostics import Label
from ..core.game import Game
from ..core.traversal import FreeVariables, Node, assignments, nodes_with_definitions
from ..core.types import Bag, Enum, List, Map, Optional, Set, Type, scalar_of
from .amounts import names_in
from .english import WHICH, prose_of, quantities, stem, words_of
from .parts import Found, clause_at, nodes_by_rule, places_of
from .prose import place_in
from .slips import effects_in_play, only_grows, place, stores_first_value

_SUBORDINATE = re.compile(
    r"\b(?:after|as|because|before|but|except|first|have|has|if|instead|must|once|since|than|that|then|unless"
    r"|until|when\w*|where|which|while|who|with\w*)\b|[.;:(]",
    re.IGNORECASE,
)
"""The end of the part of a main clause that says what is ruled."""
_ITEM = r"(?:(?:in|on|at|by|to|from|of|under|over|with|for) )?(?:(?:the|an?|any|its|your|their) )?[\w-]+"
_LIST = re.compile(rf"\b{_ITEM}(?:, {_ITEM})*,? (?:or|and|nor) {_ITEM}", re.IGNORECASE)
_EXCEPT = re.compile(
    r"\b(?:(?:any|all|every|each)(?: \w+)? but|except(?: for)?|other than|apart from)(?: the)? ([\w-]+)"
)
_BOTTOM = r"bottom|under\w*|below|beneath|low\w*|first|old\w*|earli\w+|front|back|behind|ends?|line|queue"
_TOP = r"top\w*|upper\w*|last|latest|newest"
_LESS = n.Const | n.Sub | n.Difference | n.Rest | n.Slice | n.Intersection
"""Values with which a variable may go back."""
_MAY = re.compile(r"\bmay [\w-]+", re.IGNORECASE)
_RESTRICTIONS = re.compile(
    r"\b(?:only|not?|never|nobody|none|must|cannot|can't|without|except|unless|but|at most|up to"
    r"|long as|until|needs?|ha(?:s|ve) to|fewer|less|before|after|first|one|once|enough|exactly|same|if|that"
    r"|when|where|while)\b",
    re.IGNORECASE,
)
"""Words of prose that limit what is allowed."""
_MOST = re.compile(r"\b(?:more|most|fewer|fewest|less|least) ([\w-]+)")
_IN_ALL = re.compile(r"\bonce\b|\bin the (?:whole |entire )?(?:game|play)\b|\bever\b", re.IGNORECASE)
"""Words of prose about what counts in all rounds together."""
_PARTS = re.compile(r"[.,;:()]|\band\b")
"""The borders of the parts of a sentence."""


def omissions(game: Game) -> Found:
    """Doubts about formal text that leaves out a part of its prose."""
    for find in (_unbound, _of_lists, _ends, _sides, _setups, _starts, _exceptions, _growing):
        yield from find(game)
    for find in (_outcome, _cases, _limits, _factors, _permissions):
        yield from find(game)


def _unbound(game: Game) -> Found:
    """Doubts about actions that the prose of a law names beside others, and that it alone does not bind."""
    for rule in (rule for rule in game.rules if rule.binds and rule.ruling is None):
        ruled = _SUBORDINATE.split(rule.prose)[0]
        words = words_of(ruled) if re.search(r"\b(?:and|or|nor)\b", ruled) else ()
        laws = [r.condition for a in game.actions.values() for r in a.requirements if r.clause == rule.id]
        asked, texts = {var.name for e in laws for var in FreeVariables()(e)}, {*map(game.texts.get, laws)}
        for action in (one for one in game.actions.values() if one.id not in rule.binds):
            own = {game.texts.get(r.condition) for r in action.requirements}
            chosen = {choice.var.name for choice in action.choices}
            if stem(action.id) in words and asked <= chosen and not own & texts:
                message = f"the prose names `{action.id}`, which this does not bind"
                yield "prose", place_in(rule, "binds:"), message, "is it meant, too?"


def _permissions(game: Game) -> Found:
    """Doubts about laws that forbid what their prose allows."""
    for rule in (rule for rule in game.rules if rule.binds and rule.ruling is None):
        said = _MAY.search(rule.prose)
        laws = [r.condition for a in game.actions.values() for r in a.requirements if r.clause == rule.id]
        if said is not None and laws and not _RESTRICTIONS.search(rule.prose):
            message = f"the prose says `{said[0]}`, but this forbids something"
            yield "prose", place(game, laws[0]), message, "is `must` or `may only` meant?"


def _names(game: Game, *roots: Node) -> Iterator[str]:
    """The names of the variables and definitions that nodes use, and all words in their texts."""
    for node in (node for root in roots for node in nodes_with_definitions(root)):
        match node:
            case n.Get(var=n.StateVar(name=name)) | n.Assign(target=n.StateVar(name=name)):
                yield name
            case n.Call(function=function):
                yield function.name
        yield from re.findall(r"[\w-]+", game.texts.get(node, "")) if isinstance(node, n.Expression) else ()


def _of_lists(game: Game) -> Found:
    """Doubts about a variable or definition that prose lists with others, of which only these are used."""
    names = {stem(name): name for name in (*game.state, *game.functions)}
    for rule in (rule for rule in game.rules if rule.id in game.actions and rule.ruling is None):
        action = game.actions[rule.id]
        conditions = [r.condition for r in action.requirements]
        choices = [e for choice in action.choices for e in choice.conditions]
        used = {*_names(game, action.effect, *conditions, *choices)}
        for found in _LIST.findall(prose_of(rule)):
            items = [stem(item.split()[-1]) for item in re.split(r",? (?:or|and|nor) |, ", found)]
            listed = [names[item] for item in items if item in names]
            missing = [name for name in listed if name not in used]
            near = next((e for e in conditions if len({*_names(game, e)} & {*listed}) > 1), None)
            if len(missing) == 1 and near is not None:
                others = " and ".join(f"`{name}`" for name in listed if name in used)
                message = f"the prose names `{missing[0]}` beside {others}, but nothing here reads it"
                yield "prose", place(game, near), message, "is it left out?"


def _ends(game: Game) -> Found:
    """Doubts about winners that depend on another end than the prose mentions."""
    winners, ends = game.outcome.winners, {end.id for end in game.ends}
    span = place(game, winners) if winners is not None else None
    if winners is not None and span is not None and len(ends) > 2:
        rule = clause_at(game, span)
        words = words_of(" ".join(one.prose for one in game.rules if one.id == rule))
        said, read = {end for end in ends - {rule} if stem(end) in words}, ends & {*_names(game, winners)}
        if len(said - read) == len(read - said) == 1:
            message = f"the prose names `{(said - read).pop()}`, but this reads `{(read - said).pop()}`"
            yield "prose", span, message, WHICH


def _sides(game: Game) -> Found:
    """Doubts about the bottom of a list where prose speaks of its top, or the other way round."""
    for rule in (rule for rule in game.rules if rule.ruling is None):
        words, formal = prose_of(rule), " ".join(text for _, text in rule.formal)
        for side, said, other in (("bottom", _TOP, _BOTTOM), ("top", "bottom", f"{_TOP}|under")):
            if re.search(rf"\b(?:{other})\b", words) or (side == "top" and re.search("bottom|under", formal)):
                continue
            for span, found in places_of(rule, rf"\b({side})(?: (?:\d+ )?of |\()([\w-]+)"):
                var = game.state.get(found[2])
                of = scalar_of(var.type.of or var.type) if var and isinstance(var.type, List) else None
                things = "|".join(map(stem, (found[2], *([of.name] if of is not None and of.name else []))))
                near = re.search(
                    rf"\b(?:{said}) (?:(?:\w+ )?of (?:the )?)?(?:{things})", words, re.IGNORECASE
                )
                if near is not None:
                    yield "prose", span, f"the prose says `{near[0]}`, but this is the {side}", WHICH


def _setups(game: Game) -> Found:
    """Doubts about an empty list or set that something begins or forms, as the prose of the setup says."""
    filled = {a.target for a in assignments(game.setup)}
    empty = [var for var in game.state.values() if isinstance(var.type, List | Set) and var not in filled]
    for rule in (rule for rule in game.rules if any(kind == "setup" for kind, _ in rule.formal)):
        for var in (var for var in empty if isinstance(var.initial, n.Const) and not var.initial.value):
            said = re.search(rf"\b(?:begin|start|form|make)s? (?:the|a) {re.escape(var.name)}\b", rule.prose)
            if said is not None:
                message = f"the prose says `{said[0]}`, but no setup stores in `{var.name}`"
                yield "store", place_in(rule, "setup:"), message, "is it left out?"


def _exceptions(game: Game) -> Found:
    """Doubts about chance over a whole type where prose leaves out a member that the rule does not name."""
    written = nodes_by_rule(game)
    for rule in (rule for rule in game.rules if rule.ruling is None):
        formal = words_of(" ".join(re.sub(r"\btype .*", "", text) for _, text in rule.formal))
        for node in written[rule.id]:
            match node:
                case n.Draw(source=n.Domain(of=Enum() as of)) | n.Shuffle(source=n.Domain(of=Enum() as of)):
                    members = {*map(stem, of.members)} - formal
                    said = (found for found in _EXCEPT.finditer(rule.prose) if stem(found[1]) in members)
                    for found in [*said][:1]:
                        message = f"the prose says `{found[0]}`, but this takes all of `{of.name}`"
                        yield "prose", place(game, node), message, WHICH


def _starts(game: Game) -> Found:
    """Doubts about starts of turns or rounds that set one variable back, and nothing another one."""
    stores = [a for effect in effects_in_play(game) for a in assignments(effect)]
    firsts = [a for a in reversed(stores) if a in game.spans and stores_first_value(a)]
    for rule in game.rules:
        starts = any(kind in ("rounds start", "turn begin") for kind, _ in rule.formal)
        back = {a.target: a for a in firsts if starts and clause_at(game, game.spans[a]) == rule.id}
        for var in game.state.values() if back else ():
            values = [a.value for a in stores if a.target is var]
            if values and not any(isinstance(e.type, Optional) or isinstance(e, _LESS) for e in values):
                said = re.search(rf"\bno [^.,;]*\b{re.escape(var.name)}\b", rule.prose, re.IGNORECASE)
                beside = back.keys() & _set_beside(game, var)
                for first in [one for other, one in back.items() if said or other in beside][:1]:
                    why = f"the prose says `{said[0]}`" if said else f"this sets `{first.target.name}` back"
                    yield "store", place(game, first), f"{why}, but nothing sets `{var.name}` back", ""


def never_set_back(game: Game, name: str) -> list[Label]:
    """The place where another variable of the same kind is set back, if this one never is."""
    stores = [a for effect in effects_in_play(game) for a in assignments(effect)]
    back, var = [a for a in stores if _goes_back(a)], game.state.get(name)
    if var is None or var in (a.target for a in back):
        return []
    alike = [a for a in back if _shape(a.target) == _shape(var) and a in game.spans]
    text = "this sets `{}` back, but nothing sets `{}` back"
    return [Label(game.spans[a], text.format(a.target.name, name)) for a in alike[:1]]


def _shape(var: n.StateVar) -> tuple[object, object]:
    """The keys of a map and the kind of its values."""
    of = var.type.of if isinstance(var.type, Map) else var.type
    return var.type.keys if isinstance(var.type, Map) else None, type(of)


def _goes_back(assign: n.Assign) -> bool:
    """True if an assignment stores the initial value, or that of one entry."""
    first, stored = assign.target.initial, assign.value
    if stores_first_value(assign) or not (isinstance(first, n.Const) and isinstance(stored, n.Const)):
        return stores_first_value(assign)
    return isinstance(first.value, tuple) and {*first.value} == {stored.value}


def _set_beside(game: Game, var: n.StateVar) -> set[n.StateVar]:
    """The variables that an action sets together with one that may be none, which only others ask for."""
    asks, found = False, set[n.StateVar]()
    for action in game.actions.values() if isinstance(var.type, Optional) else ():
        roots = (action.effect, *(r.condition for r in action.requirements))
        tests = (node for root in roots for node in nodes_with_definitions(root))
        stored = {a.target for a in assignments(action.effect)}
        if any(isinstance(e, n.IsNone) and isinstance(e.item, n.Get) and e.item.var is var for e in tests):
            asks = True
        elif var in stored:
            found |= stored
    return found if asks else set()


def _results(game: Game) -> list[n.Expr]:
    """The expressions for scores, winners and ties."""
    outcome = game.outcome
    found = (outcome.winners, outcome.score, *(tie for _, tie in outcome.ties))
    return [e for e in found if e is not None]


def _growing(game: Game) -> Found:
    """Doubts about lists and sets of a game of rounds that only grow, and that only actions ask for."""
    read_at_last = {*_names(game, *_results(game), *(end.condition for end in game.ends))}
    prose = {rule.id: rule.prose for rule in game.rules}
    bound = [r for a in game.actions.values() for r in a.requirements]
    of_rounds = [r for r in bound if not _IN_ALL.search(f"{r.prose} {prose.get(r.clause, '')}")]
    required = {*_names(game, *(r.condition for r in of_rounds))}
    for rule in (rule for rule in game.rules if any(kind == "rounds number" for kind, _ in rule.formal)):
        for var in (game.state[name] for name in game.state if name in required - read_at_last):
            if only_grows(game, var):
                message = f"nothing is ever taken out of `{var.name}`, in any round"
                yield "store", place_in(rule, "rounds:"), message, "is it emptied when a round ends?"
        for var in _never_none_again(game) if any(kind == "rounds start" for kind, _ in rule.formal) else ():
            message = f"nothing makes `{var.name}` none again, in any round"
            yield "store", place_in(rule, "rounds:"), message, "is it set back when a round begins?"


def _never_none_again(game: Game) -> Iterator[n.StateVar]:
    """The variables, none at first, in which actions store and of which effects ask whether they are none."""
    effects = effects_in_play(game)
    tested = {
        node.item.var
        for root in effects
        for node in nodes_with_definitions(root)
        if isinstance(node, n.IsNone) and isinstance(node.item, n.Get)
    }
    stores = [a for effect in effects for a in assignments(effect)]
    by_actions = {a.target for action in game.actions.values() for a in assignments(action.effect)}
    back = {a.target for a in stores if isinstance(a.value.type, Optional)}
    for var in game.state.values():
        if isinstance(var.type, Optional) and var in tested & by_actions - back:
            yield var


def _outcome(game: Game) -> Found:
    """Doubts about a variable that decides the winner in the prose, but in no result."""
    spans = {clause_at(game, span): span for e in _results(game) if (span := place(game, e)) is not None}
    used = {*map(stem, _names(game, *_results(game)))}
    for rule in (rule for rule in game.rules if rule.id in spans and rule.ruling is None):
        for found in _MOST.finditer(rule.prose):
            name = next((name for name in game.state if stem(name) == stem(found[1])), None)
            if name is not None and stem(name) not in used and not _is_kept_elsewhere(game, name, used):
                message = f"the prose says `{found[0]}`, but no result reads `{name}`"
                yield "prose", spans[rule.id], message, WHICH


def _is_kept_elsewhere(game: Game, name: str, used: AbstractSet[str]) -> bool:
    """True if an effect moves things out of a variable into a set, list or bag that the results read."""
    for effect in effects_in_play(game):
        stored = {assign.target for assign in assignments(effect)}
        kept = [
            var for var in stored if stem(var.name) in used and isinstance(_inner(var.type), Bag | List | Set)
        ]
        if kept and game.state[name] in stored:
            return True
    return False


def _inner(of: Type) -> Type:
    """The type of the entries of a map, or the type itself."""
    return of.of if isinstance(of, Map) and not isinstance(of, Bag) else of


def _cases(game: Game) -> Found:
    """Doubts about a member and its number, such as `the press for two`, that no formal text has."""
    written, kinds = nodes_by_rule(game), [of for of in game.types.values() if isinstance(of, Enum)]
    for rule in (rule for rule in game.rules if rule.ruling is None and rule.formal):
        roots = written[rule.id]
        words = words_of(" ".join(_names(game, *roots)))
        inside = [node for root in roots for node in nodes_with_definitions(root)]
        texts = " ".join(game.texts.get(node, "") for node in inside if isinstance(node, n.Expression))
        numbers = {*map(int, re.findall(r"\d+", texts))}
        counted = {p.value for p in game.parameters.values()}
        for part in _PARTS.split(rule.prose) if inside else ():
            said = [one for one in quantities(part) if one.value > 1 and not one.is_ordinal]
            named = [name for of in kinds for name in of.members if _has_number(name, part)]
            alone = len(said) == len(named) == 1 and stem(named[0]) not in words
            if alone and said[0].value not in numbers | counted:
                message = f"the prose says `{part.strip()}`, but neither `{named[0]}` nor {said[0].value}"
                yield "prose", place(game, roots[0]), f"{message} appears here", "is a case missing?"


def _has_number(name: str, part: str) -> bool:
    """True if a part of a sentence says how many a member has, as in `the press for two`."""
    verbs = "for|has|have|holds?|takes?|counts?|costs?|gives?|yields?|brings?|scores?|is worth"
    return re.search(rf"\b{re.escape(name)}s? (?:{verbs})\b", part, re.IGNORECASE) is not None


def _limits(game: Game) -> Found:
    """Doubts about the number in `min(x, 3)` where the prose says `up to` another one of these things."""
    written = nodes_by_rule(game)
    for rule in (rule for rule in game.rules if rule.ruling is None):
        said = [one for part in _PARTS.split(rule.prose) for one in quantities(part)]
        for node in (node for node in written[rule.id] if isinstance(node, n.Expression)):
            text = game.texts.get(node, "")
            limit = re.fullmatch(r"min\((.*), (\d+)\)", text)
            things = {*names_in(node)} if limit is not None else set()
            upper = [one for one in said if one.low is None and one.high is not None]
            near = [one for one in upper if not things.isdisjoint(one.words)]
            if limit is not None and len(near) == 1 and near[0].value != int(limit[2]):
                same = [one for one in upper if one.value == int(limit[2])]
                beside = [game.texts.get(e) for e in written[rule.id] if n.is_expression(e) and e is not node]
                is_there = f"min({limit[1]}, {near[0].value})" in beside  # so this is about other things
                told = same[0] if is_there and len(same) == 1 else near[0]
                message = f"the prose says `{told.text}`, but this is `{text}`"
                yield "prose", place(game, node), message, WHICH


def _factors(game: Game) -> Found:
    """Doubts about factors that differ from the numbers in the prose."""
    written = nodes_by_rule(game)
    for rule in (rule for rule in game.rules if rule.ruling is None):
        said = [(part, one) for part in _PARTS.split(rule.prose) for one in quantities(part)]
        everywhere = {one.value for _, one in said}
        for node in (node for node in written[rule.id] if isinstance(node, n.Mul)):
            for factor, counted in ((node.a, node.b), (node.b, node.a)):
                value = factor.value if isinstance(factor, n.Const) else None
                things = {*names_in(counted)} - {"player"}
                near = [(part, one) for part, one in said if not things.isdisjoint(words_of(part))]
                if type(value) is int and value > 1 and value not in everywhere and len(near) == 1:
                    part, one = near[0]
                    if one.cut is None and not one.is_ordinal and not one.is_article:
                        message = f"the prose says `{part.strip()}`, but this is {value}"
                        yield "prose", place(game, node), message, WHICH
