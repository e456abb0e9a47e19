"""Stages: several players choose an action at once, lowered to hidden choices one after another.

In: the key `at-once` of a rule with an action. Out, for an action `throw` with the choice `h`: the variables
`throw-h` (hidden) and `throw-done`, who has chosen; requirements, an effect that ends with the author's once
all have chosen, sights that show the choices then, and turns that go to those who have not chosen yet. While
a stage goes on, no other action is legal, and reactions, ends and the beginnings of turns wait.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import cast

from lark import Token, Tree

from ..core import nodes as n
from ..core.game import Choice, End, Reaction, Requirement, Sight, Stage
from ..core.traversal import nodes_with_definitions
from ..core.types import BOOL, Map, Scalar, Set, Type, integers
from .documents.shapes import text_of
from .documents.yaml import Mapping
from .documents.yaml import Scalar as Text
from .elaborate.built_in import next_of, player_after
from .elaborate.expressions import set_of_players
from .elaborate.folding import TRUE, conjunction, disjunction, negation, number
from .elaborate.world import ChoicesOf, Declaration, Faulty, Frame, World
from .lowering import declare_generated
from .rules import Rules
from .tabled_choices import meaning_of

AT_ONCE = "at-once"
"""The key of a rule that names the players who choose at once."""


def enter_stages(rules: Rules, choices_of: ChoicesOf) -> None:
    """Declare the variables of stages; `choices_of` elaborates the choices of an action by its rule."""
    for name, rule, _ in rules.having(AT_ONCE):
        action = rule.entries.get("action")
        if not isinstance(action, Text):
            message = f"`{AT_ONCE}` is part of an action, and `{name}` has no `action`"
            rules.world.report.error("at-once.action", message, rule.keys[AT_ONCE].span)
            continue
        rules.world.at_once.add(name)
        declare_generated(rules.world, f"state {name}-done: set of Player = {{}}", rule, action)
        unread: tuple[Token, ...] = ()
        for word in rules.world.quietly(partial(_words, rules, action), unread):
            _declare_choice(rules.world, name, word, action, partial(choices_of, rules, name, action))


def _words(rules: Rules, action: Text) -> tuple[Token, ...]:
    """The names of the choices of an action; raises Faulty if they cannot be read."""
    listed = rules.tree(action, "choices_text").children
    binders = cast("Tree[Token]", listed[0]).children if listed else []
    return tuple(cast(Token, cast("Tree[Token]", binder).children[0]) for binder in binders)


def _declare_choice(world: World, action: str, choice: str, text: Text, choices: ChoicesOf) -> None:
    """Declare the hidden variable that holds each player's choice."""
    name = f"{action}-{choice}"

    def make(world: World, declared: Declaration) -> n.StateVar:
        chosen = next(meaning_of(c).type for c in choices() if c.var.name == choice)
        of = Map(world.player, _with_none(chosen))
        return n.StateVar(name, of, n.Const(of, of.nothing), hidden=True)

    tree: Tree[Token] = Tree("lost", [])
    world.declare("state", Token("NAME", name), tree, text, action)
    if (declared := world.declared.get(name)) is not None and declared.text is text:
        declared.generated, declared.make = True, make


def _with_none(t: Type) -> Type:
    """The type of a choice that may not be made yet; a map has none at each key then."""
    return Map(t.keys, t.of.with_none) if isinstance(t, Map) else t.with_none


def _variable(rules: Rules, name: str) -> n.StateVar:
    found = rules.world.declared[name]
    if not found.generated:  # a name that the author declared, which is reported
        raise Faulty
    return rules.world.get_state(Token("NAME", name), Frame(rules.world, found.text, found.clause))


