"""Actions: choices, requirements and the laws that bind them, notation, effects."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from collections.abc import Mapping as Given
from functools import partial
from typing import cast

from lark import Token

from ..core import nodes as n
from ..core.game import Action, Chain, Choice, Requirement
from ..core.types import Enum, Int, List
from .documents.shapes import text_of, words
from .documents.yaml import Mapping, Scalar
from .elaborate.after import after_action
from .elaborate.calls import apply
from .elaborate.expressions import collection, condition, element_type, expression
from .elaborate.folding import TRUE, number
from .elaborate.world import ActionBody, Faulty, Frame
from .lowering import counting_plies
from .phases import phase_requirements
from .rules import LAW, Names, Rules, id_of
from .secrets import OF_ACTIONS, secrets
from .stages import stage_of, stage_requirements
from .syntax.parser import Syntax
from .tabled_choices import joining_sign, map_choice, meaning_of, optional_choice, set_choice
from .work_limit import REQUIREMENT

MOST_CHOICES = 50
"""Maximum number of choices of an action."""
MOST_HOLES = 100
"""Maximum number of holes of a notation."""
LONGEST_CHAIN = 1_000
"""Maximum length of a chain."""

_HOLE = re.compile(r"\{([^{}]*)\}")


def actions(rules: Rules) -> dict[str, Action]:
    """Every action with its own requirements and those of the laws that bind it."""
    found: dict[str, Action] = {}
    for rule in rules.rules:
        key = next((key for key in OF_ACTIONS if key in rule.entries and "action" not in rule.entries), "")
        if key:
            message = f"`{key}` is part of an action, and `{id_of(rule)}` has no `action`"
            rules.world.report.error("action.secret", message, rule.keys[key].span)
    for name, rule, text in rules.having("action"):
        try:
            make = partial(_action, rules, name, rule, text)
            with rules.world.meter.part(f"the action `{name}`", rule.span):
                found[name] = rules.world.piece(("action", name), make)
        except Faulty:
            continue
    return found


def _laws(rules: Rules) -> dict[str, list[Mapping]]:
    """The laws that apply to each action, in reading order."""
    world = rules.world
    bound: dict[str, list[Mapping]] = {}
    for name, rule, _ in (found for key in LAW for found in rules.having(key)):
        binds = words(rule.entries.get("binds"))
        if not binds:
            message = f"`{name}` has to say which actions it binds: `binds: [...]`"
            own = "a condition of this action alone stands under `require`, with an id and its prose"
            help = own if "action" in rule.entries else ""
            world.report.error("law.binds", message, rule.span, help=help)
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


def _action(rules: Rules, name: str, rule: Mapping, text: Scalar) -> Action:
    """An action with its choices, requirements, effect and notation. Raises Faulty."""
    action_body = rules.world.action_bodies[name]
    made: tuple[tuple[Choice, ...], n.Effect] | None = rules.attempt(action_body, None)
    choices = action_body.choices
    if choices is None:
        raise Faulty
    requirements = action_body.requirements(choices)
    if made is None:  # the faults of all other parts are reported before
        raise Faulty
    choices, effect = made
    written = _notation(rules, rule, name, choices)
    prose = text_of(rule.entries.get("prose"))
    kept = secrets(rules, rule, text, choices, effect)
    effect = counting_plies(rules.world, effect)
    return Action(name, prose, choices, written, requirements, effect, kept)


def enter_action_bodies(rules: Rules) -> None:
    """Register the choices and the effects of actions for conditions about the position after them."""
    laws, phases = _laws(rules), _Phases(rules)
    for name, rule, text in rules.having("action"):
        rules.world.action_bodies[name] = ActionBody(
            rules.world,
            name,
            partial(choices_of_action, rules, name, text),
            _Requirements(rules, name, rule, text, laws.get(name, []), phases),
            partial(_own_effect, rules, name, rule),
            partial(counting_plies, rules.world),
        )


def choices_of_action(rules: Rules, name: str, text: Scalar) -> tuple[Choice, ...]:
    """The choices declared in the text of an action."""
    return tuple(_choices(rules.frame(text, name), rules.tree(text, "choices_text")))


def _own_effect(
    rules: Rules, name: str, rule: Mapping, choices: tuple[Choice, ...], required: tuple[Requirement, ...]
) -> n.Effect:
    """The effect of an action as written, or the joint effect if it belongs to a simultaneous stage."""
    do = rule.entries.get("do")
    if (stage := stage_of(rules, name)) is not None:
        joint = stage.joint(choices)
        names = {var.name: n.Local(var.type, var) for var in joint}
        resolved = rules.effect(do, name, names) if isinstance(do, Scalar) else n.NOTHING_DONE
        return stage.effect(choices, joint, resolved)
    facts = [c.where for c in choices if c.where is not None] + [r.condition for r in required]
    return rules.effect(do, name, _names(choices), facts) if isinstance(do, Scalar) else n.NOTHING_DONE


def _names(choices: tuple[Choice, ...]) -> Names:
    """The local names of the choices."""
    return {choice.var.name: meaning_of(choice) for choice in choices}


class _Phases:
    """The requirements of phases, elaborated when they are first used."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self._made: Given[str, Requirement] | None = None

    def __call__(self, action: str) -> Requirement | None:
        """The requirement that it is the phase for an action."""
        world, key = self.rules.world, ("part", "phases")
        if self._made is None:
            self._made = world.piece(key, partial(phase_requirements, self.rules))
        else:
            world.remembering.again(key)
        return self._made.get(action)


