"""The formal texts of a rule as the rulebook shows them, in canonical form."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from .actions import split_template
from .documents.rule_texts import formal_texts_of
from .documents.shapes import words
from .documents.yaml import Mapping, Scalar, plain
from .elaborate.world import Faulty
from .rules import Rules, id_of
from .syntax.printer import one_line
from .syntax.text_printer import print_text


class FormalTexts:
    """The formal texts of a rule with their kinds, in order, printed on demand.

    Faulty ones are left out. A declaration that a variant replaced is shown in its new form, a removed one
    not at all.
    """

    def __init__(self, rules: Rules, rule: Mapping) -> None:
        self._rules, self._rule = rules, rule

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self._texts)

    @cached_property
    def _texts(self) -> tuple[tuple[str, str], ...]:
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
    given = rule.entries.get("start")
    for name, value in given.entries.items() if isinstance(given, Mapping) else ():
        yield f"start {name}", value.value if isinstance(value, Scalar) else str(plain(value))
    phases = rule.entries.get("phases")
    for name, phase in phases.entries.items() if isinstance(phases, Mapping) else ():
        if isinstance(phase, Mapping) and "legal" in phase.entries:
            yield f"phases {name} legal", ", ".join(word.value for word in words(phase.entries["legal"]))


def _declarations(rules: Rules, rule: str) -> str:
    declared = [d for d in rules.declarations.get(rule, []) if not d.generated]
    if any(d.state == "faulty" for d in declared):
        raise Faulty
    as_written = all(d.older is None for d in declared)  # else its comments may speak of what is gone
    return print_text((d.tree, d.text.formal if as_written else "") for d in declared)


def _notation(rules: Rules, text: Scalar) -> str:
    parts = split_template(text)
    texts = (x if isinstance(x, str) else f"{{{one_line(rules.expression_tree(x))}}}" for x in parts)
    return "".join(texts)