@dataclass(frozen=True)
class AtOnce:
    """The stage of an action, for lowering its rules."""

    rules: Rules
    name: str
    rule: Mapping

    @property
    def text(self) -> Text:
        """The text that names the players who choose."""
        return cast(Text, self.rule.entries[AT_ONCE])

    @property
    def ready_players(self) -> n.Expr:
        """The players who have chosen."""
        var = _variable(self.rules, f"{self.name}-done")
        self.rules.world.note_read()
        return n.Get(var.type, var)

    @property
    def is_open(self) -> n.Expr:
        """The condition that somebody has chosen, and not everybody."""
        return negation(self.is_closed)

    @property
    def is_closed(self) -> n.Expr:
        """The condition that nobody has chosen yet."""
        done = self.ready_players
        return n.Equal(BOOL, n.Size(integers(0, self.rules.world.players), done), number(0))

    @property
    def who(self) -> n.Expr:
        """The players who choose. Raises Faulty if that depends on the mover or on hidden state."""
        return self.rules.world.piece(("at once", self.name), self._who)

    def _who(self) -> n.Expr:
        frame, tree = self.rules.read(self.text, self.name)
        if self.text.formal in ("yes", "true"):
            message = f"`{AT_ONCE}` says who chooses"
            frame.fail("at-once.who", message, tree, help=f"all players: `{AT_ONCE}: Player`")
        made = set_of_players(frame, tree)
        for node in nodes_with_definitions(made):
            if isinstance(node, n.Can) or (isinstance(node, n.Get) and node.var.name == "mover"):
                message = "the players who choose at once do not depend on who moves"
                frame.fail("at-once.mover", message, tree, help=f"all of them: `{AT_ONCE}: Player`")
            if isinstance(node, n.Get) and node.var.hidden:
                message = f"`{node.var.name}` is hidden, and all know who choose at once"
                frame.fail("at-once.hidden", message, tree)
        return made

    @property
    def _are_all(self) -> bool:
        return isinstance(self.who, n.Domain)

    def is_secret(self, choice: str) -> bool:
        """True if a choice stays secret after all have chosen."""
        text = self.rule.entries.get("secret")
        if not isinstance(text, Text):
            return False
        trees = self.rules.tree(text, "secret_text").children
        return any(str(cast("Tree[Token]", tree).children[0]) == choice for tree in trees)

    # ---- its parts

    def requirements(self, action: str) -> list[Requirement]:
        """Added requirements of an action: in this stage that the mover chooses, else that nobody does."""
        world = self.rules.world
        if action != self.name:
            asked = self.is_closed
        elif self._are_all:
            return []
        else:
            asked = n.Member(BOOL, n.Get(world.player, world.state["mover"]), self.who)
        world.spans.note_span(asked, self.text.span)
        return [Requirement(self.name, self.name, text_of(self.rule.entries.get("prose")), asked)]

    def joint(self, choices: tuple[Choice, ...]) -> tuple[n.Var, ...]:
        """For each choice a local name for those of all: a map from players to their choices.

        If all players choose, none of them is none.
        """
        of = ((c.var.name, meaning_of(c).type) for c in choices)
        made = ((name, t if self._are_all and isinstance(t, Scalar) else _with_none(t)) for name, t in of)
        return tuple(n.Var(name, Map(self.rules.world.player, chosen)) for name, chosen in made)

    def effect(self, choices: tuple[Choice, ...], joint: tuple[n.Var, ...], resolve: n.Effect) -> n.Effect:
        """The effect of choosing: it stores the choice; once all have chosen, the author's effect runs."""
        self._check(resolve)
        world, done = self.rules.world, _variable(self.rules, f"{self.name}-done")
        mover = n.Get(world.player, world.state["mover"])
        stored = {c.var.name: _variable(self.rules, f"{self.name}-{c.var.name}") for c in choices}
        cleared = [n.Assign(var, (), var.initial) for var in stored.values()]
        begun = [n.When(self.is_closed, n.Block(tuple(cleared)), n.NOTHING_DONE)] if cleared else []
        noted = [n.Assign(stored[c.var.name], (mover,), meaning_of(c)) for c in choices]
        now = n.Assign(done, (), n.Union(done.type, self.ready_players, n.SetOf(done.type, (mover,))))
        one = n.Var("p", world.player)
        chosen = n.Member(BOOL, n.Local(one.type, one), self.ready_players)
        for var in reversed(joint):
            resolve = n.Bind(var, self._choices_of_all(stored[var.name], var), resolve)
        over = n.Block((resolve, n.Assign(done, (), n.Const(done.type, frozenset()))))
        after_all = n.When(n.All(BOOL, one, self.who, chosen), over, n.NOTHING_DONE)
        return n.Block((*begun, *noted, now, after_all))

    def _choices_of_all(self, var: n.StateVar, joint: n.Var) -> n.Expr:
        held, of = n.Get(var.type, var), cast(Map, var.type).of
        wanted = cast(Map, joint.type).of
        if wanted == of or not isinstance(wanted, Scalar):
            return held
        one = n.Var("p", self.rules.world.player)
        read = n.Read(of, held, n.Local(one.type, one))
        # The second value is never reached; it settles the type.
        some = n.Otherwise(wanted, read, n.Const(wanted, wanted.values[0]))
        return n.Tabulate(joint.type, one, self.rules.world.player, some)

    def _check(self, resolve: n.Effect) -> None:
        """Raise Faulty if the author's effect uses the mover, who does not exist once all have chosen."""
        text = self.rule.entries.get("do")
        if not isinstance(text, Text):
            return
        frame, tree = self.rules.frame(text, self.name), self.rules.tree(text, "effect_text")
        for word in tree.scan_values(lambda x: isinstance(x, Token) and x == "mover"):
            frame.fail("at-once.mover", self._no_mover, word, help=self._help)
        for node in nodes_with_definitions(resolve):
            if isinstance(node, n.Can) or (isinstance(node, n.Get) and node.var.name == "mover"):
                frame.fail("at-once.mover", self._no_mover, tree, help=self._help)

    _no_mover = "all have chosen here, so nobody is the mover"

    @property
    def _help(self) -> str:
        named = (f"`{word}[p]` is what the player p chose" for word in self.choices)
        return next(named, "name the players by `for p in …`")

    @property
    def choices(self) -> tuple[str, ...]:
        """The names of the choices; raises Faulty if they cannot be read."""
        return tuple(map(str, _words(self.rules, cast(Text, self.rule.entries["action"]))))

    def sights(self, viewer: n.Var) -> Iterator[Sight]:
        """The sights of choices: a player sees the player's own, and all of them while nobody is choosing."""
        player = self.rules.world.player
        for choice in self.choices:
            var = _variable(self.rules, f"{self.name}-{choice}")
            held, of = n.Get(var.type, var), cast(Map, var.type).of
            yield Sight(viewer, (), n.Read(of, held, n.Local(player, viewer)), f"{var.name}[viewer]")
            if not self.is_secret(choice):
                one = n.Var("p", player)
                shown = n.Select(Set(player), one, n.Domain(Set(player), player), self.is_closed)
                value = n.Read(of, held, n.Local(player, one))
                yield Sight(viewer, ((one, shown),), value, f"{var.name}[p]")


