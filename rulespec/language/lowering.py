"""Generated state: variables that the program declares to lower other constructs.

They are state like any other: pages show them, and examples, claims and sights may use their names.
"""

from __future__ import annotations

import re
from typing import cast

from lark import Token

from ..core import nodes as n
from ..core.game import OPEN
from ..core.traversal import assignments, variables_read
from ..core.types import BOOL, Int, Scalar, Set, fits
from .documents.rule_texts import formal_texts_of
from .documents.yaml import Mapping
from .documents.yaml import Scalar as Text
from .elaborate.arithmetic import arithmetic
from .elaborate.folding import disjunction, fold, negation, number
from .elaborate.names import PLIES
from .elaborate.statements import TURN_TO
from .elaborate.world import Faulty, Frame, World
from .rules import id_of
from .syntax.parser import Syntax, formal_parser

_GIVES = re.compile(r"\bgive\s+the\s+turn\b")


def declare_generated(world: World, formal: str, rule: Mapping, place: Text) -> None:
    """Declare the generated variables for a construct in a rule."""
    tree = cast(Syntax, formal_parser("decl_text").parse(formal, start="decl_text").children[0])
    kind = str(tree.data).removesuffix("_decl")
    word = cast(Token, tree.children[1 if kind == "state" else 0])
    text = Text(formal, place.span, "", False, formal, [], False)
    world.declare(kind, word, tree, text, id_of(rule))
    if (declared := world.declared.get(str(word))) is not None and declared.text is text:
        declared.generated = True


def generated_expression(world: World, formal: str, place: Text) -> tuple[Frame, Syntax]:
    """The expression to which a construct is lowered, unelaborated, and its frame."""
    tree = cast(Syntax, formal_parser("expr_text").parse(formal, start="expr_text").children[0])
    return Frame(world, Text(formal, place.span, "", False, formal, [], False)), tree


def declare_turns(world: World, rules: list[Mapping]) -> None:
    """Declare the variable for the player who is given the turn, if some effect gives it."""
    for rule in rules:
        for _, text, _ in formal_texts_of(rule):
            if _GIVES.search(text.formal):
                declare_generated(world, f"state {TURN_TO}: Player? = none", rule, text)
                return


def declare_plies(world: World, rules: list[Mapping]) -> None:
    """Declare the number of actions so far, if a rule limits it."""
    for rule in rules:
        turn = rule.entries.get("turn")
        limit = turn.entries.get("limit") if isinstance(turn, Mapping) else None
        if isinstance(limit, Text):
            declare_generated(world, f"state {PLIES}: 0..({limit.formal}) = 0", rule, limit)
            return


def _counted_plies(world: World) -> n.StateVar | None:
    """The number of actions so far, if a rule limits it; an author's variable of that name is different."""
    return generated_state(world, PLIES)


def generated_state(world: World, name: str) -> n.StateVar | None:
    """The variable of this name that the program declared itself; None if there is none."""
    declared = world.declared.get(name)
    if declared is None or not declared.generated:
        return None
    try:
        return world.get_state(Token("NAME", name), Frame(world, declared.text, declared.clause))
    except Faulty:
        return None


def counting_plies(world: World, effect: n.Effect) -> n.Effect:
    """The effect of an action, followed by counting it if actions are counted."""
    var = _counted_plies(world)
    if var is None:
        return effect
    count = n.Assign(var, (), arithmetic("+", n.Get(var.type, var), number(1)))
    return count if effect is n.NOTHING_DONE else n.Block((effect, count))


def limit_of_plies(world: World) -> n.Expr | None:
    """The condition that the limit of actions is reached; None without a limit."""
    var = _counted_plies(world)
    if var is None or not isinstance(var.type, Int):
        return None
    return n.Equal(BOOL, n.Get(var.type, var), number(var.type.hi))


def next_player(world: World) -> n.StateVar | None:
    """The variable of the player given the turn; None in a game in which no effect gives it."""
    return generated_state(world, TURN_TO)


def draw_open_readings(world: World, setup: n.Effect) -> n.Effect:
    """The setup, after one of the readings of each ruling that is left open was drawn.

    So each play is a play under the readings that its setup draws, and each play under any of them is one.
    """
    names = [name for name, ruling in world.rulings.items() if ruling.chosen == OPEN]
    readings = {world.open_reading(name) for name in names}
    for var in world.state.values() if names else ():
        if not readings.isdisjoint(variables_read(var.initial)):
            message = f"`{var.name}` has a first value that depends on a ruling left open"
            world.report.error("state.initial", message)
    for name in reversed(names):
        held = world.open_reading(name)
        of = cast(Scalar, held.type)
        drawn = n.Var(held.name, of)
        store = n.Assign(held, (), n.Local(held.type, drawn))
        every = n.Domain(Set(of), of)
        setup = n.Draw(drawn, every, None, n.Block((store, setup)))
    return setup


def first_player(world: World, setup: n.Effect) -> n.Effect:
    """The setup, after which the player to whom it gives the turn, if any, is the first to act."""
    var = next_player(world)
    if var is None or all(a.target is not var for a in assignments(setup)):
        return setup
    mover = world.state["mover"]
    given = n.Otherwise(mover.type, n.Get(var.type, var), n.Get(mover.type, mover))
    return n.Block((setup, n.Assign(mover, (), given), _nobody(var)))


def given_turn(
    world: World, begin: n.Effect, over: n.Expr, following: n.Expr
) -> tuple[n.Effect, n.Expr, n.Expr]:
    """The beginning, end and successor of a turn when effects may give the turn to somebody."""
    var = next_player(world)
    if var is None:
        return begin, over, following
    held = n.Get(var.type, var)
    someone = negation(fold(n.IsNone(BOOL, held)))
    of = world.player if fits(following.type, world.player) else following.type
    first = _nobody(var)
    whole = first if begin is n.NOTHING_DONE else n.Block((first, begin))
    return whole, disjunction(someone, over), n.Otherwise(of, held, following)


def _nobody(var: n.StateVar) -> n.Effect:
    return n.Assign(var, (), n.Const(var.type, None))
