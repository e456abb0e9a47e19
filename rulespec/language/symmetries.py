"""Symmetries that a claim states: images of the values of some types, checked to be one to one."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import cast

from ..core import nodes as n
from ..core.context import Env
from ..core.notation import write
from ..core.symmetry import Image, Images
from ..core.traversal import reads_state
from ..core.types import Int, Value
from ..core.types import Scalar as Values
from .documents.yaml import Mapping, Scalar
from .elaborate.domains import Bindings, bindings
from .elaborate.expressions import collection, condition, expression_of_type
from .elaborate.folding import TRUE
from .elaborate.world import Frame, phrase
from .rules import Rules
from .syntax.parser import Syntax

MOST_GENERATORS = 400
"""Maximum number of symmetries in a claim."""


def stated_symmetries(rules: Rules, name: str, entry: Mapping, text: Scalar) -> tuple[Images, ...]:
    """The symmetries that a claim states: one for each value of the `for` binders that `where` admits."""
    tree = rules.tree(text, "images_text")
    frame, env = rules.frame(text, name), [cast(Env, {})]
    over, where = entry.entries.get("for"), entry.entries.get("where")
    if isinstance(over, Scalar):
        found_tree = cast(Syntax, rules.tree(over, "binders_text").children[0])
        outer, found = bindings(rules.frame(over, name), found_tree)
        for _, source, narrowed in found:
            _static(outer, found_tree, source, narrowed)
        env = list(_environments(outer, found))
        frame = frame.binding(**{var.name: n.Local(var.type, var) for var, _, _ in found})
    if isinstance(where, Scalar):
        inner = rules.frame(where, name).binding(**frame.names)
        asked_tree = rules.expression_tree(where)
        asked = condition(inner, asked_tree)
        _static(inner, asked_tree, asked)
        env = [e for e in env if inner.value(asked, e)]
    if len(env) > MOST_GENERATORS:
        frame.fail("claim.symmetry", f"these are {len(env)} symmetries, more than {MOST_GENERATORS}", tree)
    made = [_image_rule(frame, cast(Syntax, child)) for child in tree.children]
    return tuple(tuple(_image(frame, e, *one) for one in made) for e in env)


def _static(frame: Frame, tree: Syntax, *parts: n.Expr) -> None:
    if any(reads_state(part) for part in parts):
        frame.fail("claim.symmetry", "a symmetry is the same in every position, so it reads no state", tree)


def _environments(frame: Frame, found: Bindings) -> Iterator[Env]:
    for values in itertools.product(*(cast(Values, var.type).values for var, _, _ in found)):
        frame.world.meter.spend(len(found))
        env: Env = dict(zip((var for var, _, _ in found), values, strict=True))
        if all(
            value in frame.value(source, env) and (where is TRUE or frame.value(where, env))
            for value, (_, source, where) in zip(values, found, strict=True)
        ):
            yield env


def _image_rule(frame: Frame, tree: Syntax) -> tuple[n.Var, Values, n.Expr, Syntax]:
    """One line of a symmetry: the name of a value, the values of its type, and its image."""
    word, source_tree, image_tree = tree.children
    source = collection(frame, cast(Syntax, source_tree), None)
    if not isinstance(source, n.Domain):
        words = f"a symmetry moves the values of whole types, but this is {phrase(source.type)}"
        frame.fail("claim.symmetry", words, cast(Syntax, source_tree))
    if isinstance(source.of, Int) and not source.of.name:
        help = "give the range a name with `type`, and use it for all that is to move"
        frame.fail("claim.symmetry", "mere numbers stay as they are", cast(Syntax, source_tree), help=help)
    var = n.Var(str(word), source.of)
    inner, becomes_tree = frame.bound(var), cast(Syntax, image_tree)
    becomes = expression_of_type(inner, becomes_tree, source.of.with_none)
    _static(inner, becomes_tree, becomes)
    return var, source.of, becomes, becomes_tree


def _image(frame: Frame, env: Env, var: n.Var, of: Values, becomes: n.Expr, tree: Syntax) -> Image:
    found: dict[Value, Value] = {}
    for value in of.values:
        image = frame.value(becomes, {**env, var: value})
        shown = write(of, value)
        if image is None:
            frame.fail("claim.symmetry", f"{shown} becomes nothing, and a symmetry loses no value", tree)
        if image in found:
            message = f"{write(of, found[image])} and {shown} both become {write(of, image)}"
            frame.fail("claim.symmetry", f"{message}, and a symmetry keeps values apart", tree)
        found[image] = value
    back = {value: image for image, value in found.items()}
    return Image(of, tuple(back[value] for value in of.values))
