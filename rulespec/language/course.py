"""The course of a game: setup, turns, reactions, ends, outcome, and what each player sees."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import cast

from ..core import nodes as n
from ..core import types as t
from ..core.game import End, Outcome, Reaction, Sight, Turn
from ..core.types import Set
from .documents.shapes import text_of
from .documents.yaml import Scalar, mappings
from .elaborate.built_in import next_of, player_after
from .elaborate.calls import apply
from .elaborate.domains import bindings
from .elaborate.expressions import expression, set_of_players
from .elaborate.folding import TRUE, disjunction
from .elaborate.world import Faulty, Frame
from .lowering import first_player, given_turn, limit_of_plies
from .phases import begin_course, course_ends, course_reactions
from .rules import Names, Rules, id_of
from .sides import declared_side, winners_by_side
from .stages import sights_of_stages, waiting_ends, waiting_reactions, waiting_turn
from .syntax.parser import Syntax
from .syntax.printer import one_line


def setup(rules: Rules) -> n.Effect:
    """The effects of every rule's setup, in order."""
    texts = rules.having("setup")
    nothing: n.Effect = n.NOTHING_DONE
    done = [rules.attempt(partial(rules.effect, text, name), nothing) for name, _, text in texts]
    begun = begin_course(rules)
    done += [begun] if begun is not n.NOTHING_DONE else []
    return first_player(rules.world, done[0] if len(done) == 1 else n.Block(tuple(done)))


def turn(rules: Rules) -> Turn:
    """The order of turns; by default each player acts once, in order, and whoever cannot ends the game."""
    begin: n.Effect = n.NOTHING_DONE
    over: n.Expr = TRUE
    following = _following(rules)
    stuck = "end"
    if found := rules.only("begin", "turn"):
        begin = rules.attempt(partial(rules.effect, found[1], found[0]), begin)
    if found := rules.only("over", "turn"):
        over = rules.attempt(partial(rules.condition, found[1], found[0]), over)
    if found := rules.only("stuck", "turn"):
        stuck = found[1].value
        if stuck not in ("end", "pass"):
            rules.world.report.error("turn.stuck", "`stuck` is `end` or `pass`", found[1].span)
    course = begin, over, following
    course = rules.attempt(partial(waiting_turn, rules, *course), course)
    return Turn(*given_turn(rules.world, *course), stuck)


def _following(rules: Rules) -> n.Expr:
    """The player who acts after this turn unless an effect gives the turn to another."""
    player = rules.world.player
    mover = n.Get(player, rules.world.state["mover"])
    following = player_after(mover, player)
    if found := rules.only("next", "turn"):
        following = rules.attempt(partial(rules.asking, found[1], found[0], player), following)
    if among := rules.only("among", "turn"):
        if found:
            message = "a turn has `next` or `among`, not both"
            help = "in `next`, `after(p, S)` is the next player of `S` after `p`"
            rules.world.report.error("turn.among", message, among[1].span, help=help)
        following = rules.attempt(partial(_next_among, rules, among[1], among[0], mover), following)
    return following


def _next_among(rules: Rules, text: Scalar, clause: str, mover: n.Expr) -> n.Expr:
    """The next player of a set, or of all players if the set is empty."""
    player = rules.world.player
    those = set_of_players(*rules.read(text, clause))
    return n.Otherwise(player, next_of(those, mover, player), player_after(mover, player))


def reactions(rules: Rules) -> tuple[Reaction, ...]:
    """The reactions to actions, in order."""
    found: list[Reaction] = []
    for name, rule, text in rules.having("reaction"):
        do = rule.entries.get("do")
        if not isinstance(do, Scalar):
            rules.world.report.error("key.missing", f"`{name}` needs the key `do`", rule.span)
            continue
        try:
            asked = rules.condition(text, name)
            found.append(Reaction(name, asked, rules.effect(do, name, facts=[asked])))
        except Faulty:
            continue
    with suppress(Faulty):
        found += course_reactions(rules, partial(_following, rules))
        found = [*waiting_reactions(rules, found)]
    return tuple(found)


