"""Written types to types of the core; every domain is listed, within limits."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, cast

from lark import Token

from ...core import nodes as n
from ...core import notation
from ...core.types import (
    Bag,
    Enum,
    Int,
    List,
    Map,
    Optional,
    Record,
    Scalar,
    Set,
    Truth,
    Type,
    Value,
    integers,
    with_values,
)
from ..syntax.parser import Syntax
from ..work_limit import VALUE
from .constraint_search import satisfying
from .expressions import condition, expression
from .folding import TRUE
from .world import MOST_VALUES, Declaration, Frame, World, declares, product_size

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_PLACES = 500_000
"""Maximum number of entries of a map, including those of inner maps."""

_HOLE = re.compile(r"\{([A-Za-z_][\w-]*)\}")


@declares("type")
def declared_type(world: World, found: Declaration) -> Type:
    """The type that a `type` declaration makes."""
    frame = found.frame(world)
    definition = cast(Syntax, found.tree.children[1])
    return defined_type(frame, definition, found.name)


def defined_type(frame: Frame, tree: Syntax, name: str) -> Type:
    """The type that a definition gives (the part after `=`, or the type of a parameter).

    A collection has no name of its own: it equals the same type written out.
    """
    if tree.data == "enum_def":
        return _enumeration(frame, tree, name)
    if tree.data == "subset_def":
        return _subset(frame, tree, name)
    base, where, letters = tree.children
    if cast(Syntax, base).data == "record_type":
        return _record(
            frame, cast(Syntax, base), cast("Syntax | None", where), cast("Token | None", letters), name
        )
    if where is not None:
        frame.fail("type.where", "only records and subsets are narrowed by `where`", cast(Syntax, where))
    made = written_type(frame, cast(Syntax, base))
    if isinstance(made, Int):
        return _with_letters(frame, made, cast("Token | None", letters), name)
    if letters is not None:
        frame.fail("type.as", "signs are for ranges and members", cast(Token, letters))
    return with_values(made, made.values, name) if name and isinstance(made, Scalar) else made


def written_type(frame: Frame, tree: Syntax) -> Type:
    """The type that a type expression means."""
    world = frame.world
    if tree.data == "named_type":
        return world.get_type(cast(Token, tree.children[0]), frame)
    if tree.data == "range_type":
        return _range(frame, tree)
    if tree.data == "record_type":
        return _record(frame, tree, None, None, "")
    if tree.data == "map_type":
        keys, values = (cast(Syntax, c) for c in tree.children)
        made = Map(_scalar(frame, keys), written_type(frame, values))
        frame.world.meter.spend(_places(made))
        if _places(made) > MOST_PLACES:
            message = f"this map has {_places(made):,} places; the limit is {MOST_PLACES:,}"
            frame.fail("type.size", message, tree)
        return made
    of = _scalar(frame, cast(Syntax, tree.children[0]))
    if tree.data == "optional_type":
        if isinstance(of, Truth):
            frame.fail("type.optional", "a condition is yes or no, never none", tree)
        return Optional(of)
    if tree.data == "set_type":
        return Set(of)
    cap = constant_number(frame, cast(Syntax, tree.children[1]))
    if tree.data == "bag_type":
        if not 1 <= cap <= MOST_VALUES:
            frame.fail("type.size", f"a bag holds 1 to {MOST_VALUES:,} of a kind, not {cap:,}", tree)
        return Bag(of, integers(0, cap))
    if not 0 <= cap <= MOST_VALUES:
        frame.fail("type.size", f"a list of up to {cap:,} is too large; the limit is {MOST_VALUES:,}", tree)
    return List(of, cap)


def _places(t: Type) -> int:
    return len(t.keys.values) * _places(t.of) if isinstance(t, Map) else 1


def constant_number(frame: Frame, tree: Syntax) -> int:
    """The value of a constant number. Raises Faulty if it depends on the state."""
    made = expression(frame, tree, None)
    value = _value_if_constant(frame, made, tree) if isinstance(made.type, Int) else None
    if value is None:
        frame.fail(
            "type.constant",
            "this must be a number that is known beforehand",
            tree,
            help="use numbers, parameters and `size` of types",
        )
    return value


def _value_if_constant(frame: Frame, made: n.Expr, tree: Syntax) -> int | None:
    try:
        return int(frame.value(made, {}))
    except (KeyError, LookupError):
        return None  # it reads the state


def _scalar(frame: Frame, tree: Syntax) -> Scalar:
    made = written_type(frame, tree)
    if not isinstance(made, Scalar):
        frame.fail("type.scalar", f"this takes a type whose values can be listed, not {made}", tree)
    return made


def _range(frame: Frame, tree: Syntax) -> Int:
    """The type of a range; reports one that is empty or too large."""
    lo, hi = (constant_number(frame, cast(Syntax, c)) for c in tree.children)
    if hi < lo:
        frame.fail("type.empty", f"the range {lo}..{hi} is empty", tree)
    if hi - lo >= MOST_VALUES * 10:
        words = f"the range has {hi - lo + 1:,} numbers; the limit is {MOST_VALUES * 10:,}"
        frame.fail("type.size", words, tree)
    return integers(lo, hi)


def _with_letters(frame: Frame, made: Int, letters: Token | None, name: str) -> Int:
    """A range with a letter for each number; reports missing or equal letters."""
    signs = _signs(frame, letters) if letters is not None else made.letters
    if letters is not None and len(signs) < len(made.values):
        words = f"{len(made.values)} numbers need as many signs, not {len(signs)}"
        frame.fail("type.letters", words, letters)
    if letters is not None and len(set(signs)) < len(signs):
        frame.fail("type.letters", "a sign stands for two numbers", letters)
    return Int("number", made.values, name, signs, made.lo if letters is not None else made.letter_base)


def _signs(frame: Frame, letters: Token) -> Sequence[str]:
    """The signs of values in order: the texts between strokes, or else each letter."""
    text = letters[1:-1]
    signs = tuple(text.split("|")) if "|" in text else text
    if any(" ".join(sign.split()) != sign or ", " in sign for sign in signs):
        message = "a sign has no space around it or after a comma, and one at most between words"
        frame.fail("type.letters", message, letters)
    if "none" in signs:
        frame.fail("type.letters", "`none` is the notation of no value", letters)
    return signs


def _enumeration(frame: Frame, tree: Syntax, name: str) -> Enum:
    """An enumeration, whose members are distinct, with letters if given."""
    *members, letters = tree.children
    names = [str(m) for m in members]
    seen: set[str] = set()
    for i, member in enumerate(names):
        if member in seen:
            frame.fail("type.members", f"`{member}` appears here twice", cast(Token, members[i]))
        seen.add(member)
    frame.world.meter.spend(VALUE * len(names))
    signs = _signs(frame, cast(Token, letters)) if letters is not None else ""
    if letters is not None and (len(signs) != len(names) or len(set(signs)) != len(signs)):
        frame.fail("type.letters", f"{len(names)} members need as many different signs", cast(Token, letters))
    return Enum(name, tuple(range(len(names))), name, tuple(names), signs)


def _subset(frame: Frame, tree: Syntax, name: str) -> Scalar:
    """The type of the values that satisfy a condition; reports an empty one."""
    word, base_tree, where, letters = tree.children
    base = _scalar(frame, cast(Syntax, base_tree))
    var = n.Var(str(word), base)
    holds = condition(frame.bound(var), cast(Syntax, where))
    values = [value for (value,) in _satisfying(frame, [var], holds, cast(Syntax, where))]
    if not values:
        words = f"no value of {base} satisfies this, so the type is empty"
        frame.fail("type.empty", words, cast(Syntax, where))
    made = with_values(base, tuple(values), name)
    return _with_notation(frame, made, cast(Token, letters)) if isinstance(made, Record) and letters else made


def _record(frame: Frame, tree: Syntax, where: Syntax | None, letters: Token | None, name: str) -> Record:
    """A record type, with only the combinations that satisfy a condition."""
    fields: list[tuple[str, Scalar]] = []
    names: set[str] = set()
    for child in tree.children:
        word, field_type = cast(Syntax, child).children
        if str(word) in names:
            frame.fail("type.fields", f"`{word}` appears here twice", cast(Token, word))
        names.add(str(word))
        fields.append((str(word), _scalar(frame, cast(Syntax, field_type))))
    size = product_size(t for _, t in fields)
    if size > MOST_VALUES:
        words = f"this has {size:,} combinations of fields; the limit is {MOST_VALUES:,}"
        frame.fail("type.size", words, tree)
    places = [n.Var(field_name, t) for field_name, t in fields]
    inner = frame.binding(**{var.name: n.Local(var.type, var) for var in places})
    holds = TRUE if where is None else condition(inner, where)
    combinations = _satisfying(frame, places, holds, where or tree)
    if not combinations:
        words = "no combination of fields satisfies this, so the type is empty"
        frame.fail("type.empty", words, where or tree)
    family = name or "{" + ", ".join(f"{w}: {t}" for w, t in fields) + "}"
    whole = Record(family, tuple(combinations), name, tuple(fields))
    narrow = cast(Record, with_values(whole, tuple(combinations), name))
    return _with_notation(frame, narrow, letters) if letters is not None else narrow


def _with_signs(frame: Frame, made: Record, letters: Token) -> Record:
    """A record type whose values have these signs, in order."""
    signs = _signs(frame, letters)
    frame.world.meter.spend(VALUE * len(made.values))
    if len(signs) != len(made.values) or len(set(signs)) != len(signs):
        message = f"{len(made.values)} values need as many different signs; here are {len(set(signs))}"
        frame.fail("type.letters", message, letters)
    if "." in signs:
        frame.fail("type.letters", "`.` is the sign of an empty place in pictures", letters)
    named = dict(zip(made.values, signs, strict=True))
    return Record(made.family, made.values, made.name, made.fields, None, named)


def _with_notation(frame: Frame, made: Record, letters: Token) -> Record:
    """A record type with its own notation, from signs or a template of fields."""
    if "|" in letters and "{" not in letters:
        return _with_signs(frame, made, letters)
    parts: list[str | int] = []
    text, at = str(letters)[1:-1], 0
    for hole in _HOLE.finditer(text):
        parts += [text[at : hole.start()]] if hole.start() > at else []
        position = made.field(hole.group(1))
        if position is None:
            frame.fail("type.as", f"there is no field `{hole.group(1)}` to write", letters)
        parts.append(position)
        at = hole.end()
    parts += [text[at:]] if at < len(text) else []
    if "{" in "".join(p for p in parts if isinstance(p, str)):
        frame.fail("type.as", "a notation is text with fields in braces, as in `{row}.{col}`", letters)
    noted = Record(made.family, made.values, made.name, made.fields, tuple(parts))
    _check_notation_is_unique(frame, noted, letters)
    return noted


def _check_notation_is_unique(frame: Frame, made: Record, letters: Token) -> None:
    """Report a notation shared by two values, because its meaning would be ambiguous."""
    known: dict[str, Value] = {}
    frame.world.meter.spend(len(made.values) * len(made.written or ()) * VALUE)
    for value in made.values:
        text = " ".join(notation.write(made, value).split())  # as it is read
        if text in known:
            one, other = (
                ", ".join(
                    f"{name} = {notation.write(t, v)}" for (name, t), v in zip(made.fields, x, strict=True)
                )
                for x in (known[text], value)
            )
            message = f"`{text}` would stand for {one} and for {other}"
            frame.fail("type.as", message, letters, help="name every field, with signs between numbers")
        known[text] = value


def _satisfying(frame: Frame, places: list[n.Var], holds: n.Expr, tree: Syntax) -> list[tuple[Value, ...]]:
    """The combinations of values for which a condition holds; it may not read the state."""
    try:
        return satisfying(places, holds, frame.world.context)
    except LookupError:
        frame.fail("type.state", "a type cannot depend on the state of a play", tree)