def stages(rules: Rules) -> tuple[AtOnce, ...]:
    """The stages that rules declare, in order."""
    listed = ((name, rule) for name, rule, _ in rules.having(AT_ONCE))
    return tuple(AtOnce(rules, x, rule) for x, rule in listed if isinstance(rule.entries.get("action"), Text))


def stage_of(rules: Rules, action: str) -> AtOnce | None:
    """The stage of an action, if it is chosen at once."""
    return next((stage for stage in stages(rules) if stage.name == action), None)


def stage_requirements(rules: Rules, action: str) -> Iterator[Requirement]:
    """The requirements of an action from stages: its own, and that no other is open."""
    for stage in stages(rules):
        yield from stage.requirements(action)


def sights_of_stages(rules: Rules, viewer: n.Var) -> Iterator[Sight]:
    """The sights of the choices of all stages."""
    for stage in stages(rules):
        with suppress(Faulty):
            yield from stage.sights(viewer)


def declared_stages(rules: Rules) -> tuple[Stage, ...]:
    """The stages of the game, as solvers, records and pages need them."""
    found = []
    for stage in stages(rules):
        with suppress(Faulty):
            chosen = tuple(_variable(rules, f"{stage.name}-{word}") for word in stage.choices)
            shown = not any(map(stage.is_secret, stage.choices))
            done = _variable(rules, f"{stage.name}-done")
            found.append(Stage(stage.name, stage.who, done, chosen, shown))
    return tuple(found)


# ---- the course of a game with stages


def between_stages(rules: Rules) -> n.Expr:
    """The condition that no stage is open."""
    return conjunction(*(stage.is_closed for stage in stages(rules)))


def waiting_reactions(rules: Rules, reactions: Iterable[Reaction]) -> Iterator[Reaction]:
    """Reactions that wait until a stage is over."""
    between = between_stages(rules)
    for reaction in reactions:
        yield replace(reaction, condition=conjunction(between, reaction.condition))


def waiting_ends(rules: Rules, ends: Iterable[End]) -> Iterator[End]:
    """Ends of the game that wait until a stage is over."""
    between = between_stages(rules)
    for end in ends:
        yield replace(end, condition=conjunction(between, end.condition))


def waiting_turn(
    rules: Rules, begin: n.Effect, over: n.Expr, following: n.Expr
) -> tuple[n.Effect, n.Expr, n.Expr]:
    """The beginning, end and successor of a turn; in a stage, players who have not chosen come next."""
    between, player = between_stages(rules), rules.world.player
    if between is TRUE:
        return begin, over, following
    mover = n.Get(player, rules.world.state["mover"])
    for stage in stages(rules):
        left = n.Difference(Set(player), stage.who, stage.ready_players)
        then = n.Otherwise(player, next_of(left, mover, player), player_after(mover, player))
        following = n.If(player, stage.is_open, then, following)
    begun = begin if begin is n.NOTHING_DONE else n.When(between, begin, n.NOTHING_DONE)
    return begun, disjunction(negation(between), over), following
