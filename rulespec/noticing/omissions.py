"""Parts of the prose that formal text leaves out: an action, one thing of several, an end, a reset."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..core import nodes as n
from ..core.game import Game
from ..core.traversal import FreeVariables, Node, assignments, nodes_with_definitions
from ..core.types import Enum, List, Optional, Set, scalar_of
from .english import WHICH, prose_of, stem, words_of
from .parts import Found, clause_at, nodes_by_rule, places_of
from .prose import place_in
from .slips import effects_in_play, place, stores_first_value

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


def omissions(game: Game) -> Found:
    """Doubts about formal text that leaves out a part of its prose."""
    for find in (_unbound, _of_lists, _ends, _sides, _setups, _starts, _exceptions):
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
                message = f"the prose names `{missing[0]}` beside {others}, and nothing here reads it"
                yield "prose", place(game, near), message, "is it left out?"


def _ends(game: Game) -> Found:
    """Doubts about winners that depend on another end than that of which the prose speaks."""
    winners, ends = game.outcome.winners, {end.id for end in game.ends}
    span = place(game, winners) if winners is not None else None
    if winners is not None and span is not None and len(ends) > 2:
        rule = clause_at(game, span)
        words = words_of(" ".join(one.prose for one in game.rules if one.id == rule))
        said, read = {end for end in ends - {rule} if stem(end) in words}, ends & {*_names(game, winners)}
        if len(said - read) == len(read - said) == 1:
            message = f"the prose names `{(said - read).pop()}`, and this asks for `{(read - said).pop()}`"
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
                    yield "prose", span, f"the prose says `{near[0]}`, and this is the {side}", WHICH


def _setups(game: Game) -> Found:
    """Doubts about an empty list or set that something begins or forms, as the prose of the setup says."""
    filled = {a.target for a in assignments(game.setup)}
    empty = [var for var in game.state.values() if isinstance(var.type, List | Set) and var not in filled]
    for rule in (rule for rule in game.rules if any(kind == "setup" for kind, _ in rule.formal)):
        for var in (var for var in empty if isinstance(var.initial, n.Const) and not var.initial.value):
            said = re.search(rf"\b(?:begin|start|form|make)s? (?:the|a) {re.escape(var.name)}\b", rule.prose)
            if said is not None:
                message = f"the prose says `{said[0]}`, and no setup stores in `{var.name}`"
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
                        message = f"the prose says `{found[0]}`, and this takes all of `{of.name}`"
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
                    yield "store", place(game, first), f"{why}, and nothing sets `{var.name}` back", ""


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
