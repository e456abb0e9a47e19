"""The formal texts of a rule as a reader of the rulebook sees them, in canonical form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from .actions import split_template
from .documents.ruleset_shape import RULE
from .documents.shapes import Kind, Leaf, Many, Named, Shape
from .documents.yaml import Mapping, Node, Scalar, Sequence
from .elaborate.world import Faulty
from .rules import Rules, id_of
from .syntax.printer import one_line
from .syntax.text_printer import print_text


class FormalTexts:
    """The formal texts of a rule with what each is, in order, printed when they are asked for.

    Faulty ones are left out. A declaration that a variant replaced shows as the variant has it, one that
    it removed not at all.
    """

    def __init__(self, rules: Rules, rule: Mapping) -> None:
        self._rules, self._rule = rules, rule

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._shown)

    @cached_property
    def _shown(self) -> tuple[tuple[str, str], ...]:
        return tuple(_formal_texts(self._rules, self._rule))


def _formal_texts(rules: Rules, rule: Mapping) -> Iterator[tuple[str, str]]:
    for what, text, start in formal_texts_of(rule):
        try:
            if start == "decl_text":
                shown = _declarations(rules, id_of(rule))
            elif not start:
                shown = _notation(rules, text)
            else:
                shown = print_text([(rules.tree(text, start), text.formal)])
        except Faulty:
            continue
        if shown:
            yield what, shown


def formal_texts_of(rule: Mapping) -> Iterator[tuple[str, Scalar, str]]:
    """Each text with where it stands in the rule and its start rule; the notation of actions has none."""
    for key, value in rule.entries.items():
        if key == "written" and isinstance(value, Scalar):
            yield key, value, ""
        elif key != "examples" and key in RULE.keys:
            yield from _texts_inside(value, RULE.keys[key], key)


def _texts_inside(node: Node, kind: Kind, where: str) -> Iterator[tuple[str, Scalar, str]]:
    if isinstance(kind, Leaf) and isinstance(node, Scalar):
        if kind.start:
            yield where.removesuffix(" that"), node, kind.start
    elif isinstance(kind, Many) and isinstance(node, Sequence):
        for item in node.items:
            yield from _texts_inside(item, kind.of, where)
    elif isinstance(kind, Shape | Named) and isinstance(node, Mapping):
        for key, value in node.entries.items():
            of = kind.keys.get(key) if isinstance(kind, Shape) else kind.of
            if of is not None:
                yield from _texts_inside(value, of, f"{where} {key}")


def _declarations(rules: Rules, rule: str) -> str:
    declared = [d for d in rules.declared.get(rule, []) if not d.generated]
    if any(d.state == "faulty" for d in declared):
        raise Faulty
    as_written = all(d.older is None for d in declared)  # else its comments may speak of what is gone
    return print_text((d.tree, d.text.formal if as_written else "") for d in declared)


def _notation(rules: Rules, text: Scalar) -> str:
    return "".join(
        part if isinstance(part, str) else "{" + one_line(rules.expression_tree(part)) + "}"
        for part in split_template(text)
    )