def ends(rules: Rules) -> tuple[End, ...]:
    """The ways in which the game ends, in order."""
    found: list[End] = []
    for name, rule, text in rules.having("end"):
        function = rules.law_function(name)
        if function is not None and not function.params:  # with parameters it is a law, reported elsewhere
            frame = rules.frame(text, name)
            found.append(End(name, text_of(rule.entries.get("prose")), apply(frame, function, ())))
    found += course_ends(rules)
    with suppress(Faulty):
        found = [*waiting_ends(rules, found)]
    limited, reached = rules.only("limit", "turn"), limit_of_plies(rules.world)
    if limited is not None and reached is not None:
        prose = next(text_of(r.entries.get("prose")) for r in rules.rules if id_of(r) == limited[0])
        found.append(End(limited[0], prose, reached))
    ends: dict[str, End] = {}
    for end in found:  # a rule is one end, however many conditions it has: records and code name it by its id
        same = ends.get(end.id, end)
        either = end.condition if same is end else disjunction(same.condition, end.condition)
        ends[end.id] = replace(same, condition=either)
    return tuple(ends.values())


def _winners(rules: Rules, text: Scalar, clause: str) -> n.Expr:
    return set_of_players(*rules.read(text, clause))


def outcome(rules: Rules) -> Outcome:
    """Scores, winners, ties, titles and sides; `player` is bound in them."""
    player = n.Var("player", rules.world.player)
    names: Names = {"player": n.Local(player.type, player)}
    score = winners = None
    gains = rules.only("payoff")
    if found := rules.only("score"):
        score = rules.attempt(partial(rules.number, found[1], found[0], names), None)
        if gains:
            message = "a game has points (`score`) or payoffs (`payoff`), not both"
            help = "`payoff` is what a player wants the most of; points are there to be ahead of others"
            rules.world.report.error("payoff.score", message, gains[1].span, help=help)
    elif gains:
        score = rules.attempt(partial(rules.number, gains[1], gains[0], names), None)
    if found := rules.only("winners"):
        winners = rules.attempt(partial(_winners, rules, found[1], found[0]), None)
    ties: list[tuple[bool, n.Expr]] = []
    tie_texts: list[str] = []
    titles: list[tuple[n.Expr, str]] = []
    for rule in rules.rules:
        name = id_of(rule)
        for tie in mappings(rule.entries.get("ties")):
            for key in ("most", "least"):
                if isinstance(text := tie.entries.get(key), Scalar):
                    wish = rules.attempt(partial(rules.number, text, name, names), None)
                    ties += [(key == "most", wish)] if wish is not None else []
                    tie_texts.append(text_of(tie.entries.get("prose")) or f"The {key} `{text_of(text)}` wins")
        for title in mappings(rule.entries.get("titles")):
            if isinstance(text := title.entries.get("when"), Scalar):
                asked = rules.attempt(partial(rules.condition, text, name, names), None)
                titles += [(asked, text_of(title.entries.get("title")))] if asked is not None else []
    side = declared_side(rules, player)
    if side is not None:
        winners = winners_by_side(player, side, winners, score, ties)
    texts = tuple(tie_texts)
    return Outcome(player, score, winners, tuple(ties), tuple(titles), side, gains is not None, texts)


def sights(rules: Rules) -> tuple[Sight, ...]:
    """The sights of a viewer besides the visible variables."""
    found: list[Sight] = []
    viewer = n.Var("viewer", rules.world.player)
    for name, _, text in rules.having("sees"):
        try:
            tree = rules.tree(text, "sees_text")
            frame = rules.frame(text, name).bound(viewer)
            found += [_sight(frame, cast(Syntax, child), viewer) for child in tree.children]
        except Faulty:
            continue
    return (*found, *sights_of_stages(rules, viewer))


def _sight(frame: Frame, tree: Syntax, viewer: n.Var) -> Sight:
    """An expression that a player sees, with its binders."""
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
    return Sight(viewer, tuple(binders), value, one_line(cast(Syntax, value_tree)))
