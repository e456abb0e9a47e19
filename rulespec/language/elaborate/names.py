"""Names, numbers, quoted notation, `none` and `original`."""

from __future__ import annotations

from typing import cast

from lark import Token

from ...core import nodes as n
from ...core import notation
from ...core.numbers import number_of, whole_number
from ...core.traversal import nodes_within
from ...core.types import NONE, Enum, Optional, Record, Scalar, Set, Type, scalar_of
from ..syntax.habits import NAMES
from ..syntax.parser import Syntax
from ..work_limit import EXPRESSION
from .calls import apply
from .expressions import makes
from .folding import FALSE, TRUE, constant, number
from .world import Frame, World, phrase

PLIES = "plies"
"""The variable that counts the actions of a game whose number of turns is limited (see `lowering`)."""


@makes("name")
def _name(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word = cast(Token, tree.children[0])
    world = frame.world
    if word in frame.names:
        meant = frame.names[word]
        if not isinstance(meant, n.Local | n.Const):  # the whole expression is inserted again
            for _ in nodes_within(meant):
                world.meter.spend(EXPRESSION)
        return meant
    if (
        wanted is not None
        and isinstance(enum := scalar_of(wanted), Enum)
        and (value := enum.member(word)) is not None
    ):
        return constant(value, enum)
    if word in world.state:
        return _state(frame, word)
    if word == "players":
        return number(world.players)
    if word in world.parameters:
        parameter = world.get_parameter(str(word), frame)
        return constant(parameter.value, parameter.type, parameter.id)
    if word in world.types:
        of = cast(Scalar, world.get_type(word, frame))
        return n.Domain(Set(of), of)
    if world.find(word) is not None:
        return _declared(frame, word)
    if word in world.conditions:
        return _asked_by_id(frame, word)
    if word in world.lifted:
        return TRUE
    return _member(frame, word, wanted)


def _state(frame: Frame, word: Token) -> n.Expr:
    var = frame.world.get_state(word, frame)
    frame.world.note_read()
    return n.Get(var.type, var)


def _declared(frame: Frame, word: Token) -> n.Expr:
    """The meaning of a declared name: a type's values, a variable, or a definition without parameters."""
    world = frame.world
    found = world.declared[word]
    if found.kind == "type":
        of = world.get_type(word, frame)
        if not isinstance(of, Scalar):
            frame.fail("type.scalar", f"`{word}` is {phrase(of)}, which has too many values to list", word)
        return n.Domain(Set(of), of)
    if found.kind == "state":
        return _state(frame, word)
    if found.kind == "to":
        frame.fail("name.effect", f"`{word}` is an effect; it belongs in `do`, not in an expression", word)
    function = world.get_function(word, frame)
    if function.params:
        frame.fail("call.arguments", f"`{word}` takes {number_of(len(function.params), 'argument')}", word)
    return apply(frame, function, ())


def _asked_by_id(frame: Frame, word: Token) -> n.Expr:
    function = frame.world.conditions[word]()
    if function.params:
        frame.fail("call.arguments", f"`{word}` takes {number_of(len(function.params), 'argument')}", word)
    return apply(frame, function, ())


def _member(frame: Frame, word: Token, wanted: Type | None) -> n.Expr:
    """A member of an enumeration; reports a name that several have."""
    world = frame.world
    found = world.members(word)
    if len(found) == 1:
        return constant(found[0][1], found[0][0])
    if found:
        kinds = " and ".join(str(t) for t, _ in found)
        words = f"`{word}` is a member of {kinds}, and the context does not say which"
        frame.fail("name.ambiguous", words, word)
    if word in world.rulings:
        frame.fail("name.ruling", f"`{word}` is a ruling; ask it with `{word} is …`", word)
    advice = NAMES.get(word) or _as_notation(world, word) or world.report.nearest(word, world.visible(frame))
    if not advice and "-" in word and word.split("-")[0] in world.visible(frame):
        advice = f"a name may hold a hyphen; for a difference write `{word.replace('-', ' - ')}`"
    advice = _as_choice(world, word) or advice
    if word == PLIES:
        advice = "say how many actions there can be: `turn: limit: 200`"
    frame.fail("name.unknown", f"nothing is called `{word}`", word, help=advice)


def _as_notation(world: World, word: str) -> str:
    """Advice to quote a word that is the notation of a value of some type; empty if it is none."""
    for of in world.types.values():
        if isinstance(of, Record) and notation.read(of, word) is not None:
            return f'a value in its notation is quoted: `"{word}"`'
    return ""


def _as_choice(world: World, word: str) -> str:
    """Advice about a word that names a choice of an action; empty if it names none."""
    for action, body in world.action_bodies.items():
        if any(choice.var.name == word for choice in body.choices or ()):
            known = f"it is known in that action, and in a law that begins with `about: {word} in …`"
            return f"`{word}` is chosen in the action `{action}`; {known}"
    return ""


@makes("number")
def _number(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word = cast(Token, tree.children[0])
    value = whole_number(word)
    if value is None:
        frame.fail("number.size", "a number has at most nine digits", word)
    return number(value)


@makes("true", "false")
def _truth(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    return TRUE if tree.data == "true" else FALSE


@makes("none_")
def _none(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    return n.Const(wanted if isinstance(wanted, Optional) else NONE, None)


@makes("notation")
def _notation(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    word = cast(Token, tree.children[0])
    of = scalar_of(wanted) if wanted is not None else None
    if of is None:
        frame.fail("notation.type", f"the context does not say of which type {word} is", word)
    value = notation.read(of, word[1:-1])
    if value is None:
        help = frame.world.report.nearest(word[1:-1], (notation.write(of, v) for v in of.values[:5000]))
        frame.fail("notation.unknown", f"{word} is no {of}", word, help=help)
    return constant(value, of)


@makes("original")
def _original(frame: Frame, tree: Syntax, wanted: Type | None) -> n.Expr:
    if frame.original is None:
        frame.fail("name.original", "there is no original here: nothing was replaced", tree)
    args = cast("Syntax | None", tree.children[0])
    return frame.original(frame, wanted, [cast(Syntax, a) for a in args.children] if args else None)
