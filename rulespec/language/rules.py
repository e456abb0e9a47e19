"""Rules of one ruleset and their formal texts; laws and ends, to which texts refer by name."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Mapping as Given
from contextlib import AbstractContextManager, suppress
from dataclasses import replace
from functools import cached_property, partial
from typing import TypeVar, cast

from lark import Token

from ..core import nodes as n
from ..core.diagnostics import Label, Span
from ..core.types import BOOL, Type
from .documents.shapes import text_of
from .documents.yaml import Mapping, Scalar
from .elaborate.domains import bindings
from .elaborate.expressions import condition, expression, expression_of_type, whole_number
from .elaborate.folding import TRUE
from .elaborate.statements import effects
from .elaborate.world import Declaration, Faulty, Frame, World
from .syntax.parser import Syntax, parse

Names = Given[str, n.Expr]
"""Local names that a text may use, besides what the ruleset declares."""

Made = TypeVar("Made")

OF_LAWS = ("about", "when", "binds")
"""Keys of a rule that restrict its law: its subject, its time and its players."""
LAW = ("that", "after")
"""Keys of the condition of a law or a requirement: on the present position, or on the one after the
action."""

OF_RESULTS = {"winners": ("payoff", "won")} | dict.fromkeys(("score", "payoff"), ("payoff", "score", "won"))
"""The names by which texts refer to results, by their keys."""
_AFTER = re.compile(r"\bafter\s+[A-Za-z_]")

_NO_NAMES: Names = {}


class Rules:
    """Elaborates the rules of one ruleset; faulty parts are reported and left out."""

    def __init__(self, world: World, rules: list[Mapping], positions: Iterable[str] = ()) -> None:
        self.world, self.rules = world, rules
        self.positions = frozenset(positions)
        """The names of the positions from which examples may begin."""
        self.trees = world.memory.texts.trees

    @cached_property
    def declarations(self) -> dict[str, list[Declaration]]:
        """The declarations in each rule after all variants, in order."""
        found: dict[str, list[Declaration]] = {}
        for one in self.world.declared.values():
            found.setdefault(one.clause, []).append(one)
        return found

    # ---- texts

    def frame(self, text: Scalar, clause: str) -> Frame:
        """The frame for one formal text; in it `original` is the text that a variant replaced."""
        frame = Frame(self.world, text, clause)
        old = text.original
        if isinstance(old, Scalar):
            frame = replace(
                frame,
                original=lambda inner, wanted, args: self._replaced(old, clause, inner, wanted, args),
                original_effect=lambda inner: self.effect(old, clause, inner.names),
            )
        return frame

    def _replaced(
        self, old: Scalar, clause: str, inner: Frame, wanted: Type | None, args: list[Syntax] | None
    ) -> n.Expr:
        """The value of the text that a variant replaced; arguments are an error, because it takes none."""
        if args is not None:
            inner.fail("name.original", "only a definition's original takes arguments", args[0])
        return self.expression(old, clause, inner.names, wanted)

    def tree(self, text: Scalar, start: str) -> Syntax:
        """The tree of a formal text; raises Faulty."""
        if text not in self.trees:
            parsed = parse(text, start, self.world.report, self.world.meter)
            if parsed is None:
                raise Faulty
            self.trees[text] = parsed.tree
        return self.trees[text]

    def expression_tree(self, text: Scalar) -> Syntax:
        """The tree of a text that is one expression; raises Faulty."""
        return cast(Syntax, self.tree(text, "expr_text").children[0])

    def read(self, text: Scalar, clause: str, names: Names = _NO_NAMES) -> tuple[Frame, Syntax]:
        """The frame and the tree of a text that is one expression, with these local names."""
        return self.frame(text, clause).binding(**names), self.expression_tree(text)

    def expression(self, text: Scalar, clause: str, names: Names, wanted: Type | None) -> n.Expr:
        """A formal text as an expression."""
        with self.part(text, clause):
            return expression(*self.read(text, clause, names), wanted)

    def asking(self, text: Scalar, clause: str, wanted: Type) -> n.Expr:
        """A formal text as an expression that always has a value of a type."""
        with self.part(text, clause):
            return expression_of_type(*self.read(text, clause), wanted)

    def condition(self, text: Scalar, clause: str, names: Names = _NO_NAMES) -> n.Expr:
        """A formal text as a condition."""
        with self.part(text, clause):
            return condition(*self.read(text, clause, names))

    def number(self, text: Scalar, clause: str, names: Names = _NO_NAMES) -> n.Expr:
        """A formal text as a number, which may be none."""
        with self.part(text, clause):
            return whole_number(*self.read(text, clause, names))

    def effect(
        self, text: Scalar, clause: str, names: Names = _NO_NAMES, facts: Iterable[n.Expr] = ()
    ) -> n.Effect:
        """The effect that a formal text denotes, which runs under some conditions."""
        with self.part(text, clause):
            tree = self.tree(text, "effect_text")
            frame = self.frame(text, clause).binding(**names).knowing(*facts)
            return frame.put(effects(frame, tree), tree)

    def part(self, text: Scalar, clause: str) -> AbstractContextManager[None]:
        """A context in which steps are charged to a formal text of a clause."""
        return self.world.meter.part(f"this text of `{clause}`" if clause else "this text", text.span)

    def attempt(self, make: Callable[[], Made], otherwise: Made) -> Made:
        """The result of `make`, or `otherwise` if that raises Faulty, its fault having been reported."""
        try:
            return make()
        except Faulty:
            return otherwise

    # ---- where texts stand

    def having(self, key: str) -> Iterator[tuple[str, Mapping, Scalar]]:
        """The rules with a text under a key, each as (id, rule, text)."""
        for rule in self.rules:
            text = rule.entries.get(key)
            if isinstance(text, Scalar):
                yield id_of(rule), rule, text

    def only(self, key: str, inside: str = "") -> tuple[str, Scalar] | None:
        """The id of the only rule with a key (or a key `inside` it), and its text; more are a fault."""
        holders = [(id_of(r), r.entries.get(inside) if inside else r) for r in self.rules]
        held = ((name, x.entries.get(key)) for name, x in holders if isinstance(x, Mapping))
        found = [(name, text) for name, text in held if isinstance(text, Scalar)]
        for _, text in found[1:]:
            first, there = found[0]
            message = f"`{key}` is settled by the rule `{first}` already"
            self.world.report.error("rule.twice", message, text.span, Label(there.span, "first here"))
        return found[0] if found else None

    # ---- laws and ends, which may be asked by name

    def enter_conditions(self) -> None:
        """Make laws and ends available by their ids."""
        for rule in self.rules:
            key = next((key for key in OF_LAWS if key in rule.entries), "")
            if key and not rule.entries.keys() & set(LAW):
                message = f"`{key}` is part of a law, and `{id_of(rule)}` has no `that`"
                self.world.report.error("law.that", message, rule.keys[key].span)
        for key in (*LAW, "end"):
            for name, rule, text in self.having(key):
                if key != "after" or self.condition_text(rule, name) is not None:
                    self._enter(name, rule, text)
        for name, rule, _ in self.having("action"):
            self.world.actions[name] = rule.entries["id"].span

    def _enter(self, name: str, rule: Mapping, text: Scalar) -> None:
        at = rule.entries["id"].span
        if name in self.world.declared:
            self.world.report.error(
                "name.twice", f"`{name}` is a definition too", at, help="rename one of the two"
            )
        elif name in self.world.conditions:
            self.world.report.error("name.twice", f"`{name}` is a law and an end; only one can be asked", at)
        else:
            make = partial(self.law, name, rule, text)
            self.world.conditions[name] = OnDemand(self, ("law", name), at, make)
            if "about" in rule.entries:
                self.world.predicates.add(name)

    def condition_text(self, holder: Mapping, where: str) -> tuple[str, Scalar] | None:
        """The key and text of a requirement's or law's condition; reports a fault unless there is one."""
        found = [(key, text) for key in LAW if isinstance(text := holder.entries.get(key), Scalar)]
        if len(found) == 1:
            return found[0]
        message = f"`{where}` needs one of the keys `that` and `after`"
        help = "`that` asks it of the position, `after` of the position after the action"
        self.world.report.error("key.missing", message, holder.span, help=help)
        return None

    def asks_after(self, holder: Mapping) -> bool:
        """True if a requirement or law refers to the position after an action, even through definitions."""
        if "after" in holder.entries:
            return True
        texts = [holder.entries.get("that"), holder.entries.get("when")]
        if not self._has_after and not any(_AFTER.search(text_of(text)) for text in texts):
            return False
        waiting: list[Syntax] = []
        for text in texts:
            with suppress(Faulty):
                waiting += [self.expression_tree(text)] if isinstance(text, Scalar) else []
        seen: set[str] = set()
        while waiting:
            tree = waiting.pop()
            if any(part.data == "after_" for part in tree.iter_subtrees()):
                return True
            for name in {str(x) for x in tree.scan_values(lambda x: isinstance(x, Token))} - seen:
                seen.add(name)
                waiting += self._trees_of(name)
        return False

    @cached_property
    def _has_after(self) -> bool:
        """True if a declaration or a named text may refer to a position after an action."""
        texts = [one.text for one in self.world.declared.values()]
        texts += [text for found in self._texts_by_name.values() for text in found]
        return any(_AFTER.search(text.formal) for text in dict.fromkeys(texts))

    @cached_property
    def _texts_by_name(self) -> dict[str, list[Scalar]]:
        """The texts of laws, ends and results, by the names under which other texts use them."""
        found: dict[str, list[Scalar]] = {}
        for rule in self.rules:
            for key, value in rule.entries.items():
                names = (id_of(rule),) if key in ("that", "end", "when") else OF_RESULTS.get(key, ())
                if isinstance(value, Scalar):
                    for name in names:
                        found.setdefault(name, []).append(value)
        return found

    def _trees_of(self, name: str) -> Iterator[Syntax]:
        """The trees of a definition, a law, an end or a result."""
        declared = self.world.declared.get(name)
        while declared is not None:
            yield declared.tree
            declared = declared.older
        for text in self._texts_by_name.get(name, ()):
            with suppress(Faulty):
                yield self.expression_tree(text)

    def law(self, name: str, rule: Mapping, text: Scalar) -> n.Function:
        """The predicate for a law or an end, with its parameters."""
        about = rule.entries.get("about")
        names: dict[str, n.Expr] = {}
        params: list[n.Var] = []
        if isinstance(about, Scalar):
            frame = self.frame(about, name)
            _, found = bindings(frame, cast(Syntax, self.tree(about, "binders_text").children[0]))
            for var, _, where in found:
                if where is not TRUE:
                    words = "a law is about whole types; narrow it in `that`"
                    self.world.report.error("law.where", words, about.span)
                params.append(var)
                names[var.name] = n.Local(var.type, var)
        function = n.Function(name, tuple(params), BOOL, None, False, name)

        def body() -> n.Expr:
            held = self.condition(text, name, names)
            after = text is rule.entries.get("after")  # its `when` is asked before the action
            return held if after else self.limit_law(rule, held, name, names)

        return self.world.define(function, body)

    def limit_law(self, rule: Mapping, held: n.Expr, name: str, names: Names) -> n.Expr:
        """The condition of a law where it applies; elsewhere true."""
        when = rule.entries.get("when")
        if not isinstance(when, Scalar):
            return held
        asked = self.condition(when, name, names)
        if isinstance(asked, n.Const):
            return held if asked.value else TRUE
        # A branch and not a disjunction, so that a refusal speaks of what is asked for and not of the case.
        return n.If(BOOL, asked, held, TRUE)

    def law_function(self, name: str) -> n.Function | None:
        """The predicate of a law or an end by id; None if it is faulty."""
        made = self.world.conditions.get(name)
        return self.attempt(made, None) if made is not None else None


class OnDemand:
    """A definition without text, made on first use."""

    def __init__(
        self, rules: Rules, key: tuple[str, str], place: Span, make: Callable[[], n.Function]
    ) -> None:
        self._rules, self._key, self._place, self._make = rules, key, place, make
        self._made: n.Function | None = None
        self._state = "waiting"

    def __call__(self) -> n.Function:
        if self._state == "making":
            self._state = "faulty"
            self._rules.world.report.error("law.circle", f"`{self._key[1]}` asks itself", self._place)
        if self._state == "waiting":
            self._state = "making"
            self._made = self._rules.attempt(self._piece, None)
            self._state = "made"
        elif self._state == "made":
            self._rules.world.remembering.again(self._key)
        if self._made is None:
            raise Faulty
        return self._made

    def _piece(self) -> n.Function:
        return self._rules.world.piece(self._key, self._make)


def id_of(rule: Mapping) -> str:
    """The id of a rule, claim or example; empty if it is missing."""
    found = rule.entries.get("id")
    return found.value if isinstance(found, Scalar) else ""