class _Requirements:
    """The requirements of an action and of the laws that bind it, each elaborated once."""

    def __init__(
        self, rules: Rules, name: str, rule: Mapping, text: Scalar, laws: Sequence[Mapping], phases: _Phases
    ) -> None:
        self.rules, self.name, self.text, self.laws, self.phases = rules, name, text, laws, phases
        require = rule.entries.get("require")
        own = require.entries.items() if isinstance(require, Mapping) else ()
        self.own = [(key, value) for key, value in own if isinstance(value, Mapping)]
        self._known: dict[int, Requirement | None] = {}

    def __call__(self, choices: tuple[Choice, ...], here: bool = False) -> tuple[Requirement, ...]:
        """The requirements in order, without those that always hold; if `here`, only those about the
        present position."""
        names = _names(choices)
        frame = self.rules.frame(self.text, self.name)
        make: list[tuple[Mapping, Callable[[], Requirement | None]]] = []
        make += [(value, partial(_own, self.rules, self.name, key, value, names)) for key, value in self.own]
        make += [(law, partial(_law_for, self.rules, law, frame, names)) for law in self.laws]
        phase = self.phases(self.name)
        found = [phase] if phase is not None else []
        found += stage_requirements(self.rules, self.name)
        for place, (holder, one) in enumerate(make):
            if here and self.rules.asks_after(holder):
                continue
            if place not in self._known:
                self._known[place] = one()
            required = self._known[place]
            found += [required] if required is not None else []
        return tuple(found)


def _own(rules: Rules, name: str, key: str, holder: Mapping, names: Names) -> Requirement | None:
    """A requirement declared in the action itself; None if it always holds."""
    found = rules.condition_text(holder, f"require.{key}")
    if found is None:
        return None
    nothing: n.Expr = TRUE
    holds = rules.attempt(partial(_condition, rules, *found, name, names), nothing)
    return None if holds is TRUE else Requirement(key, name, text_of(holder.entries.get("prose")), holds)


def _condition(rules: Rules, key: str, text: Scalar, name: str, names: Names) -> n.Expr:
    """A requirement as a condition of the position; raises Faulty."""
    held = rules.condition(text, name, names)
    return _after(rules, text, name, held) if key == "after" else held


def _after(rules: Rules, text: Scalar, name: str, held: n.Expr) -> n.Expr:
    """The condition that something holds after the action in question."""
    choices = rules.world.action_bodies[name].choices or ()
    args = tuple(n.Local(choice.var.type, choice.var) for choice in choices)
    made = after_action(rules.frame(text, name), name, args, held)
    rules.world.spans.note_span(made, text.span)
    return made


def _law_for(rules: Rules, law: Mapping, frame: Frame, names: Names) -> Requirement | None:
    """The requirement that a law makes of an action; None if the law is faulty or does not fit it."""
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
    key = "after" if "after" in law.entries else "that"
    text = cast(Scalar, law.entries[key])
    made = apply(frame, function, tuple(names[p.name] for p in function.params))
    if key == "after":
        about = {p.name: names[p.name] for p in function.params}
        after: n.Expr | None = rules.attempt(partial(_after, rules, text, frame.clause, made), None)
        made = TRUE if after is None else rules.limit_law(law, after, name, about)
    if made is TRUE or (isinstance(made, n.Const) and made.value):
        return None
    rules.world.spans.note_span(made, text.span)
    return Requirement(name, name, text_of(law.entries.get("prose")), made)


