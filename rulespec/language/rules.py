"""Rules to the parts of a game: actions with their requirements, laws, reactions, ends, turn, outcome."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from lark import Tree

from ..core import nodes as n
from ..core import types as t
from ..core.diagnostics import nearest
from ..core.game import Action, Chain, Choice, End, Outcome, Reaction, Requirement, Sight, Turn
from ..core.types import BOOL, Enum, Int, List, Map, Set, Type, scalar_of
from .document import text_of, words
from .elaborate.calls import apply, asking_type
from .elaborate.expressions import condition, expression
from .elaborate.finite import bindings, collection, element
from .elaborate.frame import TRUE, Faulty, Frame, Syntax, number
from .elaborate.statements import effects
from .elaborate.world import World, phrase
from .parser import parse
from .yaml import Mapping, Scalar, Sequence

_HOLE = re.compile(r"\{([^{}]*)\}")


class Rules:
    """Elaborates the rules of one ruleset; what is faulty is reported and left out."""

    def __init__(self, world: World, rules: list[Mapping]) -> None:
        self.world, self.rules = world, rules
        self.ids = {id_of(r): r for r in rules}

    # ---- texts

    def frame(self, text: Scalar, clause: str) -> Frame:
        """The frame of one formal text; `original` is what a variant replaced there."""
        frame = Frame(self.world, text, clause)
        old = text.original
        if isinstance(old, Scalar):
            frame = replace(
                frame,
                original=lambda inner, wanted: self.expression(old, clause, inner.names, wanted),
                original_effect=lambda inner: self.effect(old, clause, inner.names),
            )
        return frame

    def tree(self, text: Scalar, start: str) -> Syntax:
        """The tree of a formal text, or Faulty."""
        parsed = parse(text, start, self.world.report)
        if parsed is None:
            raise Faulty
        return parsed.tree

    def expression(self, text: Scalar, clause: str, names: dict[str, n.Expr], wanted: Type | None) -> n.Expr:
        """A formal text as an expression with these local names."""
        tree = cast(Syntax, self.tree(text, "expr_text").children[0])
        return expression(self.frame(text, clause).binding(**names), tree, wanted)

    def condition(self, text: Scalar, clause: str, names: dict[str, n.Expr] | None = None) -> n.Expr:
        """A formal text as a condition."""
        tree = cast(Syntax, self.tree(text, "expr_text").children[0])
        return condition(self.frame(text, clause).binding(**(names or {})), tree)

    def effect(self, text: Scalar, clause: str, names: dict[str, n.Expr] | None = None) -> n.Effect:
        """A formal text as an effect."""
        tree = self.tree(text, "effect_text")
        frame = self.frame(text, clause).binding(**(names or {}))
        return frame.put(effects(frame, tree), tree)

    def having(self, key: str) -> Iterator[tuple[str, Mapping, Scalar]]:
        """The rules that have a key with a text, as (id, rule, text)."""
        for rule in self.rules:
            text = rule.entries.get(key)
            if isinstance(text, Scalar):
                yield id_of(rule), rule, text

    # ---- laws and ends, which may be asked by name

    def enter_conditions(self) -> None:
        """Let laws and ends be asked by their ids."""
        for name, rule, text in self.having("that"):
            if "require" not in rule.entries:
                self._enter(name, rule, text)
        for name, rule, text in self.having("end"):
            self._enter(name, rule, text)
        for name, rule, _ in self.having("action"):
            self.world.actions[name] = rule.entries["id"].span

    def _enter(self, name: str, rule: Mapping, text: Scalar) -> None:
        made: list[n.Function] = []

        def make() -> n.Function:
            if not made:
                made.append(self._law(name, rule, text))
            return made[0]

        if name in self.world.declared or name in self.world.rulings:
            if name in self.world.declared:
                self.world.report.error(
                    "name.twice", f"`{name}` is a definition too", rule.entries["id"].span
                )
            return
        self.world.conditions[name] = make

    def _law(self, name: str, rule: Mapping, text: Scalar) -> n.Function:
        about = rule.entries.get("about")
        names: dict[str, n.Expr] = {}
        params: list[n.Var] = []
        if isinstance(about, Scalar):
            frame = self.frame(about, name)
            _, found = bindings(frame, cast(Syntax, self.tree(about, "binders_text").children[0]))
            for var, _, where in found:
                if where is not TRUE:
                    self.world.report.error(
                        "law.where", "a law is about whole types; narrow it in `that`", about.span
                    )
                params.append(var)
                names[var.name] = n.Local(var.type, var)
        function = n.Function(name, tuple(params), BOOL, None, False, name)
        self.world.readers.append(False)
        try:
            function.body = self.condition(text, name, names)
        finally:
            function.static = not self.world.readers.pop()
        return function

    def law_function(self, name: str) -> n.Function | None:
        """The predicate of a law; None if it is faulty."""
        try:
            return self.world.conditions[name]() if name in self.world.conditions else None
        except Faulty:
            return None

    # ---- actions

    def actions(self) -> dict[str, Action]:
        """Every action with its own requirements and those of the laws that bind it."""
        laws = self._laws()
        found: dict[str, Action] = {}
        for name, rule, text in self.having("action"):
            try:
                found[name] = self._action(name, rule, text, laws.get(name, []))
            except Faulty:
                continue
        return found

    def _laws(self) -> dict[str, list[Mapping]]:
        bound: dict[str, list[Mapping]] = {}
        for name, rule, _ in self.having("that"):
            binds = words(rule.entries.get("binds"))
            if not binds:
                self.world.report.error(
                    "law.binds", f"`{name}` says which actions it binds: `binds: [...]`", rule.span
                )
            for word in binds:
                if word.value == "every-action":
                    for action in self.world.actions:
                        bound.setdefault(action, []).append(rule)
                elif word.value not in self.world.actions:
                    help = nearest(word.value, self.world.actions)
                    self.world.report.error(
                        "name.action", f"there is no action `{word.value}`", word.span, help=help
                    )
                else:
                    bound.setdefault(word.value, []).append(rule)
        return bound

    def _action(self, name: str, rule: Mapping, text: Scalar, laws: list[Mapping]) -> Action:
        frame = self.frame(text, name)
        tree = self.tree(text, "choices_text")
        choices, names = self._choices(
            frame, cast("Syntax | None", tree.children[0]) if tree.children else None
        )
        requirements: list[Requirement] = []
        require = rule.entries.get("require")
        for key, value in require.entries.items() if isinstance(require, Mapping) else ():
            if isinstance(value, Mapping) and isinstance(that := value.entries.get("that"), Scalar):
                holds = self._held(that, name, names)
                if holds is not None and holds is not TRUE:
                    requirements.append(Requirement(key, name, text_of(value.entries.get("prose")), holds))
        for law in laws:
            held = self._law_for(law, frame, names)
            if held is not None:
                requirements.append(held)
        do = rule.entries.get("do")
        effect = self.effect(do, name, names) if isinstance(do, Scalar) else n.NOTHING_DONE
        written = self._written(rule, name, names)
        return Action(
            name, text_of(rule.entries.get("prose")), tuple(choices), written, tuple(requirements), effect
        )

    def _held(self, that: Scalar, name: str, names: dict[str, n.Expr]) -> n.Expr | None:
        try:
            return self.condition(that, name, names)
        except Faulty:
            return None

    def _law_for(self, law: Mapping, frame: Frame, names: dict[str, n.Expr]) -> Requirement | None:
        name = id_of(law)
        function = self.law_function(name)
        if function is None:
            return None
        for param in function.params:
            given = names.get(param.name)
            if given is None:
                action = frame.clause
                message = (
                    f"`{name}` is about `{param.name}`, and the action `{action}` has no choice of that name"
                )
                self.world.report.error("law.about", message, law.span, frame.text.span)
                return None
        made = apply(frame, function, tuple(names[p.name] for p in function.params))
        if made is TRUE or (isinstance(made, n.Const) and made.value):
            return None
        self.world.spans.setdefault(made, law.entries["that"].span)
        return Requirement(name, name, text_of(law.entries.get("prose")), made)

    def _choices(self, frame: Frame, tree: Syntax | None) -> tuple[list[Choice], dict[str, n.Expr]]:
        found: list[Choice] = []
        for child in tree.children if tree is not None and tree.data == "choices" else ():
            binder = cast(Syntax, child)
            if binder.data == "chain":
                choice = self._chain(frame, binder)
            elif binder.data == "binder":
                word, source_tree, where_tree = binder.children
                source = collection(frame, cast(Syntax, source_tree), None)
                of = element(source)
                if of is None:
                    frame.fail("type.collection", "there is nothing here to choose from", binder)
                var = n.Var(str(word), of)
                where = (
                    condition(frame.bound(var), cast(Syntax, where_tree)) if where_tree is not None else None
                )
                choice = Choice(var, source, None if where is TRUE else where)
            else:
                frame.fail("action.choice", "a choice is `name in set`", binder)
            if choice.var.name in frame.names:
                frame.fail("name.twice", f"`{choice.var.name}` is chosen twice", binder)
            found.append(choice)
            frame = frame.bound(choice.var)
        return found, frame.names

    def _chain(self, frame: Frame, tree: Syntax) -> Choice:
        word, source_tree, cap_tree, step_word, where_tree = tree.children
        source = collection(frame, cast(Syntax, source_tree), None)
        of = element(source)
        cap = expression(frame, cast(Syntax, cap_tree), None)
        if of is None or not isinstance(cap, n.Const) or not isinstance(cap.type, Int):
            frame.fail("action.chain", "a chain grows from a set, up to a number known beforehand", tree)
        grown = List(of, cap.value)
        var, step = n.Var(str(word), grown), n.Var(str(step_word), of)
        where = condition(frame.bound(var).bound(step), cast(Syntax, where_tree))
        return Choice(var, source, None, Chain(step, where, grown))

    def _written(self, rule: Mapping, name: str, names: dict[str, n.Expr]) -> tuple[str | n.Expr, ...]:
        text = rule.entries.get("written")
        if not isinstance(text, Scalar):
            return (
                (" ".join([name, *("{" + k + "}" for k in names)]),)
                if not names
                else self._plain(name, names)
            )
        parts: list[str | n.Expr] = []
        at = 0
        for hole in _HOLE.finditer(text.formal):
            parts += [text.formal[at : hole.start()]] if hole.start() > at else []
            parts.append(self._hole(text, hole, name, names))
            at = hole.end()
        return (*parts, *([text.formal[at:]] if at < len(text.formal) else []))

    def _plain(self, name: str, names: dict[str, n.Expr]) -> tuple[str | n.Expr, ...]:
        parts: list[str | n.Expr] = [name]
        for given in names.values():
            parts += [" ", given]
        return tuple(parts)

    def _hole(self, text: Scalar, hole: re.Match[str], name: str, names: dict[str, n.Expr]) -> n.Expr:
        inner = part_of(text, hole.start(1), hole.end(1))
        tree = cast(Syntax, self.tree(inner, "expr_text").children[0])
        frame = self.frame(inner, name).binding(**names)
        return frame.put(worded(frame, tree), tree)

    # ---- what follows an action

    def reactions(self) -> tuple[Reaction, ...]:
        """What follows an action by itself, in order."""
        found: list[Reaction] = []
        for name, rule, text in self.having("reaction"):
            do = rule.entries.get("do")
            if not isinstance(do, Scalar):
                self.world.report.error("key.missing", f"`{name}` needs the key `do`", rule.span)
                continue
            try:
                found.append(Reaction(name, self.condition(text, name), self.effect(do, name)))
            except Faulty:
                continue
        return tuple(found)

    def ends(self) -> tuple[End, ...]:
        """The ways in which the game ends, in order."""
        found: list[End] = []
        for name, rule, text in self.having("end"):
            function = self.law_function(name)
            if function is not None:
                frame = self.frame(text, name)
                found.append(End(name, text_of(rule.entries.get("prose")), apply(frame, function, ())))
        return tuple(found)

    def setup(self) -> n.Effect:
        """The effects of every rule's setup, in order."""
        done: list[n.Effect] = []
        for name, _, text in self.having("setup"):
            try:
                done.append(self.effect(text, name))
            except Faulty:
                continue
        return done[0] if len(done) == 1 else n.Block(tuple(done))

    def turn(self) -> Turn:
        """Who acts when; by default each acts once, in order, and who is stuck ends the game."""
        mover = n.Get(self.world.player, self.world.state["mover"])
        begin: n.Effect = n.NOTHING_DONE
        over: n.Expr = TRUE
        following = self._default_next(mover)
        stuck = "end"
        for rule in self.rules:
            node = rule.entries.get("turn")
            if not isinstance(node, Mapping):
                continue
            name = id_of(rule)
            try:
                if isinstance(text := node.entries.get("begin"), Scalar):
                    begin = self.effect(text, name)
                if isinstance(text := node.entries.get("over"), Scalar):
                    over = self.condition(text, name)
                if isinstance(text := node.entries.get("next"), Scalar):
                    made = self.expression(text, name, {}, self.world.player)
                    following = asking_type(
                        self.frame(text, name), made, self.world.player, self.tree(text, "expr_text")
                    )
                if isinstance(text := node.entries.get("stuck"), Scalar):
                    stuck = text.value
                    if stuck not in ("end", "pass"):
                        self.world.report.error("turn.stuck", "`stuck` is `end` or `pass`", text.span)
            except Faulty:
                continue
        return Turn(begin, over, following, stuck)

    def _default_next(self, mover: n.Expr) -> n.Expr:
        player = self.world.player
        count = len(player.values)
        table = n.Const(Map(player, player), tuple(v % count + 1 for v in player.values))
        return n.Read(player, table, mover)

    def outcome(self) -> Outcome:
        """Scores, winners, ties and titles; `player` is bound in them."""
        player = n.Var("player", self.world.player)
        names: dict[str, n.Expr] = {"player": n.Local(player.type, player)}
        score = winners = None
        ties: list[tuple[bool, n.Expr]] = []
        titles: list[tuple[n.Expr, str]] = []
        for rule in self.rules:
            name = id_of(rule)
            try:
                if isinstance(text := rule.entries.get("score"), Scalar):
                    score = self._number(text, name, names)
                if isinstance(text := rule.entries.get("winners"), Scalar):
                    winners = self._players(text, name)
                for tie in mappings(rule.entries.get("ties")):
                    key = "most" if "most" in tie.entries else "least"
                    if isinstance(text := tie.entries.get(key), Scalar):
                        ties.append((key == "most", self._number(text, name, names)))
                for title in mappings(rule.entries.get("titles")):
                    if isinstance(text := title.entries.get("when"), Scalar):
                        asked = self.condition(text, name, names)
                        titles.append((asked, text_of(title.entries.get("title"))))
            except Faulty:
                continue
        return Outcome(player, score, winners, tuple(ties), tuple(titles))

    def _number(self, text: Scalar, name: str, names: dict[str, n.Expr]) -> n.Expr:
        made = self.expression(text, name, names, None)
        if not isinstance(scalar_of(made.type), Int):
            self.frame(text, name).fail(
                "type.number", f"this must be a number, and it is {phrase(made.type)}", Tree("x", [])
            )
        return made

    def _players(self, text: Scalar, name: str) -> n.Expr:
        wanted = Set(self.world.player)
        made = self.expression(text, name, {}, wanted)
        return asking_type(self.frame(text, name), made, wanted, Tree("x", []))

    def sights(self) -> tuple[Sight, ...]:
        """What a viewer sees besides the variables that are open."""
        found: list[Sight] = []
        viewer = n.Var("viewer", self.world.player)
        for name, _, text in self.having("sees"):
            try:
                tree = self.tree(text, "sees_text")
                frame = self.frame(text, name).bound(viewer)
                found += [self._sight(frame, cast(Syntax, child), viewer) for child in tree.children]
            except Faulty:
                continue
        return tuple(found)

    def _sight(self, frame: Frame, tree: Syntax, viewer: n.Var) -> Sight:
        value_tree, binders_tree = tree.children
        binders: list[tuple[n.Var, n.Expr]] = []
        if binders_tree is not None:
            frame, found = bindings(frame, cast(Syntax, binders_tree))
            for var, source, where in found:
                narrowed = source
                if where is not TRUE:
                    narrowed = n.Select(Set(cast(t.Scalar, var.type)), var, source, where)
                binders.append((var, narrowed))
        value = expression(frame, cast(Syntax, value_tree), None)
        at = cast(Syntax, value_tree).meta
        lines = frame.text.formal.split("\n")
        shown = lines[at.line - 1][at.column - 1 : at.end_column - 1] if at.line == at.end_line else ""
        return Sight(viewer, tuple(binders), value, shown)


def worded(frame: Frame, tree: Syntax) -> n.Expr:
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
    """A stretch of a one-line text as a text of its own, its places kept."""
    line, column = text.lines[0] if text.exact and text.lines else (text.span.line, text.span.column)
    return Scalar(
        text.formal[start:end],
        text.span,
        text.style,
        False,
        text.formal[start:end],
        [(line, column + start)],
        text.exact,
    )


def id_of(rule: Mapping) -> str:
    """The id of a rule, claim or example; empty where it is missing."""
    found = rule.entries.get("id")
    return found.value if isinstance(found, Scalar) else ""


def mappings(node: object) -> list[Mapping]:
    """The mappings of a sequence."""
    return [i for i in node.items if isinstance(i, Mapping)] if isinstance(node, Sequence) else []
