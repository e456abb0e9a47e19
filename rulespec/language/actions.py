"""Actions: choices and chains, requirements and the laws that bind them, notation, effects."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import partial
from typing import cast

from lark import Token

from ..core import nodes as n
from ..core.game import Action, Chain, Choice, Requirement
from ..core.notation import write
from ..core.types import Enum, Int, List
from ..core.types import Scalar as Values
from .documents.shapes import text_of, words
from .documents.yaml import Mapping, Scalar
from .elaborate.calls import apply
from .elaborate.expressions import collection, condition, element_type, expression
from .elaborate.folding import TRUE, number
from .elaborate.world import Faulty, Frame
from .lowering import counting_plies
from .phases import phase_requirements
from .rules import Names, Rules, id_of
from .secrets import OF_ACTIONS, secrets
from .syntax.parser import Syntax
from .work_limit import REQUIREMENT, VALUE

MOST_CHOICES = 50
"""The most choices of an action."""
MOST_HOLES = 100
"""The most holes of a notation."""
LONGEST_CHAIN = 1_000
"""The most elements of a chain."""

_HOLE = re.compile(r"\{([^{}]*)\}")


def actions(rules: Rules) -> dict[str, Action]:
    """Every action with its own requirements and those of the laws that bind it."""
    laws, phases = _laws(rules), rules.world.piece(("part", "phases"), partial(phase_requirements, rules))
    found: dict[str, Action] = {}
    for rule in rules.rules:
        key = next((key for key in OF_ACTIONS if key in rule.entries and "action" not in rule.entries), "")
        if key:
            message = f"`{key}` is part of an action, and `{id_of(rule)}` has no `action`"
            rules.world.report.error("action.secret", message, rule.keys[key].span)
    for name, rule, text in rules.having("action"):
        try:
            make = partial(_action, rules, name, rule, text, laws.get(name, []), phases.get(name))
            with rules.world.meter.part(f"the action `{name}`", rule.span):
                found[name] = rules.world.piece(("action", name), make)
        except Faulty:
            continue
    return found


def _laws(rules: Rules) -> dict[str, list[Mapping]]:
    """The laws that bind each action, in reading order."""
    world = rules.world
    bound: dict[str, list[Mapping]] = {}
    for name, rule, _ in rules.having("that"):
        binds = words(rule.entries.get("binds"))
        if not binds:
            world.report.error(
                "law.binds", f"`{name}` says which actions it binds: `binds: [...]`", rule.span
            )
        for word in binds:
            named = list(world.actions) if word.value == "every-action" else [word.value]
            world.meter.spend(REQUIREMENT * len(named))
            for action in named:
                if action in world.actions:
                    bound.setdefault(action, []).append(rule)
                else:
                    help = world.report.nearest(action, world.actions)
                    world.report.error("name.action", f"there is no action `{action}`", word.span, help=help)
    return bound


def _action(
    rules: Rules, name: str, rule: Mapping, text: Scalar, laws: list[Mapping], phase: Requirement | None
) -> Action:
    frame = rules.frame(text, name)
    choices, names = _choices(frame, rules.tree(text, "choices_text"))
    requirements = [*([phase] if phase is not None else []), *_own(rules, name, rule, names)]
    requirements += [held for law in laws if (held := _law_for(rules, law, frame, names)) is not None]
    do = rule.entries.get("do")
    facts = [c.where for c in choices if c.where is not None] + [r.condition for r in requirements]
    effect = rules.effect(do, name, names, facts) if isinstance(do, Scalar) else n.NOTHING_DONE
    written = _notation(rules, rule, name, names)
    prose = text_of(rule.entries.get("prose"))
    kept = secrets(rules, rule, text, names, effect)
    effect = counting_plies(rules.world, effect)
    return Action(name, prose, tuple(choices), written, tuple(requirements), effect, kept)


def _own(rules: Rules, name: str, rule: Mapping, names: Names) -> Iterator[Requirement]:
    """The requirements that stand in the action itself; those that always hold are left out."""
    require = rule.entries.get("require")
    for key, value in require.entries.items() if isinstance(require, Mapping) else ():
        if isinstance(value, Mapping) and isinstance(that := value.entries.get("that"), Scalar):
            holds: n.Expr | None = rules.attempt(partial(rules.condition, that, name, names), None)
            if holds is not None and holds is not TRUE:
                yield Requirement(key, name, text_of(value.entries.get("prose")), holds)


def _law_for(rules: Rules, law: Mapping, frame: Frame, names: Names) -> Requirement | None:
    name = id_of(law)
    function = rules.law_function(name)
    if function is None:
        return None
    for param in function.params:
        given = names.get(param.name)
        if given is None:
            action = frame.clause
            message = (
                f"`{name}` is about `{param.name}`, and the action `{action}` has no choice of that name"
            )
            rules.world.report.error("law.about", message, law.entries["about"].span, frame.text.span)
            return None
    made = apply(frame, function, tuple(names[p.name] for p in function.params))
    if made is TRUE or (isinstance(made, n.Const) and made.value):
        return None
    rules.world.spans.note_span(made, law.entries["that"].span)
    return Requirement(name, name, text_of(law.entries.get("prose")), made)


def _choices(frame: Frame, tree: Syntax) -> tuple[list[Choice], dict[str, n.Expr]]:
    found: list[Choice] = []
    listed = cast("list[Syntax]", cast(Syntax, tree.children[0]).children) if tree.children else []
    if len(listed) > MOST_CHOICES:
        frame.fail("action.choice", f"an action has at most {MOST_CHOICES} choices", listed[MOST_CHOICES])
    for binder in listed:
        choice = _chain_choice(frame, binder) if binder.data == "chain" else _choice(frame, binder)
        if choice.var.name in frame.names:
            frame.fail("name.twice", f"`{choice.var.name}` is chosen twice", binder)
        found.append(choice)
        frame = frame.bound(choice.var)
    return found, frame.names


def _choice(frame: Frame, tree: Syntax) -> Choice:
    if tree.data != "binder":
        frame.fail("action.choice", "a choice is `name in set`", tree)
    word, source_tree, where_tree = tree.children
    source = collection(frame, cast(Syntax, source_tree), None)
    of = element_type(source)
    if of is None:
        frame.fail("type.collection", "there is nothing here to choose from", tree)
    var = n.Var(str(word), of)
    where = condition(frame.bound(var), cast(Syntax, where_tree)) if where_tree is not None else TRUE
    return Choice(var, source, None if where is TRUE else where)


def _chain_choice(frame: Frame, tree: Syntax) -> Choice:
    word, source_tree, cap_tree, sign, step_word, where_tree = tree.children
    source = collection(frame, cast(Syntax, source_tree), None)
    of = element_type(source)
    cap = expression(frame, cast(Syntax, cap_tree), None)
    if of is None or not isinstance(cap, n.Const) or not isinstance(cap.type, Int):
        frame.fail("action.chain", "a chain grows from a set, up to a number known beforehand", tree)
    if cap.value > LONGEST_CHAIN:
        frame.fail("action.chain", f"a chain has at most {LONGEST_CHAIN} elements", cast(Syntax, cap_tree))
    grown = List(of, cap.value, _joint(frame, cast("Token | None", sign), of))
    var, step = n.Var(str(word), grown), n.Var(str(step_word), of)
    where = condition(frame.bound(var).bound(step), cast(Syntax, where_tree))
    return Choice(var, source, None, Chain(step, where, grown))


def _joint(frame: Frame, sign: Token | None, of: Values) -> str:
    """The text between the elements of a chain, as declared; it must occur in none of them."""
    if sign is None:
        return ""
    frame.world.meter.spend(VALUE * len(of.values))
    joint = str(sign)[1:-1]
    if not joint.strip():
        frame.fail("action.chain", 'the elements of a chain are told apart by a sign, as in `as "-"`', sign)
    taken = next((word for word in (write(of, v) for v in of.values) if joint in word), "")
    if taken:
        frame.fail("action.chain", f"`{joint}` does not tell the elements apart: one is `{taken}`", sign)
    return joint


# ---- notation


def _notation(rules: Rules, rule: Mapping, name: str, names: Names) -> tuple[str | n.Expr, ...]:
    """The notation of an action: as written, else its id with its choices after it."""
    text = rule.entries.get("written")
    if not isinstance(text, Scalar):
        return (name, *(part for given in names.values() for part in (" ", given)))
    return fill_template(rules, text, name, names)


def fill_template(rules: Rules, text: Scalar, clause: str, names: Names) -> tuple[str | n.Expr, ...]:
    """A text with holes: what stands there, and the expressions in `{…}`; Faulty if one of them is."""
    parts: list[str | n.Expr] = []
    if text.formal.count("{") > MOST_HOLES:
        message = f"a notation has at most {MOST_HOLES} holes"
        rules.world.report.error("action.written", message, text.span, clause=clause)
        raise Faulty
    for part in split_template(text):
        if isinstance(part, str):
            parts.append(part)
        else:
            frame, tree = rules.read(part, clause, names)
            parts.append(frame.put(elaborate_hole(frame, tree), tree))
    return tuple(parts)


def split_template(text: Scalar) -> Iterator[str | Scalar]:
    """A notation cut at its holes: what stands there, and the texts in `{…}` as texts of their own."""
    at = 0
    for hole in _HOLE.finditer(text.formal):
        if hole.start() > at:
            yield text.formal[at : hole.start()]
        yield part_of(text, hole.start(1), hole.end(1))
        at = hole.end()
    if at < len(text.formal):
        yield text.formal[at:]


def elaborate_hole(frame: Frame, tree: Syntax) -> n.Expr:
    """A hole of a notation: a value, or one of two quoted texts by a condition.

    Quoted texts become the members of an enumeration of their own, so that no operator is needed.
    """
    texts: list[str] = []

    def visit(part: Syntax) -> n.Expr:
        if part.data == "if_":
            cond, then, otherwise = (cast(Syntax, c) for c in part.children)
            asked = condition(frame, cond)
            a, b = visit(then), visit(otherwise)
            return n.If(a.type, asked, a, b)
        text = str(part.children[0])[1:-1]
        if text not in texts:
            texts.append(text)
        return number(texts.index(text))

    if not _quoted(tree):
        return expression(frame, tree, None)
    made = visit(tree)
    words_type = Enum("words", tuple(range(len(texts))), "words", tuple(texts))
    return _retyped(made, words_type)


def _quoted(tree: Syntax) -> bool:
    if tree.data == "if_":
        return all(_quoted(cast(Syntax, c)) for c in tree.children[1:])
    return tree.data == "notation"


def _retyped(made: n.Expr, words_type: Enum) -> n.Expr:
    if isinstance(made, n.If):
        return n.If(
            words_type, made.cond, _retyped(made.then, words_type), _retyped(made.otherwise, words_type)
        )
    assert isinstance(made, n.Const)
    return n.Const(words_type, made.value)


def part_of(text: Scalar, start: int, end: int) -> Scalar:
    """A stretch of a text, on one line, as a text of its own, its places kept."""
    row, begun = text.formal.count("\n", 0, start), text.formal.rfind("\n", 0, start) + 1
    line, column = text.lines[row] if text.exact and text.lines else (text.span.line, text.span.column)
    return Scalar(
        text.formal[start:end],
        text.span,
        text.style,
        False,
        text.formal[start:end],
        [(line, column + start - begun)],
        text.exact,
    )