def _choices(frame: Frame, tree: Syntax) -> list[Choice]:
    """The choices of an action in order; each may use the ones before it."""
    found: list[Choice] = []
    listed = cast("list[Syntax]", cast(Syntax, tree.children[0]).children) if tree.children else []
    if len(listed) > MOST_CHOICES:
        frame.fail("action.choice", f"an action has at most {MOST_CHOICES} choices", listed[MOST_CHOICES])
    for binder in listed:
        choice = _FORMS.get(str(binder.data), _choice)(frame, binder)
        if choice.var.name in frame.names:
            frame.fail("name.twice", f"`{choice.var.name}` is chosen twice", binder)
        found.append(choice)
        frame = frame.binding(**{choice.var.name: meaning_of(choice)})
    return found


def _choice(frame: Frame, tree: Syntax) -> Choice:
    """A choice of one value from a set."""
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
    """A choice of a list that grows step by step from a set."""
    word, source_tree, cap_tree, sign, step_word, where_tree = tree.children
    source = collection(frame, cast(Syntax, source_tree), None)
    of = element_type(source)
    cap = expression(frame, cast(Syntax, cap_tree), None)
    if of is None or not isinstance(cap, n.Const) or not isinstance(cap.type, Int):
        frame.fail("action.chain", "a chain grows from a set, up to a number known beforehand", tree)
    if cap.value > LONGEST_CHAIN:
        frame.fail("action.chain", f"a chain has at most {LONGEST_CHAIN} elements", cast(Syntax, cap_tree))
    grown = List(of, cap.value, joining_sign(frame, cast("Token | None", sign), of, tree))
    var, step = n.Var(str(word), grown), n.Var(str(step_word), of)
    where = condition(frame.bound(var).bound(step), cast(Syntax, where_tree))
    return Choice(var, source, None, Chain(step, where, grown))


_FORMS: Given[str, Callable[[Frame, Syntax], Choice]] = {
    "chain": _chain_choice,
    "many": set_choice,
    "each": map_choice,
    "optional": optional_choice,
    "conditional": optional_choice,
}
"""The elaborators of choices by form, for all but `name in set`."""


# ---- notation


def _notation(
    rules: Rules, rule: Mapping, name: str, choices: tuple[Choice, ...]
) -> tuple[str | n.Expr, ...]:
    """The notation of an action: as written, else its id with its choices after it."""
    text = rule.entries.get("written")
    if not isinstance(text, Scalar):
        return (name, *(part for c in choices for part in (" ", n.Local(c.var.type, c.var))))
    return fill_action(rules, text, name, choices)


def fill_action(
    rules: Rules, text: Scalar, clause: str, choices: tuple[Choice, ...]
) -> tuple[str | n.Expr, ...]:
    """A text with holes about an action; the notation of a choice is that of its row, by which it is read."""
    rows = {meaning_of(choice): n.Local(choice.var.type, choice.var) for choice in choices}
    parts = fill_template(rules, text, clause, _names(choices))
    return tuple(part if isinstance(part, str) else rows.get(part, part) for part in parts)


def fill_template(rules: Rules, text: Scalar, clause: str, names: Names) -> tuple[str | n.Expr, ...]:
    """A text with holes, as texts and expressions in turn; raises Faulty for a faulty expression."""
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
    """The parts of a notation: the texts between holes, and the contents of each `{…}`."""
    at = 0
    for hole in _HOLE.finditer(text.formal):
        if hole.start() > at:
            yield text.formal[at : hole.start()]
        yield part_of(text, hole.start(1), hole.end(1))
        at = hole.end()
    if at < len(text.formal):
        yield text.formal[at:]


def elaborate_hole(frame: Frame, tree: Syntax) -> n.Expr:
    """A hole of a notation: a value, or one of two quoted texts selected by a condition.

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
    return _retype(made, words_type)


def _quoted(tree: Syntax) -> bool:
    if tree.data == "if_":
        return all(_quoted(cast(Syntax, c)) for c in tree.children[1:])
    return tree.data == "notation"


def _retype(made: n.Expr, words_type: Enum) -> n.Expr:
    if isinstance(made, n.If):
        return n.If(
            words_type, made.cond, _retype(made.then, words_type), _retype(made.otherwise, words_type)
        )
    assert isinstance(made, n.Const)
    return n.Const(words_type, made.value)


def part_of(text: Scalar, start: int, end: int) -> Scalar:
    """Part of a text, on one line, as a separate text that keeps its place."""
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
